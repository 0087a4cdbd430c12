//! Rules of conditions: which hold everywhere, which in a part, and what lies on their limits.

use super::tests::{assert_rule, rules};

#[test]
fn a_rule_of_a_part_is_not_told_as_one_of_the_report() {
    let side = "SELECT order_id FROM shop.orders WHERE state = 'PAID' AND amount > 1";
    let told = |sql: &str| rules("filter-dropped", sql);
    assert!(!told(side).is_empty() && told(side).iter().all(|rule| rule.starts_with("only entries")));
    assert_eq!(told(&format!("SELECT order_id FROM ({side}) q")), told(side));
    for part in [
        format!("{side} UNION ALL SELECT order_id FROM shop.orders"),
        format!("SELECT q.order_id FROM ({side}) q JOIN shop.countries c ON q.order_id = c.iso_code"),
        format!("SELECT iso_code FROM shop.countries WHERE iso_code IN ({side})"),
        format!("WITH paid AS ({side}) SELECT order_id FROM paid"),
        format!("CREATE TABLE paid AS {side}; SELECT order_id FROM paid"),
    ] {
        assert_eq!(told(&part), [""; 0], "{part}");
    }
}

#[test]
fn one_of_several_conditions_is_no_rule_of_the_report() {
    for place in [
        "SELECT order_id FROM shop.orders WHERE amount > 1 AND (note IS NOT NULL OR state = 'PAID')",
        "SELECT order_id FROM shop.orders WHERE amount > 1 OR (note IS NOT NULL AND state = 'PAID')",
        "SELECT order_id FROM shop.orders WHERE NOT (note IS NOT NULL AND state = 'PAID')",
        "SELECT order_id, CASE WHEN note IS NOT NULL AND state = 'PAID' THEN 1 ELSE 0 END AS paid FROM shop.orders",
        "SELECT order_id, SUM(IF(note IS NOT NULL AND amount > 2, 1, 0)) AS paid FROM shop.orders GROUP BY order_id",
    ] {
        assert_eq!(rules("is-not-null-made-not-equal-null", place), [""; 0], "{place}");
    }
    for place in [
        "SELECT order_id, note IS NOT NULL AS noted FROM shop.orders",
        "SELECT order_id FROM shop.orders WHERE note IS NOT NULL OR state = 'PAID'",
    ] {
        assert!(!rules("is-not-null-made-not-equal-null", place).is_empty(), "{place}");
    }
}

#[test]
fn a_report_with_subtotals_is_not_said_to_have_none() {
    let group = "SELECT state, country_code, SUM(amount) AS total FROM shop.orders GROUP BY state, country_code";
    let with_others = format!("{group}; SELECT state, COUNT(*) AS n FROM shop.orders GROUP BY state WITH ROLLUP");
    assert!(!rules("subtotals-added", group).is_empty());
    assert_rule("subtotals-added", &with_others, "there should be no subtotals or totals over state and country_code");
}

#[test]
fn tables_of_one_name_are_not_told_apart_by_it() {
    let sql = "CREATE TABLE mart.orders AS SELECT o.note, c.order_id FROM shop.orders o \
               JOIN (SELECT iso_code AS order_id, name AS note FROM shop.countries) c ON o.order_id = c.order_id";
    let of_orders = |sql: &str| rules("wrong-table-alias", sql).iter().any(|rule| rule.ends_with("that of orders"));
    assert!(!of_orders(sql));
    assert!(of_orders(&sql.replace("mart.orders", "mart.paid")));
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
