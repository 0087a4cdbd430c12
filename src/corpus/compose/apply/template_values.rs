//! Gathers the values that templates of a pattern may name.

use std::collections::BTreeMap;

use minijinja::Value;

use super::PatternApplication;
use super::context::known_values;
use crate::corpus::compose::domain::{TableKind, Use};
use crate::corpus::compose::piece;
use crate::corpus::compose::relation::{Classes, RelationColumn};

impl PatternApplication<'_, '_, '_> {
    pub(super) fn prepare(&mut self, filled: &[(&str, &RelationColumn)]) {
        let columns = filled.to_vec();
        self.context.days();
        self.filled_figure = columns.iter().find_map(|(_, column)| column.meaning.figure);
        self.valued =
            columns.iter().map(|(slot, column)| ((*slot).to_owned(), known_values(&column.meaning))).collect();
        let table = self.builder.domain.tables.get(&self.relation.table);
        let partition = table
            .and_then(|table| table.partition.as_ref())
            .and_then(|partition| self.relation.column(&partition.column));
        self.context.set("partition", partition.map(|column| column.text.clone()).unwrap_or_default());
        self.more_context(filled);
        let currency = filled.iter().find_map(|(_, column)| column.meaning.currency.clone());
        let currency = currency.and_then(|name| self.relation.column(&name)).map(|column| column.text.clone());
        self.context.set("currency", currency.unwrap_or_default());
        let of_days = table.is_none_or(|table| table.kind == TableKind::Event);
        let days_name = if of_days { format!("{}d", self.builder.window.days) } else { "now".to_owned() };
        self.context.set("days_name", days_name);
        self.context.set("table_name", self.builder.names.table(&self.relation.table));
        let order: Vec<String> = self
            .relation
            .repeats
            .iter()
            .filter_map(|name| Some(self.relation.column(name)?.meaning.words.clone()))
            .collect();
        self.context.set("order_words", order.first().cloned().unwrap_or_default());
        if let Some(base) = self.base() {
            self.context.set("base", piece::operand(&base));
        }
        self.context.columns("c", &columns);
        let words = BTreeMap::from([
            ("one".to_owned(), self.relation.one.clone()),
            ("many".to_owned(), self.relation.many.clone()),
        ]);
        self.context.map("rows", words);
        self.context.set("key", self.relation.texts(&self.relation.grain.clone()));
        self.context.set("order", self.relation.texts(&self.relation.repeats.clone()));
        let at_day = "at the end of the business date".to_owned();
        self.context.set("window", if of_days { self.builder.window.words.clone() } else { at_day });
        let because = self.builder.domain.tables.get(&self.relation.table).and_then(|table| table.repeats.as_ref());
        self.context.set("because", because.map(|repeats| repeats.because.clone()).unwrap_or_default());
        let first = because.and_then(|repeats| repeats.first.clone());
        self.context.set("because_first", first.unwrap_or_default());
        let draws = self.pattern.draws.iter();
        let drawn = draws.map(|(name, values)| {
            (name.to_owned(), self.draw.at("draws").at(name).pick(values).cloned().unwrap_or_default())
        });
        self.context.map("v", drawn.collect());
        if let Some((_, column)) = filled.iter().find(|(_, column)| column.meaning.bands.is_some())
            && let Some(Classes { words, steps, rest }) = &column.meaning.bands
        {
            let steps: Vec<BTreeMap<&str, String>> = steps
                .iter()
                .map(|(below, class)| BTreeMap::from([("below", below.to_string()), ("class", class.clone())]))
                .collect();
            self.context.set("bands", Value::from(steps));
            self.context.set("band_words", words.clone());
            self.context.set("band_rest", rest.clone());
        }
        self.other_words();
    }

    /// Returns the text of the figure to which the rate of the other table applies.
    fn base(&self) -> Option<String> {
        let other = self.other.as_ref()?;
        let table = self.builder.domain.tables.get(&other.table)?;
        let (Use::Share { of, .. } | Use::Price { of, .. }) = table.r#use.as_ref()? else { return None };
        let column = self.relation.columns.iter().find(|column| column.meaning.origin == *of)?;
        Some(column.text.clone())
    }

    /// Adds fields, separators, lengths of the window and planned figures.
    fn more_context(&mut self, filled: &[(&str, &RelationColumn)]) {
        let fields = filled.iter().find_map(|(_, column)| self.draw.at("field").pick(&column.meaning.fields));
        if let Some((field, words)) = fields {
            self.context.set("field", field.clone());
            self.context.set("field_words", words.clone());
        }
        let separator = filled.iter().find_map(|(_, column)| column.meaning.separator.clone());
        self.context.set("separator", separator.unwrap_or_default());
        let days = self.builder.window.days;
        self.context.set("half", (days / 2).max(1) as i64);
        self.context.set("all_days", days as i64);
        let planned = self.other.as_ref().and_then(|other| self.builder.domain.tables.get(&other.table)?.plans.clone());
        let planned = planned.and_then(|plans| {
            self.relation.columns.iter().find(|column| column.meaning.sum && column.meaning.origin == plans)
        });
        if let Some(planned) = planned {
            self.context.set("planned", piece::operand(&planned.text));
            self.context.set("planned_name", planned.name.clone());
            self.context.set("planned_words", planned.meaning.words.clone());
        }
    }

    /// Adds what sentences may say of the other table.
    fn other_words(&mut self) {
        let Some(other) = &self.other else { return };
        let Some(table) = self.builder.domain.tables.get(&other.table) else { return };
        let mut words =
            BTreeMap::from([("one".to_owned(), table.one.clone()), ("many".to_owned(), table.many.clone())]);
        if let Some(Use::Share { gives, words: told, .. } | Use::Price { gives, words: told, .. }) = &table.r#use {
            words.insert("gives".to_owned(), gives.clone());
            words.insert("gives_words".to_owned(), told.clone());
        }
        let slot_words =
            other.slots.iter().filter_map(|(slot, name)| Some((slot.clone(), table.columns.get(name)?.words.clone())));
        let slot_names =
            other.slots.iter().map(|(slot, name)| (slot.clone(), self.builder.names.column(&other.table, name)));
        let (slot_words, slot_names) = (slot_words.collect(), slot_names.collect());
        self.context.map("other", words);
        self.context.map("o_words", slot_words);
        self.context.map("o_name", slot_names);
    }
}
