//! The plan of a script: SELECT blocks that read tables and each other, with the decisions made in them.

pub mod live;
mod prune;

pub use prune::prune;

use std::collections::HashSet;

use super::draw::Draw;
use super::piece::{Piece, choice, has_form, pieces};

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
    /// Number of the slot; columns name it.
    pub slot: usize,
    /// Its rows.
    pub source: RowSource,
    /// `JOIN`, `LEFT JOIN` … for all but the first; may be a choice.
    pub join: String,
    /// Conjuncts of its condition.
    pub on: Vec<String>,
}

/// One column that a block gives.
#[derive(Clone, Debug)]
pub struct BlockColumn {
    /// Its name.
    pub name: String,
    /// What computes it.
    pub text: String,
    /// It stays even if nothing reads it.
    pub kept: bool,
    /// What people call it, for a comment.
    pub comment: String,
}

/// A SELECT block, or a union of blocks.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Names for it, best first: `paid_orders`.
    pub names: Vec<String>,
    /// What it holds, for a comment: `receipt lines per store`.
    pub purpose: String,
    /// Whether the purpose is a reason, not only a name for the rows.
    pub reason: bool,
    /// The word after SELECT.
    pub distinct: bool,
    /// FROM and joins.
    pub items: Vec<FromItem>,
    /// Lateral views.
    pub laterals: Vec<String>,
    /// Columns.
    pub outputs: Vec<BlockColumn>,
    /// Conjuncts.
    pub filters: Vec<String>,
    /// Grouping expressions.
    pub groups: Vec<String>,
    /// What follows them: `WITH ROLLUP`, `GROUPING SETS (…)`.
    pub grouping: String,
    /// Conjuncts over groups.
    pub having: Vec<String>,
    /// Sort expressions.
    pub order: Vec<String>,
    /// Number of rows.
    pub limit: String,
    /// The blocks of which it is a union, in place of all of the above but names, purpose and outputs.
    pub members: Vec<usize>,
    /// The word between the members: `UNION ALL`; may be a choice.
    pub set_operator: String,
    /// A natural end of a statement.
    pub milestone: bool,
    /// It stands inside an expression: `IN (SELECT …)`.
    pub inside: bool,
}

/// A decision with two forms.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What is decided, such as `which_version`.
    pub kind: String,
    /// The leaf of the paper's taxonomy under which the other form would be a fault.
    pub label: String,
    /// The form that was drawn: 0 or 1.
    pub chosen: usize,
    /// What each form means.
    pub sentences: [String; 2],
    /// What data needs to tell the forms apart.
    pub hint: String,
}

impl Decided {
    /// A decision of this kind; its other form would be a fault of the leaf `label`.
    pub fn new(kind: impl Into<String>, label: &str) -> Decided {
        Decided {
            kind: kind.into(),
            label: label.to_owned(),
            chosen: 0,
            sentences: [String::new(), String::new()],
            hint: String::new(),
        }
    }

    /// What each of its forms means.
    #[must_use]
    pub fn says(mut self, one: impl Into<String>, other: impl Into<String>) -> Decided {
        self.sentences = [one.into(), other.into()];
        self
    }

    /// What data needs to tell its forms apart.
    #[must_use]
    pub fn shown_by(mut self, hint: &str) -> Decided {
        hint.clone_into(&mut self.hint);
        self
    }
}

/// Blocks that read tables and each other.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The blocks that give results, in the order in which they are written.
    pub results: Vec<usize>,
    /// Sentences that are no decisions, with the block that they are about.
    pub notes: Vec<(usize, String)>,
    /// The block and item of each slot.
    pub slots: Vec<(usize, usize)>,
    /// The decisions.
    pub decisions: Vec<Decided>,
    /// Its milestones are tables of their own, whatever the house prefers.
    pub staged: bool,
    /// Blocks whose rows several results share out among them.
    pub fans_out: Vec<usize>,
}

impl Plan {
    /// A new block that reads `source`; gives block and slot.
    pub fn block(&mut self, source: RowSource) -> (usize, usize) {
        self.blocks.push(Block::default());
        let block = self.blocks.len() - 1;
        (block, self.item(block, source, String::new()))
    }

    /// A new block that is the union of others with the same outputs; gives its number.
    pub fn union(&mut self, members: Vec<usize>, set_operator: String, names: Vec<String>, purpose: String) -> usize {
        let outputs = self.blocks[members[0]].outputs.clone();
        self.blocks.push(Block { members, set_operator, outputs, names, purpose, ..Block::default() });
        self.blocks.len() - 1
    }

    /// Another item in the FROM clause of a block; gives its slot.
    pub fn item(&mut self, block: usize, source: RowSource, join: String) -> usize {
        let slot = self.slots.len();
        let items = &mut self.blocks[block].items;
        self.slots.push((block, items.len()));
        items.push(FromItem { slot, source, join, on: Vec::new() });
        slot
    }

    /// Says how the last item of a block is joined.
    pub fn join_last(&mut self, block: usize, join: String, on: Vec<String>) {
        if let Some(item) = self.blocks[block].items.last_mut() {
            item.join = join;
            item.on = on;
        }
    }

    /// The tables that its blocks read.
    pub fn tables(&self) -> HashSet<String> {
        let sources = self.blocks.iter().flat_map(|block| &block.items).map(|item| &item.source);
        let named = sources.filter_map(|source| match source {
            RowSource::Table(name) => Some(name.clone()),
            RowSource::Block(_) => None,
        });
        named.collect()
    }

    /// The source in a slot.
    pub fn source(&self, slot: usize) -> Option<&RowSource> {
        let (block, item) = self.slots.get(slot)?;
        self.blocks[*block].items.get(*item).map(|item| &item.source)
    }

    /// The blocks that a block reads, in the order of its text.
    pub fn read_by(&self, block: usize) -> Vec<usize> {
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

    /// The blocks on which the results rest, each after those that it reads.
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
        for source in self.read_by(block) {
            self.visit(source, seen, order);
        }
        order.push(block);
    }

    /// Notes a decision and draws its form; gives the text that stands for it.
    pub fn decide<F: AsRef<str>>(&mut self, draw: Draw, decided: Decided, forms: [F; 2]) -> String {
        let id = self.decisions.len();
        let chosen = usize::from(draw.chance(0.5));
        self.decisions.push(Decided { chosen, ..decided });
        choice(id, forms)
    }

    /// About how many lines the results and all that they rest on take.
    pub fn lines(&self) -> usize {
        let size = |block: &Block| {
            2 + block.outputs.len()
                + 2 * block.items.len()
                + block.filters.len()
                + block.groups.len().min(4)
                + block.having.len()
        };
        self.readers_last().into_iter().map(|block| size(&self.blocks[block])).sum()
    }

    /// The forms that were drawn.
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
    /// Adds a conjunct, once; a decision of which it is one form has no say any more.
    pub fn guard(&mut self, text: String) {
        self.filters.retain(|filter| *filter != text && !has_form(filter, &text));
        self.filters.push(text);
    }

    /// Every text of the block except its outputs.
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
