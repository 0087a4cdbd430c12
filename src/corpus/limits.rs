//! How large a script may be.

use crate::code::script::Script;
use crate::code::span::LineColumn;
use crate::code::tree::{Kind, NodeId, Tree};

/// Most nodes of a script's tree, about 20,000 lines of analysis: reading takes linear time, proving does not.
const MOST_NODES: usize = 120_000;
/// Most statements of a script.
const MOST_STATEMENTS: usize = 2_000;
/// Most CTEs of a script: each may hold all that stand before it.
const MOST_COMMON_TABLES: usize = 1_000;
/// Most tables, joins and lateral views of one FROM: SQLite joins no more.
const MOST_RELATIONS: usize = 64;
/// Most operands of one AND or OR, and arms of one CASE: SQLite compares each constant with all others.
const MOST_OPERANDS: usize = 4_000;
/// Most conditions of a script that hold a query: SQLite keeps all queries of a statement open at once.
const MOST_QUERIED: usize = 100;

/// Returns the first place beyond a limit, with the limit in words; `None` if the script keeps them all.
pub fn beyond_limits(script: &Script) -> Option<(LineColumn, String)> {
    let tree = script.tree();
    let place = |node: NodeId| script.place(tree.span(node).start);
    if let Some(statement) = script.statements().get(MOST_STATEMENTS) {
        return Some((place(*statement), format!("the {MOST_STATEMENTS} statements that are worked on")));
    }
    let nodes = || (0..tree.len()).map(|index| NodeId(index as u32));
    let mut tables = nodes().filter(|node| tree.kind(*node) == Kind::CommonTable);
    if let Some(table) = tables.nth(MOST_COMMON_TABLES) {
        return Some((place(table), format!("the {MOST_COMMON_TABLES} common table expressions that are worked on")));
    }
    let reads = |node: &NodeId| matches!(tree.kind(*node), Kind::From | Kind::Relation);
    if let Some(relation) = nodes().filter(reads).find_map(|node| tree.children(node).get(MOST_RELATIONS)) {
        return Some((place(*relation), format!("the {MOST_RELATIONS} relations of one FROM that are worked on")));
    }
    if let Some(operand) = operand_beyond_limit(tree) {
        return Some((
            place(operand),
            format!("the {MOST_OPERANDS} operands of one AND, OR or CASE that are worked on"),
        ));
    }
    let queries = |node: &NodeId| matches!(tree.kind(*node), Kind::InQuery { .. } | Kind::Exists);
    if let Some(condition) = nodes().filter(queries).nth(MOST_QUERIED) {
        return Some((place(condition), format!("the {MOST_QUERIED} conditions with a query that are worked on")));
    }
    if tree.len() > MOST_NODES {
        let last = nodes().nth(MOST_NODES)?;
        return Some((place(last), format!("the {MOST_NODES} names, values and operations that are worked on")));
    }
    None
}

/// Returns the first operand beyond [`MOST_OPERANDS`], parentheses and a chain within a chain among them: SQLite compares
/// those of `a AND (b AND c)` as it does those of `a AND b AND c`.
fn operand_beyond_limit(tree: &Tree) -> Option<NodeId> {
    // Children stand before the node that holds them, so their own operands are counted when it is reached.
    let mut operands = vec![1_usize; tree.len()];
    for index in 0..tree.len() {
        let node = NodeId(index as u32);
        let children = tree.children(node);
        operands[index] = match tree.kind(node) {
            Kind::And | Kind::Or | Kind::Paren => children.iter().map(|child| operands[child.0 as usize]).sum(),
            Kind::Case { .. } => children.len(),
            _ => 1,
        };
        if operands[index] > MOST_OPERANDS && tree.kind(node) != Kind::Paren {
            return children.get(MOST_OPERANDS).or(children.last()).copied();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many parts with this text between them.
    fn many(count: usize, part: impl Fn(usize) -> String, by: &str) -> String {
        (0..count).map(part).collect::<Vec<_>>().join(by)
    }

    #[test]
    fn a_script_at_a_limit_is_read_and_one_beyond_it_is_not() {
        let statements = |count| many(count, |_| "SELECT 1".to_owned(), ";");
        let tables = |count| format!("WITH {} SELECT 1", many(count, |at| format!("c{at} AS (SELECT 1)"), ","));
        let relations = |count| format!("SELECT 1 FROM {}", many(count, |at| format!("t{at}"), ","));
        type Written<'a> = &'a dyn Fn(usize) -> String;
        let operands = |count| format!("SELECT 1 FROM t WHERE {}", many(count, |at| format!("a > {at}"), " OR "));
        let nested =
            |count| format!("SELECT 1 FROM t WHERE b AND ({})", many(count - 1, |at| format!("a > {at}"), " AND "));
        let queried = |count| format!("SELECT {}", many(count, |_| "a IN (SELECT 1)".to_owned(), ","));
        let limits: [(usize, Written<'_>); 6] = [
            (MOST_STATEMENTS, &statements),
            (MOST_COMMON_TABLES, &tables),
            (MOST_RELATIONS, &relations),
            (MOST_OPERANDS, &operands),
            (MOST_OPERANDS, &nested),
            (MOST_QUERIED, &queried),
        ];
        for (limit, written) in limits {
            assert_eq!(beyond_limits(&Script::new(written(limit))), None);
            let (place, words) = beyond_limits(&Script::new(written(limit + 1))).unwrap();
            assert!(place.column > 1 && words.contains(&limit.to_string()), "{place} {words}");
        }
    }

    #[test]
    fn the_nodes_of_a_script_are_counted() {
        let items = |count| Script::new(format!("SELECT {}", many(count, |_| "1".to_owned(), ",")));
        let [one, two] = [1, 2].map(|count| items(count).tree().len());
        let most = (MOST_NODES - one) / (two - one) + 1;
        assert_eq!(beyond_limits(&items(most)), None);
        assert!(beyond_limits(&items(most + 1)).is_some());
    }
}
