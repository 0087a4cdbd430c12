//! Why a script does not parse, and what to do.

use super::dialect_marks::looks_like;
use super::placeholder_proposals::proposals_with_piece;
use super::reference::ReferenceCard;
use crate::code::grammar::{SyntaxError, SyntaxReason};
use crate::code::parameters::Parameters;
use crate::code::placeholder::placeholders;
use crate::code::script::Script;

/// Returns why a script does not parse, and what to do.
pub(super) fn parse_message(script: &Script, error: &SyntaxError, card: &ReferenceCard) -> String {
    if let Some(message) = piece_of_sql(script, error, &card.parameters) {
        return message;
    }
    let dialect = if card.translated_from.is_some() { None } else { looks_like(script.text()) };
    // What is only not read here, or is another dialect, is no mistake of the script.
    let is_legal = dialect.is_some() || matches!(error.reason, SyntaxReason::Unsupported | SyntaxReason::TooDeep);
    let nameless =
        (error.found == "'?'").then(|| "a `?` is a placeholder without a name: write ${name} in its place".to_owned());
    let suffix = (!is_legal).then(|| "only a correct script can be a reference".to_owned());
    let parts = std::iter::once(error.to_string()).chain(nameless).chain(dialect).chain(suffix);
    parts.collect::<Vec<_>>().join("; ")
}

/// Returns what to do if what does not parse is a placeholder without a value; `None` if it is anything else.
fn piece_of_sql(script: &Script, error: &SyntaxError, parameters: &Parameters) -> Option<String> {
    let found = placeholders(script.text()).into_iter().map(|found| found.span);
    let piece = found.into_iter().find(|span| error.span.contains(*span))?;
    let missing = parameters.unbound(script.text());
    missing.iter().any(|missing| missing.span.of(script.text()) == piece.of(script.text())).then(|| {
        let proposed = proposals_with_piece(script.text(), &missing, Some(piece));
        format!("{error}: that placeholder stands for a piece of SQL; {proposed}")
    })
}
