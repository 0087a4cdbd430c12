//! A place of a script where the business could want either of two legal forms.

use serde::{Deserialize, Serialize};

use crate::code::edit::Edit;
use crate::code::span::Span;

/// A decision of a composed script; the operator `turn_decision` plants its other form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// What is decided: `latest_upload.which_version`, `rule.no_staff`.
    pub kind: String,
    /// Leaf of the paper's taxonomy under which the other form would be a fault.
    pub label: String,
    /// Which of its two forms the script has, 0 or 1; both are drawn equally often.
    pub form: usize,
    /// The bytes of the script that carry it; an empty range stands where the other form would be.
    pub ranges: Vec<Span>,
    /// The edits that give the other form: a range of bytes and its replacement, in the order of the text.
    pub turned: Vec<(Span, String)>,
    /// What the script does.
    pub sentence: String,
    /// What it would do in the other form.
    pub other_sentence: String,
    /// What rows a database must have for the two forms to give different results.
    pub hint: String,
}

impl Decision {
    /// Returns the edits that give the other form.
    pub fn edits(&self) -> Vec<Edit> {
        self.turned.iter().map(|(span, text)| Edit::replacement(*span, text.clone())).collect()
    }
}
