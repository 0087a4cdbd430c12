//! Where an edit is: line, column, statement, common table expression and clause.

use serde::{Deserialize, Serialize};

use crate::code::edit::Edit;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};

/// Where an edit is in the issue SQL, for people and for scoring localisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Number of the statement, from 1.
    pub statement: usize,
    /// Name of the innermost common table expression around it, when there is one.
    pub cte: Option<String>,
    /// The clause, such as `WHERE`; `STATEMENT` when none can be told (the issue SQL may not parse).
    pub clause: String,
}

/// Returns where in `script` an edit that repairs it is.
pub fn locate(script: &Script, edit: &Edit) -> Location {
    let span = edit.span();
    let place = script.place(span.start);
    let node = node_at(script, span);
    let statement = script.statements().iter().filter(|id| script.tree().span(**id).start <= span.start).count();
    Location {
        line: place.line,
        column: place.column,
        statement: statement.max(1),
        cte: common_table(script, node),
        clause: clause_of(script, edit),
    }
}

/// Returns the clause that an edit repairs. An insertion that begins with a clause keyword counts for that clause,
/// wherever it lands.
pub fn clause_of(script: &Script, edit: &Edit) -> String {
    let mut words = edit.text.split_whitespace().map(str::to_uppercase);
    let first = match [words.next().unwrap_or_default(), words.next().unwrap_or_default()] {
        // The partitions of a table, not those of a window.
        [first, second] if first == "PARTITION" && second != "BY" => "INSERT".to_owned(),
        [first, _] => first,
    };
    let opens = keyword_clause(&first).filter(|_| edit.span().is_empty() && edit.text.trim().contains(' '));
    opens.map_or_else(|| clause_at(script, edit.span()), str::to_owned)
}

/// The clause around a span: by the tree, or by the last keyword before it where the tree names none.
fn clause_at(script: &Script, span: Span) -> String {
    let whole = opener(script, node_at(script, span));
    let first_byte = Span::new(span.start, span.end.min(span.start + 1));
    // Bytes that reach over several clauses belong to the one they start in.
    let clause = match whole {
        Some((kind, _)) if is_frame(kind) => opener(script, node_at(script, first_byte)),
        other => other,
    };
    clause.map(|(_, name)| name).or_else(|| clause_by_tokens(script, span)).unwrap_or("STATEMENT").to_owned()
}

/// The nearest node around `node` that opens a clause, and the clause's name.
fn opener(script: &Script, node: NodeId) -> Option<(Kind, &'static str)> {
    let tree = script.tree();
    let mut around = std::iter::once(node).chain(tree.ancestors(node));
    around.find_map(|id| clause_name(script, id).map(|name| (tree.kind(id), name)))
}

/// Whether a node holds clauses rather than being one.
fn is_frame(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        Select { .. } | SetOperation { .. } | With | CommonTable | Insert { .. } | InsertBranch { .. } | MultiInsert
    ) || kind.changes_rows()
}

/// The smallest node that contains `span`; for an insertion between two nodes, the one after it.
fn node_at(script: &Script, span: Span) -> NodeId {
    let tree = script.tree();
    let mut node = tree.root();
    loop {
        let holds = |child: &&NodeId| {
            let inside = tree.span(**child);
            inside.contains(span) && !inside.is_empty()
        };
        let mut inner = tree.children(node).iter().filter(holds);
        match inner.next_back() {
            Some(child) => node = *child,
            None => return node,
        }
    }
}

fn common_table(script: &Script, node: NodeId) -> Option<String> {
    let tree = script.tree();
    let mut around = std::iter::once(node).chain(tree.ancestors(node));
    let table = around.find(|id| tree.kind(*id) == Kind::CommonTable)?;
    tree.child(table, |kind| kind == Kind::Identifier).map(|name| script.name(name))
}

/// The clause a node opens, if it opens one.
fn clause_name(script: &Script, id: NodeId) -> Option<&'static str> {
    Some(match script.tree().kind(id) {
        Kind::Projection => "SELECT",
        Kind::Extend => "EXTEND",
        Kind::SetColumns => "SET",
        Kind::DropColumns => "DROP",
        Kind::Aggregate => "AGGREGATE",
        Kind::Pivot => "PIVOT",
        Kind::Unpivot { .. } => "UNPIVOT",
        Kind::From => "FROM",
        Kind::Join { .. } => "JOIN",
        Kind::LateralView { .. } => "LATERAL VIEW",
        Kind::Where => "WHERE",
        Kind::GroupBy => "GROUP BY",
        Kind::Having => "HAVING",
        Kind::Qualify => "QUALIFY",
        Kind::Over | Kind::Windows => "WINDOW",
        Kind::OrderBy if !in_window(script, id) => "ORDER BY",
        Kind::SortBy => "SORT BY",
        Kind::DistributeBy => "DISTRIBUTE BY",
        Kind::ClusterBy => "CLUSTER BY",
        Kind::Limit => "LIMIT",
        Kind::Select { .. } => "SELECT",
        Kind::SetOperation { .. } => "SET OPERATION",
        Kind::With | Kind::CommonTable => "WITH",
        Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::MultiInsert => "INSERT",
        Kind::CreateTable | Kind::CreateView => "CREATE",
        Kind::Delete => "DELETE",
        Kind::Update => "UPDATE",
        Kind::Merge | Kind::MergeClause { .. } => "MERGE",
        Kind::Command => "SET",
        _ => return None,
    })
}

fn in_window(script: &Script, id: NodeId) -> bool {
    script.tree().parent(id).is_some_and(|parent| script.tree().kind(parent) == Kind::WindowSpec)
}

/// The last clause keyword at or before the start of `span` in its statement, closed parentheses skipped.
fn clause_by_tokens(script: &Script, span: Span) -> Option<&'static str> {
    let tokens = script.tokens();
    let upto = tokens.partition_point(|token| token.span().start <= span.start);
    let mut depth = 0usize;
    for index in (0..upto).rev() {
        match script.token_text(index) {
            ")" => depth += 1,
            "(" if depth > 0 => depth -= 1,
            ";" if tokens[index].span().end <= span.start => return None,
            // The partitions of a table belong to its INSERT or ALTER.
            word if depth == 0 && !is_table_partition(script, index) => {
                if let Some(clause) = keyword_clause(&word.to_uppercase()) {
                    return Some(clause);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a token is a PARTITION that no BY follows.
fn is_table_partition(script: &Script, index: usize) -> bool {
    let mut further = script.tokens().iter().enumerate().skip(index + 1);
    let next = further.find(|(_, token)| token.kind != TokenKind::Blank).map(|(next, _)| script.token_text(next));
    script.token_text(index).eq_ignore_ascii_case("PARTITION")
        && next.is_none_or(|next| !next.eq_ignore_ascii_case("BY"))
}

fn keyword_clause(word: &str) -> Option<&'static str> {
    let clauses = ["SELECT", "FROM", "WHERE", "HAVING", "QUALIFY", "WITH", "INSERT", "CREATE", "LIMIT", "JOIN"];
    match word {
        "GROUP" => Some("GROUP BY"),
        "ORDER" => Some("ORDER BY"),
        "LATERAL" => Some("LATERAL VIEW"),
        "OVER" | "PARTITION" | "WINDOW" => Some("WINDOW"),
        "UNION" | "EXCEPT" | "INTERSECT" => Some("SET OPERATION"),
        "DISTRIBUTE" => Some("DISTRIBUTE BY"),
        "SORT" => Some("SORT BY"),
        _ => clauses.into_iter().find(|clause| *clause == word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQL: &str = "SET a=b;\nWITH big AS (\n  SELECT id, sum(x) OVER (PARTITION BY id ORDER BY day) s\n  FROM t\n  \
                       LEFT JOIN u ON t.id = u.id\n  WHERE x > 10\n)\nINSERT OVERWRITE TABLE out\nSELECT id, max(s)\nFROM big\n\
                       GROUP BY id\nHAVING max(s) > 5\nORDER BY id LIMIT 7;";

    fn of(needle: &str) -> Location {
        let start = SQL.find(needle).unwrap();
        locate(&Script::new(SQL), &Edit::deletion(Span::new(start, start + needle.len())))
    }

    #[test]
    fn the_partitions_of_a_table_belong_to_its_insert() {
        let sql = "INSERT OVERWRITE TABLE t PARTITION (ds = '1')\nSELECT row_number() OVER (PARTITION BY k) FROM a";
        let script = Script::new(sql);
        let clause_of_change = |needle: &str| {
            let start = sql.find(needle).unwrap();
            clause_of(&script, &Edit::replacement(Span::new(start, start + needle.len()), "x"))
        };
        assert_eq!(clause_of_change("ds"), "INSERT");
        assert_eq!(clause_of_change("k)"), "WINDOW");
        let inserted = |text: &str, before: &str| clause_of(&script, &Edit::insertion(sql.find(before).unwrap(), text));
        assert_eq!(inserted("PARTITION (dt) ", "\nSELECT"), "INSERT");
        assert_eq!(inserted("PARTITION BY k ", "PARTITION BY"), "WINDOW");
    }

    #[test]
    fn every_clause_is_named() {
        for (needle, clause, cte) in [
            ("id, sum", "SELECT", Some("big")),
            ("day", "WINDOW", Some("big")),
            ("LEFT", "JOIN", Some("big")),
            ("10", "WHERE", Some("big")),
            ("OVERWRITE", "INSERT", None),
            ("max(s)\n", "SELECT", None),
            ("big\nGROUP", "FROM", None),
            ("BY id\nHAVING", "GROUP BY", None),
            ("> 5", "HAVING", None),
            ("ORDER BY id L", "ORDER BY", None),
            ("7", "LIMIT", None),
        ] {
            let location = of(needle);
            assert_eq!((location.clause.as_str(), location.cte.as_deref()), (clause, cte), "{needle}");
        }
    }

    #[test]
    fn place_and_statement_are_counted_from_one() {
        let location = of("x > 10");
        assert_eq!((location.line, location.column, location.statement), (6, 9, 2));
    }

    #[test]
    fn a_clause_that_the_repair_brings_in_names_itself() {
        let at = SQL.find("\nGROUP").unwrap();
        let clause = |text: &str| clause_of(&Script::new(SQL), &Edit::insertion(at, text));
        assert_eq!(clause("\nWHERE id > 0"), "WHERE");
        assert_eq!(clause("\nLATERAL VIEW explode(x) y"), "LATERAL VIEW");
    }

    #[test]
    fn a_broken_statement_is_read_by_its_keywords() {
        let broken = "SELECT a, (SELECT max(q) FROM z) FROM t WHERE b = = 3 GROUP BY a";
        let at = |needle: &str| clause_at(&Script::new(broken), Span::empty(broken.find(needle).unwrap()));
        assert_eq!(at("= 3"), "WHERE");
        assert_eq!(at("t WHERE"), "FROM");
        assert_eq!(at("a, ("), "SELECT");
    }
}
