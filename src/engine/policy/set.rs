//! The set of policies that are switched on.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::context::PolicyContext;
use super::rule::Policy;
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::{ResolvedScript, Scopes};
use crate::code::script::Script;
use crate::engine::spark_rules::Rejection;

/// Policies that are switched on; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Policies(BTreeSet<Policy>);

impl Policies {
    /// Whether none is on.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, policy: Policy) -> bool {
        self.0.contains(&policy)
    }

    /// Iterates over those that are on, in the order in which they are checked.
    pub fn iter(&self) -> impl Iterator<Item = Policy> {
        self.0.iter().copied()
    }

    /// Returns why a policy refuses a script that an engine accepts, the first one if several do; `None` if none does.
    pub fn refuse(&self, text: &str, schema: &Schema, parameters: &Parameters) -> Option<Rejection> {
        if self.is_empty() {
            return None;
        }
        let ResolvedScript { script, scopes } = ResolvedScript::new(text, schema);
        self.judge(&script, &scopes, parameters)
    }

    /// As [`Policies::refuse`], for a script whose names are resolved already.
    pub fn judge(&self, script: &Script, scopes: &Scopes, parameters: &Parameters) -> Option<Rejection> {
        let context = PolicyContext { script, scopes, parameters };
        self.iter().find_map(|policy| policy.check(&context))
    }

    /// Returns the policies that a script obeys. A correct script that violates a policy comes from a platform without
    /// it.
    #[must_use]
    pub fn kept_by(&self, text: &str, schema: &Schema, parameters: &Parameters) -> Policies {
        if self.is_empty() {
            return Policies::default();
        }
        let ResolvedScript { script, scopes } = ResolvedScript::new(text, schema);
        let context = PolicyContext { script: &script, scopes: &scopes, parameters };
        self.iter().filter(|policy| policy.check(&context).is_none()).collect()
    }
}

impl FromIterator<Policy> for Policies {
    fn from_iter<I: IntoIterator<Item = Policy>>(policies: I) -> Policies {
        Policies(policies.into_iter().collect())
    }
}
