//! The model of a business as `domain.yaml` writes it. Every text is for people: no capital at the start, no full stop.

use serde::Deserialize;

use super::listed::Listed;

/// A business: what it is about, what it records, and what may be asked of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// Name of its folder, such as `retail`.
    pub domain: String,
    /// Two to five letters with which names of schemas begin.
    pub prefix: String,
    /// What the business is.
    pub title: String,
    /// ISO code of the currency in which it reports.
    pub currency: String,
    /// Teams that own scripts, as headers name them.
    pub teams: Vec<String>,
    /// Who reads the reports.
    pub readers: Vec<String>,
    /// Things with an identity.
    pub entities: Listed<Entity>,
    /// Tables.
    pub tables: Listed<Table>,
    /// Figures of figures, such as a rate of returns.
    #[serde(default)]
    pub ratios: Listed<Ratio>,
    /// Tables that record the same kind of thing under different names.
    #[serde(default)]
    pub similar: Listed<Similar>,
    /// Pairs of tables whose figures should agree.
    #[serde(default)]
    pub mirrors: Listed<Mirror>,
    /// Steps through which an entity passes.
    #[serde(default)]
    pub funnels: Listed<EntityFunnel>,
    /// What is asked.
    pub questions: Listed<BusinessQuestion>,
}

/// A thing with an identity.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// Singular, such as `store`.
    pub one: String,
    /// Plural.
    pub many: String,
    /// What reports call it, if otherwise.
    pub called: Option<String>,
    /// Type of its key.
    #[serde(rename = "type")]
    pub kind: String,
    /// Two or more keys as they look.
    pub looks: Vec<String>,
}

/// What a table records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// Something that happened; a partition holds one day.
    Event,
    /// The state of everything at the end of a day; a partition holds all of it.
    Snapshot,
    /// Versions of an entity with intervals of validity.
    History,
    /// One row for each entity.
    Dimension,
    /// Rates, prices or factors with intervals of validity.
    Rate,
    /// Codes and their meaning.
    CodeList,
    /// Which entity belongs to which; many to many.
    Link,
    /// One row for each day.
    Calendar,
    /// Targets for an entity and a month.
    Plan,
    /// Entities that reports leave out.
    Exclusion,
}

/// A table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What it records.
    pub kind: TableKind,
    /// Singular of its rows, such as `receipt line`.
    pub one: String,
    /// Plural.
    pub many: String,
    /// What exactly one row is.
    pub row: String,
    /// Other names that the table may have.
    #[serde(default)]
    pub also: Vec<String>,
    /// Columns that make a row unique (within a partition, after repeated rows are left out).
    pub key: Vec<String>,
    /// The entity that it describes or lists.
    pub entity: Option<String>,
    /// How it is cut into days. `None` for small tables that are replaced as a whole.
    pub partition: Option<Partition>,
    /// How rows come more than once.
    pub repeats: Option<RepeatedRows>,
    /// How long a row holds: histories, rates; links and exclusions where they end.
    pub valid: Option<Validity>,
    /// What a rate is used for.
    pub r#use: Option<Use>,
    /// Dimension: its columns from the finest level to the coarsest.
    #[serde(default)]
    pub hierarchy: Vec<String>,
    /// Code list: `table.column` that holds its codes.
    #[serde(default)]
    pub lists: Vec<String>,
    /// Plan: `table.figure` that is planned.
    pub plans: Option<String>,
    /// Calendar: what its columns say.
    pub calendar: Option<Calendar>,
    /// Columns.
    pub columns: Listed<DomainColumn>,
    /// What is counted and added up.
    #[serde(default)]
    pub figures: Listed<Figure>,
    /// Which rows count, in two legal forms each.
    #[serde(default)]
    pub rules: Listed<PopulationRule>,
    /// Classes by a figure or a number.
    #[serde(default)]
    pub bands: Listed<Bands>,
}

/// The column that cuts a table into days.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partition {
    /// Its name, mostly `dt`.
    pub column: String,
    /// What its date means, such as `business date of the till`.
    pub means: String,
}

/// Rows that come more than once.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatedRows {
    /// Why, as a main clause: `tills upload a receipt again after a correction`.
    pub because: String,
    /// Columns that order the repeats of one key, from oldest to newest; together they are unique.
    pub order: Vec<String>,
}

/// An interval in which a row holds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validity {
    /// First day.
    pub from: String,
    /// Last day, or the day after it.
    pub to: String,
    /// Which of both.
    pub end: ValidityEnd,
    /// What stands in `to` while there is no end; absent means NULL.
    pub open: Option<String>,
}

/// Whether the end of an interval belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValidityEnd {
    /// The row holds on that day.
    Inclusive,
    /// The row holds until the day before.
    Exclusive,
}

/// What a rate does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum Use {
    /// Multiplies an amount of a foreign currency to give the domain's.
    Exchange {
        /// Column with the foreign currency.
        currency: String,
        /// Column with the factor.
        value: String,
    },
    /// A share of a figure: commission, tax, fee. `figure` of a table gives a new figure.
    Share {
        /// `table.figure` that it is a share of.
        of: String,
        /// Columns here and columns there that must agree, such as `{category_id: category_id}`.
        r#match: Listed<String>,
        /// Column with the share, from 0 to 1.
        value: String,
        /// Name of the new figure.
        gives: String,
        /// Words of the new figure.
        words: String,
    },
    /// A price for a quantity: `figure` of a table gives a new amount.
    Price {
        /// `table.figure` that it multiplies.
        of: String,
        /// Columns here and columns there that must agree.
        r#match: Listed<String>,
        /// Column with the price of one unit.
        value: String,
        /// Name of the new figure.
        gives: String,
        /// Words of the new figure.
        words: String,
    },
}

/// What the columns of a calendar say.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calendar {
    /// The day.
    pub day: String,
    /// A flag for days on which the business works.
    pub workday: String,
    /// First day of its week.
    pub week: String,
    /// Its month or fiscal period as text.
    pub period: String,
}

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
pub enum Phase {
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
    pub phase: Option<Phase>,
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

/// A figure divided by another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// What people call it: `share of returned units`.
    pub words: String,
    /// `table.figure` or `table.count`.
    pub top: String,
    /// `table.figure` or `table.count`.
    pub bottom: String,
}

/// Tables that record the same kind of thing.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Similar {
    /// Singular of the common thing: `sale`.
    pub one: String,
    /// Plural.
    pub many: String,
    /// For each table, common names and the columns (or SQL over `{column}`) that give them; the same names in each.
    pub tables: Listed<Listed<String>>,
    /// For each table, the code that marks its rows, such as `TILL`.
    pub marks: Listed<String>,
}

/// Two tables whose figures should agree.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mirror {
    /// What is compared, for people: `till takings and card settlements`.
    pub words: String,
    /// `table.figure`.
    pub left: String,
    /// `table.figure`.
    pub right: String,
    /// Columns of the left table and columns of the right one that must agree.
    pub r#match: Listed<String>,
    /// Difference that is nobody's business.
    pub tolerance: f64,
}

/// Steps through which an entity passes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntityFunnel {
    /// What it is: `from app visit to purchase`.
    pub words: String,
    /// Who passes through it.
    pub entity: String,
    /// At least three steps, in order.
    pub steps: Listed<FunnelStep>,
}

/// One step of a funnel.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunnelStep {
    /// What it means: `opened the app`.
    pub words: String,
    /// Event table.
    pub table: String,
    /// Column with the entity.
    pub entity: String,
    /// Column with the moment.
    pub time: String,
    /// SQL over `{column}`; absent: every row.
    pub when: Option<String>,
}

/// What is asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BusinessQuestion {
    /// Title of the report: `weekly scorecard of stores`.
    pub title: String,
    /// Who needs it: `regional managers`.
    pub reader: String,
    /// What it is for, as a purpose: `see which stores lose sales to returns and empty shelves`.
    pub purpose: String,
    /// The entity that a row is about.
    pub subject: String,
    /// Event and snapshot tables whose figures it needs; each reaches the subject through references.
    pub facts: Vec<String>,
}
