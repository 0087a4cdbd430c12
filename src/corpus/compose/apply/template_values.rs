//! Gathers the values that templates of a pattern may name.

use std::collections::BTreeMap;

use minijinja::Value;

use super::PatternApplication;
use super::context::known_values;
use crate::corpus::compose::domain::{TableKind, Use};
use crate::corpus::compose::piece;
use crate::corpus::compose::relation::{Classes, ColumnMeaning, RelationColumn};

impl PatternApplication<'_, '_, '_> {
    pub(super) fn prepare(&mut self, filled: &[(&str, &RelationColumn)]) {
        self.context.days();
        self.filled_figure = filled.iter().find_map(|(_, column)| column.meaning.figure);
        self.valued = filled.iter().map(|(slot, column)| ((*slot).to_owned(), known_values(&column.meaning))).collect();
        self.context.columns("c", filled);
        self.slot_context(filled);
        self.row_context();
        if let Some(base) = self.base() {
            self.context.set("base", piece::operand(&base));
        }
        let draws = self.pattern.draws.iter();
        let drawn = draws.map(|(name, values)| {
            (name.to_owned(), self.draw.at("draws").at(name).pick(values).cloned().unwrap_or_default())
        });
        self.context.map("v", drawn.collect());
        self.other_words();
    }

    /// Adds what is known of the rows and their table.
    fn row_context(&mut self) {
        let relation = &*self.relation;
        let table = self.builder.domain.tables.get(&relation.table);
        let partition =
            table.and_then(|table| table.partition.as_ref()).map(|partition| relation.text(&partition.column));
        self.context.set("partition", partition.unwrap_or_default());
        let is_event = table.is_none_or(|table| table.kind == TableKind::Event);
        let window = &self.builder.window;
        self.context.set("days_name", if is_event { format!("{}d", window.days) } else { "now".to_owned() });
        let at_day = "at the end of the business date".to_owned();
        self.context.set("window", if is_event { window.words.clone() } else { at_day });
        self.context.set("half", (window.days / 2).max(1) as i64);
        self.context.set("all_days", window.days as i64);
        self.context.set("table_name", self.builder.names.table(&relation.table));
        let first = relation.repeats.iter().find_map(|name| relation.column(name));
        self.context.set("order_words", first.map(|column| column.meaning.words.clone()).unwrap_or_default());
        let words =
            BTreeMap::from([("one".to_owned(), relation.one.clone()), ("many".to_owned(), relation.many.clone())]);
        self.context.map("rows", words);
        self.context.set("key", relation.texts(&relation.grain));
        self.context.set("order", relation.texts(&relation.repeats));
        let repeats = table.and_then(|table| table.repeats.as_ref());
        self.context.set("because", repeats.map(|repeats| repeats.because.clone()).unwrap_or_default());
        self.context.set("because_first", repeats.and_then(|repeats| repeats.first.clone()).unwrap_or_default());
    }

    /// Returns the text of the figure to which the rate of the other table applies.
    fn base(&self) -> Option<String> {
        let other = self.other.as_ref()?;
        let table = self.builder.domain.tables.get(&other.table)?;
        let (Use::Share { of, .. } | Use::Price { of, .. }) = table.r#use.as_ref()? else { return None };
        let column = self.relation.columns.iter().find(|column| column.meaning.origin == *of)?;
        Some(column.text.clone())
    }

    /// Adds what is known of the columns in slots: currency, classes, fields, separator, planned figure.
    fn slot_context(&mut self, filled: &[(&str, &RelationColumn)]) {
        let currency = filled.iter().find_map(|(_, column)| column.meaning.currency.as_ref());
        self.context.set("currency", currency.map(|name| self.relation.text(name)).unwrap_or_default());
        if let Some(Classes { words, steps, rest }) =
            filled.iter().find_map(|(_, column)| column.meaning.bands.as_ref())
        {
            let steps: Vec<BTreeMap<&str, String>> = steps
                .iter()
                .map(|(below, class)| BTreeMap::from([("below", below.to_string()), ("class", class.clone())]))
                .collect();
            self.context.set("bands", Value::from(steps));
            self.context.set("band_words", words.clone());
            self.context.set("band_rest", rest.clone());
        }
        let fields = filled.iter().find_map(|(_, column)| self.draw.at("field").pick(&column.meaning.fields));
        if let Some((field, words)) = fields {
            self.context.set("field", field.clone());
            self.context.set("field_words", words.clone());
        }
        let separator = filled.iter().find_map(|(_, column)| column.meaning.separator.clone());
        self.context.set("separator", separator.unwrap_or_default());
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
        let slot_values = other.slots.iter().filter_map(|(slot, name)| {
            let meaning = ColumnMeaning::of(&other.table, name, table.columns.get(name)?);
            Some((slot.as_str(), Value::from(known_values(&meaning))))
        });
        self.context.set("o_values", Value::from_pairs(slot_values));
        let (slot_words, slot_names) = (slot_words.collect(), slot_names.collect());
        self.context.map("other", words);
        self.context.map("o_words", slot_words);
        self.context.map("o_name", slot_names);
    }
}
