//! The tables that INSERT writes: whether they exist, and which output goes to which column.

use super::catalogue::plain_column;
use super::model::{OutputColumn, ProblemKind, TableWriter};
use super::resolver::Resolver;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Resolver<'_> {
    /// Checks the written table; a table that nothing defines is known from here on by what is written to it.
    pub fn target(&mut self, insert: NodeId, table: NodeId, query: NodeId) {
        let path = self.names(table);
        if self.catalogue.find(&path).is_none() {
            let name = self.script.slice(table).to_owned();
            self.problem(table, ProblemKind::UnknownTable { name });
            let columns = self.guessed_columns(insert, query);
            let full = self.catalogue.full_name(&path);
            self.catalogue.make(full, columns.into(), true);
        }
        let Some(known) = self.catalogue.find(&path) else { return };
        if !known.open {
            self.check_target_columns(insert, &known.columns);
        }
        let outputs = self.filled_columns(insert, &known.columns);
        let whole = self.tree.child(insert, |kind| kind == Kind::PartitionSpec).is_none();
        let overwrites =
            matches!(self.tree.kind(insert), Kind::Insert { overwrite: true } | Kind::InsertBranch { overwrite: true });
        self.catalogue.write(&known, TableWriter { query, outputs }, whole && overwrites);
    }

    /// The columns of a table that nothing defines: those written to it, then its partition columns.
    fn guessed_columns(&self, insert: NodeId, query: NodeId) -> Vec<OutputColumn> {
        let mut columns = self.outputs_of(query).to_vec();
        for item in self.target_names(insert, Kind::PartitionSpec) {
            let name = self.script.name(item);
            if !columns.iter().any(|column| column.name == name) {
                columns.push(plain_column(name, Type::Unknown, false));
            }
        }
        columns
    }

    /// For each column of the target the query's output that fills it: by the column list, otherwise in order without
    /// the static partition columns, dynamic partition columns last.
    fn filled_columns(&self, insert: NodeId, columns: &[OutputColumn]) -> Vec<Option<usize>> {
        let list = self.target_names(insert, Kind::ColumnList);
        let listed: Vec<String> = list.into_iter().map(|identifier| self.script.name(identifier)).collect();
        let fixed = self.static_partitions(insert);
        let position = |name: &str| listed.iter().position(|listed| listed == name);
        let mut next = listed.len();
        let fill = |column: &OutputColumn| {
            if fixed.contains(&column.name) {
                return None;
            }
            if let Some(position) = position(&column.name) {
                return Some(position);
            }
            if !listed.is_empty() && !column.partition {
                return None;
            }
            next += 1;
            Some(next - 1)
        };
        columns.iter().map(fill).collect()
    }

    fn static_partitions(&self, insert: NodeId) -> Vec<String> {
        let Some(spec) = self.tree.child(insert, |kind| kind == Kind::PartitionSpec) else { return Vec::new() };
        let items = self.tree.children(spec).iter().map(|item| self.tree.children(*item));
        items.filter(|parts| parts.len() > 1).map(|parts| self.script.name(parts[0])).collect()
    }

    /// The identifiers of an INSERT's column list or partition specification.
    fn target_names(&self, insert: NodeId, wanted: Kind) -> Vec<NodeId> {
        let Some(list) = self.tree.child(insert, |kind| kind == wanted) else { return Vec::new() };
        let name = |child: NodeId| match self.tree.kind(child) {
            Kind::PartitionItem => self.tree.children(child).first().copied(),
            _ => Some(child),
        };
        self.tree.children(list).iter().filter_map(|child| name(*child)).collect()
    }

    fn check_target_columns(&mut self, insert: NodeId, columns: &[OutputColumn]) {
        for wanted in [Kind::ColumnList, Kind::PartitionSpec] {
            for identifier in self.target_names(insert, wanted) {
                let name = self.script.name(identifier);
                if !columns.iter().any(|column| column.name == name) {
                    self.unknown_output(identifier, name, columns);
                }
            }
        }
    }
}
