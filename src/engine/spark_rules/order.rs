//! The order in which Spark's analyser checks the parts of a statement: tables first, functions next, then each query
//! from its source upwards, with the SELECT list after WHERE.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::tree::Kind;

/// The turn of a query's sort keys.
const SORTING: u8 = 6;

/// Returns a finding's turn; Spark reports the finding with the smallest one.
pub(super) fn of(context: &RuleContext<'_>, finding: &RuleFinding) -> (u8, Vec<(u8, usize)>) {
    let first = match finding.class {
        "TABLE_OR_VIEW_NOT_FOUND" => 0,
        "UNRESOLVED_ROUTINE" => 1,
        _ => 2,
    };
    (first, way(context, finding))
}

/// Whether a finding is about a sort key of a query.
pub(super) fn is_sorting(context: &RuleContext<'_>, finding: &RuleFinding) -> bool {
    finding.class.starts_with("UNRESOLVED_COLUMN") && way(context, finding).iter().any(|(turn, _)| *turn == SORTING)
}

/// Returns the clauses on the way from the statement down to the finding, each with its turn among its neighbours.
fn way(context: &RuleContext<'_>, finding: &RuleFinding) -> Vec<(u8, usize)> {
    let tree = context.tree();
    let mut way = Vec::new();
    let mut at = context.statement;
    loop {
        let inner = tree.children(at).iter().find(|child| tree.span(**child).contains(finding.span));
        let Some(inner) = inner else {
            way.push((0, finding.span.start));
            return way;
        };
        way.push((turn(context.kind(*inner)), tree.span(*inner).start));
        at = *inner;
    }
}

fn turn(kind: Kind) -> u8 {
    match kind {
        Kind::With | Kind::From => 0,
        Kind::LateralView { .. } => 1,
        Kind::Where => 2,
        Kind::Projection => 3,
        Kind::GroupBy => 4,
        Kind::Having => 5,
        Kind::OrderBy | Kind::SortBy | Kind::ClusterBy | Kind::DistributeBy => SORTING,
        Kind::Limit => 7,
        _ => 3,
    }
}
