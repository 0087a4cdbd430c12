//! Carries out the steps of a way to write a pattern.

use std::collections::BTreeMap;

use super::PatternApplication;
use crate::corpus::compose::domain::{Role, TableKind};
use crate::corpus::compose::names::spoken;
use crate::corpus::compose::pattern::{PatternStage, SelfJoin, WritingStep};
use crate::corpus::compose::piece;
use crate::corpus::compose::relation::{ColumnMeaning, RelationColumn, copy_block, renumber};

/// Ends of names for blocks that take the first version of repeated rows.
const FIRST: [&str; 5] = ["first", "original", "first_ver", "as_reported", "initial"];

impl PatternApplication<'_, '_, '_> {
    pub(super) fn op(&mut self, op: &WritingStep) -> Result<(), minijinja::Error> {
        if let Some(join) = &op.join {
            let join = self.render(join)?;
            let on = op.on.iter().map(|text| self.render(text)).collect::<Result<Vec<_>, _>>()?;
            if let Some(item) = self.builder.plan.blocks[self.relation.block].items.last_mut() {
                item.join = join;
                item.on.extend(on);
            }
        }
        if let (Some(subquery), Some(block)) = (&op.subquery, self.subquery) {
            let text = self.render(&subquery.select)?;
            let filters = subquery.filter.iter().map(|text| self.render(text)).collect::<Result<Vec<_>, _>>()?;
            let target = &mut self.builder.plan.blocks[block];
            let name = piece::column_name(&text).unwrap_or_else(|| text.clone());
            let output = crate::corpus::compose::plan::BlockColumn { name, text, kept: true, comment: String::new() };
            target.outputs.push(output);
            target.filters.extend(filters);
            self.context.set("sub", piece::block(block));
        }
        if op.fan {
            self.relation.fanned = true;
            self.relation.columns.retain(|column| column.meaning.figure.is_none());
        }
        if let Some(fork) = &op.fork {
            self.fork(fork)?;
        }
        if let Some(lateral) = &op.lateral {
            let text = self.render(lateral)?;
            self.builder.plan.blocks[self.relation.block].laterals.push(text);
        }
        match &op.each {
            Some(slot) => self.each(op, slot)?,
            None => {
                for (name, template) in op.set.iter() {
                    let text = self.render(template)?;
                    self.set(name, text)?;
                }
            }
        }
        if let Some(filter) = &op.filter {
            let text = self.render(filter)?;
            self.builder.plan.blocks[self.relation.block].filters.push(text);
        }
        if op.listed {
            self.mark_listed();
        }
        for slot in &op.present {
            let name = self.render(&format!("{{{{ c_name.{slot} }}}}"))?;
            if let Some(column) = self.relation.columns.iter_mut().find(|column| column.name == name) {
                column.meaning.missing = false;
            }
        }
        if let Some(having) = &op.having {
            let text = self.render(having)?;
            self.builder.plan.blocks[self.relation.block].having.push(text);
        }
        if let Some(purpose) = &op.close {
            let purpose = if self.takes_first { String::new() } else { self.render(purpose)? };
            let called = self.called(&self.pattern.called);
            let names = self.builder.block_names(self.relation, &called, self.draw.at("close"));
            self.builder.plan.blocks[self.relation.block].reason = true;
            self.relation.close(&mut self.builder.plan, names, purpose);
            let renamed: BTreeMap<String, String> = self
                .names
                .iter()
                .filter_map(|(name, real)| Some((name.clone(), self.relation.column(real)?.text.clone())))
                .collect();
            self.context.map("s", renamed);
        }
        for name in &op.drop {
            let real = self.names.get(name).cloned().unwrap_or_else(|| name.clone());
            self.relation.columns.retain(|column| column.name != real);
        }
        let order = op.order.iter().map(|text| self.render(text)).collect::<Result<Vec<_>, _>>()?;
        let limit = op.limit.as_ref().map(|text| self.render(text)).transpose()?;
        let block = &mut self.builder.plan.blocks[self.relation.block];
        block.order.extend(order);
        if let Some(limit) = limit {
            block.limit = limit;
        }
        Ok(())
    }

    /// Notes that every row's key is in the other table from here on.
    fn mark_listed(&mut self) {
        let Some(other) = &self.other else { return };
        for column in &mut self.relation.columns {
            column.meaning.listed |= other.matches.iter().any(|(here, _)| *here == column.name);
        }
    }

    /// Adds columns for each known value of the column in a slot.
    pub(super) fn each(&mut self, op: &WritingStep, slot: &str) -> Result<(), minijinja::Error> {
        let Some((_, values)) = self.valued.iter().find(|(name, _)| name == slot).cloned() else { return Ok(()) };
        for value in values {
            let words = value.words.clone();
            let item = [("sql", value.sql), ("name", value.name), ("words", value.words)];
            self.context.map("item", item.into_iter().map(|(key, text)| (key.to_owned(), text)).collect());
            for (key, template) in op.set.iter() {
                let text = self.render(template)?;
                let templates = self.pattern.names.get(key).cloned().unwrap_or_default();
                let drawn = self.draw.at("names").at(key).pick(&templates).cloned().unwrap_or_default();
                let free = self.relation.free_name(&spoken(&self.render(&drawn)?));
                let mut meaning = ColumnMeaning::plain(Role::Measure, "BIGINT", words.clone());
                if let Some((_, give)) = self.pattern.gives.iter().find(|(given, _)| *given == key) {
                    meaning = ColumnMeaning::plain(give.role, &self.render(&give.kind)?, self.render(&give.words)?);
                    meaning.figure = give.figure;
                }
                if meaning.figure.is_none() {
                    meaning.figure = self.filled_figure;
                }
                meaning.grouped = self.pattern.stage == PatternStage::Measure;
                meaning.branch.clone_from(&self.relation.table);
                self.relation.set(RelationColumn { name: free, text, meaning });
            }
        }
        Ok(())
    }

    pub(super) fn set(&mut self, name: &str, text: String) -> Result<(), minijinja::Error> {
        let real = self.names.get(name).cloned().unwrap_or_else(|| name.to_owned());
        let meaning = match self.pattern.gives.iter().find(|(given, _)| *given == name) {
            Some((_, give)) => {
                let words = self.render(&give.words)?;
                let mut meaning = ColumnMeaning::plain(give.role, &self.render(&give.kind)?, words);
                meaning.figure = give.figure;
                meaning.missing = give.missing;
                meaning.grouped = self.pattern.stage == PatternStage::Measure;
                meaning.fresh = matches!(self.pattern.stage, PatternStage::Enrich | PatternStage::Row);
                meaning.branch.clone_from(&self.relation.table);
                if give.role == Role::Code {
                    meaning.belongs_to = self.described();
                }
                if let Some(slot) = &give.sum_of {
                    meaning.sum = true;
                    meaning.origin = if slot == "*" {
                        format!("{}.*", self.relation.table)
                    } else {
                        let name = self.render(&format!("{{{{ c_name.{slot} }}}}"))?;
                        let column = self.relation.column(&name).map(|column| column.meaning.clone());
                        meaning.figure = column.as_ref().and_then(|meaning| meaning.figure);
                        column.map(|meaning| meaning.origin).unwrap_or_default()
                    };
                }
                if let Some(slot) = &give.instead {
                    let old = self.render(&format!("{{{{ c_name.{slot} }}}}"))?;
                    if let Some(column) = self.relation.columns.iter_mut().find(|column| column.name == old) {
                        let kept = column.meaning.clone();
                        column.text = text;
                        column.meaning = ColumnMeaning { currency: None, missing: give.missing, ..kept };
                    }
                    return Ok(());
                }
                meaning
            }
            None => ColumnMeaning::plain(Role::Order, "INT", name),
        };
        self.relation.set(RelationColumn { name: real, text, meaning });
        Ok(())
    }

    /// Returns the entity that the other table describes as it is today, if it describes one.
    fn described(&self) -> Option<String> {
        let table = self.builder.domain.tables.get(&self.other.as_ref()?.table)?;
        matches!(table.kind, TableKind::Dimension | TableKind::CodeList).then(|| table.entity.clone()).flatten()
    }

    /// Returns ends of names for a block: `usual`, unless it takes the first version of repeated rows.
    fn called(&self, usual: &[String]) -> Vec<String> {
        if self.takes_first { FIRST.iter().map(|name| (*name).to_owned()).collect() } else { usual.to_vec() }
    }

    /// Copies the open block, groups the copy unless its rows stay single, and joins it.
    pub(super) fn fork(&mut self, fork: &SelfJoin) -> Result<(), minijinja::Error> {
        let (copy, pairs) = copy_block(&mut self.builder.plan, self.relation.block);
        let mut outputs = Vec::new();
        let mut groups = Vec::new();
        for (place, template) in fork.group.iter().enumerate() {
            let rendered = self.render(template)?;
            for text in rendered.split('\u{1}').filter(|text| !text.is_empty()) {
                let name = self.relation.columns.iter().find(|column| column.text == text);
                let name = name.map_or_else(|| format!("k{place}"), |column| column.name.clone());
                let text = renumber(text, &pairs);
                if !fork.single_rows {
                    groups.push(text.clone());
                }
                let kept = !fork.single_rows;
                outputs.push(crate::corpus::compose::plan::BlockColumn { name, text, kept, comment: String::new() });
            }
        }
        for (name, template) in fork.set.iter() {
            let text = renumber(&self.render(template)?, &pairs);
            let name = self.names.get(name).cloned().unwrap_or_else(|| name.to_owned());
            let kept = !fork.single_rows;
            outputs.push(crate::corpus::compose::plan::BlockColumn { name, text, kept, comment: String::new() });
        }
        let purpose = if self.takes_first { String::new() } else { self.render(&fork.purpose)? };
        let names = self.builder.block_names(self.relation, &self.called(&fork.called), self.draw.at("fork"));
        let open = self.relation.block;
        {
            let block = &mut self.builder.plan.blocks[copy];
            block.outputs = outputs.clone();
            block.groups = groups;
            block.purpose = purpose;
            block.reason = true;
            block.names = names;
        }
        let join = self.render(&fork.join)?;
        let item = self.builder.plan.item(open, crate::corpus::compose::plan::RowSource::Block(copy), join);
        let columns: BTreeMap<String, String> =
            outputs.iter().map(|output| (output.name.clone(), piece::column(item, &output.name))).collect();
        let mut known = columns.clone();
        for (name, real) in &self.names {
            if let Some(text) = columns.get(real) {
                known.insert(name.clone(), text.clone());
            }
        }
        let keys: Vec<String> = self
            .relation
            .grain
            .iter()
            .filter_map(|name| Some(format!("{} = {}", self.relation.column(name)?.text, columns.get(name)?)))
            .collect();
        self.context.map("f", known);
        let mut on = keys;
        for text in &fork.on {
            on.push(self.render(text)?);
        }
        if let Some(item) = self.builder.plan.blocks[open].items.last_mut() {
            item.on = on;
        }
        Ok(())
    }
}
