//! What scripts leave in the tables that they write, what is refused, and what limits stop.

use std::time::Duration;

use sqlfault::code::parameters::Parameters;
use sqlfault::code::schema::Schema;
use sqlfault::code::scope::Scopes;
use sqlfault::code::script::Script;
use sqlfault::code::types::Type;
use sqlfault::engine::compare;
use sqlfault::engine::sqlite::{
    Limits, LoadedDatabase, Reason, RunError, RunErrorKind, Sqlite, Translation, Unsupported,
};
use sqlfault::engine::table::{Database, ResultTable, Row, ScriptResult, TableRows, Value};

const DDL: &str = "
CREATE TABLE src (id INT, k STRING, v DOUBLE, tags ARRAY<STRING>);
CREATE TABLE ads.plain (id BIGINT, name STRING, amount DECIMAL(10,2));
CREATE TABLE ads.daily (id BIGINT, name STRING) PARTITIONED BY (dt STRING, hr INT);
";

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn row(id: i64, name: &str, dt: &str, hr: i64) -> Row {
    Row::from([Value::Integer(id), text(name), text(dt), Value::Integer(hr)])
}

fn database() -> Database {
    let source =
        |id: i64, k: &str, v: f64, tags: &str| Row::from([Value::Integer(id), text(k), Value::Real(v), text(tags)]);
    let table = |table: &str, rows: Vec<Row>| TableRows { table: table.to_owned(), rows };
    Database {
        tables: vec![
            table(
                "src",
                vec![source(1, "a", 1.5, "[\"x\",\"y\"]"), source(2, "b", 2.0, "[\"x\"]"), source(3, "a", 4.25, "[]")],
            ),
            table(
                "ads.daily",
                vec![row(90, "old", "2024-01-01", 1), row(91, "old", "2024-01-02", 1), row(92, "old", "2024-01-02", 2)],
            ),
            table("ads.plain", vec![Row::from([Value::Integer(9), text("old"), Value::Real(9.0)])]),
        ],
    }
}

fn translated(sql: &str, parameters: &Parameters) -> Result<Translation, Unsupported> {
    let schema = Schema::read(DDL).unwrap();
    let script = Script::new(sql);
    assert!(script.is_valid(), "{:?}", script.errors());
    let scopes = Scopes::resolve(&script, &schema);
    Sqlite::translate(&script, &scopes, &schema, parameters)
}

fn opened() -> LoadedDatabase {
    Sqlite::open(&Schema::read(DDL).unwrap(), &database()).unwrap()
}

fn run_with(sql: &str, limits: &Limits) -> Result<ScriptResult, RunError> {
    opened().run(&translated(sql, &Parameters::default()).unwrap(), limits)
}

fn run(sql: &str) -> ScriptResult {
    run_with(sql, &Limits::default()).unwrap_or_else(|error| panic!("{error}: {sql}"))
}

/// The rows of a table, in any order.
#[track_caller]
fn assert_rows(result: &ScriptResult, target: &str, expected: Vec<Row>) {
    let table = result.tables.iter().find(|table| table.target == target).expect("the table is written");
    let wanted = ResultTable { rows: expected, ..table.clone() };
    let one = |table: ResultTable| ScriptResult { tables: vec![table] };
    let comparison = compare(&one(wanted), &one(table.clone()));
    assert!(comparison.is_equal(), "{target}: {comparison:?}");
}

#[test]
fn overwrite_replaces_the_static_partition_only() {
    let result =
        run("INSERT OVERWRITE TABLE ads.daily PARTITION (dt='2024-01-02', hr=1) SELECT id, k FROM src WHERE id < 3");
    let kept = [row(90, "old", "2024-01-01", 1), row(92, "old", "2024-01-02", 2)];
    let new = [row(1, "a", "2024-01-02", 1), row(2, "b", "2024-01-02", 1)];
    assert_rows(&result, "ads.daily", [kept, new].concat());
}

#[test]
fn overwrite_without_rows_empties_the_static_partition() {
    let result =
        run("INSERT OVERWRITE TABLE ads.daily PARTITION (dt='2024-01-02', hr='1') SELECT id, k FROM src WHERE id > 9");
    assert_rows(&result, "ads.daily", vec![row(90, "old", "2024-01-01", 1), row(92, "old", "2024-01-02", 2)]);
}

#[test]
fn overwrite_replaces_the_dynamic_partitions_that_are_written() {
    let result =
        run("INSERT OVERWRITE TABLE ads.daily PARTITION (dt='2024-01-02', hr) SELECT id, k, id FROM src WHERE id = 2");
    let kept = [row(90, "old", "2024-01-01", 1), row(91, "old", "2024-01-02", 1)];
    assert_rows(&result, "ads.daily", [&kept[..], &[row(2, "b", "2024-01-02", 2)]].concat());
}

#[test]
fn insert_into_appends_and_converts_by_position() {
    let result = run("INSERT INTO ads.plain SELECT '7', 5, '1.255' UNION ALL SELECT id, k, v FROM src WHERE id = 1");
    let rows = vec![
        Row::from([Value::Integer(9), text("old"), Value::Real(9.0)]),
        Row::from([Value::Integer(7), text("5"), Value::Real(1.26)]),
        Row::from([Value::Integer(1), text("a"), Value::Real(1.5)]),
    ];
    assert_rows(&result, "ads.plain", rows);
}

#[test]
fn a_column_list_leaves_the_others_null() {
    let result = run("INSERT OVERWRITE TABLE ads.plain (name, id) SELECT k, id FROM src WHERE id = 2");
    assert_rows(&result, "ads.plain", vec![Row::from([Value::Integer(2), text("b"), Value::Null])]);
}

#[test]
fn branches_of_a_multi_insert_share_their_from() {
    let sql = "FROM (SELECT s.id, s.k, t.tag FROM src s LATERAL VIEW explode(s.tags) t AS tag) q
        INSERT OVERWRITE TABLE ads.plain SELECT q.id, q.tag, NULL WHERE q.tag = 'x'
        INSERT INTO TABLE ads.daily PARTITION (dt='d', hr=0) SELECT count(*), q.tag GROUP BY q.tag";
    let result = run(sql);
    let plain = |id: i64| Row::from([Value::Integer(id), text("x"), Value::Null]);
    assert_rows(&result, "ads.plain", vec![plain(1), plain(2)]);
    let mut daily = database().tables[1].rows.clone();
    daily.extend([row(2, "x", "d", 0), row(1, "y", "d", 0)]);
    assert_rows(&result, "ads.daily", daily);
}

#[test]
fn later_statements_read_what_earlier_ones_wrote() {
    let sql = "CREATE TABLE tmp.t AS SELECT id, v * 2 AS w FROM src;
        INSERT INTO tmp.t SELECT 4, 100D;
        INSERT OVERWRITE TABLE ads.plain SELECT id, 'w', w FROM tmp.t;
        CREATE TEMP VIEW big AS SELECT id, amount FROM ads.plain WHERE amount > 4;
        CREATE TEMPORARY VIEW bigger AS SELECT id FROM big WHERE amount > 8;
        SELECT count(*), max(b.id) FROM bigger b JOIN big c ON b.id = c.id";
    let result = run(sql);
    let names: Vec<&str> = result.tables.iter().map(|table| table.target.as_str()).collect();
    assert_eq!(names, ["tmp.t", "ads.plain", ""]);
    assert_rows(&result, "", vec![Row::from([Value::Integer(2), Value::Integer(4)])]);
}

#[test]
fn tables_that_are_dropped_are_no_results_and_start_anew() {
    let sql = "DROP TABLE IF EXISTS tmp.t; CREATE TABLE tmp.t AS SELECT id FROM src; SELECT sum(id) FROM tmp.t;
        DROP TABLE tmp.t; CREATE TABLE tmp.t AS SELECT id + 1 AS id FROM src; SELECT sum(id) FROM tmp.t; DROP TABLE tmp.t PURGE";
    let result = run(sql);
    let sums: Vec<&Value> = result.tables.iter().map(|table| &table.rows[0][0]).collect();
    assert_eq!(sums, [&Value::Integer(6), &Value::Integer(9)]);
}

#[test]
fn runs_leave_no_trace_in_the_database() {
    let database = opened();
    let write = translated(
        "INSERT INTO ads.plain SELECT 1, 'x', 1; CREATE TABLE t AS SELECT id FROM ads.plain; SELECT count(*) FROM t",
        &Parameters::default(),
    );
    let write = write.unwrap();
    let first = database.run(&write, &Limits::default()).unwrap();
    assert_eq!(first.tables[2].rows, [[Value::Integer(2)]]);
    assert_eq!(database.run(&write, &Limits::default()).unwrap(), first);
    let read = translated("SELECT count(*) FROM ads.plain", &Parameters::default()).unwrap();
    assert_eq!(database.run(&read, &Limits::default()).unwrap().tables[0].rows, [[Value::Integer(1)]]);
}

#[test]
fn databases_and_table_widths_alternate_on_one_connection() {
    let empty = Sqlite::open(&Schema::read(DDL).unwrap(), &Database::default()).unwrap();
    let full = opened();
    let narrow = translated("CREATE TABLE t AS SELECT id FROM src; SELECT count(id) FROM t", &Parameters::default());
    let wide = translated("CREATE TABLE t AS SELECT id, k FROM src; SELECT count(k) FROM t", &Parameters::default());
    let (narrow, wide) = (narrow.unwrap(), wide.unwrap());
    for _ in 0..3 {
        for (database, count) in [(&empty, 0), (&full, 3)] {
            for translation in [&narrow, &wide] {
                let result = database.run(translation, &Limits::default()).unwrap();
                assert_eq!(result.tables[1].rows, [[Value::Integer(count)]]);
            }
        }
    }
}

#[test]
fn results_know_their_types_and_whether_they_are_ordered() {
    let result = run(
        "SELECT id, k AS name, v FROM src ORDER BY id DESC; SELECT collect_list(id) AS ids, sort_array(collect_set(k)) AS ks FROM src",
    );
    assert!(result.tables[0].ordered && !result.tables[1].ordered);
    let types: Vec<&Type> = result.tables[0].columns.iter().map(|column| &column.data_type).collect();
    assert_eq!(types, [&Type::Int, &Type::String, &Type::Double]);
    let unordered: Vec<bool> = result.tables[1].columns.iter().map(|column| column.unordered.is_some()).collect();
    assert_eq!(unordered, [true, false]);
}

#[test]
fn partitions_are_dropped_by_every_comparison() {
    let (first, second, third) =
        (row(90, "old", "2024-01-01", 1), row(91, "old", "2024-01-02", 1), row(92, "old", "2024-01-02", 2));
    for (dropped, kept) in [
        ("(dt = '2024-01-02', hr = 1)", vec![first.clone(), third.clone()]),
        ("(dt < '2024-01-02')", vec![second.clone(), third.clone()]),
        ("(dt <= '2024-01-02', hr <> 1)", vec![first.clone(), second.clone()]),
        ("(dt > '2024-01-02'), PARTITION (hr >= 2)", vec![first.clone(), second.clone()]),
    ] {
        let result = run(&format!("ALTER TABLE ads.daily DROP IF EXISTS PARTITION {dropped}"));
        assert_rows(&result, "ads.daily", kept);
    }
}

#[test]
fn placeholders_take_their_values() {
    let parameters: Parameters = [("dt", "2024-01-02"), ("n", "2"), ("t", "src")].into_iter().collect();
    let sql =
        "INSERT OVERWRITE TABLE ads.daily PARTITION (dt='${dt}', hr=1) SELECT id, '${dt-1}' FROM src WHERE id = ${n}";
    let result = opened().run(&translated(sql, &parameters).unwrap(), &Limits::default()).unwrap();
    let kept = [row(90, "old", "2024-01-01", 1), row(92, "old", "2024-01-02", 2)];
    assert_rows(&result, "ads.daily", [&kept[..], &[row(2, "2024-01-01", "2024-01-02", 1)]].concat());
    let unbound = translated("SELECT '${nobody}'", &parameters).unwrap_err();
    assert_eq!(unbound.what, Reason::UnboundPlaceholder("nobody".into()));
}

#[test]
fn what_cannot_be_run_is_refused_with_its_place() {
    let chance = |what: &str| Reason::Nondeterministic(what.to_owned());
    let cases = [
        ("SELECT rand()", chance("rand"), "rand()"),
        ("SELECT id, current_date FROM src", chance("current_date"), "current_date"),
        ("SELECT unix_timestamp()", chance("unix_timestamp"), "unix_timestamp()"),
        ("SELECT * FROM src TABLESAMPLE (10 PERCENT)", chance("TABLESAMPLE"), "TABLESAMPLE (10 PERCENT)"),
        ("SELECT wm_concat(k) FROM src", Reason::UnknownFunction("wm_concat".into()), "wm_concat(k)"),
        ("SELECT nope FROM src", Reason::UnresolvedColumn("nope".into()), "nope"),
        ("SELECT 1 FROM nowhere", Reason::UnknownTable("nowhere".into()), "nowhere"),
        (
            "INSERT INTO ads.plain SELECT 1",
            Reason::ColumnCount { wanted: 3, given: 1 },
            "INSERT INTO ads.plain SELECT 1",
        ),
        (
            "SELECT 1 INTERSECT ALL SELECT 1",
            Reason::Construct(
                "INTERSECT ALL or EXCEPT ALL (number equal rows by row_number() on both sides, and leave out ALL)",
            ),
            "SELECT 1 INTERSECT ALL SELECT 1",
        ),
        (
            "TRUNCATE TABLE src PARTITION (k > 'x')",
            Reason::Construct("this form of TRUNCATE"),
            "TRUNCATE TABLE src PARTITION (k > 'x')",
        ),
        (
            "ALTER TABLE src DROP COLUMN k",
            Reason::Construct("ALTER TABLE … DROP but for PARTITION (…)"),
            "ALTER TABLE src DROP COLUMN k",
        ),
        (
            "ALTER TABLE src RENAME TO dst; SELECT 1 FROM dst",
            Reason::Construct("ALTER TABLE … RENAME TO before a statement that names the table"),
            "ALTER TABLE src RENAME TO dst",
        ),
    ];
    for (sql, reason, place) in cases {
        let refused = translated(sql, &Parameters::default()).unwrap_err();
        assert_eq!((refused.what, refused.span.of(sql)), (reason, place), "{sql}");
    }
}

#[test]
fn a_scalar_sub_query_with_two_rows_fails_as_in_spark() {
    let error = run_with("SELECT (SELECT k FROM src) AS k", &Limits::default()).unwrap_err();
    assert_eq!(error.kind, RunErrorKind::SeveralRows);
    assert_eq!(run("SELECT (SELECT k FROM src WHERE id > 9) AS k").tables[0].rows, [[Value::Null]]);
}

/// A cross join of 60 tables never ends on its own.
fn endless() -> String {
    let tables: Vec<String> = (0..60).map(|at| format!("src t{at}")).collect();
    format!("SELECT count(*) FROM {}", tables.join(", "))
}

#[test]
fn limits_stop_queries_that_would_not_end() {
    let default = Limits { instructions: u64::MAX, ..Limits::default() };
    let cases = [
        (endless(), Limits { instructions: 3_000_000, ..default }, RunErrorKind::Instructions),
        (endless(), Limits { time: Duration::from_millis(50), ..default }, RunErrorKind::Time),
        ("SELECT a.id FROM src a, src b, src c".to_owned(), Limits { rows: 20, ..default }, RunErrorKind::Rows),
    ];
    for (sql, limits, kind) in cases {
        assert_eq!(run_with(&sql, &limits).unwrap_err().kind, kind);
    }
    assert_eq!(run("SELECT count(*) FROM src").tables[0].rows, [[Value::Integer(3)]], "the next run is as any other");
}

#[test]
fn memory_that_grows_without_end_is_stopped() {
    let joins: Vec<String> = (0..14).map(|at| format!("src t{at}")).collect();
    let sql = format!(
        "SELECT DISTINCT repeat('x', 20000) || {} FROM {}",
        (0..14).map(|at| format!("t{at}.v")).collect::<Vec<_>>().join(" || "),
        joins.join(", ")
    );
    let limits = Limits { memory: 64 << 20, time: Duration::from_secs(60), ..Limits::default() };
    if cfg!(target_os = "linux") {
        assert_eq!(run_with(&sql, &limits).unwrap_err().kind, RunErrorKind::Memory);
    }
}

#[test]
fn a_script_that_leaves_views_only_is_known_by_their_rows() {
    let script = "CREATE OR REPLACE TEMPORARY VIEW small AS SELECT id, k FROM src WHERE id < 3;\n\
                  CREATE VIEW ads.named AS SELECT id + 10 AS id FROM small;\nCACHE TABLE kept AS (SELECT k FROM src WHERE id = 3);";
    let result = run(script);
    let targets: Vec<&str> = result.tables.iter().map(|table| table.target.as_str()).collect();
    assert_eq!(targets, ["ads.named", "kept"], "`small` is read by another view");
    assert_rows(&result, "ads.named", vec![Row::from([Value::Integer(11)]), Row::from([Value::Integer(12)])]);
    assert_rows(&result, "kept", vec![Row::from([text("a")])]);
}

#[test]
fn views_beside_tables_and_dropped_views_are_no_results() {
    let beside = run(
        "CREATE TEMP VIEW small AS SELECT id FROM src; INSERT OVERWRITE TABLE ads.plain SELECT id, k, v FROM src WHERE id = 1",
    );
    assert_eq!(beside.tables.iter().map(|table| table.target.as_str()).collect::<Vec<_>>(), ["ads.plain"]);
    let dropped = run("CREATE TEMP VIEW a AS SELECT id FROM src; CREATE TEMP VIEW b AS SELECT k FROM src; DROP VIEW a");
    assert_eq!(dropped.tables.iter().map(|table| table.target.as_str()).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn what_is_there_after_the_session_is_a_result_and_what_ends_with_it_is_none() {
    let targets = |script: &str| -> Vec<String> { run(script).tables.into_iter().map(|table| table.target).collect() };
    let write = "INSERT OVERWRITE TABLE ads.plain SELECT id, k, v FROM src WHERE id = 1";
    assert_eq!(targets(&format!("{write}; CREATE VIEW ads.small AS SELECT id FROM src")), ["ads.plain", "ads.small"]);
    assert_eq!(targets(&format!("CREATE TEMPORARY TABLE part AS SELECT id FROM src; {write}")), ["ads.plain"]);
    let filled = "CREATE TEMPORARY TABLE part (id INT); INSERT INTO part SELECT id FROM src";
    assert_eq!(targets(&format!("{filled}; {write}")), ["ads.plain"]);
    assert_eq!(targets(filled), ["part"], "a script without another result");
}

#[test]
fn the_rows_of_a_directory_are_a_result_under_its_name() {
    let written = run(
        "INSERT OVERWRITE LOCAL DIRECTORY '/out/small' ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' SELECT id FROM src WHERE id > 2",
    );
    assert_rows(&written, "directory /out/small", vec![Row::from([Value::Integer(3)])]);
    let branches = run(
        "FROM src INSERT OVERWRITE DIRECTORY '/a' SELECT id WHERE id = 1 INSERT OVERWRITE TABLE ads.plain SELECT id, k, v WHERE id = 2",
    );
    assert_rows(&branches, "directory /a", vec![Row::from([Value::Integer(1)])]);
    assert_eq!(branches.tables.len(), 2);
}

#[test]
fn first_of_a_group_is_given_where_its_rows_agree_and_fails_where_they_differ() {
    let agreeing = run(
        "SELECT k, first(k) AS a, any_value(length(k)) AS b, last(if(id = 1, NULL, k), true) AS c FROM src GROUP BY k",
    );
    let one = Value::Integer(1);
    let rows = vec![
        Row::from([text("a"), text("a"), one.clone(), text("a")]),
        Row::from([text("b"), text("b"), one, text("b")]),
    ];
    assert_rows(&agreeing, "", rows);
    for differing in
        ["SELECT first(id) FROM src", "SELECT last_value(k) FROM src", "SELECT any_value(if(id = 1, NULL, 1)) FROM src"]
    {
        let error = run_with(differing, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("different values in a group"), "{differing}: {error}");
    }
    let windowed = run(
        "SELECT first(k) OVER (ORDER BY id) AS a, any_value(id) OVER (ORDER BY id DESC) AS b FROM src WHERE id < 3",
    );
    assert_rows(
        &windowed,
        "",
        vec![Row::from([text("a"), Value::Integer(2)]), Row::from([text("a"), Value::Integer(2)])],
    );
}

#[test]
fn tables_made_under_a_used_database_have_its_name() {
    let result = run(
        "USE ads; DROP TABLE IF EXISTS fresh; CREATE TABLE fresh (id INT); INSERT INTO TABLE ads.fresh SELECT id FROM src WHERE id < 3; INSERT OVERWRITE TABLE plain SELECT id, 'x', 1 FROM fresh WHERE id = 2",
    );
    assert_rows(&result, "ads.fresh", vec![Row::from([Value::Integer(1)]), Row::from([Value::Integer(2)])]);
    assert_rows(&result, "ads.plain", vec![Row::from([Value::Integer(2), text("x"), Value::Real(1.0)])]);
}

#[test]
fn quoted_names_may_hold_brackets() {
    let result =
        run("CREATE TABLE `/a/[b] & c` AS SELECT id FROM src WHERE id = 1; SELECT id AS `d [e]` FROM `/a/[b] & c`");
    assert_eq!(result.tables[1].rows, [Row::from([Value::Integer(1)])]);
}

#[test]
fn a_view_that_is_made_again_is_read_by_other_views_as_it_is_now() {
    let again = "CREATE OR REPLACE TEMP VIEW x AS SELECT id FROM src WHERE id = 1; \
                 CREATE OR REPLACE TEMP VIEW y AS SELECT id FROM x; \
                 CREATE OR REPLACE TEMP VIEW x AS SELECT id FROM src WHERE id = 2; SELECT id FROM y";
    assert_eq!(run(again).tables[0].rows, [Row::from([Value::Integer(2)])]);
    let left = "CREATE OR REPLACE TEMP VIEW x AS SELECT id FROM src WHERE id = 1; CREATE TEMP VIEW y AS SELECT id FROM x; \
                CREATE OR REPLACE TEMP VIEW x AS SELECT id FROM src WHERE id = 2";
    assert_rows(&run(left), "y", vec![Row::from([Value::Integer(2)])]);
    let wider = again.replace("SELECT id FROM src WHERE id = 2", "SELECT k, id FROM src WHERE id = 2");
    let refused = translated(&wider, &Parameters::default()).unwrap_err();
    assert_eq!(
        refused.what.to_string(),
        "a view with other columns than before, which another view reads is not supported"
    );
}
