//! DDL of other dialects, read by `sqlparser`.

use regex::Regex;
use sqlparser::ast::{ColumnOption, CreateTable, Statement};
use sqlparser::dialect::{
    BigQueryDialect, Dialect, DuckDbDialect, GenericDialect, MsSqlDialect, MySqlDialect, PostgreSqlDialect,
    RedshiftSqlDialect, SnowflakeDialect,
};
use sqlparser::parser::Parser;

use super::defined_tables::Definitions;
use super::foreign_type::mapped;
use crate::code::Words;
use crate::code::schema::{TableColumn, TableDefinition};
use crate::code::types::Type;

const REDSHIFT: &str = "Redshift";

/// The dialects in the order in which they are tried; the most permissive, which stands for Trino, comes last.
fn dialects() -> [(&'static str, Box<dyn Dialect>); 8] {
    [
        ("PostgreSQL", Box::new(PostgreSqlDialect {})),
        ("Snowflake", Box::new(SnowflakeDialect {})),
        ("BigQuery", Box::new(BigQueryDialect {})),
        ("T-SQL", Box::new(MsSqlDialect {})),
        ("MySQL", Box::new(MySqlDialect {})),
        (REDSHIFT, Box::new(RedshiftSqlDialect {})),
        ("DuckDB", Box::new(DuckDbDialect {})),
        ("Trino", Box::new(GenericDialect {})),
    ]
}

/// What only one of them writes, where an earlier one would read it as something else.
const SIGNS: [(&str, &str); 3] = [
    ("DuckDB", r"(?i)\b(?:hugeint|uhugeint|ubigint|uinteger)\b|\b(?:struct|map|union)\s*\("),
    ("MySQL", r"(?i)\bauto_increment\b|\bengine\s*=|(?m)^\s*(?:unique\s+|fulltext\s+)?key\s+`"),
    ("Trino", r"(?i)\brow\s*\(|\bwith\s*\(\s*\w+\s*="),
];

/// Returns the dialects in the order in which they are tried on a statement: those whose signs it shows come first.
fn dialects_for(statement: &str) -> Vec<(&'static str, Box<dyn Dialect>)> {
    let shows = |name: &str| {
        let mut signs = SIGNS.iter().filter(|(dialect, _)| *dialect == name);
        signs.any(|(_, sign)| Regex::new(sign).is_ok_and(|sign| sign.is_match(statement)))
    };
    let mut all: Vec<_> = dialects().into();
    all.sort_by_key(|(name, _)| !shows(name));
    all
}

/// Adds the table that a `CREATE TABLE` of another dialect defines and returns the dialect's name; `None` if no dialect
/// reads it.
pub(super) fn add_table(definitions: &mut Definitions, statement: &str) -> Option<&'static str> {
    let read =
        |(name, dialect): &(&'static str, Box<dyn Dialect>)| Some((*name, create_table(dialect.as_ref(), statement)?));
    let found = dialects_for(statement).iter().find_map(read);
    let (dialect, table) = match found {
        Some(found) => found,
        // sqlparser does not read Redshift's clauses for compression and distribution.
        None => match create_table(&RedshiftSqlDialect {}, &without_storage(statement)) {
            Some(table) => (REDSHIFT, table),
            // Nor Trino's rows and properties.
            None => match create_table(&DuckDbDialect {}, &in_duckdb_words(statement)) {
                Some(table) => ("Trino", table),
                // Nor T-SQL's options of indexes.
                None => ("T-SQL", create_table(&MsSqlDialect {}, &without_index_options(statement))?),
            },
        },
    };
    let definition = definition(definitions, &table);
    definitions.add_table(definition);
    Some(dialect)
}

fn create_table(dialect: &dyn Dialect, statement: &str) -> Option<CreateTable> {
    match Parser::parse_sql(dialect, statement).ok()?.pop() {
        Some(Statement::CreateTable(table)) if !table.columns.is_empty() => Some(table),
        _ => None,
    }
}

/// Returns a definition without Redshift's `ENCODE`, `IDENTITY`, `DISTKEY`, `SORTKEY` and `DISTSTYLE`.
fn without_storage(statement: &str) -> String {
    const STORAGE: &str = r"(?i)\bencode\s+\w+|\bidentity\s*\([^()]*\)|\bdiststyle\s+\w+|\b(?:compound\s+|interleaved\s+)?(?:distkey|sortkey)\b(?:\s*\([^()]*\))?";
    Regex::new(STORAGE).map_or_else(|_| statement.to_owned(), |storage| storage.replace_all(statement, "").into_owned())
}

/// Returns a definition of Trino's with `STRUCT` for `ROW`, and without its properties.
fn in_duckdb_words(statement: &str) -> String {
    const RULES: [(&str, &str); 2] = [(r"(?i)\brow\s*\(", "STRUCT("), (r"(?is)\)\s*with\s*\(.*$", ")")];
    let replaced = |text: String, (pattern, by): &(&str, &str)| {
        Regex::new(pattern).map_or_else(|_| text.clone(), |pattern| pattern.replace_all(&text, *by).into_owned())
    };
    with_brackets_behind(RULES.iter().fold(statement.to_owned(), replaced))
}

/// Returns a definition with `x[]` for each `array(x)`.
fn with_brackets_behind(mut text: String) -> String {
    loop {
        let words = Words::of(&text);
        let array = (0..words.count()).rev().find(|at| words.are(*at, "array ("));
        let Some((array, close)) = array.and_then(|array| Some((array, words.closing(array + 1)?))) else { break };
        let (start, open, close) = (words.span(array).start, words.span(array + 1).end, words.span(close));
        let brackets = format!("{}[]", &text[open..close.start]);
        text.replace_range(start..close.end, &brackets);
    }
    text
}

/// Returns a definition of T-SQL's without where and how tables and indexes are stored.
fn without_index_options(statement: &str) -> String {
    const OPTIONS: &str =
        r"(?i)\b(?:non)?clustered\b|\bwith\s*\([^()]*\)|\b(?:textimage_)?on\s+\[\w+\]|\basc\b|\bdesc\b";
    Regex::new(OPTIONS).map_or_else(|_| statement.to_owned(), |options| options.replace_all(statement, "").into_owned())
}

fn definition(definitions: &mut Definitions, table: &CreateTable) -> TableDefinition {
    let path = table.name.to_string().replace(['"', '`', '[', ']'], "").to_lowercase();
    let name = super::defined_tables::last_two(&path);
    let columns = table.columns.iter().map(|column| {
        let written = column.data_type.to_string();
        let column_name = column.name.value.to_lowercase();
        let known = mapped(&written);
        match &known {
            None => definitions.note(format!("{name}.{column_name}: the type {written} is read as STRING")),
            Some(mapped) => definitions.note_loss(&name, &column_name, &written, mapped.loss),
        }
        let options = || column.options.iter().map(|option| &option.option);
        let required = |option: &ColumnOption| {
            *option == ColumnOption::NotNull || option.to_string().to_uppercase().starts_with("PRIMARY KEY")
        };
        let comment = options().find_map(|option| match option {
            ColumnOption::Comment(comment) => Some(comment.clone()),
            _ => None,
        });
        TableColumn {
            name: column_name,
            data_type: known.map_or(Type::String, |mapped| mapped.data_type),
            nullable: !options().any(required),
            partition: false,
            comment: comment.unwrap_or_default(),
            own_value: false,
        }
    });
    let columns = columns.collect();
    TableDefinition { name, columns, comment: String::new() }
}
