//! Scripts as other tools and platforms write them: their placeholders, templates and quoted names.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::change_feeds::with_tables_for_change_feeds;
use super::column_patterns::with_exceptions;
use super::declared_tables::with_created_tables;
use super::file_tables::with_tables_for_files;
use super::functions_of_databases::without_databases_of_functions;
use super::glances::{without_glances, without_idle_truncates};
use super::global_views::with_session_views;
use super::hive_forms::{with_calendar_years, with_plain_doubles};
use super::hive_windows::{with_sizes_for_distinct_counts, without_ranking_frames};
use super::insert_by_name::with_listed_columns;
use super::line_comments::with_usual_comments;
use super::notebook::with_cells_as_statements;
use super::platform_statements::{in_usual_statements, with_semicolons_for_go};
use super::quoted_names::{with_back_quotes, with_plain_data_sets};
use super::session_variables::with_values_of_variables;
use super::several_groupings::with_single_groupings;
use super::usual_placeholders::{with_given_formats, with_usual_placeholders};
use crate::code::constant_pattern;
use crate::code::parameters::Parameters;

/// One step of reading a script in the words of Hive and Spark.
struct ReadingStep {
    rewrite: fn(&str) -> String,
    /// What becomes what, as messages say it.
    what: &'static str,
}

const PLACEHOLDERS: &str = "placeholders become ${name}, and templates what they give";

const STEPS: [ReadingStep; 23] = [
    ReadingStep {
        rewrite: with_cells_as_statements,
        what: "cells end with a semicolon, and those in other languages become comments",
    },
    ReadingStep {
        rewrite: with_usual_comments,
        what: "lines that begin with # become comments, and commands behind !, as Beeline reads them",
    },
    ReadingStep { rewrite: with_semicolons_for_go, what: "GO between statements becomes a semicolon" },
    ReadingStep {
        rewrite: with_created_tables,
        what: "tables that a pipeline declares are made by their queries, without the rows that a constraint drops",
    },
    ReadingStep {
        rewrite: in_usual_statements,
        what: "widgets become settings, materialized views become views, and indexes become comments",
    },
    ReadingStep { rewrite: with_tables_for_files, what: "files that are read become tables" },
    ReadingStep { rewrite: without_identifier_clauses, what: "IDENTIFIER(…) becomes the name that it stands for" },
    ReadingStep {
        rewrite: with_single_groupings,
        what: "GROUPING of several columns becomes the number that their bits make",
    },
    ReadingStep {
        rewrite: with_calendar_years,
        what: "YYYY in patterns of dates, the year of the week, which Spark refuses, becomes yyyy",
    },
    ReadingStep { rewrite: with_plain_doubles, what: "DOUBLE PRECISION, which Hive takes, becomes DOUBLE" },
    ReadingStep {
        rewrite: without_ranking_frames,
        what: "frames of the whole partition, which Hive takes of functions that rank, are left out",
    },
    ReadingStep {
        rewrite: with_sizes_for_distinct_counts,
        what: "count(DISTINCT x) OVER, which Hive takes, becomes size(collect_set(x) OVER …)",
    },
    ReadingStep { rewrite: with_exceptions, what: "`(a|b)?+.+` for all other columns becomes * EXCEPT (a, b)" },
    ReadingStep { rewrite: with_back_quotes, what: "names in double quotes get back quotes" },
    ReadingStep { rewrite: with_plain_data_sets, what: "names of data sets with dots become one word" },
    ReadingStep { rewrite: with_usual_placeholders, what: PLACEHOLDERS },
    ReadingStep { rewrite: with_values_of_variables, what: "session variables become their values" },
    ReadingStep { rewrite: with_tables_for_change_feeds, what: "change feeds of tables become tables" },
    ReadingStep { rewrite: with_session_views, what: "global temporary views become temporary views" },
    ReadingStep { rewrite: without_databases_of_functions, what: "functions lose the names of their databases" },
    ReadingStep { rewrite: with_listed_columns, what: "INSERT … BY NAME lists its columns" },
    ReadingStep { rewrite: without_idle_truncates, what: "TRUNCATE of tables that are dropped becomes a comment" },
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

/// Returns a script in which `IDENTIFIER('a.' || :b)` is the name that it stands for; what is joined must be texts and
/// placeholders.
pub(super) fn without_identifier_clauses(text: &str) -> String {
    static CLAUSE: LazyLock<Regex> = LazyLock::new(|| {
        let part = r#"(?:'[^']*'|"[^"]*"|\$\{[^}]+\}|\{\{[^}]+\}\}|:\w+)"#;
        let joined = format!(r"{part}(?:\s*\|\|\s*{part})*|CONCAT\s*\(\s*{part}(?:\s*,\s*{part})*\s*\)");
        constant_pattern(&format!(r"(?i)\bIDENTIFIER\s*\(\s*({joined})\s*\)"))
    });
    static PART: LazyLock<Regex> =
        LazyLock::new(|| constant_pattern(r#"'([^']*)'|"([^"]*)"|(\$\{[^}]+\}|\{\{[^}]+\}\})|:(\w+)"#));
    let joined = |found: &Captures<'_>| {
        let written = |part: Captures<'_>| match part.get(4) {
            Some(parameter) => Some(format!("${{{}}}", parameter.as_str())),
            None => part.iter().skip(1).flatten().next().map(|part| part.as_str().to_owned()),
        };
        PART.captures_iter(&found[1]).filter_map(written).collect::<String>()
    };
    CLAUSE.replace_all(text, joined).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_at_rows_are_told_as_what_was_rewritten() {
        let usual = UsualScript::of("INSERT INTO o SELECT a FROM {t}; SELECT * FROM o LIMIT 5", &Parameters::default());
        assert_eq!(usual.text, "INSERT INTO o SELECT a FROM ${t}; -- SELECT * FROM o LIMIT 5");
        let looks = STEPS.last().map_or("", |step| step.what);
        assert_eq!(usual.rewritten, [PLACEHOLDERS, looks]);
    }

    #[test]
    fn a_format_within_texts_alone_is_told_by_the_values_given() {
        let written = "SELECT '{a}-{b}', '{{a}}', '${a}' FROM t WHERE d > 'x{a}'";
        let usual = UsualScript::of(written, &Parameters::from_iter([("a", "1")]));
        assert_eq!(usual.text, "SELECT '${a}-{b}', '{{a}}', '${a}' FROM t WHERE d > 'x${a}'");
        assert_eq!(usual.rewritten, [PLACEHOLDERS]);
        assert_eq!(in_usual_words(written, &Parameters::default()), written);
    }

    #[test]
    fn identifier_clauses_become_the_names_that_they_stand_for() {
        for (written, read) in [
            ("USE IDENTIFIER(:c || '.' || :s || '_x')", "USE ${c}.${s}_x"),
            ("FROM IDENTIFIER({{ c }} || '.' || {{s}} || '.t')", "FROM {{ c }}.{{s}}.t"),
            ("FROM identifier('db.t') AS t, IDENTIFIER(\"u\")", "FROM db.t AS t, u"),
            ("USE IDENTIFIER(CONCAT('${c}','.', :s))", "USE ${c}.${s}"),
            ("FROM IDENTIFIER(lower('T'))", "FROM IDENTIFIER(lower('T'))"),
        ] {
            assert_eq!(in_usual_words(written, &Parameters::default()), read);
        }
    }
}
