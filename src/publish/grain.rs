//! What makes a row of a result unique, as the script's own GROUP BY tells it.

use std::collections::BTreeMap;

use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

/// The columns in which no two rows of a result agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grain<'a> {
    /// Their names in lower case; empty if they are not known.
    pub columns: &'a [String],
    /// Whether they say what a row is about: then a row with another value in one is another row. One by which rows happen
    /// to be grouped may come out wrong.
    pub is_identity: bool,
}

/// Returns the columns by which the rows of each result are grouped, by the lower-case name of its table, which is empty
/// for rows that SELECT gives. It has no entry for a result that no single GROUP BY makes, or that does not show all keys.
pub fn grouped_by(script: &Script, scopes: &Scopes, schema: &Schema) -> BTreeMap<String, Vec<String>> {
    let tree = script.tree();
    let groups = tree.ids().filter(|node| tree.kind(*node) == Kind::GroupBy);
    groups
        .filter_map(|group| {
            let select = tree.parent(group).filter(|select| makes_result(script, *select))?;
            let mut keys = shown_keys(script, scopes, select, group)?;
            // Rows of other partitions may have the same keys.
            let statement = tree.enclosing(select, Kind::fills_table);
            for (column, _) in statement.map(|statement| script.partition_items(statement)).unwrap_or_default() {
                if !keys.contains(&column) {
                    keys.push(column);
                }
            }
            Some((target(script, schema, select), keys))
        })
        .collect()
}

/// Whether the rows of a block are those of a result: it stands in no other query.
fn makes_result(script: &Script, select: NodeId) -> bool {
    let tree = script.tree();
    !tree.ancestors(select).any(|above| {
        matches!(
            tree.kind(above),
            Kind::Select { .. } | Kind::SetOperation { .. } | Kind::CommonTable | Kind::Relation | Kind::From
        )
    })
}

/// The lower-case name of the table that a block fills; empty if it fills none.
fn target(script: &Script, schema: &Schema, select: NodeId) -> String {
    let tree = script.tree();
    let statement = tree.enclosing(select, Kind::fills_table);
    let table = statement.and_then(|statement| tree.child(statement, |kind| kind == Kind::Table));
    let name = table.map(|table| script.path_name(table)).unwrap_or_default();
    schema.table(&name).map_or(name, |table| table.name.clone()).to_lowercase()
}

/// The names under which the SELECT list of a block shows the keys of its GROUP BY; `None` if it does not show all of them.
fn shown_keys(script: &Script, scopes: &Scopes, select: NodeId, group: NodeId) -> Option<Vec<String>> {
    let tree = script.tree();
    let list = tree.child(select, |kind| kind == Kind::Projection)?;
    let items = tree.children(list);
    if items.iter().any(|item| tree.kind(*item) != Kind::SelectItem) {
        return None;
    }
    let item = |key: NodeId| match tree.kind(key) {
        Kind::Grouping { .. } => None,
        Kind::Number => items.get(script.slice(key).parse::<usize>().ok()?.checked_sub(1)?),
        _ => items.iter().find(|item| shows(script, **item, key)),
    };
    let names = tree.children(group).iter().map(|key| shown_name(script, *item(*key)?));
    names
        .collect::<Option<Vec<String>>>()
        .filter(|names| !names.is_empty() && !scopes.is_keyword_all(script, tree.children(group)[0]))
}

/// Whether an item of a SELECT list is the key of a GROUP BY, under its own or under another name.
fn shows(script: &Script, item: NodeId, key: NodeId) -> bool {
    let tree = script.tree();
    let plain = |node: NodeId| script.slice(node).to_lowercase().split_whitespace().collect::<String>();
    let Some(value) = tree.children(item).first().copied() else { return false };
    let columns = [value, key].map(|node| (tree.kind(node) == Kind::Column).then(|| script.last_name(node)));
    let is_same_column = matches!(&columns, [Some(value), Some(key)] if value == key);
    let is_alias = columns[1].is_some() && columns[1] == script.alias(item);
    plain(value) == plain(key) || is_same_column || is_alias
}

/// The name of an item of a SELECT list; `None` if it is an expression without one.
fn shown_name(script: &Script, item: NodeId) -> Option<String> {
    let tree = script.tree();
    let column = || tree.children(item).first().copied().filter(|value| tree.kind(*value) == Kind::Column);
    script.alias(item).or_else(|| column().map(|column| script.last_name(column)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::scope::ResolvedScript;

    fn grain(sql: &str) -> Vec<String> {
        let schema =
            Schema::read("CREATE TABLE d.t (a INT, b INT, v INT); CREATE TABLE d.r (a INT, b INT, n INT);").unwrap();
        let ResolvedScript { script, scopes } = ResolvedScript::new(sql, &schema);
        let grains = grouped_by(&script, &scopes, &schema);
        grains.into_iter().map(|(table, keys)| format!("{table}: {}", keys.join(" "))).collect()
    }

    #[test]
    fn the_keys_of_a_results_own_group_by_are_its_grain() {
        for (sql, grains) in [
            ("SELECT a, b + 1 AS c, SUM(v) AS s FROM d.t GROUP BY a, b + 1", &[": a c"][..]),
            ("SELECT x.a AS k, COUNT(*) AS n FROM d.t x GROUP BY 1", &[": k"]),
            ("INSERT INTO d.r SELECT t.a, b, COUNT(*) AS n FROM d.t GROUP BY a, t.b", &["d.r: a b"]),
            ("CREATE TABLE d.s AS SELECT a, COUNT(*) AS n FROM d.t GROUP BY a HAVING COUNT(*) > 1", &["d.s: a"]),
            ("FROM d.t INSERT INTO d.r SELECT a, b, COUNT(*) GROUP BY a, b", &["d.r: a b"]),
            (
                "INSERT OVERWRITE TABLE d.p PARTITION (dt = '1', k) SELECT COUNT(*) AS n, k FROM d.t GROUP BY k",
                &["d.p: k dt"],
            ),
        ] {
            assert_eq!(grain(sql), grains, "{sql}");
        }
    }

    #[test]
    fn a_result_that_hides_a_key_or_is_made_from_groups_has_none() {
        for sql in [
            "SELECT a, COUNT(*) AS n FROM d.t GROUP BY a, b",
            "SELECT a, b, COUNT(*) AS n FROM d.t GROUP BY a, b WITH ROLLUP",
            "SELECT a, COUNT(*) AS n FROM d.t GROUP BY ALL",
            "SELECT q.a FROM (SELECT a, COUNT(*) AS n FROM d.t GROUP BY a) q",
            "SELECT a, COUNT(*) AS n FROM d.t GROUP BY a UNION ALL SELECT 1, 2",
        ] {
            assert!(grain(sql).is_empty(), "{sql}");
        }
    }
}
