//! The words of a business, as its domain model has them, for names of every kind.

use std::collections::BTreeSet;

use crate::code::functions::lookup;
use crate::code::grammar::ends_an_expression;
use crate::code::schema::read_type;
use crate::code::types::Type;
use crate::corpus::compose::domain::{Domain, DomainColumn, Role, Table};
use crate::corpus::compose::draw::Draw;
use crate::prove::data::{names_moment, names_time};

/// What a name stands for, as far as it can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameRole {
    Database,
    Table,
    CommonTable,
    Alias,
    Parameter,
    Key,
    Day,
    Month,
    Moment,
    Start,
    End,
    Flag,
    Amount,
    Count,
    Rank,
    Code,
    Label,
    Nested,
    Text,
}

impl NameRole {
    /// Returns what a column stands for, by its type and name.
    pub fn of_column(name: &str, data_type: &Type) -> NameRole {
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let is_key = name == "id" || ["_id", "_no", "_sn", "_key", "uuid"].iter().any(|end| name.ends_with(end));
        let is_time = data_type.is_temporal() || !data_type.is_numeric() && names_time(name);
        match data_type {
            nested if nested.is_nested() => NameRole::Nested,
            _ if is_time && has(&["month"]) => NameRole::Month,
            _ if is_time && has(&["end", "expir", "valid_to", "due", "until", "close"]) => NameRole::End,
            _ if is_time && has(&["start", "begin", "valid_from", "open", "effective"]) => NameRole::Start,
            _ if is_time && (names_moment(name) || *data_type == Type::Timestamp) => NameRole::Moment,
            _ if is_time => NameRole::Day,
            Type::Boolean => NameRole::Flag,
            _ if name.starts_with("is_") || name.starts_with("has_") || has(&["flag"]) => NameRole::Flag,
            _ if is_key => NameRole::Key,
            _ if matches!(name, "rn" | "rk" | "rnk" | "seq") || has(&["rank", "row_num"]) => NameRole::Rank,
            _ if name.ends_with("_cd") || has(&["status", "type", "level", "code", "class", "state"]) => NameRole::Code,
            Type::Double | Type::Decimal(..) => NameRole::Amount,
            Type::Int | Type::BigInt => NameRole::Count,
            _ if has(&["amt", "amount", "price", "cost", "revenue", "fee"]) => NameRole::Amount,
            _ if has(&["cnt", "count", "num", "qty", "days", "total"]) => NameRole::Count,
            _ if has(&["name", "title", "city"]) => NameRole::Label,
            _ => NameRole::Text,
        }
    }

    /// Returns what a column of a domain model stands for; `None` if its name does not show that it is a time.
    fn of_model(name: &str, column: &DomainColumn) -> Option<NameRole> {
        let by_name = NameRole::of_column(name, &read_type(&column.kind).unwrap_or_default());
        let is_time = [NameRole::Day, NameRole::Moment, NameRole::Start, NameRole::End].contains(&by_name);
        match column.role {
            Role::Key | Role::Reference => Some(NameRole::Key),
            Role::Month => Some(NameRole::Month),
            Role::Time | Role::Day => Some(by_name).filter(|_| is_time),
            Role::Amount | Role::Price | Role::Share | Role::Measure => Some(NameRole::Amount),
            Role::Quantity | Role::Duration => Some(NameRole::Count),
            Role::Status | Role::Code | Role::Currency => Some(NameRole::Code),
            Role::Flag => Some(NameRole::Flag),
            Role::List | Role::Map | Role::Json => Some(NameRole::Nested),
            Role::Name => Some(NameRole::Label),
            Role::Text => Some(NameRole::Text),
            Role::Order => None,
        }
    }

    /// The ends of names that are made of the name of a table.
    fn endings(self) -> &'static [&'static str] {
        match self {
            NameRole::Database => &["dwd", "dws", "ads", "ods", "dim", "tmp", "mart", "stage"],
            NameRole::Table => &["daily", "detail", "base", "history", "result", "list"],
            NameRole::CommonTable => &["step", "rows", "part", "base", "known", "kept", "joined", "summed", "ranked"],
            NameRole::Parameter => &["value", "setting", "limit"],
            NameRole::Key => &["id", "no", "key"],
            NameRole::Day => &["date", "day", "dt"],
            NameRole::Month => &["month"],
            NameRole::Moment => &["time", "at"],
            NameRole::Start => &["start_date", "begin_date"],
            NameRole::End => &["end_date", "close_date"],
            NameRole::Flag => &["flag"],
            NameRole::Amount => &["amount", "value", "cost"],
            NameRole::Count => &["count", "qty", "number"],
            NameRole::Rank => &["rank", "rn", "seq"],
            NameRole::Code => &["code", "class", "type", "status"],
            NameRole::Label => &["name", "title"],
            NameRole::Nested => &["list", "map", "items"],
            NameRole::Alias | NameRole::Text => &["text", "remark", "mark", "note"],
        }
    }
}

#[derive(Debug)]
pub(super) struct BusinessWords<'a> {
    domain: &'a Domain,
    columns: Vec<(NameRole, String)>,
}

/// Words that a grammar reads as a part of a query where an alias may stand.
const NO_ALIAS: [&str; 16] =
    ["is", "in", "if", "no", "by", "or", "as", "to", "of", "at", "do", "go", "id", "ms", "tz", "pi"];

impl<'a> BusinessWords<'a> {
    pub fn new(domain: &'a Domain) -> BusinessWords<'a> {
        let columns = domain.tables.iter().flat_map(|(_, table)| table.columns.iter()).flat_map(|(name, column)| {
            let names = std::iter::once(name).chain(column.also.iter().map(String::as_str));
            names.filter_map(move |name| Some((NameRole::of_model(name, column)?, name.to_owned())))
        });
        BusinessWords { domain, columns: columns.collect() }
    }

    /// Returns a name for this role that is not taken, and takes it.
    pub fn name(&self, role: NameRole, taken: &mut BTreeSet<String>, draw: Draw) -> String {
        let usable = |name: &String| {
            !taken.contains(name) && !ends_an_expression(name) && lookup(name).is_none() && !NO_ALIAS.contains(&&**name)
        };
        let first = draw.shuffled(&self.usual(role)).into_iter().find(usable);
        let name = first.or_else(|| self.combined(role, draw).find(usable)).unwrap_or_default();
        taken.insert(name.clone());
        name
    }

    /// The names that the model itself has for a role.
    fn usual(&self, role: NameRole) -> Vec<String> {
        let tables = || self.tables();
        match role {
            NameRole::Database => {
                role.endings().iter().map(|layer| format!("{}_{layer}", self.domain.prefix)).collect()
            }
            NameRole::Table => tables().flat_map(|name| ["dwd", "ods", "dim"].map(|l| format!("{l}_{name}"))).collect(),
            NameRole::CommonTable => tables().map(str::to_owned).collect(),
            NameRole::Alias => ('a'..='z').flat_map(|one| ('a'..='z').map(move |two| format!("{one}{two}"))).collect(),
            NameRole::Parameter => {
                ["run_date", "load_date", "biz_dt", "batch_day", "cut_off"].map(str::to_owned).to_vec()
            }
            _ => self.columns.iter().filter(|(known, _)| *known == role).map(|(_, name)| name.clone()).collect(),
        }
    }

    /// Names made of a table and what the role adds, without end.
    fn combined(&self, role: NameRole, draw: Draw) -> impl Iterator<Item = String> {
        let tables: Vec<String> = self.tables().map(str::to_owned).collect();
        let of_table = |table: &String| {
            let columns = self.usual(role).into_iter().filter(|_| role >= NameRole::Key);
            columns
                .chain(role.endings().iter().map(|ending| (*ending).to_owned()))
                .map(|end| format!("{table}_{end}"))
                .collect::<Vec<_>>()
        };
        let names = draw.at("combined").shuffled(&tables.iter().flat_map(of_table).collect::<Vec<_>>());
        let numbered = names.clone();
        names.into_iter().chain(
            (2..).flat_map(move |number| numbered.clone().into_iter().map(move |name| format!("{name}_{number}"))),
        )
    }

    fn tables(&self) -> impl Iterator<Item = &str> {
        let names =
            |(name, table): (&'a str, &'a Table)| std::iter::once(name).chain(table.also.iter().map(String::as_str));
        self.domain.tables.iter().flat_map(names)
    }

    /// Words of four to twelve letters that stand in the names and values of the model.
    pub fn words(&self) -> BTreeSet<String> {
        let tables = self.domain.tables.iter().map(|(_, table)| table);
        let values = tables.flat_map(|table| table.columns.iter()).flat_map(|(_, column)| column.values.names());
        let names = self.columns.iter().map(|(_, name)| name.as_str()).chain(self.tables()).chain(values);
        let words = names.flat_map(|name| name.split(|c: char| !c.is_ascii_alphabetic()).map(str::to_lowercase));
        words.filter(|word| (4..=12).contains(&word.len())).collect()
    }
}
