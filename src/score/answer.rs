//! What a model says → the SQL in it.
//!
//! The rules, in order:
//!
//! 1. A text that parses whole is the SQL.
//! 2. Of several fenced blocks (```` ``` ```` or `~~~`) the last one tagged as SQL counts, or the last one without a
//!    tag; a block that is never closed reaches to the end. Blocks with another tag (`python`, `text`) never count.
//! 3. `<sql>…</sql>` counts, the last of several.
//! 4. Otherwise lines before the first one that starts as SQL does are dropped, and lines after the last `;` as well, but
//!    only when what is left parses.
//! 5. Otherwise the text itself is the answer.

use crate::code::dialect::Dialect;
use crate::code::script::Script;

/// The SQL of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// SQL, as far as one can tell.
    Sql(String),
    /// Nothing.
    Empty,
    /// More than `LARGEST` bytes: not looked at.
    TooLarge,
}

/// The largest answer that is read, in bytes: fifty times a long script.
pub const LARGEST: usize = 512 << 10;

/// Words that start a statement.
const OPENERS: [&str; 17] = [
    "SELECT", "WITH", "INSERT", "CREATE", "FROM", "SET", "DROP", "USE", "ADD", "ALTER", "TRUNCATE", "MERGE", "CACHE",
    "REPLACE", "MSCK", "ANALYZE", "VALUES",
];

/// Takes the SQL out of an answer by the rules above.
pub fn unwrap(answer: &str) -> Answer {
    if answer.len() > LARGEST {
        return Answer::TooLarge;
    }
    if answer.trim().is_empty() {
        return Answer::Empty;
    }
    if parses(answer) {
        return filled(answer);
    }
    if let Some(block) = fenced(answer) {
        return filled(&block);
    }
    if let Some(inner) = tagged(answer) {
        return filled(inner);
    }
    filled(without_prose(answer).unwrap_or(answer))
}

/// A text with at least one token that is no comment.
fn filled(sql: &str) -> Answer {
    if Script::new(sql).tokens().iter().any(|token| token.span().of(sql) != ";") {
        Answer::Sql(sql.to_owned())
    } else {
        Answer::Empty
    }
}

fn parses(text: &str) -> bool {
    let script = Script::new(text);
    // Prose can pass as statements that are kept as text: such a script is SQL only when it opens as SQL does.
    script.is_valid() && opens(script.token_text(0))
}

fn opens(word: &str) -> bool {
    let first = word.split_whitespace().next().unwrap_or_default();
    first.starts_with('(') || OPENERS.iter().any(|opener| first.eq_ignore_ascii_case(opener))
}

/// A fenced block.
struct Block<'a> {
    fence: &'a str,
    tag: String,
    body: String,
}

fn fenced(text: &str) -> Option<String> {
    let (mut blocks, mut open): (Vec<Block<'_>>, Option<Block<'_>>) = (Vec::new(), None);
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let fence = ["```", "~~~"].into_iter().find(|fence| bare.starts_with(fence));
        match (&mut open, fence) {
            (Some(block), Some(fence)) if block.fence == fence && bare.trim_matches(&['`', '~'][..]).is_empty() => {
                blocks.extend(open.take());
            }
            (Some(block), _) => block.body.push_str(line),
            (None, Some(fence)) => {
                let tag = bare.trim_start_matches(&['`', '~'][..]).trim().to_lowercase();
                open = Some(Block { fence, tag, body: String::new() });
            }
            (None, None) => {}
        }
    }
    blocks.extend(open);
    let last = |wanted: &dyn Fn(&str) -> bool| blocks.iter().rfind(|block| wanted(&block.tag));
    let chosen = last(&|tag| Dialect::has_tag(tag)).or_else(|| last(&|tag| tag.is_empty()));
    chosen.map(|block| block.body.clone())
}

fn tagged(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let start = lower.rfind("<sql>")? + "<sql>".len();
    let end = lower[start..].find("</sql>").map_or(text.len(), |length| start + length);
    Some(&text[start..end])
}

fn without_prose(text: &str) -> Option<&str> {
    let mut start = 0;
    let first = text.split_inclusive('\n').find_map(|line| {
        let here = start;
        start += line.len();
        let word = line.trim_start();
        let is_sql = word.starts_with("--") || word.starts_with("/*") || opens(word);
        is_sql.then_some(here)
    })?;
    let from_sql = &text[first..];
    let to_last = from_sql.rfind(';').map(|end| &from_sql[..=end]);
    [Some(from_sql), to_last].into_iter().flatten().find(|candidate| parses(candidate))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql(text: &str) -> Answer {
        Answer::Sql(text.to_owned())
    }

    #[test]
    fn answers_are_unwrapped_by_the_stated_rules() {
        let cases = [
            ("SELECT 1;", sql("SELECT 1;")),
            ("Here it is:\n```sql\nSELECT 1;\n```\nDone.", sql("SELECT 1;\n")),
            ("```sql\nSELECT 1;\n```\nBetter:\n```SQL\nSELECT 2;\n```", sql("SELECT 2;\n")),
            ("```sql\nSELECT 1;\n```\n```text\nrows: 1\n```", sql("SELECT 1;\n")),
            ("```\nSELECT 1;\n```\n```python\nprint(1)\n```", sql("SELECT 1;\n")),
            ("```sql\nSELECT 1", sql("SELECT 1")),
            ("Sure. <sql>SELECT 1</sql> It was wrong.", sql("SELECT 1")),
            ("The bug is in the join.\n\nSELECT a\nFROM t;\n\nThis joins on both keys.", sql("SELECT a\nFROM t;")),
            ("SELECT a FRM t WHRE", sql("SELECT a FRM t WHRE")),
            ("-- nothing\n", Answer::Empty),
            ("  \n", Answer::Empty),
            ("```sql\n```", Answer::Empty),
            (";", Answer::Empty),
        ];
        for (text, expected) in cases {
            assert_eq!(unwrap(text), expected, "{text}");
        }
    }

    #[test]
    fn a_fence_inside_a_string_does_not_cut_sql_that_parses() {
        let text = "SELECT '\n```sql\nx\n```\n' AS a";
        assert_eq!(unwrap(text), sql(text));
    }
}
