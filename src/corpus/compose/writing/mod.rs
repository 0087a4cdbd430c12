//! Writes a plan as text in one style: a house style, and the choices that one author makes within it.

mod alias;
mod clauses;
mod columns;
mod expression;
mod flat;
mod history;
mod layout;
mod library;
mod parts;
mod shaped_plan;
mod remark;
mod shape;
mod statement;
mod style;
mod writer;

pub use history::{HeaderSubject, History};
pub use layout::WrittenScript;
pub use library::Styles;
pub use parts::FilePart;
pub use remark::{RemarkFacts, Remarks};
pub use shaped_plan::ShapedPlan;
pub use statement::StatementFrame;
pub use style::{CommaPosition, Header, Layers, LetterCase, Style};
