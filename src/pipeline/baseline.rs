//! The baseline of one script: whether it can be a reference.

use serde::{Deserialize, Serialize};

use crate::code::profile::{Complexity, Profile};
use crate::corpus::Reference;
use crate::engine::Engine;
use crate::parallel::shielded;
use crate::prove::coverage::Coverage;
use crate::prove::{ReferenceRefusal, Subject, confirmation};

pub(super) use crate::prove::preparation::{Preparation, ProofConditions};

/// How a script's baseline ended. It depends on the script, the engine and the policies alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Baseline {
    /// The script can be a reference.
    Passed {
        /// The number of its fake databases.
        databases: usize,
        /// How much of the script these databases reach.
        coverage: Coverage,
    },
    /// The script cannot be a reference.
    Refused {
        /// Why it cannot.
        reason: String,
    },
}

impl Baseline {
    /// Runs the baseline of a script. The second value is the script ready for proof, `None` if it is refused.
    pub(super) fn run<'a>(
        engine: &dyn Engine,
        conditions: &ProofConditions,
        reference: &'a Reference,
    ) -> (Baseline, Option<Subject<'a>>) {
        Baseline::made(engine, conditions, reference, || conditions.subject(reference))
    }

    /// The same for a composed script, which is one of many and made ready with less effort: see [`Preparation`].
    pub(super) fn prepared<'a>(
        engine: &dyn Engine,
        conditions: &ProofConditions,
        reference: &'a Reference,
        preparation: Preparation,
    ) -> (Baseline, Option<Subject<'a>>) {
        Baseline::made(engine, conditions, reference, || Subject::prepared(reference, preparation))
    }

    fn made<'a>(
        engine: &dyn Engine,
        conditions: &ProofConditions,
        reference: &Reference,
        subject: impl Fn() -> Result<Subject<'a>, ReferenceRefusal>,
    ) -> (Baseline, Option<Subject<'a>>) {
        let ready = || {
            let subject = conditions.apply(subject().map_err(|refusal| refusal.to_string())?);
            confirmation::baseline(engine, &subject)?;
            let coverage = subject.coverage();
            Ok((subject, coverage))
        };
        match shielded(&reference.id, ready).unwrap_or_else(|panic| Err(panic.to_string())) {
            Ok((subject, coverage)) => {
                (Baseline::Passed { databases: subject.baseline.len(), coverage }, Some(subject))
            }
            Err(reason) => (Baseline::Refused { reason }, None),
        }
    }
}

/// Returns why the settings leave a script out; `None` if they do not.
pub(super) fn too_simple(complexity: Option<Complexity>, reference: &Reference) -> Option<String> {
    let complexity = complexity?;
    let profile = Profile::of(&reference.script);
    let value = complexity.of(&profile);
    let refused = !complexity.accepts(&profile);
    refused.then(|| format!("complexity {value:.1} is not above tau = {}; choose a lower tau", complexity.tau))
}
