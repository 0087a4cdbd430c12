//! Which types Spark casts to which, with ANSI mode off.

use super::known_call::KnownCall;
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

const REFUSED: &str = "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION";

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context.nodes_where(|kind| kind == Kind::Cast).filter_map(|cast| check_cast(context, cast)).collect()
}

fn check_cast(context: &RuleContext<'_>, cast: NodeId) -> Option<RuleFinding> {
    let value = *context.tree().children(cast).first()?;
    let (from, to) = (context.scopes.type_of(value), context.scopes.type_of(cast));
    let tries = context.script.token_text(*context.script.token_range(cast).start()).eq_ignore_ascii_case("TRY_CAST");
    let name = context.script.slice(*context.tree().children(cast).get(1)?);
    if name.eq_ignore_ascii_case("TIME") {
        let words = "The data type TIME is not supported.";
        return Some(RuleFinding::new("UNSUPPORTED_TIME_TYPE", "0A000", context.span(cast), words));
    }
    let days = |date: &Type, number: &Type| *date == Type::Date && number.is_numeric();
    let class = match (can_cast(from, to), tries) {
        // Here Spark follows the ANSI rules, and names the function to use.
        (_, true) if days(from, to) || days(to, from) => "DATATYPE_MISMATCH.CAST_WITH_FUNC_SUGGESTION",
        (false, _) => REFUSED,
        _ => return None,
    };
    let words = refusal(&context.quoted(cast), from, to);
    Some(RuleFinding::new(class, "42K09", context.span(cast), words))
}

fn refusal(quoted: &str, from: &Type, to: &Type) -> String {
    format!("Cannot resolve \"{quoted}\" due to data type mismatch: cannot cast \"{from}\" to \"{to}\".")
}

/// Functions that are casts, as `int(x)`.
pub(super) fn by_function(call: &KnownCall<'_>) -> Option<RuleFinding> {
    if !call.function.is_cast() {
        return None;
    }
    let to = call.function.return_type(&[]);
    let from = call.type_at(0);
    let words = refusal(&call.context.quoted(call.node), from, &to);
    (!can_cast(from, &to)).then(|| RuleFinding::new(REFUSED, "42K09", call.span(), words))
}

/// Whether a value of one type can be cast to another; true if one of them is not known.
fn can_cast(from: &Type, to: &Type) -> bool {
    use Type::*;
    match (from, to) {
        (Unknown | Null, _) | (_, Unknown | String) => true,
        (_, Null) => false,
        (Array(a), Array(b)) => can_cast(a, b),
        (Map(a, b), Map(c, d)) => can_cast(a, c) && can_cast(b, d),
        (Struct(a), Struct(b)) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| can_cast(&x.1, &y.1)),
        (from, to) if from.is_nested() || to.is_nested() => false,
        (Binary, to) => *to == Binary,
        (Interval(_), to) => to.is_integer() || matches!(to, Interval(_) | Decimal(..)),
        (String, _) => true,
        (from, Binary) => from.is_integer(),
        (from, Date) => from.is_temporal(),
        (from, Interval(_)) => from.is_numeric() && *from != Double,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::can_cast;
    use crate::code::schema::read_type;

    #[test]
    fn casts_are_those_of_spark() {
        let cases = [
            ("ARRAY<STRING>", "INT", false),
            ("ARRAY<STRING>", "STRING", true),
            ("ARRAY<STRING>", "ARRAY<DATE>", true),
            ("ARRAY<INT>", "ARRAY<DATE>", false),
            ("BIGINT", "DATE", false),
            ("BIGINT", "TIMESTAMP", true),
            ("DATE", "DOUBLE", true),
            ("DOUBLE", "BINARY", false),
            ("BINARY", "INT", false),
            ("STRING", "INTERVAL DAY", true),
            ("DATE", "INTERVAL DAY", false),
            ("STRUCT<a: INT, b: INT>", "STRUCT<a: INT>", false),
            ("STRING", "MAP<STRING, STRING>", false),
        ];
        for (from, to, wanted) in cases {
            assert_eq!(can_cast(&read_type(from).unwrap(), &read_type(to).unwrap()), wanted, "{from} to {to}");
        }
    }
}
