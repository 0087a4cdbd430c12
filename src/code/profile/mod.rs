//! Size and structure of a script in the figures of published benchmarks, and the complexity made of them.
//!
//! Depth, width and functions follow sqlglot 30's tree, against which the published figures were calibrated; tests hold
//! them within one of sqlglot's own figures. See [`shape`].

mod complexity;
mod count;
pub mod shape;

pub use complexity::Complexity;

use serde::{Deserialize, Serialize};

use super::script::Script;

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
    /// Functions as sqlglot counts them: calls, casts, CASE and its branches, AND, OR, EXISTS, RLIKE and others.
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
    /// WHEN branches.
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

impl Profile {
    /// The figures of a whole script. Depth and width are those of its deepest and widest statement.
    pub fn of(script: &Script) -> Profile {
        count::script_profile(script)
    }
}
