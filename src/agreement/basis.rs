//! What an agreement is based on: its settings, and digests of everything that was judged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What to judge again.
#[derive(Clone, Copy, Debug, Default)]
pub struct JudgingScope {
    /// Whether Hive's parser is asked too.
    pub hive: bool,
    /// Whether every mutant that was tried is judged, not only the published tasks.
    pub all: bool,
    /// Most mutants to judge; `None` for all.
    pub mutants: Option<usize>,
}

/// The settings, and digests of scripts with their databases and of mutants with their verdicts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreementBasis {
    /// The program that judged, with its version; empty in the basis of a single script.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// Whether Spark ran in ANSI mode.
    #[serde(default)]
    pub ansi: bool,
    /// Whether Hive's parser was asked too.
    #[serde(default)]
    pub hive: bool,
    /// Digests of references, by script.
    pub references: BTreeMap<String, String>,
    /// Digests of mutants, by id.
    pub mutants: BTreeMap<String, String>,
}

/// Returns the program with its version, as an agreement names it.
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
