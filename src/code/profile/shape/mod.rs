//! Depth, width and functions as sqlglot 30 would find them.
//!
//! Our tree has fewer and flatter nodes: sqlglot wraps an output in `Alias`, nests AND and OR to the left, has no node
//! for the SELECT list, ON or a query apart from its SELECT, and splits an alias into name nodes. Each kind of node
//! here says how sqlglot would build it; the figures follow from the leaves up in one pass over the arena.

mod call;
mod statement;

use crate::code::functions::lookup;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId, PatternOperator};

/// Depth, width and number of functions of one statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Edges from the root to the deepest node.
    pub depth: usize,
    /// Children of the widest node.
    pub width: usize,
    /// Function nodes.
    pub functions: usize,
}

/// What sqlglot builds for one of our nodes: how many nodes side by side, and the height of the tallest.
#[derive(Clone, Copy, Default)]
struct NodeSize {
    count: usize,
    height: usize,
}

impl NodeSize {
    fn one(height: usize) -> NodeSize {
        NodeSize { count: 1, height }
    }

    fn and(self, other: NodeSize) -> NodeSize {
        NodeSize { count: self.count + other.count, height: self.height.max(other.height) }
    }
}

/// The shape of one statement.
pub fn shape(script: &Script, statement: NodeId) -> Shape {
    let tree = script.tree();
    let mut first = statement;
    while let Some(child) = tree.children(first).first() {
        first = *child;
    }
    let base = first.index();
    let forests = vec![NodeSize::default(); statement.index() + 1 - base];
    let mut builder = ShapeBuilder { script, base, forests, shape: Shape::default() };
    for index in base..=statement.index() {
        let node = NodeId(index as u32);
        let forest = builder.build(node);
        builder.forests[index - base] = forest;
    }
    let root = builder.forest(statement);
    let shape = builder.shape;
    Shape { depth: root.height, ..shape }
}

struct ShapeBuilder<'a> {
    script: &'a Script,
    /// Arena index of the statement's first leaf.
    base: usize,
    /// What sqlglot builds for each node from `base` on.
    forests: Vec<NodeSize>,
    shape: Shape,
}

impl ShapeBuilder<'_> {
    fn forest(&self, node: NodeId) -> NodeSize {
        self.forests[node.index() - self.base]
    }

    fn all(&self, nodes: &[NodeId]) -> NodeSize {
        nodes.iter().fold(NodeSize::default(), |all, node| all.and(self.forest(*node)))
    }

    /// One node with `inner` as its children.
    fn solid(&mut self, inner: NodeSize) -> NodeSize {
        self.shape.width = self.shape.width.max(inner.count);
        NodeSize::one(if inner.count == 0 { 0 } else { inner.height + 1 })
    }

    /// One function node with `inner` as its children.
    fn function(&mut self, inner: NodeSize) -> NodeSize {
        self.shape.functions += 1;
        self.solid(inner)
    }

    /// `NOT` around a negated predicate.
    fn negated(&mut self, negated: bool, inner: NodeSize) -> NodeSize {
        if negated { self.solid(inner) } else { inner }
    }

    fn build(&mut self, node: NodeId) -> NodeSize {
        let tree = self.script.tree();
        let children = tree.children(node);
        let inner = self.all(children);
        match tree.kind(node) {
            Kind::FunctionName => NodeSize::default(),
            Kind::Identifier
            | Kind::Text
            | Kind::Null
            | Kind::Boolean(_)
            | Kind::Star
            | Kind::Command
            | Kind::Opaque
            | Kind::Broken
            | Kind::Sample => NodeSize::one(0),
            Kind::Number => self.number(node),
            Kind::Placeholder => NodeSize::one(1),
            Kind::TypedText => self.function(NodeSize { count: 2, height: 0 }),
            Kind::TypeName => self.type_name(node),
            Kind::Column => self.column(node, inner),
            Kind::Wildcard => NodeSize::one(usize::from(inner.count > 0)),
            Kind::Projection
            | Kind::On
            | Kind::Using
            | Kind::Else
            | Kind::Over
            | Kind::WindowSpec
            | Kind::PartitionBy
            | Kind::FrameBound
            | Kind::ColumnList
            | Kind::Windows
            | Kind::Relation
            | Kind::Script => inner,
            Kind::Select { distinct } => {
                NodeSize { count: inner.count + usize::from(distinct) + usize::from(self.has_hint(node)), ..inner }
            }
            Kind::Values => inner,
            Kind::Parenthesized => inner,
            Kind::SetOperation { .. } => self.operands(children),
            Kind::SelectItem if children.len() == 1 => inner,
            Kind::Alias if self.is_output(node) => inner,
            Kind::CommonTable => self.common_table(children),
            Kind::From => self.from(node, children),
            Kind::LateralView { .. } => self.lateral_view(children),
            Kind::Call { distinct } => self.call(node, distinct),
            Kind::Cast | Kind::Case { .. } | Kind::When | Kind::Exists => self.function(inner),
            Kind::And | Kind::Or => self.chain(children),
            Kind::IsNull { negated } | Kind::IsBoolean { negated, .. } => {
                let is = self.solid(inner.and(NodeSize::one(0)));
                self.negated(negated, is)
            }
            Kind::InList { negated } | Kind::Between { negated } => {
                let predicate = self.solid(inner);
                self.negated(negated, predicate)
            }
            Kind::InQuery { negated } => {
                let height = inner.height.max(children.last().map_or(0, |query| self.forest(*query).height + 1));
                let predicate = self.solid(NodeSize { height, ..inner });
                self.negated(negated, predicate)
            }
            Kind::Pattern { negated, operator: PatternOperator::Regexp } => {
                let predicate = self.function(inner);
                self.negated(negated, predicate)
            }
            Kind::Interval => self.solid(inner.and(NodeSize::one(0))),
            Kind::ClusterBy | Kind::DistributeBy => self.solid(NodeSize { height: inner.height + 1, ..inner }),
            Kind::PartitionItem => self.partition_item(children),
            Kind::ColumnDefinition => self.column_definition(children),
            Kind::PartitionColumns => {
                let list = self.solid(inner);
                self.solid(list)
            }
            Kind::CreateTable | Kind::CreateView => self.create(node, children),
            Kind::Insert { .. } | Kind::InsertBranch { .. } => self.insert(children),
            _ => self.solid(inner),
        }
    }

    /// Precision and nested types are nodes.
    fn type_name(&mut self, node: NodeId) -> NodeSize {
        let text = self.script.slice(node);
        let mut depth = 0usize;
        let mut deepest = 0;
        for character in text.chars() {
            match character {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        NodeSize::one(deepest + if text.contains('(') { 2 } else { 0 })
    }

    /// A number with a suffix such as `1.0D` is a cast.
    fn number(&mut self, node: NodeId) -> NodeSize {
        if self.script.slice(node).ends_with(|last: char| last.is_ascii_alphabetic()) {
            return self.function(NodeSize { count: 2, height: 0 });
        }
        NodeSize::one(0)
    }

    /// `/*+ … */` after SELECT.
    fn has_hint(&self, select: NodeId) -> bool {
        let tree = self.script.tree();
        let Some(projection) = tree.child(select, |kind| kind == Kind::Projection) else { return false };
        let first = tree.span(projection).start;
        let before = &self.script.text()[tree.span(select).start..first];
        before.rfind("/*+").is_some_and(|hint| before[hint..].trim_end().ends_with("*/"))
    }

    /// A plain word such as `current_date` is a function.
    fn column(&mut self, node: NodeId, inner: NodeSize) -> NodeSize {
        if lookup(self.script.slice(node)).is_some_and(|function| function.without_brackets) {
            return self.function(NodeSize::default());
        }
        self.solid(inner)
    }

    fn is_output(&self, alias: NodeId) -> bool {
        let tree = self.script.tree();
        tree.parent(alias).is_some_and(|parent| tree.kind(parent) == Kind::SelectItem)
    }

    fn operands(&mut self, children: &[NodeId]) -> NodeSize {
        let mut operands = NodeSize::default();
        for child in children {
            let operand = self.forest(*child);
            operands = operands.and(self.solid(operand));
        }
        operands
    }

    fn common_table(&mut self, children: &[NodeId]) -> NodeSize {
        let Some((query, names)) = children.split_last() else { return NodeSize::one(0) };
        let names = self.all(names);
        let alias = self.solid(names);
        let query = self.forest(*query);
        self.solid(alias.and(query))
    }

    /// The first relation stands below `From`, further ones below `Join`; joins and lateral views belong to the SELECT.
    /// A multi-insert has its source without `From`.
    fn from(&mut self, from: NodeId, relations: &[NodeId]) -> NodeSize {
        let tree = self.script.tree();
        if tree.parent(from).is_some_and(|parent| tree.kind(parent) == Kind::MultiInsert) {
            return self.all(relations);
        }
        let mut all = NodeSize::default();
        for relation in relations {
            let Some((primary, rest)) = self.script.tree().children(*relation).split_first() else { continue };
            let primary = self.forest(*primary);
            let rest = self.all(rest);
            all = all.and(self.solid(primary)).and(rest);
        }
        all
    }

    fn lateral_view(&mut self, children: &[NodeId]) -> NodeSize {
        let Some((call, names)) = children.split_first() else { return NodeSize::one(0) };
        let names = self.all(names);
        let alias = self.solid(names);
        let call = self.forest(*call);
        self.solid(call.and(alias))
    }

    /// `((a AND b) AND c)`: each operator is a node over two.
    fn chain(&mut self, children: &[NodeId]) -> NodeSize {
        let mut left = NodeSize::default();
        for (position, child) in children.iter().enumerate() {
            let operand = self.forest(*child);
            left = if position == 0 { operand } else { self.function(left.and(operand)) };
        }
        left
    }
}
