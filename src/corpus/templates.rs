//! Jinja in scripts, as dbt and Airflow write it: what can be read without running it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::code::constant_pattern;

/// What a template is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TemplatePart<'a> {
    /// SQL.
    Text(&'a str),
    /// `{# … #}`.
    Comment(&'a str),
    /// `{% … %}`, whole and its inside.
    Tag(&'a str, &'a str),
    /// `{{ … }}`, whole and its inside.
    Expression(&'a str, &'a str),
}

/// An `{% if %}` that has not ended.
struct Choice {
    /// Whether what stands around it is kept.
    around: bool,
    /// Whether a branch has been chosen.
    chosen: bool,
    /// Whether this branch is kept.
    kept: bool,
}

/// Returns a script without Jinja comments, `config` and assignments; `ref`, `source`, `var` and `macros.ds_add` become
/// names and placeholders, and of `{% if %}` the first branch stays whose condition may hold, where `is_incremental()`
/// does not: a model is read as when it is built for the first time. What only Jinja can run stays as it is, and so do
/// line ends.
pub(super) fn without_templates(text: &str) -> String {
    if !["{{", "{%", "{#"].iter().any(|mark| text.contains(mark)) {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut choices: Vec<Choice> = Vec::new();
    let mut assigned = BTreeMap::new();
    for piece in pieces(text) {
        let is_kept = choices.last().is_none_or(|choice| choice.around && choice.kept);
        let (whole, kept) = match piece {
            TemplatePart::Text(words) => (words, is_kept.then(|| words.to_owned())),
            TemplatePart::Comment(whole) => (whole, None),
            TemplatePart::Expression(whole, inside) => (whole, is_kept.then(|| expression(whole, inside, &assigned))),
            TemplatePart::Tag(whole, inside) => {
                let left = choose(inside, is_kept, &mut choices) || assign(inside, &mut assigned);
                (whole, (!left && is_kept).then(|| whole.to_owned()))
            }
        };
        match kept {
            Some(words) => {
                // Places in messages count lines.
                let lost = whole.matches('\n').count().saturating_sub(words.matches('\n').count());
                plain.push_str(&words);
                plain.push_str(&"\n".repeat(lost));
            }
            None => plain.push_str(&"\n".repeat(whole.matches('\n').count())),
        }
    }
    plain
}

/// Returns the first tag that is left of a template; `None` if nothing is left that only Jinja can run.
pub(super) fn template_left(text: &str) -> Option<(usize, &str)> {
    let mut at = 0;
    for piece in pieces(text) {
        match piece {
            TemplatePart::Tag(whole, _) => return Some((at, whole)),
            TemplatePart::Text(whole) | TemplatePart::Comment(whole) | TemplatePart::Expression(whole, _) => {
                at += whole.len()
            }
        }
    }
    None
}

fn pieces(text: &str) -> Vec<TemplatePart<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let whole = &rest[start..];
        let end = |close: &str| whole.get(2..)?.find(close).map(|at| at + 2 + close.len());
        let inside = |end: usize| inside(&whole[2..end - 2]);
        let found = match whole.as_bytes().get(1) {
            Some(b'#') => end("#}").map(|end| TemplatePart::Comment(&whole[..end])),
            Some(b'%') => end("%}").map(|end| TemplatePart::Tag(&whole[..end], inside(end))).filter(is_of_a_template),
            Some(b'{') => {
                end("}}").map(|end| TemplatePart::Expression(&whole[..end], inside(end))).filter(is_of_a_template)
            }
            _ => None,
        };
        let (length, piece) = match found {
            Some(
                piece @ (TemplatePart::Comment(whole)
                | TemplatePart::Tag(whole, _)
                | TemplatePart::Expression(whole, _)),
            ) => (whole.len(), Some(piece)),
            _ => (1, None),
        };
        let before = if piece.is_some() { start } else { start + 1 };
        pieces.push(TemplatePart::Text(&rest[..before]));
        pieces.extend(piece);
        rest = &rest[start + length..];
    }
    pieces.push(TemplatePart::Text(rest));
    pieces
}

/// Words that tags begin with; `LIKE '{%'` begins none.
const TAGS: [&str; 27] = [
    "if", "elif", "else", "endif", "for", "endfor", "set", "endset", "macro", "endmacro", "call", "endcall", "do",
    "raw", "endraw", "include", "extends", "import", "from", "block", "endblock", "filter", "endfilter", "snapshot",
    "endsnapshot", "test", "endtest",
];

fn is_of_a_template(piece: &TemplatePart<'_>) -> bool {
    match piece {
        TemplatePart::Tag(_, inside) => TAGS.contains(&inside.split(char::is_whitespace).next().unwrap_or_default()),
        TemplatePart::Expression(_, inside) => inside.starts_with(|c: char| c.is_alphabetic() || c == '_'),
        TemplatePart::Text(_) | TemplatePart::Comment(_) => true,
    }
}

/// Returns what a tag or expression says, without the dashes that take blanks away.
fn inside(text: &str) -> &str {
    let text = text.strip_prefix('-').unwrap_or(text);
    text.strip_suffix('-').unwrap_or(text).trim()
}

/// Follows `if`, `elif`, `else` and `endif`; returns whether the tag was one of them.
fn choose(tag: &str, is_kept: bool, choices: &mut Vec<Choice>) -> bool {
    let (word, condition) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    match (word, choices.last_mut()) {
        ("if", _) => {
            let kept = may_hold(condition);
            choices.push(Choice { around: is_kept, chosen: kept, kept });
        }
        ("elif", Some(choice)) => {
            choice.kept = !choice.chosen && may_hold(condition);
            choice.chosen |= choice.kept;
        }
        ("else", Some(choice)) => {
            choice.kept = !choice.chosen;
            choice.chosen = true;
        }
        ("endif", Some(_)) => drop(choices.pop()),
        _ => return false,
    }
    true
}

/// Whether a condition may hold when a model is built for the first time.
fn may_hold(condition: &str) -> bool {
    let one = |term: &str| match term.trim() {
        "is_incremental()" | "false" | "False" => false,
        "not is_incremental()" => true,
        "not true" | "not True" => false,
        _ => true,
    };
    condition.split(" or ").any(|part| part.split(" and ").all(one))
}

/// Remembers what `set` assigns; returns whether the tag is one that leaves nothing behind.
fn assign(tag: &str, assigned: &mut BTreeMap<String, String>) -> bool {
    static SET: LazyLock<Regex> =
        LazyLock::new(|| constant_pattern(r#"(?s)^set\s+(\w+)\s*=\s*(?:'([^'"{}]*)'|"([^'"{}]*)"|([\w.+-]+))$"#));
    if let Some(found) = SET.captures(tag) {
        let value = (2..=4).find_map(|group| found.get(group)).map_or("", |value| value.as_str());
        assigned.insert(found[1].to_owned(), value.to_owned());
        return true;
    }
    let word = tag.split(char::is_whitespace).next().unwrap_or_default();
    word == "do" || word == "set" && tag.contains('=')
}

/// Returns what stands for an expression.
fn expression(whole: &str, inside: &str, assigned: &BTreeMap<String, String>) -> String {
    static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let rules = [
            (r"(?s)^config\s*\(.*\)$", ""),
            (r#"^ref\s*\(\s*['"](?:[^'"]+['"]\s*,\s*['"])?([^'"]+)['"]\s*(?:,\s*v(?:ersion)?\s*=\s*\d+\s*)?\)$"#, "$1"),
            (r#"^source\s*\(\s*['"]([^'"]+)['"]\s*,\s*['"]([^'"]+)['"]\s*\)$"#, "$1.$2"),
            (r#"^var\s*\(\s*['"](\w+)['"]\s*\)$"#, "$${$1}"),
            (r#"^var\s*\(\s*['"](\w+)['"]\s*,\s*['"]?([^'")]*)['"]?\s*\)$"#, "$${$1:-$2}"),
            (r"^macros\.ds_add\s*\(\s*(\w+)\s*,\s*(-\d+)\s*\)$", "$${$1$2}"),
            (r"^macros\.ds_add\s*\(\s*(\w+)\s*,\s*(\d+)\s*\)$", "$${$1+$2}"),
        ];
        rules.iter().map(|(pattern, by)| (constant_pattern(pattern), *by)).collect()
    });
    if let Some(value) = assigned.get(inside) {
        return value.clone();
    }
    if let Some(key) = surrogate_key(inside) {
        return key;
    }
    if let Some((pattern, by)) = RULES.iter().find(|(pattern, _)| pattern.is_match(inside)) {
        let replacement = |found: &Captures<'_>| {
            let mut words = String::new();
            found.expand(by, &mut words);
            words
        };
        return pattern.replace(inside, replacement).into_owned();
    }
    // A placeholder's key has no quotes and no line ends.
    let has_any = inside.contains(['\'', '"', '\n']);
    if has_any { format!("{{{{ {} }}}}", inside.replace(['\'', '"'], "").replace('\n', " ")) } else { whole.to_owned() }
}

/// The key that `dbt_utils.generate_surrogate_key(['a', 'b'])` makes: its texts, and what stands for NULL, are those of
/// dbt_utils 1. `None` for another expression.
fn surrogate_key(inside: &str) -> Option<String> {
    static KEY: LazyLock<Regex> = LazyLock::new(|| {
        let column = r#"\s*(?:'[^']+'|"[^"]+")\s*"#;
        constant_pattern(&format!(
            r"(?s)^dbt_utils\.generate_surrogate_key\s*\(\s*\[({column}(?:,{column})*),?\s*\]\s*\)$"
        ))
    });
    let found = KEY.captures(inside)?;
    let part = |column: &str| {
        let column = column.trim().trim_matches(['\'', '"']);
        format!("coalesce(cast({column} as string), '_dbt_utils_surrogate_key_null_')")
    };
    let parts: Vec<String> = found[1].split(',').map(part).collect();
    Some(format!("md5(concat({}))", parts.join(", '-', ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_read_without_running_it_is_read() {
        let cases = [
            (
                "SELECT * FROM {{ ref('orders') }} o JOIN {{ source('raw', 'users') }} u",
                "SELECT * FROM orders o JOIN raw.users u",
            ),
            (
                "{{ config(\n  materialized='table') }}SELECT {{ var('n', 5) }}, '{{ var(\"d\") }}', '{{ ds }}'",
                "\nSELECT ${n:-5}, '${d}', '{{ ds }}'",
            ),
            (
                "d >= '{{ macros.ds_add(ds, -7) }}' AND d < '{{ macros.ds_add(ds, 1) }}'",
                "d >= '${ds-7}' AND d < '${ds+1}'",
            ),
            ("d = {{ day.strftime('%Y-%m-%d') }}", "d = {{ day.strftime(%Y-%m-%d) }}"),
            ("{% set n = 5 %}{% set k = 'x' %}SELECT {{ n }}, '{{ k }}'{% do log('x') %}", "SELECT 5, 'x'"),
            (
                "{{ dbt_utils.generate_surrogate_key(['a.x', \"y\"]) }}",
                "md5(concat(coalesce(cast(a.x as string), '_dbt_utils_surrogate_key_null_'), '-', coalesce(cast(y as string), '_dbt_utils_surrogate_key_null_')))",
            ),
            ("{% for k in kinds %} {{ k }}, {% endfor %}", "{% for k in kinds %} {{ k }}, {% endfor %}"),
            ("{# a\nb #}SELECT '{\"a\": {\"b\": 1}}'", "\nSELECT '{\"a\": {\"b\": 1}}'"),
        ];
        for (written, plain) in cases {
            assert_eq!(without_templates(written), plain, "{written}");
        }
    }

    #[test]
    fn the_first_branch_that_may_hold_stays() {
        let cases = [
            ("a{% if is_incremental() %} b{% else %} c{% endif %}", "a c"),
            ("a{%- if is_incremental() and var('x', true) -%} b{% endif %}", "a"),
            ("a{% if not is_incremental() %} b{% else %} c{% endif %}", "a b"),
            ("a{% if is_incremental() or x %} b{% else %} c{% endif %}", "a b"),
            ("a{% if x %} b{% if y %} c{% else %} d{% endif %}{% else %} e{% endif %}", "a b c"),
            ("a{% if is_incremental() %} b{% if y %} c{% endif %} d{% elif y %} e{% else %} f{% endif %}", "a e"),
            ("a\n{% if target.name == 'dev' %}\nb{% endif %}", "a\n\nb"),
        ];
        for (written, plain) in cases {
            assert_eq!(without_templates(written), plain, "{written}");
        }
    }

    #[test]
    fn what_is_left_for_jinja_is_found() {
        assert_eq!(template_left("SELECT {{ a }} {% for k in b %}"), Some((15, "{% for k in b %}")));
        assert_eq!(template_left("SELECT {{ a }}, '{', b LIKE '{%}' AND c LIKE '{%' AND d LIKE '%}'"), None);
    }
}
