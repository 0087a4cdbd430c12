//! Records of controls: scripts without a fault, by which false alarms are counted.
//!
//! Controls have files of their own (`controls.jsonl`, `controls_gold.jsonl`). They have neither a message nor a
//! complaint; a solver that is given one must say that nothing is wrong.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::critique::CORRECT;
use super::locate::locate;
use super::record::{Evidence, GoldRecord, Label, Provenance, ScriptComplexity, SolverContext, TaskRecord};
use crate::code::dialect::Dialect;
use crate::code::edit::{Edit, EditError, Edits};
use crate::code::script::Script;
use crate::corpus::{Reference, ScriptFile};
use crate::inject::rewrite::Rewrite;

/// The `track` field of a control's record, which tells it from a task's.
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
    /// Ten hex digits: a hash of script and edits, and in a built run of the run's secret.
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
    /// The dialect that the script was translated from, by sqlglot's name; `None` if it was written as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translated_from: Option<String>,
    /// The files of which the script consists, in the order in which they run; empty if it is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ScriptFile>,
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
    /// On how many databases the control and the reference were compared.
    pub databases_tried: usize,
    /// Where the control comes from.
    pub provenance: Provenance,
}

impl ControlRecord {
    /// Makes the record of a control whose `sql` means the same as `reference`; `canary` is empty for training data.
    pub fn of(reference: &Reference, instance_id: String, sql: String, canary: String) -> ControlRecord {
        ControlRecord {
            instance_id,
            track: ControlTrack::Control,
            dialect: Dialect::Hive,
            domain: reference.card.domain.clone(),
            sql,
            schema_ddl: reference.schema_text.clone(),
            parameters: reference.parameters.to_map(),
            translated_from: reference.card.translated_from.clone(),
            files: Vec::new(),
            canary,
        }
    }

    /// Returns the control as a task with an empty complaint, the form in which solvers are given it.
    pub fn into_task(self) -> TaskRecord {
        TaskRecord {
            instance_id: self.instance_id,
            dialect: self.dialect,
            domain: self.domain,
            issue_sql: self.sql,
            schema_ddl: self.schema_ddl,
            parameters: self.parameters,
            context: SolverContext::UserQuery(String::new()),
            translated_from: self.translated_from,
            files: self.files,
            canary: self.canary,
        }
    }
}

impl ControlGold {
    /// Returns whether the edits turn `sql` into the reference.
    pub fn repairs(&self, sql: &str) -> Result<bool, EditError> {
        Ok(self.edits.apply(sql)? == self.reference_sql)
    }

    /// Returns the judge's record of the control as a task: leaving the script alone is right, so the given text is an
    /// accepted alternative to the reference.
    pub fn into_task(self, record: &TaskRecord) -> GoldRecord {
        let script = Script::new(record.issue_sql.as_str());
        GoldRecord {
            difficulty: None,
            instance_id: self.instance_id,
            reference_sql: self.reference_sql,
            files: Vec::new(),
            read_tables: Vec::new(),
            alternatives: vec![record.issue_sql.clone()],
            labels: self.labels,
            parts: Vec::new(),
            location: locate(&script, &Edit::insertion(0, "")),
            edits: self.edits,
            critique: Vec::new(),
            patch: String::new(),
            evidence: Evidence::Killed {
                engine: String::new(),
                databases: self.databases,
                reference: Vec::new(),
                issue: Vec::new(),
            },
            complexity: ScriptComplexity::default(),
            provenance: self.provenance,
        }
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
