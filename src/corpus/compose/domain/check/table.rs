//! Checks of a table: it has what its kind needs.

use super::checker::ModelChecker;
use super::column;
use crate::corpus::compose::domain::column::Role;
use crate::corpus::compose::domain::model::{Table, TableKind, Use};

/// Checks one table.
pub(super) fn check<'a>(checker: &mut ModelChecker<'a>, name: &str, table: &'a Table) {
    let at = format!("tables.{name}");
    checker.name(&at, name);
    for words in [&table.one, &table.many, &table.row] {
        checker.words(&at, words);
    }
    for (column_name, column) in table.columns.iter() {
        column::check(checker, &format!("{at}.columns.{column_name}"), column_name, column, table);
    }
    keys(checker, &at, table);
    kind(checker, &at, table);
    figures(checker, &at, table);
    usage(checker, &at, table);
}

/// Checks that the columns of key, validity, repeats, calendar and hierarchy exist and the key is never NULL.
fn keys(checker: &mut ModelChecker<'_>, at: &str, table: &Table) {
    let valid = table.valid.iter().flat_map(|valid| [&valid.from, &valid.to]);
    let order = table.repeats.iter().flat_map(|repeats| &repeats.order);
    let calendar = table.calendar.iter().flat_map(|days| [&days.day, &days.workday, &days.week, &days.period]);
    for name in table.key.iter().chain(valid).chain(order).chain(calendar).chain(&table.hierarchy) {
        let there = table.columns.has(name);
        checker.expect(there, at, || format!("`{name}` is not a column of the table"));
    }
    checker.expect(!table.key.is_empty(), at, || "the key is empty".to_owned());
    for name in &table.key {
        let missing = table.columns.get(name).is_some_and(|column| column.missing.is_some());
        checker.expect(!missing, at, || format!("`{name}` is part of the key and may be missing"));
    }
    let partition = table.partition.as_ref().map(|partition| partition.column.as_str());
    let clash = partition.is_some_and(|name| table.columns.has(name));
    checker.expect(!clash, at, || "the partition column does not stand among the columns".to_owned());
}

/// Checks what a kind of table needs.
fn kind(checker: &mut ModelChecker<'_>, at: &str, table: &Table) {
    let has = |role: Role| table.columns.iter().any(|(_, column)| column.role == role);
    let cut = matches!(table.kind, TableKind::Event | TableKind::Snapshot);
    checker.expect(!cut || table.partition.is_some(), at, || "events and snapshots have a partition".to_owned());
    checker.expect(!cut || !table.figures.is_empty(), at, || "events and snapshots have figures".to_owned());
    checker.expect(!cut || has(Role::Reference), at, || "events and snapshots refer to entities".to_owned());
    checker.expect(table.kind != TableKind::Event || has(Role::Time), at, || "an event has a time".to_owned());
    let lasting = matches!(table.kind, TableKind::History | TableKind::Rate);
    checker.expect(!lasting || table.valid.is_some(), at, || "histories and rates have `valid`".to_owned());
    checker.expect(table.kind != TableKind::Rate || table.r#use.is_some(), at, || "a rate has `use`".to_owned());
    checker.expect(table.kind != TableKind::Plan || table.plans.is_some(), at, || "a plan has `plans`".to_owned());
    let days = table.kind == TableKind::Calendar;
    checker.expect(days == table.calendar.is_some(), at, || "a calendar, and only it, has `calendar`".to_owned());
    if matches!(table.kind, TableKind::History | TableKind::Dimension | TableKind::Exclusion | TableKind::Plan) {
        let entity = table.entity.as_deref().unwrap_or_default();
        let refers = table.columns.iter().any(|(_, column)| column.entity.as_deref() == Some(entity));
        checker.expect(refers, at, || format!("its `entity` ({entity}) is one that a column refers to"));
    }
    if table.kind == TableKind::Link {
        let references = table.columns.iter().filter(|(_, column)| column.role == Role::Reference).count();
        checker.expect(references >= 2, at, || "a link refers to two entities".to_owned());
    }
}

fn figures<'a>(checker: &mut ModelChecker<'a>, at: &str, table: &'a Table) {
    for (name, figure) in table.figures.iter() {
        let at = format!("{at}.figures.{name}");
        checker.name(&at, name);
        checker.words(&at, &figure.words);
        checker.sql(&at, table, &figure.sql);
        let explained = figure.otherwise.is_some() == (figure.rule.is_some() && figure.otherwise_rule.is_some());
        checker.expect(explained, &at, || "`otherwise` goes with `rule` and `otherwise_rule`".to_owned());
        if let Some(otherwise) = &figure.otherwise {
            checker.sql(&at, table, otherwise);
            checker.expect(*otherwise != figure.sql, &at, || "both forms are the same".to_owned());
        }
        let currency = figure.currency.as_deref().is_none_or(|currency| table.columns.has(currency));
        checker.expect(currency, &at, || "its currency is not a column of the table".to_owned());
    }
    for (name, rule) in table.rules.iter() {
        let at = format!("{at}.rules.{name}");
        checker.words(&at, &rule.words);
        checker.words(&at, &rule.otherwise_words);
        checker.sql(&at, table, &rule.keep);
        if let Some(otherwise) = &rule.otherwise {
            checker.sql(&at, table, otherwise);
        }
    }
    for (name, bands) in table.bands.iter() {
        let at = format!("{at}.bands.{name}");
        let there = table.figures.has(&bands.of) || table.columns.has(&bands.of);
        checker.expect(there, &at, || format!("`{}` is neither figure nor column of the table", bands.of));
        let rising = bands.steps.windows(2).all(|pair| pair[0].below < pair[1].below);
        checker.expect(rising && bands.steps.len() >= 2, &at, || "two or more steps, limits rising".to_owned());
    }
}

fn usage<'a>(checker: &mut ModelChecker<'a>, at: &str, table: &'a Table) {
    let column = |checker: &mut ModelChecker<'a>, name: &str| {
        checker.expect(table.columns.has(name), at, || format!("`{name}` is not a column of the table"));
    };
    match &table.r#use {
        Some(Use::Exchange { currency, value }) => {
            column(checker, currency);
            column(checker, value);
        }
        Some(Use::Share { of, r#match, value, gives, words } | Use::Price { of, r#match, value, gives, words }) => {
            checker.words(at, words);
            checker.name(at, gives);
            column(checker, value);
            checker.figure(at, of, false);
            let there = of.split_once('.').and_then(|(table, _)| checker.domain.tables.get(table));
            for (here, other) in r#match.iter() {
                column(checker, here);
                let known = there.is_some_and(|table| table.columns.has(other));
                checker.expect(known, at, || format!("`{other}` is not a column of the table of `{of}`"));
            }
        }
        None => {}
    }
    if let Some(plans) = &table.plans {
        checker.figure(at, plans, false);
    }
    for listed in &table.lists {
        if let Some((other, name)) = checker.split(at, listed) {
            checker.expect(other.columns.has(name), at, || format!("there is no column `{listed}`"));
        }
    }
}
