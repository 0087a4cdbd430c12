//! What a model says → what it means: a script, edits or an instruction.
//!
//! Rules for a script, in order; text between `<think>` and `</think>` never counts:
//!
//! 1. A reply that parses whole is the script.
//! 2. A JSON object (bare or fenced) with a text `predict_sql` gives that text.
//! 3. Of several fenced blocks the last one tagged as SQL counts, or the last one without a tag. A block that is never
//!    closed reaches to the end.
//! 4. `<sql>…</sql>` counts, the last of several.
//! 5. From the first line that opens as SQL does, if the rest parses, with or without what follows the last `;`.
//!
//! Otherwise the reply holds no script.

use crate::code::dialect::Dialect;
use crate::code::script::Script;

/// Words that start a statement.
const OPENERS: [&str; 13] =
    ["select", "with", "insert", "create", "from", "set", "drop", "use", "add", "alter", "truncate", "merge", "cache"];

/// The script in a reply; none when there is none.
pub fn script(reply: &str) -> Option<String> {
    let reply = without_thoughts(reply);
    let found = if parses(&reply) { Some(reply.clone()) } else { None };
    let found = found.or_else(|| from_json(&reply));
    let found = found.or_else(|| fenced(&reply));
    let found = found.or_else(|| between(&reply, "sql").map(str::to_owned));
    found.or_else(|| without_prose(&reply)).filter(|sql| !Script::new(sql.as_str()).tokens().is_empty())
}

/// A reply without the model's thinking aloud; thoughts that never end leave nothing.
fn without_thoughts(reply: &str) -> String {
    match (reply.rfind("</think>"), reply.find("<think>")) {
        (Some(end), _) => reply[end + "</think>".len()..].trim_start().to_owned(),
        (None, Some(start)) => reply[..start].to_owned(),
        (None, None) => reply.to_owned(),
    }
}

fn opens(word: &str) -> bool {
    let first: String = word.chars().take_while(|c| c.is_ascii_alphabetic()).collect();
    word.starts_with('(') || OPENERS.iter().any(|opener| first.eq_ignore_ascii_case(opener))
}

fn parses(text: &str) -> bool {
    let script = Script::new(text);
    script.is_valid() && opens(script.token_text(0))
}

fn from_json(reply: &str) -> Option<String> {
    let start = reply.find('{')?;
    let end = reply.rfind('}')?;
    let value: serde_json::Value = serde_json::from_str(reply.get(start..=end)?).ok()?;
    Some(value.get("predict_sql")?.as_str()?.to_owned())
}

fn fenced(text: &str) -> Option<String> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        match (&mut open, bare.strip_prefix("```")) {
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some((_, body)), _) => body.push_str(line),
            (None, Some(tag)) => open = Some((tag.trim().to_lowercase(), String::new())),
            (None, None) => {}
        }
    }
    blocks.extend(open);
    let last =
        |wanted: &dyn Fn(&str) -> bool| blocks.iter().rfind(|(tag, _)| wanted(tag)).map(|(_, body)| body.clone());
    last(&|tag| Dialect::has_tag(tag)).or_else(|| last(&|tag| tag.is_empty()))
}

/// The text between the last `<tag>` and the `</tag>` after it, or the end.
fn between<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (opening, closing) = (format!("<{tag}>"), format!("</{tag}>"));
    let start = text.rfind(&opening)? + opening.len();
    let end = text[start..].find(&closing).map_or(text.len(), |length| start + length);
    Some(text[start..end].trim_matches('\n'))
}

fn without_prose(text: &str) -> Option<String> {
    let mut start = 0;
    let first = text.split_inclusive('\n').find_map(|line| {
        let here = start;
        start += line.len();
        let word = line.trim_start();
        (word.starts_with("--") || word.starts_with("/*") || opens(word)).then_some(here)
    })?;
    let rest = &text[first..];
    let to_last = rest.rfind(';').map(|end| &rest[..=end]);
    [Some(rest), to_last].into_iter().flatten().find(|candidate| parses(candidate)).map(str::to_owned)
}

/// What a planner says.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Plan {
    /// What to change.
    pub instruction: String,
    /// The changed lines; empty when there are none.
    pub sketch: String,
}

/// The plan in a reply: its parts, or all of it as the instruction. None when it says nothing.
pub fn plan(reply: &str) -> Option<Plan> {
    let reply = without_thoughts(reply);
    let instruction = between(&reply, "instruction").or_else(|| between(&reply, "instructions"));
    let instruction = instruction.unwrap_or(reply.trim()).to_owned();
    let sketch = between(&reply, "sketch").or_else(|| between(&reply, "sketch_sql")).unwrap_or_default().to_owned();
    if instruction.is_empty() && sketch.is_empty() { None } else { Some(Plan { instruction, sketch }) }
}

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
    let reply = without_thoughts(reply);
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

/// Applies blocks one after the other. Search text must occur once: exactly, or line by line with blanks at line ends
/// and common indentation aside.
///
/// # Errors
///
/// When there is no block, or one has no single place.
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

#[cfg(test)]
mod tests;
