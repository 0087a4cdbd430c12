//! What a rule finds.

use crate::code::edit::Edit;

/// Something questionable and the edit that would mend it.
#[derive(Clone, Debug, PartialEq)]
pub struct LintFinding {
    /// The rule that found it.
    pub rule: &'static str,
    /// How often the rule is wrong, by judgement: from 0 (nearly never) to 1.
    pub doubt: f64,
    /// The mending edits.
    pub edits: Vec<Edit>,
}
