//! Statements without which a script leaves the same: queries by which its author looks at any few rows, beside statements
//! that write tables, and TRUNCATE of a table that is dropped.

use super::definitions::dropped_table;
use super::file_tables::with_comments;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

/// Returns a script in which queries for any few rows, `LIMIT` without an order, stand as comments, if it leaves a table
/// that it writes. Such a query gives other rows each time, and where the script leaves tables nobody waits for them. Where
/// it leaves none, but has queries that say which rows they want, `SELECT * FROM name LIMIT 5` is such a look.
pub(super) fn without_glances(text: &str) -> String {
    if !text.to_lowercase().contains("limit") {
        return text.to_owned();
    }
    let script = Script::new(text);
    let statements = script.statements();
    let dropped: Vec<Option<String>> = statements.iter().map(|it| dropped_table(&script, *it)).collect();
    let leaves_a_table = |(at, statement): (usize, &NodeId)| {
        let written = written_table(&script, *statement);
        written.is_some() && !dropped[at..].contains(&written)
    };
    if statements.iter().enumerate().any(leaves_a_table) {
        return with_comments(&script, |statement| is_glance(&script, statement));
    }
    let is_query = |statement: &NodeId| script.tree().kind(*statement) == Kind::Query;
    match statements.iter().any(|statement| is_query(statement) && !is_glance(&script, *statement)) {
        true => with_comments(&script, |statement| is_glance(&script, statement) && takes_all(&script, statement)),
        false => text.to_owned(),
    }
}

/// Returns a script in which TRUNCATE of a table that the next statement drops stands as a comment: where the script makes
/// the table anew, nothing tells its columns before.
pub(super) fn without_idle_truncates(text: &str) -> String {
    if !text.to_lowercase().contains("truncate") {
        return text.to_owned();
    }
    let script = Script::new(text);
    let statements = script.statements();
    let is_idle = |pair: &&[NodeId]| {
        let is_truncate = script.token_text(*script.token_range(pair[0]).start()).eq_ignore_ascii_case("TRUNCATE");
        let table = script.tree().child(pair[0], |kind| kind == Kind::Table).map(|table| script.path_name(table));
        is_truncate && table.is_some() && table == dropped_table(&script, pair[1])
    };
    let idle: Vec<NodeId> = statements.windows(2).filter(is_idle).map(|pair| pair[0]).collect();
    with_comments(&script, |statement| idle.contains(&statement))
}

/// Whether a query takes all columns of one table and says nothing of its rows.
fn takes_all(script: &Script, statement: NodeId) -> bool {
    const CLAUSES: [Kind; 2] = [Kind::Projection, Kind::From];
    let tree = script.tree();
    let Some(block) = tree.child(statement, |kind| matches!(kind, Kind::Select { .. })) else { return false };
    let is_star = |list: NodeId| matches!(tree.children(list), [only] if tree.kind(*only) == Kind::Wildcard);
    let is_table =
        |from: NodeId| !tree.descendants(from).any(|node| matches!(tree.kind(node), Kind::Join { .. } | Kind::Query));
    let clauses = tree.children(block);
    clauses.iter().all(|clause| CLAUSES.contains(&tree.kind(*clause)))
        && tree.child(block, |kind| kind == Kind::Projection).is_some_and(is_star)
        && tree.child(block, |kind| kind == Kind::From).is_some_and(is_table)
        && tree.child(statement, |kind| kind == Kind::With).is_none()
}

/// Returns the table that a statement writes rows to, as the script names it, in lower case.
fn written_table(script: &Script, statement: NodeId) -> Option<String> {
    let tree = script.tree();
    let table = |node: NodeId| Some(script.path_name(tree.child(node, |kind| kind == Kind::Table)?).to_lowercase());
    match tree.kind(statement) {
        Kind::CreateTable => tree.child(statement, |kind| kind == Kind::Query).and_then(|_| table(statement)),
        Kind::MultiInsert => {
            tree.children_where(statement, |kind| matches!(kind, Kind::InsertBranch { .. })).find_map(table)
        }
        Kind::Insert { .. } | Kind::Delete | Kind::Update | Kind::Merge => table(statement),
        _ => None,
    }
}

fn is_glance(script: &Script, statement: NodeId) -> bool {
    const ORDERS: [Kind; 3] = [Kind::OrderBy, Kind::SortBy, Kind::ClusterBy];
    let tree = script.tree();
    let has_limit = tree.child(statement, |kind| kind == Kind::Limit).is_some_and(|limit| {
        let words = script.slice(limit);
        words.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("limit"))
    });
    let is_ordered = tree.child(statement, |kind| ORDERS.contains(&kind)).is_some();
    let block = tree.child(statement, |kind| matches!(kind, Kind::Select { .. }));
    let is_one_row = block.is_some_and(|block| {
        let is_grouped = tree.child(block, |kind| kind == Kind::GroupBy).is_some();
        !is_grouped && tree.descendants(block).any(|node| script.aggregates_rows(node))
    });
    tree.kind(statement) == Kind::Query && has_limit && !is_ordered && !is_one_row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_dropped_need_not_be_emptied() {
        let script = "TRUNCATE TABLE d.t;\nDROP TABLE d.t;\nCREATE TABLE d.t AS SELECT 1 AS a";
        assert_eq!(without_idle_truncates(script), format!("-- {script}"));
        for kept in ["TRUNCATE TABLE t; DROP TABLE u", "TRUNCATE TABLE t; INSERT INTO t SELECT 1; DROP TABLE t"] {
            assert_eq!(without_idle_truncates(kept), kept);
        }
    }

    #[test]
    fn a_look_at_any_few_rows_is_a_comment_where_the_script_leaves_a_table() {
        let write = "INSERT OVERWRITE TABLE o SELECT a FROM t;\n";
        for (query, expected) in [
            ("SELECT * FROM o LIMIT 5;", "-- SELECT * FROM o LIMIT 5;"),
            ("SELECT *\nFROM o\nLIMIT 5", "-- SELECT *\n-- FROM o\n-- LIMIT 5"),
            ("SELECT a FROM o ORDER BY a LIMIT 5", "SELECT a FROM o ORDER BY a LIMIT 5"),
            ("SELECT COUNT(*) FROM o LIMIT 1", "SELECT COUNT(*) FROM o LIMIT 1"),
            ("SELECT a FROM o", "SELECT a FROM o"),
        ] {
            assert_eq!(without_glances(&format!("{write}{query}")), format!("{write}{expected}"));
        }
        let anew = "SELECT a FROM t LIMIT 5; DROP TABLE IF EXISTS o; CREATE TABLE o AS SELECT a FROM t";
        assert_eq!(
            without_glances(anew),
            anew.replacen("SELECT a FROM t LIMIT", "-- SELECT a FROM t LIMIT", 1).replacen("; DROP", ";\n DROP", 1)
        );
        let look = "SELECT * FROM t LIMIT 5;\nSELECT a FROM t WHERE b > 1";
        assert_eq!(without_glances(look), format!("-- {look}"));
        for whole in [
            "SELECT a FROM t LIMIT 5; SELECT a FROM t WHERE b > 1",
            "SELECT * FROM t WHERE b > 1 LIMIT 5; SELECT a FROM t",
            "SELECT * FROM t LIMIT 5; SELECT * FROM u LIMIT 5",
            "SELECT a FROM t LIMIT 5",
            "CREATE TABLE m AS SELECT a FROM t; SELECT a FROM m LIMIT 9; DROP TABLE m",
            "CREATE TEMPORARY VIEW v AS SELECT a FROM t; SELECT a FROM v LIMIT 9",
        ] {
            assert_eq!(without_glances(whole), whole);
        }
    }
}
