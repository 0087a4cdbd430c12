//! Columns that the definition of their table lacks.

use super::blocks::Blocks;
use super::misspelt::{resembles, without_misspelt};
use super::open_column::OpenColumn;
use crate::code::schema::Schema;
use crate::code::scope::{ProblemKind, RelationSource};
use crate::code::tree::{Kind, NodeId};

/// Returns the columns that the definitions of tables lack, unless they look misspelt. Once they are known, no name for them
/// can be that of a column of a table without definition.
pub(super) fn lacking(blocks: Blocks<'_>, schema: &Schema) -> Vec<OpenColumn> {
    let mut found: Vec<OpenColumn> = Vec::new();
    for problem in blocks.scopes.problems() {
        let column = problem.node;
        if !matches!(problem.kind, ProblemKind::UnknownColumn { .. }) || blocks.tree().kind(column) != Kind::Column {
            continue;
        }
        let path = blocks.script.path_name(column);
        let (qualifier, name) = path.rsplit_once('.').unwrap_or(("", &path));
        let Some(table) = blocks.owner(column, qualifier) else { continue };
        let known = schema.tables.iter().find(|known| known.name == table);
        let open = OpenColumn::of(table, name);
        // A bare name may be meant for what another part of the script calls so.
        let may_be_alias = qualifier.is_empty() && blocks.is_alias(name);
        if known.is_some_and(|known| !resembles(known, name)) && !may_be_alias && !found.contains(&open) {
            found.push(open);
        }
    }
    without_misspelt(found, schema)
}

impl Blocks<'_> {
    /// The defined table that a column without definition belongs to, if there is only one.
    fn owner(self, column: NodeId, qualifier: &str) -> Option<String> {
        let block = self.around(column).first().copied()?;
        let visible = self.visible(block, column).into_iter().map(|id| self.scopes.relation(id));
        let mut named = visible.filter(|relation| qualifier.is_empty() || relation.name == qualifier);
        let only = named.next().filter(|_| named.next().is_none())?;
        match &only.source {
            RelationSource::Table(table) => Some(table.clone()),
            _ => None,
        }
    }

    fn is_alias(self, name: &str) -> bool {
        let tree = self.tree();
        let mut aliases = tree.ids().filter(|node| tree.kind(*node) == Kind::Alias);
        aliases.any(|alias| tree.children(alias).first().is_some_and(|first| self.script.name(*first) == name))
    }
}
