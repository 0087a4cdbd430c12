//! sqlfault plants realistic bugs in long, correct SQL, proves them by execution and publishes debugging tasks.
//!
//! # Flow
//!
//! `corpus` (references) → `fault` (what can go wrong) → `inject` (sites, edits, plan) → `draft` (models propose
//! mutants, optional) → `prove` (databases, verdicts, witnesses) → `publish` (words, records) → `score` (judges of
//! answers) → `author` (gates of fresh references; models write some, optional) → `variant` (a user's own scripts in
//! other words) → `repair` (solvers) → `audit` (leak attacks) → `pipeline` (the steps so far make a run) → `check` (proves
//! a run again) → `agreement` (judges it with Spark) → `sift` (the vote) → `report` (a run on one page) → `review`
//! (people) → `export` (rows for trainers) → `train` (training pairs). `code` is the script itself: text, tokens, tree,
//! names, edits; with `reply`, `store`, `parallel`, `page`, `engine` and `llm` it comes first. A module uses only modules
//! before it, which `tests/library/edges` checks.
//!
//! # As a library
//!
//! [`Taxonomy`] holds the faults, [`sites`] finds where one can be planted in a [`Script`], [`plant`] makes the
//! [`Mutant`], [`prove`](fn@prove) shows that it is wrong, [`exact_match`] and [`graph_match`] say whether a repair
//! equals the reference as text or graph, and [`execution_match`] whether it gives its rows
//! (`examples/plant_prove_score.rs` is a whole program):
//!
//! ```
//! use sqlfault::{MutantProof, Schema, Script, Taxonomy, execution_match, graph_match, plant, prove, sites};
//!
//! let taxonomy = Taxonomy::embedded()?;
//! let schema = Schema::read("CREATE TABLE pay (id BIGINT, v DOUBLE); CREATE TABLE users (id BIGINT, city STRING);")?;
//! let script = Script::new("SELECT u.city, p.v FROM users u LEFT JOIN pay p ON u.id = p.id");
//! let fault = taxonomy.fault("left-join-made-inner").expect("the fault is in the taxonomy");
//! let site = &sites(&script, &schema, fault)[0];
//! let mutant = plant(&script, fault, site);
//! assert_eq!(mutant.text(script.text())?, "SELECT u.city, p.v FROM users u JOIN pay p ON u.id = p.id");
//!
//! let Some(MutantProof::Killed(witness)) = prove(&script, &schema, fault, &mutant)? else { panic!("not killed") };
//! let issue = Script::new(mutant.text(script.text())?);
//! assert!(!execution_match(&issue, &script, &schema, &witness));
//!
//! let repair = Script::new("select u.city, p.v from users u left outer join pay p on p.id = u.id");
//! assert!(graph_match(&repair, &script, &schema));
//! assert!(execution_match(&repair, &script, &schema, &witness));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `proptest` adds `strategies`, which generate scripts with their tables and mutants, for property tests
//! of other SQL tools (`examples/formatter_keeps_meaning.rs` tests the formatter of `sqlparser` with them):
//!
#![cfg_attr(feature = "proptest", doc = "```")]
#![cfg_attr(not(feature = "proptest"), doc = "```ignore")]
//! use std::sync::Arc;
//!
//! use proptest::prelude::*;
//! use sqlfault::{Taxonomy, Track, strategies};
//!
//! let taxonomy = Arc::new(Taxonomy::embedded()?);
//! proptest!(|((sample, mutant) in strategies::mutated(taxonomy.clone(), Some(Track::Semantic)))| {
//!     // Your tool goes here: it must tell the mutant from the script.
//!     prop_assert_ne!(mutant.text(sample.script.text())?, sample.script.text());
//! });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A dependent crate sets `default-features = false`. The default features are those of the program: `cli` (the
//! commands), `review` (the page for reviewers), `models` (language models over HTTP), `spark` (Apache Spark as an
//! engine). `internals` makes every module public, without any promise of stability; the tests, benchmarks and examples
//! of this package have it by a dependency of the package on itself.
//!
//! # Invariants
//!
//! 1. The tokens of a file, joined, are the file. Applying an edit and undoing it is the identity; bytes outside edits
//!    never change.
//! 2. Operators are pure. Only planning and composing draw random numbers, each keyed by its purpose: the same random
//!    seed gives the same bytes for any number of jobs and shards, any order of faults, after a kill and a resume.
//! 3. Every edit is minimal: no part of it alone plants the fault.
//! 4. Nothing in the public part of a run gives the answer away: no marker, fault, operator, fixed code, random seed,
//!    provenance, or text of another task of the same reference.
//! 5. The judge is right about gold: the reference as answer scores 1 on every metric; the issue as answer scores 0 on
//!    EM and GM and fails execution.
//! 6. GM never calls a killed mutant equal to its reference; `accepted` never accepts an answer that some database of
//!    the script tells from the reference.
//! 7. A record once written is never lost or doubled by a crash.
//! 8. Untrusted SQL cannot read or write a file, open a socket, outlive its time limit or its parent, or exceed its
//!    memory limit, in any command.
//! 9. Every sentence of a complaint is true on the data that the solver may see.

// What a library user sees is documented; inside the crate a name that says it all needs no comment.
#![cfg_attr(not(feature = "internals"), warn(missing_docs))]
// Without `internals`, code that only the program, or only tests and benchmarks reach, would count as dead.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]

/// All modules, in data-flow order: a module uses only what is declared above it, as `tests/library/edges` checks.
#[path = "."]
mod modules {
    // The script itself, and services for all others.
    pub mod code;
    pub mod reply;
    pub mod store;
    pub mod parallel;
    pub mod page;
    pub mod engine;
    #[cfg(feature = "cli")]
    pub mod llm;

    // From a reference to a published task.
    pub mod corpus;
    pub mod fault;
    pub mod inject;
    #[cfg(feature = "cli")]
    pub mod draft;
    pub mod prove;
    pub mod publish;

    // Judges, gates of fresh references, solvers and leak attacks: a task is attacked before it is published.
    pub mod score;
    #[cfg(feature = "cli")]
    pub mod author;
    #[cfg(feature = "cli")]
    pub mod variant;
    #[cfg(feature = "cli")]
    pub mod repair;
    #[cfg(feature = "cli")]
    pub mod audit;

    // Building a run, and what is done with it afterwards.
    #[cfg(feature = "cli")]
    pub mod pipeline;
    #[cfg(feature = "cli")]
    pub mod check;
    #[cfg(feature = "cli")]
    pub mod agreement;
    #[cfg(feature = "cli")]
    pub mod sift;
    #[cfg(feature = "cli")]
    pub mod report;
    #[cfg(feature = "review")]
    pub mod review;
    #[cfg(feature = "cli")]
    pub mod export;
    #[cfg(feature = "cli")]
    pub mod train;

    // The program, and help for the tests of other tools.
    #[cfg(feature = "cli")]
    pub mod cli;
    #[cfg(any(test, feature = "proptest"))]
    pub mod strategies;
}

#[cfg(feature = "cli")]
pub use modules::cli;
#[cfg(feature = "proptest")]
pub use modules::strategies;
#[cfg(feature = "internals")]
pub use modules::*;
#[cfg(not(feature = "internals"))]
use modules::*;

pub use code::edit::{Edit, EditError, Edits};
pub use code::schema::{Schema, SchemaError};
pub use code::script::Script;
pub use code::span::Span;
pub use code::tree::{Kind, NodeId, Tree};
pub use engine::row::Row;
pub use engine::table::{Database, TableRows};
pub use engine::value::Value;
pub use fault::{Fault, Taxonomy, TaxonomyError, Track};
pub use inject::{Mutant, Proposal, plant, sites};
pub use prove::{MutantProof, NotProvable, prove};
pub use score::{exact_match, exact_match_normalised, execution_match, graph_match};
