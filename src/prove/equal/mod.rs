//! Why some mutants cannot differ from their reference: arguments that hold for every database.
//!
//! Only what the two scripts and the schema say is used, never what happened on a database. A mutant that survives
//! without an argument is a gap of the data, not an equivalent.

mod argument;
mod downstream;
mod flow;
mod judges;
mod nullness;
mod repeats;
mod unique;

use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{BinaryOperator, GroupingKind, JoinKind, Kind, NodeId, SetOperator};
use crate::code::types::Type;
pub use argument::Argument;
use downstream::drops_null_rows;
use judges::{DAYS, DefaultAgain, SameDay, Unread};
use nullness::Nullness;
use repeats::ignores_repeats;
use unique::Unique;

/// An argument that `mutant` gives the rows of `reference` on every database; none when there is none at hand. Both
/// have their placeholders bound.
pub fn argue(reference: (&Script, &Scopes), mutant: (&Script, &Scopes), schema: &Schema) -> Option<Argument> {
    let (script, scopes) = reference;
    let pair = Pair {
        script,
        scopes,
        names: Nullness { script, scopes, schema: Some(schema) },
        mutant: mutant.0,
        mutant_scopes: mutant.1,
    };
    let region = differing(script.text(), mutant.0.text());
    let tree = script.tree();
    let covers = |node: &NodeId| tree.span(*node).start <= region.start && region.end <= tree.span(*node).end;
    let mut around: Vec<NodeId> = tree.ids().filter(covers).collect();
    around.sort_by_key(|node| (tree.span(*node).len(), std::cmp::Reverse(node.index())));
    let unread = around.iter().find_map(|node| pair.unread(*node));
    unread.or_else(|| around.iter().take(12).find_map(|node| pair.about(*node)))
}

/// The bytes of `left` outside the common start and the common end.
fn differing(left: &str, right: &str) -> Span {
    let start = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let most = left.len().min(right.len()) - start;
    let end = left.bytes().rev().zip(right.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    Span::new(start, left.len() - end)
}

struct Pair<'a> {
    script: &'a Script,
    scopes: &'a Scopes,
    names: Nullness<'a>,
    mutant: &'a Script,
    mutant_scopes: &'a Scopes,
}

impl Pair<'_> {
    /// The argument about one node of the reference that covers the whole difference.
    fn about(&self, node: NodeId) -> Option<Argument> {
        match self.script.tree().kind(node) {
            Kind::Call { .. } | Kind::Cast => {
                self.unwrapped(node).or_else(|| self.counted(node)).or_else(|| self.ranked(node))
            }
            Kind::GroupBy => self.subtotals(node).or_else(|| self.one_more_key(node)),
            Kind::SetOperation { operator: SetOperator::Union, .. } => self.united(node),
            Kind::Join { kind: JoinKind::Left, .. } => self.joined(node),
            _ => None,
        }
    }

    /// An expression whose value gets nowhere.
    fn unread(&self, node: NodeId) -> Option<Argument> {
        let expression =
            |kind| matches!(kind, Kind::Call { .. } | Kind::Cast | Kind::Case { .. } | Kind::Binary(_) | Kind::Column);
        let here = expression(self.script.tree().kind(node)) && !self.makes_rows(node);
        let there = || {
            let (tree, span) = (self.mutant.tree(), self.replacement(node));
            let mut same = tree.ids().filter(|other| tree.span(*other) == span && expression(tree.kind(*other)));
            // Without GROUP BY an aggregate makes one row of all.
            same.any(|other| aggregates(self.mutant, other) == aggregates(self.script, node))
        };
        let judge = Unread { names: &self.names };
        (here && there() && flow::is_lost(self.names, node, &judge)).then_some(Argument::NeverRead)
    }

    fn makes_rows(&self, node: NodeId) -> bool {
        matches!(self.script.tree().kind(node), Kind::Call { .. }) && self.script.is_generator(node)
    }

    /// What stands in the mutant where `node` stands in the reference.
    fn replacement(&self, node: NodeId) -> Span {
        let span = self.script.tree().span(node);
        let end = self.mutant.text().len() - (self.script.text().len() - span.end);
        Span::new(span.start, end.max(span.start))
    }

    fn replaced_by(&self, node: NodeId, text: &str) -> bool {
        squeezed(self.replacement(node).of(self.mutant.text())) == squeezed(text)
    }

    /// `f(x, …)` or `CAST(x AS t)` made `x`.
    fn unwrapped(&self, node: NodeId) -> Option<Argument> {
        let tree = self.script.tree();
        let cast = tree.kind(node) == Kind::Cast;
        let arguments = if cast { tree.children(node).to_vec() } else { self.script.arguments(node) };
        let inner = *arguments.first()?;
        let what = || squeezed(self.script.slice(inner));
        let name = if cast { String::new() } else { self.script.function_name(node) };
        let to_day = if cast { *self.scopes.type_of(node) == Type::Date } else { matches!(&*name, "to_date" | "date") };
        if cast && self.is_written_alike(node, inner) {
            return Some(Argument::ConvertedAnyway { what: what() });
        }
        let retyped = cast && self.mutant_type(node).is_some_and(|data_type| data_type == Type::Timestamp);
        if to_day && (retyped || self.replaced_by(node, self.script.slice(inner))) {
            let dated = *self.scopes.type_of(inner) == Type::Date && !retyped;
            return if dated {
                Some(Argument::DateAlready { what: what() })
            } else {
                self.day_only(node, inner, retyped)
            };
        }
        if !self.replaced_by(node, self.script.slice(inner)) {
            return None;
        }
        match name.as_str() {
            "coalesce" | "nvl" | "ifnull" => self.guarded(node, inner, arguments.get(1).copied()),
            "substr" | "substring" | "left" if self.is_first_ten(node, &arguments) => {
                Some(Argument::FirstTenCharacters)
            }
            "" if cast => self.converted(node, inner).then(|| Argument::ConvertedAnyway { what: what() }),
            _ => None,
        }
    }

    /// `CAST(n AS STRING)` made a cast to a whole number where text is wanted: the digits are the same.
    fn is_written_alike(&self, node: NodeId, inner: NodeId) -> bool {
        let tree = self.script.tree();
        let whole = self.scopes.type_of(inner).is_integer() && *self.scopes.type_of(node) == Type::String;
        let texts = |call: NodeId| {
            matches!(tree.kind(call), Kind::Call { .. })
                && matches!(&*self.script.function_name(call), "concat" | "concat_ws" | "lpad" | "rpad")
        };
        whole && tree.parent(node).is_some_and(texts) && self.mutant_type(node) == Some(Type::BigInt)
    }

    /// The type that the mutant casts to, where only the type differs.
    fn mutant_type(&self, node: NodeId) -> Option<Type> {
        let span = self.replacement(node);
        let tree = self.mutant.tree();
        let cast = tree.ids().find(|other| tree.kind(*other) == Kind::Cast && tree.span(*other) == span)?;
        let inner = |script: &Script, cast: NodeId| {
            script.tree().children(cast).first().map(|inner| squeezed(script.slice(*inner)))
        };
        (inner(self.script, node) == inner(self.mutant, cast)).then(|| self.mutant_scopes.type_of(cast).clone())
    }

    fn day_only(&self, node: NodeId, inner: NodeId, retyped: bool) -> Option<Argument> {
        let tree = self.script.tree();
        let parent = tree.parent(node)?;
        if matches!(tree.kind(parent), Kind::Call { .. }) {
            let function = self.script.function_name(parent);
            if DAYS.contains(&function.as_str()) {
                return Some(Argument::DayOnly { function });
            }
        }
        let stamp = *self.scopes.type_of(inner) == Type::Timestamp;
        if stamp && self.is_half_open(node) {
            return Some(Argument::FirstTenCharacters);
        }
        // Text that is a date may not be a time.
        let told = stamp || (!retyped && *self.scopes.type_of(inner) == Type::String);
        let time = self.scopes.type_of(inner);
        let judge = SameDay { names: &self.names, time };
        (told && flow::is_lost(self.names, node, &judge)).then_some(Argument::DayOnlyAfterwards)
    }

    /// Whether a node is compared as `x >= day` or `x < day`, the day being a constant of ten characters.
    fn is_half_open(&self, node: NodeId) -> bool {
        let tree = self.script.tree();
        let Some(parent) = tree.parent(node) else { return false };
        let children = tree.children(parent);
        let wanted = match tree.kind(parent) {
            Kind::Binary(BinaryOperator::GreaterOrEqual | BinaryOperator::Less) => 0,
            Kind::Binary(BinaryOperator::LessOrEqual | BinaryOperator::Greater) => 1,
            _ => return false,
        };
        let day = |other: NodeId| tree.kind(other) == Kind::Text && self.script.slice(other).len() == 12;
        children.get(wanted) == Some(&node) && children.get(1 - wanted).is_some_and(|other| day(*other))
    }

    fn is_first_ten(&self, node: NodeId, arguments: &[NodeId]) -> bool {
        let numbers: Vec<&str> = arguments[1..].iter().map(|argument| self.script.slice(*argument)).collect();
        let text = *self.scopes.type_of(arguments[0]) == Type::String;
        text && matches!(numbers[..], ["1", "10"] | ["10"]) && self.is_half_open(node)
    }

    /// `COALESCE(x, d)` made `x`.
    fn guarded(&self, node: NodeId, inner: NodeId, default: Option<NodeId>) -> Option<Argument> {
        if self.names.is_never_null(inner) {
            return Some(Argument::NeverNull { what: squeezed(self.script.slice(inner)) });
        }
        let default = self.script.slice(default?);
        let filters = self.is_filter(self.script.tree().parent(node)?);
        if filters && self.default_fails(node, default).unwrap_or(false) {
            return Some(Argument::DefaultFailsToo { default: default.to_owned() });
        }
        let judge = DefaultAgain { names: &self.names, default };
        flow::is_lost(self.names, node, &judge).then(|| Argument::DefaultAgain { default: default.to_owned() })
    }

    /// Whether `default` compared as `node` is gives false; none when that cannot be told.
    fn default_fails(&self, node: NodeId, default: &str) -> Option<bool> {
        use BinaryOperator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        let tree = self.script.tree();
        let parent = tree.parent(node)?;
        let Kind::Binary(operator) = tree.kind(parent) else { return None };
        let [left, right] = tree.children(parent)[..] else { return None };
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let side = |side: NodeId| number(if side == node { default } else { self.script.slice(side) });
        let (left, right) = (side(left)?, side(right)?);
        Some(!match operator {
            Equal => left == right,
            NotEqual => left != right,
            Less => left < right,
            LessOrEqual => left <= right,
            Greater => left > right,
            GreaterOrEqual => left >= right,
            _ => return None,
        })
    }

    /// Whether a comparison decides as a filter, where NULL counts as false: in WHERE, ON, HAVING or WHEN, below AND and
    /// OR only.
    fn is_filter(&self, comparison: NodeId) -> bool {
        let tree = self.script.tree();
        let mut below = comparison;
        for above in tree.ancestors(comparison) {
            match tree.kind(above) {
                Kind::And | Kind::Or | Kind::Paren => below = above,
                Kind::Where | Kind::On | Kind::Having | Kind::Qualify | Kind::Filter => return true,
                Kind::When => return tree.children(above).first() == Some(&below),
                Kind::Call { .. } => {
                    let first = self.script.arguments(above).first() == Some(&below);
                    return first && self.script.function_name(above) == "if";
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether the engine makes the cast of text to a number, or of a number to text, by itself.
    fn converted(&self, node: NodeId, inner: NodeId) -> bool {
        let tree = self.script.tree();
        let (from, to) = (self.scopes.type_of(inner), self.scopes.type_of(node));
        let Some(parent) = tree.parent(node) else { return false };
        match tree.kind(parent) {
            Kind::Binary(operator) if *from == Type::String => {
                let other = tree.children(parent).iter().find(|child| **child != node);
                let other = other.map_or(&Type::Unknown, |other| self.scopes.type_of(*other));
                converts(operator, to, other)
            }
            Kind::Call { .. } => {
                let name = self.script.function_name(parent);
                let summed = matches!(&*name, "sum" | "avg") && *from == Type::String && *to == Type::Double;
                let written = matches!(&*name, "concat" | "lpad" | "rpad") && from.is_integer() && *to == Type::String;
                summed || written
            }
            _ => false,
        }
    }

    /// `COUNT(*)` made `COUNT(x)`, and a number cast to another whole type where text is wanted.
    fn counted(&self, call: NodeId) -> Option<Argument> {
        let tree = self.mutant.tree();
        let span = self.replacement(call);
        let other =
            tree.ids().find(|node| tree.span(*node) == span && tree.kind(*node) == Kind::Call { distinct: false })?;
        let [column] = self.mutant.arguments(other)[..] else { return None };
        let counts = |script: &Script, call: NodeId| {
            matches!(script.tree().kind(call), Kind::Call { .. }) && script.function_name(call) == "count"
        };
        let whole = self.script.slice(call).replace(' ', "");
        let all = whole.ends_with("(*)") || whole.ends_with("(1)");
        if !all || !counts(self.script, call) || !counts(self.mutant, other) || tree.kind(column) != Kind::Column {
            return None;
        }
        let names = Nullness { script: self.mutant, scopes: self.mutant_scopes, schema: None };
        if names.is_never_null(column) {
            return Some(Argument::NeverNull { what: squeezed(self.mutant.slice(column)) });
        }
        let place = names.place(column)?;
        drops_null_rows(&names, (column, place), Some(other))
            .then(|| Argument::LostWithoutKey { key: squeezed(self.mutant.slice(column)) })
    }

    /// `GROUP BY a, b` made `GROUP BY a, b WITH ROLLUP`: each line that comes in lacks a key.
    fn subtotals(&self, group: NodeId) -> Option<Argument> {
        let tree = self.mutant.tree();
        let span = self.replacement(group);
        let other = tree.ids().find(|node| tree.span(*node) == span && tree.kind(*node) == Kind::GroupBy)?;
        let (grouping, keys): (Vec<NodeId>, Vec<NodeId>) =
            tree.children(other).iter().partition(|child| matches!(tree.kind(**child), Kind::Grouping { .. }));
        let [grouping] = grouping[..] else { return None };
        let same = keys.len() == self.script.tree().children(group).len();
        let lost: &[NodeId] = match tree.kind(grouping) {
            Kind::Grouping { kind: GroupingKind::WithRollup } => keys.last().map(std::slice::from_ref)?,
            Kind::Grouping { kind: GroupingKind::WithCube } => &keys,
            _ => return None,
        };
        let names = Nullness { script: self.mutant, scopes: self.mutant_scopes, schema: None };
        let gone = |key: &NodeId| names.place(*key).is_some_and(|place| drops_null_rows(&names, (*key, place), None));
        let text = || lost.iter().map(|key| squeezed(self.mutant.slice(*key))).collect::<Vec<_>>().join(", ");
        (same && lost.iter().all(gone)).then(|| Argument::LostWithoutKey { key: text() })
    }

    /// `GROUP BY a` made `GROUP BY a, b`, where b has one value.
    fn one_more_key(&self, group: NodeId) -> Option<Argument> {
        let other = self.counterpart(group)?;
        let (keys, more) = (self.script.tree().children(group), self.mutant.tree().children(other));
        let kept = keys
            .iter()
            .zip(more)
            .all(|(one, other)| squeezed(self.script.slice(*one)) == squeezed(self.mutant.slice(*other)));
        let [added] = *more.get(keys.len()..)? else { return None };
        let names = Nullness { script: self.mutant, scopes: self.mutant_scopes, schema: None };
        let (relation, _) = names.place(added)?;
        let unique = Unique { names };
        (kept && !keys.is_empty() && unique.has_one_row(relation))
            .then(|| Argument::OneValue { what: squeezed(self.mutant.slice(added)) })
    }

    /// `UNION ALL` made `UNION`, or the other way round.
    fn united(&self, node: NodeId) -> Option<Argument> {
        let other = self.counterpart(node)?;
        let all = |kind| match kind {
            Kind::SetOperation { operator: SetOperator::Union, all } => Some(all),
            _ => None,
        };
        let (tree, mutant) = (self.script.tree(), self.mutant.tree());
        let changed = all(tree.kind(node))? != all(mutant.kind(other))?;
        let sides = tree.children(node).iter().zip(mutant.children(other));
        let mut same = sides.map(|(one, other)| self.script.slice(*one) == self.mutant.slice(*other));
        if !changed || !same.all(|same| same) {
            return None;
        }
        if ignores_repeats(self.script, self.scopes, node) {
            return Some(Argument::RepeatsIgnored);
        }
        Unique { names: self.names }.shares_no_row(node).then_some(Argument::NoRepeats)
    }

    /// `RANK` made `ROW_NUMBER` or `DENSE_RANK`, and so on.
    fn ranked(&self, call: NodeId) -> Option<Argument> {
        let other = self.counterpart(call)?;
        let ranks = |script: &Script, call: NodeId| {
            matches!(script.tree().kind(call), Kind::Call { .. })
                && matches!(&*script.function_name(call), "rank" | "dense_rank" | "row_number")
        };
        let window = |script: &Script, call: NodeId| {
            script.tree().child(call, |kind| kind == Kind::Over).map(|over| squeezed(script.slice(over)))
        };
        let same = window(self.script, call).is_some() && window(self.script, call) == window(self.mutant, other);
        let ranked = same && ranks(self.script, call) && ranks(self.mutant, other);
        (ranked && Unique { names: self.names }.has_no_ties(call)).then_some(Argument::NoTies)
    }

    /// The node of the mutant that stands where `node` stands in the reference and is of the same sort.
    fn counterpart(&self, node: NodeId) -> Option<NodeId> {
        let span = self.replacement(node);
        let tree = self.mutant.tree();
        let sort = std::mem::discriminant(&self.script.tree().kind(node));
        tree.ids().find(|other| tree.span(*other) == span && std::mem::discriminant(&tree.kind(*other)) == sort)
    }

    /// `LEFT JOIN` made `JOIN`.
    fn joined(&self, join: NodeId) -> Option<Argument> {
        let tree = self.script.tree();
        let span = self.replacement(join);
        let inner = |node: &NodeId| matches!(self.mutant.tree().kind(*node), Kind::Join { kind: JoinKind::Inner, .. });
        self.mutant.tree().ids().find(|node| self.mutant.tree().span(*node) == span && inner(node))?;
        let block = tree.enclosing(join, |kind| matches!(kind, Kind::Select { .. }))?;
        let primary = *tree.children(join).first()?;
        let relations = self.scopes.relations().filter(|(_, relation)| relation.node == primary);
        let needed = relations.flat_map(|(id, relation)| (0..relation.columns.len()).map(move |at| (id, at)));
        let where_ = tree.child(block, |kind| kind == Kind::Where)?;
        let condition = *tree.children(where_).first()?;
        let mut needed = needed.filter(|place| self.names.rejects_null(condition, *place));
        needed
            .next()
            .map(|_| Argument::PartnerNeeded { what: squeezed(self.script.slice(primary)).chars().take(60).collect() })
    }
}

/// Whether an aggregate or a generator stands in an expression.
fn aggregates(script: &Script, node: NodeId) -> (bool, bool) {
    let tree = script.tree();
    let calls = || tree.descendants(node).filter(|node| matches!(tree.kind(*node), Kind::Call { .. }));
    let plain = |call: &NodeId| tree.child(*call, |kind| kind == Kind::Over).is_none();
    let is_aggregate = |call: NodeId| script.is_aggregate(call);
    let generates = |call: NodeId| script.is_generator(call);
    (calls().filter(plain).any(is_aggregate), calls().any(generates))
}

/// Whether the engine casts a text to `to` by itself, where an operator joins it with a value of type `other`.
fn converts(operator: BinaryOperator, to: &Type, other: &Type) -> bool {
    use BinaryOperator::{Divide, Minus, Multiply, Plus};
    match (to, other) {
        // Beside a number with decimals, text is compared as a double.
        (Type::Double, _) if matches!(operator, Plus | Minus | Multiply | Divide) => other.is_numeric(),
        (Type::Double, Type::Double) => operator.is_comparison(),
        (Type::Double, Type::Decimal(_, scale)) => operator.is_comparison() && *scale > 0,
        _ => operator.is_comparison() && to.is_integer() && other == to,
    }
}

/// Text in lower case with single blanks, so that layout does not count.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests;
