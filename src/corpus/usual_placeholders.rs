//! Placeholders as other tools write them.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::templates::without_templates;
use crate::code::constant_pattern;
use crate::code::parameters::Parameters;
use crate::code::token::{Token, TokenKind, tokenize};

/// Returns a script in whose string literals `{name}` is `${name}` where `name` has a value: else it may be plain text.
pub(super) fn with_given_formats(text: &str, values: &Parameters) -> String {
    let written = |token: &Token| match token.kind {
        TokenKind::Text => with_braced_names(token.span().of(text), |name| values.value(name).is_some()),
        _ => token.span().of(text).to_owned(),
    };
    tokenize(text).iter().map(written).collect()
}

/// Returns a script with `$name`, `$name$`, `:name`, `:'name'`, `&name`, `@name`, `%(name)s`, `{name}` and dbt's
/// `{{ var('name') }}` as `${name}`, `{job['name']}` as `${job_name}`, and each `?` as `${value_1}` and so on. What else
/// of a template can be read without running it is read as well. No line end is lost, so that places in messages keep
/// their lines.
pub(super) fn with_usual_placeholders(text: &str) -> String {
    let plain = without_templates(text);
    let tokens = tokenize(&plain);
    let lower = plain.to_lowercase();
    let declares = ["declare @", "set @", ":="].iter().any(|words| lower.contains(words));
    let cursor = |at| TokenCursor { text: &plain, tokens: &tokens, at };
    let is_format = (0..tokens.len()).any(|at| cursor(at).text_at(0) == "{" && cursor(at).format_field().is_some());
    let mut usual = String::with_capacity(plain.len() + 32);
    let mut values_without_name = 0;
    let mut at = 0;
    while at < tokens.len() {
        let cursor = cursor(at);
        let text = cursor.text_at(0);
        let found = match (tokens[at].kind, text) {
            (TokenKind::Text, _) if is_format && text.contains('{') => {
                Some(UsualTokens::of_one(format_string(&within_text(text))))
            }
            (TokenKind::Text, _) if is_name_in_braces(text) => {
                Some(UsualTokens::of_one(with_braced_names(text, |_| true)))
            }
            (TokenKind::Text, _) if text.contains("%(") => Some(UsualTokens::of_one(with_driver_parameters(text))),
            (TokenKind::Text, _) if text.contains(['$', '&', '@', '#']) => Some(UsualTokens::of_one(within_text(text))),
            (TokenKind::Text, _) if text.contains(':') => names_in_capitals(text).map(UsualTokens::of_one),
            (TokenKind::Symbol, "$") => cursor.named(1),
            (TokenKind::Symbol, ":" | "&") if cursor.begins_a_value() => cursor.named(1).or_else(|| cursor.quoted()),
            (TokenKind::Symbol, "@") if cursor.continues_a_name() && !declares => cursor.named(1),
            (TokenKind::Symbol, "@") if cursor.begins_a_value() && !cursor.is_stage() && !declares => cursor.named(1),
            (TokenKind::Symbol, "%") => cursor.driver_parameter(),
            (TokenKind::Symbol, "{") => cursor.format_field().or_else(|| cursor.format_expression()),
            (TokenKind::Symbol, "<") => cursor.in_angle_brackets(),
            (TokenKind::Symbol, "?") if cursor.begins_a_value() => {
                values_without_name += 1;
                Some(UsualTokens::placeholder(&format!("value_{values_without_name}"), 1))
            }
            _ => None,
        };
        let UsualTokens { text, count } = found.unwrap_or_else(|| UsualTokens::of_one(text.to_owned()));
        usual.push_str(&text);
        at += count;
    }
    usual
}

/// Tokens in their usual form.
struct UsualTokens {
    text: String,
    /// How many tokens of the script the text replaces.
    count: usize,
}

impl UsualTokens {
    fn of_one(text: String) -> UsualTokens {
        UsualTokens { text, count: 1 }
    }

    fn placeholder(name: &str, count: usize) -> UsualTokens {
        UsualTokens { text: format!("${{{name}}}"), count }
    }
}

/// The tokens of a text from one of them on.
struct TokenCursor<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
}

impl TokenCursor<'_> {
    /// Returns the text of the token this many further on; empty behind the last one.
    fn text_at(&self, offset: usize) -> &str {
        self.tokens.get(self.at + offset).map_or("", |token| token.span().of(self.text))
    }

    fn is_name(&self, offset: usize) -> bool {
        self.tokens.get(self.at + offset).is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// Reads a placeholder whose name stands this many tokens further on. In `&db..t`, as SQL*Plus has it, the first dot ends
    /// the name, in `$name$` and `@name@` the second sign does.
    fn named(&self, offset: usize) -> Option<UsualTokens> {
        let ends_at_dot = self.text_at(0) == "&"
            && self.text_at(offset + 1) == "."
            && (self.text_at(offset + 2) == "." || !self.is_name(offset + 2));
        let closes = matches!(self.text_at(0), "$" | "@") && self.text_at(offset + 1) == self.text_at(0);
        let is_closed = closes && !self.is_name(offset + 2);
        // The two ends of a range that a dashboard asks for.
        let is_end = self.text_at(offset + 1) == "." && matches!(self.text_at(offset + 2), "min" | "max");
        if self.text_at(0) == ":" && is_end && self.is_name(offset) {
            let name = format!("{}.{}", self.text_at(offset), self.text_at(offset + 2));
            return Some(UsualTokens::placeholder(&name, offset + 3));
        }
        let after = usize::from(ends_at_dot || is_closed);
        self.is_name(offset).then(|| UsualTokens::placeholder(self.text_at(offset), offset + 1 + after))
    }

    /// Reads `:'name'` and `:"name"`, as psql has them for texts and names.
    fn quoted(&self) -> Option<UsualTokens> {
        let token = self.tokens.get(self.at + 1).filter(|token| token.kind == TokenKind::Text)?;
        let words = token.span().of(self.text);
        let name = words.get(1..words.len().checked_sub(1)?)?;
        let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let text = if words.starts_with('"') { format!("`${{{name}}}`") } else { format!("'${{{name}}}'") };
        (self.text_at(0) == ":" && is_plain).then_some(UsualTokens { text, count: 2 })
    }

    /// Reads `%(name)s`, as Python's drivers have it, or `%(name)d` of a number; letters may follow it.
    fn driver_parameter(&self) -> Option<UsualTokens> {
        let is_whole = self.text_at(1) == "(" && self.is_name(2) && self.text_at(3) == ")";
        let rest = self.text_at(4).strip_prefix(['s', 'd', 'f']).filter(|_| is_whole && self.is_name(4))?;
        Some(UsualTokens { text: format!("${{{}}}{rest}", self.text_at(2)), count: 5 })
    }

    /// Reads `{name}`, `{object.field}` or `{0}`, as Python's `format` has it.
    fn format_field(&self) -> Option<UsualTokens> {
        if let Ok(place) = self.text_at(1).parse::<u8>()
            && self.text_at(2) == "}"
        {
            return Some(UsualTokens::placeholder(&format!("value_{place}"), 3));
        }
        if !self.is_name(1) {
            return None;
        }
        let mut name = self.text_at(1).to_owned();
        let mut next = 2;
        while self.text_at(next) == "." && self.is_name(next + 1) {
            name = format!("{name}.{}", self.text_at(next + 1));
            next += 2;
        }
        (self.text_at(next) == "}").then(|| UsualTokens::placeholder(&name, next + 1))
    }

    /// Reads `{job['table']}` or `{rule.text(3)}`, an expression in an f-string of Python: its words make the name.
    fn format_expression(&self) -> Option<UsualTokens> {
        if !self.is_name(1) || !matches!(self.text_at(2), "[" | "(" | ".") {
            return None;
        }
        let close = (2..self.tokens.len() - self.at).take_while(|at| !self.text_at(*at).contains('\n'));
        let close = close.into_iter().find(|at| self.text_at(*at) == "}")?;
        let inner = &self.text[self.tokens[self.at + 1].span().start..self.tokens[self.at + close].span().start];
        let parts = inner.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        Some(UsualTokens::placeholder(&parts.collect::<Vec<_>>().join("_"), close + 1))
    }

    /// Reads `<name>` where a table, or the first part of its name, is expected.
    fn in_angle_brackets(&self) -> Option<UsualTokens> {
        let is_expected = self.follows(&["FROM", "JOIN", "INTO", "TABLE", "VIEW", "EXISTS", "USE"]);
        (is_expected && self.is_name(1) && self.text_at(2) == ">").then(|| UsualTokens::placeholder(self.text_at(1), 3))
    }

    /// Whether, by what stands before it, a sign begins a placeholder and is no part of a type, field or operator.
    fn begins_a_value(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at]);
        let words = before.map_or(" ", |token| token.span().of(self.text));
        before.is_none_or(|token| token.kind == TokenKind::Blank && !follows_operand(self.text, token.span().start))
            || matches!(words, "(" | "," | "=" | "<" | ">" | "<=" | ">=" | "<>" | "!=" | "+" | "-" | "*" | "/" | "&")
    }

    /// Whether the next part of a name begins here, as in `@schema.@table`.
    fn continues_a_name(&self) -> bool {
        self.at > 1 && self.text[..self.tokens[self.at].span().start].ends_with('.')
    }

    /// Whether `@name` is a stage of files: rows are read from it or written to it, and it is no table `@name.table`.
    fn is_stage(&self) -> bool {
        self.follows(&["FROM", "JOIN", "INTO"])
            && !(self.text_at(2) == "." && (self.is_name(3) || self.text_at(3) == "@"))
    }

    /// Whether one of these words stands before what begins here.
    fn follows(&self, words: &[&str]) -> bool {
        follows_word(&self.text[..self.tokens[self.at].span().start], words)
    }
}

/// Whether a value stands before this byte, blanks aside: then `&` and `:` are operators.
fn follows_operand(text: &str, at: usize) -> bool {
    const BEFORE_VALUES: [&str; 29] = [
        "TABLE", "VIEW", "EXISTS", "OVERWRITE", "WHERE", "AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "THEN", "ELSE",
        "SELECT", "FROM", "JOIN", "WHEN", "LIMIT", "RLIKE", "REGEXP", "ILIKE", "INTERVAL", "ON", "CASE", "HAVING",
        "BY", "OFFSET", "QUALIFY", "INTO",
    ];
    let before = text[..at].trim_end();
    let word: String = before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let word: String = word.chars().rev().collect::<String>().to_uppercase();
    let closes = before.ends_with([')', ']', '\'', '"', '`']);
    closes || !word.is_empty() && !BEFORE_VALUES.contains(&word.as_str())
}

/// Returns a string literal with `$name`, and `&name` or `&&name` where it is the whole literal, as `${name}`. A dollar
/// behind a letter, as in `US$amount`, is one.
fn within_text(words: &str) -> String {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        constant_pattern(r"\$([A-Za-z_]\w*)|'&{1,2}([A-Za-z_]\w*)'|@([A-Za-z_]\w*)@|###([A-Za-z_]\w*)###")
    });
    let mut end_of_last = 0;
    let usual = |found: &Captures<'_>| {
        let whole = found.get(0).map_or(0..0, |whole| whole.range());
        let follows = std::mem::replace(&mut end_of_last, whole.end) == whole.start;
        let is_within_word = words[..whole.start].ends_with(|c: char| c.is_alphanumeric()) && !follows;
        match (found.get(1).or(found.get(3)).or(found.get(4)), found.get(2)) {
            (Some(name), _) if !is_within_word => format!("${{{}}}", name.as_str()),
            (None, Some(name)) => format!("'${{{}}}'", name.as_str()),
            _ => found[0].to_owned(),
        }
    };
    NAME.replace_all(words, usual).into_owned()
}

/// Whether a string literal is `'{name}'`, which hardly is what a column holds.
fn is_name_in_braces(words: &str) -> bool {
    let inner = words.get(1..words.len().saturating_sub(1)).unwrap_or_default();
    let name = inner.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default();
    name.starts_with(|c: char| c.is_alphabetic()) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns a string literal that is made of `:NAME` alone, as `':YEAR-:MONTH-:DAY'`, with `${NAME}` for each.
fn names_in_capitals(words: &str) -> Option<String> {
    static WHOLE: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r#"^['"](:[A-Z][A-Z0-9_]+[-/. ]?)+['"]$"#));
    static NAME: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r":([A-Z][A-Z0-9_]+)"));
    WHOLE.is_match(words).then(|| NAME.replace_all(words, "$${$1}").into_owned())
}

/// Returns a string literal of a script that is a format string of Python, with `{name}` as `${name}`.
fn format_string(words: &str) -> String {
    with_single_braces(&with_braced_names(words, |_| true))
}

/// Returns a string literal with `%(name)s` as `${name}`.
fn with_driver_parameters(words: &str) -> String {
    static NAME: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"%\((\w+)\)[sdf]"));
    NAME.replace_all(words, "$${${1}}").into_owned()
}

/// Returns a string literal with `{name}` as `${name}` where `name` is that of a placeholder.
fn with_braced_names(words: &str, is_placeholder: impl Fn(&str) -> bool) -> String {
    static NAME: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"[${]?\{([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\}"));
    let usual = |found: &Captures<'_>| match found[0].len() == found[1].len() + 2 && is_placeholder(&found[1]) {
        true => format!("${}", &found[0]),
        false => found[0].to_owned(),
    };
    NAME.replace_all(words, usual).into_owned()
}

/// Returns a format of Python with `{8}` for `{{8}}`, as in a regular expression; other braces may be those of a template.
fn with_single_braces(words: &str) -> String {
    static COUNT: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"\{\{(\d+(?:,\d*)?)\}\}"));
    COUNT.replace_all(words, "{$1}").into_owned()
}

/// Words behind which a table is named.
pub(super) const BEFORE_TABLES: [&str; 8] =
    ["INTO", "TABLE", "VIEW", "EXISTS", "FROM", "JOIN", "OVERWRITE", "REFERENCES"];

/// Whether a text ends with one of these words, blanks aside.
pub(super) fn follows_word(before: &str, words: &[&str]) -> bool {
    let last = before.trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    words.iter().any(|word| word.eq_ignore_ascii_case(last))
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
            ("SELECT a FROM {{ ref('t') }} WHERE d = '{{ var(\"d\") }}'", "SELECT a FROM t WHERE d = '${d}'"),
            ("name RLIKE :p AND d > x - INTERVAL :n DAY", "name RLIKE ${p} AND d > x - INTERVAL ${n} DAY"),
            ("d >= :'start' FROM :\"t\"", "d >= '${start}' FROM `${t}`"),
            (
                "PARTITION (d=?) SELECT '?' FROM t WHERE a IN (?, 1)",
                "PARTITION (d=${value_1}) SELECT '?' FROM t WHERE a IN (${value_2}, 1)",
            ),
            (
                "d = ':YEAR-:MONTH-:DAY' AND t > ':HH a' AND u = 'HH:MM'",
                "d = '${YEAR}-${MONTH}-${DAY}' AND t > ':HH a' AND u = 'HH:MM'",
            ),
            ("FROM &db..t WHERE v > &least. AND w = &x.y", "FROM ${db}.t WHERE v > ${least} AND w = ${x}.y"),
            (
                "CREATE TABLE c.%(t)s_page AS SELECT a FROM c.%(lang)s_%(n)s WHERE b = '%(lang)s.x'",
                "CREATE TABLE c.${t}_page AS SELECT a FROM c.${lang}_${n} WHERE b = '${lang}.x'",
            ),
            ("PARTITION (y=%(y)d, d='%(d)d') LIMIT %(n)d) x", "PARTITION (y=${y}, d='${d}') LIMIT ${n}) x"),
            ("d >= %(start)s AND v > {least} AND w % (a) > 1", "d >= ${start} AND v > ${least} AND w % (a) > 1"),
            (
                "PARTITION ({p.query}) SELECT '{a}{b}-$d', '${c}'",
                "PARTITION (${p.query}) SELECT '${a}${b}-${d}', '${c}'",
            ),
            ("SELECT '{a}-{b}' FROM t WHERE d >= '{day}'", "SELECT '{a}-{b}' FROM t WHERE d >= '${day}'"),
            ("FROM {t} WHERE a RLIKE '^x{{8}}y{{2,}}$'", "FROM ${t} WHERE a RLIKE '^x{8}y{2,}$'"),
            ("FROM t WHERE a RLIKE '^x{8}$'", "FROM t WHERE a RLIKE '^x{8}$'"),
            ("WHERE d >= {0} AND d < {1}", "WHERE d >= ${value_0} AND d < ${value_1}"),
            ("ts BETWEEN :range.min AND :range.max", "ts BETWEEN ${range.min} AND ${range.max}"),
            ("d >= @start", "d >= ${start}"),
            (
                "CREATE TABLE <db>.t (a ARRAY<INT>); FROM <t> x JOIN <db>.u",
                "CREATE TABLE ${db}.t (a ARRAY<INT>); FROM ${t} x JOIN ${db}.u",
            ),
            ("COPY INTO t FROM @stage", "COPY INTO t FROM @stage"),
            (
                "CREATE TABLE @target.@t AS SELECT a FROM @cdm.@person JOIN @v.u ON x = @y",
                "CREATE TABLE ${target}.${t} AS SELECT a FROM ${cdm}.${person} JOIN ${v}.u ON x = ${y}",
            ),
            (
                "SELECT {x['var']}, b FROM {d.prefix}_{x['in_dsn']} WHERE {Rule.parse(\"(a = 1) and b\", 2)} GROUP BY {x['var']}",
                "SELECT ${x_var}, b FROM ${d.prefix}_${x_in_dsn} WHERE ${Rule_parse_a_1_and_b_2} GROUP BY ${x_var}",
            ),
            ("DECLARE @start DATE; d >= @start", "DECLARE @start DATE; d >= @start"),
            ("d >= '@start@' AND e < @end@ AND m = 'a@b@c'", "d >= '${start}' AND e < ${end} AND m = 'a@b@c'"),
            ("d = '###DAY###' AND e RLIKE '#a#'", "d = '${DAY}' AND e RLIKE '#a#'"),
            ("'US$amount', '$y$m', '$y-$m'", "'US$amount', '${y}${m}', '${y}-${m}'"),
        ];
        for (written, usual) in cases {
            assert_eq!(with_usual_placeholders(written), usual);
        }
    }
}
