//! The syntax tree: a flat arena of nodes, each with its exact byte range.
//!
//! One homogeneous node type serves scopes, operators, analysis, translation and metrics alike. A node's meaning is
//! its [`Kind`] and the kinds and order of its children, which [`Kind`] documents. Names, operators and literals are
//! read from the source text; the tree holds structure only.

use super::span::Span;

/// Index of a node in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How rows of the two sides of a join meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinKind {
    /// `[INNER] JOIN`.
    Inner,
    /// `LEFT [OUTER] JOIN`.
    Left,
    /// `RIGHT [OUTER] JOIN`.
    Right,
    /// `FULL [OUTER] JOIN`.
    Full,
    /// `CROSS JOIN`.
    Cross,
    /// `LEFT SEMI JOIN`.
    LeftSemi,
    /// `LEFT ANTI JOIN`.
    LeftAnti,
}

/// A set operation; `all` keeps duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetOperator {
    /// `UNION`.
    Union,
    /// `INTERSECT`.
    Intersect,
    /// `EXCEPT` and `MINUS`.
    Except,
}

/// A binary operator other than `AND` and `OR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `=` and `==`.
    Equal,
    /// `<>` and `!=`.
    NotEqual,
    /// `<=>`.
    NullSafeEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Modulo,
    /// `DIV`.
    IntegerDivide,
    /// `||`.
    Concat,
    /// `&`.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
}

impl BinaryOperator {
    /// Whether the operator compares and gives a boolean.
    pub fn is_comparison(self) -> bool {
        use BinaryOperator::*;
        matches!(self, Equal | NotEqual | NullSafeEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
    }
}

/// A pattern match operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatternOperator {
    /// `LIKE`.
    Like,
    /// `ILIKE`.
    InsensitiveLike,
    /// `RLIKE` and `REGEXP`.
    Regexp,
}

/// What a node is. After the dash: its children in order; `?` may be absent, `*` any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    // ---- statements ------------------------------------------------------------------------------------------
    /// The whole file – statements.
    Script,
    /// `SET …`, `USE …`, `ADD JAR …` – none.
    Command,
    /// A statement kept as text: DDL and administration that is no place for faults – none.
    Opaque,
    /// A statement that does not parse – none; the script holds its error.
    Broken,
    /// `INSERT …` – `Table`, `PartitionSpec?`, `ColumnList?`, `Query`. With `With` in front: `With` comes first.
    Insert {
        /// `OVERWRITE` rather than `INTO`.
        overwrite: bool,
    },
    /// Hive's `FROM x INSERT … INSERT …` – `With?`, `From`, then `InsertBranch*`.
    MultiInsert,
    /// One branch of a multi-insert – `Table`, `PartitionSpec?`, `ColumnList?`, `Query` (whose `Select` has no FROM).
    InsertBranch {
        /// `OVERWRITE` rather than `INTO`.
        overwrite: bool,
    },
    /// `PARTITION (a = 'x', b)` – `PartitionItem*`.
    PartitionSpec,
    /// One partition column – `Identifier`, value expression `?` (absent when dynamic).
    PartitionItem,
    /// `(a, b)` after a table or alias – `Identifier*`.
    ColumnList,
    /// `CREATE TABLE` – `Table`, `Table?` (after LIKE), `ColumnDefinition*`, `PartitionColumns?`, `Query?`.
    CreateTable,
    /// `CREATE VIEW` – `Table`, `ColumnList?`, `Query`.
    CreateView,
    /// `PARTITIONED BY (…)` – `ColumnDefinition*` (or `Identifier*` for names only).
    PartitionColumns,
    /// `name TYPE [NOT NULL] [COMMENT '…']` – `Identifier`, `TypeName`, `Text?` (the comment).
    ColumnDefinition,

    // ---- queries ---------------------------------------------------------------------------------------------
    /// A query with its ordering – `With?`, body (`Select`, `SetOperation`, `Values`, `Parenthesized`),
    /// `OrderBy? ClusterBy? DistributeBy? SortBy? Windows? Limit?`.
    Query,
    /// `WITH …` – `CommonTable*`.
    With,
    /// `name [(columns)] AS (query)` – `Identifier`, `ColumnList?`, `Query`.
    CommonTable,
    /// One SELECT block – `Projection`, `From?`, `LateralView*`, `Where?`, `GroupBy?`, `Having?`, `Qualify?`, `Windows?`.
    Select {
        /// `SELECT DISTINCT`.
        distinct: bool,
    },
    /// The SELECT list – `SelectItem*`, `Wildcard*`.
    Projection,
    /// One output – expression, `Alias?` (or `ColumnList?` for generators with several outputs).
    SelectItem,
    /// `*` or `t.*` in a SELECT list – `Identifier*` (the qualifier).
    Wildcard,
    /// `left UNION right` – left body, right body.
    SetOperation {
        /// Which operation.
        operator: SetOperator,
        /// `ALL` is written.
        all: bool,
    },
    /// A query in parentheses as an operand of a set operation – `Query`.
    Parenthesized,
    /// `VALUES (…), (…)` – `Row*`, or bare expressions.
    Values,
    /// `FROM …` – `Relation*`.
    From,
    /// One comma-separated item of FROM – a primary (`Table`, `Derived`, `TableFunction`, `InlineTable`,
    /// `NestedRelation`), then `Join*` and `LateralView*` in written order.
    Relation,
    /// A named table – `Identifier*` (the path), `Sample?`, `Alias?`.
    Table,
    /// `TABLESAMPLE (…)` – none.
    Sample,
    /// A sub-query in FROM – `Query`, `Alias?`.
    Derived,
    /// A generator in FROM such as `explode(x)` or `range(3)` – `Call`, `Alias?`.
    TableFunction,
    /// `VALUES …` in FROM – `Values`, `Alias?`.
    InlineTable,
    /// A relation in parentheses – `Relation`, `Alias?`.
    NestedRelation,
    /// `[AS] name [(columns)]` – `Identifier`, `ColumnList?`. The span starts at `AS` when it is written.
    Alias,
    /// A join, from its first keyword to the end of its condition – primary, `On?` or `Using?`.
    Join {
        /// Which join.
        kind: JoinKind,
        /// `NATURAL` is written.
        natural: bool,
    },
    /// `ON condition` – expression.
    On,
    /// `USING (a, b)` – `Identifier*`.
    Using,
    /// `LATERAL VIEW [OUTER] f(x) t [AS a, b]` – `Call`, `Identifier?` (table alias), `ColumnList?`.
    LateralView {
        /// `OUTER` is written.
        outer: bool,
    },
    /// `WHERE condition` – expression.
    Where,
    /// `GROUP BY …` – expressions, `Grouping*`.
    GroupBy,
    /// `GROUPING SETS (…)`, `ROLLUP (…)`, `CUBE (…)`, `WITH ROLLUP`, `WITH CUBE` – `Tuple`s or expressions (none after `WITH`).
    Grouping {
        /// Which of the three.
        kind: GroupingKind,
    },
    /// `HAVING condition` – expression.
    Having,
    /// `QUALIFY condition` – expression.
    Qualify,
    /// `ORDER BY …` of a query or window – `SortItem*`.
    OrderBy,
    /// `SORT BY …` – `SortItem*`.
    SortBy,
    /// `DISTRIBUTE BY …` – expressions.
    DistributeBy,
    /// `CLUSTER BY …` – expressions.
    ClusterBy,
    /// One sort key – expression.
    SortItem {
        /// `DESC` is written.
        descending: bool,
        /// `NULLS FIRST` (`Some(true)`), `NULLS LAST` (`Some(false)`), or nothing.
        nulls_first: Option<bool>,
    },
    /// `LIMIT n` or `LIMIT offset, n` – expressions; an `OFFSET` follows as second child.
    Limit,
    /// `WINDOW name AS (…)` – `NamedWindow*`.
    Windows,
    /// One named window – `Identifier`, `WindowSpec`.
    NamedWindow,

    // ---- expressions -----------------------------------------------------------------------------------------
    /// `a`, `t.a`, `db.t.a`, `t.a.field` – `Identifier*`.
    Column,
    /// One part of a name – none.
    Identifier,
    /// A string literal – none.
    Text,
    /// A number literal – none.
    Number,
    /// A placeholder that stands alone – none.
    Placeholder,
    /// `NULL` – none.
    Null,
    /// `TRUE` or `FALSE` – none.
    Boolean(bool),
    /// `DATE '…'`, `TIMESTAMP '…'` – `Text`.
    TypedText,
    /// `INTERVAL 1 DAY`, `INTERVAL '1' DAY` – value expressions.
    Interval,
    /// `f(…)` – `FunctionName`, `Star?` or arguments, `Filter?`, `Over?`.
    Call {
        /// `DISTINCT` is written before the arguments.
        distinct: bool,
    },
    /// The name of a called function – none.
    FunctionName,
    /// `*` as an argument – none.
    Star,
    /// `FILTER (WHERE …)` – expression.
    Filter,
    /// `OVER (…)` or `OVER name` – `WindowSpec` or `Identifier`.
    Over,
    /// `(PARTITION BY … ORDER BY … ROWS …)` with its parentheses – `Identifier?` (base window), `PartitionBy?`, `OrderBy?`, `Frame?`.
    WindowSpec,
    /// `PARTITION BY …` (also `DISTRIBUTE BY` inside a window) – expressions.
    PartitionBy,
    /// `ROWS …` or `RANGE …` – `FrameBound`, `FrameBound?`.
    Frame {
        /// `ROWS` rather than `RANGE`.
        rows: bool,
    },
    /// One bound of a frame, such as `3 PRECEDING` – expression `?`.
    FrameBound,
    /// `CAST(x AS t)`, `TRY_CAST`, `x::t` – expression, `TypeName`.
    Cast,
    /// A type as written – none.
    TypeName,
    /// `CASE [x] WHEN … ELSE … END` – operand `?`, `When*`, `Else?`.
    Case {
        /// There is an operand after `CASE`.
        operand: bool,
    },
    /// `WHEN a THEN b` – condition, result.
    When,
    /// `ELSE x` – expression.
    Else,
    /// `a AND b AND c` – two or more conditions.
    And,
    /// `a OR b OR c` – two or more conditions.
    Or,
    /// `NOT x` or `!x` – expression.
    Not,
    /// `-x`, `+x`, `~x` – expression.
    Unary,
    /// `a op b` – left, right.
    Binary(BinaryOperator),
    /// `x IS [NOT] NULL` – expression.
    IsNull {
        /// `NOT` is written.
        negated: bool,
    },
    /// `x IS [NOT] TRUE|FALSE` – expression.
    IsBoolean {
        /// `NOT` is written.
        negated: bool,
        /// `TRUE` or `FALSE`.
        value: bool,
    },
    /// `a IS [NOT] DISTINCT FROM b` – left, right.
    IsDistinct {
        /// `NOT` is written.
        negated: bool,
    },
    /// `x [NOT] IN (a, b)` – expression, then the list.
    InList {
        /// `NOT` is written.
        negated: bool,
    },
    /// `x [NOT] IN (SELECT …)` – expression, `Query`.
    InQuery {
        /// `NOT` is written.
        negated: bool,
    },
    /// `x [NOT] BETWEEN a AND b` – expression, low, high.
    Between {
        /// `NOT` is written.
        negated: bool,
    },
    /// `x [NOT] LIKE p` and its kin – expression, pattern (a `Tuple` after ANY or ALL), escape `?`.
    Pattern {
        /// `NOT` is written.
        negated: bool,
        /// Which operator.
        operator: PatternOperator,
    },
    /// `EXISTS (SELECT …)` – `Query`.
    Exists,
    /// `(SELECT …)` as a value – `Query`.
    ScalarQuery,
    /// `(x)` – expression.
    Paren,
    /// `(a, b)` as a row, a grouping set or a VALUES row – expressions.
    Tuple,
    /// `x[i]` – expression, index.
    Index,
    /// `x.field` where `x` is no plain name – expression, `Identifier`.
    Field,
    /// `x -> e` or `(x, y) -> e` – `Identifier*`, body last.
    Lambda,
}

/// The three GROUP BY extensions and their two spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupingKind {
    /// `GROUPING SETS (…)`.
    Sets,
    /// `ROLLUP (…)`.
    Rollup,
    /// `CUBE (…)`.
    Cube,
    /// `… WITH ROLLUP`.
    WithRollup,
    /// `… WITH CUBE`.
    WithCube,
}

/// One node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its exact bytes, from its first significant token to its last.
    pub span: Span,
    /// First and last significant token, as indices into [`super::script::Script::tokens`].
    pub tokens: (u32, u32),
    /// The node it belongs to; none for the root.
    pub parent: Option<NodeId>,
    /// What it consists of, in source order.
    pub children: Vec<NodeId>,
}

/// A tree of nodes. Children come before their parents in the arena; the root is last.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    /// The root, a [`Kind::Script`] node.
    pub fn root(&self) -> NodeId {
        NodeId(self.nodes.len().saturating_sub(1) as u32)
    }

    /// The node at `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The kind of `id`.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The bytes of `id`.
    pub fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// The children of `id`, in source order.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    /// The parent of `id`.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree holds no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in arena order (children before parents).
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The first child that `wanted` accepts.
    pub fn child(&self, id: NodeId, wanted: impl Fn(Kind) -> bool) -> Option<NodeId> {
        self.children(id).iter().copied().find(|child| wanted(self.kind(*child)))
    }

    /// The children that `wanted` accepts.
    pub fn children_where<'a>(
        &'a self,
        id: NodeId,
        wanted: impl Fn(Kind) -> bool + 'a,
    ) -> impl Iterator<Item = NodeId> + 'a {
        self.children(id).iter().copied().filter(move |child| wanted(self.kind(*child)))
    }

    /// The parents of `id`, nearest first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    /// The nearest ancestor that `wanted` accepts.
    pub fn enclosing(&self, id: NodeId, wanted: impl Fn(Kind) -> bool) -> Option<NodeId> {
        self.ancestors(id).find(|ancestor| wanted(self.kind(*ancestor)))
    }

    /// `id` and everything below it, parents first, in source order.
    pub fn descendants(&self, id: NodeId) -> Descendants<'_> {
        Descendants { tree: self, stack: vec![id] }
    }

    /// Where `id` stands among its siblings.
    pub fn position(&self, id: NodeId) -> usize {
        let siblings = self.parent(id).map_or(&[][..], |parent| self.children(parent));
        siblings.iter().position(|sibling| *sibling == id).unwrap_or(0)
    }
}

/// Iterator of [`Tree::descendants`]; it keeps its own stack, so depth costs no recursion.
pub struct Descendants<'a> {
    tree: &'a Tree,
    stack: Vec<NodeId>,
}

impl Iterator for Descendants<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.stack.pop()?;
        self.stack.extend(self.tree.children(id).iter().rev());
        Some(id)
    }
}
