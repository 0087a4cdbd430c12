//! Tests each rule in both directions: what it must equate, and similar scripts that it must tell apart.

use super::*;

const SCHEMA: &str = "CREATE TABLE t (a INT, b INT, s STRING, d DOUBLE, day STRING, l ARRAY<INT>);
    CREATE TABLE u (a INT, c INT, s STRING);
    CREATE TABLE w (a INT, c INT);";

fn matches(left: &str, right: &str) -> bool {
    let schema = Schema::read(SCHEMA).unwrap();
    for text in [left, right] {
        let script = Script::new(text);
        assert!(script.is_valid(), "{text}: {:?}", script.errors());
        let scopes = Scopes::resolve(&script, &schema);
        let refused = judge(&script, &scopes, &schema);
        assert!(refused.is_none(), "{text}: {refused:?}");
    }
    let forth = graph_match(&Script::new(left), &Script::new(right), &schema);
    let back = graph_match(&Script::new(right), &Script::new(left), &schema);
    assert_eq!(forth, back, "{left} / {right}");
    forth
}

/// `left ≡ right`, and `left ≢ other` for each other.
const RULES: &[(&str, &str, &[&str])] = &[
    ("SELECT a FROM t -- x", "select `A`\nfrom T;", &["SELECT b FROM t", "SELECT a FROM u"]),
    (
        "SELECT (a) + ((b)) AS x FROM t",
        "SELECT a + b x FROM t",
        &["SELECT a + b AS y FROM t", "SELECT a - b AS x FROM t"],
    ),
    ("SELECT x.a FROM t x", "SELECT a FROM t", &["SELECT x.b AS a FROM t x"]),
    (
        "SELECT t.a FROM t INNER JOIN u ON t.a = u.a",
        "SELECT x.a FROM t x JOIN u y ON y.a = x.a",
        &[
            "SELECT t.a FROM t LEFT JOIN u ON t.a = u.a",
            "SELECT u.a FROM t JOIN u ON t.a = u.a",
            "SELECT t.a FROM t JOIN u ON t.a = u.c",
            "SELECT t.a FROM t JOIN w ON t.a = w.a",
        ],
    ),
    (
        "SELECT t.a FROM t, u, w WHERE t.a = u.a AND u.c = w.c",
        "SELECT t.a FROM w JOIN u ON w.c = u.c JOIN t ON u.a = t.a",
        &["SELECT t.a FROM t, u, w WHERE t.a = u.a AND u.c = w.a", "SELECT t.a FROM t, u, w WHERE t.a = u.a"],
    ),
    (
        "SELECT t.a FROM t RIGHT JOIN u ON t.a = u.a",
        "SELECT t.a FROM u LEFT OUTER JOIN t ON t.a = u.a",
        &[
            "SELECT t.a FROM t LEFT JOIN u ON t.a = u.a",
            "SELECT t.a FROM u RIGHT JOIN t ON t.a = u.a",
            "SELECT u.a FROM t RIGHT JOIN u ON t.a = u.a",
        ],
    ),
    (
        "SELECT t.a, u.c FROM t FULL JOIN u ON t.a = u.a",
        "SELECT t.a, u.c FROM u FULL OUTER JOIN t ON u.a = t.a",
        &["SELECT t.a, u.c FROM t LEFT JOIN u ON t.a = u.a"],
    ),
    (
        "SELECT t.a FROM t LEFT JOIN u ON t.a = u.a AND u.c > 1",
        "SELECT t.a FROM t LEFT JOIN u ON 1 < u.c AND u.a = t.a",
        &["SELECT t.a FROM t LEFT JOIN u ON t.a = u.a WHERE u.c > 1"],
    ),
    (
        "SELECT x.a FROM t x LEFT JOIN t y ON x.a = y.b",
        "SELECT p.a FROM t p LEFT JOIN t q ON q.b = p.a",
        &[
            "SELECT x.a FROM t x RIGHT JOIN t y ON x.a = y.b",
            "SELECT y.a FROM t x LEFT JOIN t y ON x.a = y.b",
            "SELECT x.a FROM t x LEFT JOIN t y ON y.a = x.b",
        ],
    ),
    (
        "SELECT a FROM t WHERE a > 1 AND b < 2",
        "SELECT a FROM t WHERE 2 > b AND 1 < a AND 1 < a",
        &[
            "SELECT a FROM t WHERE a > 1 OR b < 2", "SELECT a FROM t WHERE a >= 1 AND b < 2",
            "SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a < 1 AND b < 2",
        ],
    ),
    (
        "SELECT a FROM t WHERE a = 1 AND (b = 2 OR b = 3)",
        "SELECT a FROM t WHERE (b = 3 OR b = 2) AND 1 = a",
        &["SELECT a FROM t WHERE a = 1 AND b = 2 OR b = 3"],
    ),
    (
        "SELECT a FROM t WHERE 1 = 1 AND a = 2",
        "SELECT a FROM t WHERE a = 2",
        &["SELECT a FROM t WHERE 1 = 2 AND a = 2"],
    ),
    ("SELECT a FROM t WHERE a <> 1", "SELECT a FROM t WHERE 1 != a", &["SELECT a FROM t WHERE a = 1"]),
    (
        "SELECT a FROM t WHERE NOT (a < 1 AND b = 2)",
        "SELECT a FROM t WHERE b <> 2 OR a >= 1",
        &["SELECT a FROM t WHERE NOT a < 1 AND b = 2", "SELECT a FROM t WHERE b <> 2 AND a >= 1"],
    ),
    (
        "SELECT a FROM t WHERE NOT s IS NULL",
        "SELECT a FROM t WHERE s IS NOT NULL",
        &["SELECT a FROM t WHERE s IS NULL"],
    ),
    (
        "SELECT a FROM t WHERE s NOT LIKE 'x%'",
        "SELECT a FROM t WHERE NOT (s LIKE 'x%')",
        &["SELECT a FROM t WHERE s LIKE 'x%'", "SELECT a FROM t WHERE s NOT RLIKE 'x%'"],
    ),
    (
        "SELECT a FROM t WHERE a BETWEEN 1 AND 5",
        "SELECT a FROM t WHERE a <= 5 AND a >= 1",
        &[
            "SELECT a FROM t WHERE a BETWEEN 5 AND 1",
            "SELECT a FROM t WHERE a < 5 AND a >= 1",
            "SELECT a FROM t WHERE a NOT BETWEEN 1 AND 5",
        ],
    ),
    (
        "SELECT a FROM t WHERE a NOT BETWEEN 1 AND 5",
        "SELECT a FROM t WHERE a < 1 OR a > 5",
        &["SELECT a FROM t WHERE a < 1 AND a > 5"],
    ),
    ("SELECT a FROM t WHERE s IN ('x')", "SELECT a FROM t WHERE s = 'x'", &["SELECT a FROM t WHERE s NOT IN ('x')"]),
    (
        "SELECT a FROM t WHERE s IN ('x', 'y')",
        "SELECT a FROM t WHERE 'y' = s OR s = 'x' OR s = 'y'",
        &["SELECT a FROM t WHERE s IN ('x', 'z')", "SELECT a FROM t WHERE s IN ('x', 'Y')"],
    ),
    // Spark compares the list as strings but each equality as numbers.
    (
        "SELECT a FROM t WHERE s IN (1, 2)",
        "SELECT a FROM t WHERE s IN (2, 1)",
        &["SELECT a FROM t WHERE s = 1 OR s = 2"],
    ),
    (
        "SELECT a FROM t WHERE a IS NOT DISTINCT FROM b",
        "SELECT a FROM t WHERE b <=> a",
        &["SELECT a FROM t WHERE a = b", "SELECT a FROM t WHERE a IS DISTINCT FROM b"],
    ),
    (
        "SELECT CASE a WHEN 1 THEN 'x' ELSE NULL END AS k FROM t",
        "SELECT CASE WHEN 1 = a THEN 'x' END AS k FROM t",
        &["SELECT CASE WHEN 1 = a THEN 'y' END AS k FROM t", "SELECT CASE WHEN 1 = a THEN 'x' ELSE '' END AS k FROM t"],
    ),
    (
        "SELECT IF(a > 1, 'x', 'y') AS k FROM t",
        "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END AS k FROM t",
        &["SELECT IF(a > 1, 'y', 'x') AS k FROM t"],
    ),
    (
        "SELECT IF(a > 1, 'x', IF(a > 0, 'y', 'z')) AS k FROM t",
        "SELECT CASE WHEN a > 1 THEN 'x' WHEN a > 0 THEN 'y' ELSE 'z' END AS k FROM t",
        &["SELECT CASE WHEN a > 0 THEN 'y' WHEN a > 1 THEN 'x' ELSE 'z' END AS k FROM t"],
    ),
    // Arms of several types are cast differently when flat than when nested.
    (
        "SELECT CASE WHEN a > 1 THEN 'x' ELSE CASE WHEN a > 0 THEN 1 ELSE 2.5D END END AS k FROM t",
        "SELECT CASE WHEN 1 < a THEN 'x' ELSE CASE WHEN 0 < a THEN 1 ELSE 2.5D END END AS k FROM t",
        &["SELECT CASE WHEN a > 1 THEN 'x' WHEN a > 0 THEN 1 ELSE 2.5D END AS k FROM t"],
    ),
    (
        "SELECT NVL(a, 0) AS k FROM t",
        "SELECT COALESCE(a, 0) AS k FROM t",
        &["SELECT COALESCE(a, 1) AS k FROM t", "SELECT NULLIF(a, 0) AS k FROM t"],
    ),
    (
        "WITH x AS (SELECT a FROM t) SELECT a FROM x",
        "SELECT q.a FROM (SELECT a FROM t) q",
        &["SELECT q.a FROM (SELECT b AS a FROM t) q", "SELECT q.a FROM (SELECT DISTINCT a FROM t) q"],
    ),
    // One block with the derived table that it reads.
    (
        "SELECT q.k FROM (SELECT a AS k, b FROM t) q WHERE q.b > 1 AND q.k < 5",
        "SELECT q.k FROM (SELECT a AS k, b FROM t WHERE b > 1) q WHERE q.k < 5",
        &[
            "SELECT q.k FROM (SELECT a AS k, b FROM t WHERE b > 1) q WHERE q.b < 5",
            "SELECT q.k FROM (SELECT a AS k, b FROM t WHERE b > 1) q",
            "SELECT q.k FROM (SELECT DISTINCT a AS k, b FROM t WHERE b > 1) q WHERE q.k < 5",
        ],
    ),
    (
        "WITH x AS (SELECT t.a, u.c FROM t JOIN u ON t.a = u.a WHERE u.c > 1) SELECT a + 1 AS k FROM x WHERE x.a < 5",
        "SELECT t.a + 1 AS k FROM t JOIN u ON t.a = u.a WHERE u.c > 1 AND t.a < 5",
        &[
            "SELECT t.a + 1 AS k FROM t JOIN u ON t.a = u.a WHERE u.c > 1 AND u.c < 5",
            "SELECT t.a + 1 AS k FROM t LEFT JOIN u ON t.a = u.a WHERE u.c > 1 AND t.a < 5",
        ],
    ),
    (
        "SELECT q.s, SUM(q.k) AS n FROM (SELECT s, a * 2 AS k FROM t WHERE b = 1) q GROUP BY q.s",
        "SELECT s, SUM(a * 2) AS n FROM t WHERE b = 1 GROUP BY s",
        &["SELECT s, SUM(a) * 2 AS n FROM t WHERE b = 1 GROUP BY s"],
    ),
    // These are not merged: the inner block groups, numbers or limits rows, or draws random numbers.
    (
        "SELECT q.n FROM (SELECT COUNT(*) AS n FROM t) q WHERE q.n > 1",
        "SELECT p.m AS n FROM (SELECT COUNT(1) AS m FROM t) p WHERE 1 < p.m",
        &["SELECT q.n FROM (SELECT COUNT(*) AS n FROM t WHERE a > 1) q"],
    ),
    (
        "SELECT q.a FROM (SELECT a, ROW_NUMBER() OVER (ORDER BY b) AS n FROM t) q WHERE q.n = 1 AND q.a > 2",
        "SELECT q.a FROM (SELECT a, ROW_NUMBER() OVER (ORDER BY b) AS n FROM t) q WHERE q.a > 2 AND q.n = 1",
        &["SELECT q.a FROM (SELECT a, ROW_NUMBER() OVER (ORDER BY b) AS n FROM t WHERE a > 2) q WHERE q.n = 1"],
    ),
    (
        "SELECT q.a FROM (SELECT a FROM t LIMIT 3) q WHERE q.a > 2",
        "SELECT p.a FROM (SELECT a FROM t LIMIT 3) p WHERE 2 < p.a",
        &["SELECT q.a FROM (SELECT a FROM t WHERE a > 2 LIMIT 3) q"],
    ),
    (
        "SELECT a FROM t WHERE a BETWEEN 1 AND 3",
        "SELECT a FROM t WHERE a IN (3, 1, 2)",
        &["SELECT a FROM t WHERE a IN (1, 3)", "SELECT a FROM t WHERE a IN (1, 2, 3, 4)"],
    ),
    (
        "SELECT a FROM t WHERE a NOT IN (1, 2) AND b > 0",
        "SELECT a FROM t WHERE b > 0 AND a NOT BETWEEN 1 AND 2",
        &["SELECT a FROM t WHERE a IN (1, 2) AND b > 0"],
    ),
    // Between 1 and 3 there are 1.5 and '20'.
    (
        "SELECT a FROM t WHERE d BETWEEN 1 AND 3",
        "SELECT a FROM t WHERE d >= 1 AND d <= 3",
        &["SELECT a FROM t WHERE d IN (1, 2, 3)", "SELECT a FROM t WHERE s IN ('1', '2', '3')"],
    ),
    (
        "SELECT COALESCE(a, 0) AS k FROM t",
        "SELECT CASE WHEN a IS NOT NULL THEN a ELSE 0 END AS k FROM t",
        &["SELECT CASE WHEN a IS NOT NULL THEN b ELSE 0 END AS k FROM t", "SELECT COALESCE(b, 0) AS k FROM t"],
    ),
    (
        "SELECT IF(a IS NULL, b, a) AS k FROM t",
        "SELECT NVL2(a, a, b) AS k FROM t",
        &["SELECT IF(a IS NULL, a, b) AS k FROM t", "SELECT IF(b IS NULL, b, a) AS k FROM t"],
    ),
    (
        "SELECT COALESCE(a, b, 0) AS k FROM t",
        "SELECT CASE WHEN a IS NOT NULL THEN a WHEN b IS NOT NULL THEN b ELSE 0 END AS k FROM t",
        &["SELECT CASE WHEN b IS NOT NULL THEN b WHEN a IS NOT NULL THEN a ELSE 0 END AS k FROM t"],
    ),
    (
        "SELECT DISTINCT s, COUNT(*) AS n FROM t GROUP BY s",
        "SELECT s, COUNT(*) AS n FROM t GROUP BY s",
        &["SELECT DISTINCT COUNT(*) AS n, 1 AS s FROM t GROUP BY s"],
    ),
    (
        "SELECT DISTINCT a, s FROM t",
        "SELECT a, s FROM t GROUP BY s, a",
        &["SELECT a, s FROM t", "SELECT a, s FROM t GROUP BY s, a, b", "SELECT a, s FROM t GROUP BY ROLLUP (s, a)"],
    ),
    (
        "WITH x AS (SELECT a FROM t), y AS (SELECT a FROM u) SELECT x.a FROM x JOIN y ON x.a = y.a",
        "WITH k AS (SELECT a FROM u), l AS (SELECT a FROM t) SELECT l.a FROM k JOIN l ON k.a = l.a",
        &["WITH x AS (SELECT a FROM t), y AS (SELECT a FROM u) SELECT y.a FROM x JOIN y ON x.a = y.a"],
    ),
    (
        "SELECT q.k AS o FROM (SELECT a AS k, b AS l FROM t) q",
        "SELECT q.x AS o FROM (SELECT a AS x, b AS y FROM t) q",
        &["SELECT q.k AS o FROM (SELECT a AS l, b AS k FROM t) q"],
    ),
    (
        "SELECT q.c FROM (SELECT a AS k, b AS c FROM t) q JOIN u USING (c)",
        "SELECT c FROM (SELECT a AS k, b AS c FROM t) q JOIN u USING (c)",
        &["SELECT q.c FROM (SELECT b AS k, a AS c FROM t) q JOIN u USING (c)"],
    ),
    ("SELECT * FROM u", "SELECT a, c, s FROM u", &["SELECT a, s, c FROM u", "SELECT a, c FROM u"]),
    (
        "SELECT s, COUNT(*) AS n FROM t GROUP BY s",
        "SELECT s, count(1) n FROM t GROUP BY 1",
        &["SELECT s, COUNT(a) AS n FROM t GROUP BY s", "SELECT s, COUNT(DISTINCT a) AS n FROM t GROUP BY s"],
    ),
    (
        "SELECT a, s FROM t GROUP BY a, s",
        "SELECT a, s FROM t GROUP BY s, a",
        &["SELECT a, s FROM t GROUP BY a, s WITH ROLLUP"],
    ),
    (
        "SELECT a, s FROM t GROUP BY a, s WITH ROLLUP",
        "SELECT a, s FROM t GROUP BY ROLLUP (a, s)",
        &["SELECT a, s FROM t GROUP BY ROLLUP (s, a)", "SELECT a, s FROM t GROUP BY a, s WITH CUBE"],
    ),
    (
        "SELECT a, b AS k FROM t ORDER BY k DESC, a",
        "SELECT a, b AS k FROM t ORDER BY 2 DESC NULLS LAST, 1 ASC NULLS FIRST",
        &[
            "SELECT a, b AS k FROM t ORDER BY k, a",
            "SELECT a, b AS k FROM t ORDER BY a, k DESC",
            "SELECT a, b AS k FROM t ORDER BY k DESC NULLS FIRST, a",
            "SELECT a, b AS k FROM t",
        ],
    ),
    (
        "SELECT a FROM t UNION ALL SELECT a FROM u",
        "(SELECT a FROM u) UNION ALL (SELECT a FROM t)",
        &["SELECT a FROM t UNION SELECT a FROM u", "SELECT a FROM t UNION ALL SELECT c AS a FROM u"],
    ),
    (
        "SELECT a FROM t EXCEPT SELECT a FROM u",
        "SELECT a FROM t MINUS SELECT a FROM u",
        &["SELECT a FROM u EXCEPT SELECT a FROM t"],
    ),
    (
        "SELECT ROW_NUMBER() OVER (PARTITION BY a, s ORDER BY b) AS n FROM t",
        "SELECT ROW_NUMBER() OVER z AS n FROM t WINDOW z AS (PARTITION BY s, a ORDER BY b ASC)",
        &[
            "SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) AS n FROM t",
            "SELECT ROW_NUMBER() OVER (PARTITION BY a, s ORDER BY b DESC) AS n FROM t",
            "SELECT RANK() OVER (PARTITION BY a, s ORDER BY b) AS n FROM t",
        ],
    ),
    (
        "SELECT SUM(a) OVER (ORDER BY b) AS n FROM t",
        "SELECT SUM(a) OVER (ORDER BY b RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n FROM t",
        &[
            "SELECT SUM(a) OVER (ORDER BY b ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n FROM t",
            "SELECT SUM(a) OVER (ORDER BY b RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS n FROM t",
        ],
    ),
    (
        "SELECT SUM(a) OVER (ORDER BY b ROWS 2 PRECEDING) AS n FROM t",
        "SELECT SUM(a) OVER (ORDER BY b ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS n FROM t",
        &["SELECT SUM(a) OVER (ORDER BY b ROWS 3 PRECEDING) AS n FROM t"],
    ),
    (
        "SELECT \"it's\" AS k, 007 AS n FROM t",
        "SELECT 'it\\'s' AS k, 7 AS n FROM t",
        &["SELECT 'its' AS k, 7 AS n FROM t", "SELECT 'it\\'s' AS k, 7.0 AS n FROM t"],
    ),
    ("SELECT CAST(s AS INT) AS k FROM t", "SELECT int(s) AS k FROM t", &["SELECT CAST(s AS BIGINT) AS k FROM t"]),
    (
        "SELECT s || 'x' || 'y' AS k FROM t",
        "SELECT CONCAT(s, 'x', 'y') AS k FROM t",
        &["SELECT CONCAT(s, 'y', 'x') AS k FROM t"],
    ),
    ("SELECT MAX(DISTINCT a) AS k FROM t", "SELECT max(a) AS k FROM t", &["SELECT MIN(a) AS k FROM t"]),
    (
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a)",
        "SELECT x.a FROM t x WHERE EXISTS (SELECT 1 FROM u y WHERE x.a = y.a)",
        &[
            "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u x WHERE x.a = t.a OR x.c = t.a)",
            "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.b)",
        ],
    ),
    (
        "SELECT a, e FROM t LATERAL VIEW EXPLODE(l) x AS e",
        "SELECT q.a, y.f AS e FROM t q LATERAL VIEW explode(q.l) y AS f",
        &["SELECT a, e FROM t LATERAL VIEW OUTER EXPLODE(l) x AS e"],
    ),
];

#[test]
fn each_rule_equates_what_it_says_and_nothing_next_to_it() {
    let mut wrong = Vec::new();
    for &(left, right, others) in RULES {
        if !matches(left, right) {
            wrong.push(format!("apart: {left}\n       {right}"));
        }
        for other in others.iter().filter(|other| matches(left, other)) {
            wrong.push(format!("equal: {left}\n       {other}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_does_not_parse_or_is_refused_matches_nothing() {
    let schema = Schema::read(SCHEMA).unwrap();
    for text in ["SELECT a FRM t WHERE", "SELECT nothing FROM t", "SELECT a FROM nowhere"] {
        assert!(!graph_match(&Script::new(text), &Script::new(text), &schema), "{text}");
    }
}

#[test]
fn names_of_outputs_count_unless_they_are_to_be_ignored() {
    let schema = Schema::read(SCHEMA).unwrap();
    let left = Script::new("CREATE TABLE x AS SELECT a AS one, b FROM t; SELECT one, b FROM x WHERE one > 1");
    let renamed = Script::new("CREATE TABLE x AS SELECT a AS uno, b FROM t; SELECT uno AS n, b FROM x WHERE uno > 1");
    let swapped = Script::new("CREATE TABLE x AS SELECT a AS uno, b FROM t; SELECT b AS n, uno FROM x WHERE uno > 1");
    assert!(!graph_match(&renamed, &left, &schema));
    assert!(graph_match_up_to_names(&renamed, &left, &schema));
    assert!(!graph_match_up_to_names(&swapped, &left, &schema));
}
