//! Tables that the script fills itself before it reads them.
//!
//! After INSERT OVERWRITE, a table or the partition that is read holds the rows of the query and no others.

use super::view::ScriptView;
use crate::code::scope::{ColumnPosition, RelationId};
use crate::code::script::Script;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};
use crate::code::types::Type;

/// The output of an earlier query that a column holds when its table is read.
pub struct ColumnOrigin {
    /// The query of the INSERT.
    pub query: NodeId,
    /// Position among its outputs.
    pub position: usize,
}

/// Returns where a column of a relation that reads the table `name` comes from; `None` if it may hold anything else, or
/// a conversion on the way could make it NULL.
pub fn origin(view: &ScriptView<'_>, column: ColumnPosition, name: &str) -> Option<ColumnOrigin> {
    let tree = view.script.tree();
    let relation = view.scopes.relation(column.0);
    let insert = only_writer(view, name)?;
    let reader = statement(view, relation.node)?;
    let writer = statement(view, insert)?;
    if tree.span(writer).end > tree.span(reader).start || !covers_what_is_read(view, insert, column.0) {
        return None;
    }
    let definition = relation.columns.get(column.1).filter(|column| !column.partition)?;
    let position = relation.columns[..column.1].iter().filter(|column| !column.partition).count();
    let query = tree.child(insert, |kind| kind == Kind::Query)?;
    let output = view.scopes.outputs(query).get(position)?;
    let kept = output.data_type == definition.data_type || definition.data_type == Type::String;
    kept.then_some(ColumnOrigin { query, position })
}

/// Returns the one INSERT OVERWRITE that writes a table; `None` if something else writes it too,
/// or it has a column list.
fn only_writer(view: &ScriptView<'_>, name: &str) -> Option<NodeId> {
    let tree = view.script.tree();
    let writes = |node: &NodeId| {
        let target = tree.kind(*node).fills_table() || tree.kind(*node).changes_rows();
        let table = tree.child(*node, |kind| kind == Kind::Table).filter(|_| target);
        table.is_some_and(|table| view.script.path_name(table) == name)
    };
    let writers: Vec<NodeId> = tree.ids().filter(writes).collect();
    let fills = |node: &NodeId| {
        matches!(tree.kind(*node), Kind::Insert { .. } | Kind::InsertBranch { .. }) || tree.kind(*node).changes_rows()
    };
    let (filling, defining): (Vec<NodeId>, Vec<NodeId>) = writers.into_iter().partition(fills);
    let [insert] = filling[..] else { return None };
    let overwrites =
        matches!(tree.kind(insert), Kind::Insert { overwrite: true } | Kind::InsertBranch { overwrite: true });
    let named = tree.child(insert, |kind| kind == Kind::ColumnList).is_some();
    // CREATE TABLE … AS fills the table too.
    let only_defines = defining.iter().all(|node| tree.child(*node, |kind| kind == Kind::Query).is_none());
    (overwrites && !named && only_defines).then_some(insert)
}

fn statement(view: &ScriptView<'_>, node: NodeId) -> Option<NodeId> {
    let tree = view.script.tree();
    let statements = view.script.statements();
    std::iter::once(node).chain(tree.ancestors(node)).find(|above| statements.contains(above))
}

/// Whether the reader asks for the very partition that is written, or the table has none.
fn covers_what_is_read(view: &ScriptView<'_>, insert: NodeId, reader: RelationId) -> bool {
    let tree = view.script.tree();
    let relation = view.scopes.relation(reader);
    let partitioned = relation.columns.iter().any(|column| column.partition);
    let Some(partition) = tree.child(insert, |kind| kind == Kind::PartitionSpec) else { return !partitioned };
    let conditions = conditions(view, reader);
    tree.children(partition).iter().all(|item| {
        let [identifier, value] = tree.children(*item)[..] else { return false };
        let column = view.script.name(identifier);
        let Some(at) = relation.columns.iter().position(|other| other.name == column) else { return false };
        let asks = |condition: &NodeId| {
            let [left, right] = tree.children(*condition)[..] else { return false };
            let same =
                |node: NodeId| tree.kind(node) == Kind::Text && view.script.slice(node) == view.script.slice(value);
            let is_column = |node: NodeId| view.column_of(node) == Some((reader, at));
            tree.kind(*condition) == Kind::Binary(BinaryOperator::Equal)
                && ((is_column(left) && same(right)) || (is_column(right) && same(left)))
        };
        tree.kind(value) == Kind::Text && conditions.iter().any(asks)
    })
}

/// Returns the conditions that a row of the relation must meet for the block to use it.
fn conditions(view: &ScriptView<'_>, reader: RelationId) -> Vec<NodeId> {
    let tree = view.script.tree();
    let relation = view.scopes.relation(reader);
    let join = tree.parent(relation.node).filter(|parent| {
        let sided = |kind| matches!(kind, JoinKind::Inner | JoinKind::Left | JoinKind::LeftSemi);
        matches!(tree.kind(*parent), Kind::Join { kind, .. } if sided(kind))
    });
    let mut conditions = where_conjuncts(view, relation.block);
    if let Some(condition) = join.and_then(|join| view.condition_of(join)) {
        conditions.extend(conjuncts(view.script, condition));
    }
    conditions
}

/// Returns the conditions of WHERE that every row of a block meets.
pub fn where_conjuncts(view: &ScriptView<'_>, block: NodeId) -> Vec<NodeId> {
    let tree = view.script.tree();
    let clauses = tree.children_where(block, |kind| kind == Kind::Where);
    clauses.flat_map(|clause| conjuncts(view.script, tree.children(clause)[0])).collect()
}

/// Splits `a AND (b AND c)` into a, b and c.
pub fn conjuncts(script: &Script, condition: NodeId) -> Vec<NodeId> {
    let tree = script.tree();
    match tree.kind(condition) {
        Kind::And | Kind::Paren => {
            tree.children(condition).iter().flat_map(|child| conjuncts(script, *child)).collect()
        }
        _ => vec![condition],
    }
}

#[cfg(test)]
mod tests {
    use crate::code::schema::Schema;
    use crate::code::scope::Scopes;
    use crate::code::script::Script;
    use crate::prove::equivalence::{ScriptView, prove_equivalence};

    const DDL: &str = "CREATE TABLE a (id BIGINT, k STRING); \
                       CREATE TABLE w (k STRING, n BIGINT) PARTITIONED BY (dt STRING);";

    #[test]
    fn what_the_script_wrote_counts_only_where_nothing_else_can_be_read() {
        let fill = "INSERT OVERWRITE TABLE w PARTITION (dt = 'd') SELECT COALESCE(k, '-'), id FROM a;";
        let into = "INSERT INTO TABLE w PARTITION (dt = 'd') SELECT COALESCE(k, '-'), id FROM a;";
        let again = format!("{fill} INSERT INTO TABLE w PARTITION (dt = 'd') SELECT k, id FROM a;");
        for (before, key, rest, holds) in [
            (fill, "k", "WHERE dt = 'd'", true),
            (fill, "k", "WHERE dt = 'd' AND n > 1", true),
            (fill, "n", "WHERE dt = 'd'", false),
            (fill, "k", "WHERE dt = 'e'", false),
            (fill, "k", "WHERE dt >= 'd'", false),
            (fill, "k", "", false),
            (into, "k", "WHERE dt = 'd'", false),
            (&again, "k", "WHERE dt = 'd'", false),
            ("", "k", "WHERE dt = 'd'", false),
        ] {
            let schema = Schema::read(DDL).unwrap();
            let [reference, mutant] =
                ["*", key].map(|counted| Script::new(format!("{before} SELECT COUNT({counted}) FROM w {rest}")));
            let scopes = [&reference, &mutant].map(|script| Scopes::resolve(script, &schema));
            let [reference, mutant] = [(&reference, &scopes[0]), (&mutant, &scopes[1])]
                .map(|(script, scopes)| ScriptView { script, scopes, schema: &schema });
            let found = prove_equivalence(reference, mutant);
            assert_eq!(found.is_some(), holds, "{before} {key} {rest}: {found:?}");
        }
    }
}
