//! Functions with lambdas, as correlated sub-queries over `json_each`.

use super::{Translator, Written};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    /// `transform`, `filter`, `exists`, `forall`, `aggregate`; NULL arrays give NULL.
    pub fn lambda_call(&mut self, call: NodeId, name: &str, arguments: &[NodeId]) -> Written {
        let Some(array) = arguments.first().copied() else { return self.refuse(call, "a lambda without an array") };
        let nullable = self.scopes.is_nullable(array);
        if nullable {
            self.write("CASE WHEN ");
            self.expression(array)?;
            self.write(" IS NOT NULL THEN ");
        }
        match (name, arguments) {
            ("aggregate" | "reduce", [_, start, merge, finish @ ..]) => {
                self.fold(array, *start, *merge, finish.first().copied())?;
            }
            (_, [_, lambda]) if self.kind(*lambda) == Kind::Lambda => self.each(name, call, array, *lambda)?,
            _ => return self.refuse(call, "this call with a lambda"),
        }
        self.write(if nullable { " END" } else { "" });
        Ok(())
    }

    fn body(&self, lambda: NodeId) -> Written<NodeId> {
        match self.children(lambda).last() {
            Some(body) => Ok(*body),
            None => self.refuse(lambda, "a lambda without a body"),
        }
    }

    fn each(&mut self, name: &str, call: NodeId, array: NodeId, lambda: NodeId) -> Written {
        let body = self.body(lambda)?;
        match name {
            "transform" => {
                self.write_numbered("(SELECT h_array_agg(l", lambda.index());
                self.write(".key,");
                self.element(body, &Type::Unknown)?;
                self.write(")");
                self.elements(array, lambda)?;
            }
            "filter" => {
                let element = match self.type_of(array) {
                    Type::Array(element) => (**element).clone(),
                    _ => Type::Unknown,
                };
                let mark = Self::element_mark(&element);
                self.write_numbered("(SELECT h_array_agg(l", lambda.index());
                self.write(".key,");
                self.write(mark);
                self.write_numbered("l", lambda.index());
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

    fn elements(&mut self, array: NodeId, lambda: NodeId) -> Written {
        self.write(" FROM json_each(");
        self.expression(array)?;
        self.write_numbered(") AS l", lambda.index());
        Ok(())
    }

    /// `aggregate(array, start, (state, element) -> …, state -> …)` as a recursive CTE.
    fn fold(&mut self, array: NodeId, start: NodeId, merge: NodeId, finish: Option<NodeId>) -> Written {
        let state = self.type_of(start).clone();
        self.write_numbered("(WITH RECURSIVE f", merge.index());
        self.write("(i,state) AS (SELECT 0,");
        self.expression(start)?;
        self.write(" UNION ALL SELECT i+1,");
        self.converted(self.body(merge)?, &state)?;
        self.write_numbered(" FROM f", merge.index());
        self.write(" WHERE i<json_array_length(");
        self.expression(array)?;
        self.write(")) SELECT ");
        match finish {
            Some(finish) => self.expression(self.body(finish)?)?,
            None => self.write("state"),
        }
        self.write_numbered(" FROM f", merge.index());
        self.write(" ORDER BY i DESC LIMIT 1)");
        Ok(())
    }

    /// A parameter of a lambda.
    pub fn parameter(&mut self, lambda: NodeId, position: usize) -> Written {
        let Some(call) = self.tree.parent(lambda) else { return self.refuse(lambda, "a lambda outside a call") };
        let name = self.script.function_name(call);
        let arguments = self.script.arguments(call);
        match (name.as_str(), arguments.as_slice()) {
            ("aggregate" | "reduce", [array, _, merge, ..]) => {
                if position == 0 {
                    self.write_numbered("f", merge.index());
                    self.write(".state");
                    return Ok(());
                }
                self.write("h_get_index(");
                self.expression(*array)?;
                self.write_numbered(",f", merge.index());
                self.write(".i)");
            }
            _ => {
                self.write_numbered("l", lambda.index());
                self.write(if position == 0 { ".value" } else { ".key" });
            }
        }
        Ok(())
    }
}
