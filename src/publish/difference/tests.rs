use proptest::prelude::*;

use super::test_naming::texts;
use super::*;
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, Row, Value};
use crate::publish::complaint::PhraseBook;

type Line = (&'static str, Option<&'static str>, i64, f64);

fn result(lines: &[Line], ordered: bool) -> ScriptResult {
    let column = |name: &str, data_type| ResultColumn { name: name.into(), data_type, unordered: None };
    let row = |(waybill, status, scans, fee): &Line| -> Row {
        let status = status.map_or(Value::Null, |status| Value::Text(status.into()));
        Row::from([Value::Text((*waybill).into()), status, Value::Integer(*scans), Value::Real(*fee)])
    };
    let columns = vec![
        column("waybill_no", Type::String),
        column("status", Type::String),
        column("scan_cnt", Type::BigInt),
        column("fee", Type::Decimal(18, 2)),
    ];
    let rows = lines.iter().map(row).collect();
    ScriptResult {
        tables: vec![ResultTable {
            target: "ads.ads_waybill_sla_di".into(),
            columns,
            rows,
            ordered,
            sorted_by: Vec::new(),
        }],
    }
}

const REFERENCE: [Line; 4] = [
    ("W1", Some("LATE"), 3, 10.0),
    ("W2", Some("ON_TIME"), 1, 20.5),
    ("W3", Some("ON_TIME"), 0, 7.0),
    ("W4", Some("IN TRANSIT"), 2, 1.25),
];

fn facts(issue: &[Line]) -> Facts {
    let book = PhraseBook::built_in().unwrap();
    Facts::of(&result(&REFERENCE, false), &result(issue, false), book.vocabulary()).unwrap()
}

fn changed(change: impl Fn(&mut Line)) -> Facts {
    let mut lines = REFERENCE;
    lines.iter_mut().for_each(change);
    facts(&lines)
}

fn cell(column: &str, expected: &str, actual: &str) -> Option<Cell> {
    Some(Cell {
        column: column.into(),
        expected: expected.into(),
        actual: actual.into(),
        is_everywhere: false,
        rows: 1,
        is_all_blank: false,
        more: Vec::new(),
        deviation: None,
    })
}

#[test]
fn equal_results_have_no_facts() {
    let book = PhraseBook::built_in().unwrap();
    assert_eq!(Facts::of(&result(&REFERENCE, false), &result(&REFERENCE, false), book.vocabulary()), None);
}

#[test]
fn a_second_row_without_a_key_is_not_another_line_of_the_same_thing() {
    let columns = vec![
        ResultColumn { name: "farm_no".into(), data_type: Type::String, unordered: None },
        ResultColumn { name: "head_cnt".into(), data_type: Type::BigInt, unordered: None },
    ];
    let result = |heads: &[(Option<&str>, i64)]| ScriptResult {
        tables: vec![ResultTable {
            target: "ads.farms".into(),
            columns: columns.clone(),
            rows: heads
                .iter()
                .map(|(farm, count)| {
                    Row::from([farm.map_or(Value::Null, |farm| Value::Text(farm.into())), Value::Integer(*count)])
                })
                .collect(),
            ordered: false,
            sorted_by: Vec::new(),
        }],
    };
    let book = PhraseBook::built_in().unwrap();
    let farms = [(Some("F-1"), 7), (Some("F-2"), 9), (None, 3)];
    let facts = |more: &[(Option<&str>, i64)]| {
        Facts::of(&result(&farms), &result(&[&farms[..], more].concat()), book.vocabulary()).unwrap()
    };
    assert_eq!(facts(&[(None, 19)]).symptom, Symptom::ExtraRows);
    assert_eq!(facts(&[(Some("F-2"), 19)]).symptom, Symptom::SplitRows);
}

#[test]
fn rows_that_come_and_go_are_told_apart() {
    let more = |lines: &[Line]| facts(&[&REFERENCE[..], lines].concat());
    for (facts, symptom, counts, waybill) in [
        (facts(&REFERENCE[1..]), Symptom::MissingRows, [1, 0, 0, 0], "W1"),
        (more(&[("W9", None, 0, 0.0)]), Symptom::ExtraRows, [0, 1, 0, 0], "W9"),
        (more(&[REFERENCE[2]]), Symptom::Duplicates, [0, 0, 1, 0], "W3"),
        (more(&[("W2", Some("LATE"), 8, 2.0)]), Symptom::SplitRows, [0, 0, 1, 0], "W2"),
    ] {
        assert_eq!(facts.symptom, symptom);
        assert_eq!([facts.missing, facts.extra, facts.duplicated, facts.changed], counts);
        assert_eq!(facts.example.unwrap().key, [("waybill_no".to_owned(), waybill.to_owned())]);
        assert_eq!(facts.table, "ads_waybill_sla_di");
    }
}

#[test]
fn cells_that_change_are_told_apart() {
    for (facts, symptom, cell) in [
        (
            changed(|line| line.1 = line.1.filter(|status| *status != "LATE")),
            Symptom::NullOrEmpty,
            cell("status", "LATE", "a blank"),
        ),
        (
            changed(|line| line.1 = line.1.map(|status| if status == "LATE" { "late" } else { status })),
            Symptom::WrongFormat,
            cell("status", "LATE", "\"late\""),
        ),
        (
            changed(|line| line.1 = line.1.map(|status| if status == "LATE" { "ON_TIME" } else { status })),
            Symptom::WrongValue,
            cell("status", "LATE", "ON_TIME"),
        ),
        (
            changed(|line| line.1 = line.1.map(|status| if status == "LATE" { "on time" } else { status })),
            Symptom::WrongValue,
            cell("status", "LATE", "\"on time\""),
        ),
        (
            changed(|line| line.3 *= 2.0),
            Symptom::WrongTotal,
            cell("fee", "10", "20").map(|cell| Cell { rows: 4, deviation: Some(Deviation::TooHigh), ..cell }),
        ),
        (
            changed(|line| line.2 = 3 - line.2),
            Symptom::WrongValue,
            cell("scan_cnt", "3", "0").map(|cell| Cell { rows: 4, ..cell }),
        ),
    ] {
        assert_eq!(facts.symptom, symptom);
        let example = facts.example.unwrap();
        assert_eq!(example.cell, cell);
        assert_eq!(example.key, [("waybill_no".to_owned(), "W1".to_owned())]);
    }
}

#[test]
fn a_value_in_place_of_a_blank_is_told_as_one() {
    let blank = REFERENCE.map(|line| (line.0, line.1.filter(|status| *status != "LATE"), line.2, line.3));
    let book = PhraseBook::built_in().unwrap();
    let facts = Facts::of(&result(&blank, false), &result(&REFERENCE, false), book.vocabulary()).unwrap();
    assert_eq!(facts.symptom, Symptom::WronglyFilled);
    assert_eq!(facts.example.unwrap().cell, cell("status", "a blank", "LATE"));
}

#[test]
fn a_value_of_many_rows_is_told_without_the_key_of_one() {
    let fees = |lines: &[Line], fee: f64| lines.iter().map(|line| (line.0, line.1, line.2, fee)).collect::<Vec<Line>>();
    let status = |lines: &[Line], status: &'static str| {
        lines.iter().map(|line| (line.0, Some(status), line.2, line.3)).collect::<Vec<Line>>()
    };
    let book = PhraseBook::built_in().unwrap();
    let own = || vec![("waybill_no".to_owned(), "W1".to_owned())];
    for (reference, issue, key, is_everywhere) in [
        (status(&REFERENCE, "LATE"), status(&REFERENCE, "LOST"), Vec::new(), true),
        // Two rows may have the same value by chance, and a sum is that of its own row.
        (status(&REFERENCE[..2], "LATE"), status(&REFERENCE[..2], "LOST"), own(), false),
        (fees(&REFERENCE, 4.0), fees(&REFERENCE, 5.0), own(), false),
    ] {
        let (reference, issue) = (result(&reference, false), result(&issue, false));
        let example = Facts::of(&reference, &issue, book.vocabulary()).unwrap().example.unwrap();
        assert_eq!((example.key, example.cell.unwrap().is_everywhere), (key, is_everywhere));
    }
}

#[test]
fn what_is_wrong_besides_missing_rows_is_told() {
    let other = |line: &Line| (line.0, line.1, line.2 + 1, line.3);
    let stranger = |name: &'static str| (name, Some("LATE"), 3, 10.0);
    for (issue, besides) in [
        (REFERENCE[1..].to_vec(), None),
        (REFERENCE[2..].iter().map(other).collect(), Some(Besides::WrongValues)),
        (vec![REFERENCE[0], other(&REFERENCE[1]), REFERENCE[2]], None),
        (vec![REFERENCE[0], stranger("W8"), stranger("W9")], Some(Besides::ExtraRows)),
        (vec![REFERENCE[0], REFERENCE[1], stranger("W8")], None),
    ] {
        let facts = facts(&issue);
        assert_eq!((facts.symptom, facts.besides), (Symptom::MissingRows, besides), "{issue:?}");
    }
}

#[test]
fn totals_are_summed_over_all_rows() {
    let total = changed(|line| line.3 *= 2.0).total.unwrap();
    assert_eq!((total.column.as_str(), total.expected.as_str(), total.actual.as_str()), ("fee", "38.75", "77.5"));
}

/// A result of shops with a share of everything and a number of visits.
fn shops(rows: &[(&str, f64, i64)]) -> ScriptResult {
    let column = |name: &str, data_type| ResultColumn { name: name.into(), data_type, unordered: None };
    let columns =
        vec![column("shop", Type::String), column("visit_pct", Type::Double), column("visit_cnt", Type::BigInt)];
    let text = |shop: &str| if shop.is_empty() { Value::Null } else { Value::Text(shop.into()) };
    let row = |(shop, share, visits): &(&str, f64, i64)| {
        Row::from([text(shop), Value::Real(*share), Value::Integer(*visits)])
    };
    let rows = rows.iter().map(row).collect();
    ScriptResult {
        tables: vec![ResultTable { target: "ads.visits".into(), columns, rows, ordered: false, sorted_by: Vec::new() }],
    }
}

fn facts_of_shops(expected: &[(&str, f64, i64)], actual: &[(&str, f64, i64)]) -> Facts {
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
fn days(rows: &[(&str, &str, i64, Option<f64>, i64)]) -> ScriptResult {
    let column = |name: &str, data_type| ResultColumn { name: name.into(), data_type, unordered: None };
    let columns = vec![
        column("shop", Type::String),
        column("visit_day", Type::String),
        column("visit_rank", Type::Int),
        column("visit_share", Type::Double),
        column("visit_cnt", Type::BigInt),
    ];
    let row = |(shop, day, rank, share, visits): &(&str, &str, i64, Option<f64>, i64)| {
        let share = share.map_or(Value::Null, Value::Real);
        let [shop, day] = [shop, day].map(|text| Value::Text((*text).into()));
        Row::from([shop, day, Value::Integer(*rank), share, Value::Integer(*visits)])
    };
    let rows = rows.iter().map(row).collect();
    ScriptResult {
        tables: vec![ResultTable { target: "ads.days".into(), columns, rows, ordered: false, sorted_by: Vec::new() }],
    }
}

fn facts_of_days(expected: &ScriptResult, actual: &ScriptResult) -> Facts {
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
fn a_row_of_another_day_is_another_row_unless_only_the_day_is_wrong() {
    let grain = [("ads.days".to_owned(), vec!["shop".to_owned(), "visit_day".to_owned()])].into();
    let dictionary = crate::corpus::Dictionary { grain, ..crate::corpus::Dictionary::default() };
    let vocabulary = PhraseBook::built_in().unwrap().vocabulary().naming(&dictionary);
    let wanted = days(&[("north", "d1", 1, None, 5), ("south", "d1", 2, None, 3)]);
    let told = |shop: &str, day: &str, visits: i64| {
        let wrong = days(&[(shop, day, 1, None, visits), ("south", "d1", 2, None, 3)]);
        let facts = Facts::of(&wanted, &wrong, &vocabulary).unwrap();
        (facts.changed, facts.missing, facts.extra)
    };
    assert_eq!([told("north", "d2", 6), told("west", "d2", 5)], [(0, 1, 1); 2]);
    let empty = days(&[("north", "d1", 0, None, 0), ("south", "d1", 2, None, 3)]);
    let other = days(&[("north", "d2", 0, None, 0), ("south", "d1", 2, None, 3)]);
    assert_eq!(Facts::of(&empty, &other, &vocabulary).unwrap().missing, 1, "figures of zero show nothing");
    assert_eq!([told("north", "d2", 5), told("north", "D-1", 5), told("north", "", 5)], [(1, 0, 0); 3]);
}

#[test]
fn rows_that_come_or_go_are_called_what_they_are() {
    let tables = BTreeMap::from([("t".to_owned(), crate::corpus::dictionary::TableEntry::default())]);
    let dictionary = crate::corpus::Dictionary { tables, ..crate::corpus::Dictionary::default() };
    let vocabulary = PhraseBook::built_in().unwrap().vocabulary().naming(&dictionary);
    let said = |wanted: &[[&str; 2]], wrong: &[[&str; 2]]| {
        let results = [wanted, wrong].map(|rows| texts(["shop", "visit_day"], rows));
        let variables = Facts::of(&results[0], &results[1], &vocabulary).unwrap().variables(&vocabulary, false);
        ["thing", "things"].map(|name| variables.get(name).cloned())
    };
    let some = |text: &str| Some(text.to_owned());
    let all = [["north", "2024-05-01"], ["south", "2024-05-01"], ["west", "2024-05-01"], ["west", "2024-05-02"]];
    assert_eq!(said(&all, &all[1..]), [some("shop"), None]);
    assert_eq!(said(&all, &all[..2]), [some("shop"), None]);
    assert_eq!(said(&all, &all[2..]), [None, some("shops")]);
    assert_eq!(said(&all[1..], &all), [some("shop"), None]);
    assert_eq!(said(&all, &all[..3]), [some("row"), None], "the west is still there");
    let east = [[["east", "2024-05-01"]; 1].as_slice(), &all[2..]].concat();
    assert_eq!(said(&all, &east), [None, None], "the east stands in for one");
    let again = [&all[..3], &[all[3]; 3]].concat();
    let facts = Facts::of(&texts(["shop", "visit_day"], &all), &texts(["shop", "visit_day"], &again), &vocabulary);
    assert!(!facts.unwrap().variables(&vocabulary, false).contains_key("thing"), "two rows repeat another");
}

#[test]
fn the_other_wrong_columns_of_a_row_are_known() {
    let wanted = days(&[("north", "d1", 1, Some(0.5), 5), ("south", "d1", 2, Some(0.3), 3)]);
    let wrong = days(&[("north", "d1", 1, Some(0.4), 4), ("south", "d1", 2, Some(0.3), 3)]);
    let facts = facts_of_days(&wanted, &wrong);
    let cell = facts.example.as_ref().unwrap().cell.as_ref().unwrap();
    assert_eq!((cell.column.as_str(), cell.more.as_slice()), ("visit_cnt", ["visit_share".to_owned()].as_slice()));
    let book = PhraseBook::built_in().unwrap();
    assert_eq!(facts.variables(book.vocabulary(), false)["more"], "visit_share");
}

#[test]
fn a_row_with_a_whole_key_is_the_example_where_there_is_one() {
    let expected = [("", 0.5, 5), ("south", 0.3, 3), ("west", 0.2, 2)];
    let shop = |actual| facts_of_shops(&expected, actual).example.unwrap().key[0].1.clone();
    assert_eq!(shop(&expected[2..]), "\"south\"");
    assert_eq!(shop(&[("", 0.5, 6), ("south", 0.3, 4), ("west", 0.2, 2)]), "\"south\"");
}

#[test]
fn a_grand_total_among_the_rows_keeps_their_sum_unsaid() {
    let sums = |total: i64| {
        let [expected, actual] = [0, 1].map(|more| {
            [("north", 0.5, 5 + more), ("south", 0.3, 3), ("west", 0.2, 2), ("sum of all", 1.0, total + more)]
        });
        facts_of_shops(&expected, &actual).total.map(|total| total.expected)
    };
    assert_eq!([sums(10), sums(4)], [None, Some("14".to_owned())]);
    // Two levels of totals among the rows: the greatest of them is no whole part of the sum.
    let by_level = |all: &'static str, more: i64| {
        [("north", 0.5, 5 + more), ("south", 0.3, 3), (all, 1.0, 8 + more), ("west", 0.1, 10)]
    };
    let sums = |all| facts_of_shops(&by_level(all, 0), &by_level(all, 1)).total.map(|total| total.expected);
    assert_eq!(["_ALL_", "合计", "east"].map(sums), [None, None, Some("26".to_owned())]);
}

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
    let column = |name: &str| ResultColumn { name: name.into(), data_type: Type::BigInt, unordered: None };
    let columns = vec![column("order_cnt"), column("paid_qty")];
    let rows = rows.iter().map(|(left, right)| Row::from([Value::Integer(*left), Value::Integer(*right)])).collect();
    ScriptResult {
        tables: vec![ResultTable { target: name.into(), columns, rows, ordered: false, sorted_by: Vec::new() }],
    }
}

#[test]
fn a_figure_that_comes_out_wrong_makes_no_other_row() {
    let book = PhraseBook::built_in().unwrap();
    let named = |rows: &[(&str, i64, i64)]| {
        let mut result = figures("ads.ads_shop_di", &rows.iter().map(|row| (row.1, row.2)).collect::<Vec<_>>());
        let table = &mut result.tables[0];
        table.columns.insert(0, ResultColumn { name: "shop".into(), data_type: Type::String, unordered: None });
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
fn a_value_of_a_row_without_a_name_is_told_only_if_it_is_the_only_row() {
    let book = PhraseBook::built_in().unwrap();
    let shares = |rows: &[f64]| {
        let columns = vec![ResultColumn { name: "share".into(), data_type: Type::Double, unordered: None }];
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
fn values_that_look_the_same_are_not_set_against_each_other() {
    let book = PhraseBook::built_in().unwrap();
    let year = |data_type: Type, value: Value| ScriptResult {
        tables: vec![ResultTable {
            target: "t".into(),
            columns: vec![ResultColumn { name: "year".into(), data_type, unordered: None }],
            rows: vec![Row::from([value])],
            ordered: true,
            sorted_by: Vec::new(),
        }],
    };
    let (text, number) = (year(Type::String, Value::Text("2024".into())), year(Type::BigInt, Value::Integer(2024)));
    let told = Facts::of(&text, &number, book.vocabulary()).unwrap().variables(book.vocabulary(), false);
    assert_eq!(
        (told.contains_key("column"), told.contains_key("expected"), told.contains_key("actual")),
        (true, false, false)
    );
}
