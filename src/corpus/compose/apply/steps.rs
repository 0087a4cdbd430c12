//! Carries out the steps of a way to write a pattern.

use std::collections::BTreeMap;

use super::PatternApplication;
use crate::corpus::compose::domain::{Role, TableKind};
use crate::corpus::compose::names::spoken;
use crate::corpus::compose::pattern::{GROUP_SEPARATOR, NewColumn, PatternStage, SelfJoin, WritingStep};
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::{Block, BlockColumn, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, RelationColumn, copy_block, renumber};

/// Name endings of blocks that take the first version of repeated rows.
const FIRST_VERSION_ENDINGS: [&str; 5] = ["first", "original", "first_ver", "as_reported", "initial"];

impl PatternApplication<'_, '_, '_> {
    /// Carries out one step.
    ///
    /// # Errors
    ///
    /// If one of its templates cannot be rendered.
    pub(super) fn apply_step(&mut self, step: &WritingStep) -> Result<(), minijinja::Error> {
        self.read(step)?;
        match &step.each {
            Some(slot) => self.set_for_each_value(step, slot)?,
            None => {
                for (name, template) in step.set.iter() {
                    let text = self.render(template)?;
                    self.set(name, text)?;
                }
            }
        }
        self.restrict(step)?;
        if let Some(purpose) = &step.close {
            self.close(purpose)?;
        }
        for name in &step.drop {
            let real = self.names.get(name).cloned().unwrap_or_else(|| name.clone());
            self.relation.columns.retain(|column| column.name != real);
        }
        let order = self.render_all(&step.order)?;
        let limit = step.limit.as_ref().map(|text| self.render(text)).transpose()?;
        let block = self.open_block();
        block.order.extend(order);
        if let Some(limit) = limit {
            block.limit = limit;
        }
        Ok(())
    }

    fn open_block(&mut self) -> &mut Block {
        &mut self.builder.plan.blocks[self.relation.block]
    }

    /// Adds what a step reads: joins, sub-queries, copies of the rows, lateral views.
    fn read(&mut self, step: &WritingStep) -> Result<(), minijinja::Error> {
        if let Some(join) = &step.join {
            let join = self.render(join)?;
            let on = self.render_all(&step.on)?;
            if let Some(item) = self.open_block().items.last_mut() {
                item.join = join;
                item.on.extend(on);
            }
        }
        if let (Some(subquery), Some(block)) = (&step.subquery, self.subquery) {
            let text = self.render(&subquery.select)?;
            let filters = self.render_all(&subquery.filter)?;
            let target = &mut self.builder.plan.blocks[block];
            let name = piece::column_name(&text).unwrap_or_else(|| text.clone());
            target.outputs.push(BlockColumn::kept(&name, text));
            target.filters.extend(filters);
            self.context.set("sub", piece::block(block));
        }
        if step.multiplies_rows {
            self.relation.multiplied = true;
            self.relation.columns.retain(|column| column.meaning.figure.is_none());
        }
        if let Some(join) = &step.self_join {
            self.self_join(join)?;
        }
        if let Some(lateral) = &step.lateral {
            let text = self.render(lateral)?;
            self.open_block().laterals.push(text);
        }
        Ok(())
    }

    /// Adds conditions, and notes what is known of the rows that are left.
    fn restrict(&mut self, step: &WritingStep) -> Result<(), minijinja::Error> {
        if let Some(filter) = &step.filter {
            let text = self.render(filter)?;
            self.open_block().filters.push(text);
        }
        if step.only_matched {
            self.mark_matched();
        }
        for slot in &step.present {
            let name = self.name_in(slot)?;
            if let Some(column) = self.relation.columns.iter_mut().find(|column| column.name == name) {
                column.meaning.missing = false;
            }
        }
        if let Some(having) = &step.having {
            let text = self.render(having)?;
            self.open_block().having.push(text);
        }
        Ok(())
    }

    /// Ends the open block, whose columns templates name `s.<name>` from here on.
    fn close(&mut self, purpose: &str) -> Result<(), minijinja::Error> {
        let purpose = if self.takes_first { String::new() } else { self.render(purpose)? };
        let endings = self.name_endings(&self.pattern.called);
        let names = self.builder.block_names(self.relation, &endings, self.draw.at("close"));
        self.open_block().reason = true;
        self.relation.close(&mut self.builder.plan, names, purpose);
        let text = |real: &String| self.relation.column(real).map(|column| column.text.clone());
        let texts = self.names.iter().filter_map(|(name, real)| Some((name.clone(), text(real)?))).collect();
        self.context.map("s", texts);
        Ok(())
    }

    /// Returns the name of the column in a slot.
    fn name_in(&self, slot: &str) -> Result<String, minijinja::Error> {
        self.render(&format!("{{{{ c_name.{slot} }}}}"))
    }

    /// Notes that every row's key is in the other table from here on.
    fn mark_matched(&mut self) {
        let Some(other) = &self.other else { return };
        for column in &mut self.relation.columns {
            column.meaning.is_matched |= other.matches.iter().any(|(here, _)| *here == column.name);
        }
    }

    /// Adds columns for each known value of the column in a slot.
    fn set_for_each_value(&mut self, step: &WritingStep, slot: &str) -> Result<(), minijinja::Error> {
        let Some((_, values)) = self.valued.iter().find(|(name, _)| name == slot).cloned() else { return Ok(()) };
        for value in values {
            let words = value.words.clone();
            let item = [("sql", value.sql), ("name", value.name), ("words", value.words)];
            self.context.map("item", item.into_iter().map(|(key, text)| (key.to_owned(), text)).collect());
            for (key, template) in step.set.iter() {
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
                meaning.made_for.clone_from(&self.relation.table);
                self.relation.set(RelationColumn { name: free, text, meaning });
            }
        }
        Ok(())
    }

    /// Sets a column of the relation to an expression: one that the pattern gives, or one that only orders rows.
    fn set(&mut self, name: &str, text: String) -> Result<(), minijinja::Error> {
        let real = self.names.get(name).cloned().unwrap_or_else(|| name.to_owned());
        let Some((_, give)) = self.pattern.gives.iter().find(|(given, _)| *given == name) else {
            let meaning = ColumnMeaning::plain(Role::Order, "INT", name);
            self.relation.set(RelationColumn { name: real, text, meaning });
            return Ok(());
        };
        if let Some(slot) = &give.instead {
            let old = self.name_in(slot)?;
            if let Some(column) = self.relation.columns.iter_mut().find(|column| column.name == old) {
                column.text = text;
                column.meaning.currency = None;
                column.meaning.missing = give.missing;
            }
            return Ok(());
        }
        let meaning = self.meaning(give)?;
        self.relation.set(RelationColumn { name: real, text, meaning });
        Ok(())
    }

    /// Returns what a column means that the pattern gives.
    fn meaning(&self, give: &NewColumn) -> Result<ColumnMeaning, minijinja::Error> {
        let words = self.render(&give.words)?;
        let mut meaning = ColumnMeaning::plain(give.role, &self.render(&give.kind)?, words);
        meaning.figure = give.figure;
        meaning.missing = give.missing;
        meaning.grouped = self.pattern.stage == PatternStage::Measure;
        meaning.fresh = matches!(self.pattern.stage, PatternStage::Enrich | PatternStage::Row);
        meaning.made_for.clone_from(&self.relation.table);
        if give.role == Role::Code {
            meaning.belongs_to = self.described();
        }
        if let Some(slot) = &give.sum_of {
            meaning.sum = true;
            if slot == "*" {
                meaning.origin = format!("{}.*", self.relation.table);
            } else {
                let name = self.name_in(slot)?;
                let summed = self.relation.column(&name).map(|column| &column.meaning);
                meaning.figure = summed.and_then(|meaning| meaning.figure);
                meaning.origin = summed.map(|meaning| meaning.origin.clone()).unwrap_or_default();
            }
        }
        Ok(meaning)
    }

    /// Returns the entity that the other table describes as it is today, if it describes one.
    fn described(&self) -> Option<String> {
        let table = self.builder.domain.tables.get(&self.other.as_ref()?.table)?;
        matches!(table.kind, TableKind::Dimension | TableKind::CodeList).then(|| table.entity.clone()).flatten()
    }

    /// Returns the name endings of a block: `usual`, unless it takes the first version of repeated rows.
    fn name_endings(&self, usual: &[String]) -> Vec<String> {
        if self.takes_first { FIRST_VERSION_ENDINGS.map(str::to_owned).to_vec() } else { usual.to_vec() }
    }

    /// Copies the open block, groups the copy unless its rows stay single, and joins it.
    fn self_join(&mut self, self_join: &SelfJoin) -> Result<(), minijinja::Error> {
        let (copy, pairs) = copy_block(&mut self.builder.plan, self.relation.block);
        let (outputs, groups) = self.columns_of_copy(self_join, &pairs)?;
        let purpose = if self.takes_first { String::new() } else { self.render(&self_join.purpose)? };
        let endings = self.name_endings(&self_join.called);
        let names = self.builder.block_names(self.relation, &endings, self.draw.at("fork"));
        let output_names: Vec<String> = outputs.iter().map(|output| output.name.clone()).collect();
        let block = &mut self.builder.plan.blocks[copy];
        block.outputs = outputs;
        block.groups = groups;
        block.purpose = purpose;
        block.reason = true;
        block.names = names;
        let join = self.render(&self_join.join)?;
        let open = self.relation.block;
        let item = self.builder.plan.item(open, RowSource::Block(copy), join);
        let columns: BTreeMap<String, String> =
            output_names.into_iter().map(|name| (name.clone(), piece::column(item, &name))).collect();
        let pair = |name: &String| Some(format!("{} = {}", self.relation.column(name)?.text, columns.get(name)?));
        let keys: Vec<String> = self.relation.grain.iter().filter_map(pair).collect();
        let by_template_name =
            self.names.iter().filter_map(|(name, real)| Some((name.clone(), columns.get(real)?.clone())));
        let mut known = columns.clone();
        known.extend(by_template_name);
        self.context.map("f", known);
        let on = self.render_all(&self_join.on)?;
        if let Some(item) = self.open_block().items.last_mut() {
            item.on = keys;
            item.on.extend(on);
        }
        Ok(())
    }

    /// Returns the outputs of the copy of a block, whose slots are renumbered by `pairs`, and the expressions by which it
    /// is grouped.
    fn columns_of_copy(
        &self,
        self_join: &SelfJoin,
        pairs: &[(usize, usize)],
    ) -> Result<(Vec<BlockColumn>, Vec<String>), minijinja::Error> {
        let mut outputs = Vec::new();
        for (place, template) in self_join.group.iter().enumerate() {
            let rendered = self.render(template)?;
            for text in rendered.split(GROUP_SEPARATOR).filter(|text| !text.is_empty()) {
                let name = self.relation.columns.iter().find(|column| column.text == text);
                let name = name.map_or_else(|| format!("k{place}"), |column| column.name.clone());
                outputs.push(BlockColumn::new(&name, renumber(text, pairs)));
            }
        }
        let groups = match self_join.single_rows {
            true => Vec::new(),
            false => outputs.iter().map(|output| output.text.clone()).collect(),
        };
        for (name, template) in self_join.set.iter() {
            let text = renumber(&self.render(template)?, pairs);
            outputs.push(BlockColumn::new(self.names.get(name).map_or(name, String::as_str), text));
        }
        outputs.iter_mut().for_each(|output| output.kept = !self_join.single_rows);
        Ok((outputs, groups))
    }
}
