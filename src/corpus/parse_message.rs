//! Why a script does not parse, and what to do.

use super::dialect_marks::looks_like;
use super::placeholder_values::PlaceholderProposals;
use super::reference::ReferenceCard;
use crate::code::grammar::{SyntaxError, SyntaxReason};
use crate::code::parameters::Parameters;
use crate::code::placeholder::placeholders;
use crate::code::script::Script;
use crate::code::span::Span;

/// Returns why a script does not parse, and what to do.
pub(super) fn parse_message(script: &Script, error: &SyntaxError, card: &ReferenceCard) -> String {
    let dialect = if card.translated_from.is_some() { None } else { looks_like(script.text()) };
    // What is only not read here, or is another dialect, is no mistake of the script.
    let is_legal = dialect.is_some() || matches!(error.reason, SyntaxReason::Unsupported | SyntaxReason::TooDeep);
    let nameless =
        (error.found == "'?'").then(|| "a `?` is a placeholder without a name: write ${name} in its place".to_owned());
    let suffix = (!is_legal).then(|| "only a correct script can be a reference".to_owned());
    let parts = std::iter::once(error.to_string()).chain(nameless).chain(dialect).chain(suffix);
    parts.collect::<Vec<_>>().join("; ")
}

/// Returns what may stand for the placeholders of a script if what does not parse is one without a value; `None` if it is
/// anything else.
pub(super) fn piece_of_sql(
    script: &Script,
    error: &SyntaxError,
    parameters: &Parameters,
) -> Option<PlaceholderProposals> {
    let found = placeholders(script.text()).into_iter().map(|found| found.span);
    // A condition goes on behind a placeholder that stands for WHERE and its first part.
    let is_cut_short = |span: &Span| {
        let between = script.text().get(span.end..error.span.start).unwrap_or("x");
        error.found.eq_ignore_ascii_case("'and'") && between.trim().is_empty()
    };
    let piece = found.into_iter().find(|span| error.span.contains(*span) || is_cut_short(span))?;
    let missing = parameters.unbound(script.text());
    let is_unbound = missing.iter().any(|missing| missing.span.of(script.text()) == piece.of(script.text()));
    is_unbound.then(|| PlaceholderProposals::of(script.text(), &missing, Some(piece)))
}
