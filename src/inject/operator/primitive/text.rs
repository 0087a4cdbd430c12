//! `replace_text` and `shift_number`: what stands inside literals and other leaves.

use crate::code::edit::Edit;
use crate::code::span::Span;
use crate::fault::operator::{ReplaceText, ShiftNumber};
use crate::inject::ground::Ground;
use crate::inject::proposal::Proposals;
use crate::inject::selection::select;

/// Replaces each match of the expression.
pub(super) fn replace(ground: &Ground<'_>, parameters: &ReplaceText, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let span = ground.tree().span(node);
        for found in parameters.find.captures_iter(ground.script.slice(node)) {
            let Some(whole) = found.get(0) else { continue };
            let place = Span::new(span.start + whole.start(), span.start + whole.end());
            for new in parameters.with.iter() {
                let mut expanded = String::new();
                found.expand(new, &mut expanded);
                out.push(ground.text(), node, vec![Edit::replacement(place, expanded)]);
            }
        }
    }
}

/// Adds to a whole number; numbers with a suffix or a fraction are left alone.
pub(super) fn shift_number(ground: &Ground<'_>, parameters: &ShiftNumber, out: &mut Proposals) {
    for node in select(ground, &parameters.at) {
        let Ok(value) = ground.script.slice(node).parse::<i64>() else { continue };
        for by in parameters.by.iter() {
            if let Some(shifted) = value.checked_add(*by).filter(|shifted| *shifted >= 0) {
                out.push(ground.text(), node, vec![Edit::replacement(ground.tree().span(node), shifted.to_string())]);
            }
        }
    }
}
