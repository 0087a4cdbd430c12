//! How rows are named, and which belong together.

use super::*;
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, Row, Value};
use crate::publish::complaint::PhraseBook;

/// A result of text columns; `-` is NULL.
pub(super) fn texts<const N: usize>(columns: [&str; N], rows: &[[&str; N]]) -> ScriptResult {
    let column = |name: &str| ResultColumn::new(name, Type::String);
    let text = |text: &str| if text == "-" { Value::Null } else { Value::Text(text.into()) };
    ScriptResult {
        tables: vec![ResultTable::unordered(
            "t".into(),
            columns.map(column).to_vec(),
            rows.iter().map(|row| Row::from(row.map(text))).collect(),
        )],
    }
}

#[test]
fn a_column_that_is_called_as_its_report_is_told_to_be_a_column() {
    let book = PhraseBook::built_in().unwrap();
    let days = |rows: &[[&str; 2]]| {
        let mut result = texts(["ward", "beddays"], rows);
        result.tables[0].target = "mart.beddays".into();
        result
    };
    let facts =
        Facts::of(&days(&[["a", "few"], ["b", "many"]]), &days(&[["a", "few"], ["b", "none"]]), book.vocabulary());
    assert_eq!(facts.unwrap().variables(book.vocabulary(), false)["label"], "beddays column");
}

#[test]
fn rows_are_named_by_keys_that_are_whole_and_theirs_alone() {
    let book = PhraseBook::built_in().unwrap();
    let list = |rows: &[[&str; 2]]| texts(["shop", "indicator"], rows);
    let wanted = [["north", "sales"], ["north", "visits"], ["south", "sales"]];
    let facts = |extra| Facts::of(&list(&wanted), &list(&[&wanted[..], &[extra]].concat()), book.vocabulary()).unwrap();
    let pair = |name: &str, value: &str| (name.to_owned(), format!("\"{value}\""));
    let key = |extra| facts(extra).example.map(|example| example.key);
    assert_eq!(key(["west", "sales"]), Some(vec![pair("shop", "west")]), "one part is enough");
    assert_eq!(key(["north", "returns"]), Some(vec![pair("indicator", "returns")]));
    assert_eq!(key(["south", "visits"]), Some(vec![pair("shop", "south"), pair("indicator", "visits")]));
    assert_eq!([key(["-", "sales"]), key(["-", "-"])], [None, None]);
    let twice = [&wanted[..], &[["north", "sales"]]].concat();
    let once = Facts::of(&list(&twice), &list(&wanted), book.vocabulary()).unwrap();
    let example = once.example.unwrap();
    assert_eq!((once.symptom, example.times, example.expected_times), (Symptom::MissingCopies, 1, 2));
}

#[test]
fn the_row_that_adds_up_all_others_is_the_grand_total() {
    let book = PhraseBook::built_in().unwrap();
    let list = |rows: &[[&str; 2]]| texts(["shop", "indicator"], rows);
    let wanted = [["north", "ALL"], ["ALL", "sales"], ["south", "sales"], ["south", "ALL"]];
    let key = |extra| {
        let facts = Facts::of(&list(&wanted), &list(&[&wanted[..], &[extra]].concat()), book.vocabulary()).unwrap();
        facts.variables(book.vocabulary(), false).remove("key")
    };
    assert_eq!(key(["ALL", "ALL"]).as_deref(), Some("the grand total"));
    assert_eq!(key(["north", "sales"]).as_deref(), Some("shop \"north\", indicator \"sales\""));
}

#[test]
fn figures_are_left_out_of_a_key_first_then_days_and_never_all_but_a_blank() {
    let book = PhraseBook::built_in().unwrap();
    let list = |rows: &[[&str; 3]]| texts(["day", "shop", "late_days"], rows);
    let key = |wanted: &[[&str; 3]], missing: [&str; 3]| {
        let all = [wanted, &[missing][..]].concat();
        let facts = Facts::of(&list(&all), &list(wanted), book.vocabulary()).unwrap();
        facts.example.map(|example| example.key.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
    };
    let others = [["2024-03-01", "north", "3"], ["2024-03-02", "north", "4"]];
    assert_eq!(key(&others, ["2024-03-01", "south", "3"]), Some(vec!["shop".to_owned()]));
    assert_eq!(key(&others, ["2024-03-03", "north", "3"]), Some(vec!["day".to_owned()]));
    assert_eq!(key(&others, ["2024-03-01", "-", "3"]), None, "a blank names no row");
}

#[test]
fn where_all_rows_are_equal_none_is_missing_that_stands_there_with_other_values() {
    let book = PhraseBook::built_in().unwrap();
    let list = |row: [&str; 3]| texts(["shop", "first_name", "last_name"], &[row, row]);
    let symptom = |wrong| Facts::of(&list(["north", "Ada", "Byron"]), &list(wrong), book.vocabulary()).unwrap().symptom;
    assert_eq!(symptom(["north", "Byron", "Ada"]), Symptom::WrongValue);
    assert_eq!(symptom(["south", "Alan", "Turing"]), Symptom::MissingRows, "nothing of the row is there");
}

#[test]
fn a_column_without_a_name_is_called_by_its_place_and_names_no_row() {
    let book = PhraseBook::built_in().unwrap();
    let list = |rows: &[[&str; 3]]| texts(["row_number() OVER (ORDER BY shop)", "shop", "town"], rows);
    let wanted = list(&[["1", "north", "Bern"], ["2", "south", "Basel"], ["3", "west", "Basel"]]);
    let shown = list(&[["1", "north", "Bern"], ["2", "south", "Basel"], ["2", "west", "Basel"]]);
    let facts = Facts::of(&wanted, &shown, book.vocabulary()).unwrap();
    let example = facts.example.unwrap();
    assert_eq!(example.cell.unwrap().column, "the first column");
    assert_eq!(example.key, [("shop".to_owned(), "\"west\"".to_owned())]);
}

#[test]
fn a_group_that_falls_into_parts_is_no_row_too_many() {
    let book = PhraseBook::built_in().unwrap();
    let sums = |rows: &[([&str; 4], i64)]| {
        let names: Vec<[&str; 4]> = rows.iter().map(|(names, _)| *names).collect();
        let mut result = texts(["level", "region", "city", "kind"], &names);
        let table = &mut result.tables[0];
        let data_type = Type::BigInt;
        table.columns.push(ResultColumn::new("column_5", data_type));
        for (row, (_, sum)) in table.rows.iter_mut().zip(rows) {
            *row = row.iter().cloned().chain([Value::Integer(*sum)]).collect();
        }
        result
    };
    // No three of the columns tell these rows apart.
    let whole = [
        (["c", "n", "p", "x"], 5),
        (["c", "n", "p", "y"], 7),
        (["c", "n", "q", "x"], 3),
        (["c", "m", "p", "x"], 2),
        (["d", "n", "p", "x"], 4),
    ];
    let with = |row: ([&'static str; 4], i64)| {
        let mut rows = whole.to_vec();
        rows[1].1 = 6;
        Facts::of(&sums(&whole), &sums(&[rows, vec![row]].concat()), book.vocabulary()).unwrap()
    };
    assert_eq!(with((["c", "n", "p", "y"], 1)).symptom, Symptom::SplitRows);
    let facts = with((["c", "m", "p", "y"], 1));
    assert_eq!((facts.symptom, facts.extra), (Symptom::ExtraRows, 1));
}

#[test]
fn lines_with_other_marks_are_the_same_lines() {
    let book = PhraseBook::built_in().unwrap();
    let facts = |issue: &[[&str; 1]]| {
        let reference = texts(["line"], &[["a,1,x"], ["b,2,y"], ["c,3,z"]]);
        Facts::of(&reference, &texts(["line"], issue), book.vocabulary()).unwrap()
    };
    let written = facts(&[["a;1;x"], ["b;2;y"], ["c;3;z"]]);
    assert_eq!((written.symptom, written.missing, written.extra, written.changed), (Symptom::WrongFormat, 0, 0, 3));
    let lost = facts(&[["a,1,x"], ["c,3,z"]]);
    assert_eq!((lost.symptom, lost.missing), (Symptom::MissingRows, 1));
}

#[test]
fn of_rows_without_any_name_one_is_missing_however_alike_they_are() {
    let book = PhraseBook::built_in().unwrap();
    let symptom = |rows: &[[&str; 2]]| {
        let reference = [rows, &[rows[0]]].concat();
        let facts =
            Facts::of(&texts(["order", "shop"], &reference), &texts(["order", "shop"], rows), book.vocabulary());
        facts.unwrap().symptom
    };
    assert_eq!(symptom(&[["-", "-"], ["o1", "s1"]]), Symptom::MissingRows);
    assert_eq!(symptom(&[["o2", "-"], ["o1", "s1"]]), Symptom::MissingCopies);
}

#[test]
fn many_wrong_columns_beside_the_one_that_is_told_are_told_as_well() {
    let book = PhraseBook::built_in().unwrap();
    let list = |rows: &[[&str; 6]]| texts(["visit", "page", "entry", "exit", "source", "city"], rows);
    let wanted = [["v1", "a", "b", "c", "d", "e"], ["v2", "f", "g", "h", "i", "j"]];
    let besides = |rows: &[[&str; 6]]| Facts::of(&list(&wanted), &list(rows), book.vocabulary()).unwrap().besides;
    let moved = [["v1", "b", "c", "d", "e", "z"], ["v2", "g", "h", "i", "j", "z"]];
    assert_eq!(besides(&moved), Some(Besides::OtherColumns));
    let single = [["v1", "b", "b", "c", "d", "e"], ["v2", "g", "g", "h", "i", "j"]];
    assert_eq!(besides(&single), None);
}
