//! Reports names that do not resolve, with Spark's error classes.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::TableAction;
use crate::code::dialect::Dialect;
use crate::code::scope::{ProblemKind, ScopeProblem};
use crate::code::tree::{Kind, NodeId};

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let span = context.span(context.statement);
    // The columns of a PARTITION clause are checked with the INSERT.
    let specs: Vec<_> = context.nodes_where(|kind| kind == Kind::PartitionSpec).collect();
    let in_spec = |problem: &&ScopeProblem| specs.iter().any(|spec| context.span(*spec).contains(problem.span));
    let mine = context.scopes.problems().iter().filter(|problem| span.contains(problem.span));
    let found = mine.filter(|problem| !in_spec(problem)).filter_map(|problem| {
        let found = finding(problem)?;
        Some(RuleFinding { class: class_at(context, problem.node).unwrap_or(found.class), ..found })
    });
    found.chain(unknown_altered(context)).collect()
}

fn finding(problem: &ScopeProblem) -> Option<RuleFinding> {
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
        // Found by the syntax check before any analysis.
        ProblemKind::DuplicateCommonTable { .. } => return None,
    };
    Some(RuleFinding::new(class, sqlstate, problem.span, words))
}

/// Returns the class of a name that does not resolve where Spark has one for the place: USING, a star.
fn class_at(context: &RuleContext<'_>, node: NodeId) -> Option<&'static str> {
    let tree = context.tree();
    if tree.parent(node).is_some_and(|parent| context.kind(parent) == Kind::Using) {
        return Some("UNRESOLVED_USING_COLUMN_FOR_JOIN");
    }
    if context.kind(node) != Kind::Wildcard {
        return None;
    }
    let select = tree.enclosing(node, |kind| matches!(kind, Kind::Select { .. }))?;
    let qualifier = tree.children_where(node, |kind| kind == Kind::Identifier).last()?;
    let name = context.script.name(qualifier);
    let relations = context.scopes.relations_of(select).iter().map(|id| context.scopes.relation(*id));
    let is_column = relations.into_iter().any(|relation| relation.columns.iter().any(|column| column.name == name));
    Some(if is_column { "_LEGACY_ERROR_TEMP_1050" } else { "CANNOT_RESOLVE_STAR_EXPAND" })
}

fn back_quoted(name: &str) -> String {
    let parts: Vec<String> = name.split('.').map(|part| Dialect::Hive.quoted(part.trim_matches('`'))).collect();
    parts.join(".")
}

fn quoted_list(names: &[String]) -> String {
    names.iter().map(|name| back_quoted(name)).collect::<Vec<_>>().join(", ")
}

/// Refuses `ALTER TABLE` and `TRUNCATE TABLE` of a table that does not exist.
fn unknown_altered(context: &RuleContext<'_>) -> Option<RuleFinding> {
    let altered = context.script.table_statement(context.statement)?;
    if altered.of_view || matches!(altered.action, TableAction::Drop | TableAction::Load) {
        return None;
    }
    let (name, span) = (altered.table(), altered.span);
    let known = context.schema.table(&name).is_some() || is_made(context, &name);
    (!known).then(|| {
        let words = format!(
            "The table or view {} cannot be found. Verify the spelling and correctness of the schema and catalog.",
            back_quoted(&name)
        );
        RuleFinding::new("TABLE_OR_VIEW_NOT_FOUND", "42P01", span, words)
    })
}

/// Whether the script itself creates a table or view with this name.
fn is_made(context: &RuleContext<'_>, name: &str) -> bool {
    let tree = context.tree();
    let created = tree.ids().filter(|id| matches!(context.kind(*id), Kind::CreateTable | Kind::CreateView));
    let mut tables = created.filter_map(|id| tree.children(id).first().copied());
    tables.any(|table| context.script.path_name(table) == name)
}
