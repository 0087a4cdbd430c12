//! Checks arguments that must be literals of a certain form: schemas of `from_json`, units of date arithmetic.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::schema::{Schema, read_type};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

const UNITS: &str = "YEAR, QUARTER, MONTH, WEEK, DAY, DAYOFYEAR, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND";

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let calls = context.nodes_where(|kind| matches!(kind, Kind::Call { .. }));
    calls.into_iter().filter_map(|call| check_literal_arguments(context, call)).collect()
}

fn check_literal_arguments(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    let arguments = context.script.arguments(call);
    let function = context.script.function(call)?;
    match (function.name, arguments.len()) {
        ("from_json", 2..) => schema(context, call, arguments[1]),
        (name, 3) if function.takes_unit => unit(context, call, name, arguments[0]),
        _ => None,
    }
}

/// The schema of `from_json` must be a type or a list of columns, in a literal or an expression of literals.
fn schema(context: &RuleContext<'_>, call: NodeId, argument: NodeId) -> Option<RuleFinding> {
    let span = context.span(call);
    let quoted = context.quoted(argument);
    if matches!(context.kind(argument), Kind::Column | Kind::Null) {
        let words = format!(
            "The input schema \"{quoted}\" is not a valid schema string. The input expression must be string literal and \
             not null."
        );
        return Some(RuleFinding::new("INVALID_SCHEMA.NON_STRING_LITERAL", "42K07", span, words));
    }
    if context.kind(argument) != Kind::Text || quoted.contains("${") {
        return None;
    }
    let text = quoted.trim_matches(['\'', '"']);
    let as_type = read_type(text);
    match as_type {
        Ok(data_type) if data_type.is_nested() => None,
        Ok(_) => {
            let words = format!(
                "Cannot resolve \"{}\" due to data type mismatch: Input schema \"{text}\" must be a struct, an array, a map \
                 or a variant.",
                context.quoted(call)
            );
            Some(RuleFinding::new("DATATYPE_MISMATCH.INVALID_JSON_SCHEMA", "42K09", span, words))
        }
        Err(_) if is_column_list(text) => None,
        Err(at) => {
            let found = if at.start < text.len() { at.of(text) } else { "end of input" };
            let words = format!("Syntax error at or near '{found}' in the schema.");
            Some(RuleFinding::new("PARSE_SYNTAX_ERROR", "42601", span, words))
        }
    }
}

/// Whether a text is a list of columns as in a table definition: `a INT, b STRING`. Only inside a struct may a colon
/// stand between name and type.
fn is_column_list(text: &str) -> bool {
    let table = Schema::read(&format!("CREATE TABLE t ({text});"));
    table.is_ok_and(|schema| {
        let columns = schema.tables.first().map_or(&[][..], |table| &table.columns);
        !columns.is_empty() && columns.iter().all(|column| column.data_type != Type::Unknown)
    })
}

/// Refuses a quoted unit, as in `datediff('day', a, b)`.
fn unit(context: &RuleContext<'_>, call: NodeId, name: &str, argument: NodeId) -> Option<RuleFinding> {
    if context.kind(argument) != Kind::Text {
        return None;
    }
    let words = format!(
        "The value of parameter(s) `unit` in `{name}` is invalid: expects one of the units without quotes {UNITS}, but got \
         the string literal {}.",
        context.quoted(argument)
    );
    Some(RuleFinding::new("INVALID_PARAMETER_VALUE.DATETIME_UNIT", "22023", context.span(call), words))
}
