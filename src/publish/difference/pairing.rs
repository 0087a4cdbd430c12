//! Pairs the rows of two results that belong together.

use std::collections::{HashMap, HashSet};

use super::digest::digest_columns;
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, ResultTable, Row, Value};
use crate::publish::grain::Grain;
use crate::publish::vocabulary::is_identifier;

/// Unequal rows on each side beyond this number are counted but not paired: pairing compares each with each.
const MOST_PAIRED: usize = 500;
/// Most columns of a key.
const LONGEST_KEY: usize = 3;
/// Words in the names of columns that hold identifiers.
pub(super) const IDENTIFIERS: [&str; 8] = ["id", "no", "nr", "nbr", "number", "key", "code", "cd"];

/// How the rows of two results correspond; rows are given by their positions.
#[derive(Debug, Default)]
pub struct RowPairing {
    /// Pairs of rows that differ in some cells: (position in the reference, position in the other).
    pub changed: Vec<(usize, usize)>,
    /// Rows of the reference without a partner.
    pub missing: Vec<usize>,
    /// Rows of the other without a partner that repeat no row of the reference.
    pub extra: Vec<usize>,
    /// Rows of the other without a partner that repeat a row of the reference, or its key if keys are unique there
    /// and no part of it is NULL, unless one column is known to be the whole key; or that stand beside a partner of one row
    /// as its parts: only figures tell the two from each other.
    pub duplicated: Vec<usize>,
    /// Positions of the columns that name a row.
    pub key: Vec<usize>,
    /// Whether the script says that they do; else they are those that tell the rows at hand apart.
    pub is_key_known: bool,
    /// Whether all rows were paired, so that their numbers are known.
    pub is_counted: bool,
    /// Positions of the columns that hold digests of other values.
    pub digests: Vec<usize>,
}

/// Pairs the rows of `other` with those of `reference`; both must have the same number of columns. Where the columns of
/// `grain` do not make the rows of `reference` unique, other columns are found that do.
pub fn pair(reference: &ResultTable, other: &ResultTable, grain: Grain<'_>) -> RowPairing {
    let columns = &reference.columns;
    let left: Vec<Vec<String>> = reference.rows.iter().map(|row| normal_row(row, columns)).collect();
    let right: Vec<Vec<String>> = other.rows.iter().map(|row| normal_row(row, columns)).collect();
    let names_all = |key: &Vec<usize>| keys(&left, key).len() == left.len();
    let known = grain_columns(columns, grain.columns).filter(names_all);
    // A figure by which rows are grouped beside what names them makes no other row.
    let without_figures = |key: Vec<usize>| {
        let names: Vec<usize> = key.iter().copied().filter(|column| !is_measure(&columns[*column].name)).collect();
        if !names.is_empty() && names_all(&names) { names } else { key }
    };
    let known = known.map(|key| if grain.is_identity { key } else { without_figures(key) });
    let origin = match known {
        Some(_) if grain.is_identity => KeyOrigin::Identity,
        Some(_) => KeyOrigin::Grouped,
        None => KeyOrigin::Guessed,
    };
    let is_known = origin == KeyOrigin::Identity;
    let digests = digest_columns([reference, other]);
    let key = known.unwrap_or_else(|| key_columns(columns, &left, &digests));
    let rest = without_equal(&left, &right);
    let is_name = |index: &usize| is_known || !is_measure(&columns[*index].name);
    let names = key.iter().copied().filter(is_name).collect();
    let changed = best_pairs(&left, &right, &rest, &RowKey { columns: key.clone(), names, is_known });
    let is_counted = rest.left.len() <= MOST_PAIRED && rest.right.len() <= MOST_PAIRED
        || rest.left.is_empty()
        || rest.right.is_empty();
    let paired: HashSet<usize> = changed.iter().map(|pair| pair.0).collect();
    let partners: HashSet<usize> = changed.iter().map(|pair| pair.1).collect();
    let missing = rest.left.into_iter().filter(|row| !paired.contains(row)).collect();
    let lonely = rest.right.into_iter().filter(|row| !partners.contains(row));
    let (known, keys): (HashSet<&Vec<String>>, _) = (left.iter().collect(), keys(&left, &key));
    // What names the only row of a result by guess may be what other rows have as well.
    let is_guess_from_one = origin == KeyOrigin::Guessed && left.len() == 1;
    let unique = !key.is_empty() && keys.len() == left.len() && !is_guess_from_one;
    let names_of_rows: Vec<usize> = (0..columns.len()).filter(|column| !is_figure(&columns[*column])).collect();
    // Rows that nothing names are other ones, however alike they are.
    let is_nameless =
        |row: &usize| is_known && cells_of(&right[*row], &key).iter().all(|cell| [NULL_CELL, "'"].contains(cell));
    let repeats = |row: &usize| {
        known.contains(&right[*row]) && !is_nameless(row)
            || unique && names_one_of(&keys, &cells_of(&right[*row], &key), origin)
            || !is_known
                && changed.iter().any(|pair| is_part(&right[*row], &left[pair.0], &right[pair.1], &names_of_rows))
    };
    let (duplicated, extra): (Vec<usize>, Vec<usize>) = lonely.partition(repeats);
    let is_key_known = origin != KeyOrigin::Guessed;
    let pairing = RowPairing { changed, missing, extra, duplicated, key, is_key_known, is_counted, digests };
    match renamed(&left, &right, &pairing).or_else(|| without_names(&left, &right, &pairing)) {
        Some(pairs) => pairing.with_pairs(pairs),
        None => pairing,
    }
}

/// Whether a column holds figures of what the other columns name.
fn is_figure(column: &ResultColumn) -> bool {
    column.data_type.is_numeric() && !column.name.split('_').any(|word| IDENTIFIERS.contains(&word))
}

/// Whether a row stands for one of the reference together with the partner of that: all three are called the same in at
/// least two columns.
fn is_part(row: &[String], of: &[String], partner: &[String], names: &[usize]) -> bool {
    let called = |row| cells_of(row, names);
    let filled = called(row).into_iter().filter(|cell| ![NULL_CELL, "'"].contains(cell)).count();
    filled >= LEAST_TELLING && row != partner && called(row) == called(of) && called(row) == called(partner)
}

impl RowPairing {
    /// Returns the same with pairs for all rows that had no partner.
    fn with_pairs(mut self, pairs: Vec<(usize, usize)>) -> RowPairing {
        self.changed.extend(pairs);
        self.changed.sort_unstable();
        RowPairing { missing: Vec::new(), extra: Vec::new(), ..self }
    }
}

/// Least figures and words, outside the key, that show that a row under another name is the same row.
const LEAST_TELLING: usize = 2;

/// Returns pairs of the rows without a partner if all of them differ in one and the same part of the key, and in nothing
/// else but, where the key is a guess, one further column that may be made from it: then that part came out wrong, and no
/// row is missing. A digest in the key is made from another column, which may be the wrong one. Cells that are empty or
/// zero show nothing.
fn renamed(left: &[Vec<String>], right: &[Vec<String>], pairing: &RowPairing) -> Option<Vec<(usize, usize)>> {
    let RowPairing { missing, extra, duplicated, key, digests, .. } = pairing;
    let has_digest = key.iter().any(|part| digests.contains(part));
    let is_possible = has_digest || key.len() > 1;
    if !is_possible || missing.is_empty() || missing.len() != extra.len() || missing.len() > MOST_PAIRED {
        return None;
    }
    let tells = |(at, cell): (usize, &String)| !key.contains(&at) && ![NULL_CELL, "'", "0"].contains(&cell.as_str());
    let is_telling = |row: &usize| left[*row].iter().enumerate().filter(|cell| tells(*cell)).count() >= LEAST_TELLING;
    if !duplicated.is_empty() || !missing.iter().all(is_telling) {
        return None;
    }
    let width = left.first().map_or(0, Vec::len);
    let pairs = |without: [usize; 2]| {
        let is_made = |at: &usize| without.contains(at) || has_digest && digests.contains(at);
        let others: Vec<usize> = (0..width).filter(|at| !is_made(at)).collect();
        let rest = |row| cells_of(row, &others);
        let by_rest: HashMap<Vec<&str>, usize> = extra.iter().map(|row| (rest(&right[*row]), *row)).collect();
        let partner = |row: &usize| by_rest.get(&rest(&left[*row])).map(|partner| (*row, *partner));
        let pairs: Vec<(usize, usize)> = missing.iter().map(partner).collect::<Option<_>>()?;
        let partners: HashSet<usize> = pairs.iter().map(|pair| pair.1).collect();
        (partners.len() == extra.len()).then_some(pairs)
    };
    let alone = || key.iter().find_map(|part| pairs([*part, *part]));
    let with_another = || {
        let others = |part: usize| (0..width).filter(move |other| *other != part);
        key.iter().find_map(|part| others(*part).find_map(|other| pairs([*part, other])))
    };
    alone().or_else(|| if pairing.is_key_known && !has_digest { None } else { with_another() })
}

/// Returns pairs of the rows without a partner, in their order, if nothing names a row, as where all are equal, and those
/// of a pair share a cell.
fn without_names(left: &[Vec<String>], right: &[Vec<String>], pairing: &RowPairing) -> Option<Vec<(usize, usize)>> {
    let RowPairing { missing, extra, duplicated, key, .. } = pairing;
    if !key.is_empty() || !duplicated.is_empty() || missing.len() != extra.len() {
        return None;
    }
    let pairs: Vec<(usize, usize)> = missing.iter().copied().zip(extra.iter().copied()).collect();
    let share =
        |(row, partner): &(usize, usize)| left[*row].iter().zip(&right[*partner]).any(|(one, other)| one == other);
    pairs.iter().all(share).then_some(pairs)
}

/// Positions of the columns whose cells differ between two rows.
pub fn differing_columns(reference: &[Value], other: &[Value], columns: &[ResultColumn]) -> Vec<usize> {
    let cells = reference.iter().zip(other).zip(columns).enumerate();
    let differs = |(index, ((left, right), column))| (normal(left, column) != normal(right, column)).then_some(index);
    cells.filter_map(differs).collect()
}

/// What stands for NULL among the texts of cells.
const NULL_CELL: &str = "\u{0}";

fn normal_row(row: &Row, columns: &[ResultColumn]) -> Vec<String> {
    row.iter().zip(columns).map(|(value, column)| normal(value, column)).collect()
}

/// A text that is the same for cells that the comparator calls equal, but for reals at the edge of rounding.
fn normal(value: &Value, column: &ResultColumn) -> String {
    match (value, &column.data_type) {
        (Value::Null, _) => NULL_CELL.to_owned(),
        (Value::Integer(number), _) => number.to_string(),
        (Value::Real(number), Type::Decimal(_, scale)) => super::show::shown_number(*number, usize::from(*scale)),
        (Value::Real(number), _) => super::show::shown_number(*number, 9),
        (Value::Text(text), _) => match &column.unordered {
            Some(unordered) => unordered.sorted(text).into_owned(),
            None => format!("'{text}"),
        },
    }
}

/// The positions of the columns of the grain; `None` if it has none, or the result lacks one.
fn grain_columns(columns: &[ResultColumn], grain: &[String]) -> Option<Vec<usize>> {
    let position = |name: &String| columns.iter().position(|column| column.name.eq_ignore_ascii_case(name));
    grain.iter().map(position).collect::<Option<Vec<usize>>>().filter(|key| !key.is_empty())
}

/// The columns that together tell most of the reference's rows apart, chosen greedily from the left, at most
/// [`LONGEST_KEY`].
fn key_columns(columns: &[ResultColumn], rows: &[Vec<String>], digests: &[usize]) -> Vec<usize> {
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

/// The cells of a row in the columns of a key.
fn cells_of<'a>(row: &'a [String], key: &[usize]) -> Vec<&'a str> {
    key.iter().map(|index| row[*index].as_str()).collect()
}

/// The different keys of rows.
fn keys<'a>(rows: &'a [Vec<String>], key: &[usize]) -> HashSet<Vec<&'a str>> {
    rows.iter().map(|row| cells_of(row, key)).collect()
}

/// What is known of the columns that name a row.
#[derive(Clone, Copy, PartialEq)]
enum KeyOrigin {
    /// They are those that tell the rows at hand apart.
    Guessed,
    /// The rows are grouped by them.
    Grouped,
    /// They say what a row is about.
    Identity,
}

/// Whether cells are one of these keys. A key that is NULL in part, as that of a subtotal, is the name of nothing; but a
/// group may have NULL in a part of its key, and where one column is known to be the whole key, the row without a value in
/// it is one.
fn names_one_of(keys: &HashSet<Vec<&str>>, cells: &[&str], origin: KeyOrigin) -> bool {
    let names_all = match origin {
        KeyOrigin::Guessed => !cells.contains(&NULL_CELL),
        KeyOrigin::Grouped => cells.iter().any(|cell| *cell != NULL_CELL),
        KeyOrigin::Identity => cells.len() == 1 || !cells.contains(&NULL_CELL),
    };
    names_all && keys.contains(cells)
}

fn same_key<T: PartialEq>(left: &[T], right: &[T], key: &[usize]) -> bool {
    !key.is_empty() && key.iter().all(|index| left[*index] == right[*index])
}

/// Positions of the rows of two tables that have no equal row in the other one, in order.
struct UnequalRows {
    left: Vec<usize>,
    right: Vec<usize>,
}

/// Positions of the columns that name a row.
struct RowKey {
    columns: Vec<usize>,
    /// Those of them that do not count or measure: a figure that comes out wrong makes no other row.
    names: Vec<usize>,
    /// Whether it is known that they name a row: then another name is that of another row.
    is_known: bool,
}

impl RowKey {
    /// Whether two rows are known to be named differently: not only in form, and not by a name that one of them lacks.
    fn differs(&self, left: &[String], right: &[String]) -> bool {
        let differ = |column: &usize| {
            let (left, right) = (&left[*column], &right[*column]);
            let named = ![left, right].iter().any(|name| bare(name).is_empty());
            named && bare(left) != bare(right)
        };
        self.is_known && self.names.iter().any(differ)
    }
}

/// The letters and digits of a text, in lower case.
pub(super) fn bare(name: &str) -> String {
    name.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Removes equal rows in pairs, one from each side.
fn without_equal(left: &[Vec<String>], right: &[Vec<String>]) -> UnequalRows {
    let mut waiting: HashMap<&Vec<String>, Vec<usize>> = HashMap::new();
    for (index, row) in left.iter().enumerate().rev() {
        waiting.entry(row).or_default().push(index);
    }
    let taken = |row: &Vec<String>| waiting.get_mut(row).and_then(Vec::pop).is_some();
    let keep: Vec<bool> = right.iter().map(taken).collect();
    let right_rest = (0..right.len()).filter(|index| !keep[*index]).collect();
    let mut left_rest: Vec<usize> = waiting.into_values().flatten().collect();
    left_rest.sort_unstable();
    UnequalRows { left: left_rest, right: right_rest }
}

/// Returns the cells of these rows as numbers, equal ones for equal texts: each row is compared with hundreds.
fn numbered<'a>(numbers: &mut HashMap<&'a str, usize>, rows: &'a [Vec<String>], at: &[usize]) -> Vec<Vec<usize>> {
    let mut number = |cell: &'a String| {
        let next = numbers.len();
        *numbers.entry(cell.as_str()).or_insert(next)
    };
    at.iter().take(MOST_PAIRED).map(|row| rows[*row].iter().map(&mut number).collect()).collect()
}

/// Whether two rows are one line of text each, as in a file, and only marks and blanks tell them apart.
fn is_same_line(left: &[String], right: &[String]) -> bool {
    let ([left], [right]) = (left, right) else { return false };
    left.starts_with('\'') && right.starts_with('\'') && !bare(left).is_empty() && bare(left) == bare(right)
}

/// Pairs rows greedily: those with the same key first, then those with the same names in it, then those with most equal
/// cells. A pair shares its key, or the names in it, or all cells but one (the key itself may be what changed, unless it is
/// known to name another row), or is a line of text with the same letters and digits, or holds the only row on each side.
fn best_pairs(left: &[Vec<String>], right: &[Vec<String>], rest: &UnequalRows, key: &RowKey) -> Vec<(usize, usize)> {
    let mut numbers = HashMap::new();
    let left_numbers = numbered(&mut numbers, left, &rest.left);
    let right_numbers = numbered(&mut numbers, right, &rest.right);
    let alone = left.len() == 1 && right.len() == 1;
    let mut candidates = Vec::new();
    for (cells, row) in left_numbers.iter().zip(rest.left.iter().copied()) {
        for (others, partner) in right_numbers.iter().zip(rest.right.iter().copied()) {
            let equal = cells.iter().zip(others).filter(|(left, right)| left == right).count();
            let keyed = same_key(cells, others, &key.columns);
            let named = same_key(cells, others, &key.names);
            let close = cells.len() > 2 && equal + 1 >= cells.len() && !key.differs(&left[row], &right[partner]);
            if keyed || named || close || alone || is_same_line(&left[row], &right[partner]) {
                candidates.push((std::cmp::Reverse((keyed, named, equal)), row, partner));
            }
        }
    }
    candidates.sort();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let (mut taken, mut taken_partners) = (HashSet::new(), HashSet::new());
    for (_, row, partner) in candidates {
        if !taken.contains(&row) && !taken_partners.contains(&partner) {
            taken.insert(row);
            taken_partners.insert(partner);
            pairs.push((row, partner));
        }
    }
    pairs.sort_unstable();
    pairs
}
