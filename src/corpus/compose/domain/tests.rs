//! Each problem of a model is reported with its line.

use std::path::Path;

use super::embedded;
use super::read::read_domain_text;

const RETAIL: &str = include_str!("../../../../domains/retail/domain.yaml");

/// Returns the errors of the retail model with `old` replaced.
fn errors(old: &str, new: &str) -> String {
    assert!(RETAIL.contains(old), "{old}");
    read_domain_text(Path::new("d.yaml"), &RETAIL.replacen(old, new, 1)).unwrap_err().to_string()
}

fn line_with(part: &str) -> usize {
    RETAIL.lines().position(|line| line.contains(part)).unwrap() + 1
}

#[test]
fn every_model_of_ours_reads() {
    let models = embedded();
    assert!(!models.is_empty());
    for model in models {
        model.unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn an_unknown_field_names_file_and_line() {
    let text = errors("prefix: rtl", "prefix: rtl\ncolour: red");
    assert!(text.starts_with("d.yaml:4:") && text.contains("colour"), "{text}");
}

#[test]
fn a_contradiction_names_the_line_of_its_key() {
    let cases = [
        ("sql: \"{paid_amount}\"", "sql: \"{paid}\"", "      takings:", "in braces"),
        ("keep: \"{pay_status} <> 'REVERSED'\"", "keep: \"{pay_status} <> 'GONE'\"", "      not_reversed:", "'GONE'"),
        ("keep: \"{pay_status} <> 'REVERSED'\"", "keep: \"{pay_status} <> \"", "      not_reversed:", "does not read"),
        ("order: [version_no]", "order: [version]", "  web_order_line:", "`version` is not a column"),
        ("plans: receipt_line.sales", "plans: receipt_line.sale", "  store_target:", "no figure"),
        (
            "subject: supplier, facts: [receipt_line",
            "subject: supplier, facts: [till_payment",
            "  supplier_share:",
            "till_payment",
        ),
        ("kind: calendar", "kind: snapshot", "  trade_calendar:", "partition"),
        ("top: till_payment.fees", "top: till_payment.fee", "  fee_rate:", "no figure"),
        (
            "answers: [scorecard, periods", "answers: [scorecards, periods", "  store_scorecard:",
            "no answer `scorecards`",
        ),
        ("stories: [money, trend]", "stories: [moneys, trend]", "  store_scorecard:", "no story `moneys`"),
        (
            "figures: [receipt_line.sales, till", "figures: [store_stock.available, till", "  till_control:",
            "none of its",
        ),
    ];
    for (old, new, place, message) in cases {
        let text = errors(old, new);
        let line = format!("d.yaml:{}: ", line_with(place));
        assert!(
            text.lines().any(|found| found.starts_with(&line) && found.contains(message)),
            "{line}{message}\n{text}"
        );
    }
}

#[test]
fn a_role_without_what_it_needs_is_refused() {
    let text = errors(
        "role: reference, entity: sku, type: STRING, words: article sold",
        "role: reference, type: STRING, words: article sold",
    );
    assert!(text.contains("tables.receipt_line.columns.sku_id") && text.contains("names an entity"), "{text}");
    let text = errors("type: STRING, words: time of sale", "type: INT, words: time of sale");
    assert!(text.contains("STRING or TIMESTAMP, not INT"), "{text}");
}
