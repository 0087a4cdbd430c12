//! `*` over tables without definition. Where an INSERT puts its columns into a defined table, they are that table's; where
//! UNION puts them below those of another query, they are called as these are; else they are those that the script names,
//! and a `*` over a table of which it names none is refused.

use super::blocks::{Blocks, MOST_LEVELS, full_name};
use super::open_column::OpenColumn;
use super::refusal::InferenceRefusalKind;
use super::targets::{filled_columns, inserts, is_column_name};
use crate::code::schema::Schema;
use crate::code::scope::{Relation, RelationId, RelationSource};
use crate::code::tree::{JoinKind, Kind, NodeId};

/// A `*` whose columns reach a result and are not all known.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenStar {
    /// The `Wildcard`, or the `Select` of a pipe that gives all columns.
    pub node: NodeId,
    /// The first relation with further columns than are known.
    pub relation: RelationId,
}

/// The columns that a `*` takes of a table without definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TakenColumns {
    /// Those of the table into which an INSERT puts them, or of the query below which a set operation puts them, without
    /// those that other items of the SELECT list give.
    OfTarget(Vec<OpenColumn>),
    /// There is such a table or query, but which of its columns they are cannot be told.
    Unknown,
    /// Those that the script names.
    Named,
}

impl Blocks<'_> {
    /// Returns the first place whose rows depend on columns that nothing tells, with the reason.
    pub fn unnamed(self) -> Option<(NodeId, InferenceRefusalKind)> {
        self.tree().ids().find_map(|node| match self.tree().kind(node) {
            Kind::Wildcard | Kind::Select { .. } if self.in_set_operation(node) => {
                let is_told = || self.columns_beside(node).is_some() || self.is_united(node);
                let star = self.open_star(node).filter(|_| !is_told())?;
                Some((star.node, InferenceRefusalKind::Star(self.named(star.relation))))
            }
            Kind::Join { natural: true, .. } => self.natural(node),
            Kind::Pivot | Kind::Unpivot { .. } => self.pivoted(node),
            _ => None,
        })
    }

    /// Returns every `*` whose columns reach a result and are not all known.
    pub fn open_stars(self) -> Vec<OpenStar> {
        self.tree().ids().filter_map(|node| self.open_star(node)).collect()
    }

    fn open_star(self, node: NodeId) -> Option<OpenStar> {
        let is_star = self.tree().kind(node) == Kind::Wildcard || self.gives_all(node);
        if !is_star || !self.reaches_result(node) {
            return None;
        }
        let ids = self.starred(self.select_of(node)?, node);
        let relation = ids.into_iter().find(|id| self.scopes.relation(*id).open)?;
        Some(OpenStar { node, relation })
    }

    /// Returns the block whose columns a `*` gives.
    pub fn select_of(self, star: NodeId) -> Option<NodeId> {
        match self.gives_all(star) {
            true => Some(star),
            false => self.tree().enclosing(star, |kind| matches!(kind, Kind::Select { .. })),
        }
    }

    /// Whether the columns of a `*` go by position beside those of another query.
    pub fn in_set_operation(self, star: NodeId) -> bool {
        let mut around = self.tree().ancestors(star).map(|ancestor| self.tree().kind(ancestor));
        let ends = |kind: &Kind| {
            matches!(kind, Kind::SetOperation { .. } | Kind::Derived | Kind::Piped | Kind::CommonTable | Kind::Exists)
        };
        matches!(around.find(ends), Some(Kind::SetOperation { .. }))
    }

    /// Returns the names of the columns below which a `*` puts its own in a set operation: those of an operand that names all
    /// of its columns. `None` if no other operand does.
    fn columns_beside(self, star: NodeId) -> Option<Vec<String>> {
        let (tree, own) = (self.tree(), self.select_of(star)?);
        let operands = self.operands(self.top_operation(own)?).into_iter();
        let all = operands.filter(|select| matches!(tree.kind(*select), Kind::Select { .. }) && *select != own);
        let mut told =
            all.filter(|select| self.wildcards(*select).into_iter().all(|star| self.open_star(star).is_none()));
        told.find_map(|select| {
            let outputs = self.scopes.outputs(select);
            let is_told = !outputs.is_empty() && outputs.iter().all(|output| is_column_name(&output.name));
            is_told.then(|| outputs.iter().map(|output| output.name.clone()).collect())
        })
    }

    /// Whether a `*` stands in a set operation whose operands are all `SELECT *` of tables that nothing defines.
    fn is_united(self, star: NodeId) -> bool {
        let top = self.select_of(star).and_then(|select| self.top_operation(select));
        top.is_some_and(|top| self.tables_of_stars(top).is_some())
    }

    /// Returns the tables of each set operation whose operands are all `SELECT *` of one table that nothing defines: they have
    /// the same columns.
    pub fn united_tables(self) -> Vec<Vec<NodeId>> {
        let tree = self.tree();
        let is_operation = |node: NodeId| matches!(tree.kind(node), Kind::SetOperation { .. });
        let is_top = |node: &NodeId| is_operation(*node) && !tree.parent(*node).is_some_and(is_operation);
        tree.ids().filter(is_top).filter_map(|operation| self.tables_of_stars(operation)).collect()
    }

    fn tables_of_stars(self, operation: NodeId) -> Option<Vec<NodeId>> {
        let tree = self.tree();
        let table_of = |select: NodeId| {
            let list = tree.child(select, |kind| kind == Kind::Projection)?;
            let [star] = tree.children(list) else { return None };
            let [only] = *self.starred(select, *star) else { return None };
            let source = self.scopes.relation(self.passed_on(only));
            let is_open = source.source == RelationSource::Unknown && tree.kind(source.node) == Kind::Table;
            (tree.kind(*star) == Kind::Wildcard && is_open).then_some(source.node)
        };
        self.operands(operation).into_iter().map(table_of).collect()
    }

    /// Returns the outermost set operation that puts a block below others; `None` if none does.
    fn top_operation(self, select: NodeId) -> Option<NodeId> {
        let tree = self.tree();
        let is_around =
            |node: &NodeId| matches!(tree.kind(*node), Kind::SetOperation { .. } | Kind::Query | Kind::Parenthesized);
        let around = tree.ancestors(select).take_while(is_around);
        around.filter(|node| matches!(tree.kind(*node), Kind::SetOperation { .. })).last()
    }

    /// Returns the blocks that a set operation puts below each other, from left to right.
    fn operands(self, node: NodeId) -> Vec<NodeId> {
        let tree = self.tree();
        match tree.kind(node) {
            Kind::SetOperation { .. } => {
                tree.children(node).iter().take(2).flat_map(|operand| self.operands(*operand)).collect()
            }
            Kind::Parenthesized | Kind::Query => {
                let body = |kind| {
                    matches!(kind, Kind::SetOperation { .. } | Kind::Parenthesized | Kind::Query | Kind::Select { .. })
                };
                tree.child(node, body).map(|body| self.operands(body)).unwrap_or_default()
            }
            _ => vec![node],
        }
    }

    /// Returns the INSERT of a query, if a `*` stands in the SELECT list of that query itself.
    pub fn insert_of(self, star: NodeId) -> Option<NodeId> {
        let query = self.tree().parent(self.select_of(star)?)?;
        let insert = self.tree().parent(query)?;
        (inserts(self.tree().kind(insert)) && self.tree().kind(query) == Kind::Query).then_some(insert)
    }

    /// Returns what a `*` takes of a table without definition.
    pub fn taken_columns(self, star: OpenStar, schema: &Schema) -> TakenColumns {
        // What is put back into the table that it comes from tells nothing of its columns.
        let insert = self.insert_of(star.node).filter(|insert| !self.fills_its_source(*insert, star));
        let filled = insert.and_then(|insert| filled_columns(self, insert, schema));
        let filled = filled.or_else(|| self.columns_beside(star.node));
        match filled.map(|filled| self.columns_of_target(star, &filled)) {
            None => TakenColumns::Named,
            Some(Some(columns)) => TakenColumns::OfTarget(columns),
            Some(None) => TakenColumns::Unknown,
        }
    }

    fn fills_its_source(self, insert: NodeId, star: OpenStar) -> bool {
        let target = self.tree().child(insert, |kind| kind == Kind::Table);
        let source = self.scopes.relation(self.passed_on(star.relation)).node;
        self.tree().kind(source) == Kind::Table
            && target.is_some_and(|target| full_name(self.script, target) == full_name(self.script, source))
    }

    fn columns_of_target(self, star: OpenStar, filled: &[String]) -> Option<Vec<OpenColumn>> {
        let tree = self.tree();
        let select = self.select_of(star.node)?;
        let source = self.scopes.relation(self.passed_on(star.relation));
        if source.source != RelationSource::Unknown || tree.kind(source.node) != Kind::Table {
            return None;
        }
        let items = tree.child(select, |kind| kind == Kind::Projection).map_or(&[][..], |list| tree.children(list));
        let at = items.iter().position(|item| *item == star.node).unwrap_or(0);
        let width = |item: &NodeId| self.width(select, *item);
        let beside = self.starred(select, star.node).into_iter();
        let (before, after): (Vec<_>, Vec<_>) =
            beside.filter(|id| *id != star.relation).partition(|id| *id < star.relation);
        let known = |ids: Vec<RelationId>| ids.into_iter().map(|id| self.known_width(id)).sum::<Option<usize>>();
        let first = items[..at].iter().map(width).sum::<Option<usize>>()? + known(before)?;
        let last = items.get(at + 1..).unwrap_or_default().iter().map(width).sum::<Option<usize>>()? + known(after)?;
        let taken = filled.get(first..filled.len().checked_sub(last)?)?;
        let table = full_name(self.script, source.node);
        Some(taken.iter().map(|column| OpenColumn::of(&table, column)).collect())
    }

    /// Returns the columns of a table without definition of which the table that an INSERT adds rows to is a copy, by
    /// `CREATE TABLE … AS SELECT *`: the names of these rows; `None` if one has no name, or there is no such table.
    pub fn columns_of_copied(self, insert: NodeId) -> Option<Vec<OpenColumn>> {
        let tree = self.tree();
        let query = tree.child(insert, |kind| kind == Kind::Query)?;
        let lists = |kind| matches!(kind, Kind::ColumnList | Kind::PartitionSpec);
        let adds = |relation: &Relation| relation.writers.iter().any(|writer| writer.query == query);
        let (_, copy) = self.scopes.relations().find(|(_, relation)| adds(relation))?;
        let source = self.scopes.relation(self.passed_on(self.only_starred(self.made_by(copy)?)?));
        let is_open = source.source == RelationSource::Unknown && tree.kind(source.node) == Kind::Table;
        let outputs = self.scopes.outputs(query);
        let is_named = |at: usize| {
            let name = &outputs[at].name;
            is_column_name(name) && !outputs[..at].iter().any(|before| before.name == *name)
        };
        let tells = is_open && tree.child(insert, lists).is_none() && (0..outputs.len()).all(is_named);
        let table = full_name(self.script, source.node);
        tells.then(|| outputs.iter().map(|output| OpenColumn::of(&table, &output.name)).collect())
    }

    /// Returns the relation of which a relation is `SELECT *`, through all levels; the relation itself if it is none.
    fn passed_on(self, id: RelationId) -> RelationId {
        let inner = |id: RelationId| self.only_starred(self.scopes.relation(id).source.query(self.tree())?);
        std::iter::successors(Some(id), |id| inner(*id)).take(MOST_LEVELS).last().unwrap_or(id)
    }

    /// Returns the only relation of a query that is `SELECT *` of it.
    fn only_starred(self, query: NodeId) -> Option<RelationId> {
        let tree = self.tree();
        let select = tree.child(query, |kind| matches!(kind, Kind::Select { .. }))?;
        let list = tree.child(select, |kind| kind == Kind::Projection)?;
        let [star] = tree.children(list) else { return None };
        let [only] = *self.starred(select, *star) else { return None };
        (tree.kind(*star) == Kind::Wildcard && tree.child(query, |kind| kind == Kind::Piped).is_none()).then_some(only)
    }

    /// Returns how many columns an item of a SELECT list gives; `None` if that is not known.
    fn width(self, select: NodeId, item: NodeId) -> Option<usize> {
        match self.tree().kind(item) {
            Kind::Wildcard => self.starred(select, item).into_iter().map(|id| self.known_width(id)).sum(),
            _ => Some(1),
        }
    }

    fn known_width(self, id: RelationId) -> Option<usize> {
        let relation = self.scopes.relation(id);
        (!relation.open).then_some(relation.columns.len())
    }

    /// Whether the columns of a `*` reach a result: a sub-query in FROM or a CTE passes them on to its reader, whose
    /// own `*` then counts, and EXISTS reads none. Operands of a set operation go by position.
    fn reaches_result(self, wildcard: NodeId) -> bool {
        for ancestor in self.tree().ancestors(wildcard) {
            match self.tree().kind(ancestor) {
                Kind::SetOperation { .. } => return true,
                Kind::Derived | Kind::Piped | Kind::CommonTable | Kind::Exists => return false,
                // What reads the view or table names its columns.
                Kind::CreateView | Kind::CreateTable => return !self.is_read(ancestor),
                _ => {}
            }
        }
        true
    }

    /// Whether a later statement reads what a CREATE makes.
    fn is_read(self, create: NodeId) -> bool {
        let span = self.tree().span(create);
        let is_written = |query: NodeId| span.contains(self.tree().span(query));
        self.scopes.relations().any(|(_, relation)| relation.writers.iter().any(|writer| is_written(writer.query)))
    }

    /// A pivot groups by all columns that it does not name.
    fn pivoted(self, pivot: NodeId) -> Option<(NodeId, InferenceRefusalKind)> {
        let inside = |node: NodeId| self.tree().ancestors(node).any(|around| around == pivot);
        let mut relations = self.scopes.relations().filter(|(_, relation)| relation.open && inside(relation.node));
        let (open, _) = relations.next()?;
        Some((pivot, InferenceRefusalKind::Star(self.named(open))))
    }

    fn natural(self, join: NodeId) -> Option<(NodeId, InferenceRefusalKind)> {
        let block = *self.around(join).first()?;
        let cross = matches!(self.tree().kind(join), Kind::Join { kind: JoinKind::Cross, .. });
        let ids = self.scopes.relations_of(block).iter().copied();
        let open = ids.filter(|_| !cross).find(|id| self.scopes.relation(*id).open)?;
        Some((join, InferenceRefusalKind::Natural(self.named(open))))
    }

    /// Returns the table without definition behind a relation, or else the relation's own name.
    pub fn named(self, id: RelationId) -> String {
        let origin = self.origins(id).first().map(|table| self.script.path_name(*table));
        let relation = self.scopes.relation(id);
        origin.unwrap_or_else(|| match &relation.source {
            RelationSource::Table(name) | RelationSource::Written(name) => name.clone(),
            _ => relation.name.clone(),
        })
    }
}
