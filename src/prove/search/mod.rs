//! Looks for a database that tells a mutant apart from its reference, where the baseline does not.
//!
//! 1. [`hints`]: the base columns, texts and numbers near the fault.
//! 2. `guided`: changes that go on from the databases on which a difference propagates farthest.
//! 3. [`branches`]: databases for the branches of a script that its first databases leave out, of rows made for what
//!    leads there ([`branch_rows`]) or changed at random.

pub mod branch_rows;
pub mod hints;
pub mod branches;
mod guided;
