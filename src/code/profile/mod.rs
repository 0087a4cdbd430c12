//! Size and structure of a script in the figures of published benchmarks, and the complexity made of them.
//!
//! Depth, width and functions follow sqlglot 30's tree, against which the published figures were calibrated; tests hold
//! them within one of sqlglot's own figures. See [`shape`].

mod figures;
mod complexity;
pub mod shape;
mod count;

pub use complexity::Complexity;
pub use figures::Profile;
