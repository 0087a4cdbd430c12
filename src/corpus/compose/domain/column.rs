//! What the columns of a table mean, and what is made of a row: figures, rules over which rows count, classes.

use serde::Deserialize;

use super::listed::Listed;

/// What a column means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Part of the row's identity that is no key of an entity: receipt number, line number.
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
    /// Where the row stands in its life cycle.
    Status,
    /// One of few values.
    Code,
    /// A currency code.
    Currency,
    /// Yes or no.
    Flag,
    /// Several items in one value, an array or a text with separators.
    List,
    /// Named values, as a MAP.
    Map,
    /// Named values, as JSON text.
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
    /// Ended as it should.
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
    /// For a status, where it stands in the life cycle.
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
    /// What NULL means; if absent, the column is never NULL.
    pub missing: Option<String>,
    /// Day: what the row describes exists no longer after it (closing day, last day of sale).
    #[serde(default)]
    pub ends: bool,
    /// The entity whose key it is; a reference needs one.
    pub entity: Option<String>,
    /// Amount, price: the column that holds its currency; if absent, it is in the domain's.
    pub currency: Option<String>,
    /// Quantity, duration, measure: the unit in the plural, such as `pieces`, `minutes`.
    pub unit: Option<String>,
    /// Numbers: smallest and greatest usual value.
    pub range: Option<[f64; 2]>,
    /// Status (in the order of the life cycle), code, currency, flag that is no BOOLEAN (yes first): the values.
    #[serde(default)]
    pub values: Listed<CodeValue>,
    /// Keys, codes, names, texts: some of the values; lists: items.
    #[serde(default)]
    pub examples: Vec<String>,
    /// A list in one text: what separates its items.
    pub separator: Option<String>,
    /// Map, JSON: the keys with their words.
    #[serde(default)]
    pub fields: Listed<String>,
    /// Columns of the same table and role that are taken for this one by mistake.
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
    /// What kind of number it is, which says whether it may be added up.
    pub unit: FigureUnit,
    /// SQL over `{column}` of the table.
    pub sql: String,
    /// Column with the currency of the result; if absent, it is in the domain's.
    pub currency: Option<String>,
    /// Another legal way to compute it that gives other numbers: gross for net, list price for paid price.
    pub otherwise: Option<String>,
    /// What the figure is by `sql`, as a main clause: `sales are net of discounts`.
    pub rule: Option<String>,
    /// What it is by `otherwise`: `sales are taken before discounts`.
    pub otherwise_rule: Option<String>,
}

/// A rule over which rows count, in two legal forms.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopulationRule {
    /// SQL over `{column}` that is true for rows that count.
    pub keep: String,
    /// What it says, as a main clause: `purchases by staff are left out`.
    pub words: String,
    /// SQL of the other form; if absent, all rows count in it.
    pub otherwise: Option<String>,
    /// What the other form says: `purchases by staff count as well`.
    pub otherwise_words: String,
}

/// Classes by limits of a number.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bands {
    /// What people call the class: `basket size`.
    pub words: String,
    /// A figure of the table, or a column of it; the composer uses those of figures, for single rows.
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
