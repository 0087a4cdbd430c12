//! What a rule finds.

use crate::code::edit::Edit;

/// Something questionable and the edit that would mend it.
#[derive(Clone, Debug, PartialEq)]
pub struct LintFinding {
    pub rule: &'static str,
    /// How often the rule is wrong, by judgement: from 0 (nearly never) to 1.
    pub doubt: f64,
    pub edits: Vec<Edit>,
}
