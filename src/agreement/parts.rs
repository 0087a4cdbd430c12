//! Interim results: one record for each judged script, so that a call that was cut off can be continued.

use std::collections::HashMap;

use super::basis::JudgingScope;
use super::material::JudgedReference;
use super::report::{AgreementReport, ScriptAgreement};
use crate::store::{Log, RunDirectory, StoreError};

const FILE: &str = "agreement.part.jsonl";

/// The interim results of a call, on disk.
pub struct AgreementParts {
    log: Log,
    setting: String,
}

/// The interim results that an earlier call left, by script.
pub struct JudgedScripts(HashMap<String, ScriptAgreement>);

impl AgreementParts {
    /// Opens the interim results of a run; those with the same program version, engine and extent count as done.
    pub fn open(
        directory: &RunDirectory,
        engine: &str,
        extent: JudgingScope,
    ) -> Result<(AgreementParts, JudgedScripts), StoreError> {
        let setting = format!("{} {engine} {extent:?}", env!("CARGO_PKG_VERSION"));
        let log = directory.log(FILE)?;
        let parts: Vec<ScriptAgreement> = log.records()?;
        let mine = parts.into_iter().filter(|part| part.setting == setting);
        let done = JudgedScripts(mine.map(|part| (part.script.clone(), part)).collect());
        Ok((AgreementParts { log, setting }, done))
    }

    /// Keeps what was found of a script.
    pub fn add(&self, work: &JudgedReference, report: AgreementReport) -> Result<ScriptAgreement, StoreError> {
        let judgements = report.judgements.clone();
        let (setting, script, basis) = (self.setting.clone(), work.source.id.clone(), work.basis());
        let part = ScriptAgreement { setting, script, basis, report, judgements };
        self.log.append(&part)?;
        Ok(part)
    }

    /// Removes the interim results, once the report holds them all.
    pub fn remove(self, directory: &RunDirectory) -> Result<(), StoreError> {
        drop(self.log);
        directory.remove(FILE)
    }
}

impl JudgedScripts {
    /// Returns what was found of the scripts that are done, and the scripts that are not.
    pub fn of(mut self, scripts: Vec<JudgedReference>) -> (Vec<ScriptAgreement>, Vec<JudgedReference>) {
        let (mut kept, mut todo) = (Vec::new(), Vec::new());
        for work in scripts {
            match self.0.remove(&work.source.id).filter(|part| part.basis == work.basis()) {
                Some(part) => kept.push(part),
                None => todo.push(work),
            }
        }
        (kept, todo)
    }
}
