//! DDL of other dialects, read by `sqlparser`.

use std::sync::LazyLock;

use regex::Regex;
use sqlparser::ast::{ColumnOption, CreateTable, Statement};
use sqlparser::dialect::{
    BigQueryDialect, ClickHouseDialect, Dialect, DuckDbDialect, GenericDialect, MsSqlDialect, MySqlDialect,
    OracleDialect, PostgreSqlDialect, RedshiftSqlDialect, SnowflakeDialect,
};
use sqlparser::parser::Parser;

use super::defined_tables::Definitions;
use super::foreign_type::mapped;
use crate::code::schema::{TableColumn, TableDefinition};
use crate::code::types::Type;
use crate::code::{Words, constant_pattern};

/// A platform whose `CREATE TABLE` is read.
struct Platform {
    name: &'static str,
    dialect: fn() -> Box<dyn Dialect>,
    /// What only this platform writes, where another would read it as something else: a regular expression.
    sign: Option<&'static str>,
    /// Takes out of a definition what `sqlparser` does not read.
    readable: Option<fn(&str) -> String>,
}

const fn platform(name: &'static str, dialect: fn() -> Box<dyn Dialect>) -> Platform {
    Platform { name, dialect, sign: None, readable: None }
}

/// The platforms in the order in which they are tried; the most permissive dialect, which stands for Trino, comes last.
const PLATFORMS: [Platform; 10] = [
    platform("PostgreSQL", || Box::new(PostgreSqlDialect {})),
    platform("Snowflake", || Box::new(SnowflakeDialect {})),
    platform("BigQuery", || Box::new(BigQueryDialect {})),
    Platform { readable: Some(without_index_options), ..platform("T-SQL", || Box::new(MsSqlDialect {})) },
    Platform {
        sign: Some(
            r"(?i)\bauto_increment\b|\bengine\s*=\s*(?:innodb|myisam|memory|archive|aria|csv)\b|(?m)^\s*(?:unique\s+|fulltext\s+)?key\s+`",
        ),
        ..platform("MySQL", || Box::new(MySqlDialect {}))
    },
    Platform {
        sign: Some(r"(?i)\b(?:encode\s+\w+|dist(?:key|style)|sortkey)\b"),
        readable: Some(without_storage),
        ..platform("Redshift", || Box::new(RedshiftSqlDialect {}))
    },
    Platform {
        sign: Some(r"(?i)\b(?:hugeint|uhugeint|ubigint|uinteger)\b|\b(?:struct|map|union)\s*\("),
        ..platform("DuckDB", || Box::new(DuckDbDialect {}))
    },
    Platform {
        sign: Some(r"(?i)\bengine\s*=\s*\w*(?:mergetree|log)\b|\b(?:lowcardinality|nullable|fixedstring)\s*\("),
        ..platform("ClickHouse", || Box::new(ClickHouseDialect {}))
    },
    Platform {
        sign: Some(r"(?i)\bn?varchar2\s*\("),
        readable: Some(without_tablespace),
        ..platform("Oracle", || Box::new(OracleDialect {}))
    },
    Platform {
        sign: Some(r"(?i)\brow\s*\(|\bwith\s*\(\s*\w+\s*="),
        readable: Some(in_duckdb_words),
        ..platform("Trino", || Box::new(GenericDialect {}))
    },
];

/// The signs of those platforms that have one.
static SIGNS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let sign = |platform: &Platform| Some((platform.name, constant_pattern(platform.sign?)));
    PLATFORMS.iter().filter_map(sign).collect()
});

impl Platform {
    fn shows_in(&self, statement: &str) -> bool {
        SIGNS.iter().any(|(name, sign)| *name == self.name && sign.is_match(statement))
    }

    /// Returns the table that a statement defines on this platform; `None` if it does not read it.
    fn table(&self, statement: &str) -> Option<CreateTable> {
        create_table((self.dialect)().as_ref(), statement)
    }

    /// The same without what `sqlparser` does not read, in this dialect or in DuckDB's, which knows nested types.
    fn table_in_other_words(&self, statement: &str) -> Option<CreateTable> {
        let readable = self.readable?(statement);
        self.table(&readable).or_else(|| create_table(&DuckDbDialect {}, &readable))
    }
}

/// Adds the table that a `CREATE TABLE` of another platform defines and returns the platform's name; `None` if none
/// reads it. Platforms whose signs a statement shows are tried first, and in every way.
pub(super) fn add_table(definitions: &mut Definitions, statement: &str) -> Option<&'static str> {
    let (signed, others): (Vec<&Platform>, Vec<&Platform>) =
        PLATFORMS.iter().partition(|platform| platform.shows_in(statement));
    let as_written = |platform: &&Platform| Some((platform.name, platform.table(statement)?));
    let in_other_words = |platform: &&Platform| Some((platform.name, platform.table_in_other_words(statement)?));
    let by_sign = signed.iter().find_map(|platform| as_written(platform).or_else(|| in_other_words(platform)));
    let found = by_sign.or_else(|| others.iter().find_map(as_written));
    let (name, table) = found.or_else(|| others.iter().find_map(in_other_words))?;
    let definition = definition(definitions, &table);
    definitions.add_table(definition);
    Some(name)
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
    replaced(statement, &[(STORAGE, "")])
}

/// Returns a definition of T-SQL's without where and how tables and indexes are stored.
fn without_index_options(statement: &str) -> String {
    const OPTIONS: &str =
        r"(?i)\b(?:non)?clustered\b|\bwith\s*\([^()]*\)|\b(?:textimage_)?on\s+\[\w+\]|\basc\b|\bdesc\b";
    replaced(statement, &[(OPTIONS, "")])
}

/// Returns a definition of Oracle's with lengths that do not say of what, and without how it is stored.
fn without_tablespace(statement: &str) -> String {
    const LENGTH: &str = r"(?i)\s+(?:byte|char)\s*\)";
    const STORAGE: &str = r"(?is)\b(?:segment\s+creation|pctfree|tablespace|storage\s*\(|nologging)\b.*$";
    replaced(statement, &[(LENGTH, ")"), (STORAGE, "")])
}

/// Returns a definition of Trino's with `STRUCT` for `ROW`, and without its properties.
fn in_duckdb_words(statement: &str) -> String {
    const ROW: &str = r"(?i)\brow\s*\(";
    const PROPERTIES: &str = r"(?is)\)\s*with\s*\(.*$";
    with_brackets_behind(replaced(statement, &[(ROW, "STRUCT("), (PROPERTIES, ")")]))
}

/// Replaces what each pattern finds by the text beside it, one pattern after the other.
fn replaced(statement: &str, rules: &[(&str, &str)]) -> String {
    rules.iter().fold(statement.to_owned(), |text, (pattern, replacement)| {
        constant_pattern(pattern).replace_all(&text, *replacement).into_owned()
    })
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
