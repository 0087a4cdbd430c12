//! The records of a run: what a solver sees, and what a judge sees.

mod task;
mod unified_diff;

pub use task::{ContextMismatch, SolverContext, TaskRecord};
pub use unified_diff::{FileText, patch, unified};

use serde::{Deserialize, Serialize};

use super::critique::Critique;
use super::difficulty::Difficulty;
use super::locate::Location;
use crate::code::edit::{EditError, Edits};
use crate::code::profile::Profile;
use crate::corpus::ScriptFile;
use crate::engine::EngineVerdict;
use crate::engine::policy::Policies;
use crate::engine::spark_rules::Rejection;
use crate::engine::table::{ResultTable, Row};

/// A planted fault and one of its leaves in the taxonomy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The fault's id.
    pub fault: String,
    /// Top level of the taxonomy.
    pub level1: String,
    /// Second level.
    pub level2: String,
    /// Leaf.
    pub level3: String,
}

/// One of several faults of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlantedFault {
    /// The fault's id.
    pub fault: String,
    /// Edits of the issue SQL that repair this fault and leave the others.
    pub edits: Edits,
}

/// The content of one result table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultRecord {
    /// The table written; empty for a plain query.
    pub target: String,
    /// Column names.
    pub columns: Vec<String>,
    /// Rows, in the order the engine gave them.
    pub rows: Vec<Row>,
}

impl From<&ResultTable> for ResultRecord {
    fn from(table: &ResultTable) -> ResultRecord {
        ResultRecord {
            target: table.target.clone(),
            columns: table.columns.iter().map(|column| column.name.clone()).collect(),
            rows: table.rows.clone(),
        }
    }
}

/// The proof that the issue SQL is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Evidence {
    /// The engine rejects the issue SQL.
    Rejected {
        /// Engine and version.
        engine: String,
        /// `parse`, `analysis` or `run`.
        stage: String,
        /// The engine's error class.
        class: String,
        /// The engine's message.
        message: String,
        /// What each judge says, the one above first; empty if only the embedded rules were asked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        judges: Vec<EngineVerdict>,
    },
    /// Both scripts run and give different results.
    Killed {
        /// Engine and version.
        engine: String,
        /// Files of the fake databases that show it, the witness first.
        databases: Vec<String>,
        /// What the reference gives on the witness.
        reference: Vec<ResultRecord>,
        /// What the issue SQL gives on the witness.
        issue: Vec<ResultRecord>,
    },
}

impl Evidence {
    /// Returns the evidence that `engine` refuses the issue.
    pub(crate) fn rejected(engine: String, rejection: &Rejection, judges: Vec<EngineVerdict>) -> Evidence {
        Evidence::Rejected {
            engine,
            stage: format!("{:?}", rejection.stage).to_lowercase(),
            class: rejection.class.clone(),
            message: rejection.message.clone(),
            judges,
        }
    }
}

/// How complex a script is; each figure is explained at [`Profile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptComplexity {
    /// Lines of text.
    pub lines: usize,
    /// Words between white space, comments included: the "tokens" of published figures.
    pub tokens: usize,
    /// Functions as sqlglot counts them: calls, but also casts, CASE, AND, OR and the like.
    pub functions: usize,
    /// Edges from the root of the deepest statement to its deepest node.
    pub ast_depth: usize,
    /// Children of the widest node.
    pub ast_width: usize,
}

impl ScriptComplexity {
    /// Takes the figures from the profile of a script.
    pub fn of(profile: &Profile) -> ScriptComplexity {
        ScriptComplexity {
            lines: profile.lines,
            tokens: profile.words,
            functions: profile.functions,
            ast_depth: profile.depth,
            ast_width: profile.width,
        }
    }
}

/// Where a task comes from.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Id of the script.
    pub script: String,
    /// The word `reference`, a blank, and the reference's key.
    pub source: String,
    /// What stands for the script that the reference was made from; `None` if it was made from no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_script: Option<String>,
    /// Version of this program.
    pub tool: String,
    /// Digest of the taxonomy.
    pub taxonomy: String,
    /// The random seed of the run.
    pub seed: u64,
    /// The platform's rules that hold for the script beside the engine's.
    #[serde(default, skip_serializing_if = "Policies::is_empty")]
    pub policies: Policies,
    /// The models that proposed its faults; `None` if operators did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed_by: Option<String>,
}

/// The judge's record of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldRecord {
    /// The task's id.
    pub instance_id: String,
    /// The correct SQL.
    pub reference_sql: String,
    /// The files of which the correct SQL consists, in the order in which they run; empty if it is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ScriptFile>,
    /// The tables that people read, by their full names in lower case, and the empty name for plain queries: an answer
    /// is judged by these, not by what the script leaves behind on the way. All tables if it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_tables: Vec<String>,
    /// Other SQL that is accepted as equally correct.
    #[serde(default)]
    pub alternatives: Vec<String>,
    /// The planted faults.
    pub labels: Vec<Label>,
    /// Edits of the issue SQL that give the reference.
    pub edits: Edits,
    /// The edits of each fault, together all of `edits`; empty for a task with one fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PlantedFault>,
    /// Place of the first edit in the issue SQL.
    pub location: Location,
    /// What is wrong in which clause, and how to mend it.
    pub critique: Vec<Critique>,
    /// The repair as a unified diff.
    pub patch: String,
    /// The proof.
    pub evidence: Evidence,
    /// How complex the reference is.
    pub complexity: ScriptComplexity,
    /// How hard the task is; `None` in runs made before it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// Where the task comes from.
    pub provenance: Provenance,
}

impl GoldRecord {
    /// Returns the ids of the planted faults.
    pub fn faults(&self) -> Vec<&str> {
        let mut faults: Vec<&str> = match self.parts.as_slice() {
            [] => self.labels.iter().map(|label| label.fault.as_str()).collect(),
            parts => return parts.iter().map(|part| part.fault.as_str()).collect(),
        };
        // One fault has a label for each leaf that it stands for.
        faults.dedup();
        faults
    }

    /// Returns whether the edits turn `issue_sql` into the reference.
    pub fn repairs(&self, issue_sql: &str) -> Result<bool, EditError> {
        Ok(self.edits.apply(issue_sql)? == self.reference_sql)
    }
}

impl Provenance {
    /// Returns what scripts made from one source have in common: what stands for the source, else the reference's own key,
    /// which is what its variants name.
    pub fn source_key(&self) -> &str {
        self.source_script.as_deref().unwrap_or_else(|| self.key())
    }

    /// Returns the key of the reference, with which the names of its shared databases begin; see [`shared_database`].
    pub fn key(&self) -> &str {
        self.source.split_whitespace().last().unwrap_or_default()
    }
}

/// Returns the file name of a database that the tasks of a script share; `number` counts from 0.
pub fn shared_database(key: &str, number: usize) -> String {
    format!("databases/{key}-{number}.json")
}

#[cfg(test)]
mod tests;
