//! A fault as a taxonomy file spells it, and its checks.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::leaf::{Leaf, LeafName, Leaves};
use super::many::Many;
use super::model::{
    Clause, CritiqueTemplates, EntryOrigin, Example, Expectation, Family, Fault, FoundAt, Need, Planting, PolicyFault,
    Rule,
};
use super::operator::Operator;
use super::track::Track;
use crate::engine::policy::Policy;

/// The variables that critique templates may use.
pub const CRITIQUE_VARIABLES: [&str; 8] =
    ["reference", "broken", "column", "relation", "place", "clause", "decision", "other_decision"];

/// The variables that a wording of a rule may use; a wording is used where all of its variables are known.
///
/// `column` and `relation` are what the fault is about, `other` is the column that stands there by mistake; `entries`
/// names the rows to which a join adds the relation, `partners` those of the relation, where people have words for
/// them; `figure` is the output that the place belongs to, `keys` are what rows are grouped or partitioned by,
/// `direction` is that of an ordering; `limit` is the boundary of a comparison and `counts` says whether the boundary
/// itself is included; `separator` parts the entries of a text, `default` is the value that stands in for a missing one
/// and `substitute` the column that does; `condition` is a condition, `conditions` are those that an AND or OR joins, and `value` is a literal that the broken
/// script lacks;
/// `decision` is what the specification says of a decision.
pub const RULE_VARIABLES: [&str; 17] = [
    "column", "relation", "entries", "partners", "other", "separator", "limit", "counts", "direction", "keys",
    "figure", "default", "substitute", "condition", "conditions", "value", "decision",
];

/// One entry of a taxonomy file, unchecked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    id: String,
    track: Track,
    leaf: Many<LeafName>,
    #[serde(default)]
    counts_for: Option<LeafName>,
    #[serde(default = "one")]
    weight: f64,
    #[serde(default)]
    family: Option<Family>,
    found_at: FoundAt,
    summary: String,
    why_missed: String,
    #[serde(default)]
    operator: Option<Operator>,
    #[serde(default)]
    not_shown: Option<String>,
    #[serde(default)]
    policy: Option<Policy>,
    #[serde(default)]
    needs: Many<Need>,
    expect: Expectation,
    clause: Clause,
    critique: CritiqueTemplates,
    #[serde(default)]
    rule: Many<String>,
    #[serde(default)]
    rule_by_word: BTreeMap<String, Many<String>>,
    #[serde(default)]
    rule_of_change: Many<String>,
    #[serde(default)]
    rule_of_exclusion: Many<String>,
    #[serde(default)]
    rule_of_value: Many<String>,
    #[serde(default)]
    example: Option<Example>,
    #[serde(default)]
    more_examples: Vec<Example>,
    #[serde(default)]
    never: Vec<String>,
}

fn one() -> f64 {
    1.0
}

impl Entry {
    /// Returns the checked fault.
    pub(super) fn check(self, origin: EntryOrigin, leaves: &Leaves) -> Result<Fault, String> {
        check_id(&self.id)?;
        self.check_fields()?;
        let rule = Rule {
            wordings: self.rule.to_vec(),
            of_change: self.rule_of_change.to_vec(),
            of_exclusion: self.rule_of_exclusion.to_vec(),
            of_value: self.rule_of_value.to_vec(),
            by_word: self.rule_by_word.into_iter().map(|(word, wordings)| (word, wordings.to_vec())).collect(),
        };
        check_rule(self.track, &rule)?;
        let find = |name: &LeafName| leaves.find(name.clone(), self.track);
        let counts_for = self.counts_for.as_ref().map(find).transpose()?;
        let leaves: Vec<Leaf> = self.leaf.iter().map(find).collect::<Result<_, _>>()?;
        check_counts_for(&leaves, counts_for.as_ref())?;
        let planting = planting(self.operator, self.not_shown, self.policy)?;
        let examples: Vec<Example> = self.example.into_iter().chain(self.more_examples).collect();
        check_examples(&planting, &examples, &self.never)?;
        Ok(Fault {
            id: self.id,
            track: self.track,
            leaves,
            counts_for,
            weight: self.weight,
            family: self.family,
            found_at: self.found_at,
            summary: self.summary,
            why_missed: self.why_missed,
            planting,
            needs: self.needs.to_vec(),
            expect: self.expect,
            clause: self.clause,
            critique: self.critique,
            rule,
            examples,
            never: self.never,
            origin,
        })
    }

    fn check_fields(&self) -> Result<(), String> {
        if self.leaf.is_empty() {
            return Err("`leaf` needs at least one name".to_owned());
        }
        if !(self.weight > 0.0 && self.weight.is_finite()) {
            return Err("`weight` must be above 0".to_owned());
        }
        let rejected = self.expect.is_rejection();
        match self.track {
            Track::Syntax if !rejected => return Err("a syntax fault must `expect` a rejection".to_owned()),
            Track::Semantic if rejected => return Err("a semantic fault must not `expect` a rejection".to_owned()),
            Track::Semantic if self.needs.is_empty() => return Err("a semantic fault needs `needs`".to_owned()),
            _ => {}
        }
        check_template("critique.wrong", &self.critique.wrong, &CRITIQUE_VARIABLES)?;
        check_template("critique.mend", &self.critique.mend, &CRITIQUE_VARIABLES)
    }
}

/// Checks that a fault counts for a leaf of the paper that stands beside its own.
fn check_counts_for(leaves: &[Leaf], counts_for: Option<&Leaf>) -> Result<(), String> {
    let Some(row) = counts_for else { return Ok(()) };
    let is_beside = leaves.iter().any(|leaf| leaf.level1 == row.level1 && leaf.level2 == row.level2);
    match is_beside && row.count > 0 {
        true => Ok(()),
        false => Err("`counts_for` must name a leaf of the paper under the same level1 and level2".to_owned()),
    }
}

fn check_rule(track: Track, rule: &Rule) -> Result<(), String> {
    match track {
        Track::Syntax if !rule.is_empty() => Err("a syntax fault has an error message and no `rule`".to_owned()),
        Track::Semantic if rule.is_empty() => Err("a semantic fault needs a `rule`".to_owned()),
        _ => rule.all().try_for_each(|wording| check_template("rule", wording, &RULE_VARIABLES)),
    }
}

fn planting(operator: Option<Operator>, not_shown: Option<String>, policy: Option<Policy>) -> Result<Planting, String> {
    match (operator.map(Box::new), not_shown, policy) {
        (Some(operator), None, None) => Ok(Planting::By(operator)),
        (None, Some(reason), None) => Ok(Planting::NotShown(reason)),
        (Some(operator), Some(reason), Some(policy)) => {
            Ok(Planting::PolicyFault(PolicyFault { policy, reason, operator, on: false }))
        }
        (_, _, Some(_)) => {
            Err("a `policy` needs an `operator`, and the reason why no engine shows it as `not_shown`".to_owned())
        }
        (Some(_), Some(_), None) => {
            Err("give `operator` or `not_shown`, not both, unless a `policy` refuses it".to_owned())
        }
        (None, None, None) => Err("give an `operator`, or a reason as `not_shown`".to_owned()),
    }
}

fn check_examples(planting: &Planting, examples: &[Example], never: &[String]) -> Result<(), String> {
    // The composer records decisions beside a script, not in it, so no example can show one.
    let of_decision = |operator: &Operator| matches!(operator, Operator::TurnDecision(_));
    if matches!(planting, Planting::NotShown(_)) || matches!(planting, Planting::By(operator) if of_decision(operator))
    {
        return Ok(());
    }
    if examples.is_empty() {
        return Err("an `example` is needed".to_owned());
    }
    if never.len() < 2 {
        return Err("`never` needs two scripts that the operator must leave alone".to_owned());
    }
    Ok(())
}

/// Ids are lower-case words joined by hyphens.
fn check_id(id: &str) -> Result<(), String> {
    let word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if id.split('-').all(word) { Ok(()) } else { Err(format!("id `{id}` must be lower-case words joined by hyphens")) }
}

/// Checks that a template reads and uses only `known` variables.
fn check_template(field: &str, template: &str, known: &[&str]) -> Result<(), String> {
    let environment = minijinja::Environment::new();
    let read =
        environment.template_from_str(template).map_err(|error| format!("`{field}` is not a template: {error}"))?;
    match read.undeclared_variables(false).into_iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(format!("`{field}` uses `{name}`; it may use {}", known.join(", "))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_lower_case_words_joined_by_hyphens() {
        assert!(check_id("left-join-made-inner").is_ok());
        for wrong in ["", "Left-join", "a--b", "a_b", "-a"] {
            assert!(check_id(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn templates_use_known_variables_only() {
        let check = |template| check_template("wrong", template, &CRITIQUE_VARIABLES);
        assert!(check("{{ column }} of {{relation}}").is_ok());
        assert!(check("{{ colum }}").unwrap_err().contains("`colum`"));
        assert!(check("{{ column").is_err());
    }
}
