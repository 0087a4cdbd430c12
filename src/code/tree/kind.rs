//! What a node is, and which children it has.

use super::operator::{BinaryOperator, JoinKind, PatternOperator, SetOperator};

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
    /// `INSERT …` – `Table` (or `Directory`), `PartitionSpec?`, `ColumnList?`, `Query`. With `With` in front: `With`
    /// comes first.
    Insert {
        /// `OVERWRITE` rather than `INTO`.
        overwrite: bool,
    },
    /// Hive's `FROM x INSERT … INSERT …` – `With?`, `From`, then `InsertBranch*`.
    MultiInsert,
    /// One INSERT of a multi-insert – `Table` (or `Directory`), `PartitionSpec?`, `ColumnList?`, `Query` (whose
    /// `Select` has no FROM).
    InsertBranch {
        /// `OVERWRITE` rather than `INTO`.
        overwrite: bool,
    },
    /// `[LOCAL] DIRECTORY 'path' …` as the target of an INSERT – `Text?` (the path).
    Directory,
    /// `DELETE FROM t …` – `With?`, `Table`, `Where?`.
    Delete,
    /// `UPDATE t SET …` – `With?`, `Table`, `Assignment*`, `Where?`.
    Update,
    /// `MERGE INTO t USING s …` – `With?`, `Table`, the source (a primary as in `Relation`), `On`, `MergeClause*`.
    Merge,
    /// `WHEN [NOT] MATCHED …` – `MergeCondition?`, then `Assignment*` or `Star` (UPDATE), nothing (DELETE), or
    /// `ColumnList?` with `Tuple` or `Paren`, or `Star` (INSERT).
    MergeClause {
        /// Which rows it is for.
        rows: MergeRows,
        /// What it does with them.
        action: MergeAction,
    },
    /// `AND condition` of a `MergeClause` – expression.
    MergeCondition,
    /// `a = value` after SET – `Column`, value expression.
    Assignment,
    /// `PARTITION (a = 'x', b)` – `PartitionItem*`.
    PartitionSpec,
    /// One partition column – `Identifier`, value expression `?` (absent when dynamic). Where partitions are dropped,
    /// another comparison than `=` may stand between them.
    PartitionItem,
    /// `(a, b)` after a table or alias – `Identifier*`.
    ColumnList,
    /// `CREATE TABLE` – `Table`, `Table?` (after LIKE), `ColumnDefinition*`, `PartitionColumns?`, `Query?`.
    CreateTable,
    /// `CREATE VIEW`, and `CACHE TABLE … AS`, which makes a view as well – `Table`, `ColumnList?`, `Query`.
    CreateView,
    /// `PARTITIONED BY (…)` – `ColumnDefinition*` (or `Identifier*` for names only).
    PartitionColumns,
    /// `name TYPE [NOT NULL] [COMMENT '…']` – `Identifier`, `TypeName`, `Text?` (the comment).
    ColumnDefinition,

    // ---- queries ---------------------------------------------------------------------------------------------
    /// A query with its ordering – `With?`, body (`Select`, `SetOperation`, `Values`, `Parenthesized`),
    /// `OrderBy? ClusterBy? DistributeBy? SortBy? Windows? Limit?`.
    Query,
    /// `WITH [RECURSIVE] …` – `CommonTable*`.
    With,
    /// `name [(columns)] [MAX RECURSION LEVEL n] AS (query)` – `Identifier`, `ColumnList?`, `Number?`, `Query`.
    CommonTable,
    /// One SELECT block – `Projection`, `From?`, `LateralView*`, `Where?`, `GroupBy?`, `Having?`, `Qualify?`,
    /// `Windows?`; `From` comes first where it is written first.
    ///
    /// In a pipe – `From`, `Where?`, then a list: `Projection`, `Extend`, `SetColumns`, `DropColumns` or `Aggregate`,
    /// `GroupBy?`, `Windows?`. A block without a list gives all columns: `FROM t`, `TABLE t`, `FROM t |> WHERE …`.
    Select {
        /// `SELECT DISTINCT`.
        distinct: bool,
    },
    /// The SELECT list – `SelectItem*`, `Wildcard*`.
    Projection,
    /// One output – expression, `Alias?` (or `ColumnList?` for generators with several outputs).
    SelectItem,
    /// `EXTEND e AS c` of a pipe: outputs behind all columns – `SelectItem*`.
    Extend,
    /// `SET a = x` of a pipe, or one further `b = y` of it: a column gets another value – `Assignment`.
    SetColumns,
    /// `DROP a, t.b` of a pipe: all columns but these – `Column*`.
    DropColumns,
    /// `AGGREGATE sum(x) AS s` of a pipe: outputs behind the keys of GROUP BY – `SelectItem*`.
    Aggregate,
    /// `*` or `t.* EXCEPT (a)` in a SELECT list – `Identifier*` (the qualifier), `ColumnList?` (after EXCEPT).
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
    /// `VALUES (…), (…)` – `Tuple`s, or `Paren`s and bare expressions for rows of one column.
    Values,
    /// `FROM …` – `Relation*`. In front of `|>` also `TABLE t` and any other query that a step reads.
    From,
    /// One comma-separated item of FROM – a primary (`Table`, `Derived`, `Piped`, `Pivot`, `Unpivot`, `TableFunction`,
    /// `InlineTable`, `NestedRelation`), then `Join*` and `LateralView*` in written order.
    Relation,
    /// A named table – `Identifier*` (the path), `Sample?`, `Alias?`.
    Table,
    /// `TABLESAMPLE (…)` – none.
    Sample,
    /// A sub-query in FROM – `Query`, `Alias?`.
    Derived,
    /// The query before `|>`, as the next step of the pipe reads it: its columns keep the qualifiers that they have in
    /// it – `Query`, `Sample?` or `Alias?`.
    Piped,
    /// `r PIVOT (sum(x) AS s FOR c IN ('a', 'b' AS b))`, a primary – `Relation`, `PivotAggregate*`, `PivotFor`, `Alias?`.
    Pivot,
    /// One aggregate of PIVOT – expression, `Alias?`.
    PivotAggregate,
    /// `FOR c IN (…)` or `FOR (c, d) IN (…)` – `Column*`, `PivotValue*`.
    PivotFor,
    /// One value of PIVOT – expression (a `Tuple` for several columns), `Alias?`.
    PivotValue,
    /// `r UNPIVOT (x FOR y IN (a, b AS c))`, a primary – `Relation`, `ColumnList` (of the values), `Identifier` (of the
    /// names), `UnpivotItem*`, `Alias?`.
    Unpivot {
        /// `INCLUDE NULLS` is written.
        nulls: bool,
    },
    /// One column, or several in brackets, of UNPIVOT – `Column*`, `Alias?`.
    UnpivotItem,
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
    /// `GROUP BY …` – expressions, `Grouping*`; behind `Aggregate` also `SelectItem*`, keys with an alias.
    GroupBy,
    /// `GROUPING SETS (…)`, `ROLLUP (…)`, `CUBE (…)`, `WITH ROLLUP`, `WITH CUBE` – `Tuple`s or expressions (none after
    /// `WITH`).
    Grouping {
        /// Which extension, in which spelling.
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
    /// `DATE '…'`, `TIMESTAMP '…'`, `X'1F'` – `Text`.
    TypedText,
    /// `INTERVAL 1 DAY`, `INTERVAL '1' DAY` – value expressions.
    Interval,
    /// `f(…)` – `FunctionName`, `Star?` or arguments, `WithinGroup?`, `Filter?`, `Over?`; a struct's
    /// arguments may have an `Alias` after them.
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
    /// `WITHIN GROUP (ORDER BY …)` – `OrderBy`.
    WithinGroup,
    /// `OVER (…)` or `OVER name` – `WindowSpec` or `Identifier`.
    Over,
    /// `(PARTITION BY … ORDER BY … ROWS …)` with its parentheses – `Identifier?` (base window), `PartitionBy?`,
    /// `OrderBy?`, `Frame?`.
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
    /// `ANY (SELECT …)` or `ALL (SELECT …)` after a comparison operator – `Query`.
    Quantified {
        /// `ALL` rather than `ANY` or `SOME`.
        all: bool,
    },
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

/// The rows that a clause of MERGE is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MergeRows {
    /// `WHEN MATCHED`: pairs of a target row and a source row.
    Matched,
    /// `WHEN NOT MATCHED [BY TARGET]`: source rows without a target row.
    NotMatched,
    /// `WHEN NOT MATCHED BY SOURCE`: target rows without a source row.
    NotMatchedBySource,
}

/// What a clause of MERGE does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MergeAction {
    /// `UPDATE SET …`.
    Update,
    /// `DELETE`.
    Delete,
    /// `INSERT …`.
    Insert,
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

impl Kind {
    /// Whether it is a statement, or an INSERT of one, that fills a table or view from a query.
    pub(crate) fn fills_table(self) -> bool {
        matches!(self, Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::CreateTable | Kind::CreateView)
    }

    /// Whether what stands in it is a condition.
    pub(crate) fn holds_condition(self) -> bool {
        matches!(self, Kind::And | Kind::Or | Kind::Not | Kind::IsBoolean { .. })
            || matches!(self, Kind::Where | Kind::Having | Kind::On | Kind::Filter | Kind::Qualify)
    }

    /// Whether it is a statement that changes rows of a table where they are.
    pub fn changes_rows(self) -> bool {
        matches!(self, Kind::Delete | Kind::Update | Kind::Merge)
    }
}
