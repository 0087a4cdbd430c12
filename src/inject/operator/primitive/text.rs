//! `replace_text` and `shift_number`: changes inside literals and other leaves.

use crate::code::edit::Edit;
use crate::code::span::Span;
use crate::fault::operator::{ReplaceText, ShiftNumber};
use crate::inject::proposal::Proposals;
use crate::inject::script_context::ScriptContext;
use crate::inject::selection::select;

/// Replaces each match of the expression.
pub(super) fn replace(context: &ScriptContext<'_>, parameters: &ReplaceText, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let span = context.tree().span(node);
        for found in parameters.find.captures_iter(context.script.slice(node)) {
            let Some(whole) = found.get(0) else { continue };
            let place = Span::new(span.start + whole.start(), span.start + whole.end());
            for new in parameters.with.iter() {
                let mut expanded = String::new();
                found.expand(new, &mut expanded);
                out.push(context.text(), node, vec![Edit::replacement(place, expanded)]);
            }
        }
    }
}

/// Adds to a whole number. Numbers with a suffix or a fraction are left alone, and no result is negative.
pub(super) fn shift_number(context: &ScriptContext<'_>, parameters: &ShiftNumber, out: &mut Proposals) {
    for node in select(context, &parameters.at) {
        let Ok(value) = context.script.slice(node).parse::<i64>() else { continue };
        for by in parameters.by.iter() {
            if let Some(shifted) = value.checked_add(*by).filter(|shifted| *shifted >= 0) {
                out.push(context.text(), node, vec![Edit::replacement(context.tree().span(node), shifted.to_string())]);
            }
        }
    }
}
