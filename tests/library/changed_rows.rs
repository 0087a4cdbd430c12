//! What DELETE, UPDATE and MERGE leave in a table, by the rules of Spark's own sources (no format that it can change
//! rows in is at hand), and what is refused.

use sqlfault::code::schema::Schema;
use sqlfault::code::scope::ResolvedScript;
use sqlfault::engine::ExecutionContext;
use sqlfault::engine::embedded::{rejection, run};
use sqlfault::engine::spark_rules::judge;
use sqlfault::engine::table::{Database, Row, TableRows, Value};
use sqlfault::{Script, graph_match};

const DDL: &str = "CREATE TABLE stock (sku BIGINT, qty INT, note STRING); \
                   CREATE TABLE feed (sku BIGINT, qty INT, kind STRING);";

fn context() -> ExecutionContext {
    ExecutionContext { schema: Schema::read(DDL).unwrap(), ..Default::default() }
}

fn row(sku: i64, qty: Option<i64>, text: &str) -> Row {
    let text = if text == "-" { Value::Null } else { Value::Text(text.to_owned()) };
    Row::from([Value::Integer(sku), qty.map_or(Value::Null, Value::Integer), text])
}

/// What a script leaves in `stock`, a row as `sku qty note`.
fn left(script: &str) -> Result<Vec<String>, String> {
    let table = |table: &str, rows: Vec<Row>| TableRows { table: table.to_owned(), rows };
    let stock = vec![row(1, Some(10), "a"), row(2, Some(20), "b"), row(3, None, "c"), row(4, Some(40), "-")];
    let feed = vec![row(2, Some(5), "sale"), row(3, Some(7), "gone"), row(9, Some(90), "new"), row(8, None, "skip")];
    let database = Database { tables: vec![table("stock", stock), table("feed", feed)] };
    if let Some(refused) = rejection(script, context().by_ref()) {
        return Err(refused.message);
    }
    let result = run(script, context().by_ref(), &database).map_err(|error| error.to_string())?;
    let stock = result.tables.iter().find(|table| table.target == "stock").expect("stock is written");
    let cell = |value: &Value| match value {
        Value::Null => "-".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
    };
    let mut rows: Vec<String> =
        stock.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" ")).collect();
    rows.sort();
    Ok(rows)
}

#[track_caller]
fn assert_left(script: &str, rows: &[&str]) {
    assert_eq!(
        left(script).as_deref(),
        Ok(&rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>()[..]),
        "{script}"
    );
}

#[test]
fn delete_removes_the_rows_for_which_its_condition_is_true() {
    assert_left("DELETE FROM stock WHERE qty > 10", &["1 10 a", "3 - c"]);
    assert_left("DELETE FROM stock WHERE note <> 'a'", &["1 10 a", "4 40 -"]);
    assert_left(
        "DELETE FROM stock AS s WHERE s.sku IN (SELECT f.sku FROM feed f WHERE f.qty < 7)",
        &["1 10 a", "3 - c", "4 40 -"],
    );
    assert_left("DELETE FROM stock s WHERE EXISTS (SELECT 1 FROM feed f WHERE f.sku = s.sku)", &["1 10 a", "4 40 -"]);
    assert_left(
        "WITH gone AS (SELECT sku FROM feed WHERE kind = 'gone') DELETE FROM stock WHERE sku IN (SELECT sku FROM gone)",
        &["1 10 a", "2 20 b", "4 40 -"],
    );
    assert_left("DELETE FROM stock", &[]);
}

#[test]
fn update_changes_the_rows_for_which_its_condition_is_true() {
    assert_left("UPDATE stock SET qty = qty + 1 WHERE note <> 'b'", &["1 11 a", "2 20 b", "3 - c", "4 40 -"]);
    assert_left("UPDATE stock s SET s.note = s.sku, qty = '7'", &["1 7 1", "2 7 2", "3 7 3", "4 7 4"]);
    // Values are those before the statement.
    assert_left("UPDATE stock SET sku = qty, qty = sku WHERE sku < 3", &["10 1 a", "20 2 b", "3 - c", "4 40 -"]);
    assert_left(
        "UPDATE stock SET qty = (SELECT max(f.qty) FROM feed f WHERE f.sku = stock.sku) WHERE sku IN (SELECT sku FROM feed)",
        &["1 10 a", "2 5 b", "3 7 c", "4 40 -"],
    );
}

#[test]
fn statements_see_what_those_before_them_changed() {
    assert_left(
        "DELETE FROM stock WHERE sku = 1; INSERT INTO stock SELECT sku, qty, kind FROM feed WHERE kind = 'new'; \
         UPDATE stock SET note = 'x' WHERE qty >= 40; DELETE FROM stock WHERE note IN ('b', 'c')",
        &["4 40 x", "9 90 x"],
    );
    assert_left(
        "CREATE TABLE copy AS SELECT sku FROM stock; DELETE FROM copy WHERE sku > 2; \
         INSERT OVERWRITE stock SELECT sku, 0, 'kept' FROM copy",
        &["1 0 kept", "2 0 kept"],
    );
}

#[test]
fn merge_changes_pairs_and_rows_without_a_partner_by_the_first_clause_that_fits() {
    let merge = |clauses: &str| format!("MERGE INTO stock t USING feed s ON t.sku = s.sku {clauses}");
    let plain = ["1 10 a", "2 20 b", "3 - c", "4 40 -"];
    for (clauses, rows) in [
        ("WHEN MATCHED THEN UPDATE SET qty = s.qty", vec!["1 10 a", "2 5 b", "3 7 c", "4 40 -"]),
        (
            "WHEN MATCHED AND s.kind = 'gone' THEN DELETE WHEN MATCHED THEN UPDATE SET t.qty = t.qty + s.qty, note = 'm'",
            vec!["1 10 a", "2 25 m", "4 40 -"],
        ),
        ("WHEN MATCHED AND t.qty > 99 THEN DELETE", plain.to_vec()),
        ("WHEN MATCHED THEN DELETE", vec!["1 10 a", "4 40 -"]),
        (
            "WHEN NOT MATCHED AND s.qty > 50 THEN INSERT (note, sku) VALUES (s.kind, s.sku)",
            [&plain[..], &["9 - new"]].concat(),
        ),
        (
            "WHEN NOT MATCHED BY TARGET THEN INSERT VALUES (s.sku, '3', upper(s.kind))",
            [&plain[..], &["8 3 SKIP", "9 3 NEW"]].concat(),
        ),
        (
            "WHEN NOT MATCHED AND s.qty > 50 THEN INSERT VALUES (s.sku, 1, 'first') WHEN NOT MATCHED THEN INSERT (sku) VALUES (s.sku)",
            [&plain[..], &["8 - -", "9 1 first"]].concat(),
        ),
        (
            "WHEN NOT MATCHED BY SOURCE AND t.qty = 40 THEN DELETE WHEN NOT MATCHED BY SOURCE THEN UPDATE SET note = 'old'",
            vec!["1 10 old", "2 20 b", "3 - c"],
        ),
        (
            "WHEN MATCHED THEN UPDATE SET qty = s.qty WHEN NOT MATCHED THEN INSERT (sku, qty) VALUES (s.sku, s.qty) WHEN NOT MATCHED BY SOURCE THEN DELETE",
            vec!["2 5 b", "3 7 c", "8 - -", "9 90 -"],
        ),
    ] {
        assert_left(&merge(clauses), &rows);
    }
    assert_left(
        "MERGE INTO stock USING (SELECT sku, qty, kind AS note FROM feed WHERE qty > 5) s ON stock.sku = s.sku \
         WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        &["1 10 a", "2 20 b", "3 7 gone", "4 40 -", "9 90 new"],
    );
}

#[test]
fn several_source_rows_for_a_target_row_are_an_error_except_where_all_are_deleted() {
    let twice = "MERGE INTO stock t USING (SELECT sku FROM feed UNION ALL SELECT sku FROM feed) s ON t.sku = s.sku";
    let error = left(&format!("{twice} WHEN MATCHED THEN UPDATE SET qty = 0")).unwrap_err();
    assert!(error.contains("MERGE_CARDINALITY_VIOLATION"), "{error}");
    for condition in ["t.qty > 99", "t.qty > 5", "t.note IS NOT NULL"] {
        let error = left(&format!("{twice} WHEN MATCHED AND {condition} THEN DELETE")).unwrap_err();
        assert!(error.contains("MERGE_CARDINALITY_VIOLATION"), "{condition}: {error}");
    }
    assert_left(&format!("{twice} WHEN MATCHED THEN DELETE"), &["1 10 a", "4 40 -"]);
    assert_left(&format!("{twice} WHEN NOT MATCHED BY SOURCE THEN DELETE"), &["2 20 b", "3 - c"]);
}

#[test]
fn what_does_not_hold_together_is_refused() {
    let refused = [
        "DELETE FROM stock WHERE qtyy > 10",
        "DELETE stock WHERE qty > 10",
        "UPDATE stock SET qtyy = 1",
        "UPDATE stock SET qty = 1, WHERE sku = 1",
        "UPDATE stock SET qty + 1",
        "DELETE FROM nowhere WHERE a = 1",
        "MERGE INTO stock t USING feed s ON t.sku = s.skuu WHEN MATCHED THEN DELETE",
        "MERGE INTO stock t USING feed s ON t.sku = s.sku",
        "MERGE INTO stock t USING feed s WHEN MATCHED THEN DELETE",
        "MERGE INTO stock t USING feed s ON t.sku = s.sku WHEN MATCHED THEN INSERT *",
        "MERGE INTO stock t USING feed s ON t.sku = s.sku WHEN NOT MATCHED THEN INSERT (sku) VALUES (s.sku, 1)",
        "MERGE INTO stock t USING feed s ON t.sku = s.sku WHEN NOT MATCHED THEN INSERT (skuu) VALUES (s.sku)",
        "MERGE INTO stock t USING feed s ON t.sku = s.sku WHEN NOT MATCHED THEN INSERT (sku) VALUES (t.sku)",
        "MERGE INTO stock t USING feed s ON t.sku = s.sku WHEN NOT MATCHED THEN INSERT *",
        "CREATE VIEW v AS SELECT * FROM stock; DELETE FROM v WHERE sku = 1",
    ];
    let said = refused.map(|script| format!("{script}\n  {}", left(script).unwrap_err().lines().next().unwrap()));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_change_of_a_cte_and_aggregates_outside_of_queries_are_refused() {
    for script in [
        "WITH stock AS (SELECT 1 AS x, 2 AS y, 3 AS z, 4 AS u) UPDATE stock SET u = 1",
        "UPDATE stock SET qty = max(qty)",
        "UPDATE stock SET qty = row_number() OVER (ORDER BY sku)",
        "MERGE INTO stock t USING feed s ON t.sku = s.sku WHEN MATCHED AND count(*) > 1 THEN DELETE",
    ] {
        assert!(left(script).is_err(), "{script}");
    }
    assert_left("UPDATE stock SET qty = (SELECT max(qty) FROM feed)", &["1 90 a", "2 90 b", "3 90 c", "4 90 -"]);
}

#[test]
fn the_statements_that_sparks_parser_takes_are_taken() {
    // Hive takes VALUES without columns.
    let known = ["INSERT VALUES"];
    for line in include_str!("../data/spark_changes.tsv").lines().skip(1) {
        let (sql, spark) = line.split_once('\t').unwrap();
        let script = ResolvedScript::new(sql, &context().schema);
        let class = judge(&script.script, &script.scopes, &context().schema).map_or("ok".to_owned(), |it| it.class);
        let differs = known.iter().any(|part| sql.contains(part));
        assert_eq!(class == spark, !differs, "{sql}: Spark {spark}, we {class}");
    }
}

#[test]
fn graphs_of_changes_differ_where_their_meaning_does() {
    let schema = Schema::read(DDL).unwrap();
    let same = |one: &str, other: &str| graph_match(&Script::new(one), &Script::new(other), &schema);
    let merge = "MERGE INTO stock t USING feed s ON t.sku = s.sku WHEN MATCHED AND s.qty > 1 THEN UPDATE SET qty = s.qty, note = 'x'";
    let renamed = "merge into stock using feed as f on f.sku = stock.sku when matched and 1 < f.qty then update set note = 'x', qty = f.qty";
    assert!(same(merge, renamed));
    assert!(!same(merge, &merge.replace("WHEN MATCHED", "WHEN NOT MATCHED BY SOURCE")));
    assert!(!same(merge, &merge.replace("AND s.qty > 1 ", "")));
    assert!(!same(merge, &merge.replace("t.sku = s.sku", "t.sku = s.qty")));
    assert!(same("DELETE FROM stock s WHERE s.qty > 1", "DELETE FROM stock WHERE (1 < qty)"));
    assert!(!same("DELETE FROM stock WHERE qty > 1", "DELETE FROM stock"));
    assert!(!same("DELETE FROM stock WHERE qty > 1", "DELETE FROM feed WHERE qty > 1"));
    assert!(!same("UPDATE stock SET qty = 1", "UPDATE stock SET sku = 1"));
    let tree = |level: &str| {
        format!("WITH RECURSIVE n(x) {level} AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT x FROM n")
    };
    assert!(same(&tree(""), &tree("").replace("n(x)", "m(x)").replace("FROM n", "FROM m")));
    assert!(!same(&tree(""), &tree("MAX RECURSION LEVEL 3")));
    assert!(!same(&tree(""), &tree("").replace("x + 1", "x + 2")));
}
