//! Stage 5, show that it went wrong: fake databases aimed at the fault, baseline, verdict, witness and its reduction.

pub mod admission;
mod changed;
mod climb;
pub mod court;
pub mod coverage;
pub mod data;
pub mod equal;
pub mod ladder;
pub mod reduce;
mod scout;
pub mod subject;
pub mod suite;
pub mod survivor;
pub mod target;
pub mod trial;

pub use subject::{Refusal, Subject};
pub use trial::Verdict;
