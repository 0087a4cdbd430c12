//! The smallest edits that lead from one script to another, found token by token.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::{Token, TokenKind};

/// Edits of `correct` that give the tokens of `changed`. Blanks, comments and the letter case of words stay those of
/// `correct`: models lay text out anew.
pub fn edits_between(correct: &Script, changed: &Script) -> Edits {
    let keys =
        |script: &Script| -> Vec<String> { script.tokens().iter().map(|token| key(token, script.text())).collect() };
    let operations = capture_diff_slices(Algorithm::Myers, &keys(correct), &keys(changed));
    let edits = operations.iter().filter_map(|operation| edit(correct, changed, operation));
    let edits = edits.map(|edit| apart(correct.text(), edit)).collect();
    // Runs of a comparison never overlap.
    Edits::new(edits).unwrap_or_default()
}

/// The text by which tokens are compared: letter case counts in strings and quoted names, not in words.
fn key(token: &Token, text: &str) -> String {
    let written = token.span().of(text);
    if token.kind == TokenKind::Word { written.to_lowercase() } else { written.to_owned() }
}

fn edit(correct: &Script, changed: &Script, operation: &DiffOp) -> Option<Edit> {
    let (old, new) = (operation.old_range(), operation.new_range());
    let covered = |script: &Script, range: &std::ops::Range<usize>| -> Span {
        Span::new(script.tokens()[range.start].span().start, script.tokens()[range.end - 1].span().end)
    };
    match operation {
        DiffOp::Equal { .. } => None,
        DiffOp::Delete { .. } => Some(Edit::deletion(with_blanks(correct.text(), covered(correct, &old)))),
        DiffOp::Insert { .. } => {
            let text = covered(changed, &new).of(changed.text());
            Some(insertion(correct, changed, old.start, new.start, text))
        }
        DiffOp::Replace { .. } => {
            Some(Edit::replacement(covered(correct, &old), covered(changed, &new).of(changed.text())))
        }
    }
}

/// Puts `text` before token `at` of the correct script, behind the token before that, with a blank where the model has
/// one; `first` is its first token in the changed script.
fn insertion(correct: &Script, changed: &Script, at: usize, first: usize, text: &str) -> Edit {
    let ends = |script: &Script, index: usize| script.tokens()[index].span().end;
    let Some(before) = at.checked_sub(1) else {
        return Edit::insertion(correct.tokens().first().map_or(0, |token| token.span().start), format!("{text} "));
    };
    let has_blank = first.checked_sub(1).is_some_and(|it| ends(changed, it) < changed.tokens()[first].span().start);
    let blank = if has_blank { " " } else { "" };
    Edit::insertion(ends(correct, before), format!("{blank}{text}"))
}

/// The edit with blanks where it would make one word or sign of two.
fn apart(text: &str, mut edit: Edit) -> Edit {
    let is_word = |character: char| character.is_alphanumeric() || "_'\"`$.".contains(character);
    let is_sign = |character: char| "=<>!|&:-+*/%^~".contains(character);
    let meets = |left: &str, right: &str| {
        left.ends_with(is_word) && right.starts_with(is_word) || left.ends_with(is_sign) && right.starts_with(is_sign)
    };
    let (before, behind) = (&text[..edit.start], &text[edit.end..]);
    if edit.text.is_empty() {
        if meets(before, behind) {
            edit.text.push(' ');
        }
        return edit;
    }
    if meets(before, &edit.text) {
        edit.text.insert(0, ' ');
    }
    if meets(&edit.text, behind) {
        edit.text.push(' ');
    }
    edit
}

/// A deletion takes the blanks behind it along, or those before it at the end of a line.
fn with_blanks(text: &str, span: Span) -> Span {
    let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
    let behind = text.as_bytes()[span.end..].iter().take_while(|byte| is_blank(**byte)).count();
    let ends_line = text[span.end + behind..].starts_with(['\n', '\r']) || span.end + behind == text.len();
    let is_glued = text[..span.start].ends_with(|before: char| before.is_alphanumeric() || "_'\"`)".contains(before));
    if is_glued {
        return span;
    }
    if !ends_line {
        return Span::new(span.start, span.end + behind);
    }
    let before = text.as_bytes()[..span.start].iter().rev().take_while(|byte| is_blank(**byte)).count();
    Span::new(span.start - before, span.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SQL: &str =
        "-- orders\nSELECT a, SUM(b) AS s\nFROM t\nLEFT JOIN u ON t.x = u.x\nWHERE c > 1 AND d = 'X'\nGROUP BY a;\n";

    fn changed(old: &str, new: &str) -> String {
        let model = SQL.replace(old, new);
        assert_ne!(model, SQL);
        edits_between(&Script::new(SQL), &Script::new(model)).apply(SQL).unwrap()
    }

    #[test]
    fn what_the_model_changed_is_changed_and_nothing_else() {
        for (old, new) in [
            ("SUM", "AVG"),
            ("LEFT JOIN", "JOIN"),
            (" AND d = 'X'", ""),
            ("c > 1", "c >= 1"),
            ("a, SUM", "a SUM"),
            ("'X'", "'x'"),
            ("SELECT a", "SELECT DISTINCT a"),
            ("GROUP BY a", "GROUP BY a, b"),
            ("FROM t", "FORM t"),
        ] {
            assert_eq!(changed(old, new), SQL.replace(old, new), "{old} to {new}");
        }
    }

    #[test]
    fn layout_comments_and_letter_case_of_the_model_are_ignored() {
        let model =
            "select a,\n  sum(b) AS s FROM t LEFT JOIN u ON t.x = u.x\n-- fixed\nWHERE c > 1 OR d = 'X' group by a;";
        let edits = edits_between(&Script::new(SQL), &Script::new(model));
        assert_eq!(edits.apply(SQL).unwrap(), SQL.replace("1 AND d", "1 OR d"));
        assert_eq!(edits.as_slice().len(), 1);
        let same = SQL.to_lowercase().replace("'x'", "'X'");
        assert!(edits_between(&Script::new(SQL), &Script::new(same)).is_empty());
    }

    proptest! {
        #[test]
        fn edits_always_give_the_tokens_of_the_changed_script(
            left in prop::collection::vec("[a-c]|[(),=]|'q'|--x\n", 0..14),
            right in prop::collection::vec("[a-c]|[(),=]|'q'|--x\n", 0..14),
        ) {
            let tight = |parts: Vec<String>| parts.join(" ").replace(" (", "(").replace("( ", "(").replace(" ,", ",").replace(", ", ",");
            let (left, right) = (Script::new(tight(left)), Script::new(right.join("  ")));
            let made = Script::new(edits_between(&left, &right).apply(left.text()).unwrap());
            let texts = |script: &Script| -> Vec<String> {
                script.tokens().iter().map(|token| token.span().of(script.text()).to_lowercase()).collect()
            };
            prop_assert_eq!(texts(&made), texts(&right));
        }
    }
}
