//! Critiques in the replies of models, and which scripts a critic is asked about.

use serde::{Deserialize, Serialize};

use super::assignment::Assignment;
use crate::publish::critique::{CORRECT, Critique};
use crate::reply::without_thoughts;

/// Longest name of a clause, in words: `LEFT OUTER JOIN ON`.
const CLAUSE_WORDS: usize = 4;

/// Which scripts the critic is asked about (SQLCritic, section 4.2). The others stay as they are, so that all settings
/// are scored on the same scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum CriticSetting {
    /// Scripts that people know to be wrong; the critic hears the message or complaint.
    Incorrect,
    /// Scripts that the engine refuses; the critic hears its message.
    Errors,
    /// All scripts, right ones among them; the critic hears what the script is for and the engine's message, if it has
    /// one, and no complaint.
    #[default]
    All,
}

impl CriticSetting {
    pub fn name(self) -> &'static str {
        match self {
            CriticSetting::Incorrect => "incorrect",
            CriticSetting::Errors => "errors",
            CriticSetting::All => "all",
        }
    }

    /// Whether the critic is asked about a script.
    pub fn asks(self, assignment: &Assignment<'_>) -> bool {
        match self {
            CriticSetting::Incorrect => !assignment.is_control,
            CriticSetting::Errors => assignment.rejection(assignment.issue()).is_some(),
            CriticSetting::All => true,
        }
    }
}

/// Reads a critique: lines of clause, colon and explanation, or JSON objects with these fields. An empty one says that
/// the script is right. `None` if the reply says nothing of the kind.
pub fn critique(reply: &str) -> Option<Vec<Critique>> {
    let reply = without_thoughts(reply);
    if let Some(entries) = of_json(reply) {
        return Some(entries);
    }
    let mut entries: Vec<Critique> = Vec::new();
    for line in reply.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match (clause(line), entries.last_mut()) {
            (Some((clause, explanation)), _) => {
                entries.push(Critique { clause: clause.to_owned(), explanation: explanation.to_owned() });
            }
            // An explanation goes on in the next line.
            (None, Some(last)) => last.explanation.extend([" ", line]),
            (None, None) => {}
        }
    }
    let says_correct = reply.to_lowercase().contains(&CORRECT.trim_end_matches('.').to_lowercase());
    if entries.is_empty() && !says_correct { None } else { Some(entries) }
}

/// Splits `GROUP BY: …`, with or without a list mark or emphasis, into clause and explanation.
fn clause(line: &str) -> Option<(&str, &str)> {
    let marks = |c: char| c.is_ascii_digit() || matches!(c, '-' | '*' | '.' | ')' | '#' | ' ' | '`');
    let (head, explanation) = line.trim_start_matches(marks).split_once(':')?;
    let head = head.trim_matches(|c| matches!(c, '*' | '`' | ' '));
    let words = head.split_whitespace().count();
    let is_clause = (1..=CLAUSE_WORDS).contains(&words) && head.chars().all(|c| c.is_ascii_uppercase() || c == ' ');
    let explanation = explanation.trim_start_matches('*').trim();
    (is_clause && !explanation.is_empty()).then_some((head, explanation))
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Json {
    List(Vec<Critique>),
    Field { critique: Vec<Critique> },
}

fn of_json(reply: &str) -> Option<Vec<Critique>> {
    let start = reply.find(['[', '{'])?;
    let end = reply.rfind([']', '}'])? + 1;
    match serde_json::from_str(reply.get(start..end)?).ok()? {
        Json::List(entries) | Json::Field { critique: entries } => Some(entries),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(clause: &str, explanation: &str) -> Critique {
        Critique { clause: clause.to_owned(), explanation: explanation.to_owned() }
    }

    #[test]
    fn a_critique_is_read_in_each_form_that_models_write() {
        let two = vec![entry("WHERE", "The sign is turned."), entry("GROUP BY", "A column is missing.")];
        for reply in [
            "WHERE: The sign is turned.\nGROUP BY: A column is missing.",
            "Here is what I see.\n\n1. **WHERE**: The sign is turned.\n- GROUP BY: A column\n  is missing.",
            "<think>SELECT: no</think>WHERE: The sign is turned.\nGROUP BY: A column is missing.",
            "```json\n[{\"clause\": \"WHERE\", \"explanation\": \"The sign is turned.\"}, \
             {\"clause\": \"GROUP BY\", \"explanation\": \"A column is missing.\"}]\n```",
            "{\"critique\": [{\"clause\": \"WHERE\", \"explanation\": \"The sign is turned.\"}, \
             {\"clause\": \"GROUP BY\", \"explanation\": \"A column is missing.\"}]}",
        ] {
            assert_eq!(critique(reply), Some(two.clone()), "{reply}");
        }
    }

    #[test]
    fn a_reply_says_that_the_script_is_right_or_says_nothing() {
        assert_eq!(critique(CORRECT), Some(Vec::new()));
        assert_eq!(critique("I have read it. This SQL query is correct"), Some(Vec::new()));
        assert_eq!(critique("I do not know."), None);
        assert_eq!(critique("Note: this is long"), None);
    }
}
