//! Records of controls: scripts without a fault, so that false alarms can be counted.
//!
//! Controls stand in files of their own (`controls.jsonl`, `controls_gold.jsonl`): they have neither a message nor a
//! complaint, and a solver that is shown one must say that nothing is wrong.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::critique::CORRECT;
use super::record::{Label, Provenance};
use crate::code::dialect::Dialect;
use crate::code::edit::{EditError, Edits};
use crate::inject::rewrite::Rewrite;

/// What stands for the track of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlTrack {
    /// Nothing is wrong.
    Control,
}

/// The public record of a control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControlRecord {
    /// Short hash of script and edits.
    pub instance_id: String,
    /// Always `control`.
    pub track: ControlTrack,
    /// `hive` or `spark`.
    pub dialect: Dialect,
    /// Business domain of the script.
    pub domain: String,
    /// The SQL to judge.
    pub sql: String,
    /// Definitions of the tables it uses.
    pub schema_ddl: String,
    /// Values of its placeholders.
    pub parameters: BTreeMap<String, String>,
    /// Marks the text as test data.
    pub canary: String,
}

/// The judge's record of a control.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControlGold {
    /// The control's id.
    pub instance_id: String,
    /// One label: `control`, and whether and how the script was rewritten.
    pub labels: Vec<Label>,
    /// The script as its author wrote it.
    pub reference_sql: String,
    /// Edits of the control that give the reference; empty for an untouched script.
    pub edits: Edits,
    /// What a critique must say.
    pub critique: String,
    /// Files of fake databases on which both give the same rows.
    pub databases: Vec<String>,
    /// How many databases were tried, those among them.
    pub databases_tried: usize,
    /// Where it comes from.
    pub provenance: Provenance,
}

impl ControlGold {
    /// Whether the edits turn `sql` into the reference.
    pub fn repairs(&self, sql: &str) -> Result<bool, EditError> {
        Ok(self.edits.apply(sql)? == self.reference_sql)
    }

    /// Whether the critique is the fixed sentence for correct SQL.
    pub fn says_correct(&self) -> bool {
        self.critique == CORRECT
    }
}

/// The label of a control.
pub fn control_label(rewrite: Option<Rewrite>) -> Label {
    let (level2, level3) = match rewrite {
        None => ("Untouched", "untouched"),
        Some(rewrite) => ("Rewritten", rewrite.name()),
    };
    Label {
        fault: "control".to_owned(),
        level1: "Control".to_owned(),
        level2: level2.to_owned(),
        level3: level3.to_owned(),
    }
}
