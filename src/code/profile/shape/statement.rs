//! INSERT and CREATE: targets, partitions and options.

use super::{NodeSize, ShapeBuilder};
use crate::code::tree::{Kind, NodeId};

impl ShapeBuilder<'_> {
    pub(super) fn column_definition(&mut self, children: &[NodeId]) -> NodeSize {
        let parts = self.all(children);
        let height = if children.len() > 2 { parts.height.max(2) } else { parts.height };
        self.solid(NodeSize { height, ..parts })
    }

    /// Columns make a schema around the table; options such as the partitioning stand together in one node.
    pub(super) fn create(&mut self, node: NodeId, children: &[NodeId]) -> NodeSize {
        let tree = self.script.tree();
        let (mut target, mut definitions, mut rest) = (NodeSize::default(), NodeSize::default(), NodeSize::default());
        let mut options = NodeSize::default();
        for child in children {
            let forest = self.forest(*child);
            match tree.kind(*child) {
                Kind::Table if target.count == 0 => target = forest,
                Kind::ColumnDefinition | Kind::ColumnList => definitions = definitions.and(forest),
                Kind::PartitionColumns | Kind::Table => options = options.and(forest),
                _ => rest = rest.and(forest),
            }
        }
        if definitions.count > 0 {
            target = self.solid(target.and(definitions));
        }
        if self.has_options(node) {
            options = self.solid(options.and(NodeSize::one(0)));
        }
        self.solid(target.and(rest).and(options))
    }

    /// Words such as TEMPORARY, USING or STORED AS outside of brackets and before the query.
    fn has_options(&self, node: NodeId) -> bool {
        const OPTIONS: [&str; 9] =
            ["TEMPORARY", "TEMP", "USING", "STORED", "PARTITIONED", "COMMENT", "LOCATION", "TBLPROPERTIES", "LIKE"];
        let mut depth = 0usize;
        for at in self.script.token_range(node) {
            match self.script.token_text(at) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                word if depth == 0 && word.eq_ignore_ascii_case("AS") && !self.follows_stored(at) => return false,
                word if depth == 0 && OPTIONS.iter().any(|option| word.eq_ignore_ascii_case(option)) => return true,
                _ => {}
            }
        }
        false
    }

    fn follows_stored(&self, at: usize) -> bool {
        at > 0 && self.script.token_text(at - 1).eq_ignore_ascii_case("STORED")
    }

    pub(super) fn partition_item(&mut self, children: &[NodeId]) -> NodeSize {
        match children {
            [_, value] => {
                let value = self.forest(*value);
                self.solid(NodeSize::one(1).and(value))
            }
            _ => NodeSize::one(1),
        }
    }

    /// The partition belongs to the table, a column list makes a schema around both.
    pub(super) fn insert(&mut self, children: &[NodeId]) -> NodeSize {
        let mut target = NodeSize::default();
        let mut rest = NodeSize::default();
        for child in children {
            let forest = self.forest(*child);
            match self.script.tree().kind(*child) {
                Kind::Table => target = forest,
                Kind::PartitionSpec => target = NodeSize::one(target.height.max(forest.height + 1)),
                Kind::ColumnList => target = self.solid(target.and(forest)),
                _ => rest = rest.and(forest),
            }
        }
        self.solid(target.and(rest))
    }
}
