//! Lays out blocks and the relations that they read.

use std::collections::HashSet;
use std::rc::Rc;

use super::flat::{Flat, ParsedTexts, date, keyword, spelled};
use super::remark::{RemarkedStep, ScriptRemarks};
use super::shape::{BlockLayout, BlockPlacement};
use super::style::{CommaPosition, Style};
use super::writer::{RangeOwner, TextWriter};
use crate::code::span::Span;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::piece::{Piece, has_block};
use crate::corpus::compose::plan::{Block, Plan, RowSource};
use crate::corpus::script_files::ScriptFile;

/// Share of blocks with a remark in place of a comment, as [`ScriptLayout::remarked`] takes it.
const STEP_REMARKS: f64 = 0.12;

/// A written script with the ranges of its parts.
#[derive(Clone, Debug)]
pub struct WrittenScript {
    /// Its text.
    pub text: String,
    /// Ranges of decisions, by number and then in the order of the text.
    pub decisions: Vec<(usize, Span)>,
    /// Ranges of blocks, with their numbers.
    pub blocks: Vec<(usize, Span)>,
    /// The files of which it consists; empty if it is one.
    pub files: Vec<ScriptFile>,
}

/// A script that is being laid out: what is fixed beforehand, and what has been written.
pub(super) struct ScriptLayout<'a> {
    pub plan: &'a Plan,
    pub style: &'a Style,
    pub parsed: &'a ParsedTexts,
    pub chosen: &'a [usize],
    pub live: &'a [HashSet<String>],
    pub shape: &'a BlockLayout,
    /// Full names of the tables of the domain.
    pub tables: &'a dyn Fn(&str) -> String,
    pub draw: Draw,
    /// Whether the results fill tables.
    pub fills_tables: bool,
    /// What people remark between the lines; `None` for a block that is written again, since edits add no remarks.
    pub remarks: Option<&'a ScriptRemarks>,
    /// Block comments that have been written: none is repeated.
    pub said: HashSet<String>,
    pub writer: TextWriter,
}

impl ScriptLayout<'_> {
    /// Returns a column as it is written, qualified or not.
    pub(super) fn column(&self, slot: usize, name: &str) -> String {
        let (block, _) = self.plan.slots[slot];
        let alone = self.plan.blocks[block].items.len() == 1 && self.plan.blocks[block].laterals.is_empty();
        let correlated = is_correlated(&self.plan.blocks[block]);
        if alone && !self.style.qualify && !correlated {
            name.to_owned()
        } else {
            format!("{}.{name}", self.shape.aliases[slot])
        }
    }

    /// Returns one step of indentation.
    pub(super) fn step(&self) -> String {
        if self.style.indent == 0 { "\t".to_owned() } else { " ".repeat(self.style.indent) }
    }

    pub(super) fn word(&self, word: &str) -> String {
        keyword(self.style, word)
    }

    pub(super) fn flats(&self, text: &str) -> Rc<[Flat]> {
        let parsed = self.parsed;
        if let Some(known) = parsed.fixed.borrow().get(text) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        self.flatten(&parsed.pieces(text), &mut found);
        let flats: Rc<[Flat]> = found.into();
        if !flats.iter().any(|flat| matches!(flat, Flat::Begin(_))) {
            parsed.fixed.borrow_mut().insert(text.to_owned(), Rc::clone(&flats));
        }
        flats
    }

    /// Adds the tokens of pieces.
    fn flatten(&self, parts: &[Piece], found: &mut Vec<Flat>) {
        for (place, piece) in parts.iter().enumerate() {
            match piece {
                Piece::Word(word) => {
                    let called = matches!(parts.get(place + 1), Some(Piece::Symbol(symbol)) if symbol == "(");
                    found.push(Flat::Token(spelled(self.style, word, called)));
                }
                Piece::Text(text) | Piece::Number(text) => found.push(Flat::Token(text.clone())),
                Piece::Symbol(symbol) if symbol == "<>" => found.push(Flat::Token(self.style.unequal.clone())),
                Piece::Symbol(symbol) => found.push(Flat::Token(symbol.clone())),
                Piece::Column(slot, name) => found.push(Flat::Token(self.column(*slot, name))),
                Piece::Block(block) => found.push(Flat::Block(*block)),
                Piece::Day(offset) => date(self.style, *offset, found),
                Piece::Choice(id, forms) => {
                    found.push(Flat::Begin(*id));
                    if let Some(form) = forms.get(self.chosen.get(*id).copied().unwrap_or(0)) {
                        self.flatten(form, found);
                    }
                    found.push(Flat::End(*id));
                }
            }
        }
    }

    /// Writes the relation in a slot as FROM has it, with its alias.
    pub(super) fn source(&mut self, slot: usize, indent: &str) {
        let plan = self.plan;
        let (block, _) = plan.slots[slot];
        let alone = plan.blocks[block].items.len() == 1 && plan.blocks[block].laterals.is_empty();
        let correlated = is_correlated(&plan.blocks[block]);
        match plan.source(slot) {
            Some(RowSource::Block(source)) if self.shape.placements[*source] == BlockPlacement::Derived => {
                let deeper = format!("{indent}{}", self.step());
                self.writer.put("(");
                self.block_comment(*source, &deeper);
                self.writer.line(&deeper);
                self.block(*source, &deeper);
                self.writer.line(indent);
                self.writer.put(")");
                self.alias(slot);
            }
            Some(source) => {
                let name = match source {
                    RowSource::Table(table) => (self.tables)(table),
                    RowSource::Block(source) => self.shape.names[*source].clone(),
                };
                self.writer.put(&name);
                // A relation is called by its name where its alias would be the same.
                if (!alone || self.style.qualify || correlated) && self.shape.aliases[slot] != name {
                    self.alias(slot);
                }
            }
            None => {}
        }
    }

    /// Writes a block inside an expression, in parentheses.
    pub(super) fn inside(&mut self, block: usize, indent: &str) {
        let deeper = format!("{indent}{}", self.step());
        self.writer.put("(");
        self.writer.line(&deeper);
        self.block(block, &deeper);
        self.writer.line(indent);
        self.writer.put(")");
    }

    fn alias(&mut self, slot: usize) {
        self.writer.space();
        if self.style.table_as {
            let word = self.word("AS");
            self.writer.put(&word);
            self.writer.space();
        }
        let alias = self.shape.aliases[slot].clone();
        self.writer.put(&alias);
    }

    /// Writes, by chance, a comment that says what a block holds, or else a remark.
    pub(super) fn block_comment(&mut self, block: usize, indent: &str) {
        let Block { purpose, reason, .. } = &self.plan.blocks[block];
        let share = self.style.block_comments * if *reason { 1.0 } else { 0.3 };
        let has_comment = !purpose.is_empty() && self.draw.nth("comment", block).chance(share);
        if has_comment && self.said.insert(purpose.clone()) {
            self.writer.line(indent);
            let text = format!("-- {purpose}");
            self.writer.comment(&text);
            return;
        }
        let step = self.remarked_step(block);
        let says = |remarks: &ScriptRemarks, draw: Draw| remarks.step(&step, draw);
        if let Some(remark) = self.remarked(self.draw.nth("remark", block), STEP_REMARKS, says) {
            self.remark(&remark, indent);
        }
    }

    fn remarked_step(&self, block: usize) -> RemarkedStep {
        let tables = self.plan.blocks[block].items.iter().filter_map(|item| match &item.source {
            RowSource::Table(table) => Some((self.tables)(table)),
            RowSource::Block(_) => None,
        });
        RemarkedStep {
            is_named: matches!(self.shape.placements[block], BlockPlacement::Common | BlockPlacement::Stored),
            inputs: tables.map(|table| table.rsplit('.').next().unwrap_or(&table).to_owned()).collect(),
        }
    }

    /// Returns a remark with probability `share` times 0.3 plus the style's share of commented blocks.
    pub(super) fn remarked(
        &self,
        draw: Draw,
        share: f64,
        says: impl Fn(&ScriptRemarks, Draw) -> String,
    ) -> Option<String> {
        let has_remark = draw.at("told").chance(share * (0.3 + self.style.block_comments));
        self.remarks.filter(|_| has_remark).map(|remarks| says(remarks, draw))
    }

    /// Writes a remark on a line of its own.
    pub(super) fn remark(&mut self, remark: &str, indent: &str) {
        self.writer.line(indent);
        self.writer.comment(&format!("-- {remark}"));
    }

    /// Writes a block at the current place; lines after the first begin with `indent`.
    pub(super) fn block(&mut self, id: usize, indent: &str) {
        let plan = self.plan;
        let block = &plan.blocks[id];
        self.writer.begin(RangeOwner::Block(id));
        if block.members.is_empty() {
            self.select(id, block, indent);
        } else {
            let operator = self.flats(&block.set_operator);
            for (number, member) in block.members.iter().enumerate() {
                if number > 0 {
                    if self.style.airy {
                        self.writer.line("");
                    }
                    self.writer.line(indent);
                    self.expression(&operator, indent);
                    if self.style.airy {
                        self.writer.line("");
                    }
                    self.writer.line(indent);
                }
                self.block(*member, indent);
            }
        }
        self.writer.end(RangeOwner::Block(id));
    }

    fn select(&mut self, id: usize, block: &Block, indent: &str) {
        let word = self.word(if block.distinct { "SELECT DISTINCT" } else { "SELECT" });
        self.writer.put(&word);
        self.outputs(id, block, indent);
        self.sources(id, block, indent);
        for lateral in &block.laterals {
            self.writer.line(indent);
            let flats = self.flats(lateral);
            self.expression(&flats, indent);
        }
        if !block.filters.is_empty() {
            self.conditions("WHERE", &block.filters, indent, false);
        }
        self.grouping(block, indent);
        if !block.having.is_empty() {
            self.conditions("HAVING", &block.having, indent, false);
        }
        let is_filled = self.fills_tables && self.plan.results.contains(&id);
        // What fills a table is seldom sorted: those who read the table do not see it.
        let is_sorted = !is_filled || !block.limit.is_empty() || self.draw.at("sorted").chance(0.2);
        if is_sorted && !block.order.is_empty() {
            self.writer.line(indent);
            self.head("ORDER BY");
            self.list(&block.order, indent);
        }
        if !block.limit.is_empty() {
            self.writer.line(indent);
            self.head("LIMIT");
            let flats = self.flats(&block.limit);
            self.expression(&flats, indent);
        }
    }

    /// Writes FROM, unless the query is that of one INSERT of several, and the joins.
    fn sources(&mut self, id: usize, block: &Block, indent: &str) {
        if let Some(first) = block.items.first().filter(|_| self.shape.sharing(id).is_none()) {
            self.writer.line(indent);
            self.from(first.slot, indent);
        }
        for item in block.items.iter().skip(1) {
            self.writer.line(indent);
            let join = self.join_words(&item.join);
            self.expression(&join, indent);
            self.writer.space();
            self.source(item.slot, indent);
            self.conditions("ON", &item.on, indent, self.style.on_same_line);
        }
    }

    /// Writes `FROM` and the first relation.
    pub(super) fn from(&mut self, slot: usize, indent: &str) {
        self.head("FROM");
        self.source(slot, indent);
    }

    /// Writes what stands before item `number`, from 0, of a list with an item a line.
    pub(super) fn separator(&mut self, number: usize, step: &str) {
        match (number, self.style.comma) {
            (0, CommaPosition::Trailing) => self.writer.line(step),
            (0, CommaPosition::Leading) => {
                self.writer.line(step);
                if self.style.align {
                    self.writer.comment(" ");
                }
            }
            (_, CommaPosition::Trailing) => {
                self.writer.put(",");
                self.writer.line(step);
            }
            (_, CommaPosition::Leading) => {
                self.writer.line(step);
                self.writer.put(",");
            }
        }
    }
}

/// Whether a block may name columns of another one, or one in its WHERE may name its columns: then all qualify them.
fn is_correlated(block: &Block) -> bool {
    block.inside || block.filters.iter().any(|text| has_block(text))
}
