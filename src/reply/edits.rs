//! Search-and-replace blocks.

/// One search-and-replace block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Lines of the script.
    pub search: String,
    /// What comes in their place.
    pub replace: String,
}

/// Why blocks cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// There is no block, or one without its end.
    #[error("there is no edit block")]
    NoBlock,
    /// The script does not have the lines.
    #[error("the search text of block {0} does not occur in the script")]
    NotFound(usize),
    /// The script has the lines at several places.
    #[error("the search text of block {0} occurs more than once")]
    Ambiguous(usize),
}

/// The edit blocks of a reply: lines of at least five `<`, `=` and `>` signs set them off.
pub fn replacements(reply: &str) -> Vec<Replacement> {
    let mut found = Vec::new();
    let (mut search, mut replace): (Option<String>, Option<String>) = (None, None);
    for line in reply.split_inclusive('\n') {
        let bare = line.trim();
        match (&mut search, &mut replace) {
            (None, _) if bare.starts_with("<<<<<") => search = Some(String::new()),
            (Some(_), None) if is_rule(bare) => replace = Some(String::new()),
            (Some(lines), None) => lines.push_str(line),
            (Some(lines), Some(new)) if bare.starts_with(">>>>>") => {
                found.push(Replacement { search: std::mem::take(lines), replace: std::mem::take(new) });
                (search, replace) = (None, None);
            }
            (Some(_), Some(new)) => new.push_str(line),
            (None, _) => {}
        }
    }
    found
}

fn is_rule(line: &str) -> bool {
    line.len() >= 5 && line.bytes().all(|byte| byte == b'=')
}

/// Applies blocks one after the other. Search text must occur once: exactly, or else line by line with blanks at both
/// ends of each line ignored.
///
/// # Errors
///
/// When there is no block, or the search text of one does not occur exactly once.
pub fn apply(script: &str, blocks: &[Replacement]) -> Result<String, ApplyError> {
    if blocks.is_empty() {
        return Err(ApplyError::NoBlock);
    }
    let mut text = script.to_owned();
    for (index, block) in blocks.iter().enumerate() {
        let range = place(&text, &block.search, index + 1)?;
        let mut new = block.replace.clone();
        if !text[range.clone()].ends_with('\n') {
            new.truncate(new.trim_end_matches(['\n', '\r']).len());
        }
        text.replace_range(range, &new);
    }
    Ok(text)
}

fn place(text: &str, search: &str, number: usize) -> Result<std::ops::Range<usize>, ApplyError> {
    if search.trim().is_empty() {
        return Err(ApplyError::NotFound(number));
    }
    let inner = search.trim_end_matches(['\n', '\r']);
    for exact in [search, inner] {
        let mut hits = text.match_indices(exact);
        match (hits.next(), hits.next()) {
            (Some((start, _)), None) => return Ok(start..start + exact.len()),
            (Some(_), Some(_)) => return Err(ApplyError::Ambiguous(number)),
            _ => {}
        }
    }
    let wanted: Vec<&str> = inner.lines().map(str::trim).collect();
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        lines.push((start, line));
        start += line.len();
    }
    let alike = |window: &&[(usize, &str)]| window.iter().zip(&wanted).all(|((_, line), want)| line.trim() == *want);
    let mut hits = lines.windows(wanted.len()).filter(alike);
    match (hits.next(), hits.next()) {
        (Some(window), None) => {
            let (last, line) = window[window.len() - 1];
            Ok(window[0].0..last + line.len())
        }
        (Some(_), Some(_)) => Err(ApplyError::Ambiguous(number)),
        (None, _) => Err(ApplyError::NotFound(number)),
    }
}
