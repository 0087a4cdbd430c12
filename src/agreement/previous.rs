//! The agreement that a run holds already, so that it can be certified without judging everything again.

use super::basis::{AgreementBasis, JudgingScope, program};
use super::material::JudgedReference;
use super::report::AgreementReport;
use crate::store::RunDirectory;

/// What is known of a run's agreement before anything is judged in this call.
#[derive(Debug)]
pub enum KnownAgreement {
    /// Every script and task is judged.
    Whole(Box<AgreementReport>),
    /// Some are not judged yet; the number is that of the tasks.
    Partly(Box<AgreementReport>, usize),
    /// Nothing that can be built on.
    Nothing(UnusableAgreement),
}

/// Why an agreement cannot be built on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnusableAgreement {
    #[error("agreement.json is not there yet")]
    Absent,
    /// It cannot be read or parsed.
    #[error("agreement.json cannot be read: {0}")]
    Unreadable(String),
    /// It is older than the record of what was judged.
    #[error("agreement.json does not say which tasks it judged")]
    NoBasis,
    #[error("agreement.json was made by {0}")]
    Program(String),
    #[error("agreement.json was made with other settings: {0}")]
    Settings(&'static str),
    /// A script or its databases have changed.
    #[error("agreement.json judged another text or other databases of script {0}")]
    Script(String),
    #[error("agreement.json judged another task under the id {0}")]
    Task(String),
}

/// Reads the agreement that a run holds, if it was made by this version of the program with these settings.
pub(super) fn made_before(
    directory: &RunDirectory,
    ansi: bool,
    extent: JudgingScope,
) -> Result<AgreementReport, UnusableAgreement> {
    let text =
        directory.text_if_any("agreement.json").map_err(|error| UnusableAgreement::Unreadable(error.to_string()))?;
    let text = text.ok_or(UnusableAgreement::Absent)?;
    let mut report: AgreementReport =
        serde_json::from_str(&text).map_err(|error| UnusableAgreement::Unreadable(error.to_string()))?;
    if extent.hive {
        let judgements = directory.read_records("judgements.jsonl");
        report.judgements = judgements.map_err(|error| UnusableAgreement::Unreadable(error.to_string()))?;
    }
    let basis = report.basis.as_ref().ok_or(UnusableAgreement::NoBasis)?;
    if basis.program != program() {
        return Err(UnusableAgreement::Program(basis.program.clone()));
    }
    match (basis.ansi, basis.hive) {
        (was, _) if was != ansi => Err(UnusableAgreement::Settings(if was { "ANSI on" } else { "ANSI off" })),
        (_, false) if extent.hive => Err(UnusableAgreement::Settings("Hive's parser was not asked")),
        _ => Ok(report),
    }
}

/// Returns an error if the report judged another version of a script or of one of its mutants.
fn holds(basis: &AgreementBasis, work: &JudgedReference) -> Result<(), UnusableAgreement> {
    let other = |known: Option<&String>, digest: &str| known.is_some_and(|known| known != digest);
    if other(basis.references.get(&work.source.id), &work.source.digest) {
        return Err(UnusableAgreement::Script(work.source.id.clone()));
    }
    let mut changed = work.trials.iter().filter(|trial| other(basis.mutants.get(&trial.mutant.id), &trial.digest));
    changed.next().map_or(Ok(()), |trial| Err(UnusableAgreement::Task(trial.mutant.id.clone())))
}

/// Returns what a report covers of `scripts`: all, a part, or other versions of them.
pub(super) fn standing(report: AgreementReport, scripts: &[JudgedReference]) -> KnownAgreement {
    let basis = report.basis.clone().unwrap_or_default();
    if let Some(unusable) = scripts.iter().find_map(|work| holds(&basis, work).err()) {
        return KnownAgreement::Nothing(unusable);
    }
    let is_new = |id: &String| !basis.mutants.contains_key(id);
    let trials = scripts.iter().flat_map(|work| &work.trials);
    let missing = trials.filter(|trial| is_new(&trial.mutant.id)).count();
    let references = scripts.iter().any(|work| !basis.references.contains_key(&work.source.id));
    if missing == 0 && !references {
        KnownAgreement::Whole(report.into())
    } else {
        KnownAgreement::Partly(report.into(), missing)
    }
}

#[cfg(test)]
mod tests {
    use super::super::material::tests::work;
    use super::*;

    fn judged(scripts: &[JudgedReference]) -> AgreementReport {
        let mut basis = AgreementBasis { program: program(), ..AgreementBasis::default() };
        scripts.iter().for_each(|work| basis.add(work.basis()));
        AgreementReport { basis: Some(basis), ..AgreementReport::default() }
    }

    #[test]
    fn an_agreement_of_the_same_tasks_is_whole_and_a_refilled_one_lacks_only_the_new_tasks() {
        let scripts = [work("s/a", "1", &[("m1", "x"), ("m2", "y")]), work("s/b", "2", &[("m3", "z")])];
        let report = judged(&scripts);
        assert!(matches!(standing(report.clone(), &scripts), KnownAgreement::Whole(_)));
        // Tasks that were dropped after they were judged do not matter.
        assert!(matches!(standing(report.clone(), &scripts[..1]), KnownAgreement::Whole(_)));
        let refilled = [work("s/a", "1", &[("m1", "x"), ("m4", "n")]), work("s/b", "2", &[("m3", "z"), ("m5", "n")])];
        assert!(matches!(standing(report.clone(), &refilled), KnownAgreement::Partly(_, 2)));
        let script = [work("s/c", "3", &[])];
        assert!(matches!(standing(report, &script), KnownAgreement::Partly(_, 0)));
    }

    #[test]
    fn an_agreement_of_another_text_or_task_is_not_built_on() {
        let report = judged(&[work("s/a", "1", &[("m1", "x")])]);
        for (now, expected) in [
            (work("s/a", "9", &[("m1", "x")]), UnusableAgreement::Script("s/a".to_owned())),
            (work("s/a", "1", &[("m1", "other")]), UnusableAgreement::Task("m1".to_owned())),
        ] {
            let KnownAgreement::Nothing(found) = standing(report.clone(), &[now]) else { panic!("{expected}") };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn an_agreement_made_with_other_settings_or_by_another_program_is_not_built_on() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("run.yaml"), "").unwrap();
        let directory = RunDirectory::open(folder.path()).unwrap();
        let made =
            |ansi: bool, hive: bool| made_before(&directory, ansi, JudgingScope { hive, ..JudgingScope::default() });
        assert_eq!(made(false, false), Err(UnusableAgreement::Absent));
        let write = |text: &str| std::fs::write(folder.path().join("agreement.json"), text).unwrap();
        write("{");
        assert!(matches!(made(false, false), Err(UnusableAgreement::Unreadable(_))));
        let mut report = AgreementReport::default();
        write(&serde_json::to_string(&report).unwrap());
        assert_eq!(made(false, false), Err(UnusableAgreement::NoBasis));
        std::fs::write(folder.path().join("judgements.jsonl"), "").unwrap();
        report = judged(&[]);
        write(&serde_json::to_string(&report).unwrap());
        assert_eq!(made(false, false), Ok(report.clone()));
        assert_eq!(made(true, false), Err(UnusableAgreement::Settings("ANSI off")));
        assert_eq!(made(false, true), Err(UnusableAgreement::Settings("Hive's parser was not asked")));
        report.basis = Some(AgreementBasis { program: "sqlfault 0.0.1".to_owned(), ..AgreementBasis::default() });
        write(&serde_json::to_string(&report).unwrap());
        assert_eq!(made(false, false), Err(UnusableAgreement::Program("sqlfault 0.0.1".to_owned())));
    }
}
