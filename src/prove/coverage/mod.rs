//! Which SELECT blocks of a script find rows on a database, and which of its branches are taken.
//!
//! A block that reads no row proves nothing about a fault inside it, so coverage is measured by running each query of
//! the script on its own, under the WITH items it can see and after the statements before it.

mod branches;
mod unmet;

use serde::{Deserialize, Serialize};

pub use branches::{Branch, PathQuery, branches, rows_on_boundary};
pub use unmet::{Unmet, UnmetCondition, unmet_condition};

use super::standalone::{existence_probe, gives_rows};
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::engine::sqlite::{LoadedDatabase, Translation};

/// How much of a script its databases reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Queries that can be run on their own.
    pub blocks: usize,
    /// Queries that give rows on some database.
    pub reached: usize,
    /// Lines, from 1, where the other queries begin.
    pub unreached: Vec<usize>,
    /// Arms of CASE and IF, operands of UNION, partners and orphans of outer joins.
    pub branches: usize,
    /// Branches that some row of some database takes.
    pub taken: usize,
    /// The branches not taken, as line and kind: `40 WHEN 2`.
    pub untaken: Vec<String>,
    /// Branches that no query can ask for: those with window functions, and those inside conditions.
    pub unmeasured: usize,
}

/// Measures coverage: runs every block of a script on all its databases. `bound` has its placeholders bound.
pub fn measure(bound: &Script, schema: &Schema, databases: &[&LoadedDatabase], branches: &[Branch]) -> Coverage {
    let blocks = blocks(bound, schema);
    let is_reached = |block: &StandaloneQuery| databases.iter().any(|database| block.is_reached(database));
    let line = |block: &StandaloneQuery| bound.place(bound.tree().span(block.node).start).line;
    let unreached: Vec<usize> = blocks.iter().filter(|block| !is_reached(block)).map(line).collect();
    let measured = || branches.iter().filter(|branch| branch.probe.is_some());
    let untaken: Vec<String> =
        measured().filter(|branch| !branch.taken).map(|branch| format!("{} {}", branch.line, branch.kind)).collect();
    Coverage {
        blocks: blocks.len(),
        reached: blocks.len() - unreached.len(),
        unreached,
        branches: measured().count(),
        taken: measured().count() - untaken.len(),
        untaken,
        unmeasured: branches.iter().filter(|branch| branch.probe.is_none()).count(),
    }
}

/// One query of a script, ready to be run on its own.
#[derive(Debug)]
pub struct StandaloneQuery {
    /// The query's node in the script.
    pub node: NodeId,
    probe: Translation,
}

/// Returns the queries of a script that can be run on their own; correlated ones cannot, and are left out.
///
/// `bound` has its placeholders bound.
pub fn blocks(bound: &Script, schema: &Schema) -> Vec<StandaloneQuery> {
    let tree = bound.tree();
    let queries = tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::Query);
    let probe = |node| existence_probe(bound, node, &format!("SELECT * FROM ({}\n) block", bound.slice(node)), schema);
    queries.filter_map(|node| Some(StandaloneQuery { node, probe: probe(node)? })).collect()
}

impl StandaloneQuery {
    /// Whether the block gives rows on a database; false if it fails.
    fn is_reached(&self, database: &LoadedDatabase) -> bool {
        gives_rows(&self.probe, database)
    }
}
