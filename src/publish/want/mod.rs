//! What the user wants: the business rule that the reference implements, in words without SQL.

mod slots;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::complaint::Intent;
use super::leak::{Secrets, leaks};
use crate::fault::{Clause, Fault, Many, Symptom};
use crate::inject::Mutant;
use crate::prove::Subject;

/// The rule for a mutant: the fault's own words where there are some that fit the place and give nothing away, else
/// words for its first symptom.
pub fn intent(subject: &Subject<'_>, fault: &Fault, mutant: &Mutant) -> Intent {
    let slots = slots::slots(subject, mutant);
    let site = format!("{}/{}", fault.id, slots::replaced_word(subject, mutant));
    let known = [site.as_str(), fault.id.as_str()].into_iter().filter_map(|key| RULES.get(key).map(|rules| &**rules));
    let wordings = known.chain(std::iter::once(fault.wish.as_slice()));
    let fair = wordings.filter_map(|rules| choose(rules, &slots, (subject, fault, mutant))).next();
    let relation = slots.contains_key("relation") && matches!(fault.clause, Clause::Join | Clause::On | Clause::From);
    let template = fair.unwrap_or_else(|| by_symptom(fault, slots.contains_key("column"), relation));
    Intent { template: template.to_owned(), slots }
}

/// Whether an intent says the fault's own rule, and not one for all faults with its symptom.
pub fn is_own(fault: &Fault, intent: &Intent) -> bool {
    let of_fault =
        |key: &str| key == fault.id || key.strip_prefix(&*fault.id).is_some_and(|rest| rest.starts_with('/'));
    let rules = RULES.iter().filter(|(key, _)| of_fault(key)).flat_map(|(_, rules)| rules.iter());
    rules.chain(fault.wish.as_slice()).any(|rule| *rule == intent.template)
}

/// Wordings of the rules of single faults, by the fault's id, or by id and the first word that the edit replaces.
static RULES: LazyLock<BTreeMap<String, Many<String>>> = LazyLock::new(|| {
    // The file is part of the binary and a test reads it: it cannot fail at a user's.
    serde_saphyr::from_str(include_str!("../../../templates/complaint/rules.yaml")).unwrap_or_default()
});

/// Every slot that a rule may use; `templates/complaint/rules.yaml` says what they are.
#[cfg(test)]
pub(super) const SLOTS: [&str; 10] =
    ["column", "relation", "other", "separator", "limit", "counts", "direction", "keys", "figure", "default"];

/// All wordings of a fault's rule, whatever the place.
#[cfg(test)]
pub(super) fn wordings(fault: &str) -> Vec<&'static str> {
    let rules = RULES.iter().filter(|(key, _)| key.split('/').next() == Some(fault));
    rules.flat_map(|(_, rules)| rules.iter()).map(String::as_str).collect()
}

/// Of the wordings whose slots are known and that give nothing away, one of those that use most slots; the mutant's id
/// chooses among them.
fn choose<'a>(
    rules: &'a [String],
    known: &BTreeMap<String, String>,
    (subject, fault, mutant): (&Subject<'_>, &Fault, &Mutant),
) -> Option<&'a str> {
    let original = subject.reference.script.text();
    let issue = mutant.text(original).ok()?;
    let repair = mutant.edits.inverse(original);
    let secrets = Secrets { fault: &fault.id, operator: "", issue_sql: &issue, repair: &repair };
    let is_fair = |template: &&String| {
        let text = rendered(template, known);
        text.is_some_and(|text| leaks(&text, &[], &secrets).is_empty() && !says_twice(&text))
    };
    let fair: Vec<&String> = rules.iter().filter(is_fair).collect();
    let most = fair.iter().map(|template| needs(template).len()).max()?;
    let best: Vec<&String> = fair.into_iter().filter(|template| needs(template).len() + 1 > most).collect();
    let digest = Sha256::digest(&mutant.id);
    best.get(usize::from(digest[0]) % best.len().max(1)).map(|template| template.as_str())
}

/// Names of the slots that a wording uses.
fn needs(template: &str) -> BTreeSet<&str> {
    template.split("{{").skip(1).filter_map(|part| part.split_once("}}")).map(|(name, _)| name.trim()).collect()
}

/// The wording with its slots filled; none when one is not known.
fn rendered(template: &str, known: &BTreeMap<String, String>) -> Option<String> {
    let mut text = template.to_owned();
    for slot in needs(template) {
        text = text.replace(&format!("{{{{ {slot} }}}}"), known.get(slot)?);
    }
    Some(text)
}

/// Whether one phrase is filled into two slots, as in "the amount counts, not the amount".
fn says_twice(text: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|pair| pair[0] == pair[1])
}

fn by_symptom(fault: &Fault, column: bool, relation: bool) -> &'static str {
    match (fault.complaint.first(), column, relation) {
        (Some(Symptom::MissingRows | Symptom::EmptyResult), _, true) => {
            "nothing may drop out because of how it is matched with {{ relation }}"
        }
        (Some(Symptom::MissingRows | Symptom::EmptyResult), true, _) => {
            "the rule about {{ column }} must not lose entries that belong in the report"
        }
        (Some(Symptom::ExtraRows), true, _) => {
            "only entries that meet the agreed rule about {{ column }} belong in the report"
        }
        (Some(Symptom::Duplicates), _, true) => "the match with {{ relation }} must not multiply entries",
        (Some(Symptom::Nulls), true, _) => "where {{ column }} is not filled in, the agreed default applies",
        (Some(Symptom::WrongFormat), _, _) => "the list must come in the format that the downstream loader expects",
        (Some(Symptom::Subtotals), _, _) => "only the agreed levels of totals belong in the report",
        (Some(Symptom::WrongPeriod), true, _) => "only the agreed period counts, judged by {{ column }}",
        (Some(Symptom::WrongPick), true, _) => "the entry that is kept must be the right one by {{ column }}",
        (Some(Symptom::MixedUp), _, _) => "each figure belongs under its own heading",
        (_, true, _) => "the figure must follow the agreed definition of {{ column }}",
        (_, _, true) => "the figures must take {{ relation }} into account as agreed",
        _ => GENERIC,
    }
}

/// What is left to say where nothing is known about the place.
pub const GENERIC: &str = "the figures must follow the definition agreed for this report";

#[cfg(test)]
mod tests;
