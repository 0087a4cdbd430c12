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
    assert_proved(TABLES, HIERARCHY, &["and-dropped", "filter-dropped", "bound-included"]);
    // The fake databases have hierarchies of several levels.
    assert_proved(TABLES, &HIERARCHY.replace("lvl <= 3", "lvl = 4"), &["filter-dropped"]);
}

#[test]
fn recursion_over_edges_and_over_days_becomes_a_reference() {
    let edges = "CREATE TABLE edges (src STRING, dst STRING, open STRING);";
    let reach = "WITH RECURSIVE reach(node, hops) AS (
          SELECT dst, 1 FROM edges WHERE src = 'A'
          UNION ALL
          SELECT e.dst, r.hops + 1 FROM reach r JOIN edges e ON e.src = r.node WHERE e.open = 'Y'
        )
        SELECT node, MIN(hops) AS hops FROM reach GROUP BY node";
    assert_proved(edges, reach, &["filter-dropped"]);
    let days = "WITH RECURSIVE days AS (
          SELECT DATE '2024-01-01' AS d UNION ALL SELECT date_add(d, 1) FROM days WHERE d < DATE '2024-01-10'
        )
        SELECT days.d, COUNT(e.emp_id) AS n FROM days LEFT JOIN hr.employees e ON day(days.d) = e.emp_id GROUP BY days.d";
    assert_proved(TABLES, days, &["bound-included"]);
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
