//! How a run was proved, attacked and confirmed.

use std::collections::BTreeMap;

use serde::Serialize;

use super::files::{RunFileError, RunFiles};
use crate::agreement::{AgreementCount, AgreementReport};
use crate::audit::{AUDIT, Audit, HEADING};
use crate::page::percent;
use crate::pipeline::KillFunnel;

/// The verdicts on semantic mutants.
#[derive(Debug, Serialize)]
pub struct ProofNumbers {
    /// The numbers of the build.
    pub kills: KillFunnel,
    /// Mutants proved equivalent.
    pub equivalent: usize,
    /// Mutants neither killed nor proved equivalent.
    pub gaps: usize,
}

impl ProofNumbers {
    /// Adds up the numbers of the build.
    pub(super) fn of(kills: &KillFunnel) -> ProofNumbers {
        ProofNumbers {
            kills: kills.clone(),
            equivalent: kills.equivalent.values().sum(),
            gaps: kills.gaps.values().map(Vec::len).sum(),
        }
    }
}

/// What attacks got right.
#[derive(Debug, Serialize)]
pub struct AttackTable {
    /// The whole audit; `None` if only the build attacked.
    pub audit: Option<Audit>,
    pub rows: Vec<AttackRow>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct AttackRow {
    pub attack: String,
    /// Answered tasks, and percentages of right answers: EM, GM and, in an audit, accepted.
    pub cells: Vec<String>,
}

/// Returns the attacks of `sqlfault audit`, or else those that the build wrote on the card; `None` if there are neither.
pub(super) fn attacks(files: &RunFiles<'_>) -> Result<Option<AttackTable>, RunFileError> {
    if let Some(audit) = files.json::<Audit>(AUDIT)? {
        let row = |score: &crate::audit::AttackScore| AttackRow {
            attack: score.attack.clone(),
            cells: [score.answered.to_string()]
                .into_iter()
                .chain([score.em, score.gm, score.accepted].map(percent))
                .collect(),
        };
        return Ok(Some(AttackTable { rows: audit.attacks.iter().map(row).collect(), audit: Some(audit) }));
    }
    let card = files.text("card.md")?.unwrap_or_default();
    let lines = card.lines().skip_while(|line| *line != HEADING).filter(|line| line.starts_with('|')).skip(2);
    let rows: Vec<AttackRow> = lines.filter_map(of_card).collect();
    Ok((!rows.is_empty()).then_some(AttackTable { audit: None, rows }))
}

/// Reads `| attack | answered of tasks | EM % | GM % |`.
fn of_card(line: &str) -> Option<AttackRow> {
    let mut cells = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_end_matches(" %").to_owned());
    let attack = cells.next()?;
    let cells = cells.map(|cell| cell.split(" of ").next().unwrap_or_default().to_owned()).collect();
    Some(AttackRow { attack, cells })
}

/// What Spark says of a run.
#[derive(Debug, Serialize)]
pub struct SparkAgreement {
    /// Its name and version.
    pub engine: String,
    pub references: usize,
    pub mutants: usize,
    /// What was compared, and how often both agreed.
    pub compared: Vec<(&'static str, AgreementCount)>,
    /// Disagreements by kind and cause, with their numbers.
    pub disagreements: Vec<(&'static str, &'static str, usize)>,
}

/// Returns what Spark says; `None` if it was not asked.
pub(super) fn spark(files: &RunFiles<'_>) -> Result<Option<SparkAgreement>, RunFileError> {
    let report: Option<AgreementReport> = files.json("agreement.json")?;
    Ok(report.map(|report| {
        let total = report.total;
        let mut groups: BTreeMap<_, usize> = BTreeMap::new();
        for it in &report.disagreements {
            *groups.entry((it.about.words(), it.traced_to.words())).or_default() += 1;
        }
        SparkAgreement {
            engine: report.engine,
            references: report.references,
            mutants: report.mutants,
            compared: vec![
                ("accepted", total.accepted),
                ("class", total.class),
                ("place", total.place),
                ("results", total.results),
                ("kills", total.kills),
            ],
            disagreements: groups.into_iter().map(|((about, why), count)| (about, why, count)).collect(),
        }
    }))
}
