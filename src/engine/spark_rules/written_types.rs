//! Reports types that Spark's parser reads and then refuses.

use super::rule_finding::RuleFinding;
use super::syntax_error::near;
use super::written_literals::{finding, precision};
use crate::code::schema::read_type;
use crate::code::script::Script;
use crate::code::tree::NodeId;

/// Refuses types of other databases, types that need a length, and decimals of too many digits.
pub(super) fn type_name(script: &Script, node: NodeId) -> Option<RuleFinding> {
    const KNOWN: [&str; 26] = [
        "boolean", "tinyint", "byte", "smallint", "short", "int", "integer", "bigint", "long", "float", "real",
        "double", "date", "timestamp", "timestamp_ntz", "timestamp_ltz", "string", "binary", "decimal", "dec",
        "numeric", "interval", "void", "variant", "time", "geometry",
    ];
    let text = script.slice(node).to_lowercase();
    let tokens = script.token_range(node);
    let base: &str = &script.token_text(*tokens.start()).to_lowercase();
    let arguments = text.split_once('(').map(|(_, rest)| rest.trim_end_matches(')'));
    if matches!(base, "varchar" | "char" | "character") {
        return (!text.contains('(')).then(|| {
            let words = format!("DataType \"{}\" requires a length parameter.", base.to_uppercase());
            finding(script, node, "DATATYPE_MISSING_SIZE", words)
        });
    }
    if matches!(base, "decimal" | "dec" | "numeric") {
        return digits(script, node, arguments?);
    }
    if matches!(base, "array" | "map" | "struct") {
        return nested(script, node);
    }
    if base == "double" && tokens.end() > tokens.start() {
        return Some(near(script, *tokens.end()));
    }
    let known = KNOWN.contains(&base) || base == "geography";
    let sized = arguments.is_some() && KNOWN.contains(&base) && !matches!(base, "time" | "geometry");
    (!known || sized).then(|| {
        let words = format!("Unsupported data type \"{}\".", script.slice(node).to_uppercase());
        finding(script, node, "UNSUPPORTED_DATATYPE", words)
    })
}

/// Refuses nested types without parts, with too few of them, or with parts that do not exist.
fn nested(script: &Script, node: NodeId) -> Option<RuleFinding> {
    let text = script.slice(node);
    let class = match text.to_ascii_uppercase().as_str() {
        "ARRAY" => "INCOMPLETE_TYPE_DEFINITION.ARRAY",
        "MAP" => "INCOMPLETE_TYPE_DEFINITION.MAP",
        "STRUCT" => "INCOMPLETE_TYPE_DEFINITION.STRUCT",
        _ => {
            let wrong = read_type(text).err()?;
            let part = wrong.of(text);
            if part.starts_with(|first: char| first.is_alphabetic()) {
                let words = format!("Unsupported data type \"{}\".", part.to_uppercase());
                let other = matches!(part.to_lowercase().as_str(), "variant" | "time" | "geometry" | "geography");
                return (!other).then(|| finding(script, node, "UNSUPPORTED_DATATYPE", words));
            }
            let at = script.token_at(script.tree().span(node).start + wrong.start);
            return Some(near(script, at));
        }
    };
    Some(finding(script, node, class, format!("Incomplete complex type: \"{text}\".")))
}

fn digits(script: &Script, node: NodeId, arguments: &str) -> Option<RuleFinding> {
    if let Some(sign) = script.token_range(node).find(|at| script.token_text(*at) == "-") {
        return Some(near(script, sign));
    }
    let mut numbers = arguments.split(',').map(|part| part.trim().parse::<usize>().ok());
    let (digits, scale) = (numbers.next()??, numbers.next().flatten().unwrap_or(0));
    if digits > 38 {
        return Some(precision(script, node, digits));
    }
    let words = format!("Decimal scale {scale} cannot be greater than precision {digits}.");
    (scale > digits).then(|| finding(script, node, "DECIMAL_SCALE_EXCEEDS_PRECISION", words))
}
