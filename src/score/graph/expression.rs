//! Values: operators, CASE, casts, and everything that has no rule of its own.

use super::GraphBuilder;
use super::condition::Connective;
use super::terms::Term;
use crate::code::tree::{BinaryOperator, Kind, NodeId};

impl GraphBuilder<'_> {
    pub(super) fn expression(&mut self, id: NodeId) -> Term {
        match self.tree.kind(id) {
            Kind::And
            | Kind::Or
            | Kind::Not
            | Kind::Between { .. }
            | Kind::InList { .. }
            | Kind::InQuery { .. }
            | Kind::IsNull { .. }
            | Kind::IsBoolean { .. }
            | Kind::IsDistinct { .. }
            | Kind::Pattern { .. }
            | Kind::Boolean(_) => self.condition(id, false),
            Kind::Binary(operator) if operator.is_comparison() => self.condition(id, false),
            _ => self.value(id),
        }
    }

    /// Returns the graph of an expression that is not a condition.
    pub(super) fn value(&mut self, id: NodeId) -> Term {
        let children: Vec<NodeId> = self.tree.children(id).to_vec();
        match (self.tree.kind(id), &children[..]) {
            (Kind::Paren, [inner]) => self.expression(*inner),
            (Kind::Column, _) => self.column(id),
            (Kind::Text, _) => self.text(id),
            (Kind::Number, _) => self.number(id),
            (Kind::Null, _) => self.terms.leaf("null"),
            (Kind::TypeName, _) => self.type_name(id),
            (Kind::Query, _) => self.query(id),
            (Kind::ScalarQuery, [query]) => {
                let query = self.query(*query);
                self.terms.node("scalar", &[query])
            }
            (Kind::Binary(operator), [left, right]) => self.binary(operator, *left, *right),
            (Kind::Unary, [inner]) => self.unary(id, *inner),
            (Kind::Case { operand }, _) => self.case(&children, operand),
            (Kind::Cast, [value, to]) => {
                let parts = [self.expression(*value), self.type_name(*to)];
                let safe = self.script.token_text(*self.script.token_range(id).start());
                self.terms.node(if safe.eq_ignore_ascii_case("try_cast") { "try cast" } else { "cast" }, &parts)
            }
            (Kind::Call { distinct }, _) => self.call(id, distinct),
            (Kind::Field, [of, name]) => {
                let of = self.expression(*of);
                self.field(of, *name)
            }
            (Kind::Lambda, [.., body]) => {
                let body = self.expression(*body);
                self.terms.node(&format!("lambda {}", children.len() - 1), &[body])
            }
            (Kind::Wildcard, _) => self.wildcard(id),
            (Kind::Star, _) => self.terms.leaf("star"),
            _ => self.generic(id),
        }
    }

    fn binary(&mut self, operator: BinaryOperator, left: NodeId, right: NodeId) -> Term {
        let parts = vec![self.expression(left), self.expression(right)];
        use BinaryOperator::*;
        match operator {
            Plus | Multiply | BitAnd | BitOr | BitXor => self.terms.bag(&format!("{operator:?}"), parts),
            Concat => self.concat(parts),
            Modulo => self.terms.node("mod", &parts),
            _ => self.terms.node(&format!("{operator:?}"), &parts),
        }
    }

    /// Returns a flat concatenation: `a || (b || c)` is `concat(a, b, c)`.
    pub(super) fn concat(&mut self, parts: Vec<Term>) -> Term {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            if self.terms.label_of(part) == "concat" {
                flat.extend_from_slice(self.terms.children_of(part));
            } else {
                flat.push(part);
            }
        }
        self.terms.node("concat", &flat)
    }

    fn unary(&mut self, id: NodeId, inner: NodeId) -> Term {
        let operator = self.script.token_text(*self.script.token_range(id).start()).to_owned();
        let inner = self.expression(inner);
        if operator == "+" { inner } else { self.terms.node(&format!("unary {operator}"), &[inner]) }
    }

    fn case(&mut self, children: &[NodeId], has_operand: bool) -> Term {
        let operand = children.first().filter(|_| has_operand).map(|first| self.expression(*first));
        let (mut parts, mut otherwise) = (Vec::with_capacity(children.len() * 2), None);
        for child in &children[usize::from(has_operand).min(children.len())..] {
            match (self.tree.kind(*child), &self.tree.children(*child).to_vec()[..]) {
                (Kind::When, [condition, result]) => {
                    let condition = match operand {
                        Some(operand) => {
                            let value = self.expression(*condition);
                            self.comparison(BinaryOperator::Equal, operand, value, false)
                        }
                        None => self.condition(*condition, false),
                    };
                    parts.extend([condition, self.expression(*result)]);
                }
                (Kind::Else, [result]) => otherwise = Some(*result),
                _ => parts.push(self.generic(*child)),
            }
        }
        let else_term = otherwise.map(|result| self.expression(result));
        let flat = otherwise.is_some_and(|result| self.is_flat(children, result));
        self.searched(parts, else_term, flat)
    }

    /// Whether a CASE in ELSE can be merged into the outer one: all results must have one type, so that no cast is
    /// lost.
    fn is_flat(&self, children: &[NodeId], otherwise: NodeId) -> bool {
        let results = |children: &[NodeId]| -> Vec<NodeId> {
            let arms = children.iter().filter(|child| matches!(self.tree.kind(**child), Kind::When | Kind::Else));
            arms.filter_map(|arm| self.tree.children(*arm).last().copied()).collect()
        };
        let mut inner = otherwise;
        while let (Kind::Paren, [only]) = (self.tree.kind(inner), self.tree.children(inner)) {
            inner = *only;
        }
        let all = [results(children), results(self.tree.children(inner))].concat();
        all.first().is_some_and(|first| all.iter().all(|other| self.same_type(*first, *other)))
    }

    /// Returns a searched CASE; `parts` holds conditions and results alternately.
    pub(super) fn searched(&mut self, mut parts: Vec<Term>, otherwise: Option<Term>, flat: bool) -> Term {
        match otherwise {
            Some(term) if self.terms.label_of(term) == "null" => {}
            Some(term) if flat && self.terms.label_of(term) == "case" => {
                parts.extend_from_slice(self.terms.children_of(term));
            }
            Some(term) => parts.push(term),
            None => {}
        }
        match self.coalesced(&parts) {
            Some(parts) => self.terms.node("coalesce()", &parts),
            None => self.terms.node("case", &parts),
        }
    }

    /// Returns the arguments of the COALESCE that a CASE amounts to, as with `WHEN a IS NOT NULL THEN a … ELSE b` and
    /// `WHEN a IS NULL THEN b ELSE a`.
    fn coalesced(&self, parts: &[Term]) -> Option<Vec<Term>> {
        let tested = |condition: Term, label: &str| match self.terms.children_of(condition) {
            [value] if self.terms.label_of(condition) == label => Some(*value),
            _ => None,
        };
        let present = |condition: Term| tested(tested(condition, "not")?, "is null");
        if let [condition, other, value] = parts
            && tested(*condition, "is null") == Some(*value)
        {
            return Some(vec![*value, *other]);
        }
        let (arms, rest) = parts.as_chunks::<2>();
        let is_arm = |[condition, result]: &[Term; 2]| present(*condition) == Some(*result);
        if arms.is_empty() || !arms.iter().all(is_arm) {
            return None;
        }
        // Without ELSE, COALESCE of the values alone is NULL in the same cases.
        Some(arms.iter().map(|[_, result]| *result).chain(rest.iter().copied()).collect())
    }

    /// Returns the graph of a construct without a rule of its own: its kind, its own words and its children in order.
    pub(super) fn generic(&mut self, id: NodeId) -> Term {
        let kind = self.tree.kind(id);
        if kind == Kind::Identifier {
            let name = self.script.name(id);
            return self.terms.leaf(&format!("name {name}"));
        }
        let children: Vec<NodeId> = self.tree.children(id).to_vec();
        let terms: Vec<Term> = children.iter().map(|child| self.expression(*child)).collect();
        let words = self.words(id);
        self.terms.node(&format!("{kind:?} {words}"), &terms)
    }

    /// The words of a node that belong to none of its children.
    pub(super) fn words(&self, id: NodeId) -> String {
        self.residue(id).collect::<Vec<_>>().join(" ")
    }

    /// Returns the tokens of a node outside its children in lower case, without commas, semicolons and parentheses.
    pub(super) fn residue(&self, id: NodeId) -> impl Iterator<Item = String> + '_ {
        let mut children = self.tree.children(id).iter().map(|child| self.script.token_range(*child)).peekable();
        let own = self.script.token_range(id).filter(move |index| {
            while children.next_if(|range| range.end() < index).is_some() {}
            !children.peek().is_some_and(|range| range.contains(index))
        });
        let text = |index: usize| self.script.token_text(index);
        own.map(text).filter(|word| !matches!(*word, "," | ";" | "(" | ")")).map(|word| {
            if word.starts_with(['\'', '"']) { word.to_owned() } else { word.trim_matches('`').to_lowercase() }
        })
    }

    /// Joins conditions by AND.
    pub(super) fn all_of(&mut self, conditions: Vec<Term>) -> Term {
        self.connect(Connective::And, conditions)
    }
}
