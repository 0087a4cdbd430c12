//! Arithmetic. DECIMAL values are REAL, rounded to their scale wherever they become visible, so that equal decimals are
//! equal numbers. Inside sums and products only the outermost operation rounds.

use super::piece::SqlPiece::{Number, Sql, Value};
use super::{Translated, Translator};
use crate::code::functions::ArgumentForm;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

/// The largest scale at which rounding a double is meaningful.
const MOST_DIGITS: u8 = 15;

impl Translator<'_> {
    pub fn binary(&mut self, node: NodeId, operator: BinaryOperator) -> Translated {
        let [left, right] = *self.children(node) else { return self.refuse(node, "this operator") };
        if operator.is_comparison() {
            return self.comparison(left, operator, right);
        }
        match operator {
            BinaryOperator::Concat => self.concatenation(&[left, right]),
            BinaryOperator::ShiftLeft => self.shift("h_shiftleft(", left, right),
            BinaryOperator::ShiftRight => self.shift("h_shiftright(", left, right),
            BinaryOperator::ShiftRightUnsigned => self.unsigned_shift(left, right),
            BinaryOperator::BitAnd => self.plain_binary(left, "&", right),
            BinaryOperator::BitOr => self.plain_binary(left, "|", right),
            BinaryOperator::BitXor => {
                self.write("(");
                self.plain_binary(left, "|", right)?;
                self.write("-");
                self.plain_binary(left, "&", right)?;
                self.write(")");
                Ok(())
            }
            _ if self.is_temporal_arithmetic(left, right) => self.temporal(node, left, operator, right),
            _ => {
                let scale = self.open_rounding(self.type_of(node));
                self.numeric(node, left, operator, right)?;
                self.close_rounding(scale);
                Ok(())
            }
        }
    }

    fn shift(&mut self, open: &str, value: NodeId, by: NodeId) -> Translated {
        self.write(open);
        self.argument(value, ArgumentForm::AsWhole)?;
        self.write(",");
        self.argument(by, ArgumentForm::AsWhole)?;
        self.write(")");
        Ok(())
    }

    fn plain_binary(&mut self, left: NodeId, operator: &str, right: NodeId) -> Translated {
        self.pieces(&[Sql("("), Value(left), Sql(operator), Value(right), Sql(")")])
    }

    /// Begins to round a value of this type if it is a decimal; returns the scale for closing.
    pub fn open_rounding(&mut self, data_type: &Type) -> Option<u8> {
        match data_type {
            Type::Decimal(_, scale) => {
                self.write("round(");
                Some(MOST_DIGITS.min(*scale))
            }
            _ => None,
        }
    }

    pub fn close_rounding(&mut self, scale: Option<u8>) {
        if let Some(scale) = scale {
            self.write_numbered(",", usize::from(scale));
            self.write(")");
        }
    }

    /// An expression whose rounding is left to the operation around it if it is a sum or product of decimals.
    pub fn unrounded(&mut self, expression: NodeId) -> Translated {
        use BinaryOperator::{Minus, Multiply, Plus};
        let bare = self.without_brackets(expression);
        match (self.kind(bare), self.children(bare), self.type_of(bare)) {
            (Kind::Binary(operator @ (Plus | Minus | Multiply)), [left, right], Type::Decimal(..)) => {
                if !self.contexts.is_empty() && self.grouped_reference(bare) {
                    return Ok(());
                }
                self.numeric(bare, *left, operator, *right)
            }
            _ => self.number_operand(expression),
        }
    }

    fn numeric(&mut self, node: NodeId, left: NodeId, operator: BinaryOperator, right: NodeId) -> Translated {
        let integers = self.type_of(left).is_integer() && self.type_of(right).is_integer();
        match operator {
            BinaryOperator::Plus => self.infix("(", left, "+", right),
            BinaryOperator::Minus => self.infix("(", left, "-", right),
            BinaryOperator::Multiply => self.infix("(", left, "*", right),
            BinaryOperator::Divide => self.infix("(", left, "*1.0/", right),
            BinaryOperator::IntegerDivide if integers => self.infix("(", left, "/", right),
            BinaryOperator::IntegerDivide => self.infix("h_integer_divide(", left, ",", right),
            BinaryOperator::Modulo if integers => self.infix("(", left, "%", right),
            BinaryOperator::Modulo => self.infix("h_modulo(", left, ",", right),
            _ => self.expression(node),
        }
    }

    fn infix(&mut self, open: &str, left: NodeId, operator: &str, right: NodeId) -> Translated {
        self.write(open);
        self.unrounded(left)?;
        self.write(operator);
        self.unrounded(right)?;
        self.write(")");
        Ok(())
    }

    pub(super) fn without_brackets(&self, expression: NodeId) -> NodeId {
        let mut bare = expression;
        while let (Kind::Paren, [inner]) = (self.kind(bare), self.children(bare)) {
            bare = *inner;
        }
        bare
    }

    /// An operand of arithmetic; text is converted to a double.
    pub fn number_operand(&mut self, operand: NodeId) -> Translated {
        if *self.type_of(operand) == Type::String {
            return self.converted(operand, &Type::Double);
        }
        self.expression(operand)
    }

    fn is_temporal_arithmetic(&self, left: NodeId, right: NodeId) -> bool {
        let temporal = |node: NodeId| self.type_of(node).is_temporal() || self.type_of(node).is_interval();
        temporal(left) || temporal(right)
    }

    /// `-x`, `+x`, `~x`.
    pub fn unary(&mut self, node: NodeId) -> Translated {
        let operand = self.only_child(node)?;
        let sign = self.script.token_text(*self.script.token_range(node).start());
        match sign {
            "+" => self.number_operand(operand),
            "-" | "~" => self.pieces(&[Sql("("), Sql(sign), Number(operand), Sql(")")]),
            _ => self.refuse(node, "this operator"),
        }
    }

    /// `a || b || …`: text that is NULL if a part is NULL, or joined arrays.
    pub fn concatenation(&mut self, parts: &[NodeId]) -> Translated {
        let arrays = parts.iter().any(|part| matches!(self.type_of(*part), Type::Array(_)));
        if arrays {
            self.write("h_concat_array(");
            self.separated(parts, ",", |this, part| this.expression(*part))?;
        } else {
            self.write("(");
            self.separated(parts, "||", |this, part| this.converted(*part, &Type::String))?;
            self.write(if parts.len() == 1 { "||''" } else { "" });
        }
        self.write(")");
        Ok(())
    }
}
