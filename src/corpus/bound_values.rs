//! Values for the placeholders of a script, from wherever they come.

use crate::code::parameters::Parameters;

/// Values for the placeholders of a script.
pub(super) struct BoundValues {
    /// Those in `parameters.yaml`; the card counts before them.
    pub by_files: Parameters,
    /// Those that the user gives with the command; they count before the card.
    pub by_user: Parameters,
}

impl BoundValues {
    /// Returns the values of a script without a card.
    pub fn all(&self) -> Parameters {
        self.around(&Parameters::default())
    }

    /// Returns the values of a script whose card gives some.
    pub fn around(&self, card: &Parameters) -> Parameters {
        let mut all = self.by_files.clone();
        all.add(card);
        all.add(&self.by_user);
        all
    }
}
