//! Patterns of analysis, as data: `templates/pattern/<name>.yaml`.

mod library;
mod story;

use serde::Deserialize;

pub use library::{Library, PatternError};
pub use story::Story;

use super::domain::{FigureUnit, Listed, Role, TableKind};

/// Where in a plan a pattern stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatternStage {
    /// Makes the rows of a table trustworthy: one version each, readable values.
    Clean,
    /// Adds columns to rows or leaves rows out, with the help of other tables.
    Enrich,
    /// Adds a column made of other columns of the row.
    Row,
    /// A figure of many rows.
    Measure,
    /// Adds a figure made of other figures, one row for each subject.
    Derive,
    /// The last thing done: what is shown and in which order.
    Finish,
}

/// A pattern: what it needs, what it gives, and two or more ways to write it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Its name, that of the file.
    pub name: String,
    /// Where it stands.
    pub stage: PatternStage,
    /// How often it is taken, 1 if not said.
    #[serde(default = "one")]
    pub weight: f64,
    /// The stories that it helps to tell; none named: any.
    #[serde(default)]
    pub stories: Vec<String>,
    /// Whether a relation can have it more than once.
    #[serde(default)]
    pub again: bool,
    /// What the relation must be.
    #[serde(default)]
    pub needs: Needs,
    /// Columns of the relation that it takes.
    #[serde(default)]
    pub slots: Listed<Slot>,
    /// Another table that it reads.
    pub other: Option<Other>,
    /// Names of new columns: templates, one of which is drawn.
    #[serde(default)]
    pub names: Listed<Vec<String>>,
    /// Literals, one of which is drawn.
    #[serde(default)]
    pub draws: Listed<Vec<String>>,
    /// Decisions.
    #[serde(default)]
    pub decisions: Listed<FormPair>,
    /// What new columns mean.
    #[serde(default)]
    pub gives: Listed<Give>,
    /// A sentence about what is done that is no decision.
    pub says: Option<String>,
    /// What the blocks that it ends are called: ends of names, one of which is drawn.
    #[serde(default)]
    pub called: Vec<String>,
    /// Ways to write it.
    pub ways: Vec<Vec<Op>>,
}

fn one() -> f64 {
    1.0
}

/// What the relation as a whole must be.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// Kinds of the table whose rows it holds.
    #[serde(default)]
    pub kind: Vec<TableKind>,
    /// Rows come more than once.
    #[serde(default)]
    pub repeats: bool,
    /// The window of the question is longer than a day.
    #[serde(default)]
    pub days: bool,
    /// Whether a row of the table may stand in several rows; absent: it may not.
    #[serde(default)]
    pub fanned: bool,
    /// Slots `top` and `bottom` are those of a ratio of the domain.
    #[serde(default)]
    pub ratio: bool,
}

/// A column that a pattern takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Its role is one of these.
    #[serde(default)]
    pub role: Vec<Role>,
    /// It is a figure of one of these units, in the currency of the domain.
    #[serde(default)]
    pub figure: Vec<FigureUnit>,
    /// It is a figure in a currency of its own.
    #[serde(default)]
    pub foreign: bool,
    /// Whether it may be missing; absent: no matter.
    pub missing: Option<bool>,
    /// It has known values.
    #[serde(default)]
    pub values: bool,
    /// It has bands.
    #[serde(default)]
    pub bands: bool,
    /// It has known fields.
    #[serde(default)]
    pub fields: bool,
    /// Its type begins with this.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// It is read straight from the table.
    #[serde(default)]
    pub stored: bool,
    /// It is a plain sum.
    #[serde(default)]
    pub sum: bool,
    /// It is a column of the relation that the open block reads, not an expression over it.
    #[serde(default)]
    pub plain: bool,
    /// It is not by itself what makes a row unique, so that it may stand in several rows.
    #[serde(default)]
    pub repeated: bool,
    /// It is a figure of the same table's rows as the one in this slot.
    pub beside: Option<String>,
}

/// Another table that a pattern reads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Other {
    /// Its kind.
    pub kind: TableKind,
    /// What a rate is used for: `exchange`, `share`, `price`.
    pub r#use: Option<String>,
    /// Columns of it that the pattern takes.
    #[serde(default)]
    pub slots: Listed<Slot>,
}

/// Two forms.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormPair {
    /// Leaf of the paper's taxonomy.
    pub label: String,
    /// Templates of the forms.
    pub forms: [String; 2],
    /// Templates of their sentences.
    pub says: [String; 2],
    /// What data needs to tell them apart.
    #[serde(default)]
    pub hint: String,
    /// Template of what it is about, if it is made once for the whole script: turning it turns all its places.
    pub shared: Option<String>,
}

/// What a new column means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Give {
    /// Its role.
    pub role: Role,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Template of what people call it.
    pub words: String,
    /// It is a figure of this unit.
    pub figure: Option<FigureUnit>,
    /// Whether it may be missing.
    #[serde(default)]
    pub missing: bool,
    /// It takes the place of the column in this slot.
    pub instead: Option<String>,
    /// It is the sum of the figure in this slot.
    pub sum_of: Option<String>,
}

/// One step of writing a pattern.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Op {
    /// New columns.
    #[serde(default)]
    pub set: Listed<String>,
    /// The columns are made once for each value of the column in this slot, `item`, and named after it.
    pub each: Option<String>,
    /// A condition on rows.
    pub filter: Option<String>,
    /// A condition on groups.
    pub having: Option<String>,
    /// Makes what there is so far a relation of its own; what it holds, for comments and names.
    pub close: Option<String>,
    /// Joins the other table in this way.
    pub join: Option<String>,
    /// Conditions of the join.
    #[serde(default)]
    pub on: Vec<String>,
    /// Columns that go.
    #[serde(default)]
    pub drop: Vec<String>,
    /// Columns in slots that are never missing from here on.
    #[serde(default)]
    pub present: Vec<String>,
    /// A lateral view.
    pub lateral: Option<String>,
    /// Sort expressions.
    #[serde(default)]
    pub order: Vec<String>,
    /// Number of rows.
    pub limit: Option<String>,
    /// Nothing can be added up from here on: rows of the table stand in several rows.
    #[serde(default)]
    pub fan: bool,
    /// A sub-query over the other table; `sub` stands for it, in parentheses.
    pub subquery: Option<Subquery>,
    /// Groups the same rows by their key and joins the result: name of the relation.
    pub fork: Option<Fork>,
}

/// A sub-query inside an expression.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subquery {
    /// The expression that it gives.
    pub select: String,
    /// Conditions.
    #[serde(default)]
    pub filter: Vec<String>,
}

/// The same rows, grouped or not, to be joined to themselves.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// What it holds.
    pub purpose: String,
    /// Ends of names for it.
    pub called: Vec<String>,
    /// Grouping columns, as templates.
    pub group: Vec<String>,
    /// The rows are not grouped: the columns of `group` are only those by which they are joined.
    #[serde(default)]
    pub single_rows: bool,
    /// Columns: name and template.
    pub set: Listed<String>,
    /// How it is joined.
    pub join: String,
    /// Conditions; `f.<name>` is a column of it.
    pub on: Vec<String>,
}
