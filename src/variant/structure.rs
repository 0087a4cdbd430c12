//! Another structure: rewrites that keep the meaning, at places that are drawn, as far as the graphs stay equal.

use crate::code::edit::Edits;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::corpus::compose::draw::Draw;
use crate::inject::ScriptContext;
use crate::inject::rewrite::Rewrite;
use crate::score::graph_match;

/// Share of the places of a rewrite that are rewritten.
const SHARE: f64 = 0.6;

/// Returns a script that means the same, with the names of the rewrites that changed it.
pub(super) fn varied(script: &Script, schema: &Schema, draw: Draw) -> (Script, Vec<&'static str>) {
    let (mut varied, mut names) = (script.clone(), Vec::new());
    for rewrite in Rewrite::ALL {
        let Some(next) = rewritten(&varied, schema, rewrite, draw.at(rewrite.name())) else { continue };
        if graph_match(&next, script, schema) {
            varied = next;
            names.push(rewrite.name());
        }
    }
    (varied, names)
}

/// Returns a script with this rewrite at some places; `None` if there are none.
fn rewritten(script: &Script, schema: &Schema, rewrite: Rewrite, draw: Draw) -> Option<Script> {
    // Rewrites look at the tree only.
    let scopes = Scopes::default();
    let context = ScriptContext::new(script, &scopes, schema);
    let mut places: Vec<Edits> = rewrite.propose(&context).into_iter().map(|proposal| proposal.edits).collect();
    places.sort_by_key(|place| place.span().start);
    let (mut edits, mut end) = (Vec::new(), 0);
    for (number, place) in places.iter().enumerate() {
        if place.span().start >= end && !place.is_empty() && draw.nth("place", number).chance(SHARE) {
            end = place.span().end + 1;
            edits.extend_from_slice(place.as_slice());
        }
    }
    let edits = Edits::new(edits).ok().filter(|edits| !edits.is_empty())?;
    edits.apply(script.text()).ok().map(Script::new)
}
