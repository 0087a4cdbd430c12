//! Where scripts come from: the references carried in the binary, or a folder of the user's own.

pub mod compose;
mod read;
mod reference;

pub use read::{CorpusError, embedded, read_folder, read_script, read_texts};
pub use reference::{Reference, ReferenceCard};
