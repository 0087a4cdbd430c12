use super::*;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;

const DDL: &str = "CREATE TABLE a (id BIGINT NOT NULL, k STRING, v STRING, d DATE, ts TIMESTAMP, day STRING, n INT); \
                   CREATE TABLE b (k STRING, w INT); CREATE TABLE day (k STRING, e DATE); \
                   CREATE TABLE moment (k STRING, e TIMESTAMP);";

pub(super) fn proved(reference: &str, mutant: &str) -> Option<String> {
    let schema = Schema::read(DDL).unwrap();
    let (reference, mutant) = (Script::new(reference), Script::new(mutant));
    let scopes = [&reference, &mutant].map(|script| Scopes::resolve(script, &schema));
    let [reference, mutant] = [(&reference, &scopes[0]), (&mutant, &scopes[1])].map(|(script, scopes)| ScriptView {
        script,
        scopes,
        schema: &schema,
    });
    prove_equivalence(reference, mutant).map(|reason| reason.to_string())
}

#[test]
fn each_reason_has_a_pair_for_which_it_holds() {
    for (reference, mutant, words) in [
        ("SELECT COUNT(*) FROM a", "SELECT COUNT(id) FROM a", "id is never NULL there"),
        ("SELECT COUNT(*) FROM a WHERE k > 'x'", "SELECT COUNT(k) FROM a WHERE k > 'x'", "k is never NULL there"),
        (
            "SELECT a.id, t.c FROM a LEFT JOIN (SELECT k, COUNT(*) AS c FROM b GROUP BY k) t ON a.k = t.k",
            "SELECT a.id, t.c FROM a LEFT JOIN (SELECT k, COUNT(k) AS c FROM b GROUP BY k) t ON a.k = t.k",
            "only rows in which k is NULL differ, and every reader drops those",
        ),
        (
            "WITH t AS (SELECT k, MAX(w) AS m FROM b GROUP BY k) SELECT a.id, t.m FROM a JOIN t ON a.k = t.k",
            "WITH t AS (SELECT k, MAX(w) AS m FROM b GROUP BY k WITH ROLLUP) SELECT a.id, t.m FROM a JOIN t ON a.k = t.k",
            "only rows in which k is NULL differ, and every reader drops those",
        ),
        ("SELECT DATEDIFF(TO_DATE(ts), d) FROM a", "SELECT DATEDIFF(ts, d) FROM a", "only the day of ts is read"),
        ("SELECT TO_DATE(d) FROM a", "SELECT d FROM a", "only the day of d is read"),
        (
            "SELECT id FROM a WHERE SUBSTR(day, 1, 10) >= '2024-03-15'",
            "SELECT id FROM a WHERE day >= '2024-03-15'",
            "only the day of day is read",
        ),
        (
            "SELECT id FROM a WHERE CAST(v AS INT) > n",
            "SELECT id FROM a WHERE v > n",
            "the engine converts v implicitly",
        ),
        (
            "SELECT id FROM a WHERE COALESCE(n, 0) > 0",
            "SELECT id FROM a WHERE n > 0",
            "neither NULL nor the default 0 meets the condition",
        ),
        (
            "SELECT k, COALESCE(SUM(id), 0) FROM a GROUP BY k",
            "SELECT k, SUM(id) FROM a GROUP BY k",
            "sum(id) is never NULL there",
        ),
        (
            "SELECT k, COALESCE(SUM(id), 0) FROM a GROUP BY k WITH CUBE",
            "SELECT k, SUM(id) FROM a GROUP BY k WITH CUBE",
            "sum(id) is never NULL there",
        ),
        (
            "SELECT id FROM a WHERE CAST(v AS DOUBLE) >= 0.3",
            "SELECT id FROM a WHERE v >= 0.3",
            "the engine converts v implicitly",
        ),
        (
            "SELECT LPAD(CAST(n + 1 AS STRING), 2, '0') FROM a",
            "SELECT LPAD(CAST(n + 1 AS BIGINT), 2, '0') FROM a",
            "the engine converts n + 1 implicitly",
        ),
        (
            "WITH t AS (SELECT k, COALESCE(SUM(w), 0) AS s FROM b GROUP BY k) SELECT a.id, NVL(t.s, 0) FROM a LEFT JOIN t ON a.k = t.k",
            "WITH t AS (SELECT k, SUM(w) AS s FROM b GROUP BY k) SELECT a.id, NVL(t.s, 0) FROM a LEFT JOIN t ON a.k = t.k",
            "every reader applies the default 0 again",
        ),
        (
            "SELECT a.id, COALESCE(SUM(t.s), 0.0) FROM (SELECT k, COALESCE(w, 0) AS s FROM b) t JOIN a ON a.k = t.k GROUP BY a.id",
            "SELECT a.id, COALESCE(SUM(t.s), 0.0) FROM (SELECT k, w AS s FROM b) t JOIN a ON a.k = t.k GROUP BY a.id",
            "every reader applies the default 0 again",
        ),
        (
            "SELECT DATEDIFF(MAX(t.e), MIN(t.e)) FROM (SELECT x.* FROM (SELECT CAST(ts AS DATE) AS e FROM a) x) t WHERE t.e >= '2024-03-15'",
            "SELECT DATEDIFF(MAX(t.e), MIN(t.e)) FROM (SELECT x.* FROM (SELECT CAST(ts AS TIMESTAMP) AS e FROM a) x) t WHERE t.e >= '2024-03-15'",
            "only the day of ts is read",
        ),
        (
            "SELECT id FROM a WHERE TO_DATE(day) BETWEEN DATE_SUB('2024-03-15', 3) AND d",
            "SELECT id FROM a WHERE day BETWEEN DATE_SUB('2024-03-15', 3) AND d",
            "only the day of day is read",
        ),
        (
            "WITH t AS (SELECT k, DATEDIFF(d, ts) AS g FROM a), u AS (SELECT k, AVG(g) AS g FROM t GROUP BY k) SELECT u.k FROM u",
            "WITH t AS (SELECT k, DATEDIFF(ts, d) AS g FROM a), u AS (SELECT k, AVG(g) AS g FROM t GROUP BY k) SELECT u.k FROM u",
            "no output of the script depends on the value",
        ),
        (
            "SELECT k, COUNT(*) FROM a WHERE k > 'x' GROUP BY k WITH ROLLUP",
            "SELECT k, COUNT(k) FROM a WHERE k > 'x' GROUP BY k WITH ROLLUP",
            "k is never NULL there",
        ),
        (
            "WITH t AS (SELECT k, COUNT(*) AS c, SUM(n) AS s FROM a GROUP BY k), p AS (SELECT SUM(s) AS s FROM t) \
             SELECT b.w, t.c FROM b JOIN t ON b.k = t.k CROSS JOIN p",
            "WITH t AS (SELECT k, COUNT(k) AS c, SUM(n) AS s FROM a GROUP BY k), p AS (SELECT SUM(s) AS s FROM t) \
             SELECT b.w, t.c FROM b JOIN t ON b.k = t.k CROSS JOIN p",
            "only rows in which k is NULL differ, and every reader drops those",
        ),
        (
            "INSERT OVERWRITE TABLE day SELECT k, MAX(CAST(ts AS DATE)) FROM a GROUP BY k",
            "INSERT OVERWRITE TABLE day SELECT k, MAX(CAST(ts AS TIMESTAMP)) FROM a GROUP BY k",
            "only the day of ts is read",
        ),
        (
            "SELECT id FROM a WHERE k IN (SELECT k FROM b UNION ALL SELECT v FROM a)",
            "SELECT id FROM a WHERE k IN (SELECT k FROM b UNION SELECT v FROM a)",
            "repeated rows count once for every reader",
        ),
        (
            "SELECT a.id FROM a LEFT JOIN (SELECT k FROM b UNION SELECT v FROM a) x ON a.k = x.k WHERE x.k IS NULL",
            "SELECT a.id FROM a LEFT JOIN (SELECT k FROM b UNION ALL SELECT v FROM a) x ON a.k = x.k WHERE x.k IS NULL",
            "repeated rows count once for every reader",
        ),
        (
            "SELECT t.k FROM (SELECT u.k, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION ALL SELECT k, n FROM a) u) t WHERE t.rn = 1",
            "SELECT t.k FROM (SELECT u.k, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION SELECT k, n FROM a) u) t WHERE t.rn = 1",
            "repeated rows count once for every reader",
        ),
        (
            "SELECT c.k, COLLECT_SET(c.v) FROM (SELECT u.k, UPPER(u.v) AS v FROM \
             (SELECT k, v FROM a UNION SELECT k, day FROM a) u) c GROUP BY c.k",
            "SELECT c.k, COLLECT_SET(c.v) FROM (SELECT u.k, UPPER(u.v) AS v FROM \
             (SELECT k, v FROM a UNION ALL SELECT k, day FROM a) u) c GROUP BY c.k",
            "repeated rows count once for every reader",
        ),
    ] {
        assert_eq!(proved(reference, mutant).as_deref(), Some(words), "{mutant}");
    }
}

#[test]
fn no_reason_is_given_where_the_scripts_can_differ() {
    for (reference, mutant) in [
        ("SELECT COUNT(*) FROM a", "SELECT COUNT(k) FROM a"),
        ("SELECT k, COUNT(*) FROM a GROUP BY k", "SELECT k, COUNT(k) FROM a GROUP BY k"),
        (
            "SELECT t.c, a.id FROM (SELECT k, COUNT(*) AS c FROM b GROUP BY k) t LEFT JOIN a ON a.k = t.k",
            "SELECT t.c, a.id FROM (SELECT k, COUNT(k) AS c FROM b GROUP BY k) t LEFT JOIN a ON a.k = t.k",
        ),
        (
            "SELECT a.id FROM a JOIN (SELECT k, w FROM b GROUP BY k, w) t ON a.k = t.k",
            "SELECT a.id FROM a JOIN (SELECT k, w FROM b GROUP BY k, w WITH ROLLUP) t ON a.k = t.k",
        ),
        ("SELECT TO_DATE(ts) FROM a", "SELECT ts FROM a"),
        ("SELECT id FROM a WHERE TO_DATE(ts) <= '2024-03-15'", "SELECT id FROM a WHERE ts <= '2024-03-15'"),
        ("SELECT id FROM a WHERE TO_DATE(day) >= '2024-03-15'", "SELECT id FROM a WHERE day >= '2024-03-15'"),
        ("SELECT SUM(CAST(v AS DECIMAL(18,2))) FROM a", "SELECT SUM(v) FROM a"),
        ("SELECT id FROM a WHERE COALESCE(n, 0) < 5", "SELECT id FROM a WHERE n < 5"),
        ("SELECT id FROM a WHERE NOT (COALESCE(n, 0) > 0)", "SELECT id FROM a WHERE NOT (n > 0)"),
        ("SELECT COALESCE(SUM(id), 0) FROM a", "SELECT SUM(id) FROM a"),
        (
            "SELECT t.id FROM (SELECT id, k FROM a GROUP BY id, k WITH CUBE) t JOIN b ON COALESCE(t.id, 0) = b.w",
            "SELECT t.id FROM (SELECT id, k FROM a GROUP BY id, k WITH CUBE) t JOIN b ON t.id = b.w",
        ),
        ("SELECT k FROM a UNION ALL SELECT k FROM b", "SELECT k FROM a UNION SELECT k FROM b"),
        (
            "SELECT k, COUNT(*) FROM (SELECT k FROM a UNION ALL SELECT k FROM b) t GROUP BY k",
            "SELECT k, COUNT(*) FROM (SELECT k FROM a UNION SELECT k FROM b) t GROUP BY k",
        ),
        (
            "SELECT a.id FROM a LEFT JOIN b ON a.k = b.k WHERE b.w IS NULL OR b.w > 1",
            "SELECT a.id FROM a JOIN b ON a.k = b.k WHERE b.w IS NULL OR b.w > 1",
        ),
        ("SELECT a.id FROM a LEFT JOIN b ON a.k = b.k", "SELECT a.id FROM a JOIN b ON a.k = b.k"),
        ("SELECT id FROM a WHERE CAST(v AS DOUBLE) >= 1", "SELECT id FROM a WHERE v >= 1"),
        ("SELECT CAST(n AS STRING) FROM a", "SELECT CAST(n AS BIGINT) FROM a"),
        (
            "SELECT a.id FROM a LEFT JOIN (SELECT k FROM b UNION SELECT v FROM a) x ON a.k = x.k",
            "SELECT a.id FROM a LEFT JOIN (SELECT k FROM b UNION ALL SELECT v FROM a) x ON a.k = x.k",
        ),
        (
            "SELECT a.id FROM a LEFT JOIN (SELECT k, v FROM a UNION SELECT v, k FROM a) x ON a.k = x.k WHERE x.v IS NULL",
            "SELECT a.id FROM a LEFT JOIN (SELECT k, v FROM a UNION ALL SELECT v, k FROM a) x ON a.k = x.k WHERE x.v IS NULL",
        ),
        (
            "SELECT t.k FROM (SELECT u.k, RANK() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION ALL SELECT k, n FROM a) u) t WHERE t.rn = 1",
            "SELECT t.k FROM (SELECT u.k, RANK() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION SELECT k, n FROM a) u) t WHERE t.rn = 1",
        ),
        (
            "SELECT t.k FROM (SELECT u.k, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION ALL SELECT k, n FROM a) u) t WHERE t.rn = 2",
            "SELECT t.k FROM (SELECT u.k, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION SELECT k, n FROM a) u) t WHERE t.rn = 2",
        ),
        (
            "SELECT u.k, VAR_POP(u.n) FROM (SELECT k, n FROM a UNION ALL SELECT k, w FROM b) u GROUP BY u.k",
            "SELECT u.k, VAR_POP(u.n) FROM (SELECT k, n FROM a UNION SELECT k, w FROM b) u GROUP BY u.k",
        ),
        (
            "SELECT k, SUM(n) AS n, 'A' AS src FROM a GROUP BY k UNION ALL SELECT k, w, 'B' FROM b",
            "SELECT k, SUM(n) AS n, 'A' AS src FROM a GROUP BY k UNION SELECT k, w, 'B' FROM b",
        ),
        (
            "SELECT k, SUM(n) AS n, 'A' AS src FROM a GROUP BY k UNION ALL SELECT k, MAX(w), 'A' FROM b GROUP BY k",
            "SELECT k, SUM(n) AS n, 'A' AS src FROM a GROUP BY k UNION SELECT k, MAX(w), 'A' FROM b GROUP BY k",
        ),
        (
            "SELECT k, SUM(n) AS n, 'A' AS src FROM a GROUP BY k, v UNION ALL SELECT k, MAX(w), 'B' FROM b GROUP BY k",
            "SELECT k, SUM(n) AS n, 'A' AS src FROM a GROUP BY k, v UNION SELECT k, MAX(w), 'B' FROM b GROUP BY k",
        ),
        (
            "SELECT k, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM b GROUP BY k",
            "SELECT k, DENSE_RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM b GROUP BY k",
        ),
        (
            "SELECT t.k, RANK() OVER (PARTITION BY t.c ORDER BY t.k) AS r FROM (SELECT k, COUNT(*) AS c FROM b GROUP BY k) t \
             LEFT JOIN a x ON t.k = x.k",
            "SELECT t.k, ROW_NUMBER() OVER (PARTITION BY t.c ORDER BY t.k) AS r FROM (SELECT k, COUNT(*) AS c FROM b GROUP BY k) t \
             LEFT JOIN a x ON t.k = x.k",
        ),
        ("SELECT RANK() OVER (ORDER BY id) FROM a", "SELECT ROW_NUMBER() OVER (ORDER BY id) FROM a"),
        (
            "SELECT NVL(t.s, 1) FROM (SELECT k, COALESCE(SUM(w), 0) AS s FROM b GROUP BY k) t",
            "SELECT NVL(t.s, 1) FROM (SELECT k, SUM(w) AS s FROM b GROUP BY k) t",
        ),
        (
            "SELECT NVL(t.s, 0) FROM (SELECT k, COALESCE(SUM(w), 0) AS s FROM b GROUP BY k) t WHERE t.s IS NOT NULL",
            "SELECT NVL(t.s, 0) FROM (SELECT k, SUM(w) AS s FROM b GROUP BY k) t WHERE t.s IS NOT NULL",
        ),
        (
            "SELECT NVL(t.s, 0) FROM (SELECT DISTINCT COALESCE(w, 0) AS s FROM b) t",
            "SELECT NVL(t.s, 0) FROM (SELECT DISTINCT w AS s FROM b) t",
        ),
        (
            "SELECT t.s FROM (SELECT NVL(w, 0) AS s, k FROM b) t ORDER BY t.k",
            "SELECT t.s FROM (SELECT w AS s, k FROM b) t ORDER BY t.k",
        ),
        (
            "SELECT DATEDIFF(t.e, '2024-03-15') FROM (SELECT TO_DATE(ts) AS e FROM a) t GROUP BY t.e",
            "SELECT DATEDIFF(t.e, '2024-03-15') FROM (SELECT ts AS e FROM a) t GROUP BY t.e",
        ),
        (
            "SELECT t.e FROM (SELECT TO_DATE(ts) AS e FROM a) t WHERE DATEDIFF(t.e, '2024-03-15') > 1",
            "SELECT t.e FROM (SELECT ts AS e FROM a) t WHERE DATEDIFF(t.e, '2024-03-15') > 1",
        ),
        (
            "SELECT DATEDIFF(MAX(t.e), '2024-03-15') FROM (SELECT TO_DATE(day) AS e FROM a) t",
            "SELECT DATEDIFF(MAX(t.e), '2024-03-15') FROM (SELECT day AS e FROM a) t",
        ),
        (
            "WITH t AS (SELECT k, DATEDIFF(d, ts) AS g FROM a) SELECT t.k FROM t ORDER BY t.g",
            "WITH t AS (SELECT k, DATEDIFF(ts, d) AS g FROM a) SELECT t.k FROM t ORDER BY t.g",
        ),
        (
            "SELECT t.k FROM (SELECT DISTINCT k, DATEDIFF(d, ts) AS g FROM a) t",
            "SELECT t.k FROM (SELECT DISTINCT k, DATEDIFF(ts, d) AS g FROM a) t",
        ),
        (
            "SELECT t.k FROM (SELECT k, DATEDIFF(d, ts) AS g FROM a) t WHERE t.g > 0",
            "SELECT t.k FROM (SELECT k, DATEDIFF(ts, d) AS g FROM a) t WHERE t.g > 0",
        ),
        (
            "SELECT t.k FROM (SELECT k, EXPLODE(SPLIT(v, ',')) AS g FROM a) t",
            "SELECT t.k FROM (SELECT k, EXPLODE(SPLIT(v, ';')) AS g FROM a) t",
        ),
        ("SELECT t.k FROM (SELECT 1 AS k, SUM(n) AS g FROM a) t", "SELECT t.k FROM (SELECT 1 AS k, n AS g FROM a) t"),
        ("SELECT k, COUNT(*) FROM a GROUP BY k WITH ROLLUP", "SELECT k, COUNT(k) FROM a GROUP BY k WITH ROLLUP"),
        (
            "SELECT u.k, u.c FROM (SELECT t.k, COUNT(1) AS c FROM (SELECT k FROM a UNION ALL SELECT k FROM b) t GROUP BY t.k) u",
            "SELECT u.k, u.c FROM (SELECT t.k, COUNT(1) AS c FROM (SELECT k FROM a UNION SELECT k FROM b) t GROUP BY t.k) u",
        ),
        (
            "WITH t AS (SELECT k, COUNT(*) AS c FROM a GROUP BY k), p AS (SELECT SUM(c) AS s FROM t) \
             SELECT b.w, t.c, p.s FROM b JOIN t ON b.k = t.k CROSS JOIN p",
            "WITH t AS (SELECT k, COUNT(k) AS c FROM a GROUP BY k), p AS (SELECT SUM(c) AS s FROM t) \
             SELECT b.w, t.c, p.s FROM b JOIN t ON b.k = t.k CROSS JOIN p",
        ),
        (
            "SELECT a.k, COUNT(*) FROM a CROSS JOIN b p GROUP BY a.k",
            "SELECT a.k, COUNT(*) FROM a CROSS JOIN b p GROUP BY a.k, p.w",
        ),
        (
            "INSERT OVERWRITE TABLE moment SELECT k, MAX(CAST(ts AS DATE)) FROM a GROUP BY k",
            "INSERT OVERWRITE TABLE moment SELECT k, MAX(CAST(ts AS TIMESTAMP)) FROM a GROUP BY k",
        ),
        (
            "SELECT t.k FROM (SELECT k FROM a UNION ALL SELECT k FROM b) t GROUP BY t.k HAVING COUNT(1) >= 2",
            "SELECT t.k FROM (SELECT k FROM a UNION SELECT k FROM b) t GROUP BY t.k HAVING COUNT(1) >= 2",
        ),
        (
            "SELECT m.k, MAX(CASE WHEN m.rn = 2 THEN m.w END) FROM (SELECT u.*, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION ALL SELECT k, n FROM a) u) m GROUP BY m.k",
            "SELECT m.k, MAX(CASE WHEN m.rn = 2 THEN m.w END) FROM (SELECT u.*, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION SELECT k, n FROM a) u) m GROUP BY m.k",
        ),
        (
            "SELECT m.k, MAX(CASE WHEN m.rn = 1 THEN m.w ELSE 9 END) FROM (SELECT u.*, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION ALL SELECT k, n FROM a) u) m GROUP BY m.k",
            "SELECT m.k, MAX(CASE WHEN m.rn = 1 THEN m.w ELSE 9 END) FROM (SELECT u.*, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION SELECT k, n FROM a) u) m GROUP BY m.k",
        ),
        (
            "SELECT m.k, SUM(CASE WHEN m.rn = 1 THEN m.w END) + COUNT(*) FROM (SELECT u.*, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION ALL SELECT k, n FROM a) u) m GROUP BY m.k",
            "SELECT m.k, SUM(CASE WHEN m.rn = 1 THEN m.w END) + COUNT(*) FROM (SELECT u.*, ROW_NUMBER() OVER (PARTITION BY u.k ORDER BY u.w) AS rn FROM \
             (SELECT k, w FROM b UNION SELECT k, n FROM a) u) m GROUP BY m.k",
        ),
        (
            "SELECT COALESCE(SUM(id), 0) FROM a GROUP BY GROUPING SETS (())",
            "SELECT SUM(id) FROM a GROUP BY GROUPING SETS (())",
        ),
    ] {
        assert_eq!(proved(reference, mutant), None, "{mutant}");
    }
}
