//! Conditions as SQL over the values of base columns that they read, so that they can be tried on others.

use std::collections::{BTreeMap, BTreeSet};

use super::super::constraint::{PathStep, ScanColumn, ValuePath};
use super::super::lineage::Lineage;
use crate::code::edit::{Edit, part_with_edits};
use crate::code::schema::Schema;
use crate::code::scope::{ColumnTarget, OutputColumn, RelationId, RelationSource, names_no_column};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// How many queries between a condition and a base column are gone through.
const MAX_DEPTH: usize = 24;
/// The longest condition, in bytes: what each of several queries reads twice doubles with every one.
const LONGEST_CONDITION: usize = 20_000;
/// Most conditions that are met together.
const MOST_CONDITIONS: usize = 24;
/// Most values that are sought together.
const MOST_SOUGHT: usize = 10;

/// Aggregate functions that give back the value of a group's only row.
const VALUE_OF_ONE_ROW: [&str; 10] =
    ["any_value", "avg", "first", "first_value", "last", "last_value", "max", "mean", "min", "sum"];

/// What a condition may read of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupReading {
    /// Nothing: a condition over aggregates is left out.
    LeftOut,
    /// What an aggregate gives for a group of one row.
    OneRow,
}

/// A condition over base columns.
pub(super) struct BaseCondition {
    /// SQL in which a name stands for each value that is read; see [`BaseConditions::values`].
    pub sql: String,
    /// Two sides that the condition compares: the nearer they are, the nearer it is to being met.
    pub sides: Vec<[String; 2]>,
    /// The values that it reads: numbers in [`BaseConditions::values`].
    pub reads: BTreeSet<usize>,
}

/// A value of a base column, or inside of one, such as a field of its JSON.
pub(super) struct SoughtValue {
    pub path: ValuePath,
    pub data_type: Type,
}

impl SoughtValue {
    /// Returns its name in the SQL of conditions, by its number.
    pub fn name(number: usize) -> String {
        format!("sought_{number}")
    }
}

/// Conditions with the values that they read.
pub(super) struct BaseConditions {
    pub conditions: Vec<BaseCondition>,
    /// All values that the conditions read; others are there as well.
    pub values: Vec<SoughtValue>,
}

impl BaseConditions {
    /// Returns an unmet condition, those beside it, and all others of the script that read the same values; none if it reads
    /// anything but base columns, or only says that two of them are equal.
    pub fn around(lineage: &Lineage<'_>, schema: &Schema, unmet: NodeId, groups: GroupReading) -> BaseConditions {
        let mut reader = ConditionReader { lineage, schema, groups, values: Vec::new() };
        let conditions = reader.around(unmet);
        BaseConditions { conditions, values: reader.values }
    }

    /// Returns the numbers of the values that the conditions read.
    pub fn read(&self) -> Vec<usize> {
        let all: BTreeSet<usize> = self.conditions.iter().flat_map(|condition| condition.reads.clone()).collect();
        all.into_iter().collect()
    }
}

/// Reads conditions, giving each value that they read a number.
struct ConditionReader<'a> {
    lineage: &'a Lineage<'a>,
    schema: &'a Schema,
    groups: GroupReading,
    values: Vec<SoughtValue>,
}

impl ConditionReader<'_> {
    fn around(&mut self, unmet: NodeId) -> Vec<BaseCondition> {
        let tree = self.lineage.script.tree();
        // What no row meets where a sub-query finds nothing is the sub-query's own condition.
        let inner = matches!(tree.kind(unmet), Kind::Exists | Kind::InQuery { negated: false })
            .then(|| tree.descendants(unmet).find(|node| tree.kind(*node) == Kind::Where))
            .flatten();
        let around = || tree.ancestors(unmet).find(|node| is_clause(tree.kind(*node)));
        let Some(clause) = inner.or_else(around) else { return Vec::new() };
        let mut found = self.of_clause(clause);
        let is_one_of_several = tree.conjuncts(clause).contains(&unmet);
        if found.is_empty() || is_one_of_several && self.condition(unmet).is_none() {
            return Vec::new();
        }
        let clauses = tree.ids().filter(|node| is_clause(tree.kind(*node)) && *node != clause);
        let clauses: Vec<NodeId> = clauses.filter(|clause| !is_tested_for_absence(self.lineage, *clause)).collect();
        let mut others: Vec<BaseCondition> = clauses.into_iter().flat_map(|clause| self.of_clause(clause)).collect();
        // What a further condition reads may be read by others again.
        loop {
            let read: BTreeSet<usize> = found.iter().flat_map(|condition| condition.reads.clone()).collect();
            let near = others
                .iter()
                .position(|other| !read.is_disjoint(&other.reads) && read.union(&other.reads).count() <= MOST_SOUGHT);
            match near {
                Some(near) if found.len() < MOST_CONDITIONS => found.push(others.swap_remove(near)),
                _ => break,
            }
        }
        found.truncate(MOST_CONDITIONS);
        found
    }

    fn of_clause(&mut self, clause: NodeId) -> Vec<BaseCondition> {
        let conjuncts = self.lineage.script.tree().conjuncts(clause).to_vec();
        conjuncts.into_iter().filter_map(|one| self.condition(one)).collect()
    }

    /// Returns a condition over base columns; `None` if it reads anything else or says that two columns are equal.
    fn condition(&mut self, condition: NodeId) -> Option<BaseCondition> {
        let tree = self.lineage.script.tree();
        let children = tree.children(condition);
        let is_column = |node: &NodeId| tree.kind(*node) == Kind::Column;
        let kind = tree.kind(condition);
        if matches!(kind, Kind::Binary(operator) if operator.is_comparison()) && children.iter().all(is_column) {
            return None;
        }
        let mut writer = ConditionWriter { reader: self, reads: BTreeSet::new() };
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
        let reads = writer.reads;
        (!reads.is_empty() && reads.len() <= MOST_SOUGHT).then_some(BaseCondition { sql, sides, reads })
    }

    /// Returns the number of a value, a new one for a value that has none.
    fn number(&mut self, path: ValuePath, data_type: Type) -> usize {
        let known = self.values.iter().position(|value| value.path == path);
        known.unwrap_or_else(|| {
            self.values.push(SoughtValue { path, data_type });
            self.values.len() - 1
        })
    }
}

fn is_clause(kind: Kind) -> bool {
    matches!(kind, Kind::Where | Kind::On | Kind::Having)
}

/// Whether a clause stands in a sub-query of a condition: what meets it may have to be absent.
fn is_tested_for_absence(lineage: &Lineage<'_>, clause: NodeId) -> bool {
    let tree = lineage.script.tree();
    tree.ancestors(clause)
        .any(|node| matches!(tree.kind(node), Kind::Exists | Kind::InQuery { .. } | Kind::ScalarQuery))
}

/// Writes expressions with names in place of the values that they read.
struct ConditionWriter<'a, 'b> {
    reader: &'a mut ConditionReader<'b>,
    reads: BTreeSet<usize>,
}

impl ConditionWriter<'_, '_> {
    /// Returns the SQL of an expression; `None` if it reads more than one row.
    fn expression(&mut self, expression: NodeId, depth: usize) -> Option<String> {
        let (script, tree) = (self.reader.lineage.script, self.reader.lineage.script.tree());
        let reads_more = |node: NodeId| match tree.kind(node) {
            Kind::Query | Kind::Over | Kind::Star => true,
            Kind::Call { .. } if script.is_aggregate(node) => self.value_of_one_row(node).is_none(),
            Kind::Call { .. } => script.is_generator(node),
            _ => false,
        };
        if depth > MAX_DEPTH || tree.descendants(expression).any(reads_more) {
            return None;
        }
        let mut pieces: BTreeMap<usize, Edit> = BTreeMap::new();
        for node in tree.descendants(expression) {
            let place = tree.span(node);
            if pieces.range(..=place.start).next_back().is_some_and(|(_, piece)| piece.span().contains(place)) {
                continue;
            }
            let written = match tree.kind(node) {
                Kind::Call { .. } if script.is_aggregate(node) => {
                    format!("({})", self.expression(self.value_of_one_row(node)?, depth + 1)?)
                }
                Kind::Column => self.column(node, depth)?,
                Kind::Call { .. } | Kind::Index => match self.inside_of_column(node) {
                    Some(name) => name,
                    None => continue,
                },
                _ => continue,
            };
            pieces.insert(place.start, Edit::replacement(place, written));
        }
        let edits: Vec<Edit> = pieces.into_values().collect();
        let sql = part_with_edits(script.text(), tree.span(expression), &edits);
        (sql.len() <= LONGEST_CONDITION).then_some(sql)
    }

    /// Returns the expression whose value an aggregate gives for a group of one row; `None` if it gives anything else, or
    /// groups are left out.
    fn value_of_one_row(&self, call: NodeId) -> Option<NodeId> {
        let (script, tree) = (self.reader.lineage.script, self.reader.lineage.script.tree());
        let is_plain = tree.child(call, |kind| matches!(kind, Kind::Filter | Kind::WithinGroup)).is_none();
        let is_value = VALUE_OF_ONE_ROW.contains(&script.function_name(call).as_str());
        let reads_groups = self.reader.groups == GroupReading::OneRow;
        script.arguments(call).first().copied().filter(|_| is_plain && is_value && reads_groups)
    }

    /// Returns the name of a value that is read from inside a column: from its JSON, or by the key of a map. `None` for any
    /// other expression.
    fn inside_of_column(&mut self, node: NodeId) -> Option<String> {
        let lineage = self.reader.lineage;
        let [path] = &lineage.trace(node)[..] else { return None };
        let (last, before) = path.steps.split_last()?;
        let is_inside = |step: &PathStep| matches!(step, PathStep::Json(_) | PathStep::MapKey(_) | PathStep::Field(_));
        let data_type = match last {
            PathStep::Json(_) => Type::String,
            PathStep::MapKey(_) => lineage.scopes.type_of(node).clone(),
            _ => return None,
        };
        let is_all = before.iter().all(is_inside) && !data_type.is_nested();
        is_all.then(|| self.name(path.clone(), data_type))
    }

    fn name(&mut self, path: ValuePath, data_type: Type) -> String {
        let number = self.reader.number(path, data_type);
        self.reads.insert(number);
        SoughtValue::name(number)
    }

    fn column(&mut self, column: NodeId, depth: usize) -> Option<String> {
        let (script, tree) = (self.reader.lineage.script, self.reader.lineage.script.tree());
        if names_no_column(script, column) {
            return Some(script.slice(column).to_owned());
        }
        let binding = self.reader.lineage.scopes.binding(column)?;
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
        let lineage = self.reader.lineage;
        if let Some(scan) = lineage.scan(relation) {
            let source = ScanColumn { scan, column: position };
            let table = self.reader.schema.table(&lineage.scans[scan].table)?;
            let data_type = table.columns.get(position)?.data_type.clone();
            return Some(self.name(ValuePath { source, steps: Vec::new() }, data_type));
        }
        let relation_node = lineage.scopes.relation(relation);
        let (query, position) = match &relation_node.source {
            RelationSource::CommonTable(query) | RelationSource::Query(query) => (*query, position),
            RelationSource::Table(_) | RelationSource::Written(_) => lineage.written_by(relation, position)?,
            RelationSource::Function(_) | RelationSource::Values(_) | RelationSource::Unknown => return None,
        };
        if depth > MAX_DEPTH || relation_node.recursion(lineage.script.tree()).is_some() {
            return None;
        }
        // What holds for the first operand of a UNION is enough for a row.
        let mut block = query;
        while let Some(operands) = lineage.operands(block) {
            block = *operands.first()?;
        }
        let OutputColumn { passes_on, expression, .. } = lineage.scopes.outputs(block).get(position)?;
        match (passes_on, expression) {
            (Some((relation, column)), _) => self.of_relation(*relation, *column, depth + 1),
            (None, Some(expression)) => Some(format!("({})", self.expression(*expression, depth + 1)?)),
            (None, None) => None,
        }
    }
}
