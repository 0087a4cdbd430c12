//! Which base tables a script reads, and how an expression reaches back to their columns.

use std::collections::HashMap;

use super::constraint::{Place, Wrapper};
use crate::code::scope::{OutputColumn, RelationId, RelationSource, Scopes, Target};
use crate::code::script::{Script, unquoted};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// One reading of a base table by a script.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The relation that reads it.
    pub relation: RelationId,
    /// Full lower-case table name.
    pub table: String,
}

/// The readings of a script and the way back to them.
pub struct Reach<'a> {
    /// The script.
    pub script: &'a Script,
    /// Its names.
    pub scopes: &'a Scopes,
    /// Every reading of a schema table, in source order.
    pub readings: Vec<Reading>,
    by_relation: HashMap<RelationId, usize>,
    /// For a table that the script itself writes: the query that fills it.
    writers: HashMap<String, NodeId>,
}

/// How deep a chain of CTEs and wrappers is followed.
const MAX_STEPS: usize = 60;

impl<'a> Reach<'a> {
    /// Finds the readings of `script`.
    pub fn new(script: &'a Script, scopes: &'a Scopes) -> Reach<'a> {
        let writers = writers(script);
        let mut readings = Vec::new();
        let mut by_relation = HashMap::new();
        for (id, relation) in scopes.relations() {
            if let RelationSource::Table(table) = &relation.source
                && !writers.contains_key(table)
            {
                by_relation.insert(id, readings.len());
                readings.push(Reading { relation: id, table: table.clone() });
            }
        }
        Reach { script, scopes, readings, by_relation, writers }
    }

    /// Follows `expression` back to the base column it is made of, through names and the functions that keep one
    /// value; none when it is made of several or of none.
    pub fn trace(&self, expression: NodeId) -> Option<(Place, Vec<Wrapper>)> {
        let mut wrappers = Vec::new();
        let place = self.follow(expression, &mut wrappers, MAX_STEPS)?;
        wrappers.reverse();
        Some((place, wrappers))
    }

    fn follow(&self, expression: NodeId, wrappers: &mut Vec<Wrapper>, steps: usize) -> Option<Place> {
        let steps = steps.checked_sub(1)?;
        let tree = self.script.tree();
        match tree.kind(expression) {
            Kind::Column => self.follow_column(expression, wrappers, steps),
            Kind::Paren => self.follow(tree.children(expression)[0], wrappers, steps),
            Kind::Cast => {
                let source = tree.children(expression)[0];
                wrappers.extend(cast_wrapper(self.scopes.type_of(expression)));
                self.follow(source, wrappers, steps)
            }
            Kind::Call { .. } => {
                let (argument, wrapper) = self.through_call(expression)?;
                wrappers.extend(wrapper);
                self.follow(argument, wrappers, steps)
            }
            Kind::Index => {
                let children = tree.children(expression);
                wrappers.push(self.index_wrapper(children[0], children[1]));
                self.follow(children[0], wrappers, steps)
            }
            Kind::Field => {
                let children = tree.children(expression);
                wrappers.push(Wrapper::Field(self.script.name(children[1])));
                self.follow(children[0], wrappers, steps)
            }
            Kind::Case { .. } => self.follow_case(expression, wrappers, steps),
            _ => None,
        }
    }

    /// `CASE WHEN … THEN x ELSE '…' END` passes `x` on when only one branch is a column.
    fn follow_case(&self, case: NodeId, wrappers: &mut Vec<Wrapper>, steps: usize) -> Option<Place> {
        let tree = self.script.tree();
        let values = tree.children(case).iter().filter_map(|child| match tree.kind(*child) {
            Kind::When => tree.children(*child).get(1).copied(),
            Kind::Else => tree.children(*child).first().copied(),
            _ => None,
        });
        let mut columns = values.filter(|value| tree.kind(*value) == Kind::Column);
        let only = columns.next()?;
        if columns.next().is_some() {
            return None;
        }
        self.follow(only, wrappers, steps)
    }

    fn follow_column(&self, column: NodeId, wrappers: &mut Vec<Wrapper>, steps: usize) -> Option<Place> {
        let binding = self.scopes.binding(column)?;
        let fields = self.script.tree().children(column).iter().skip(binding.path_length);
        let fields: Vec<_> = fields.map(|field| Wrapper::Field(self.script.name(*field))).collect();
        wrappers.extend(fields.into_iter().rev());
        match &binding.target {
            Target::Column(relation, position) => self.follow_relation(*relation, *position, wrappers, steps),
            Target::Alias(item) => {
                let value = *self.script.tree().children(*item).first()?;
                self.follow(value, wrappers, steps)
            }
            Target::Output(_) => None,
            Target::Parameter(lambda, 0) => self.follow_parameter(*lambda, wrappers, steps),
            Target::Parameter(..) => None,
        }
    }

    fn follow_parameter(&self, lambda: NodeId, wrappers: &mut Vec<Wrapper>, steps: usize) -> Option<Place> {
        let call = self.script.tree().parent(lambda)?;
        let array = *self.script.arguments(call).first()?;
        wrappers.push(Wrapper::Element);
        self.follow(array, wrappers, steps)
    }

    fn follow_relation(
        &self,
        relation: RelationId,
        position: usize,
        wrappers: &mut Vec<Wrapper>,
        steps: usize,
    ) -> Option<Place> {
        let steps = steps.checked_sub(1)?;
        if let Some(reading) = self.by_relation.get(&relation) {
            return Some(Place { reading: *reading, column: position });
        }
        let query = match &self.scopes.relation(relation).source {
            RelationSource::Table(name) | RelationSource::Written(name) => *self.writers.get(name)?,
            RelationSource::CommonTable(node) | RelationSource::Query(node) => *node,
            RelationSource::Function(call) => return self.follow_generator(*call, position, wrappers, steps),
            RelationSource::Values(_) | RelationSource::Unknown => return None,
        };
        self.follow_output(query, position, wrappers, steps)
    }

    fn follow_output(
        &self,
        query: NodeId,
        position: usize,
        wrappers: &mut Vec<Wrapper>,
        steps: usize,
    ) -> Option<Place> {
        let output: &OutputColumn = self.scopes.outputs(query).get(position)?;
        if let Some((relation, column)) = output.passes_on {
            return self.follow_relation(relation, column, wrappers, steps);
        }
        self.follow(output.expression?, wrappers, steps)
    }

    fn follow_generator(
        &self,
        call: NodeId,
        position: usize,
        wrappers: &mut Vec<Wrapper>,
        steps: usize,
    ) -> Option<Place> {
        let arguments = self.script.arguments(call);
        let name = self.script.function_name(call);
        let source = *arguments.first()?;
        let is_map = matches!(self.scopes.type_of(source), Type::Map(..));
        let wrapper = match (name.as_str(), position) {
            ("json_tuple", _) => Wrapper::Json(self.constant_text(*arguments.get(position + 1)?)?),
            ("posexplode" | "posexplode_outer", 0) => return None,
            ("posexplode" | "posexplode_outer", 1) if is_map => Wrapper::Key,
            ("explode" | "explode_outer", 0) if is_map => Wrapper::Key,
            (_, _) if is_map => Wrapper::MapValue,
            ("inline" | "inline_outer", _) => return None,
            _ => Wrapper::Element,
        };
        wrappers.push(wrapper);
        self.follow(source, wrappers, steps)
    }

    fn index_wrapper(&self, base: NodeId, index: NodeId) -> Wrapper {
        match (self.scopes.type_of(base), self.constant_text(index)) {
            (Type::Map(..), Some(key)) => Wrapper::MapKey(key),
            _ => Wrapper::Element,
        }
    }

    /// The text of a string literal.
    pub fn constant_text(&self, node: NodeId) -> Option<String> {
        (self.script.tree().kind(node) == Kind::Text).then(|| unquoted(self.script.slice(node)).replace("\\\\", "\\"))
    }

    fn constant_number(&self, node: NodeId) -> Option<usize> {
        (self.script.tree().kind(node) == Kind::Number).then(|| self.script.slice(node).parse().ok()).flatten()
    }

    /// The argument that a call passes on, and what the call does to it.
    fn through_call(&self, call: NodeId) -> Option<(NodeId, Option<Wrapper>)> {
        let arguments = self.script.arguments(call);
        let name = self.script.function_name(call);
        let first = *arguments.first()?;
        let text = |at: usize| arguments.get(at).and_then(|node| self.constant_text(*node));
        let wrapper = match name.as_str() {
            "nvl" | "coalesce" | "ifnull" | "trim" | "ltrim" | "rtrim" | "btrim" | "lower" | "upper" | "lcase"
            | "ucase" | "nullif" | "max" | "min" | "first" | "last" | "first_value" | "last_value" | "lag" | "lead"
            | "any_value" | "regexp_replace" | "replace" | "abs" | "round" | "concat" | "initcap" | "sort_array"
            | "array_distinct" | "filter" | "collect_set" | "collect_list" | "sum" | "avg" | "floor" | "ceil"
            | "to_timestamp" | "timestamp" | "string" | "date_add" | "date_sub" | "translate" | "reverse" => None,
            "to_date" | "date" | "trunc" | "last_day" => Some(Wrapper::Date),
            "get_json_object" => Some(Wrapper::Json(text(1)?.trim_start_matches("$.").to_owned())),
            "split" => Some(Wrapper::Split(text(1)?)),
            "element_at" => match (self.scopes.type_of(first), text(1)) {
                (Type::Map(..), Some(key)) => Some(Wrapper::MapKey(key)),
                _ => Some(Wrapper::Element),
            },
            "substr" | "substring" | "left" => {
                let start = if name == "left" { 1 } else { self.constant_number(*arguments.get(1)?)? };
                let length = self.constant_number(*arguments.last()?).filter(|_| arguments.len() > 2 || name == "left");
                Some(Wrapper::Slice(start.max(1), length.unwrap_or(64)))
            }
            "date_format" => Some(Wrapper::Format(text(1)?)),
            "int" | "bigint" | "double" | "float" => Some(Wrapper::Number),
            "length" | "char_length" | "size" | "cardinality" => Some(Wrapper::Length),
            "map_keys" => Some(Wrapper::Key),
            _ => return None,
        };
        Some((first, wrapper))
    }
}

fn cast_wrapper(target: &Type) -> Option<Wrapper> {
    match target {
        Type::Date => Some(Wrapper::Date),
        target if target.is_numeric() => Some(Wrapper::Number),
        _ => None,
    }
}

/// The queries that fill the tables which the script itself writes, by full lower-case name.
fn writers(script: &Script) -> HashMap<String, NodeId> {
    let tree = script.tree();
    let mut writers = HashMap::new();
    for node in tree.ids() {
        let writes = matches!(
            tree.kind(node),
            Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::CreateTable | Kind::CreateView
        );
        let query = tree.child(node, |kind| kind == Kind::Query);
        let table = tree.child(node, |kind| kind == Kind::Table);
        if let (true, Some(query), Some(table)) = (writes, query, table) {
            let parts = tree.children_where(table, |kind| kind == Kind::Identifier);
            let name = parts.map(|part| script.name(part)).collect::<Vec<_>>().join(".");
            writers.insert(name, query);
        }
    }
    writers
}

impl Reach<'_> {
    /// Follows output `position` of a query back to its base column.
    pub fn trace_output(&self, query: NodeId, position: usize) -> Option<(Place, Vec<Wrapper>)> {
        let mut wrappers = Vec::new();
        let place = self.follow_output(query, position, &mut wrappers, MAX_STEPS)?;
        wrappers.reverse();
        Some((place, wrappers))
    }

    /// The base column behind column `name` of a relation.
    pub fn column(&self, relation: RelationId, name: &str) -> Option<Place> {
        let position = self.scopes.relation(relation).columns.iter().position(|column| column.name == name)?;
        self.follow_relation(relation, position, &mut Vec::new(), MAX_STEPS)
    }
}
