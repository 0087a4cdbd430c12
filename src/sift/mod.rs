//! Sift: the attempts of solvers are scored, and a vote says which tasks are worth keeping.
//!
//! A task that most solvers repair is too easy; one that some repair is kept; one that none repairs is queued for
//! people; one that too few tried stays undecided.

pub mod leaderboard;
pub mod line;
pub mod mark;
pub mod vote;

pub use leaderboard::{Leaderboard, SolverStanding};
pub use line::{SiftError, Sifted, sift};
pub use mark::{AttemptMark, SolvedBy};
pub use vote::{SiftDecision, Thresholds, Vote, vote};
