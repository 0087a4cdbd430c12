//! Writes SQL piece by piece.

use super::{Translated, Translator};
use crate::code::tree::NodeId;
use crate::code::types::Type;

/// A piece of the SQL that SQLite runs.
#[derive(Clone, Copy)]
pub(super) enum SqlPiece<'p> {
    /// Literal SQL.
    Sql(&'p str),
    /// A text literal with this value.
    Literal(&'p str),
    /// An expression of the script.
    Value(NodeId),
    /// An expression of the script, converted to a type.
    Typed(NodeId, &'p Type),
    /// An expression of the script, as an operand of arithmetic.
    Number(NodeId),
}

impl Translator<'_> {
    /// Writes pieces one after another.
    pub(super) fn pieces(&mut self, pieces: &[SqlPiece<'_>]) -> Translated {
        for piece in pieces {
            match *piece {
                SqlPiece::Sql(text) => self.write(text),
                SqlPiece::Literal(value) => self.text(value),
                SqlPiece::Value(node) => self.expression(node)?,
                SqlPiece::Typed(node, wanted) => self.converted(node, wanted)?,
                SqlPiece::Number(node) => self.number_operand(node)?,
            }
        }
        Ok(())
    }
}
