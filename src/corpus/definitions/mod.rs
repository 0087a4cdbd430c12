//! Table definitions from wherever users have them: Hive and Spark DDL, `SHOW CREATE TABLE` output, DDL of other
//! dialects, an `information_schema.columns` CSV, dbt's `manifest.json` or `catalog.json`.

mod foreign_type;
mod own_tables;
mod defined_tables;
mod alteration;
mod copied_table;
mod defined_by_query;
#[cfg(feature = "cli")]
mod dialects;
mod listing;

pub use defined_tables::Definitions;
pub(super) use own_tables::{created_table, dropped_table, has_rows_elsewhere, is_filled, loaded_table, own_tables};

use std::path::Path;

use self::alteration::Alteration;
use self::copied_table::CopiedTable;
use super::notebook::with_cells_as_statements;
use super::platform_statements::with_semicolons_for_go;
use crate::code::Words;
use crate::code::parameters::Parameters;
use crate::code::schema::{Schema, SchemaError, SchemaErrorKind, used_database};
use crate::code::script::Script;
use crate::code::span::{LineColumn, Span};
use crate::code::token::tokenize;
use crate::code::tree::Kind;
use defined_tables::last_two;

/// Why definitions of tables cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", .place.map_or_else(|| " ".to_owned(), |place| format!("{place}: ")))]
pub struct DefinitionError {
    /// Where the definition begins; `None` for CSV and JSON.
    pub place: Option<LineColumn>,
    /// What is wrong.
    pub message: String,
}

impl Definitions {
    /// Adds the definitions in a file's text; the extension of `path` tells CSV and JSON from DDL.
    ///
    /// # Errors
    ///
    /// If no reader accepts a definition; the error is about the first. The others are added.
    pub fn add(&mut self, path: &Path, text: &str, parameters: &Parameters) -> Result<(), DefinitionError> {
        let unplaced = |message| DefinitionError { place: None, message };
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("csv" | "tsv") => listing::add_csv(self, text).map_err(unplaced),
            Some("json") => listing::add_dbt(self, text).map_err(unplaced),
            _ => self.add_ddl(text, parameters),
        }
    }

    fn add_ddl(&mut self, text: &str, parameters: &Parameters) -> Result<(), DefinitionError> {
        let text = with_cells_as_statements(&without_frame(text));
        // Scripts of definitions give names to databases as other scripts do.
        let parameters = parameters.with_assignments(&Script::new(text.as_str()));
        let mut database = String::new();
        let mut first_error = Ok(());
        for span in statements(&text) {
            let statement = span.of(&text);
            if let Some(used) = used_database(statement) {
                database = used;
            }
            let bound = || parameters.bind(statement).unwrap_or_else(|_| statement.to_owned());
            let prefix = if database.is_empty() { String::new() } else { format!("USE {database};\n") };
            let added = if let Some(alteration) = Alteration::of(&bound()) {
                self.alter(alteration, &database)
            } else if let Some(copied) = CopiedTable::of(&bound()) {
                self.copy(copied, &database)
            } else if defines_a_table(statement) {
                self.add_definition(&bound(), &prefix)
            } else {
                self.add_defined_by_query(&bound(), &database);
                Ok(())
            };
            let placed = |message| DefinitionError { place: Some(LineColumn::of(&text, span.start)), message };
            first_error = first_error.and(added.map_err(placed));
        }
        self.add_waiting();
        first_error
    }

    /// Adds the table that a `CREATE TABLE` defines; `prefix` sets the database.
    fn add_definition(&mut self, statement: &str, prefix: &str) -> Result<(), String> {
        match Schema::read(&format!("{prefix}{statement}")) {
            Ok(schema) => schema.tables.iter().for_each(|table| self.add_table(table.clone())),
            Err(SchemaError { kind: SchemaErrorKind::TooManyColumns(table), .. }) => self.leave_out(last_two(&table)),
            Err(error) => self
                .add_foreign(statement)
                .map_err(|()| format!("no dialect reads this definition; as Hive's or Spark's: {}", error.kind))?,
        }
        Ok(())
    }

    /// Adds a table whose definition is neither Hive's nor Spark's; an error if no other dialect reads it.
    #[cfg(feature = "cli")]
    fn add_foreign(&mut self, statement: &str) -> Result<(), ()> {
        let dialect = dialects::add_table(self, statement).ok_or(())?;
        self.note(format!("definitions that are not Hive's or Spark's are read in the dialect of {dialect}"));
        Ok(())
    }

    #[cfg(not(feature = "cli"))]
    fn add_foreign(&mut self, _: &str) -> Result<(), ()> {
        Err(())
    }
}

/// Whether a text changes the columns of a table after its definition.
pub(super) fn alters_a_table(text: &str) -> bool {
    statements(text).into_iter().any(|span| Alteration::of(span.of(text)).is_some())
}

/// Returns the output of `SHOW CREATE TABLE` without the frame that shells print, with a semicolon between its tables,
/// and in place of T-SQL's `GO`.
fn without_frame(text: &str) -> String {
    let framed = text.lines().any(|line| line.starts_with("+--"));
    let header = |line: &str| {
        let line = line.to_lowercase();
        ["createtab_stmt", "create table", "create table statement", "ok"].contains(&line.as_str())
            || line.starts_with("time taken:")
    };
    let mut bare = String::with_capacity(text.len());
    for line in with_semicolons_for_go(text).lines() {
        let inner = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|')).filter(|_| framed);
        let line = inner.map_or(line, str::trim_end);
        let begins = line.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("CREATE"));
        let starts_anew = begins && !bare.trim_end().ends_with(';') && bare.contains('(');
        if line.starts_with("+--") || header(line.trim()) {
            bare.push('\n');
            continue;
        }
        bare.push_str(if starts_anew && is_balanced(&bare) { ";" } else { "" });
        bare.push_str(line);
        bare.push('\n');
    }
    bare
}

/// Whether there are as many closing parentheses as opening ones.
fn is_balanced(text: &str) -> bool {
    let tokens = tokenize(text);
    let count = |symbol: &str| tokens.iter().filter(|token| token.span().of(text) == symbol).count();
    count("(") == count(")")
}

/// Returns the spans of the statements of a text, without their semicolons.
fn statements(text: &str) -> Vec<Span> {
    Words::of(text).statement_spans().collect()
}

/// Whether a statement is a `CREATE TABLE` with columns.
fn defines_a_table(statement: &str) -> bool {
    let words = statement.split(|c: char| c.is_whitespace() || c == '(').filter(|word| !word.is_empty()).take(6);
    let words: Vec<String> = words.map(str::to_uppercase).collect();
    let creates = words.first().is_some_and(|word| word == "CREATE") && words.iter().any(|word| word == "TABLE");
    creates
        && Schema::read(statement).map_or(statement.contains('('), |schema| !schema.tables.is_empty())
        && !is_filled_by_a_query(statement)
}

/// Whether a statement is `CREATE TABLE … AS SELECT` without column definitions: then it is part of a script. It is
/// known by its words, as its query may be of any dialect.
pub(super) fn is_filled_by_a_query(statement: &str) -> bool {
    let script = Script::new(statement);
    let tree = script.tree();
    if tree.descendants(tree.root()).any(|node| tree.kind(node) == Kind::ColumnDefinition) {
        return false;
    }
    let words = Words::of(statement);
    let mut depth = 0_usize;
    (0..words.count()).any(|at| {
        match words.at(at) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let begins_a_query =
            ["SELECT", "WITH", "FROM", "VALUES", "TABLE", "("].iter().any(|word| words.is(at + 1, word));
        depth == 0 && words.is(at, "AS") && begins_a_query
    })
}

/// Whether a text makes a table or view by a query.
pub(super) fn makes_tables_by_queries(text: &str) -> bool {
    let text = with_cells_as_statements(&without_frame(text));
    let makes = |statement: &str| {
        let words = Words::of(statement);
        let is_view = (1..6).any(|at| words.is(at, "VIEW"));
        words.is(0, "CREATE") && (is_view || is_filled_by_a_query(statement))
    };
    statements(&text).into_iter().any(|span| makes(span.of(&text)))
}

#[cfg(test)]
mod tests;
