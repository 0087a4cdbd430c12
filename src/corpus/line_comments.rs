//! Lines that begin with `#`: comments of Hive's Beeline.

use crate::code::token::{TokenKind, tokenize};

/// Most lines that are looked at: an apostrophe in one changes what the next is, so each is read anew.
const MOST_LINES: usize = 500;

/// Returns a script in which lines that begin with `#` are comments, as Beeline reads them; those of `#{name}` are
/// placeholders, and those of a notebook in Python are its own.
pub(super) fn with_usual_comments(text: &str) -> String {
    let mut usual = text.to_owned();
    if text.contains("# MAGIC") {
        return usual;
    }
    for _ in 0..MOST_LINES {
        let Some(line) = first_line(&usual) else { break };
        usual.insert_str(line, "-- ");
    }
    usual
}

/// Returns where the first line begins with `#`, outside of texts and comments.
fn first_line(text: &str) -> Option<usize> {
    if !text.contains('#') {
        return None;
    }
    let tokens = tokenize(text);
    let signs = tokens.iter().filter(|token| token.kind != TokenKind::Text && !token.kind.is_trivia());
    let mut places = signs.map(|token| token.span().start).filter(|start| text[*start..].starts_with('#'));
    places.find(|start| {
        let before = &text[..*start];
        let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
        line.trim().is_empty() && !text[*start..].starts_with("#{")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_behind_a_number_sign_are_comments() {
        for (written, read) in [
            (
                "#the jars\nadd jar a.jar;\n  # it's a view\nSELECT a",
                "-- #the jars\nadd jar a.jar;\n  -- # it's a view\nSELECT a",
            ),
            ("SELECT '\n#x', a -- b\n# it's; d\nFROM t\n#e", "SELECT '\n#x', a -- b\n-- # it's; d\nFROM t\n-- #e"),
            ("SELECT\n#{a} FROM t", "SELECT\n#{a} FROM t"),
            ("# MAGIC %sql\n# MAGIC SELECT a", "# MAGIC %sql\n# MAGIC SELECT a"),
        ] {
            assert_eq!(with_usual_comments(written), read);
        }
    }
}
