//! Which base tables a script reads, and how an expression reaches back to their columns.

mod calls;

use std::collections::{BTreeSet, HashMap};

use calls::cast_wrapper;

use super::constraint::{Place, Port, Wrapper};
use crate::code::scope::{RelationId, RelationSource, Scopes, Target};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// One reading of a base table by a script.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The relation that reads it.
    pub relation: RelationId,
    /// Full lower-case table name.
    pub table: String,
}

/// The readings of a script and the way back to them.
pub struct Reach<'a> {
    /// The script.
    pub script: &'a Script,
    /// Its names.
    pub scopes: &'a Scopes,
    /// Every reading of a schema table, in source order.
    pub readings: Vec<Reading>,
    by_relation: HashMap<RelationId, usize>,
    /// For a table that the script itself writes: the query that fills it.
    writers: HashMap<String, NodeId>,
}

/// How deep a chain of CTEs and wrappers is followed.
const MAX_STEPS: usize = 60;

impl<'a> Reach<'a> {
    /// Finds the readings of `script`.
    pub fn new(script: &'a Script, scopes: &'a Scopes) -> Reach<'a> {
        let writers = writers(script);
        let mut readings = Vec::new();
        let mut by_relation = HashMap::new();
        for (id, relation) in scopes.relations() {
            if let RelationSource::Table(table) = &relation.source
                && !writers.contains_key(table)
            {
                by_relation.insert(id, readings.len());
                readings.push(Reading { relation: id, table: table.clone() });
            }
        }
        Reach { script, scopes, readings, by_relation, writers }
    }

    /// The index of a relation that reads a base table.
    pub(super) fn reading(&self, relation: RelationId) -> Option<usize> {
        self.by_relation.get(&relation).copied()
    }

    /// The query that fills a table which the script itself writes.
    pub(super) fn writer(&self, table: &str) -> Option<NodeId> {
        self.writers.get(table).copied()
    }

    /// Follows `expression` back to the base columns whose value it passes on, through names and the functions that keep
    /// one value. Several for the branches of a UNION or the arguments of COALESCE; none when it computes something new.
    pub fn trace(&self, expression: NodeId) -> Vec<Port> {
        without_letters(self.trace_letters(expression))
    }

    /// The same, with [`Wrapper::Lower`] and [`Wrapper::Upper`] where letters change on the way.
    pub fn trace_letters(&self, expression: NodeId) -> Vec<Port> {
        let mut found = Vec::new();
        self.follow(expression, Vec::new(), MAX_STEPS, &mut found);
        found
    }

    /// The same for output `position` of a query.
    pub fn trace_output(&self, query: NodeId, position: usize) -> Vec<Port> {
        let mut found = Vec::new();
        self.follow_output(query, position, Vec::new(), MAX_STEPS, &mut found);
        without_letters(found)
    }

    /// The expressions that a column stands for where it is computed rather than read, as when the branches of a UNION
    /// each say what they are (`'4G' AS kind`), or a one-row table holds the parameters.
    pub fn origins(&self, expression: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.follow_origins(expression, MAX_STEPS, &mut found);
        found
    }

    fn follow_origins(&self, expression: NodeId, steps: usize, found: &mut Vec<NodeId>) {
        let Some(steps) = steps.checked_sub(1) else { return };
        let tree = self.script.tree();
        match tree.kind(expression) {
            Kind::Paren => self.follow_origins(tree.children(expression)[0], steps, found),
            Kind::Column => {
                if let Some(Target::Column(relation, position)) = self.scopes.binding(expression).map(|b| &b.target) {
                    self.origins_of_relation(*relation, *position, steps, found);
                }
            }
            _ => found.push(expression),
        }
    }

    fn origins_of_relation(&self, relation: RelationId, position: usize, steps: usize, found: &mut Vec<NodeId>) {
        if let RelationSource::CommonTable(query) | RelationSource::Query(query) = self.scopes.relation(relation).source
        {
            self.origins_of_output(query, position, steps, found);
        }
    }

    fn origins_of_output(&self, query: NodeId, position: usize, steps: usize, found: &mut Vec<NodeId>) {
        let Some(steps) = steps.checked_sub(1) else { return };
        if let Some(branches) = self.branches(query) {
            for branch in branches {
                self.origins_of_output(branch, position, steps, found);
            }
            return;
        }
        let Some(output) = self.scopes.outputs(query).get(position) else { return };
        if let Some((relation, column)) = output.passes_on {
            self.origins_of_relation(relation, column, steps, found);
        } else if let Some(expression) = output.expression {
            self.follow_origins(expression, steps, found);
        }
    }

    /// The base columns behind column `name` of a relation.
    pub fn column(&self, relation: RelationId, name: &str) -> Vec<Port> {
        let mut found = Vec::new();
        let columns = &self.scopes.relation(relation).columns;
        if let Some(position) = columns.iter().position(|column| column.name == name) {
            self.follow_relation(relation, position, Vec::new(), MAX_STEPS, &mut found);
        }
        without_letters(found)
    }

    /// The readings that feed whatever is read at or below `node`.
    pub fn readings_under(&self, node: NodeId) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        self.add_readings(node, MAX_STEPS, &mut found);
        found
    }

    fn add_readings(&self, node: NodeId, steps: usize, found: &mut BTreeSet<usize>) {
        let Some(steps) = steps.checked_sub(1) else { return };
        let tree = self.script.tree();
        for (id, relation) in self.scopes.relations() {
            let at = relation.node;
            if at != node && !tree.ancestors(at).any(|ancestor| ancestor == node) {
                continue;
            }
            match (&relation.source, self.by_relation.get(&id)) {
                (_, Some(reading)) => _ = found.insert(*reading),
                (RelationSource::CommonTable(query), None) if *query != node => self.add_readings(*query, steps, found),
                _ => {}
            }
        }
    }

    /// `wrappers` are those met so far, the outermost first.
    fn follow(&self, expression: NodeId, mut wrappers: Vec<Wrapper>, steps: usize, found: &mut Vec<Port>) {
        let Some(steps) = steps.checked_sub(1) else { return };
        let tree = self.script.tree();
        match tree.kind(expression) {
            Kind::Column => self.follow_column(expression, wrappers, steps, found),
            Kind::Paren => self.follow(tree.children(expression)[0], wrappers, steps, found),
            Kind::Cast => {
                wrappers.extend(cast_wrapper(self.scopes.type_of(expression)));
                self.follow(tree.children(expression)[0], wrappers, steps, found);
            }
            Kind::Call { .. } => {
                let Some((arguments, wrapper)) = self.through_call(expression) else { return };
                wrappers.extend(wrapper);
                for argument in arguments {
                    self.follow(argument, wrappers.clone(), steps, found);
                }
            }
            Kind::Index => {
                let children = tree.children(expression);
                wrappers.push(self.index_wrapper(children[0], children[1]));
                self.follow(children[0], wrappers, steps, found);
            }
            Kind::Field => {
                let children = tree.children(expression);
                wrappers.push(Wrapper::Field(self.script.name(children[1])));
                self.follow(children[0], wrappers, steps, found);
            }
            Kind::Case { .. } => self.follow_case(expression, wrappers, steps, found),
            _ => {}
        }
    }

    /// `CASE WHEN … THEN x ELSE '…' END` passes `x` on when only one branch is a column.
    fn follow_case(&self, case: NodeId, wrappers: Vec<Wrapper>, steps: usize, found: &mut Vec<Port>) {
        let tree = self.script.tree();
        let values = tree.children(case).iter().filter_map(|child| match tree.kind(*child) {
            Kind::When => tree.children(*child).get(1).copied(),
            Kind::Else => tree.children(*child).first().copied(),
            _ => None,
        });
        let columns: Vec<NodeId> = values.filter(|value| tree.kind(*value) == Kind::Column).collect();
        if let [only] = columns[..] {
            self.follow(only, wrappers, steps, found);
        }
    }

    fn follow_column(&self, column: NodeId, mut wrappers: Vec<Wrapper>, steps: usize, found: &mut Vec<Port>) {
        let Some(binding) = self.scopes.binding(column) else { return };
        let fields = self.script.tree().children(column).iter().skip(binding.path_length);
        let fields: Vec<_> = fields.map(|field| Wrapper::Field(self.script.name(*field))).collect();
        wrappers.extend(fields.into_iter().rev());
        match &binding.target {
            Target::Column(relation, position) => self.follow_relation(*relation, *position, wrappers, steps, found),
            Target::Alias(item) => {
                if let Some(value) = self.script.tree().children(*item).first() {
                    self.follow(*value, wrappers, steps, found);
                }
            }
            Target::Parameter(lambda, 0) => self.follow_parameter(*lambda, wrappers, steps, found),
            Target::Output(_) | Target::Parameter(..) => {}
        }
    }

    fn follow_parameter(&self, lambda: NodeId, mut wrappers: Vec<Wrapper>, steps: usize, found: &mut Vec<Port>) {
        let call = self.script.tree().parent(lambda);
        if let Some(array) = call.and_then(|call| self.script.arguments(call).first().copied()) {
            wrappers.push(Wrapper::Element);
            self.follow(array, wrappers, steps, found);
        }
    }

    fn follow_relation(
        &self,
        relation: RelationId,
        position: usize,
        mut wrappers: Vec<Wrapper>,
        steps: usize,
        found: &mut Vec<Port>,
    ) {
        let Some(steps) = steps.checked_sub(1) else { return };
        if let Some(reading) = self.by_relation.get(&relation) {
            wrappers.reverse();
            let port = Port { place: Place { reading: *reading, column: position }, wrappers };
            if !found.contains(&port) {
                found.push(port);
            }
            return;
        }
        let query = match &self.scopes.relation(relation).source {
            RelationSource::Table(name) | RelationSource::Written(name) => self.writers.get(name).copied(),
            RelationSource::CommonTable(node) | RelationSource::Query(node) => Some(*node),
            RelationSource::Function(call) => return self.follow_generator(*call, position, wrappers, steps, found),
            RelationSource::Values(_) | RelationSource::Unknown => None,
        };
        if let Some(query) = query {
            self.follow_output(query, position, wrappers, steps, found);
        }
    }

    fn follow_output(
        &self,
        query: NodeId,
        position: usize,
        wrappers: Vec<Wrapper>,
        steps: usize,
        found: &mut Vec<Port>,
    ) {
        let Some(steps) = steps.checked_sub(1) else { return };
        if let Some(branches) = self.branches(query) {
            for branch in branches {
                self.follow_output(branch, position, wrappers.clone(), steps, found);
            }
            return;
        }
        let Some(output) = self.scopes.outputs(query).get(position) else { return };
        if let Some((relation, column)) = output.passes_on {
            self.follow_relation(relation, column, wrappers, steps, found);
        } else if let Some(expression) = output.expression {
            self.follow(expression, wrappers, steps, found);
        }
    }

    /// The operands of the set operation that a query or body consists of.
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
        mut wrappers: Vec<Wrapper>,
        steps: usize,
        found: &mut Vec<Port>,
    ) {
        let arguments = self.script.arguments(call);
        let Some(source) = arguments.first().copied() else { return };
        let name = self.script.function_name(call);
        let is_map = matches!(self.scopes.type_of(source), Type::Map(..));
        let wrapper = match (name.as_str(), position) {
            ("json_tuple", _) => {
                let path = arguments.get(position + 1).and_then(|path| self.constant_text(*path));
                let Some(path) = path else { return };
                Wrapper::Json(path)
            }
            ("posexplode" | "posexplode_outer", 0) | ("inline" | "inline_outer", _) => return,
            ("posexplode" | "posexplode_outer", 1) | ("explode" | "explode_outer", 0) if is_map => Wrapper::Key,
            (_, _) if is_map => Wrapper::MapValue,
            _ => Wrapper::Element,
        };
        wrappers.push(wrapper);
        self.follow(source, wrappers, steps, found);
    }
}

fn without_letters(ports: Vec<Port>) -> Vec<Port> {
    let mut plain: Vec<Port> = Vec::new();
    for mut port in ports {
        port.wrappers.retain(|wrapper| !wrapper.is_letters());
        if !plain.contains(&port) {
            plain.push(port);
        }
    }
    plain
}

/// The queries that fill the tables which the script itself writes, by full lower-case name.
fn writers(script: &Script) -> HashMap<String, NodeId> {
    let tree = script.tree();
    let mut writers = HashMap::new();
    for node in tree.ids() {
        let writes = matches!(
            tree.kind(node),
            Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::CreateTable | Kind::CreateView
        );
        let query = tree.child(node, |kind| kind == Kind::Query);
        let table = tree.child(node, |kind| kind == Kind::Table);
        if let (true, Some(query), Some(table)) = (writes, query, table) {
            let parts = tree.children_where(table, |kind| kind == Kind::Identifier);
            let name = parts.map(|part| script.name(part)).collect::<Vec<_>>().join(".");
            writers.insert(name, query);
        }
    }
    writers
}
