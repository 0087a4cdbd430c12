//! Where scripts come from: the seeds carried in the binary, or a folder of the user's own.

mod read;
mod seed;

pub use read::{CorpusError, embedded, read_folder, read_script, read_texts};
pub use seed::{Seed, SeedCard};
