//! Which condition of a script no row of its databases meets.

use std::fmt;

use super::super::standalone::{existence_probe, gives_rows};
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::engine::sqlite::LoadedDatabase;

/// A condition that filters all rows out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmetCondition {
    /// Line where it begins, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Whether rows meet it alone, but none together with the conditions before it.
    pub together: bool,
}

impl fmt::Display for UnmetCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let together = if self.together { " together with the conditions before it" } else { "" };
        write!(f, "no row meets `{}` in line {}{together}", self.text, self.line)
    }
}

/// Returns the first condition, in the order of the text, that no row of any database meets; `None` if every query
/// finds rows or no single condition is to blame.
pub fn unmet_condition(bound: &Script, schema: &Schema, databases: &[LoadedDatabase]) -> Option<UnmetCondition> {
    let tree = bound.tree();
    let finder = UnmetFinder { bound, schema, databases };
    let blocks = tree.descendants(tree.root()).filter(|node| matches!(tree.kind(*node), Kind::Select { .. }));
    // Inner blocks end first: a sub-query without rows is to blame for the query around it.
    let mut blocks: Vec<NodeId> = blocks.collect();
    blocks.sort_by_key(|block| tree.span(*block).end);
    blocks.into_iter().find_map(|block| finder.in_block(block))
}

struct UnmetFinder<'a> {
    bound: &'a Script,
    schema: &'a Schema,
    databases: &'a [LoadedDatabase],
}

impl UnmetFinder<'_> {
    fn in_block(&self, block: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let from = tree.child(block, |kind| kind == Kind::From)?;
        if let Some(join) = self.first_empty_join(block, from) {
            let on = tree.child(join, |kind| matches!(kind, Kind::On | Kind::Using))?;
            let condition = tree.children(on).first().copied().filter(|_| tree.kind(on) == Kind::On);
            return Some(self.condition(condition.unwrap_or(on), false));
        }
        self.in_where(block, from).or_else(|| self.in_having(block, from))
    }

    fn in_having(&self, block: NodeId, from: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let having = tree.child(block, |kind| kind == Kind::Having)?;
        // GROUP BY may name a column of the list by its position.
        let list = self.bound.slice(tree.child(block, |kind| kind == Kind::Projection)?);
        let clauses = |kind| matches!(kind, Kind::LateralView { .. } | Kind::Where | Kind::GroupBy | Kind::Having);
        let clauses = tree.children_where(block, clauses).map(|clause| self.bound.slice(clause));
        let clauses = clauses.collect::<Vec<_>>().join("\n");
        let found = self.finds(block, &format!("SELECT {list}\n{}\n{clauses}", self.bound.slice(from)));
        let condition = *tree.children(having).first()?;
        (found == Some(false)).then(|| self.condition(condition, false))
    }

    fn in_where(&self, block: NodeId, from: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let clause = tree.child(block, |kind| kind == Kind::Where)?;
        let conditions = self.conjuncts(*tree.children(clause).first()?);
        let from = self.bound.slice(from);
        let views = tree.children_where(block, |kind| matches!(kind, Kind::LateralView { .. }));
        let views = views.map(|view| self.bound.slice(view)).collect::<Vec<_>>().join("\n");
        let found = |condition: &str| self.finds(block, &format!("SELECT 1 AS one {from}\n{views}\nWHERE {condition}"));
        let unmet = |node: &NodeId| found(self.bound.slice(*node)) == Some(false);
        if let Some(alone) = conditions.iter().copied().find(unmet) {
            return Some(self.condition(alone, false));
        }
        let mut before = String::from("TRUE");
        for node in conditions {
            before = format!("{before} AND ({})", self.bound.slice(node));
            if found(&before) == Some(false) {
                return Some(self.condition(node, true));
            }
        }
        None
    }

    /// Returns the first join after which FROM has no rows left.
    fn first_empty_join(&self, block: NodeId, from: NodeId) -> Option<NodeId> {
        let tree = self.bound.tree();
        let joins = tree.children(from).iter().flat_map(|item| tree.children(*item)).copied();
        let mut joins = joins.filter(|node| matches!(tree.kind(*node), Kind::Join { .. }));
        joins.find(|join| {
            let head = &self.bound.text()[tree.span(from).start..tree.span(*join).end];
            self.finds(block, &format!("SELECT 1 AS one {head}")) == Some(false)
        })
    }

    /// Whether a query at a block gives rows on some database; `None` if it cannot be run alone.
    fn finds(&self, block: NodeId, query: &str) -> Option<bool> {
        let probe = existence_probe(self.bound, block, query, self.schema)?;
        Some(self.databases.iter().any(|database| gives_rows(&probe, database)))
    }

    fn conjuncts(&self, condition: NodeId) -> Vec<NodeId> {
        let tree = self.bound.tree();
        match tree.kind(condition) {
            Kind::And => tree.children(condition).iter().flat_map(|child| self.conjuncts(*child)).collect(),
            _ => vec![condition],
        }
    }

    fn condition(&self, node: NodeId, together: bool) -> UnmetCondition {
        let line = self.bound.place(self.bound.tree().span(node).start).line;
        let text = self.bound.slice(node).split_whitespace().collect::<Vec<_>>().join(" ");
        UnmetCondition { line, text, together }
    }
}
