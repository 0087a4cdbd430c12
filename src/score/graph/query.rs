//! Queries and SELECT blocks.

use super::GraphBuilder;
use super::terms::Term;
use crate::code::scope::ColumnPosition;
use crate::code::tree::{GroupingKind, Kind, NodeId, SetOperator};

/// How the keys of GROUP BY relate to the outputs of a block.
enum KeyCoverage {
    /// All keys are among the outputs, and there are further outputs.
    Shown,
    /// The outputs are the keys, so the block only removes duplicates.
    IsDistinct,
    /// There are no keys, not all are among the outputs, or they are grouping sets.
    Other,
}

impl GraphBuilder<'_> {
    /// A query; without ordering and limits its graph is that of its body.
    pub(super) fn query(&mut self, id: NodeId) -> Term {
        if let Some(term) = self.queries.get(&id) {
            return *term;
        }
        self.open.insert(id);
        let (mut body, mut parts) = (self.terms.none(), Vec::new());
        let mut block = None;
        for child in self.tree.children(id).to_vec() {
            match self.tree.kind(child) {
                Kind::With => parts.extend(self.unused(child)),
                Kind::Select { .. } | Kind::SetOperation { .. } | Kind::Parenthesized | Kind::Values => {
                    body = self.body(child);
                    block = Some(child);
                }
                Kind::OrderBy | Kind::SortBy => parts.push(self.sort_keys(child, block)),
                Kind::Windows => {}
                _ => parts.push(self.generic(child)),
            }
        }
        self.open.remove(&id);
        let term = if parts.is_empty() {
            body
        } else {
            parts.insert(0, body);
            self.terms.node("query", &parts)
        };
        self.queries.insert(id, term);
        term
    }

    /// Common tables that nothing reads. They are part of the graph because they, too, must be right.
    pub(super) fn unused(&mut self, with: NodeId) -> Vec<Term> {
        let mut terms = Vec::new();
        for common in self.tree.children(with).to_vec() {
            let query = self.tree.child(common, |kind| kind == Kind::Query);
            if let (false, Some(query)) = (self.used.contains(&common), query) {
                let query = self.query(query);
                terms.push(self.terms.node("unused", &[query]));
            }
        }
        terms.sort_unstable();
        terms
    }

    fn body(&mut self, id: NodeId) -> Term {
        let children = self.tree.children(id).to_vec();
        match (self.tree.kind(id), &children[..]) {
            (Kind::Select { distinct }, _) => self.select(id, distinct),
            (Kind::Parenthesized, [query]) => self.query(*query),
            (Kind::SetOperation { operator, all }, [left, right]) => {
                let parts = vec![self.body(*left), self.body(*right)];
                self.set_operation(operator, all, parts)
            }
            (Kind::Query, _) => self.query(id),
            _ => self.generic(id),
        }
    }

    fn set_operation(&mut self, operator: SetOperator, all: bool, parts: Vec<Term>) -> Term {
        let label = format!("{operator:?} {all}");
        if operator == SetOperator::Except {
            return self.terms.node(&label, &parts);
        }
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            // A UNION inside a UNION is the same set; a UNION ALL of UNION ALLs is the same bag.
            if self.terms.label_of(part) == label {
                flat.extend_from_slice(self.terms.children_of(part));
            } else {
                flat.push(part);
            }
        }
        self.terms.bag(&label, flat)
    }

    fn select(&mut self, id: NodeId, distinct: bool) -> Term {
        let child = |wanted: fn(Kind) -> bool| self.tree.child(id, wanted);
        let group = child(|kind| kind == Kind::GroupBy);
        let tails = [child(|kind| kind == Kind::Having), child(|kind| kind == Kind::Qualify)];
        let projection = child(|kind| kind == Kind::Projection);
        let joined = self.block_source(id);
        let (outputs, in_order) = self.projection(id, projection);
        let relations = match in_order {
            true => self.terms.node("from in order", &joined.leaves),
            false => self.terms.bag("from", joined.leaves),
        };
        let filter = self.all_of(joined.conditions);
        let mut keys = match group {
            Some(group) => self.group_by(id, group),
            None => self.terms.none(),
        };
        let distinct = match self.grouping_of(outputs, keys) {
            // Groups differ in their keys and all keys are among the outputs, so DISTINCT removes nothing.
            KeyCoverage::Shown => false,
            KeyCoverage::IsDistinct if tails == [None, None] => {
                keys = self.terms.none();
                true
            }
            _ => distinct,
        };
        let mut parts = vec![outputs, relations, filter, keys];
        for tail in tails {
            parts.push(match tail {
                Some(tail) => self.clause(tail),
                None => self.terms.none(),
            });
        }
        self.terms.node(if distinct { "select distinct" } else { "select" }, &parts)
    }

    /// Compares the keys of GROUP BY with the outputs of the block.
    fn grouping_of(&self, outputs: Term, group_by: Term) -> KeyCoverage {
        let (outputs, keys) = (self.terms.children_of(outputs), self.terms.children_of(group_by));
        let is_set = |key: &Term| {
            let label = self.terms.label_of(*key);
            label.starts_with("grouping ") || label == "set"
        };
        let all_shown = !keys.is_empty() && keys.iter().all(|key| outputs.contains(key));
        match (all_shown, outputs.iter().all(|output| keys.contains(output))) {
            _ if keys.iter().any(is_set) => KeyCoverage::Other,
            (true, true) => KeyCoverage::IsDistinct,
            (true, false) => KeyCoverage::Shown,
            (false, _) => KeyCoverage::Other,
        }
    }

    /// The condition of WHERE, HAVING or QUALIFY.
    pub(super) fn clause(&mut self, id: NodeId) -> Term {
        match self.tree.children(id).first().copied() {
            Some(condition) => self.condition(condition, false),
            None => self.terms.none(),
        }
    }

    /// Returns the outputs of a block, and whether they depend on the order of its relations.
    pub(super) fn projection(&mut self, block: NodeId, projection: Option<NodeId>) -> (Term, bool) {
        if projection.is_none() {
            return self.piped_outputs(block);
        }
        let items = projection.map(|projection| self.tree.children(projection).to_vec()).unwrap_or_default();
        let expanded: Vec<Option<Vec<ColumnPosition>>> =
            items.iter().map(|item| self.expansion(block, *item)).collect();
        let places: usize = expanded.iter().map(|columns| columns.as_ref().map_or(1, Vec::len)).sum();
        // Wildcards are expanded only if that yields as many columns as the block has: USING, for one, merges columns.
        let whole = places == self.scopes.outputs(block).len();
        let (mut outputs, mut in_order) = (Vec::with_capacity(places), false);
        for (item, columns) in items.into_iter().zip(expanded) {
            match columns {
                Some(columns) if whole => {
                    outputs.extend(columns.into_iter().map(|(relation, place)| self.column_of(relation, place, 0)));
                }
                _ if self.tree.kind(item) == Kind::Wildcard => {
                    in_order = true;
                    outputs.push(self.wildcard(item));
                }
                _ => outputs.push(self.select_item(item)),
            }
        }
        (self.terms.node("outputs", &outputs), in_order)
    }

    /// The outputs of a block of a pipe whose list says only what it adds, changes or leaves out.
    fn piped_outputs(&mut self, block: NodeId) -> (Term, bool) {
        let from = self.tree.child(block, |kind| kind == Kind::From);
        let merges = |node: &NodeId| matches!(self.tree.kind(*node), Kind::Using | Kind::Join { natural: true, .. });
        let merged = from.is_some_and(|from| self.tree.descendants(from).any(|node| merges(&node)));
        let open = self.scopes.relations_of(block).iter().any(|id| self.scopes.relation(*id).open);
        let columns = self.scopes.outputs(block).to_vec();
        if merged || open {
            // What the block passes on depends on its FROM as it is written.
            let lists = |kind| matches!(kind, Kind::Extend | Kind::SetColumns | Kind::DropColumns | Kind::Aggregate);
            let list = self.tree.child(block, lists).map(|list| self.generic(list));
            let all = self.terms.leaf("all columns");
            let outputs: Vec<Term> = std::iter::once(all).chain(list).collect();
            return (self.terms.node("outputs", &outputs), true);
        }
        let mut outputs = Vec::with_capacity(columns.len());
        for column in columns {
            outputs.push(match (column.expression, column.passes_on) {
                (Some(expression), _) => self.expression(expression),
                (None, Some((relation, place))) => self.column_of(relation, place, 0),
                (None, None) => self.terms.none(),
            });
        }
        (self.terms.node("outputs", &outputs), false)
    }

    fn select_item(&mut self, id: NodeId) -> Term {
        match self.tree.children(id).first().copied() {
            Some(expression) if self.tree.kind(id) == Kind::SelectItem => self.expression(expression),
            _ => self.generic(id),
        }
    }

    /// Returns the columns that a `*` stands for; `None` if not all of them are known.
    fn expansion(&self, block: NodeId, item: NodeId) -> Option<Vec<ColumnPosition>> {
        if self.tree.kind(item) != Kind::Wildcard || !self.words(item).replace(['.', '*', ' '], "").is_empty() {
            return None;
        }
        let qualifier = self.script.last_name(item);
        let mut columns = Vec::new();
        for id in self.scopes.relations_of(block) {
            let relation = self.scopes.relation(*id);
            if relation.condition_only || !qualifier.is_empty() && relation.name != qualifier {
                continue;
            }
            if relation.open {
                return None;
            }
            columns.extend((0..relation.columns.len()).map(|place| (*id, place)));
        }
        (!columns.is_empty()).then_some(columns)
    }

    /// A `*` that cannot be expanded.
    pub(super) fn wildcard(&mut self, id: NodeId) -> Term {
        let (words, path) = (self.words(id), self.path(id));
        let names = self.column_names(id);
        self.terms.node(&format!("wildcard {path} {words}"), &[names])
    }

    fn group_by(&mut self, block: NodeId, id: NodeId) -> Term {
        let (mut keys, mut groupings) = (Vec::new(), Vec::new());
        let children = self.tree.children(id).to_vec();
        let after = children.iter().find_map(|child| match self.tree.kind(*child) {
            Kind::Grouping { kind: GroupingKind::WithRollup } => Some(GroupingKind::Rollup),
            Kind::Grouping { kind: GroupingKind::WithCube } => Some(GroupingKind::Cube),
            _ => None,
        });
        let has_sets = children.iter().any(|child| matches!(self.tree.kind(*child), Kind::Grouping { .. }));
        for child in children {
            match self.tree.kind(child) {
                Kind::Grouping { kind: GroupingKind::WithRollup | GroupingKind::WithCube } => {}
                Kind::Grouping { kind } => {
                    let items = self.tree.children(child).to_vec();
                    let terms: Vec<Term> = items.iter().map(|item| self.grouping_item(block, *item)).collect();
                    groupings.push(self.terms.node(&format!("grouping {kind:?}"), &terms));
                }
                _ => keys.push(self.key(Some(block), child)),
            }
        }
        if let Some(kind) = after {
            groupings.push(self.terms.node(&format!("grouping {kind:?}"), &keys));
            keys.clear();
        } else if !has_sets {
            keys.sort_unstable();
            keys.dedup();
        }
        keys.extend(groupings);
        self.terms.node("group by", &keys)
    }

    fn grouping_item(&mut self, block: NodeId, id: NodeId) -> Term {
        let items = match self.tree.kind(id) {
            Kind::Tuple => self.tree.children(id).to_vec(),
            Kind::Paren => return self.grouping_item(block, self.tree.children(id)[0]),
            _ => vec![id],
        };
        let terms: Vec<Term> = items.iter().map(|item| self.key(Some(block), *item)).collect();
        match terms[..] {
            [only] => only,
            _ => self.terms.node("set", &terms),
        }
    }

    /// A key of GROUP BY or ORDER BY; an integer stands for the output at that position.
    fn key(&mut self, block: Option<NodeId>, id: NodeId) -> Term {
        if self.tree.kind(id) == Kind::Number
            && let (Some(block), Ok(number)) = (block, self.script.slice(id).parse::<usize>())
            && let Some(projection) = self.tree.child(block, |kind| kind == Kind::Projection)
        {
            let items = self.tree.children(projection).to_vec();
            let plain = items.iter().all(|item| self.tree.kind(*item) == Kind::SelectItem);
            if let (true, Some(item)) = (plain, number.checked_sub(1).and_then(|place| items.get(place))) {
                return self.select_item(*item);
            }
        }
        if self.tree.kind(id) == Kind::SelectItem {
            return self.select_item(id);
        }
        self.expression(id)
    }

    /// ORDER BY or SORT BY with its defaults written out.
    pub(super) fn sort_keys(&mut self, id: NodeId, block: Option<NodeId>) -> Term {
        let kind = self.tree.kind(id);
        let mut keys = Vec::new();
        for item in self.tree.children(id).to_vec() {
            let (Kind::SortItem { descending, nulls_first }, Some(key)) =
                (self.tree.kind(item), self.tree.children(item).first().copied())
            else {
                keys.push(self.generic(item));
                continue;
            };
            let key = self.key(block, key);
            let nulls_first = nulls_first.unwrap_or(!descending);
            keys.push(self.terms.node(&format!("key {descending} {nulls_first}"), &[key]));
        }
        self.terms.node(&format!("{kind:?}"), &keys)
    }
}
