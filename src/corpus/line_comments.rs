//! Lines that are no SQL for Hive's Beeline: comments behind `#`, and commands behind `!`.

use crate::code::token::tokenize;

/// Most lines that are looked at: an apostrophe in one changes what the next is, so each is read anew.
const MOST_LINES: usize = 500;

/// Returns a script in which lines that begin with `#` are comments, as Beeline reads them, and so are its own commands, as
/// `!connect`; lines of `#{name}` are placeholders, and those of a notebook in Python are its own.
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

/// Returns where the first line begins with `#`, or a command with `!`, outside of texts and comments.
fn first_line(text: &str) -> Option<usize> {
    if !text.contains(['#', '!']) {
        return None;
    }
    let tokens = tokenize(text);
    let mut before = None;
    let words = tokens.iter().filter(|token| !token.kind.is_trivia()).map(|token| token.span());
    let mut placed = words.map(|word| (word, before.replace(word)));
    placed.find_map(|(word, before)| {
        let begins_statement = before.is_none_or(|before| before.of(text) == ";");
        let sign = word.of(text).chars().next();
        let is_other = match sign {
            Some('#') => !text[word.start..].starts_with("#{"),
            Some('!') => begins_statement,
            _ => false,
        };
        let line = &text[..word.start];
        let line = &line[line.rfind('\n').map_or(0, |end| end + 1)..];
        (is_other && line.trim().is_empty()).then_some(word.start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_beeline_are_comments() {
        for (written, read) in [
            (
                "#the jars\nadd jar a.jar;\n  # it's a view\nSELECT a",
                "-- #the jars\nadd jar a.jar;\n  -- # it's a view\nSELECT a",
            ),
            ("SELECT '\n#x', a -- b\n# it's; d\nFROM t\n#e", "SELECT '\n#x', a -- b\n-- # it's; d\nFROM t\n-- #e"),
            (
                "!connect jdbc:a\n!sh ls;\nSELECT a FROM t\nWHERE\n! a",
                "-- !connect jdbc:a\n-- !sh ls;\nSELECT a FROM t\nWHERE\n! a",
            ),
            ("SELECT\n#{a} FROM t", "SELECT\n#{a} FROM t"),
            ("# MAGIC %sql\n# MAGIC SELECT a", "# MAGIC %sql\n# MAGIC SELECT a"),
        ] {
            assert_eq!(with_usual_comments(written), read);
        }
    }
}
