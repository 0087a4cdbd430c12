//! Fenced blocks, as Markdown has them.

use crate::code::dialect::Dialect;

/// A fenced block.
#[derive(Debug, Default)]
struct FencedBlock<'a> {
    /// The line of marks that opens it; the one that closes it is at least as long.
    fence: &'a str,
    tag: String,
    body: String,
}

/// The body of the last block tagged as SQL, or else of the last one without a tag.
pub(super) fn last_sql(text: &str) -> Option<String> {
    let blocks = blocks(text);
    let last = |wanted: &dyn Fn(&str) -> bool| blocks.iter().rfind(|block| wanted(&block.tag));
    let chosen = last(&Dialect::has_tag).or_else(|| last(&|tag| tag.is_empty()));
    chosen.map(|block| block.body.clone())
}

/// The bodies of all blocks that can hold JSON.
pub(super) fn json_bodies(text: &str) -> impl Iterator<Item = String> {
    let is_json = |block: &FencedBlock<'_>| block.tag.starts_with("json") || block.tag.is_empty();
    blocks(text).into_iter().filter(is_json).map(|block| block.body)
}

fn blocks(text: &str) -> Vec<FencedBlock<'_>> {
    let (mut closed, mut open): (Vec<FencedBlock<'_>>, Option<FencedBlock<'_>>) = (Vec::new(), None);
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        match (&mut open, fence(bare)) {
            (Some(block), Some(fence)) if bare == fence && fence.starts_with(block.fence) => closed.extend(open.take()),
            (Some(block), _) => match line.trim_end().strip_suffix(block.fence) {
                // `SELECT 1```: the block ends where its last line does.
                Some(last) => {
                    block.body.push_str(last);
                    closed.extend(open.take());
                }
                None => block.body.push_str(line),
            },
            (None, Some(fence)) => open = opened(&mut closed, fence, &bare[fence.len()..]),
            (None, None) => {}
        }
    }
    closed.extend(open);
    closed
}

/// The block that a line opens; one that ends on the same line is closed at once.
fn opened<'a>(closed: &mut Vec<FencedBlock<'a>>, fence: &'a str, rest: &str) -> Option<FencedBlock<'a>> {
    let tag = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    if let Some(inside) = rest.strip_suffix(fence) {
        let sql = inside.split_once(' ').filter(|(tag, _)| Dialect::has_tag(&tag.to_lowercase()));
        closed.extend(sql.map(|(tag, sql)| FencedBlock {
            fence,
            tag: tag.to_lowercase(),
            body: sql.trim().to_owned(),
        }));
        return None;
    }
    Some(FencedBlock { fence, tag, body: String::new() })
}

/// The marks that a line starts with, if they are those of a fence.
fn fence(line: &str) -> Option<&str> {
    let mark = ['`', '~'].into_iter().find(|mark| line.starts_with(*mark))?;
    let length = line.chars().take_while(|letter| *letter == mark).count();
    (length >= 3).then(|| &line[..length])
}
