//! Sift: the attempts of solvers are scored, and a vote says which tasks are worth keeping.
//!
//! A task that most solvers repair is too easy; one that some repair is kept; one that none repairs is queued for
//! people; one that too few tried stays undecided.

pub mod leaderboard;
pub mod line;
pub mod mark;
pub mod vote;

pub use line::{Sifted, sift};
pub use mark::SolvedBy;
pub use vote::{Thresholds, vote};
