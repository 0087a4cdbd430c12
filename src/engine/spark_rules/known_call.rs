//! A call of a function of the catalogue, as the rules about calls see it.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::functions::{Function, FunctionKind, lookup};
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// Whether a call gives one value from many rows.
pub(super) fn is_aggregate(context: &RuleContext<'_>, call: NodeId) -> bool {
    context.script.is_aggregate(call)
}

/// Whether a call has an OVER clause.
pub(super) fn is_window_call(context: &RuleContext<'_>, call: NodeId) -> bool {
    context.script.is_windowed(call)
}

/// Whether a function makes sense only over a window.
pub(super) fn window_only(name: &str) -> bool {
    lookup(name).is_some_and(|function| function.kind == FunctionKind::Window)
}

/// A call of a function that exists.
pub(super) struct KnownCall<'a> {
    pub context: &'a RuleContext<'a>,
    pub node: NodeId,
    pub function: &'static Function,
    pub arguments: Vec<NodeId>,
}

impl KnownCall<'_> {
    /// Returns the type of an argument; unknown if there is none at this position.
    pub fn type_at(&self, position: usize) -> &Type {
        self.arguments.get(position).map_or(&Type::Unknown, |argument| self.context.scopes.type_of(*argument))
    }

    pub fn types(&self) -> Vec<&Type> {
        self.arguments.iter().map(|argument| self.context.scopes.type_of(*argument)).collect()
    }

    /// Returns where a call is reported: for a generator in LATERAL VIEW, that is the view.
    pub fn span(&self) -> Span {
        let parent = self.context.tree().parent(self.node);
        let view = parent.filter(|parent| matches!(self.context.kind(*parent), Kind::LateralView { .. }));
        self.context.span(view.unwrap_or(self.node))
    }

    /// The finding that the types of the arguments do not fit.
    pub fn mismatch(&self, class: &'static str, reason: &str) -> RuleFinding {
        let words =
            format!("Cannot resolve \"{}\" due to data type mismatch: {reason}.", self.context.quoted(self.node));
        RuleFinding::new(class, "42K09", self.span(), words)
    }
}
