//! Translates a changed script by translating only the part that changed.
//!
//! A fault changes a few bytes of a CTE, a sub-query in FROM or a statement. That part is parsed and translated alone;
//! the CTEs and tables before it and the sub-queries within it are given by their columns. If it still has output
//! columns with the same names and types, the translation of the rest stays valid, and the part's new SQL replaces its
//! old SQL in it. In every other case, including errors, the whole script is translated again.

mod cut;
mod place;

use std::ops::Range;

use super::translate::parts::{GivenRelation, MadeTable, PartContext};
use super::translate::{Destination, Step, Translation, Write, translate_part};
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::{RelationSource, Scopes, Surroundings};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::Kind;
use crate::code::types::Type;
use crate::engine::spark_rules::judge;
use crate::engine::table::ResultColumn;
use place::{SectionPlace, TextChange};

/// The parts of a script that can be translated alone, smaller ones before larger ones.
#[derive(Debug, Default)]
pub struct Sections {
    /// The length of the script in bytes.
    length: usize,
    sections: Vec<Section>,
    translation: Translation,
}

/// A part of a script, and what the changed part must have in common with it.
#[derive(Debug)]
struct Section {
    place: SectionPlace,
    /// The numbers of the translation's steps with the bytes of their SQL that come from this part. Each step contains
    /// a query as a whole, but only its own piece of a statement.
    sql: Vec<(usize, Range<usize>)>,
    around: Neighbours,
    /// Whether no other part reads the part's rows.
    last: bool,
    /// The output columns of each of its queries.
    outputs: Vec<Vec<SectionColumn>>,
    /// How often it reads each CTE before it. SQLite computes a CTE once if it is read twice, so the number matters.
    uses: Vec<usize>,
}

/// What a part may read: CTEs, sub-queries and tables that the script has created.
#[derive(Debug, Default)]
struct Neighbours {
    names: Surroundings,
    /// The CTEs and sub-queries in the form in which the translation refers to them.
    given: Vec<GivenRelation>,
    /// The first number for the part's own CTEs, which is above every number in the translation of the script.
    numbers_from: usize,
    made: Vec<MadeTable>,
}

/// An output column, as far as the translation of its readers depends on it.
#[derive(Clone, Debug, PartialEq)]
struct SectionColumn {
    column: ResultColumn,
    /// Whether an array, map or struct can be NULL; false for other types.
    nullable: bool,
}

/// A translated part.
struct ReadSection {
    outputs: Vec<Vec<SectionColumn>>,
    uses: Vec<usize>,
    steps: Vec<Step>,
}

/// Spare capacity of a step's SQL in bytes, so that a fault can lengthen it without another allocation.
const GROWTH: usize = 256;

/// What the translation of a script needs besides the script.
#[derive(Clone, Copy)]
pub struct ReadingContext<'a> {
    /// Table definitions.
    pub schema: &'a Schema,
    /// Values of placeholders.
    pub parameters: &'a Parameters,
}

impl Sections {
    /// Cuts a script into sections. `bound` is the script with its placeholders bound; it is correct.
    pub fn new(script: &Script, bound: &Script, scopes: &Scopes, setting: ReadingContext<'_>) -> Sections {
        cut::cut(script, bound, scopes, setting).unwrap_or_default()
    }

    /// Returns the translation of `text`, the script changed at `changed`; `None` if the whole script has to be
    /// translated.
    pub fn reread(&self, text: &str, changed: Span, setting: ReadingContext<'_>) -> Option<Translation> {
        let change = TextChange::new(changed, text.len() as isize - self.length as isize)?;
        for section in self.sections.iter().filter(|section| section.place.holds(change)) {
            let part = section.around.read(&section.place.text(text, change)?, setting)?;
            if section.stands(&part) {
                return self.with(section, part);
            }
        }
        None
    }

    /// Returns the translation with `part` in the place of a section.
    fn with(&self, section: &Section, part: ReadSection) -> Option<Translation> {
        let mut parts = part.steps.into_iter();
        let query = if section.place.is_query { parts.next() } else { None };
        let mut places = section.sql.iter().peekable();
        let mut steps = Vec::with_capacity(self.translation.steps.len());
        for (number, old) in self.translation.steps.iter().enumerate() {
            let Step { statement, columns, destination, .. } = old;
            let (mut sql, mut from) = (String::with_capacity(old.sql.len() + GROWTH), 0);
            let mut new = None;
            while let Some((_, bytes)) = places.next_if(|(step, _)| *step == number) {
                sql.push_str(&old.sql[from..bytes.start]);
                from = bytes.end;
                match &query {
                    Some(query) => sql.push_str(&query.sql),
                    None => sql.push_str(&new.insert(parts.next()?).sql),
                }
            }
            sql.push_str(&old.sql[from..]);
            let (columns, destination) = match new {
                Some(new) => (new.columns, rerouted(destination, new.destination)?),
                None => (columns.clone(), destination.clone()),
            };
            steps.push(Step { statement: *statement, sql, columns, destination });
        }
        Some(Translation { steps, scratch: self.translation.scratch.clone(), turned: Vec::new() })
    }
}

impl Section {
    /// Whether the translation of everything that reads the part stays valid.
    fn stands(&self, part: &ReadSection) -> bool {
        // It is not known here whether columns of a table created by a statement can be NULL.
        let plain = |output: &SectionColumn| self.place.is_query || !output.column.data_type.is_nested();
        let same = part.outputs == self.outputs && part.outputs.iter().flatten().all(plain);
        (self.last || same) && part.uses == self.uses && part.outputs.len() == self.outputs.len()
    }
}

impl Neighbours {
    /// Translates a part; `None` if it is not one correct statement, or the type of an output is not known.
    fn read(&self, text: &str, ReadingContext { schema, parameters }: ReadingContext<'_>) -> Option<ReadSection> {
        let script = Script::new(parameters.bind(text).ok()?);
        let [statement] = *script.statements() else { return None };
        // A comment that begins in the change may reach beyond the part, and a semicolon would end the statement.
        let whole = script.all_tokens().last().is_some_and(|last| !last.kind.is_trivia())
            && script.token_range(statement) == (0..=script.tokens().len() - 1);
        let scopes = Scopes::resolve_among(&script, schema, &self.names);
        if !whole || judge(&script, &scopes, schema).is_some() {
            return None;
        }
        let around = PartContext { given: &self.given, numbers_from: self.numbers_from };
        let steps = translate_part(&script, &scopes, schema, parameters, around, &self.made).ok()?;
        let nullable = |at: usize| scopes.outputs(statement).get(at).is_none_or(|output| output.nullable);
        let output = |(at, column): (usize, &ResultColumn)| SectionColumn {
            column: column.clone(),
            nullable: column.data_type.is_nested() && nullable(at),
        };
        let outputs: Vec<Vec<_>> =
            steps.iter().map(|step| step.columns.iter().enumerate().map(output).collect()).collect();
        let typed = outputs.iter().flatten().all(|output| output.column.data_type != Type::Unknown);
        let uses = uses(&script, &scopes, self.given.len());
        typed.then_some(ReadSection { outputs, uses, steps })
    }
}

/// Counts how often a part reads each of the CTEs before it.
fn uses(script: &Script, scopes: &Scopes, given: usize) -> Vec<usize> {
    let mut uses = vec![0; given];
    for (_, relation) in scopes.relations() {
        if let RelationSource::CommonTable(table) = relation.source
            && let Some(place) = table.index().checked_sub(script.tree().len())
        {
            uses[place] += 1;
        }
    }
    uses
}

/// Keeps the destination of a changed statement's rows, because only the whole script says whether they are read later.
/// `None` if it is another table or kind of destination.
fn rerouted(before: &Destination, now: Destination) -> Option<Destination> {
    match (before, now) {
        (Destination::Table(before), Destination::Table(now)) if before.table == now.table => {
            Some(Destination::Table(Write { kept_as: before.kept_as.clone(), ..now }))
        }
        (Destination::Result { .. }, now @ Destination::Result { .. }) => Some(now),
        _ => None,
    }
}

/// Whether a statement of this kind can be translated alone.
fn is_read_alone(kind: Kind) -> bool {
    matches!(kind, Kind::Query | Kind::Insert { .. } | Kind::MultiInsert | Kind::CreateTable)
}
