//! What a user can say about a wrong result.

use serde::{Deserialize, Serialize};

/// In what way the result looks wrong to a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Symptom {
    /// Rows that should be there are not.
    MissingRows,
    /// Rows that should not be there are.
    ExtraRows,
    /// Rows occur more often than they should.
    Duplicates,
    /// Several rows stand there for what should be one, and they are not all the same.
    SplitRows,
    /// Rows occur less often than they should, and each of them occurs.
    MissingCopies,
    /// A cell holds another value.
    WrongValue,
    /// The result has no rows.
    EmptyResult,
    /// A column is empty where it should not be.
    NullOrEmpty,
    /// A column is filled in where it should be empty.
    WronglyFilled,
    /// A figure is too high, or too low, in every row that differs.
    WrongTotal,
    /// The rows are right, their order is not.
    WrongOrder,
    /// The content is right, its form is not: case, marks, number of columns, or how values are stored.
    WrongFormat,
}

impl Symptom {
    pub const ALL: [Symptom; 12] = [
        Symptom::MissingRows,
        Symptom::ExtraRows,
        Symptom::Duplicates,
        Symptom::SplitRows,
        Symptom::MissingCopies,
        Symptom::WrongValue,
        Symptom::EmptyResult,
        Symptom::NullOrEmpty,
        Symptom::WronglyFilled,
        Symptom::WrongTotal,
        Symptom::WrongOrder,
        Symptom::WrongFormat,
    ];

    /// Returns its name in template files.
    pub fn name(self) -> &'static str {
        match self {
            Symptom::MissingRows => "missing_rows",
            Symptom::ExtraRows => "extra_rows",
            Symptom::Duplicates => "duplicates",
            Symptom::SplitRows => "split_rows",
            Symptom::MissingCopies => "missing_copies",
            Symptom::WrongValue => "wrong_value",
            Symptom::EmptyResult => "empty_result",
            Symptom::NullOrEmpty => "null_or_empty",
            Symptom::WronglyFilled => "wrongly_filled",
            Symptom::WrongTotal => "wrong_total",
            Symptom::WrongOrder => "wrong_order",
            Symptom::WrongFormat => "wrong_format",
        }
    }
}

/// What a user can say about a wrong result, in business words, ready to be quoted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The table that is wrong, in business words; "result" for a plain query's result.
    pub table: String,
    /// The title of the report that it holds, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The other tables that are wrong, in business words, without scratch tables and those that the script reads.
    pub others: Vec<String>,
    /// The symptom of all these, if it is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_symptom: Option<Symptom>,
    /// The symptom that stands out.
    pub symptom: Symptom,
    /// Number of rows the user expects.
    pub expected_rows: usize,
    /// Number of rows the user sees.
    pub actual_rows: usize,
    /// Rows expected and not seen.
    pub missing: usize,
    pub extra: usize,
    /// Rows seen that repeat an expected row.
    pub duplicated: usize,
    /// Rows with other values.
    pub changed: usize,
    /// What the rows are that are missing, or too many, if they are of one kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<RowKind>,
    /// What else is wrong in the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub besides: Option<Besides>,
    /// One row that shows the symptom, if there is one.
    pub example: Option<ExampleRow>,
    /// A column's sum over all rows, if it differs.
    pub total: Option<Total>,
}

/// What else is wrong in a table, so much of it that the symptom alone would point to something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Besides {
    /// Most of the rows that are rightly there have wrong values.
    WrongValues,
    /// Rows are there that should not be, at least a quarter as many as show the symptom.
    ExtraRows,
    /// The same where it is one.
    ExtraRow,
    /// Rows are missing, at least a quarter as many as show the symptom.
    MissingRows,
    /// The same where it is one.
    MissingRow,
    /// Most of the wrong rows are wrong in many columns.
    OtherColumns,
}

impl Besides {
    pub const ALL: [Besides; 6] = [
        Besides::WrongValues,
        Besides::ExtraRows,
        Besides::ExtraRow,
        Besides::MissingRows,
        Besides::MissingRow,
        Besides::OtherColumns,
    ];
}

/// What rows are that only one of two results has, such as shops: in a column of their key they have values that no row of
/// the other result has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowKind {
    /// The column in business words.
    pub column: String,
    /// How many different values they have in it.
    pub values: usize,
}

/// One row that shows what is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExampleRow {
    /// What names the row: for each key column its name in business words, and the value.
    pub key: Vec<(String, String)>,
    /// The wrong cell, for symptoms that concern cells.
    pub cell: Option<Cell>,
    /// How often the user sees the row, for duplicates and missing copies; otherwise 1.
    pub times: usize,
    /// How often the row should be there, for the same; otherwise 1.
    pub expected_times: usize,
    /// Position of the row, from 1, for a wrong order; otherwise 0.
    pub position: usize,
    /// What names the row in its place, for a wrong order; otherwise empty.
    pub instead: Vec<(String, String)>,
}

/// One cell that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Its column in business words.
    pub column: String,
    /// The value the user expects.
    pub expected: String,
    /// The value the user sees.
    pub actual: String,
    /// Whether the values are those of every row, which needs no key then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_everywhere: bool,
    /// How many rows have a wrong value in the column; 0 if that is not known.
    #[serde(default)]
    pub rows: usize,
    /// Whether the column is blank in every row that the user sees.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_all_blank: bool,
    /// The other columns that are wrong in the same row, in business words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<String>,
    /// To which side all wrong cells of the column lie, if they are figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation: Option<Deviation>,
}

/// To which side figures are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deviation {
    /// Greater than they should be.
    TooHigh,
    /// Less than they should be.
    TooLow,
}

/// The sum of a column of numbers on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Total {
    /// The column in business words.
    pub column: String,
    /// The sum the user expects.
    pub expected: String,
    /// The sum the user sees.
    pub actual: String,
}

impl Facts {
    /// Whether other rows than the example show the symptom, or may do so.
    pub fn has_more_examples(&self) -> bool {
        let shown = match self.symptom {
            Symptom::MissingRows | Symptom::MissingCopies => self.missing,
            Symptom::ExtraRows => self.extra,
            Symptom::Duplicates | Symptom::SplitRows if self.expected_rows == 1 => 1,
            Symptom::Duplicates | Symptom::SplitRows => self.duplicated,
            Symptom::EmptyResult => self.expected_rows,
            _ => self.example.as_ref().and_then(|example| example.cell.as_ref()).map_or(self.changed, |cell| cell.rows),
        };
        shown != 1
    }
}
