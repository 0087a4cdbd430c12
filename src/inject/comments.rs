//! Recognises comments that give a fault away because they stand right at it and say what the code there is for.

use super::mutant::Mutant;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::code::span::{Span, line_end, line_start};
use crate::code::token::{Token, TokenKind};
use crate::code::tree::Kind;

/// A comment with fewer words than this is a heading and explains nothing.
const LEAST_WORDS: usize = 3;
/// Words by which the comment of a column states how the column is to be treated.
const RULES: [&str; 22] = [
    "null", "empty", "missing", "only", "never", "not", "without", "once", "unique", "latest", "last", "first",
    "newest", "inclusive", "exclusive", "included", "excluded", "default", "instead", "before", "after", "unless",
];

/// Whether a comment at the edited place, or the comment of a column there, states the rule that the fault breaks. Such
/// a fault would be found by reading the comment alone.
pub fn states_the_rule(script: &Script, schema: &Schema, mutant: &Mutant) -> bool {
    let tokens = script.all_tokens();
    mutant.edits.as_slice().iter().any(|edit| {
        let lines = lines_around(script.text(), edit.span());
        comment_within(script.text(), tokens, lines) || column_comment(script, schema, edit.span())
    })
}

/// Extends a span to whole lines and to the comment lines directly above them.
fn lines_around(text: &str, span: Span) -> Span {
    let mut start = line_start(text, span.start);
    while start > 0 {
        let above = line_start(text, start - 1);
        if !text[above..start].trim_start().starts_with("--") {
            break;
        }
        start = above;
    }
    Span::new(start, line_end(text, span.end))
}

fn comment_within(text: &str, tokens: &[Token], lines: Span) -> bool {
    let is_comment = |token: &&Token| matches!(token.kind, TokenKind::LineComment | TokenKind::BlockComment);
    let mut comments = tokens.iter().filter(is_comment).filter(|token| token.span().overlaps(lines));
    comments.any(|token| words(token.span().of(text)).count() >= LEAST_WORDS)
}

/// Whether the schema's comment on a column that overlaps the span states a rule for it.
fn column_comment(script: &Script, schema: &Schema, span: Span) -> bool {
    let tree = script.tree();
    let touched = tree.ids().filter(|node| tree.kind(*node) == Kind::Column && tree.span(*node).overlaps(span));
    let mut names = touched.map(|column| script.last_name(column));
    names.any(|name| {
        let columns = schema.tables.iter().flat_map(|table| &table.columns).filter(|column| column.name == name);
        let states = |comment: &str| words(comment).any(|word| RULES.contains(&word.to_lowercase().as_str()));
        columns.into_iter().any(|column| states(&column.comment))
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1 && !word.chars().all(|c| c.is_numeric()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::{Edit, Edits};

    fn told(sql: &str, place: &str) -> bool {
        let schema = Schema::read(
            "CREATE TABLE t (id INT COMMENT 'entry', paid_at STRING COMMENT 'time of payment, NULL while unpaid', v INT);",
        )
        .unwrap();
        let start = sql.find(place).unwrap();
        let edits = Edits::new(vec![Edit::deletion(Span::new(start, start + place.len()))]).unwrap();
        states_the_rule(&Script::new(sql), &schema, &Mutant::of_edits("s", "k", "f", edits))
    }

    #[test]
    fn a_comment_at_the_place_and_a_comment_of_the_column_tell() {
        for (sql, place, tells) in [
            ("SELECT id\nFROM t -- only what is above ten\nWHERE v > 10", "v > 10", false),
            ("SELECT id\nFROM t\nWHERE v > 10 -- only what is above ten", "v > 10", true),
            ("SELECT id\nFROM t\n-- nothing below ten counts\nWHERE v > 10", "v > 10", true),
            ("SELECT id\nFROM t\n-- filter\nWHERE v > 10", "v > 10", false),
            ("SELECT id FROM t WHERE paid_at IS NOT NULL AND v > 1", "paid_at IS NOT NULL AND ", true),
            ("SELECT id FROM t WHERE paid_at IS NOT NULL AND v > 1", " AND v > 1", false),
        ] {
            assert_eq!(told(sql, place), tells, "{sql}");
        }
    }
}
