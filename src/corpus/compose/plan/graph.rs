//! The graph of blocks that a script is written from.

use std::collections::HashSet;

use super::block::{Block, FromItem, RowSource};
use super::planned_decision::PlannedDecision;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::piece::{Piece, decision, decision_in, pieces};

/// Blocks that read tables and each other. Blocks of analyses that were given up stay in it, read by no result.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The blocks that give results, in the order in which they are written.
    pub results: Vec<usize>,
    /// Sentences of the specification that are no decisions, with the block that they are about.
    pub notes: Vec<(usize, String)>,
    /// The block of each slot, and its position among the items of the block.
    pub slots: Vec<(usize, usize)>,
    /// The decisions.
    pub decisions: Vec<PlannedDecision>,
    /// Whether its milestones may be tables of their own, whatever the house prefers.
    pub staged: bool,
    /// Share of its blocks that may be tables of their own, where it is staged; `None` leaves it at most milestones.
    pub staging: Option<f64>,
    /// The least and the most files that its script is to be; `None` for one text.
    pub files: Option<(usize, usize)>,
    /// Blocks whose rows several results share, so that one multi-insert may write them.
    pub fans_out: Vec<usize>,
}

impl Plan {
    /// Adds a block that reads `source`; returns block and slot.
    pub fn block(&mut self, source: RowSource) -> (usize, usize) {
        self.blocks.push(Block::default());
        let block = self.blocks.len() - 1;
        (block, self.item(block, source, String::new()))
    }

    /// Adds a block that is the union of one or more others with the same outputs; returns its number.
    pub fn union(&mut self, members: Vec<usize>, set_operator: String, names: Vec<String>, purpose: String) -> usize {
        let outputs = self.blocks[members[0]].outputs.clone();
        self.blocks.push(Block { members, set_operator, outputs, names, purpose, ..Block::default() });
        self.blocks.len() - 1
    }

    /// Adds an item to the FROM clause of a block; returns its slot.
    pub fn item(&mut self, block: usize, source: RowSource, join: String) -> usize {
        let slot = self.slots.len();
        let items = &mut self.blocks[block].items;
        self.slots.push((block, items.len()));
        items.push(FromItem { slot, source, join, on: Vec::new() });
        slot
    }

    /// Sets how the last item of a block is joined.
    pub fn join_last(&mut self, block: usize, join: String, on: Vec<String>) {
        if let Some(item) = self.blocks[block].items.last_mut() {
            item.join = join;
            item.on = on;
        }
    }

    /// Sets the kind of join of the last item of a block.
    pub fn set_join(&mut self, block: usize, join: String) {
        if let Some(item) = self.blocks[block].items.last_mut() {
            item.join = join;
        }
    }

    /// Returns the tables that its blocks read.
    pub fn tables(&self) -> HashSet<String> {
        let sources = self.blocks.iter().flat_map(|block| &block.items).map(|item| &item.source);
        let named = sources.filter_map(|source| match source {
            RowSource::Table(name) => Some(name.clone()),
            RowSource::Block(_) => None,
        });
        named.collect()
    }

    /// Returns the source in a slot.
    pub fn source(&self, slot: usize) -> Option<&RowSource> {
        let (block, item) = self.slots.get(slot)?;
        self.blocks[*block].items.get(*item).map(|item| &item.source)
    }

    /// Returns the blocks that a block reads: FROM items and members first, then those inside expressions.
    pub fn blocks_read_by(&self, block: usize) -> Vec<usize> {
        let block = &self.blocks[block];
        let items = block.items.iter().filter_map(|item| match &item.source {
            RowSource::Block(source) => Some(*source),
            RowSource::Table(_) => None,
        });
        let mut found: Vec<usize> = items.chain(block.members.iter().copied()).collect();
        for text in block.clauses().chain(block.outputs.iter().map(|output| &output.text)) {
            nested(&pieces(text), &mut |inner| found.push(inner));
        }
        found
    }

    /// Returns the blocks that the results need, each after those that it reads.
    pub fn readers_last(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.blocks.len()];
        for result in &self.results {
            self.visit(*result, &mut seen, &mut order);
        }
        order
    }

    fn visit(&self, block: usize, seen: &mut [bool], order: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[block], true) {
            return;
        }
        for source in self.blocks_read_by(block) {
            self.visit(source, seen, order);
        }
        order.push(block);
    }

    /// Adds a decision and draws its form; returns the text that holds both forms.
    pub fn decide<F: AsRef<str>>(&mut self, draw: Draw, decided: PlannedDecision, forms: [F; 2]) -> String {
        let id = self.decisions.len();
        let chosen = usize::from(draw.chance(0.5));
        self.decisions.push(PlannedDecision { chosen, ..decided });
        decision(id, forms)
    }

    /// Returns the form that was drawn of the first decision in a text; `None` if the text has no decision.
    pub fn chosen_in(&self, text: &str) -> Option<usize> {
        self.decisions.get(decision_in(text)?).map(|decision| decision.chosen)
    }

    /// Returns about how many lines the results and all blocks that they need take.
    pub fn lines(&self) -> usize {
        self.readers_last().into_iter().map(|block| self.blocks[block].lines()).sum()
    }

    /// Returns the forms that were drawn, by decision.
    pub fn chosen(&self) -> Vec<usize> {
        self.decisions.iter().map(|decision| decision.chosen).collect()
    }
}

/// Calls `found` for each block that stands inside an expression.
fn nested(parts: &[Piece], found: &mut impl FnMut(usize)) {
    for piece in parts {
        match piece {
            Piece::Block(block) => found(*block),
            Piece::Choice(_, forms) => forms.iter().for_each(|form| nested(form, found)),
            _ => {}
        }
    }
}
