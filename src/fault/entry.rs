//! A fault as a taxonomy file spells it, and its checks.

use serde::Deserialize;

use super::many::Many;
use super::model::{
    Clause, Critique, Example, Expectation, Family, Fault, Label, Moment, Need, Origin, Planting, Policed, Symptom,
    Track,
};
use super::operator::Operator;
use crate::engine::policy::Policy;

/// The variables that critique templates may use.
pub const CRITIQUE_VARIABLES: [&str; 6] = ["reference", "broken", "column", "relation", "place", "clause"];

/// One entry of a taxonomy file, unchecked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    id: String,
    track: Track,
    labels: Vec<Label>,
    #[serde(default = "one")]
    weight: f64,
    #[serde(default)]
    family: Option<Family>,
    moment: Moment,
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
    critique: Critique,
    #[serde(default)]
    complaint: Many<Symptom>,
    #[serde(default)]
    wish: Many<String>,
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
    /// The checked fault, or what is wrong with the entry.
    pub(super) fn check(self, origin: Origin) -> Result<Fault, String> {
        check_id(&self.id)?;
        self.check_fields()?;
        let planting = planting(self.operator, self.not_shown, self.policy)?;
        let examples: Vec<Example> = self.example.into_iter().chain(self.more_examples).collect();
        check_examples(&planting, &examples, &self.never)?;
        Ok(Fault {
            id: self.id,
            track: self.track,
            labels: self.labels,
            weight: self.weight,
            family: self.family,
            moment: self.moment,
            summary: self.summary,
            why_missed: self.why_missed,
            planting,
            needs: self.needs.to_vec(),
            expect: self.expect,
            clause: self.clause,
            critique: self.critique,
            complaint: self.complaint.to_vec(),
            wish: self.wish.to_vec(),
            examples,
            never: self.never,
            origin,
        })
    }

    fn check_fields(&self) -> Result<(), String> {
        if self.labels.is_empty() {
            return Err("`labels` needs at least one row".to_owned());
        }
        if !(self.weight > 0.0 && self.weight.is_finite()) {
            return Err("`weight` must be above 0".to_owned());
        }
        if self.track == Track::Syntax && !self.wish.is_empty() {
            return Err("a syntax fault has an error message and no `wish`".to_owned());
        }
        let rejected = self.expect.is_rejection();
        match self.track {
            Track::Syntax if !rejected => return Err("a syntax fault must `expect` a rejection".to_owned()),
            Track::Semantic if rejected => return Err("a semantic fault must not `expect` a rejection".to_owned()),
            Track::Semantic if self.complaint.is_empty() => {
                return Err("a semantic fault needs a `complaint`".to_owned());
            }
            Track::Semantic if self.needs.is_empty() => return Err("a semantic fault needs `needs`".to_owned()),
            _ => {}
        }
        check_template("critique.wrong", &self.critique.wrong)?;
        check_template("critique.mend", &self.critique.mend)
    }
}

fn planting(operator: Option<Operator>, not_shown: Option<String>, policy: Option<Policy>) -> Result<Planting, String> {
    match (operator.map(Box::new), not_shown, policy) {
        (Some(operator), None, None) => Ok(Planting::By(operator)),
        (None, Some(reason), None) => Ok(Planting::NotShown(reason)),
        (Some(operator), Some(reason), Some(policy)) => {
            Ok(Planting::Policed(Policed { policy, reason, operator, on: false }))
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
    if matches!(planting, Planting::NotShown(_)) {
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

/// A template may only use [`CRITIQUE_VARIABLES`].
fn check_template(field: &str, template: &str) -> Result<(), String> {
    for part in template.split("{{").skip(1) {
        let Some((name, _)) = part.split_once("}}") else {
            return Err(format!("`{field}` opens `{{{{` and never closes it"));
        };
        if !CRITIQUE_VARIABLES.contains(&name.trim()) {
            return Err(format!("`{field}` uses `{}`; it may use {}", name.trim(), CRITIQUE_VARIABLES.join(", ")));
        }
    }
    Ok(())
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
        assert!(check_template("wrong", "{{ column }} of {{relation}}").is_ok());
        assert!(check_template("wrong", "{{ colum }}").unwrap_err().contains("`colum`"));
        assert!(check_template("wrong", "{{ column").is_err());
    }
}
