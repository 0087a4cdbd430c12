//! Checks an INSERT against the table that it writes.

use super::rule_context::RuleContext;
use super::rule_finding::RuleFinding;
use crate::code::schema::TableDefinition;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

pub(super) fn check(context: &RuleContext<'_>) -> Vec<RuleFinding> {
    let insert = |kind| matches!(kind, Kind::Insert { .. } | Kind::InsertBranch { .. });
    context.nodes_where(insert).filter_map(|node| check_insert(context, node)).collect()
}

fn check_insert(context: &RuleContext<'_>, insert: NodeId) -> Option<RuleFinding> {
    let tree = context.tree();
    let table = tree.child(insert, |kind| kind == Kind::Table)?;
    let query = tree.child(insert, |kind| kind == Kind::Query)?;
    let name = context.script.path_name(table);
    let definition = context.schema.table(&name)?;
    let span = context.span(table);
    let items = tree.child(insert, |kind| kind == Kind::PartitionSpec).map_or(&[][..], |spec| tree.children(spec));
    if let Some(item) = items.iter().find(|item| !is_partition(context, definition, **item)) {
        let column = context.script.name(tree.children(*item)[0]);
        let words = format!("The partition(s) `{column}` cannot be found in table `{name}`.");
        return Some(RuleFinding::new("PARTITIONS_NOT_FOUND", "428FT", context.span(*item), words));
    }
    if let Some(twice) = listed_twice(context, insert) {
        return Some(twice);
    }
    let fixed = items.iter().filter(|item| tree.children(**item).len() > 1).count();
    let listed = tree.child(insert, |kind| kind == Kind::ColumnList).map(|list| tree.children(list).len());
    let wanted = listed.unwrap_or(definition.columns.len() - fixed);
    let given = context.scopes.outputs(query);
    let columns = given.iter().map(|column| format!("`{}`", column.name)).collect::<Vec<_>>().join(", ");
    if given.is_empty() {
        return None;
    }
    if given.len() == wanted {
        let positions = listed.is_none() && fixed == 0;
        let mut pairs = given.iter().zip(&definition.columns).filter(|_| positions);
        let (output, column) = pairs.find(|(output, column)| !can_be_cast(&output.data_type, &column.data_type))?;
        let words = format!(
            "Cannot write to `{name}`: cannot cast \"{}\" to \"{}\" of the column `{}`.",
            output.data_type, column.data_type, column.name
        );
        return Some(RuleFinding::new("DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", "42K09", span, words));
    }
    let (class, reason) = if fixed > 0 {
        ("INSERT_PARTITION_COLUMN_ARITY_MISMATCH", "the partition columns are given beside the data columns")
    } else if given.len() < wanted {
        ("INSERT_COLUMN_ARITY_MISMATCH.NOT_ENOUGH_DATA_COLUMNS", "not enough data columns")
    } else {
        ("INSERT_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS", "too many data columns")
    };
    let words = format!(
        "Cannot write to `{name}`, the reason is {reason}: the table takes {wanted}, the data has {}. Data columns: {columns}.",
        given.len()
    );
    Some(RuleFinding::new(class, "21S01", span, words))
}

/// Reports `INSERT INTO t (a, a)`.
fn listed_twice(context: &RuleContext<'_>, insert: NodeId) -> Option<RuleFinding> {
    let list = context.tree().child(insert, |kind| kind == Kind::ColumnList)?;
    let names: Vec<String> = context.tree().children(list).iter().map(|name| context.script.name(*name)).collect();
    let at = (1..names.len()).find(|at| names[..*at].contains(&names[*at]))?;
    let words =
        format!("The column `{}` already exists. Choose another name or rename the existing column.", names[at]);
    Some(RuleFinding::new("COLUMN_ALREADY_EXISTS", "42711", context.span(list), words))
}

/// Whether a value of one type can be cast to another, nested types looked at from outside only.
fn can_be_cast(from: &Type, to: &Type) -> bool {
    let known = |data_type: &Type| !matches!(data_type, Type::Unknown | Type::Null);
    let alike = std::mem::discriminant(from) == std::mem::discriminant(to);
    !known(from) || !known(to) || alike || !to.is_nested() && (!from.is_nested() || *to == Type::String)
}

fn is_partition(context: &RuleContext<'_>, table: &TableDefinition, item: NodeId) -> bool {
    let name = context.script.name(context.tree().children(item)[0]);
    table.columns.iter().any(|column| column.partition && column.name == name)
}
