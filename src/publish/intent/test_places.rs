//! Rules of conditions: which hold everywhere, which in a part, and what lies on their limits.

use super::tests::{assert_rule, rules};

#[test]
fn a_filter_of_one_side_of_a_union_is_the_rule_of_a_part() {
    let side = "SELECT order_id FROM shop.orders WHERE state = 'PAID' AND amount > 1";
    let whole = format!("SELECT order_id FROM ({side}) q");
    let union = format!("{side} UNION ALL SELECT order_id FROM shop.orders WHERE state = 'NEW' AND amount > 2");
    let told = |sql: &str| rules("filter-dropped", sql);
    assert!(told(&union).len() > 2 && told(&union).iter().all(|rule| rule.starts_with("in one part of it, only")));
    assert!(!told(&whole).is_empty() && told(&whole).iter().all(|rule| rule.starts_with("only entries")));
    let joined = format!("SELECT q.order_id FROM ({side}) q JOIN shop.countries c ON q.order_id = c.iso_code");
    assert!(!told(&joined).is_empty(), "no rule");
    assert!(told(&joined).iter().all(|rule| rule.starts_with("in one part of it, only")), "{:?}", told(&joined));
}

#[test]
fn a_condition_that_leaves_nothing_out_is_no_rule_of_entries() {
    for (sql, said) in [
        (
            "SELECT order_id, note IS NOT NULL AS noted FROM shop.orders",
            "for noted, the condition is that note is filled in",
        ),
        (
            "SELECT o.order_id, c.name FROM shop.orders o LEFT JOIN shop.countries c ON o.country_code = c.iso_code \
             AND c.name NOT IN ('a b', 'd')",
            "the condition on name is meant the other way round",
        ),
    ] {
        assert_rule("negation-dropped", sql, said);
    }
}

#[test]
fn what_holds_in_all_other_cases_is_told_by_what_else_gives() {
    for (value, said) in [
        ("0", "where none of its conditions is met, paid is 0"),
        ("amount", "where none of its conditions is met, paid shows amount"),
        ("amount + 1", "paid has a value where none of its conditions is met, too"),
    ] {
        let sql = format!("SELECT order_id, CASE WHEN state = 'NEW' THEN 5 ELSE {value} END AS paid FROM shop.orders");
        assert_rule("case-else-dropped", &sql, said);
    }
}

#[test]
fn conditions_that_belong_together_are_all_told() {
    let sql = "SELECT order_id FROM shop.orders WHERE (state = 'NEW' OR amount > 5) AND note IS NOT NULL";
    assert_rule("or-made-and", sql, "one of these is enough: state is NEW or amount is above 5");
    let sql = "SELECT order_id FROM shop.orders WHERE state = 'NEW' AND amount > 5";
    assert_rule("and-made-or", sql, "all of this is needed: state is NEW and amount is above 5");
}

#[test]
fn what_groups_a_sub_query_is_not_said_of_the_report() {
    let grouped = "SELECT state, country_code, SUM(amount) AS total FROM shop.orders GROUP BY state, country_code";
    let told = |sql: &str| rules("group-by-extra-column", sql).join("; ");
    assert!(!told(&format!("SELECT q.total FROM ({grouped}) q")).contains("one line per"));
}

#[test]
fn a_limit_is_told_by_its_column_or_by_its_value() {
    for (condition, said) in [
        ("DATEDIFF(note, '2024-05-01') >= 0", "where note lies exactly on the limit, this still meets the condition"),
        ("amount + 1 > 5", "where the two values that are compared are equal, this does not meet the condition"),
        ("LENGTH(note) > 5", "where the two values that are compared are equal, this does not meet the condition"),
        ("amount < order_id", "where amount lies exactly on the limit, this does not meet the condition"),
    ] {
        let sql = format!("SELECT order_id FROM shop.orders WHERE {condition} AND state = 'PAID'");
        assert_rule("bound-inclusion-changed", &sql, said);
    }
    let ranked = "SELECT order_id FROM (SELECT order_id, ROW_NUMBER() OVER (ORDER BY amount) AS rn FROM shop.orders) q \
                  WHERE rn <= 10";
    assert_rule("bound-inclusion-changed", ranked, "a value of exactly 10 still meets the condition");
}
