//! `drop_words`, `replace_words` and `misspell_words`: keywords and marks that belong to a node itself.

use crate::fault::operator::{DropWords, MisspellWords, ReplaceWords};
use crate::inject::proposal::Proposals;
use crate::inject::removal::{removal, replace_tokens};
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::select;

/// Deletes the words with the blank behind them.
pub(super) fn drop(context: &ScriptContext<'_>, parameters: &DropWords, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        for (first, last) in context.find_words(node, &parameters.words) {
            let span = context.token_span(first).cover(context.token_span(last));
            out.push(context.text(), node, vec![removal(context.text(), span)]);
        }
    }
}

/// Replaces the words by others, in the same letter case.
pub(super) fn replace(context: &ScriptContext<'_>, parameters: &ReplaceWords, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        for (first, last) in context.find_words(node, &parameters.words) {
            for new in parameters.with.iter() {
                let new = like(context.script.token_text(first), new);
                out.push(context.text(), node, vec![replace_tokens(context, first, last, &new)]);
            }
        }
    }
}

/// Misspells each word or mark of a node that the parameters list.
pub(super) fn misspell(context: &ScriptContext<'_>, parameters: &MisspellWords, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        for token in context.own_tokens(node) {
            let written = context.script.token_text(token);
            for new in parameters.words.get(&written.to_lowercase()).into_iter().flat_map(|list| list.iter()) {
                out.push(context.text(), node, vec![replace_tokens(context, token, token, &like(written, new))]);
            }
        }
    }
}

/// Returns `new` in the letter case of `model`, unchanged if `model` has no letters.
pub(super) fn like(model: &str, new: &str) -> String {
    let letters = || model.chars().filter(|c| c.is_alphabetic());
    if letters().next().is_none() {
        new.to_owned()
    } else if letters().all(char::is_lowercase) {
        new.to_lowercase()
    } else if letters().all(char::is_uppercase) {
        new.to_uppercase()
    } else {
        new.to_owned()
    }
}
