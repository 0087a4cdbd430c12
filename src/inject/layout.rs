//! How the author lays things out, so that inserted parts look like the parts around them.

use crate::code::span::Span;
use crate::code::tree::NodeId;

use super::script_context::ScriptContext;

/// What stands between the last two items of a list, when it is only a comma with blanks; otherwise `, `.
pub(super) fn separator(context: &ScriptContext<'_>, items: &[NodeId]) -> String {
    between_last(context, items).filter(|text| text.trim() == ",").unwrap_or_else(|| ", ".to_owned())
}

/// What stands between the last two conditions, when it is only AND with blanks; otherwise ` AND `.
pub(super) fn and_separator(context: &ScriptContext<'_>, conditions: &[NodeId]) -> String {
    let found = between_last(context, conditions).filter(|text| text.trim().eq_ignore_ascii_case("and"));
    found.unwrap_or_else(|| {
        format!(" {} ", conditions.first().map_or("AND".to_owned(), |near| context.keyword(*near, "AND")))
    })
}

fn between_last(context: &ScriptContext<'_>, items: &[NodeId]) -> Option<String> {
    let [.., before, last] = items else { return None };
    let span = Span::new(context.tree().span(*before).end, context.tree().span(*last).start);
    Some(span.of(context.text()).to_owned())
}

/// A line break and the blanks that the line of `at` starts with.
pub(super) fn new_line_like(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let indent: String = text[line..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    format!("\n{indent}")
}
