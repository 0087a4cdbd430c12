//! Scripts as other tools and platforms write them: their placeholders, templates and quoted names.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::quoted_names::with_back_quotes;
use crate::code::parameters::UnboundPlaceholder;
use crate::code::span::LineColumn;
use crate::code::token::{Token, TokenKind, tokenize};

/// Returns a script as Hive and Spark write placeholders and quoted names.
pub(super) fn in_usual_words(text: &str) -> String {
    with_usual_placeholders(&with_back_quotes(text))
}

/// Returns a script with `$name`, `:name`, `&name` and dbt's `{{ var('name') }}` as `${name}`, `{{ ref('x') }}` as `x`
/// and `{{ source('a', 'b') }}` as `a.b`. Of `{% if %} … {% else %} … {% endif %}` the first branch stays. No line end
/// is lost, so that places in messages keep their lines.
pub(super) fn with_usual_placeholders(text: &str) -> String {
    let plain = without_templates(text);
    let tokens = tokenize(&plain);
    let mut usual = String::with_capacity(plain.len() + 32);
    let mut before: Option<&Token> = None;
    for (at, token) in tokens.iter().enumerate() {
        let words = token.span().of(&plain);
        let next = tokens.get(at + 1).filter(|next| next.kind == TokenKind::Word);
        match (token.kind, words) {
            (TokenKind::Text, _) if words.contains(['$', '&']) => usual.push_str(&within_text(words)),
            (TokenKind::Symbol, "$") if next.is_some() => usual.push('$'),
            (TokenKind::Symbol, ":" | "&") if next.is_some() && begins_a_value(before, &plain) => usual.push('$'),
            (TokenKind::Word, _) if usual.ends_with('$') => usual.push_str(&format!("{{{words}}}")),
            _ => usual.push_str(words),
        }
        before = Some(token);
    }
    usual
}

/// Whether, by the token before it, a `:` or `&` begins a placeholder and is no part of a type, field or operator.
fn begins_a_value(before: Option<&Token>, text: &str) -> bool {
    let words = before.map_or(" ", |token| token.span().of(text));
    before.is_none_or(|token| token.kind == TokenKind::Blank && !follows_operand(text, token.span().start))
        || matches!(words, "(" | "," | "=" | "<" | ">" | "<=" | ">=" | "<>" | "!=" | "+" | "-" | "*" | "/" | "&")
}

/// Whether a value stands before this byte, blanks aside: then `&` and `:` are operators.
fn follows_operand(text: &str, at: usize) -> bool {
    const BEFORE_VALUES: [&str; 14] = [
        "WHERE", "AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "THEN", "ELSE", "SELECT", "FROM", "JOIN", "WHEN", "LIMIT",
    ];
    let before = text[..at].trim_end();
    let word: String = before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let word: String = word.chars().rev().collect::<String>().to_uppercase();
    let closes = before.ends_with([')', ']', '\'', '"', '`']);
    closes || !word.is_empty() && !BEFORE_VALUES.contains(&word.as_str())
}

/// Returns a string literal with `$name`, and `&name` or `&&name` where it is the whole literal, as `${name}`.
fn within_text(words: &str) -> String {
    static NAME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\$([A-Za-z_]\w*)|'&{1,2}([A-Za-z_]\w*)'").ok());
    let Some(name) = NAME.as_ref() else { return words.to_owned() };
    let usual = |found: &Captures<'_>| match (found.get(1), found.get(2)) {
        (Some(name), _) => format!("${{{}}}", name.as_str()),
        (None, Some(name)) => format!("'${{{}}}'", name.as_str()),
        (None, None) => found[0].to_owned(),
    };
    name.replace_all(words, usual).into_owned()
}

/// Returns a text without Jinja comments, tags and `config`, and with `ref`, `source` and `var` replaced; other
/// `{{ … }}` stay.
fn without_templates(text: &str) -> String {
    if !text.contains("{{") && !text.contains("{%") && !text.contains("{#") {
        return text.to_owned();
    }
    static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let rules = [
            (r"(?s)\{#.*?#\}", ""),
            // A model is read as when it is built for the first time.
            (r"(?s)\{%-?\s*if\s+is_incremental\(\)\s*-?%\}.*?\{%-?\s*(?:else|endif)\s*-?%\}", ""),
            (r"(?s)\{%-?\s*(?:else|elif)\b.*?\{%-?\s*endif\s*-?%\}", ""),
            (r"(?s)\{%.*?%\}", ""),
            (r"(?s)\{\{-?\s*config\s*\(.*?\)\s*-?\}\}", ""),
            (r#"\{\{-?\s*ref\s*\(\s*['"](?:[^'"]+['"]\s*,\s*['"])?([^'"]+)['"]\s*\)\s*-?\}\}"#, "$1"),
            (r#"\{\{-?\s*source\s*\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]\s*\)\s*-?\}\}"#, "$1.$2"),
            (r#"\{\{-?\s*var\s*\(\s*['"](\w+)['"]\s*\)\s*-?\}\}"#, "$${$1}"),
            (r#"\{\{-?\s*var\s*\(\s*['"](\w+)['"]\s*,\s*['"]?([^'")]*)['"]?\s*\)\s*-?\}\}"#, "$${$1:-$2}"),
        ];
        rules.iter().filter_map(|(pattern, by)| Some((Regex::new(pattern).ok()?, *by))).collect()
    });
    let mut plain = text.to_owned();
    for (pattern, by) in RULES.iter() {
        let replaced = pattern.replace_all(&plain, |found: &Captures<'_>| {
            let mut words = String::new();
            found.expand(by, &mut words);
            // Places in messages count lines.
            words + &"\n".repeat(found[0].matches('\n').count())
        });
        plain = replaced.into_owned();
    }
    plain
}

/// Returns a plausible value for a placeholder, by its name.
pub fn proposal(key: &str) -> &'static str {
    let key = key.rsplit([':', '.']).next().unwrap_or(key).to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| key.contains(word));
    match key.as_str() {
        _ if has(&["nodash", "yyyymmdd", "ymd"]) => "20240315",
        _ if has(&["yyyymm", "year_month"]) => "202403",
        _ if has(&["hour"]) || key == "hr" || key == "hh" => "10",
        _ if has(&["yesterday", "last_day", "prev"]) => "2024-03-14",
        _ if has(&["date", "time", "bizd"]) || matches!(key.as_str(), "dt" | "ds" | "day" | "d" | "start" | "end") => {
            "2024-03-15"
        }
        _ if has(&["month", "mon"]) => "3",
        _ if has(&["year"]) => "2024",
        _ if has(&["day"]) => "15",
        _ if has(&["env", "stage"]) => "prod",
        _ if has(&["db", "schema", "database"]) => "default",
        _ if has(&[
            "num", "cnt", "count", "limit", "top", "id", "size", "days", "least", "most", "min_", "max_", "threshold",
        ]) || key == "n" =>
        {
            "7"
        }
        _ => "x",
    }
}

/// Returns a message that names every placeholder without a value and proposes options that bind them.
pub fn proposals(text: &str, missing: &[UnboundPlaceholder]) -> String {
    let named = missing.iter().map(|placeholder| {
        format!("'{}' in line {}", placeholder.key, LineColumn::of(text, placeholder.span.start).line)
    });
    let bound =
        missing.iter().map(|placeholder| format!("--parameter '{}={}'", placeholder.key, proposal(&placeholder.key)));
    let (have, them) = if missing.len() == 1 { ("placeholder has", "it") } else { ("placeholders have", "them") };
    format!(
        "{} {have} no value: {}; bind {them}, for example by {}, or in card.yaml or parameters.yaml",
        missing.len(),
        named.collect::<Vec<_>>().join(", "),
        bound.collect::<Vec<_>>().join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_other_tools_become_usual_ones() {
        let cases = [
            ("SELECT a FROM $db.t WHERE d = '$day'", "SELECT a FROM ${db}.t WHERE d = '${day}'"),
            ("WHERE d = :day AND x IN (:a, :b)", "WHERE d = ${day} AND x IN (${a}, ${b})"),
            ("WHERE d = &day AND e = '&&day'", "WHERE d = ${day} AND e = '${day}'"),
            (
                "SELECT a & b, c &d, x::int, CAST(y AS STRUCT<a:INT>)",
                "SELECT a & b, c &d, x::int, CAST(y AS STRUCT<a:INT>)",
            ),
            ("get_json_object(j, '$.a'), '^x$', \"${d}\"", "get_json_object(j, '$.a'), '^x$', \"${d}\""),
            (
                "SELECT * FROM {{ ref('orders') }} o JOIN {{ source('raw', 'users') }} u",
                "SELECT * FROM orders o JOIN raw.users u",
            ),
            (
                "{{ config(\n  materialized='table') }}SELECT {{ var('n', 5) }}, '{{ var(\"d\") }}', '{{ ds }}'",
                "\nSELECT ${n:-5}, '${d}', '{{ ds }}'",
            ),
            ("SELECT 1 {% if is_incremental() %} WHERE a {% else %} WHERE b {% endif %}{# no #}", "SELECT 1  WHERE b "),
            ("SELECT 1 {% if is_incremental() %} WHERE a > (SELECT max(a) FROM {{ this }}) {% endif %}", "SELECT 1 "),
            ("SELECT 1 {% if target.name == 'dev' %} WHERE a {% else %} WHERE b {% endif %}", "SELECT 1  WHERE a "),
        ];
        for (written, usual) in cases {
            assert_eq!(with_usual_placeholders(written), usual);
        }
    }

    #[test]
    fn every_unbound_placeholder_gets_a_plausible_value() {
        let text = "SELECT '${hiveconf:etl_date}',\n ${n} FROM ${src_db}.t";
        let missing = crate::code::parameters::Parameters::default().unbound(text);
        assert_eq!(
            proposals(text, &missing),
            "3 placeholders have no value: 'hiveconf:etl_date' in line 1, 'n' in line 2, 'src_db' in line 2; bind them, for example \
             by --parameter 'hiveconf:etl_date=2024-03-15' --parameter 'n=7' --parameter 'src_db=default', or in card.yaml or \
             parameters.yaml"
        );
    }
}
