//! A changed script, read again only where it changed.
//!
//! Nearly every fault changes one CTE, or what follows the WITH. Such a part is read alone, with the columns of the CTEs
//! before it given. Where a CTE still gives columns of the same names and types, all that reads it stands as it was: the
//! SQL of the part takes the place of the old in that of the script. Whatever else may have changed, an error first of all,
//! is for the long way.

use std::ops::Range;

use super::translate::{Around, Cut, Step, Translation, translate_part, translate_with_cuts};
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::{GivenTable, OutputColumn, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::engine::spark_rules::judge;

/// The parts of a script that is one query, each to be read alone. There are none of other scripts.
#[derive(Debug, Default)]
pub struct Sections {
    /// The length of the script in bytes.
    length: usize,
    sections: Vec<Section>,
    common: CommonTables,
    step: Option<Step>,
}

/// The CTEs of the script as the parts behind them see them.
#[derive(Debug, Default)]
struct CommonTables {
    tables: Vec<GivenTable>,
    numbers: Vec<usize>,
    /// No number of the script is as high.
    numbers_from: usize,
}

/// The query of a CTE, or the statement without its WITH.
#[derive(Debug)]
struct Section {
    /// Its bytes in the script.
    span: Span,
    /// The WITH, where the part is what stands around it.
    hole: Option<Span>,
    /// Its bytes in the SQL.
    sql: Range<usize>,
    /// How many CTEs it sees.
    sees: usize,
    /// Names and types that it gives; only those of a CTE matter to others.
    outputs: Vec<(String, Type)>,
    /// How often it reads each of them: one that is read twice is computed once.
    uses: Vec<usize>,
}

/// A part that has been read.
struct Part {
    outputs: Vec<(String, Type)>,
    uses: Vec<usize>,
    step: Step,
}

/// What a script is read with.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Table definitions.
    pub schema: &'a Schema,
    /// Values of placeholders.
    pub parameters: &'a Parameters,
}

impl Sections {
    /// Cuts a script; `bound` is the same with its placeholders bound, and correct.
    pub fn new(script: &Script, bound: &Script, scopes: &Scopes, setting: Setting<'_>) -> Sections {
        Self::cut(script, bound, scopes, setting).unwrap_or_default()
    }

    fn cut(script: &Script, bound: &Script, scopes: &Scopes, setting: Setting<'_>) -> Option<Sections> {
        let (mut translation, cuts) = translate_with_cuts(bound, scopes, setting.schema, setting.parameters).ok()?;
        let step = translation.steps.pop().filter(|_| translation.steps.is_empty())?;
        let (statement, with) = with_of(script)?;
        let (_, bound_with) = with_of(bound)?;
        let queries = script.tree().children(with).iter().map(|table| query_of(script, *table));
        let tables = bound.tree().children(bound_with);
        let bodies = tables.iter().map(|table| cuts.iter().find(|cut| cut.table == *table));
        let spans = queries.collect::<Option<Vec<Span>>>()?;
        let bodies = bodies.collect::<Option<Vec<&Cut>>>().filter(|bodies| bodies.len() == spans.len())?;
        // Behind the bracket of the last CTE and a blank.
        let rest = bodies.last()?.body.end + ") ".len();
        let mut sections = Sections { length: script.text().len(), step: Some(step), ..Sections::default() };
        sections.common.numbers_from = bound.tree().len();
        for ((span, cut), table) in spans.iter().zip(bodies).zip(tables) {
            sections.add(script, setting, (*span, None), cut.body.clone());
            sections.common.tables.push(given(bound, scopes, *table)?);
            sections.common.numbers.push(table.index());
        }
        let (span, hole) = (script.tree().span(statement), script.tree().span(with));
        let end = sections.step.as_ref().map_or(rest, |step| step.sql.len());
        sections.add(script, setting, (span, Some(hole)), rest..end);
        Some(sections)
    }

    /// Adds a part that reads alone as it does in its place.
    fn add(&mut self, script: &Script, setting: Setting<'_>, (span, hole): (Span, Option<Span>), sql: Range<usize>) {
        let sees = self.common.tables.len();
        let section = Section { span, hole, sql, sees, outputs: Vec::new(), uses: Vec::new() };
        let text = section.text(script.text(), (Span::empty(span.end), 0));
        if let Some(Part { outputs, uses, .. }) = text.and_then(|text| self.common.read(&section, &text, setting)) {
            self.sections.push(Section { outputs, uses, ..section });
        }
    }

    /// The translation of the script as changed at `changed`; none where only the long way tells.
    pub fn reread(&self, text: &str, changed: Span, setting: Setting<'_>) -> Option<Translation> {
        let growth = text.len() as isize - self.length as isize;
        let section = self.sections.iter().find(|section| section.holds(changed, growth))?;
        let part = self.common.read(section, &section.text(text, (changed, growth))?, setting)?;
        let stands = section.hole.is_some() || part.outputs == section.outputs;
        if !stands || part.uses != section.uses {
            return None;
        }
        let step = self.step.as_ref()?;
        let (before, after) = (&step.sql[..section.sql.start], &step.sql[section.sql.end..]);
        let sql = [before, &part.step.sql, after].concat();
        let statement = step.statement;
        let step = if section.hole.is_some() { part.step } else { step.clone() };
        Some(Translation { steps: vec![Step { statement, sql, ..step }], ..Translation::default() })
    }
}

impl Section {
    /// Whether a change, at these bytes of the new text, is one of this part alone.
    fn holds(&self, changed: Span, growth: isize) -> bool {
        let end = self.span.end.saturating_add_signed(growth);
        let inside = self.span.start <= changed.start && changed.end <= end;
        inside && self.hole.is_none_or(|hole| changed.start >= hole.end || before(hole, changed, growth))
    }

    /// The part in a changed script; none when it does not stand apart there.
    fn text(&self, text: &str, (changed, growth): (Span, isize)) -> Option<String> {
        let end = self.span.end.checked_add_signed(growth)?;
        let part = text.get(self.span.start..end)?;
        let stands_apart = text[..self.span.start].chars().next_back().is_none_or(parts_words)
            && text[end..].chars().next().is_none_or(parts_words);
        let Some(hole) = self.hole else { return stands_apart.then(|| part.to_owned()) };
        let shift = if before(hole, changed, growth) { growth } else { 0 };
        let start = hole.start.checked_add_signed(shift)?;
        let behind = text.get(hole.end.checked_add_signed(shift)?..end)?;
        let apart = start == self.span.start || behind.starts_with(parts_words);
        (stands_apart && apart).then(|| [&text[self.span.start..start], behind].concat())
    }
}

impl CommonTables {
    /// Reads a part; none when it is not one correct statement, or gives what its readers look into.
    fn read(&self, section: &Section, text: &str, Setting { schema, parameters }: Setting<'_>) -> Option<Part> {
        let script = Script::new(parameters.bind(text).ok()?);
        let [statement] = *script.statements() else { return None };
        // A comment that the change begins may reach beyond the part, and a semicolon ends what the part belongs to.
        if script.all_tokens().last().is_none_or(|last| last.kind.is_trivia())
            || script.token_range(statement) != (0..=script.tokens().len() - 1)
        {
            return None;
        }
        let wanted = section.hole.is_some() || script.tree().kind(statement) == Kind::Query;
        let scopes = Scopes::resolve_among(&script, schema, &self.tables[..section.sees]);
        if !wanted || judge(&script, &scopes, schema).is_some() {
            return None;
        }
        let around = Around { tables: &self.numbers, numbers_from: self.numbers_from };
        let mut translation = translate_part(&script, &scopes, schema, parameters, around).ok()?;
        let step = translation.steps.pop().filter(|_| translation.steps.is_empty())?;
        let outputs: Vec<_> =
            step.columns.iter().map(|column| (column.name.clone(), column.data_type.clone())).collect();
        let plain = outputs.iter().all(|(_, data_type)| !data_type.is_nested() && *data_type != Type::Unknown);
        plain.then(|| Part { outputs, uses: uses(&script, &scopes, section.sees), step })
    }
}

/// How often each of the CTEs that stand before a part is read in it.
fn uses(script: &Script, scopes: &Scopes, sees: usize) -> Vec<usize> {
    let mut uses = vec![0; sees];
    for (_, relation) in scopes.relations() {
        if let RelationSource::CommonTable(table) = relation.source
            && let Some(place) = table.index().checked_sub(script.tree().len())
        {
            uses[place] += 1;
        }
    }
    uses
}

/// The statement of a script, beside its settings, and its WITH.
fn with_of(script: &Script) -> Option<(NodeId, NodeId)> {
    let tree = script.tree();
    let mut statements = script.statements().iter().filter(|statement| tree.kind(**statement) != Kind::Command);
    let statement = *statements.next().filter(|_| script.is_valid())?;
    let with = |node| tree.child(node, |kind| kind == Kind::With);
    let query = tree.child(statement, |kind| kind == Kind::Query);
    let with = with(statement).or_else(|| with(query?))?;
    statements.next().is_none().then_some((statement, with))
}

fn query_of(script: &Script, table: NodeId) -> Option<Span> {
    script.tree().child(table, |kind| kind == Kind::Query).map(|query| script.tree().span(query))
}

/// A CTE by its columns alone: what computes them is not in the part.
fn given(bound: &Script, scopes: &Scopes, table: NodeId) -> Option<GivenTable> {
    let name = bound.tree().child(table, |kind| kind == Kind::Identifier)?;
    let column = |column: &OutputColumn| OutputColumn { expression: None, passes_on: None, ..column.clone() };
    Some(GivenTable { name: bound.name(name), columns: scopes.outputs(table).iter().map(column).collect() })
}

/// Whether a change stands before the WITH.
fn before(hole: Span, changed: Span, growth: isize) -> bool {
    changed.end <= hole.start.saturating_add_signed(growth) && changed.start <= hole.start
}

/// Whether no word, name or number goes on beyond this character.
fn parts_words(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')' | ';')
}
