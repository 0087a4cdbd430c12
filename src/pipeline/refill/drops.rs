//! Which tasks are dropped, and why.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};

use super::existing::ExistingRun;
use crate::fault::{Taxonomy, Track};
use crate::publish::dropped::{Dropped, DroppedBy};

/// The dropped tasks, and the decisions on those that stay.
pub(super) struct Drops {
    /// Every line of the record of dropped tasks, those of earlier refills first.
    pub lines: Vec<Dropped>,
    /// How many lines at the end are of this refill.
    pub fresh: usize,
    /// Decisions on the tasks that stay.
    pub decisions: Vec<Value>,
}

impl Drops {
    /// Reads the decisions on a run.
    pub fn of(run: &ExistingRun, taxonomy: &Taxonomy) -> Drops {
        let round = run.funnel.refill.as_ref().map_or(0, |refill| refill.rounds) + 1;
        let (mut lines, mut fresh): (Vec<Dropped>, Vec<Dropped>) =
            run.dropped.iter().cloned().partition(|line| line.refill.is_some());
        // The last decision on a task counts.
        let latest: BTreeMap<&str, &Value> = run.decisions.iter().filter_map(|line| Some((id(line)?, line))).collect();
        let decided = latest.into_iter().filter(|(id, _)| run.tasks.contains_key(*id));
        fresh.extend(decided.filter_map(|(id, line)| dropped(id, line)));
        for line in &mut fresh {
            line.refill = Some(round);
            describe(line, run, taxonomy);
        }
        let count = fresh.len();
        lines.extend(fresh);
        let gone: HashSet<&str> = lines.iter().map(|line| line.instance_id.as_str()).collect();
        let stays = |line: &&Value| id(line).is_none_or(|id| !gone.contains(id));
        Drops { decisions: run.decisions.iter().filter(stays).cloned().collect(), fresh: count, lines }
    }

    /// The lines of this refill.
    pub fn fresh(&self) -> &[Dropped] {
        &self.lines[self.lines.len() - self.fresh..]
    }

    /// Whether this refill or an earlier one drops a task.
    pub fn has(&self, id: &str) -> bool {
        self.lines.iter().any(|line| line.instance_id == id)
    }
}

fn id(line: &Value) -> Option<&str> {
    line.get("instance_id")?.as_str()
}

/// Reads a decision; `None` if it does not drop its task.
fn dropped(id: &str, line: &Value) -> Option<Dropped> {
    let count = |name: &str| line.get(name).and_then(Value::as_u64);
    let (by, reason) = match line.get("decision")?.as_str()? {
        "too_easy" => match (count("solved"), count("tried")) {
            (Some(solved), Some(tried)) => (DroppedBy::Sift, format!("{solved} of {tried} solvers repair it")),
            _ => (DroppedBy::Sift, "most solvers repair it".to_owned()),
        },
        "removed" => (DroppedBy::Review, "most reviewers find it unfair".to_owned()),
        _ => return None,
    };
    let rest = serde_json::Map::from_iter([("decision".to_owned(), line.clone())]);
    Some(Dropped { instance_id: id.to_owned(), reason, by, refill: None, rest })
}

/// Adds track, script and faults of a task to its line.
fn describe(line: &mut Dropped, run: &ExistingRun, taxonomy: &Taxonomy) {
    let Some(mutant) = run.mutants.get(&line.instance_id) else { return };
    let faults: Vec<&str> = mutant.fault.split('+').collect();
    let known = run.tasks.get(&line.instance_id).map(|(task, _)| task.track());
    let track = known.or_else(|| Some(taxonomy.fault(faults[0])?.track));
    line.rest.insert("track".to_owned(), json!(track));
    line.rest.insert("script".to_owned(), json!(mutant.script));
    line.rest.insert("faults".to_owned(), json!(faults));
}

/// Returns the track of a dropped task, if it is known.
pub(super) fn track(line: &Dropped) -> Option<Track> {
    serde_json::from_value(line.rest.get("track")?.clone()).ok()
}

/// Returns the faults of a dropped task, as far as they are known.
pub(super) fn faults(line: &Dropped) -> impl Iterator<Item = &str> {
    line.rest.get("faults").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_too_easy_and_removed_tasks_go() {
        for (line, by, reason) in [
            (json!({"decision": "too_easy", "solved": 3, "tried": 4}), DroppedBy::Sift, "3 of 4 solvers repair it"),
            (json!({"decision": "too_easy"}), DroppedBy::Sift, "most solvers repair it"),
            (json!({"decision": "removed", "by": "review"}), DroppedBy::Review, "most reviewers find it unfair"),
        ] {
            let dropped = dropped("a", &line).unwrap();
            assert_eq!((dropped.by, dropped.reason.as_str()), (by, reason));
            assert_eq!(dropped.rest["decision"], line);
        }
        for stays in ["kept", "queued", "undecided", "", "TOO_EASY"] {
            assert_eq!(dropped("a", &json!({"decision": stays})), None, "{stays}");
        }
        assert_eq!(dropped("a", &json!({"solved": 1})), None);
    }
}
