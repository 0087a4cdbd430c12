//! Which of several tables is told, and which values of it.

use proptest::prelude::*;

use super::tests::{Line, REFERENCE, result};
use super::*;
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, Row, Value};
use crate::publish::complaint::PhraseBook;

#[test]
fn an_empty_result_and_a_missing_table_look_the_same() {
    let book = PhraseBook::built_in().unwrap();
    let reference = result(&REFERENCE, false);
    let missing = Facts::of(&reference, &ScriptResult::default(), book.vocabulary());
    assert_eq!(missing, Facts::of(&reference, &result(&[], false), book.vocabulary()));
    assert_eq!(missing.unwrap().symptom, Symptom::EmptyResult);
}

#[test]
fn the_last_table_that_users_look_at_is_described() {
    let book = PhraseBook::built_in().unwrap();
    let tables = |changed: bool| {
        let named = |target: &str| {
            let mut lines = REFERENCE;
            lines[0].2 += i64::from(changed);
            ResultTable { target: target.into(), ..result(&lines, false).tables.remove(0) }
        };
        ScriptResult { tables: vec![named("ads.first"), named("ads.second"), named("x.tmp_later")] }
    };
    assert_eq!(Facts::of(&tables(false), &tables(true), book.vocabulary()).unwrap().table, "second");
}

#[test]
fn another_number_of_columns_is_a_wrong_form_and_no_row_is_called_missing() {
    let book = PhraseBook::built_in().unwrap();
    let mut narrow = result(&REFERENCE, false);
    narrow.tables[0].columns.pop();
    narrow.tables[0].rows.iter_mut().for_each(|row| *row = row[..row.len() - 1].to_vec().into());
    let facts = Facts::of(&result(&REFERENCE, false), &narrow, book.vocabulary()).unwrap();
    assert_eq!((facts.symptom, facts.missing, facts.actual_rows), (Symptom::WrongFormat, 0, 4));
}

#[test]
fn a_wrong_order_names_the_first_place_that_is_wrong() {
    let book = PhraseBook::built_in().unwrap();
    let mut lines = REFERENCE;
    lines.swap(1, 3);
    let facts = Facts::of(&result(&REFERENCE, true), &result(&lines, true), book.vocabulary()).unwrap();
    let example = facts.example.unwrap();
    assert_eq!((facts.symptom, example.position), (Symptom::WrongOrder, 2));
    assert_eq!((example.key[0].1.as_str(), example.instead[0].1.as_str()), ("W2", "W4"));
}

proptest! {
    #[test]
    fn the_counts_account_for_every_row(
        left in prop::collection::vec((0usize..6, 0i64..3), 0..12),
        right in prop::collection::vec((0usize..6, 0i64..3), 0..12),
    ) {
        const NAMES: [&str; 6] = ["W0", "W1", "W2", "W3", "W4", "W5"];
        let lines = |raw: &[(usize, i64)]| raw.iter().map(|(name, scans)| (NAMES[*name], None, *scans, 1.0)).collect::<Vec<Line>>();
        let (left, right) = (result(&lines(&left), false), result(&lines(&right), false));
        let book = PhraseBook::built_in().unwrap();
        if let Some(facts) = Facts::of(&left, &right, book.vocabulary()) {
            prop_assert_eq!(facts.expected_rows - facts.missing + facts.extra + facts.duplicated, facts.actual_rows);
            prop_assert!(facts.missing + facts.extra + facts.duplicated + facts.changed > 0);
        } else {
            prop_assert!(compare(&left, &right).is_equal());
        }
    }
}

fn figures(name: &str, rows: &[(i64, i64)]) -> ScriptResult {
    let column = |name: &str| ResultColumn::new(name, Type::BigInt);
    let columns = vec![column("order_cnt"), column("paid_qty")];
    let rows = rows.iter().map(|(left, right)| Row::from([Value::Integer(*left), Value::Integer(*right)])).collect();
    ScriptResult { tables: vec![ResultTable::unordered(name.into(), columns, rows)] }
}

#[test]
fn a_figure_that_comes_out_wrong_makes_no_other_row() {
    let book = PhraseBook::built_in().unwrap();
    let named = |rows: &[(&str, i64, i64)]| {
        let mut result = figures("ads.ads_shop_di", &rows.iter().map(|row| (row.1, row.2)).collect::<Vec<_>>());
        let table = &mut result.tables[0];
        table.columns.insert(0, ResultColumn::new("shop", Type::String));
        for (row, (shop, ..)) in table.rows.iter_mut().zip(rows) {
            *row = std::iter::once(Value::Text((*shop).into())).chain(row.iter().cloned()).collect();
        }
        result
    };
    // The name alone does not tell the rows apart, so that figures are part of the key.
    let wanted = [("north", 1, 5), ("north", 2, 6), ("south", 3, 7)];
    let wrong = [("north", 1, 5), ("north", 2, 6), ("south", 4, 9)];
    let facts = Facts::of(&named(&wanted), &named(&wrong), book.vocabulary()).unwrap();
    assert_eq!((facts.changed, facts.missing, facts.extra), (1, 0, 0));
}

#[test]
fn a_digest_of_a_wrong_value_makes_no_other_row() {
    let columns = vec![
        ResultColumn::new("person_key", Type::String),
        ResultColumn::new("source", Type::String),
        ResultColumn::new("city", Type::String),
        ResultColumn::new("visits", Type::BigInt),
    ];
    let row = |(digest, source, city, visits): &(&str, &str, &str, i64)| {
        let text = |text: &str| Value::Text(text.into());
        Row::from([text(&digest.repeat(16)), text(source), text(city), Value::Integer(*visits)])
    };
    let result = |rows: &[(&str, &str, &str, i64)]| {
        let (columns, rows) = (columns.clone(), rows.iter().map(row).collect());
        ScriptResult { tables: vec![ResultTable::unordered("mart.person".into(), columns, rows)] }
    };
    let wanted = [("3f", "claims", "Oslo", 4), ("8a", "claims", "Bergen", 9), ("c2", "claims", "Narvik", 2)];
    let wrong = [("01", "visits", "Oslo", 4), ("2e", "visits", "Bergen", 9), ("77", "visits", "Narvik", 2)];
    let dictionary = crate::corpus::Dictionary {
        grain: [("mart.person".to_owned(), vec!["person_key".to_owned()])].into(),
        ..crate::corpus::Dictionary::default()
    };
    let book = PhraseBook::built_in().unwrap();
    for vocabulary in [book.vocabulary(), &book.vocabulary().naming(&dictionary)] {
        let facts = Facts::of(&result(&wanted), &result(&wrong), vocabulary).unwrap();
        assert_eq!((facts.changed, facts.missing, facts.extra), (3, 0, 0));
        assert_eq!(facts.example.unwrap().cell.unwrap().column, "source");
    }
    // Where more differs than one value and its digest, they are other rows.
    let others = [("01", "claims", "Paris", 8), ("2e", "claims", "Lyon", 1), ("77", "claims", "Nice", 3)];
    let facts = Facts::of(&result(&wanted), &result(&others), &book.vocabulary().naming(&dictionary)).unwrap();
    assert_eq!((facts.changed, facts.missing, facts.extra), (0, 3, 3));
}

#[test]
fn the_grain_that_is_known_names_rows() {
    let dictionary = crate::corpus::Dictionary {
        grain: [("ads.t".to_owned(), vec!["paid_qty".to_owned()])].into(),
        ..crate::corpus::Dictionary::default()
    };
    let vocabulary = PhraseBook::built_in().unwrap().vocabulary().naming(&dictionary);
    let (wanted, wrong) = (figures("ads.t", &[(1, 10), (2, 20)]), figures("ads.t", &[(2, 10), (1, 20)]));
    let facts = Facts::of(&wanted, &wrong, &vocabulary).unwrap();
    assert_eq!((facts.changed, facts.missing), (2, 0));
    assert_eq!(facts.example.unwrap().key, [("paid_qty".to_owned(), "10".to_owned())]);
}

#[test]
fn every_wrong_table_is_told() {
    let both = |left: i64, right: i64, scratch: i64| ScriptResult {
        tables: [("tmp_orders", scratch), ("ads.orders_report", left), ("ads.items_report", right)]
            .into_iter()
            .flat_map(|(name, value)| figures(name, &[(1, value)]).tables)
            .collect(),
    };
    let book = PhraseBook::built_in().unwrap();
    let facts = Facts::of(&both(1, 1, 1), &both(2, 2, 2), book.vocabulary()).unwrap();
    assert_eq!(
        (facts.table.as_str(), facts.others.as_slice()),
        ("items_report", ["orders_report".to_owned()].as_slice())
    );
    assert_eq!(facts.others_symptom, Some(Symptom::WrongTotal));
    assert_eq!(facts.variables(book.vocabulary(), false)["others_with_wrong_values"], "orders_report");
    let without = ScriptResult { tables: both(2, 2, 2).tables.split_off(2) };
    let facts = Facts::of(&both(1, 1, 1), &without, book.vocabulary()).unwrap();
    assert_eq!(facts.others_symptom, Some(Symptom::EmptyResult));
    assert_eq!(facts.variables(book.vocabulary(), false)["others"], "orders_report", "not wrong in the same way");
    let facts = Facts { symptom: Symptom::MissingRows, ..facts };
    assert_eq!(facts.variables(book.vocabulary(), false)["others_lacking_rows"], "orders_report");
    let facts = Facts::of(&both(1, 1, 1), &both(1, 2, 1), book.vocabulary()).unwrap();
    assert!(facts.others.is_empty());
}

#[test]
fn one_of_several_queries_is_told_by_its_place() {
    let queries = |values: &[i64]| ScriptResult {
        tables: values.iter().flat_map(|value| figures("", &[(1, *value)]).tables).collect(),
    };
    let book = PhraseBook::built_in().unwrap();
    let vocabulary = book.vocabulary();
    for (wanted, wrong, table, others) in [
        (&[1, 1, 1][..], &[1, 2, 1][..], "the second result", &[][..]),
        (&[1, 1, 1], &[2, 1, 2], "the third result", &["first result"]),
        (&[1], &[2], "the result", &[]),
    ] {
        let facts = Facts::of(&queries(wanted), &queries(wrong), vocabulary).unwrap();
        assert_eq!((vocabulary.report(&facts.table).as_str(), facts.others.as_slice()), (table, &*own(others)));
    }
}

#[test]
fn one_of_several_files_is_told_by_its_place() {
    let files = |values: &[i64]| {
        let file = |(at, value): (usize, &i64)| figures(&format!("directory /out/{at}"), &[(1, *value)]).tables;
        let query = figures("", &[(1, 1)]).tables;
        ScriptResult { tables: query.into_iter().chain(values.iter().enumerate().flat_map(file)).collect() }
    };
    let book = PhraseBook::built_in().unwrap();
    let report = |wanted: &[i64], wrong: &[i64]| {
        let facts = Facts::of(&files(wanted), &files(wrong), book.vocabulary()).unwrap();
        book.vocabulary().report(&facts.table)
    };
    assert_eq!(report(&[1, 1, 1], &[1, 2, 1]), "the second exported file");
    assert_eq!(report(&[1], &[2]), "the exported file");
}

fn own(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_value_of_a_row_without_a_name_is_told_only_if_it_is_the_only_row() {
    let book = PhraseBook::built_in().unwrap();
    let shares = |rows: &[f64]| {
        let columns = vec![ResultColumn::new("share", Type::Double)];
        let rows = rows.iter().map(|share| Row::from([Value::Real(*share)])).collect();
        ScriptResult {
            tables: vec![ResultTable { target: "t".into(), columns, rows, ordered: true, sorted_by: Vec::new() }],
        }
    };
    for (wanted, wrong, is_told) in [(&[1.0][..], &[2.0][..], true), (&[1.0, 5.0], &[2.0, 5.0], false)] {
        let facts = Facts::of(&shares(wanted), &shares(wrong), book.vocabulary()).unwrap();
        assert_eq!(facts.variables(book.vocabulary(), false).contains_key("expected"), is_told, "{facts:?}");
    }
}

#[test]
fn a_table_that_only_later_statements_read_is_no_report() {
    let both = |left: i64, right: i64| ScriptResult {
        tables: [("dw.grades", left), ("dw.report", right)]
            .into_iter()
            .flat_map(|(name, value)| figures(name, &[(1, value)]).tables)
            .collect(),
    };
    let reports = [("dw.report".to_owned(), "orders".to_owned())].into();
    assert!(is_noticeable(&both(1, 1), &both(2, 1), &BTreeMap::new()));
    assert!(!is_noticeable(&both(1, 1), &both(2, 1), &reports));
    assert!(is_noticeable(&both(1, 1), &both(2, 2), &reports));
}

#[test]
fn values_that_look_the_same_are_no_difference() {
    let year = |data_type: Type, value: Value| ScriptResult {
        tables: vec![ResultTable {
            target: "t".into(),
            columns: vec![ResultColumn::new("year", data_type)],
            rows: vec![Row::from([value])],
            ordered: true,
            sorted_by: Vec::new(),
        }],
    };
    let number = year(Type::BigInt, Value::Integer(2024));
    for (text, is_seen) in [("2024", false), ("02024", true)] {
        let text = year(Type::String, Value::Text(text.into()));
        assert_eq!(is_noticeable(&text, &number, &BTreeMap::new()), is_seen, "{text:?}");
    }
}

#[test]
fn a_part_of_a_record_in_json_is_not_quoted() {
    let book = PhraseBook::built_in().unwrap();
    let payload = |amount: i64| ScriptResult {
        tables: vec![ResultTable {
            target: "t".into(),
            columns: vec![ResultColumn::new("payload", Type::String)],
            rows: vec![Row::from([Value::Text(format!(
                r#"{{"order_id": "A-10042", "amount": {amount}, "currency": "EUR", "shop": "Berlin Mitte"}}"#
            ))])],
            ordered: true,
            sorted_by: Vec::new(),
        }],
    };
    let facts = Facts::of(&payload(5), &payload(7), book.vocabulary()).unwrap();
    let told = facts.variables(book.vocabulary(), false);
    assert_eq!((told.contains_key("column"), told.contains_key("expected")), (true, false), "{told:?}");
}
