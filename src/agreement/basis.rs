//! What an agreement was made of: digests of everything that was judged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What to judge again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Ask Hive's parser too.
    pub hive: bool,
    /// Judge every mutant that was tried, not only the published tasks.
    pub all: bool,
    /// At most this many mutants; all when none.
    pub mutants: Option<usize>,
}

/// What was judged: digests of scripts with their databases, and of mutants with their verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreementBasis {
    /// The program that judged; none in what is yet to be judged.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// ANSI mode.
    #[serde(default)]
    pub ansi: bool,
    /// Hive's parser was asked too.
    #[serde(default)]
    pub hive: bool,
    /// References, by script.
    pub references: BTreeMap<String, String>,
    /// Mutants, by id.
    pub mutants: BTreeMap<String, String>,
}

/// The program, as an agreement names it.
pub(super) fn program() -> String {
    concat!("sqlfault ", env!("CARGO_PKG_VERSION")).to_owned()
}

impl AgreementBasis {
    /// Adds what another part judged.
    pub(super) fn add(&mut self, other: AgreementBasis) {
        self.references.extend(other.references);
        self.mutants.extend(other.mutants);
    }
}
