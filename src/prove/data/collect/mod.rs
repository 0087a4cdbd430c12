//! Reads predicates, join conditions and branches of a script into [`Constraints`].

mod compare;
mod derive;
mod invert;

use compare::mirrored;
use invert::DatePartsByPath;

use super::constraint::{Constraints, PathStep, Predicate, ValuePath};
use super::evaluator::Evaluator;
use super::lineage::Lineage;
use super::satisfies;
use crate::code::scope::ColumnTarget;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId, PatternOperator};
use crate::engine::table::Value;

/// Reads all that `lineage`'s script asks of its base tables.
pub fn collect(lineage: &Lineage<'_>, evaluator: &Evaluator<'_>) -> Constraints {
    let mut collector =
        ConstraintCollector { lineage, evaluator, date_parts: DatePartsByPath::new(), found: Constraints::default() };
    let tree = lineage.script.tree();
    let nodes: Vec<NodeId> = tree.descendants(tree.root()).collect();
    for node in &nodes {
        collector.visit_join(*node);
    }
    for node in nodes {
        collector.visit(node);
    }
    collector.finish_date_parts();
    collector.found
}

/// A HAVING clause that wants more rows in a group is not met.
const LARGEST_GROUP: usize = 24;

struct ConstraintCollector<'a, 'b> {
    lineage: &'a Lineage<'a>,
    evaluator: &'a Evaluator<'b>,
    date_parts: DatePartsByPath,
    found: Constraints,
}

/// How a condition is used: a row must meet it, or some row should.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConditionRole {
    Required,
    /// One side of an OR that must hold: a row should meet it, and satisfies the others as it may.
    Disjunct,
    Optional,
}

impl ConstraintCollector<'_, '_> {
    fn children(&self, node: NodeId) -> &[NodeId] {
        self.lineage.script.tree().children(node)
    }

    fn visit(&mut self, node: NodeId) {
        let kind = self.lineage.script.tree().kind(node);
        let children = self.children(node).to_vec();
        match kind {
            Kind::Having => {
                self.condition(children[0], ConditionRole::Required, true);
                self.having(node);
            }
            Kind::Where | Kind::On | Kind::Qualify => self.condition(children[0], ConditionRole::Required, true),
            Kind::When => self.condition(children[0], ConditionRole::Optional, true),
            Kind::Filter => self.condition(children[0], ConditionRole::Optional, true),
            Kind::Case { operand: true } => self.case_operand(&children),
            Kind::Call { .. } => self.call_condition(node),
            Kind::Lambda => self.condition(*children.last().unwrap_or(&node), ConditionRole::Optional, true),
            _ => {}
        }
        if matches!(kind, Kind::Call { .. } | Kind::Cast | Kind::Index | Kind::Field | Kind::Column) {
            self.add_form(node);
        }
    }

    /// Notes that something reads a column through JSON, a split, a cast …, so that its values have that form.
    fn add_form(&mut self, node: NodeId) {
        let dated = matches!(self.lineage.script.tree().kind(node), Kind::Call { .. })
            && matches!(
                self.lineage.script.function_name(node).as_str(),
                "datediff"
                    | "unix_timestamp"
                    | "date_add"
                    | "date_sub"
                    | "months_between"
                    | "add_months"
                    | "year"
                    | "month"
                    | "day"
                    | "hour"
                    | "minute"
                    | "dayofweek"
                    | "weekofyear"
                    | "quarter"
                    | "to_timestamp"
            );
        if dated {
            for argument in self.lineage.script.arguments(node) {
                for path in self.lineage.trace(argument) {
                    self.found.add_form(path.then(PathStep::Date));
                }
            }
        } else {
            for path in self.lineage.trace(node) {
                self.found.add_form(path);
            }
        }
    }

    /// `CASE x WHEN 1 THEN …`.
    fn case_operand(&mut self, children: &[NodeId]) {
        for when in children[1..].iter().filter(|child| self.lineage.script.tree().kind(**child) == Kind::When) {
            let value = self.children(*when)[0];
            self.compare(BinaryOperator::Equal, children[0], value, ConditionRole::Optional);
        }
    }

    fn call_condition(&mut self, call: NodeId) {
        let name = self.lineage.script.function_name(call);
        let arguments = self.lineage.script.arguments(call);
        if matches!(name.as_str(), "if" | "count_if" | "iff") && !arguments.is_empty() {
            self.condition(arguments[0], ConditionRole::Optional, true);
        }
        if name == "array_contains" && arguments.len() == 2 {
            self.contains(arguments[0], arguments[1], ConditionRole::Optional);
        }
    }

    fn visit_join(&mut self, node: NodeId) {
        let tree = self.lineage.script.tree();
        let Kind::Join { kind, .. } = tree.kind(node) else { return };
        let children = tree.children(node);
        match kind {
            JoinKind::Left | JoinKind::Full => self.found.optional.extend(self.lineage.scans_under(children[0])),
            JoinKind::LeftAnti => self.exclude(children[0], node),
            _ => {}
        }
        for using in children.iter().filter(|child| tree.kind(**child) == Kind::Using) {
            self.using(*using);
        }
    }

    /// Marks what `side` reads as tested for absence, but for what the rest of its block reads too.
    fn exclude(&mut self, side: NodeId, within: NodeId) {
        let tree = self.lineage.script.tree();
        let mut scans = self.lineage.scans_under(side);
        let block = tree.enclosing(within, |kind| matches!(kind, Kind::Select { .. } | Kind::MultiInsert));
        let from = block.and_then(|block| tree.child(block, |kind| kind == Kind::From));
        let items = from.into_iter().flat_map(|from| tree.children(from));
        for relation in items.flat_map(|item| tree.children(*item)) {
            if *relation != within && !tree.ancestors(side).any(|ancestor| ancestor == *relation) {
                scans = &scans - &self.lineage.scans_under(*relation);
            }
        }
        self.found.absent.extend(scans);
    }

    /// `HAVING COUNT(*) >= 2`: several rows must share what they are grouped by.
    fn having(&mut self, having: NodeId) {
        let tree = self.lineage.script.tree();
        let counts = tree.descendants(having).any(|node| {
            matches!(tree.kind(node), Kind::Call { .. })
                && matches!(self.lineage.script.function_name(node).as_str(), "count" | "sum" | "count_if" | "size")
        });
        let keys = tree.parent(having).and_then(|block| tree.child(block, |kind| matches!(kind, Kind::GroupBy)));
        if let Some(size) = self.group_size(having) {
            self.found.group_size = self.found.group_size.max(size);
        }
        if let (true, Some(keys)) = (counts, keys) {
            for key in tree.descendants(keys).filter(|node| tree.kind(*node) == Kind::Column) {
                self.found.shared.extend(self.lineage.trace(key));
            }
        }
    }

    /// How many rows `COUNT(…) >= n` wants in a group; `None` if HAVING compares no count with a constant.
    fn group_size(&mut self, having: NodeId) -> Option<usize> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let compared = tree.descendants(having).filter_map(|node| {
            let Kind::Binary(operator) = tree.kind(node) else { return None };
            let [left, right] = tree.children(node)[..] else { return None };
            let counts = |node: NodeId| {
                matches!(tree.kind(node), Kind::Call { .. })
                    && matches!(&*script.function_name(node), "count" | "count_if" | "size")
            };
            let (operator, bound) = match (counts(left), counts(right)) {
                (true, false) => (operator, right),
                (false, true) => (mirrored(operator), left),
                _ => return None,
            };
            let bound: usize = satisfies::plain_text(&self.evaluator.constant(bound)?).parse().ok()?;
            match operator {
                BinaryOperator::Greater => Some(bound + 1),
                BinaryOperator::GreaterOrEqual | BinaryOperator::Equal => Some(bound),
                _ => None,
            }
        });
        compared.max().filter(|size| *size <= LARGEST_GROUP)
    }

    /// `USING (a)`: the columns of that name in the relations of the block meet.
    fn using(&mut self, using: NodeId) {
        let tree = self.lineage.script.tree();
        let Some(block) = tree.enclosing(using, |kind| matches!(kind, Kind::Select { .. } | Kind::MultiInsert)) else {
            return;
        };
        for identifier in tree.children(using) {
            let name = self.lineage.script.name(*identifier);
            let relations = self.lineage.scopes.relations_of(block).iter();
            let paths: Vec<ValuePath> = relations.flat_map(|id| self.lineage.column(*id, &name)).collect();
            for pair in paths.windows(2) {
                self.found.equal.push((pair[0].clone(), pair[1].clone()));
            }
        }
    }

    /// Takes a condition apart. `holds` is false below NOT.
    fn condition(&mut self, node: NodeId, role: ConditionRole, holds: bool) {
        let children = self.children(node).to_vec();
        match self.lineage.script.tree().kind(node) {
            Kind::Paren => self.condition(children[0], role, holds),
            Kind::Not => self.condition(children[0], role, !holds),
            Kind::Exists if !holds => self.exclude(children[0], node),
            Kind::And => self.each(&children, if holds { role } else { ConditionRole::Optional }, holds),
            Kind::Or if holds && role != ConditionRole::Optional => {
                self.each(&children, ConditionRole::Disjunct, holds)
            }
            Kind::Or => self.each(&children, if holds { ConditionRole::Optional } else { role }, holds),
            Kind::Binary(operator) if operator.is_comparison() => {
                let operator = if holds { operator } else { opposite(operator) };
                self.compare(operator, children[0], children[1], role);
            }
            Kind::IsNull { negated } => {
                let predicate = if negated == holds { Predicate::NotNull } else { Predicate::Null };
                self.constrain(children[0], predicate, role);
            }
            Kind::IsBoolean { negated, value } => {
                self.constrain(children[0], Predicate::Truth(value == (holds != negated)), role);
            }
            Kind::InList { negated } => self.in_list(&children, negated != holds, role),
            Kind::InQuery { negated } => self.in_query(&children, negated == holds),
            Kind::Between { negated } if negated != holds => self.between(&children, role),
            Kind::Pattern { negated, operator } if negated != holds => self.pattern(operator, &children, role),
            Kind::Call { .. } => self.predicate_call(node, role, holds),
            Kind::Column => self.constrain(node, Predicate::Truth(holds), role),
            _ => {}
        }
    }

    fn each(&mut self, operands: &[NodeId], role: ConditionRole, holds: bool) {
        for operand in operands {
            self.condition(*operand, role, holds);
        }
    }

    fn predicate_call(&mut self, call: NodeId, role: ConditionRole, holds: bool) {
        let arguments = self.lineage.script.arguments(call);
        match (self.lineage.script.function_name(call).as_str(), arguments.as_slice()) {
            ("isnull", [value]) => {
                self.constrain(*value, if holds { Predicate::Null } else { Predicate::NotNull }, role)
            }
            ("isnotnull", [value]) if holds => self.constrain(*value, Predicate::NotNull, role),
            ("array_contains", [array, element]) if holds => self.contains(*array, *element, role),
            ("nvl" | "coalesce", [value, ..]) => self.constrain(*value, Predicate::Truth(holds), role),
            _ => {}
        }
    }

    fn contains(&mut self, array: NodeId, element: NodeId, role: ConditionRole) {
        let Some(value) = self.value(element) else { return };
        for path in self.lineage.trace(array) {
            self.add(path.then(PathStep::Element), Predicate::Compare(BinaryOperator::Equal, value.clone()), role);
        }
    }

    fn constrain(&mut self, node: NodeId, predicate: Predicate, role: ConditionRole) {
        let paths = self.lineage.trace(node);
        if paths.is_empty()
            && let Some((path, predicate)) = self.date_distance(node, &predicate)
        {
            self.add(path, predicate, role);
        }
        // A trace through `concat` keeps the first piece only.
        if (paths.is_empty() || self.is_concatenation(node)) && self.invert(node, &predicate, role) {
            return;
        }
        for path in paths {
            // `LEFT JOIN t … WHERE t.x IS NULL` asks for no partner, not for a NULL in the partner.
            if predicate == Predicate::Null && self.is_joined_optionally(node) {
                if role == ConditionRole::Required {
                    self.found.absent.insert(path.source.scan);
                }
            } else {
                self.add(path, predicate.clone(), role);
            }
        }
    }

    fn is_concatenation(&self, node: NodeId) -> bool {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        match tree.kind(node) {
            Kind::Paren | Kind::Cast => self.is_concatenation(tree.children(node)[0]),
            Kind::Call { .. } => script.function_name(node) == "concat",
            Kind::Column => matches!(self.lineage.origins(node)[..], [origin] if self.is_concatenation(origin)),
            _ => false,
        }
    }

    /// Whether a column belongs to the optional side of an outer join of its own block.
    fn is_joined_optionally(&self, column: NodeId) -> bool {
        let tree = self.lineage.script.tree();
        let Some(ColumnTarget::Column(relation, _)) =
            self.lineage.scopes.binding(column).map(|binding| &binding.target)
        else {
            return false;
        };
        let side = self.lineage.scopes.relation(*relation).node;
        let join = tree.enclosing(side, |kind| matches!(kind, Kind::Join { .. } | Kind::Select { .. }));
        join.is_some_and(|join| matches!(tree.kind(join), Kind::Join { kind: JoinKind::Left | JoinKind::Full, .. }))
    }

    /// `datediff('2024-03-15', d) <= 30` asks for a date near the constant: equal to it satisfies most such predicates.
    fn date_distance(&mut self, node: NodeId, predicate: &Predicate) -> Option<(ValuePath, Predicate)> {
        let tree = self.lineage.script.tree();
        if !matches!(tree.kind(node), Kind::Call { .. }) || self.lineage.script.function_name(node) != "datediff" {
            return None;
        }
        let arguments = self.lineage.script.arguments(node);
        let (end, start) = (*arguments.first()?, *arguments.get(1)?);
        let distance = typical_distance(predicate)?;
        let (column, constant, sign) = match (self.value(end), self.value(start)) {
            (Some(constant), None) => (start, constant, -1),
            (None, Some(constant)) => (end, constant, 1),
            _ => return None,
        };
        let Value::Text(day) = constant else { return None };
        let day = super::calendar::shift(&day, sign * distance)?;
        let path = self.lineage.trace(column).into_iter().next()?.then(PathStep::Date);
        Some((path, Predicate::Compare(BinaryOperator::Equal, Value::Text(day))))
    }

    fn add(&mut self, path: ValuePath, predicate: Predicate, role: ConditionRole) {
        match role {
            ConditionRole::Required => self.found.require(path, predicate),
            ConditionRole::Disjunct | ConditionRole::Optional => self.found.prefer(path, predicate),
        }
    }

    fn in_list(&mut self, children: &[NodeId], holds: bool, role: ConditionRole) {
        let values: Vec<Value> = children[1..].iter().filter_map(|item| self.evaluator.constant(*item)).collect();
        if !values.is_empty() {
            self.constrain(children[0], if holds { Predicate::OneOf(values) } else { Predicate::NoneOf(values) }, role);
        }
    }

    /// `x IN (SELECT y …)` joins x and y; NOT IN leaves the inner side optional.
    fn in_query(&mut self, children: &[NodeId], negated: bool) {
        self.letters(children[0]);
        let outer = self.lineage.trace(children[0]);
        let inner = self.lineage.trace_output(children[1], 0);
        self.equal(&outer, &inner);
        if negated {
            self.exclude(children[1], children[0]);
        }
    }

    fn between(&mut self, children: &[NodeId], role: ConditionRole) {
        if let Some(value) = self.value(children[0]) {
            self.constrain(children[1], Predicate::Compare(BinaryOperator::LessOrEqual, value.clone()), role);
            return self.constrain(children[2], Predicate::Compare(BinaryOperator::GreaterOrEqual, value), role);
        }
        match (self.value(children[1]), self.value(children[2])) {
            (Some(low), Some(high)) => self.constrain(children[0], Predicate::Between(low, high), role),
            (Some(low), None) => {
                self.constrain(children[0], Predicate::Compare(BinaryOperator::GreaterOrEqual, low), role)
            }
            (None, Some(high)) => {
                self.constrain(children[0], Predicate::Compare(BinaryOperator::LessOrEqual, high), role)
            }
            (None, None) if role == ConditionRole::Required => {
                let value = self.lineage.trace(children[0]);
                self.ordered(&self.lineage.trace(children[1]), &value);
                self.ordered(&value, &self.lineage.trace(children[2]));
            }
            (None, None) => {}
        }
    }

    fn pattern(&mut self, operator: PatternOperator, children: &[NodeId], role: ConditionRole) {
        let Some(Value::Text(pattern)) = self.value(children[1]) else { return };
        let predicate = match operator {
            PatternOperator::Regexp => Predicate::Matches(pattern),
            _ => Predicate::Like(pattern),
        };
        self.constrain(children[0], predicate, role);
    }
}

/// A number of days that satisfies a predicate about a distance.
fn typical_distance(predicate: &Predicate) -> Option<i64> {
    let number = |value: &Value| match value {
        Value::Integer(number) => Some(*number),
        Value::Real(number) => Some(*number as i64),
        _ => None,
    };
    match predicate {
        Predicate::Compare(operator, value) => {
            let limit = number(value)?;
            Some(match operator {
                BinaryOperator::Less => limit - 1,
                BinaryOperator::Greater => limit + 1,
                BinaryOperator::NotEqual => limit + 1,
                _ => limit,
            })
        }
        Predicate::Between(low, _) => number(low),
        Predicate::OneOf(values) => number(values.first()?),
        _ => None,
    }
}

fn opposite(operator: BinaryOperator) -> BinaryOperator {
    use BinaryOperator::*;
    match operator {
        Equal | NullSafeEqual => NotEqual,
        NotEqual => Equal,
        Less => GreaterOrEqual,
        LessOrEqual => Greater,
        Greater => LessOrEqual,
        GreaterOrEqual => Less,
        other => other,
    }
}
