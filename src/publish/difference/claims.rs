//! Whether another result would satisfy the complaining user: whether it has every figure and row that the words quote.
//!
//! A reader of a complaint knows the wrong result and what is said about the right one. If another repair gives a
//! result of which all this is true as well, the figures of the complaint do not determine the right one.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::chosen;
use super::facts::{ExampleRow, Facts, Symptom};
use super::pairing::pair;
use super::show::{shown, shown_number, shown_pair};
use super::totals::sum;
use crate::engine::table::{ResultTable, Row, ScriptResult};
use crate::publish::vocabulary::Vocabulary;

/// The results that a complaint is about.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// What the user wants.
    pub reference: &'a ScriptResult,
    /// What the user sees.
    pub issue: &'a ScriptResult,
}

/// What a complaint says of the right result.
#[derive(Clone, Copy, Debug)]
pub struct Claims<'a> {
    /// The facts that it was made from.
    pub facts: &'a Facts,
    /// Names of the variables of the facts that its words use.
    pub said: &'a BTreeSet<String>,
    /// The words that it is put together from.
    pub vocabulary: &'a Vocabulary,
}

impl<'a> Sides<'a> {
    /// Returns the table that a user complains about; `None` if nobody notices a difference.
    pub fn seen(self, vocabulary: &Vocabulary) -> Option<SeenTable<'a>> {
        let seen = chosen(self.reference, self.issue, vocabulary.reports())?;
        let before = &self.reference.tables[..seen.position];
        let number = before.iter().filter(|table| table.target == seen.expected.target).count();
        Some(SeenTable { number, expected: seen.expected, issue: seen.found() })
    }
}

/// The table that a user complains about.
#[derive(Debug)]
pub struct SeenTable<'a> {
    /// How many tables of the same name come before it.
    number: usize,
    expected: &'a ResultTable,
    issue: Cow<'a, ResultTable>,
}

/// What another repair gives in that table. Many complaints are held against it.
#[derive(Debug)]
pub struct OtherRepair<'a> {
    seen: &'a SeenTable<'a>,
    /// Its table; `None` if it has none with these columns.
    table: Option<&'a ResultTable>,
    /// Worked out when a complaint counts rows: pairing them all takes long.
    counts: OnceCell<RowCounts>,
}

/// How many rows of two results have which kind of difference.
#[derive(Clone, Copy, Debug)]
struct RowCounts {
    missing: usize,
    extra: usize,
    duplicated: usize,
    changed: usize,
}

impl<'a> OtherRepair<'a> {
    /// Returns what the result of another repair has in the table.
    pub fn new(result: &'a ScriptResult, seen: &'a SeenTable<'a>) -> OtherRepair<'a> {
        let table = result.tables.iter().filter(|table| table.target == seen.expected.target).nth(seen.number);
        let table = table.filter(|table| table.columns.len() == seen.expected.columns.len());
        OtherRepair { seen, table, counts: OnceCell::new() }
    }

    /// Whether it has all that a complaint says of the right result.
    pub fn satisfies(&self, claims: Claims<'_>) -> bool {
        let Some(candidate) = self.table else { return false };
        let Claims { facts, said, vocabulary } = claims;
        let check = ClaimCheck { facts, said, seen: self.seen, candidate, vocabulary, counts: &self.counts };
        check.totals() && facts.example.as_ref().is_none_or(|example| check.row(example)) && check.has_counts_said()
    }
}

struct ClaimCheck<'a> {
    facts: &'a Facts,
    said: &'a BTreeSet<String>,
    seen: &'a SeenTable<'a>,
    candidate: &'a ResultTable,
    vocabulary: &'a Vocabulary,
    counts: &'a OnceCell<RowCounts>,
}

/// A value of the key that a quoted row has, and the positions of the columns that may hold it.
struct KeyValue<'e> {
    columns: Vec<usize>,
    value: &'e String,
}

impl ClaimCheck<'_> {
    fn says(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.said.contains(*name))
    }

    /// Whether the candidate has as many rows, and differs from the issue in as many, as the complaint says.
    fn has_counts_said(&self) -> bool {
        if self.says(&["expected_rows", "expected_number"]) && self.candidate.rows.len() != self.facts.expected_rows {
            return false;
        }
        if !self.says(&["missing", "extra", "duplicated", "changed"]) {
            return true;
        }
        let found = self.counts.get_or_init(|| self.row_counts());
        let counts = [
            ("missing", found.missing, self.facts.missing),
            ("extra", found.extra, self.facts.extra),
            ("duplicated", found.duplicated, self.facts.duplicated),
            ("changed", found.changed, self.facts.changed),
        ];
        counts.iter().all(|(name, found, wanted)| !self.says(&[name]) || found == wanted)
    }

    fn row_counts(&self) -> RowCounts {
        let grain = self.vocabulary.grain(&self.seen.expected.target);
        let pairing = pair(self.candidate, &self.seen.issue, grain);
        RowCounts {
            missing: pairing.missing.len(),
            extra: pairing.extra.len(),
            duplicated: pairing.duplicated.len(),
            changed: pairing.changed.len(),
        }
    }

    fn totals(&self) -> bool {
        let Some(total) = self.facts.total.as_ref().filter(|_| self.says(&["expected_total", "expected_sum"])) else {
            return true;
        };
        let sums = |column: usize| shown_number(sum(&self.candidate.rows, column), 4) == total.expected;
        self.columns(&total.column).into_iter().any(sums)
    }

    /// Whether the quoted row occurs in the candidate as the complaint says it should.
    fn row(&self, example: &ExampleRow) -> bool {
        let keyed = self.says(&["key", "example"]);
        match self.facts.symptom {
            Symptom::WrongOrder if self.says(&["position"]) => {
                let key = self.key(example);
                self.candidate.rows.get(example.position - 1).is_some_and(|row| self.has_key(row, &key))
            }
            Symptom::MissingRows
            | Symptom::MissingCopies
            | Symptom::ExtraRows
            | Symptom::Duplicates
            | Symptom::SplitRows
                if keyed =>
            {
                let [wanted, wrong, found] =
                    [self.seen.expected, &self.seen.issue, self.candidate].map(|table| self.times(table, example));
                // If the row was missing altogether, any number of it satisfies the user.
                found == wanted || (wrong == 0 && wanted > 0 && found > 0)
            }
            _ if self.seen.issue.rows.is_empty() && keyed => self.times(self.candidate, example) > 0,
            _ => self.cell(example, keyed),
        }
    }

    fn cell(&self, example: &ExampleRow, keyed: bool) -> bool {
        let Some(cell) = example.cell.as_ref().filter(|_| self.says(&["expected"])) else { return true };
        let key = self.key(example);
        let rows: Vec<&Row> = self.candidate.rows.iter().filter(|row| !keyed || self.has_key(row, &key)).collect();
        let wrong: Vec<&Row> = self.seen.issue.rows.iter().filter(|row| self.has_key(row, &key)).collect();
        self.columns(&cell.column).into_iter().any(|column| {
            let data_type = &self.seen.expected.columns[column].data_type;
            let words = &self.vocabulary.value;
            let shows = |row: &&Row| {
                shown(&row[column], data_type, words) == cell.expected
                    || wrong
                        .iter()
                        .any(|wrong| shown_pair(&row[column], &wrong[column], data_type, words).0 == cell.expected)
            };
            if cell.is_everywhere { !rows.is_empty() && rows.iter().all(shows) } else { rows.iter().any(shows) }
        })
    }

    fn times(&self, table: &ResultTable, example: &ExampleRow) -> usize {
        let key = self.key(example);
        table.rows.iter().filter(|row| self.has_key(row, &key)).count()
    }

    fn key<'e>(&self, example: &'e ExampleRow) -> Vec<KeyValue<'e>> {
        let value = |(words, value): &'e (String, String)| KeyValue { columns: self.columns(words), value };
        example.key.iter().map(value).collect()
    }

    fn has_key(&self, row: &Row, key: &[KeyValue<'_>]) -> bool {
        key.iter().all(|KeyValue { columns, value }| {
            let data_type = |column: usize| &self.seen.expected.columns[column].data_type;
            let shows = |column: &usize| shown(&row[*column], data_type(*column), &self.vocabulary.value) == **value;
            columns.iter().any(shows)
        })
    }

    /// Positions of the columns that a user calls by these words.
    fn columns(&self, words: &str) -> Vec<usize> {
        let columns = &self.seen.expected.columns;
        let is_called_so = |column: &usize| self.vocabulary.result_column(&columns[*column].name, *column) == words;
        (0..columns.len()).filter(is_called_so).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::types::Type;
    use crate::engine::table::{ResultColumn, Value};
    use crate::publish::complaint::PhraseBook;

    fn result(rows: &[(&str, i64)]) -> ScriptResult {
        let columns = vec![ResultColumn::new("shop", Type::String), ResultColumn::new("amount", Type::BigInt)];
        let rows =
            rows.iter().map(|(shop, amount)| Row::from([Value::Text((*shop).to_owned()), Value::Integer(*amount)]));
        ScriptResult { tables: vec![ResultTable::unordered("r".to_owned(), columns, rows.collect())] }
    }

    #[test]
    fn a_second_result_satisfies_only_with_all_that_is_quoted() {
        let book = PhraseBook::built_in().unwrap();
        let vocabulary = book.vocabulary();
        let wanted = [("north", 10), ("south", 20), ("west", 5)];
        for (seen, other, said, holds) in [
            // Only one figure is quoted, so other rows may be wrong.
            (
                &[("north", 10), ("south", 9), ("west", 9)][..],
                &[("north", 1), ("south", 20), ("west", 9)][..],
                "key expected",
                true,
            ),
            (
                &[("north", 10), ("south", 9), ("west", 5)],
                &[("north", 10), ("south", 19), ("west", 5)],
                "key expected",
                false,
            ),
            (
                &[("north", 10), ("south", 9), ("west", 9)],
                &[("north", 10), ("south", 20), ("west", 9)],
                "expected_total",
                false,
            ),
            (&[("north", 10), ("south", 20)], &[("north", 1), ("south", 20), ("west", 7)], "key", true),
            (&[("north", 10), ("south", 20)], &[("north", 10), ("south", 20)], "key", false),
            (&[("north", 10), ("south", 20)], &[("north", 10), ("west", 5)], "key expected_rows", false),
            (
                &[("north", 10), ("south", 20)],
                &[("north", 10), ("south", 20), ("west", 9), ("east", 1)],
                "missing",
                false,
            ),
        ] {
            let (reference, issue, other) = (result(&wanted), result(seen), result(other));
            let facts = Facts::of(&reference, &issue, vocabulary).unwrap();
            let said = said.split(' ').map(str::to_owned).collect();
            let sides = Sides { reference: &reference, issue: &issue };
            let claims = Claims { facts: &facts, said: &said, vocabulary };
            let table = sides.seen(vocabulary).unwrap();
            let satisfies = |result| OtherRepair::new(result, &table).satisfies(claims);
            assert!(satisfies(&reference), "{facts:?}");
            assert_eq!(satisfies(&other), holds, "{said:?} {facts:?}");
        }
    }
}
