//! Which dialect a script that is not Hive's or Spark's looks like.

use std::sync::LazyLock;

use regex::Regex;

use crate::code::constant_pattern;
use crate::code::span::LineColumn;
use crate::code::token::{TokenKind, tokenize};

/// What only one dialect writes.
struct Mark {
    dialect: &'static str,
    /// How messages show it.
    shown: &'static str,
    /// A regular expression that finds it.
    pattern: &'static str,
    /// What Spark has instead.
    instead: &'static str,
}

const fn mark(dialect: &'static str, shown: &'static str, pattern: &'static str, instead: &'static str) -> Mark {
    Mark { dialect, shown, pattern, instead }
}

const MARKS: &[Mark] = &[
    mark("Snowflake", "::VARIANT or ::NUMBER", r"(?i)::\s*(variant|object|number)\b", "::STRING or ::DECIMAL"),
    mark("Snowflake", "FLATTEN(INPUT => …)", r"(?i)\b(lateral\s+)?flatten\s*\(\s*input", "LATERAL VIEW explode(…)"),
    mark("Snowflake", "IFF(…)", r"(?i)\biff\s*\(", "IF(…)"),
    mark("Snowflake", "column:field", r"\b\w+:\w+(\.\w+)*::", "get_json_object(column, '$.field')"),
    mark("Snowflake", "OBJECT_CONSTRUCT(…)", r"(?i)\bobject_construct\s*\(", "map(…)"),
    mark("Snowflake", "CREATE TRANSIENT", r"(?i)\bcreate\s+(or\s+replace\s+)?transient\b", "CREATE TABLE"),
    mark("BigQuery", "`project.dataset.table`", r"`[\w-]+\.[\w-]+(\.[\w-]+)?`", "`dataset`.`table`"),
    mark("BigQuery", "SAFE_CAST", r"(?i)\bsafe_cast\s*\(", "TRY_CAST"),
    mark("BigQuery", "SAFE_DIVIDE(…)", r"(?i)\bsafe_divide\s*\(", "try_divide(…)"),
    mark("BigQuery", "INT64", r"(?i)\b(int64|float64)\b", "BIGINT or DOUBLE"),
    mark("BigQuery", "UNNEST(…)", r"(?i),\s*unnest\s*\(", "LATERAL VIEW explode(…)"),
    mark("BigQuery", "PARSE_DATE(…)", r"(?i)\b(parse_date|parse_timestamp)\s*\(", "to_date(…) or to_timestamp(…)"),
    mark("BigQuery", "FORMAT_DATE(…)", r"(?i)\bformat_date\s*\(", "date_format(…)"),
    mark("BigQuery", "GENERATE_DATE_ARRAY(…)", r"(?i)\bgenerate_date_array\s*\(", "sequence(…)"),
    mark("BigQuery", "COUNTIF(…)", r"(?i)\bcountif\s*\(", "count_if(…)"),
    mark("PostgreSQL", "DISTINCT ON", r"(?i)\bdistinct\s+on\s*\(", "QUALIFY row_number() OVER (…) = 1"),
    mark("PostgreSQL", "->>", r"->>", "get_json_object(…)"),
    mark("PostgreSQL", "GENERATE_SERIES(…)", r"(?i)\bgenerate_series\s*\(", "explode(sequence(…))"),
    mark("PostgreSQL", "::text", r"(?i)::\s*(text|jsonb?|timestamptz|regclass)\b", "::STRING or ::TIMESTAMP"),
    mark("PostgreSQL", "RETURNING", r"(?i)\breturning\b", "a SELECT of its own"),
    mark("Redshift", "DISTKEY", r"(?i)\b(distkey|sortkey|diststyle)\b", "nothing, leave it out"),
    mark("Redshift", "UNLOAD", r"(?i)\bunload\s*\(", "INSERT OVERWRITE DIRECTORY"),
    mark("Redshift", "GETDATE()", r"(?i)\bgetdate\s*\(\s*\)\s*::", "current_timestamp"),
    mark("Oracle", "CONNECT BY", r"(?i)\bconnect\s+by\b", "WITH RECURSIVE"),
    mark("Oracle", "ROWNUM", r"(?i)\brownum\s*<", "LIMIT or row_number()"),
    mark("Oracle", "SYSDATE", r"(?i)\bsys(date|timestamp)\b", "current_date or current_timestamp"),
    mark("Oracle", "FROM DUAL", r"(?i)\bfrom\s+dual\b", "SELECT without FROM"),
    mark("Oracle", "(+)", r"\(\s*\+\s*\)", "LEFT JOIN"),
    mark("Oracle", "VARCHAR2", r"(?i)\bn?varchar2\b", "STRING"),
    mark("T-SQL", "[name]", r"(^|[\s,(.=])\[[A-Za-z]\w*\]", "`name`"),
    mark("T-SQL", "TOP n", r"(?i)\bselect\s+(distinct\s+)?top\s*\(?\s*\d", "LIMIT n"),
    mark("T-SQL", "GETDATE()", r"(?i)\bgetdate\s*\(\s*\)", "current_timestamp"),
    mark("T-SQL", "ISNULL(a, b)", r"(?i)\bisnull\s*\([^(),]+,", "coalesce(a, b)"),
    mark("T-SQL", "APPLY", r"(?i)\b(cross|outer)\s+apply\b", "a join"),
    mark("T-SQL", "@variable", r"(?i)\bdeclare\s+@\w+", "SET hivevar:variable=… and ${variable}"),
    mark("T-SQL", "#table", r"(?i)\b(into|from|join)\s+#\w+", "CREATE TEMPORARY VIEW"),
    mark("T-SQL", "GO", r"(?mi)^\s*go\s*$", "a semicolon"),
    mark("MySQL", "GROUP_CONCAT(…)", r"(?i)\bgroup_concat\s*\(", "array_join(sort_array(collect_list(…)), ',')"),
    mark("MySQL", "STR_TO_DATE(…)", r"(?i)\bstr_to_date\s*\(", "to_date(…)"),
    mark("MySQL", "ON DUPLICATE KEY", r"(?i)\bon\s+duplicate\s+key\b", "MERGE"),
    mark("MySQL", "INTERVAL … in DATE_ADD", r"(?i)\bdate_(add|sub)\s*\([^()]*,\s*interval\b", "date + INTERVAL …"),
    mark("DuckDB", "READ_PARQUET(…)", r"(?i)\bread_(parquet|csv|csv_auto|json)\s*\(", "a table with a definition"),
    mark("DuckDB", "* EXCLUDE", r"(?i)\*\s*exclude\s*\(", "the columns by name"),
    mark("DuckDB", "STRFTIME(…)", r"(?i)\bstr[fp]time\s*\(", "date_format(…) or to_timestamp(…)"),
    mark("DuckDB", "LIST_…(…)", r"(?i)\blist_(value|agg\w*|sort|filter|transform)\s*\(", "array(…) and its functions"),
    mark("DuckDB", "HUGEINT", r"(?i)\b(hugeint|ubigint|uinteger)\b", "DECIMAL(38,0) or BIGINT"),
    mark("Trino", "WITH ORDINALITY", r"(?i)\bwith\s+ordinality\b", "LATERAL VIEW posexplode(…)"),
    mark("Trino", "CROSS JOIN UNNEST", r"(?i)\bcross\s+join\s+unnest\s*\(", "LATERAL VIEW explode(…)"),
    mark("Trino", "APPROX_DISTINCT(…)", r"(?i)\bapprox_distinct\s*\(", "approx_count_distinct(…)"),
    mark("Trino", "DATE_PARSE(…)", r"(?i)\bdate_parse\s*\(", "to_timestamp(…)"),
    mark("Trino", "JSON_EXTRACT_SCALAR(…)", r"(?i)\bjson_extract_scalar\s*\(", "get_json_object(…)"),
    mark("Trino", "FROM_ISO8601_…(…)", r"(?i)\bfrom_iso8601_\w+\s*\(", "to_date(…) or to_timestamp(…)"),
    mark("Trino", "TRY(…)", r"(?i)\btry\s*\(", "try_cast(…), try_divide(…)"),
];

/// The patterns of [`MARKS`], in their order.
static PATTERNS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| MARKS.iter().map(|mark| constant_pattern(mark.pattern)).collect());

/// Most marks that a message shows.
const MOST_SHOWN: usize = 3;

/// What a notebook of Databricks begins with, which is Spark's SQL whatever else it shows.
const NOTEBOOK: &str = "-- Databricks notebook source";

/// Returns a message on the dialect of which a script shows the most marks; `None` if it shows none.
pub fn looks_like(text: &str) -> Option<String> {
    if text.trim_start().starts_with(NOTEBOOK) {
        return None;
    }
    let sql = without_words(text);
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for (Mark { dialect, shown, instead, .. }, pattern) in MARKS.iter().zip(PATTERNS.iter()) {
        let Some(at) = pattern.find(&sql) else { continue };
        let words = format!("{shown} in line {} ({instead} in Spark)", LineColumn::of(&sql, at.start()).line);
        match found.iter_mut().find(|(known, _)| known == dialect) {
            Some((_, marks)) => marks.push(words),
            None => found.push((dialect, vec![words])),
        }
    }
    let most = found.iter().map(|(_, marks)| marks.len()).max()?;
    let (dialect, marks) = found.iter().find(|(_, marks)| marks.len() == most)?;
    let shown = marks.iter().take(MOST_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let definitions = if *dialect == "Oracle" { "" } else { "definitions of tables are read as they are; " };
    Some(format!(
        "this looks like {dialect}: {shown}; of {dialect}, {definitions}scripts are read with `--dialect {}` where sqlglot \
         is installed",
        translated_as(dialect)
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
    use crate::code::functions;

    #[test]
    fn other_dialects_are_recognised_by_what_only_they_write() {
        let cases = [
            (
                "SELECT v:a::int, x::VARIANT\nFROM t QUALIFY 1 = 1",
                "Snowflake: ::VARIANT or ::NUMBER in line 1 (::STRING or ::DECIMAL in Spark), column:field in line 1",
            ),
            ("SELECT SAFE_CAST(a AS INT64) FROM `p.d.t`", "BigQuery: `project.dataset.table` in line 1"),
            (
                "SELECT DISTINCT ON (a) a, b->>'x' FROM t",
                "PostgreSQL: DISTINCT ON in line 1 (QUALIFY row_number() OVER (…) = 1 in Spark), ->>",
            ),
            (
                "SELECT TOP 5 [a] FROM dbo.t WHERE d < GETDATE()",
                "T-SQL: [name] in line 1 (`name` in Spark), TOP n in line 1",
            ),
            ("SELECT * EXCLUDE (a) FROM read_parquet('x')", "DuckDB"),
            ("SELECT approx_distinct(a) FROM t CROSS JOIN UNNEST(b)", "Trino"),
            ("SELECT GROUP_CONCAT(a) FROM t", "MySQL"),
            (
                "SELECT a FROM t WHERE ROWNUM < 3 AND d > SYSDATE",
                "Oracle: ROWNUM in line 1 (LIMIT or row_number() in Spark), SYSDATE",
            ),
            ("UNLOAD ('SELECT 1') TO 's3://x'", "Redshift"),
        ];
        for (sql, words) in cases {
            let told = looks_like(sql).unwrap_or_default();
            assert!(told.starts_with(&format!("this looks like {words}")), "{sql}: {told}");
        }
        for (sql, way_out) in [
            ("SELECT IFF(a, b, c) FROM t", "`--dialect snowflake`"),
            ("SELECT TOP 5 a FROM t", "`--dialect tsql`"),
            ("SELECT DISTINCT ON (a) a FROM t", "`--dialect postgres`"),
        ] {
            assert!(looks_like(sql).unwrap_or_default().contains(way_out), "{sql}");
        }
        for own in [
            "SELECT a, '::VARIANT' FROM t -- FLATTEN(input",
            "SELECT to_char(a, '9'), try_to_date(b), ifnull(c, d), e::numeric, f[g].h FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
            "SELECT parse_json(a), listagg(b), nvl2(c, d, e), string_agg(f, ',') FROM t",
        ] {
            assert_eq!(looks_like(own), None, "{own}");
        }
    }

    #[test]
    fn no_mark_is_a_function_of_spark() {
        for Mark { shown, .. } in MARKS {
            let Some((name, "…)" | ")")) = shown.split_once('(') else { continue };
            assert!(functions::lookup(&name.to_lowercase()).is_none(), "{shown}");
        }
    }
}
