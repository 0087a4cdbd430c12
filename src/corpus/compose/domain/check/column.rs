//! Checks of a column: it has what its role needs.

use super::checker::ModelChecker;
use crate::code::schema::read_type;
use crate::code::types::Type;
use crate::corpus::compose::domain::column::{DomainColumn, Role};
use crate::corpus::compose::domain::model::Table;

/// Checks one column of a table.
pub(super) fn check(checker: &mut ModelChecker<'_>, at: &str, name: &str, column: &DomainColumn, table: &Table) {
    checker.name(at, name);
    checker.words(at, &column.words);
    for other in &column.also {
        checker.name(at, other);
    }
    let Ok(kind) = read_type(&column.kind) else {
        checker.wrong(at, format!("`{}` is not a type", column.kind));
        return;
    };
    let wanted = type_of(column.role, &kind);
    checker.expect(wanted.is_none(), at, || {
        format!("a column with role {:?} has {}, not {}", column.role, wanted.unwrap_or_default(), column.kind)
    });
    needs(checker, at, column, &kind);
    for other in &column.confused {
        let same = table.columns.get(other).map(|other| other.role == column.role);
        checker.expect(same.is_some(), at, || format!("confused with `{other}`, which is not a column of the table"));
        checker.expect(same != Some(false), at, || format!("confused with `{other}`, which has another role"));
    }
    if let Some(currency) = &column.currency {
        let there = table.columns.get(currency).is_some_and(|column| column.role == Role::Currency);
        checker.expect(there, at, || format!("`{currency}` is not a column with role currency"));
    }
    let may_end = column.role == Role::Day && column.missing.is_some();
    checker.expect(!column.ends || may_end, at, || "`ends` is for a day that may be missing".to_owned());
    if let Some([least, most]) = column.range {
        checker.expect(least < most, at, || "the range ends before it begins".to_owned());
    }
}

/// Checks what a role needs beside its type.
fn needs(checker: &mut ModelChecker<'_>, at: &str, column: &DomainColumn, kind: &Type) {
    match column.role {
        Role::Reference => {
            let entity = column.entity.as_deref().unwrap_or_default();
            let there = checker.domain.entities.has(entity);
            checker.expect(there, at, || format!("a reference names an entity of the domain, not `{entity}`"));
        }
        Role::Status => {
            let phased = column.values.len() >= 3 && column.values.iter().all(|(_, value)| value.phase.is_some());
            checker.expect(phased, at, || "a status has three or more values, each with a phase".to_owned());
        }
        Role::Code | Role::Currency => {
            let enough = column.values.len() >= 2 || column.examples.len() >= 2;
            checker.expect(enough, at, || "a code has two or more values or examples".to_owned());
        }
        Role::Quantity | Role::Duration => {
            checker.expect(column.unit.is_some(), at, || "it needs a unit".to_owned());
        }
        Role::Flag => {
            let readable = *kind == Type::Boolean || column.values.len() == 2;
            checker.expect(readable, at, || "a flag that is not a BOOLEAN has two values, yes first".to_owned());
        }
        Role::List => {
            let apart = matches!(kind, Type::Array(_)) || column.separator.is_some();
            checker.expect(apart, at, || "a list in one text needs a separator".to_owned());
            checker.expect(column.examples.len() >= 2, at, || "a list has two or more examples of items".to_owned());
        }
        Role::Map | Role::Json => {
            checker.expect(!column.fields.is_empty(), at, || "it needs fields".to_owned());
        }
        Role::Name => {
            checker.expect(column.examples.len() >= 2, at, || "a name has two or more examples".to_owned());
        }
        _ => {}
    }
}

/// Returns in words the types that a role allows; `None` if `kind` is one of them.
fn type_of(role: Role, kind: &Type) -> Option<&'static str> {
    let text = matches!(kind, Type::String);
    let fine = match role {
        Role::Time => text || matches!(kind, Type::Timestamp),
        Role::Day => text || matches!(kind, Type::Date),
        Role::Amount | Role::Price | Role::Share | Role::Measure | Role::Quantity | Role::Duration => kind.is_numeric(),
        Role::Name | Role::Text | Role::Json | Role::Month | Role::Currency => text,
        Role::Status | Role::Code => text || kind.is_integer(),
        Role::List => text || matches!(kind, Type::Array(_)),
        Role::Map => matches!(kind, Type::Map(..)),
        Role::Flag => text || kind.is_integer() || *kind == Type::Boolean,
        Role::Key | Role::Reference | Role::Order => true,
    };
    let wanted = match role {
        Role::Time => "STRING or TIMESTAMP",
        Role::Day => "STRING or DATE",
        Role::Status | Role::Code => "STRING or a whole number",
        Role::List => "STRING or ARRAY<…>",
        Role::Map => "MAP<…,…>",
        Role::Flag => "BOOLEAN, STRING or a whole number",
        Role::Name | Role::Text | Role::Json | Role::Month | Role::Currency => "STRING",
        _ => "a number",
    };
    (!fine).then_some(wanted)
}
