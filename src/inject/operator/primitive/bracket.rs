//! `bracket`: mistakes with the round brackets of a node.

use crate::code::edit::Edit;
use crate::fault::operator::{Bracket, BracketMistake};
use crate::inject::ground::Ground;
use crate::inject::proposal::Proposals;
use crate::inject::removal::removal;
use crate::inject::selection::select;

/// Makes the mistake with the node's first opening and last closing bracket.
pub(super) fn bracket(ground: &Ground<'_>, parameters: &Bracket, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let own = ground.own_tokens(node);
        let open = own.iter().find(|token| ground.token_is(**token, "("));
        let close = own.iter().rev().find(|token| ground.token_is(**token, ")"));
        let (Some(open), Some(close)) = (open, close) else { continue };
        let (open, close) = (ground.token_span(*open), ground.token_span(*close));
        let text = ground.text();
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
