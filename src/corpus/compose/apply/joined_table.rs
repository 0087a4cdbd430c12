//! Joins the other table of a pattern.

use std::collections::BTreeMap;

use minijinja::Value;

use super::PatternApplication;
use super::partner::Partner;
use crate::corpus::compose::domain::{DomainColumn, Table, Use, Validity, ValidityEnd};

impl PatternApplication<'_, '_, '_> {
    /// Adds the other table to the FROM of a block and its columns to the context, as `o.<slot>`. In a sub-query the
    /// join's conditions become filters, and `belongs` ties it to the relation.
    pub(super) fn add_table(&mut self, block: usize) {
        let Some(other) = &self.other else { return };
        let domain = self.builder.domain;
        let Some(table) = domain.tables.get(&other.table) else { return };
        let wanted = wanted_columns(other, table);
        let brought = self.builder.add_table(block, &other.table, &wanted, self.draw.at("bring"));
        let text = |name: &str| brought.column(name);
        let mut columns: BTreeMap<String, String> =
            other.slots.iter().map(|(slot, name)| (slot.clone(), text(name))).collect();
        let mut give = |name: &str, text: String| {
            columns.insert(name.to_owned(), text);
        };
        if let Some(valid) = &table.valid {
            let (from, to) = (text(&valid.from), text(&valid.to));
            give("from", from.clone());
            give("to", to.clone());
            self.context.set("holds", Value::from_function(holds(valid, from, to)));
        }
        for (name, column) in rate_columns(table) {
            give(name, text(column));
        }
        if let Some(days) = &table.calendar {
            give("day", text(&days.day));
            give("workday", text(&days.workday));
            give("week", text(&days.week));
            self.context.set("yes", yes(table.columns.get(&days.workday)));
        }
        let mut on = Vec::new();
        for (here, there) in &other.matches {
            if let Some(column) = self.relation.column(here) {
                on.push(format!("{} = {}", column.text, text(there)));
            }
            give("key", text(there));
        }
        self.context.map("o", columns);
        self.tie(block, on, brought.conditions);
    }

    /// Ties the last item of a block to the relation, where its own conditions hold.
    fn tie(&mut self, block: usize, mut on: Vec<String>, conditions: Vec<String>) {
        let target = &mut self.builder.plan.blocks[block];
        if target.inside {
            target.filters.extend(conditions);
            self.context.set("belongs", on.join(" AND "));
        } else if let Some(item) = target.items.last_mut() {
            on.extend(conditions);
            item.on = on;
        }
    }
}

/// Returns the columns of the other table that the pattern may read.
fn wanted_columns(other: &Partner, table: &Table) -> Vec<String> {
    let mut wanted: Vec<String> = other.matches.iter().map(|(_, there)| there.clone()).collect();
    wanted.extend(other.slots.iter().map(|(_, name)| name.clone()));
    wanted.extend(table.valid.iter().flat_map(|valid| [valid.from.clone(), valid.to.clone()]));
    wanted.extend(rate_columns(table).into_iter().map(|(_, column)| column.clone()));
    wanted.extend(table.calendar.iter().flat_map(|days| [days.day.clone(), days.workday.clone(), days.week.clone()]));
    wanted
}

/// Returns the function that writes the condition that a row is valid at a moment.
fn holds(valid: &Validity, from: String, to: String) -> impl Fn(String) -> String + use<> {
    let end = match valid.end {
        ValidityEnd::Inclusive => ">=",
        ValidityEnd::Exclusive => ">",
    };
    let is_open = valid.open.is_none();
    move |moment| {
        let until = format!("{to} {end} {moment}");
        let until = if is_open { format!("({to} IS NULL OR {until})") } else { until };
        format!("{from} <= {moment} AND {until}")
    }
}

/// Returns the columns with the currency and the rate of a table that converts or prices figures, by what they are.
fn rate_columns(table: &Table) -> Vec<(&'static str, &String)> {
    match &table.r#use {
        Some(Use::Exchange { currency, value }) => vec![("currency", currency), ("value", value)],
        Some(Use::Share { value, .. } | Use::Price { value, .. }) => vec![("value", value)],
        None => Vec::new(),
    }
}

/// Returns the value of a flag that means yes, as SQL.
fn yes(column: Option<&DomainColumn>) -> String {
    match column {
        Some(column) if column.kind == "BOOLEAN" => "TRUE".to_owned(),
        Some(column) => {
            let value = column.values.names().next().unwrap_or("1");
            if column.kind == "STRING" { format!("'{value}'") } else { value.to_owned() }
        }
        None => "1".to_owned(),
    }
}
