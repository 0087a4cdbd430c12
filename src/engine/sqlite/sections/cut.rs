//! Cuts a script into the parts that can be translated alone.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::place::{SectionPlace, TextChange};
use super::section::{Neighbours, ReadSection, ReadingContext, Section};
use crate::code::scope::{GivenTable, OutputColumn, RelationSource, Scopes, Surroundings};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId, Tree};
use crate::engine::sqlite::translate::parts::{GivenRelation, MadeTable, ReadAs, StatementInParts, TranslatedQuery};
use crate::engine::sqlite::translate::{Translation, columns_of, translate_in_parts};
use crate::engine::table::ResultColumn;

/// The numbers of steps, each with the bytes of a part in its SQL.
type StepRanges = Vec<(usize, Range<usize>)>;

/// A part of a script with what it reads.
struct PartOfScript {
    place: SectionPlace,
    sql: StepRanges,
    /// The CTEs that it sees.
    tables: Vec<NodeId>,
}

/// The prefix of names that replace sub-queries.
const STANDS_FOR: &str = "sqlfault_part_";

/// Returns the parts of a script, smaller ones before larger ones, and its translation; `None` if it has none or cannot
/// be cut.
pub(super) fn cut(
    script: &Script,
    bound: &Script,
    scopes: &Scopes,
    setting: ReadingContext<'_>,
) -> Option<(Vec<Section>, Translation)> {
    if script.text().contains(STANDS_FOR) {
        return None;
    }
    let (stated, scratch) = translate_in_parts(bound, scopes, setting.schema, setting.parameters).ok()??;
    let queries = queries_of(script, bound)?;
    let steps = stated.iter().flat_map(|stated| stated.steps.clone()).collect();
    let translation = Translation { steps, scratch, turned: Vec::new() };
    let visible = visible(bound.tree());
    let nodes = bound.tree().ids().filter(|id| matches!(bound.tree().kind(*id), Kind::Query | Kind::CommonTable));
    let columns = columns_of(bound, scopes, setting.schema, setting.parameters, nodes);
    let mut cutter =
        Cutter { script, bound, scopes, setting, queries, visible, columns, translation, apart: Vec::new() };
    let (mut sections, mut first) = (Vec::new(), 0);
    for (number, stated) in stated.iter().enumerate() {
        sections.extend(cutter.queries(stated, first));
        sections.extend(cutter.statement(number, stated, first));
        first += stated.steps.len();
    }
    sections.sort_by_key(|section: &Section| section.place.length());
    Some((sections, cutter.translation))
}

/// Maps the queries of the bound script to those of the script with placeholders; `None` if the two do not correspond.
fn queries_of(script: &Script, bound: &Script) -> Option<HashMap<NodeId, NodeId>> {
    let queries = |script: &Script| -> Vec<NodeId> {
        script.tree().ids().filter(|id| script.tree().kind(*id) == Kind::Query).collect()
    };
    let (written, bound_queries) = (queries(script), queries(bound));
    let alike = script.is_valid()
        && written.len() == bound_queries.len()
        && script.statements().len() == bound.statements().len();
    alike.then(|| bound_queries.into_iter().zip(written).collect())
}

/// Returns for each query the CTEs visible to it, the innermost last.
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
    setting: ReadingContext<'a>,
    queries: HashMap<NodeId, NodeId>,
    visible: HashMap<NodeId, Rc<Vec<NodeId>>>,
    columns: HashMap<NodeId, Arc<[ResultColumn]>>,
    translation: Translation,
    /// The sub-queries in FROM whose translation is the same when they are translated alone.
    apart: Vec<ReplaceableQuery>,
}

/// A sub-query that can be replaced by a name.
struct ReplaceableQuery {
    /// Its bytes including the brackets.
    span: Span,
    name: String,
    names: GivenTable,
    given: GivenRelation,
}

impl Cutter<'_> {
    /// Returns the sections of CTEs and sub-queries, inner before outer; `first` is the number of the statement's first
    /// step.
    fn queries(&mut self, stated: &StatementInParts, first: usize) -> Vec<Section> {
        let mut places: BTreeMap<NodeId, StepRanges> = BTreeMap::new();
        for TranslatedQuery { query, step, bytes } in &stated.parts {
            places.entry(*query).or_default().push((first + step, bytes.clone()));
        }
        let mut sections = Vec::new();
        for (query, mut sql) in places {
            sql.sort_by_key(|(step, bytes)| (*step, bytes.start));
            let (Some(written), Some(visible)) = (self.queries.get(&query), self.visible.get(&query)) else { continue };
            let (written, tables) = (*written, visible.to_vec());
            let place = SectionPlace { span: self.script.tree().span(written), holes: Vec::new(), is_query: true };
            let part = PartOfScript { place, sql, tables };
            let found = self.both(&part, &stated.made);
            if found.iter().any(|section| section.place.holes.is_empty()) {
                self.set_apart(query, written, &part.sql);
            }
            sections.extend(found);
        }
        sections
    }

    /// Returns the sections of a statement without its WITH; none if it is the whole script.
    fn statement(&self, number: usize, stated: &StatementInParts, first: usize) -> Vec<Section> {
        self.without_with(number, stated, first).map_or_else(Vec::new, |part| {
            let tree = self.bound.tree();
            let last = self.bound.statements()[number + 1..].iter().all(|later| tree.kind(*later) == Kind::Command);
            let others = self.bound.statements().iter().filter(|other| **other != stated.statement);
            let alone = others.into_iter().all(|other| tree.kind(*other) == Kind::Command);
            let found = self.both(&part, &stated.made).into_iter();
            let worth = |section: &Section| !alone || !section.place.holes.is_empty();
            found.filter(worth).map(|section| Section { last, ..section }).collect()
        })
    }

    fn without_with(&self, number: usize, stated: &StatementInParts, first: usize) -> Option<PartOfScript> {
        let tree = self.bound.tree();
        let written = self.script.statements()[number];
        let (hole, with) = (with_of(self.script, written), with_of(self.bound, stated.statement));
        if hole.is_some() != with.is_some() || !is_read_alone(tree.kind(stated.statement)) {
            return None;
        }
        let tables = with.map(|with| tree.children(with).to_vec()).unwrap_or_default();
        let start = |step: usize| match tables.last() {
            // The statement begins behind the bracket of the last CTE and a blank.
            Some(table) => Some(end_of(stated, tree.child(*table, |kind| kind == Kind::Query)?, step)? + ") ".len()),
            None => Some(0),
        };
        let bytes = |(step, of)| Some((first + step, start(step)?..of));
        let ends = stated.steps.iter().map(|step| step.sql.len()).enumerate();
        let sql = ends.map(bytes).collect::<Option<StepRanges>>()?;
        let holes = hole.map(|hole| (self.script.tree().span(hole), String::new())).into_iter().collect();
        let place = SectionPlace { span: self.script.tree().span(written), holes, is_query: false };
        Some(PartOfScript { place, sql, tables })
    }

    /// Returns the sections of a part: first with names in place of its sub-queries, if it has any, then whole.
    fn both(&self, part: &PartOfScript, made: &[MadeTable]) -> Vec<Section> {
        let inside: Vec<&ReplaceableQuery> = self.outermost(&part.place);
        let mut sections = Vec::new();
        if !inside.is_empty() {
            let mut outer = self.section(part, made);
            for apart in inside {
                outer.place.holes.push((apart.span, apart.name.clone()));
                outer.around.names.common_tables.push(apart.names.clone());
                outer.around.given.push(apart.given.clone());
            }
            outer.place.holes.sort();
            sections.extend(self.proved(outer));
        }
        sections.extend(self.proved(self.section(part, made)));
        sections
    }

    /// Returns the outermost replaceable sub-queries inside a part and outside its holes.
    fn outermost(&self, place: &SectionPlace) -> Vec<&ReplaceableQuery> {
        let inside = |apart: &&ReplaceableQuery| {
            place.span.contains(apart.span) && !place.holes.iter().any(|(hole, _)| hole.contains(apart.span))
        };
        let candidates: Vec<&ReplaceableQuery> = self.apart.iter().filter(inside).collect();
        let within = |apart: &ReplaceableQuery, other: &ReplaceableQuery| {
            other.span != apart.span && other.span.contains(apart.span)
        };
        let outermost = |apart: &&ReplaceableQuery| !candidates.iter().any(|other| within(apart, other));
        candidates.iter().copied().filter(outermost).collect()
    }

    /// Records a sub-query of FROM if all steps have the same SQL for it.
    fn set_apart(&mut self, query: NodeId, written: NodeId, sql: &StepRanges) {
        let tree = self.script.tree();
        let derived = tree.parent(written).filter(|parent| tree.kind(*parent) == Kind::Derived);
        let behind = *self.script.token_range(written).end() + 1;
        let (Some(derived), ")", Some(bracket)) =
            (derived, self.script.token_text(behind), self.script.tokens().get(behind))
        else {
            return;
        };
        let texts: Vec<&str> =
            sql.iter().map(|(step, bytes)| &self.translation.steps[*step].sql[bytes.clone()]).collect();
        let Some(first) = texts.first().filter(|first| texts.iter().all(|text| text == *first)) else { return };
        let name = format!("{STANDS_FOR}{}", self.apart.len());
        let span = Span::new(tree.span(derived).start, bracket.span().end);
        let given = GivenRelation { read_as: ReadAs::Query(Arc::from(*first)), columns: self.columns[&query].clone() };
        let names = named(name.clone(), self.scopes.outputs(query));
        self.apart.push(ReplaceableQuery { span, name: format!(" {name} "), names, given });
    }

    fn section(&self, part: &PartOfScript, made: &[MadeTable]) -> Section {
        let PartOfScript { place, sql, tables } = part;
        let common_tables = tables.iter().filter_map(|table| self.common_table(*table)).collect();
        let names = Surroundings { common_tables, made: made.iter().filter_map(|table| self.made(table)).collect() };
        let given = tables.iter().map(|table| self.given(*table)).collect();
        let around = Neighbours { names, given, numbers_from: self.bound.tree().len(), made: made.to_vec() };
        Section { place: place.clone(), sql: sql.clone(), around, last: false, outputs: Vec::new(), uses: Vec::new() }
    }

    fn given(&self, table: NodeId) -> GivenRelation {
        GivenRelation { read_as: ReadAs::CommonTable(table.index()), columns: self.columns[&table].clone() }
    }

    /// Returns a CTE before a part by its columns.
    fn common_table(&self, table: NodeId) -> Option<GivenTable> {
        let name = self.bound.tree().child(table, |kind| kind == Kind::Identifier)?;
        Some(named(self.bound.name(name), self.scopes.outputs(table)))
    }

    /// Returns a table that the script has created, as its readers see it.
    fn made(&self, table: &MadeTable) -> Option<GivenTable> {
        let is_it = |source: &RelationSource| matches!(source, RelationSource::Written(name) if *name == table.name);
        let (_, reader) = self.scopes.relations().find(|(_, relation)| is_it(&relation.source))?;
        Some(named(table.name.clone(), &reader.columns))
    }

    /// Completes a section; `None` unless the unchanged part, translated alone, has the same SQL as in the script.
    fn proved(&self, section: Section) -> Option<Section> {
        let text = section.place.text(self.script.text(), TextChange::none())?;
        let ReadSection { outputs, uses, steps } = section.around.read(&text, self.setting)?;
        let count = if section.place.is_query { 1 } else { section.sql.len() };
        let same = |(number, (step, bytes)): (usize, &(usize, Range<usize>))| {
            let alone = &steps[if section.place.is_query { 0 } else { number }];
            alike(&self.translation.steps[*step].sql[bytes.clone()], &alone.sql)
        };
        let proved = steps.len() == count && section.sql.iter().enumerate().all(same);
        proved.then_some(Section { outputs, uses, ..section })
    }
}

/// Returns a table with output columns but without the expressions that compute them, which lie outside the part.
fn named(name: String, columns: &[OutputColumn]) -> GivenTable {
    let column = |column: &OutputColumn| OutputColumn { expression: None, passes_on: None, ..column.clone() };
    GivenTable { name, columns: columns.iter().map(column).collect() }
}

fn with_of(script: &Script, statement: NodeId) -> Option<NodeId> {
    let with = |node| script.tree().child(node, |kind| kind == Kind::With);
    let query = script.tree().child(statement, |kind| kind == Kind::Query);
    with(statement).or_else(|| with(query?))
}

fn end_of(stated: &StatementInParts, query: NodeId, step: usize) -> Option<usize> {
    let part = stated.parts.iter().find(|part| part.query == query && part.step == step)?;
    Some(part.bytes.end)
}

/// Whether two translations are the same except for digits, that is, for the numbers in generated names.
fn alike(left: &str, right: &str) -> bool {
    let letters = |sql: &str| sql.bytes().filter(|byte| !byte.is_ascii_digit()).collect::<Vec<_>>();
    letters(left) == letters(right)
}

/// Whether a statement of this kind can be translated alone.
fn is_read_alone(kind: Kind) -> bool {
    matches!(kind, Kind::Query | Kind::Insert { .. } | Kind::MultiInsert | Kind::CreateTable)
}
