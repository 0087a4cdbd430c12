//! Tables that a script lays over files: `CREATE TABLE … LOCATION`, `ADD PARTITION … LOCATION`, `LOAD DATA` and
//! `read_files(…)`. Their rows are there before it starts, so that a script runs as its author meant if the tables are among
//! its inputs and nothing makes them again.

use std::sync::LazyLock;

use regex::Regex;

use super::definitions::{created_table, dropped_table, has_rows_elsewhere, is_filled, loaded_table, own_tables};
use crate::code::edit::{Edit, with_edits};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::code::{Words, constant_pattern};

/// Returns a script in which the statements that lay tables over files stand as comments.
pub(super) fn without_file_tables(text: &str) -> String {
    if !["location", "inpath", "stored"].iter().any(|word| text.to_lowercase().contains(word)) {
        return text.to_owned();
    }
    let script = Script::new(text);
    let statements = script.statements();
    let loaded: Vec<String> = statements.iter().filter_map(|it| loaded_table(&script, *it)).collect();
    let standing: Vec<String> = own_tables(&script).into_iter().map(|table| table.written).collect();
    let is_over = |statement: &NodeId| {
        let name = created_table(&script, *statement)?;
        let holds_rows = has_rows_elsewhere(&script, *statement) || loaded.contains(&name);
        (holds_rows && standing.contains(&name)).then_some(name)
    };
    let over: Vec<String> = statements.iter().filter_map(is_over).collect();
    with_comments(&script, |statement| {
        leaves_files(&script, statement)
            || loaded_table(&script, statement).is_some()
            || is_emptied_for_load(&script, statement)
            || created_table(&script, statement).is_some_and(|name| over.contains(&name))
            || dropped_table(&script, statement).is_some_and(|name| over.contains(&name))
    })
}

/// Whether a statement drops a table that an earlier one lays over files and that one between them fills: the files stay with
/// their rows, and are what the script leaves behind. A later statement does not make the table again.
fn leaves_files(script: &Script, statement: NodeId) -> bool {
    let Some(name) = dropped_table(script, statement) else { return false };
    let statements = script.statements();
    let Some(at) = statements.iter().position(|other| *other == statement) else { return false };
    let (before, after) = statements.split_at(at);
    let is_over_files =
        |other: &NodeId| created_table(script, *other).as_ref() == Some(&name) && has_rows_elsewhere(script, *other);
    let Some(made) = before.iter().rposition(is_over_files) else { return false };
    let makes_again = |other: &NodeId| created_table(script, *other).as_ref() == Some(&name);
    before[made + 1..].iter().any(|other| fills(script, *other, &name)) && !after.iter().any(makes_again)
}

/// Whether a statement puts rows into a table.
fn fills(script: &Script, statement: NodeId, name: &str) -> bool {
    let tree = script.tree();
    let mut tables = tree.descendants(statement).filter(|node| tree.kind(*node) == Kind::Table);
    tables.any(|table| is_filled(script, table) && script.path_name(table) == name)
}

/// Whether a statement is `TRUNCATE TABLE name`, a later one loads the table and none before it fills it: its rows are those
/// of the load.
fn is_emptied_for_load(script: &Script, statement: NodeId) -> bool {
    let tree = script.tree();
    let truncates = script.token_text(*script.token_range(statement).start()).eq_ignore_ascii_case("TRUNCATE");
    let [table] = tree.children(statement) else { return false };
    let name = script.path_name(*table);
    let Some(at) = script.statements().iter().position(|other| *other == statement) else { return false };
    let (before, after) = script.statements().split_at(at);
    let loads = |other: &NodeId| loaded_table(script, *other).as_ref() == Some(&name);
    truncates
        && tree.kind(statement) == Kind::Delete
        && after.iter().any(loads)
        && !before.iter().any(|other| fills(script, *other, &name))
}

/// The last word of what reads files from a word on: `read_files(…)`, or a format with a path behind it; `None` if nothing
/// does.
fn files_at(words: &Words<'_>, at: usize) -> Option<usize> {
    const FORMATS: [&str; 7] = ["avro", "csv", "delta", "json", "orc", "parquet", "text"];
    if words.are(at, "read_files (") {
        return words.closing(at + 1);
    }
    let is_format = FORMATS.iter().any(|format| words.is(at, format)) && words.at(at + 1) == ".";
    (is_format && words.at(at + 2).starts_with('`') && words.at(at + 2).contains('/')).then_some(at + 2)
}

/// Returns a script with a table in place of each `read_files(…)` and each `` delta.`/path` ``; `schema` of the former
/// defines the table.
pub(super) fn with_tables_for_files(text: &str) -> String {
    static SCHEMA: LazyLock<Regex> =
        LazyLock::new(|| constant_pattern(r#"(?is)\bschema\s*=>\s*(?:"([^"]*)"|'([^']*)')"#));
    let lower = text.to_lowercase();
    if !lower.contains("read_files") && !lower.contains(".`") {
        return text.to_owned();
    }
    let words = Words::of(text);
    let (mut edits, mut definitions): (Vec<Edit>, _) = (Vec::new(), String::new());
    for at in 0..words.count() {
        let Some(call) = files_at(&words, at).map(|last| words.cover(at..last + 1)) else { continue };
        if edits.last().is_some_and(|before| call.start < before.end) {
            continue;
        }
        let name = format!("read_files_{}", edits.len() + 1);
        if let Some(schema) = SCHEMA.captures(call.of(text)) {
            let columns = schema.get(1).or(schema.get(2)).map_or("", |columns| columns.as_str());
            let columns = columns.split_whitespace().collect::<Vec<_>>().join(" ");
            definitions.push_str(&format!("CREATE TABLE IF NOT EXISTS {name} ({columns}); "));
        }
        edits.push(Edit::on_as_many_lines(text, call, name));
    }
    definitions + &with_edits(text, &edits)
}

/// Returns the text of a script in which some of its statements stand as comments.
pub(super) fn with_comments(script: &Script, is_comment: impl Fn(NodeId) -> bool) -> String {
    // From the last one, so that the places of those before stay.
    let statements = script.statements().iter().rev().copied().filter(|statement| is_comment(*statement));
    statements.fold(script.text().to_owned(), |text, statement| with_comment(&text, script.tree().span(statement)))
}

/// Returns a text with `--` before each line of a statement. What stands behind the statement in its last line is left out
/// of the comment by another line.
fn with_comment(text: &str, statement: Span) -> String {
    let (before, rest) = text.split_at(statement.start);
    let (statement, after) = rest.split_at(statement.end - statement.start);
    let (semicolon, after) = after.strip_prefix(';').map_or(("", after), |after| (";", after));
    let is_alone = after.lines().next().is_none_or(|line| line.trim().is_empty());
    let end = if is_alone { "" } else { "\n" };
    format!("{before}-- {}{semicolon}{end}{after}", statement.replace('\n', "\n-- "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_read_are_tables() {
        for (written, read) in [
            (
                "SELECT a FROM read_files(\n  '/x', format => 'csv',\n  schema => 'a INT,\n b STRING') AS f",
                "CREATE TABLE IF NOT EXISTS read_files_1 (a INT, b STRING); SELECT a FROM read_files_1\n\n\n AS f",
            ),
            (
                "SELECT a FROM read_files(concat('/x', '/y')) f JOIN read_files('/z')",
                "SELECT a FROM read_files_1 f JOIN read_files_2",
            ),
            ("SELECT a FROM delta.`/mnt/x` d, db.`t/u`", "SELECT a FROM read_files_1 d, db.`t/u`"),
            ("SELECT read_files FROM t", "SELECT read_files FROM t"),
        ] {
            assert_eq!(with_tables_for_files(written), read);
        }
    }

    #[test]
    fn statements_that_lay_tables_over_files_become_comments() {
        for (written, read) in [
            (
                "DROP TABLE IF EXISTS t;\nCREATE EXTERNAL TABLE t (\n  a INT)\nLOCATION '/t';\nSELECT a FROM t",
                "-- DROP TABLE IF EXISTS t;\n-- CREATE EXTERNAL TABLE t (\n--   a INT)\n-- LOCATION '/t';\nSELECT a FROM t",
            ),
            (
                "USE d;\nCREATE TABLE t (a INT) LOCATION '/t';\nSELECT a FROM t",
                "USE d;\n-- CREATE TABLE t (a INT) LOCATION '/t';\nSELECT a FROM t",
            ),
            (
                "CREATE TABLE t (a INT);\nALTER TABLE t ADD PARTITION (d = 1) LOCATION '/t';\nSELECT a FROM t",
                "-- CREATE TABLE t (a INT);\n-- ALTER TABLE t ADD PARTITION (d = 1) LOCATION '/t';\nSELECT a FROM t",
            ),
            (
                "LOAD DATA INPATH '/t' INTO TABLE t; SELECT a FROM t",
                "-- LOAD DATA INPATH '/t' INTO TABLE t;\n SELECT a FROM t",
            ),
            (
                "TRUNCATE TABLE t;\nTRUNCATE TABLE u;\nLOAD DATA INPATH '/t' INTO TABLE t;\nSELECT a FROM t",
                "-- TRUNCATE TABLE t;\nTRUNCATE TABLE u;\n-- LOAD DATA INPATH '/t' INTO TABLE t;\nSELECT a FROM t",
            ),
            (
                "CREATE TABLE t (a INT);\nLOAD DATA INPATH '/t' OVERWRITE INTO TABLE t PARTITION (d = 1);\nSELECT a FROM t",
                "-- CREATE TABLE t (a INT);\n-- LOAD DATA INPATH '/t' OVERWRITE INTO TABLE t PARTITION (d = 1);\nSELECT a FROM t",
            ),
            (
                "CREATE EXTERNAL TABLE t (a INT) LOCATION '/t';\nINSERT INTO t SELECT 1;\nDROP TABLE IF EXISTS t;",
                "CREATE EXTERNAL TABLE t (a INT) LOCATION '/t';\nINSERT INTO t SELECT 1;\n-- DROP TABLE IF EXISTS t;",
            ),
        ] {
            assert_eq!(without_file_tables(written), read);
        }
        for other in [
            "CREATE TABLE t (a INT);\nINSERT INTO t SELECT location FROM u;\nDROP TABLE t;",
            "CREATE TABLE t (a INT) LOCATION '/t';\nINSERT INTO t SELECT 1;\nDROP TABLE t;\nCREATE TABLE t AS SELECT 2 AS a;",
            "CREATE TABLE t (a INT) LOCATION '/t';\nINSERT INTO t SELECT 1",
            "CREATE TABLE t LOCATION '/t' AS SELECT location FROM u;\nSELECT a FROM t",
        ] {
            assert_eq!(without_file_tables(other), other);
        }
        const LOAD: &str = "LOAD DATA INPATH '/t' INTO TABLE t;";
        for kept in [
            format!("{LOAD}\nTRUNCATE TABLE t;\nSELECT a FROM t"),
            format!("INSERT INTO t SELECT 1;\nTRUNCATE TABLE t;\n{LOAD}"),
        ] {
            assert!(without_file_tables(&kept).contains("\nTRUNCATE TABLE t"), "{kept}");
        }
    }
}
