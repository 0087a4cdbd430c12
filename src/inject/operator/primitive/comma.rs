//! `comma`: mistakes with the comma behind a list item.

use crate::code::edit::Edit;
use crate::fault::operator::{Comma, CommaMistake};
use crate::inject::ground::Ground;
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, replace_tokens};
use crate::inject::selection::select;

/// Makes the mistake behind each selected item.
pub(super) fn comma(ground: &Ground<'_>, parameters: &Comma, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let (_, last) = ground.ends(node);
        let followed = ground.token_is(last + 1, ",");
        if followed == (parameters.mistake == CommaMistake::Trailing) {
            continue;
        }
        let edit = match parameters.mistake {
            CommaMistake::Missing => removal_of_comma(ground, last + 1),
            CommaMistake::Doubled => Edit::insertion(ground.token_span(last + 1).end, ","),
            CommaMistake::FullWidth => replace_tokens(ground, last + 1, last + 1, "，"),
            CommaMistake::Semicolon => replace_tokens(ground, last + 1, last + 1, ";"),
            CommaMistake::Dot => replace_tokens(ground, last + 1, last + 1, "."),
            CommaMistake::Trailing => Edit::insertion(ground.tree().span(node).end, ","),
        };
        out.push(ground.text(), node, vec![edit]);
    }
}

/// A comma goes without the blanks behind it, which still part the items.
fn removal_of_comma(ground: &Ground<'_>, comma: usize) -> Edit {
    let span = ground.token_span(comma);
    let blank_follows = ground.text()[span.end..].starts_with(char::is_whitespace);
    if blank_follows { Edit::deletion(span) } else { removal(ground.text(), span) }
}
