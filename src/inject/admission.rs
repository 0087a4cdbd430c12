//! Gates between a proposal and the proof: the edit applies, touches one statement only, and does there what its fault
//! promises, as far as parser, scopes and Spark's rules can tell.

use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::Kind;
use crate::engine::spark_rules::{Rejection, judge};
use crate::fault::{Fault, Track};

use super::mutant::Mutant;

/// A mutant that passed, with what was found out on the way.
#[derive(Debug)]
pub struct Admitted {
    /// The broken script.
    pub script: Script,
    /// What its names mean; none when it does not parse.
    pub scopes: Option<Scopes>,
    /// Why Spark refuses it, for the syntax track.
    pub rejection: Option<Rejection>,
}

/// Why a mutant is no task.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The text stays what it was.
    #[error("the edit changes nothing")]
    Unchanged,
    /// A statement that the edit does not touch reads differently.
    #[error("the edit changes another statement as well")]
    OtherStatement,
    /// A syntax fault that Spark accepts.
    #[error("the script is still accepted")]
    Accepted,
    /// A semantic fault that Spark refuses.
    #[error("the script is refused: {0}")]
    Refused(String),
}

/// Judges a mutant of a correct script.
pub fn admit(correct: &Script, schema: &Schema, fault: &Fault, mutant: &Mutant) -> Result<Admitted, Refusal> {
    if mutant.text == correct.text() {
        return Err(Refusal::Unchanged);
    }
    let script = Script::new(mutant.text.as_str());
    if !untouched_stay(correct, &script, mutant, touched(correct, mutant)) {
        return Err(Refusal::OtherStatement);
    }
    let scopes = script.is_valid().then(|| Scopes::resolve(&script, schema));
    let rejection = judge(&script, scopes.as_ref().unwrap_or(&Scopes::default()), schema);
    match (fault.track, &rejection) {
        (Track::Syntax, None) => return Err(Refusal::Accepted),
        (Track::Semantic, Some(rejection)) => return Err(Refusal::Refused(rejection.message.clone())),
        _ => {}
    }
    Ok(Admitted { script, scopes, rejection })
}

/// The bytes of the statements of the correct script that the edits touch; a lost semicolon touches the next one too.
fn touched(correct: &Script, mutant: &Mutant) -> Span {
    let edited = mutant.edits.span();
    let spans: Vec<Span> = correct.statements().iter().map(|id| correct.tree().span(*id)).collect();
    let near = spans.iter().filter(|span| span.start <= edited.end && edited.start <= span.end);
    let touched = near.fold(edited, |whole, span| whole.cover(*span));
    let ends = mutant.edits.as_slice().iter().any(|edit| edit.span().of(correct.text()).contains(';'));
    let next = spans.iter().find(|span| ends && span.start >= edited.end);
    next.map_or(touched, |span| touched.cover(*span))
}

/// Whether every statement before and behind the touched ones reads as before. Text that is never closed may run on:
/// then the statements behind are part of the broken one.
fn untouched_stay(correct: &Script, script: &Script, mutant: &Mutant, touched: Span) -> bool {
    let list = |of: &Script, wanted: &dyn Fn(Span) -> bool| -> Vec<(Kind, String)> {
        let ids = of.statements().iter().filter(|id| wanted(of.tree().span(**id)));
        ids.map(|id| (of.tree().kind(*id), of.slice(*id).to_owned())).collect()
    };
    let end = (touched.end + script.text().len()).saturating_sub(correct.text().len());
    let before = list(correct, &|span| span.end < touched.start) == list(script, &|span| span.end < touched.start);
    let behind = list(correct, &|span| span.start > touched.end) == list(script, &|span| span.start > end);
    before && (behind || runs_on(correct, script, mutant, touched))
}

/// Whether the edits change how quotes pair up, and the first error stands in the touched statement.
fn runs_on(correct: &Script, script: &Script, mutant: &Mutant, touched: Span) -> bool {
    let quotes = |text: &str| text.matches(['\'', '"', '`']).count();
    let edits = mutant.edits.as_slice().iter();
    let changed: usize = edits.map(|edit| quotes(&edit.text) + quotes(edit.span().of(correct.text()))).sum();
    let broken = script.errors().first().map(|(statement, _)| script.tree().span(*statement).start);
    changed % 2 == 1 && broken.is_some_and(|start| touched.start <= start && start <= touched.end)
}
