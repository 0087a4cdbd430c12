//! A database on which faults show in figures of the reports alone: no row, text or NULL of the right results says where
//! they are.
//!
//! It has hundreds of rows, many of which meet in one row of a report, so that nobody works out by reading what a script
//! gives; who wants to know runs it.

use std::collections::BTreeSet;

use super::differential::DifferentialRun;
use super::mutant_script::MutantScript;
use super::reference_database::ReferenceDatabase;
use super::sample::{DatabasesOfSize, SampledMutant};
use super::subject::Subject;
use super::trial::Candidate;
use super::usual_databases::UsualSize;
use crate::code::scope::RelationSource;
use crate::engine::table::{Database, ResultTable, ScriptResult, Value};

/// The size of these databases.
const MANY_ROWS: UsualSize =
    UsualSize { groups: &[60, 36, 20], rows_in_group: 6, groups_per_value: 5, unique_rows: true, most_rows: 1600 };

/// The samples of one script, made from databases that hang on no mutant.
pub struct FigureSampleSource<'a> {
    /// The script.
    pub subject: &'a Subject<'a>,
    made: DatabasesOfSize,
}

impl<'a> FigureSampleSource<'a> {
    /// Returns the source for a script. It makes databases when they are asked for.
    pub fn new(subject: &'a Subject<'a>) -> FigureSampleSource<'a> {
        FigureSampleSource { subject, made: DatabasesOfSize::new(MANY_ROWS) }
    }

    /// Whether a mutant shows on one of the databases as it should.
    pub fn shows(&self, mutant: &Candidate<'_>) -> bool {
        let Ok(mutant) = MutantScript::read(self.subject, mutant) else { return false };
        let run = DifferentialRun::new(self.subject, &mutant);
        self.made.databases(self.subject).any(|shared| shows_in_figures(&run, shared))
    }

    /// Returns the first database on which a mutant shows as it should, in whatever order rows are read, and each of its
    /// faults alone; `None` if there is none.
    pub fn sample(&self, mutant: &SampledMutant<'_>) -> Option<Database> {
        let whole = MutantScript::read(self.subject, &mutant.whole).ok()?;
        let parts = mutant.parts.iter().map(|part| MutantScript::read(self.subject, part).ok());
        let parts: Vec<MutantScript<'_>> = parts.collect::<Option<_>>()?;
        let run = DifferentialRun::new(self.subject, &whole);
        let of_parts: Vec<DifferentialRun<'_>> =
            parts.iter().map(|part| DifferentialRun::new(self.subject, part)).collect();
        let found = self.made.databases(self.subject).find(|shared| {
            let all = || [&run].into_iter().chain(&of_parts).all(|run| shows_in_figures(run, shared));
            all() && run.sound_difference_on(shared).is_some()
        });
        found.map(|shared| shared.database.clone())
    }
}

fn shows_in_figures(run: &DifferentialRun<'_>, shared: &ReferenceDatabase) -> bool {
    let subject = run.subject;
    run.results_on(shared).is_some_and(|(reference, mutant)| {
        differ_in_figures(&reports(subject, reference.clone()), &reports(subject, mutant))
    })
}

/// Returns what people see of a result: the tables that the script itself does not read, or all if it reads each.
pub fn reports(subject: &Subject<'_>, mut result: ScriptResult) -> ScriptResult {
    let read = subject.scopes.relations().filter_map(|(_, relation)| match &relation.source {
        RelationSource::Table(name) | RelationSource::Written(name) => Some(name.as_str()),
        _ => None,
    });
    let read: BTreeSet<&str> = read.collect();
    if result.tables.iter().any(|table| !read.contains(table.target.as_str())) {
        result.tables.retain(|table| !read.contains(table.target.as_str()));
    }
    result
}

/// Whether two results differ, and only in figures: they have as many rows, and a column that holds other values holds
/// numbers and as many NULLs.
fn differ_in_figures(reference: &ScriptResult, mutant: &ScriptResult) -> bool {
    let tables = || reference.tables.iter().zip(&mutant.tables);
    let is_alike = |(one, other): (&ResultTable, &ResultTable)| {
        one.target == other.target
            && one.rows.len() == other.rows.len()
            && (0..one.columns.len()).all(|column| {
                let (one, other) = (values(one, column), values(other, column));
                one == other || numbers(&one).zip(numbers(&other)).is_some_and(|(one, other)| one == other)
            })
    };
    let differs = |(one, other): (&ResultTable, &ResultTable)| {
        (0..one.columns.len()).any(|column| values(one, column) != values(other, column))
    };
    reference.tables.len() == mutant.tables.len() && tables().all(is_alike) && tables().any(differs)
}

/// Returns the values of a column, in the order of their texts.
fn values(table: &ResultTable, column: usize) -> Vec<&Value> {
    let mut values: Vec<&Value> = table.rows.iter().filter_map(|row| row.get(column)).collect();
    values.sort_by_cached_key(|value| format!("{value:?}"));
    values
}

/// Returns how many numbers stand among values; `None` if there is anything else but NULL.
fn numbers(values: &[&Value]) -> Option<usize> {
    let is_number = |value: &&&Value| matches!(value, Value::Integer(_) | Value::Real(_));
    let only = values.iter().all(|value| matches!(value, Value::Null | Value::Integer(_) | Value::Real(_)));
    only.then(|| values.iter().filter(is_number).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::types::Type;
    use crate::engine::table::{ResultColumn, Row};

    fn result(rows: &[[Value; 2]]) -> ScriptResult {
        let column = |name: &str| ResultColumn { name: name.to_owned(), data_type: Type::Unknown, unordered: None };
        let table = ResultTable {
            target: "ads.t".to_owned(),
            columns: vec![column("k"), column("n")],
            rows: rows.iter().map(|row| Row::from(row.clone())).collect(),
            ordered: false,
            sorted_by: Vec::new(),
        };
        ScriptResult { tables: vec![table] }
    }

    #[test]
    fn only_other_numbers_in_as_many_rows_are_a_difference_in_figures() {
        let text = |text: &str| Value::Text(text.to_owned());
        let right = result(&[[text("a"), Value::Integer(1)], [text("b"), Value::Null]]);
        for (rows, expected) in [
            (vec![[text("a"), Value::Integer(2)], [text("b"), Value::Null]], true),
            (vec![[text("a"), Value::Real(0.5)], [text("b"), Value::Null]], true),
            (vec![[text("b"), Value::Null], [text("a"), Value::Integer(1)]], false),
            (vec![[text("a"), Value::Integer(1)], [text("b"), Value::Integer(0)]], false),
            (vec![[text("a"), Value::Integer(2)], [text("c"), Value::Null]], false),
            (vec![[text("a"), Value::Integer(2)]], false),
            (vec![[text("a"), text("one")], [text("b"), Value::Null]], false),
        ] {
            assert_eq!(differ_in_figures(&right, &result(&rows)), expected, "{rows:?}");
        }
    }
}
