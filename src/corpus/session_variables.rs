//! Session variables: every use becomes the value, so that the script says the same without them. A value may be a query
//! where nothing changes the tables that it reads; else `DECLARE` and `SET VAR` stay, and are refused as what is not read.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::code::Words;
use crate::code::edit::{Edit, with_edits};
use crate::code::script::Script;
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};

/// A statement that gives a variable its value.
#[derive(Debug)]
struct Setting {
    /// The bytes of the statement, its semicolon included.
    statement: Range<usize>,
    /// The variable, in lower case.
    name: String,
    /// What stands in its place from here on.
    value: String,
}

/// Returns a script with the values of its session variables in their places; what gave them stays as a comment.
pub(super) fn with_values_of_variables(text: &str) -> String {
    if !text.to_lowercase().contains("declare") {
        return text.to_owned();
    }
    let Some(settings) = settings(text).filter(|found| !found.is_empty() && is_clear(text, found)) else {
        return text.to_owned();
    };
    let mut plain = String::with_capacity(text.len());
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    let mut end = 0;
    for Setting { statement, name, value } in settings {
        plain.push_str(&with_values(&text[end..statement.start], &values));
        end = statement.end;
        plain.push_str(&format!("/* {} */", text[statement].trim_end_matches(';')));
        let value = with_values(&value, &values);
        values.insert(name, value);
    }
    plain + &with_values(&text[end..], &values)
}

/// Returns a part of a script with the values of variables in their places.
fn with_values(text: &str, values: &BTreeMap<String, String>) -> String {
    let words = Words::of(text);
    let mut edits = Vec::new();
    for at in 0..words.count() {
        let value = values.get(&words.at(at).to_lowercase());
        if let Some((value, start)) = value.and_then(|value| Some((value, variable_at(&words, at)?))) {
            edits.push(Edit::replacement(words.cover(start..at + 1), value));
        }
    }
    with_edits(text, &edits)
}

/// The first word of the use of a variable whose name is a word, `session.` included; `None` if the word is part of
/// another name or names a call.
fn variable_at(words: &Words<'_>, at: usize) -> Option<usize> {
    let is_word = words.kind(at) == Some(TokenKind::Word) && !matches!(words.at(at + 1), "." | "(");
    match words.before(at) {
        "." => at.checked_sub(2).filter(|qualifier| is_word && words.is(*qualifier, "SESSION")),
        _ => is_word.then_some(at),
    }
}

/// Whether nothing else of a script has the name of a variable: no column with a qualifier, and nothing that AS or a
/// type behind it defines.
fn is_clear(text: &str, settings: &[Setting]) -> bool {
    let words = Words::of(text);
    (0..words.count()).all(|at| {
        let is_named = |setting: &Setting| words.at(at).trim_matches('`').eq_ignore_ascii_case(&setting.name);
        let is_qualified = words.before(at) == "." && !at.checked_sub(2).is_some_and(|at| words.is(at, "SESSION"));
        let is_other = is_qualified || words.before(at).eq_ignore_ascii_case("AS") || words.at(at).starts_with('`');
        !is_other || !settings.iter().any(is_named)
    })
}

/// Returns what gives variables their values, in order; `None` if a value cannot stand in the place of its variable.
fn settings(text: &str) -> Option<Vec<Setting>> {
    let words = Words::of(text);
    let mut found = Vec::new();
    for statement in words.statements() {
        let first = statement.start;
        if words.is(first, "DECLARE") && !words.at(first + 1).starts_with('@') {
            found.push(declaration(text, &words, statement)?);
        } else if words.kind(first) == Some(TokenKind::Command) {
            found.extend(set_variable(text, words.span(first).start..words.span(first).end)?);
        }
    }
    Some(found)
}

/// `DECLARE [OR REPLACE] [VARIABLE] name [type] DEFAULT|= value;`
fn declaration(text: &str, words: &Words<'_>, statement: Range<usize>) -> Option<Setting> {
    let mut at = statement.start + 1;
    at += if words.are(at, "OR REPLACE") { 2 } else { 0 };
    at += usize::from(words.is(at, "VARIABLE") || words.is(at, "VAR"));
    at += if words.are(at, "SESSION .") { 2 } else { 0 };
    let name = words.at(at).to_lowercase();
    let sign = (at..statement.end).find(|at| words.at(*at) == "=" || words.is(*at, "DEFAULT"));
    let start = |at: usize| words.span(at).start;
    let bytes = start(statement.start)..words.span(statement.end).end;
    let (type_end, value) = match sign {
        Some(sign) => (start(sign), &text[start(sign + 1)..start(statement.end)]),
        None => (start(statement.end), "NULL"),
    };
    let data_type = text[start(at + 1)..type_end].trim();
    let value = value_of(text, value, bytes.start)?;
    let value = if data_type.is_empty() { value } else { format!("CAST({value} AS {data_type})") };
    (words.kind(at) == Some(TokenKind::Word)).then_some(Setting { statement: bytes, name, value })
}

/// `SET VAR name = value`, if a command is that; the outer `None` if its value cannot stand in the variable's place.
fn set_variable(text: &str, statement: Range<usize>) -> Option<Option<Setting>> {
    let command = &text[statement.clone()];
    let words = Words::of(command.get(3..)?);
    let sets_variable = command[..3].eq_ignore_ascii_case("SET") && (words.is(0, "VAR") || words.is(0, "VARIABLE"));
    if !sets_variable {
        return Some(None);
    }
    let (_, value) = command.split_once('=')?;
    let name = if words.are(1, "SESSION .") { words.at(3) } else { words.at(1) };
    let (name, value) = (name.to_lowercase(), value_of(text, value, statement.start)?);
    Some(Some(Setting { statement, name, value }))
}

/// Returns what stands in the place of a variable, in brackets if it has several words; `None` if it is a query of a
/// table that the script changes from byte `start` on.
fn value_of(text: &str, value: &str, start: usize) -> Option<String> {
    let words = Words::of(value);
    let value = value.trim();
    if (0..words.count()).any(|at| words.is(at, "SELECT")) && !reads_what_stays(&Script::new(text), value, start) {
        return None;
    }
    match words.count() {
        0 => None,
        1 => Some(value.to_owned()),
        count if words.at(0) == "(" && words.closing(0) == Some(count - 1) => Some(value.to_owned()),
        _ => Some(format!("({value})")),
    }
}

/// Whether no statement from byte `start` on changes a table that a query reads.
fn reads_what_stays(script: &Script, query: &str, start: usize) -> bool {
    let query = Script::new(format!("SELECT {query}"));
    let named = |script: &Script, node: NodeId| {
        (script.tree().kind(node) == Kind::Table).then(|| script.path_name(node).rsplit('.').next().map(str::to_owned))
    };
    let read: Vec<_> = query.tree().ids().filter_map(|node| named(&query, node)).collect();
    let tree = script.tree();
    let is_target = |node: &NodeId| tree.parent(*node).is_some_and(|parent| writes(tree.kind(parent)));
    let later = tree.ids().filter(|node| tree.span(*node).start >= start);
    let changed = later.filter(is_target).filter_map(|node| named(script, node));
    query.is_valid() && changed.into_iter().all(|table| !read.contains(&table))
}

/// Whether a statement, or an INSERT of one, fills, makes or changes a table.
fn writes(kind: Kind) -> bool {
    let makes = matches!(kind, Kind::CreateTable | Kind::CreateView);
    makes || kind.changes_rows() || matches!(kind, Kind::Insert { .. } | Kind::InsertBranch { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_of_variables_become_their_values() {
        for (written, read) in [
            (
                "DECLARE OR REPLACE d = current_timestamp();\nMERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET t.b = d",
                "/* DECLARE OR REPLACE d = current_timestamp() */\nMERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET t.b = (current_timestamp())",
            ),
            (
                "DECLARE VARIABLE n INT DEFAULT 5; SELECT a FROM t WHERE a > session.n; SET VAR n = 7; SELECT n + 1",
                "/* DECLARE VARIABLE n INT DEFAULT 5 */ SELECT a FROM t WHERE a > CAST(5 AS INT); /* SET VAR n = 7 */; SELECT 7 + 1",
            ),
            (
                "DECLARE a = 1; DECLARE b = a + 1; DECLARE d DATE = (SELECT max(x) FROM u); INSERT INTO t SELECT b FROM u WHERE x = d",
                "/* DECLARE a = 1 */ /* DECLARE b = a + 1 */ /* DECLARE d DATE = (SELECT max(x) FROM u) */ INSERT INTO t SELECT (1 + 1) FROM u WHERE x = CAST((SELECT max(x) FROM u) AS DATE)",
            ),
            (
                "DECLARE n INT; SET VAR session.n = (SELECT max(a) FROM t); SELECT n",
                "/* DECLARE n INT */ /* SET VAR session.n = (SELECT max(a) FROM t) */; SELECT (SELECT max(a) FROM t)",
            ),
            ("DECLARE x DATE; SELECT x, n(1)", "/* DECLARE x DATE */ SELECT CAST(NULL AS DATE), n(1)"),
        ] {
            assert_eq!(with_values_of_variables(written), read);
        }
    }

    #[test]
    fn variables_of_changed_tables_or_that_a_column_hides_stay() {
        for script in [
            "DECLARE n INT DEFAULT (SELECT max(a) FROM d.t); INSERT INTO t SELECT n",
            "DECLARE n = 1; SET VAR n = (SELECT max(a) FROM t); DELETE FROM t WHERE a < n",
            "DECLARE n = 1; SELECT t.n, n FROM t",
            "DECLARE n = 1; SELECT a AS n FROM t",
            "DECLARE @n INT; SELECT @n",
            "SELECT 'declare n = 1'",
        ] {
            assert_eq!(with_values_of_variables(script), script);
        }
    }
}
