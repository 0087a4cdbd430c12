//! sqlfault plants one realistic bug in long, correct SQL, proves it by execution and publishes debugging tasks.
//!
//! # Flow
//!
//! `corpus` (references) → `fault` (what can go wrong) → `inject` (sites, edits, plan) → `draft` (models propose mutants,
//! optional) → `prove` (databases, verdicts, witnesses) → `publish` (words, records) → `pipeline` (the whole line) →
//! `score` → `check` (proves a run again) → `agreement` (judges it with Spark) → `repair` (solvers try) → `sift` (the
//! vote) → `review` (people). `code` is the script itself: text, tokens, tree, names, edits. `engine`, `llm`, `parallel` and
//! `store` are services. A module uses only what stands before it; `tests/library/edges.rs` holds this.
//!
//! # As a library
//!
//! [`Taxonomy`] holds the faults, [`sites`] finds where one can be planted in a [`Script`], [`plant`] makes the
//! [`Mutant`]:
//!
//! ```
//! use sqlfault::code::schema::Schema;
//! use sqlfault::{Script, Taxonomy, plant, sites};
//!
//! let taxonomy = Taxonomy::embedded()?;
//! let schema = Schema::read("CREATE TABLE pay (id BIGINT, v DOUBLE); CREATE TABLE users (id BIGINT, city STRING);")?;
//! let script = Script::new("SELECT u.city, p.v FROM users u LEFT JOIN pay p ON u.id = p.id");
//! let fault = taxonomy.fault("left-join-made-inner").expect("the fault is in the taxonomy");
//! let site = &sites(&script, &schema, fault)[0];
//! let mutant = plant(&script, fault, site);
//! assert_eq!(mutant.text(script.text())?, "SELECT u.city, p.v FROM users u JOIN pay p ON u.id = p.id");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `proptest` adds `strategies`: scripts with their tables and mutants of them, for property tests of other
//! SQL tools; `examples/formatter_keeps_meaning.rs` is one.
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
pub mod check;
pub mod cli;
pub mod code;
pub mod corpus;
pub mod draft;
pub mod engine;
pub mod export;
pub mod fault;
pub mod inject;
pub mod llm;
pub mod parallel;
pub mod pipeline;
pub mod prove;
pub mod publish;
pub mod repair;
pub mod review;
pub mod score;
pub mod sift;
pub mod store;
#[cfg(any(test, feature = "proptest"))]
pub mod strategies;

pub use code::script::Script;
pub use fault::Taxonomy;
pub use inject::{Mutant, plant, sites};
