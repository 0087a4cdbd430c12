//! Stage 4, make it go wrong: operators find sites, a plan chooses among them, gates admit what is a single small edit.

mod confusion;
mod examples;
mod ground;
mod layout;
mod mutant;
mod names;
mod operator;
pub mod plan;
mod plant;
mod proposal;
mod removal;
pub mod rewrite;
mod selection;
mod slip;

pub use examples::example_problems;
pub use ground::Ground;
pub use mutant::Mutant;
pub use operator::propose;
pub use plan::Mix;
pub use plant::{plant, sites};
pub use proposal::{Proposal, Proposals};
