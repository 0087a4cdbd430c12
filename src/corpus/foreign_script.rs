//! Scripts as other tools and platforms write them: their placeholders, templates and quoted names.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::file_tables::with_tables_for_files;
use super::glances::without_glances;
use super::global_views::with_session_views;
use super::insert_by_name::with_listed_columns;
use super::platform_statements::in_usual_statements;
use super::quoted_names::with_back_quotes;
use super::session_variables::with_values_of_variables;
use super::templates::without_templates;
use crate::code::parameters::{Parameters, Placeholder, UnboundPlaceholder, placeholders, touches_name};
use crate::code::span::{LineColumn, Span};
use crate::code::token::{Token, TokenKind, tokenize};

/// One step of reading a script in the words of Hive and Spark.
struct ReadingStep {
    rewrite: fn(&str) -> String,
    /// What becomes what, as messages say it.
    what: &'static str,
}

const PLACEHOLDERS: &str = "placeholders become ${name}, and templates what they give";

const STEPS: [ReadingStep; 10] = [
    ReadingStep { rewrite: with_ended_cells, what: "cells end with a semicolon" },
    ReadingStep {
        rewrite: in_usual_statements,
        what: "widgets become settings, materialized views become views, and indexes become comments",
    },
    ReadingStep { rewrite: with_tables_for_files, what: "files that are read become tables" },
    ReadingStep { rewrite: without_identifier_clauses, what: "IDENTIFIER(…) becomes the name that it stands for" },
    ReadingStep { rewrite: with_back_quotes, what: "names in double quotes get back quotes" },
    ReadingStep { rewrite: with_usual_placeholders, what: PLACEHOLDERS },
    ReadingStep { rewrite: with_values_of_variables, what: "session variables become their values" },
    ReadingStep { rewrite: with_session_views, what: "global temporary views become temporary views" },
    ReadingStep { rewrite: with_listed_columns, what: "INSERT … BY NAME lists its columns" },
    ReadingStep { rewrite: without_glances, what: "looks at any few rows become comments" },
];

/// A script as Hive and Spark write it.
pub(super) struct UsualScript {
    pub text: String,
    /// What was written otherwise before.
    pub rewritten: Vec<&'static str>,
}

impl UsualScript {
    /// Reads a script as other tools and platforms write it, with these values for its placeholders.
    pub fn of(written: &str, values: &Parameters) -> UsualScript {
        let mut usual = UsualScript { text: with_given_formats(written, values), rewritten: Vec::new() };
        if usual.text != written {
            usual.rewritten.push(PLACEHOLDERS);
        }
        for ReadingStep { rewrite, what } in STEPS {
            let text = rewrite(&usual.text);
            if text != usual.text {
                if !usual.rewritten.contains(&what) {
                    usual.rewritten.push(what);
                }
                usual.text = text;
            }
        }
        usual
    }
}

/// Returns a script as Hive and Spark write it; its placeholders have these values.
pub(super) fn in_usual_words(text: &str, values: &Parameters) -> String {
    UsualScript::of(text, values).text
}

/// Returns a script in whose string literals `{name}` is `${name}` where `name` has a value: else it may be plain text.
fn with_given_formats(text: &str, values: &Parameters) -> String {
    let written = |token: &Token| match token.kind {
        TokenKind::Text => with_braced_names(token.span().of(text), |name| values.value(name).is_some()),
        _ => token.span().of(text).to_owned(),
    };
    tokenize(text).iter().map(written).collect()
}

/// Returns a script with `$name`, `$name$`, `:name`, `:'name'`, `&name`, `@name`, `%(name)s`, `{name}` and dbt's
/// `{{ var('name') }}` as `${name}`; what else of a template can be read is read as well. No line end is lost, so that
/// places in messages keep their lines.
pub(super) fn with_usual_placeholders(text: &str) -> String {
    let plain = without_templates(text);
    let tokens = tokenize(&plain);
    let lower = plain.to_lowercase();
    let declares = ["declare @", "set @", ":="].iter().any(|words| lower.contains(words));
    let rest = |at| Rest { text: &plain, tokens: &tokens, at };
    let is_format = (0..tokens.len()).any(|at| rest(at).words(0) == "{" && rest(at).braced().is_some());
    let mut usual = String::with_capacity(plain.len() + 32);
    let mut at = 0;
    while at < tokens.len() {
        let rest = rest(at);
        let words = rest.words(0);
        let found = match (tokens[at].kind, words) {
            (TokenKind::Text, _) if is_format && words.contains('{') => Some((formatted_text(&within_text(words)), 1)),
            (TokenKind::Text, _) if words.contains(['$', '&', '@']) => Some((within_text(words), 1)),
            (TokenKind::Symbol, "$") => rest.named(1),
            (TokenKind::Symbol, ":" | "&") if rest.begins_a_value() => rest.named(1).or_else(|| rest.quoted()),
            (TokenKind::Symbol, "@") if rest.begins_a_value() && !rest.is_place() && !declares => rest.named(1),
            (TokenKind::Symbol, "%") if rest.begins_a_value() => rest.formatted(),
            (TokenKind::Symbol, "{") => rest.braced(),
            _ => None,
        };
        let (written, taken) = found.unwrap_or_else(|| (words.to_owned(), 1));
        usual.push_str(&written);
        at += taken;
    }
    usual
}

/// Returns a notebook as Databricks exports it with a semicolon behind each cell, where its author could leave it out.
fn with_ended_cells(text: &str) -> String {
    const CELL: &str = "-- COMMAND ----------";
    let mut cells: Vec<String> = text.split(CELL).map(str::to_owned).collect();
    let last = cells.len() - 1;
    for cell in &mut cells[..last] {
        let tokens = tokenize(cell);
        let words = tokens.iter().rfind(|token| !token.kind.is_trivia()).map(Token::span);
        if let Some(words) = words.filter(|words| words.of(cell) != ";") {
            cell.insert(words.end, ';');
        }
    }
    cells.join(CELL)
}

/// Returns a script in which `IDENTIFIER('a.' || :b)` is the name that it stands for; what is joined must be texts and
/// placeholders.
fn without_identifier_clauses(text: &str) -> String {
    static CLAUSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let part = r#"(?:'[^']*'|"[^"]*"|\$\{[^}]+\}|\{\{[^}]+\}\}|:\w+)"#;
        Regex::new(&format!(r"(?i)\bIDENTIFIER\s*\(\s*({part}(?:\s*\|\|\s*{part})*)\s*\)")).ok()
    });
    static PART: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"'([^']*)'|"([^"]*)"|(\$\{[^}]+\}|\{\{[^}]+\}\})|:(\w+)"#).ok());
    let (Some(clause), Some(part)) = (CLAUSE.as_ref(), PART.as_ref()) else { return text.to_owned() };
    let joined = |found: &Captures<'_>| {
        let written = |part: Captures<'_>| match part.get(4) {
            Some(parameter) => Some(format!("${{{}}}", parameter.as_str())),
            None => part.iter().skip(1).flatten().next().map(|part| part.as_str().to_owned()),
        };
        part.captures_iter(&found[1]).filter_map(written).collect::<String>()
    };
    clause.replace_all(text, joined).into_owned()
}

/// The tokens of a text from one on.
struct Rest<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
}

impl Rest<'_> {
    /// The words of the token this far on.
    fn words(&self, offset: usize) -> &str {
        self.tokens.get(self.at + offset).map_or("", |token| token.span().of(self.text))
    }

    fn is_name(&self, offset: usize) -> bool {
        self.tokens.get(self.at + offset).is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// A placeholder whose name stands this far on. Of `&db..t`, as SQL*Plus has it, the first dot ends the name; of
    /// `$name$` and `@name@` the second sign does.
    fn named(&self, offset: usize) -> Option<(String, usize)> {
        let ends_at_dot = self.words(0) == "&"
            && self.words(offset + 1) == "."
            && (self.words(offset + 2) == "." || !self.is_name(offset + 2));
        let closes = matches!(self.words(0), "$" | "@") && self.words(offset + 1) == self.words(0);
        let is_closed = closes && !self.is_name(offset + 2);
        let after = usize::from(ends_at_dot || is_closed);
        self.is_name(offset).then(|| (format!("${{{}}}", self.words(offset)), offset + 1 + after))
    }

    /// `:'name'` and `:"name"`, as psql has them for texts and names.
    fn quoted(&self) -> Option<(String, usize)> {
        let token = self.tokens.get(self.at + 1).filter(|token| token.kind == TokenKind::Text)?;
        let words = token.span().of(self.text);
        let name = words.get(1..words.len().checked_sub(1)?)?;
        let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let written = if words.starts_with('"') { format!("`${{{name}}}`") } else { format!("'${{{name}}}'") };
        (self.words(0) == ":" && is_plain).then_some((written, 2))
    }

    /// `%(name)s`, as Python's drivers have it.
    fn formatted(&self) -> Option<(String, usize)> {
        let is_whole = self.words(1) == "(" && self.is_name(2) && self.words(3) == ")" && self.words(4) == "s";
        is_whole.then(|| (format!("${{{}}}", self.words(2)), 5))
    }

    /// `{name}` or `{object.field}`, as Python's `format` has it.
    fn braced(&self) -> Option<(String, usize)> {
        if !self.is_name(1) {
            return None;
        }
        let mut name = self.words(1).to_owned();
        let mut next = 2;
        while self.words(next) == "." && self.is_name(next + 1) {
            name = format!("{name}.{}", self.words(next + 1));
            next += 2;
        }
        (self.words(next) == "}").then(|| (format!("${{{name}}}"), next + 1))
    }

    /// Whether, by what stands before it, a sign begins a placeholder and is no part of a type, field or operator.
    fn begins_a_value(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at]);
        let words = before.map_or(" ", |token| token.span().of(self.text));
        before.is_none_or(|token| token.kind == TokenKind::Blank && !follows_operand(self.text, token.span().start))
            || matches!(words, "(" | "," | "=" | "<" | ">" | "<=" | ">=" | "<>" | "!=" | "+" | "-" | "*" | "/" | "&")
    }

    /// Whether rows are read from or written to what begins here: there `@name` is a stage of files.
    fn is_place(&self) -> bool {
        follows_word(&self.text[..self.tokens[self.at].span().start], &["FROM", "JOIN", "INTO"])
    }
}

/// Whether a value stands before this byte, blanks aside: then `&` and `:` are operators.
fn follows_operand(text: &str, at: usize) -> bool {
    const BEFORE_VALUES: [&str; 25] = [
        "WHERE", "AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "THEN", "ELSE", "SELECT", "FROM", "JOIN", "WHEN",
        "LIMIT", "RLIKE", "REGEXP", "ILIKE", "INTERVAL", "ON", "CASE", "HAVING", "BY", "OFFSET", "QUALIFY", "INTO",
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
    static NAME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\$([A-Za-z_]\w*)|'&{1,2}([A-Za-z_]\w*)'|@([A-Za-z_]\w*)@").ok());
    let Some(name) = NAME.as_ref() else { return words.to_owned() };
    let mut end_of_last = 0;
    let usual = |found: &Captures<'_>| {
        let whole = found.get(0).map_or(0..0, |whole| whole.range());
        let follows = std::mem::replace(&mut end_of_last, whole.end) == whole.start;
        let is_within_word = words[..whole.start].ends_with(|c: char| c.is_alphanumeric()) && !follows;
        match (found.get(1).or(found.get(3)), found.get(2)) {
            (Some(name), _) if !is_within_word => format!("${{{}}}", name.as_str()),
            (None, Some(name)) => format!("'${{{}}}'", name.as_str()),
            _ => found[0].to_owned(),
        }
    };
    name.replace_all(words, usual).into_owned()
}

/// Returns a string literal of a script that is a format of Python, with `{name}` as `${name}`.
fn formatted_text(words: &str) -> String {
    with_single_braces(&with_braced_names(words, |_| true))
}

/// Returns a string literal with `{name}` as `${name}` where `name` is that of a placeholder.
fn with_braced_names(words: &str, is_placeholder: impl Fn(&str) -> bool) -> String {
    static NAME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"[${]?\{([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\}").ok());
    let Some(name) = NAME.as_ref() else { return words.to_owned() };
    let usual = |found: &Captures<'_>| match found[0].len() == found[1].len() + 2 && is_placeholder(&found[1]) {
        true => format!("${}", &found[0]),
        false => found[0].to_owned(),
    };
    name.replace_all(words, usual).into_owned()
}

/// Returns a format of Python with `{8}` for `{{8}}`, as in a regular expression; other braces may be those of a template.
fn with_single_braces(words: &str) -> String {
    static COUNT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\{\{(\d+(?:,\d*)?)\}\}").ok());
    COUNT.as_ref().map_or_else(|| words.to_owned(), |count| count.replace_all(words, "{$1}").into_owned())
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

/// Whether a letter, digit, `_`, `.` or back quote touches a placeholder, or a word stands before it that names a table.
fn is_part_of_name(text: &str, span: Span) -> bool {
    touches_name(text, span) || follows_word(&text[..span.start], &["FROM", "JOIN", "INTO", "TABLE", "USE"])
}

/// Whether a text ends with one of these words, blanks aside.
fn follows_word(before: &str, words: &[&str]) -> bool {
    let before = before.trim_end().to_uppercase();
    words.iter().any(|word| before.ends_with(word))
}

/// Returns a message that names every placeholder without a value and proposes options that bind them.
pub fn proposals(text: &str, missing: &[UnboundPlaceholder]) -> String {
    // The other days of a scheduled run follow from its own.
    let run = Parameters::from_iter([("ds", "2024-03-15")]);
    let of_run = |missing: &&UnboundPlaceholder| run.value(&missing.key).is_some();
    let for_run = missing.iter().any(|missing| of_run(&missing)).then(|| "--parameter 'ds=2024-03-15'".to_owned());
    let is_in_parts = missing.iter().any(|missing| missing.key == "year");
    let in_sql: Vec<Placeholder> = placeholders(text).into_iter().filter(|placeholder| placeholder.in_sql).collect();
    let named = missing.iter().map(|placeholder| {
        format!("'{}' in line {}", placeholder.key, LineColumn::of(text, placeholder.span.start).line)
    });
    let others = missing.iter().filter(|missing| !of_run(missing)).map(|placeholder| {
        let UnboundPlaceholder { key, span } = placeholder;
        let value = if key == "day" && is_in_parts { "15" } else { proposal(key) };
        // Where no quotes stand around it, a text brings its own.
        let is_value = in_sql.iter().any(|known| known.span == *span) && !is_part_of_name(text, *span);
        let is_number = value.chars().all(|c| c.is_ascii_digit());
        if is_value && !is_number {
            format!("--parameter \"{key}='{value}'\"")
        } else {
            format!("--parameter '{key}={value}'")
        }
    });
    let (have, them) = if missing.len() == 1 { ("placeholder has", "it") } else { ("placeholders have", "them") };
    format!(
        "{} {have} no value: {}; bind {them}, for example by {}, or in card.yaml or parameters.yaml",
        missing.len(),
        named.collect::<Vec<_>>().join(", "),
        for_run.into_iter().chain(others).collect::<Vec<_>>().join(" ")
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
            ("SELECT a FROM {{ ref('t') }} WHERE d = '{{ var(\"d\") }}'", "SELECT a FROM t WHERE d = '${d}'"),
            ("name RLIKE :p AND d > x - INTERVAL :n DAY", "name RLIKE ${p} AND d > x - INTERVAL ${n} DAY"),
            ("d >= :'start' FROM :\"t\"", "d >= '${start}' FROM `${t}`"),
            ("FROM &db..t WHERE v > &least. AND w = &x.y", "FROM ${db}.t WHERE v > ${least} AND w = ${x}.y"),
            ("d >= %(start)s AND v > {least} AND w % (a) > 1", "d >= ${start} AND v > ${least} AND w % (a) > 1"),
            (
                "PARTITION ({p.query}) SELECT '{a}{b}-$d', '${c}'",
                "PARTITION (${p.query}) SELECT '${a}${b}-${d}', '${c}'",
            ),
            ("SELECT '{a}' FROM t", "SELECT '{a}' FROM t"),
            ("FROM {t} WHERE a RLIKE '^x{{8}}y{{2,}}$'", "FROM ${t} WHERE a RLIKE '^x{8}y{2,}$'"),
            ("FROM t WHERE a RLIKE '^x{8}$'", "FROM t WHERE a RLIKE '^x{8}$'"),
            ("d >= @start", "d >= ${start}"),
            ("COPY INTO t FROM @stage", "COPY INTO t FROM @stage"),
            ("DECLARE @start DATE; d >= @start", "DECLARE @start DATE; d >= @start"),
            ("d >= '@start@' AND e < @end@ AND m = 'a@b@c'", "d >= '${start}' AND e < ${end} AND m = 'a@b@c'"),
            ("'US$amount', '$y$m', '$y-$m'", "'US$amount', '${y}${m}', '${y}-${m}'"),
        ];
        for (written, usual) in cases {
            assert_eq!(with_usual_placeholders(written), usual);
        }
    }

    #[test]
    fn looks_at_rows_are_told_as_what_was_rewritten() {
        let usual = UsualScript::of("INSERT INTO o SELECT a FROM {t}; SELECT * FROM o LIMIT 5", &Parameters::default());
        assert_eq!(usual.text, "INSERT INTO o SELECT a FROM ${t}; -- SELECT * FROM o LIMIT 5");
        assert_eq!(usual.rewritten, [STEPS[5].what, STEPS[9].what]);
    }

    #[test]
    fn a_format_within_texts_alone_is_told_by_the_values_given() {
        let written = "SELECT '{a}-{b}', '{{a}}', '${a}' FROM t WHERE d > '{a}'";
        let usual = UsualScript::of(written, &Parameters::from_iter([("a", "1")]));
        assert_eq!(usual.text, "SELECT '${a}-{b}', '{{a}}', '${a}' FROM t WHERE d > '${a}'");
        assert_eq!(usual.rewritten, [PLACEHOLDERS]);
        assert_eq!(in_usual_words(written, &Parameters::default()), written);
    }

    #[test]
    fn cells_of_a_notebook_are_statements() {
        let notebook = "-- Databricks notebook source\n-- COMMAND ----------\nUSE a\n\n-- COMMAND ----------\n\nSELECT 1;\n-- COMMAND ----------\nSELECT 2";
        let ended = "-- Databricks notebook source\n-- COMMAND ----------\nUSE a;\n\n-- COMMAND ----------\n\nSELECT 1;\n-- COMMAND ----------\nSELECT 2";
        assert_eq!(in_usual_words(notebook, &Parameters::default()), ended);
    }

    #[test]
    fn identifier_clauses_become_the_names_that_they_stand_for() {
        for (written, read) in [
            ("USE IDENTIFIER(:c || '.' || :s || '_x')", "USE ${c}.${s}_x"),
            ("FROM IDENTIFIER({{ c }} || '.' || {{s}} || '.t')", "FROM {{ c }}.{{s}}.t"),
            ("FROM identifier('db.t') AS t, IDENTIFIER(\"u\")", "FROM db.t AS t, u"),
            ("FROM IDENTIFIER(lower('T'))", "FROM IDENTIFIER(lower('T'))"),
        ] {
            assert_eq!(in_usual_words(written, &Parameters::default()), read);
        }
    }

    #[test]
    fn the_days_of_a_scheduled_run_follow_from_one() {
        let text = "SELECT '{{ ds_nodash }}', '{{ next_ds }}', {{ n }}";
        let missing = crate::code::parameters::Parameters::default().unbound(text);
        let message = proposals(text, &missing);
        assert!(message.contains("for example by --parameter 'ds=2024-03-15' --parameter 'n=7',"), "{message}");
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
