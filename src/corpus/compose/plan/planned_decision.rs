//! Decisions with two forms, of which the script has one.

/// A decision with two forms.
#[derive(Clone, Debug)]
pub struct PlannedDecision {
    /// What is decided, such as `latest_upload.which_version`.
    pub kind: String,
    /// Leaf of the paper's taxonomy under which the other form would be a fault.
    pub label: String,
    /// The form that was drawn: 0 or 1.
    pub chosen: usize,
    /// A sentence for each form that says what it does.
    pub sentences: [String; 2],
    /// What rows data must have to tell the forms apart.
    pub hint: String,
}

impl PlannedDecision {
    /// Returns a decision of this kind without sentences; its other form would be a fault of the leaf `label`.
    pub fn new(kind: impl Into<String>, label: &str) -> PlannedDecision {
        PlannedDecision {
            kind: kind.into(),
            label: label.to_owned(),
            chosen: 0,
            sentences: [String::new(), String::new()],
            hint: String::new(),
        }
    }

    /// Sets the sentences of its forms.
    #[must_use]
    pub fn says(mut self, one: impl Into<String>, other: impl Into<String>) -> PlannedDecision {
        self.sentences = [one.into(), other.into()];
        self
    }

    /// Sets what rows data must have to tell its forms apart.
    #[must_use]
    pub fn shown_by(mut self, hint: &str) -> PlannedDecision {
        hint.clone_into(&mut self.hint);
        self
    }
}
