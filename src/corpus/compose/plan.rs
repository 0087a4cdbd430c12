//! The plan of a script: SELECT blocks that read tables and each other, and the decisions in them.
//!
//! Texts of a plan are SQL under construction, see `piece`.

pub mod live;
mod prune;

pub use prune::prune;

use std::collections::HashSet;

use super::draw::Draw;
use super::piece::{Piece, decision, has_form, pieces};

/// Where the rows of a FROM item come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowSource {
    /// A table of the domain, by its neutral name.
    Table(String),
    /// Another block.
    Block(usize),
}

/// An item of a FROM clause.
#[derive(Clone, Debug)]
pub struct FromItem {
    /// The slot, by which columns name this item.
    pub slot: usize,
    /// Its rows.
    pub source: RowSource,
    /// `JOIN`, `LEFT JOIN` …, empty for the first; may be a choice.
    pub join: String,
    /// Conjuncts of its condition.
    pub on: Vec<String>,
}

/// One output column of a block.
#[derive(Clone, Debug)]
pub struct BlockColumn {
    /// Its name.
    pub name: String,
    /// The text that computes it.
    pub text: String,
    /// Whether it stays even if nothing reads it.
    pub kept: bool,
    /// What people call it, for a comment.
    pub comment: String,
}

/// A SELECT block, or a union of blocks.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Names for it, best first: `paid_orders`.
    pub names: Vec<String>,
    /// What it holds, or why it is there, for a comment: `receipt lines per store`.
    pub purpose: String,
    /// Whether the purpose is a reason, not only a name for the rows.
    pub reason: bool,
    /// Whether DISTINCT stands after SELECT.
    pub distinct: bool,
    /// FROM and joins.
    pub items: Vec<FromItem>,
    /// Lateral views.
    pub laterals: Vec<String>,
    /// Output columns.
    pub outputs: Vec<BlockColumn>,
    /// Conjuncts of WHERE.
    pub filters: Vec<String>,
    /// Grouping expressions.
    pub groups: Vec<String>,
    /// What follows the grouping expressions: `WITH ROLLUP`, `GROUPING SETS (…)`; may be empty.
    pub grouping: String,
    /// Conjuncts of HAVING.
    pub having: Vec<String>,
    /// Sort expressions.
    pub order: Vec<String>,
    /// LIMIT; empty without.
    pub limit: String,
    /// The blocks of which it is a union; then it has of the above only names, purpose and outputs.
    pub members: Vec<usize>,
    /// What stands between the members: `UNION ALL`; may be a choice.
    pub set_operator: String,
    /// Whether a statement may end here: some houses store such blocks as tables.
    pub milestone: bool,
    /// Whether it stands inside an expression: `IN (SELECT …)`.
    pub inside: bool,
}

/// A decision with two forms.
#[derive(Clone, Debug)]
pub struct PlannedDecision {
    /// What is decided, such as `latest_upload.which_version`.
    pub kind: String,
    /// Leaf of the paper's taxonomy under which the other form would be a fault.
    pub label: String,
    /// The form that was drawn: 0 or 1.
    pub chosen: usize,
    /// A sentence for each form that says what it does.
    pub sentences: [String; 2],
    /// What rows data must have to tell the forms apart.
    pub hint: String,
}

impl PlannedDecision {
    /// Returns a decision of this kind without sentences; its other form would be a fault of the leaf `label`.
    pub fn new(kind: impl Into<String>, label: &str) -> PlannedDecision {
        PlannedDecision {
            kind: kind.into(),
            label: label.to_owned(),
            chosen: 0,
            sentences: [String::new(), String::new()],
            hint: String::new(),
        }
    }

    /// Sets the sentences of its forms.
    #[must_use]
    pub fn says(mut self, one: impl Into<String>, other: impl Into<String>) -> PlannedDecision {
        self.sentences = [one.into(), other.into()];
        self
    }

    /// Sets what rows data must have to tell its forms apart.
    #[must_use]
    pub fn shown_by(mut self, hint: &str) -> PlannedDecision {
        hint.clone_into(&mut self.hint);
        self
    }
}

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

impl Block {
    /// Adds a conjunct, once, in place of any decision of which it is a form.
    pub fn guard(&mut self, text: String) {
        self.filters.retain(|filter| *filter != text && !has_form(filter, &text));
        self.filters.push(text);
    }

    /// Returns about how many lines the block takes.
    pub fn lines(&self) -> usize {
        2 + self.outputs.len()
            + 2 * self.items.len()
            + self.filters.len()
            + self.groups.len().min(4)
            + self.having.len()
    }

    /// Returns every text of the block except its outputs, LIMIT and set operator.
    pub fn clauses(&self) -> impl Iterator<Item = &String> {
        let joins = self.items.iter().flat_map(|item| std::iter::once(&item.join).chain(&item.on));
        joins
            .chain(&self.laterals)
            .chain(&self.filters)
            .chain(&self.groups)
            .chain(std::iter::once(&self.grouping))
            .chain(&self.having)
            .chain(&self.order)
    }
}
