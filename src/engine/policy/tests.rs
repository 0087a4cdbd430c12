use super::*;
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::scope::ResolvedScript;
use crate::engine::spark_rules::{Rejection, judge};
use crate::engine::{EmbeddedEngine, Engine, ExecutionContext};

const TABLES: &str =
    "CREATE TABLE dw.orders (id BIGINT, amount DOUBLE, tags STRING, hour_no INT) PARTITIONED BY (dt STRING);
    CREATE TABLE dw.users (id BIGINT, name STRING) PARTITIONED BY (dt STRING, region STRING);
    CREATE TABLE dw.rates (code STRING, rate DOUBLE);
    CREATE TABLE dw.log (id BIGINT) PARTITIONED BY (hour_no INT);";

fn context(policy: Policy) -> ExecutionContext {
    let parameters: Parameters = [("d", "2024-03-15"), ("n", "20240315"), ("t", "orders")].into_iter().collect();
    ExecutionContext { schema: Schema::read(TABLES).unwrap(), parameters, policies: std::iter::once(policy).collect() }
}

/// Returns what the policy says about a script that Spark's rules accept.
fn said(policy: Policy, sql: &str) -> Option<Rejection> {
    let context = context(policy);
    let ResolvedScript { script, scopes } = ResolvedScript::new(sql, &context.schema);
    let refused = judge(&script, &scopes, &context.schema);
    assert!(refused.is_none(), "{sql}: {refused:?}");
    let rejection = EmbeddedEngine.rejection(sql, context.by_ref()).unwrap();
    assert!(rejection.iter().all(|rejection| Policy::of(rejection) == Some(policy)), "{rejection:?}");
    rejection
}

fn lets_pass(policy: Policy, scripts: &[&str]) {
    for sql in scripts {
        assert_eq!(said(policy, sql).map(|rejection| rejection.message), None, "{sql}");
    }
}

/// Each script with the text that is refused.
fn refuses(policy: Policy, scripts: &[(&str, &str)]) {
    for (sql, place) in scripts {
        let rejection = said(policy, sql).unwrap_or_else(|| panic!("{} lets `{sql}` pass", policy.name()));
        assert_eq!(rejection.span.of(sql), *place, "{sql}");
    }
}

#[test]
fn a_read_is_filtered_by_a_condition_on_a_partition_column_wherever_it_is_pushed_down_from() {
    lets_pass(
        Policy::PartitionFilter,
        &[
            "SELECT id FROM dw.orders WHERE dt = '2024-03-15'",
            "SELECT id FROM dw.orders WHERE amount > 1 AND (dt BETWEEN '2024-03-01' AND '2024-03-15')",
            "SELECT id FROM dw.orders WHERE dt IN ('1', '2')",
            "SELECT id FROM dw.orders WHERE substr(dt, 1, 7) = '2024-03'",
            "SELECT id FROM dw.orders WHERE dt = '1' AND amount > 1 OR dt = '2'",
            "SELECT id FROM dw.users WHERE region = 'eu'",
            "SELECT code FROM dw.rates",
            "SELECT o.id FROM dw.orders o JOIN dw.users u ON o.id = u.id AND u.dt = '1' WHERE o.dt = '1'",
            "SELECT o.id FROM dw.orders o JOIN dw.users u ON o.id = u.id AND o.dt = u.dt WHERE o.dt = '1'",
            "SELECT id FROM (SELECT id, dt FROM dw.orders) x WHERE dt = '1'",
            "WITH x AS (SELECT * FROM dw.orders) SELECT id FROM x WHERE x.dt = '1'",
            "INSERT OVERWRITE TABLE dw.orders PARTITION (dt = '1') SELECT id, 1.0, name, 1 FROM dw.users WHERE dt = '1'",
        ],
    );
}

#[test]
fn a_partitioned_table_that_is_read_whole_is_refused_at_its_name() {
    refuses(
        Policy::PartitionFilter,
        &[
            ("SELECT id FROM dw.orders", "dw.orders"),
            ("SELECT id FROM dw.orders WHERE amount > 1", "dw.orders"),
            ("SELECT id FROM dw.orders WHERE dt = '1' OR amount > 1", "dw.orders"),
            ("SELECT o.id FROM dw.orders o JOIN dw.users u ON o.id = u.id WHERE o.dt = '1'", "dw.users u"),
            ("SELECT o.id FROM dw.orders o JOIN dw.users u ON o.dt = u.dt", "dw.orders o"),
            ("SELECT id FROM (SELECT id, dt FROM dw.orders WHERE amount > 1) x WHERE id > 2", "dw.orders"),
            ("SELECT id FROM dw.orders WHERE dt = '1' AND id IN (SELECT id FROM dw.users)", "dw.users"),
            ("SELECT dt, count(*) FROM dw.orders GROUP BY dt HAVING dt = '1'", "dw.orders"),
            ("SELECT id FROM dw.orders WHERE dt = id", "dw.orders"),
        ],
    );
}

#[test]
fn a_text_partition_column_is_compared_with_text_only() {
    lets_pass(
        Policy::TypeSafety,
        &[
            "SELECT id FROM dw.orders WHERE dt = '20240315'",
            "SELECT id FROM dw.orders WHERE dt = '${n}' AND hour_no = 3",
            "SELECT id FROM dw.log WHERE hour_no = 3",
            "SELECT id FROM dw.orders WHERE dt IN ('1', '2') AND cast(dt AS INT) > 3",
        ],
    );
    refuses(
        Policy::TypeSafety,
        &[
            ("SELECT id FROM dw.orders WHERE dt = 20240315", "20240315"),
            ("SELECT id FROM dw.orders WHERE 20240315 <= dt", "20240315"),
            ("SELECT id FROM dw.orders WHERE dt = ${n}", "${n}"),
            ("SELECT id FROM dw.orders WHERE dt = ${d}", "${d}"),
            ("SELECT id FROM dw.orders WHERE dt = 2024-03-15", "2024-03-15"),
            ("SELECT id FROM dw.orders WHERE dt IN ('1', 2)", "2"),
            ("SELECT id FROM dw.orders WHERE dt BETWEEN (1) AND '2'", "1"),
            ("SELECT id FROM (SELECT id, dt AS day FROM dw.orders) x WHERE x.day = 3", "3"),
        ],
    );
}

#[test]
fn a_lambda_is_refused_where_hives_parser_stumbles() {
    lets_pass(Policy::NoLambda, &["SELECT size(split(tags, ',')) FROM dw.orders"]);
    let transform = "SELECT transform(split(tags, ','), e -> trim(e)) AS x FROM dw.orders";
    let filter = "SELECT filter(split(tags, ','), x -> x > 1) AS f FROM dw.orders";
    refuses(Policy::NoLambda, &[(transform, "transform"), (filter, "->")]);
    // The words of Hive 2.3's parser for the same two calls.
    let message = |sql| said(Policy::NoLambda, sql).map(|rejection| rejection.message);
    let wanted =
        "FAILED: ParseException line 1:7 cannot recognize input near 'transform' '(' 'split' in selection target";
    assert_eq!(message(transform).as_deref(), Some(wanted));
    let wanted = "FAILED: ParseException line 1:35 cannot recognize input near '>' 'x' '>' in expression specification";
    assert_eq!(message(filter).as_deref(), Some(wanted));
}

#[test]
fn a_comparison_with_null_is_refused_and_a_test_for_null_is_not() {
    lets_pass(
        Policy::NullComparison,
        &[
            "SELECT id FROM dw.orders WHERE tags IS NULL",
            "SELECT id FROM dw.orders WHERE tags <=> NULL",
            "SELECT coalesce(tags, NULL) FROM dw.orders",
        ],
    );
    refuses(
        Policy::NullComparison,
        &[
            ("SELECT id FROM dw.orders WHERE tags = NULL", "tags = NULL"),
            ("SELECT CASE WHEN NULL <> tags THEN 1 END FROM dw.orders", "NULL <> tags"),
        ],
    );
}

#[test]
fn messages_name_the_setting_or_the_rule_and_the_place() {
    let said = |policy, sql: &str| said(policy, sql).unwrap();
    let filter = said(Policy::PartitionFilter, "SELECT o.id\nFROM dw.orders o");
    assert!(filter.message.starts_with("FAILED: SemanticException [Error 10056]: Line 2:5 "), "{}", filter.message);
    assert!(filter.message.ends_with("No partition predicate for Alias \"o\" Table \"dw.orders\""));
    assert_eq!((filter.place.line, filter.place.column), (2, 6));
    let safety = said(Policy::TypeSafety, "SELECT id FROM dw.orders o WHERE o.dt = 3");
    assert!(safety.message.contains("'o.dt'") && safety.message.contains("hive.strict.checks.type.safety"));
    let lint = said(Policy::NullComparison, "SELECT id FROM dw.rates r JOIN dw.log ON rate = NULL");
    assert!(lint.message.contains("null-comparison | `rate = NULL`"), "{}", lint.message);
}

#[test]
fn what_the_engine_refuses_is_told_by_the_engine() {
    let context = ExecutionContext { policies: Policy::ALL.into_iter().collect(), ..context(Policy::NoLambda) };
    let rejection =
        EmbeddedEngine.rejection("SELECT nothing FROM dw.orders WHERE dt = NULL", context.by_ref()).unwrap().unwrap();
    assert_eq!(Policy::of(&rejection), None, "{}", rejection.message);
}

#[test]
fn a_script_keeps_the_policies_that_do_not_refuse_it() {
    let all: Policies = Policy::ALL.into_iter().collect();
    let context = context(Policy::NoLambda);
    let kept = |sql: &str| all.kept_by(sql, &context.schema, &context.parameters).iter().collect::<Vec<_>>();
    assert_eq!(kept("SELECT id FROM dw.orders WHERE dt = '1'"), Policy::ALL);
    assert_eq!(kept("SELECT id FROM dw.orders WHERE tags = NULL"), [Policy::NoLambda, Policy::TypeSafety]);
    assert!(Policies::default().kept_by("SELECT 1", &context.schema, &context.parameters).is_empty());
}

#[test]
fn the_command_line_files_and_records_call_a_policy_by_the_same_name() {
    for policy in Policy::ALL {
        let written = serde_json::to_string(&policy).unwrap();
        assert_eq!(written, format!("\"{}\"", policy.name()));
        assert_eq!(<Policy as clap::ValueEnum>::from_str(policy.name(), false), Ok(policy));
    }
}
