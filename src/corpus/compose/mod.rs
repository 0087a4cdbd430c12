//! Composing references: fresh enterprise scripts from a model of a business and patterns of analysis, offline.
//!
//! `domain` is what a business is made of. A question of it is planned (`report`, `branch`, `scan`) as SELECT blocks
//! (`plan`) with the help of patterns that are data (`pattern`); where the business could want either of two legal
//! forms, the plan holds both and a draw decides. A `hand` then writes the plan as text, once; turning a decision is
//! writing the same plan again with that decision turned.

mod across;
mod branch;
mod builder;
mod composer;
mod dictionary;
pub mod domain;
mod draw;
pub mod hand;
mod names;
pub mod pattern;
mod piece;
pub mod plan;
mod relation;
mod report;
mod scan;
mod schema;
mod turn;

pub use super::decision::Decision;
pub use composer::{ComposeError, Composed, Composer, ComposerOptions, OutputLineage, Sentence, SpecificationFile};
