//! What an annotator says about a task.

use serde::{Deserialize, Serialize};

/// Whether a task is fair to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FairnessVerdict {
    /// It can be solved from what the solver sees.
    Fair,
    /// It cannot, or it is no bug.
    Unfair,
    /// It has several readings, or the annotator cannot tell.
    Ambiguous,
}

impl FairnessVerdict {
    /// All verdicts, in the order of the page's keys 1, 2, 3.
    pub const ALL: [FairnessVerdict; 3] = [FairnessVerdict::Fair, FairnessVerdict::Unfair, FairnessVerdict::Ambiguous];
}

/// One judgement of an annotator: a line of `review.jsonl`. The last line of an annotator on a task holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    pub instance_id: String,
    pub annotator: String,
    pub verdict: FairnessVerdict,
    /// Why it is unfair or ambiguous.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Anything else worth keeping.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Another script that is as correct as the reference, in the annotator's eyes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<String>,
    /// Whether the alternative gave the reference's results on every database when it was stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative_accepted: Option<bool>,
    /// Whether the annotator takes the judgement back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// When, in UTC, as in RFC 3339.
    #[serde(default)]
    pub at: String,
}

/// Why a judgement is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the run has no task {0}")]
    NoTask(String),
    #[error("say why the task is unfair")]
    NoReason,
    /// No name, or one with odd characters.
    #[error("`{0}` is not a name: 1 to 40 letters, digits, blanks, `.`, `_`, `-`, `@`")]
    Name(String),
    #[error("{name} would be one annotator more than the panel holds: {panel}")]
    PanelFull {
        name: String,
        /// The names of the panel.
        panel: String,
    },
}

impl Judgement {
    /// Refuses what makes no sense by itself.
    ///
    /// # Errors
    ///
    /// When it is unfair without a reason, or the name is none.
    pub fn check(&self) -> Result<(), Refused> {
        check_name(&self.annotator)?;
        if self.verdict == FairnessVerdict::Unfair && self.why.trim().is_empty() {
            return Err(Refused::NoReason);
        }
        Ok(())
    }

    /// Whether it says the same as another one, whenever that was.
    pub fn says_the_same(&self, other: &Judgement) -> bool {
        let content = |judgement: &Judgement| Judgement { at: String::new(), ..judgement.clone() };
        content(self) == content(other)
    }
}

/// Refuses a name that cannot be one.
///
/// # Errors
///
/// When it is empty, longer than 40 characters or has odd characters.
pub fn check_name(name: &str) -> Result<(), Refused> {
    let fine = |c: char| c.is_alphanumeric() || " ._-@".contains(c);
    let good = !name.trim().is_empty() && name.trim() == name && name.chars().count() <= 40 && name.chars().all(fine);
    if good { Ok(()) } else { Err(Refused::Name(name.to_owned())) }
}

/// The present moment in UTC, as in RFC 3339, to the millisecond.
pub fn now() -> String {
    let moment = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now());
    moment.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

#[cfg(test)]
pub(super) fn sample(instance_id: &str, annotator: &str, verdict: FairnessVerdict) -> Judgement {
    Judgement {
        instance_id: instance_id.to_owned(),
        annotator: annotator.to_owned(),
        verdict,
        why: if verdict == FairnessVerdict::Unfair { "several readings".to_owned() } else { String::new() },
        note: String::new(),
        alternative: None,
        alternative_accepted: None,
        withdrawn: false,
        at: "2026-01-02T03:04:05.000Z".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfair_needs_a_reason_and_the_others_do_not() {
        let mut judgement = sample("a", "ann", FairnessVerdict::Unfair);
        assert_eq!(judgement.check(), Ok(()));
        judgement.why = "  ".to_owned();
        assert_eq!(judgement.check(), Err(Refused::NoReason));
        judgement.verdict = FairnessVerdict::Ambiguous;
        assert_eq!(judgement.check(), Ok(()));
    }

    #[test]
    fn names_are_short_and_plain() {
        for (name, good) in
            [("ann", true), ("李 雷", true), ("a@b.c", true), ("", false), (" ann", false), ("a\nb", false)]
        {
            assert_eq!(check_name(name).is_ok(), good, "{name:?}");
        }
        assert!(check_name(&"x".repeat(41)).is_err());
    }

    #[test]
    fn a_moment_has_the_form_that_sorts_by_time() {
        let moment = now();
        assert_eq!(moment.len(), sample("a", "b", FairnessVerdict::Fair).at.len(), "{moment}");
        assert!(moment.ends_with('Z') && moment.as_str() > "2024", "{moment}");
    }
}
