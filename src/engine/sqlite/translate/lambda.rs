//! Functions with lambdas, as correlated sub-queries over `json_each`.

use super::piece::SqlPiece::{Sql, Typed, Value};
use super::{Translated, Translator};
use crate::code::functions::element_of;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    /// `transform`, `filter`, `map_filter`, `zip_with`, `aggregate` …; NULL arrays and maps give NULL.
    pub fn lambda_call(&mut self, call: NodeId, name: &str, arguments: &[NodeId]) -> Translated {
        let Some(array) = arguments.first().copied() else { return self.refuse(call, "a lambda without an array") };
        let pairs = matches!(name, "zip_with" | "map_zip_with");
        let nullable: Vec<NodeId> =
            arguments.iter().take(1 + usize::from(pairs)).copied().filter(|it| self.scopes.is_nullable(*it)).collect();
        if !nullable.is_empty() {
            self.write("CASE WHEN ");
            self.separated(nullable.iter(), " AND ", |this, collection| {
                this.expression(*collection)?;
                this.write(" IS NOT NULL");
                Ok(())
            })?;
            self.write(" THEN ");
        }
        match (name, arguments) {
            ("aggregate" | "reduce", [_, start, merge, finish @ ..]) => {
                self.fold(array, *start, *merge, finish.first().copied())?;
            }
            ("zip_with", [_, other, lambda]) if self.is_lambda(*lambda) => self.zipped(array, *other, *lambda)?,
            ("map_zip_with", [_, _, lambda]) if self.is_lambda(*lambda) => self.entries(name, call, *lambda)?,
            ("map_filter" | "transform_keys" | "transform_values", [_, lambda]) if self.is_lambda(*lambda) => {
                self.entries(name, call, *lambda)?;
            }
            (_, [_, lambda]) if self.is_lambda(*lambda) => self.each(name, call, array, *lambda)?,
            _ => return self.refuse(call, "this call with a lambda"),
        }
        self.write(if nullable.is_empty() { "" } else { " END" });
        Ok(())
    }

    fn is_lambda(&self, node: NodeId) -> bool {
        self.kind(node) == Kind::Lambda
    }

    /// `zip_with(a, b, (x, y) -> …)`, whose result is as long as the longer array.
    fn zipped(&mut self, left: NodeId, right: NodeId, lambda: NodeId) -> Translated {
        self.write_numbered("(SELECT h_array_agg(l", self.number_of(lambda));
        self.write(".key,");
        self.element(self.body(lambda)?, &Type::Unknown)?;
        self.pieces(&[Sql(") FROM json_each(h_zip("), Value(left), Sql(","), Value(right)])?;
        self.write_numbered(")) AS l", self.number_of(lambda));
        self.write(")");
        Ok(())
    }

    /// Functions that build a map from the entries of one map, or of two maps with the same keys.
    fn entries(&mut self, name: &str, call: NodeId, lambda: NodeId) -> Translated {
        let maps: Vec<NodeId> = self.script.arguments(call).into_iter().filter(|it| !self.is_lambda(*it)).collect();
        let body = self.body(lambda)?;
        let value_type = match maps.first().map(|map| self.type_of(*map)) {
            Some(Type::Map(_, value)) => (**value).clone(),
            _ => return self.refuse(call, "an argument that is not known to be a map"),
        };
        self.write_numbered("h_map_from_pairs((SELECT h_array_agg(l", self.number_of(lambda));
        self.write(".id,h_nested(h_array(");
        match name {
            "transform_keys" => self.element(body, &Type::Unknown)?,
            _ => self.write_numbered_part("l", self.number_of(lambda), ".key"),
        }
        self.write(",");
        match name {
            "transform_values" | "map_zip_with" => self.element(body, &Type::Unknown)?,
            _ => {
                let mark = Self::element_mark(&value_type);
                self.write(mark);
                self.write_numbered_part("l", self.number_of(lambda), ".value");
                self.write(if mark.is_empty() { "" } else { ")" });
            }
        }
        self.write("))) FROM json_each(");
        self.write(if maps.len() > 1 { "h_map_concat(" } else { "" });
        self.separated(maps.iter(), ",", |this, map| this.expression(*map))?;
        self.write(if maps.len() > 1 { ")" } else { "" });
        self.write_numbered(") AS l", self.number_of(lambda));
        if name == "map_filter" {
            self.write(" WHERE ");
            self.expression(body)?;
        }
        self.write("))");
        Ok(())
    }

    fn write_numbered_part(&mut self, before: &str, number: usize, after: &str) {
        self.write_numbered(before, number);
        self.write(after);
    }

    fn body(&self, lambda: NodeId) -> Translated<NodeId> {
        match self.children(lambda).last() {
            Some(body) => Ok(*body),
            None => self.refuse(lambda, "a lambda without a body"),
        }
    }

    fn each(&mut self, name: &str, call: NodeId, array: NodeId, lambda: NodeId) -> Translated {
        let body = self.body(lambda)?;
        match name {
            "transform" => {
                self.write_numbered("(SELECT h_array_agg(l", self.number_of(lambda));
                self.write(".key,");
                self.element(body, &Type::Unknown)?;
                self.write(")");
                self.elements(array, lambda)?;
            }
            "filter" => {
                let mark = Self::element_mark(&element_of(self.type_of(array)));
                self.write_numbered("(SELECT h_array_agg(l", self.number_of(lambda));
                self.write(".key,");
                self.write(mark);
                self.write_numbered("l", self.number_of(lambda));
                self.write(if mark.is_empty() { ".value)" } else { ".value))" });
                self.elements(array, lambda)?;
                self.write(" WHERE ");
                self.expression(body)?;
            }
            "exists" | "any" | "forall" | "all" => {
                let every = matches!(name, "forall" | "all");
                self.write(if every {
                    "(SELECT CASE WHEN min(p)=0 THEN 0"
                } else {
                    "(SELECT CASE WHEN max(p)=1 THEN 1"
                });
                self.write(" WHEN count(*)>count(p) THEN NULL");
                self.write(if every { " ELSE 1 END FROM (SELECT " } else { " ELSE 0 END FROM (SELECT " });
                self.expression(body)?;
                self.write(" AS p");
                self.elements(array, lambda)?;
                self.write(")");
            }
            _ => return self.refuse(call, "this function with a lambda"),
        }
        self.write(")");
        Ok(())
    }

    fn elements(&mut self, array: NodeId, lambda: NodeId) -> Translated {
        self.write(" FROM json_each(");
        self.expression(array)?;
        self.write_numbered(") AS l", self.number_of(lambda));
        Ok(())
    }

    /// `aggregate(array, start, (state, element) -> …, state -> …)` as a recursive CTE.
    fn fold(&mut self, array: NodeId, start: NodeId, merge: NodeId, finish: Option<NodeId>) -> Translated {
        let state = self.type_of(start).clone();
        self.write_numbered("(WITH RECURSIVE f", self.number_of(merge));
        self.write("(i,state) AS (SELECT 0,");
        self.pieces(&[Value(start), Sql(" UNION ALL SELECT i+1,"), Typed(self.body(merge)?, &state)])?;
        self.write_numbered(" FROM f", self.number_of(merge));
        self.pieces(&[Sql(" WHERE i<json_array_length("), Value(array), Sql(")) SELECT ")])?;
        match finish {
            Some(finish) => self.expression(self.body(finish)?)?,
            None => self.write("state"),
        }
        self.write_numbered(" FROM f", self.number_of(merge));
        self.write(" ORDER BY i DESC LIMIT 1)");
        Ok(())
    }

    pub fn parameter(&mut self, lambda: NodeId, position: usize) -> Translated {
        let Some(call) = self.tree.parent(lambda) else { return self.refuse(lambda, "a lambda outside a call") };
        let name = self.script.function_name(call);
        let arguments = self.script.arguments(call);
        match (name.as_str(), arguments.as_slice()) {
            ("aggregate" | "reduce", [array, _, merge, ..]) => {
                if position == 0 {
                    self.write_numbered("f", self.number_of(*merge));
                    self.write(".state");
                    return Ok(());
                }
                self.write("h_get_index(");
                self.expression(*array)?;
                self.write_numbered(",f", self.number_of(*merge));
                self.write(".i)");
            }
            ("zip_with", _) => {
                self.write_numbered("h_get_index(l", self.number_of(lambda));
                self.write(if position == 0 { ".value,0)" } else { ".value,1)" });
            }
            ("map_zip_with", [left, right, _]) if position > 0 => {
                self.write("h_get_key(");
                self.expression(*[left, right][position.min(2) - 1])?;
                self.write_numbered_part(",l", self.number_of(lambda), ".key)");
            }
            ("map_filter" | "transform_keys" | "transform_values" | "map_zip_with", [map, ..]) if position == 0 => {
                let number = match self.type_of(*map) {
                    Type::Map(key, _) if matches!(**key, Type::Int | Type::BigInt) => Some("INTEGER"),
                    Type::Map(key, _) if matches!(**key, Type::Double | Type::Decimal(..)) => Some("REAL"),
                    _ => None,
                };
                self.write(if number.is_some() { "CAST(" } else { "" });
                self.write_numbered_part("l", self.number_of(lambda), ".key");
                if let Some(number) = number {
                    self.write(&format!(" AS {number})"));
                }
            }
            ("map_filter" | "transform_keys" | "transform_values", _) => {
                self.write_numbered_part("l", self.number_of(lambda), ".value");
            }
            _ => self.write_numbered_part("l", self.number_of(lambda), if position == 0 { ".value" } else { ".key" }),
        }
        Ok(())
    }
}
