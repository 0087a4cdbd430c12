//! `bracket`: mistakes with the round brackets of a node.

use crate::code::edit::Edit;
use crate::fault::operator::{Bracket, BracketMistake};
use crate::inject::proposal::Proposals;
use crate::inject::removal::removal;
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::select;

/// Makes the mistake with the node's first opening and last closing bracket.
pub(super) fn bracket(context: &ScriptContext<'_>, parameters: &Bracket, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let own = context.own_tokens(node);
        let open = own.iter().find(|token| context.token_is(**token, "("));
        let close = own.iter().rev().find(|token| context.token_is(**token, ")"));
        let (Some(open), Some(close)) = (open, close) else { continue };
        let (open, close) = (context.token_span(*open), context.token_span(*close));
        let text = context.text();
        match parameters.mistake {
            BracketMistake::CloseMissing => out.push(text, node, vec![removal(text, close)]),
            BracketMistake::CloseDoubled => out.push(text, node, vec![Edit::insertion(close.end, ")")]),
            BracketMistake::OpenDoubled => out.push(text, node, vec![Edit::insertion(open.end, "(")]),
            BracketMistake::BothMissing => {
                out.push_whole(text, node, vec![removal(text, open), removal(text, close)]);
            }
            BracketMistake::FullWidth => out.push(text, node, vec![Edit::replacement(open, "（")]),
        }
    }
}
