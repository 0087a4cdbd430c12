//! `review.jsonl`: every judgement, in order. A judgement is acknowledged only when it is on the disk.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::PANEL;
use super::ReviewError;
use super::judgement::{Judgement, Refused};
use crate::store::{Log, RunDirectory};

/// The file of judgements in a run.
pub const FILE: &str = "review.jsonl";

/// All judgements of a run.
#[derive(Debug)]
pub struct Ledger {
    log: Log,
    state: LedgerState,
}

/// What the lines of the log amount to.
#[derive(Debug, Default)]
struct LedgerState {
    /// By task, then by annotator.
    latest: HashMap<String, BTreeMap<String, Judgement>>,
    /// What a task's panel said when its last member judged, before they could see each other.
    blind: BTreeMap<String, Vec<Judgement>>,
    panel: Vec<String>,
}

impl LedgerState {
    fn take(&mut self, judgement: Judgement) {
        if !self.panel.contains(&judgement.annotator) {
            self.panel.push(judgement.annotator.clone());
        }
        let task = self.latest.entry(judgement.instance_id.clone()).or_default();
        if judgement.withdrawn {
            task.remove(&judgement.annotator);
            return;
        }
        let instance_id = judgement.instance_id.clone();
        task.insert(judgement.annotator.clone(), judgement);
        if task.len() == PANEL {
            self.blind.entry(instance_id).or_insert_with(|| task.values().cloned().collect());
        }
    }
}

impl Ledger {
    /// Opens the ledger of a run. A line that a crash cut off was never acknowledged and is dropped.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or a line is no judgement.
    pub fn open(directory: &RunDirectory) -> Result<Ledger, ReviewError> {
        let log = directory.log(FILE)?;
        let mut state = LedgerState::default();
        for judgement in log.records::<Judgement>()? {
            state.take(judgement);
        }
        Ok(Ledger { log, state })
    }

    /// Writes judgements to the disk, then counts them.
    ///
    /// # Errors
    ///
    /// When one makes no sense or needs a larger panel (then none is stored), or the disk says no.
    pub fn append(&mut self, judgements: Vec<Judgement>) -> Result<(), ReviewError> {
        let mut panel = self.state.panel.clone();
        for judgement in &judgements {
            judgement.check()?;
            admit(&mut panel, &judgement.annotator)?;
        }
        self.log.append_durably(&judgements)?;
        judgements.into_iter().for_each(|judgement| self.state.take(judgement));
        Ok(())
    }

    /// Whether the panel has room for these names.
    ///
    /// # Errors
    ///
    /// When it has not; the error names its members.
    pub fn admits(&self, names: &[String]) -> Result<(), Refused> {
        let mut panel = self.state.panel.clone();
        names.iter().try_for_each(|name| admit(&mut panel, name))
    }

    /// Everyone who has judged, in order of the first judgement.
    pub fn panel(&self) -> &[String] {
        &self.state.panel
    }

    /// What an annotator says about a task now.
    pub fn of(&self, instance_id: &str, annotator: &str) -> Option<&Judgement> {
        self.state.latest.get(instance_id)?.get(annotator)
    }

    /// What everyone says about a task now, by name.
    pub fn of_task(&self, instance_id: &str) -> Vec<&Judgement> {
        self.state.latest.get(instance_id).map(|task| task.values().collect()).unwrap_or_default()
    }

    /// The tasks that somebody judged.
    pub fn tasks(&self) -> HashSet<&str> {
        self.state.latest.iter().filter(|(_, task)| !task.is_empty()).map(|(id, _)| id.as_str()).collect()
    }

    /// How many tasks an annotator has judged.
    pub fn count(&self, annotator: &str) -> usize {
        self.state.latest.values().filter(|task| task.contains_key(annotator)).count()
    }

    /// The tasks that the whole panel has judged, each with what was said blind.
    pub fn complete(&self) -> impl Iterator<Item = (&str, Vec<Judgement>)> {
        self.state.blind.iter().map(|(instance_id, blind)| (instance_id.as_str(), blind.clone()))
    }

    /// Whether the whole panel has judged a task, so that its members may see each other.
    pub fn is_open(&self, instance_id: &str) -> bool {
        self.state.blind.contains_key(instance_id)
    }
}

fn admit(panel: &mut Vec<String>, name: &str) -> Result<(), Refused> {
    if panel.iter().any(|member| member == name) {
        return Ok(());
    }
    if panel.len() >= PANEL {
        return Err(Refused::PanelFull { name: name.to_owned(), panel: panel.join(", ") });
    }
    panel.push(name.to_owned());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::agreement::PanelAgreement;
    use super::super::judgement::{FairnessVerdict, sample};
    use super::*;

    fn ledger() -> (tempfile::TempDir, RunDirectory) {
        let folder = tempfile::tempdir().unwrap();
        let directory = RunDirectory::resume(folder.path()).unwrap();
        (folder, directory)
    }

    #[test]
    fn the_last_judgement_holds_and_survives_a_line_cut_off() {
        let (_folder, directory) = ledger();
        let mut first = Ledger::open(&directory).unwrap();
        first.append(vec![sample("t", "ann", FairnessVerdict::Fair)]).unwrap();
        first.append(vec![sample("t", "ann", FairnessVerdict::Unfair)]).unwrap();
        drop(first);
        let mut content = std::fs::read_to_string(directory.path(FILE)).unwrap();
        content.push_str("{\"instance_id\":\"t\",\"annota");
        std::fs::write(directory.path(FILE), content).unwrap();
        let again = Ledger::open(&directory).unwrap();
        assert_eq!(again.of("t", "ann").unwrap().verdict, FairnessVerdict::Unfair);
        assert_eq!((again.count("ann"), again.count("bob")), (1, 0));
    }

    #[test]
    fn a_fourth_name_is_refused_and_nothing_is_stored() {
        let (_folder, directory) = ledger();
        let mut ledger = Ledger::open(&directory).unwrap();
        ledger.append(["a", "b", "c"].map(|name| sample("t", name, FairnessVerdict::Fair)).to_vec()).unwrap();
        let error = ledger
            .append(vec![sample("u", "a", FairnessVerdict::Fair), sample("u", "d", FairnessVerdict::Fair)])
            .unwrap_err();
        assert!(error.to_string().contains("a, b, c"), "{error}");
        assert!(ledger.of("u", "a").is_none());
        assert_eq!(std::fs::read_to_string(directory.path(FILE)).unwrap().lines().count(), 3);
    }

    #[test]
    fn what_is_said_after_the_panel_can_see_each_other_settles_but_does_not_raise_kappa() {
        let (_folder, directory) = ledger();
        let mut ledger = Ledger::open(&directory).unwrap();
        let say = |name, verdict| vec![sample("t", name, verdict)];
        ledger.append(say("a", FairnessVerdict::Ambiguous)).unwrap();
        ledger.append(say("a", FairnessVerdict::Fair)).unwrap();
        ledger.append(say("b", FairnessVerdict::Fair)).unwrap();
        assert!(!ledger.is_open("t"));
        ledger.append(say("c", FairnessVerdict::Unfair)).unwrap();
        ledger.append(say("c", FairnessVerdict::Fair)).unwrap();
        let agreement = PanelAgreement::of(&ledger);
        assert_eq!(agreement.verdicts, [2, 1, 0]);
        assert!((agreement.kappa.observed - 1.0 / 3.0).abs() < 1e-12);
        assert!(agreement.disagreements[0].settled);
    }
}
