//! The branches a script can take: arms of CASE and IF, operands of UNION, partners and orphans of outer joins.
//!
//! Each branch has a query of its own that gives rows exactly when the branch is taken: the FROM and WHERE of its
//! block, and the condition that leads there.

use std::cell::Cell;
use std::fmt;

use serde::Serialize;

use super::super::standalone::{existence_probe, gives_rows};
use crate::code::schema::Schema;
use crate::code::scope::{ColumnTarget, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};
use crate::engine::sqlite::{LoadedDatabase, Translation};

/// A branch that a script can take.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The node of its expression, operand or join.
    pub node: NodeId,
    /// Line where its expression or join begins, from 1.
    pub line: usize,
    /// Its kind.
    pub kind: BranchKind,
    /// A query that gives rows when it is taken, to stand in its place; `None` if there is no such query, as with window
    /// functions.
    pub query: Option<String>,
    /// The query with what stands before it, translated; `None` if it cannot be run alone.
    pub probe: Option<Translation>,
    /// Whether some database of the baseline takes it.
    pub taken: bool,
}

impl Branch {
    /// Whether some row of a database takes it; false if there is no query to ask.
    pub fn is_taken(&self, database: &LoadedDatabase) -> bool {
        self.probe.as_ref().is_some_and(|probe| gives_rows(probe, database))
    }
}

/// The kinds of branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BranchKind {
    /// A WHEN of a CASE.
    Case {
        /// Its number, from 1.
        number: usize,
    },
    /// ELSE of a CASE, written or not.
    Else,
    /// An arm of an IF.
    If {
        /// Whether the condition holds.
        holds: bool,
    },
    /// An operand of a set operation.
    Side {
        /// Its number, from 1.
        number: usize,
    },
    /// A row of an outer join that finds a match.
    Partner,
    /// A row of an outer join that finds none.
    Orphan,
}

impl fmt::Display for BranchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BranchKind::Case { number } => write!(f, "WHEN {number}"),
            BranchKind::Else => write!(f, "ELSE"),
            BranchKind::If { holds } => write!(f, "IF {holds}"),
            BranchKind::Side { number } => write!(f, "side {number}"),
            BranchKind::Partner => write!(f, "partner"),
            BranchKind::Orphan => write!(f, "orphan"),
        }
    }
}

/// Returns all branches of a script whose placeholders are bound.
pub fn branches(bound: &Script, scopes: &Scopes, schema: &Schema) -> Vec<Branch> {
    let finder = Finder { left: Cell::new(MOST_BYTES), bound, scopes, schema };
    let tree = bound.tree();
    tree.descendants(tree.root()).flat_map(|node| finder.ways(node)).collect()
}

/// A query for what leads to some place of a script, to stand in the place of a node.
pub struct PathQuery {
    /// The node.
    pub node: NodeId,
    /// The query.
    pub text: String,
}

/// Returns a query for rows on which a comparison by size is asked, inside a condition of CASE or IF, and both of its
/// sides are equal; `None` for any other node, and where there is no such query.
pub fn rows_on_boundary(bound: &Script, scopes: &Scopes, schema: &Schema, comparison: NodeId) -> Option<PathQuery> {
    let finder = Finder { left: Cell::new(MOST_BYTES), bound, scopes, schema };
    finder.on_boundary(comparison)
}

/// Branches of a CASE that get a query: each excludes those before it.
const MOST_PROBED: usize = 128;
/// Most bytes of all queries for branches: each holds the statements that stand before it.
const MOST_BYTES: usize = 16 << 20;

/// Returns what is to be added to a condition so that none of these holds as well.
fn none_of(conditions: &[String]) -> String {
    conditions.iter().map(|condition| format!(" AND NOT COALESCE(({condition}), FALSE)")).collect()
}

struct Finder<'a> {
    /// Bytes that further queries may have.
    left: Cell<usize>,
    bound: &'a Script,
    scopes: &'a Scopes,
    schema: &'a Schema,
}

impl Finder<'_> {
    fn ways(&self, node: NodeId) -> Vec<Branch> {
        let tree = self.bound.tree();
        match tree.kind(node) {
            Kind::Case { operand } => self.case(node, operand),
            Kind::Call { .. } if self.bound.is_if(node) => self.if_call(node),
            Kind::SetOperation { .. } => self.sides(node),
            Kind::Join { kind: JoinKind::Left | JoinKind::Full, .. } => self.outer_join(node),
            _ => Vec::new(),
        }
    }

    fn branch(&self, node: NodeId, kind: BranchKind, query: Option<String>) -> Branch {
        let line = self.bound.place(self.bound.tree().span(node).start).line;
        let probe = query.as_ref().and_then(|query| self.probe(node, query));
        Branch { node, line, kind, query, probe, taken: false }
    }

    fn probe(&self, node: NodeId, query: &str) -> Option<Translation> {
        let before = self.bound.tree().span(node).start;
        self.left.set(self.left.get().checked_sub(before + query.len())?);
        existence_probe(self.bound, node, query, self.schema)
    }

    fn case(&self, case: NodeId, operand: bool) -> Vec<Branch> {
        let tree = self.bound.tree();
        let children = tree.children(case);
        let subject = operand.then(|| self.bound.slice(children[0]));
        let whens = children.iter().filter(|child| tree.kind(**child) == Kind::When);
        let condition = |when: &NodeId| {
            let condition = self.bound.slice(tree.children(*when)[0]);
            subject.map_or_else(|| condition.to_owned(), |subject| format!("{subject} = ({condition})"))
        };
        let conditions: Vec<String> = whens.map(condition).collect();
        let taken = |number: usize| format!("({}){}", conditions[number], none_of(&conditions[..number]));
        let rows = |number: usize| (number < MOST_PROBED).then(|| self.rows_where(case, &taken(number))).flatten();
        let mut ways: Vec<Branch> = (0..conditions.len())
            .map(|number| self.branch(case, BranchKind::Case { number: number + 1 }, rows(number)))
            .collect();
        let rest = || self.rows_where(case, &format!("TRUE{}", none_of(&conditions)));
        let rest = (conditions.len() <= MOST_PROBED).then(rest).flatten();
        ways.push(self.branch(case, BranchKind::Else, rest));
        ways
    }

    fn if_call(&self, call: NodeId) -> Vec<Branch> {
        let Some(condition) = self.bound.arguments(call).first().map(|node| self.bound.slice(*node)) else {
            return Vec::new();
        };
        let branch = |holds: bool| {
            let not = if holds { "" } else { "NOT " };
            let query = self.rows_where(call, &format!("{not}COALESCE(({condition}), FALSE)"));
            self.branch(call, BranchKind::If { holds }, query)
        };
        vec![branch(true), branch(false)]
    }

    fn on_boundary(&self, comparison: NodeId) -> Option<PathQuery> {
        let (bound, tree) = (self.bound, self.bound.tree());
        let [left, right] = tree.children(comparison)[..] else { return None };
        if !matches!(tree.kind(comparison), Kind::Binary(operator) if operator.is_by_size()) {
            return None;
        }
        let equal = format!("({}) = ({})", bound.slice(left), bound.slice(right));
        // The condition in which it stands, with the two sides equal.
        let within = |condition: NodeId| {
            let (whole, part) = (tree.span(condition), tree.span(comparison));
            let text = bound.text();
            format!("{}{equal}{}", &text[whole.start..part.start], &text[part.end..whole.end])
        };
        let path: Vec<NodeId> = std::iter::once(comparison).chain(tree.ancestors(comparison)).collect();
        path.windows(3).find_map(|step| {
            let [condition, when, choice] = *step else { return None };
            let text = match tree.kind(choice) {
                Kind::Case { operand: false } if tree.children(when).first() == Some(&condition) => {
                    let before = tree.children(choice).iter().take_while(|other| **other != when);
                    // Plainly negated, a condition tells which rows to make; that it may be NULL as well does not matter.
                    let before = before.map(|other| format!(" AND NOT ({})", bound.slice(tree.children(*other)[0])));
                    self.rows_where(choice, &format!("({}){}", within(condition), before.collect::<String>()))
                }
                _ if bound.is_if(when) && bound.arguments(when).first() == Some(&condition) => {
                    self.rows_where(when, &within(condition))
                }
                _ => None,
            };
            text.map(|text| PathQuery { node: comparison, text })
        })
    }

    /// Returns a query for the rows on which an expression is computed and a condition holds: rows of its block, or its
    /// groups if the expression holds an aggregate. `None` if neither can be queried.
    fn rows_where(&self, expression: NodeId, condition: &str) -> Option<String> {
        let tree = self.bound.tree();
        let block = tree.enclosing(expression, |kind| matches!(kind, Kind::Select { .. }))?;
        let is_call = |node: &NodeId| matches!(tree.kind(*node), Kind::Call { .. });
        let windows = tree.descendants(expression).any(|node| tree.kind(node) == Kind::Over);
        let within = |kind| matches!(kind, Kind::Where | Kind::On | Kind::Lambda | Kind::Over);
        let clause = tree.ancestors(expression).take_while(|node| *node != block).any(|node| within(tree.kind(node)));
        if windows || clause {
            return None;
        }
        let part = |wanted: Kind| tree.child(block, |kind| kind == wanted).map_or("", |node| self.bound.slice(node));
        let multi = tree.enclosing(block, |kind| kind == Kind::MultiInsert);
        let from = tree
            .child(block, |kind| kind == Kind::From)
            .or_else(|| multi.and_then(|multi| tree.child(multi, |kind| kind == Kind::From)))?;
        let views = tree.children_where(block, |kind| matches!(kind, Kind::LateralView { .. }));
        let views = views.map(|view| self.bound.slice(view)).collect::<Vec<_>>().join("\n");
        let has_where = tree.child(block, |kind| kind == Kind::Where);
        let where_ = has_where.map_or("TRUE", |node| self.bound.slice(tree.children(node)[0]));
        let from = self.bound.slice(from);
        let inside = tree.ancestors(expression).take_while(|node| *node != block);
        let below_aggregate = inside.filter(is_call).any(|call| self.is_aggregate(call));
        let holds_aggregate = tree.descendants(expression).filter(is_call).any(|call| self.is_aggregate(call));
        let group = part(Kind::GroupBy);
        if holds_aggregate && !below_aggregate {
            let having = tree.child(block, |kind| kind == Kind::Having);
            let having = having.map_or("TRUE", |node| self.bound.slice(tree.children(node)[0]));
            return Some(format!(
                "SELECT 1 AS one {from}\n{views}\nWHERE {where_}\n{group}\nHAVING ({having}) AND ({condition})"
            ));
        }
        Some(format!("SELECT 1 AS one {from}\n{views}\nWHERE ({where_}) AND ({condition})"))
    }

    fn is_aggregate(&self, call: NodeId) -> bool {
        // Calls that tell which keys a row is a subtotal of need the groups as well.
        self.bound.is_aggregate(call) || self.bound.tells_subtotals(call)
    }

    fn sides(&self, operation: NodeId) -> Vec<Branch> {
        let sides = self.bound.tree().children(operation).iter().take(2).enumerate();
        let text = |side: NodeId| format!("SELECT * FROM ({}\n) block", self.bound.slice(side));
        sides.map(|(at, side)| self.branch(*side, BranchKind::Side { number: at + 1 }, Some(text(*side)))).collect()
    }

    /// A row of the left side has a match if a column by which the right side is matched is not NULL.
    fn outer_join(&self, join: NodeId) -> Vec<Branch> {
        let tree = self.bound.tree();
        let Some(from) = tree.enclosing(join, |kind| kind == Kind::From) else { return Vec::new() };
        let head = &self.bound.text()[tree.span(from).start..tree.span(join).end];
        let matched = self.matched_column(join);
        let branch = |kind: BranchKind, not: &str| {
            let query = matched.as_ref().map(|column| format!("SELECT 1 AS one {head}\nWHERE {column} IS {not}NULL"));
            self.branch(join, kind, query)
        };
        vec![branch(BranchKind::Partner, "NOT "), branch(BranchKind::Orphan, "")]
    }

    fn matched_column(&self, join: NodeId) -> Option<String> {
        let tree = self.bound.tree();
        let side = *tree.children(join).first()?;
        let on = tree.child(join, |kind| kind == Kind::On)?;
        let equal = tree.descendants(on).filter(|node| tree.kind(*node) == Kind::Binary(BinaryOperator::Equal));
        let sides = equal.flat_map(|node| tree.children(node).to_vec());
        let mut of_side = sides.filter(|node| match self.scopes.binding(*node).map(|binding| &binding.target) {
            Some(ColumnTarget::Column(relation, _)) => {
                let relation = self.scopes.relation(*relation);
                relation.node == side && !matches!(relation.source, RelationSource::Unknown)
            }
            _ => false,
        });
        of_side.next().map(|node| self.bound.slice(node).to_owned())
    }
}
