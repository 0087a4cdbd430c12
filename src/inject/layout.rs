//! How the author lays things out, so that inserted parts look like the parts around them.

use crate::code::span::Span;
use crate::code::tree::NodeId;

use super::ground::Ground;

/// What stands between the last two items of a list, when it is only a comma with blanks; otherwise `, `.
pub(super) fn separator(ground: &Ground<'_>, items: &[NodeId]) -> String {
    between_last(ground, items).filter(|text| text.trim() == ",").unwrap_or_else(|| ", ".to_owned())
}

/// What stands between the last two conditions, when it is only AND with blanks; otherwise ` AND `.
pub(super) fn and_separator(ground: &Ground<'_>, conditions: &[NodeId]) -> String {
    let found = between_last(ground, conditions).filter(|text| text.trim().eq_ignore_ascii_case("and"));
    found.unwrap_or_else(|| {
        format!(" {} ", conditions.first().map_or("AND".to_owned(), |near| ground.keyword(*near, "AND")))
    })
}

fn between_last(ground: &Ground<'_>, items: &[NodeId]) -> Option<String> {
    let [.., before, last] = items else { return None };
    let span = Span::new(ground.tree().span(*before).end, ground.tree().span(*last).start);
    Some(span.of(ground.text()).to_owned())
}

/// A line break and the blanks that the line of `at` starts with.
pub(super) fn new_line_like(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let indent: String = text[line..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    format!("\n{indent}")
}
