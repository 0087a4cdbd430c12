//! Whether the readers of a grouped sub-query drop its rows with a NULL key.

use super::effects::NeverRead;
use super::flow::is_column_absorbed;
use super::view::ScriptView;
use crate::code::scope::{ColumnPosition, OutputColumn, RelationId, RelationSource};
use crate::code::tree::{JoinKind, Kind, NodeId};

/// Whether every reader of the grouped block around `key` drops the rows in which the key is NULL. If such rows differ
/// only in the output `value`, a reader that never reads this output will do as well. The key must be one of the
/// block's keys and one of its outputs.
pub fn drops_null_rows(view: &ScriptView<'_>, key: NodeId, value: Option<NodeId>) -> bool {
    find_key_output(view, key).is_some_and(|output| {
        let outputs = view.scopes.outputs(output.block);
        let value = value.and_then(|value| outputs.iter().position(|output| output.expression == Some(value)));
        output.is_dropped_by_readers(view, value)
    })
}

/// A key of a grouped block among the block's outputs.
struct KeyOutput {
    block: NodeId,
    position: usize,
}

fn find_key_output(view: &ScriptView<'_>, key: NodeId) -> Option<KeyOutput> {
    let tree = view.script.tree();
    let column = view.column_of(key)?;
    let block = tree.enclosing(key, |kind| matches!(kind, Kind::Select { .. }))?;
    let group = tree.child(block, |kind| kind == Kind::GroupBy)?;
    let is_key = tree.children(group).iter().any(|key| view.column_of(*key) == Some(column));
    let projection = tree.child(block, |kind| kind == Kind::Projection);
    let mut inside = projection.into_iter().flat_map(|projection| tree.descendants(projection));
    let windowed = inside.any(|node| tree.kind(node) == Kind::Over);
    let passes = |output: &OutputColumn| {
        let computed = || output.expression.and_then(|value| view.column_of(value));
        output.passes_on == Some(column) || computed() == Some(column)
    };
    let position = view.scopes.outputs(block).iter().position(passes)?;
    (is_key && !windowed).then_some(KeyOutput { block, position })
}

impl KeyOutput {
    fn is_dropped_by_readers(&self, view: &ScriptView<'_>, value: Option<usize>) -> bool {
        let readers = view.script.tree().parent(self.block).and_then(|query| readers(view, query));
        let rule = NeverRead { view };
        let ignores = |reader: RelationId| value.is_some_and(|value| is_column_absorbed(*view, (reader, value), &rule));
        let fine = |reader: RelationId| drops_null_key(view, (reader, self.position)) || ignores(reader);
        readers.is_some_and(|readers| !readers.is_empty() && readers.into_iter().all(fine))
    }
}

/// Returns the relations that read a query; `None` if something else takes its rows, such as an INSERT or a UNION.
pub fn readers(view: &ScriptView<'_>, query: NodeId) -> Option<Vec<RelationId>> {
    let tree = view.script.tree();
    let parent = tree.parent(query)?;
    let source = match tree.kind(parent) {
        Kind::CommonTable => RelationSource::CommonTable(parent),
        Kind::Derived => RelationSource::Query(query),
        _ => return None,
    };
    Some(view.scopes.relations().filter(|(_, relation)| relation.source == source).map(|(id, _)| id).collect())
}

/// Whether the block that reads a relation drops its rows in which a column is NULL.
fn drops_null_key(view: &ScriptView<'_>, column: ColumnPosition) -> bool {
    let tree = view.script.tree();
    let relation = view.scopes.relation(column.0);
    if view.lets_no_null_through(column, relation.block) {
        return true;
    }
    // On the side that must match, a row whose key is NULL finds no partner.
    let Some(join) = tree.parent(relation.node) else { return false };
    let matched = matches!(
        tree.kind(join),
        Kind::Join { kind: JoinKind::Left | JoinKind::LeftSemi | JoinKind::LeftAnti | JoinKind::Inner, .. }
    );
    let full = view
        .joins(relation.block)
        .iter()
        .any(|join| matches!(tree.kind(*join), Kind::Join { kind: JoinKind::Right | JoinKind::Full, .. }));
    matched && !full && view.condition_of(join).is_some_and(|condition| view.rejects_null(condition, column))
}
