//! Fields of columns whose structure no definition tells: each field that the script reads is one of the structure.

use std::collections::BTreeMap;

use super::blocks::{Blocks, full_name};
use super::evidence::{LEVELS, TypeEvidence};
use crate::code::tree::NodeId;
use crate::code::types::Type;

/// Most fields inside each other: types are followed level by level.
pub(super) const MOST_FIELDS: usize = 32;

/// A use of a field.
#[derive(Clone, Debug)]
pub(super) struct FieldUse {
    /// The tables that may have the column; one of them in the end.
    pub tables: Vec<String>,
    pub column: String,
    /// The names from the column's own fields down to this one.
    pub path: Vec<String>,
    /// The `Column` node that reads it.
    pub node: NodeId,
}

impl Blocks<'_> {
    /// Returns the tables without definition of the innermost block around a path that may have its first name as a column
    /// with fields: no table and no alias of the script is called so.
    pub fn tables_with_fields(self, path: NodeId, first: &str) -> Option<Vec<NodeId>> {
        let is_called = |name: &str| name == first || name.rsplit('.').next() == Some(first);
        let is_relation = self
            .scopes
            .relations()
            .any(|(_, relation)| is_called(&relation.name) || is_called(&self.script.path_name(relation.node)));
        if is_relation {
            return None;
        }
        self.around(path).into_iter().find_map(|block| {
            let visible = self.visible(block, path).into_iter();
            let open = visible.filter(|id| self.scopes.relation(*id).open);
            let tables: Vec<NodeId> = open.flat_map(|id| self.origins(id)).collect();
            (!tables.is_empty()).then_some(tables)
        })
    }

    /// Returns a use of a field of a column of one of these tables.
    pub fn field_use(self, tables: &[NodeId], column: &str, path: &[String], node: NodeId) -> FieldUse {
        let tables = tables.iter().map(|table| full_name(self.script, *table)).collect();
        FieldUse { tables, column: column.to_owned(), path: path.to_vec(), node }
    }
}

/// Returns the structure that has the fields of these uses, in the order of the script; `said` is what the place of a use says
/// of its field's type, which is text where no use tells any other.
pub(super) fn structure(uses: &[&FieldUse], said: &dyn Fn(NodeId) -> Vec<TypeEvidence>) -> Type {
    let paths: Vec<(&[String], NodeId)> = uses.iter().map(|field| (field.path.as_slice(), field.node)).collect();
    structure_of(&paths, said)
}

fn structure_of(paths: &[(&[String], NodeId)], said: &dyn Fn(NodeId) -> Vec<TypeEvidence>) -> Type {
    let mut names: Vec<&String> = Vec::new();
    let mut below: BTreeMap<&String, Vec<(&[String], NodeId)>> = BTreeMap::new();
    for (path, node) in paths {
        let [first, rest @ ..] = *path else { continue };
        if !names.contains(&first) {
            names.push(first);
        }
        below.entry(first).or_default().push((rest, *node));
    }
    let field = |name: &&String| {
        let inner = &below[*name];
        let data_type = match inner.iter().any(|(rest, _)| !rest.is_empty()) {
            true => structure_of(inner, said),
            false => {
                let evidence: Vec<TypeEvidence> = inner.iter().flat_map(|(_, node)| said(*node)).collect();
                let evidence: Vec<&TypeEvidence> = evidence.iter().collect();
                LEVELS.iter().find_map(|trust| trust.decide(&evidence)).unwrap_or(Type::String)
            }
        };
        ((*name).clone(), data_type)
    };
    Type::Struct(names.iter().map(field).collect())
}
