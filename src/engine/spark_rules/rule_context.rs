//! What a rule sees of the script that it judges.

use super::rule_finding::RuleFinding;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId, Tree};

/// A statement as every rule sees it.
pub struct RuleContext<'a> {
    pub(super) script: &'a Script,
    pub(super) scopes: &'a Scopes,
    pub(super) schema: &'a Schema,
    /// The statement that is judged.
    pub(super) statement: NodeId,
    /// The statement and everything below it, parents first, in source order.
    pub(super) nodes: Vec<NodeId>,
}

impl<'a> RuleContext<'a> {
    pub(super) fn tree(&self) -> &'a Tree {
        self.script.tree()
    }

    pub(super) fn kind(&self, node: NodeId) -> Kind {
        self.tree().kind(node)
    }

    pub(super) fn span(&self, node: NodeId) -> Span {
        self.tree().span(node)
    }

    /// Returns the text of a node as messages quote it.
    pub(super) fn quoted(&self, node: NodeId) -> String {
        self.script.line(node)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.iter().copied()
    }

    /// Applies a rule to each node of the statement.
    pub(super) fn find(&self, rule: impl Fn(NodeId, &mut Vec<RuleFinding>)) -> Vec<RuleFinding> {
        let mut findings = Vec::new();
        self.nodes().for_each(|node| rule(node, &mut findings));
        findings
    }

    /// Returns that an operator of Spark's plans cannot hold an expression.
    pub(super) fn unsupported_in(&self, operator: &str, expression: NodeId, at: NodeId) -> RuleFinding {
        let words = format!(
            "The query operator {operator} contains one or more unsupported expressions. Invalid expressions: [\"{}\"].",
            self.quoted(expression)
        );
        RuleFinding::new("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", self.span(at), words)
    }

    /// A node and all below it that is not in a sub-query, parents first, in source order.
    pub(super) fn own_nodes(&self, top: NodeId) -> impl Iterator<Item = NodeId> {
        let mut stack = vec![top];
        std::iter::from_fn(move || {
            loop {
                let node = stack.pop()?;
                if self.kind(node) != Kind::Query {
                    stack.extend(self.tree().children(node).iter().rev());
                    return Some(node);
                }
            }
        })
    }

    /// The nodes of the statement whose kinds `wanted` accepts.
    pub(super) fn nodes_where(&self, wanted: impl Fn(Kind) -> bool) -> impl Iterator<Item = NodeId> {
        self.nodes().filter(move |id| wanted(self.kind(*id)))
    }
}
