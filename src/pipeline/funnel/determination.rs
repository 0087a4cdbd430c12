//! How far the complaints of a run determine their references.

use serde::{Deserialize, Serialize};

/// How far the complaints of a run determine their references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Determination {
    /// Semantic tasks.
    pub tasks: usize,
    /// Tasks with another known repair of the same place that the suite tells apart from the reference.
    pub with_alternatives: usize,
    /// The number of such repairs.
    pub alternatives: usize,
    /// Tasks whose first wording quotes figures that no other repair gives.
    pub at_once: usize,
    /// Tasks for which another row or other words were chosen, so that no other repair gives what is quoted.
    pub chosen: usize,
    /// Tasks whose complaint leaves another repair open that the rows of their public sample rule out.
    #[serde(default)]
    pub by_the_sample: usize,
    /// Tasks for which some other repair gives every figure that could be quoted: only the business rule tells it
    /// apart from the reference.
    pub by_the_rule: usize,
    /// The same, but no rule is stated: the complaint leaves open which repair is meant.
    pub open: usize,
    /// Of these two kinds, tasks with another repair that gives the reference's rows on the sample, or on the
    /// witness if there is no sample.
    pub same_on_witness: usize,
}

impl Determination {
    /// Returns the sums of both.
    #[must_use]
    pub fn plus(self, other: Determination) -> Determination {
        Determination {
            tasks: self.tasks + other.tasks,
            with_alternatives: self.with_alternatives + other.with_alternatives,
            alternatives: self.alternatives + other.alternatives,
            at_once: self.at_once + other.at_once,
            chosen: self.chosen + other.chosen,
            by_the_sample: self.by_the_sample + other.by_the_sample,
            by_the_rule: self.by_the_rule + other.by_the_rule,
            open: self.open + other.open,
            same_on_witness: self.same_on_witness + other.same_on_witness,
        }
    }

    /// Returns the figures as a part of the run's card.
    pub fn card(&self) -> String {
        let Determination { tasks, with_alternatives, alternatives, at_once, chosen, .. } = self;
        let Determination { by_the_sample, by_the_rule, open, same_on_witness, .. } = self;
        if *tasks == 0 {
            return String::new();
        }
        format!(
            "\n## Complaints\n\nFor {with_alternatives} of {tasks} semantic tasks other repairs of the same place are \
             known ({alternatives} in all) that the task's databases tell from the reference. The figures and rows that \
             the complaint quotes rule them all out in {} tasks, in {chosen} of these only because other rows or words \
             were chosen; in {by_the_sample} more the rows of the public sample do. In {by_the_rule} tasks another \
             repair gives them too, and the business rule that the complaint states is left to rule it out; in {open} no \
             rule is stated, which leaves it open. In {same_on_witness} of these {} the sample, or the witness where there \
             is none, does not tell the repairs apart.\n",
            at_once + chosen,
            by_the_rule + open
        )
    }
}
