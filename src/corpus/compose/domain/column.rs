//! What the columns of a table mean, and what is made of a row: figures, rules over which rows count, classes.

use serde::Deserialize;

use super::listed::Listed;

/// What a column means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Part of the row's identity that is no entity: receipt number, line number.
    Key,
    /// Key of an entity.
    Reference,
    /// A moment, `yyyy-MM-dd HH:mm:ss`.
    Time,
    /// A day, `yyyy-MM-dd`.
    Day,
    /// A month, `yyyy-MM`.
    Month,
    /// Money that may be added up.
    Amount,
    /// A number of units that may be added up.
    Quantity,
    /// Money for one unit; never added up.
    Price,
    /// A number between 0 and 1; never added up.
    Share,
    /// A factor, score or measurement that is averaged and never added up.
    Measure,
    /// A duration that may be added up.
    Duration,
    /// Where the row stands in its life.
    Status,
    /// One of few values.
    Code,
    /// A currency code.
    Currency,
    /// Yes or no.
    Flag,
    /// Several codes in one value.
    List,
    /// Named values.
    Map,
    /// JSON text.
    Json,
    /// A name for people.
    Name,
    /// Free text.
    Text,
    /// A number or moment that orders repeats and versions and means nothing else.
    Order,
}

/// Where a status stands in a life cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LifecyclePhase {
    /// Under way.
    Open,
    /// Came to its good end.
    Done,
    /// Cancelled, void, rejected.
    Dropped,
}

/// A value of a code or status.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeValue {
    /// What it means.
    pub words: String,
    /// Status: where it stands in the life cycle.
    pub phase: Option<LifecyclePhase>,
    /// Its share of the rows, from 0 to 1.
    pub share: Option<f64>,
}

/// A column.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DomainColumn {
    /// What it means.
    pub role: Role,
    /// Its type in the schema.
    #[serde(rename = "type")]
    pub kind: String,
    /// What people call it, without article: `gross amount`.
    pub words: String,
    /// Other names that the column may have.
    #[serde(default)]
    pub also: Vec<String>,
    /// What a missing value means; absent: it is never missing.
    pub missing: Option<String>,
    /// Reference: the entity.
    pub entity: Option<String>,
    /// Amount, price: the column that holds its currency; absent: the domain's currency.
    pub currency: Option<String>,
    /// Quantity, duration, measure: the unit in the plural, such as `pieces`, `minutes`.
    pub unit: Option<String>,
    /// Numbers: smallest and greatest usual value.
    pub range: Option<[f64; 2]>,
    /// Status, code, flag that is no BOOLEAN: the values, in the order of their life.
    #[serde(default)]
    pub values: Listed<CodeValue>,
    /// Names, texts, lists, maps: what stands there.
    #[serde(default)]
    pub examples: Vec<String>,
    /// A list in one text: what separates its items.
    pub separator: Option<String>,
    /// Map, JSON: the keys with their words.
    #[serde(default)]
    pub fields: Listed<String>,
    /// Columns of the same table that are taken for this one by mistake and would be legal there.
    #[serde(default)]
    pub confused: Vec<String>,
}

/// What kind of number a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureUnit {
    /// Money.
    Amount,
    /// A number of units.
    Quantity,
    /// Time.
    Duration,
    /// Averaged only.
    Measure,
}

/// A number that each row of a table has.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// What people call it: `net sales`.
    pub words: String,
    /// What it is.
    pub unit: FigureUnit,
    /// SQL over `{column}` of the table.
    pub sql: String,
    /// Column with the currency of the result, if it is not the domain's.
    pub currency: Option<String>,
    /// Another legal way to compute it that gives other numbers: gross for net, list price for paid price.
    pub otherwise: Option<String>,
    /// What the figure is by `sql`, as it stands in a sentence: `sales are net of discounts`.
    pub rule: Option<String>,
    /// What it is by `otherwise`: `sales are taken before discounts`.
    pub otherwise_rule: Option<String>,
}

/// A choice of rows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopulationRule {
    /// SQL over `{column}` that is true for rows that count.
    pub keep: String,
    /// What it says, as a main clause: `purchases by staff are left out`.
    pub words: String,
    /// SQL of the other legal choice; absent: all rows count.
    pub otherwise: Option<String>,
    /// What the other choice says: `purchases by staff count as well`.
    pub otherwise_words: String,
}

/// A ladder of classes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bands {
    /// What people call the class: `basket size`.
    pub words: String,
    /// A figure of the table, or a number column of it; classes are made per row or of its sum.
    pub of: String,
    /// Upper limits, ascending, with the class below each.
    pub steps: Vec<Band>,
    /// The class above the last limit.
    pub rest: String,
}

/// A class below a limit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// The limit.
    pub below: f64,
    /// The class, in capitals.
    pub class: String,
}
