//! Takes conditions apart into constraints on columns.

use super::super::constraint::{PathStep, Predicate, ValuePath};
use super::super::satisfies::satisfies;
use super::invert::representative;
use super::neighbouring_row::NeighbouringRow;
use super::{ConditionRole, ConstraintCollector};
use crate::code::literal::quoted;
use crate::code::script::unquoted;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId, PatternOperator};
use crate::engine::table::Value;

/// Most items of an IN list that values are drawn from and held against: any of them will do, and a run decides about the
/// rest.
const MOST_LISTED: usize = 256;

/// Days that stand for a month where a distance in months is asked for.
const DAYS_OF_MONTH: i64 = 31;

impl ConstraintCollector<'_, '_> {
    /// Takes a condition apart. `holds` is false if it is negated.
    pub(super) fn condition(&mut self, node: NodeId, role: ConditionRole, holds: bool) {
        let children = self.children(node).to_vec();
        match self.lineage.script.tree().kind(node) {
            Kind::Paren => self.condition(children[0], role, holds),
            Kind::Not => self.condition(children[0], role, !holds),
            Kind::Exists if !holds => self.exclude(children[0], node),
            Kind::And => self.each(&children, if holds { role } else { ConditionRole::Optional }, holds),
            Kind::Or if holds && role != ConditionRole::Optional => {
                if let Some((value, choices)) = self.one_value_of_several(&children) {
                    return self.constrain(value, Predicate::OneOf(choices), role);
                }
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
            Kind::InQuery { negated } => self.in_query(&children, negated == holds, role),
            Kind::Between { negated } if negated != holds => self.between(&children, role),
            Kind::Pattern { negated, operator } if negated != holds => self.pattern(operator, &children, role),
            Kind::Call { .. } => self.predicate_call(node, role, holds),
            Kind::Column => match self.condition_behind(node) {
                Some(condition) => self.condition(condition, role, holds),
                None => self.constrain(node, Predicate::Truth(holds), role),
            },
            _ => {}
        }
    }

    /// Returns the condition whose value a column has, as that of `WITH e AS (SELECT a IS NOT NULL AS known …)`.
    fn condition_behind(&self, column: NodeId) -> Option<NodeId> {
        let [origin] = self.lineage.origins(column)[..] else { return None };
        let is_condition = match self.lineage.script.tree().kind(origin) {
            Kind::Binary(operator) => operator.is_comparison(),
            Kind::Not | Kind::And | Kind::Or | Kind::IsNull { .. } | Kind::InList { .. } | Kind::Between { .. } => true,
            Kind::Pattern { .. } => true,
            _ => false,
        };
        is_condition.then_some(origin)
    }

    pub(super) fn each(&mut self, operands: &[NodeId], role: ConditionRole, holds: bool) {
        for operand in operands {
            self.condition(*operand, role, holds);
        }
    }

    /// Reads `x = 'a' OR x = 'b'` as `x IN ('a', 'b')`.
    fn one_value_of_several(&mut self, operands: &[NodeId]) -> Option<(NodeId, Vec<Value>)> {
        let script = self.lineage.script;
        let tree = script.tree();
        let mut choices = Vec::new();
        let mut common: Option<NodeId> = None;
        for operand in operands.iter().take(MOST_LISTED) {
            let mut operand = *operand;
            while tree.kind(operand) == Kind::Paren {
                operand = tree.children(operand)[0];
            }
            let (Kind::Binary(BinaryOperator::Equal), [value, choice]) = (tree.kind(operand), tree.children(operand))
            else {
                return None;
            };
            if script.slice(*common.get_or_insert(*value)) != script.slice(*value) {
                return None;
            }
            choices.push(self.evaluator.constant(*choice)?);
        }
        Some((common?, choices))
    }

    fn predicate_call(&mut self, call: NodeId, role: ConditionRole, holds: bool) {
        let arguments = self.lineage.script.arguments(call);
        match (self.lineage.script.canonical_function_name(call).as_str(), arguments.as_slice()) {
            ("isnull", [value]) => {
                self.constrain(*value, if holds { Predicate::Null } else { Predicate::NotNull }, role)
            }
            ("isnotnull", [value]) if holds => self.constrain(*value, Predicate::NotNull, role),
            ("array_contains", [array, element]) if holds => self.contains(*array, *element, role),
            ("contains", [text, part]) if holds => self.holds_part(*text, *part, role),
            ("coalesce", [value, ..]) if self.lineage.trace(*value).is_empty() => self.condition(*value, role, holds),
            ("coalesce", [value, ..]) => self.constrain(*value, Predicate::Truth(holds), role),
            _ => {}
        }
    }

    pub(super) fn contains(&mut self, array: NodeId, element: NodeId, role: ConditionRole) {
        let elements = self.lineage.trace(array).into_iter().map(|path| path.then(PathStep::Element));
        let Some(value) = self.value(element) else {
            let elements: Vec<ValuePath> = elements.collect();
            if role != ConditionRole::Optional {
                self.equal(&elements, &self.lineage.trace(element));
            }
            return;
        };
        for path in elements {
            self.add(path, Predicate::Compare(BinaryOperator::Equal, value.clone()), role);
        }
    }

    /// A text holds a part wherever it may stand.
    fn holds_part(&mut self, text: NodeId, part: NodeId, role: ConditionRole) {
        let Some(Value::Text(part)) = self.value(part) else {
            // A text holds the part that it equals.
            return self.compare(BinaryOperator::Equal, text, part, role);
        };
        let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        self.constrain(text, Predicate::Like(format!("%{escaped}%")), role);
    }

    /// Returns the text in which a call looks for a part, and the part, if the predicate asks for a place where it is:
    /// `instr(x, '-') > 0`.
    fn part_looked_for(&self, call: NodeId, predicate: &Predicate) -> Option<(NodeId, NodeId)> {
        let script = self.lineage.script;
        let is_found = satisfies(predicate, &Value::Integer(2)) && !satisfies(predicate, &Value::Integer(0));
        if !is_found || !matches!(script.tree().kind(call), Kind::Call { .. }) {
            return None;
        }
        match (&*script.canonical_function_name(call), script.arguments(call).as_slice()) {
            ("instr", [text, part]) | ("locate" | "position", [part, text]) => Some((*text, *part)),
            _ => None,
        }
    }

    pub(super) fn constrain(&mut self, node: NodeId, predicate: Predicate, role: ConditionRole) {
        // A part that is computed is put at the first place.
        if let Some((text, part)) = self.part_looked_for(node, &predicate)
            && (self.value(part).is_some() || satisfies(&predicate, &Value::Integer(1)))
        {
            return self.holds_part(text, part, role);
        }
        let paths = self.lineage.trace(node);
        let role = match role {
            ConditionRole::Required => {
                self.note_row_name(node, Some(&predicate));
                self.row_that_meets(node)
            }
            _ => role,
        };
        if paths.is_empty()
            && let Some((path, predicate)) = self.date_distance(node, &predicate)
        {
            self.add(path, predicate, role);
        }
        if self.must_be_probed(node, &predicate) && self.probe(node, &predicate, role) {
            return;
        }
        // A trace through `concat` keeps the first piece only.
        let is_concatenated = self.is_concatenation(node) || self.is_slice_of_concatenation(node);
        // Nor does the length of a value say how many values a group has.
        let is_inverted = paths.is_empty() || is_concatenated || self.counts_collected(node);
        if is_inverted && self.invert(node, &predicate, role) {
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

    /// Whether a call changes a text so that the one that is asked for does not stay what it is, or makes a moment of a
    /// number.
    fn must_be_probed(&self, node: NodeId, predicate: &Predicate) -> bool {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let type_of = |node: NodeId| self.lineage.scopes.type_of(node);
        if type_of(node).is_temporal() {
            return self.only_input(node).is_some_and(|input| type_of(input.places[0]).is_integer());
        }
        let changes = matches!(tree.kind(node), Kind::Call { .. })
            && matches!(
                &*script.function_name(node),
                "reverse" | "regexp_replace" | "replace" | "translate" | "initcap"
            );
        let Some(Value::Text(wanted)) = representative(predicate).filter(|_| changes) else { return false };
        let Some(input) = self.only_input(node) else { return false };
        let literals = input.places.iter().map(|place| (*place, quoted(&wanted))).collect();
        !self.evaluator.value_with(node, literals).is_some_and(|value| satisfies(predicate, &value))
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
        let scopes = self.lineage.scopes;
        let Some(relation) = scopes.relation_of_column(column) else { return false };
        let side = scopes.relation(relation).node;
        let join = tree.enclosing(side, |kind| matches!(kind, Kind::Join { .. } | Kind::Select { .. }));
        join.is_some_and(|join| matches!(tree.kind(join), Kind::Join { kind: JoinKind::Left | JoinKind::Full, .. }))
    }

    /// Turns `datediff('2024-03-15', d) <= 30`, or the same in months, into a date that meets it, at a typical distance from the constant.
    pub(super) fn date_distance(&mut self, node: NodeId, predicate: &Predicate) -> Option<(ValuePath, Predicate)> {
        let tree = self.lineage.script.tree();
        if !matches!(tree.kind(node), Kind::Call { .. }) {
            return None;
        }
        let days = match self.lineage.script.function_name(node).as_str() {
            "datediff" => 1,
            "months_between" => DAYS_OF_MONTH,
            _ => return None,
        };
        let arguments = self.lineage.script.arguments(node);
        let (end, start) = (*arguments.first()?, *arguments.get(1)?);
        let distance = typical_distance(predicate)?;
        let (column, constant, sign) = match (self.value(end), self.value(start)) {
            (Some(constant), None) => (start, constant, -1),
            (None, Some(constant)) => (end, constant, 1),
            _ => return None,
        };
        let Value::Text(day) = constant else { return None };
        let day = super::super::calendar::shift(&day, sign * days * distance)?;
        let path = self.lineage.trace(column).into_iter().next()?.then(PathStep::Date);
        Some((path, Predicate::Compare(BinaryOperator::Equal, Value::Text(day))))
    }

    pub(super) fn add(&mut self, path: ValuePath, predicate: Predicate, role: ConditionRole) {
        match role {
            ConditionRole::Required => self.found.require(path, predicate),
            ConditionRole::Disjunct | ConditionRole::Optional => self.found.prefer(path, predicate),
            ConditionRole::RowBefore | ConditionRole::RowAfter => {
                let is_after = role == ConditionRole::RowAfter;
                self.other_rows.push(NeighbouringRow { path: path.clone(), predicate: predicate.clone(), is_after });
                self.found.prefer(path, predicate);
            }
        }
    }

    fn in_list(&mut self, children: &[NodeId], holds: bool, role: ConditionRole) {
        let items = children[1..].iter().take(MOST_LISTED);
        let values: Vec<Value> = items.filter_map(|item| self.evaluator.constant(*item)).collect();
        if !values.is_empty() {
            self.constrain(children[0], if holds { Predicate::OneOf(values) } else { Predicate::NoneOf(values) }, role);
        }
    }

    /// `x IN (SELECT y …)` joins x and y; NOT IN also tests the inner side for absence.
    fn in_query(&mut self, children: &[NodeId], negated: bool, role: ConditionRole) {
        let output = self.lineage.scopes.outputs(children[1]).first().and_then(|output| output.expression);
        if let (Some(output), false, ConditionRole::Required) = (output, negated, role)
            && self.derive_equality(children[0], output)
        {
            return;
        }
        self.letters(children[0]);
        let outer = self.lineage.trace(children[0]);
        let inner = self.lineage.trace_output(children[1], 0);
        self.equal(&outer, &inner);
        if negated {
            self.exclude(children[1], children[0]);
        }
    }

    pub(super) fn between(&mut self, children: &[NodeId], role: ConditionRole) {
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

    /// The word before the list of a pattern: ANY, SOME or ALL.
    fn quantifier_before(&self, list: NodeId) -> &str {
        let script = self.lineage.script;
        let first = *script.token_range(list).start();
        first.checked_sub(1).map_or("", |before| script.token_text(before))
    }

    pub(super) fn pattern(&mut self, operator: PatternOperator, children: &[NodeId], role: ConditionRole) {
        // Of `LIKE ANY ('a%', 'b%')` the first will do; with ALL each is asked for.
        if self.lineage.script.tree().kind(children[1]) == Kind::Tuple {
            let patterns = self.children(children[1]).to_vec();
            let is_all = self.quantifier_before(children[1]).eq_ignore_ascii_case("ALL");
            for pattern in &patterns[..if is_all { patterns.len() } else { patterns.len().min(1) }] {
                self.pattern(operator, &[children[0], *pattern], role);
            }
            return;
        }
        let predicate = match (self.value(children[1]), operator) {
            (Some(Value::Text(pattern)), PatternOperator::Regexp) => Predicate::Matches(pattern),
            (Some(Value::Text(pattern)), _) => Predicate::Like(pattern),
            (None, PatternOperator::Like | PatternOperator::InsensitiveLike) => {
                // A text is like the pattern that it equals.
                let wanted = self.without_wildcards(children[1]);
                return self.compare(BinaryOperator::Equal, children[0], wanted, role);
            }
            _ => return,
        };
        self.constrain(children[0], predicate, role);
    }

    /// Returns what a pattern looks for at any place: `x` of `concat('%', x, '%')`; the pattern itself if it is another.
    fn without_wildcards(&self, pattern: NodeId) -> NodeId {
        let is_wildcard = |piece: &NodeId| unquoted(self.lineage.script.slice(*piece)) == "%";
        match self.pieces(pattern).into_iter().filter(|piece| !is_wildcard(piece)).collect::<Vec<_>>()[..] {
            [only] => only,
            _ => pattern,
        }
    }

    /// The texts that an expression puts together, itself if it puts none together.
    fn pieces(&self, text: NodeId) -> Vec<NodeId> {
        let script = self.lineage.script;
        match script.tree().kind(text) {
            Kind::Call { .. } if script.canonical_function_name(text) == "concat" => script.arguments(text),
            Kind::Binary(BinaryOperator::Concat) => {
                script.tree().children(text).iter().flat_map(|piece| self.pieces(*piece)).collect()
            }
            _ => vec![text],
        }
    }
}

/// Returns a number of days that satisfies a predicate about a distance.
pub(super) fn typical_distance(predicate: &Predicate) -> Option<i64> {
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
