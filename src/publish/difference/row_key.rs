//! Which columns of a result name its rows.

use std::collections::HashSet;

use super::normal_cell::{NormalCell, NormalRow, cells_of};
use crate::code::types::Type;
use crate::engine::table::ResultColumn;
use crate::publish::grain::Grain;
use crate::publish::vocabulary::is_identifier;

/// Most columns of a key that is a guess.
const LONGEST_KEY: usize = 3;
/// Words in the names of columns that hold identifiers.
pub(super) const IDENTIFIERS: [&str; 8] = ["id", "no", "nr", "nbr", "number", "key", "code", "cd"];

/// What makes columns the key of a result.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum KeyOrigin {
    /// They tell the rows at hand apart.
    Guessed,
    /// The rows are grouped by them.
    Grouped,
    /// They say what a row is about.
    Identity,
}

/// The columns that name a row, by their positions.
pub(super) struct RowKey {
    pub columns: Vec<usize>,
    /// Those of them that do not count or measure: a figure that comes out wrong makes no other row, unless it says what a
    /// row is about.
    pub names: Vec<usize>,
    pub origin: KeyOrigin,
}

impl RowKey {
    /// Takes the columns of the grain; where they do not make the rows unique, others that do.
    pub(super) fn of(columns: &[ResultColumn], rows: &[NormalRow], grain: Grain<'_>, digests: &[usize]) -> RowKey {
        let is_unique = |key: &Vec<usize>| keys(rows, key).len() == rows.len();
        let names = |key: &[usize]| key.iter().copied().filter(|at| !is_measure(&columns[*at].name)).collect();
        let Some(key) = grain_columns(columns, grain.columns).filter(is_unique) else {
            let key = guessed_key(columns, rows, digests);
            return RowKey { names: names(&key), columns: key, origin: KeyOrigin::Guessed };
        };
        if grain.is_identity {
            return RowKey { names: key.clone(), columns: key, origin: KeyOrigin::Identity };
        }
        // A figure by which rows are grouped beside what names them makes no other row.
        let names: Vec<usize> = names(&key);
        let columns = if !names.is_empty() && is_unique(&names) { names.clone() } else { key };
        RowKey { columns, names, origin: KeyOrigin::Grouped }
    }

    /// The keys of the rows, if they show which row has which name. What names the only row of a result by guess may be
    /// what other rows have as well.
    pub(super) fn unique_keys<'a>(&self, rows: &'a [NormalRow]) -> Option<HashSet<Vec<&'a NormalCell>>> {
        let is_guess_from_one = self.origin == KeyOrigin::Guessed && rows.len() == 1;
        let keys = keys(rows, &self.columns);
        (!self.columns.is_empty() && keys.len() == rows.len() && !is_guess_from_one).then_some(keys)
    }

    /// Whether the key of a row names anything. A key that is NULL in part, as that of a subtotal, is the name of nothing;
    /// but a group may have NULL in a part of its key, and where one column is the whole identity, the row without a value
    /// in it is one.
    pub(super) fn names(&self, row: &[NormalCell]) -> bool {
        let is_null = |column: &usize| row[*column].is_null();
        match self.origin {
            KeyOrigin::Guessed => !self.columns.iter().any(is_null),
            KeyOrigin::Grouped => !self.columns.iter().all(is_null),
            KeyOrigin::Identity => self.columns.len() == 1 || !self.columns.iter().any(is_null),
        }
    }

    /// Whether two rows are known to be named differently: not only in form, and not by a name that one of them lacks.
    pub(super) fn differs(&self, left: &[NormalCell], right: &[NormalCell]) -> bool {
        let differ = |column: &usize| {
            let [left, right] = [left, right].map(|row| row[*column].bare());
            !left.is_empty() && !right.is_empty() && left != right
        };
        self.origin == KeyOrigin::Identity && self.columns.iter().any(differ)
    }
}

/// The different keys of rows.
fn keys<'a>(rows: &'a [NormalRow], key: &[usize]) -> HashSet<Vec<&'a NormalCell>> {
    rows.iter().map(|row| cells_of(row, key)).collect()
}

/// The positions of the columns of the grain; `None` if it has none, or the result lacks one.
fn grain_columns(columns: &[ResultColumn], grain: &[String]) -> Option<Vec<usize>> {
    let position = |name: &String| columns.iter().position(|column| column.name.eq_ignore_ascii_case(name));
    grain.iter().map(position).collect::<Option<Vec<usize>>>().filter(|key| !key.is_empty())
}

/// The columns that together tell most of the rows apart, chosen greedily from the left, at most [`LONGEST_KEY`].
fn guessed_key(columns: &[ResultColumn], rows: &[NormalRow], digests: &[usize]) -> Vec<usize> {
    let mut key: Vec<usize> = Vec::new();
    let mut told_apart = 1;
    let can_name = |index: &usize| can_name(&columns[*index]);
    if rows.len() < 2 {
        // One row says nothing about keys; the first columns usually are one.
        return (0..columns.len()).filter(can_name).take(LONGEST_KEY).collect();
    }
    // Digests, flags, and columns that count or measure, go last: they name a row only if nothing else does.
    let mut names: Vec<usize> = (0..columns.len()).filter(can_name).collect();
    let measures = |column: &ResultColumn| {
        is_measure(&column.name) && (column.data_type != Type::String || !is_identifier(&column.name))
    };
    names.sort_by_key(|index| (measures(&columns[*index]), is_flag(&columns[*index].name), digests.contains(index)));
    for index in names {
        let longer: Vec<usize> = key.iter().copied().chain([index]).collect();
        let distinct = keys(rows, &longer).len();
        if distinct > told_apart {
            (key, told_apart) = (longer, distinct);
        }
        if told_apart == rows.len() || key.len() == LONGEST_KEY {
            break;
        }
    }
    key
}

fn can_name(column: &ResultColumn) -> bool {
    let data_type = &column.data_type;
    !data_type.is_nested() && !matches!(data_type, Type::Double | Type::Decimal(..) | Type::Boolean)
}

/// Whether a column's name says that it counts or measures, or is the expression by which it is worked out.
pub(super) fn is_measure(name: &str) -> bool {
    const MEASURES: [&str; 34] = [
        "cnt", "count", "num", "qty", "quantity", "amt", "amount", "days", "hours", "minutes", "mins", "seconds",
        "sec", "secs", "total", "sum", "rank", "score", "times", "avg", "max", "min", "age", "dur", "duration",
        "distance", "weight", "volume", "price", "cost", "balance", "ratio", "percent", "population",
    ];
    !is_identifier(name) || name.split('_').any(|word| MEASURES.contains(&word))
}

/// Whether a column's name says that it marks rows.
fn is_flag(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_mark = |word: &str| matches!(word, "flag" | "flg" | "ind");
    name.starts_with("is_") || name.starts_with("has_") || name.split('_').any(is_mark)
}
