//! CASE and the functions that can be written as CASE.

use super::piece::SqlPiece::{Sql, Typed, Value};
use super::{Translated, Translator};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    /// `CASE [x] WHEN … THEN … ELSE … END`, with every result converted to the type of the whole.
    pub fn case(&mut self, node: NodeId, operand: bool) -> Translated {
        let children = self.children(node);
        let (value, arms) = if operand { (children.first().copied(), &children[1..]) } else { (None, children) };
        let target = self.type_of(node);
        self.write("CASE");
        for arm in arms.iter().copied() {
            match (self.kind(arm), self.children(arm)) {
                (Kind::When, [condition, result]) => {
                    self.write(" WHEN ");
                    match value {
                        Some(value) => self.compared(value, "=", *condition)?,
                        None => self.expression(*condition)?,
                    }
                    self.write(" THEN ");
                    self.converted(*result, target)?;
                }
                (Kind::Else, [result]) => {
                    self.write(" ELSE ");
                    self.converted(*result, target)?;
                }
                _ => return self.refuse(arm, "this branch of a CASE"),
            }
        }
        self.write(" END");
        Ok(())
    }

    /// `if(condition, yes, no)`.
    pub fn choice(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [condition, yes, rest @ ..] = arguments else { return self.refuse(call, "IF with this many arguments") };
        let target = self.type_of(call);
        self.pieces(&[Sql("CASE WHEN "), Value(*condition), Sql(" THEN "), Typed(*yes, target)])?;
        if let Some(no) = rest.first() {
            self.write(" ELSE ");
            self.converted(*no, target)?;
        }
        self.write(" END");
        Ok(())
    }

    /// `nvl2(x, there, not_there)`.
    pub fn by_presence(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [value, there, absent] = arguments else { return self.refuse(call, "NVL2 with this many arguments") };
        let target = self.type_of(call);
        self.write("CASE WHEN ");
        self.expression(*value)?;
        self.write(" IS NOT NULL THEN ");
        self.pieces(&[Typed(*there, target), Sql(" ELSE "), Typed(*absent, target), Sql(" END")])
    }

    /// `nullif(a, b)`.
    pub fn null_if(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [left, right] = arguments else { return self.refuse(call, "NULLIF with this many arguments") };
        if self.comparison_type(self.type_of(*left), self.type_of(*right)).is_none() {
            self.pieces(&[Sql("nullif("), Value(*left), Sql(","), Value(*right), Sql(")")])?;
            return Ok(());
        }
        self.write("CASE WHEN ");
        self.compared(*left, "=", *right)?;
        self.pieces(&[Sql(" THEN NULL ELSE "), Value(*left), Sql(" END")])
    }

    /// `decode(x, search, result, …, default)`, in which NULL equals NULL.
    pub fn decode(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [value, pairs @ ..] = arguments else { return self.refuse(call, "DECODE without arguments") };
        if let [charset] = pairs {
            return self.in_utf8(call, *value, *charset);
        }
        let results = pairs.chunks(2).map(|pair| *pair.last().unwrap_or(value));
        // Without a last value for all else there is the NULL of a text.
        let otherwise = if pairs.len().is_multiple_of(2) { &Type::String } else { &Type::Null };
        let target = crate::code::widest(results.map(|result| self.type_of(result)).chain([otherwise]));
        self.write("CASE");
        for pair in pairs.chunks(2) {
            match pair {
                [search, result] => {
                    self.write(" WHEN ");
                    self.compared(*value, " IS ", *search)?;
                    self.write(" THEN ");
                    self.converted(*result, &target)?;
                }
                [default] => {
                    self.write(" ELSE ");
                    self.converted(*default, &target)?;
                }
                _ => {}
            }
        }
        self.write(" END");
        Ok(())
    }
}
