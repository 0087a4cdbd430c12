//! What became of the semantic mutants of a run: killed, proved equivalent, or a gap in the data.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::super::proven::TriedMutant;
use crate::fault::{Taxonomy, Track};
use crate::inject::Mutant;
use crate::prove::Verdict;
use crate::prove::survivor::{Observation, SurvivalClass};

/// The verdicts on the semantic mutants that could be run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KillFunnel {
    /// Mutants that a database tells apart from their references.
    pub killed: usize,
    /// The share of killed mutants among those not proved equivalent.
    pub rate: f64,
    /// Mutants proved equivalent, by reason; `proofs.jsonl` has the reason of each.
    pub equivalent: BTreeMap<String, usize>,
    /// Mutants neither killed nor proved equivalent, by fault: a database that kills them is
    /// missing, or a proof is.
    pub gaps: BTreeMap<String, Vec<Gap>>,
    /// The gaps by what they lack.
    #[serde(default)]
    pub lacking: BTreeMap<SurvivalClass, usize>,
    /// Killed, equivalent and surviving mutants, by fault.
    pub by_fault: BTreeMap<String, FaultKills>,
    /// Sizes of the witnesses, and the cost of their reduction.
    pub witnesses: WitnessFunnel,
}

/// A mutant that survived and is not proved equivalent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The mutant's id.
    pub mutant: String,
    /// Databases on which it gave the rows of its reference.
    pub databases: usize,
    /// How far the effect of its fault was seen.
    pub seen: Option<Observation>,
}

/// The verdicts on the mutants of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultKills {
    /// Killed mutants.
    pub killed: usize,
    /// Mutants proved equivalent.
    pub equivalent: usize,
    /// Mutants that are neither.
    pub gaps: usize,
}

/// What the reduction of one witness came to.
struct WitnessSize {
    rows: usize,
    rows_before: usize,
    trials: usize,
}

/// Witnesses in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessFunnel {
    /// Witnesses.
    pub count: usize,
    /// Median of the rows in all their tables.
    pub median_rows: usize,
    /// Witnesses with at least twelve rows.
    pub large: usize,
    /// Most rows of a witness.
    pub most_rows: usize,
    /// Median of the rows before the reduction.
    pub median_rows_before: usize,
    /// Median of the databases that a reduction tries.
    pub median_trials: usize,
    /// Median of the time that a reduction takes, where reductions were made here. It differs from run to run and stays
    /// out of the records.
    #[serde(skip)]
    pub median_time: Option<Duration>,
}

/// Number of rows from which on a witness is large.
const LARGE: usize = 12;

impl KillFunnel {
    /// Counts the trials of semantic mutants.
    pub fn of(taxonomy: &Taxonomy, trials: &[TriedMutant]) -> KillFunnel {
        let mut funnel = KillFunnel::default();
        let mut sizes = Vec::new();
        let semantic =
            |mutant: &Mutant| taxonomy.fault(&mutant.fault).is_some_and(|fault| fault.track == Track::Semantic);
        for TriedMutant { mutant, verdict } in trials.iter().filter(|tried| semantic(&tried.mutant)) {
            let fault = funnel.by_fault.entry(mutant.fault.clone()).or_default();
            match verdict {
                Verdict::Killed { witness, trials, rows_before, .. } => {
                    fault.killed += 1;
                    funnel.killed += 1;
                    sizes.push(WitnessSize { rows: witness.row_count(), rows_before: *rows_before, trials: *trials });
                }
                Verdict::Equivalent { reason } => {
                    fault.equivalent += 1;
                    *funnel.equivalent.entry(reason.kind().to_owned()).or_default() += 1;
                }
                Verdict::Survived { databases, seen } => {
                    fault.gaps += 1;
                    let gap = Gap { mutant: mutant.id.clone(), databases: *databases, seen: seen.as_deref().copied() };
                    funnel.gaps.entry(mutant.fault.clone()).or_default().push(gap);
                    if let Some(seen) = seen {
                        *funnel.lacking.entry(seen.class()).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        let gaps: usize = funnel.gaps.values().map(Vec::len).sum();
        funnel.rate = if funnel.killed == 0 { 0.0 } else { funnel.killed as f64 / (funnel.killed + gaps) as f64 };
        funnel.witnesses = WitnessFunnel::of(&sizes);
        funnel
    }

    /// Adds how long the reductions took.
    pub fn timed(&mut self, mut times: Vec<Duration>) {
        times.sort_unstable();
        self.witnesses.median_time = times.get(times.len() / 2).copied();
    }

    /// The figures as a part of the run's card.
    pub fn card(&self) -> String {
        let gaps: usize = self.gaps.values().map(Vec::len).sum();
        let equal: usize = self.equivalent.values().sum();
        let WitnessFunnel { median_rows, large, count, median_rows_before, median_trials, .. } = self.witnesses;
        let mut card = format!(
            "\n## Proof\n\nOf {} semantic mutants tried, {} were told from their references, {equal} are equal by an \
             argument, {gaps} are gaps: {:.1} % of those that are not provably equal are killed. Witnesses: median \
             {median_rows} rows, reduced from {median_rows_before} in {median_trials} trials; {large} of {count} have \
             {LARGE} rows or more.\n",
            self.killed + equal + gaps,
            self.killed,
            100.0 * self.rate
        );
        if !self.equivalent.is_empty() {
            card.push_str("\n| equal because | mutants |\n|---|---|\n");
            for (kind, mutants) in &self.equivalent {
                card.push_str(&format!("| {kind} | {mutants} |\n"));
            }
        }
        if !self.gaps.is_empty() {
            card.push_str("\n| fault with gaps | killed | of | survivor | databases tried | what was seen of it |\n");
            card.push_str("|---|---|---|---|---|---|\n");
            for (fault, gap) in self.gaps.iter().flat_map(|(fault, gaps)| gaps.iter().map(move |gap| (fault, gap))) {
                let kills = self.by_fault.get(fault).copied().unwrap_or_default();
                let (killed, tried) = (kills.killed, kills.killed + kills.gaps);
                let seen = gap.seen.map_or_else(String::new, |seen| seen.to_string());
                card.push_str(&format!(
                    "| {fault} | {killed} | {tried} | {} | {} | {seen} |\n",
                    gap.mutant, gap.databases
                ));
            }
        }
        card
    }
}

impl WitnessFunnel {
    /// Returns sizes and cost in one line; `None` if there is no witness.
    pub fn words(&self) -> Option<String> {
        let WitnessFunnel { count, median_rows, median_rows_before, median_trials, median_time, .. } = self;
        let time = median_time.map(|time| format!(" and {:.1} ms", time.as_secs_f64() * 1000.0)).unwrap_or_default();
        (*count > 0).then(|| {
            format!(
                "{count} witnesses, median {median_rows} rows, reduced from {median_rows_before} in {median_trials} \
                 trials{time}"
            )
        })
    }

    fn of(sizes: &[WitnessSize]) -> WitnessFunnel {
        let median = |of: fn(&WitnessSize) -> usize| {
            let mut values: Vec<usize> = sizes.iter().map(of).collect();
            values.sort_unstable();
            values.get(values.len() / 2).copied().unwrap_or_default()
        };
        WitnessFunnel {
            count: sizes.len(),
            median_rows: median(|size| size.rows),
            large: sizes.iter().filter(|size| size.rows >= LARGE).count(),
            most_rows: sizes.iter().map(|size| size.rows).max().unwrap_or_default(),
            median_rows_before: median(|size| size.rows_before),
            median_trials: median(|size| size.trials),
            median_time: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edits;
    use crate::engine::table::Database;
    use crate::prove::equivalence::EquivalenceReason;

    #[test]
    fn the_rate_leaves_out_what_is_equal_by_an_argument() {
        let taxonomy = Taxonomy::embedded().unwrap();
        let killed = || Verdict::Killed { witness: Database::default(), trials: 9, rows_before: 30, shown: None };
        let equal = Verdict::Equivalent { reason: EquivalenceReason::NeverRead };
        let seen = Observation { differing: 1, probed: 2, ..Observation::default() };
        let survivor = Verdict::Survived { databases: 6, seen: Some(Box::new(seen)) };
        let verdicts = [killed(), killed(), killed(), equal, survivor];
        let mutant = || Mutant::of_edits("s", "k", "left-join-made-inner", Edits::default());
        let trials: Vec<_> = verdicts.map(|verdict| TriedMutant { mutant: mutant(), verdict }).to_vec();
        let mut funnel = KillFunnel::of(&taxonomy, &trials);
        assert_eq!((funnel.killed, funnel.rate), (3, 0.75));
        assert_eq!(funnel.by_fault["left-join-made-inner"], FaultKills { killed: 3, equivalent: 1, gaps: 1 });
        assert_eq!((funnel.witnesses.count, funnel.witnesses.median_trials), (3, 9));
        assert_eq!(funnel.lacking, [(SurvivalClass::NotPropagated, 1)].into());
        let card = funnel.card();
        assert!(card.contains("75.0 %") && card.contains("the value is never read"), "{card}");
        let before = serde_json::to_string(&funnel).unwrap();
        funnel.timed([9, 3, 5].map(Duration::from_millis).to_vec());
        let words = "3 witnesses, median 0 rows, reduced from 30 in 9 trials and 5.0 ms";
        assert_eq!(funnel.witnesses.words().as_deref(), Some(words));
        assert_eq!(serde_json::to_string(&funnel).unwrap(), before, "times stay out of the records");
        assert!(card.contains("| 6 | other rows in 1 of 2 queries on the way, the same in the results |"), "{card}");
    }
}
