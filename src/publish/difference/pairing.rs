//! Pairs the rows of two results that belong together.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::digest::digest_columns;
use super::normal_cell::{NormalCell, NormalRow, cells_of, normal_rows};
use super::row_key::{IDENTIFIERS, KeyOrigin, RowKey};
use crate::engine::table::{ResultColumn, ResultTable};
use crate::publish::grain::Grain;

/// Unequal rows on each side beyond this number are counted but not paired: pairing compares each with each.
const MOST_PAIRED: usize = 500;
/// Least figures and words that show, without the key, that two rows are one.
const LEAST_TELLING: usize = 2;

/// How the rows of two results correspond; rows are given by their positions.
#[derive(Debug, Default)]
pub struct RowPairing {
    /// Pairs of rows that differ in some cells: (position in the reference, position in the other).
    pub changed: Vec<(usize, usize)>,
    /// Rows of the reference without a partner.
    pub missing: Vec<usize>,
    /// Rows of the other without a partner that repeat no row of the reference.
    pub extra: Vec<usize>,
    /// Rows of the other without a partner that repeat a row of the reference, or a key that names one; or into which a row
    /// is split together with its partner, so that only figures tell the two apart.
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
    let [left, right] = [reference, other].map(|table| normal_rows(&table.rows, columns));
    let rows = BothRows { left: &left, right: &right };
    let digests = digest_columns([reference, other]);
    let key = RowKey::of(columns, &left, grain, &digests);
    let unequal = rows.unequal();
    let is_counted = unequal.left.len() <= MOST_PAIRED && unequal.right.len() <= MOST_PAIRED
        || unequal.left.is_empty()
        || unequal.right.is_empty();
    let changed = rows.best_pairs(&unequal, &key);
    let paired: HashSet<usize> = changed.iter().map(|pair| pair.0).collect();
    let partners: HashSet<usize> = changed.iter().map(|pair| pair.1).collect();
    let missing = unequal.left.into_iter().filter(|row| !paired.contains(row)).collect();
    let lonely = unequal.right.into_iter().filter(|row| !partners.contains(row));
    let (expected, unique_keys) = (left.iter().collect(), key.unique_keys(&left));
    let words = (0..columns.len()).filter(|column| !is_figure(&columns[*column])).collect();
    let repetition = Repetition { rows, key: &key, changed: &changed, expected, unique_keys, words };
    let (duplicated, extra) = lonely.partition(|row| repetition.holds(&right[*row]));
    let is_key_known = key.origin != KeyOrigin::Guessed;
    let pairing =
        RowPairing { changed, missing, extra, duplicated, key: key.columns, is_key_known, is_counted, digests };
    match rows.renamed(&pairing).or_else(|| rows.without_names(&pairing)) {
        Some(pairs) => pairing.with_pairs(pairs),
        None => pairing,
    }
}

impl RowPairing {
    /// Returns the same with pairs for all rows that had no partner.
    fn with_pairs(mut self, pairs: Vec<(usize, usize)>) -> RowPairing {
        self.changed.extend(pairs);
        self.changed.sort_unstable();
        RowPairing { missing: Vec::new(), extra: Vec::new(), ..self }
    }
}

/// Whether a column holds figures of what the other columns name.
fn is_figure(column: &ResultColumn) -> bool {
    column.data_type.is_numeric() && !column.name.split('_').any(|word| IDENTIFIERS.contains(&word))
}

/// Tells which rows repeat one of the reference.
struct Repetition<'a> {
    rows: BothRows<'a>,
    key: &'a RowKey,
    changed: &'a [(usize, usize)],
    expected: HashSet<&'a NormalRow>,
    /// The keys of the reference, if they are unique.
    unique_keys: Option<HashSet<Vec<&'a NormalCell>>>,
    /// The columns that hold no figures of what the others name.
    words: Vec<usize>,
}

impl Repetition<'_> {
    fn holds(&self, row: &NormalRow) -> bool {
        let key = cells_of(row, &self.key.columns);
        let is_identity = self.key.origin == KeyOrigin::Identity;
        // Rows that nothing names are other ones, however alike they are.
        let is_nameless = is_identity && key.iter().all(|cell| cell.is_blank());
        let repeats_key = || self.key.names(row) && self.unique_keys.as_ref().is_some_and(|keys| keys.contains(&key));
        self.expected.contains(row) && !is_nameless || repeats_key() || !is_identity && self.is_part(row)
    }

    /// Whether a row stands for one of the reference together with the partner of that: all three are called the same in
    /// at least two columns.
    fn is_part(&self, row: &NormalRow) -> bool {
        let called = |row| cells_of(row, &self.words);
        let is_beside = |(of, partner): &(usize, usize)| {
            let (of, partner) = (&self.rows.left[*of], &self.rows.right[*partner]);
            row != partner && called(row) == called(of) && called(row) == called(partner)
        };
        let filled = called(row).iter().filter(|cell| !cell.is_blank()).count();
        filled >= LEAST_TELLING && self.changed.iter().any(is_beside)
    }
}

/// The rows of the reference, left, and of the other result.
#[derive(Clone, Copy)]
struct BothRows<'a> {
    left: &'a [NormalRow],
    right: &'a [NormalRow],
}

/// Positions of the rows of two results that have no equal row in the other one, in order.
struct UnequalRows {
    left: Vec<usize>,
    right: Vec<usize>,
}

impl<'a> BothRows<'a> {
    /// Removes equal rows in pairs, one from each side.
    fn unequal(self) -> UnequalRows {
        let mut waiting: HashMap<&NormalRow, Vec<usize>> = HashMap::new();
        for (index, row) in self.left.iter().enumerate().rev() {
            waiting.entry(row).or_default().push(index);
        }
        let mut is_lonely = |row: &NormalRow| waiting.get_mut(row).and_then(Vec::pop).is_none();
        let right = (0..self.right.len()).filter(|index| is_lonely(&self.right[*index])).collect();
        let mut left: Vec<usize> = waiting.into_values().flatten().collect();
        left.sort_unstable();
        UnequalRows { left, right }
    }

    /// Pairs rows greedily: those with the same key first, then those with the same names in it, then those with most
    /// equal cells. A pair shares its key, or the names in it, or all cells but one (the key itself may be what changed,
    /// unless it is known to name another row), or is a line of text with the same letters and digits, or holds the only
    /// row on each side.
    fn best_pairs(self, rest: &UnequalRows, key: &RowKey) -> Vec<(usize, usize)> {
        let mut numbers = HashMap::new();
        let left_numbers = numbered(&mut numbers, self.left, &rest.left);
        let right_numbers = numbered(&mut numbers, self.right, &rest.right);
        let alone = self.left.len() == 1 && self.right.len() == 1;
        let mut candidates = Vec::new();
        for (cells, row) in left_numbers.iter().zip(rest.left.iter().copied()) {
            for (others, partner) in right_numbers.iter().zip(rest.right.iter().copied()) {
                let equal = cells.iter().zip(others).filter(|(left, right)| left == right).count();
                let keyed = are_same_in(&key.columns, cells, others);
                let named = are_same_in(&key.names, cells, others);
                let (left, right) = (&self.left[row], &self.right[partner]);
                let close = cells.len() > 2 && equal + 1 >= cells.len() && !key.differs(left, right);
                if keyed || named || close || alone || is_same_line(left, right) {
                    candidates.push((Reverse((keyed, named, equal)), row, partner));
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

    /// Returns pairs of the rows without a partner if all of them differ in one and the same part of the key, and in
    /// nothing else but, where the key is a guess, one further column that may be made from it: then that part came out
    /// wrong, and no row is missing. A digest in the key is made from another column, which may be the wrong one. Cells
    /// that are empty or zero show nothing.
    fn renamed(self, pairing: &RowPairing) -> Option<Vec<(usize, usize)>> {
        let RowPairing { missing, extra, duplicated, key, digests, .. } = pairing;
        let has_digest = key.iter().any(|part| digests.contains(part));
        let is_possible = has_digest || key.len() > 1;
        if !is_possible || missing.is_empty() || missing.len() != extra.len() || missing.len() > MOST_PAIRED {
            return None;
        }
        let tells = |(at, cell): &(usize, &NormalCell)| !key.contains(at) && !cell.is_blank() && !cell.is_zero();
        let is_telling = |row: &usize| self.left[*row].iter().enumerate().filter(tells).count() >= LEAST_TELLING;
        if !duplicated.is_empty() || !missing.iter().all(is_telling) {
            return None;
        }
        let width = self.left.first().map_or(0, Vec::len);
        let without = |dropped: [usize; 2]| {
            let is_made = |at: &usize| dropped.contains(at) || has_digest && digests.contains(at);
            let others: Vec<usize> = (0..width).filter(|at| !is_made(at)).collect();
            self.pairs_by(&others, missing, extra)
        };
        let alone = || key.iter().find_map(|part| without([*part, *part]));
        let with_another = || {
            let others = |part: usize| (0..width).filter(move |other| *other != part);
            key.iter().find_map(|part| others(*part).find_map(|other| without([*part, other])))
        };
        alone().or_else(|| if pairing.is_key_known && !has_digest { None } else { with_another() })
    }

    /// Pairs each of the missing rows with an extra one that is the same in some columns, if that leaves none alone.
    fn pairs_by(self, columns: &[usize], missing: &[usize], extra: &[usize]) -> Option<Vec<(usize, usize)>> {
        let by_cells: HashMap<Vec<&NormalCell>, usize> =
            extra.iter().map(|row| (cells_of(&self.right[*row], columns), *row)).collect();
        let partner = |row: &usize| Some((*row, *by_cells.get(&cells_of(&self.left[*row], columns))?));
        let pairs: Vec<(usize, usize)> = missing.iter().map(partner).collect::<Option<_>>()?;
        let partners: HashSet<usize> = pairs.iter().map(|pair| pair.1).collect();
        (partners.len() == extra.len()).then_some(pairs)
    }

    /// Returns pairs of the rows without a partner, in their order, if nothing names a row, as where all are equal, and
    /// those of a pair share a cell.
    fn without_names(self, pairing: &RowPairing) -> Option<Vec<(usize, usize)>> {
        let RowPairing { missing, extra, duplicated, key, .. } = pairing;
        if !key.is_empty() || !duplicated.is_empty() || missing.len() != extra.len() {
            return None;
        }
        let pairs: Vec<(usize, usize)> = missing.iter().copied().zip(extra.iter().copied()).collect();
        let share = |(row, partner): &(usize, usize)| {
            self.left[*row].iter().zip(&self.right[*partner]).any(|(one, other)| one == other)
        };
        pairs.iter().all(share).then_some(pairs)
    }
}

/// Returns the cells of these rows as numbers, equal ones for equal cells: each row is compared with hundreds.
fn numbered<'a>(numbers: &mut HashMap<&'a NormalCell, usize>, rows: &'a [NormalRow], at: &[usize]) -> Vec<Vec<usize>> {
    let mut number = |cell: &'a NormalCell| {
        let next = numbers.len();
        *numbers.entry(cell).or_insert(next)
    };
    at.iter().take(MOST_PAIRED).map(|row| rows[*row].iter().map(&mut number).collect()).collect()
}

fn are_same_in(columns: &[usize], left: &[usize], right: &[usize]) -> bool {
    !columns.is_empty() && columns.iter().all(|index| left[*index] == right[*index])
}

/// Whether two rows are one line of text each, as in a file, and only marks and blanks tell them apart.
fn is_same_line(left: &[NormalCell], right: &[NormalCell]) -> bool {
    let ([left @ NormalCell::Text(_)], [right @ NormalCell::Text(_)]) = (left, right) else { return false };
    !left.bare().is_empty() && left.bare() == right.bare()
}
