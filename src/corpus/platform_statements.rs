//! Statements of one platform that say, in other words, what Hive and Spark say as well.

use std::ops::Range;

use crate::code::Words;
use crate::code::edit::{Edit, with_edits};

/// Returns a script with `CREATE WIDGET TEXT day DEFAULT '2024-01-01'` as `SET day=2024-01-01`, what sets up catalogues,
/// removes widgets and makes the indexes of earlier Hive as comments, and materialized views as views, whatever says when
/// they are refreshed: their rows are the same.
pub(super) fn in_usual_statements(text: &str) -> String {
    let lower = text.to_lowercase();
    if !["widget", "materialized", "catalog", "index"].iter().any(|word| lower.contains(word)) {
        return text.to_owned();
    }
    let words = Words::of(text);
    let rewrites = words.statements().flat_map(|statement| replacements(&words, statement, text));
    let edits = rewrites.map(|rewrite| Edit::on_as_many_lines(text, words.cover(rewrite.range), rewrite.written));
    with_edits(text, &edits.collect::<Vec<_>>())
}

/// Returns a script with a semicolon for each line that is `GO` alone, as tools for T-SQL divide statements.
pub(super) fn with_semicolons_for_go(text: &str) -> String {
    let is_go = |line: &str| line.trim().eq_ignore_ascii_case("GO");
    if !text.lines().any(is_go) {
        return text.to_owned();
    }
    let divided = |line: &str| match is_go(line) {
        true => format!(";{}", if line.ends_with('\n') { "\n" } else { "" }),
        false => line.to_owned(),
    };
    text.split_inclusive('\n').map(divided).collect()
}

/// Words of a script and what stands for them.
struct StatementRewrite {
    range: Range<usize>,
    written: String,
}

/// Returns what is replaced in a statement, in order.
fn replacements(words: &Words<'_>, statement: Range<usize>, text: &str) -> Vec<StatementRewrite> {
    let Range { start: first, end: last } = statement;
    let replace = |range, written: &str| StatementRewrite { range, written: written.to_owned() };
    if words.are(first, "CREATE WIDGET") {
        let default = (first..last).find(|at| words.is(*at, "DEFAULT")).filter(|at| at + 1 < last);
        let set = |at: usize| format!("SET {}={}", words.at(first + 3), words.at(at + 1).trim_matches(['\'', '"']));
        return default.map(|at| replace(first..at + 2, &set(at))).into_iter().collect();
    }
    const IDLE: [&str; 5] = ["REMOVE WIDGET", "CREATE CATALOG", "CREATE INDEX", "ALTER INDEX", "DROP INDEX"];
    if IDLE.iter().any(|idle| words.are(first, idle)) {
        let whole = words.cover(first..last);
        return vec![replace(first..last, &format!("/* {} */", whole.of(text).replace('\n', " ")))];
    }
    let replaces = ["REPLACE", "REFRESH"].iter().any(|word| words.are(first + 1, &format!("OR {word}")));
    let at = first + if replaces { 3 } else { 1 };
    if !words.is(first, "CREATE") || !words.are(at, "MATERIALIZED VIEW") {
        return Vec::new();
    }
    let view = replace(first..at + 2, if replaces { "CREATE OR REPLACE VIEW" } else { "CREATE VIEW" });
    let query = (at..last).find(|at| words.is(*at, "AS")).unwrap_or(last);
    let says_when = |at: &usize| {
        let is_column = matches!(words.before(*at), "(" | ",");
        !is_column && ["TRIGGER", "SCHEDULE", "REFRESH"].iter().any(|word| words.is(*at, word))
    };
    let refresh = (at + 3..query).find(says_when).map(|when| {
        let next = (when..query).find(|at| words.is(*at, "COMMENT") || words.is(*at, "TBLPROPERTIES"));
        replace(when..next.unwrap_or(query), "")
    });
    let typed = names_of_typed_columns(words, at + 3, text).map(|(list, names)| replace(list, &names));
    std::iter::once(view).chain(typed).chain(refresh).collect()
}

/// The list of columns after the name of a materialized view, and how a view has it: names and comments without types and
/// keys. `None` if there is no list, or if no column in it has a type.
fn names_of_typed_columns(words: &Words<'_>, open: usize, text: &str) -> Option<(Range<usize>, String)> {
    let open = (open..open + 5).find(|at| words.at(*at) == "(" || words.is(*at, "AS"))?;
    let items = words.items(open)?;
    let has_type = |item: &Range<usize>| item.len() > 1 && !words.is(item.start + 1, "COMMENT");
    if !items.iter().any(has_type) {
        return None;
    }
    let is_key =
        |item: &Range<usize>| ["CONSTRAINT", "PRIMARY", "FOREIGN"].iter().any(|word| words.is(item.start, word));
    let list = open..items.last()?.end + 1;
    let named = items.into_iter().filter(|item| !item.is_empty() && !is_key(item)).map(|item| {
        let comment = item.clone().find(|at| words.is(*at, "COMMENT"));
        let comment = comment.map(|at| format!(" {}", words.cover(at..at + 2).of(text))).unwrap_or_default();
        format!("{}{comment}", words.at(item.start))
    });
    Some((list, format!("({})", named.collect::<Vec<_>>().join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_go_divides_statements() {
        let written = "DROP VIEW v\nGO\n\nCREATE VIEW v AS\nSELECT go, 'GO' FROM t\n go";
        assert_eq!(with_semicolons_for_go(written), "DROP VIEW v\n;\n\nCREATE VIEW v AS\nSELECT go, 'GO' FROM t\n;");
    }

    #[test]
    fn statements_of_one_platform_are_read_as_usual_ones() {
        for (written, read) in [
            (
                "CREATE WIDGET TEXT day DEFAULT '2024-01-01';\nSELECT a FROM t WHERE d = '${day}';\nREMOVE WIDGET day;",
                "SET day=2024-01-01;\nSELECT a FROM t WHERE d = '${day}';\n/* REMOVE WIDGET day */;",
            ),
            (
                "CREATE OR REFRESH MATERIALIZED VIEW v AS SELECT 1; create materialized\nview w AS SELECT 2",
                "CREATE OR REPLACE VIEW v AS SELECT 1; CREATE VIEW\n w AS SELECT 2",
            ),
            (
                "CREATE MATERIALIZED VIEW v\nSCHEDULE EVERY 1 HOUR\nCOMMENT 'x'\nAS SELECT 1",
                "CREATE VIEW v\n\nCOMMENT 'x'\nAS SELECT 1",
            ),
            (
                "CREATE MATERIALIZED VIEW v (a STRING NOT NULL, b DECIMAL(9, 2) COMMENT 'x',\n CONSTRAINT k PRIMARY KEY (a)) AS SELECT 1",
                "CREATE VIEW v (a, b COMMENT 'x')\n AS SELECT 1",
            ),
            (
                "CREATE MATERIALIZED VIEW refresh (refresh DATE, b INT) SCHEDULE EVERY 1 DAY AS SELECT 1, 2",
                "CREATE VIEW refresh (refresh, b)  AS SELECT 1, 2",
            ),
            ("CREATE MATERIALIZED VIEW v (a, refresh) AS SELECT 1, 2", "CREATE VIEW v (a, refresh) AS SELECT 1, 2"),
            ("SELECT materialized FROM widget", "SELECT materialized FROM widget"),
            (
                "CREATE INDEX i ON TABLE t (a)\nAS 'COMPACT' WITH DEFERRED REBUILD; SELECT index FROM t",
                "/* CREATE INDEX i ON TABLE t (a) AS 'COMPACT' WITH DEFERRED REBUILD */\n; SELECT index FROM t",
            ),
        ] {
            assert_eq!(in_usual_statements(written), read);
        }
    }
}
