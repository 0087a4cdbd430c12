//! Shows that it went wrong: fake databases aimed at the fault, baseline, verdict, witness and its reduction.

pub mod admission;
pub mod baseline_difference;
pub mod confirmation;
pub mod coverage;
pub mod data;
pub mod data_mutation;
pub mod data_profile;
mod differential;
pub mod effort;
pub mod equivalence;
mod library;
mod mutant_script;
mod order_places;
pub mod preparation;
mod realistic;
mod propagation;
pub mod reduce;
mod reference_database;
mod reference_refusal;
pub mod sample;
pub mod search;
mod standalone;
pub mod subject;
pub mod suite;
pub mod survivor;
pub mod targeted;
pub mod trial;
mod unique_rows;
mod usual_databases;
pub mod varieties;
mod verdict;

pub use library::{MutantProof, NotProvable, prove};
pub use reference_refusal::ReferenceRefusal;
pub use subject::Subject;
pub use verdict::Verdict;
