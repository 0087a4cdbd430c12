//! Operators about whole statements.

use crate::code::tree::Kind;
use crate::inject::ground::Ground;
use crate::inject::proposal::Proposals;
use crate::inject::removal::removal;

/// The semicolon behind a statement goes when another statement follows. Commands and administrative statements are
/// left alone: the engine takes what follows them for a part of them and does not object.
pub(super) fn statement_semicolon_missing(ground: &Ground<'_>, out: &mut Proposals) {
    for pair in ground.script.statements().windows(2) {
        let (_, last) = ground.ends(pair[0]);
        let quiet = matches!(ground.tree().kind(pair[0]), Kind::Command | Kind::Opaque | Kind::Broken);
        if !quiet && ground.token_is(last + 1, ";") {
            let edit = removal(ground.text(), ground.token_span(last + 1));
            out.push(ground.text(), pair[0], vec![edit]);
        }
    }
}
