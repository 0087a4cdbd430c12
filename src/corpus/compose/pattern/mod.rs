//! Patterns of analysis, as data: `templates/pattern/<name>.yaml`.

mod story;
mod library;

use serde::Deserialize;

pub use library::Library;
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
    /// Adds columns made of other columns of the row.
    Row,
    /// Adds a figure that aggregates the rows of each subject.
    Measure,
    /// Adds a figure made of other figures, one row for each subject.
    Derive,
    /// The last thing done: what is shown and in which order.
    Finish,
}

/// A pattern: what it needs, what it gives, and one or more ways to write it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Its name, that of the file.
    pub name: String,
    /// Where it stands.
    pub stage: PatternStage,
    /// How often it is drawn in comparison with others; 1 if absent.
    #[serde(default = "one")]
    pub weight: f64,
    /// The stories that it helps to tell; if absent, all.
    #[serde(default)]
    pub stories: Vec<String>,
    /// Whether a relation may have it more than once.
    #[serde(default)]
    pub again: bool,
    /// Patterns that are not drawn beside it, because in one of its forms it says the same.
    #[serde(default)]
    pub never_beside: Vec<String>,
    /// What the relation must be.
    #[serde(default)]
    pub needs: RelationRequirement,
    /// Columns of the relation that it takes, by the names that templates give them.
    #[serde(default)]
    pub slots: Listed<Slot>,
    /// Another table that it reads, if any.
    pub other: Option<Other>,
    /// Names of new columns: for each, templates of which one is drawn.
    #[serde(default)]
    pub names: Listed<Vec<String>>,
    /// Literals for templates, as `v.<name>`: for each, texts of which one is drawn.
    #[serde(default)]
    pub draws: Listed<Vec<String>>,
    /// Decisions, in templates as `d.<name>`.
    #[serde(default)]
    pub decisions: Listed<PatternDecision>,
    /// What new columns mean.
    #[serde(default)]
    pub gives: Listed<NewColumn>,
    /// Template of a sentence for the specification that is no decision.
    pub says: Option<String>,
    /// Ends of names for the blocks that it ends, one of which is drawn.
    #[serde(default)]
    pub called: Vec<String>,
    /// Ways to write it, each a list of steps; one is drawn.
    pub ways: Vec<Vec<WritingStep>>,
}

impl Pattern {
    /// Whether another pattern is not drawn beside it.
    pub fn excludes(&self, other: &Pattern) -> bool {
        self.never_beside.contains(&other.name)
    }
}

fn one() -> f64 {
    1.0
}

/// What the relation as a whole must be.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationRequirement {
    /// The table whose rows it holds is of one of these kinds; if absent, of any.
    #[serde(default)]
    pub kind: Vec<TableKind>,
    /// Whether its rows must come in several versions.
    #[serde(default)]
    pub repeats: bool,
    /// Whether the window of the question must be longer than a day.
    #[serde(default)]
    pub days: bool,
    /// Whether its rows must follow each other within minutes.
    #[serde(default)]
    pub stream: bool,
    /// Whether the subject of the report must exist for longer than days or weeks.
    #[serde(default)]
    pub lasting: bool,
    /// Measures only: whether a row of the table must stand in several rows.
    #[serde(default)]
    pub multiplied: bool,
    /// Whether the slots `top` and `bottom` are filled with a ratio of the domain.
    #[serde(default)]
    pub ratio: bool,
}

/// A column that a pattern takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// It is no figure, and its role is one of these.
    #[serde(default)]
    pub role: Vec<Role>,
    /// It is a figure of one of these units, in the currency of the domain unless `foreign`.
    #[serde(default)]
    pub figure: Vec<FigureUnit>,
    /// The figure is in a currency that another column holds.
    #[serde(default)]
    pub foreign: bool,
    /// Whether it may be NULL; if absent, either will do.
    pub missing: Option<bool>,
    /// Whether what its row describes exists no longer after this day; if absent, either will do.
    pub ends: Option<bool>,
    /// It has two or more known values.
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
    /// It comes from a column or figure of the model: no step made it.
    #[serde(default)]
    pub stored: bool,
    /// It is a plain sum or count.
    #[serde(default)]
    pub sum: bool,
    /// It is a column of the relation that the open block reads, not an expression over it.
    #[serde(default)]
    pub plain: bool,
    /// It is not by itself what makes a row unique, so that it may stand in several rows.
    #[serde(default)]
    pub repeated: bool,
    /// It refers to something that does one thing after another.
    #[serde(default)]
    pub acts: bool,
    /// It was made for the same table as the column in this slot.
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
    /// Whether it describes something that does one thing after another.
    #[serde(default)]
    pub acts: bool,
    /// Columns of it that the pattern takes, in templates as `o.<slot>`.
    #[serde(default)]
    pub slots: Listed<Slot>,
}

/// A decision of a pattern: two legal forms.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternDecision {
    /// Leaf of the paper's taxonomy.
    pub label: String,
    /// Templates of the forms.
    pub forms: [String; 2],
    /// Templates of their sentences.
    pub says: [String; 2],
    /// What rows data must have to tell them apart.
    #[serde(default)]
    pub hint: String,
    /// Template of what it is about, if it is made once for the whole script: reversing it changes all its places.
    pub shared: Option<String>,
    /// Template that is empty where only the first form makes sense: then that one stands, and nothing is decided.
    pub given: Option<String>,
}

/// What a new column means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewColumn {
    /// Its role.
    pub role: Role,
    /// Its SQL type, which may be a template.
    #[serde(rename = "type")]
    pub kind: String,
    /// Template of what people call it.
    pub words: String,
    /// Its unit, if it is a figure.
    pub figure: Option<FigureUnit>,
    /// Whether it may be NULL.
    #[serde(default)]
    pub missing: bool,
    /// It replaces the text of the column in this slot, whose role, type and words stay.
    pub instead: Option<String>,
    /// It is the sum of the figure in this slot, with its unit; `*` for the number of rows.
    pub sum_of: Option<String>,
}

/// One step of writing a pattern.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WritingStep {
    /// New columns: name and template.
    #[serde(default)]
    pub set: Listed<String>,
    /// The slot for each of whose known values, `item` in templates, the columns are made once and named.
    pub each: Option<String>,
    /// A condition on rows.
    pub filter: Option<String>,
    /// A condition on groups.
    pub having: Option<String>,
    /// Ends the open block and opens one that reads it; says what the former holds or why it is apart, for a comment.
    pub close: Option<String>,
    /// How the other table is joined: `LEFT JOIN`.
    pub join: Option<String>,
    /// Conditions of the join.
    #[serde(default)]
    pub on: Vec<String>,
    /// Columns that the relation loses.
    #[serde(default)]
    pub drop: Vec<String>,
    /// Slots whose columns are never NULL from here on.
    #[serde(default)]
    pub present: Vec<String>,
    /// Whether only rows whose key is in the other table are left from here on.
    #[serde(default)]
    pub only_matched: bool,
    /// A lateral view.
    pub lateral: Option<String>,
    /// Sort expressions.
    #[serde(default)]
    pub order: Vec<String>,
    /// LIMIT.
    pub limit: Option<String>,
    /// Whether rows of the table stand in several rows from here on: the relation loses its figures.
    #[serde(default)]
    pub multiplies_rows: bool,
    /// A sub-query over the other table, in templates as `sub`.
    pub subquery: Option<Subquery>,
    /// Joins the rows to a copy of themselves, grouped or not.
    pub self_join: Option<SelfJoin>,
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

/// What stands between the grouping columns that one template gives.
pub const GROUP_SEPARATOR: char = '\u{1}';

/// A copy of the rows, grouped or not, to which they are joined.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfJoin {
    /// What it holds, or why it is there, for a comment.
    pub purpose: String,
    /// Ends of names for it.
    pub called: Vec<String>,
    /// Templates of grouping columns; one may give several, with [`GROUP_SEPARATOR`] between them.
    pub group: Vec<String>,
    /// Whether the rows stay single: then `group` names only columns to join by.
    #[serde(default)]
    pub single_rows: bool,
    /// Columns: name and template.
    pub set: Listed<String>,
    /// How it is joined.
    pub join: String,
    /// Conditions beside the equality of keys; `f.<name>` is a column of it.
    pub on: Vec<String>,
}
