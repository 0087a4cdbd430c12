//! Comparisons, with the conversions that Spark inserts when ANSI mode is off.

use super::{Translated, Translator};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    /// Returns the type in which two values are compared; `None` if they are compared without conversion.
    ///
    /// As in Spark's `findCommonTypeForBinaryComparison`, text is converted to the type of the other side, or to DOUBLE
    /// if that is a decimal.
    pub fn comparison_type(&self, left: &Type, right: &Type) -> Option<Type> {
        use Type::*;
        match (left, right) {
            (String, Decimal(..)) | (Decimal(..), String) => Some(Double),
            (String, other) | (other, String)
                if matches!(other, Int | BigInt | Double | Boolean | Date | Timestamp) =>
            {
                Some(other.clone())
            }
            (Date, Timestamp) | (Timestamp, Date) => Some(Timestamp),
            _ => None,
        }
    }

    pub fn comparison(&mut self, left: NodeId, operator: BinaryOperator, right: NodeId) -> Translated {
        let text = match operator {
            BinaryOperator::Equal => "=",
            BinaryOperator::NotEqual => "<>",
            BinaryOperator::NullSafeEqual => " IS ",
            BinaryOperator::Less => "<",
            BinaryOperator::LessOrEqual => "<=",
            BinaryOperator::Greater => ">",
            _ => ">=",
        };
        self.compared(left, text, right)
    }

    /// Two operands in their common type around `operator`.
    pub fn compared(&mut self, left: NodeId, operator: &str, right: NodeId) -> Translated {
        if self.kind(left) == Kind::Tuple && self.kind(right) == Kind::Tuple {
            return self.compared_tuples(left, operator, right);
        }
        let common = self.comparison_type(self.type_of(left), self.type_of(right));
        self.write("(");
        self.in_type(left, common.as_ref())?;
        self.write(operator);
        self.in_type(right, common.as_ref())?;
        self.write(")");
        Ok(())
    }

    pub fn in_type(&mut self, expression: NodeId, common: Option<&Type>) -> Translated {
        match common {
            Some(common) => self.converted(expression, common),
            None => self.expression(expression),
        }
    }

    /// `(a, b) = (c, d)`, member by member.
    fn compared_tuples(&mut self, left: NodeId, operator: &str, right: NodeId) -> Translated {
        let (lefts, rights) = (self.children(left), self.children(right));
        if lefts.len() != rights.len() {
            return self.refuse(right, "a comparison of rows of different length");
        }
        let types: Vec<Option<Type>> = lefts
            .iter()
            .zip(rights)
            .map(|(left, right)| self.comparison_type(self.type_of(*left), self.type_of(*right)))
            .collect();
        self.write("((");
        self.separated(lefts.iter().zip(&types), ",", |this, (member, common)| this.in_type(*member, common.as_ref()))?;
        self.write(")");
        self.write(operator);
        self.write("(");
        self.separated(rights.iter().zip(&types), ",", |this, (member, common)| {
            this.in_type(*member, common.as_ref())
        })?;
        self.write("))");
        Ok(())
    }
}
