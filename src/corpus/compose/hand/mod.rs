//! The hand that writes a script: a house style, and what one person makes of it.

mod alias;
mod expression;
mod flat;
mod history;
mod layout;
mod library;
mod shape;
mod statement;
mod style;
mod writer;

pub use history::{About, History};
pub use layout::Written;
pub use library::{StyleError, Styles};
pub use statement::{Prepared, Target};
pub use style::{Layers, Style};
