//! Column references: parameters of lambdas, aliases, columns of FROM, of enclosing blocks, and struct fields.

use super::call::{is_unit_argument, parameter_types};
use super::expression::{Clause, Place};
use super::frame::{Found, FrameId};
use super::model::{Binding, ProblemKind, Target};
use super::resolver::Resolver;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// What a name was found to be.
struct Hit {
    binding: Binding,
    data_type: Type,
    nullable: bool,
}

/// Whether a search is over.
enum Search {
    Hit(Hit),
    /// A problem has been reported, or what is meant cannot be known.
    Over,
    Missed,
}

impl Resolver<'_> {
    /// Binds a `Column` node and gives its type and nullability.
    pub fn column(&mut self, column: NodeId, place: Place, lambdas: bool) -> (Type, bool) {
        let path = self.names(column);
        let Some(first) = path.first() else { return (Type::Unknown, true) };
        if lambdas && let Some(hit) = self.parameter(column, first) {
            return self.bound(column, hit, &path);
        }
        match self.search(column, &path, place) {
            Search::Hit(hit) => self.bound(column, hit, &path),
            Search::Over => (Type::Unknown, true),
            Search::Missed => self.without_binding(column, &path, place),
        }
    }

    fn search(&mut self, column: NodeId, path: &[String], place: Place) -> Search {
        if let Clause::OrderingOutputs(body) = place.clause
            && let Some(hit) = self.output(body, path)
        {
            return Search::Hit(hit);
        }
        if place.clause == Clause::Ordering && path.len() == 1 {
            match self.selected(column, path, place.frame) {
                Search::Missed => {}
                over => return over,
            }
        }
        let mut hidden = false;
        let mut known = false;
        let mut frame = place.frame;
        let mut outer = false;
        while let Some(current) = frame {
            match self.in_frame(column, path, current, outer) {
                Search::Missed => {}
                over => return over,
            }
            let aliases =
                matches!(place.clause, Clause::Projection | Clause::Grouping | Clause::Having | Clause::Ordering);
            if !outer
                && aliases
                && let Some(hit) = self.alias(Some(current), path)
            {
                return Search::Hit(hit);
            }
            hidden |= self.frame(current).visible.iter().any(|id| self.relation(*id).open);
            known |= path.len() > 1 && self.is_known_qualifier(current, &path[..1]);
            frame = self.frame(current).parent;
            outer = true;
        }
        if hidden && !known { Search::Over } else { Search::Missed }
    }

    /// Whether a qualifier names a relation all of whose columns are known.
    fn is_known_qualifier(&self, frame: FrameId, qualifier: &[String]) -> bool {
        let mut named = self.frame(frame).visible.iter().filter(|id| self.is_named(**id, qualifier));
        named.next().is_some_and(|id| !self.relation(*id).open)
    }

    fn in_frame(&mut self, column: NodeId, path: &[String], frame: FrameId, outer: bool) -> Search {
        match self.find(frame, path) {
            Found::Column((relation, index), path_length) => {
                let from = self.relation(relation);
                let output = &from.columns[index];
                let (data_type, nullable) = (output.data_type.clone(), output.nullable || from.optional);
                let binding = Binding { target: Target::Column(relation, index), path_length, outer };
                Search::Hit(Hit { binding, data_type, nullable })
            }
            Found::Ambiguous(hits) => {
                self.ambiguous_column(column, &hits);
                Search::Over
            }
            Found::SharedName(name) => {
                self.problem(column, ProblemKind::DuplicateAlias { name });
                Search::Over
            }
            Found::Nothing | Found::Open => Search::Missed,
        }
    }

    fn alias(&self, frame: Option<FrameId>, path: &[String]) -> Option<Hit> {
        let item = *self.frame(frame?).aliases.get(&path[0])?;
        let expression = *self.tree.children(item).first()?;
        let (data_type, nullable) = self.typed(expression);
        let binding = Binding { target: Target::Alias(item), path_length: 1, outer: false };
        Some(Hit { binding, data_type, nullable })
    }

    /// An output of the SELECT list by name, for ORDER BY: an alias, or a column that keeps its name.
    fn selected(&mut self, column: NodeId, path: &[String], frame: Option<FrameId>) -> Search {
        let Some(block) = frame.map(|frame| self.frame(frame).block) else { return Search::Missed };
        let outputs = self.outputs_of(block);
        let mut same = outputs.iter().filter(|output| output.name == path[0]);
        let Some(first) = same.next() else { return Search::Missed };
        if same.any(|other| other.passes_on.is_none() || other.passes_on != first.passes_on) {
            return self.ambiguous_output(column, path);
        }
        let item = first.expression.and_then(|expression| self.tree.parent(expression));
        let renamed = item.filter(|item| self.tree.child(*item, |kind| kind == Kind::Alias).is_some());
        let target = match (renamed, first.passes_on, item) {
            (None, Some((relation, index)), _) => Target::Column(relation, index),
            (_, _, Some(item)) => Target::Alias(item),
            _ => return Search::Missed,
        };
        let binding = Binding { target, path_length: 1, outer: false };
        Search::Hit(Hit { binding, data_type: first.data_type.clone(), nullable: first.nullable })
    }

    fn ambiguous_output(&mut self, column: NodeId, path: &[String]) -> Search {
        let name = self.script.slice(column).to_owned();
        self.problem(column, ProblemKind::AmbiguousColumn { name, candidates: vec![path[0].clone(); 2] });
        Search::Over
    }

    fn output(&self, body: NodeId, path: &[String]) -> Option<Hit> {
        let outputs = self.scopes.outputs.get(&body)?;
        let index = outputs.iter().position(|output| output.name == path[0])?;
        let binding = Binding { target: Target::Output(index), path_length: 1, outer: false };
        Some(Hit { binding, data_type: outputs[index].data_type.clone(), nullable: outputs[index].nullable })
    }

    fn parameter(&self, column: NodeId, name: &str) -> Option<Hit> {
        for ancestor in self.tree.ancestors(column) {
            match self.tree.kind(ancestor) {
                Kind::Lambda => {
                    let parameters = self.names(ancestor);
                    let Some(position) = parameters.iter().rposition(|parameter| parameter == name) else { continue };
                    let data_type = self.parameter_type(ancestor, position, parameters.len());
                    let binding =
                        Binding { target: Target::Parameter(ancestor, position), path_length: 1, outer: false };
                    return Some(Hit { binding, data_type, nullable: true });
                }
                Kind::Query | Kind::Script => return None,
                _ => {}
            }
        }
        None
    }

    /// The arguments before a lambda tell what its parameters are; they have been resolved before it.
    fn parameter_type(&self, lambda: NodeId, position: usize, count: usize) -> Type {
        let Some(call) = self.tree.parent(lambda) else { return Type::Unknown };
        let arguments = self.script.arguments(call);
        let before = arguments.iter().take_while(|argument| **argument != lambda);
        let types: Vec<Type> = before.map(|argument| self.typed(*argument).0).collect();
        parameter_types(&self.script.function_name(call), &types, count).into_iter().nth(position).unwrap_or_default()
    }

    fn bound(&mut self, column: NodeId, hit: Hit, path: &[String]) -> (Type, bool) {
        let fields = &path[hit.binding.path_length..];
        let mut data_type = hit.data_type;
        let mut nullable = hit.nullable;
        for field in fields {
            data_type = self.field_type(column, &data_type, field);
            nullable = true;
        }
        self.scopes.bindings.insert(column, hit.binding);
        (data_type, nullable)
    }

    /// `x.field` after something that is no plain name.
    pub fn field(&mut self, node: NodeId) -> (Type, bool) {
        let [value, field] = self.tree.children(node) else { return (Type::Unknown, true) };
        let data_type = self.typed(*value).0;
        let name = self.script.name(*field);
        (self.field_type(node, &data_type, &name), true)
    }

    fn field_type(&mut self, node: NodeId, data_type: &Type, name: &str) -> Type {
        if let Some(found) = field_of(data_type, name) {
            return found;
        }
        let fields = match data_type {
            Type::Struct(fields) => fields.iter().map(|(field, _)| field.clone()).collect(),
            Type::Array(element) => match &**element {
                Type::Struct(fields) => fields.iter().map(|(field, _)| field.clone()).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        self.problem(node, ProblemKind::UnknownField { name: name.to_owned(), fields });
        Type::Unknown
    }

    /// Words that are values without being columns; anything else is unknown.
    fn without_binding(&mut self, column: NodeId, path: &[String], place: Place) -> (Type, bool) {
        if let [name] = path {
            if let Some(data_type) = constant_word(name) {
                return (data_type, false);
            }
            let parent = self.tree.parent(column);
            let is_all = name == "all" && parent.is_some_and(|parent| self.keyword_all(parent));
            if is_all || parent.is_some_and(|call| is_unit_argument(self.script, call, column, name)) {
                return (Type::Unknown, false);
            }
        }
        if self.script.slice(column).contains(['{', '[']) {
            return (Type::Unknown, true);
        }
        self.unknown_column(column, place.frame);
        (Type::Unknown, true)
    }

    /// `GROUP BY ALL`, `ORDER BY ALL`.
    fn keyword_all(&self, parent: NodeId) -> bool {
        match self.tree.kind(parent) {
            Kind::GroupBy => true,
            Kind::SortItem { .. } => self.tree.parent(parent).is_some_and(|up| self.tree.kind(up) == Kind::OrderBy),
            _ => false,
        }
    }
}

/// Functions that need no brackets, and columns that every table has.
fn constant_word(name: &str) -> Option<Type> {
    Some(match name {
        "current_date" => Type::Date,
        "current_timestamp" | "localtimestamp" | "now" => Type::Timestamp,
        "current_user" | "session_user" | "user" | "current_catalog" | "current_database" | "current_schema" => {
            Type::String
        }
        "input__file__name" => Type::String,
        "block__offset__inside__file" | "grouping__id" => Type::BigInt,
        _ => return None,
    })
}

/// The type of a field: of a struct its own, of an array of structs an array, of a map the value.
pub(super) fn field_of(data_type: &Type, name: &str) -> Option<Type> {
    match data_type {
        Type::Unknown => Some(Type::Unknown),
        Type::Struct(fields) => fields.iter().find(|(field, _)| field == name).map(|(_, found)| found.clone()),
        Type::Array(element) if matches!(**element, Type::Struct(_)) => {
            field_of(element, name).map(|found| Type::Array(Box::new(found)))
        }
        Type::Map(_, value) => Some((**value).clone()),
        _ => None,
    }
}
