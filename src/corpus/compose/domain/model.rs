//! The model of a business as `domain.yaml` writes it. Texts for people have no capital at the start and no full stop.

use serde::Deserialize;

use super::column::{Bands, DomainColumn, Figure, PopulationRule};
use super::listed::Listed;
use super::question::{BusinessQuestion, EntityFunnel, Ratio, Reconciliation, Similar};

/// A business: what it is about, what it records, and what may be asked of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// Name of its folder, such as `retail`.
    pub domain: String,
    /// Two to five letters that stand in the names of its databases: `rtl_dwd`.
    pub prefix: String,
    /// What the business is, a noun phrase.
    pub title: String,
    /// ISO code of the currency in which it reports.
    pub currency: String,
    /// Teams that own scripts, as headers name them.
    pub teams: Vec<String>,
    /// Who reads the reports.
    pub readers: Vec<String>,
    /// Things with an identity, such as stores.
    pub entities: Listed<Entity>,
    /// Tables.
    pub tables: Listed<Table>,
    /// Figures divided by figures, such as a rate of returns.
    #[serde(default)]
    pub ratios: Listed<Ratio>,
    /// Tables that record the same kind of thing under different names.
    #[serde(default)]
    pub similar: Listed<Similar>,
    /// Pairs of tables whose figures should agree.
    #[serde(default)]
    pub mirrors: Listed<Reconciliation>,
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
    /// What reports call it, if not `one`.
    pub called: Option<String>,
    /// SQL type of its key.
    #[serde(rename = "type")]
    pub kind: String,
    /// Two or more realistic keys.
    pub looks: Vec<String>,
    /// Whether it does one thing after another, as people, vehicles and devices do: then pauses, runs and returns of it
    /// make sense.
    #[serde(default)]
    pub acts: bool,
    /// Whether it exists for days or weeks only, as tickets and hospital cases do: then its age says nothing.
    #[serde(default)]
    pub brief: bool,
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
    /// Event: whether its rows follow each other within minutes, as clicks and taps do.
    #[serde(default)]
    pub stream: bool,
    /// The entity that its rows describe or list.
    pub entity: Option<String>,
    /// How it is partitioned by day; `None` for tables that are replaced as a whole.
    pub partition: Option<Partition>,
    /// How rows come more than once; `None` if they do not.
    pub repeats: Option<RepeatedRows>,
    /// How long a row is valid: histories, rates; links and exclusions if they end.
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
    /// Numbers that each row has.
    #[serde(default)]
    pub figures: Listed<Figure>,
    /// Which rows count, in two legal forms each.
    #[serde(default)]
    pub rules: Listed<PopulationRule>,
    /// Classes by a figure or a number.
    #[serde(default)]
    pub bands: Listed<Bands>,
}

/// The column by which a table is partitioned by day.
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
    /// Why the first of the repeats may be wanted, as a main clause; `None` if only the last makes sense.
    pub first: Option<String>,
}

/// The columns with the interval in which a row is valid.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validity {
    /// Column with the first day.
    pub from: String,
    /// Column with the last day, or the day after it.
    pub to: String,
    /// Whether the day in `to` belongs to the interval.
    pub end: ValidityEnd,
    /// What stands in `to` while there is no end; absent means NULL.
    pub open: Option<String>,
}

/// Whether the end of an interval belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValidityEnd {
    /// The row is valid on that day.
    Inclusive,
    /// The row is valid until the day before.
    Exclusive,
}

/// What a rate is used for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum Use {
    /// Multiplied by an amount of a foreign currency it gives the amount in the domain's.
    Exchange {
        /// Column with the foreign currency.
        currency: String,
        /// Column with the factor.
        value: String,
    },
    /// A share of a figure, such as commission, tax or fee: multiplied by the figure it gives a new one.
    Share {
        /// `table.figure` that it is a share of.
        of: String,
        /// Columns of the rate and columns of the figure's table that must agree, such as `{category_id: category_id}`.
        r#match: Listed<String>,
        /// Column with the share, from 0 to 1.
        value: String,
        /// Name of the new figure.
        gives: String,
        /// Words of the new figure.
        words: String,
    },
    /// A price of one unit: multiplied by a quantity it gives an amount.
    Price {
        /// `table.figure` with the quantity.
        of: String,
        /// Columns of the rate and columns of the figure's table that must agree.
        r#match: Listed<String>,
        /// Column with the price of one unit.
        value: String,
        /// Name of the new figure.
        gives: String,
        /// Words of the new figure.
        words: String,
    },
}

/// Which columns of a calendar say what.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calendar {
    /// Column with the day.
    pub day: String,
    /// Column with a flag for days on which the business works.
    pub workday: String,
    /// Column with the first day of the week.
    pub week: String,
    /// Column with the month or fiscal period, as text.
    pub period: String,
}
