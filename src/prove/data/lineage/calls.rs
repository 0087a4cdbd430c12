//! How calls, casts and indexes change the value that they pass on, and which calls give positions.

use super::super::constraint::PathStep;
use super::{Lineage, MAX_DEPTH};
use crate::code::scope::{ColumnTarget, RelationSource};
use crate::code::script::unquoted;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// What becomes of a value in a call whose result is made of one of its arguments.
pub(super) struct PassedOn {
    /// The arguments that the result may be made of.
    pub arguments: Vec<NodeId>,
    /// How the call changes the value, the outermost step first.
    pub steps: Vec<PathStep>,
}

impl Lineage<'_> {
    /// Whether a column is the position of a value in a list, as `posexplode` gives it.
    pub fn is_position_in_list(&self, column: NodeId) -> bool {
        let target = self.scopes.binding(column).map(|binding| &binding.target);
        let Some(ColumnTarget::Column(relation, position)) = target else { return false };
        let (mut relation, mut position) = (*relation, *position);
        for _ in 0..MAX_DEPTH {
            let source = &self.scopes.relation(relation).source;
            if let RelationSource::Function(call) = source {
                let name = self.script.function_name(*call);
                return position == 0 && matches!(name.as_str(), "posexplode" | "posexplode_outer");
            }
            let passed = self.scopes.relation(relation).columns.get(position).and_then(|column| column.passes_on);
            let output = || {
                let query = self.first_side(relation).or_else(|| source.query(self.script.tree()))?;
                self.scopes.outputs(query).get(position)?.passes_on
            };
            let Some(next) = passed.or_else(output) else { return false };
            (relation, position) = next;
        }
        false
    }

    /// Returns the letter case to which `transform(x, e -> lower(e))` changes the elements.
    fn case_of_lambda(&self, arguments: &[NodeId]) -> Option<PathStep> {
        let tree = self.script.tree();
        let body = tree.children(*arguments.get(1)?).last()?;
        match tree.kind(*body) {
            Kind::Call { .. } => match self.script.canonical_function_name(*body).as_str() {
                "lower" => Some(PathStep::Lower),
                "upper" => Some(PathStep::Upper),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn index_step(&self, base: NodeId, index: NodeId) -> PathStep {
        match (self.scopes.type_of(base), self.constant_text(index)) {
            (Type::Map(..), Some(key)) => PathStep::MapKey(key),
            _ => self.constant_number(index).map_or(PathStep::Element, PathStep::Item),
        }
    }

    /// Returns the text of a string literal; `None` for any other node.
    pub fn constant_text(&self, node: NodeId) -> Option<String> {
        (self.script.tree().kind(node) == Kind::Text).then(|| unquoted(self.script.slice(node)).replace("\\\\", "\\"))
    }

    fn constant_number(&self, node: NodeId) -> Option<usize> {
        (self.script.tree().kind(node) == Kind::Number).then(|| self.script.slice(node).parse().ok()).flatten()
    }

    /// Returns the value that a map or struct which a call makes has for a key or field; `None` if it makes none.
    pub(super) fn member(&self, call: NodeId, step: &PathStep) -> Option<NodeId> {
        let arguments = self.script.arguments(call);
        let name = match (self.script.canonical_function_name(call).as_str(), step) {
            ("map", PathStep::MapKey(name)) | ("named_struct", PathStep::Field(name)) => name.to_lowercase(),
            _ => return None,
        };
        let is_named = |pair: &&[NodeId]| self.constant_text(pair[0]).is_some_and(|key| key.to_lowercase() == name);
        arguments.chunks_exact(2).find(is_named).map(|pair| pair[1])
    }

    /// Returns the format in which a call reads its text, if it is not the usual one of days and moments.
    fn own_format(&self, arguments: &[NodeId]) -> Option<String> {
        let format = self.constant_text(*arguments.get(1)?)?;
        (!format.starts_with("yyyy-MM-dd")).then_some(format)
    }

    /// Returns what a call passes on; `None` if it computes something new.
    pub(super) fn through_call(&self, call: NodeId) -> Option<PassedOn> {
        let arguments = self.script.arguments(call);
        let name = self.script.canonical_function_name(call);
        let first = *arguments.first()?;
        let text = |at: usize| arguments.get(at).and_then(|node| self.constant_text(*node));
        let step = match name.as_str() {
            "coalesce" => return Some(PassedOn { arguments, steps: Vec::new() }),
            "if" => return Some(PassedOn { arguments: arguments.get(1..)?.to_vec(), steps: Vec::new() }),
            "substr" | "substring_index" | "split_part" if self.separated_item(call).is_some() => {
                let (separator, item) = self.separated_item(call)?;
                return Some(PassedOn { arguments: vec![first], steps: vec![item, separator] });
            }
            "to_date" | "to_timestamp" if self.own_format(&arguments).is_some() => {
                self.own_format(&arguments).map(PathStep::Parsed)
            }
            "trim" | "ltrim" | "rtrim" | "btrim" | "nullif" | "max" | "min" | "first" | "last" | "lag" | "lead"
            | "any_value" | "regexp_replace" | "replace" | "abs" | "round" | "concat" | "initcap" | "sort_array"
            | "array_distinct" | "filter" | "collect_set" | "collect_list" | "sum" | "avg" | "floor" | "ceil"
            | "to_timestamp" | "timestamp" | "string" | "date_add" | "date_sub" | "translate" | "reverse" => None,
            "lower" => Some(PathStep::Lower),
            "upper" => Some(PathStep::Upper),
            "transform" => self.case_of_lambda(&arguments),
            "to_date" | "date" | "trunc" | "last_day" => Some(PathStep::Date),
            "get_json_object" => Some(PathStep::Json(text(1)?.trim_start_matches("$.").to_owned())),
            "split" => Some(PathStep::Split(text(1)?)),
            "str_to_map" => {
                let separator = |at: usize, usual: &str| text(at).unwrap_or_else(|| usual.to_owned());
                Some(PathStep::Pairs(separator(1, ","), separator(2, ":")))
            }
            "element_at" => match (self.scopes.type_of(first), text(1)) {
                (Type::Map(..), Some(key)) => Some(PathStep::MapKey(key)),
                _ => Some(self.constant_number(*arguments.get(1)?).map_or(PathStep::Element, |at| {
                    // `element_at` counts from 1.
                    PathStep::Item(at.saturating_sub(1))
                })),
            },
            "substr" | "left" => {
                let start = if name == "left" { 1 } else { self.constant_number(*arguments.get(1)?)? };
                let length = self.constant_number(*arguments.last()?).filter(|_| arguments.len() > 2 || name == "left");
                Some(PathStep::Slice(start.max(1), length.unwrap_or(64)))
            }
            "date_format" => Some(PathStep::Format(text(1)?)),
            "int" | "bigint" | "double" | "float" => Some(PathStep::Number),
            "length" | "size" => Some(PathStep::Length),
            "map_keys" => Some(PathStep::Key),
            _ => return None,
        };
        Some(PassedOn { arguments: vec![first], steps: step.into_iter().collect() })
    }

    /// Returns the steps of a call that takes one item of a separated text: `substr(x, instr(x, ':') + 1)`,
    /// `substr(x, 1, instr(x, ':') - 1)`, `substring_index(x, ':', 1)`, `split_part(x, ':', 2)`.
    fn separated_item(&self, call: NodeId) -> Option<(PathStep, PathStep)> {
        let arguments = self.script.arguments(call);
        let squeezed = |node: NodeId| self.script.slice(node).replace([' ', '\n'], "").to_lowercase();
        let text = squeezed(*arguments.first()?);
        let (separator, item) = match (self.script.canonical_function_name(call).as_str(), &arguments[1..]) {
            ("substring_index", [separator, count]) => {
                let item = usize::from(squeezed(*count).starts_with('-'));
                (self.constant_text(*separator)?, item)
            }
            ("split_part", [separator, count]) => {
                (self.constant_text(*separator)?, self.constant_number(*count)?.checked_sub(1)?)
            }
            ("substr", [start, rest @ ..]) => {
                let (place, item) = match rest {
                    [] => (*start, 1),
                    [length] if squeezed(*start) == "1" => (*length, 0),
                    _ => return None,
                };
                let tree = self.script.tree();
                let is_search = |node: &NodeId| {
                    matches!(tree.kind(*node), Kind::Call { .. })
                        && matches!(&*self.script.function_name(*node), "instr" | "locate" | "charindex" | "position")
                };
                let search = tree.descendants(place).find(is_search)?;
                let searched = self.script.arguments(search);
                let of_text = searched.iter().any(|argument| squeezed(*argument) == text);
                (searched.iter().filter(|_| of_text).find_map(|argument| self.constant_text(*argument))?, item)
            }
            _ => return None,
        };
        Some((PathStep::Split(separator), PathStep::Item(item)))
    }
}

pub(super) fn cast_step(target: &Type) -> Option<PathStep> {
    match target {
        Type::Date => Some(PathStep::Date),
        target if target.is_numeric() => Some(PathStep::Number),
        _ => None,
    }
}
