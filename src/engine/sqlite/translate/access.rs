//! Elements of arrays, values of maps, fields of structs.

use super::fields::FieldStep;
use super::piece::SqlPiece::{Literal, Sql, Typed, Value};
use super::{Translated, Translator};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    /// `x[i]`: an array counts from 0, a map takes a key.
    pub fn index(&mut self, node: NodeId) -> Translated {
        let [value, index] = *self.children(node) else { return self.refuse(node, "this index") };
        let key = match self.type_of(value) {
            Type::Map(key, _) => Some((**key).clone()),
            Type::Array(_) => None,
            _ if self.kind(index) == Kind::Text => Some(Type::String),
            _ => None,
        };
        self.pieces(&[Sql(if key.is_some() { "h_get_key(" } else { "h_get_index(" }), Value(value), Sql(",")])?;
        match key {
            Some(key) => self.converted(index, &key)?,
            None => self.converted(index, &Type::BigInt)?,
        }
        self.write(")");
        Ok(())
    }

    /// `x.field` where `x` is not a plain name.
    pub fn field(&mut self, node: NodeId) -> Translated {
        let [value, field] = *self.children(node) else { return self.refuse(node, "this field") };
        let FieldStep { function, stored, .. } = FieldStep::of(self.type_of(value), &self.script.name(field));
        self.pieces(&[Sql(function), Value(value), Sql(","), Literal(&stored), Sql(")")])
    }

    /// A value as a member of an array, map or struct. Nested values and booleans are marked, because SQLite's values
    /// do not tell them apart from text and numbers.
    pub fn element(&mut self, node: NodeId, wanted: &Type) -> Translated {
        let own = self.type_of(node);
        let stored = if *wanted == Type::Unknown { own } else { wanted };
        let mark = Self::element_mark(stored);
        self.pieces(&[Sql(mark), Typed(node, wanted), Sql(if mark.is_empty() { "" } else { ")" })])
    }

    /// Returns the function that marks a value of this type inside an array, map or struct; empty if none is needed.
    pub fn element_mark(data_type: &Type) -> &'static str {
        match data_type {
            Type::Boolean => "h_bool(",
            nested if nested.is_nested() => "h_nested(",
            _ => "",
        }
    }
}
