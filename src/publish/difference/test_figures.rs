//! Which figures of rows are told, and what of them.

use super::*;
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, Row, Value};
use crate::publish::complaint::PhraseBook;

pub(super) fn shops(rows: &[(&str, f64, i64)]) -> ScriptResult {
    let columns = vec![
        ResultColumn::new("shop", Type::String),
        ResultColumn::new("visit_pct", Type::Double),
        ResultColumn::new("visit_cnt", Type::BigInt),
    ];
    let text = |shop: &str| if shop.is_empty() { Value::Null } else { Value::Text(shop.into()) };
    let row = |(shop, share, visits): &(&str, f64, i64)| {
        Row::from([text(shop), Value::Real(*share), Value::Integer(*visits)])
    };
    let rows = rows.iter().map(row).collect();
    ScriptResult { tables: vec![ResultTable::unordered("ads.visits".into(), columns, rows)] }
}

pub(super) fn facts_of_shops(expected: &[(&str, f64, i64)], actual: &[(&str, f64, i64)]) -> Facts {
    let book = PhraseBook::built_in().unwrap();
    Facts::of(&shops(expected), &shops(actual), book.vocabulary()).unwrap()
}

#[test]
fn a_share_is_complained_of_only_if_nothing_else_is_wrong() {
    let expected = [("north", 0.5, 5), ("south", 0.3, 3), ("west", 0.2, 2)];
    let column = |actual| {
        let cell = facts_of_shops(&expected, actual).example.unwrap().cell.unwrap();
        (cell.column, cell.deviation)
    };
    let all_wrong = [("north", 0.6, 8), ("south", 0.2, 3), ("west", 0.1, 2)];
    assert_eq!(column(&all_wrong), ("visit_cnt".to_owned(), Some(Deviation::TooHigh)));
    let both_ways = [("north", 0.6, 5), ("south", 0.2, 3), ("west", 0.2, 2)];
    assert_eq!(column(&both_ways), ("visit_pct".to_owned(), None));
    let below = [("north", 0.4, 5), ("south", 0.2, 3), ("west", 0.2, 2)];
    assert_eq!(column(&below), ("visit_pct".to_owned(), Some(Deviation::TooLow)));
}

/// A result of shops by day, with a rank, a share that may be missing, and visits.
pub(super) fn days(rows: &[(&str, &str, i64, Option<f64>, i64)]) -> ScriptResult {
    let columns = vec![
        ResultColumn::new("shop", Type::String),
        ResultColumn::new("visit_day", Type::String),
        ResultColumn::new("visit_rank", Type::Int),
        ResultColumn::new("visit_share", Type::Double),
        ResultColumn::new("visit_cnt", Type::BigInt),
    ];
    let row = |(shop, day, rank, share, visits): &(&str, &str, i64, Option<f64>, i64)| {
        let share = share.map_or(Value::Null, Value::Real);
        let [shop, day] = [shop, day].map(|text| Value::Text((*text).into()));
        Row::from([shop, day, Value::Integer(*rank), share, Value::Integer(*visits)])
    };
    let rows = rows.iter().map(row).collect();
    ScriptResult { tables: vec![ResultTable::unordered("ads.days".into(), columns, rows)] }
}

pub(super) fn facts_of_days(expected: &ScriptResult, actual: &ScriptResult) -> Facts {
    Facts::of(expected, actual, PhraseBook::built_in().unwrap().vocabulary()).unwrap()
}

#[test]
fn a_place_in_an_order_is_neither_too_high_nor_too_low() {
    let wanted = days(&[("north", "d1", 1, None, 5), ("south", "d1", 2, None, 3)]);
    let ranked = days(&[("north", "d1", 1, None, 5), ("south", "d1", 3, None, 3)]);
    let cell = facts_of_days(&wanted, &ranked).example.unwrap().cell.unwrap();
    assert_eq!((cell.column.as_str(), cell.deviation), ("visit_rank", None));
}

#[test]
fn nobody_asks_for_a_column_that_is_always_empty() {
    let wanted = days(&[("north", "d1", 1, None, 5), ("south", "d1", 2, None, 3)]);
    let filled = [("north", "d1", 1, Some(0.6), 5), ("south", "d1", 2, Some(0.3), 3), ("TOTAL", "d1", 3, None, 8)];
    let facts = facts_of_days(&wanted, &days(&filled));
    assert_eq!((facts.symptom, facts.extra, facts.changed), (Symptom::ExtraRows, 1, 2));
    let counted = days(&[("north", "d1", 1, Some(0.6), 5), ("south", "d1", 2, Some(0.3), 4)]);
    let cell = facts_of_days(&wanted, &counted).example.unwrap().cell.unwrap();
    assert_eq!((cell.column.as_str(), cell.more.len()), ("visit_cnt", 0));
}

#[test]
fn figures_of_several_periods_are_not_added_up() {
    let rows = |day: &'static str, more: i64| {
        days(&[("north", "d1", 1, None, 5 + more), ("south", day, 2, None, 3), ("west", day, 3, None, 7)])
    };
    let total = |day| facts_of_days(&rows(day, 0), &rows(day, 1)).total.map(|total| total.expected);
    assert_eq!(total("d1"), Some("15".to_owned()));
    let [wanted, wrong] = [0, 1].map(|more| {
        days(&[("north", "d1", 1, None, 5 + more), ("north", "d2", 2, None, 3), ("west", "d2", 3, None, 7)])
    });
    assert_eq!(facts_of_days(&wanted, &wrong).total, None);
}

#[test]
fn several_rows_for_the_only_one_are_no_example_of_others() {
    let split = facts_of_shops(&[("north", 0.5, 5), ("south", 0.5, 5)], &[("north", 0.5, 5)]);
    let split = Facts { symptom: Symptom::SplitRows, duplicated: 2, ..split };
    assert!(split.has_more_examples());
    assert!(!Facts { expected_rows: 1, ..split }.has_more_examples());
}

#[test]
fn a_share_that_is_blank_everywhere_stands_out_before_one_missing_row() {
    let book = PhraseBook::built_in().unwrap();
    let whole = [("north", 0.5, 5), ("south", 0.3, 3), ("west", 0.2, 2), ("all", 1.0, 10)];
    let mut issue = shops(&whole[..3]);
    issue.tables[0].rows.iter_mut().for_each(|row| row[1] = Value::Null);
    let facts = Facts::of(&shops(&whole), &issue, book.vocabulary()).unwrap();
    assert_eq!((facts.symptom, facts.besides), (Symptom::NullOrEmpty, Some(Besides::MissingRow)));
}
