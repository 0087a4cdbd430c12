use super::test_figures::{days, facts_of_days, facts_of_shops};
use super::test_naming::texts;
use super::*;
use crate::code::types::Type;
use crate::engine::table::{ResultColumn, Row, Value};
use crate::publish::complaint::PhraseBook;

pub(super) type Line = (&'static str, Option<&'static str>, i64, f64);

pub(super) fn result(lines: &[Line], ordered: bool) -> ScriptResult {
    let row = |(waybill, status, scans, fee): &Line| -> Row {
        let status = status.map_or(Value::Null, |status| Value::Text(status.into()));
        Row::from([Value::Text((*waybill).into()), status, Value::Integer(*scans), Value::Real(*fee)])
    };
    let columns = vec![
        ResultColumn::new("waybill_no", Type::String),
        ResultColumn::new("status", Type::String),
        ResultColumn::new("scan_cnt", Type::BigInt),
        ResultColumn::new("fee", Type::Decimal(18, 2)),
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

pub(super) const REFERENCE: [Line; 4] = [
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
    let columns = vec![ResultColumn::new("farm_no", Type::String), ResultColumn::new("head_cnt", Type::BigInt)];
    let result = |heads: &[(Option<&str>, i64)]| ScriptResult {
        tables: vec![ResultTable::unordered(
            "ads.farms".into(),
            columns.clone(),
            heads
                .iter()
                .map(|(farm, count)| {
                    Row::from([farm.map_or(Value::Null, |farm| Value::Text(farm.into())), Value::Integer(*count)])
                })
                .collect(),
        )],
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
fn a_day_and_a_moment_of_it_differ_in_form() {
    let book = PhraseBook::built_in().unwrap();
    let symptom = |expected: &'static str, actual: &'static str| {
        let all = |status| REFERENCE.map(|line| (line.0, status, line.2, line.3));
        let [expected, actual] = [expected, actual].map(|status| result(&all(Some(status)), false));
        Facts::of(&expected, &actual, book.vocabulary()).map(|facts| facts.symptom)
    };
    assert_eq!(symptom("2024-03-15", "2024-03-15 00:00:00"), Some(Symptom::WrongFormat));
    assert_eq!(symptom("2024-03-15", "2024-03-15 09:00:00"), Some(Symptom::WrongFormat));
    assert_eq!(symptom("2024-03-15", "2024-03-16 09:00:00"), Some(Symptom::WrongValue));
    assert_eq!(symptom("2024-03-15 09:00:00", "2024-03-15"), Some(Symptom::WrongValue));
    // So do nothing at all and an empty text, which look the same.
    let first = |status| [&[(REFERENCE[0].0, status, 3, 10.0)], &REFERENCE[1..]].concat();
    let facts = Facts::of(&result(&first(None), false), &result(&first(Some("")), false), book.vocabulary());
    assert_eq!(facts.map(|facts| facts.symptom), Some(Symptom::WrongFormat));
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
        (vec![REFERENCE[0], REFERENCE[1], stranger("W8")], Some(Besides::ExtraRow)),
        ([&REFERENCE[..1], &REFERENCE[2..], &[stranger("W8")]].concat(), Some(Besides::ExtraRow)),
    ] {
        let facts = facts(&issue);
        assert_eq!((facts.symptom, facts.besides), (Symptom::MissingRows, besides), "{issue:?}");
    }
}

#[test]
fn rows_that_are_missing_beside_wrong_values_are_told() {
    let blank = |line: &Line| (line.0, None, line.2, line.3);
    let facts = facts(&[&[REFERENCE[0]][..], &[blank(&REFERENCE[1]), blank(&REFERENCE[2])]].concat());
    assert_eq!((facts.symptom, facts.besides), (Symptom::NullOrEmpty, Some(Besides::MissingRow)));
}

#[test]
fn totals_are_summed_over_all_rows() {
    let total = changed(|line| line.3 *= 2.0).total.unwrap();
    assert_eq!((total.column.as_str(), total.expected.as_str(), total.actual.as_str()), ("fee", "38.75", "77.5"));
}

/// A result of shops with a share of everything and a number of visits.
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
