//! Decides whether two expressions compute the same, for GROUP BY and ORDER BY.

use super::Translator;
use crate::code::scope::ColumnTarget;
use crate::code::tree::{Kind, NodeId};

impl Translator<'_> {
    /// Whether two expressions of a block are the same up to brackets, aliases, letter case and qualifiers.
    pub fn is_same_expression(&self, left: NodeId, right: NodeId) -> bool {
        let (left, right) = (self.unwrapped(left), self.unwrapped(right));
        if left == right {
            return true;
        }
        let (kind, children) = (self.kind(left), self.children(left));
        if kind != self.kind(right) {
            return false;
        }
        if kind == Kind::Column {
            return self.same_column(left, right);
        }
        let others = self.children(right);
        if children.is_empty() {
            return self.same_text(left, right, kind);
        }
        children.len() == others.len()
            && children.iter().zip(others).all(|(left, right)| self.is_same_expression(*left, *right))
            && (kind != Kind::Interval && kind != Kind::Unary || self.same_text(left, right, kind))
    }

    fn same_text(&self, left: NodeId, right: NodeId, kind: Kind) -> bool {
        let (left, right) = (self.script.slice(left), self.script.slice(right));
        if kind == Kind::Text { left == right } else { left.eq_ignore_ascii_case(right) }
    }

    fn same_column(&self, left: NodeId, right: NodeId) -> bool {
        let (Some(a), Some(b)) = (self.scopes.binding(left), self.scopes.binding(right)) else { return false };
        let fields = |node: NodeId, length: usize| {
            self.children(node)[length..].iter().map(|field| self.script.name(*field)).collect::<Vec<_>>()
        };
        a.target == b.target && fields(left, a.path_length) == fields(right, b.path_length)
    }

    /// Returns an expression without brackets around it, with an alias of the SELECT list replaced by its expression.
    fn unwrapped(&self, expression: NodeId) -> NodeId {
        let mut expression = expression;
        for _ in 0..20 {
            let inner = match (self.kind(expression), self.scopes.binding(expression)) {
                (Kind::Paren, _) => self.children(expression).first(),
                (Kind::Column, Some(binding)) if self.children(expression).len() == 1 => match binding.target {
                    ColumnTarget::Alias(item) => self.children(item).first(),
                    _ => None,
                },
                _ => None,
            };
            match inner {
                Some(inner) => expression = *inner,
                None => break,
            }
        }
        expression
    }
}
