//! Plain text with tables: cells that a template parts by tabs stand below each other.

use std::fmt::Write as _;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use super::error::PageError;

/// Fills a template of plain text, each value through `escape`, and lines up its tables: lines with tabs that follow each
/// other are one, the first of them its head.
///
/// # Errors
///
/// If the template, which is built into the program, is broken.
pub fn plain(
    template: &'static str,
    view: &impl Serialize,
    escape: impl Fn(&str) -> String + Sync + Send + 'static,
) -> Result<String, PageError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(syntax()?);
    environment.set_formatter(move |out, _, value| {
        write!(out, "{}", escape(&value.to_string())).map_err(minijinja::Error::from)
    });
    Ok(lined_up(&environment.render_str(template, Serde(view))?))
}

/// A line that holds a block of the template alone leaves no line.
fn syntax() -> Result<SyntaxConfig, minijinja::Error> {
    SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()
}

/// Lines up the tables of a text.
fn lined_up(text: &str) -> String {
    let mut shown = String::new();
    let mut table: Vec<Vec<&str>> = Vec::new();
    for line in text.lines().chain([""]) {
        if line.contains('\t') {
            table.push(line.split('\t').collect());
            continue;
        }
        write_table(&table, &mut shown);
        table.clear();
        shown.push_str(line);
        shown.push('\n');
    }
    shown.pop();
    shown
}

/// The widest column that is lined up: no terminal is wider, and a width of 65,536 cannot be written.
const WIDEST: usize = 200;

fn write_table(table: &[Vec<&str>], shown: &mut String) {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| table.iter().filter_map(move |row| row.get(column));
    let widths: Vec<usize> = (0..columns)
        .map(|column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0).min(WIDEST))
        .collect();
    let are_numbers: Vec<bool> = (0..columns).map(|column| cells(column).skip(1).all(|cell| is_number(cell))).collect();
    for row in table {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            // Writing to a string cannot fail.
            let _ =
                if are_numbers[column] { write!(line, "{cell:>width$}  ") } else { write!(line, "{cell:<width$}  ") };
        }
        shown.push_str(line.trim_end());
        shown.push('\n');
    }
}

fn is_number(cell: &str) -> bool {
    cell.is_empty() || cell.starts_with(|letter: char| letter.is_ascii_digit() || letter == '–')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_below_each_other_and_values_are_escaped() {
        let template = "Head\n{% for row in rows %}\n  {{ row[0] }}\t{{ row[1] }}\t{{ row[2] }}\n{% endfor %}\nEnd\n";
        let rows = [["name", "n", "words"], ["long name", "5", "x"], ["b\u{7}", "1234", "other words"]];
        let said = plain(template, &serde_json::json!({ "rows": rows }), |text| text.replace('\u{7}', "?")).unwrap();
        let long = "x".repeat(70_000);
        let rows = [["name", "n", "words"], [&long, "5", "x"]];
        assert!(plain(template, &serde_json::json!({ "rows": rows }), str::to_owned).unwrap().contains(&long));
        assert_eq!(said, "Head\n  name          n  words\n  long name     5  x\n  b?         1234  other words\nEnd\n");
    }
}
