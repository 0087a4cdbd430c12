//! A relation under construction: its grain, and its columns with their meanings.

use super::domain::{DomainColumn, FigureUnit, Role};
use super::piece;
use super::plan::{Block, BlockColumn, Plan, RowSource};

/// What is known of a column, for patterns to choose by and sentences to name it.
#[derive(Clone, Debug)]
pub struct ColumnMeaning {
    /// Its role.
    pub role: Role,
    /// Its unit if it is a figure, a number that may be reported.
    pub figure: Option<FigureUnit>,
    /// Its SQL type.
    pub kind: String,
    /// What people call it.
    pub words: String,
    /// Whether it may be NULL.
    pub missing: bool,
    /// Whether what the row describes exists no longer after this day.
    pub ends: bool,
    /// Whether a step has left only rows whose key is in the dimension of its entity.
    pub is_matched: bool,
    /// The entity whose key it is, if it is one.
    pub entity: Option<String>,
    /// The name, in the script, of the column that holds its currency; `None` if it is in the domain's.
    pub currency: Option<String>,
    /// Known values and their words; the items of a list.
    pub values: Vec<(String, String)>,
    /// Known fields of a map or JSON text and their words.
    pub fields: Vec<(String, String)>,
    /// The separator of a list in one text.
    pub separator: Option<String>,
    /// `table.column` or `table.figure` that it comes from, `table.*` for a number of rows; empty if a step made it.
    pub origin: String,
    /// Classes of a figure by its value, where the model has some.
    pub bands: Option<Classes>,
    /// Whether it is an aggregate of the open block, or the same in all rows of a group, so that no aggregate may read it.
    pub grouped: bool,
    /// Whether it is a plain sum or count of its origin.
    pub sum: bool,
    /// The table of the relation for which a pattern made it.
    pub made_for: String,
    /// Whether a step made it and no pattern has used it yet.
    pub fresh: bool,
    /// The entity of which it is an attribute: it is the same in all rows that refer to one of them.
    pub belongs_to: Option<String>,
}

/// Classes of a number.
#[derive(Clone, Debug)]
pub struct Classes {
    /// What people call the class.
    pub words: String,
    /// Upper limits, ascending, and the class below each.
    pub steps: Vec<(f64, String)>,
    /// The class above the last limit.
    pub rest: String,
}

/// A column of a relation.
#[derive(Clone, Debug)]
pub struct RelationColumn {
    /// The name that it has or will have.
    pub name: String,
    /// The SQL text that computes it inside the open block.
    pub text: String,
    /// What it means.
    pub meaning: ColumnMeaning,
}

/// A relation whose last block is open: patterns add to it.
#[derive(Clone, Debug)]
pub struct OpenRelation {
    /// The open block.
    pub block: usize,
    /// Columns.
    pub columns: Vec<RelationColumn>,
    /// Names of the columns that make a row unique.
    pub grain: Vec<String>,
    /// Names of the columns that order the versions of a row, oldest first; empty once one version is chosen.
    pub repeats: Vec<String>,
    /// Singular of a row.
    pub one: String,
    /// Plural.
    pub many: String,
    /// The table whose rows it holds; `<table>_report` where the figures of several come together.
    pub table: String,
    /// Whether the open block has groups.
    pub grouped: bool,
    /// Whether a row of the table may stand in several rows, so that nothing of it can be added up.
    pub multiplied: bool,
}

impl OpenRelation {
    /// Returns a relation over the rows of a block, of which it is not known what makes one unique.
    pub fn over(block: usize, columns: Vec<RelationColumn>, one: &str, many: &str, table: &str) -> OpenRelation {
        OpenRelation {
            block,
            columns,
            grain: Vec::new(),
            repeats: Vec::new(),
            one: one.to_owned(),
            many: many.to_owned(),
            table: table.to_owned(),
            grouped: false,
            multiplied: false,
        }
    }

    /// Returns the moment of a row, as text that is never NULL.
    pub fn moment(&self) -> Option<&RelationColumn> {
        let is_moment =
            |meaning: &ColumnMeaning| meaning.role == Role::Time && !meaning.missing && meaning.kind == "STRING";
        self.columns.iter().find(|column| is_moment(&column.meaning))
    }

    /// Returns the column with this name.
    pub fn column(&self, name: &str) -> Option<&RelationColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether there is one row for each value of the column with this name, so that nothing of it can be aggregated.
    pub fn is_single(&self, name: &str) -> bool {
        !self.multiplied && self.repeats.is_empty() && self.grain == [name]
    }

    /// Returns the text of the column with this name; empty if there is none.
    pub fn text(&self, name: &str) -> String {
        self.column(name).map(|column| column.text.clone()).unwrap_or_default()
    }

    /// Adds a column.
    pub fn add(&mut self, name: impl Into<String>, text: String, meaning: ColumnMeaning) {
        self.columns.push(RelationColumn { name: name.into(), text, meaning });
    }

    /// Adds a column, or replaces the one with its name.
    pub fn set(&mut self, column: RelationColumn) {
        match self.columns.iter_mut().find(|other| other.name == column.name) {
            Some(other) => *other = column,
            None => self.columns.push(column),
        }
    }

    /// Returns a name that no column has: `name`, `name_2` …
    pub fn free_name(&self, name: &str) -> String {
        let taken = |name: &str| self.columns.iter().any(|column| column.name == name);
        if !taken(name) {
            return name.to_owned();
        }
        (2..).map(|number| format!("{name}_{number}")).find(|name| !taken(name)).unwrap_or_default()
    }

    /// Ends the open block and opens one that reads it.
    pub fn close(&mut self, plan: &mut Plan, names: Vec<String>, purpose: String) {
        self.finish(plan, names, purpose);
        self.read(plan, self.block);
    }

    /// Opens a block that reads the block `source`, which has the same columns.
    pub fn read(&mut self, plan: &mut Plan, source: usize) {
        let (block, slot) = plan.block(RowSource::Block(source));
        self.block = block;
        self.grouped = false;
        for column in &mut self.columns {
            column.text = piece::column(slot, &column.name);
        }
    }

    /// Ends the open block: writes its columns, names and purpose into the plan.
    pub fn finish(&self, plan: &mut Plan, names: Vec<String>, purpose: String) {
        let outputs = self.outputs();
        let block = &mut plan.blocks[self.block];
        block.outputs = outputs;
        block.names = names;
        block.purpose = purpose;
    }

    fn outputs(&self) -> Vec<BlockColumn> {
        let output = |column: &RelationColumn| BlockColumn {
            name: column.name.clone(),
            text: column.text.clone(),
            kept: self.grouped && self.grain.contains(&column.name),
            comment: if column.meaning.figure.is_some() {
                telling(&column.name, &column.meaning.words)
            } else {
                String::new()
            },
        };
        self.columns.iter().map(output).collect()
    }

    /// Returns the texts of the columns with these names; names that no column has are passed over.
    pub fn texts(&self, names: &[String]) -> Vec<String> {
        names.iter().filter_map(|name| self.column(name)).map(|column| column.text.clone()).collect()
    }
}

impl RelationColumn {
    /// Returns the column, which may be NULL.
    pub fn nullable(mut self) -> RelationColumn {
        self.meaning.missing = true;
        self
    }
}

impl ColumnMeaning {
    /// Returns what the model says of a column.
    pub fn of(table: &str, name: &str, column: &DomainColumn) -> ColumnMeaning {
        let values = match column.role {
            Role::List => column.examples.iter().map(|item| (item.clone(), item.clone())).collect(),
            _ => column.values.iter().map(|(value, meaning)| (value.to_owned(), meaning.words.clone())).collect(),
        };
        ColumnMeaning {
            missing: column.missing.is_some(),
            ends: column.ends,
            entity: column.entity.clone(),
            values,
            fields: column.fields.iter().map(|(field, words)| (field.to_owned(), words.clone())).collect(),
            separator: column.separator.clone(),
            origin: format!("{table}.{name}"),
            ..ColumnMeaning::plain(column.role, &column.kind, column.words.clone())
        }
    }

    /// Whether it is money in a currency that another column holds.
    pub fn is_foreign(&self) -> bool {
        self.currency.is_some()
    }

    /// Returns the meaning of a new column, of which nothing else is known.
    pub fn plain(role: Role, kind: &str, words: impl Into<String>) -> ColumnMeaning {
        ColumnMeaning {
            role,
            figure: None,
            kind: kind.to_owned(),
            words: words.into(),
            missing: false,
            ends: false,
            is_matched: false,
            entity: None,
            currency: None,
            values: Vec::new(),
            fields: Vec::new(),
            separator: None,
            origin: String::new(),
            bands: None,
            grouped: false,
            sum: false,
            made_for: String::new(),
            fresh: false,
            belongs_to: None,
        }
    }
}

/// Returns the words as a comment; empty if the name already says them.
fn telling(name: &str, words: &str) -> String {
    let said = |word: &str| word.len() < 4 || name.contains(&word[..word.len().min(4)]);
    let plain = words.is_ascii() && words.split_whitespace().all(|word| said(&word.to_lowercase()));
    if plain { String::new() } else { words.to_owned() }
}

/// Copies a block, which then reads the same sources in slots of its own. Returns the copy and pairs of old and new
/// slots, by which the caller renumbers outputs and groups.
pub fn copy_block(plan: &mut Plan, block: usize) -> (usize, Vec<(usize, usize)>) {
    let original = plan.blocks[block].clone();
    plan.blocks.push(Block { items: Vec::new(), ..original.clone() });
    let copy = plan.blocks.len() - 1;
    let mut pairs = Vec::new();
    for item in &original.items {
        let slot = plan.item(copy, item.source.clone(), item.join.clone());
        pairs.push((item.slot, slot));
    }
    let renamed = |text: &String| renumber(text, &pairs);
    let items: Vec<Vec<String>> = original.items.iter().map(|item| item.on.iter().map(renamed).collect()).collect();
    let target = &mut plan.blocks[copy];
    for (item, on) in target.items.iter_mut().zip(items) {
        item.on = on;
    }
    target.filters = original.filters.iter().map(renamed).collect();
    target.laterals = original.laterals.iter().map(renamed).collect();
    (copy, pairs)
}

/// Returns the text with the slots of its columns replaced by pairs of old and new.
pub fn renumber(text: &str, pairs: &[(usize, usize)]) -> String {
    let mut result = text.to_owned();
    // First by numbers that no slot has, so that no slot is replaced twice.
    for (old, new) in pairs {
        result = result.replace(&piece::column_start(*old), &piece::column_start(new + FAR));
    }
    for (_, new) in pairs {
        result = result.replace(&piece::column_start(new + FAR), &piece::column_start(*new));
    }
    result
}

/// More slots than any plan has.
const FAR: usize = 100_000_000;
