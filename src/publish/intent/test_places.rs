//! Rules of places where a condition leaves nothing out, or not everywhere.

use super::tests::{assert_rule, rules};

#[test]
fn a_filter_of_one_side_of_a_union_is_the_rule_of_a_part() {
    let side = "SELECT order_id FROM shop.orders WHERE state = 'PAID' AND amount > 1";
    let whole = format!("SELECT order_id FROM ({side}) q");
    let union = format!("{side} UNION ALL SELECT order_id FROM shop.orders WHERE state = 'NEW' AND amount > 2");
    let told = |sql: &str| rules("filter-dropped", sql);
    assert!(told(&union).len() > 2 && told(&union).iter().all(|rule| rule.starts_with("in one part of it, only")));
    assert!(!told(&whole).is_empty() && told(&whole).iter().all(|rule| rule.starts_with("only entries")));
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
