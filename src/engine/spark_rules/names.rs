//! Names that do not resolve, in Spark's classes.

use super::{Finding, Ground};
use crate::code::scope::{Problem, ProblemKind};
use crate::code::tree::NodeId;

pub(super) fn check(ground: &Ground<'_>, statement: NodeId) -> Vec<Finding> {
    let span = ground.span(statement);
    ground.scopes.problems().iter().filter(|problem| span.contains(problem.span)).filter_map(finding).collect()
}

fn finding(problem: &Problem) -> Option<Finding> {
    let (class, sqlstate, words) = match &problem.kind {
        ProblemKind::UnknownColumn { name, suggestions } if suggestions.is_empty() => (
            "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION",
            "42703",
            format!("A column, variable, or function parameter with name {} cannot be resolved.", back_quoted(name)),
        ),
        ProblemKind::UnknownColumn { name, suggestions } => (
            "UNRESOLVED_COLUMN.WITH_SUGGESTION",
            "42703",
            format!(
                "A column, variable, or function parameter with name {} cannot be resolved. Did you mean one of the following? [{}].",
                back_quoted(name),
                quoted_list(suggestions)
            ),
        ),
        ProblemKind::AmbiguousColumn { name, candidates } => (
            "AMBIGUOUS_REFERENCE",
            "42704",
            format!("Reference {} is ambiguous, could be: [{}].", back_quoted(name), quoted_list(candidates)),
        ),
        ProblemKind::DuplicateAlias { name } => {
            ("AMBIGUOUS_REFERENCE", "42704", format!("Reference {} is ambiguous.", back_quoted(name)))
        }
        ProblemKind::UnknownTable { name } => (
            "TABLE_OR_VIEW_NOT_FOUND",
            "42P01",
            format!(
                "The table or view {} cannot be found. Verify the spelling and correctness of the schema and catalog.",
                back_quoted(name)
            ),
        ),
        ProblemKind::UnknownField { name, fields } if fields.is_empty() => (
            "INVALID_EXTRACT_BASE_FIELD_TYPE",
            "42000",
            format!("Can't extract a value from \"{name}\". Need a complex type [STRUCT, ARRAY, MAP]."),
        ),
        ProblemKind::UnknownField { name, fields } => {
            ("FIELD_NOT_FOUND", "42704", format!("No such struct field `{name}` in {}.", quoted_list(fields)))
        }
        // Judged as text, before any analysis.
        ProblemKind::DuplicateCommonTable { .. } => return None,
    };
    Some(Finding::new(class, sqlstate, problem.span, words))
}

fn back_quoted(name: &str) -> String {
    let parts: Vec<String> = name.split('.').map(|part| format!("`{}`", part.trim_matches('`'))).collect();
    parts.join(".")
}

fn quoted_list(names: &[String]) -> String {
    names.iter().map(|name| back_quoted(name)).collect::<Vec<_>>().join(", ")
}
