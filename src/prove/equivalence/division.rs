//! Whole quotients taken in two ways.

use super::flow::{self, Judge, Step};
use super::{EquivalenceReason, Pair, squeezed};
use crate::code::script::Script;
use crate::code::tree::{BinaryOperator, Kind, NodeId};

impl Pair<'_> {
    /// `FLOOR(a / 60)` made `FLOOR(a DIV 60)`: they differ below zero only, where the one is less than zero and the other
    /// at most zero.
    pub(super) fn floored(&self, call: NodeId) -> Option<EquivalenceReason> {
        let other = self.counterpart(call)?;
        let inner = |script: &Script, call: NodeId, wanted: BinaryOperator| {
            let [argument] = script.arguments(call)[..] else { return None };
            let tree = script.tree();
            let divides = script.function_name(call) == "floor" && tree.kind(argument) == Kind::Binary(wanted);
            let [dividend, divisor] = tree.children(argument)[..] else { return None };
            divides.then_some((dividend, divisor))
        };
        let (dividend, divisor) = inner(self.script, call, BinaryOperator::Divide)?;
        let (same, by) = inner(self.mutant, other, BinaryOperator::IntegerDivide)?;
        let alike = |one: NodeId, other: NodeId| squeezed(self.script.slice(one)) == squeezed(self.mutant.slice(other));
        let positive = self.script.slice(divisor).parse::<u32>().is_ok_and(|number| number > 0);
        let whole = self.scopes.type_of(dividend).is_integer() && positive;
        let holds = whole && alike(dividend, same) && alike(divisor, by);
        (holds && flow::is_lost(self.names, call, &AboveZero { script: self.script }))
            .then(|| EquivalenceReason::BelowAsked { what: squeezed(self.script.slice(call)) })
    }
}

/// One number below zero for another that is at most zero: gone where only positive ones are asked for.
struct AboveZero<'a> {
    script: &'a Script,
}

impl Judge for AboveZero<'_> {
    fn step(&self, above: NodeId, value: NodeId) -> Step {
        use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
        let tree = self.script.tree();
        let gone = match (tree.kind(above), tree.children(above)) {
            (Kind::IsNull { .. }, _) => true,
            (Kind::Binary(operator), [left, right]) => {
                let (operator, bound) = match operator {
                    _ if *left == value => (operator, *right),
                    Greater => (Less, *left),
                    GreaterOrEqual => (LessOrEqual, *left),
                    Less => (Greater, *left),
                    LessOrEqual => (GreaterOrEqual, *left),
                    _ => return Step::Observation,
                };
                let bound = self.script.slice(bound).parse::<u32>().ok();
                match operator {
                    GreaterOrEqual | Less => bound.is_some_and(|bound| bound > 0),
                    Greater | LessOrEqual => bound.is_some(),
                    _ => false,
                }
            }
            _ => false,
        };
        if gone { Step::Gone } else { Step::Observation }
    }
}

#[cfg(test)]
mod tests {
    use crate::prove::equivalence::tests::argued;

    #[test]
    fn whole_quotients_are_alike_only_where_positive_ones_are_asked_for() {
        for (asks, holds) in [
            ("t.m >= 10", true),
            ("10 <= t.m", true),
            ("t.m > 0 AND t.m IS NOT NULL", true),
            ("t.m < 1", true),
            ("t.m >= 0", false),
            ("t.m < 0", false),
            ("t.m <> 5", false),
            ("t.m + 1 > 10", false),
        ] {
            let script =
                |quotient: &str| format!("SELECT t.k FROM (SELECT k, FLOOR({quotient}) AS m FROM a) t WHERE {asks}");
            let found = argued(&script("(id - n) / 60"), &script("(id - n) DIV 60"));
            assert_eq!(found.is_some(), holds, "{asks}: {found:?}");
        }
        let shown = "SELECT FLOOR(n / 7) FROM a";
        assert_eq!(argued(shown, &shown.replace("/", "DIV")), None);
    }
}
