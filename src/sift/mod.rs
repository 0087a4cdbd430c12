//! Sift: the attempts of solvers are scored, and a vote says which tasks are worth keeping.
//!
//! A task that most solvers repair is too easy; one that some repair is kept; one that none repairs is queued for
//! people; one that too few tried stays undecided.

pub mod mark;
pub mod leaderboard;
pub mod vote;
pub mod scoring;

pub use mark::SolvedBy;
pub use scoring::{Sifted, sift};
pub use vote::{Thresholds, vote};
