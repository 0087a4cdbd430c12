//! Forms that Hive takes and Spark does not: they are read as Hive reads them, and the user is told.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::code::Words;
use crate::code::constant_pattern;
use crate::code::edit::{Edit, with_edits};
use crate::code::script::{Script, unquoted};
use crate::code::span::Span;
use crate::code::token::{TokenKind, tokenize};
use crate::code::tree::{Kind, NodeId};

/// Returns a note for each kind of statement that Hive runs and Spark 4.3 refuses, at its first place.
pub(super) fn notes_on_hive_forms(script: &Script) -> Vec<String> {
    let mut told = BTreeSet::new();
    let forms = script.statements().iter().filter_map(|statement| Some((*statement, hive_form(script, *statement)?)));
    let new = forms.filter(|(_, form)| told.insert(form.clone()));
    let note = |(node, form): (NodeId, String)| {
        let line = script.place(script.tree().span(node).start).line;
        format!("line {line}: Hive takes {form}, Spark refuses it; it is read as Hive reads it")
    };
    let told = new.map(note);
    let sign = script.tree().ids().find(|node| script.negates_with_sign(*node));
    told.chain(sign.map(|node| note((node, "! for NOT before LIKE, IN and BETWEEN".to_owned())))).collect()
}

/// Returns a script with `DOUBLE` for the type `DOUBLE PRECISION`.
pub(super) fn with_plain_doubles(text: &str) -> String {
    if !text.to_lowercase().contains("precision") {
        return text.to_owned();
    }
    let words = Words::of(text);
    let types = (1..words.count()).filter(|at| words.are(at - 1, "DOUBLE PRECISION"));
    let edits = types.map(|at| Edit::deletion(Span::new(words.span(at - 1).end, words.span(at).end)));
    with_edits(text, &edits.collect::<Vec<_>>())
}

/// Returns a script with `yyyy` for `YYYY` in patterns of dates. `YYYY` is the year of the week in Java, which Hive takes and
/// which differs in the last days of some years only; Spark refuses it.
pub(super) fn with_calendar_years(text: &str) -> String {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| constant_pattern(r#"^(['"])[YMdHmsS:/. -]*YYYY[YMdHmsS:/. -]*['"]$"#));
    if !text.contains("YYYY") {
        return text.to_owned();
    }
    let tokens = tokenize(text);
    let texts = tokens.iter().filter(|token| token.kind == TokenKind::Text).map(|token| token.span());
    let patterns = texts.filter(|span| PATTERN.is_match(span.of(text)));
    let edits = patterns.map(|span| Edit::replacement(span, span.of(text).replace("YYYY", "yyyy")));
    with_edits(text, &edits.collect::<Vec<_>>())
}

fn hive_form(script: &Script, statement: NodeId) -> Option<String> {
    let tree = script.tree();
    match tree.kind(statement) {
        Kind::CreateTable => {
            let is_filled = tree.child(statement, |kind| kind == Kind::Query).is_some();
            if is_filled && script.says_temporary(statement) {
                return Some("CREATE TEMPORARY TABLE … AS".to_owned());
            }
            let ends = line_end(script, statement).filter(|text| *text != "\\n" && *text != "\n");
            ends.map(|text| format!("LINES TERMINATED BY '{text}'"))
        }
        Kind::Insert { overwrite: true, .. } => {
            let target = tree.child(statement, |kind| kind == Kind::Table)?;
            let tables = tree.descendants(statement).filter(|node| tree.kind(*node) == Kind::Table);
            let mut read = tables.filter(|table| *table != target).map(|table| script.path_name(table));
            let name = script.path_name(target);
            read.any(|other| other.eq_ignore_ascii_case(&name))
                .then(|| "INSERT OVERWRITE of a table that the statement reads".to_owned())
        }
        Kind::Delete => {
            let items = tree.descendants(statement).filter(|node| tree.kind(*node) == Kind::PartitionItem);
            let items: Vec<NodeId> = items.collect();
            if items.iter().any(|item| tree.children(*item).len() == 1) {
                return Some("TRUNCATE of partitions without values, which are all".to_owned());
            }
            let mut comparisons = items.into_iter().map(|item| script.partition_comparison(item));
            let other = comparisons.find(|comparison| *comparison != "=")?;
            Some(format!("{other} in ALTER TABLE … DROP PARTITION"))
        }
        _ => None,
    }
}

/// The text behind LINES TERMINATED BY.
fn line_end(script: &Script, statement: NodeId) -> Option<&str> {
    let tokens: Vec<usize> = script.token_range(statement).collect();
    let is = |at: usize, word: &str| script.token_text(at).eq_ignore_ascii_case(word);
    let place = tokens.windows(4).find(|at| is(at[0], "LINES") && is(at[1], "TERMINATED") && is(at[2], "BY"))?;
    Some(unquoted(script.token_text(place[3])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hive_alone_takes_is_told_once() {
        let text = "CREATE TEMPORARY TABLE a AS SELECT k FROM t;\nCREATE TEMPORARY TABLE b AS SELECT k FROM t;\n\
                    CREATE TABLE c (k INT) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' LINES TERMINATED BY '10';\n\
                    INSERT OVERWRITE TABLE d SELECT t.k FROM t LEFT JOIN d ON t.k = d.k;\n\
                    ALTER TABLE d DROP PARTITION (k <= '1'); ALTER TABLE d DROP PARTITION (k = '1');\n\
                    TRUNCATE TABLE d PARTITION (k)";
        let notes = notes_on_hive_forms(&Script::new(text));
        let lines: Vec<&str> = notes.iter().filter_map(|note| note.split(':').next()).collect();
        assert_eq!(lines, ["line 1", "line 3", "line 4", "line 5", "line 6"], "{notes:?}");
        let denied = notes_on_hive_forms(&Script::new("SELECT k FROM t\nWHERE a !LIKE 'x' AND b ! IN (1) AND NOT c"));
        assert_eq!(
            denied,
            ["line 2: Hive takes ! for NOT before LIKE, IN and BETWEEN, Spark refuses it; it is read as Hive reads it"]
        );
        for plain in [
            "CREATE TABLE a AS SELECT k FROM t",
            "CREATE TABLE c (k INT) ROW FORMAT DELIMITED LINES TERMINATED BY '\\n'",
            "INSERT OVERWRITE TABLE d SELECT k FROM t",
            "INSERT INTO d SELECT k FROM d",
        ] {
            assert!(notes_on_hive_forms(&Script::new(plain)).is_empty(), "{plain}");
        }
    }

    #[test]
    fn a_type_of_two_words_becomes_one() {
        for (written, read) in [
            ("CAST(a AS double precision) > 1, 'DOUBLE PRECISION'", "CAST(a AS double) > 1, 'DOUBLE PRECISION'"),
            ("SELECT precision, double FROM t", "SELECT precision, double FROM t"),
        ] {
            assert_eq!(with_plain_doubles(written), read);
        }
    }

    #[test]
    fn the_year_of_the_week_becomes_that_of_the_calendar() {
        for (written, read) in [
            ("date_format(a, 'YYYY-MM-dd') = \"YYYYMM\"", "date_format(a, 'yyyy-MM-dd') = \"yyyyMM\""),
            ("date_format(a, 'yyyy-MM'), 'the YYYY of it'", "date_format(a, 'yyyy-MM'), 'the YYYY of it'"),
        ] {
            assert_eq!(with_calendar_years(written), read);
        }
    }
}
