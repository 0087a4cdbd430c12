//! The statements with which Databricks' pipelines declare tables and views by queries of each other, as `CREATE OR REFRESH
//! STREAMING TABLE`.

use std::ops::Range;

use crate::code::Words;
use crate::code::edit::{Edit, with_edits};
use crate::code::span::Span;
use crate::code::token::TokenKind;

/// Returns a script of a pipeline as one that makes its tables and views in their order: each holds all rows of its query,
/// `LIVE.t` and `STREAM(t)` are `t`, and a constraint that drops rows filters the query. One that only counts rows, or fails
/// the update, changes no row where the script runs as it should.
pub(super) fn with_created_tables(text: &str) -> String {
    let lower = text.to_lowercase();
    if !["live", "stream", "refresh", "materialized"].iter().any(|word| lower.contains(word)) {
        return text.to_owned();
    }
    let words = Words::of(text);
    if !words.statements().any(|statement| Declaration::of(&words, statement).is_some()) {
        return text.to_owned();
    }
    let text = with_edits(text, &reads_in_other_words(&words));
    let words = Words::of(&text);
    let declared = words.statements().filter_map(|statement| Declaration::of(&words, statement));
    with_edits(&text, &declared.flat_map(|declared| declared.edits(&words, &text)).collect::<Vec<_>>())
}

/// A statement that declares a table or a view by a query.
struct Declaration {
    /// From CREATE to TABLE or VIEW.
    header: Range<usize>,
    is_replaced: bool,
    is_temporary: bool,
    /// `TABLE`, `VIEW` or `MATERIALIZED VIEW`.
    what: &'static str,
    /// The opening parenthesis of its columns and constraints.
    list: Option<usize>,
    query: Range<usize>,
}

impl Declaration {
    /// Returns what a statement declares; `None` if it is not of a pipeline, or has no query.
    fn of(words: &Words<'_>, statement: Range<usize>) -> Option<Declaration> {
        const MARKS: [&str; 5] = ["STREAMING", "LIVE", "INCREMENTAL", "PRIVATE", "MATERIALIZED"];
        const TEMPORARY: [&str; 2] = ["TEMPORARY", "TEMP"];
        let Range { start: first, end: last } = statement;
        let refreshes = words.are(first + 1, "OR REFRESH");
        let is_replaced = refreshes || words.are(first + 1, "OR REPLACE");
        let marks = first + if is_replaced { 3 } else { 1 };
        let is_one_of = |at: usize, all: &[&str]| all.iter().any(|word| words.is(at, word));
        let kind = (marks..last).find(|at| !is_one_of(*at, &MARKS) && !is_one_of(*at, &TEMPORARY))?;
        let is_declared = refreshes || (marks..kind).any(|at| is_one_of(at, &MARKS));
        if !words.is(first, "CREATE") || !is_declared {
            return None;
        }
        let what = match (marks..kind).any(|at| words.is(at, "MATERIALIZED")) {
            true => "MATERIALIZED VIEW",
            false => ["TABLE", "VIEW"].into_iter().find(|what| words.is(kind, what))?,
        };
        Some(Declaration {
            header: first..kind + 1,
            is_replaced,
            is_temporary: (marks..kind).any(|at| is_one_of(at, &TEMPORARY)),
            what,
            list: list_of_columns(words, kind + 2..last),
            query: start_of_query(words, kind + 2..last)?..last,
        })
    }

    /// The edits that make the statement a usual one.
    fn edits(&self, words: &Words<'_>, text: &str) -> Vec<Edit> {
        // Only views are temporary outside of pipelines.
        let temporary = if self.is_temporary && self.what == "VIEW" { "TEMPORARY " } else { "" };
        let replaced = if self.is_replaced { "OR REPLACE " } else { "" };
        let header = format!("CREATE {replaced}{temporary}{}", self.what);
        let mut edits = vec![Edit::on_as_many_lines(text, words.cover(self.header.clone()), header)];
        let items = self.list.and_then(|open| words.items(open)).unwrap_or_default();
        let (constraints, columns): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| is_expectation(words, item));
        // A table has the columns of its query; a view may have other names for them.
        let kept = if self.what == "TABLE" { Vec::new() } else { columns.clone() };
        if let Some(open) = self.list.filter(|_| !constraints.is_empty() || kept.len() < columns.len()) {
            let kept = kept.into_iter().map(|item| words.cover(item).of(text)).collect::<Vec<_>>().join(", ");
            let list = if kept.is_empty() { kept } else { format!("({kept})") };
            let close = words.closing(open).unwrap_or(open);
            edits.push(Edit::on_as_many_lines(text, words.cover(open..close + 1), list));
        }
        let conditions: Vec<String> = constraints.iter().filter_map(|item| dropping_condition(words, item)).collect();
        if !conditions.is_empty() {
            let query = words.cover(self.query.clone());
            edits.push(Edit::insertion(query.start, "SELECT * FROM ("));
            edits.push(Edit::insertion(query.end, format!(") WHERE {}", conditions.join(" AND "))));
        }
        edits
    }
}

/// The opening parenthesis of the list behind the name of a table; `None` if a clause follows.
fn list_of_columns(words: &Words<'_>, after_name: Range<usize>) -> Option<usize> {
    const CLAUSES: [&str; 9] =
        ["AS", "USING", "PARTITIONED", "CLUSTER", "COMMENT", "TBLPROPERTIES", "LOCATION", "SCHEDULE", "TRIGGER"];
    let is_clause = |at: usize| CLAUSES.iter().any(|clause| words.is(at, clause));
    after_name.into_iter().find(|at| words.at(*at) == "(" || is_clause(*at)).filter(|at| words.at(*at) == "(")
}

/// The first word of the query of a statement: what follows the first AS outside of parentheses.
fn start_of_query(words: &Words<'_>, range: Range<usize>) -> Option<usize> {
    let mut at = range.start;
    while at + 1 < range.end {
        match words.at(at) {
            "(" => at = words.closing(at)?,
            _ if words.is(at, "AS") => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether an item of a list is `CONSTRAINT name EXPECT (condition)`.
fn is_expectation(words: &Words<'_>, item: &Range<usize>) -> bool {
    words.is(item.start, "CONSTRAINT") && words.is(item.start + 2, "EXPECT")
}

/// The condition of a constraint that drops the rows which do not meet it; `None` if it does something else with them.
fn dropping_condition(words: &Words<'_>, item: &Range<usize>) -> Option<String> {
    let violated = item.clone().find(|at| words.are(*at, "ON VIOLATION DROP ROW"))?;
    let mut condition = String::new();
    for at in item.start + 3..violated {
        if !condition.is_empty() && words.span(at).start > words.span(at - 1).end {
            condition.push(' ');
        }
        condition.push_str(words.at(at));
    }
    let is_enclosed = words.at(item.start + 3) == "(" && words.closing(item.start + 3) == Some(violated - 1);
    Some(if is_enclosed { condition } else { format!("({condition})") })
}

/// The edits that make `LIVE.t`, `STREAM(t)` and `STREAM t` a `t`.
fn reads_in_other_words(words: &Words<'_>) -> Vec<Edit> {
    let (mut edits, mut closing): (Vec<Edit>, Vec<usize>) = (Vec::new(), Vec::new());
    for at in 0..words.count() {
        let up_to_next = Span::new(words.span(at).start, words.span(at + 1).start);
        let with_next = words.cover(at..at + 2);
        if words.are(at, "LIVE .") && words.before(at) != "." {
            edits.push(Edit::deletion(with_next));
        } else if reads_tables(words, at) && words.are(at, "STREAM (") {
            edits.push(Edit::deletion(with_next));
            closing.extend(words.closing(at + 1));
        } else if reads_tables(words, at) && words.is(at, "STREAM") && words.before(at) != "," && is_name(words, at + 1)
        {
            edits.push(Edit::deletion(up_to_next));
        } else if closing.contains(&at) {
            edits.push(Edit::deletion(words.span(at)));
        }
    }
    edits
}

/// Whether a relation may stand at a word.
fn reads_tables(words: &Words<'_>, at: usize) -> bool {
    ["FROM", "JOIN", ","].iter().any(|before| words.before(at).eq_ignore_ascii_case(before))
}

/// Whether a word behind STREAM is the name of what it reads: behind a table called so stands none.
fn is_name(words: &Words<'_>, at: usize) -> bool {
    const KEYWORDS: [&str; 16] = [
        "AS", "CROSS", "FULL", "GROUP", "HAVING", "INNER", "JOIN", "LATERAL", "LEFT", "LIMIT", "ON", "ORDER", "RIGHT",
        "UNION", "WATERMARK", "WHERE",
    ];
    let is_word = matches!(words.kind(at), Some(TokenKind::Word | TokenKind::QuotedName | TokenKind::Placeholder));
    is_word && !KEYWORDS.iter().any(|keyword| words.is(at, keyword))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::script::Script;

    #[test]
    fn declared_tables_are_made_by_their_queries() {
        for (written, read) in [
            (
                "CREATE OR REFRESH STREAMING TABLE t\nCLUSTER BY (a) COMMENT 'x'\nAS SELECT a FROM STREAM(LIVE.s), STREAM live.u x",
                "CREATE OR REPLACE TABLE t\nCLUSTER BY (a) COMMENT 'x'\nAS SELECT a FROM s, STREAM u x",
            ),
            (
                "CREATE STREAMING LIVE TABLE t AS SELECT t.a FROM STREAM LIVE.s AS t JOIN STREAM c.d.e ON a = b",
                "CREATE TABLE t AS SELECT t.a FROM s AS t JOIN c.d.e ON a = b",
            ),
            ("CREATE TEMPORARY STREAMING TABLE t AS SELECT 1", "CREATE TABLE t AS SELECT 1"),
            (
                "CREATE TEMPORARY LIVE VIEW v AS SELECT 1; CREATE OR REPLACE LIVE VIEW w (a COMMENT 'x') AS SELECT 2",
                "CREATE TEMPORARY VIEW v AS SELECT 1; CREATE OR REPLACE VIEW w (a COMMENT 'x') AS SELECT 2",
            ),
            (
                "CREATE OR REFRESH TABLE c.t (a INT NOT NULL,\n b STRING COMMENT 'AS') AS\nSELECT a, b FROM STREAM read_files('/x')",
                "CREATE OR REPLACE TABLE c.t \n AS\nSELECT a, b FROM read_files('/x')",
            ),
            (
                "CREATE OR REFRESH MATERIALIZED VIEW v (\n  CONSTRAINT k EXPECT (a IS NOT NULL) ON VIOLATION DROP ROW,\n\
                 CONSTRAINT l EXPECT (b > 0 AND -- far\n b < 9) ON VIOLATION DROP ROW) AS\nSELECT a, b FROM t -- end",
                "CREATE OR REPLACE MATERIALIZED VIEW v \n\n\n AS\nSELECT * FROM (SELECT a, b FROM t) WHERE (a IS NOT NULL) AND \
                 (b > 0 AND b < 9) -- end",
            ),
            (
                "CREATE LIVE VIEW v (a, b COMMENT 'x', CONSTRAINT k EXPECT (a > 0), CONSTRAINT l EXPECT (b > 0) ON VIOLATION FAIL \
                 UPDATE) AS SELECT 1, 2",
                "CREATE VIEW v (a, b COMMENT 'x') AS SELECT 1, 2",
            ),
            ("CREATE MATERIALIZED VIEW v (a INT) AS SELECT 1", "CREATE MATERIALIZED VIEW v (a INT) AS SELECT 1"),
            (
                "CREATE TABLE live AS SELECT live.a FROM live.t AS live, stream s",
                "CREATE TABLE live AS SELECT live.a FROM live.t AS live, stream s",
            ),
            ("CREATE OR REFRESH STREAMING TABLE t", "CREATE OR REFRESH STREAMING TABLE t"),
        ] {
            assert_eq!(with_created_tables(written), read);
        }
    }

    #[test]
    fn tables_without_a_query_are_refused_with_the_way_out() {
        for (written, told) in [
            ("CREATE OR REFRESH STREAMING TABLE t", "write CREATE TABLE … AS with the query that fills it"),
            ("CREATE STREAMING TABLE t (a INT)", "write CREATE TABLE"),
            ("APPLY CHANGES INTO LIVE.t FROM STREAM(LIVE.s) KEYS (k) SEQUENCE BY d", "write a MERGE"),
        ] {
            let script = Script::new(with_created_tables(written));
            let error = script.errors().first().map(|(_, error)| error.to_string()).unwrap_or_default();
            assert!(error.contains(told), "{written}: {error}");
        }
    }
}
