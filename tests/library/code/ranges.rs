//! The bytes of every node, taken out of the script and put into a small context, are read as the same node again.
#![expect(clippy::print_stdout, reason = "the shares per kind are the result of the test")]

use std::collections::BTreeMap;

use crate::code::sources;
use sqlfault::code::script::Script;
use sqlfault::code::span::Span;
use sqlfault::code::tree::{Kind, NodeId};

/// What stands before and after a node of this kind under this parent.
fn context(script: &Script, node: NodeId) -> Option<(&'static str, &'static str)> {
    let tree = script.tree();
    let parent = tree.parent(node).map(|parent| tree.kind(parent));
    let slice = script.slice(node);
    Some(match tree.kind(node) {
        Kind::Broken => return None,
        Kind::Script
        | Kind::Command
        | Kind::Opaque
        | Kind::Insert { .. }
        | Kind::MultiInsert
        | Kind::CreateTable
        | Kind::CreateView
        | Kind::Query
        | Kind::Select { .. }
        | Kind::SetOperation { .. }
        | Kind::Parenthesized
        | Kind::Values => ("", ""),
        Kind::Delete | Kind::Update | Kind::Merge => ("", ""),
        Kind::MergeClause { .. } => ("MERGE INTO t USING u ON a = b ", ""),
        Kind::MergeCondition => ("MERGE INTO t USING u ON a = b WHEN MATCHED ", " THEN DELETE"),
        Kind::Assignment => ("UPDATE t SET ", ""),
        Kind::InsertBranch { .. } => ("FROM t ", ""),
        Kind::Directory => ("INSERT OVERWRITE ", " SELECT 1"),
        Kind::PartitionSpec => ("INSERT INTO t ", " SELECT 1"),
        Kind::PartitionItem => ("INSERT INTO t PARTITION (", ") SELECT 1"),
        Kind::PartitionColumns => ("CREATE TABLE t (a INT) ", ""),
        Kind::ColumnDefinition => ("CREATE TABLE t (", ")"),
        Kind::ColumnList => match parent? {
            Kind::SelectItem => ("SELECT f(x) AS ", ""),
            Kind::CommonTable => ("WITH c ", " AS (SELECT 1) SELECT 1"),
            Kind::LateralView { .. } => ("SELECT 1 FROM t LATERAL VIEW f(x) t AS ", ""),
            Kind::Wildcard => ("SELECT * EXCEPT ", " FROM t"),
            Kind::Alias => ("SELECT 1 FROM t u ", ""),
            Kind::CreateView => ("CREATE VIEW v ", " AS SELECT 1"),
            Kind::Unpivot { .. } => ("SELECT 1 FROM t UNPIVOT (", " FOR y IN (a))"),
            _ => ("INSERT INTO t ", " SELECT 1"),
        },
        Kind::With => ("", " SELECT 1"),
        Kind::CommonTable => ("WITH ", " SELECT 1"),
        Kind::Projection | Kind::SelectItem | Kind::Wildcard => ("SELECT ", ""),
        Kind::From => ("SELECT 1 ", ""),
        Kind::Relation
        | Kind::Table
        | Kind::Derived
        | Kind::TableFunction
        | Kind::InlineTable
        | Kind::Pivot
        | Kind::Unpivot { .. }
        | Kind::NestedRelation => ("SELECT 1 FROM ", ""),
        Kind::PivotAggregate => ("SELECT 1 FROM t PIVOT (", " FOR a IN (1))"),
        Kind::PivotFor => ("SELECT 1 FROM t PIVOT (sum(x) ", ")"),
        Kind::PivotValue => ("SELECT 1 FROM t PIVOT (sum(x) FOR a IN (", "))"),
        Kind::UnpivotItem => ("SELECT 1 FROM t UNPIVOT (x FOR y IN (", "))"),
        Kind::Alias if parent == Some(Kind::SelectItem) => ("SELECT x ", ""),
        Kind::Alias | Kind::Sample | Kind::Join { .. } | Kind::LateralView { .. } => ("SELECT 1 FROM t ", ""),
        Kind::On | Kind::Using => ("SELECT 1 FROM t JOIN u ", ""),
        Kind::Where | Kind::GroupBy | Kind::Having | Kind::Qualify | Kind::Windows => ("SELECT 1 FROM t ", ""),
        Kind::Grouping { .. } if slice.to_uppercase().starts_with("WITH") => ("SELECT 1 FROM t GROUP BY a ", ""),
        Kind::Grouping { .. } => ("SELECT 1 FROM t GROUP BY ", ""),
        Kind::OrderBy | Kind::PartitionBy => ("SELECT f(x) OVER (", ")"),
        Kind::SortBy | Kind::DistributeBy | Kind::ClusterBy | Kind::Limit => ("SELECT 1 ", ""),
        Kind::SortItem { .. } => ("SELECT 1 ORDER BY ", ""),
        Kind::NamedWindow => ("SELECT 1 FROM t WINDOW ", ""),
        Kind::Identifier if slice.starts_with(['\'', '"']) => ("SELECT x AS ", ""),
        Kind::Identifier => ("SELECT t.", ""),
        Kind::FunctionName => ("SELECT ", "(x)"),
        Kind::Star => ("SELECT f(", ")"),
        Kind::Lambda => ("SELECT f(x, ", ")"),
        Kind::Filter | Kind::Over => ("SELECT f(x) ", ""),
        Kind::WindowSpec => ("SELECT f(x) OVER ", ""),
        Kind::Frame { .. } => ("SELECT f(x) OVER (ORDER BY y ", ")"),
        Kind::FrameBound => ("SELECT f(x) OVER (ORDER BY y ROWS ", ")"),
        Kind::TypeName => ("SELECT CAST(x AS ", ")"),
        Kind::When => ("SELECT CASE ", " END"),
        Kind::Else => ("SELECT CASE WHEN a THEN b ", " END"),
        Kind::Quantified { .. } => ("SELECT x = ", ""),
        Kind::Column if slice.eq_ignore_ascii_case("all") => ("SELECT 1 FROM t GROUP BY ", ""),
        Kind::Tuple if slice.starts_with("()") => ("SELECT 1 FROM t GROUP BY GROUPING SETS (", ")"),
        _ => ("SELECT ", ""),
    })
}

fn kinds_under(script: &Script, node: NodeId) -> Vec<Kind> {
    script.tree().descendants(node).map(|node| script.tree().kind(node)).collect()
}

/// Whether the node's slice reads as the same node with the same nodes inside.
fn reads_again(script: &Script, node: NodeId, (before, after): (&str, &str)) -> bool {
    let slice = script.slice(node);
    let alone = Script::new(format!("{before}{slice}{after}"));
    let wanted = Span::new(before.len(), before.len() + slice.len());
    let kinds = kinds_under(script, node);
    let tree = alone.tree();
    let mut found = tree.ids().filter(|id| tree.span(*id) == wanted && tree.kind(*id) == kinds[0]);
    found.any(|id| kinds_under(&alone, id) == kinds)
}

fn kind_name(kind: Kind) -> String {
    let shown = format!("{kind:?}");
    shown.split([' ', '(']).next().unwrap_or_default().to_owned()
}

#[test]
fn every_node_of_every_script_reads_as_itself_when_taken_out() {
    let mut shares: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut failures = Vec::new();
    for source in sources::samples().into_iter().chain(sources::references()) {
        let script = Script::new(source.text);
        for node in script.tree().descendants(script.tree().root()) {
            let Some(context) = context(&script, node) else { continue };
            let share = shares.entry(kind_name(script.tree().kind(node))).or_default();
            share.1 += 1;
            if reads_again(&script, node, context) {
                share.0 += 1;
            } else {
                let place = script.place(script.tree().span(node).start);
                failures.push(format!(
                    "{}:{place} {:?} {:.80}",
                    source.path,
                    script.tree().kind(node),
                    script.slice(node)
                ));
            }
        }
    }
    let mut total = (0, 0);
    for (kind, (same, all)) in &shares {
        println!("{kind:<20} {same:>7} of {all:>7}  {:.1} %", 100.0 * *same as f64 / *all as f64);
        total = (total.0 + same, total.1 + all);
    }
    println!("{:<20} {:>7} of {:>7}", "all", total.0, total.1);
    assert!(shares.len() > 60, "the scripts hold nearly every kind of node: {}", shares.len());
    assert!(failures.is_empty(), "{} nodes read differently:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn nodes_lie_inside_their_parents_in_source_order_without_overlap() {
    for source in sources::samples().into_iter().chain(sources::references()) {
        let script = Script::new(source.text);
        let tree = script.tree();
        for node in tree.ids() {
            let spans: Vec<Span> = tree.children(node).iter().map(|child| tree.span(*child)).collect();
            assert!(spans.iter().all(|span| tree.span(node).contains(*span)), "{}: {:?}", source.path, tree.kind(node));
            assert!(
                spans.windows(2).all(|pair| pair[0].end <= pair[1].start),
                "{}: {:?}",
                source.path,
                tree.kind(node)
            );
            assert!(tree.children(node).iter().all(|child| tree.parent(*child) == Some(node)));
            assert!(tree.parent(node).is_some() || node == tree.root(), "{}: an orphan", source.path);
        }
    }
}
