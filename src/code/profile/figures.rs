//! What a script consists of, in figures.

use serde::{Deserialize, Serialize};

/// What a script or statement consists of, in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Lines, blank ones and comments included.
    pub lines: usize,
    /// Lines that hold a token other than a comment.
    pub code_lines: usize,
    /// Words between white space, comments included: the "tokens" of published figures.
    pub words: usize,
    /// Lexer tokens without blanks and comments.
    pub tokens: usize,
    /// Functions as sqlglot counts them: calls, casts, CASE and its arms, AND, OR, EXISTS, RLIKE and others.
    pub functions: usize,
    /// Calls as written: `name(`.
    pub calls: usize,
    /// Different names among the calls.
    pub distinct_functions: usize,
    /// Edges from the root of the deepest statement to its deepest node, as sqlglot builds it.
    pub depth: usize,
    /// Children of the widest node, as sqlglot builds it.
    pub width: usize,
    /// CTEs.
    pub common_tables: usize,
    /// SELECT blocks.
    pub selects: usize,
    /// How deeply SELECT blocks nest; 1 for a plain query.
    pub select_depth: usize,
    /// Joins of any kind, commas in FROM not counted.
    pub joins: usize,
    /// LEFT JOINs among them.
    pub left_joins: usize,
    /// UNION, INTERSECT and EXCEPT.
    pub set_operations: usize,
    /// CASE expressions.
    pub cases: usize,
    /// Arms of CASE that begin with WHEN.
    pub whens: usize,
    /// Calls with OVER.
    pub windows: usize,
    /// LATERAL VIEWs.
    pub lateral_views: usize,
    /// GROUP BY clauses.
    pub group_bys: usize,
    /// WHERE clauses.
    pub wheres: usize,
    /// DISTINCT in SELECT or a call.
    pub distincts: usize,
    /// Placeholders such as `${date}`.
    pub placeholders: usize,
    /// INSERT, CREATE and query statements.
    pub statements: usize,
}
