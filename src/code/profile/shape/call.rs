//! Calls: DISTINCT, FILTER and OVER are nodes, and some functions have nodes around or beside their arguments.

use super::{NodeSize, ShapeBuilder};
use crate::code::tree::{Kind, NodeId};

impl ShapeBuilder<'_> {
    pub(super) fn call(&mut self, node: NodeId, distinct: bool) -> NodeSize {
        let tree = self.script.tree();
        let arguments = self.script.arguments(node);
        let mut inner = self.special_arguments(node, &arguments);
        if distinct {
            inner = self.solid(inner);
        }
        let mut call = self.function(inner);
        if let Some(filter) = tree.child(node, |kind| kind == Kind::Filter) {
            let filter = self.forest(filter);
            call = self.solid(call.and(filter));
        }
        if let Some(over) = tree.child(node, |kind| kind == Kind::Over) {
            let over = self.forest(over);
            call = self.solid(call.and(over));
        }
        call
    }

    /// Arguments with the nodes that sqlglot puts around or beside them.
    fn special_arguments(&mut self, node: NodeId, arguments: &[NodeId]) -> NodeSize {
        let inner = self.all(arguments);
        match self.script.function_name(node).as_str() {
            "datediff" => {
                self.shape.functions += 2;
                NodeSize { height: inner.height + 1, ..inner }
            }
            "year" | "month" | "day" | "dayofmonth" | "dayofweek" | "weekofyear" | "quarter" | "date_format" => {
                self.shape.functions += 1;
                let first = arguments.first().map_or(0, |first| self.forest(*first).height + 1);
                NodeSize { height: inner.height.max(first), ..inner }
            }
            "unix_timestamp" if arguments.is_empty() => {
                self.shape.functions += 1;
                NodeSize::one(0)
            }
            "date_add" => inner.and(NodeSize::one(0)),
            "date_sub" => {
                let second = arguments.get(1).map_or(0, |second| self.forest(*second).height + 1).max(2);
                inner.and(NodeSize::one(second))
            }
            "get_json_object" => self.json_path(arguments, inner),
            "named_struct" => NodeSize { count: arguments.len() / 2, height: inner.height + 1 },
            "struct" => NodeSize { height: inner.height + 1, ..inner },
            "map" if !arguments.is_empty() => {
                self.shape.functions += 2;
                self.shape.width = self.shape.width.max(arguments.len() / 2);
                NodeSize { count: 2, height: inner.height + 1 }
            }
            _ => inner,
        }
    }

    fn json_path(&mut self, arguments: &[NodeId], inner: NodeSize) -> NodeSize {
        let path = arguments.get(1).map_or("", |path| self.script.slice(*path));
        self.shape.width = self.shape.width.max(path.matches(['.', '[']).count() + 1);
        NodeSize { height: inner.height.max(1), ..inner }
    }
}
