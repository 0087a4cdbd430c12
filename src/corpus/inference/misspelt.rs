//! Names that look like another one misspelt: they are slips of the pen, and no columns or tables of their own.

use super::open_column::OpenColumn;
use crate::code::schema::{Schema, TableDefinition};

/// Whether a table has a column whose name is this one misspelt.
pub(super) fn resembles(table: &TableDefinition, name: &str) -> bool {
    table.columns.iter().any(|column| is_near(&column.name, name))
}

/// Whether two names differ by one or two letters; digits, and a word such as `_y` at the end, tell siblings apart.
pub(super) fn is_near(left: &str, right: &str) -> bool {
    let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let is_sibling = |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.starts_with('_'));
    let is_code = |one: &str, other: &str| {
        let is_short = one.len() < 3 && one.len() == other.len();
        is_short || one.contains(|c: char| c.is_ascii_digit())
    };
    let words = |name: &str| name.split('_').count();
    let mut differing = left.split('_').zip(right.split('_')).filter(|(one, other)| one != other);
    // `plan_3a` and `plan_3b`, `t` and `s` are called by codes.
    let by_codes = words(left) == words(right) && differing.all(|(one, other)| is_code(one, other));
    let most = if left.len().min(right.len()) < 6 { 1 } else { 2 };
    left != right
        && letters(left) != letters(right)
        && !is_sibling(left, right)
        && !is_sibling(right, left)
        && !by_codes
        && strsim::osa_distance(left, right) <= most
}

/// Whether a name is that of a defined table but misspelt.
pub(super) fn is_misspelt(table: &str, schema: &Schema) -> bool {
    let short = table.rsplit('.').next().unwrap_or(table);
    schema.tables.iter().any(|known| is_near(known.short_name(), short))
}

/// Leaves out tables that look like a misspelt name of a defined one with the same columns: the script is wrong then.
pub(super) fn without_misspelt(found: Vec<OpenColumn>, schema: &Schema) -> Vec<OpenColumn> {
    let fits = |table: &str, known: &TableDefinition| {
        let short = table.rsplit('.').next().unwrap_or(table);
        let mut columns = found.iter().filter(|column| column.table == table);
        is_near(known.short_name(), short) && columns.all(|column| known.position(&column.column).is_some())
    };
    let misspelt: Vec<String> = found
        .iter()
        .map(|column| column.table.clone())
        .filter(|table| schema.tables.iter().any(|known| fits(table, known)))
        .collect();
    found.into_iter().filter(|column| !misspelt.contains(&column.table)).collect()
}
