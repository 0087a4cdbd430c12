//! Plants faults: operators find sites, a plan chooses among them, gates admit only single small edits.

mod alignment;
mod comments;
mod confusion;
mod examples;
mod layout;
mod loading;
mod mutant;
mod names;
mod operator;
pub mod plan;
mod plant;
mod proposal;
mod removal;
pub mod rewrite;
mod script_context;
mod selection;
mod typo;

pub use comments::states_the_rule;
pub use examples::example_problems;
pub use loading::load_taxonomy;
pub use mutant::Mutant;
pub use operator::propose;
pub use plan::Mix;
pub use plant::{plant, sites};
pub use proposal::Proposal;
pub use script_context::ScriptContext;
