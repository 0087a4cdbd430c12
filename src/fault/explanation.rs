//! Faults in words.

use std::fmt::Write as _;

use super::leaf::Leaf;
use super::model::{Family, Fault, FoundAt, Planting, PolicyFault};
use super::operator::Operator;
use super::track::Track;

impl Family {
    /// What the bugs of the family have in common.
    pub fn title(self) -> &'static str {
        match self {
            Family::RowMultiplication => "rows multiply and are counted twice",
            Family::OuterJoinNarrowed => "an outer join silently becomes narrower",
            Family::Time => "time: window edges, as-of bounds, job date against row date",
            Family::WrongSibling => "a wrong sibling of the same type",
            Family::WrongPopulation => "wrong population: a filter missing, too wide or too narrow",
            Family::PositionAndType => "position and type",
            Family::Grain => "grain: grouping or de-duplication at the wrong level",
            Family::MissingValues => "NULL, empty collections and sentinel values",
            Family::KeyNormalization => "a key normalized differently on the two sides",
            Family::DataDependentFailure => "fails on some data only",
            Family::StateBetweenRuns => "state between runs",
        }
    }
}

impl Fault {
    /// Whether it is planted without code of its own.
    pub fn is_declarative(&self) -> bool {
        self.operator().is_some_and(|operator| !matches!(operator, Operator::Function(_)))
    }

    /// How it is planted, in short: the primitive operator, `function`, `not shown`, or `policy` and the policy's name.
    pub fn planted_by(&self) -> String {
        match &self.planting {
            Planting::NotShown(_) => "not shown".to_owned(),
            Planting::By(operator) => name(operator),
            Planting::PolicyFault(policed) => format!("policy {}", policed.policy.name()),
        }
    }

    /// The explanation of the fault, as Markdown; `prevalence` is the number of tasks of the paper's benchmark that it
    /// stands for (see [`Taxonomy::prevalence`](super::Taxonomy::prevalence)).
    pub fn explanation(&self, prevalence: f64) -> String {
        let mut text = format!("{}\n", self.summary);
        for example in &self.examples {
            let _ = write!(text, "\n```diff\n{}{}```\n", prefixed('-', &example.before), prefixed('+', &example.after));
        }
        let _ = writeln!(text, "\n- **Why a reviewer misses it:** {}", self.why_missed);
        let _ = writeln!(text, "- **What a database needs to show it:** {}", self.needed());
        let _ = writeln!(text, "- **When it is found:** {}", found_at(self.found_at));
        let _ = writeln!(text, "- **How often:** {}", often(prevalence));
        for leaf in &self.leaves {
            let source = if leaf.count > 0 { format!("paper, {} tasks", leaf.count) } else { "ours".to_owned() };
            let _ = writeln!(text, "- **Label:** {} / {} / {} ({source})", leaf.level1, leaf.level2, leaf.level3);
        }
        if let Some(Leaf { level3, count, .. }) = &self.counts_for {
            let _ = writeln!(text, "- **Counts in the mix for:** {level3} (paper, {count} tasks)");
        }
        if let Some(family) = self.family {
            let _ = writeln!(text, "- **Family of shipped bugs:** {}", family.title());
        }
        match &self.planting {
            Planting::By(_) => {
                let _ = writeln!(text, "- **Planted by:** `{}`, `taxonomy/{}`", self.planted_by(), self.origin.file);
            }
            Planting::NotShown(reason) => {
                let _ = writeln!(text, "- **Not shown by any engine at hand:** {reason}");
            }
            Planting::PolicyFault(PolicyFault { policy, reason, operator, .. }) => {
                let (policy, operator, file) = (policy.name(), name(operator), &self.origin.file);
                let _ = writeln!(text, "- **Not shown by any engine at hand:** {reason}");
                let _ = writeln!(
                    text,
                    "- **Refused by a policy:** `--policy {policy}` makes it an error, told as that platform tells it"
                );
                let _ =
                    writeln!(text, "- **Planted by:** `{operator}` where the policy is switched on, `taxonomy/{file}`");
            }
        }
        text
    }

    fn needed(&self) -> String {
        if self.track == Track::Syntax {
            let who = if self.policy().is_some() { "policy" } else { "engine" };
            return format!("nothing, the {who} refuses the script");
        }
        if self.needs.is_empty() {
            return "rows that reach the place".to_owned();
        }
        let words: Vec<String> =
            self.needs.iter().map(|need| snake_case(&format!("{need:?}")).replace('_', " ")).collect();
        words.join("; ")
    }
}

fn found_at(found_at: FoundAt) -> &'static str {
    match found_at {
        FoundAt::FirstRun => "by the first run, or by the first look at its result",
        FoundAt::Production => "in production; it passed review",
    }
}

fn often(prevalence: f64) -> String {
    if prevalence > 0.0 {
        format!("stands for {prevalence:.1} tasks of the paper's benchmark")
    } else {
        "not in the paper's benchmark; see its family".to_owned()
    }
}

fn prefixed(sign: char, code: &str) -> String {
    code.trim_end().lines().map(|line| format!("{sign} {line}\n")).collect()
}

/// A primitive operator as taxonomy files call it.
fn name(operator: &Operator) -> String {
    // The variant's name comes first in what `Debug` prints.
    let name: String = format!("{operator:?}").chars().take_while(|c| c.is_alphanumeric()).collect();
    snake_case(&name)
}

fn snake_case(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}
