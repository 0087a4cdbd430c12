//! Where scripts come from: the references carried in the binary, a folder of the user's own, or the composer.

mod bound_values;
mod decision;
mod notebook;
mod platform_statements;
mod definitions;
mod dialect_marks;
pub mod dictionary;
mod encoding;
mod file_tables;
mod glances;
mod global_views;
mod hive_forms;
mod inference;
mod templates;
mod usual_placeholders;
mod placeholder_values;
mod error;
mod files;
mod insert_by_name;
mod limits;
mod line_comments;
mod own_values;
mod quoted_names;
mod hive_windows;
mod script_files;
mod session_variables;
mod several_groupings;
mod functions_of_databases;
mod function_proposals;
mod foreign_script;
mod names_without_use;
mod translation;
mod reference;
mod parse_message;
mod read;
mod bare_script;
pub mod compose;
mod pipeline_folder;
mod folder;

pub use decision::Decision;
pub use dialect_marks::looks_like;
pub use dictionary::Dictionary;
pub use error::CorpusError;
pub use files::parameters;
pub use folder::{FolderOptions, ScriptFolder, read_folder};
pub(crate) use function_proposals::{ProposedFunction, function_options, function_proposals};
pub use inference::{InferenceRefusal, InferenceRefusalKind, InferredTable};
pub use limits::beyond_limits;
pub use placeholder_values::{PlaceholderProposals, ProposedValue};
pub use read::{embedded, read_script, read_texts};
pub use reference::{Reference, ReferenceCard};
pub use script_files::{ScriptFile, after, joined, tile};
pub use translation::TranslatedScript;

#[cfg(test)]
mod test_reference;
