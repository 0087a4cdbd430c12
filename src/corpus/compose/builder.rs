//! The plan under construction, and the state that all steps of composing it share.

mod asked;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::domain::{Domain, Role, Table};
use super::draw::Draw;
use super::names::{ScriptNames, identifier, spoken};
use super::pattern::{Library, Pattern, PatternStage};
use super::piece;
use super::plan::{BlockColumn, Plan, PlannedDecision, RowSource};
use super::relation::{ColumnMeaning, OpenRelation};

/// The days that a question is about.
#[derive(Clone, Debug)]
pub struct ReportPeriod {
    /// Number of days; 1 is the business date alone.
    pub days: usize,
    /// As sentences say it: `in the last seven days`.
    pub words: String,
}

/// Letters of the words for rows, beyond which names have the table's.
const LONGEST_NOUN: usize = 18;

/// A plan under construction.
#[derive(Debug)]
pub struct PlanBuilder<'a> {
    /// The business.
    pub domain: &'a Domain,
    /// Patterns.
    pub library: &'a Library,
    /// The plan so far.
    pub plan: Plan,
    /// Names of the script.
    pub names: ScriptNames<'a>,
    /// The days in question.
    pub window: ReportPeriod,
    /// Name of the script's story.
    pub story: String,
    /// The entity that a row of the report at hand is about.
    pub subject: String,
    /// Draws for what holds for the whole script.
    pub draw: Draw,
    /// Probability with which another table is read by a sub-query of its own.
    pub derived: f64,
    /// Analyses that are drawn more or less often than usual, with the factor.
    pub analyses: BTreeMap<String, f64>,
    /// The day of which snapshots are read, relative to the business date.
    pub snapshot_day: i64,
    /// `table.figure` of each figure that the question at hand asks for; empty if any will do.
    asked: Vec<String>,
    /// Columns and figures (`table.name`) that the script prefers.
    focus: HashSet<String>,
    /// What patterns have taken: the pattern's name, the table of the relation, and the column or table taken.
    used: HashSet<(String, String, String)>,
    /// Numbers of the decisions that are made once for the whole script, by what they are about.
    shared: HashMap<String, usize>,
}

/// A table that has been added to a FROM clause.
#[derive(Debug)]
pub struct AddedTable {
    slot: usize,
    table: String,
    /// Neutral names of the columns that were asked for, and their names in the script.
    names: Vec<(String, String)>,
    /// Conditions that the join needs beside the equality of keys.
    pub conditions: Vec<String>,
}

impl AddedTable {
    /// Returns the text of a column, by its neutral name.
    pub fn column(&self, name: &str) -> String {
        let known = self.names.iter().find(|(neutral, _)| neutral == name);
        debug_assert!(known.is_some(), "{}.{name} was not asked for", self.table);
        piece::column(self.slot, known.map_or(name, |(_, real)| real))
    }
}

impl<'a> PlanBuilder<'a> {
    /// Returns a builder with an empty plan.
    pub fn new(domain: &'a Domain, library: &'a Library, draw: Draw, window: ReportPeriod) -> PlanBuilder<'a> {
        PlanBuilder {
            domain,
            library,
            plan: Plan::default(),
            names: ScriptNames::new(domain, draw.at("names")),
            window,
            subject: String::new(),
            story: library.drawn_story(draw.at("story")),
            draw,
            derived: *draw.at("derived").pick(&[0.1, 0.4, 0.9]).unwrap_or(&0.4),
            analyses: BTreeMap::new(),
            snapshot_day: 0,
            asked: Vec::new(),
            focus: focus(domain, draw.at("focus")),
            used: HashSet::new(),
            shared: HashMap::new(),
        }
    }

    /// Returns the columns and tables that a pattern has already taken for the rows of a relation's table.
    pub fn used(&self, pattern: &Pattern, relation: &OpenRelation) -> Vec<String> {
        let mine = |entry: &&(String, String, String)| entry.0 == pattern.name && entry.1 == relation.table;
        self.used.iter().filter(mine).map(|(_, _, name)| name.clone()).collect()
    }

    /// Returns the columns that patterns of a stage have taken for the rows of a relation's table.
    pub fn spent(&self, stage: PatternStage, relation: &OpenRelation) -> Vec<String> {
        let of_stage = |name: &str| self.library.stage(stage).any(|pattern| pattern.name == name);
        let mine = |entry: &&(String, String, String)| entry.1 == relation.table && of_stage(&entry.0);
        self.used.iter().filter(mine).map(|(_, _, name)| name.clone()).collect()
    }

    /// Notes that a pattern has taken a column or table.
    pub fn use_up(&mut self, pattern: &Pattern, relation: &OpenRelation, name: &str) {
        self.used.insert((pattern.name.clone(), relation.table.clone(), name.to_owned()));
    }

    /// Whether a relation may leave out the rows of an exclusion list: each relation once, two relations of a script at
    /// most, and the one where figures come together only if no other does.
    pub fn may_exclude(&self, list: &str, relation: &OpenRelation) -> bool {
        let taken: HashSet<&str> =
            self.used.iter().filter(|(_, _, name)| name == list).map(|(_, table, _)| table.as_str()).collect();
        !taken.contains(relation.table.as_str())
            && taken.len() < if relation.table.ends_with("_report") { 1 } else { 2 }
    }

    /// Makes a decision once for the whole script: from the second time that `about` comes up, the text belongs to the
    /// first decision, so that reversing it changes all places.
    pub fn decide_once<F: AsRef<str>>(
        &mut self,
        about: &str,
        draw: Draw,
        decided: PlannedDecision,
        forms: [F; 2],
    ) -> String {
        if let Some(id) = self.shared.get(about) {
            return piece::decision(*id, forms);
        }
        self.shared.insert(about.to_owned(), self.plan.decisions.len());
        self.plan.decide(draw, decided, forms)
    }

    /// Leaves out the rows in which a column is NULL, if it may be.
    pub fn require(&mut self, relation: &mut OpenRelation, name: &str) {
        let block = relation.block;
        let found = relation.columns.iter_mut().find(|column| column.name == name);
        if let Some(column) = found.filter(|column| column.meaning.missing) {
            self.plan.blocks[block].guard(format!("{} IS NOT NULL", column.text));
            column.meaning.missing = false;
        }
    }

    /// Returns what a column with the keys of an entity means.
    pub fn reference_to(&self, entity: &str) -> ColumnMeaning {
        let kind = self.domain.entities.get(entity).map_or("", |entity| entity.kind.as_str());
        let meaning = ColumnMeaning::plain(Role::Reference, kind, entity);
        ColumnMeaning { entity: Some(entity.to_owned()), ..meaning }
    }

    /// Adds a sentence about a block that is no decision.
    pub fn says(&mut self, block: usize, sentence: String) {
        self.plan.notes.push((block, sentence));
    }

    /// Adds a sentence about each figure of the open block.
    pub fn note_figures(&mut self, relation: &OpenRelation) {
        for column in relation.columns.iter().filter(|column| column.meaning.figure.is_some()) {
            self.says(relation.block, format!("`{}`: {}", column.name, column.meaning.words));
        }
    }

    /// Returns names for a block that holds rows of a relation; `ends` describe what was done, and one is drawn. In an
    /// end `{}` is the place of the rows; without it they come first.
    pub fn block_names(&self, relation: &OpenRelation, ends: &[String], draw: Draw) -> Vec<String> {
        let noun = self.noun(relation);
        let end = draw.pick(ends).cloned().unwrap_or_else(|| "base".to_owned());
        if end.contains("{}") {
            return vec![spoken(&end.replace("{}", &noun)), spoken(&end.replace("_{}", "").replace("{}_", ""))];
        }
        vec![format!("{noun}_{end}"), end]
    }

    /// Returns what the script calls the rows of a relation in names: the table, or one or several of the rows.
    fn noun(&self, relation: &OpenRelation) -> String {
        let (one, many) = (identifier(&relation.one), identifier(&relation.many));
        if relation.table.is_empty() {
            return one;
        }
        let table = self.names.table(&relation.table);
        let named = self.domain.tables.has(&relation.table) && many.len() <= LONGEST_NOUN;
        match self.draw.at("noun").at(&relation.table).below(5) {
            0 | 1 if named => many,
            2 if named => one,
            _ => table,
        }
    }

    /// Plans the newest version of each row of a table, by ROW_NUMBER in two new blocks; returns the outer one.
    fn latest_version(&mut self, name: &str, table: &Table, names: &[(String, String)], draw: Draw) -> usize {
        let (inner, slot) = self.plan.block(RowSource::Table(name.to_owned()));
        let mut outputs: Vec<BlockColumn> =
            names.iter().map(|(_, real)| BlockColumn::new(real, piece::column(slot, real))).collect();
        let text = |neutral: &String| piece::column(slot, &self.names.column(name, neutral));
        let keys: Vec<String> = table.key.iter().map(text).collect();
        let order = table.repeats.iter().flat_map(|repeats| &repeats.order);
        let order: Vec<String> = order.map(|neutral| format!("{} DESC", text(neutral))).collect();
        let number = draw.at("number").one_of(["rn", "rk", "ver_no"]);
        let window = format!("ROW_NUMBER() OVER (PARTITION BY {} ORDER BY {})", keys.join(", "), order.join(", "));
        outputs.push(BlockColumn::new(number, window));
        let short = self.names.table(name);
        let target = &mut self.plan.blocks[inner];
        if let Some(partition) = &table.partition {
            target.filters.push(format!("{} = {}", piece::column(slot, &partition.column), piece::day(0)));
        }
        target.outputs = outputs;
        target.names = vec![format!("{short}_all"), "numbered".to_owned()];
        let (outer, slot) = self.plan.block(RowSource::Block(inner));
        let target = &mut self.plan.blocks[outer];
        target.outputs = names.iter().map(|(_, real)| BlockColumn::new(real, piece::column(slot, real))).collect();
        target.filters.push(format!("{} = 1", piece::column(slot, number)));
        target.names = vec![format!("{short}_now"), format!("{short}_cur")];
        target.reason = true;
        target.purpose = table.repeats.as_ref().map(|repeats| repeats.because.clone()).unwrap_or_default();
        outer
    }

    /// Adds a table to the FROM clause of a block, by itself or as a sub-query with the columns `wanted`: of a
    /// partitioned table the business date's rows, of repeated rows the newest. The caller sets the join.
    pub fn add_table(&mut self, block: usize, table: &str, wanted: &[String], draw: Draw) -> AddedTable {
        let mut names: Vec<(String, String)> = Vec::new();
        for name in wanted {
            if !names.iter().any(|(neutral, _)| neutral == name) {
                names.push((name.clone(), self.names.column(table, name)));
            }
        }
        let partition = self.domain.tables.get(table).and_then(|table| table.partition.as_ref());
        let partition = partition.map(|partition| partition.column.clone());
        let source = RowSource::Table(table.to_owned());
        if let Some(revised) = self.domain.tables.get(table).filter(|table| table.repeats.is_some()) {
            let latest = self.latest_version(table, revised, &names, draw);
            let slot = self.plan.item(block, RowSource::Block(latest), String::new());
            return AddedTable { slot, table: table.to_owned(), names, conditions: Vec::new() };
        }
        let Some(partition) = partition else {
            let slot = self.plan.item(block, source, String::new());
            return AddedTable { slot, table: table.to_owned(), names, conditions: Vec::new() };
        };
        // A sub-query that only asks whether there is a row reads the table itself.
        if self.plan.blocks[block].inside || !draw.chance(self.derived) {
            let slot = self.plan.item(block, source, String::new());
            let today = format!("{} = {}", piece::column(slot, &partition), piece::day(0));
            return AddedTable { slot, table: table.to_owned(), names, conditions: vec![today] };
        }
        let (inner, inside) = self.plan.block(source);
        let outputs = names.iter().map(|(_, name)| BlockColumn::new(name, piece::column(inside, name))).collect();
        let name = self.names.table(table);
        let target = &mut self.plan.blocks[inner];
        target.outputs = outputs;
        target.filters.push(format!("{} = {}", piece::column(inside, &partition), piece::day(0)));
        target.names = vec![format!("{name}_today"), format!("{name}_cur")];
        let slot = self.plan.item(block, RowSource::Block(inner), String::new());
        AddedTable { slot, table: table.to_owned(), names, conditions: Vec::new() }
    }
}

/// Draws one or two figures and codes of each table.
fn focus(domain: &Domain, draw: Draw) -> HashSet<String> {
    let mut found = HashSet::new();
    for (table_name, table) in domain.tables.iter() {
        let draw = draw.at(table_name);
        let figures: Vec<&str> = table.figures.names().collect();
        let codes: Vec<&str> =
            table.columns.iter().filter(|(_, column)| column.role == Role::Code).map(|(name, _)| name).collect();
        for (label, names) in [("figures", figures), ("codes", codes)] {
            let draw = draw.at(label);
            let taken = draw.shuffled(&names).into_iter().take(draw.at("many").between(1, 2));
            found.extend(taken.map(|name| format!("{table_name}.{name}")));
        }
    }
    found
}
