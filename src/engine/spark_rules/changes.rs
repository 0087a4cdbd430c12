//! Checks the clauses of MERGE.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::tree::{Kind, MergeRows, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    if context.kind(context.statement) != Kind::Merge {
        return Vec::new();
    }
    let clauses: Vec<(NodeId, MergeRows)> = context
        .nodes()
        .filter_map(|node| match context.kind(node) {
            Kind::MergeClause { rows, .. } => Some((node, rows)),
            _ => None,
        })
        .collect();
    let found = without_clause(context, &clauses).or_else(|| never_reached(context, &clauses));
    found.or_else(|| clauses.iter().find_map(|(clause, _)| values(context, *clause))).into_iter().collect()
}

fn without_clause(context: &RuleContext<'_>, clauses: &[(NodeId, MergeRows)]) -> Option<RuleFinding> {
    let words = "There must be at least one WHEN clause in a MERGE statement.";
    let span = context.span(context.statement);
    clauses.is_empty().then(|| RuleFinding::new("MERGE_WITHOUT_WHEN", "42601", span, words))
}

/// Only the last clause for the same rows may have no condition.
fn never_reached(context: &RuleContext<'_>, clauses: &[(NodeId, MergeRows)]) -> Option<RuleFinding> {
    let early = clauses.windows(2).find(|pair| {
        let condition = context.tree().child(pair[0].0, |kind| kind == Kind::MergeCondition);
        pair[0].1 == pair[1].1 && condition.is_none()
    })?;
    let (class, name) = match early[0].1 {
        MergeRows::Matched => ("NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION", "MATCHED"),
        MergeRows::NotMatched => ("NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION", "NOT MATCHED [BY TARGET]"),
        MergeRows::NotMatchedBySource => {
            ("NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION", "NOT MATCHED BY SOURCE")
        }
    };
    let words = format!(
        "When there are more than one {name} clauses in a MERGE statement, only the last {name} clause can omit the \
         condition."
    );
    Some(RuleFinding::new(class, "42613", context.span(context.statement), words))
}

fn values(context: &RuleContext<'_>, clause: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let columns = tree.children(tree.child(clause, |kind| kind == Kind::ColumnList)?).len();
    let given = tree.children(tree.child(clause, |kind| matches!(kind, Kind::Tuple | Kind::Paren))?).len();
    let words = format!(
        "The number of provided values ({given}) must match the number of expected columns ({columns}) in the INSERT \
         clause of MERGE."
    );
    let span = context.span(context.statement);
    (columns != given).then(|| RuleFinding::new("MERGE_INSERT_VALUE_COUNT_MISMATCH", "21S01", span, words))
}
