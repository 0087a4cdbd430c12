//! The vote on each task.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::mark::{AttemptMark, SolvedBy};

/// What counts as solved, and from which shares the decisions follow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    pub basis: SolvedBy,
    /// A task is too easy if more than this share, from 0 to 1, of the solvers that tried it solved it.
    pub too_easy_above: f64,
    /// A task that fewer solvers tried stays undecided.
    pub quorum: usize,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { basis: SolvedBy::Accepted, too_easy_above: 0.5, quorum: 2 }
    }
}

/// What becomes of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SiftDecision {
    /// More solvers than the threshold repair it.
    TooEasy,
    /// Some repair it, but no more than the threshold.
    Kept,
    /// None repairs it: it waits for people.
    Queued,
    /// Too few solvers tried it.
    Undecided,
}

/// One line of `decisions.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vote {
    pub instance_id: String,
    pub decision: SiftDecision,
    pub solved: usize,
    pub tried: usize,
    /// `solved` divided by `tried`; `None` if nobody tried.
    pub solve_rate: Option<f64>,
    /// How well solving this task goes with solving the others: point-biserial correlation with each solver's solve
    /// rate on its other tasks, from -1 to 1; `None` if all solvers did equally well here or there.
    pub discrimination: Option<f64>,
    pub solved_by: Vec<String>,
    pub rule: Thresholds,
}

/// Votes on each of `tasks`, in their order. Several marks of a solver on a task count as one, solved if any is.
pub fn vote(tasks: &[String], marks: &[AttemptMark], rule: Thresholds) -> Vec<Vote> {
    let mut by_task: BTreeMap<&str, BTreeMap<&str, bool>> = BTreeMap::new();
    for mark in marks {
        let solved = by_task.entry(&mark.instance_id).or_default().entry(&mark.solver).or_default();
        *solved |= rule.basis.solved(mark);
    }
    let known: BTreeSet<&str> = tasks.iter().map(String::as_str).collect();
    by_task.retain(|task, _| known.contains(task));
    let totals = totals(&by_task);
    let none = BTreeMap::new();
    tasks.iter().map(|task| one(task, by_task.get(task.as_str()).unwrap_or(&none), &totals, rule)).collect()
}

/// For each solver the number of tasks that it solved and that it tried.
fn totals<'a>(by_task: &BTreeMap<&'a str, BTreeMap<&'a str, bool>>) -> BTreeMap<&'a str, (usize, usize)> {
    let mut totals: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (solver, solved) in by_task.values().flatten() {
        let total = totals.entry(solver).or_default();
        total.0 += usize::from(*solved);
        total.1 += 1;
    }
    totals
}

fn one(task: &str, results: &BTreeMap<&str, bool>, totals: &BTreeMap<&str, (usize, usize)>, rule: Thresholds) -> Vote {
    let solved_by: Vec<String> =
        results.iter().filter(|(_, solved)| **solved).map(|(solver, _)| (*solver).to_owned()).collect();
    let (solved, tried) = (solved_by.len(), results.len());
    let solve_rate = (tried > 0).then(|| solved as f64 / tried as f64);
    let decision = match solve_rate {
        _ if tried < rule.quorum.max(1) => SiftDecision::Undecided,
        _ if solved == 0 => SiftDecision::Queued,
        Some(rate) if rate > rule.too_easy_above => SiftDecision::TooEasy,
        _ => SiftDecision::Kept,
    };
    let pairs: Vec<(bool, f64)> = results
        .iter()
        .filter_map(|(solver, solved)| {
            // Without the task itself, by which every task would seem to discriminate.
            let (all, of) = totals[solver];
            let others = of.checked_sub(1).filter(|others| *others > 0)?;
            Some((*solved, (all - usize::from(*solved)) as f64 / others as f64))
        })
        .collect();
    let discrimination = point_biserial(&pairs);
    Vote { instance_id: task.to_owned(), decision, solved, tried, solve_rate, discrimination, solved_by, rule }
}

/// Correlation of a yes/no variable with a number; `None` if either does not vary.
fn point_biserial(pairs: &[(bool, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let of = |wanted: bool| pairs.iter().filter(|(yes, _)| *yes == wanted).map(|(_, value)| *value).collect::<Vec<_>>();
    let (yes, no) = (of(true), of(false));
    if yes.is_empty() || no.is_empty() {
        return None;
    }
    let all: Vec<f64> = pairs.iter().map(|(_, value)| *value).collect();
    let average = mean(&all);
    let deviation = (all.iter().map(|value| (value - average).powi(2)).sum::<f64>() / count).sqrt();
    if deviation < 1e-12 {
        return None;
    }
    let share = (yes.len() as f64 / count) * (no.len() as f64 / count);
    Some((mean(&yes) - mean(&no)) / deviation * share.sqrt())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fault::Track;

    fn mark(solver: &str, task: &str, solved: bool) -> AttemptMark {
        AttemptMark {
            solver: solver.to_owned(),
            instance_id: task.to_owned(),
            track: Track::Syntax,
            em: false,
            gm: false,
            mb: false,
            ex: false,
            accepted: solved,
        }
    }

    fn tasks(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn most_solve_it_is_dropped_few_is_kept_none_is_queued() {
        let mut marks = Vec::new();
        for (solver, results) in [("a", [true, true, false]), ("b", [true, false, false]), ("c", [false, false, false])]
        {
            for (task, solved) in ["t1", "t2", "t3"].iter().zip(results) {
                marks.push(mark(solver, task, solved));
            }
        }
        marks.push(mark("a", "t4", true));
        let votes = vote(&tasks(&["t1", "t2", "t3", "t4", "t5"]), &marks, Thresholds::default());
        let decisions: Vec<SiftDecision> = votes.iter().map(|vote| vote.decision).collect();
        use SiftDecision::{Kept, Queued, TooEasy, Undecided};
        assert_eq!(decisions, [TooEasy, Kept, Queued, Undecided, Undecided]);
        assert_eq!((votes[0].solved, votes[0].tried, votes[4].solve_rate), (2, 3, None));
        assert!(votes[1].discrimination.unwrap() > 0.5, "{:?}", votes[1]);
        assert_eq!(votes[2].discrimination, None);
    }

    #[test]
    fn half_is_no_majority_and_the_basis_decides_what_counts() {
        let mut marks = vec![mark("a", "t", true), mark("b", "t", false)];
        assert_eq!(vote(&tasks(&["t"]), &marks, Thresholds::default())[0].decision, SiftDecision::Kept);
        marks[1].em = true;
        let strict = Thresholds { basis: SolvedBy::Em, ..Thresholds::default() };
        assert_eq!(vote(&tasks(&["t"]), &marks, strict)[0].solved_by, ["b"]);
    }

    proptest! {
        #[test]
        fn votes_do_not_depend_on_the_order_of_marks(results in prop::collection::vec((0..4usize, 0..5usize, any::<bool>()), 0..30)) {
            let name = |number: &usize| number.to_string();
            let mut marks: Vec<AttemptMark> = results.iter().map(|(s, t, solved)| mark(&name(s), &name(t), *solved)).collect();
            let all: Vec<String> = (0..5).map(|number: usize| number.to_string()).collect();
            let votes = vote(&all, &marks, Thresholds::default());
            marks.reverse();
            prop_assert_eq!(&votes, &vote(&all, &marks, Thresholds::default()));
            for vote in votes {
                prop_assert!(vote.discrimination.is_none_or(|value| (-1.000001..=1.000001).contains(&value)));
                prop_assert!(vote.solved <= vote.tried && vote.tried <= 4);
            }
        }
    }
}
