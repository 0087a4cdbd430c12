//! Column references: what they mean, their struct fields, and words that only look like columns.

use super::call::is_unit_argument;
use super::model::ProblemKind;
use super::name::Name;
use super::place::{ExpressionPlace, VisibleNames};
use super::resolver::Resolver;
use super::scopes::NodeMeaning;
use super::search::{ResolvedName, SearchOutcome};
use crate::code::dialect::Dialect;
use crate::code::functions::lookup;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId, Tree};
use crate::code::types::Type;

impl Resolver<'_> {
    /// Binds a `Column` node and gives its type and nullability.
    pub fn column(&mut self, column: NodeId, place: ExpressionPlace, lambdas: bool) -> (Type, bool) {
        let path = self.names(column);
        let Some(first) = path.first() else { return (Type::Unknown, true) };
        if lambdas && let Some(hit) = self.parameter(column, first) {
            return self.bound(column, hit, &path);
        }
        match self.search(column, &path, place) {
            SearchOutcome::Resolved(hit) => self.bound(column, hit, &path),
            SearchOutcome::Over => (Type::Unknown, true),
            SearchOutcome::Missed => self.without_binding(column, &path, place),
        }
    }

    fn bound(&mut self, column: NodeId, hit: ResolvedName, path: &[Name<'_>]) -> (Type, bool) {
        let fields = &path[hit.binding.path_length..];
        let mut data_type = hit.data_type;
        let mut nullable = hit.nullable;
        for field in fields {
            data_type = self.field_type(column, &data_type, field);
            nullable = true;
        }
        self.scopes.meanings.insert(column, NodeMeaning::Column(hit.binding));
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
    fn without_binding(&mut self, column: NodeId, path: &[Name<'_>], place: ExpressionPlace) -> (Type, bool) {
        if self.script.slice(column).contains(['{', '[']) {
            return (Type::Unknown, true);
        }
        if let [name] = path {
            if let Some(data_type) = constant_word(name) {
                return (data_type, false);
            }
            if names_no_column(self.script, column) {
                return (Type::Unknown, false);
            }
        }
        match place.clause {
            VisibleNames::OrderingOutputs(body) => {
                let name = Dialect::Hive.unquoted(self.script.slice(column));
                let outputs = self.outputs_of(body);
                self.unknown_output(column, name, &outputs);
            }
            _ => self.unknown_column(column, place.frame),
        }
        (Type::Unknown, true)
    }
}

/// Whether a name without qualifier stands for something else than a column wherever no column is called so: a function
/// that needs no brackets, a unit of time, ALL.
pub(crate) fn names_no_column(script: &Script, column: NodeId) -> bool {
    let name = script.last_name(column);
    let parent = script.tree().parent(column);
    let is_unit = parent.is_some_and(|call| is_unit_argument(script, call, column, &name));
    let is_all = name == "all" && parent.is_some_and(|parent| keyword_all(script.tree(), parent));
    is_unit || is_all || constant_word(&name).is_some()
}

/// `GROUP BY ALL`, `ORDER BY ALL`.
fn keyword_all(tree: &Tree, parent: NodeId) -> bool {
    match tree.kind(parent) {
        Kind::GroupBy => true,
        Kind::SortItem { .. } => tree.parent(parent).is_some_and(|up| tree.kind(up) == Kind::OrderBy),
        _ => false,
    }
}

/// The type of a function that needs no brackets, or of a column that every table has; `None` for other words.
fn constant_word(name: &str) -> Option<Type> {
    match name {
        "input__file__name" => Some(Type::String),
        "block__offset__inside__file" | "grouping__id" => Some(Type::BigInt),
        _ => lookup(name).filter(|function| function.without_brackets).map(|function| function.return_type(&[])),
    }
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
