//! Reads Spark's answers as results and refusals.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

use super::pieces::{byte_of, offset};
use crate::code::bound_text::BoundText;
use crate::code::schema::Schema;
use crate::code::schema::type_name::read_type;
use crate::code::span::{LineColumn, Span};
use crate::code::token::tokenize;
use crate::code::types::Type;
use crate::engine::outcome::{Refusal, RunOutcome};
use crate::engine::spark_rules::{Rejection, RejectionStage};
use crate::engine::table::{Database, ResultColumn, ResultTable, Row, ScriptResult, Value};

#[derive(Deserialize)]
struct Executed {
    kind: String,
    #[serde(default)]
    drops: String,
    #[serde(default)]
    results: Vec<Produced>,
}

#[derive(Deserialize)]
struct Produced {
    target: String,
    overwrite: bool,
    #[serde(rename = "static")]
    fixed: BTreeMap<String, String>,
    partitions: Vec<String>,
    columns: Vec<(String, String)>,
    rows: Vec<Vec<Json>>,
}

/// The text that was judged: the original, the text with its placeholders bound, and the statements of the latter.
pub(super) struct JudgedText<'a> {
    pub original: &'a str,
    pub bound: &'a BoundText,
    pub statements: &'a [Span],
}

/// Reads the outcome of a run.
pub(super) fn outcome(answer: &Json, judged: &JudgedText<'_>, schema: &Schema, database: &Database) -> RunOutcome {
    let message = || answer["message"].as_str().unwrap_or("").trim().to_owned();
    match answer["status"].as_str() {
        Some("ok") => match Vec::<Executed>::deserialize(&answer["statements"]) {
            Ok(statements) => RunOutcome::Ran(result(statements, schema, database)),
            Err(error) => RunOutcome::Failed(error.to_string()),
        },
        Some("error") => RunOutcome::Refused(refusal(answer, judged)),
        Some("denied") => RunOutcome::Denied(message()),
        Some("timeout") => RunOutcome::TimedOut,
        _ => RunOutcome::Failed(message()),
    }
}

/// Reads why a script was refused.
pub(super) fn refusal(answer: &Json, judged: &JudgedText<'_>) -> Refusal {
    let text = |key: &str| answer[key].as_str().unwrap_or("").trim().to_owned();
    let number = |key: &str| answer[key].as_u64().and_then(|number| usize::try_from(number).ok());
    let at = number("statement").unwrap_or(0);
    let statement = judged.statements.get(at).copied().unwrap_or_default();
    let words = statement.of(&judged.bound.text);
    let within = match (number("line"), number("pos"), number("start")) {
        (Some(line), Some(position), _) => Some(offset(words, line, position)),
        (_, _, Some(start)) => Some(byte_of(words, start)),
        _ => None,
    };
    let start = judged.bound.original(statement.start + within.unwrap_or(0));
    let token =
        tokenize(judged.original).into_iter().find(|token| token.span().start <= start && start < token.span().end);
    let end = token.map_or(judged.original.len(), |token| token.span().end).max(start);
    let stage = match answer["stage"].as_str() {
        Some("parse") => RejectionStage::Parse,
        Some("analysis") => RejectionStage::Analysis,
        _ => RejectionStage::Run,
    };
    let rejection = Rejection {
        stage,
        class: text("class"),
        sqlstate: text("sqlstate"),
        span: Span::new(start, end),
        place: LineColumn::of(judged.original, start),
        message: text("message"),
    };
    Refusal { rejection, placed: within.is_some() }
}

/// Returns the final content of every written table, and the rows of each plain query.
fn result(statements: Vec<Executed>, schema: &Schema, database: &Database) -> ScriptResult {
    let mut result = ScriptResult::default();
    for statement in statements {
        result.tables.retain(|table| table.target.is_empty() || !same(&table.target, &statement.drops));
        for produced in statement.results {
            let columns = columns(&produced);
            let rows: Vec<Row> = produced.rows.iter().map(|row| values(row, &columns)).collect();
            if produced.target.is_empty() {
                result.tables.push(ResultTable::unordered(String::new(), columns, rows));
                continue;
            }
            let target = produced.target.to_lowercase();
            let place = result.tables.iter().position(|table| table.target == target).unwrap_or_else(|| {
                let held = if statement.kind == "create" { Vec::new() } else { held(&target, schema, database) };
                result.tables.push(ResultTable::unordered(target, columns.clone(), held));
                result.tables.len() - 1
            });
            let table = &mut result.tables[place];
            if produced.overwrite {
                replace(table, &rows, &produced);
            }
            table.rows.extend(rows);
        }
    }
    result
}

fn same(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}

fn held(target: &str, schema: &Schema, database: &Database) -> Vec<Row> {
    let Some(definition) = schema.table(target) else { return Vec::new() };
    let entry = database.tables.iter().find(|entry| entry.table == definition.name);
    let types: Vec<&Type> = definition.columns.iter().map(|column| &column.data_type).collect();
    let typed =
        |row: &Row| row.iter().zip(&types).map(|(value, data_type)| fraction(value.clone(), data_type)).collect();
    entry.map_or_else(Vec::new, |entry| entry.rows.iter().map(typed).collect())
}

/// Makes doubles and decimals `Real` even if they are whole.
fn fraction(value: Value, data_type: &Type) -> Value {
    match (value, data_type) {
        (Value::Integer(whole), Type::Double | Type::Decimal(..)) => Value::Real(whole as f64),
        (value, _) => value,
    }
}

/// Removes the rows that an overwrite replaces: all rows, or those in the partitions that it names or writes to.
fn replace(table: &mut ResultTable, written: &[Row], produced: &Produced) {
    if produced.partitions.is_empty() {
        table.rows.clear();
        return;
    }
    let position = |name: &String| table.columns.iter().position(|column| same(&column.name, name));
    let fixed = |name: &String| produced.fixed.iter().find(|(key, _)| same(key, name)).map(|(_, value)| value);
    let named: Vec<(usize, &String)> =
        produced.partitions.iter().filter_map(|name| Some((position(name)?, fixed(name)?))).collect();
    let open: Vec<usize> =
        produced.partitions.iter().filter(|name| fixed(name).is_none()).filter_map(position).collect();
    let is_replaced = |row: &Row| {
        let as_named = named.iter().all(|(at, value)| row[*at].plain_text() == **value);
        as_named && (open.is_empty() || written.iter().any(|new| open.iter().all(|at| new[*at] == row[*at])))
    };
    table.rows.retain(|row| !is_replaced(row));
}

fn columns(produced: &Produced) -> Vec<ResultColumn> {
    let column = |(name, data_type): &(String, String)| {
        ResultColumn::new(name.to_lowercase(), read_type(data_type).unwrap_or_default())
    };
    produced.columns.iter().map(column).collect()
}

fn values(row: &[Json], columns: &[ResultColumn]) -> Row {
    row.iter().zip(columns).map(|(cell, column)| fraction(value(cell), &column.data_type)).collect()
}

fn value(cell: &Json) -> Value {
    match cell {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Integer(i64::from(*flag)),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => number.as_f64().map_or(Value::Null, Value::Real),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Object(special) => match special.get("special").and_then(Json::as_str) {
            Some("inf") => Value::Real(f64::INFINITY),
            Some("-inf") => Value::Real(f64::NEG_INFINITY),
            _ => Value::Real(f64::NAN),
        },
        Json::Array(_) => Value::Text(cell.to_string()),
    }
}
