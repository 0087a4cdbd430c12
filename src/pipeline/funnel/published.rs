//! Tasks that are published, counted from their records.

use super::numbers::Funnel;
use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;
use crate::fault::{Fault, Taxonomy};
use crate::inject::Mutant;
use crate::publish::record::{GoldRecord, TaskRecord};

impl Funnel {
    /// Counts a task as published, from its records alone.
    pub(in super::super) fn count_task(&mut self, taxonomy: &Taxonomy, task: &TaskRecord, gold: &GoldRecord) {
        let script = Script::new(gold.reference_sql.as_str());
        let planted = gold.edits.inverse(&task.issue_sql);
        let cost = |chosen: &[Edit]| {
            let pairs = gold.edits.as_slice().iter().zip(planted.as_slice());
            let own = pairs.filter(|(repair, _)| chosen.contains(repair)).map(|(_, planted)| planted.clone());
            // A subset of disjoint edits is disjoint.
            let edits = Edits::new(own.collect()).unwrap_or_default();
            Mutant::of_edits("", "", "", edits).tokens_changed(&script)
        };
        let costs: Vec<(&Fault, usize)> = match gold.parts.as_slice() {
            [] => {
                let fault = gold.labels.first().and_then(|label| taxonomy.fault(&label.fault));
                fault.into_iter().map(|fault| (fault, cost(gold.edits.as_slice()))).collect()
            }
            parts => {
                let known = parts.iter().filter_map(|part| Some((taxonomy.fault(&part.fault)?, part)));
                known.map(|(fault, part)| (fault, cost(part.edits.as_slice()))).collect()
            }
        };
        self.publish(task.track(), &costs);
    }
}
