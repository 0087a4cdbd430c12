//! Which base tables a script reads, and how an expression reaches back to their columns.

mod calls;

use std::collections::{BTreeSet, HashMap};

use calls::cast_step;

use super::constraint::{PathStep, ScanColumn, ValuePath};
use crate::code::schema::used_database;
use crate::code::scope::{ColumnTarget, RecursiveUnion, RelationId, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// One scan of a base table by a script.
#[derive(Clone, Debug)]
pub struct TableScan {
    /// Full lower-case table name.
    pub table: String,
}

/// The scans of a script, and the way back to them from its expressions.
pub struct Lineage<'a> {
    /// The script.
    pub script: &'a Script,
    /// Its resolved names.
    pub scopes: &'a Scopes,
    /// Every scan of a schema table, in the order of the text.
    pub scans: Vec<TableScan>,
    by_relation: HashMap<RelationId, usize>,
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
        let mut by_relation = HashMap::new();
        for (id, relation) in scopes.relations() {
            // A table that only this statement or a later one writes holds rows of its own before.
            if let RelationSource::Table(table) = &relation.source
                && relation.writers.is_empty()
            {
                by_relation.insert(id, scans.len());
                scans.push(TableScan { table: table.clone() });
            }
        }
        Lineage { script, scopes, scans, by_relation, writers }
    }

    /// Returns the index of a relation that reads a base table; `None` for any other relation.
    pub(super) fn scan(&self, relation: RelationId) -> Option<usize> {
        self.by_relation.get(&relation).copied()
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
    /// one value. Several for the branches of a UNION or the arguments of COALESCE; empty if it computes something new.
    pub fn trace(&self, expression: NodeId) -> Vec<ValuePath> {
        without_case(self.trace_with_case(expression))
    }

    /// The same, with [`PathStep::Lower`] and [`PathStep::Upper`] where the letter case changes on the way.
    pub fn trace_with_case(&self, expression: NodeId) -> Vec<ValuePath> {
        let mut found = Vec::new();
        self.follow(expression, Vec::new(), MAX_DEPTH, &mut found);
        found
    }

    /// The same for output `position` of a query.
    pub fn trace_output(&self, query: NodeId, position: usize) -> Vec<ValuePath> {
        let mut found = Vec::new();
        self.follow_output(query, position, Vec::new(), MAX_DEPTH, &mut found);
        without_case(found)
    }

    /// Returns the expressions that a column stands for where it is computed rather than read, as when the branches of
    /// a UNION each say what they are (`'4G' AS kind`), or a one-row table holds the parameters.
    pub fn origins(&self, expression: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.follow_origins(expression, MAX_DEPTH, &mut found);
        found
    }

    fn follow_origins(&self, expression: NodeId, depth: usize, found: &mut Vec<NodeId>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let tree = self.script.tree();
        match tree.kind(expression) {
            Kind::Paren => self.follow_origins(tree.children(expression)[0], depth, found),
            Kind::Column => {
                if let Some(ColumnTarget::Column(relation, position)) =
                    self.scopes.binding(expression).map(|b| &b.target)
                {
                    self.origins_of_relation(*relation, *position, depth, found);
                }
            }
            _ => found.push(expression),
        }
    }

    fn origins_of_relation(&self, relation: RelationId, position: usize, depth: usize, found: &mut Vec<NodeId>) {
        let output = match &self.scopes.relation(relation).source {
            RelationSource::CommonTable(query) | RelationSource::Query(query) => {
                Some((self.first_side(relation).unwrap_or(*query), position))
            }
            _ => self.written_by(relation, position),
        };
        if let Some((query, position)) = output.filter(|_| self.scan(relation).is_none()) {
            self.origins_of_output(query, position, depth, found);
        }
    }

    /// Returns where the values begin that a recursive CTE reads from itself; `None` for any other relation.
    fn first_side(&self, relation: RelationId) -> Option<NodeId> {
        let table = self.scopes.relation(relation).recursion(self.script.tree())?;
        RecursiveUnion::of(self.script.tree(), table).map(|union| union.first)
    }

    fn origins_of_output(&self, query: NodeId, position: usize, depth: usize, found: &mut Vec<NodeId>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(branches) = self.branches(query) {
            for branch in branches {
                self.origins_of_output(branch, position, depth, found);
            }
            return;
        }
        let Some(output) = self.scopes.outputs(query).get(position) else { return };
        if let Some((relation, column)) = output.passes_on {
            self.origins_of_relation(relation, column, depth, found);
        } else if let Some(expression) = output.expression {
            self.follow_origins(expression, depth, found);
        }
    }

    /// Returns the base columns behind column `name` of a relation.
    pub fn column(&self, relation: RelationId, name: &str) -> Vec<ValuePath> {
        let mut found = Vec::new();
        let columns = &self.scopes.relation(relation).columns;
        if let Some(position) = columns.iter().position(|column| column.name == name) {
            self.follow_relation(relation, position, Vec::new(), MAX_DEPTH, &mut found);
        }
        without_case(found)
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
            match (&relation.source, self.by_relation.get(&id)) {
                (_, Some(scan)) => _ = found.insert(*scan),
                (RelationSource::CommonTable(query), None) if *query != node => self.add_scans(*query, depth, found),
                _ => {}
            }
        }
    }

    /// `steps` are those met so far, the outermost first.
    fn follow(&self, expression: NodeId, mut steps: Vec<PathStep>, depth: usize, found: &mut Vec<ValuePath>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let tree = self.script.tree();
        match tree.kind(expression) {
            Kind::Column => self.follow_column(expression, steps, depth, found),
            Kind::Paren => self.follow(tree.children(expression)[0], steps, depth, found),
            Kind::Cast => {
                steps.extend(cast_step(self.scopes.type_of(expression)));
                self.follow(tree.children(expression)[0], steps, depth, found);
            }
            Kind::Call { .. } => {
                let Some(passed) = self.through_call(expression) else { return };
                steps.extend(passed.steps);
                for argument in passed.arguments {
                    self.follow(argument, steps.clone(), depth, found);
                }
            }
            Kind::Index => {
                let children = tree.children(expression);
                steps.push(self.index_step(children[0], children[1]));
                self.follow(children[0], steps, depth, found);
            }
            Kind::Field => {
                let children = tree.children(expression);
                steps.push(PathStep::Field(self.script.name(children[1])));
                self.follow(children[0], steps, depth, found);
            }
            Kind::Case { .. } => self.follow_case(expression, steps, depth, found),
            _ => {}
        }
    }

    /// `CASE WHEN … THEN x ELSE '…' END` passes `x` on when only one branch is a column.
    fn follow_case(&self, case: NodeId, steps: Vec<PathStep>, depth: usize, found: &mut Vec<ValuePath>) {
        let tree = self.script.tree();
        let values = tree.children(case).iter().filter_map(|child| match tree.kind(*child) {
            Kind::When => tree.children(*child).get(1).copied(),
            Kind::Else => tree.children(*child).first().copied(),
            _ => None,
        });
        let columns: Vec<NodeId> = values.filter(|value| tree.kind(*value) == Kind::Column).collect();
        if let [only] = columns[..] {
            self.follow(only, steps, depth, found);
        }
    }

    fn follow_column(&self, column: NodeId, mut steps: Vec<PathStep>, depth: usize, found: &mut Vec<ValuePath>) {
        let Some(binding) = self.scopes.binding(column) else { return };
        let fields = self.script.tree().children(column).iter().skip(binding.path_length);
        let fields: Vec<_> = fields.map(|field| PathStep::Field(self.script.name(*field))).collect();
        steps.extend(fields.into_iter().rev());
        match &binding.target {
            ColumnTarget::Column(relation, position) => self.follow_relation(*relation, *position, steps, depth, found),
            ColumnTarget::Alias(item) => {
                if let Some(value) = self.script.tree().children(*item).first() {
                    self.follow(*value, steps, depth, found);
                }
            }
            ColumnTarget::Parameter(lambda, 0) => self.follow_parameter(*lambda, steps, depth, found),
            ColumnTarget::Output(_) | ColumnTarget::Parameter(..) => {}
        }
    }

    fn follow_parameter(&self, lambda: NodeId, mut steps: Vec<PathStep>, depth: usize, found: &mut Vec<ValuePath>) {
        let call = self.script.tree().parent(lambda);
        if let Some(array) = call.and_then(|call| self.script.arguments(call).first().copied()) {
            steps.push(PathStep::Element);
            self.follow(array, steps, depth, found);
        }
    }

    fn follow_relation(
        &self,
        relation: RelationId,
        position: usize,
        mut steps: Vec<PathStep>,
        depth: usize,
        found: &mut Vec<ValuePath>,
    ) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(scan) = self.by_relation.get(&relation) {
            steps.reverse();
            let path = ValuePath { source: ScanColumn { scan: *scan, column: position }, steps };
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
            RelationSource::Function(call) => return self.follow_generator(*call, position, steps, depth, found),
            RelationSource::Values(_) | RelationSource::Unknown => None,
        };
        if let Some((query, position)) = output {
            self.follow_output(query, position, steps, depth, found);
        }
    }

    fn follow_output(
        &self,
        query: NodeId,
        position: usize,
        steps: Vec<PathStep>,
        depth: usize,
        found: &mut Vec<ValuePath>,
    ) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(branches) = self.branches(query) {
            for branch in branches {
                self.follow_output(branch, position, steps.clone(), depth, found);
            }
            return;
        }
        let Some(output) = self.scopes.outputs(query).get(position) else { return };
        if let Some((relation, column)) = output.passes_on {
            self.follow_relation(relation, column, steps, depth, found);
        } else if let Some(expression) = output.expression {
            self.follow(expression, steps, depth, found);
        }
    }

    /// Returns the operands of a set operation, or the body of a query; `None` for a plain block.
    pub(super) fn branches(&self, query: NodeId) -> Option<Vec<NodeId>> {
        let tree = self.script.tree();
        let body = |kind| matches!(kind, Kind::SetOperation { .. } | Kind::Parenthesized | Kind::Query);
        match tree.kind(query) {
            Kind::SetOperation { .. } => Some(tree.children(query).iter().take(2).copied().collect()),
            Kind::Query | Kind::Parenthesized | Kind::CommonTable => Some(vec![tree.child(query, body)?]),
            _ => None,
        }
    }

    fn follow_generator(
        &self,
        call: NodeId,
        position: usize,
        mut steps: Vec<PathStep>,
        depth: usize,
        found: &mut Vec<ValuePath>,
    ) {
        let arguments = self.script.arguments(call);
        let Some(source) = arguments.first().copied() else { return };
        let name = self.script.function_name(call);
        let is_map = matches!(self.scopes.type_of(source), Type::Map(..));
        let step = match (name.as_str(), position) {
            ("json_tuple", _) => {
                let path = arguments.get(position + 1).and_then(|path| self.constant_text(*path));
                let Some(path) = path else { return };
                PathStep::Json(path)
            }
            ("posexplode" | "posexplode_outer", 0) | ("inline" | "inline_outer", _) => return,
            ("posexplode" | "posexplode_outer", 1) | ("explode" | "explode_outer", 0) if is_map => PathStep::Key,
            (_, _) if is_map => PathStep::MapValue,
            _ => PathStep::Element,
        };
        steps.push(step);
        self.follow(source, steps, depth, found);
    }
}

fn without_case(paths: Vec<ValuePath>) -> Vec<ValuePath> {
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
        let writes = matches!(
            tree.kind(node),
            Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::CreateTable | Kind::CreateView
        );
        let query = tree.child(node, |kind| kind == Kind::Query);
        let table = tree.child(node, |kind| kind == Kind::Table);
        if let (true, Some(query), Some(table)) = (writes, query, table) {
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
