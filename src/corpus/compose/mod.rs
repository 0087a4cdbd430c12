//! Composing references: fresh enterprise scripts from a model of a business and patterns of analysis, offline.
//!
//! `domain` is the model of a business. A question of it is answered by analyses of several kinds (`analysis`, on the
//! rows that `scan` and `branch` give), which plan SELECT blocks (`plan`) with the help of patterns that are data
//! (`pattern`); where the business could want either of two legal forms, the plan holds both and a draw decides.
//! `writing` then writes the plan as text. To reverse a decision, the blocks that it touches are written again in the other form.

mod compared_sides;
mod confused_columns;
mod similar_tables;
mod analysis;
mod apply;
mod branch;
mod builder;
mod unused_columns;
mod composed;
mod composer;
mod dictionary;
pub mod domain;
pub mod draw;
mod funnel;
mod headers;
pub mod writing;
mod names;
mod options;
mod target;
pub mod pattern;
mod percent;
mod piece;
pub mod plan;
#[cfg(test)]
mod plan_tests;
mod planned;
mod profile;
mod relation;
mod rules;
mod scan;
mod schema;
mod decision_edits;
mod stages;
mod subject_figures;

pub use super::decision::Decision;
pub use composed::Composed;
pub use composer::Composer;
pub use draw::Draw;
pub use options::{ComposeError, ComposerOptions};
pub use profile::{ProfileName, ShapeFigures, ShapeProfile};
