//! Scripts as other tools and platforms write them: their placeholders, and which dialect a script looks like.

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

/// What only one dialect writes: the dialect, how messages show it, and the pattern that finds it.
const MARKERS: [(&str, &str, &str); 46] = [
    ("Snowflake", "::VARIANT", r"(?i)::\s*(variant|object|number)\b"),
    ("Snowflake", "QUALIFY", r"(?i)\bqualify\b"),
    ("Snowflake", "FLATTEN(…)", r"(?i)\b(lateral\s+)?flatten\s*\(\s*input"),
    ("Snowflake", "IFF(…)", r"(?i)\biff\s*\("),
    ("Snowflake", "PARSE_JSON(…)", r"(?i)\bparse_json\s*\("),
    ("Snowflake", "column:field", r"\b\w+:\w+(\.\w+)*::"),
    ("Snowflake", "TRY_TO_…(…)", r"(?i)\btry_to_\w+\s*\("),
    ("BigQuery", "`project.dataset.table`", r"`[\w-]+\.[\w-]+(\.[\w-]+)?`"),
    ("BigQuery", "SAFE_CAST", r"(?i)\bsafe_(cast|divide)\s*\("),
    ("BigQuery", "INT64", r"(?i)\b(int64|float64)\b"),
    ("BigQuery", "UNNEST(…)", r"(?i),\s*unnest\s*\("),
    ("BigQuery", "PARSE_DATE(…)", r"(?i)\b(parse_date|format_date|parse_timestamp|generate_date_array)\s*\("),
    ("BigQuery", "COUNTIF(…)", r"(?i)\bcountif\s*\("),
    ("PostgreSQL", "DISTINCT ON", r"(?i)\bdistinct\s+on\s*\("),
    ("PostgreSQL", "->>", r"->>"),
    ("PostgreSQL", "GENERATE_SERIES(…)", r"(?i)\bgenerate_series\s*\("),
    ("PostgreSQL", "::text", r"(?i)::\s*(text|jsonb?|timestamptz|numeric|regclass)\b"),
    ("PostgreSQL", "TO_CHAR(…)", r"(?i)\bto_char\s*\("),
    ("PostgreSQL", "RETURNING", r"(?i)\breturning\b"),
    ("Redshift", "DISTKEY", r"(?i)\b(distkey|sortkey|diststyle)\b"),
    ("Redshift", "UNLOAD", r"(?i)^\s*unload\s*\("),
    ("Redshift", "SYSDATE", r"(?i)\bsysdate\b"),
    ("T-SQL", "[name]", r"\[[A-Za-z]\w*\]\.|\bAS\s+\[[A-Za-z]"),
    ("T-SQL", "TOP n", r"(?i)\bselect\s+(distinct\s+)?top\s*\(?\s*\d"),
    ("T-SQL", "GETDATE()", r"(?i)\bgetdate\s*\(\s*\)"),
    ("T-SQL", "ISNULL(a, b)", r"(?i)\bisnull\s*\([^(),]+,"),
    ("T-SQL", "APPLY", r"(?i)\b(cross|outer)\s+apply\b"),
    ("T-SQL", "@variable", r"(?i)\bdeclare\s+@\w+"),
    ("T-SQL", "#table", r"(?i)\b(into|from|join)\s+#\w+"),
    ("T-SQL", "GO", r"(?mi)^\s*go\s*$"),
    ("MySQL", "GROUP_CONCAT(…)", r"(?i)\bgroup_concat\s*\("),
    ("MySQL", "IFNULL(…)", r"(?i)\bifnull\s*\("),
    ("MySQL", "STR_TO_DATE(…)", r"(?i)\bstr_to_date\s*\("),
    ("MySQL", "ON DUPLICATE KEY", r"(?i)\bon\s+duplicate\s+key\b"),
    ("MySQL", "INTERVAL … in DATE_ADD", r"(?i)\bdate_(add|sub)\s*\([^()]*,\s*interval\b"),
    ("DuckDB", "READ_PARQUET(…)", r"(?i)\bread_(parquet|csv|csv_auto|json)\s*\("),
    ("DuckDB", "* EXCLUDE", r"(?i)\*\s*exclude\s*\("),
    ("DuckDB", "STRFTIME(…)", r"(?i)\bstr[fp]time\s*\("),
    ("DuckDB", "LIST_…(…)", r"(?i)\blist_(value|agg\w*|sort|filter|transform)\s*\("),
    ("Trino", "WITH ORDINALITY", r"(?i)\bwith\s+ordinality\b"),
    ("Trino", "CROSS JOIN UNNEST", r"(?i)\bcross\s+join\s+unnest\s*\("),
    ("Trino", "APPROX_DISTINCT(…)", r"(?i)\bapprox_distinct\s*\("),
    ("Trino", "DATE_PARSE(…)", r"(?i)\bdate_parse\s*\("),
    ("Trino", "JSON_EXTRACT_SCALAR(…)", r"(?i)\bjson_extract_scalar\s*\("),
    ("Trino", "FROM_ISO8601_…(…)", r"(?i)\bfrom_iso8601_\w+\s*\("),
    ("Trino", "TRY(…)", r"(?i)\btry\s*\("),
];

/// Returns a message on the dialect of which a script shows the most marks; `None` if it shows none.
pub fn looks_like(text: &str) -> Option<String> {
    let sql = without_words(text);
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for (dialect, shown, pattern) in MARKERS {
        let Some(at) = Regex::new(pattern).ok().and_then(|pattern| pattern.find(&sql)) else { continue };
        let words = format!("{shown} in line {}", LineColumn::of(&sql, at.start()).line);
        match found.iter_mut().find(|(known, _)| *known == dialect) {
            Some((_, markers)) => markers.push(words),
            None => found.push((dialect, vec![words])),
        }
    }
    let most = found.iter().map(|(_, markers)| markers.len()).max()?;
    let (dialect, markers) = found.iter().find(|(_, markers)| markers.len() == most)?;
    let shown = markers.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let name = translated_as(dialect);
    Some(format!(
        "this looks like {dialect}: {shown}; Hive's and Spark's dialects are read, and others with `--dialect {name}` \
         where sqlglot is installed"
    ))
}

/// Returns sqlglot's name of a dialect.
fn translated_as(dialect: &str) -> String {
    match dialect {
        "PostgreSQL" => "postgres".to_owned(),
        "T-SQL" => "tsql".to_owned(),
        other => other.to_lowercase(),
    }
}

/// Returns a text with blanks in place of its comments and strings; line ends stay.
fn without_words(text: &str) -> String {
    let is_words = |kind: TokenKind| kind == TokenKind::Text || kind.is_trivia() && kind != TokenKind::Blank;
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    let tokens = tokenize(text).into_iter().map(|token| {
        let words = token.span().of(text);
        if is_words(token.kind) { words.chars().map(blank).collect() } else { words.to_owned() }
    });
    tokens.collect()
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

    #[test]
    fn other_dialects_are_recognised_by_what_only_they_write() {
        let cases = [
            (
                "SELECT v:a::int, x::VARIANT\nFROM t QUALIFY 1 = 1",
                "Snowflake: ::VARIANT in line 1, QUALIFY in line 2, column:field in line 1",
            ),
            ("SELECT SAFE_CAST(a AS INT64) FROM `p.d.t`", "BigQuery: `project.dataset.table` in line 1"),
            ("SELECT DISTINCT ON (a) a, b->>'x' FROM t", "PostgreSQL: DISTINCT ON in line 1, ->> in line 1"),
            ("SELECT TOP 5 [a] FROM dbo.t WHERE d < GETDATE()", "T-SQL: TOP n in line 1, GETDATE() in line 1"),
            ("SELECT * EXCLUDE (a) FROM read_parquet('x')", "DuckDB"),
            ("SELECT approx_distinct(a) FROM t CROSS JOIN UNNEST(b)", "Trino"),
            ("SELECT GROUP_CONCAT(a) FROM t", "MySQL"),
        ];
        for (sql, words) in cases {
            let told = looks_like(sql).unwrap_or_default();
            assert!(told.starts_with(&format!("this looks like {words}")), "{sql}: {told}");
        }
        for (sql, way_out) in [
            ("SELECT a FROM t QUALIFY x = 1", "`--dialect snowflake`"),
            ("SELECT TOP 5 a FROM t", "`--dialect tsql`"),
            ("SELECT DISTINCT ON (a) a FROM t", "`--dialect postgres`"),
        ] {
            assert!(looks_like(sql).unwrap_or_default().contains(way_out), "{sql}");
        }
        assert_eq!(looks_like("SELECT a, '::VARIANT' FROM t -- QUALIFY"), None);
    }
}
