//! SELECT blocks: what they read, and what they give.

use crate::corpus::compose::piece::has_form;

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

impl BlockColumn {
    /// Returns an output that goes if nothing reads it.
    pub fn new(name: &str, text: String) -> BlockColumn {
        BlockColumn { name: name.to_owned(), text, kept: false, comment: String::new() }
    }

    /// Returns an output that stays even if nothing reads it.
    pub fn kept(name: &str, text: String) -> BlockColumn {
        BlockColumn { kept: true, ..BlockColumn::new(name, text) }
    }
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
