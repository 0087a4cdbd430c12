//! The hand that writes a script: a house style, and what one person makes of it.

mod alias;
mod clauses;
mod columns;
mod expression;
mod flat;
mod history;
mod layout;
mod library;
mod prepared;
mod remark;
mod shape;
mod statement;
mod style;
mod writer;

pub use history::{HeaderSubject, History};
pub use layout::WrittenScript;
pub use library::{StyleError, Styles};
pub use prepared::Prepared;
pub use remark::{RemarkFacts, Remarks, ScriptRemarks};
pub use statement::StatementFrame;
pub use style::{Layers, Style};
