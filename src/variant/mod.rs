//! Variants of a user's own scripts that may be published: other names, literals, comments and layout, the same rows.
//!
//! All scripts of a folder are changed by one [`Correspondence`]: each name, word, number and date of the original has
//! one counterpart, so that equal stays equal. The counterparts of names are words of a business (`vocabulary`) of the
//! kind that the name shows; numbers and dates keep their order. `structure` and `layout` change what does not
//! matter to the rows. `proof` shows that a variant means what its original means, `left` what of it can still be
//! seen. The module stands behind `score`, whose graphs the proof compares, and is used by the program alone.

mod literal;
mod number;
mod rename;
mod layout;
mod structure;
mod vocabulary;
mod names;
mod original;
mod correspondence;
mod remnants;
mod proof;
mod folder;

pub use correspondence::Correspondence;
pub use folder::{FolderVariant, Variants};
pub use proof::{RowsProof, Variant};
pub use remnants::Remnants;
