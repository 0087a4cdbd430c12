//! Plants faults: operators find sites, a plan chooses among them, gates admit only single small edits.

mod alignment;
mod confusion;
mod script_context;
mod layout;
mod names;
mod removal;
mod proposal;
mod mutant;
mod comments;
pub mod plan;
pub mod rewrite;
mod selection;
mod typo;
mod operator;
mod examples;
mod loading;
mod plant;

pub use comments::states_the_rule;
pub use examples::example_problems;
pub use loading::load_taxonomy;
pub use mutant::Mutant;
pub use operator::propose;
pub use plan::Mix;
pub use plant::{plant, sites};
pub use proposal::Proposal;
pub use script_context::ScriptContext;
