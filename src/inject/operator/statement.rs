//! Operators about whole statements.

use crate::code::tree::Kind;
use crate::inject::proposal::Proposals;
use crate::inject::removal::removal;
use crate::inject::script_context::ScriptContext;

use super::named_function::NamedFunction;

/// The functions of this file, by the names that taxonomy files use.
pub(super) const FUNCTIONS: &[NamedFunction] =
    &[NamedFunction { name: "statement_semicolon_missing", propose: statement_semicolon_missing }];

/// The semicolon between two statements is removed. Commands and administrative statements are left alone: the engine
/// takes what follows for a part of them and does not object.
fn statement_semicolon_missing(context: &ScriptContext<'_>, out: &mut Proposals) {
    for pair in context.script.statements().windows(2) {
        let (_, last) = context.ends(pair[0]);
        let quiet = matches!(context.tree().kind(pair[0]), Kind::Command | Kind::Opaque | Kind::Broken);
        if !quiet && context.token_is(last + 1, ";") {
            let edit = removal(context.text(), context.token_span(last + 1));
            out.push(context.text(), pair[0], vec![edit]);
        }
    }
}
