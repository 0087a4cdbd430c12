//! sqlfault plants one realistic bug in long, correct SQL, proves it by execution and publishes debugging tasks.
//!
//! # Flow
//!
//! `corpus` (seeds) → `fault` (what can go wrong) → `inject` (sites, edits, plan) → `prove` (databases, verdicts,
//! witnesses) → `publish` (words, records) → `build` (the whole line) → `repair` (solvers try) → `score` → `sift` (the vote) → `check`
//! (proves a run again). `code` is the script itself: text, tokens, tree, names, edits. `engine`, `llm` and `store` are
//! services. A module uses only what stands before it; `tests/edges.rs` holds this.
//!
//! # Invariants
//!
//! 1. Tokens joined are the file. Applying an edit and undoing it is the identity; bytes outside edits never change.
//! 2. Operators are pure. Chance lives in [`inject::plan`], keyed by (seed, script, fault, site): the same seed gives the
//!    same bytes for any number of workers.
//! 3. A task is published only when an engine says that it is a bug.
//! 4. No fault id or edited token reaches a complaint.
//! 5. A record once written is never lost or doubled by a crash.

pub mod agreement;
pub mod build;
pub mod check;
pub mod cli;
pub mod code;
pub mod corpus;
pub mod engine;
pub mod fault;
pub mod inject;
pub mod llm;
pub mod prove;
pub mod publish;
pub mod repair;
pub mod review;
pub mod score;
pub mod sift;
pub mod store;
