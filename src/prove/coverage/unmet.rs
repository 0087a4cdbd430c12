//! Which condition of a script no row of its databases meets.

use std::cmp::Reverse;
use std::fmt;

use super::super::standalone::{existence_probe, gives_rows};
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::engine::sqlite::LoadedDatabase;

/// A condition or another part of a script that lets no row through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmetCondition {
    /// Where it stands in the script with its placeholders bound.
    pub node: NodeId,
    /// Line where it begins, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// How it lets no row through.
    pub how: Unmet,
}

/// How a part of a script lets no row through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// No row meets the condition.
    Alone,
    /// Rows meet the condition alone, but none together with the conditions before it.
    Together,
    /// It is no condition, such as a LIMIT, and leaves no row.
    LeavesNone,
    /// It is a table that nothing has filled before.
    NeverFilled,
}

impl fmt::Display for UnmetCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnmetCondition { line, text, how, .. } = self;
        match how {
            Unmet::Alone => write!(f, "no row meets `{text}` in line {line}"),
            Unmet::Together => {
                write!(f, "no row meets `{text}` in line {line} together with the conditions before it")
            }
            Unmet::LeavesNone => write!(f, "no row is left by `{text}` in line {line}"),
            Unmet::NeverFilled => write!(
                f,
                "`{text}` is read in line {line}, and no statement before it puts rows into it; take the statement that \
                 makes it out of the script, and it is an input"
            ),
        }
    }
}

/// Returns the first part, in the order of the text, that lets no row of any database through; `None` if no single
/// one is to blame.
pub fn unmet_condition(bound: &Script, schema: &Schema, databases: &[LoadedDatabase]) -> Option<UnmetCondition> {
    let tree = bound.tree();
    let finder = UnmetFinder { bound, schema, databases };
    let is_part =
        |kind| matches!(kind, Kind::Select { .. } | Kind::SetOperation { .. } | Kind::Limit) || kind.changes_rows();
    // Inner blocks end first: a sub-query without rows is to blame for the query around it.
    let mut parts: Vec<NodeId> = tree.descendants(tree.root()).filter(|node| is_part(tree.kind(*node))).collect();
    parts.sort_by_key(|part| (tree.span(*part).end, Reverse(tree.span(*part).start)));
    parts.into_iter().find_map(|part| match tree.kind(part) {
        Kind::Select { .. } => finder.in_block(part),
        Kind::SetOperation { .. } => finder.in_set_operation(part),
        Kind::Limit => finder.in_limit(part),
        _ => finder.in_change(part),
    })
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
        if let Some(table) = self.first_empty_table(block, from) {
            return Some(self.found(table, Unmet::NeverFilled));
        }
        if let Some(join) = self.first_empty_join(block, from) {
            let on = tree.child(join, |kind| matches!(kind, Kind::On | Kind::Using))?;
            let condition = tree.children(on).first().copied().filter(|_| tree.kind(on) == Kind::On);
            return Some(self.found(condition.unwrap_or(on), Unmet::Alone));
        }
        self.in_views(block, from)
            .or_else(|| self.in_where(block, from))
            .or_else(|| self.in_having(block, from))
            .or_else(|| self.in_qualify(block))
    }

    /// The first LATERAL VIEW behind which FROM has no rows left.
    fn in_views(&self, block: NodeId, from: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let mut head = format!("SELECT 1 AS one {}", self.bound.slice(from));
        for view in tree.children_where(block, |kind| matches!(kind, Kind::LateralView { .. })) {
            head = format!("{head}\n{}", self.bound.slice(view));
            if self.finds(block, &head) == Some(false) {
                return Some(self.found(view, Unmet::LeavesNone));
            }
        }
        None
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
        (found == Some(false)).then(|| self.found(condition, Unmet::Alone))
    }

    /// QUALIFY comes last: where a block has rows without it and none with it, its condition is to blame.
    fn in_qualify(&self, block: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let qualify = tree.child(block, |kind| kind == Kind::Qualify)?;
        let condition = *tree.children(qualify).first()?;
        (self.finds(block, self.bound.slice(block)) == Some(false)).then(|| self.found(condition, Unmet::Alone))
    }

    fn in_where(&self, block: NodeId, from: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let clause = tree.child(block, |kind| kind == Kind::Where)?;
        let from = self.bound.slice(from);
        let views = tree.children_where(block, |kind| matches!(kind, Kind::LateralView { .. }));
        let views = views.map(|view| self.bound.slice(view)).collect::<Vec<_>>().join("\n");
        self.in_conditions(block, clause, &format!("SELECT 1 AS one {from}\n{views}"))
    }

    /// The first of the conditions of a clause that no row of a query without them meets.
    fn in_conditions(&self, block: NodeId, clause: NodeId, query: &str) -> Option<UnmetCondition> {
        let conditions = self.bound.tree().conjuncts(clause);
        let found = |condition: &str| self.finds(block, &format!("{query}\nWHERE {condition}"));
        let unmet = |node: &NodeId| found(self.bound.slice(*node)) == Some(false);
        if let Some(alone) = conditions.iter().copied().find(unmet) {
            return Some(self.found(alone, Unmet::Alone));
        }
        let mut before = String::from("TRUE");
        for node in conditions.iter().copied() {
            before = format!("{before} AND ({})", self.bound.slice(node));
            if found(&before) == Some(false) {
                return Some(self.found(node, Unmet::Together));
            }
        }
        None
    }

    /// EXCEPT and INTERSECT, where the sides before it have rows.
    fn in_set_operation(&self, operation: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let second = *tree.children(operation).get(1)?;
        let found = self.finds(operation, &format!("SELECT * FROM ({}) sides", self.bound.slice(operation)));
        (found == Some(false)).then(|| self.between(operation, second))?
    }

    /// The words of a set operation before its second side.
    fn between(&self, operation: NodeId, second: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let first = *tree.children(operation).first()?;
        let (start, end) = (tree.span(first).end, tree.span(second).start);
        let words = self.bound.tokens().iter().filter(|token| token.span().start >= start && token.span().end <= end);
        let words: Vec<_> = words.filter(|token| token.span().of(self.bound.text()) != ")").collect();
        let line = self.bound.place(words.first()?.span().start).line;
        let text: Vec<&str> = words.iter().map(|token| token.span().of(self.bound.text())).collect();
        let text = text.join(" ").trim_end_matches(" (").to_owned();
        Some(UnmetCondition { node: operation, line, text, how: Unmet::LeavesNone })
    }

    /// `LIMIT 0`.
    fn in_limit(&self, limit: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let count = *tree.children(limit).first()?;
        (self.bound.slice(count) == "0").then(|| self.found(limit, Unmet::LeavesNone))
    }

    /// A DELETE, UPDATE or MERGE: the condition that no row of its table meets; or that it leaves none.
    fn in_change(&self, statement: NodeId) -> Option<UnmetCondition> {
        let tree = self.bound.tree();
        let table = self.bound.slice(tree.child(statement, |kind| kind == Kind::Table)?);
        let whole = format!("SELECT 1 AS one FROM {table}");
        if let Some(clause) = tree.child(statement, |kind| kind == Kind::Where) {
            if let Some(unmet) = self.in_conditions(statement, clause, &whole) {
                return Some(unmet);
            }
            let condition = self.bound.slice(*tree.children(clause).first()?);
            let rest = self.finds(statement, &format!("{whole}\nWHERE ({condition}) IS NOT TRUE"));
            let is_emptied = tree.kind(statement) == Kind::Delete && rest == Some(false);
            return is_emptied.then(|| self.found(statement, Unmet::LeavesNone));
        }
        (tree.kind(statement) == Kind::Delete).then(|| self.found(statement, Unmet::LeavesNone))
    }

    /// Returns the first table of FROM, outside its sub-queries, that the script makes by its columns and that has no rows.
    fn first_empty_table(&self, block: NodeId, from: NodeId) -> Option<NodeId> {
        let tree = self.bound.tree();
        let tables = tree.descendants(from).filter(|node| tree.kind(*node) == Kind::Table);
        let mut of_block = tables.filter(|table| {
            tree.ancestors(*table).find(|node| matches!(tree.kind(*node), Kind::Select { .. })) == Some(block)
        });
        of_block.find(|table| {
            let read = format!("SELECT 1 AS one FROM {}", self.bound.slice(*table));
            self.is_made_by_columns(*table) && self.finds(block, &read) == Some(false)
        })
    }

    /// Whether a CREATE TABLE of the script makes a table by its columns.
    fn is_made_by_columns(&self, table: NodeId) -> bool {
        let tree = self.bound.tree();
        let name = self.bound.path_name(table);
        tree.children_where(tree.root(), |kind| kind == Kind::CreateTable).any(|statement| {
            let made = tree.child(statement, |kind| kind == Kind::Table).map(|made| self.bound.path_name(made));
            made.as_ref() == Some(&name) && tree.child(statement, |kind| kind == Kind::Query).is_none()
        })
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

    fn found(&self, node: NodeId, how: Unmet) -> UnmetCondition {
        let line = self.bound.place(self.bound.tree().span(node).start).line;
        let text = self.bound.slice(node).split_whitespace().collect::<Vec<_>>().join(" ");
        UnmetCondition { node, line, text, how }
    }
}
