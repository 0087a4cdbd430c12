//! `turn_decision`: reverses a decision that the composer of the script recorded.

use crate::code::span::Span;
use crate::code::tree::NodeId;
use crate::fault::operator::TurnDecision;
use crate::inject::proposal::Proposals;
use crate::inject::script_context::ScriptContext;

/// Proposes the reverse of each decision with one of the labels. Its edits are indivisible: reversed in one place only,
/// the script would contradict itself.
pub(super) fn turn(context: &ScriptContext<'_>, parameters: &TurnDecision, out: &mut Proposals) {
    for decision in context.decisions.iter().filter(|decision| parameters.label.contains(&decision.label)) {
        let place = decision.ranges.iter().chain(decision.turned.iter().map(|(span, _)| span)).next();
        if let Some(place) = place {
            out.push_whole(context.text(), smallest_node(context, *place), decision.edits());
        }
    }
}

/// The smallest node that holds a span.
fn smallest_node(context: &ScriptContext<'_>, span: Span) -> NodeId {
    let tree = context.tree();
    let mut node = tree.root();
    while let Some(inner) = tree.children(node).iter().find(|child| tree.span(**child).contains(span)) {
        node = *inner;
    }
    node
}

#[cfg(test)]
mod tests {
    use crate::code::edit::Edits;
    use crate::corpus::compose::{Composer, ComposerOptions};
    use crate::fault::Taxonomy;
    use crate::inject::{ScriptContext, propose};

    #[test]
    fn every_decision_of_composed_scripts_is_planted_by_one_fault() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let composer = Composer::embedded().unwrap();
        let mut planted = 0;
        for number in 0..6 {
            let composed = composer.compose(7, number, &ComposerOptions::default()).unwrap();
            let reference = &composed.reference;
            let scopes = reference.scopes();
            let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
            let context = context.with_decisions(&reference.decisions);
            let turning = taxonomy.faults().iter().filter(|fault| fault.id.starts_with("decision-turned"));
            let found: Vec<Edits> = turning
                .flat_map(|fault| propose(&context, fault.operator().unwrap()))
                .map(|proposal| proposal.edits)
                .collect();
            assert_eq!(found.len(), reference.decisions.len(), "{}", reference.id);
            for edits in &found {
                assert_ne!(edits.apply(reference.script.text()).unwrap(), reference.script.text());
            }
            planted += found.len();
        }
        assert!(planted > 20, "{planted}");
    }
}
