//! LATERAL VIEW and generators: `explode` and the like become SQLite's `json_each`. For generators in blocks that group
//! rows see `grouped_generator`.
//!
//! `json_each` may refer to relations on its left and gives one row for each element, in order. Generators that give
//! one row for each input row (`json_tuple`) need no join: their columns are computed where they are used.

use super::piece::SqlPiece::{Sql, Value};
use super::{Reason, Translated, Translator};
use crate::code::functions::RowGenerator;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// The alias of a generator's rows: a prefix and a number.
pub(super) type RowAlias = (&'static str, usize);

impl Translator<'_> {
    /// Returns the rows that a call gives, and whether it keeps rows for which there are none.
    fn generator(&self, call: NodeId) -> Option<(RowGenerator, bool)> {
        if !matches!(self.kind(call), Kind::Call { .. }) {
            return None;
        }
        let function = self.script.function(call)?;
        Some((function.row_generator()?, function.keeps_empty()))
    }

    /// Whether an expression is a call that gives rows.
    pub fn is_generator(&self, expression: NodeId) -> bool {
        self.generator(expression).is_some()
    }

    /// Whether a generator gives a row for what has no elements.
    pub fn keeps_empty(&self, call: NodeId) -> bool {
        self.generator(call).is_some_and(|(_, keeps_empty)| keeps_empty)
    }

    /// `LATERAL VIEW [OUTER] f(x) t AS a, b`.
    pub fn lateral_view(&mut self, view: NodeId) -> Translated {
        let call = self.only_child(view)?;
        let outer = matches!(self.kind(view), Kind::LateralView { outer: true });
        let Some(id) = self.relation_of(view) else { return self.refuse(view, "this lateral view") };
        self.generator_join(call, outer, ("r", self.relation_number(id)), false)?;
        Ok(())
    }

    /// Joins a generator's rows, or begins FROM with them; returns whether there is anything to join.
    pub fn generator_join(&mut self, call: NodeId, outer: bool, alias: RowAlias, first: bool) -> Translated<bool> {
        let Some((generator, keeps)) = self.generator(call) else {
            let name = self.script.function_name(call);
            return Err(self.unsupported(call, Reason::UnknownFunction(name)));
        };
        if generator == RowGenerator::JsonTuple {
            return Ok(false);
        }
        let outer = outer || keeps;
        self.write(match (first, outer) {
            (true, false) => " FROM ",
            (true, true) => " FROM (SELECT 1) LEFT JOIN ",
            (false, false) => " JOIN ",
            (false, true) => " LEFT JOIN ",
        });
        self.generator_source(call, alias)?;
        if outer {
            self.write(" ON 1");
        }
        Ok(true)
    }

    /// `json_each(…) AS alias`.
    pub fn generator_source(&mut self, call: NodeId, alias: RowAlias) -> Translated {
        let arguments = self.script.arguments(call);
        match (self.generator(call), arguments.as_slice()) {
            (Some((RowGenerator::Stack, _)), [count, values @ ..]) => self.stacked_rows(call, *count, values)?,
            (Some((RowGenerator::Explode | RowGenerator::PositionExplode | RowGenerator::Inline, _)), [value]) => {
                self.pieces(&[Sql("json_each("), Value(*value), Sql(")")])?;
            }
            _ => return self.refuse(call, "this table function"),
        }
        self.write(" AS ");
        self.write_numbered(alias.0, alias.1);
        Ok(())
    }

    /// `stack(n, …)`: an array of n arrays.
    fn stacked_rows(&mut self, call: NodeId, count: NodeId, values: &[NodeId]) -> Translated {
        let rows = self.script.slice(count).parse::<usize>().ok().filter(|rows| (1..=1000).contains(rows));
        let Some(rows) = rows else { return self.refuse(call, "stack with this number of rows") };
        let width = values.len().div_ceil(rows);
        let columns = self
            .scopes
            .relations()
            .find(|(_, relation)| relation.source == crate::code::scope::RelationSource::Function(call));
        let types: Vec<Type> = match columns {
            Some((_, relation)) => relation.columns.iter().map(|column| column.data_type.clone()).collect(),
            None => values.iter().take(width).map(|value| self.type_of(*value).clone()).collect(),
        };
        self.write("json_each(h_array(");
        self.separated(values.chunks(width), ",", |this, row| {
            this.write("h_nested(h_array(");
            this.separated(row.iter().zip(&types), ",", |this, (cell, wanted)| this.element(*cell, wanted))?;
            this.write("))");
            Ok(())
        })?;
        self.write("))");
        Ok(())
    }

    /// Writes column `index` of a generator whose rows have this alias.
    pub fn generated_column(&mut self, call: NodeId, index: usize, alias: RowAlias) -> Translated {
        let Some((generator, _)) = self.generator(call) else {
            let name = self.script.function_name(call);
            return Err(self.unsupported(call, Reason::UnknownFunction(name)));
        };
        let argument = self.script.arguments(call).first().copied();
        let value_type = argument.map_or(&Type::Unknown, |argument| self.type_of(argument));
        let entries = if let Type::Map(key, _) = value_type { Some(&**key) } else { None };
        match (generator, entries) {
            (RowGenerator::Explode, Some(key)) if index == 0 => self.entry_key(key, alias)?,
            (RowGenerator::PositionExplode, Some(_)) if index == 0 => self.part(alias, ".rowid"),
            (RowGenerator::PositionExplode, Some(key)) if index == 1 => self.entry_key(key, alias)?,
            (RowGenerator::PositionExplode, None) if index == 0 => self.part(alias, ".key"),
            (RowGenerator::Explode | RowGenerator::PositionExplode, _) => self.part(alias, ".value"),
            (RowGenerator::Inline, _) => {
                let field = inline_field(value_type, index);
                let Some(field) = field else { return self.refuse(call, "inline of this value") };
                self.write("h_get_field(");
                self.part(alias, ".value,");
                self.text(&field);
                self.write(")");
            }
            (RowGenerator::Stack, _) => {
                self.write("h_get_index(");
                self.part(alias, ".value,");
                self.write_numbered("", index);
                self.write(")");
            }
            (RowGenerator::JsonTuple, _) => self.json_tuple_column(call, index)?,
        }
        Ok(())
    }

    fn part(&mut self, alias: RowAlias, column: &str) {
        self.write_numbered(alias.0, alias.1);
        self.write(column);
    }

    /// The key of a map entry. Keys of JSON objects are text and have to be converted.
    fn entry_key(&mut self, key: &Type, alias: RowAlias) -> Translated {
        self.with_conversion(self.conversion(&Type::String, key), |this| {
            this.part(alias, ".key");
            Ok(())
        })
    }

    fn json_tuple_column(&mut self, call: NodeId, index: usize) -> Translated {
        let arguments = self.script.arguments(call);
        let (Some(json), Some(key)) = (arguments.first(), arguments.get(index + 1)) else {
            return self.refuse(call, "json_tuple without keys");
        };
        self.pieces(&[Sql("h_json_field("), Value(*json), Sql(","), Value(*key), Sql(")")])
    }
}

fn inline_field(data_type: &Type, index: usize) -> Option<String> {
    let Type::Array(element) = data_type else { return None };
    let Type::Struct(fields) = &**element else { return None };
    fields.get(index).map(|(name, _)| name.clone())
}
