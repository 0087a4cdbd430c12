//! Expressions: names are bound and types told from the leaves up, with a stack of our own.

use super::place::{ExpressionPlace, OuterFrames};
use super::resolver::Resolver;
use crate::code::arithmetic::{arithmetic_type, bit_type, decimal_literal, number_type, typed_literal_type};
use crate::code::interval::units;
use crate::code::schema::read_type;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;
use crate::code::widen::{widen, widest};

impl Resolver<'_> {
    /// Resolves the expressions below a clause node.
    pub fn expressions_under(&mut self, clause: NodeId, place: ExpressionPlace) {
        for child in self.tree.children(clause).iter().copied() {
            self.expression(child, place);
        }
    }

    /// Resolves an expression and everything in it.
    ///
    /// The nodes of an expression stand together in the arena, leaves first, so that most are resolved in one sweep;
    /// only sub-queries, which see the names of the expression's place, need a walk around their own nodes.
    pub fn expression(&mut self, root: NodeId, place: ExpressionPlace) {
        let first = self.first_leaf(root);
        let nodes = (first.0..=root.0).map(NodeId);
        let (mut lambdas, mut queries) = (false, false);
        for node in nodes.clone() {
            let kind = self.tree.kind(node);
            lambdas |= kind == Kind::Lambda;
            queries |= kind == Kind::Query;
        }
        if queries {
            return self.walk_around_queries(root, place, lambdas);
        }
        for node in nodes {
            self.visit(node, place, lambdas);
        }
    }

    fn first_leaf(&self, root: NodeId) -> NodeId {
        let mut node = root;
        while let Some(first) = self.tree.children(node).first() {
            node = *first;
        }
        node
    }

    fn walk_around_queries(&mut self, root: NodeId, place: ExpressionPlace, lambdas: bool) {
        let mut pending = vec![root];
        let mut order = Vec::new();
        while let Some(node) = pending.pop() {
            order.push(node);
            if self.tree.kind(node) != Kind::Query {
                pending.extend_from_slice(self.tree.children(node));
            }
        }
        for node in order.into_iter().rev() {
            self.visit(node, place, lambdas);
        }
    }

    fn visit(&mut self, node: NodeId, place: ExpressionPlace, lambdas: bool) {
        let kind = self.tree.kind(node);
        let (data_type, nullable) = match kind {
            Kind::Query => {
                let context = OuterFrames { outer: place.frame, shared: None };
                return self.query(node, context);
            }
            Kind::Column => self.column(node, place, lambdas),
            Kind::Field => self.field(node),
            _ => match self.type_of_node(node, kind) {
                Some(typed) => typed,
                None => return,
            },
        };
        self.scopes.types.insert(node, data_type, nullable);
    }

    fn type_of_node(&self, node: NodeId, kind: Kind) -> Option<(Type, bool)> {
        let children = self.tree.children(node);
        let child = |index: usize| children.get(index).map_or((Type::Unknown, true), |child| self.typed(*child));
        Some(match kind {
            Kind::Text => (Type::String, false),
            Kind::Number => (number_type(self.script.slice(node)), false),
            Kind::Placeholder => (Type::Unknown, false),
            Kind::Null => (Type::Null, true),
            Kind::Boolean(_)
            | Kind::Exists
            | Kind::IsNull { .. }
            | Kind::IsBoolean { .. }
            | Kind::IsDistinct { .. } => (Type::Boolean, false),
            Kind::TypedText => (typed_literal_type(self.script.slice(node)), false),
            Kind::Interval => (Type::Interval(units(self.script, node)), self.any_nullable(children)),
            Kind::And
            | Kind::Or
            | Kind::Not
            | Kind::InList { .. }
            | Kind::Between { .. }
            | Kind::Pattern { .. }
            | Kind::InQuery { .. } => (Type::Boolean, self.any_nullable(children)),
            Kind::Binary(operator) => self.binary(operator, children),
            Kind::Unary | Kind::Paren | Kind::Else => child(0),
            Kind::When => child(1),
            Kind::Lambda => children.last().map_or((Type::Unknown, true), |body| self.typed(*body)),
            Kind::Case { operand } => self.case(children, operand),
            Kind::Cast => self.cast(children),
            Kind::Call { .. } => self.call(node),
            Kind::ScalarQuery | Kind::Quantified { .. } => self.scalar_query(children),
            Kind::Index => (element_of(&child(0).0), true),
            Kind::Tuple => (self.tuple(children), false),
            _ => return None,
        })
    }

    fn any_nullable(&self, nodes: &[NodeId]) -> bool {
        nodes.iter().any(|node| self.scopes.types.get(*node).is_some_and(|(_, nullable)| nullable))
    }

    fn binary(&self, operator: BinaryOperator, children: &[NodeId]) -> (Type, bool) {
        let [left_node, right_node] = children else { return (Type::Unknown, true) };
        let nullable = self.any_nullable(children);
        let (left, right) = self.operands(*left_node, *right_node);
        match operator {
            BinaryOperator::NullSafeEqual => (Type::Boolean, false),
            operator if operator.is_comparison() => (Type::Boolean, nullable),
            BinaryOperator::Concat => match (&left, &right) {
                (Type::Array(_), _) | (_, Type::Array(_)) => (widen(&left, &right), nullable),
                _ => (Type::String, nullable),
            },
            BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor => {
                (bit_type(&left, &right), nullable)
            }
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight | BinaryOperator::ShiftRightUnsigned => {
                (if left == Type::BigInt { left } else { Type::Int }, nullable)
            }
            BinaryOperator::Divide | BinaryOperator::Modulo | BinaryOperator::IntegerDivide => {
                (arithmetic_type(operator, &left, &right), true)
            }
            _ => (arithmetic_type(operator, &left, &right), nullable),
        }
    }

    /// The types of two operands of arithmetic; a whole-number literal beside a decimal becomes a decimal.
    pub fn operands(&self, left: NodeId, right: NodeId) -> (Type, Type) {
        let (mut left_type, mut right_type) = (self.typed(left).0, self.typed(right).0);
        if matches!(right_type, Type::Decimal(..)) {
            left_type = self.exact_literal(left).unwrap_or(left_type);
        }
        if matches!(left_type, Type::Decimal(..)) {
            right_type = self.exact_literal(right).unwrap_or(right_type);
        }
        (left_type, right_type)
    }

    /// Beside a decimal a whole number literal is a decimal with as many digits as it has.
    fn exact_literal(&self, node: NodeId) -> Option<Type> {
        match self.tree.kind(node) {
            Kind::Number => Some(decimal_literal(self.script.slice(node))).filter(|_| self.typed(node).0.is_integer()),
            Kind::Unary | Kind::Paren => self.exact_literal(*self.tree.children(node).first()?),
            _ => None,
        }
    }

    fn case(&self, children: &[NodeId], operand: bool) -> (Type, bool) {
        let results: Vec<(Type, bool)> =
            children[usize::from(operand)..].iter().map(|part| self.typed(*part)).collect();
        let has_else = children.last().is_some_and(|last| self.tree.kind(*last) == Kind::Else);
        let nullable = !has_else || results.iter().any(|(_, nullable)| *nullable);
        (widest(results.iter().map(|(data_type, _)| data_type)), nullable)
    }

    /// A cast gives NULL where the value does not fit the type (ANSI mode is off).
    fn cast(&self, children: &[NodeId]) -> (Type, bool) {
        let [value, target] = children else { return (Type::Unknown, true) };
        let (from, nullable) = self.typed(*value);
        let to = read_type(self.script.slice(*target)).unwrap_or_default();
        let may_fail = match (&from, &to) {
            (_, Type::String) => false,
            (Type::String, _) | (_, Type::Decimal(..)) => true,
            (Type::Double, to) => to.is_integer() || to.is_temporal(),
            _ => false,
        };
        (to, nullable || may_fail)
    }

    fn scalar_query(&self, children: &[NodeId]) -> (Type, bool) {
        let outputs = children.first().map(|query| self.outputs_of(*query));
        let first = outputs.as_ref().and_then(|outputs| outputs.first());
        (first.map(|column| column.data_type.clone()).unwrap_or_default(), true)
    }

    fn tuple(&self, children: &[NodeId]) -> Type {
        let name = |(index, child): (usize, &NodeId)| match self.tree.kind(*child) {
            Kind::Column | Kind::Field => self.script.last_name(*child),
            _ => format!("col{}", index + 1),
        };
        let types = children.iter().map(|child| self.typed(*child).0);
        Type::Struct(children.iter().enumerate().map(name).zip(types).collect())
    }
}

/// What `x[i]` gives.
fn element_of(data_type: &Type) -> Type {
    match data_type {
        Type::Array(element) => (**element).clone(),
        Type::Map(_, value) => (**value).clone(),
        _ => Type::Unknown,
    }
}
