//! Rules that say names in other words, as shorter ones: a part that tells a name from no other is left out.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;
use serde::Deserialize;

/// How names of one form are said in other words.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RuleFields")]
pub struct Rewording {
    pattern: Regex,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFields {
    /// What a whole name looks like.
    from: String,
    /// The name instead, with `$1` for the first group.
    to: String,
}

impl TryFrom<RuleFields> for Rewording {
    type Error = regex::Error;

    fn try_from(fields: RuleFields) -> Result<Rewording, regex::Error> {
        let pattern = Regex::new(&format!("^(?:{})$", fields.from))?;
        Ok(Rewording { pattern, text: fields.to })
    }
}

/// Returns a name in the words of the first rule that fits it; as it is if none does.
pub(super) fn reworded(rules: &[Rewording], name: &str) -> String {
    let rule = rules.iter().find(|rule| rule.pattern.is_match(name));
    rule.map_or_else(|| name.to_owned(), |rule| rule.pattern.replace(name, rule.text.as_str()).into_owned())
}

/// Applies each rule in turn to the names of one script, by what they stand for: a name stays as it is if the rule would
/// make it that of another one, or of what another one was before.
pub(super) fn shortened(rules: &[Rewording], names: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    rules.iter().fold(names.clone(), |names, rule| {
        let changed = |name: &String| rule.pattern.replace(name, rule.text.as_str()).into_owned();
        let mut taken: BTreeMap<String, BTreeSet<&String>> = BTreeMap::new();
        for (of, name) in &names {
            taken.entry(name.clone()).or_default().insert(of);
            taken.entry(changed(name)).or_default().insert(of);
        }
        let short = |name: &String| Some(changed(name)).filter(|short| taken[short].len() == 1);
        names.iter().map(|(of, name)| (of.clone(), short(name).unwrap_or_else(|| name.clone()))).collect()
    })
}

/// Returns the same names, by what they stand for, without words that stand twice in a row, as where an item's item type is
/// called by both.
pub(super) fn without_repeated_words(names: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let single = |name: &String| {
        let mut words: Vec<&str> = name.split(' ').collect();
        words.dedup();
        words.join(" ")
    };
    names.iter().map(|(of, name)| (of.clone(), single(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shortened_only_if_it_stays_its_own() {
        let rule = |from: &str, to: &str| Rewording::try_from(RuleFields { from: from.into(), to: to.into() });
        let rules = [rule("(.+) in the last .+ days", "$1").unwrap(), rule("rank by .+", "rank").unwrap()];
        let names = [
            ("a", "visits in the last 7 days"),
            ("b", "visits in the last 28 days"),
            ("c", "loans in the last 7 days"),
            ("d", "rank by loans in the last 7 days"),
        ];
        let names = names.map(|(of, name)| (of.to_owned(), name.to_owned())).into();
        let short = shortened(&rules, &names);
        let short: Vec<&str> = short.values().map(String::as_str).collect();
        assert_eq!(short, ["visits in the last 7 days", "visits in the last 28 days", "loans", "rank"]);
        assert!(rule("(", "").is_err());
    }

    #[test]
    fn words_that_stand_twice_in_a_row_are_said_once() {
        let names = BTreeMap::from([("a".to_owned(), "shop item item type".to_owned())]);
        assert_eq!(without_repeated_words(&names)["a"], "shop item type");
    }
}
