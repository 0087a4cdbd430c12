//! Stars, and outputs without a name.

use super::tests::{inferred, refused, told};
use super::*;

#[test]
fn a_star_beside_another_query_takes_columns_called_as_those_of_that() {
    for (script, found) in [
        ("SELECT CAST(a AS INT) AS x, y FROM s UNION ALL SELECT * FROM t", "s(a STRING, y STRING) t(x INT, y STRING)"),
        (
            "CREATE TABLE o (p STRING, n INT); INSERT INTO o SELECT * FROM (SELECT * FROM t WHERE x > 1 UNION ALL \
             SELECT a AS x, b FROM s) q ORDER BY x",
            "s(a INT, b STRING) t(x INT, b STRING)",
        ),
        (
            "CREATE TABLE o (p STRING, n INT); WITH x AS (SELECT a, count(1) AS c FROM s GROUP BY a) INSERT INTO o \
             SELECT * FROM (SELECT * FROM t WHERE NOT (a = 1) UNION ALL SELECT * FROM x) q ORDER BY a LIMIT 9",
            "s(a INT) t(a INT, c BIGINT)",
        ),
        (
            "WITH one AS (SELECT 1 AS x, 'b' AS y), two AS (SELECT * FROM t WHERE y > 'a')
             SELECT * FROM one UNION SELECT * FROM two",
            "t(x INT, y STRING)",
        ),
        ("SELECT 1 AS x, 2 AS y, 3 AS z UNION ALL SELECT 0, t.*, 4 FROM t", "t(y INT)"),
    ] {
        assert_eq!(told(script), found, "{script}");
    }
    for wrong in [
        "SELECT a + 1 FROM s UNION ALL SELECT * FROM t",
        "SELECT * FROM t UNION ALL SELECT * FROM t",
        "SELECT 1 AS x UNION ALL SELECT * FROM t WHERE y = 2",
    ] {
        assert_eq!(refused(wrong), InferenceRefusalKind::Star("t".to_owned()), "{wrong}");
    }
}

#[test]
fn a_star_takes_the_columns_of_the_target_or_those_that_are_named() {
    let ddl =
        "CREATE TABLE out (id INT, city STRING, total DOUBLE) PARTITIONED BY (dt STRING); CREATE TABLE k (id INT)";
    for (script, found) in [
        ("INSERT INTO out PARTITION (dt = '1') SELECT * FROM t", "t(id INT, city STRING, total DOUBLE)"),
        (
            "INSERT INTO out PARTITION (dt) SELECT a.*, '1' FROM t a WHERE a.city = 'x'",
            "t(id INT, city STRING, total DOUBLE)",
        ),
        (
            "INSERT INTO out PARTITION (dt) SELECT k.*, t.* FROM k JOIN t ON k.id = t.total",
            "t(city STRING, total DOUBLE, dt STRING)",
        ),
        ("INSERT INTO out (total, id) SELECT * FROM t", "t(total DOUBLE, id INT)"),
        (
            "INSERT INTO out PARTITION (dt) SELECT * FROM (SELECT * FROM t WHERE id = 1) x",
            "t(id INT, city STRING, total DOUBLE, dt STRING)",
        ),
    ] {
        assert_eq!(inferred(script, ddl).unwrap(), [found], "{script}");
    }
    for wrong in [
        "INSERT INTO out PARTITION (dt) SELECT * FROM t WHERE other = 1",
        "INSERT INTO out PARTITION (dt) SELECT 1, 2, 3, 4, * FROM t",
        "INSERT INTO out PARTITION (dt) SELECT * FROM t JOIN u ON t.id = u.id",
        "INSERT INTO out PARTITION (dt) SELECT * FROM (SELECT *, 1 AS one FROM t) x",
    ] {
        assert_eq!(
            inferred(wrong, ddl).map_err(|refusal| refusal.kind),
            Err(InferenceRefusalKind::Star("t".to_owned())),
            "{wrong}"
        );
    }
    let named =
        with_inferred(&Script::new("SELECT *, 1 AS n FROM t WHERE a = 2"), Schema::default(), &KnownParts::default())
            .unwrap();
    assert_eq!(
        named.tables[0].to_string(),
        "t: no definition found; inferred a INT from their use; `*` gives these columns alone, so define the table with \
         --schema if it has more"
    );
}

#[test]
fn outputs_without_a_name_take_that_of_their_column() {
    for (script, found) in [
        (
            "INSERT INTO w SELECT upper(t.a), sum(t.b) AS s FROM t GROUP BY t.a",
            "t(a STRING, b DECIMAL(18,2)) w(a STRING, s DECIMAL(28,2))",
        ),
        ("INSERT INTO w SELECT concat(a, b) FROM t", "t(a STRING, b STRING) w(column_1 STRING)"),
        (
            "INSERT OVERWRITE TABLE g SELECT k, avg(p), count(*) FROM t GROUP BY k; \
             INSERT OVERWRITE TABLE h SELECT x.k, x.avg_p, x.cnt, u.z FROM g x JOIN u ON u.k = x.k WHERE x.avg_p > 3",
            "t(k STRING, p DECIMAL(18,2)) u(z STRING, k STRING) g(k STRING, avg_p INT, cnt BIGINT) \
             h(k STRING, avg_p INT, cnt BIGINT, z STRING)",
        ),
        (
            "INSERT OVERWRITE TABLE g SELECT k, avg(p) AS p, sum(q), count(*) AS n FROM t GROUP BY k; \
             INSERT OVERWRITE TABLE h SELECT x.k, avg_p, x.n FROM g x WHERE x.other > x.n",
            "t(k STRING, p DECIMAL(18,2), q DECIMAL(18,2)) g(k STRING, avg_p DECIMAL(22,6), other BIGINT, n BIGINT) \
             h(k STRING, avg_p DECIMAL(22,6), n BIGINT)",
        ),
        (
            "INSERT INTO w SELECT u FROM t WHERE e - s > INTERVAL 2 HOURS AND (f - g) BETWEEN INTERVAL 1 DAY AND INTERVAL 2 DAYS",
            "t(u STRING, e TIMESTAMP, s TIMESTAMP, f TIMESTAMP, g TIMESTAMP) w(u STRING)",
        ),
        (
            "INSERT INTO w SELECT u FROM (SELECT u, ts - lag(ts) OVER (PARTITION BY u ORDER BY ts) AS gap FROM t) x \
             WHERE gap > INTERVAL 30 MINUTES",
            "t(u STRING, ts TIMESTAMP) w(u STRING)",
        ),
        (
            "INSERT INTO g SELECT x.y_src, x.n, z.n, z.p FROM x JOIN z ON x.k = z.k; \
             INSERT INTO h SELECT y, n, other_n, p FROM g",
            "x(y_src STRING, n STRING, k STRING) z(n STRING, p STRING, k STRING) \
             g(y STRING, n STRING, other_n STRING, p STRING) h(y STRING, n STRING, other_n STRING, p STRING)",
        ),
        (
            "CREATE TABLE m AS SELECT * FROM t WHERE a > 1 AND b = 'x'; INSERT INTO weekly SELECT * FROM m",
            "t(a INT, b STRING) weekly(a INT, b STRING)",
        ),
        (
            "INSERT INTO w PARTITION (p) SELECT * FROM h WHERE e = 'x'; \
             INSERT INTO w PARTITION (p) SELECT s.a, concat(s.b, 'x'), s.p FROM s; \
             INSERT INTO w PARTITION (p) SELECT s.a, concat(s.b, 'y') AS e, s.p FROM s",
            "s(a STRING, b STRING, p STRING) h(a STRING, e STRING, p STRING) w(a STRING, e STRING, p STRING)",
        ),
        (
            "INSERT INTO w SELECT coalesce(t.n, w.n), coalesce(t.k, w.id) FROM t FULL JOIN w ON t.k = w.id AND w.id = 1",
            "t(n STRING, k INT) w(n STRING, id INT)",
        ),
        (
            "INSERT OVERWRITE TABLE w SELECT * FROM w WHERE NOT (id = 7); WITH x AS (SELECT 7 AS id, p FROM co UNION ALL \
             SELECT id, s FROM w) INSERT OVERWRITE TABLE w SELECT * FROM x",
            "co(p STRING) w(id INT, s STRING)",
        ),
        (
            "INSERT INTO w PARTITION (m) SELECT t.a, t.b AS n, substr(t.b, 1, 7) FROM t LEFT JOIN w ON w.a = t.a AND w.m > 'x'",
            "t(a STRING, b STRING) w(a STRING, n STRING, m STRING)",
        ),
    ] {
        assert_eq!(told(script), found, "{script}");
    }
}

#[test]
fn a_table_of_which_nothing_is_named_has_one_column() {
    let told = |script: &str| inferred(script, "").unwrap().join(" ");
    assert_eq!(told("SELECT a FROM t; SELECT * FROM u"), "t(a STRING) u(id STRING)");
    assert_eq!(told("SELECT a FROM t; SELECT count(*) FROM u"), "t(a STRING) u(id STRING)");
    assert_eq!(
        told("(SELECT * FROM u) UNION (SELECT a, b FROM t WHERE b > 1.5)"),
        "t(a STRING, b DECIMAL(18,2)) u(a STRING, b DECIMAL(18,2))"
    );
    let lone =
        with_inferred(&Script::new("SELECT a FROM t; SELECT * FROM u"), Schema::default(), &KnownParts::default());
    assert_eq!(
        lone.unwrap().tables[1].to_string(),
        "u: no definition found, and the script names no column of it; it is taken to have id STRING alone, so define the \
         table with --schema if it has others"
    );
}

#[test]
fn a_name_beside_a_star_is_not_of_the_same_table() {
    assert_eq!(
        told("CREATE VIEW v AS SELECT a.*, k FROM a JOIN b ON a.id = b.aid WHERE k > 'x'"),
        "a(id STRING) b(aid STRING, k STRING (or of a))"
    );
}

#[test]
fn a_copy_and_the_rows_added_to_it_tell_what_is_copied() {
    const COPY: &str = "CREATE TABLE h AS SELECT * FROM p;";
    const ADDED: &str = "INSERT INTO h SELECT -1 AS id, false AS moved, 'x' AS title FROM h LIMIT 1;";
    const READ: &str = "SELECT h.title, max(h.id) FROM h WHERE NOT moved GROUP BY h.title";
    for (script, found) in [
        (format!("{COPY} {ADDED} {READ}"), "p(id INT, moved BOOLEAN, title STRING)"),
        (format!("{COPY} {ADDED} SELECT count(*) FROM h"), "p(id INT, moved BOOLEAN, title STRING)"),
        (format!("{COPY} INSERT INTO h SELECT 1, true, 'x'; {READ}"), "p(title STRING, id STRING, moved BOOLEAN)"),
        (
            format!("CREATE TABLE h AS SELECT * FROM (SELECT * FROM p WHERE id > 0) q; {ADDED} {READ}"),
            "p(id INT, moved BOOLEAN, title STRING)",
        ),
        (format!("{COPY} {ADDED} SELECT other FROM h"), "p(other STRING)"),
    ] {
        assert_eq!(told(&script), found, "{script}");
    }
}
