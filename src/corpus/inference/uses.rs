//! The uses of columns, and what each says of the column's type.

use super::blocks::{Blocks, full_name};
use super::evidence::TypeEvidence;
use super::targets::filled_columns;
use crate::code::functions::{Function, RowGenerator};
use crate::code::schema::Schema;
use crate::code::scope::{ColumnPosition, ColumnTarget, OutputColumn, Relation, RelationSource};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;

/// A table's column, by the full name of the table.
type ColumnName<'a> = (&'a str, &'a str);

/// Returns what each use of a table's column says of it, in the order of the script.
pub(super) fn of<'a>(blocks: Blocks<'a>, schema: &'a Schema) -> Vec<(ColumnName<'a>, TypeEvidence)> {
    let tree = blocks.tree();
    let mut found = Vec::new();
    for node in tree.ids() {
        match tree.kind(node) {
            Kind::Column => {
                if let Some(column) = blocks.table_column(node) {
                    found.extend(blocks.said_at(node).into_iter().map(|said| (column, said)));
                }
            }
            Kind::Using => blocks.shared(node, &mut found),
            Kind::Insert { .. } | Kind::InsertBranch { .. } => blocks.written(node, schema, &mut found),
            Kind::SetOperation { .. } => blocks.united(node, &mut found),
            _ => {}
        }
    }
    found
}

/// Functions that give back one of their arguments, which therefore have one type.
const ONE_OF: [&str; 12] =
    ["coalesce", "greatest", "if", "iff", "ifnull", "lag", "lead", "least", "nullif", "nvl", "nvl2", "decode"];
/// Functions that give back a value of their argument.
const SAME_AS: [&str; 7] = ["any_value", "first", "first_value", "last", "last_value", "max", "min"];
/// Those of [`ONE_OF`] of which the first argument is a value that they may give back.
const ONE_VALUE: [&str; 6] = ["coalesce", "greatest", "ifnull", "least", "nullif", "nvl"];
/// Functions that read a text by a format.
const BY_FORMAT: [&str; 5] = ["to_date", "to_timestamp", "to_unix_timestamp", "try_to_timestamp", "unix_timestamp"];

impl<'a> Blocks<'a> {
    /// The column of a table that a `Column` node means, also through sub-queries and CTEs that pass it on.
    fn table_column(self, node: NodeId) -> Option<ColumnName<'a>> {
        match self.scopes.binding(node)?.target {
            ColumnTarget::Column(relation, column) => self.base((relation, column)),
            _ => None,
        }
    }

    fn base(self, (mut relation, mut column): ColumnPosition) -> Option<ColumnName<'a>> {
        // No column is passed on more often than there are relations.
        for _ in 0..=self.scopes.relations().count() {
            let from = self.scopes.relation(relation);
            let output = from.columns.get(column)?;
            if let RelationSource::Table(table) = &from.source {
                return Some((table, &output.name));
            }
            let passed = output.passes_on.or_else(|| self.chosen(output)).or_else(|| self.in_first_block(from, column));
            (relation, column) = passed?;
        }
        None
    }

    /// The column of which an output is one of the values, as `max(a)` is.
    fn chosen(self, output: &OutputColumn) -> Option<ColumnPosition> {
        let call = output.expression.filter(|node| matches!(self.tree().kind(*node), Kind::Call { .. }))?;
        let name = self.script.function_name(call);
        let is_one = SAME_AS.contains(&name.as_str()) || ONE_VALUE.contains(&name.as_str());
        let first = self.script.arguments(call).first().copied().filter(|_| is_one)?;
        match self.scopes.binding(first)?.target {
            ColumnTarget::Column(relation, column) => Some((relation, column)),
            _ => None,
        }
    }

    /// The column that the first block of the query behind a relation passes on: it tells what those of a set operation are.
    fn in_first_block(self, relation: &Relation, column: usize) -> Option<ColumnPosition> {
        let written = || relation.writers.last().map(|writer| writer.query);
        let query = relation.source.query(self.tree()).or_else(written)?;
        let first = self.first_block(query)?;
        self.scopes.outputs(first).get(column)?.passes_on
    }

    /// What the place of a column says of it.
    pub fn said_at(self, column: NodeId) -> Vec<TypeEvidence> {
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
                    said.extend(self.results(parent, column).filter_map(|result| self.beside(result)));
                }
                Kind::Call { .. } => match self.passed_by(parent, node) {
                    Some(others) => said.extend(others),
                    None => {
                        said.extend(self.argument(parent, node));
                        return said;
                    }
                },
                _ => {
                    said.extend(self.operand(parent, node));
                    return said;
                }
            }
            node = parent;
        }
        said
    }

    /// The results of a CASE in which `column` does not stand.
    fn results(self, case: NodeId, column: NodeId) -> impl Iterator<Item = NodeId> {
        let tree = self.tree();
        let arms = tree.children(case).iter().filter(move |arm| matches!(tree.kind(**arm), Kind::When | Kind::Else));
        let results = arms.filter_map(move |arm| tree.children(*arm).last().copied());
        results.filter(move |result| !tree.span(*result).contains(tree.span(column)))
    }

    /// Some functions return one of their arguments, as COALESCE does, so that these have one type: what the arguments
    /// other than `argument` tell of it. `None` for all other functions.
    fn passed_by(self, call: NodeId, argument: NodeId) -> Option<Vec<TypeEvidence>> {
        let name = self.script.function_name(call);
        let arguments = self.script.arguments(call);
        let at = arguments.iter().position(|other| *other == argument)?;
        let is_value = |position: usize| match name.as_str() {
            "if" | "iff" | "nvl2" => position > 0,
            "lag" | "lead" => position != 1,
            "decode" => position > 0 && (position.is_multiple_of(2) || position + 1 == arguments.len()),
            _ => true,
        };
        if SAME_AS.contains(&name.as_str()) && at == 0 {
            return Some(Vec::new());
        }
        if !ONE_OF.contains(&name.as_str()) || !is_value(at) {
            return None;
        }
        let others = arguments.iter().enumerate().filter(|(position, _)| *position != at && is_value(*position));
        Some(others.filter_map(|(_, other)| self.beside(*other)).collect())
    }

    fn argument(self, call: NodeId, argument: NodeId) -> Option<TypeEvidence> {
        let name = self.script.function_name(call);
        let arguments = self.script.arguments(call);
        let at = arguments.iter().position(|other| *other == argument)?;
        if at == 0 && arguments.len() > 1 && BY_FORMAT.contains(&name.as_str()) {
            return Some(TypeEvidence::Text);
        }
        if self.script.function(call).and_then(Function::row_generator) == Some(RowGenerator::Explode)
            && let Some(collection) = self.exploded(call)
        {
            return Some(TypeEvidence::Collection(collection));
        }
        TypeEvidence::of_argument(self.script.function(call)?.argument(at), &name)
    }

    /// What the names that LATERAL VIEW gives to the rows of EXPLODE say of its argument: two are those of a map, and of
    /// one the script may read fields.
    fn exploded(self, call: NodeId) -> Option<Type> {
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

    /// What an operator says of an operand.
    fn operand(self, parent: NodeId, node: NodeId) -> Vec<TypeEvidence> {
        let tree = self.tree();
        let children = tree.children(parent);
        let others = || children.iter().copied().filter(|other| *other != node);
        let is_first = children.first() == Some(&node);
        match tree.kind(parent) {
            Kind::Binary(operator) if operator.is_comparison() => {
                let exact = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
                others().filter_map(|other| self.partner(other, exact)).collect()
            }
            Kind::IsDistinct { .. } | Kind::Assignment => {
                others().filter_map(|other| self.partner(other, true)).collect()
            }
            Kind::Binary(BinaryOperator::Minus) if self.is_duration(parent) => {
                vec![TypeEvidence::Same(Type::Timestamp)]
            }
            Kind::Binary(_) if self.is_counted(parent) => vec![TypeEvidence::Whole],
            Kind::Binary(operator) => others().filter_map(|other| self.calculated(operator, other)).collect(),
            Kind::InList { .. } if is_first => others().filter_map(|other| self.partner(other, true)).collect(),
            Kind::InList { .. } | Kind::Between { .. } if !is_first => {
                children.first().and_then(|first| self.partner(*first, false)).into_iter().collect()
            }
            Kind::Between { .. } => others().filter_map(|other| self.partner(other, false)).collect(),
            Kind::InQuery { .. } => {
                let query = children.get(1).and_then(|query| self.scopes.outputs(*query).first());
                query.and_then(|output| same(&output.data_type)).into_iter().collect()
            }
            Kind::SelectItem => self.searched(parent).and_then(|left| self.partner(left, true)).into_iter().collect(),
            Kind::Pattern { .. } => vec![TypeEvidence::Text],
            Kind::Case { operand: true } if is_first => {
                let arms = others().filter(|arm| tree.kind(*arm) == Kind::When);
                arms.filter_map(|arm| self.partner(*tree.children(arm).first()?, true)).collect()
            }
            Kind::When => match tree.parent(parent).filter(|case| tree.kind(*case) == Kind::Case { operand: true }) {
                Some(case) => self.partner(tree.children(case)[0], true).into_iter().collect(),
                None => vec![TypeEvidence::Condition],
            },
            kind if kind.holds_condition() => vec![TypeEvidence::Condition],
            Kind::Index if is_first => others().map(|index| self.indexed(index)).collect(),
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
            Kind::Call { .. } => self.argument(parent, node) == Some(TypeEvidence::Whole),
            _ => self.is_counted(parent),
        }
    }

    /// The left side of the IN whose query gives this item.
    fn searched(self, item: NodeId) -> Option<NodeId> {
        let tree = self.tree();
        let list = tree.parent(item).filter(|list| tree.children(*list).len() == 1)?;
        let query = tree.parent(tree.parent(list)?)?;
        let search = tree.parent(query).filter(|search| matches!(tree.kind(*search), Kind::InQuery { .. }))?;
        tree.children(search).first().copied()
    }

    /// What the other side of a comparison says; `exact` is an equality.
    fn partner(self, other: NodeId, exact: bool) -> Option<TypeEvidence> {
        let tree = self.tree();
        match tree.kind(other) {
            Kind::Paren | Kind::Unary => self.partner(*tree.children(other).first()?, exact),
            Kind::Text => Some(TypeEvidence::Text),
            Kind::Number if !self.script.slice(other).chars().all(|c| c.is_ascii_digit()) => {
                Some(TypeEvidence::Fraction)
            }
            Kind::Number if self.script.slice(other).parse::<i32>().is_err() => Some(TypeEvidence::Same(Type::BigInt)),
            Kind::Number => Some(if exact { TypeEvidence::Whole } else { TypeEvidence::Bound }),
            Kind::Boolean(_) => Some(TypeEvidence::Condition),
            Kind::Column | Kind::Field | Kind::Index | Kind::Cast => same(self.scopes.type_of(other)),
            // What is calculated has more digits than what it is compared with.
            _ => match self.scopes.type_of(other) {
                Type::Decimal(..) | Type::Double => Some(TypeEvidence::Number),
                Type::Int | Type::BigInt => Some(TypeEvidence::Bound),
                told => same(told),
            },
        }
    }

    /// What a value tells of a column that may stand in its place, as two results of one CASE do.
    fn beside(self, other: NodeId) -> Option<TypeEvidence> {
        self.partner(other, false)
    }

    fn calculated(self, operator: BinaryOperator, other: NodeId) -> Option<TypeEvidence> {
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

    fn indexed(self, index: NodeId) -> TypeEvidence {
        let text = || Box::new(Type::String);
        TypeEvidence::Collection(match self.scopes.type_of(index) {
            Type::String => Type::Map(text(), text()),
            _ => Type::Array(text()),
        })
    }

    /// The columns that USING compares.
    fn shared(self, using: NodeId, found: &mut Vec<(ColumnName<'a>, TypeEvidence)>) {
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
            let known = sides.iter().map(data_type).find_map(|data_type| same(&data_type));
            let columns = sides.iter().filter_map(|side| self.base(*side));
            found.extend(columns.filter_map(|column| Some((column, known.clone()?))));
        }
    }

    /// The outputs of an INSERT and the columns that they fill.
    fn written(self, insert: NodeId, schema: &'a Schema, found: &mut Vec<(ColumnName<'a>, TypeEvidence)>) {
        let tree = self.tree();
        let target = tree.child(insert, |kind| kind == Kind::Table);
        let Some(table) = target.and_then(|table| schema.table(&full_name(self.script, table))) else {
            return;
        };
        let Some(query) = tree.child(insert, |kind| kind == Kind::Query) else { return };
        let names = filled_columns(self, insert, schema).unwrap_or_default();
        let named = |name: &String| table.columns.iter().find(|column| column.name == *name);
        let filled = names.iter().filter_map(named);
        for (column, output) in filled.zip(self.scopes.outputs(query)) {
            if let Some(said) = same(&output.data_type) {
                found.push(((&table.name, &column.name), said));
            }
            if let (Some(source), Some(said)) = (self.passed(output), same(&column.data_type)) {
                found.push((source, said));
            }
        }
    }

    /// The outputs of both sides of a set operation, which have one type in each place.
    fn united(self, operation: NodeId, found: &mut Vec<(ColumnName<'a>, TypeEvidence)>) {
        let [left, right] = *self.tree().children(operation) else { return };
        let said = |output: &OutputColumn| match output.expression {
            Some(expression) => self.beside(expression),
            None => same(&output.data_type),
        };
        let (left, right) = (self.scopes.outputs(left), self.scopes.outputs(right));
        for (one, other) in left.iter().zip(right).flat_map(|(left, right)| [(left, right), (right, left)]) {
            if let (Some(column), Some(said)) = (self.passed(one), said(other)) {
                found.push((column, said));
            }
        }
    }

    /// The column of a table that an output passes on.
    fn passed(self, output: &OutputColumn) -> Option<ColumnName<'a>> {
        self.base(output.passes_on.or_else(|| self.chosen(output))?)
    }
}

fn same(data_type: &Type) -> Option<TypeEvidence> {
    let told = !matches!(data_type, Type::Unknown | Type::Null | Type::Interval(_));
    told.then(|| TypeEvidence::Same(data_type.clone()))
}
