//! Where scripts come from: the references carried in the binary, a folder of the user's own, or the composer.

mod bare_script;
mod bound_values;
pub mod compose;
mod decision;
mod definitions;
mod dialect_marks;
pub mod dictionary;
mod encoding;
mod error;
mod files;
mod folder;
mod foreign_script;
mod inference;
mod limits;
mod own_values;
mod quoted_names;
mod pipeline_folder;
mod read;
mod reference;
mod script_files;
mod templates;
mod translation;

pub use decision::Decision;
pub use dialect_marks::looks_like;
pub use dictionary::Dictionary;
pub use error::CorpusError;
pub use files::parameters;
pub use folder::{FolderOptions, ScriptFolder, read_folder};
pub use foreign_script::{proposal, proposals};
pub use inference::{InferenceRefusal, InferenceRefusalKind, InferredTable};
pub use limits::beyond_limits;
pub use read::{embedded, read_script, read_texts};
pub use reference::{Reference, ReferenceCard};
pub use script_files::{ScriptFile, after, joined, tile};
pub use translation::TranslatedScript;
