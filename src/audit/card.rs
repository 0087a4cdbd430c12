//! The attacks that are made on every run when it is built: those that cost next to nothing.

use std::collections::BTreeMap;

use super::anomaly::restore_layout;
use super::attack::{AttackAnswers, Public, changed};
use super::nearest::nearest;
use super::report::HEADING;
use super::siblings::vote;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::corpus::embedded;
use crate::parallel;
use crate::publish::record::{GoldRecord, TaskRecord};
use crate::score::graph_match;

/// Returns the section of a run's card on these attacks, whose answers are judged by text and graph alone. `audit`
/// replaces it with its own.
pub fn card_section(records: &BTreeMap<String, (TaskRecord, GoldRecord)>, jobs: usize) -> String {
    let tasks: Vec<TaskRecord> = records.values().map(|(task, _)| task.clone()).collect();
    let own = embedded().into_iter().filter_map(Result::ok);
    let scripts: Vec<String> = own.map(|reference| reference.script.text().to_owned()).collect();
    let public = Public { tasks: &tasks, scripts: &scripts };
    let layout = |task: &TaskRecord| changed(task, restore_layout(&task.issue_sql)?);
    let attacks = [
        ("nearest public script", nearest(public, jobs)),
        ("sibling vote", vote(public, jobs)),
        ("restoring the layout", parallel::map(jobs, &tasks, layout)),
    ];
    let mut section = format!("\n{HEADING}\n\n| attack | answered | EM | GM |\n|---|---|---|---|\n");
    for (attack, answers) in attacks {
        let answered = answers.iter().flatten().count();
        let Judged { em, gm } = judged(records, &answers, jobs);
        let of = tasks.len();
        section.push_str(&format!("| {attack} | {answered} of {of} | {} | {} |\n", percent(em, of), percent(gm, of)));
    }
    section.push_str("\n`sqlfault audit` makes further attacks, and judges their answers on databases too.\n");
    section
}

/// Numbers of right answers.
struct Judged {
    em: usize,
    gm: usize,
}

fn judged(records: &BTreeMap<String, (TaskRecord, GoldRecord)>, answers: &AttackAnswers, jobs: usize) -> Judged {
    let marks = parallel::map(jobs, records.values().zip(answers), |((task, gold), answer)| {
        let Some(answer) = answer else { return [false, false] };
        let is_same = *answer == gold.reference_sql;
        let matches = || {
            Schema::read(&task.schema_ddl).is_ok_and(|schema| {
                graph_match(&Script::new(answer.as_str()), &Script::new(gold.reference_sql.as_str()), &schema)
            })
        };
        [is_same, is_same || matches()]
    });
    let count = |which: usize| marks.iter().filter(|marks| marks[which]).count();
    Judged { em: count(0), gm: count(1) }
}

fn percent(count: usize, of: usize) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of.max(1) as f64)
}
