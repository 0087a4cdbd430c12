//! Which scripts keep the policies that are switched on.

use std::collections::BTreeMap;

use super::funnel::PolicyFunnel;
use crate::corpus::Reference;
use crate::engine::policy::{Policies, Policy};

/// The policies that hold for a script: those that its correct form keeps.
pub(super) fn kept_policies(policies: &Policies, reference: &Reference) -> Policies {
    policies.kept_by(reference.script.text(), &reference.schema, &reference.parameters)
}

/// Counts the scripts that keep each policy, and names those that break it.
pub(super) fn count(policies: &Policies, references: &[&Reference]) -> BTreeMap<Policy, PolicyFunnel> {
    let mut counts: BTreeMap<Policy, PolicyFunnel> =
        policies.iter().map(|policy| (policy, PolicyFunnel::default())).collect();
    for reference in references {
        let kept = kept_policies(policies, reference);
        for (policy, funnel) in &mut counts {
            if kept.has(*policy) {
                funnel.kept += 1;
            } else {
                funnel.broken.push(reference.id.clone());
            }
        }
    }
    counts
}
