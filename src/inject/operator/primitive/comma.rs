//! `comma`: mistakes with the comma behind a list item.

use crate::code::edit::Edit;
use crate::fault::operator::{Comma, CommaMistake};
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, replace_tokens};
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::select;

/// Makes the mistake behind each selected item.
pub(super) fn comma(context: &ScriptContext<'_>, parameters: &Comma, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let (_, last) = context.ends(node);
        let followed = context.token_is(last + 1, ",");
        if followed == (parameters.mistake == CommaMistake::Trailing) {
            continue;
        }
        let edit = match parameters.mistake {
            CommaMistake::Missing => removal_of_comma(context, last + 1),
            CommaMistake::Doubled => Edit::insertion(context.token_span(last + 1).end, ","),
            CommaMistake::FullWidth => replace_tokens(context, last + 1, last + 1, "，"),
            CommaMistake::Semicolon => replace_tokens(context, last + 1, last + 1, ";"),
            CommaMistake::Dot => replace_tokens(context, last + 1, last + 1, "."),
            CommaMistake::Trailing => Edit::insertion(context.tree().span(node).end, ","),
        };
        out.push(context.text(), node, vec![edit]);
    }
}

/// Removes a comma but not the blanks behind it, which still separate the items.
fn removal_of_comma(context: &ScriptContext<'_>, comma: usize) -> Edit {
    let span = context.token_span(comma);
    let blank_follows = context.text()[span.end..].starts_with(char::is_whitespace);
    if blank_follows { Edit::deletion(span) } else { removal(context.text(), span) }
}
