//! What is judged of a run that is not judged whole: one record a script, so that a call that is cut off goes on.

use std::collections::HashMap;

use super::basis::Extent;
use super::material::JudgedReference;
use super::report::{AgreementReport, ScriptAgreement};
use crate::store::{Log, RunDirectory, StoreError};

const FILE: &str = "agreement.part.jsonl";

/// The parts of a call, on disk.
pub struct AgreementParts {
    log: Log,
    setting: String,
}

/// The parts that an earlier call left.
pub struct Done(HashMap<String, ScriptAgreement>);

impl AgreementParts {
    /// Opens the parts of a run; those of an earlier call with the same setting are done.
    ///
    /// # Errors
    ///
    /// When they cannot be read or written.
    pub fn open(directory: &RunDirectory, engine: &str, extent: Extent) -> Result<(AgreementParts, Done), StoreError> {
        let setting = format!("{} {engine} {extent:?}", env!("CARGO_PKG_VERSION"));
        let log = directory.log(FILE)?;
        let parts: Vec<ScriptAgreement> = log.records()?;
        let mine = parts.into_iter().filter(|part| part.setting == setting);
        let done = Done(mine.map(|part| (part.script.clone(), part)).collect());
        Ok((AgreementParts { log, setting }, done))
    }

    /// Keeps what is found of a script.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add(&self, work: &JudgedReference, report: AgreementReport) -> Result<ScriptAgreement, StoreError> {
        let judgements = report.judgements.clone();
        let (setting, script, basis) = (self.setting.clone(), work.source.id.clone(), work.basis());
        let part = ScriptAgreement { setting, script, basis, report, judgements };
        self.log.append(&part)?;
        Ok(part)
    }

    /// Removes them: the report holds them all.
    ///
    /// # Errors
    ///
    /// When they cannot be removed.
    pub fn remove(self, directory: &RunDirectory) -> Result<(), StoreError> {
        drop(self.log);
        directory.remove(FILE)
    }
}

impl Done {
    /// Parts of the scripts that are done, and the scripts that are not.
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
