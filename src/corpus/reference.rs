//! A reference: a correct script with its schema and what it is for.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::decision::Decision;
use super::dictionary::Dictionary;
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;

/// What `card.yaml` says of a script (paper, section 3.1: domain, intention and scenario).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceCard {
    /// Business domain, such as `ride-hailing`.
    pub domain: String,
    /// A short title.
    pub title: String,
    /// What the script must compute, for whom.
    pub intention: String,
    /// The business background.
    pub scenario: String,
    /// What each placeholder stands for: the text between `${` and `}`, and its value.
    #[serde(default)]
    pub parameters: Parameters,
}

/// A correct script, read and ready.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Stable id: `domain/name`, or the file's name.
    pub id: String,
    /// What it is for.
    pub card: ReferenceCard,
    /// The DDL as written.
    pub schema_text: String,
    /// The DDL as read.
    pub schema: Schema,
    /// The script as written, placeholders included.
    pub script: Script,
    /// The values of its placeholders.
    pub parameters: Parameters,
    /// Where the business could want another form; empty for a script whose author did not say.
    pub decisions: Vec<Decision>,
    /// Words and usual values of its tables; empty for a script of which nobody said them.
    pub dictionary: Dictionary,
}

impl Reference {
    /// What the names of the script mean.
    pub fn scopes(&self) -> Scopes {
        Scopes::resolve(&self.script, &self.schema)
    }

    /// Twelve hex digits of the script and its schema: the same text has the same key wherever it lies.
    pub fn key(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.script.text().as_bytes());
        hash.update([0]);
        hash.update(self.schema_text.as_bytes());
        hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
    }
}
