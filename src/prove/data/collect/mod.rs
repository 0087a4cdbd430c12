//! Reads predicates, join conditions and branches of a script into [`Constraints`].

mod compare;

use super::constraint::{Constraints, Port, Wish, Wrapper};
use super::reach::Reach;
use crate::code::scope::Target;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId, PatternOperator};
use crate::engine::table::Value;

/// Gives the value of an expression that reads no table, such as `date_sub('2024-03-15', 6)`; none when it cannot.
pub type Constant<'a> = dyn FnMut(NodeId) -> Option<Value> + 'a;

/// Reads all that `reach`'s script asks of its base tables.
pub fn collect(reach: &Reach<'_>, constant: &mut Constant<'_>) -> Constraints {
    let mut collector = Collector { reach, constant, found: Constraints::default() };
    let tree = reach.script.tree();
    let nodes: Vec<NodeId> = tree.descendants(tree.root()).collect();
    for node in &nodes {
        collector.visit_join(*node);
    }
    for node in nodes {
        collector.visit(node);
    }
    collector.found
}

struct Collector<'a, 'b> {
    reach: &'a Reach<'a>,
    constant: &'a mut Constant<'b>,
    found: Constraints,
}

/// How a condition is used: a row must meet it, or some row should.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Required,
    /// One side of an OR that must hold: a row should meet it, and meets the others as it may.
    Either,
    Wanted,
}

impl Collector<'_, '_> {
    fn children(&self, node: NodeId) -> &[NodeId] {
        self.reach.script.tree().children(node)
    }

    fn visit(&mut self, node: NodeId) {
        let kind = self.reach.script.tree().kind(node);
        let children = self.children(node).to_vec();
        match kind {
            Kind::Having => {
                self.condition(children[0], Use::Required, true);
                self.having(node);
            }
            Kind::Where | Kind::On | Kind::Qualify => self.condition(children[0], Use::Required, true),
            Kind::When => self.condition(children[0], Use::Wanted, true),
            Kind::Filter => self.condition(children[0], Use::Wanted, true),
            Kind::Case { operand: true } => self.case_operand(&children),
            Kind::Call { .. } => self.call_condition(node),
            Kind::Lambda => self.condition(*children.last().unwrap_or(&node), Use::Wanted, true),
            _ => {}
        }
        if matches!(kind, Kind::Call { .. } | Kind::Cast | Kind::Index | Kind::Field | Kind::Column) {
            self.shape(node);
        }
    }

    /// Notes that something reads a column through JSON, a split, a cast …, so that its values have that form.
    fn shape(&mut self, node: NodeId) {
        let dated = matches!(self.reach.script.tree().kind(node), Kind::Call { .. })
            && matches!(
                self.reach.script.function_name(node).as_str(),
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
            for argument in self.reach.script.arguments(node) {
                for port in self.reach.trace(argument) {
                    self.found.shape(port.wrapped(Wrapper::Date));
                }
            }
        } else {
            for port in self.reach.trace(node) {
                self.found.shape(port);
            }
        }
    }

    /// `CASE x WHEN 1 THEN …`.
    fn case_operand(&mut self, children: &[NodeId]) {
        for when in children[1..].iter().filter(|child| self.reach.script.tree().kind(**child) == Kind::When) {
            let value = self.children(*when)[0];
            self.compare(BinaryOperator::Equal, children[0], value, Use::Wanted);
        }
    }

    fn call_condition(&mut self, call: NodeId) {
        let name = self.reach.script.function_name(call);
        let arguments = self.reach.script.arguments(call);
        if matches!(name.as_str(), "if" | "count_if" | "iff") && !arguments.is_empty() {
            self.condition(arguments[0], Use::Wanted, true);
        }
        if name == "array_contains" && arguments.len() == 2 {
            self.contains(arguments[0], arguments[1], Use::Wanted);
        }
    }

    fn visit_join(&mut self, node: NodeId) {
        let tree = self.reach.script.tree();
        let Kind::Join { kind, .. } = tree.kind(node) else { return };
        let children = tree.children(node);
        match kind {
            JoinKind::Left | JoinKind::Full => self.found.optional.extend(self.reach.readings_under(children[0])),
            JoinKind::LeftAnti => self.exclude(children[0], node),
            _ => {}
        }
        for using in children.iter().filter(|child| tree.kind(**child) == Kind::Using) {
            self.using(*using);
        }
    }

    /// Marks what `side` reads as tested for absence, but for what the rest of its block reads too.
    fn exclude(&mut self, side: NodeId, within: NodeId) {
        let tree = self.reach.script.tree();
        let mut readings = self.reach.readings_under(side);
        let block = tree.enclosing(within, |kind| matches!(kind, Kind::Select { .. } | Kind::MultiInsert));
        let from = block.and_then(|block| tree.child(block, |kind| kind == Kind::From));
        let items = from.into_iter().flat_map(|from| tree.children(from));
        for relation in items.flat_map(|item| tree.children(*item)) {
            if *relation != within && !tree.ancestors(side).any(|ancestor| ancestor == *relation) {
                readings = &readings - &self.reach.readings_under(*relation);
            }
        }
        self.found.excluded.extend(readings);
    }

    /// `HAVING COUNT(*) >= 2`: several rows must share what they are grouped by.
    fn having(&mut self, having: NodeId) {
        let tree = self.reach.script.tree();
        let counts = tree.descendants(having).any(|node| {
            matches!(tree.kind(node), Kind::Call { .. })
                && matches!(self.reach.script.function_name(node).as_str(), "count" | "sum" | "count_if" | "size")
        });
        let keys = tree.parent(having).and_then(|block| tree.child(block, |kind| matches!(kind, Kind::GroupBy)));
        if let (true, Some(keys)) = (counts, keys) {
            for key in tree.descendants(keys).filter(|node| tree.kind(*node) == Kind::Column) {
                self.found.crowded.extend(self.reach.trace(key));
            }
        }
    }

    /// `USING (a)`: the columns of that name in the relations of the block meet.
    fn using(&mut self, using: NodeId) {
        let tree = self.reach.script.tree();
        let Some(block) = tree.enclosing(using, |kind| matches!(kind, Kind::Select { .. } | Kind::MultiInsert)) else {
            return;
        };
        for identifier in tree.children(using) {
            let name = self.reach.script.name(*identifier);
            let relations = self.reach.scopes.relations_of(block).iter();
            let ports: Vec<Port> = relations.flat_map(|id| self.reach.column(*id, &name)).collect();
            for pair in ports.windows(2) {
                self.found.equal.push((pair[0].clone(), pair[1].clone()));
            }
        }
    }

    /// Takes a condition apart. `holds` is false below NOT.
    fn condition(&mut self, node: NodeId, usage: Use, holds: bool) {
        let children = self.children(node).to_vec();
        match self.reach.script.tree().kind(node) {
            Kind::Paren => self.condition(children[0], usage, holds),
            Kind::Not => self.condition(children[0], usage, !holds),
            Kind::Exists if !holds => self.exclude(children[0], node),
            Kind::And => self.each(&children, if holds { usage } else { Use::Wanted }, holds),
            Kind::Or if holds && usage != Use::Wanted => self.each(&children, Use::Either, holds),
            Kind::Or => self.each(&children, if holds { Use::Wanted } else { usage }, holds),
            Kind::Binary(operator) if operator.is_comparison() => {
                let operator = if holds { operator } else { opposite(operator) };
                self.compare(operator, children[0], children[1], usage);
            }
            Kind::IsNull { negated } => {
                let wish = if negated == holds { Wish::NotNull } else { Wish::Null };
                self.wish(children[0], wish, usage);
            }
            Kind::IsBoolean { negated, value } => {
                self.wish(children[0], Wish::Truth(value == (holds != negated)), usage);
            }
            Kind::InList { negated } => self.in_list(&children, negated != holds, usage),
            Kind::InQuery { negated } => self.in_query(&children, negated == holds),
            Kind::Between { negated } if negated != holds => self.between(&children, usage),
            Kind::Pattern { negated, operator } if negated != holds => self.pattern(operator, &children, usage),
            Kind::Call { .. } => self.predicate_call(node, usage, holds),
            Kind::Column => self.wish(node, Wish::Truth(holds), usage),
            _ => {}
        }
    }

    fn each(&mut self, operands: &[NodeId], usage: Use, holds: bool) {
        for operand in operands {
            self.condition(*operand, usage, holds);
        }
    }

    fn predicate_call(&mut self, call: NodeId, usage: Use, holds: bool) {
        let arguments = self.reach.script.arguments(call);
        match (self.reach.script.function_name(call).as_str(), arguments.as_slice()) {
            ("isnull", [value]) => self.wish(*value, if holds { Wish::Null } else { Wish::NotNull }, usage),
            ("isnotnull", [value]) if holds => self.wish(*value, Wish::NotNull, usage),
            ("array_contains", [array, element]) if holds => self.contains(*array, *element, usage),
            ("nvl" | "coalesce", [value, ..]) => self.wish(*value, Wish::Truth(holds), usage),
            _ => {}
        }
    }

    fn contains(&mut self, array: NodeId, element: NodeId, usage: Use) {
        let Some(value) = self.value(element) else { return };
        for port in self.reach.trace(array) {
            self.add(port.wrapped(Wrapper::Element), Wish::Compare(BinaryOperator::Equal, value.clone()), usage);
        }
    }

    fn wish(&mut self, node: NodeId, wish: Wish, usage: Use) {
        let ports = self.reach.trace(node);
        if ports.is_empty()
            && let Some((port, wish)) = self.date_distance(node, &wish)
        {
            self.add(port, wish, usage);
        }
        for port in ports {
            // `LEFT JOIN t … WHERE t.x IS NULL` asks for no partner, not for a NULL in the partner.
            if wish == Wish::Null && self.is_joined_optionally(node) {
                if usage == Use::Required {
                    self.found.excluded.insert(port.place.reading);
                }
            } else {
                self.add(port, wish.clone(), usage);
            }
        }
    }

    /// Whether a column belongs to the optional side of an outer join of its own block.
    fn is_joined_optionally(&self, column: NodeId) -> bool {
        let tree = self.reach.script.tree();
        let Some(Target::Column(relation, _)) = self.reach.scopes.binding(column).map(|binding| &binding.target) else {
            return false;
        };
        let side = self.reach.scopes.relation(*relation).node;
        let join = tree.enclosing(side, |kind| matches!(kind, Kind::Join { .. } | Kind::Select { .. }));
        join.is_some_and(|join| matches!(tree.kind(join), Kind::Join { kind: JoinKind::Left | JoinKind::Full, .. }))
    }

    /// `datediff('2024-03-15', d) <= 30` asks for a date near the constant: equal to it meets most such wishes.
    fn date_distance(&mut self, node: NodeId, wish: &Wish) -> Option<(Port, Wish)> {
        let tree = self.reach.script.tree();
        if !matches!(tree.kind(node), Kind::Call { .. }) || self.reach.script.function_name(node) != "datediff" {
            return None;
        }
        let arguments = self.reach.script.arguments(node);
        let (end, start) = (*arguments.first()?, *arguments.get(1)?);
        let distance = typical_distance(wish)?;
        let (column, constant, sign) = match (self.value(end), self.value(start)) {
            (Some(constant), None) => (start, constant, -1),
            (None, Some(constant)) => (end, constant, 1),
            _ => return None,
        };
        let Value::Text(day) = constant else { return None };
        let day = super::calendar::shift(&day, sign * distance)?;
        let port = self.reach.trace(column).into_iter().next()?.wrapped(Wrapper::Date);
        Some((port, Wish::Compare(BinaryOperator::Equal, Value::Text(day))))
    }

    fn add(&mut self, port: Port, wish: Wish, usage: Use) {
        match usage {
            Use::Required => self.found.require(port, wish),
            Use::Either | Use::Wanted => self.found.want(port, wish),
        }
    }

    fn in_list(&mut self, children: &[NodeId], holds: bool, usage: Use) {
        let values: Vec<Value> = children[1..].iter().filter_map(|item| (self.constant)(*item)).collect();
        if !values.is_empty() {
            self.wish(children[0], if holds { Wish::OneOf(values) } else { Wish::NoneOf(values) }, usage);
        }
    }

    /// `x IN (SELECT y …)` joins x and y; NOT IN leaves the inner side optional.
    fn in_query(&mut self, children: &[NodeId], negated: bool) {
        self.letters(children[0]);
        let outer = self.reach.trace(children[0]);
        let inner = self.reach.trace_output(children[1], 0);
        self.equal(&outer, &inner);
        if negated {
            self.exclude(children[1], children[0]);
        }
    }

    fn between(&mut self, children: &[NodeId], usage: Use) {
        if let Some(value) = self.value(children[0]) {
            self.wish(children[1], Wish::Compare(BinaryOperator::LessOrEqual, value.clone()), usage);
            return self.wish(children[2], Wish::Compare(BinaryOperator::GreaterOrEqual, value), usage);
        }
        match (self.value(children[1]), self.value(children[2])) {
            (Some(low), Some(high)) => self.wish(children[0], Wish::Between(low, high), usage),
            (Some(low), None) => self.wish(children[0], Wish::Compare(BinaryOperator::GreaterOrEqual, low), usage),
            (None, Some(high)) => self.wish(children[0], Wish::Compare(BinaryOperator::LessOrEqual, high), usage),
            (None, None) if usage == Use::Required => {
                let value = self.reach.trace(children[0]);
                self.ordered(&self.reach.trace(children[1]), &value);
                self.ordered(&value, &self.reach.trace(children[2]));
            }
            (None, None) => {}
        }
    }

    fn pattern(&mut self, operator: PatternOperator, children: &[NodeId], usage: Use) {
        let Some(Value::Text(pattern)) = self.value(children[1]) else { return };
        let wish = match operator {
            PatternOperator::Regexp => Wish::Matches(pattern),
            _ => Wish::Like(pattern),
        };
        self.wish(children[0], wish, usage);
    }
}

/// A number of days that meets a wish about a distance.
fn typical_distance(wish: &Wish) -> Option<i64> {
    let number = |value: &Value| match value {
        Value::Integer(number) => Some(*number),
        Value::Real(number) => Some(*number as i64),
        _ => None,
    };
    match wish {
        Wish::Compare(operator, value) => {
            let limit = number(value)?;
            Some(match operator {
                BinaryOperator::Less => limit - 1,
                BinaryOperator::Greater => limit + 1,
                BinaryOperator::NotEqual => limit + 1,
                _ => limit,
            })
        }
        Wish::Between(low, _) => number(low),
        Wish::OneOf(values) => number(values.first()?),
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
