//! Stage 4, make it go wrong: operators find sites, a plan chooses among them, gates admit what is a single small edit.

mod admission;
mod confusion;
mod facts;
mod ground;
mod layout;
mod mutant;
mod names;
mod operator;
mod proposal;
mod removal;
mod selection;

pub use admission::{Admitted, Refusal, admit};
pub use facts::{ColumnFact, Facts, Role};
pub use ground::Ground;
pub use mutant::{Mutant, mutant_id};
pub use operator::propose;
pub use proposal::{Proposal, Proposals};
