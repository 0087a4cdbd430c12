//! Sift: solvers attack, and the vote says which tasks are worth having.
//!
//! A task that most solvers repair is too easy; one that few repair is kept; one that none repairs waits for people.

pub mod leaderboard;
pub mod line;
pub mod mark;
pub mod vote;

pub use leaderboard::{Leaderboard, SolverStanding};
pub use line::{SiftError, Sifted, sift};
pub use mark::{AttemptMark, SolvedBy};
pub use vote::{SiftDecision, Thresholds, Vote, vote};
