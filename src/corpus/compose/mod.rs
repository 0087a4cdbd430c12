//! Composing references: fresh enterprise scripts from a model of a business and patterns of analysis, offline.
//!
//! `domain` is the model of a business. A question of it is answered by analyses of several kinds (`analysis`, on the
//! rows that `scan` and `fact_figures` give), which plan SELECT blocks (`plan`) with the help of patterns that are data
//! (`pattern`); where the business could want either of two legal forms, the plan holds both and a draw decides.
//! `writing` then writes the plan as text. To reverse a decision, the blocks that it touches are written again in the other form.

mod composed;
pub mod domain;
pub mod draw;
pub mod pattern;
mod piece;
mod names;
pub mod plan;
mod unused_columns;
pub mod writing;
mod relation;
mod builder;
mod confused_columns;
mod apply;
mod percent;
mod rules;
mod scan;
mod schema;
mod decision_edits;
mod stages;
mod subject_figures;
mod fact_figures;
mod compared_sides;
mod similar_tables;
mod funnel;
mod analysis;
mod dictionary;
mod planned;
mod headers;
mod profile;
mod options;
mod target;
mod composer;

#[cfg(test)]
mod plan_tests;

pub use super::decision::Decision;
pub use composed::Composed;
pub use composer::Composer;
pub use draw::Draw;
pub use options::{ComposeError, ComposerOptions};
pub use profile::{ProfileName, ShapeFigures, ShapeProfile};
