//! Expressions: names are bound and types told from the leaves up, with a stack of our own.

use super::arithmetic::{arithmetic_type, bit_type, number_type, text_of_typed};
use super::frame::FrameId;
use super::resolver::{Context, Resolver};
use super::widen::{widen, widest};
use crate::code::schema::read_type;
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

/// Which names an expression can use besides the columns of FROM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clause {
    /// WHERE, ON and arguments of generators: input columns only.
    Input,
    /// The SELECT list: input columns, then aliases to the left.
    Projection,
    /// GROUP BY: input columns, then aliases.
    Grouping,
    /// HAVING, QUALIFY and WINDOW: input columns, then aliases.
    Having,
    /// ORDER BY and its kin: aliases, then input columns.
    Ordering,
    /// ORDER BY after a set operation, VALUES or brackets: the outputs of this body only.
    OrderingOutputs(NodeId),
}

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub frame: Option<FrameId>,
    pub clause: Clause,
}

impl Place {
    /// Where no column can be named, except those of an enclosing block.
    pub fn nowhere(context: Context) -> Place {
        Place { frame: context.outer, clause: Clause::Input }
    }
}

impl Resolver<'_> {
    /// Resolves the expressions below a clause node.
    pub fn expressions_under(&mut self, clause: NodeId, place: Place) {
        for child in self.tree.children(clause).iter().copied() {
            self.expression(child, place);
        }
    }

    /// Resolves an expression and everything in it.
    ///
    /// The nodes of an expression stand together in the arena, leaves first, so that most are resolved in one sweep;
    /// only sub-queries, which see the names of the expression's place, need a walk around their own nodes.
    pub fn expression(&mut self, root: NodeId, place: Place) {
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

    fn walk_around_queries(&mut self, root: NodeId, place: Place, lambdas: bool) {
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

    fn visit(&mut self, node: NodeId, place: Place, lambdas: bool) {
        let kind = self.tree.kind(node);
        let typed = match kind {
            Kind::Query => {
                let context = Context { outer: place.frame, shared: None };
                return self.query(node, context);
            }
            Kind::Column => self.column(node, place, lambdas),
            Kind::Field => self.field(node),
            _ => match self.type_of_node(node, kind) {
                Some(typed) => typed,
                None => return,
            },
        };
        self.scopes.types.insert(node, typed);
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
            Kind::TypedText => (text_of_typed(self.script.slice(node)), false),
            Kind::Interval => (Type::Interval, self.any_nullable(children)),
            Kind::And
            | Kind::Or
            | Kind::Not
            | Kind::InList { .. }
            | Kind::Between { .. }
            | Kind::Pattern { .. }
            | Kind::InQuery { .. } => (Type::Boolean, self.any_nullable(children)),
            Kind::Binary(operator) => self.binary(operator, self.operand(children, 0), self.operand(children, 1)),
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

    pub fn any_nullable(&self, nodes: &[NodeId]) -> bool {
        nodes.iter().any(|node| self.scopes.types.get(*node).is_some_and(|(_, nullable)| *nullable))
    }

    /// The type of an operand; a whole-number literal beside a decimal is a decimal of its own digits.
    fn operand(&self, children: &[NodeId], at: usize) -> (Type, bool) {
        let (Some(operand), Some(other)) = (children.get(at), children.get(1 - at)) else {
            return (Type::Unknown, true);
        };
        let (data_type, nullable) = self.typed(*operand);
        let literal = match (self.tree.kind(*operand), self.tree.children(*operand)) {
            (Kind::Number, _) => Some(*operand),
            (Kind::Unary, [number]) if self.tree.kind(*number) == Kind::Number => Some(*number),
            _ => None,
        };
        match literal {
            Some(literal) if data_type.is_integer() && matches!(self.typed(*other).0, Type::Decimal(..)) => {
                let digits = self.script.slice(literal).trim_end_matches(|c: char| !c.is_ascii_digit());
                (Type::Decimal(digits.trim_start_matches('0').len().clamp(1, 38) as u8, 0), nullable)
            }
            _ => (data_type, nullable),
        }
    }

    fn binary(&self, operator: BinaryOperator, left: (Type, bool), right: (Type, bool)) -> (Type, bool) {
        let nullable = left.1 || right.1;
        match operator {
            BinaryOperator::NullSafeEqual => (Type::Boolean, false),
            operator if operator.is_comparison() => (Type::Boolean, nullable),
            BinaryOperator::Concat => match (&left.0, &right.0) {
                (Type::Array(_), _) | (_, Type::Array(_)) => (widen(&left.0, &right.0), nullable),
                _ => (Type::String, nullable),
            },
            BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor => {
                (bit_type(&left.0, &right.0), nullable)
            }
            BinaryOperator::Divide | BinaryOperator::Modulo | BinaryOperator::IntegerDivide => {
                (arithmetic_type(operator, &left.0, &right.0), true)
            }
            _ => (arithmetic_type(operator, &left.0, &right.0), nullable),
        }
    }

    fn case(&self, children: &[NodeId], operand: bool) -> (Type, bool) {
        let results: Vec<(Type, bool)> =
            children[usize::from(operand)..].iter().map(|part| self.typed(*part)).collect();
        let has_else = children.last().is_some_and(|last| self.tree.kind(*last) == Kind::Else);
        let nullable = !has_else || results.iter().any(|(_, nullable)| *nullable);
        (widest(results.iter().map(|(data_type, _)| data_type)), nullable)
    }

    /// A cast from text gives NULL where the text does not fit (ANSI mode is off).
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
        let field = |(index, child): (usize, &NodeId)| (format!("col{}", index + 1), self.typed(*child).0);
        Type::Struct(children.iter().enumerate().map(field).collect())
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
