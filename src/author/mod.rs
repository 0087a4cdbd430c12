//! Fresh references behind gates: what the composer composes, and, optionally, what models write.
//!
//! A model carries a script over to another business (scenario and tables first, then the script, as in the prompts of
//! the paper's appendix G.1, in our own words), or writes a composed one in another style. Whoever wrote a script,
//! the same gates decide whether it is a reference; a refusal is told to the model once more.

mod businesses;
mod refusal;
mod gates;
mod same_script;
mod novelty;
mod gather;
mod composing;
mod scenario;
mod prompts;
mod dialogue;
mod structure;
mod authored;

pub use authored::{Author, Authored, AuthoringMode};
pub use composing::GatedComposer;
pub use gates::Gates;
pub use gather::{Gathered, RefusedScript, gather};
