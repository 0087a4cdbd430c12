//! Reads how the author lays out code, so that inserted parts look like the parts around them.

use crate::code::span::{Span, line_start};
use crate::code::tree::{Kind, NodeId};
use crate::fault::NodeName;

use super::script_context::ScriptContext;

/// Returns the separator for a further item of a list.
///
/// This is the text between the last two items if it is only a comma with blanks, a comma and a line break if the only
/// item starts its line, and `, ` otherwise.
pub(super) fn separator(context: &ScriptContext<'_>, items: &[NodeId]) -> String {
    if let Some(found) = between_last(context, items).filter(|text| text.trim() == ",") {
        return found;
    }
    match items {
        [only] if starts_line(context.text(), context.tree().span(*only).start) => {
            format!(",\n{}", indent_of(context.text(), context.tree().span(*only).start))
        }
        _ => ", ".to_owned(),
    }
}

/// Returns the separator for a further condition.
///
/// This is the text between the last two conditions if it is only AND with blanks. Otherwise AND is laid out as
/// elsewhere in the script: at the start of a line with the same indentation, or on the same line.
pub(super) fn and_separator(context: &ScriptContext<'_>, conditions: &[NodeId]) -> String {
    if let Some(found) = between_last(context, conditions).filter(|text| text.trim().eq_ignore_ascii_case("and")) {
        return found;
    }
    let Some(condition) = conditions.last().copied() else { return " AND ".to_owned() };
    let and = context.keyword(condition, "AND");
    let own_line = context.named(NodeName::And).iter().find_map(|other| line_of_and(context, *other));
    let clause = context.tree().parent(condition);
    match own_line.zip(clause) {
        Some((further, clause)) if starts_line(context.text(), context.tree().span(clause).start) => {
            let indent = indent_of(context.text(), context.tree().span(clause).start);
            format!("\n{indent}{}{and} ", " ".repeat(further))
        }
        _ => format!(" {and} "),
    }
}

/// Returns by how many blanks an AND that starts its line is indented more than its clause; `None` if either of them
/// does not start its line.
fn line_of_and(context: &ScriptContext<'_>, and: NodeId) -> Option<usize> {
    let tree = context.tree();
    let clause =
        tree.parent(and).filter(|clause| matches!(tree.kind(*clause), Kind::Where | Kind::Having | Kind::On))?;
    let second = tree.children(and).get(1)?;
    let word = context.token_span(context.ends(*second).0.checked_sub(1)?);
    let (clause_at, text) = (tree.span(clause).start, context.text());
    let on_lines = starts_line(text, word.start) && starts_line(text, clause_at);
    on_lines.then(|| indent_of(text, word.start).len().checked_sub(indent_of(text, clause_at).len()))?
}

fn between_last(context: &ScriptContext<'_>, items: &[NodeId]) -> Option<String> {
    let [.., before, last] = items else { return None };
    let span = Span::new(context.tree().span(*before).end, context.tree().span(*last).start);
    Some(span.of(context.text()).to_owned())
}

/// Returns the separator between a new clause at `at` and its neighbours: a line break with the indentation of that
/// line if `at` starts it, one blank otherwise.
pub(super) fn clause_break(text: &str, at: usize) -> String {
    if starts_line(text, at) { format!("\n{}", indent_of(text, at)) } else { " ".to_owned() }
}

/// Whether only blanks stand before `at` in its line, which is not the first.
fn starts_line(text: &str, at: usize) -> bool {
    before_blanks(text, at).ends_with('\n')
}

/// Returns the text before `at` without the blanks at its end that stand in the same line.
pub(super) fn before_blanks(text: &str, at: usize) -> &str {
    text[..at].trim_end_matches(|c: char| c.is_whitespace() && c != '\n')
}

fn indent_of(text: &str, at: usize) -> &str {
    let line = line_start(text, at);
    let end = text[line..].find(|c| c != ' ' && c != '\t').map_or(text.len(), |offset| line + offset);
    &text[line..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::schema::Schema;
    use crate::code::scope::ResolvedScript;

    /// Returns the separator for a further condition of the script's last WHERE.
    fn before_further(sql: &str) -> String {
        let schema = Schema::default();
        let ResolvedScript { script, scopes } = ResolvedScript::new(sql, &schema);
        let context = ScriptContext::new(&script, &scopes, &schema);
        let clause = *context.named(NodeName::Where).last().unwrap();
        and_separator(&context, context.tree().conjuncts(clause))
    }

    #[test]
    fn a_further_condition_is_written_as_the_author_writes_them() {
        for (sql, separator) in [
            ("SELECT a FROM t WHERE a = 1", " AND "),
            ("select a from t where a = 1", " and "),
            ("SELECT a FROM t WHERE a = 1\n  AND b = 2", "\n  AND "),
            ("WITH x AS (\n  SELECT a FROM t\n  WHERE a = 1\n    AND b = 2)\nSELECT a FROM x\nWHERE a > 1", "\n  AND "),
            ("WITH x AS (SELECT a FROM t WHERE a = 1 AND b = 2)\nSELECT a FROM x\nWHERE a > 1", " AND "),
        ] {
            assert_eq!(before_further(sql), separator, "{sql}");
        }
    }

    #[test]
    fn a_clause_in_the_middle_of_a_line_gets_no_line_of_its_own() {
        assert_eq!(clause_break("SELECT a FROM t", 9), " ");
        assert_eq!(clause_break("SELECT a\n  FROM t", 11), "\n  ");
    }
}
