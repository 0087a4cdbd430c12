//! Measures the suites of a run: how many of the other mutants of a script they tell from the reference.

use std::collections::{BTreeMap, BTreeSet};

use super::Settings;
use super::hunt::Found;
use super::parallel::map;
use super::write::SUITE;
use crate::fault::Track;
use crate::inject::Mutant;
use crate::prove::suite::{Rivals, SuiteMeasure};
use crate::prove::{Subject, Verdict};

/// What the suites of all semantic tasks tell, against every mutant tried of their scripts.
pub(super) fn measure(
    settings: &Settings,
    subjects: &[Subject<'_>],
    found: &[Found],
    trials: &[(Mutant, Verdict)],
) -> SuiteMeasure {
    let mut by_script: BTreeMap<&str, Vec<&(Mutant, Verdict)>> = BTreeMap::new();
    for trial in trials {
        by_script.entry(trial.0.script.as_str()).or_default().push(trial);
    }
    let measured = map(settings.jobs, subjects, |subject| {
        let id = subject.seed.id.as_str();
        let tasks = found.iter().filter(|item| item.track == Track::Semantic && item.mutant.script == id);
        measure_script(subject, &tasks.collect::<Vec<_>>(), by_script.get(id).map_or(&[], Vec::as_slice))
    });
    measured.into_iter().fold(SuiteMeasure::default(), SuiteMeasure::plus)
}

fn measure_script(subject: &Subject<'_>, tasks: &[&Found], trials: &[&(Mutant, Verdict)]) -> SuiteMeasure {
    let mut measure = SuiteMeasure::default();
    let killed: Vec<&Mutant> = trials.iter().filter(|trial| is_killed(&trial.1)).map(|trial| &trial.0).collect();
    let survivors = trials.iter().filter(|trial| matches!(trial.1, Verdict::Equivalent { databases: 1.. })).count();
    let text = |mutant: &&Mutant| mutant.text(subject.seed.script.text()).unwrap_or_default();
    let texts: Vec<String> = killed.iter().map(text).collect();
    let rivals = Rivals::new(subject, &texts);
    if tasks.is_empty() || rivals.len() != killed.len() {
        return measure;
    }
    let all: Vec<usize> = (0..killed.len()).collect();
    let shared: BTreeSet<usize> =
        (0..subject.pool.len().min(SUITE)).flat_map(|position| rivals.told_by_pool(position, &all)).collect();
    let rest: Vec<usize> = all.iter().copied().filter(|at| !shared.contains(at)).collect();
    for task in tasks {
        let is_other = |at: &&usize| killed[**at].id != task.mutant.id;
        let told = shared.iter().filter(is_other).count();
        let Verdict::Killed { witness, .. } = &task.verdict else { continue };
        let own = rivals.told_by(witness, &rest).iter().filter(is_other).count();
        measure.count(told + own, all.iter().filter(is_other).count(), survivors);
    }
    {
        let sets: Vec<Vec<usize>> = (0..subject.pool.len()).map(|p| rivals.told_by_pool(p, &all)).collect();
        let u: BTreeSet<usize> = sets.iter().flatten().copied().collect();
        let c = crate::prove::suite::cover(&sets, 3);
        let cc: BTreeSet<usize> = c.iter().flat_map(|i| sets[*i].clone()).collect();
        eprintln!("SUITE {} tasks {} killed {} surv {} shared3 {} greedy3 {} all{} {} measure {:?}", subject.seed.id, tasks.len(), killed.len(), survivors, shared.len(), cc.len(), sets.len(), u.len(), measure);
    }
    measure
}

fn is_killed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Killed { .. })
}
