//! Reads predicates, join conditions and arms of CASE of a script into [`Constraints`].

mod compare;
mod group;
mod joined_pieces;
mod invert;
mod named_rows;
mod neighbouring_row;
mod constrain;
mod text_condition;
mod condition;
mod derive;
mod extremes;
mod order;
mod addresses;
mod probe;
mod recursion;
mod row_relation;
mod seconds;
mod slice;

use std::collections::BTreeSet;

use invert::{AskedShare, DatePartsByPath};
use neighbouring_row::NeighbouringRow;

use super::constraint::{Constraints, PathStep, ValuePath};
use super::evaluator::Evaluator;
use super::lineage::Lineage;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};

/// Returns all that `lineage`'s script asks of its base tables.
pub fn collect(lineage: &Lineage<'_>, evaluator: &Evaluator<'_>) -> Constraints {
    let mut collector = ConstraintCollector {
        lineage,
        evaluator,
        date_parts: DatePartsByPath::new(),
        neighbouring_rows: Vec::new(),
        shares: Vec::new(),
        found: Constraints::default(),
    };
    let tree = lineage.script.tree();
    let nodes: Vec<NodeId> = tree.descendants(tree.root()).collect();
    for node in &nodes {
        collector.visit_join(*node);
    }
    for node in nodes {
        collector.visit(node);
    }
    collector.finish_shares();
    collector.finish_date_parts();
    collector.finish_neighbouring_rows();
    collector.finish_order();
    collector.found
}

/// Functions whose arguments are dates or moments, also where a column holds them as text.
const OF_DATES: [&str; 15] = [
    "datediff", "unix_timestamp", "date_add", "date_sub", "months_between", "add_months", "year", "month", "day",
    "hour", "minute", "dayofweek", "weekofyear", "quarter", "to_timestamp",
];

struct ConstraintCollector<'a, 'b> {
    lineage: &'a Lineage<'a>,
    evaluator: &'a Evaluator<'b>,
    date_parts: DatePartsByPath,
    /// What conditions ask of values of the row before or after.
    neighbouring_rows: Vec<NeighbouringRow>,
    shares: Vec<AskedShare>,
    found: Constraints,
}

/// How a condition is used: a row must meet it, or some row should.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConditionRole {
    Required,
    /// One side of an OR that must hold: some row should meet it, while others may meet another side.
    Disjunct,
    Optional,
    /// The row before must meet it.
    RowBefore,
    /// The row after must meet it.
    RowAfter,
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
            // Some rows are changed and others stay.
            Kind::Where if self.changes_rows(node) => {
                self.condition(children[0], ConditionRole::Optional, true);
                self.found.optional.extend(self.lineage.scans_under(node));
            }
            Kind::ScalarQuery if !self.lineage.script.finds_one_row(children[0]) => {
                self.found.single.extend(self.lineage.scans_under(node));
            }
            Kind::MergeCondition => self.condition(children[0], ConditionRole::Optional, true),
            Kind::Merge => {
                self.merge_keys(node);
                for child in children {
                    self.found.optional.extend(self.lineage.scans_under(child));
                }
                return;
            }
            Kind::Where | Kind::On | Kind::Qualify => self.condition(children[0], ConditionRole::Required, true),
            Kind::When => self.condition(children[0], ConditionRole::Optional, true),
            Kind::Filter => self.condition(children[0], ConditionRole::Optional, true),
            Kind::Case { operand: true } => self.case_operand(&children),
            Kind::PivotFor => self.pivot_values(&children),
            Kind::Call { .. } => self.call_condition(node),
            Kind::Lambda => self.condition(*children.last().unwrap_or(&node), ConditionRole::Optional, true),
            _ => {}
        }
        if matches!(kind, Kind::Call { .. } | Kind::Cast | Kind::Index | Kind::Field | Kind::Column) {
            self.add_form(node);
        }
    }

    /// Notes the columns of the source that a MERGE compares with those of its table.
    fn merge_keys(&mut self, merge: NodeId) {
        let tree = self.lineage.script.tree();
        let Some(condition) = tree.child(merge, |kind| kind == Kind::On) else { return };
        let target = tree.child(merge, |kind| kind == Kind::Table);
        let target = target.map_or_else(BTreeSet::new, |target| self.lineage.scans_under(target));
        let compared =
            tree.conjuncts(condition).iter().filter(|one| tree.kind(**one) == Kind::Binary(BinaryOperator::Equal));
        for path in compared.flat_map(|one| tree.children(*one)).flat_map(|side| self.lineage.trace(*side)) {
            if !target.contains(&path.source.scan) {
                self.found.merge_keys.entry(path.source.scan).or_default().insert(path.source.column);
            }
        }
    }

    fn changes_rows(&self, clause: NodeId) -> bool {
        let tree = self.lineage.script.tree();
        tree.parent(clause).is_some_and(|statement| tree.kind(statement).changes_rows())
    }

    /// Notes that an expression reads a column through JSON, a split, a cast …, so that the values get that form.
    fn add_form(&mut self, node: NodeId) {
        let script = self.lineage.script;
        let is_call = matches!(script.tree().kind(node), Kind::Call { .. });
        if !is_call || !OF_DATES.contains(&script.function_name(node).as_str()) {
            for path in self.lineage.trace(node) {
                self.found.add_form(path);
            }
            return;
        }
        for argument in script.arguments(node) {
            for path in self.lineage.trace(argument) {
                self.found.add_form(path.then(PathStep::Date));
            }
        }
    }

    /// Reads `CASE x WHEN 1 THEN …` as `x = 1`.
    fn case_operand(&mut self, children: &[NodeId]) {
        for when in children[1..].iter().filter(|child| self.lineage.script.tree().kind(**child) == Kind::When) {
            let value = self.children(*when)[0];
            self.compare(BinaryOperator::Equal, children[0], value, ConditionRole::Optional);
        }
    }

    /// Reads `FOR c IN ('a', 'b')` of PIVOT as `c = 'a'` and `c = 'b'`.
    fn pivot_values(&mut self, children: &[NodeId]) {
        let tree = self.lineage.script.tree();
        let (columns, values): (Vec<NodeId>, Vec<NodeId>) =
            children.iter().partition(|child| tree.kind(**child) == Kind::Column);
        for value in values {
            let value = self.children(value)[0];
            let parts = if let [_] = columns[..] { vec![value] } else { self.children(value).to_vec() };
            for (column, part) in columns.iter().zip(parts) {
                self.compare(BinaryOperator::Equal, *column, part, ConditionRole::Optional);
            }
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

    /// Marks the scans under `side` as tested for absence, except those that the rest of its block reads too.
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

    /// `USING (a)`: the columns of that name in the relations of the block are equal.
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
                self.equal(&pair[..1], &pair[1..]);
            }
        }
    }
}
