//! What the script says of values inside columns: of elements of arrays, keys and values of maps, and fields below them.

use super::blocks::{Blocks, MOST_LEVELS};
use super::evidence::{LEVELS, TypeEvidence};
use crate::code::functions::{Function, RowGenerator};
use crate::code::scope::{ColumnPosition, ColumnTarget, RelationSource};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// What leads from a value to one inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InnerStep {
    Field(String),
    Element,
    Key,
    Value,
    /// The array of all keys of a map, which has one as its element.
    Keys,
    /// Likewise.
    Values,
    /// Likewise: an entry has a `key` and a `value`.
    Entries,
    Entry,
}

/// A column of a table, and the steps from it to a value inside.
#[derive(Clone, Debug)]
struct InnerValue {
    table: String,
    column: String,
    steps: Vec<InnerStep>,
}

impl InnerValue {
    fn then(mut self, step: InnerStep) -> InnerValue {
        use InnerStep::{Element, Entries, Entry, Field, Key, Keys, Value, Values};
        let joined = match (self.steps.last(), &step) {
            (Some(Keys), Element) => Some(Key),
            (Some(Values), Element) => Some(Value),
            (Some(Entries), Element) => Some(Entry),
            (Some(Entry), Field(name)) if name == "key" => Some(Key),
            (Some(Entry), Field(name)) if name == "value" => Some(Value),
            _ => None,
        };
        if joined.is_some() {
            self.steps.pop();
        }
        self.steps.push(joined.unwrap_or(step));
        self
    }
}

/// A use of a value inside a column, and what its place says of it.
#[derive(Clone, Debug)]
pub(super) struct InnerUse {
    pub table: String,
    pub column: String,
    steps: Vec<InnerStep>,
    said: Vec<TypeEvidence>,
}

impl Blocks<'_> {
    /// Returns the uses of values inside columns of tables, in the order of the script.
    pub fn inner_uses(self) -> Vec<InnerUse> {
        let tree = self.tree();
        let may_be_inner =
            |node: &NodeId| matches!(tree.kind(*node), Kind::Column | Kind::Field | Kind::Index | Kind::Call { .. });
        let inner_use = |node: NodeId| {
            let InnerValue { table, column, mut steps } = self.inner_value(node, MOST_LEVELS)?;
            let said = match steps.last()? {
                InnerStep::Keys | InnerStep::Values | InnerStep::Entries | InnerStep::Entry => {
                    steps.pop();
                    steps.push(InnerStep::Key);
                    Vec::new()
                }
                _ => self.evidence_at(node),
            };
            Some(InnerUse { table, column, steps, said })
        };
        tree.ids().filter(may_be_inner).filter_map(inner_use).collect()
    }

    /// Returns the value inside a table's column that an expression gives; `None` if it computes another one.
    fn inner_value(self, expression: NodeId, levels: usize) -> Option<InnerValue> {
        let levels = levels.checked_sub(1)?;
        let tree = self.tree();
        let children = tree.children(expression);
        match tree.kind(expression) {
            Kind::Paren => self.inner_value(children[0], levels),
            Kind::Column => {
                let binding = self.scopes.binding(expression)?;
                let value = match binding.target {
                    ColumnTarget::Column(relation, column) => self.inner_column((relation, column), levels)?,
                    ColumnTarget::Parameter(lambda, at) => self.parameter(lambda, at, levels)?,
                    _ => return None,
                };
                let fields = children.iter().skip(binding.path_length.max(1));
                Some(fields.fold(value, |value, name| value.then(InnerStep::Field(self.script.name(*name)))))
            }
            Kind::Field => {
                let value = self.inner_value(children[0], levels)?;
                Some(value.then(InnerStep::Field(self.script.name(children[1]))))
            }
            Kind::Index => {
                let value = self.inner_value(children[0], levels)?;
                let is_key = matches!(self.scopes.type_of(children[0]), Type::Map(..))
                    || *self.scopes.type_of(children[1]) == Type::String;
                Some(value.then(if is_key { InnerStep::Value } else { InnerStep::Element }))
            }
            Kind::Call { .. } => self.inner_of_call(expression, levels),
            _ => None,
        }
    }

    fn inner_of_call(self, call: NodeId, levels: usize) -> Option<InnerValue> {
        let first = *self.script.arguments(call).first()?;
        let value = || self.inner_value(first, levels);
        let step = match self.script.canonical_function_name(call).as_str() {
            "coalesce" | "nvl" | "filter" | "array_distinct" | "array_sort" | "sort_array" | "slice" | "reverse"
            | "map_filter" | "first" | "max" | "min" => return value(),
            "map_keys" => InnerStep::Keys,
            "map_values" => InnerStep::Values,
            "map_entries" => InnerStep::Entries,
            "element_at" if matches!(self.scopes.type_of(first), Type::Map(..)) => InnerStep::Value,
            "element_at" => InnerStep::Element,
            _ => return None,
        };
        Some(value()?.then(step))
    }

    fn parameter(self, lambda: NodeId, at: usize, levels: usize) -> Option<InnerValue> {
        let call = self.tree().parent(lambda)?;
        let value = self.inner_value(*self.script.arguments(call).first()?, levels)?;
        let step = match (self.script.canonical_function_name(call).as_str(), at) {
            ("transform" | "filter" | "exists" | "forall" | "any_match" | "all_match", 0) => InnerStep::Element,
            ("map_filter" | "transform_keys" | "transform_values", 0) => InnerStep::Key,
            ("map_filter" | "transform_keys" | "transform_values", 1) => InnerStep::Value,
            _ => return None,
        };
        Some(value.then(step))
    }

    fn inner_column(self, (relation, column): ColumnPosition, levels: usize) -> Option<InnerValue> {
        let levels = levels.checked_sub(1)?;
        let from = self.scopes.relation(relation);
        let output = from.columns.get(column)?;
        match &from.source {
            RelationSource::Table(table) => {
                return Some(InnerValue { table: table.clone(), column: output.name.clone(), steps: Vec::new() });
            }
            RelationSource::Function(call) => return self.generated(*call, column, levels),
            _ => {}
        }
        if let Some(passed) = output.passes_on {
            return self.inner_column(passed, levels);
        }
        let expression = output.expression?;
        let first = from.columns.iter().position(|other| other.expression == Some(expression))?;
        self.generated(expression, column - first, levels).or_else(|| self.inner_value(expression, levels))
    }

    /// Returns the value that a call of EXPLODE gives in one of its columns.
    fn generated(self, call: NodeId, at: usize, levels: usize) -> Option<InnerValue> {
        if !matches!(self.tree().kind(call), Kind::Call { .. }) {
            return None;
        }
        let argument = *self.script.arguments(call).first()?;
        let is_map = matches!(self.scopes.type_of(argument), Type::Map(..));
        let rows = self.script.function(call).and_then(Function::row_generator)?;
        let step = match (rows, at) {
            (RowGenerator::Explode, 0) | (RowGenerator::PositionExplode, 1) if is_map => InnerStep::Key,
            (RowGenerator::Explode, 1) | (RowGenerator::PositionExplode, 2) if is_map => InnerStep::Value,
            (RowGenerator::Explode, 0) | (RowGenerator::PositionExplode, 1) => InnerStep::Element,
            (RowGenerator::Inline, _) => {
                let Type::Array(element) = self.scopes.type_of(argument) else { return None };
                let Type::Struct(fields) = &**element else { return None };
                let name = fields.get(at)?.0.clone();
                return Some(self.inner_value(argument, levels)?.then(InnerStep::Element).then(InnerStep::Field(name)));
            }
            _ => return None,
        };
        Some(self.inner_value(argument, levels)?.then(step))
    }
}

/// What is read of a value inside a column.
#[derive(Clone, Debug)]
struct InnerRead<'a> {
    /// From the value outwards.
    steps: Vec<InnerStep>,
    said: &'a [TypeEvidence],
}

impl InnerRead<'_> {
    fn begins_with(&self, wanted: &InnerStep) -> bool {
        self.steps.first() == Some(wanted)
    }

    /// The same from the value behind the first step on.
    fn behind_first(&self) -> Self {
        InnerRead { steps: self.steps[1..].to_vec(), said: self.said }
    }

    /// Of an array of structures a field is an array of the fields: what is read of one of these is read of an element.
    fn of_elements(&self) -> Self {
        let mut steps = self.steps.clone();
        let element = steps.iter().position(|step| *step == InnerStep::Element);
        if let Some(at) = element {
            steps.remove(at);
        }
        InnerRead { steps, said: if element.is_some() { self.said } else { &[] } }
    }
}

/// Returns a type with what these uses say of values inside: what a use or a definition told before stays.
pub(super) fn with_inner_types(known: &Type, uses: &[&InnerUse]) -> Type {
    let reads: Vec<InnerRead<'_>> =
        uses.iter().map(|used| InnerRead { steps: used.steps.clone(), said: &used.said }).collect();
    refined(known, &reads)
}

fn refined(known: &Type, reads: &[InnerRead<'_>]) -> Type {
    let is_open = matches!(known, Type::String | Type::Unknown);
    let below = |wanted: &InnerStep| -> Vec<InnerRead<'_>> {
        reads.iter().filter(|read| read.begins_with(wanted)).map(InnerRead::behind_first).collect()
    };
    let begins = |wanted: &InnerStep| reads.iter().any(|read| read.begins_with(wanted));
    let inner = |known: &Type, step: InnerStep| Box::new(refined(known, &below(&step)));
    match known {
        Type::Map(key, value) => Type::Map(inner(key, InnerStep::Key), inner(value, InnerStep::Value)),
        Type::Array(element) => {
            let fields = reads.iter().filter(|read| matches!(read.steps.first(), Some(InnerStep::Field(_))));
            let of_element: Vec<InnerRead<'_>> =
                below(&InnerStep::Element).into_iter().chain(fields.map(InnerRead::of_elements)).collect();
            Type::Array(Box::new(refined(element, &of_element)))
        }
        Type::Struct(fields) => with_fields(fields.clone(), reads),
        _ if !is_open => known.clone(),
        _ if begins(&InnerStep::Key) || begins(&InnerStep::Value) => {
            Type::Map(inner(&Type::String, InnerStep::Key), inner(&Type::String, InnerStep::Value))
        }
        _ if begins(&InnerStep::Element) => Type::Array(inner(&Type::String, InnerStep::Element)),
        _ if reads.iter().any(|read| matches!(read.steps.first(), Some(InnerStep::Field(_)))) => {
            with_fields(Vec::new(), reads)
        }
        _ => {
            let said: Vec<&TypeEvidence> =
                reads.iter().filter(|read| read.steps.is_empty()).flat_map(|read| read.said).collect();
            LEVELS.iter().find_map(|trust| trust.decide(&said)).unwrap_or_else(|| known.clone())
        }
    }
}

fn with_fields(mut fields: Vec<(String, Type)>, reads: &[InnerRead<'_>]) -> Type {
    for read in reads {
        if let Some(InnerStep::Field(name)) = read.steps.first()
            && fields.iter().all(|(known, _)| known != name)
        {
            fields.push((name.clone(), Type::String));
        }
    }
    let refined_field = |(name, known): (String, Type)| {
        let step = InnerStep::Field(name.clone());
        let own: Vec<InnerRead<'_>> =
            reads.iter().filter(|read| read.begins_with(&step)).map(InnerRead::behind_first).collect();
        (name, refined(&known, &own))
    };
    Type::Struct(fields.into_iter().map(refined_field).collect())
}
