//! Where scripts come from: the references carried in the binary, or a folder of the user's own.

pub mod compose;
mod decision;
pub mod dictionary;
mod read;
mod reference;

pub use decision::Decision;
pub use dictionary::Dictionary;
pub use read::{CorpusError, embedded, read_folder, read_script, read_texts};
pub use reference::{Reference, ReferenceCard};
