//! Removes parts of a script as a person would: with their comma or AND, leaving layout and comments in place.

use crate::code::edit::Edit;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};

use super::layout::before_blanks;
use super::script_context::ScriptContext;

/// Removes a node: a list item with its comma, a condition with its AND or OR, a lone condition with its clause.
/// `None` if the rest would not be a clause of the same kind, as with the only item of a SELECT list.
pub(super) fn remove_node(context: &ScriptContext<'_>, node: NodeId) -> Option<Vec<Edit>> {
    let tree = context.tree();
    let parent = tree.parent(node)?;
    match tree.kind(parent) {
        Kind::And | Kind::Or => return Some(vec![remove_condition(context, node)]),
        Kind::Where | Kind::Having | Kind::Qualify | Kind::Filter | Kind::MergeCondition => {
            return remove_node(context, parent);
        }
        _ => {}
    }
    let (first, last) = context.ends(node);
    // A comma outside the parent separates the parent from its own neighbours.
    let (parent_first, parent_last) = context.ends(parent);
    let comma_before = first > parent_first && context.token_is(first - 1, ",");
    let comma_after = last < parent_last && context.token_is(last + 1, ",");
    if comma_before || comma_after {
        return Some(remove_item(context, node, comma_before, comma_after));
    }
    match tree.kind(parent) {
        Kind::GroupBy | Kind::PartitionBy | Kind::OrderBy | Kind::SortBy | Kind::PartitionSpec => {
            remove_node(context, parent)
        }
        Kind::Projection | Kind::InList { .. } | Kind::With | Kind::From => None,
        // What a step of a pipe does is its only item, and AGGREGATE without items may have lost them all.
        Kind::Extend | Kind::SetColumns | Kind::DropColumns | Kind::Aggregate => None,
        Kind::Pivot | Kind::PivotAggregate | Kind::PivotFor | Kind::PivotValue | Kind::Unpivot { .. } => None,
        // A clause that is a step of a pipe goes with its `|>`.
        _ if first > 0 && context.token_is(first - 1, "|>") => {
            Some(vec![removal(context.text(), context.token_span(first - 1).cover(tree.span(node)))])
        }
        Kind::LateralView { .. } if context.token_is(first - 1, "AS") => {
            Some(vec![removal(context.text(), context.token_span(first - 1).cover(tree.span(node)))])
        }
        _ => Some(vec![removal(context.text(), tree.span(node))]),
    }
}

/// Removes an operand of AND or OR with the connective in front of it, or behind it for the first.
fn remove_condition(context: &ScriptContext<'_>, node: NodeId) -> Edit {
    let tree = context.tree();
    let (first, last) = context.ends(node);
    if tree.position(node) > 0 {
        let span = context.token_span(first - 1).cover(tree.span(node));
        return removal(context.text(), span);
    }
    Edit::deletion(Span::new(tree.span(node).start, context.token_span(last + 2).start))
}

fn remove_item(context: &ScriptContext<'_>, node: NodeId, comma_before: bool, comma_after: bool) -> Vec<Edit> {
    let text = context.text();
    let (first, last) = context.ends(node);
    let span = context.tree().span(node);
    let comma_first_style = comma_before && {
        let comma = context.token_span(first - 1);
        same_line(text, comma.end, span.start) && blank_before(text, comma.start)
    };
    if comma_first_style {
        return vec![removal(text, context.token_span(first - 1).cover(span))];
    }
    if comma_after {
        let comma = context.token_span(last + 1);
        let next = context.token_span(last + 2).start;
        let whole = Span::new(span.start, comma.end);
        // With commas in front, the next item takes the place of the first one.
        let comma_in_front = !same_line(text, span.end, comma.start);
        return vec![if comma_in_front { Edit::deletion(Span::new(span.start, next)) } else { removal(text, whole) }];
    }
    let comma = context.token_span(first - 1);
    let between = Span::new(comma.end, span.start).of(text);
    if between.contains("--") || between.contains("/*") {
        return vec![Edit::deletion(comma), removal(text, span)];
    }
    vec![removal(text, comma.cover(span))]
}

/// Deletes `span` with the line break if the line would be left blank, otherwise with the blanks that would be doubled.
pub(super) fn removal(text: &str, span: Span) -> Edit {
    let blank = |c: char| c == ' ' || c == '\t';
    let before = text[..span.start].trim_end_matches(blank);
    let after = text[span.end..].trim_start_matches(blank);
    let line_starts = before.is_empty() || before.ends_with('\n');
    let line_ends = after.is_empty() || after.starts_with('\n') || after.starts_with("\r\n");
    let after_at = text.len() - after.len();
    if line_starts && line_ends && !after.is_empty() {
        let newline = after.find('\n').map_or(0, |at| at + 1);
        return Edit::deletion(Span::new(before.len(), after_at + newline));
    }
    if line_ends || after.starts_with([')', ',', ';']) && !line_starts {
        return Edit::deletion(Span::new(before.len(), span.end));
    }
    let glued = joins_words(&text[..span.start], after);
    Edit::replacement(Span::new(span.start, after_at), if glued { " " } else { "" })
}

/// Whether two texts would become one word if put together. Operators are not considered, as no fault removes what
/// stands between two of them.
pub(super) fn joins_words(before: &str, after: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '`' | '\'' | '"' | '$' | '}');
    before.ends_with(word) && after.starts_with(word)
}

fn same_line(text: &str, from: usize, to: usize) -> bool {
    !text[from..to].contains('\n')
}

fn blank_before(text: &str, at: usize) -> bool {
    let before = before_blanks(text, at);
    before.is_empty() || before.ends_with('\n')
}

/// Replaces tokens `first` to `last` by `new`, with blanks where words would touch.
pub(super) fn replace_tokens(context: &ScriptContext<'_>, first: usize, last: usize, new: &str) -> Edit {
    let span = context.token_span(first).cover(context.token_span(last));
    let text = context.text();
    let before = &text[..span.start];
    let touches = new.starts_with(char::is_alphabetic) && !before.ends_with(|c: char| c.is_whitespace() || c == '(');
    let lead = if touches || joins_words(before, new) { " " } else { "" };
    let tail = if joins_words(new, &text[span.end..]) { " " } else { "" };
    Edit::replacement(span, format!("{lead}{new}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edits;
    use crate::code::schema::Schema;
    use crate::code::scope::Scopes;
    use crate::code::script::Script;

    fn without(sql: &str, item: &str) -> Option<String> {
        let script = Script::new(sql);
        let (scopes, schema) = (Scopes::default(), Schema::default());
        let context = ScriptContext::new(&script, &scopes, &schema);
        let tree = script.tree();
        let wanted = |id: &NodeId| script.slice(*id) == item && tree.kind(*id) != Kind::Projection;
        let node = tree.descendants(tree.root()).find(wanted).unwrap();
        let edits = Edits::new(remove_node(&context, node)?).unwrap();
        Some(edits.apply(sql).unwrap())
    }

    #[test]
    fn a_part_takes_its_comma_or_connective_with_it() {
        let cases = [
            ("SELECT a, b, c FROM t", "b", "SELECT a, c FROM t"),
            ("SELECT a, b, c FROM t", "c", "SELECT a, b FROM t"),
            ("SELECT a, b FROM t", "a", "SELECT b FROM t"),
            ("SELECT a\n     , b -- note\n     , c\nFROM t", "b", "SELECT a\n     -- note\n     , c\nFROM t"),
            ("SELECT a\n     , b\n     , c\nFROM t", "c", "SELECT a\n     , b\nFROM t"),
            ("SELECT a\n     , b\nFROM t", "a", "SELECT b\nFROM t"),
            ("SELECT a,\n    b,\n    c\nFROM t", "b", "SELECT a,\n    c\nFROM t"),
            ("SELECT a,\n    b, -- last but one\n    c\nFROM t", "c", "SELECT a,\n    b -- last but one\nFROM t"),
            (
                "SELECT 1 FROM t WHERE a = 1\n  AND b = 2\n  AND c = 3",
                "b = 2",
                "SELECT 1 FROM t WHERE a = 1\n  AND c = 3",
            ),
            ("SELECT 1 FROM t WHERE a = 1 -- x\n  AND b = 2", "a = 1", "SELECT 1 FROM t WHERE b = 2"),
            ("SELECT 1 FROM t\nWHERE a = 1\nGROUP BY b", "a = 1", "SELECT 1 FROM t\nGROUP BY b"),
            ("SELECT f(a, b) FROM t", "b", "SELECT f(a) FROM t"),
            ("SELECT a, count(*) FROM t GROUP BY a", "GROUP BY a", "SELECT a, count(*) FROM t"),
            ("FROM t |> WHERE a = 1 |> SELECT b", "a = 1", "FROM t |> SELECT b"),
            ("FROM t\n|> SELECT b\n|> LIMIT 3", "LIMIT 3", "FROM t\n|> SELECT b\n"),
            ("FROM t |> AGGREGATE sum(a) AS s, max(a) AS m", "max(a) AS m", "FROM t |> AGGREGATE sum(a) AS s"),
        ];
        for (sql, item, wanted) in cases {
            assert_eq!(without(sql, item).as_deref(), Some(wanted), "{item} out of {sql}");
        }
        assert_eq!(without("SELECT a FROM t", "a"), None);
    }

    #[test]
    fn removal_never_joins_a_line_to_a_line_comment() {
        let sql = "SELECT a -- first\n  , b -- second\nFROM t";
        let changed = without(sql, "b").unwrap();
        assert_eq!(changed.matches('\n').count(), 2, "{changed}");
        assert!(Script::new(changed).is_valid());
    }
}
