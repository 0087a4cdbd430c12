use crate::code::dialect::Dialect;
use crate::publish::record::{SolverContext, TaskRecord};
use crate::repair::assignment::Assignment;

fn repaired(solver: &str, issue: &str) -> Option<String> {
    let mut task = TaskRecord {
        instance_id: "t".to_owned(),
        dialect: Dialect::Hive,
        domain: String::new(),
        issue_sql: issue.to_owned(),
        schema_ddl: "create table ods.orders (order_id bigint, amount double, city string, tags array<string>) \
                     partitioned by (dt string);"
            .to_owned(),
        parameters: std::collections::BTreeMap::new(),
        context: SolverContext::UserQuery(String::new()),
        translated_from: None,
        canary: String::new(),
    };
    let rejection = Assignment::new(&task).unwrap().rejection(issue);
    task.context = SolverContext::ErrorMessage(rejection.map_or(String::new(), |rejection| rejection.message));
    super::built_in(solver).unwrap().repair(&Assignment::new(&task).unwrap()).unwrap().predict_sql
}

#[test]
fn spelling_mends_keywords_functions_tables_and_columns() {
    let cases = [
        ("select city fron ods.orders where amount > 1", "select city from ods.orders where amount > 1"),
        (
            "SELECT city, SUM(amount) FROM ods.orders GROPU BY city",
            "SELECT city, SUM(amount) FROM ods.orders GROUP BY city",
        ),
        ("select coalsece(city, 'x') as c from ods.orders", "select coalesce(city, 'x') as c from ods.orders"),
        ("select city from ods.oders", "select city from ods.orders"),
        ("select o.amuont from ods.orders o", "select o.amount from ods.orders o"),
    ];
    for (issue, wanted) in cases {
        assert_eq!(repaired("spelling", issue).as_deref(), Some(wanted), "{issue}");
    }
}

#[test]
fn position_mends_what_one_token_too_many_or_too_few_breaks() {
    let cases = [
        ("select order_id, city, from ods.orders", "select order_id, city from ods.orders"),
        (
            "select city, sum(amount as s from ods.orders group by city",
            "select city, sum(amount) as s from ods.orders group by city",
        ),
        (
            "select o.city from ods.orders o where and o.amount > 1",
            "select o.city from ods.orders o where o.amount > 1",
        ),
    ];
    for (issue, wanted) in cases {
        assert_eq!(repaired("position", issue).as_deref(), Some(wanted), "{issue}");
    }
}

#[test]
fn doing_nothing_hands_back_the_issue_and_sound_scripts_are_left_alone() {
    let sound = "select city from ods.orders where dt = '2024-01-01'";
    assert_eq!(repaired("nothing", sound).as_deref(), Some(sound));
    for solver in ["spelling", "position", "linter"] {
        assert_eq!(repaired(solver, sound), None, "{solver}");
    }
    assert!(super::built_in("unknown").is_none());
    assert!(super::NAMES.iter().all(|name| super::built_in(name).is_some_and(|solver| solver.name() == *name)));
}
