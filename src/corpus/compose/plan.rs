//! The plan of a script: SELECT blocks that read tables and each other, and the decisions in them.
//!
//! Texts of a plan are SQL under construction, see `piece`.

mod block;
mod planned_decision;
mod graph;
pub mod live;
mod prune;
mod required;

pub use block::{Block, BlockColumn, FromItem, RowSource};
pub use graph::Plan;
pub use planned_decision::PlannedDecision;
pub use prune::prune;
pub use required::without_needless_null_tests;
