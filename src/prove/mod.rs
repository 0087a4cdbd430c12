//! Shows that it went wrong: fake databases aimed at the fault, baseline, verdict, witness and its reduction.
//!
//! The files in the order in which data passes through them: places in a script and why one is no reference; databases
//! that are made for a script; what is equal without running it; the script with its baseline; a mutant beside it, and
//! how it survives or differs; the search for databases; the trial of a mutant and what confirms it; samples that people
//! look at, and suites. A file uses only those before it; `tests/library/edges` holds this.

mod standalone;
pub mod coverage;
pub mod effort;
mod order_places;
mod unique_rows;
mod distinct_figures;
mod reference_refusal;

pub mod data;
pub mod data_mutation;
pub mod varieties;
mod own_tables;
mod database_search;

pub mod equivalence;
pub mod reduce;
pub mod baseline;
pub mod subject;

pub mod survivor;
mod verdict;
mod mutant_script;
mod propagation;
mod reference_database;
mod differential;

pub mod search;
pub mod preparation;
pub mod proposal_trial;
pub mod data_profile;
pub mod targeted;

pub mod trial;
pub mod confirmation;
pub mod admission;
pub mod baseline_difference;
mod library;

mod usual_databases;
mod realistic;
pub mod sample;
pub mod suite;

pub use library::{MutantProof, NotProvable, prove};
pub use reference_refusal::ReferenceRefusal;
pub use subject::Subject;
pub use verdict::Verdict;
