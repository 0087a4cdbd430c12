use super::*;

/// What is inferred for a script beside these definitions.
pub(super) fn inferred(script: &str, ddl: &str) -> Result<Vec<String>, InferenceRefusal> {
    let schema = if ddl.is_empty() { Schema::default() } else { Schema::read(ddl).unwrap() };
    let told = with_inferred(&Script::new(script), schema, &KnownParts::default())?;
    Ok(told.tables.iter().map(|table| format!("{}({})", table.table, table.columns.join(", "))).collect())
}

pub(super) fn told(script: &str) -> String {
    inferred(script, "").unwrap_or_else(|refusal| panic!("{refusal}: {script}")).join(" ")
}

pub(super) fn refused(script: &str) -> InferenceRefusalKind {
    inferred(script, "").map_or_else(|refusal| refusal.kind, |told| panic!("{told:?}: {script}"))
}

#[test]
fn each_use_tells_a_type() {
    for (column, uses) in [
        ("INT", "x = 3"),
        ("INT", "x IN (1, 2)"),
        ("INT", "x > 3"),
        ("BIGINT", "x > 3000000000"),
        ("INT", "x % 2 = 1"),
        ("DECIMAL(18,2)", "x > 3.5"),
        ("DECIMAL(18,2)", "x * 2 > 3"),
        ("DECIMAL(18,2)", "round(x, 1) > 3"),
        ("DECIMAL(18,2)", "coalesce(x, 0) * 2 > 3"),
        ("STRING", "x = '3'"),
        ("STRING", "x LIKE 'a%'"),
        ("STRING", "x IS NOT NULL"),
        ("STRING", "upper(x) = 'A'"),
        ("STRING", "size(collect_set(x)) > 2"),
        ("STRING", "to_date(x, 'yyyyMMdd') > '2024-01-01'"),
        ("STRING", "coalesce(x, '') = ''"),
        ("STRING", "x >= '2024-01-01' AND datediff(x, '2024-01-01') > 3"),
        ("BOOLEAN", "x"),
        ("BOOLEAN", "NOT x"),
        ("BOOLEAN", "x = true"),
        ("DATE", "x = DATE '2024-01-01'"),
        ("DATE", "datediff(current_date, x) < 3"),
        ("TIMESTAMP", "hour(x) = 3"),
        ("TIMESTAMP", "x + INTERVAL 1 DAY > current_timestamp"),
        ("INT", "CASE WHEN y = 'a' THEN x ELSE 1 END = 2"),
        ("INT", "x = CAST(y AS INT)"),
        ("ARRAY<STRING>", "array_contains(x, 'a')"),
        ("MAP<STRING, STRING>", "x['a'] = 'b'"),
    ] {
        let found = told(&format!("SELECT 1 FROM t WHERE {uses}"));
        assert!(found.contains(&format!("x {column}")), "{uses}: {found}");
    }
}

#[test]
fn what_is_told_of_a_column_tells_of_those_compared_with_it() {
    let script = "SELECT o.amount FROM orders o JOIN users u ON o.user_id = u.id JOIN cities c ON c.id = u.city_id
                  WHERE u.id = 7 AND c.name LIKE 'B%' GROUP BY o.amount HAVING sum(o.amount) > 10";
    let told = told(script);
    assert_eq!(
        told,
        "orders(amount DECIMAL(18,2), user_id INT) users(id INT, city_id STRING) cities(id STRING, name STRING)"
    );
    let ddl =
        "CREATE TABLE dim.users (id INT, born DATE); CREATE TABLE dw.out (user_id INT, paid DECIMAL(10,3), day DATE)";
    let script = "INSERT INTO dw.out SELECT user_id, paid, day FROM ods.pay p JOIN dim.users u ON u.id = p.user_id";
    assert_eq!(inferred(script, ddl).unwrap(), ["ods.pay(user_id INT, paid DECIMAL(10,3), day DATE)"],);
}

#[test]
fn names_are_given_to_the_tables_that_must_have_them() {
    for (script, found) in [
        ("USE ods; SELECT a FROM t ORDER BY b", "ods.t(a STRING, b STRING)"),
        (
            "SELECT b.* EXCEPT (rn), a.x FROM a JOIN b ON a.id = b.id WHERE b.n = 1",
            "a(x STRING, id STRING) b(id STRING, n INT, rn STRING)",
        ),
        ("SELECT city AS c, count(*) AS n FROM t GROUP BY c HAVING n > 1 ORDER BY n", "t(city STRING)"),
        ("WITH x AS (SELECT a, b FROM t) SELECT a FROM x WHERE b = 2", "t(a STRING, b INT)"),
        (
            "SELECT a FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY ts DESC) AS rn FROM t) x WHERE rn = 1 AND n = 2",
            "t(a STRING, k STRING, ts STRING, n INT)",
        ),
        ("SELECT a.x FROM t a JOIN u b USING (id, day)", "t(x STRING, id STRING, day STRING) u(id STRING, day STRING)"),
        ("SELECT x FROM t a JOIN u b ON a.id = b.id WHERE b.x > 1", "t(id STRING) u(id STRING, x INT)"),
        (
            "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id AND kind = 'x')",
            "t(a STRING, id STRING) u(id STRING, kind STRING)",
        ),
        (
            "SELECT e FROM t LATERAL VIEW explode(tags) v AS e WHERE current_date > day",
            "t(tags ARRAY<STRING>, day DATE)",
        ),
        (
            "SELECT p.key, p.n FROM t LATERAL VIEW explode(props) v AS p WHERE size(p.key) > 1",
            "t(props ARRAY<STRUCT<key: ARRAY<STRING>, n: STRING>>)",
        ),
        ("SELECT a FROM t WHERE datediff(DAY, b, c) > 1", "t(a STRING, b DATE, c DATE)"),
        ("DELETE FROM t WHERE id = 3", "t(id INT)"),
        ("UPDATE t SET a = 'x' WHERE id = 3", "t(a STRING, id INT)"),
        (
            "INSERT OVERWRITE TABLE dm.out PARTITION (dt = '2024-01-01') SELECT id, sum(v) AS total FROM t GROUP BY id",
            "t(id STRING, v DECIMAL(18,2)) dm.out(id STRING, total DECIMAL(28,2), dt STRING)",
        ),
        ("CREATE TABLE s AS SELECT * FROM t; SELECT a FROM s WHERE b = 1", "t(a STRING, b INT)"),
        ("SELECT user, current_date FROM t WHERE a = 1", "t(user STRING, a INT)"),
        (
            "INSERT INTO o SELECT k, collect_set(a) AS a, collect_list(b) AS b FROM t WHERE b > 3 GROUP BY k",
            "t(k STRING, a STRING, b INT) o(k STRING, a ARRAY<STRING>, b ARRAY<INT>)",
        ),
        (
            "SELECT t.a FROM t JOIN u ON t.id = u.id AND kind = 'x' JOIN v ON v.id = u.id AND v.kind = 'y'",
            "t(a STRING, id STRING, kind STRING (or of u)) u(id STRING) v(id STRING, kind STRING)",
        ),
        (
            "SELECT t.a, k FROM t JOIN u ON t.id = u.id AND k IN ('x') JOIN v AS w ON w.id = k",
            "t(a STRING, id STRING, k STRING (or of u or v)) u(id STRING) v(id STRING)",
        ),
    ] {
        assert_eq!(told(script), found, "{script}");
    }
}

#[test]
fn columns_that_a_definition_lacks_are_added_and_slips_of_the_pen_are_not() {
    let ddl = "CREATE TABLE orders (order_id BIGINT, amount DOUBLE); CREATE TABLE users (user_id BIGINT)";
    let lacking = "SELECT o.order_id FROM orders o WHERE o.dt = '2024-01-01'";
    let inferred_tables =
        with_inferred(&Script::new(lacking), Schema::read(ddl).unwrap(), &KnownParts::default()).unwrap();
    assert_eq!(
        inferred_tables.tables[0].to_string(),
        "orders: no definition of these columns found; inferred dt STRING from their use"
    );
    let alias_elsewhere = "SELECT o.kind FROM orders o; SELECT x.kind FROM (SELECT user_id AS kind FROM users) x";
    assert_eq!(inferred(alias_elsewhere, ddl).unwrap(), ["orders(kind STRING)"]);
    let passed_on = "SELECT o.order_id FROM (SELECT * FROM orders WHERE to_date(made) > '2024-01-01') o
                     JOIN names n ON n.id = o.order_id WHERE made < '2025-01-01'";
    let told = ["orders(made STRING)", "names(id BIGINT)"];
    assert_eq!(inferred(passed_on, ddl).unwrap(), told);
    let sibling = "INSERT INTO orders SELECT order_id, amount FROM orders_y";
    assert_eq!(inferred(sibling, ddl).unwrap(), ["orders_y(order_id BIGINT, amount DOUBLE)"]);
    for wrong in [
        "SELECT order_ids FROM orders",
        "SELECT amuont FROM orders",
        "SELECT amount AS a FROM orders WHERE a > 1",
        "SELECT order_id FROM odrers",
        "SELECT x FROM orders o JOIN users u ON o.order_id = u.user_id",
        "WITH b AS (SELECT k FROM a), a AS (SELECT user_id AS k FROM users) SELECT k FROM b",
        "WITH c AS (SELECT user_id FROM users UNION ALL SELECT user_id FROM c WHERE user_id > 1) SELECT user_id FROM c",
    ] {
        assert_eq!(inferred(wrong, ddl).unwrap(), Vec::<String>::new(), "{wrong}");
    }
}

#[test]
fn a_table_that_the_script_defines_has_no_other_columns() {
    let schema = Schema::read("CREATE TABLE sales (day DATE, quantity INT)").unwrap();
    let asks = Script::new("SELECT product, SUM(quantity) FROM sales GROUP BY product");
    let known =
        |whole: &[&str]| KnownParts { untyped: Vec::new(), whole: whole.iter().map(|it| (*it).to_owned()).collect() };
    let inferred = |whole| with_inferred(&asks, schema.clone(), &known(whole)).unwrap().tables.len();
    assert_eq!((inferred(&[]), inferred(&["sales"])), (1, 0));
    let loaded =
        Script::new("CREATE TABLE sales (day DATE); LOAD DATA INPATH '/s' INTO TABLE sales; SELECT day FROM sales");
    assert_eq!(KnownParts::of(&Definitions::default(), &schema, &loaded).whole, ["sales"]);
}

#[test]
fn of_tables_that_may_have_a_name_one_gets_it_and_the_note_says_so() {
    for (sql, expected) in [
        ("SELECT x FROM t JOIN u ON t.id = u.id", ["t(id STRING, x STRING (or of u))", "u(id STRING)"]),
        ("SELECT a, b FROM t JOIN u ON a = b", ["u(b STRING (or of t))", "t(a STRING (or of u))"]),
        ("SELECT x FROM t JOIN u ON t.id = u.id; SELECT u.x FROM u", ["t(id STRING)", "u(id STRING, x STRING)"]),
    ] {
        assert_eq!(inferred(sql, "").unwrap(), expected, "{sql}");
    }
    let three = "SELECT x FROM t JOIN u ON t.id = u.id; SELECT x FROM u JOIN v ON u.id = v.id";
    let tables = ["t(id STRING, x STRING (or of u))", "u(id STRING)", "v(id STRING, x STRING (or of u))"];
    assert_eq!(inferred(three, "").unwrap(), tables);
}

#[test]
fn fields_that_are_read_make_the_structure_of_their_column() {
    for (script, found) in [
        ("SELECT t.s.f FROM t", "t(s STRUCT<f: STRING>)"),
        ("SELECT s.f, count(*) FROM d.t WHERE s.n > 3 GROUP BY s.f", "d.t(s STRUCT<f: STRING, n: INT>)"),
        ("SELECT x.s.a.b, s.c FROM t x WHERE s.a.d = 'k'", "t(s STRUCT<a: STRUCT<b: STRING, d: STRING>, c: STRING>)"),
    ] {
        assert_eq!(told(script), found, "{script}");
    }
}

#[test]
fn tables_below_each_other_have_the_same_columns() {
    assert_eq!(
        told(
            "CREATE VIEW v AS SELECT * FROM a UNION SELECT * FROM b UNION ALL (SELECT * FROM c); SELECT x.k, sum(x.n) AS s FROM v x WHERE x.n > 2.5 GROUP BY x.k"
        ),
        "a(k STRING, n DECIMAL(18,2)) b(k STRING, n DECIMAL(18,2)) c(k STRING, n DECIMAL(18,2))"
    );
}

#[test]
fn what_the_script_reads_inside_of_columns_tells_their_types() {
    for (script, found) in [
        (
            "SELECT a, transform(map_entries(m), x -> transform(map_keys(x.value), k -> upper(concat(x.key, k)))) FROM t",
            "t(a STRING, m MAP<STRING, MAP<STRING, STRING>>)",
        ),
        (
            "SELECT w, explode(c) AS (p, n) FROM (SELECT explode(m) AS (w, c) FROM t) q",
            "t(m MAP<STRING, MAP<STRING, STRING>>)",
        ),
        (
            "SELECT meta.processes[2].name AS n, date(meta.processes[2].begun) AS d FROM t",
            "t(meta STRUCT<processes: ARRAY<STRUCT<name: STRING, begun: STRING>>>)",
        ),
        (
            "SELECT id FROM t LATERAL VIEW explode(items) x AS item WHERE item.price * 2 > 5.5 AND item.kinds[0] = 3",
            "t(id STRING, items ARRAY<STRUCT<price: DECIMAL(18,2), kinds: ARRAY<INT>>>)",
        ),
        (
            "SELECT v.text FROM t LATERAL VIEW explode(authors) a AS auth LATERAL VIEW explode(auth.pid) p AS v \
             LATERAL VIEW explode(auth.pid.kind.class) k AS class WHERE class = 'orcid'",
            "t(authors ARRAY<STRUCT<pid: ARRAY<STRUCT<text: STRING, kind: STRUCT<class: STRING>>>>>)",
        ),
        ("SELECT id FROM t WHERE exists(tags, g -> g > 7 AND g % 2 = 0)", "t(id STRING, tags ARRAY<INT>)"),
        ("SELECT id FROM t WHERE codes['x'] = 4 AND size(codes) > 1", "t(id STRING, codes MAP<STRING, INT>)"),
        ("SELECT date_add(d, -age * 365) AS born FROM t", "t(d DATE, age INT)"),
        (
            "SELECT u FROM (SELECT u, max(b) AS b, coalesce(n, 0) AS n FROM t GROUP BY u, n) x WHERE NOT b AND n IN (3, 4)",
            "t(u STRING, b BOOLEAN, n INT)",
        ),
    ] {
        assert_eq!(told(script), found, "{script}");
    }
}

#[test]
fn what_stays_open_is_refused_with_the_way_out() {
    use InferenceRefusalKind::{Ambiguous, Field, Nameless, Natural, Star};
    assert_eq!(refused("SELECT * FROM ods.t"), Star("ods.t".to_owned()));
    assert_eq!(
        refused("SELECT a FROM t; SELECT b FROM (SELECT * FROM u UNION ALL SELECT *, 1 AS c FROM w) x"),
        Star("u".to_owned())
    );
    assert_eq!(refused("WITH x AS (SELECT * FROM t) SELECT x.*, 1 FROM x"), Star("t".to_owned()));
    let tables = vec!["u".to_owned(), "w".to_owned()];
    let open = "SELECT x FROM t JOIN u ON t.id = u.id; SELECT x FROM v JOIN w ON v.id = w.id; SELECT x FROM u JOIN w ON u.id = w.id";
    assert_eq!(refused(open), Ambiguous { column: "x".to_owned(), tables });
    assert_eq!(refused("SELECT u.f FROM t; SELECT a FROM u"), Field("u".to_owned()));
    let deep = ".f".repeat(20_000);
    assert_eq!(refused(&format!("SELECT s{deep} FROM t")), Field("s".to_owned()));
    assert_eq!(refused(&format!("SELECT t.s{deep} FROM t")), Field("t.s".to_owned()));
    assert_eq!(refused("SELECT count(*) FROM t"), Nameless("t".to_owned()));
    assert_eq!(refused("SELECT t.a FROM t NATURAL JOIN u"), Natural("t".to_owned()));
}

#[test]
fn an_insert_tells_which_defined_columns_are_partitions() {
    let inferred = |script: &str, ddl: &str| {
        let inferred = with_inferred(&Script::new(script), Schema::read(ddl).unwrap(), &KnownParts::default()).unwrap();
        let told: Vec<String> = inferred.tables.iter().map(ToString::to_string).collect();
        (inferred.schema.ddl().split_whitespace().collect::<Vec<_>>().join(" "), told.join(" "))
    };
    let (ddl, told) = inferred(
        "INSERT OVERWRITE TABLE t PARTITION (dt = '2024-01-01', h) SELECT a, h FROM s",
        "CREATE TABLE t (h INT, dt STRING, a INT); CREATE TABLE s (a INT, h INT);",
    );
    assert!(ddl.contains("CREATE TABLE t ( a INT ) PARTITIONED BY (dt STRING, h INT)"), "{ddl}");
    assert_eq!(told, "t: taken as partitioned by dt, h, as INSERT says");
    for written in [
        "CREATE TABLE t (a INT, b INT) PARTITIONED BY (dt STRING)",
        "CREATE TABLE t (a INT, b INT)",
        "CREATE TABLE t (dt STRING)",
    ] {
        let (_, told) = inferred("INSERT INTO t PARTITION (dt = '1') SELECT 1, 2", written);
        assert!(!told.contains("partitioned"), "{told}");
    }
}
