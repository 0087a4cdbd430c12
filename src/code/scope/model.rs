//! What names can mean, as plain data: relations, columns, bindings, problems.

use std::sync::Arc;

use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId, Tree};
use crate::code::types::Type;

/// Index of a [`Relation`] in `Scopes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub u32);

/// A column of a relation: the relation, and the position among its columns.
pub type ColumnPosition = (RelationId, usize);

/// Something that columns come from: an item of FROM, a joined table or a lateral view.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The `Table`, `Derived`, `TableFunction`, `InlineTable`, `LateralView` or aliased `NestedRelation` node.
    pub node: NodeId,
    /// The `Select` (or `MultiInsert`) whose FROM it stands in.
    pub block: NodeId,
    /// The name that qualifies its columns, lower case; empty when it has none.
    pub name: String,
    /// Where its rows come from.
    pub source: RelationSource,
    /// Its columns in order.
    pub columns: Arc<[OutputColumn]>,
    /// It stands on the optional side of an outer join, so that each of its columns can be NULL.
    pub optional: bool,
    /// Only its join's condition sees it (the right side of LEFT SEMI and LEFT ANTI).
    pub condition_only: bool,
    /// It may have more columns than are known, because a table it reads is not defined.
    pub open: bool,
    /// The queries of earlier statements that fill the table, in order.
    pub writers: Arc<[TableWriter]>,
}

impl Relation {
    /// The recursive CTE that it stands in and reads; `None` if it reads anything else.
    pub fn recursion(&self, tree: &Tree) -> Option<NodeId> {
        let RelationSource::CommonTable(table) = self.source else { return None };
        // A CTE of the text around has a number beyond the tree.
        (table.index() < tree.len() && tree.span(table).contains(tree.span(self.node))).then_some(table)
    }
}

/// The sides of the UNION of a recursive CTE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecursiveUnion {
    /// Its query.
    pub query: NodeId,
    /// The `SetOperation`.
    pub operation: NodeId,
    /// The side that does not read the CTE.
    pub first: NodeId,
    /// The side that reads it.
    pub second: NodeId,
}

impl RecursiveUnion {
    /// Returns the parts of a `CommonTable`; `None` if its query is no set operation.
    pub fn of(tree: &Tree, table: NodeId) -> Option<RecursiveUnion> {
        let query = tree.child(table, |kind| kind == Kind::Query)?;
        let operation = tree.child(query, |kind| matches!(kind, Kind::SetOperation { .. }))?;
        let [first, second] = *tree.children(operation) else { return None };
        Some(RecursiveUnion { query, operation, first, second })
    }
}

/// A query that fills a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableWriter {
    /// Its `Query` node.
    pub query: NodeId,
    /// For each column of the table the position of the output that fills it; `None` if no output does.
    pub outputs: Vec<Option<usize>>,
}

/// Where a relation's rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelationSource {
    /// A table of the schema, by its full lower-case name.
    Table(String),
    /// A table that an earlier statement of the script creates or writes without a definition in the schema.
    Written(String),
    /// A CTE: its `CommonTable` node.
    CommonTable(NodeId),
    /// A sub-query: its `Query` node, or the `NestedRelation` of joined relations under one alias.
    Query(NodeId),
    /// A generator: its `Call` node.
    Function(NodeId),
    /// `VALUES`: its node.
    Values(NodeId),
    /// A name that nothing defines.
    Unknown,
}

impl RelationSource {
    /// The query whose rows these are: that of a CTE, or a sub-query in FROM (the `NestedRelation` of joined
    /// relations); `None` for every other source.
    pub(crate) fn query(&self, tree: &Tree) -> Option<NodeId> {
        match self {
            RelationSource::CommonTable(table) => tree.child(*table, |kind| kind == Kind::Query),
            RelationSource::Query(query) => Some(*query),
            _ => None,
        }
    }
}

/// One column of a relation or of a query's output.
#[derive(Clone, Debug)]
pub struct OutputColumn {
    /// Lower-case name.
    pub name: String,
    /// Its type; [`Type::Unknown`] when it cannot be told.
    pub data_type: Type,
    /// It can be NULL as far as the schema and the query tell.
    pub nullable: bool,
    /// The expression that computes it, for a query's output; `None` for a table's column or an expanded `*`.
    pub expression: Option<NodeId>,
    /// The column it passes on unchanged (a plain column or an expanded `*`).
    pub passes_on: Option<ColumnPosition>,
    /// It is a partition column of a table.
    pub partition: bool,
}

/// What a part of a longer text may name beside the tables of the schema.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The CTEs before it, the innermost last.
    pub common_tables: Vec<GivenTable>,
    /// The tables that earlier statements have made, by their full names.
    pub made: Vec<GivenTable>,
}

/// A CTE or table of a text that a script is a part of.
#[derive(Clone, Debug)]
pub struct GivenTable {
    /// Its name, lower case.
    pub name: String,
    /// What it gives, in order.
    pub columns: Arc<[OutputColumn]>,
}

impl GivenTable {
    /// The node that stands for the CTE at `place` in a tree of `nodes` nodes.
    pub(crate) fn node(nodes: usize, place: usize) -> NodeId {
        NodeId((nodes + place) as u32)
    }
}

/// What a `Column` node means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The thing named.
    pub target: ColumnTarget,
    /// How many identifiers of the path name it; the rest are struct fields.
    pub path_length: usize,
    /// The relation belongs to an enclosing query (a correlated sub-query).
    pub outer: bool,
}

/// The thing a column reference names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnTarget {
    /// Column `.1` of relation `.0`.
    Column(RelationId, usize),
    /// An output of the same SELECT block by its alias (ORDER BY, GROUP BY, HAVING): the `SelectItem`.
    Alias(NodeId),
    /// An output column of the query being ordered, by position, where no single item stands for it (set operations).
    Output(usize),
    /// A parameter of an enclosing lambda: the `Lambda` node and the parameter's position.
    Parameter(NodeId, usize),
}

/// A name that does not resolve, and other errors that only scopes can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeProblem {
    /// The offending node.
    pub node: NodeId,
    /// Its bytes.
    pub span: Span,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// What is wrong with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// No relation in scope has this column, or the written table or the output that is searched has not.
    UnknownColumn {
        /// As written.
        name: String,
        /// The names that come nearest, best first, at most five; as `alias.column` where a relation has a name.
        suggestions: Vec<String>,
    },
    /// Several relations have this column.
    AmbiguousColumn {
        /// As written.
        name: String,
        /// As `alias.column`.
        candidates: Vec<String>,
    },
    /// No table, view or CTE has this name.
    UnknownTable {
        /// As written.
        name: String,
    },
    /// A struct has no such field.
    UnknownField {
        /// As written.
        name: String,
        /// The fields it has.
        fields: Vec<String>,
    },
    /// Two CTEs of one WITH share this name.
    DuplicateCommonTable {
        /// As written.
        name: String,
    },
}
