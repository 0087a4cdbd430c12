//! The uses of columns, and what each says of the column's type.

use super::base_columns::{ColumnName, RETURN_A_VALUE};
use super::blocks::Blocks;
use super::evidence::{TypeEvidence, evidence_of_type};
use crate::code::functions::{Function, RowGenerator};
use crate::code::schema::Schema;
use crate::code::scope::{ColumnPosition, OutputColumn};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

/// Returns what each use of a table's column says of its type, in the order of the script.
pub(super) fn type_evidence<'a>(blocks: Blocks<'a>, schema: &'a Schema) -> Vec<(ColumnName<'a>, TypeEvidence)> {
    let tree = blocks.tree();
    let mut found = Vec::new();
    for node in tree.ids() {
        match tree.kind(node) {
            Kind::Column => {
                if let Some(column) = blocks.table_column(node) {
                    found.extend(blocks.evidence_at(node).into_iter().map(|said| (column, said)));
                }
            }
            Kind::Using => blocks.add_evidence_of_using(node, &mut found),
            Kind::Insert { .. } | Kind::InsertBranch { .. } => blocks.add_evidence_of_insert(node, schema, &mut found),
            Kind::SetOperation { .. } => blocks.add_evidence_of_set_operation(node, &mut found),
            _ => {}
        }
    }
    found
}

/// Functions that return one of their arguments, which therefore have one type.
const RETURN_AN_ARGUMENT: [&str; 12] =
    ["coalesce", "greatest", "if", "iff", "ifnull", "lag", "lead", "least", "nullif", "nvl", "nvl2", "decode"];
/// Functions that read a text by a format.
const BY_FORMAT: [&str; 5] = ["to_date", "to_timestamp", "to_unix_timestamp", "try_to_timestamp", "unix_timestamp"];

impl<'a> Blocks<'a> {
    /// Returns what the expressions around a column say of its type.
    pub fn evidence_at(self, column: NodeId) -> Vec<TypeEvidence> {
        let tree = self.tree();
        let mut said = Vec::new();
        let mut node = column;
        while let Some(parent) = tree.parent(node) {
            match tree.kind(parent) {
                Kind::Paren => {}
                Kind::Unary => said.push(TypeEvidence::Number),
                Kind::When if tree.children(parent).last() == Some(&node) => {}
                Kind::Else => {}
                Kind::Case { .. } if matches!(tree.kind(node), Kind::When | Kind::Else) => {
                    said.extend(
                        self.other_results(parent, column).filter_map(|result| self.evidence_of_alternative(result)),
                    );
                }
                Kind::Call { .. } => match self.evidence_of_siblings(parent, node) {
                    Some(others) => said.extend(others),
                    None => {
                        said.extend(self.evidence_of_argument(parent, node));
                        return said;
                    }
                },
                _ => {
                    said.extend(self.evidence_of_operand(parent, node));
                    return said;
                }
            }
            node = parent;
        }
        said
    }

    /// Returns the results of a CASE in which `column` does not stand.
    fn other_results(self, case: NodeId, column: NodeId) -> impl Iterator<Item = NodeId> {
        let tree = self.tree();
        let arms = tree.children(case).iter().filter(move |arm| matches!(tree.kind(**arm), Kind::When | Kind::Else));
        let results = arms.filter_map(move |arm| tree.children(*arm).last().copied());
        results.filter(move |result| !tree.span(*result).contains(tree.span(column)))
    }

    /// Returns what the other arguments say of the type of one, for functions such as COALESCE whose arguments have one
    /// type, since they return one of them; `None` for all other functions.
    fn evidence_of_siblings(self, call: NodeId, argument: NodeId) -> Option<Vec<TypeEvidence>> {
        let name = self.script.function_name(call);
        let arguments = self.script.arguments(call);
        let at = arguments.iter().position(|other| *other == argument)?;
        let is_value = |position: usize| match name.as_str() {
            "if" | "iff" | "nvl2" => position > 0,
            "lag" | "lead" => position != 1,
            "decode" => position > 0 && (position.is_multiple_of(2) || position + 1 == arguments.len()),
            _ => true,
        };
        if RETURN_A_VALUE.contains(&name.as_str()) && at == 0 {
            return Some(Vec::new());
        }
        if !RETURN_AN_ARGUMENT.contains(&name.as_str()) || !is_value(at) {
            return None;
        }
        let others = arguments.iter().enumerate().filter(|(position, _)| *position != at && is_value(*position));
        Some(others.filter_map(|(_, other)| self.evidence_of_alternative(*other)).collect())
    }

    fn evidence_of_argument(self, call: NodeId, argument: NodeId) -> Option<TypeEvidence> {
        let name = self.script.function_name(call);
        let arguments = self.script.arguments(call);
        let at = arguments.iter().position(|other| *other == argument)?;
        if at == 0 && arguments.len() > 1 && BY_FORMAT.contains(&name.as_str()) {
            return Some(TypeEvidence::Text);
        }
        if self.script.function(call).and_then(Function::row_generator) == Some(RowGenerator::Explode)
            && let Some(collection) = self.exploded_collection(call)
        {
            return Some(TypeEvidence::Collection(collection));
        }
        TypeEvidence::of_argument(self.script.function(call)?.argument(at), &name)
    }

    /// Returns the type of EXPLODE's argument by the names that LATERAL VIEW gives to its columns: two names are those of a
    /// map; the element of an array is a struct if the script reads fields of the one name. `None` if they do not tell.
    fn exploded_collection(self, call: NodeId) -> Option<Type> {
        let tree = self.tree();
        let text = || Box::new(Type::String);
        let list = tree.parent(call).and_then(|view| tree.child(view, |kind| kind == Kind::ColumnList))?;
        match *tree.children(list) {
            [_, _] => Some(Type::Map(text(), text())),
            [name] => {
                let fields = self.fields_of(&self.script.name(name));
                let element = Type::Struct(fields.into_iter().map(|field| (field, Type::String)).collect());
                (element != Type::Struct(Vec::new())).then(|| Type::Array(Box::new(element)))
            }
            _ => None,
        }
    }

    /// The names of the fields that the script reads of a column by its bare name, each once, in the order of the script.
    fn fields_of(self, column: &str) -> Vec<String> {
        let tree = self.tree();
        let mut fields = Vec::new();
        if self.scopes.relations().any(|(_, relation)| relation.name == column) {
            return fields;
        }
        for node in tree.ids().filter(|node| tree.kind(*node) == Kind::Column) {
            if let [first, field, ..] = *tree.children(node)
                && self.script.name(first) == column
                && !fields.contains(&self.script.name(field))
            {
                fields.push(self.script.name(field));
            }
        }
        fields
    }

    /// Returns what an operator or clause says of the type of an operand.
    fn evidence_of_operand(self, parent: NodeId, node: NodeId) -> Vec<TypeEvidence> {
        let tree = self.tree();
        let children = tree.children(parent);
        let others = || children.iter().copied().filter(|other| *other != node);
        let is_first = children.first() == Some(&node);
        match tree.kind(parent) {
            Kind::Binary(operator) if operator.is_comparison() => {
                let exact = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
                others().filter_map(|other| self.evidence_of_compared(other, exact)).collect()
            }
            Kind::IsDistinct { .. } | Kind::Assignment => {
                others().filter_map(|other| self.evidence_of_compared(other, true)).collect()
            }
            Kind::Binary(BinaryOperator::Minus) if self.is_duration(parent) => {
                vec![TypeEvidence::Same(Type::Timestamp)]
            }
            Kind::Binary(_) if self.is_counted(parent) => vec![TypeEvidence::Whole],
            Kind::Binary(operator) => {
                others().filter_map(|other| self.evidence_of_arithmetic(operator, other)).collect()
            }
            Kind::InList { .. } if is_first => {
                others().filter_map(|other| self.evidence_of_compared(other, true)).collect()
            }
            Kind::InList { .. } | Kind::Between { .. } if !is_first => {
                children.first().and_then(|first| self.evidence_of_compared(*first, false)).into_iter().collect()
            }
            Kind::Between { .. } => others().filter_map(|other| self.evidence_of_compared(other, false)).collect(),
            Kind::InQuery { .. } => {
                let query = children.get(1).and_then(|query| self.scopes.outputs(*query).first());
                query.and_then(|output| evidence_of_type(&output.data_type)).into_iter().collect()
            }
            Kind::SelectItem => {
                self.left_of_in(parent).and_then(|left| self.evidence_of_compared(left, true)).into_iter().collect()
            }
            Kind::Pattern { .. } => vec![TypeEvidence::Text],
            Kind::Case { operand: true } if is_first => {
                let arms = others().filter(|arm| tree.kind(*arm) == Kind::When);
                arms.filter_map(|arm| self.evidence_of_compared(*tree.children(arm).first()?, true)).collect()
            }
            Kind::When => match tree.parent(parent).filter(|case| tree.kind(*case) == Kind::Case { operand: true }) {
                Some(case) => self.evidence_of_compared(tree.children(case)[0], true).into_iter().collect(),
                None => vec![TypeEvidence::Condition],
            },
            kind if kind.holds_condition() => vec![TypeEvidence::Condition],
            Kind::Index if is_first => others().map(|index| self.evidence_of_index(index)).collect(),
            Kind::Index | Kind::Interval => vec![TypeEvidence::Whole],
            _ => Vec::new(),
        }
    }

    /// Whether the result of whole numbers calculated with each other counts something, as in `date_add(d, -years * 365)`.
    fn is_counted(self, node: NodeId) -> bool {
        use BinaryOperator::{Minus, Multiply, Plus};
        let tree = self.tree();
        let is_arithmetic =
            matches!(tree.kind(node), Kind::Binary(Plus | Minus | Multiply) | Kind::Unary | Kind::Paren);
        let Some(parent) = tree.parent(node).filter(|_| is_arithmetic) else { return false };
        match tree.kind(parent) {
            Kind::Call { .. } => self.evidence_of_argument(parent, node) == Some(TypeEvidence::Whole),
            _ => self.is_counted(parent),
        }
    }

    /// Returns the left side of an IN whose query has only this item.
    fn left_of_in(self, item: NodeId) -> Option<NodeId> {
        let tree = self.tree();
        let list = tree.parent(item).filter(|list| tree.children(*list).len() == 1)?;
        let query = tree.parent(tree.parent(list)?)?;
        let search = tree.parent(query).filter(|search| matches!(tree.kind(*search), Kind::InQuery { .. }))?;
        tree.children(search).first().copied()
    }

    /// Returns what a value says of the type of a column that is compared with it; `exact` if by an equality.
    fn evidence_of_compared(self, other: NodeId, exact: bool) -> Option<TypeEvidence> {
        let tree = self.tree();
        match tree.kind(other) {
            Kind::Paren | Kind::Unary => self.evidence_of_compared(*tree.children(other).first()?, exact),
            Kind::Text => Some(TypeEvidence::Text),
            Kind::Number if !self.script.slice(other).chars().all(|c| c.is_ascii_digit()) => {
                Some(TypeEvidence::Fraction)
            }
            Kind::Number if self.script.slice(other).parse::<i32>().is_err() => Some(TypeEvidence::Same(Type::BigInt)),
            Kind::Number => Some(if exact { TypeEvidence::Whole } else { TypeEvidence::Bound }),
            Kind::Boolean(_) => Some(TypeEvidence::Condition),
            Kind::Column | Kind::Field | Kind::Index | Kind::Cast => evidence_of_type(self.scopes.type_of(other)),
            // What is calculated has more digits than what it is compared with.
            _ => match self.scopes.type_of(other) {
                Type::Decimal(..) | Type::Double => Some(TypeEvidence::Number),
                Type::Int | Type::BigInt => Some(TypeEvidence::Bound),
                told => evidence_of_type(told),
            },
        }
    }

    /// Returns what a value says of the type of a column that is an alternative to it, as another result of one CASE.
    fn evidence_of_alternative(self, other: NodeId) -> Option<TypeEvidence> {
        self.evidence_of_compared(other, false)
    }

    fn evidence_of_arithmetic(self, operator: BinaryOperator, other: NodeId) -> Option<TypeEvidence> {
        let beside = self.scopes.type_of(other);
        match operator {
            BinaryOperator::Concat => None,
            _ if beside.is_interval() => Some(TypeEvidence::Moment),
            _ if beside.is_temporal() => None,
            BinaryOperator::Modulo
            | BinaryOperator::IntegerDivide
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
            | BinaryOperator::ShiftRightUnsigned
            | BinaryOperator::BitAnd
            | BinaryOperator::BitOr
            | BinaryOperator::BitXor => Some(TypeEvidence::Whole),
            _ => Some(TypeEvidence::Number),
        }
    }

    fn evidence_of_index(self, index: NodeId) -> TypeEvidence {
        let text = || Box::new(Type::String);
        TypeEvidence::Collection(match self.scopes.type_of(index) {
            Type::String => Type::Map(text(), text()),
            _ => Type::Array(text()),
        })
    }

    /// Adds what USING says of the columns that it compares.
    fn add_evidence_of_using(self, using: NodeId, found: &mut Vec<(ColumnName<'a>, TypeEvidence)>) {
        let tree = self.tree();
        let Some(block) = self.around(using).first().copied() else { return };
        for identifier in tree.children(using) {
            let name = self.script.name(*identifier);
            let relations = self.scopes.relations_of(block).iter();
            let sides: Vec<ColumnPosition> = relations
                .filter_map(|id| {
                    let columns = &self.scopes.relation(*id).columns;
                    Some((*id, columns.iter().position(|column| column.name == name)?))
                })
                .collect();
            let data_type = |(id, at): &ColumnPosition| self.scopes.relation(*id).columns[*at].data_type.clone();
            let known = sides.iter().map(data_type).find_map(|data_type| evidence_of_type(&data_type));
            let columns = sides.iter().filter_map(|side| self.base_column(*side));
            found.extend(columns.filter_map(|column| Some((column, known.clone()?))));
        }
    }

    /// Adds what the outputs of both sides of a set operation say of each other: they have one type in each place.
    fn add_evidence_of_set_operation(self, operation: NodeId, found: &mut Vec<(ColumnName<'a>, TypeEvidence)>) {
        let [left, right] = *self.tree().children(operation) else { return };
        let said = |output: &OutputColumn| match output.expression {
            Some(expression) => self.evidence_of_alternative(expression),
            None => evidence_of_type(&output.data_type),
        };
        let (left, right) = (self.scopes.outputs(left), self.scopes.outputs(right));
        for (one, other) in left.iter().zip(right).flat_map(|(left, right)| [(left, right), (right, left)]) {
            if let (Some(column), Some(said)) = (self.column_passed_on(one), said(other)) {
                found.push((column, said));
            }
        }
    }
}
