//! Takes the SQL out of a model's reply: the one reader that repairing, scoring and drafting share.
//!
//! The rules, in order; the first that finds SQL decides:
//!
//! | rule | what it takes |
//! |---|---|
//! | plain | a reply that parses whole |
//! | thoughts | what follows `</think>` or `</thinking>`; thoughts that never end leave nothing |
//! | JSON | an object, bare or in a block, with a text `predict_sql` or `issue_sql`; it need not be strict JSON |
//! | edits | search-and-replace blocks, applied to the issue SQL, where the caller gives it |
//! | blocks | the last fenced block tagged as SQL, or else the last without a tag; an open one reaches to the end |
//! | tags | `<sql>…</sql>` or `<predict_sql>…</predict_sql>`, the last of several |
//! | prose around | from the first line that opens as SQL does, to the end or to the last `;`, whichever parses |
//!
//! `tests::each_wrapping_is_read` holds the table.

mod blocks;
mod edits;
mod json;

use crate::code::script::Script;

pub use edits::{ApplyError, Replacement, apply, replacements};
pub use json::json_in;

/// The largest reply that is read, in bytes: fifty times a long script.
pub const LARGEST: usize = 512 << 10;

/// Words that start a statement.
const OPENERS: [&str; 19] = [
    "select", "with", "insert", "create", "from", "set", "drop", "use", "add", "alter", "truncate", "merge", "cache",
    "replace", "msck", "analyze", "values", "delete", "update",
];

/// What a reply holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyContent {
    /// SQL, as far as one can tell.
    Sql(String),
    /// No SQL.
    Empty,
    /// More than [`LARGEST`] bytes; it is not read.
    TooLarge,
    /// Edit blocks that cannot be applied to the issue SQL.
    Inapplicable(ApplyError),
}

/// Reads a reply that is meant to be an answer: where no rule finds SQL, the whole text is taken for it, so that SQL
/// which does not parse is judged as such.
///
/// `issue` is the SQL that edit blocks are applied to.
pub fn answer(reply: &str, issue: Option<&str>) -> ReplyContent {
    if reply.len() > LARGEST {
        return ReplyContent::TooLarge;
    }
    match found(reply, issue) {
        Some(Ok(sql)) => filled(sql),
        Some(Err(error)) => ReplyContent::Inapplicable(error),
        None => filled(without_thoughts(reply).to_owned()),
    }
}

/// The SQL in a reply that may also hold none; `None` where no rule finds any, or its edit blocks cannot be applied.
///
/// `issue` is the SQL that edit blocks are applied to.
pub fn script(reply: &str, issue: Option<&str>) -> Option<String> {
    if reply.len() > LARGEST {
        return None;
    }
    let sql = found(reply, issue)?.ok()?;
    matches!(filled(sql.clone()), ReplyContent::Sql(_)).then_some(sql)
}

/// The text between the last `<tag>` and the `</tag>` after it, or the end of `text`; `None` if there is no `<tag>`.
pub fn between<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (opening, closing) = (format!("<{tag}>"), format!("</{tag}>"));
    let lower = text.to_ascii_lowercase();
    let start = lower.rfind(&opening)? + opening.len();
    let end = lower[start..].find(&closing).map_or(text.len(), |length| start + length);
    Some(text[start..end].trim_matches('\n'))
}

/// A reply without the model's thinking aloud; thoughts that never end leave nothing after them.
pub fn without_thoughts(reply: &str) -> &str {
    let mut rest = reply;
    for (opening, closing) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
        rest = match (rest.rfind(closing), rest.find(opening)) {
            (Some(end), _) => rest[end + closing.len()..].trim_start(),
            (None, Some(start)) => &rest[..start],
            (None, None) => rest,
        };
    }
    rest
}

/// What the rules of the table find; `None` where none applies.
fn found(reply: &str, issue: Option<&str>) -> Option<Result<String, ApplyError>> {
    if parses(reply) {
        return Some(Ok(reply.to_owned()));
    }
    let reply = without_thoughts(reply);
    if parses(reply) {
        return Some(Ok(reply.to_owned()));
    }
    if let Some(sql) = json::sql_field(reply) {
        // The text of a field may be wrapped once more.
        let inner = blocks::last_sql(&sql).filter(|_| !parses(&sql));
        return Some(Ok(inner.unwrap_or(sql)));
    }
    if let Some(issue) = issue {
        let edits = replacements(reply);
        if !edits.is_empty() {
            return Some(apply(issue, &edits));
        }
    }
    let found = blocks::last_sql(reply);
    let found = found.or_else(|| ["sql", "predict_sql"].iter().find_map(|tag| Some(between(reply, tag)?.to_owned())));
    found.or_else(|| without_prose(reply).map(str::to_owned)).map(Ok)
}

/// The SQL as content; [`ReplyContent::Empty`] if it consists of comments and `;` alone.
fn filled(sql: String) -> ReplyContent {
    let script = Script::new(sql.as_str());
    let is_filled = script.tokens().iter().any(|token| token.span().of(&sql) != ";");
    if is_filled { ReplyContent::Sql(sql) } else { ReplyContent::Empty }
}

fn parses(text: &str) -> bool {
    let script = Script::new(text);
    // Prose can pass as statements that are kept as text: a script is SQL only when it opens as SQL does.
    script.is_valid() && opens(script.token_text(0))
}

fn opens(word: &str) -> bool {
    let first: String = word.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    word.starts_with('(') || OPENERS.iter().any(|opener| first.eq_ignore_ascii_case(opener))
}

/// Whether a text that begins with `Update` or `Delete` asks for a change instead of being one.
fn is_request(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let wanted = match words.next() {
        Some(word) if word.eq_ignore_ascii_case("update") => "set",
        Some(word) if word.eq_ignore_ascii_case("delete") => "from",
        _ => return false,
    };
    // `UPDATE t AS a SET` has the most words before it.
    !words.take(4).any(|word| word.eq_ignore_ascii_case(wanted))
}

/// The SQL in a reply with prose before the first and after the last statement.
fn without_prose(text: &str) -> Option<&str> {
    let mut start = 0;
    let first = text.split_inclusive('\n').find_map(|line| {
        let here = start;
        start += line.len();
        let bare = line.trim();
        // `With this change the join keeps every row:` opens as SQL does, and is a sentence.
        let is_sentence = bare.ends_with([':', '.', '!', '?']);
        let is_sql = bare.starts_with("--")
            || bare.starts_with("/*")
            || opens(bare) && !is_sentence && !is_request(&text[here..]);
        is_sql.then_some(here)
    })?;
    let rest = &text[first..];
    let to_last = rest.rfind(';').map(|end| &rest[..=end]);
    [Some(rest), to_last].into_iter().flatten().find(|candidate| parses(candidate))
}

#[cfg(test)]
mod tests;
