//! Writes a plan as text in one style: a house style, and the choices that one author makes within it.

mod history;
mod remark;
mod style;
mod flat;
mod library;
mod shape;
mod alias;
mod parts;
mod writer;
mod layout;
mod clauses;
mod columns;
mod expression;
mod statement;
mod slips;
mod shaped_plan;

pub use history::{HeaderSubject, History};
pub use layout::WrittenScript;
pub use library::Styles;
pub use parts::FilePart;
pub use remark::{RemarkFacts, Remarks};
pub use shaped_plan::ShapedPlan;
pub use statement::StatementFrame;
pub use style::{CommaPosition, Header, Layers, LetterCase, Style};
