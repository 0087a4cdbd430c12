//! Which base tables a script reads, and how an expression reaches back to their columns.

mod calls;
mod origins;

use std::collections::{BTreeSet, HashMap};

use calls::cast_step;

use super::constraint::{PathStep, ScanColumn, ValuePath};
use crate::code::functions::{Function, RowGenerator};
use crate::code::schema::used_database;
use crate::code::scope::{ColumnPosition, ColumnTarget, RecursiveUnion, RelationId, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// One scan of a base table by a script.
#[derive(Clone, Debug)]
pub struct TableScan {
    /// Full lower-case table name.
    pub table: String,
}

/// How far a value has been traced back.
#[derive(Clone, Default)]
struct ValueTrace {
    /// The steps into what has been reached, the last first.
    steps: Vec<PathStep>,
    /// How many expressions and relations lie between.
    depth: usize,
}

impl ValueTrace {
    /// Returns the trace with one more expression or relation in between; `None` if these are too many.
    fn deeper(self) -> Option<ValueTrace> {
        (self.depth < MAX_DEPTH).then(|| ValueTrace { depth: self.depth + 1, ..self })
    }
}

/// The scans of a script, and the way back to them from its expressions.
pub struct Lineage<'a> {
    /// The script.
    pub script: &'a Script,
    /// Its resolved names.
    pub scopes: &'a Scopes,
    /// Every scan of a schema table, in the order of the text.
    pub scans: Vec<TableScan>,
    scan_by_relation: HashMap<RelationId, usize>,
    /// For a view or table that the script itself makes: the query that fills it.
    writers: HashMap<String, NodeId>,
}

/// How deep a chain of CTEs and steps is followed.
const MAX_DEPTH: usize = 60;

impl<'a> Lineage<'a> {
    /// Finds the scans of `script`.
    pub fn new(script: &'a Script, scopes: &'a Scopes) -> Lineage<'a> {
        let writers = writers(script);
        let mut scans = Vec::new();
        let mut scan_by_relation = HashMap::new();
        for (id, relation) in scopes.relations() {
            // A table that only this statement or a later one writes holds rows of its own before.
            if let RelationSource::Table(table) = &relation.source
                && relation.writers.is_empty()
            {
                scan_by_relation.insert(id, scans.len());
                scans.push(TableScan { table: table.clone() });
            }
        }
        Lineage { script, scopes, scans, scan_by_relation, writers }
    }

    /// Returns the index of a relation that reads a base table; `None` for any other relation.
    pub(super) fn scan(&self, relation: RelationId) -> Option<usize> {
        self.scan_by_relation.get(&relation).copied()
    }

    /// Returns the output that fills a column of a table which an earlier statement of the script writes, as its query
    /// and position; `None` if no output does.
    pub(super) fn written_by(&self, relation: RelationId, position: usize) -> Option<(NodeId, usize)> {
        let relation = self.scopes.relation(relation);
        let (RelationSource::Table(name) | RelationSource::Written(name)) = &relation.source else { return None };
        match relation.writers.last() {
            Some(writer) => Some((writer.query, (*writer.outputs.get(position)?)?)),
            None => Some((self.writers.get(name).copied()?, position)),
        }
    }

    /// Follows `expression` back to the base columns whose value it passes on, through names and the functions that keep
    /// one value. Several for the operands of a UNION or the arguments of COALESCE; empty if it computes something new.
    pub fn trace(&self, expression: NodeId) -> Vec<ValuePath> {
        without_letter_case(self.trace_with_letter_case(expression))
    }

    /// Returns the paths of [`Lineage::trace`] with [`PathStep::Lower`] and [`PathStep::Upper`] where the letter case changes
    /// on the way.
    pub fn trace_with_letter_case(&self, expression: NodeId) -> Vec<ValuePath> {
        let mut found = Vec::new();
        self.follow(expression, ValueTrace::default(), &mut found);
        found
    }

    /// Returns the base columns whose value output `position` of a query passes on, as [`Lineage::trace`] does for an
    /// expression.
    pub fn trace_output(&self, query: NodeId, position: usize) -> Vec<ValuePath> {
        let mut found = Vec::new();
        self.follow_output(query, position, ValueTrace::default(), &mut found);
        without_letter_case(found)
    }

    /// Returns the first side of the union of a recursive CTE, for a relation with which the CTE reads itself; `None` for
    /// any other relation.
    fn first_side(&self, relation: RelationId) -> Option<NodeId> {
        let table = self.scopes.relation(relation).recursion(self.script.tree())?;
        RecursiveUnion::of(self.script.tree(), table).map(|union| union.first)
    }

    /// Returns the base columns behind column `name` of a relation.
    pub fn column(&self, relation: RelationId, name: &str) -> Vec<ValuePath> {
        let mut found = Vec::new();
        let columns = &self.scopes.relation(relation).columns;
        if let Some(position) = columns.iter().position(|column| column.name == name) {
            self.follow_relation((relation, position), ValueTrace::default(), &mut found);
        }
        without_letter_case(found)
    }

    /// Returns the scans that feed whatever is read at or below `node`.
    pub fn scans_under(&self, node: NodeId) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        self.add_scans(node, MAX_DEPTH, &mut found);
        found
    }

    fn add_scans(&self, node: NodeId, depth: usize, found: &mut BTreeSet<usize>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let tree = self.script.tree();
        for (id, relation) in self.scopes.relations() {
            let at = relation.node;
            if at != node && !tree.ancestors(at).any(|ancestor| ancestor == node) {
                continue;
            }
            match (&relation.source, self.scan_by_relation.get(&id)) {
                (_, Some(scan)) => _ = found.insert(*scan),
                (RelationSource::CommonTable(query), None) if *query != node => self.add_scans(*query, depth, found),
                _ => {}
            }
        }
    }

    /// Adds the paths behind an expression that was reached by `trace`.
    fn follow(&self, expression: NodeId, trace: ValueTrace, found: &mut Vec<ValuePath>) {
        let Some(mut trace) = trace.deeper() else { return };
        let tree = self.script.tree();
        match tree.kind(expression) {
            Kind::Column => self.follow_column(expression, trace, found),
            Kind::Paren => self.follow(tree.children(expression)[0], trace, found),
            Kind::Cast => {
                trace.steps.extend(cast_step(self.scopes.type_of(expression)));
                self.follow(tree.children(expression)[0], trace, found);
            }
            Kind::Call { .. } => {
                if let Some(member) = trace.steps.last().and_then(|step| self.member(expression, step)) {
                    trace.steps.pop();
                    return self.follow(member, trace, found);
                }
                if self.script.canonical_function_name(expression) == "from_json" {
                    return self.follow_json(expression, trace, found);
                }
                let Some(passed) = self.through_call(expression) else { return };
                trace.steps.extend(passed.steps);
                for argument in passed.arguments {
                    self.follow(argument, trace.clone(), found);
                }
            }
            Kind::Index => {
                let children = tree.children(expression);
                trace.steps.push(self.index_step(children[0], children[1]));
                self.follow(children[0], trace, found);
            }
            Kind::Field => {
                let children = tree.children(expression);
                trace.steps.push(PathStep::Field(self.script.name(children[1])));
                self.follow(children[0], trace, found);
            }
            Kind::Case { .. } => self.follow_case(expression, trace, found),
            _ => {}
        }
    }

    /// Follows the text that `from_json` reads: fields of its result are parts of the JSON in that text.
    fn follow_json(&self, call: NodeId, mut trace: ValueTrace, found: &mut Vec<ValuePath>) {
        let Some(text) = self.script.arguments(call).first().copied() else { return };
        let mut names = Vec::new();
        while let Some(PathStep::Field(name)) = trace.steps.last() {
            names.push(name.clone());
            trace.steps.pop();
        }
        if !names.is_empty() {
            trace.steps.push(PathStep::Json(names.join(".")));
            self.follow(text, trace, found);
        }
    }

    /// Follows the only arm of a CASE that is a column, as `x` in `CASE WHEN … THEN x ELSE '…' END`.
    fn follow_case(&self, case: NodeId, trace: ValueTrace, found: &mut Vec<ValuePath>) {
        let tree = self.script.tree();
        let columns: Vec<NodeId> = tree.case_values(case).filter(|value| tree.kind(*value) == Kind::Column).collect();
        if let [only] = columns[..] {
            self.follow(only, trace, found);
        }
    }

    fn follow_column(&self, column: NodeId, mut trace: ValueTrace, found: &mut Vec<ValuePath>) {
        let Some(binding) = self.scopes.binding(column) else { return };
        let fields = self.script.tree().children(column).iter().skip(binding.path_length);
        let fields: Vec<_> = fields.map(|field| PathStep::Field(self.script.name(*field))).collect();
        trace.steps.extend(fields.into_iter().rev());
        match &binding.target {
            ColumnTarget::Column(relation, position) => self.follow_relation((*relation, *position), trace, found),
            ColumnTarget::Alias(item) => {
                if let Some(value) = self.script.tree().children(*item).first() {
                    self.follow(*value, trace, found);
                }
            }
            ColumnTarget::Parameter(lambda, 0) => self.follow_parameter(*lambda, trace, found),
            ColumnTarget::Output(_) | ColumnTarget::Parameter(..) => {}
        }
    }

    fn follow_parameter(&self, lambda: NodeId, mut trace: ValueTrace, found: &mut Vec<ValuePath>) {
        let call = self.script.tree().parent(lambda);
        if let Some(array) = call.and_then(|call| self.script.arguments(call).first().copied()) {
            trace.steps.push(PathStep::Element);
            self.follow(array, trace, found);
        }
    }

    fn follow_relation(&self, (relation, position): ColumnPosition, trace: ValueTrace, found: &mut Vec<ValuePath>) {
        let Some(mut trace) = trace.deeper() else { return };
        if let Some(scan) = self.scan_by_relation.get(&relation) {
            trace.steps.reverse();
            let path = ValuePath { source: ScanColumn { scan: *scan, column: position }, steps: trace.steps };
            if !found.contains(&path) {
                found.push(path);
            }
            return;
        }
        let output = match &self.scopes.relation(relation).source {
            RelationSource::Table(_) | RelationSource::Written(_) => self.written_by(relation, position),
            RelationSource::CommonTable(node) | RelationSource::Query(node) => {
                Some((self.first_side(relation).unwrap_or(*node), position))
            }
            RelationSource::Function(call) => return self.follow_generator(*call, position, trace, found),
            RelationSource::Values(_) | RelationSource::Unknown => None,
        };
        if let Some((query, position)) = output {
            self.follow_output(query, position, trace, found);
        }
    }

    fn follow_output(&self, query: NodeId, position: usize, trace: ValueTrace, found: &mut Vec<ValuePath>) {
        let Some(trace) = trace.deeper() else { return };
        if let Some(operands) = self.operands(query) {
            for operand in operands {
                self.follow_output(operand, position, trace.clone(), found);
            }
            return;
        }
        let outputs = self.scopes.outputs(query);
        let Some(output) = outputs.get(position) else { return };
        if let Some(column) = output.passes_on {
            self.follow_relation(column, trace, found);
        } else if let Some(expression) = output.expression {
            if self.script.is_generator(expression) {
                // A generator in SELECT may have several outputs, one behind the other.
                let before = outputs[..position].iter().filter(|other| other.expression == Some(expression));
                self.follow_generator(expression, before.count(), trace, found);
            } else {
                self.follow(expression, trace, found);
            }
        }
    }

    /// Returns the operands of a set operation, or the body of a query; `None` for a plain block.
    pub(super) fn operands(&self, query: NodeId) -> Option<Vec<NodeId>> {
        let tree = self.script.tree();
        let body = |kind| matches!(kind, Kind::SetOperation { .. } | Kind::Parenthesized | Kind::Query);
        match tree.kind(query) {
            Kind::SetOperation { .. } => Some(tree.children(query).iter().take(2).copied().collect()),
            Kind::Query | Kind::Parenthesized | Kind::CommonTable => Some(vec![tree.child(query, body)?]),
            _ => None,
        }
    }

    fn follow_generator(&self, call: NodeId, position: usize, mut trace: ValueTrace, found: &mut Vec<ValuePath>) {
        let arguments = self.script.arguments(call);
        let Some(source) = arguments.first().copied() else { return };
        let rows = self.script.function(call).and_then(Function::row_generator);
        let is_map = matches!(self.scopes.type_of(source), Type::Map(..));
        let step = match (rows, position) {
            (Some(RowGenerator::JsonTuple), _) => {
                let path = arguments.get(position + 1).and_then(|path| self.constant_text(*path));
                let Some(path) = path else { return };
                PathStep::Json(path)
            }
            (Some(RowGenerator::PositionExplode), 0) | (Some(RowGenerator::Inline), _) => return,
            (Some(RowGenerator::PositionExplode), 1) | (Some(RowGenerator::Explode), 0) if is_map => PathStep::Key,
            (_, _) if is_map => PathStep::MapValue,
            _ => PathStep::Element,
        };
        trace.steps.push(step);
        self.follow(source, trace, found);
    }
}

/// Returns the paths without changes of letter case, each once.
fn without_letter_case(paths: Vec<ValuePath>) -> Vec<ValuePath> {
    let mut plain: Vec<ValuePath> = Vec::new();
    for mut path in paths {
        path.steps.retain(|step| !step.is_letter_case());
        if !plain.contains(&path) {
            plain.push(path);
        }
    }
    plain
}

/// Returns the queries that fill the tables which the script itself writes, by full lower-case name.
fn writers(script: &Script) -> HashMap<String, NodeId> {
    let tree = script.tree();
    let mut writers = HashMap::new();
    let mut database = String::new();
    for node in tree.descendants(tree.root()) {
        if tree.kind(node) == Kind::Command {
            database = used_database(script.slice(node)).unwrap_or(database);
        }
        let query = tree.child(node, |kind| kind == Kind::Query);
        let table = tree.child(node, |kind| kind == Kind::Table);
        if let (true, Some(query), Some(table)) = (tree.kind(node).fills_table(), query, table) {
            let parts = tree.children_where(table, |kind| kind == Kind::Identifier);
            let name = match parts.map(|part| script.name(part)).collect::<Vec<_>>().as_slice() {
                [name] if !database.is_empty() => format!("{database}.{name}"),
                [.., schema, name] => format!("{schema}.{name}"),
                parts => parts.join("."),
            };
            writers.insert(name, query);
        }
    }
    writers
}
