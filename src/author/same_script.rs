//! What a script rewritten in another style must keep of its source: its results and its graph.

use super::refusal::{FailedGate, GateFailure};
use crate::corpus::Reference;
use crate::engine::compare::compare;
use crate::prove::Subject;
use crate::prove::trial::replay;
use crate::score::graph_match_up_to_names;

/// Checks that a script is its source up to names, comments and layout, and not its source as it stands.
///
/// # Errors
///
/// Says what is another.
pub(super) fn same_script(source: &Subject<'_>, reference: &Reference) -> Result<(), GateFailure> {
    let (own, old) = (&reference.script, &source.reference.script);
    if own.text().trim() == old.text().trim() {
        return Err(FailedGate::Unchanged.with("the script is the one that was shown"));
    }
    for baseline in &source.baseline {
        let found =
            replay(source, own.text(), &baseline.database).map_err(|message| FailedGate::OtherResults.with(message))?;
        if !compare(&found.reference, &found.issue).is_equal() {
            let message = "on a generated database the results are others than those of the script that was shown";
            return Err(FailedGate::OtherResults.with(message));
        }
    }
    if graph_match_up_to_names(own, old, &source.reference.schema) {
        return Ok(());
    }
    let message =
        "some step is another than in the script that was shown, though the results agree where they were compared";
    Err(FailedGate::OtherGraph.with(message))
}
