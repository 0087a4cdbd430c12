//! Joins the other table of a pattern.

use std::collections::BTreeMap;

use minijinja::Value;

use super::PatternApplication;
use crate::corpus::compose::domain::{Table, Use};

impl PatternApplication<'_, '_, '_> {
    /// Adds the other table to the FROM of a block and its columns to the context, as `o.<slot>`. In a sub-query the
    /// join's conditions become filters, and `belongs` ties it to the relation.
    pub(super) fn add_table(&mut self, block: usize) {
        let Some(other) = &self.other else { return };
        let mut wanted: Vec<String> = other.matches.iter().map(|(_, there)| there.clone()).collect();
        wanted.extend(other.slots.iter().map(|(_, name)| name.clone()));
        let table_name = other.table.clone();
        let Some(table) = self.builder.domain.tables.get(&table_name) else { return };
        let valid = table.valid.clone();
        wanted.extend(valid.iter().flat_map(|valid| [valid.from.clone(), valid.to.clone()]));
        let (currency, value) = rate_columns(table);
        wanted.extend(currency.iter().chain(&value).cloned());
        wanted
            .extend(table.calendar.iter().flat_map(|days| [days.day.clone(), days.workday.clone(), days.week.clone()]));
        let matches = other.matches.clone();
        let slots = other.slots.clone();
        let brought = self.builder.add_table(block, &table_name, &wanted, self.draw.at("bring"));
        let text = |name: &str| brought.column(name);
        let mut columns: BTreeMap<String, String> =
            slots.iter().map(|(slot, name)| (slot.clone(), text(name))).collect();
        if let Some(valid) = &valid {
            columns.insert("from".to_owned(), text(&valid.from));
            columns.insert("to".to_owned(), text(&valid.to));
            let end = match (valid.end, &valid.open) {
                (crate::corpus::compose::domain::ValidityEnd::Inclusive, _) => ">=",
                (crate::corpus::compose::domain::ValidityEnd::Exclusive, _) => ">",
            };
            let (from, to, open) = (text(&valid.from), text(&valid.to), valid.open.is_none());
            let holds = move |moment: String| {
                let until = if open {
                    format!("({to} IS NULL OR {to} {end} {moment})")
                } else {
                    format!("{to} {end} {moment}")
                };
                format!("{from} <= {moment} AND {until}")
            };
            self.context.set("holds", Value::from_function(holds));
        }
        if let Some(currency) = &currency {
            columns.insert("currency".to_owned(), text(currency));
        }
        if let Some(value) = &value {
            columns.insert("value".to_owned(), text(value));
        }
        if let Some(days) = self.builder.domain.tables.get(&table_name).and_then(|table| table.calendar.clone()) {
            columns.insert("day".to_owned(), text(&days.day));
            columns.insert("workday".to_owned(), text(&days.workday));
            self.context.set("yes", yes(self.builder.domain, &table_name, &days.workday));
            columns.insert("week".to_owned(), text(&days.week));
        }
        let mut on = Vec::new();
        for (here, there) in &matches {
            if let Some(column) = self.relation.column(here) {
                on.push(format!("{} = {}", column.text, text(there)));
            }
            columns.insert("key".to_owned(), text(there));
        }
        self.context.map("o", columns);
        let target = &mut self.builder.plan.blocks[block];
        if target.inside {
            target.filters.extend(brought.conditions);
            self.context.set("belongs", on.join(" AND "));
        } else if let Some(item) = target.items.last_mut() {
            item.on = on;
            item.on.extend(brought.conditions);
        }
    }
}

fn rate_columns(table: &Table) -> (Option<String>, Option<String>) {
    match &table.r#use {
        Some(Use::Exchange { currency, value }) => (Some(currency.clone()), Some(value.clone())),
        Some(Use::Share { value, .. } | Use::Price { value, .. }) => (None, Some(value.clone())),
        None => (None, None),
    }
}

/// Returns the value of a flag that means yes, as SQL.
fn yes(domain: &crate::corpus::compose::domain::Domain, table: &str, column: &str) -> String {
    let column = domain.tables.get(table).and_then(|table| table.columns.get(column));
    match column {
        Some(column) if column.kind == "BOOLEAN" => "TRUE".to_owned(),
        Some(column) => {
            let value = column.values.names().next().unwrap_or("1");
            if column.kind == "STRING" { format!("'{value}'") } else { value.to_owned() }
        }
        None => "1".to_owned(),
    }
}
