use std::collections::HashSet;

use proptest::prelude::*;

use super::key::{CellKey, RowHash};
use super::*;
use crate::engine::table::{Row, UnorderedValues, Value};

fn column(data_type: Type) -> ResultColumn {
    ResultColumn::new("c", data_type)
}

fn table(columns: Vec<ResultColumn>, rows: Vec<Row>) -> ResultTable {
    ResultTable::unordered(String::new(), columns, rows)
}

fn result(table: ResultTable) -> ScriptResult {
    ScriptResult { tables: vec![table] }
}

fn one_column(data_type: Type, values: &[Value]) -> ScriptResult {
    result(table(vec![column(data_type)], values.iter().map(|value| Row::from([value.clone()])).collect()))
}

fn real(number: f64) -> Value {
    Value::Real(number)
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

#[test]
fn results_differ_in_the_tables_that_count() {
    let named = |name: &str, number: i64| ResultTable {
        target: name.into(),
        ..table(vec![column(Type::Int)], vec![Row::from([Value::Integer(number)])])
    };
    let both = |scratch, report| ScriptResult { tables: vec![named("scratch", scratch), named("report", report)] };
    let differ = |other: &ScriptResult, counted: &str| differs_in(&both(1, 1), other, |table| table.target == counted);
    assert!(differ(&both(2, 1), "scratch") && !differ(&both(2, 1), "report"));
    assert!(differ(&both(1, 2), "report") && !differ(&both(1, 1), "report"));
    assert!(differ(&ScriptResult { tables: vec![named("scratch", 1)] }, "report"), "a table that is not there");
}

#[test]
fn cells_are_equal_by_value_type_and_tolerance() {
    use Type::*;
    let cases: [(Type, Value, Type, Value, bool); 14] = [
        (Int, Value::Integer(3), Double, real(3.0), true),
        (Double, real(0.1 + 0.2), Double, real(0.3), true),
        (Double, real(1e12 + 0.0001), Double, real(1e12), true),
        (Double, real(1.000001), Double, real(1.0), false),
        (Double, real(1e-10), Double, real(0.0), true),
        (Decimal(10, 2), real(1.004), Decimal(10, 2), real(1.0), true),
        (Decimal(10, 2), real(1.01), Decimal(10, 2), real(1.0), false),
        (String, text("1"), String, text("1"), true),
        (String, text("a"), String, text("A"), false),
        (Unknown, Value::Integer(1), Unknown, text("1"), false),
        (String, Value::Null, String, text(""), false),
        (String, Value::Null, Int, Value::Null, false),
        (Null, Value::Null, Int, Value::Null, true),
        (BigInt, Value::Integer(i64::MAX), BigInt, Value::Integer(i64::MAX - 1), false),
    ];
    for (left_type, left, right_type, right, equal) in cases {
        let compared = compare(
            &one_column(left_type, std::slice::from_ref(&left)),
            &one_column(right_type, std::slice::from_ref(&right)),
        );
        assert_eq!(compared.is_equal(), equal, "{left:?} {right:?}");
    }
}

#[test]
fn texts_of_every_length_that_differ_in_one_byte_hash_apart() {
    let hash = |texts: &[&str]| {
        let mut hash = RowHash::default();
        texts.iter().for_each(|text| hash.add(&CellKey::Text((*text).into())));
        hash.finish()
    };
    let mut seen = HashSet::new();
    for length in 0..50 {
        let text = "a".repeat(length);
        assert!(seen.insert(hash(&[&text])), "{length} times a");
        for place in 0..length {
            let other = format!("{}b{}", &text[..place], &text[place + 1..]);
            assert!(seen.insert(hash(&[&other])), "{other}");
            assert!(seen.insert(hash(&[&text[..place], &text[place..]])), "{length} cut at {place}");
        }
    }
}

#[test]
fn a_text_with_nulls_hashes_apart_from_what_it_could_be_taken_for() {
    let hash = |keys: &[CellKey<'_>]| {
        let mut hash = RowHash::default();
        keys.iter().for_each(|key| hash.add(key));
        hash.finish()
    };
    let word = |text: &str| CellKey::Text(text.to_owned().into());
    let padded = format!("Q{}", "\0".repeat(15));
    assert_ne!(
        hash(&[word(&padded), CellKey::Null, word("abc")]),
        hash(&[CellKey::Null, word(""), word(&padded), word("abc")])
    );
    assert_ne!(hash(&[word(&padded), CellKey::Null, word("abc")]), hash(&[CellKey::Null, word(&padded), word("abc")]));
    assert_ne!(hash(&[word("\0")]), hash(&[word("")]));
    assert_ne!(hash(&[word("Q\0")]), hash(&[word("Q")]));
}

#[test]
fn bags_ignore_order_and_count_duplicates() {
    let numbers = |list: &[i64]| one_column(Type::Int, &list.iter().map(|n| Value::Integer(*n)).collect::<Vec<_>>());
    assert!(compare(&numbers(&[1, 2, 2]), &numbers(&[2, 1, 2])).is_equal());
    let Comparison::Different(difference) = compare(&numbers(&[1, 2, 2]), &numbers(&[1, 2])) else {
        panic!("a lost duplicate must differ")
    };
    let DifferenceKind::Rows(rows) = difference.kind else { panic!("rows differ") };
    assert_eq!((rows.reference_rows, rows.other_rows), (3, 2));
    assert_eq!((rows.only_in_reference_count, rows.only_in_other_count), (1, 0));
    assert_eq!(rows.only_in_reference, [Row::from([Value::Integer(2)])]);
}

#[test]
fn rows_that_are_equal_in_the_sort_keys_may_stand_in_any_order() {
    let row = |key: i64, value: i64| Row::from([Value::Integer(key), Value::Integer(value)]);
    let sorted = |rows: Vec<Row>, sorted_by: Vec<usize>| {
        let columns = vec![column(Type::BigInt), column(Type::BigInt)];
        ScriptResult { tables: vec![ResultTable { ordered: true, sorted_by, ..table(columns, rows) }] }
    };
    let one = vec![row(1, 5), row(1, 6), row(2, 4)];
    let tied = vec![row(1, 6), row(1, 5), row(2, 4)];
    let turned = vec![row(2, 4), row(1, 5), row(1, 6)];
    for (other, sorted_by, equal) in
        [(&tied, vec![0], true), (&turned, vec![0], false), (&tied, vec![0, 1], false), (&tied, vec![], false)]
    {
        let comparison = compare(&sorted(one.clone(), sorted_by.clone()), &sorted(other.clone(), sorted_by));
        assert_eq!(comparison.is_equal(), equal, "{other:?}");
        assert!(!comparison.is_different(), "{other:?}");
    }
}

#[test]
fn an_ordered_result_with_the_same_rows_differs_in_order_only() {
    let mut left = one_column(Type::Int, &[Value::Integer(1), Value::Integer(2), Value::Integer(3)]);
    let right = one_column(Type::Int, &[Value::Integer(1), Value::Integer(3), Value::Integer(2)]);
    assert!(compare(&left, &right).is_equal());
    left.tables[0].ordered = true;
    assert_eq!(compare(&left, &right), Comparison::OrderOnly { target: String::new(), first_row: 1 });
    assert!(compare(&left, &left).is_equal());
    assert!(compare(&right, &left.clone().ordered_as(&right)).is_equal(), "the reference leaves the order open");
    assert!(!compare(&left, &right.ordered_as(&left)).is_equal(), "the reference fixes the order");
}

#[test]
fn arrays_of_unordered_collectors_are_bags() {
    let mut left = one_column(Type::Array(Box::new(Type::Int)), &[text("[1,2,2]")]);
    let right = one_column(Type::Array(Box::new(Type::Int)), &[text("[2,1,2]")]);
    assert!(!compare(&left, &right).is_equal());
    left.tables[0].columns[0].unordered = Some(UnorderedValues::Arrays);
    assert!(compare(&left, &right).is_equal());
    let fewer = one_column(Type::Array(Box::new(Type::Int)), &[text("[2,1]")]);
    assert!(!compare(&left, &fewer).is_equal());
}

#[test]
fn texts_joined_of_unordered_elements_are_bags_where_the_reference_leaves_them_so() {
    let mut joined = one_column(Type::String, &[text("b;a")]);
    joined.tables[0].columns[0].unordered = Some(UnorderedValues::Texts(";".to_owned()));
    for (other, is_equal) in [("a;b", true), ("b;a", true), ("a,b", false), ("a;b;b", false)] {
        assert_eq!(compare(&joined, &one_column(Type::String, &[text(other)])).is_equal(), is_equal, "{other}");
    }
    assert!(!compare(&one_column(Type::String, &[text("a;b")]), &joined).is_equal());
}

#[test]
fn tables_are_paired_by_name_and_columns_are_checked_first() {
    let named = |target: &str, types: Vec<Type>| ResultTable {
        target: target.into(),
        ..table(types.into_iter().map(column).collect(), Vec::new())
    };
    let script = |tables: Vec<ResultTable>| ScriptResult { tables };
    let both = script(vec![named("a", vec![Type::Int]), named("b", vec![])]);
    let swapped = script(vec![named("b", vec![]), named("a", vec![Type::Int])]);
    assert!(compare(&both, &swapped).is_equal());
    let kind = |other: ScriptResult| match compare(&both, &other) {
        Comparison::Different(difference) => (difference.target, difference.kind, difference.differing_tables),
        equal => panic!("{equal:?}"),
    };
    assert_eq!(kind(script(vec![named("a", vec![Type::Int])])), ("b".into(), DifferenceKind::Missing, 1));
    let wider = script(vec![named("a", vec![Type::Int, Type::Int]), named("b", vec![]), named("c", vec![])]);
    assert_eq!(kind(wider), ("a".into(), DifferenceKind::ColumnCount { reference: 1, other: 2 }, 2));
    let other_type = script(vec![named("a", vec![Type::String]), named("b", vec![])]);
    let expected = DifferenceKind::ColumnType { column: 0, reference: Type::Int, other: Type::String };
    assert_eq!(kind(other_type), ("a".into(), expected, 1));
}

#[test]
fn examples_are_bounded_but_counts_are_not() {
    let left = one_column(Type::Int, &(0..500).map(Value::Integer).collect::<Vec<_>>());
    let right = one_column(Type::Int, &[]);
    let Comparison::Different(Difference { kind: DifferenceKind::Rows(rows), .. }) = compare(&left, &right) else {
        panic!("rows differ")
    };
    assert_eq!((rows.only_in_reference_count, rows.only_in_reference.len()), (500, EXAMPLE_ROWS));
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        (0i64..3).prop_map(Value::Integer),
        (0u8..6).prop_map(|n| Value::Real(f64::from(n) / 4.0)),
        (0u8..3, 0u8..3).prop_map(|(n, noise)| Value::Real(f64::from(n) / 3.0 + f64::from(noise) * 2e-11)),
        "[ab]{0,1}".prop_map(Value::Text),
    ]
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec(prop::collection::vec(value(), 3).prop_map(Row::from), 0..8)
}

fn untyped(rows: Vec<Row>) -> ScriptResult {
    result(table(vec![column(Type::Unknown); 3], rows))
}

/// Cell equality as documented, pair by pair.
fn same_cell(left: &Value, right: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Integer(whole) => Some(*whole as f64),
        Value::Real(number) => Some(*number),
        _ => None,
    };
    match (number(left), number(right)) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * 1f64.max(a.abs()).max(b.abs()),
        _ => left == right,
    }
}

/// Removes a partner for each row. This is correct because equality of the generated values is transitive.
fn naive_equal(left: &[Row], right: &[Row]) -> bool {
    let mut rest: Vec<&Row> = right.iter().collect();
    let found_all = left.iter().all(|row| {
        let same = |other: &&Row| row.iter().zip(other.iter()).all(|(a, b)| same_cell(a, b));
        let partner = rest.iter().position(same);
        partner.map(|at| rest.swap_remove(at)).is_some()
    });
    found_all && rest.is_empty()
}

proptest! {
    #[test]
    fn comparison_is_reflexive_and_blind_to_order(rows in rows(), seed in any::<u64>()) {
        let left = untyped(rows.clone());
        prop_assert!(compare(&left, &left).is_equal());
        let mut shuffled = rows;
        let length = shuffled.len().max(1);
        for at in 0..shuffled.len() {
            shuffled.swap(at, (seed as usize).wrapping_mul(at + 7) % length);
        }
        prop_assert!(compare(&left, &untyped(shuffled)).is_equal());
    }

    #[test]
    fn comparison_is_symmetric(left in rows(), right in rows()) {
        let (left, right) = (untyped(left), untyped(right));
        let there = compare(&left, &right);
        let back = compare(&right, &left);
        prop_assert_eq!(there.is_equal(), back.is_equal());
        if let (Comparison::Different(there), Comparison::Different(back)) = (there, back) {
            let (DifferenceKind::Rows(there), DifferenceKind::Rows(back)) = (there.kind, back.kind) else {
                return Err(TestCaseError::fail("rows differ"));
            };
            prop_assert_eq!(there.only_in_reference_count, back.only_in_other_count);
            prop_assert_eq!(there.only_in_other, back.only_in_reference);
        }
    }

    #[test]
    fn comparison_agrees_with_the_naive_one(left in rows(), right in rows(), same in any::<bool>(), noise in 0usize..8) {
        let mut right = if same { left.clone() } else { right };
        if same {
            right.reverse();
            for value in right.iter_mut().skip(noise).flat_map(|row| row.iter_mut()) {
                if let Value::Real(number) = value {
                    *number += 1e-11;
                }
            }
        }
        let expected = naive_equal(&left, &right);
        prop_assert_eq!(compare(&untyped(left), &untyped(right)).is_equal(), expected);
    }
}
