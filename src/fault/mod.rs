//! What can go wrong: the taxonomy of faults, loaded and checked.
//!
//! A fault is data: `taxonomy/<level-1>/<level-2>.yaml` names its leaves in the published taxonomy, how it is planted,
//! what shows it and the words for it. How an operator works on a script is the matter of [`crate::inject`].

mod regex_pattern;
mod many;
mod node_name;
mod selector;
pub mod operator;
mod track;
mod leaf;
mod model;
mod entry;
mod explanation;
mod taxonomy;

pub use entry::RULE_VARIABLES;
pub use leaf::Leaf;
pub use many::Many;
pub use model::{Clause, Example, Expectation, Family, Fault, Rule};
pub use node_name::NodeName;
pub use operator::Operator;
pub use selector::{BlockTrait, PartitionColumn, Selector, SiblingPosition};
pub use taxonomy::{Taxonomy, TaxonomyError};
pub use track::Track;

#[cfg(test)]
mod tests;
