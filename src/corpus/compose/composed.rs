//! A composed script with what its composer knows of it.

use serde::{Deserialize, Serialize};

use crate::code::span::Span;
use crate::corpus::Reference;
use crate::corpus::decision::Decision;

/// A sentence of the specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sentence {
    /// What holds.
    pub text: String,
    /// The bytes that make it hold.
    pub ranges: Vec<Span>,
    /// Index of its decision in [`Composed::decisions`], if it states one.
    pub decision: Option<usize>,
}

/// From which table columns an output column is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputLineage {
    /// Its name.
    pub column: String,
    /// What people call it.
    pub words: String,
    /// `table.column` of the schema, sorted.
    pub sources: Vec<String>,
}

/// A composed script with what its composer knows of it.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The number from which it is composed.
    pub number: u64,
    /// The script, its schema and card.
    pub reference: Reference,
    /// The rules that the script follows.
    pub specification: Vec<Sentence>,
    /// The decisions in it.
    pub decisions: Vec<Decision>,
    /// Its output columns.
    pub lineage: Vec<OutputLineage>,
    /// Name of the house style.
    pub style: String,
    /// Names of the analyses of which the script consists, in the order of its statements.
    pub analyses: Vec<&'static str>,
}

/// What `specification.yaml` holds.
#[derive(Clone, Debug, Serialize)]
pub struct SpecificationFile<'a> {
    /// The rules that the script follows.
    pub sentences: &'a [Sentence],
    /// The decisions in it.
    pub decisions: &'a [Decision],
    /// Its output columns.
    pub lineage: &'a [OutputLineage],
}

impl Composed {
    /// Returns what the composer knows of the script, as `specification.yaml` holds it.
    pub fn specification_file(&self) -> SpecificationFile<'_> {
        SpecificationFile { sentences: &self.specification, decisions: &self.decisions, lineage: &self.lineage }
    }
}
