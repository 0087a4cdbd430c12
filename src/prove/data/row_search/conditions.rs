//! Conditions as SQL over the base columns that they read, so that they can be tried on values.

use std::collections::BTreeSet;

use super::super::constraint::ScanColumn;
use super::super::lineage::Lineage;
use crate::code::scope::{ColumnTarget, OutputColumn, RelationId, RelationSource, names_no_column};
use crate::code::tree::{Kind, NodeId};

/// How many queries between a condition and a base column are gone through.
const MAX_DEPTH: usize = 24;
/// Most conditions that are met together.
const MOST_CONDITIONS: usize = 24;
/// Most columns that values are sought for together.
const MOST_COLUMNS: usize = 10;

/// A condition over base columns.
pub(super) struct BaseCondition {
    /// SQL in which [`column_name`] stands for each column.
    pub sql: String,
    /// Two sides that the condition compares: the nearer they are, the nearer it is to being met.
    pub sides: Vec<[String; 2]>,
    /// The columns that it reads.
    pub columns: BTreeSet<ScanColumn>,
}

/// Returns the name of a base column in the SQL of conditions.
pub(super) fn column_name(column: ScanColumn) -> String {
    format!("s{}_c{}", column.scan, column.column)
}

/// Returns an unmet condition, those beside it, and all others of the script that read the same columns; none if it reads
/// anything but base columns, or only says that two of them are equal.
pub(super) fn conditions_around(lineage: &Lineage<'_>, unmet: NodeId) -> Vec<BaseCondition> {
    let tree = lineage.script.tree();
    // What no row meets where a sub-query finds nothing is the sub-query's own condition.
    let inner = matches!(tree.kind(unmet), Kind::Exists | Kind::InQuery { negated: false })
        .then(|| tree.descendants(unmet).find(|node| tree.kind(*node) == Kind::Where))
        .flatten();
    let around = || tree.ancestors(unmet).find(|node| is_clause(tree.kind(*node)));
    let Some(clause) = inner.or_else(around) else { return Vec::new() };
    let read = |clause: NodeId| tree.conjuncts(clause).iter().filter_map(|one| base_condition(lineage, *one));
    let mut found: Vec<BaseCondition> = read(clause).collect();
    let is_among = |found: &[BaseCondition]| match tree.conjuncts(clause).contains(&unmet) {
        true => base_condition(lineage, unmet).is_some(),
        false => !found.is_empty(),
    };
    if !is_among(&found) {
        return Vec::new();
    }
    let clauses = tree.ids().filter(|node| is_clause(tree.kind(*node)) && *node != clause);
    let mut others: Vec<BaseCondition> =
        clauses.filter(|clause| !is_tested_for_absence(lineage, *clause)).flat_map(read).collect();
    // What a further condition reads may be read by others again.
    loop {
        let columns: BTreeSet<ScanColumn> = found.iter().flat_map(|condition| condition.columns.clone()).collect();
        let near = others.iter().position(|other| {
            let with_other = columns.union(&other.columns).count();
            !columns.is_disjoint(&other.columns) && with_other <= MOST_COLUMNS
        });
        match near {
            Some(near) if found.len() < MOST_CONDITIONS => found.push(others.swap_remove(near)),
            _ => break,
        }
    }
    found.truncate(MOST_CONDITIONS);
    found
}

fn is_clause(kind: Kind) -> bool {
    matches!(kind, Kind::Where | Kind::On)
}

/// Whether a clause stands in a sub-query of a condition: what meets it may have to be absent.
fn is_tested_for_absence(lineage: &Lineage<'_>, clause: NodeId) -> bool {
    let tree = lineage.script.tree();
    tree.ancestors(clause)
        .any(|node| matches!(tree.kind(node), Kind::Exists | Kind::InQuery { .. } | Kind::ScalarQuery))
}

/// Returns a condition over base columns; `None` if it reads anything else or says that two columns are equal.
fn base_condition(lineage: &Lineage<'_>, condition: NodeId) -> Option<BaseCondition> {
    let tree = lineage.script.tree();
    let children = tree.children(condition);
    let is_column = |node: &NodeId| tree.kind(*node) == Kind::Column;
    let kind = tree.kind(condition);
    if matches!(kind, Kind::Binary(operator) if operator.is_comparison()) && children.iter().all(is_column) {
        return None;
    }
    let mut writer = ConditionWriter { lineage, columns: BTreeSet::new() };
    let sql = writer.expression(condition, 0)?;
    let mut side = |node: NodeId| writer.expression(node, 0);
    let sides = match (kind, children) {
        (Kind::Binary(operator), [left, right]) if operator.is_comparison() => vec![[side(*left)?, side(*right)?]],
        (Kind::Between { negated: false }, [value, low, high]) => {
            let value = side(*value)?;
            vec![[value.clone(), side(*low)?], [value, side(*high)?]]
        }
        _ => Vec::new(),
    };
    let columns = writer.columns;
    (!columns.is_empty() && columns.len() <= MOST_COLUMNS).then_some(BaseCondition { sql, sides, columns })
}

/// Writes expressions with base columns in place of what queries make of them.
struct ConditionWriter<'a> {
    lineage: &'a Lineage<'a>,
    columns: BTreeSet<ScanColumn>,
}

impl ConditionWriter<'_> {
    /// Returns the SQL of an expression; `None` if it reads more than one row.
    fn expression(&mut self, expression: NodeId, depth: usize) -> Option<String> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        let reads_more = |node: NodeId| match tree.kind(node) {
            Kind::Query | Kind::Over | Kind::Star => true,
            Kind::Call { .. } => script.is_aggregate(node) || script.is_generator(node),
            _ => false,
        };
        if depth > MAX_DEPTH || tree.descendants(expression).any(reads_more) {
            return None;
        }
        let (span, mut sql, mut written) = (tree.span(expression), String::new(), tree.span(expression).start);
        for column in tree.descendants(expression).filter(|node| tree.kind(*node) == Kind::Column) {
            let place = tree.span(column);
            sql.push_str(&script.text()[written..place.start]);
            sql.push_str(&self.column(column, depth)?);
            written = place.end;
        }
        sql.push_str(&script.text()[written..span.end]);
        Some(sql)
    }

    fn column(&mut self, column: NodeId, depth: usize) -> Option<String> {
        let (script, tree) = (self.lineage.script, self.lineage.script.tree());
        if names_no_column(script, column) {
            return Some(script.slice(column).to_owned());
        }
        let binding = self.lineage.scopes.binding(column)?;
        let value = match &binding.target {
            ColumnTarget::Parameter(..) => return Some(script.slice(column).to_owned()),
            ColumnTarget::Alias(item) => format!("({})", self.expression(*tree.children(*item).first()?, depth + 1)?),
            ColumnTarget::Column(relation, position) => self.of_relation(*relation, *position, depth + 1)?,
            ColumnTarget::Output(_) => return None,
        };
        let fields = tree.children(column).iter().skip(binding.path_length);
        Some(fields.fold(value, |value, field| format!("{value}.{}", script.slice(*field))))
    }

    fn of_relation(&mut self, relation: RelationId, position: usize, depth: usize) -> Option<String> {
        if let Some(scan) = self.lineage.scan(relation) {
            let column = ScanColumn { scan, column: position };
            self.columns.insert(column);
            return Some(column_name(column));
        }
        let relation_node = self.lineage.scopes.relation(relation);
        let (query, position) = match &relation_node.source {
            RelationSource::CommonTable(query) | RelationSource::Query(query) => (*query, position),
            RelationSource::Table(_) | RelationSource::Written(_) => self.lineage.written_by(relation, position)?,
            RelationSource::Function(_) | RelationSource::Values(_) | RelationSource::Unknown => return None,
        };
        if depth > MAX_DEPTH || relation_node.recursion(self.lineage.script.tree()).is_some() {
            return None;
        }
        // What holds for the first side of a UNION is enough for a row.
        let mut block = query;
        while let Some(sides) = self.lineage.branches(block) {
            block = *sides.first()?;
        }
        let OutputColumn { passes_on, expression, .. } = self.lineage.scopes.outputs(block).get(position)?;
        match (passes_on, expression) {
            (Some((relation, column)), _) => self.of_relation(*relation, *column, depth + 1),
            (None, Some(expression)) => Some(format!("({})", self.expression(*expression, depth + 1)?)),
            (None, None) => None,
        }
    }
}
