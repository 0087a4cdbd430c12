//! How far annotators agree.

use std::collections::BTreeMap;

use serde::Serialize;

use super::PANEL;
use super::judgement::{FairnessVerdict, Judgement};
use super::ledger::Ledger;

/// Fleiss' kappa and what it is made of (J. L. Fleiss, "Measuring nominal scale agreement among many raters",
/// Psychological Bulletin 76, 1971).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Kappa {
    /// Tasks that the whole panel judged.
    pub tasks: usize,
    /// Mean share of pairs of annotators that agree on a task, from 0 to 1.
    pub observed: f64,
    /// The share to be expected by chance, given how often each verdict is used.
    pub expected: f64,
    /// (observed − expected) ÷ (1 − expected); `None` without tasks, or when everyone always says the same.
    pub kappa: Option<f64>,
}

/// Fleiss' kappa of a table with a row a task and a column a verdict, each cell the number of annotators who gave it.
///
/// Every row has the same sum, of at least 2.
fn fleiss(table: &[[usize; 3]]) -> Kappa {
    let tasks = table.len();
    let raters: usize = table.first().map_or(0, |row| row.iter().sum());
    if raters < 2 {
        return Kappa { tasks, observed: 0.0, expected: 0.0, kappa: None };
    }
    let pairs = (raters * (raters - 1)) as f64;
    let agreeing = |row: &[usize; 3]| row.iter().map(|count| count * count.saturating_sub(1)).sum::<usize>() as f64;
    let observed = table.iter().map(|row| agreeing(row) / pairs).sum::<f64>() / tasks as f64;
    let share = |verdict: usize| table.iter().map(|row| row[verdict]).sum::<usize>() as f64 / (tasks * raters) as f64;
    let expected: f64 = (0..3).map(|verdict| share(verdict).powi(2)).sum();
    let room = 1.0 - expected;
    let kappa = (room > 1e-12).then(|| (observed - expected) / room);
    Kappa { tasks, observed, expected, kappa }
}

/// A task on which the panel disagreed while its members were blind to each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PanelDisagreement {
    pub instance_id: String,
    /// What each said at first.
    pub blind: Vec<Judgement>,
    /// What each says now.
    pub now: Vec<Judgement>,
    pub settled: bool,
}

/// Agreement on the tasks that the whole panel judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PanelAgreement {
    /// How many annotators make a panel.
    pub panel: usize,
    pub kappa: Kappa,
    /// How often each verdict was given: fair, unfair, ambiguous.
    pub verdicts: [usize; 3],
    pub disagreements: Vec<PanelDisagreement>,
}

impl PanelAgreement {
    /// The agreement in a ledger. What was said after the panel could see each other does not count for kappa.
    pub fn of(ledger: &Ledger) -> PanelAgreement {
        let mut table = Vec::new();
        let mut disagreements = Vec::new();
        for (instance_id, blind) in ledger.complete() {
            let row = FairnessVerdict::ALL
                .map(|verdict| blind.iter().filter(|judgement| judgement.verdict == verdict).count());
            table.push(row);
            if !row.contains(&PANEL) {
                let now: Vec<Judgement> = ledger.of_task(instance_id).into_iter().cloned().collect();
                let settled = now.len() == PANEL && now.windows(2).all(|pair| pair[0].verdict == pair[1].verdict);
                disagreements.push(PanelDisagreement { instance_id: instance_id.to_owned(), blind, now, settled });
            }
        }
        let verdicts = [0, 1, 2].map(|verdict| table.iter().map(|row: &[usize; 3]| row[verdict]).sum());
        PanelAgreement { panel: PANEL, kappa: fleiss(&table), verdicts, disagreements }
    }
}

/// The verdict of more than half of the panel, as it stands now; `None` if no verdict has so many.
pub fn majority(judgements: &[&Judgement]) -> Option<FairnessVerdict> {
    let mut counts: BTreeMap<FairnessVerdict, usize> = BTreeMap::new();
    for judgement in judgements {
        *counts.entry(judgement.verdict).or_default() += 1;
    }
    counts.into_iter().find(|(_, count)| count * 2 > PANEL).map(|(verdict, _)| verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn kappa_of_a_table_worked_by_hand() {
        // Rows agree by 1, 1/3, 1/3, 0: the mean is 5/12. Shares are 6/12, 4/12, 2/12: chance is 14/36.
        let kappa = fleiss(&[[3, 0, 0], [2, 1, 0], [0, 2, 1], [1, 1, 1]]);
        assert!((kappa.observed - 5.0 / 12.0).abs() < 1e-12);
        assert!((kappa.expected - 14.0 / 36.0).abs() < 1e-12);
        assert!((kappa.kappa.unwrap() - (5.0 / 12.0 - 14.0 / 36.0) / (22.0 / 36.0)).abs() < 1e-12);
    }

    #[test]
    fn kappa_is_one_for_full_agreement_and_undefined_for_one_verdict_or_no_task() {
        assert!((fleiss(&[[3, 0, 0], [0, 3, 0]]).kappa.unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(fleiss(&[[3, 0, 0], [3, 0, 0]]).kappa, None);
        assert_eq!(fleiss(&[]).kappa, None);
    }

    #[test]
    fn two_of_three_are_a_majority_and_one_is_not() {
        let judge = |verdict| super::super::judgement::sample("t", "a", verdict);
        let (fair, unfair, unclear) =
            (judge(FairnessVerdict::Fair), judge(FairnessVerdict::Unfair), judge(FairnessVerdict::Ambiguous));
        assert_eq!(majority(&[&fair, &unfair, &fair]), Some(FairnessVerdict::Fair));
        assert_eq!(majority(&[&fair, &unfair, &unclear]), None);
        assert_eq!(majority(&[&unfair]), None);
    }

    proptest! {
        #[test]
        fn kappa_is_at_most_one_whatever_three_people_say(rows in prop::collection::vec(0usize..27, 1..40)) {
            let table: Vec<[usize; 3]> = rows.iter().map(|code| {
                let mut row = [0; 3];
                for verdict in [code % 3, code / 3 % 3, code / 9] { row[verdict] += 1; }
                row
            }).collect();
            let kappa = fleiss(&table);
            prop_assert!((0.0..=1.0).contains(&kappa.observed));
            prop_assert!(kappa.kappa.is_none_or(|kappa| (-1.0..=1.0 + 1e-9).contains(&kappa)));
        }
    }
}
