//! The places of a script at which the order of its rows may change the result.

use std::fmt;

use crate::code::functions::RowOrder;
use crate::code::script::Script;
use crate::code::span::LineColumn;
use crate::code::tree::{Kind, NodeId};

/// Most places that a message names.
const MOST_NAMED: usize = 3;
/// Most characters of a place that a message shows.
const MOST_SHOWN: usize = 60;

/// Places of a script, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderPlaces(Vec<(LineColumn, String)>);

impl OrderPlaces {
    /// Returns the calls and LIMITs of a script whose result may depend on the order in which rows are read.
    pub(super) fn of(script: &Script) -> OrderPlaces {
        let tree = script.tree();
        OrderPlaces::among(script, tree.root(), |node| match tree.kind(node) {
            Kind::Call { .. } => script.function(node).is_some_and(|function| function.row_order != RowOrder::Ignored),
            Kind::Limit => true,
            _ => false,
        })
    }

    /// Returns the calls in a statement that take any one value of a group, such as `first`.
    pub(super) fn taking_one_value(script: &Script, statement: NodeId) -> OrderPlaces {
        OrderPlaces::among(script, statement, |node| {
            script.function(node).is_some_and(|function| function.row_order == RowOrder::TakesOne)
        })
    }

    fn among(script: &Script, root: NodeId, is_meant: impl Fn(NodeId) -> bool) -> OrderPlaces {
        let tree = script.tree();
        let mut nodes: Vec<NodeId> = tree.descendants(root).filter(|node| is_meant(*node)).collect();
        nodes.sort_by_key(|node| tree.span(*node).start);
        let place = |node: &NodeId| (script.place(tree.span(*node).start), shortened(script.slice(*node)));
        OrderPlaces(nodes.iter().map(place).collect())
    }
}

fn shortened(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}

impl fmt::Display for OrderPlaces {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> =
            self.0.iter().take(MOST_NAMED).map(|(place, text)| format!("`{text}` at {place}")).collect();
        let more = self.0.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if named.is_empty() { Ok(()) } else { write!(out, ": see {}{more}", named.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_limits_that_see_the_order_of_rows_are_named_with_their_places() {
        let script = Script::new("SELECT max(a),\n collect_list(b), row_number() OVER (ORDER BY c) FROM t LIMIT 3");
        assert_eq!(
            OrderPlaces::of(&script).to_string(),
            ": see `collect_list(b)` at 2:2, `row_number() OVER (ORDER BY c)` at 2:19, `LIMIT 3` at 2:57"
        );
        assert_eq!(OrderPlaces::of(&Script::new("SELECT max(a) FROM t")).to_string(), "");
    }
}
