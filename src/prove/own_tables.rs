//! A script of the same meaning in which each read of a WITH table has a table of its own.
//!
//! Rows that are made for a script hold what each of its scans asks for. A WITH table that is read twice is scanned once,
//! so that two reads under conditions that exclude each other ask for what no row has; copies are scanned each for itself.

use std::collections::BTreeMap;

use crate::code::edit::{Edit, Edits};
use crate::code::schema::Schema;
use crate::code::scope::{Relation, RelationSource, ResolvedScript};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};

/// Most copies that are made: one of a table that reads others makes more reads of those.
const MOST_COPIES: usize = 40;

/// Returns the script with copies; `None` if no WITH table is read more than once.
pub(super) fn with_own_tables(script: &Script, schema: &Schema) -> Option<ResolvedScript> {
    let mut whole = None;
    let mut copies = 0;
    while copies < MOST_COPIES {
        let current = whole.get_or_insert_with(|| ResolvedScript::new(script.text(), schema));
        let Some(shared) = last_shared(current) else { break };
        let text = shared.with_copies(&current.script)?;
        copies += shared.reads.len() - 1;
        whole = Some(ResolvedScript::new(text, schema));
    }
    whole.filter(|_| copies > 0)
}

/// A WITH table that is read more than once.
struct SharedTable {
    table: NodeId,
    /// The nodes in FROM that read it.
    reads: Vec<NodeId>,
}

/// Returns the last one of a script: a copy of it reads those before it once more.
fn last_shared(whole: &ResolvedScript) -> Option<SharedTable> {
    let ResolvedScript { script, scopes } = whole;
    let tree = script.tree();
    let mut reads: BTreeMap<(usize, NodeId), Vec<NodeId>> = BTreeMap::new();
    let is_plain = |relation: &&Relation| tree.kind(relation.node) == Kind::Table && relation.recursion(tree).is_none();
    for relation in scopes.relations().map(|(_, relation)| relation).filter(is_plain) {
        if let RelationSource::CommonTable(table) = relation.source {
            reads.entry((tree.span(table).start, table)).or_default().push(relation.node);
        }
    }
    let shared = reads.into_iter().filter(|(_, reads)| reads.len() > 1);
    shared.map(|((_, table), reads)| SharedTable { table, reads }).next_back()
}

impl SharedTable {
    /// Returns the text of the script with a copy for each read but the first; `None` if a place is edited twice.
    fn with_copies(&self, script: &Script) -> Option<String> {
        let tree = script.tree();
        let name = *tree.children(self.table).first()?;
        let behind_name = Span::new(tree.span(name).end, tree.span(self.table).end).of(script.text());
        let names: Vec<String> = unused_names(script, &script.name(name)).take(self.reads.len() - 1).collect();
        let copies: String = names.iter().map(|copy| format!(", {copy}{behind_name}")).collect();
        let reads = self.reads[1..].iter().zip(&names);
        let reads = reads.flat_map(|(read, copy)| read_from(script, *read, copy));
        let edits = reads.chain([Edit::insertion(tree.span(self.table).end, copies)]).collect();
        Edits::new(edits).ok()?.apply(script.text()).ok()
    }
}

/// Returns names made from one that no word of the script is.
fn unused_names(script: &Script, name: &str) -> impl Iterator<Item = String> {
    let words: Vec<String> = (0..script.tokens().len()).map(|token| script.token_text(token).to_lowercase()).collect();
    let stem: String = name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '_' }).collect();
    let numbered = (2..).map(move |number: usize| format!("own_{stem}_{number}"));
    numbered.filter(move |candidate| !words.contains(candidate))
}

/// Returns the edits by which a read of a table reads another one, under the name that it had.
fn read_from(script: &Script, read: NodeId, table: &str) -> Vec<Edit> {
    let tree = script.tree();
    let path: Vec<NodeId> = tree.children_where(read, |kind| kind == Kind::Identifier).collect();
    let [Some(first), Some(last)] = [path.first(), path.last()] else { return Vec::new() };
    let name = Span::new(tree.span(*first).start, tree.span(*last).end);
    let alias = || format!(" AS {}", name.of(script.text()));
    let has_alias = tree.child(read, |kind| kind == Kind::Alias).is_some();
    let behind = tree.span(read).end;
    match (has_alias, name.end == behind) {
        (true, _) => vec![Edit::replacement(name, table)],
        (false, true) => vec![Edit::replacement(name, format!("{table}{}", alias()))],
        (false, false) => vec![Edit::replacement(name, table), Edit::insertion(behind, alias())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_copies(text: &str) -> Option<String> {
        let whole = with_own_tables(&Script::new(text), &Schema::default())?;
        assert!(whole.script.is_valid() && last_shared(&whole).is_none(), "{}", whole.script.text());
        Some(whole.script.text().to_owned())
    }

    #[test]
    fn each_read_has_a_table_of_its_own() {
        for (text, expected) in [
            (
                "WITH m AS (SELECT a FROM t) SELECT m.a FROM m JOIN m n ON m.a = n.a",
                "WITH m AS (SELECT a FROM t), own_m_2 AS (SELECT a FROM t) SELECT m.a FROM m JOIN own_m_2 n ON m.a = n.a",
            ),
            (
                "WITH m (a) AS (SELECT b FROM t), p AS (SELECT a FROM m) SELECT m.a FROM p JOIN m ON p.a = m.a",
                "WITH m (a) AS (SELECT b FROM t), own_m_2 (a) AS (SELECT b FROM t), p AS (SELECT a FROM m) \
                 SELECT m.a FROM p JOIN own_m_2 AS m ON p.a = m.a",
            ),
            // A copy of the second reads the first once more.
            (
                "WITH m AS (SELECT a FROM t), p AS (SELECT a FROM m) SELECT 1 FROM p x, p y",
                "WITH m AS (SELECT a FROM t), own_m_2 AS (SELECT a FROM t), p AS (SELECT a FROM m), \
                 own_p_2 AS (SELECT a FROM own_m_2 AS m) SELECT 1 FROM p x, own_p_2 y",
            ),
        ] {
            assert_eq!(with_copies(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn nothing_is_copied_that_is_read_once_or_by_itself() {
        let recursive = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n";
        for text in
            ["WITH m AS (SELECT a FROM t) SELECT a FROM m", "SELECT x.a FROM t x JOIN t y ON x.a = y.a", recursive]
        {
            assert_eq!(with_copies(text), None);
        }
    }
}
