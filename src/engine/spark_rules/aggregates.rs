//! Checks which expressions may stand beside aggregates: GROUP BY, HAVING, WHERE and nesting.

use super::known_call::{is_aggregate, is_window_call};
use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use super::windows::own_window;
use crate::code::scope::{ColumnTarget, OutputColumn};
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    context.find(|node, findings| match context.kind(node) {
        Kind::Select { .. } => findings.extend(select(context, node)),
        Kind::Where | Kind::On => findings.extend(aggregate_in_condition(context, node)),
        Kind::GroupBy => findings.extend(aggregate_in_group_by(context, node)),
        Kind::Query => findings.extend(aggregate_in_order(context, node)),
        Kind::Call { .. } => findings.extend(nested_aggregate(context, node)),
        _ => {}
    })
}

/// Returns the aggregate calls below `node` that belong to its own block, not to a sub-query or window.
pub(super) fn own_aggregates(context: &RuleContext<'_>, node: NodeId) -> Vec<NodeId> {
    let is_call = |id: &NodeId| matches!(context.kind(*id), Kind::Call { .. });
    let is_own = |id: &NodeId| is_call(id) && is_aggregate(context, *id) && !is_window_call(context, *id);
    let mut found: Vec<NodeId> = context.own_nodes(node).filter(is_own).collect();
    found.sort();
    found
}

fn nested_aggregate(context: &RuleContext<'_>, call: NodeId) -> Option<RuleFinding> {
    if !is_aggregate(context, call) || is_window_call(context, call) {
        return None;
    }
    let arguments = context.script.arguments(call);
    // `grouping` only tells groups apart.
    let mut inner = arguments.iter().flat_map(|argument| own_aggregates(context, *argument));
    let inner = inner.find(|call| !context.script.tells_subtotals(*call))?;
    let words = "It is not allowed to use an aggregate function in the argument of another aggregate function. \
                 Please use the inner aggregate function in a sub-query.";
    Some(RuleFinding::new("NESTED_AGGREGATE_FUNCTION", "42607", context.span(inner), words))
}

fn aggregate_in_condition(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let inner = *own_aggregates(context, clause).first()?;
    if context.kind(clause) == Kind::On {
        let words = format!("The join condition contains the aggregate {}.", context.quoted(inner));
        let join = context.tree().parent(clause).unwrap_or(clause);
        return Some(RuleFinding::new("UNSUPPORTED_EXPR_FOR_OPERATOR", "42K0E", context.span(join), words));
    }
    let select = context.tree().parent(clause)?;
    let condition = context.quoted(context.tree().children(clause)[0]);
    let words = format!("The WHERE condition \"{condition}\" contains invalid expressions: {}.", context.quoted(inner));
    Some(RuleFinding::new("INVALID_WHERE_CONDITION", "42903", context.span(select), words))
}

fn aggregate_in_group_by(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let named = context.tree().children(clause).iter().filter_map(|key| match context.scopes.binding(*key)?.target {
        ColumnTarget::Alias(item) => own_aggregates(context, item).first().map(|_| *key),
        _ => None,
    });
    let inner = own_aggregates(context, clause).into_iter().chain(named).next()?;
    let words = format!("Aggregate functions are not allowed in GROUP BY, but found {}.", context.quoted(inner));
    Some(RuleFinding::new("GROUP_BY_AGGREGATE", "42903", context.span(inner), words))
}

/// Reports an aggregate as a sort key of a query that makes no groups.
fn aggregate_in_order(context: &RuleContext<'_>, query: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let select = tree.child(query, |kind| kind == Kind::Select { distinct: false })?;
    let grouped = tree.child(select, |kind| matches!(kind, Kind::GroupBy | Kind::Having)).is_some();
    let list = tree.child(select, |kind| matches!(kind, Kind::Projection | Kind::Aggregate));
    if grouped || list.is_some_and(|list| !own_aggregates(context, list).is_empty()) {
        return None;
    }
    let order = tree.child(query, |kind| kind == Kind::OrderBy)?;
    let inner = *own_aggregates(context, order).first()?;
    Some(context.unsupported_in("Sort", inner, order))
}

fn select(context: &RuleContext<'_>, select: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let projection = tree.child(select, |kind| matches!(kind, Kind::Projection | Kind::Aggregate))?;
    let having = tree.child(select, |kind| kind == Kind::Having);
    let group_by = tree.child(select, |kind| kind == Kind::GroupBy);
    let Some(group_by) = group_by else {
        return without_group_by(context, select, projection, having);
    };
    let listed = context.kind(projection) == Kind::Projection;
    let position = if listed { position(context, select, group_by) } else { None };
    if let Some(found) = position.or_else(|| aggregate_in_group_by(context, group_by)) {
        return Some(found);
    }
    let by_all = matches!(tree.children(group_by), [all] if context.scopes.is_keyword_all(context.script, *all));
    let keys = if by_all {
        GroupingKeys::of_list(context, select, projection)
    } else {
        GroupingKeys::new(context, select, group_by)
    };
    if !by_all && let Some(found) = keys.star(context, projection) {
        return Some(found);
    }
    let items = tree.children(projection).iter().copied().chain(having);
    if by_all && keys.expressions.is_empty() && items.clone().any(|item| keys.ungrouped(context, item).is_some()) {
        let words = "Cannot infer grouping columns for GROUP BY ALL based on the select clause. Please explicitly specify \
                     the grouping columns.";
        return Some(RuleFinding::new("UNRESOLVED_ALL_IN_GROUP_BY", "42803", context.span(group_by), words));
    }
    items.into_iter().find_map(|item| keys.ungrouped(context, item)).map(|column| {
        let name = context.quoted(column);
        let words = format!(
            "The non-aggregating expression \"{name}\" is based on columns which are not participating in the GROUP BY \
             clause. Add the columns or the expression to the GROUP BY, aggregate the expression, or use \
             \"any_value({name})\" if you do not care which of the values within a group is returned."
        );
        RuleFinding::new("MISSING_AGGREGATION", "42803", context.span(column), words)
    })
}

/// Reports `GROUP BY 3` where the SELECT list has fewer columns.
fn position(context: &RuleContext<'_>, select: NodeId, group_by: NodeId) -> Option<RuleFinding> {
    let width = context.scopes.outputs(select).len();
    let keys = context.tree().children(group_by).iter().copied();
    let mut numbers = keys.filter(|key| context.kind(*key) == Kind::Number);
    if let Some(found) = numbers.clone().find_map(|number| position_of_aggregate(context, select, number)) {
        return Some(found);
    }
    let bad = numbers.find(|key| context.script.slice(*key).parse().is_ok_and(|n: usize| n == 0 || n > width))?;
    let words =
        format!("GROUP BY position {} is not in select list (valid range is [1, {width}]).", context.script.slice(bad));
    Some(RuleFinding::new("GROUP_BY_POS_OUT_OF_RANGE", "42805", context.span(bad), words))
}

/// Reports `GROUP BY 2` where the second item of the SELECT list is no value of single rows.
fn position_of_aggregate(context: &RuleContext<'_>, select: NodeId, number: NodeId) -> Option<RuleFinding> {
    let position = context.script.slice(number).parse::<usize>().ok()?.checked_sub(1)?;
    let items = context.tree().children(context.tree().child(select, |kind| kind == Kind::Projection)?);
    if items[..=position.min(items.len().checked_sub(1)?)].iter().any(|item| context.kind(*item) == Kind::Wildcard) {
        return None;
    }
    let item = *items.get(position)?;
    let inner = own_aggregates(context, item).first().copied().or_else(|| own_window(context, item))?;
    let words = format!(
        "GROUP BY {} refers to an expression that contains an aggregate function: {}. Aggregate functions are not allowed \
         in GROUP BY.",
        context.script.slice(number),
        context.quoted(inner)
    );
    Some(RuleFinding::new("GROUP_BY_POS_AGGREGATE", "42903", context.span(number), words))
}

/// Without GROUP BY, no bare column may stand beside an aggregate.
fn without_group_by(
    context: &RuleContext<'_>,
    select: NodeId,
    projection: NodeId,
    having: Option<NodeId>,
) -> Option<RuleFinding> {
    let aggregated = !own_aggregates(context, projection).is_empty()
        || having.is_some_and(|having| !own_aggregates(context, having).is_empty());
    if !aggregated && having.is_none() {
        return None;
    }
    let keys = GroupingKeys { expressions: Vec::new(), columns: Vec::new(), select };
    let items = context.tree().children(projection);
    items.iter().find_map(|item| keys.ungrouped(context, *item))?;
    let words = "The query does not include a GROUP BY clause. Add GROUP BY or turn it into the window functions using \
                 OVER clauses.";
    Some(RuleFinding::new("MISSING_GROUP_BY", "42803", context.span(select), words))
}

struct GroupingKeys {
    /// Each in canonical form with its kind, which is compared first because it rules out most other expressions.
    expressions: Vec<(Kind, String)>,
    columns: Vec<ColumnTarget>,
    select: NodeId,
}

impl GroupingKeys {
    fn new(context: &RuleContext<'_>, select: NodeId, group_by: NodeId) -> GroupingKeys {
        let mut keys = GroupingKeys { expressions: Vec::new(), columns: Vec::new(), select };
        for item in context.tree().children(group_by) {
            keys.add_item(context, select, *item);
        }
        keys
    }

    /// `GROUP BY ALL` groups by the items of the SELECT list that contain no aggregate.
    fn of_list(context: &RuleContext<'_>, select: NodeId, projection: NodeId) -> GroupingKeys {
        let mut keys = GroupingKeys { expressions: Vec::new(), columns: Vec::new(), select };
        for item in context.tree().children(projection) {
            let value = context.tree().children(*item).first().filter(|_| own_aggregates(context, *item).is_empty());
            if let Some(value) = value {
                keys.add_expression(context, *value);
            }
        }
        keys
    }

    fn add_item(&mut self, context: &RuleContext<'_>, select: NodeId, item: NodeId) {
        match context.kind(item) {
            Kind::Grouping { .. } | Kind::Tuple => {
                for inner in context.tree().children(item) {
                    self.add_item(context, select, *inner);
                }
            }
            Kind::Paren | Kind::SelectItem => self.add_item(context, select, context.tree().children(item)[0]),
            Kind::Number => self.add_ordinal(context, select, item),
            _ => self.add_expression(context, item),
        }
    }

    fn add_ordinal(&mut self, context: &RuleContext<'_>, select: NodeId, number: NodeId) {
        let Some(projection) = context.tree().child(select, |kind| kind == Kind::Projection) else {
            return self.add_input_column(context, select, number);
        };
        let position = context.script.slice(number).parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let item = position.and_then(|position| context.tree().children(projection).get(position));
        if let Some(value) = item.and_then(|item| context.tree().children(*item).first()) {
            self.add_expression(context, *value);
        }
    }

    /// A number behind AGGREGATE counts the columns that the step reads; its key is the output at its own place.
    fn add_input_column(&mut self, context: &RuleContext<'_>, select: NodeId, number: NodeId) {
        let key = context.scopes.outputs(select).get(context.tree().position(number));
        let column = key.and_then(|key| key.passes_on);
        self.columns.extend(column.map(|(relation, column)| ColumnTarget::Column(relation, column)));
    }

    fn add_expression(&mut self, context: &RuleContext<'_>, expression: NodeId) {
        self.expressions.push((context.kind(expression), canonical(context, expression)));
        if let Some(binding) = context.scopes.binding(expression) {
            match &binding.target {
                ColumnTarget::Alias(item) => {
                    if let Some(value) = context.tree().children(*item).first() {
                        self.add_expression(context, *value);
                    }
                }
                // Who groups by a field of a struct does not group by the whole.
                target if context.tree().children(expression).len() == binding.path_length => {
                    self.columns.push(target.clone());
                }
                _ => {}
            }
        }
    }

    /// Finds a `*` that stands for a column that is not grouped.
    fn star(&self, context: &RuleContext<'_>, projection: NodeId) -> Option<RuleFinding> {
        let tree = context.tree();
        let star = tree.descendants(projection).find(|id| {
            context.kind(*id) == Kind::Wildcard
                && tree.parent(*id).is_some_and(|item| item == projection || tree.parent(item) == Some(projection))
        })?;
        let outputs = context.scopes.outputs(self.select).iter().filter(|output| output.expression.is_none());
        let ungrouped = |output: &&OutputColumn| {
            output.passes_on.is_some_and(|(relation, column)| {
                !context.scopes.relation(relation).open
                    && !self.columns.contains(&ColumnTarget::Column(relation, column))
            })
        };
        let missing = &outputs.into_iter().find(ungrouped)?.name;
        let words = format!(
            "The non-aggregating expression \"{missing}\" is based on columns which are not participating in the GROUP BY clause."
        );
        Some(RuleFinding::new("MISSING_AGGREGATION", "42803", context.span(star), words))
    }

    /// Returns the first column below `node` that is neither grouped nor aggregated.
    fn ungrouped(&self, context: &RuleContext<'_>, node: NodeId) -> Option<NodeId> {
        let kind = context.kind(node);
        if kind == Kind::Query || matches!(kind, Kind::Identifier | Kind::Alias) {
            return None;
        }
        if kind == Kind::Wildcard && !self.expressions.is_empty() {
            return None;
        }
        if matches!(kind, Kind::Call { .. }) && is_aggregate(context, node) && !is_window_call(context, node) {
            return None;
        }
        let is_column = kind == Kind::Column;
        if is_column && self.covers(context, node) || self.is_key(context, node) {
            return None;
        }
        if is_column {
            return Some(node);
        }
        context.tree().children(node).iter().find_map(|child| self.ungrouped(context, *child))
    }

    fn is_key(&self, context: &RuleContext<'_>, node: NodeId) -> bool {
        let mut alike = self.expressions.iter().filter(|(kind, _)| *kind == context.kind(node)).peekable();
        alike.peek().is_some() && {
            let written = canonical(context, node);
            alike.any(|(_, key)| *key == written)
        }
    }

    fn covers(&self, context: &RuleContext<'_>, column: NodeId) -> bool {
        let Some(binding) = context.scopes.binding(column) else { return true };
        let foreign = match &binding.target {
            ColumnTarget::Column(relation, _) => {
                context.scopes.relation(*relation).block != self.select && binding.outer
            }
            ColumnTarget::Alias(_) | ColumnTarget::Output(_) | ColumnTarget::Parameter(..) => true,
        };
        foreign || self.columns.contains(&binding.target)
    }
}

/// Returns an expression in a form to compare by: names resolved, and all but texts in lower case with single blanks.
pub(super) fn canonical(context: &RuleContext<'_>, node: NodeId) -> String {
    let children = context.tree().children(node);
    if let Some(binding) = context.scopes.binding(node) {
        let fields: Vec<String> =
            children[binding.path_length..].iter().map(|field| context.script.name(*field)).collect();
        return format!("{:?}", (&binding.target, fields));
    }
    match context.kind(node) {
        Kind::Text => return context.script.slice(node).to_owned(),
        _ if children.is_empty() => return context.quoted(node).to_lowercase(),
        _ => {}
    }
    let inner: Vec<String> = children.iter().map(|child| canonical(context, *child)).collect();
    match context.kind(node) {
        Kind::Paren => inner.concat(),
        kind => format!("{kind:?}({})", inner.join(",")),
    }
}
