//! Brings conditions to a canonical form, with negation moved inwards.

use std::collections::BTreeMap;

use super::GraphBuilder;
use super::terms::Term;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

/// The two sides of a comparison between a value of an integer type and an integer literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct IntegerComparison {
    value: Term,
    number: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
}

impl Connective {
    fn label(self) -> &'static str {
        if self == Connective::And { "and" } else { "or" }
    }

    /// Returns the neutral operand.
    fn neutral(self) -> &'static str {
        if self == Connective::And { "true" } else { "false" }
    }

    fn flipped(self, flip: bool) -> Connective {
        let and = (self == Connective::And) != flip;
        if and { Connective::And } else { Connective::Or }
    }
}

impl GraphBuilder<'_> {
    /// Returns the graph of a condition, negated if `negate` is set.
    pub(super) fn condition(&mut self, id: NodeId, negate: bool) -> Term {
        let children: Vec<NodeId> = self.tree.children(id).to_vec();
        match (self.tree.kind(id), &children[..]) {
            (Kind::Paren, [inner]) => self.condition(*inner, negate),
            (Kind::Not, [inner]) => self.condition(*inner, !negate),
            (Kind::And, _) => self.connected(Connective::And.flipped(negate), &children, negate),
            (Kind::Or, _) => self.connected(Connective::Or.flipped(negate), &children, negate),
            (Kind::Binary(operator), [left, right]) if operator.is_comparison() => {
                let whole = self.are_integers(*left, *right);
                let (left, right) = (self.expression(*left), self.expression(*right));
                let term = self.comparison(operator, left, right, negate);
                self.note_integers(term, whole);
                term
            }
            (Kind::Between { negated }, [value, low, high]) => self.between([*value, *low, *high], negated != negate),
            (Kind::InList { negated }, [value, items @ ..]) => self.in_list(id, *value, items, negated != negate),
            (Kind::IsNull { negated }, [value]) => {
                let value = self.expression(*value);
                self.is_null(value, negated != negate)
            }
            (Kind::IsDistinct { negated }, [left, right]) => {
                let (left, right) = (self.expression(*left), self.expression(*right));
                self.comparison(BinaryOperator::NullSafeEqual, left, right, negated == negate)
            }
            (Kind::IsBoolean { negated, value }, [inner]) => {
                let inner = self.condition(*inner, false);
                self.maybe_not(&format!("is {value}"), &[inner], negated != negate)
            }
            (Kind::InQuery { negated }, [value, query]) => {
                let parts = [self.expression(*value), self.query(*query)];
                self.maybe_not("in query", &parts, negated != negate)
            }
            (Kind::Pattern { negated, operator }, _) => {
                let parts: Vec<Term> = children.iter().map(|child| self.expression(*child)).collect();
                let words = self.pattern_words(id);
                self.maybe_not(&format!("{operator:?} {words}"), &parts, negated != negate)
            }
            (Kind::Boolean(value), _) => self.terms.leaf(if value != negate { "true" } else { "false" }),
            _ => {
                let term = self.value(id);
                if negate { self.terms.node("not", &[term]) } else { term }
            }
        }
    }

    fn connected(&mut self, connective: Connective, children: &[NodeId], negate: bool) -> Term {
        let terms = children.iter().map(|child| self.condition(*child, negate)).collect();
        self.connect(connective, terms)
    }

    /// Joins operands by AND or OR: flat, sorted, each once and without the neutral operand.
    pub(super) fn connect(&mut self, connective: Connective, operands: Vec<Term>) -> Term {
        let mut flat: Vec<Term> = Vec::with_capacity(operands.len());
        for operand in operands {
            if self.terms.label_of(operand) == connective.label() {
                flat.extend_from_slice(self.terms.children_of(operand));
            } else if self.terms.label_of(operand) != connective.neutral() {
                flat.push(operand);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let mut flat = self.ranges(connective, flat);
        flat.sort_unstable();
        flat.dedup();
        match flat[..] {
            [] => self.terms.leaf(connective.neutral()),
            [only] => only,
            _ => self.terms.node(connective.label(), &flat),
        }
    }

    /// Merges equalities with consecutive integers into a range: `a = 1 OR a = 2` becomes `1 <= a AND a <= 2`.
    fn ranges(&mut self, connective: Connective, operands: Vec<Term>) -> Vec<Term> {
        let wanted = if connective == Connective::Or { "=" } else { "<>" };
        let mut numbers: BTreeMap<Term, BTreeMap<i64, Term>> = BTreeMap::new();
        for operand in operands.iter().filter(|operand| self.terms.label_of(**operand) == wanted) {
            if let Some(IntegerComparison { value, number }) = self.integer_comparisons.get(operand) {
                numbers.entry(*value).or_default().insert(*number, *operand);
            }
        }
        let mut kept = operands;
        for (value, known) in numbers {
            let known: Vec<(i64, Term)> = known.into_iter().collect();
            for run in known.chunk_by(|left, right| left.0.checked_add(1) == Some(right.0)) {
                let ([(low, _), .., (high, _)], [_, _, ..]) = (run, run) else { continue };
                kept.retain(|operand| !run.iter().any(|(_, term)| term == operand));
                let (low, high) = (self.terms.leaf(&format!("#{low}")), self.terms.leaf(&format!("#{high}")));
                let negate = connective == Connective::And;
                let above = self.comparison(BinaryOperator::LessOrEqual, low, value, negate);
                let below = self.comparison(BinaryOperator::LessOrEqual, value, high, negate);
                // A range joins its two comparisons by the other connective.
                kept.push(self.connect(connective.flipped(true), vec![above, below]));
            }
        }
        kept
    }

    /// Whether both sides of a comparison have integer types.
    fn are_integers(&self, left: NodeId, right: NodeId) -> bool {
        let is_whole = |id: NodeId| self.scopes.type_of(id).is_integer();
        is_whole(left) && is_whole(right)
    }

    /// Records the two sides of a comparison of integers if exactly one of them is a literal.
    fn note_integers(&mut self, term: Term, whole: bool) {
        let [left, right] = self.terms.children_of(term)[..] else { return };
        let number = |term: Term| self.terms.label_of(term).strip_prefix('#')?.parse::<i64>().ok();
        let found = match (number(left), number(right)) {
            (Some(number), None) => IntegerComparison { value: right, number },
            (None, Some(number)) => IntegerComparison { value: left, number },
            _ => return,
        };
        if whole && matches!(self.terms.label_of(term), "=" | "<>") {
            self.integer_comparisons.insert(term, found);
        }
    }

    /// Returns a comparison in its canonical direction: `a > b` becomes `b < a`.
    pub(super) fn comparison(&mut self, operator: BinaryOperator, left: Term, right: Term, negate: bool) -> Term {
        use BinaryOperator::*;
        let operator = match (operator, negate) {
            (Equal, true) => NotEqual,
            (NotEqual, true) => Equal,
            (Less, true) => GreaterOrEqual,
            (GreaterOrEqual, true) => Less,
            (Greater, true) => LessOrEqual,
            (LessOrEqual, true) => Greater,
            (other, _) => other,
        };
        let numbers = left == right && self.terms.label_of(left).starts_with('#');
        match operator {
            // The idiom `WHERE 1 = 1`.
            Equal if numbers => self.terms.leaf("true"),
            Equal => self.terms.bag("=", vec![left, right]),
            NotEqual => self.terms.bag("<>", vec![left, right]),
            Less => self.terms.node("<", &[left, right]),
            LessOrEqual => self.terms.node("<=", &[left, right]),
            Greater => self.terms.node("<", &[right, left]),
            GreaterOrEqual => self.terms.node("<=", &[right, left]),
            _ => {
                let mut operands = [left, right];
                operands.sort_unstable();
                self.maybe_not("<=>", &operands, negate)
            }
        }
    }

    pub(super) fn is_null(&mut self, value: Term, negate: bool) -> Term {
        self.maybe_not("is null", &[value], negate)
    }

    fn maybe_not(&mut self, label: &str, children: &[Term], negate: bool) -> Term {
        let term = self.terms.node(label, children);
        if negate { self.terms.node("not", &[term]) } else { term }
    }

    fn between(&mut self, [value, low, high]: [NodeId; 3], negate: bool) -> Term {
        let (value, low, high) = (self.expression(value), self.expression(low), self.expression(high));
        let above = self.comparison(BinaryOperator::LessOrEqual, low, value, negate);
        let below = self.comparison(BinaryOperator::LessOrEqual, value, high, negate);
        self.connect(Connective::And.flipped(negate), vec![above, below])
    }

    fn in_list(&mut self, id: NodeId, value: NodeId, items: &[NodeId], negate: bool) -> Term {
        let of_one_type = items.iter().all(|item| self.same_type(value, *item));
        let operand = value;
        let value = self.expression(operand);
        let mut terms: Vec<Term> = items.iter().map(|item| self.expression(*item)).collect();
        if of_one_type && !items.is_empty() {
            let whole: Vec<bool> = items.iter().map(|item| self.are_integers(operand, *item)).collect();
            let mut comparisons = Vec::with_capacity(terms.len());
            for (item, whole) in terms.iter().zip(whole) {
                let term = self.comparison(BinaryOperator::Equal, value, *item, negate);
                self.note_integers(term, whole);
                comparisons.push(term);
            }
            return self.connect(Connective::Or.flipped(negate), comparisons);
        }
        terms.sort_unstable();
        terms.dedup();
        terms.insert(0, value);
        debug_assert!(matches!(self.tree.kind(id), Kind::InList { .. }));
        self.maybe_not("in", &terms, negate)
    }

    /// Whether two expressions are known to compare without a lossy cast.
    pub(super) fn same_type(&self, left: NodeId, right: NodeId) -> bool {
        let (left, right) = (self.scopes.type_of(left), self.scopes.type_of(right));
        let known = !matches!(left, Type::Unknown | Type::Null);
        known && (left == right || left.is_integer() && right.is_integer())
    }

    /// Returns the words ANY, ALL and ESCAPE of a pattern match, which the tree does not hold.
    fn pattern_words(&self, id: NodeId) -> String {
        let noise = ["not", "like", "ilike", "rlike", "regexp"];
        self.residue(id).filter(|word| !noise.contains(&word.as_str())).collect::<Vec<_>>().join(" ")
    }
}
