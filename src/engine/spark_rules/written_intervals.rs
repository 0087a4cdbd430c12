//! Reports intervals that Spark's parser reads and then refuses.

use super::rule_finding::RuleFinding;
use super::written_literals::finding;
use crate::code::literal::text_value;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

const UNITS: [&str; 6] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"];

/// Refuses intervals from a larger unit to one that cannot follow it, of months and of time at once, and of no number.
pub(super) fn interval(script: &Script, node: NodeId) -> Option<RuleFinding> {
    let tree = script.tree();
    let words: Vec<String> = script.token_range(node).map(|at| script.token_text(at).to_ascii_uppercase()).collect();
    if let Some(to) = words.iter().position(|word| word == "TO") {
        return from_to(script, node, [words[to - 1].as_str(), words.get(to + 1)?.as_str()]);
    }
    let values = tree.children(node);
    let is_months = |unit: &String| matches!(unit.trim_end_matches('S'), "YEAR" | "MONTH");
    let units: Vec<&String> = words.iter().skip(1).filter(|word| is_unit(word)).collect();
    if values.len() > 1 && units.iter().any(|unit| is_months(unit)) && !units.iter().all(|unit| is_months(unit)) {
        let words = "Cannot mix year-month and day-time fields.";
        return Some(finding(script, node, "_LEGACY_ERROR_TEMP_0029", words));
    }
    let [value] = *values else { return None };
    let text = script.slice(value);
    if let ([unit], Kind::Number) = (units.as_slice(), tree.kind(value))
        && text.contains('.')
        && !unit.starts_with("SECOND")
    {
        let words = format!("Error parsing '{text} {unit}' to interval: only seconds have fractions.");
        return Some(finding(script, node, "INVALID_INTERVAL_FORMAT.INVALID_FRACTION", words));
    }
    if tree.kind(value) != Kind::Text || text.contains(['$', '{']) {
        return None;
    }
    let value = text_value(text).trim().trim_start_matches(['+', '-']).to_ascii_uppercase();
    if let [unit] = units.as_slice() {
        let whole = !value.is_empty() && value.chars().all(|digit| digit.is_ascii_digit());
        let fraction = unit.starts_with("SECOND") && value.parse::<f64>().is_ok();
        if value.parse::<f64>().is_ok() && !whole && !fraction {
            let words = format!("Error parsing '{value}' to interval: only seconds have fractions.");
            return Some(finding(script, node, "INVALID_INTERVAL_FORMAT.INVALID_FRACTION", words));
        }
        let words = format!("Can only use numbers in the interval value part, got {text}.");
        return (!whole && !fraction).then(|| finding(script, node, "_LEGACY_ERROR_TEMP_0026", words));
    }
    let read = value.split_whitespace().filter(|word| *word != "INTERVAL").collect::<Vec<_>>();
    let pairs = !read.is_empty() && read.len().is_multiple_of(2);
    let counted = |pair: &[&str]| {
        let number =
            if pair[1].starts_with("SECOND") { pair[0].parse::<f64>().is_ok() } else { pair[0].parse::<i64>().is_ok() };
        number && is_unit(pair[1])
    };
    let fits = pairs && read.chunks(2).all(counted);
    let words = format!("The value of the typed literal \"INTERVAL\" is invalid: {text}.");
    (units.is_empty() && !fits).then(|| finding(script, node, "INVALID_TYPED_LITERAL", words))
}

fn is_unit(word: &str) -> bool {
    let one = word.trim_end_matches('S');
    UNITS.contains(&one) || matches!(one, "WEEK" | "MILLISECOND" | "MICROSECOND" | "NANOSECOND")
}

fn from_to(script: &Script, node: NodeId, [from, to]: [&str; 2]) -> Option<RuleFinding> {
    let place = |unit: &str| UNITS.iter().position(|known| *known == unit.trim_end_matches('S'));
    let (Some(first), Some(last)) = (place(from), place(to)) else { return None };
    if last <= first || (first < 2) != (last < 2) {
        let words = format!("The interval string does not match from {from} to {to}.");
        let class = "INVALID_INTERVAL_FORMAT.UNSUPPORTED_FROM_TO_EXPRESSION";
        return Some(finding(script, node, class, words));
    }
    let value = *script.tree().children(node).first()?;
    let text = text_value(script.slice(value));
    let separators: &[char] = if last < 2 { &['-'] } else { &[' ', ':'] };
    let parts: Vec<&str> = text.trim().trim_start_matches(['+', '-']).split(separators).collect();
    let most = [f64::INFINITY, 11.0, f64::INFINITY, 23.0, 59.0, 59.999_999_999];
    let fits = |(at, part): (usize, &&str)| {
        let value = part.parse::<f64>().ok();
        value.is_some_and(|value| at == 0 || value <= most[first + at])
    };
    // A text of other parts has classes of its own.
    if script.tree().kind(value) != Kind::Text || parts.len() != last - first + 1 || text.contains(['$', '{']) {
        return None;
    }
    let words = format!("Error parsing '{text}' to interval.");
    let class = if last < 2 { "INVALID_INTERVAL_FORMAT.INTERVAL_PARSING" } else { "_LEGACY_ERROR_TEMP_0063" };
    (!parts.iter().enumerate().all(fits)).then(|| finding(script, node, class, words))
}
