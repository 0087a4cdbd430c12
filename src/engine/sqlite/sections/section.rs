//! A part of a script that can be translated alone, and its translation.

use std::ops::Range;

use super::place::SectionPlace;
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::{RelationSource, Scopes, Surroundings};
use crate::code::script::Script;
use crate::code::types::Type;
use crate::engine::spark_rules::judge;
use crate::engine::sqlite::translate::parts::{GivenRelation, MadeTable, PartContext};
use crate::engine::sqlite::translate::{Step, translate_part};
use crate::engine::table::ResultColumn;

/// What the translation of a script needs besides the script.
#[derive(Clone, Copy)]
pub struct ReadingContext<'a> {
    pub schema: &'a Schema,
    /// Values of placeholders.
    pub parameters: &'a Parameters,
}

/// A part of a script, and what the changed part must have in common with it.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) place: SectionPlace,
    /// The numbers of the translation's steps with the bytes of their SQL that come from this part. Each step contains
    /// a query as a whole, but only its own piece of a statement.
    pub(super) sql: Vec<(usize, Range<usize>)>,
    pub(super) around: Neighbours,
    /// Whether no other part reads the part's rows.
    pub(super) last: bool,
    /// The output columns of each of its queries.
    pub(super) outputs: Vec<Vec<SectionColumn>>,
    /// How often it reads each CTE before it. SQLite computes a CTE once if it is read twice, so the number matters.
    pub(super) uses: Vec<usize>,
}

/// What a part may read: CTEs, sub-queries and tables that the script has created.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    pub(super) names: Surroundings,
    /// The CTEs and sub-queries in the form in which the translation refers to them.
    pub(super) given: Vec<GivenRelation>,
    /// The first number for the part's own CTEs, which is above every number in the translation of the script.
    pub(super) numbers_from: usize,
    pub(super) made: Vec<MadeTable>,
}

/// An output column, as far as the translation of its readers depends on it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SectionColumn {
    column: ResultColumn,
    /// Whether an array, map or struct can be NULL; false for other types.
    nullable: bool,
}

/// A translated part.
pub(super) struct ReadSection {
    pub(super) outputs: Vec<Vec<SectionColumn>>,
    pub(super) uses: Vec<usize>,
    pub(super) steps: Vec<Step>,
}

impl Section {
    /// Whether the translation of everything that reads the part stays valid.
    pub(super) fn stands(&self, part: &ReadSection) -> bool {
        // It is not known here whether columns of a table created by a statement can be NULL.
        let plain = |output: &SectionColumn| self.place.is_query || !output.column.data_type.is_nested();
        let same = part.outputs == self.outputs && part.outputs.iter().flatten().all(plain);
        (self.last || same) && part.uses == self.uses && part.outputs.len() == self.outputs.len()
    }
}

impl Neighbours {
    /// Translates a part; `None` if it is not one correct statement, or the type of an output is not known.
    pub(super) fn read(
        &self,
        text: &str,
        ReadingContext { schema, parameters }: ReadingContext<'_>,
    ) -> Option<ReadSection> {
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
