//! Jinja in scripts, as dbt and Airflow write it: what can be read without running it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::code::constant_pattern;

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TemplatePart<'a> {
    /// SQL.
    Text(&'a str),
    /// `{# … #}`.
    Comment(&'a str),
    /// `{% … %}`.
    Tag { whole: &'a str, inside: &'a str },
    /// `{{ … }}`.
    Expression { whole: &'a str, inside: &'a str },
}

impl<'a> TemplatePart<'a> {
    /// Returns the part as it is written.
    fn whole(self) -> &'a str {
        match self {
            TemplatePart::Text(whole)
            | TemplatePart::Comment(whole)
            | TemplatePart::Tag { whole, .. }
            | TemplatePart::Expression { whole, .. } => whole,
        }
    }
}

/// An `{% if %}` whose `{% endif %}` has not come yet.
struct OpenIf {
    /// Whether the text around it is kept.
    is_around_kept: bool,
    /// Whether an arm has been chosen.
    has_chosen: bool,
    /// Whether the arm that is being read is kept.
    is_arm_kept: bool,
}

/// Returns a script without Jinja comments, `config` and assignments; `ref`, `source`, `var` and `macros.ds_add` become
/// names and placeholders, and of `{% if %}` the first arm stays whose condition may hold, where `is_incremental()`
/// does not: a model is read as when it is built for the first time. What only Jinja can run stays as it is, and so do
/// line ends.
pub(super) fn without_templates(text: &str) -> String {
    if !["{{", "{%", "{#"].iter().any(|mark| text.contains(mark)) {
        return text.to_owned();
    }
    let line_ends = |text: &str| text.matches('\n').count();
    let mut plain = String::with_capacity(text.len());
    let mut open: Vec<OpenIf> = Vec::new();
    let mut assigned = BTreeMap::new();
    for part in parts(text) {
        let is_kept = open.last().is_none_or(|innermost| innermost.is_around_kept && innermost.is_arm_kept);
        let leaves_nothing = match part {
            TemplatePart::Tag { inside, .. } => {
                follow_if(inside, is_kept, &mut open) || follow_assignment(inside, &mut assigned)
            }
            TemplatePart::Comment(_) => true,
            TemplatePart::Text(_) | TemplatePart::Expression { .. } => false,
        };
        let written = match part {
            _ if leaves_nothing || !is_kept => String::new(),
            TemplatePart::Expression { whole, inside } => expression(whole, inside, &assigned),
            _ => part.whole().to_owned(),
        };
        plain.push_str(&written);
        // Places in messages count lines.
        let lost = line_ends(part.whole()).saturating_sub(line_ends(&written));
        plain.push_str(&"\n".repeat(lost));
    }
    plain
}

/// Returns the first tag that is left of a template, with its position; `None` if nothing is left that only Jinja can run.
pub(super) fn template_left(text: &str) -> Option<(usize, &str)> {
    let mut at = 0;
    for part in parts(text) {
        if let TemplatePart::Tag { whole, .. } = part {
            return Some((at, whole));
        }
        at += part.whole().len();
    }
    None
}

/// Splits a text into SQL and the comments, tags and expressions of a template.
fn parts(text: &str) -> Vec<TemplatePart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let part = first_part(&rest[start..]);
        let text_end = if part.is_some() { start } else { start + 1 };
        parts.push(TemplatePart::Text(&rest[..text_end]));
        parts.extend(part);
        rest = &rest[text_end + part.map_or(0, |part| part.whole().len())..];
    }
    parts.push(TemplatePart::Text(rest));
    parts
}

/// Returns the comment, tag or expression with which a text begins; `None` if it begins with none.
fn first_part(text: &str) -> Option<TemplatePart<'_>> {
    let close = match text.as_bytes().get(1)? {
        b'#' => "#}",
        b'%' => "%}",
        b'{' => "}}",
        _ => return None,
    };
    let inner = &text[2..];
    let end = end_outside_quotes(inner, close).or_else(|| inner.find(close)).map(|end| 2 + end + close.len())?;
    let (whole, inside) = (&text[..end], inside(&text[2..end - close.len()]));
    let part = match close {
        "#}" => TemplatePart::Comment(whole),
        "%}" => TemplatePart::Tag { whole, inside },
        _ => TemplatePart::Expression { whole, inside },
    };
    is_of_a_template(part).then_some(part)
}

/// Where a tag or expression ends: `{{ config(post_hook="ANALYZE TABLE {{ this }}") }}` does not end in its text. `None` if it
/// has quotes that do not close; a comment may have such.
fn end_outside_quotes(inner: &str, close: &str) -> Option<usize> {
    let mut quote = None;
    inner.char_indices().find_map(|(at, sign)| {
        match quote {
            Some(open) if open == sign => quote = None,
            None if matches!(sign, '\'' | '"') && close != "#}" => quote = Some(sign),
            _ => {}
        }
        (quote.is_none() && inner[at..].starts_with(close)).then_some(at)
    })
}

/// Words that tags begin with; `LIKE '{%'` begins none.
const TAGS: [&str; 27] = [
    "if", "elif", "else", "endif", "for", "endfor", "set", "endset", "macro", "endmacro", "call", "endcall", "do",
    "raw", "endraw", "include", "extends", "import", "from", "block", "endblock", "filter", "endfilter", "snapshot",
    "endsnapshot", "test", "endtest",
];

/// Whether the braces are those of a template rather than part of the SQL, as in `LIKE '{%'`.
fn is_of_a_template(part: TemplatePart<'_>) -> bool {
    match part {
        TemplatePart::Tag { inside, .. } => {
            TAGS.contains(&inside.split(char::is_whitespace).next().unwrap_or_default())
        }
        TemplatePart::Expression { inside, .. } => inside.starts_with(|c: char| c.is_alphabetic() || c == '_'),
        TemplatePart::Text(_) | TemplatePart::Comment(_) => true,
    }
}

/// Returns the inside of a tag or expression without blanks, and without the dashes that remove the blanks around it.
fn inside(text: &str) -> &str {
    let text = text.strip_prefix('-').unwrap_or(text);
    text.strip_suffix('-').unwrap_or(text).trim()
}

/// Follows `if`, `elif`, `else` and `endif`. Returns whether the tag is one of them.
fn follow_if(tag: &str, is_kept: bool, open: &mut Vec<OpenIf>) -> bool {
    let (word, condition) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    match (word, open.last_mut()) {
        ("if", _) => {
            let holds = may_hold(condition);
            open.push(OpenIf { is_around_kept: is_kept, has_chosen: holds, is_arm_kept: holds });
        }
        ("elif", Some(innermost)) => {
            innermost.is_arm_kept = !innermost.has_chosen && may_hold(condition);
            innermost.has_chosen |= innermost.is_arm_kept;
        }
        ("else", Some(innermost)) => {
            innermost.is_arm_kept = !innermost.has_chosen;
            innermost.has_chosen = true;
        }
        ("endif", Some(_)) => drop(open.pop()),
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

/// Remembers what `set` assigns. Returns whether the tag is a `set` or `do`, of which nothing stays in the script.
fn follow_assignment(tag: &str, assigned: &mut BTreeMap<String, String>) -> bool {
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

/// Returns what an expression becomes: its value, a name or a placeholder.
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
    let must_be_changed = inside.contains(['\'', '"', '\n']);
    if must_be_changed {
        format!("{{{{ {} }}}}", inside.replace(['\'', '"'], "").replace('\n', " "))
    } else {
        whole.to_owned()
    }
}

/// Returns the key that `dbt_utils.generate_surrogate_key(['a', 'b'])` makes: its texts, and what stands for NULL, are those of
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
            ("{{ config(post_hook=[\n\"ANALYZE TABLE {{ this }}\"]) }}SELECT '{{ ds }}'", "\nSELECT '{{ ds }}'"),
            ("{# don't #}SELECT '{{ ds }}'", "SELECT '{{ ds }}'"),
            ("{# a\nb #}SELECT '{\"a\": {\"b\": 1}}'", "\nSELECT '{\"a\": {\"b\": 1}}'"),
        ];
        for (written, plain) in cases {
            assert_eq!(without_templates(written), plain, "{written}");
        }
    }

    #[test]
    fn the_first_arm_that_may_hold_stays() {
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
