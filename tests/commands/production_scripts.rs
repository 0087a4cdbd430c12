//! Scripts as people run them in production become references: recursive hierarchies, and tables changed in place.

use crate::program::Bench;

const TABLES: &str = "CREATE TABLE hr.employees (emp_id BIGINT NOT NULL, manager_id BIGINT, emp_name STRING, \
                      salary DECIMAL(10,2), active BOOLEAN);";

/// What `inject` says to a script.
fn injected(tables: &str, script: &str, more: &[&str]) -> String {
    let bench = Bench::new();
    bench.file("my.sql", script);
    bench.file("tables.sql", tables);
    bench.run(&[&["inject", "my.sql", "--schema", "tables.sql"], more].concat())
}

/// Checks that each fault is planted in the script and proved.
#[track_caller]
fn assert_proved(tables: &str, script: &str, faults: &[&str]) {
    for fault in faults {
        let said = injected(tables, script, &["--fault", fault]);
        assert!(said.starts_with("exit 0\n") && said.contains(fault), "{fault}: {said}");
    }
}

const HIERARCHY: &str = "WITH RECURSIVE chain AS (
    SELECT emp_id, manager_id, emp_name, salary, 1 AS lvl
    FROM hr.employees
    WHERE manager_id IS NULL
    UNION ALL
    SELECT e.emp_id, e.manager_id, e.emp_name, e.salary, c.lvl + 1
    FROM hr.employees e
    JOIN chain c ON e.manager_id = c.emp_id
    WHERE e.active AND e.salary > 1000
)
SELECT lvl, COUNT(*) AS heads, SUM(salary) AS cost
FROM chain
WHERE lvl <= 3
GROUP BY lvl
";

#[test]
fn a_recursive_hierarchy_becomes_a_reference() {
    assert_proved(TABLES, HIERARCHY, &["and-dropped", "filter-dropped", "bound-inclusion-changed"]);
    // The fake databases have hierarchies of several levels.
    assert_proved(TABLES, &HIERARCHY.replace("lvl <= 3", "lvl = 4"), &["filter-dropped"]);
}

#[test]
fn recursion_over_edges_and_over_days_becomes_a_reference() {
    let edges = "CREATE TABLE edges (src STRING, dst STRING, open STRING);";
    let reach = "WITH RECURSIVE reach(node, hops) AS (
          SELECT dst, 1 FROM edges WHERE src = 'A'
          UNION ALL
          SELECT e.dst, r.hops + 1 FROM reach r JOIN edges e ON e.src = r.node WHERE r.hops < 5 AND e.open = 'Y'
        )
        SELECT node, MIN(hops) AS hops FROM reach GROUP BY node";
    assert_proved(edges, reach, &["filter-dropped"]);
    let days = "WITH RECURSIVE days AS (
          SELECT DATE '2024-01-01' AS d UNION ALL SELECT date_add(d, 1) FROM days WHERE d < DATE '2024-01-10'
        )
        SELECT days.d, COUNT(e.emp_id) AS n FROM days LEFT JOIN hr.employees e ON day(days.d) = e.emp_id GROUP BY days.d";
    assert_proved(TABLES, days, &["bound-inclusion-changed"]);
}

#[test]
fn recursion_that_spark_or_the_embedded_engine_refuses_says_why() {
    let refused = [
        HIERARCHY.replace("UNION ALL", "UNION"),
        HIERARCHY.replace("c.lvl + 1", "c.lvl + 1.5"),
        HIERARCHY.replace("WITH RECURSIVE", "WITH"),
        HIERARCHY.replace("SELECT e.emp_id", "SELECT DISTINCT e.emp_id"),
        HIERARCHY.replace(
            "JOIN chain c ON e.manager_id = c.emp_id",
            "JOIN (SELECT * FROM chain) c ON e.manager_id = c.emp_id",
        ),
        HIERARCHY.replace("chain AS", "chain MAX RECURSION LEVEL x AS"),
        HIERARCHY.replace("chain AS", "chain MAX RECURSION LEVEL 1 AS"),
    ];
    insta::assert_snapshot!(refused.map(|script| injected(TABLES, &script, &["--fault", "and-dropped"])).join("\n"));
}

const DELETION: &str = "DELETE FROM hr.employees
WHERE salary > 1000 AND active
  AND manager_id IN (SELECT emp_id FROM hr.employees WHERE emp_name = 'gone');
";

#[test]
fn a_deletion_becomes_a_reference() {
    assert_proved(TABLES, DELETION, &["filter-dropped", "bound-inclusion-changed", "and-dropped"]);
    // What a condition keeps in a query it removes here: the complaint must not say that it counts.
    let said = injected(TABLES, DELETION, &["--fault", "filter-dropped"]);
    assert!(said.contains("this step") && !said.contains(" count."), "{said}");
}

#[test]
fn a_deletion_before_an_insert_becomes_a_reference() {
    let tables =
        "CREATE TABLE sales (d DATE, shop STRING, amount INT); CREATE TABLE daily (d DATE, shop STRING, total BIGINT);";
    let script = "DELETE FROM daily WHERE d >= date'2024-03-15' AND shop <> 'test';
        INSERT INTO daily SELECT d, shop, SUM(amount) FROM sales WHERE d >= date'2024-03-15' GROUP BY d, shop;";
    assert_proved(tables, script, &["filter-dropped", "bound-inclusion-changed", "statement-semicolon-missing"]);
}

#[test]
fn an_update_becomes_a_reference() {
    let script = "UPDATE hr.employees SET salary = CASE WHEN active THEN salary * 1.1 ELSE salary END, active = FALSE
        WHERE manager_id IS NOT NULL AND salary < 5000;";
    assert_proved(TABLES, script, &["filter-dropped", "bound-inclusion-changed", "case-else-dropped"]);
}

#[test]
fn a_merge_becomes_a_reference() {
    let tables = "CREATE TABLE dim (id BIGINT, name STRING, price INT, live BOOLEAN);
        CREATE TABLE feed (id BIGINT, name STRING, price INT, kind STRING, loaded DATE);";
    let script = "MERGE INTO dim AS t
        USING (SELECT id, name, price, kind FROM feed WHERE loaded = date'2024-03-15' AND price > 10) AS s
        ON t.id = s.id
        WHEN MATCHED AND s.kind = 'D' THEN DELETE
        WHEN MATCHED AND s.price >= t.price THEN UPDATE SET name = COALESCE(s.name, t.name), price = s.price
        WHEN NOT MATCHED AND s.kind <> 'D' THEN INSERT (id, name, price, live) VALUES (s.id, s.name, s.price, TRUE)
        WHEN NOT MATCHED BY SOURCE AND t.live THEN UPDATE SET live = FALSE;";
    assert_proved(tables, script, &["filter-dropped", "bound-inclusion-changed", "and-dropped"]);
}

#[test]
fn a_pipe_becomes_a_reference() {
    let script = "FROM hr.employees
        |> WHERE active AND salary > 1000
        |> EXTEND COALESCE(manager_id, 0) AS manager
        |> AGGREGATE SUM(salary) AS total, COUNT(*) AS people GROUP BY manager
        |> WHERE total >= 2000
        |> ORDER BY total DESC, manager;";
    assert_proved(TABLES, script, &["filter-dropped", "bound-inclusion-changed", "sum-made-average", "and-dropped"]);
}

#[test]
fn a_pivot_becomes_a_reference() {
    let script = "SELECT p.manager_id, COALESCE(p.working, 0) AS working, p.gone
        FROM (SELECT manager_id, active, salary FROM hr.employees WHERE salary > 1000 AND emp_id > 7)
        PIVOT (SUM(salary) FOR active IN (TRUE AS working, FALSE AS gone)) p
        WHERE p.manager_id IS NOT NULL";
    assert_proved(TABLES, script, &["filter-dropped", "bound-inclusion-changed", "sum-made-average"]);
}

#[test]
fn recursion_in_sub_queries_becomes_a_reference() {
    let bounded = HIERARCHY.replace("e.salary > 1000", "e.salary > 1000 AND c.lvl < 4");
    let chain = bounded.split_once(")\nSELECT").unwrap().0;
    let tables = format!("{TABLES} CREATE TABLE hr.desks (emp_id BIGINT, room STRING, floor INT);");
    for script in [
        format!(
            "SELECT x.emp_id, x.lvl FROM ({chain}) SELECT emp_id, lvl FROM chain WHERE lvl <= 3) x WHERE x.lvl > 1"
        ),
        format!("SELECT room FROM hr.desks WHERE floor > 3 AND emp_id IN ({chain}) SELECT emp_id FROM chain)"),
        format!(
            "WITH a AS ({chain}) SELECT emp_id, lvl FROM chain) SELECT lvl, COUNT(*) AS n FROM a WHERE lvl > 1 GROUP BY lvl"
        ),
    ] {
        assert_proved(&tables, &script, &["filter-dropped"]);
    }
}

#[test]
fn a_script_in_the_current_folder_finds_the_tables_beside_it() {
    let bench = Bench::new();
    bench.file("my.sql", "SELECT emp_id FROM hr.employees WHERE active AND salary > 1000");
    bench.file("tables.sql", TABLES);
    let said = bench.run(&["inject", "my.sql", "--fault", "filter-dropped"]);
    assert!(said.starts_with("exit 0\n"), "{said}");
}

#[test]
fn a_fault_that_is_not_proved_says_why() {
    let tables = "CREATE TABLE t (id BIGINT NOT NULL, v INT, name STRING);";
    let script = "SELECT id, COALESCE(id, 0) AS n\nFROM t\nWHERE v > 3 AND v > 2";
    for (fault, words) in [
        (
            "coalesce-dropped-from-output",
            "not proved: coalesce-dropped-from-output, line 1: equal on every database, because",
        ),
        ("filter-dropped", "not proved: filter-dropped, line 3: it survived "),
    ] {
        let said = injected(tables, script, &["--fault", fault, "--each", "9"]);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_table_that_is_loaded_from_a_file_is_read_beside_the_definitions_of_others() {
    let loads = "CREATE TABLE hr.sites (emp_id BIGINT, site STRING);\n\
                 LOAD DATA LOCAL INPATH '/data/sites.tsv' INTO TABLE hr.sites;\n\
                 SELECT s.site, e.emp_name FROM hr.sites s LEFT JOIN hr.employees e ON s.emp_id = e.emp_id\n";
    assert_proved(TABLES, loads, &["left-join-made-inner"]);
}

#[test]
fn a_table_made_of_a_query_in_brackets_becomes_a_reference() {
    let made = "CREATE OR REPLACE TABLE hr.heads\n(SELECT e.emp_id, m.emp_name\n\
                FROM hr.employees e LEFT JOIN hr.employees m ON e.manager_id = m.emp_id)";
    assert_proved(TABLES, made, &["left-join-made-inner"]);
}
