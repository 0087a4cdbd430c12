//! Notebooks as Databricks exports them: their cells are statements.

use crate::code::token::{Token, tokenize};

/// What stands between two cells.
const CELL_END: &str = "-- COMMAND ----------";

/// Returns a notebook with a semicolon behind each cell, where its author could leave it out, and with what is no SQL as
/// comments: the names of languages, as `%sql`, and cells in others. Any other text comes back as it is.
pub(super) fn with_cells_as_statements(text: &str) -> String {
    let mut cells: Vec<String> = text.split(CELL_END).map(str::to_owned).collect();
    let last = cells.len() - 1;
    if last == 0 {
        return with_commented_interpreter(text);
    }
    for cell in &mut cells {
        match language(cell) {
            Some("%sql") => *cell = cell.replacen("%sql", "-- %sql\n", 1),
            Some(_) => *cell = commented(cell),
            None => {}
        }
    }
    for cell in &mut cells[..last] {
        let tokens = tokenize(cell);
        let words = tokens.iter().rfind(|token| !token.kind.is_trivia()).map(Token::span);
        if let Some(words) = words.filter(|words| words.of(cell) != ";") {
            cell.insert(words.end, ';');
        }
    }
    cells.join(CELL_END)
}

/// Returns a paragraph of a Zeppelin notebook with the name of its interpreter, as `%hive` in its first line, as a comment.
fn with_commented_interpreter(text: &str) -> String {
    const SQL: [&str; 6] = ["%hive", "%sql", "%spark.sql", "%jdbc(hive)", "%livy.sql", "%hive(default)"];
    match language(text).filter(|name| SQL.contains(name)) {
        Some(name) => text.replacen(name, &format!("-- {name}\n"), 1),
        None => text.to_owned(),
    }
}

/// Returns the word with which a cell names its language, as `%py`.
fn language(cell: &str) -> Option<&str> {
    let first = cell.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("--"))?;
    first.split_whitespace().next().filter(|word| word.starts_with('%'))
}

fn commented(cell: &str) -> String {
    let comment = |line: &str| match line.trim().is_empty() || line.trim_start().starts_with("--") {
        true => line.to_owned(),
        false => format!("-- {}", line.trim_start()),
    };
    cell.split('\n').map(comment).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_statements_and_other_languages_are_comments() {
        for (notebook, read) in [
            (
                "-- Databricks notebook source\n-- COMMAND ----------\nUSE a\n\n-- COMMAND ----------\n\nSELECT 1;\n-- COMMAND ----------\nSELECT 2",
                "-- Databricks notebook source\n-- COMMAND ----------\nUSE a;\n\n-- COMMAND ----------\n\nSELECT 1;\n-- COMMAND ----------\nSELECT 2",
            ),
            (
                "-- Databricks notebook source\n %py\n day = 1\n\n-- COMMAND ----------\nSELECT a % 2\n  %3 AS b",
                "-- Databricks notebook source\n-- %py\n-- day = 1\n\n-- COMMAND ----------\nSELECT a % 2\n  %3 AS b",
            ),
            (
                "SELECT 1\n-- COMMAND ----------\n\n%sql SELECT 2",
                "SELECT 1;\n-- COMMAND ----------\n\n-- %sql\n SELECT 2",
            ),
        ] {
            assert_eq!(with_cells_as_statements(notebook), read);
        }
        assert_eq!(with_cells_as_statements("%hive SELECT 1"), "-- %hive\n SELECT 1");
        let script = "SELECT a\n  %py AS b FROM t";
        assert_eq!(with_cells_as_statements(script), script);
    }
}
