//! Cutting a script into its parts.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::place::Place;
use super::{Neighbours, Part, Section, Sections, Setting, is_read_alone};
use crate::code::scope::{GivenTable, OutputColumn, RelationSource, Scopes, Surroundings};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId, Tree};
use crate::engine::sqlite::translate::parts::{MadeTable, Stated};
use crate::engine::sqlite::translate::{Translation, translate_in_parts};

/// The bytes of a part in the SQL of steps.
type Bytes = Vec<(usize, Range<usize>)>;

/// The parts of a script; none when it has none, or cannot be cut.
pub(super) fn cut(script: &Script, bound: &Script, scopes: &Scopes, setting: Setting<'_>) -> Option<Sections> {
    let (stated, scratch) = translate_in_parts(bound, scopes, (setting.schema, setting.parameters)).ok()??;
    let spans = spans_of_queries(script, bound)?;
    let cutter = Cutter { script, bound, scopes, setting, spans, visible: visible(bound.tree()) };
    let mut steps = Vec::new();
    let mut found = Vec::new();
    for (number, stated) in stated.into_iter().enumerate() {
        found.extend(cutter.queries(&stated, steps.len()));
        found.extend(cutter.statement(number, &stated, steps.len()));
        steps.extend(stated.steps);
    }
    let translation = Translation { steps, scratch, turned: Vec::new() };
    let mut sections: Vec<Section> =
        found.into_iter().filter_map(|section| cutter.proved(section, &translation)).collect();
    sections.sort_by_key(|section| section.place.span.len());
    Some(Sections { length: script.text().len(), sections, translation })
}

/// The bytes of each query in the text with placeholders, by its node in the text without.
fn spans_of_queries(script: &Script, bound: &Script) -> Option<HashMap<NodeId, Span>> {
    let queries = |script: &Script| -> Vec<NodeId> {
        script.tree().ids().filter(|id| script.tree().kind(*id) == Kind::Query).collect()
    };
    let (written, bound_queries) = (queries(script), queries(bound));
    let alike = script.is_valid()
        && written.len() == bound_queries.len()
        && script.statements().len() == bound.statements().len();
    let spans = written.into_iter().map(|query| script.tree().span(query));
    alike.then(|| bound_queries.into_iter().zip(spans).collect())
}

/// For each query the CTEs before it, the innermost last.
fn visible(tree: &Tree) -> HashMap<NodeId, Rc<Vec<NodeId>>> {
    let mut found = HashMap::new();
    let mut pending = vec![(tree.root(), Rc::new(Vec::new()))];
    while let Some((node, mut visible)) = pending.pop() {
        if tree.kind(node) == Kind::Query {
            found.insert(node, visible.clone());
        }
        for child in tree.children(node).iter().copied() {
            if tree.kind(child) == Kind::With {
                for table in tree.children(child).iter().copied() {
                    pending.push((table, visible.clone()));
                    Rc::make_mut(&mut visible).push(table);
                }
            } else {
                pending.push((child, visible.clone()));
            }
        }
    }
    found
}

struct Cutter<'a> {
    script: &'a Script,
    bound: &'a Script,
    scopes: &'a Scopes,
    setting: Setting<'a>,
    spans: HashMap<NodeId, Span>,
    visible: HashMap<NodeId, Rc<Vec<NodeId>>>,
}

impl Cutter<'_> {
    /// The queries of CTEs and sub-queries; `first` is the statement's first step.
    fn queries(&self, stated: &Stated, first: usize) -> Vec<Section> {
        let mut places: HashMap<NodeId, Bytes> = HashMap::new();
        for (query, step, bytes) in &stated.parts {
            places.entry(*query).or_default().push((first + step, bytes.clone()));
        }
        let section = |(query, mut sql): (NodeId, Bytes)| {
            sql.sort_by_key(|(step, bytes)| (*step, bytes.start));
            let place = Place { span: *self.spans.get(&query)?, hole: None, is_query: true };
            Some(self.section(place, sql, self.visible.get(&query)?, &stated.made))
        };
        places.into_iter().filter_map(section).collect()
    }

    /// A statement beside its WITH. The only one of a script without a WITH is no part of it.
    fn statement(&self, number: usize, stated: &Stated, first: usize) -> Option<Section> {
        let tree = self.bound.tree();
        let is_other = |statement: &&NodeId| **statement != stated.statement && tree.kind(**statement) != Kind::Command;
        let hole = with_of(self.script, self.script.statements()[number]);
        let with = with_of(self.bound, stated.statement);
        let worth = hole.is_some() || self.bound.statements().iter().any(|other| is_other(&other));
        if !worth || hole.is_some() != with.is_some() || !is_read_alone(tree.kind(stated.statement)) {
            return None;
        }
        let tables = with.map(|with| tree.children(with).to_vec()).unwrap_or_default();
        let start = |step: usize| match tables.last() {
            // Behind the bracket of the last CTE and a blank.
            Some(table) => Some(end_of(stated, tree.child(*table, |kind| kind == Kind::Query)?, step)? + ") ".len()),
            None => Some(0),
        };
        let bytes = |(step, of)| Some((first + step, start(step)?..of));
        let ends = stated.steps.iter().map(|step| step.sql.len()).enumerate();
        let sql = ends.map(bytes).collect::<Option<Bytes>>()?;
        let span = self.script.tree().span(self.script.statements()[number]);
        let place = Place { span, hole: hole.map(|hole| self.script.tree().span(hole)), is_query: false };
        let last = self.bound.statements()[number + 1..].iter().all(|later| tree.kind(*later) == Kind::Command);
        Some(Section { last, ..self.section(place, sql, &tables, &stated.made) })
    }

    fn section(&self, place: Place, sql: Bytes, tables: &[NodeId], made: &[MadeTable]) -> Section {
        let common_tables = tables.iter().filter_map(|table| self.common_table(*table)).collect();
        let names = Surroundings { common_tables, made: made.iter().filter_map(|table| self.made(table)).collect() };
        let numbers = tables.iter().map(|table| table.index()).collect();
        let around = Neighbours { names, numbers, numbers_from: self.bound.tree().len(), made: made.to_vec() };
        Section { place, sql, around, last: false, outputs: Vec::new(), uses: Vec::new() }
    }

    /// A CTE by its columns.
    fn common_table(&self, table: NodeId) -> Option<GivenTable> {
        let name = self.bound.tree().child(table, |kind| kind == Kind::Identifier)?;
        Some(given(self.bound.name(name), self.scopes.outputs(table)))
    }

    /// A table that the script has made, as its readers see it.
    fn made(&self, table: &MadeTable) -> Option<GivenTable> {
        let is_it = |source: &RelationSource| matches!(source, RelationSource::Written(name) if *name == table.name);
        let (_, reader) = self.scopes.relations().find(|(_, relation)| is_it(&relation.source))?;
        Some(given(table.name.clone(), &reader.columns))
    }

    /// A section whose part, read alone as it is, has the SQL that it has in the script.
    fn proved(&self, section: Section, translation: &Translation) -> Option<Section> {
        let text = section.place.text(self.script.text(), (Span::empty(section.place.span.end), 0))?;
        let Part { outputs, uses, steps } = section.around.read(&text, self.setting)?;
        let count = if section.place.is_query { 1 } else { section.sql.len() };
        let same = |(number, (step, bytes)): (usize, &(usize, Range<usize>))| {
            let alone = &steps[if section.place.is_query { 0 } else { number }];
            alike(&translation.steps[*step].sql[bytes.clone()], &alone.sql)
        };
        let proved = steps.len() == count && section.sql.iter().enumerate().all(same);
        proved.then_some(Section { outputs, uses, ..section })
    }
}

/// Columns alone: what computes them is not in the part.
fn given(name: String, columns: &[OutputColumn]) -> GivenTable {
    let column = |column: &OutputColumn| OutputColumn { expression: None, passes_on: None, ..column.clone() };
    GivenTable { name, columns: columns.iter().map(column).collect() }
}

fn with_of(script: &Script, statement: NodeId) -> Option<NodeId> {
    let with = |node| script.tree().child(node, |kind| kind == Kind::With);
    let query = script.tree().child(statement, |kind| kind == Kind::Query);
    with(statement).or_else(|| with(query?))
}

fn end_of(stated: &Stated, query: NodeId, step: usize) -> Option<usize> {
    let part = stated.parts.iter().find(|(part, of, _)| *part == query && *of == step)?;
    Some(part.2.end)
}

/// Whether two translations differ in the numbers of made names alone.
fn alike(left: &str, right: &str) -> bool {
    let letters = |sql: &str| sql.bytes().filter(|byte| !byte.is_ascii_digit()).collect::<Vec<_>>();
    letters(left) == letters(right)
}
