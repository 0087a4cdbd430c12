//! What complaints are about in the tests.

use super::*;
use crate::publish::difference::{Cell, Deviation, ExampleRow, Symptom, Total};

pub(super) fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

pub(super) fn intent(rule: &str) -> Intent {
    Intent { rule: rule.to_owned(), quoted: Vec::new(), begins_with_name: false }
}

pub(super) fn example(key: &[(&str, &str)], cell: Option<(&str, &str, &str)>) -> ExampleRow {
    let cell = cell.map(|(column, expected, actual)| Cell {
        column: column.into(),
        expected: expected.into(),
        actual: actual.into(),
        is_everywhere: false,
        rows: 0,
        is_all_blank: false,
        more: vec!["handling time".into()],
        deviation: None,
    });
    ExampleRow { key: pairs(key), cell, times: 1, expected_times: 1, position: 0, instead: Vec::new() }
}

pub(super) fn facts(table: &str, symptom: Symptom, rows: (usize, usize), mut example: ExampleRow) -> Facts {
    let (expected_rows, actual_rows) = rows;
    if let Some(cell) = example.cell.as_mut().filter(|_| symptom == Symptom::WrongTotal) {
        cell.deviation = Some(Deviation::TooHigh);
    }
    if let Some(cell) = example.cell.as_mut().filter(|_| expected_rows == actual_rows) {
        cell.rows = 2;
    }
    let count = |wanted| if symptom == wanted { expected_rows.abs_diff(actual_rows) } else { 0 };
    Facts {
        table: table.into(),
        title: None,
        others: Vec::new(),
        others_symptom: None,
        symptom,
        expected_rows,
        actual_rows,
        missing: count(Symptom::MissingRows),
        extra: count(Symptom::ExtraRows),
        duplicated: count(Symptom::Duplicates),
        changed: if expected_rows == actual_rows { 2 } else { 0 },
        kind: None,
        besides: None,
        example: Some(example),
        total: None,
    }
}

#[derive(Clone)]
pub(super) struct Case {
    pub title: &'static str,
    pub facts: Facts,
    pub intent: Intent,
}

/// One case for each symptom, and a second one for the four most frequent.
pub(super) fn cases() -> Vec<Case> {
    let sla = "service level per waybill";
    let case = |title, facts, intent| Case { title, facts, intent };
    let repeated = ExampleRow { times: 3, ..example(&[("policy", "P-77"), ("rider", "theft")], None) };
    let ranked =
        ExampleRow { position: 1, instead: pairs(&[("topic", "rain")]), ..example(&[("topic", "spring sale")], None) };
    let spend = Total { column: "media spend".into(), expected: "1250.5".into(), actual: "2501".into() };
    vec![
        case(
            "Route and service level per waybill",
            facts(sla, Symptom::MissingRows, (5, 4), example(&[("waybill", "SF1003")], None)),
            intent("waybills without any exceptions must still be listed"),
        ),
        case(
            "Dormant accounts of the month",
            facts("dormant accounts", Symptom::MissingRows, (3, 1), example(&[("account", "88-102")], None)),
            intent("an account counts as dormant from the 90th day without a booking"),
        ),
        case(
            "Policies due for renewal",
            facts(
                "renewal leads",
                Symptom::ExtraRows,
                (2, 4),
                example(&[("policy", "P-12"), ("product", "MOTOR")], None),
            ),
            intent("only policies in force may be listed"),
        ),
        case(
            "Policies due for renewal",
            facts("renewal leads", Symptom::Duplicates, (2, 4), repeated),
            intent("each policy and rider stands in the list once, with its latest version"),
        ),
        case(
            "Route and service level per waybill",
            facts(
                sla,
                Symptom::WrongValue,
                (4, 4),
                example(&[("waybill", "SF1001")], Some(("service status", "ON_TIME", "LATE"))),
            ),
            intent("a delivery exactly at the promised time is still on time"),
        ),
        case(
            "Line efficiency per shift",
            facts(
                "shift results",
                Symptom::WrongValue,
                (6, 6),
                example(&[("line", "L4"), ("shift", "night")], Some(("availability", "0.875", "0.125"))),
            ),
            intent("availability is running time divided by planned time"),
        ),
        case(
            "Cash structuring alerts",
            facts("alerts", Symptom::EmptyResult, (4, 0), example(&[("customer", "C-9")], None)),
            intent("a customer is flagged when the deposits of any seven days exceed 10000"),
        ),
        case(
            "Cash structuring alerts",
            facts(
                "alerts",
                Symptom::NullOrEmpty,
                (4, 4),
                example(&[("customer", "C-9")], Some(("branch name", "Riverside", "empty"))),
            ),
            intent("the branch name comes from the branch where the first deposit was made"),
        ),
        case(
            "Cash structuring alerts",
            facts(
                "alerts",
                Symptom::WronglyFilled,
                (4, 4),
                example(&[("customer", "C-9")], Some(("days since the last deposit", "a blank", "0"))),
            ),
            intent("days since the last deposit stays blank where there was none"),
        ),
        case(
            "Media spend reconciliation",
            Facts {
                total: Some(spend),
                ..facts(
                    "daily spend",
                    Symptom::WrongTotal,
                    (3, 3),
                    example(&[("campaign", "K1")], Some(("media spend", "400", "800"))),
                )
            },
            intent("every invoice counts once, however many placements it covers"),
        ),
        case(
            "Hot topics of the hour",
            facts("result", Symptom::WrongOrder, (5, 5), ranked),
            intent("topics are listed from the highest to the lowest heat"),
        ),
        case(
            "Fund performance sheet",
            facts(
                "fund performance",
                Symptom::WrongFormat,
                (5, 5),
                example(&[("fund", "F-3")], Some(("valuation month", "2024-03", "202403"))),
            ),
            intent("months are written with four digits for the year, a hyphen and two for the month"),
        ),
        case(
            "Meter bill by tariff period",
            facts(
                "meter bill",
                Symptom::WrongTotal,
                (2, 2),
                example(&[("meter", "M5")], Some(("energy charge", "31.2", "27"))),
            ),
            intent("consumption of the peak hours is charged at the peak price"),
        ),
    ]
}
