//! `INSERT … BY NAME`: the names that its query gives to its columns become a list of columns.

use crate::code::Words;
use crate::code::edit::{Edit, with_edits};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};

/// Returns a script with `INSERT INTO t (a, b) SELECT …` for `INSERT INTO t BY NAME SELECT …`. Where a `*` or an
/// expression without alias hides a name, the statement stays as it is.
pub(super) fn with_listed_columns(text: &str) -> String {
    let words = Words::of(text);
    let places = (1..words.count()).filter(|at| words.are(*at, "BY NAME") && !words.is(at - 1, "UNION"));
    let places: Vec<Span> = places.map(|at| words.cover(at..at + 2)).collect();
    if places.is_empty() {
        return text.to_owned();
    }
    let blanked: Vec<Edit> = places.iter().map(|span| Edit::replacement(*span, " ".repeat(span.len()))).collect();
    let script = Script::new(with_edits(text, &blanked));
    let list = |names: Vec<String>| format!("({})", names.join(", "));
    let listed = |span: &Span| Some(Edit::replacement(*span, list(names_given(&script, span.start)?)));
    with_edits(text, &places.iter().filter_map(listed).collect::<Vec<_>>())
}

/// The names of the outputs of the INSERT around a byte; `None` if one has none, or if there is no INSERT.
fn names_given(script: &Script, at: usize) -> Option<Vec<String>> {
    let tree = script.tree();
    let is_around = |node: &NodeId| {
        matches!(tree.kind(*node), Kind::Insert { .. } | Kind::InsertBranch { .. }) && tree.span(*node).start < at
    };
    let insert = tree.ids().filter(is_around).max_by_key(|node| tree.span(*node).start)?;
    let query = tree.child(insert, |kind| kind == Kind::Query).filter(|query| tree.span(*query).start > at)?;
    let list = tree
        .descendants(query)
        .find(|node| tree.kind(*node) == Kind::Projection && is_outermost(script, query, *node))?;
    let name = |item: &NodeId| {
        let (first, last) = (tree.children(*item).first()?, tree.children(*item).last()?);
        match (tree.kind(*item), tree.kind(*last)) {
            (Kind::SelectItem, Kind::Alias) => Some(script.slice(*tree.children(*last).first()?).to_owned()),
            (Kind::SelectItem, Kind::Column) if first == last => {
                let column = tree.children_where(*last, |kind| kind == Kind::Identifier).last()?;
                Some(script.slice(column).to_owned())
            }
            _ => None,
        }
    };
    tree.children(list).iter().map(name).collect()
}

/// Whether a SELECT list is that of a query itself, in no sub-query or CTE of it.
fn is_outermost(script: &Script, query: NodeId, list: NodeId) -> bool {
    let tree = script.tree();
    let mut around = tree.ancestors(list).take_while(|above| *above != query);
    !around.any(|above| matches!(tree.kind(above), Kind::Query | Kind::With | Kind::CommonTable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserts_by_name_list_the_columns_of_their_queries() {
        for (written, read) in [
            (
                "INSERT INTO t BY NAME WITH c AS (SELECT 1 AS z) SELECT u.a, sum(b) AS `B` FROM u, c; SELECT 1",
                "INSERT INTO t (a, `B`) WITH c AS (SELECT 1 AS z) SELECT u.a, sum(b) AS `B` FROM u, c; SELECT 1",
            ),
            (
                "INSERT OVERWRITE t BY NAME SELECT a FROM u UNION ALL SELECT b FROM v",
                "INSERT OVERWRITE t (a) SELECT a FROM u UNION ALL SELECT b FROM v",
            ),
            ("INSERT INTO t BY NAME SELECT * FROM u", "INSERT INTO t BY NAME SELECT * FROM u"),
            ("INSERT INTO t BY NAME SELECT a + 1 FROM u", "INSERT INTO t BY NAME SELECT a + 1 FROM u"),
            ("SELECT a FROM t ORDER BY name", "SELECT a FROM t ORDER BY name"),
        ] {
            assert_eq!(with_listed_columns(written), read);
        }
    }
}
