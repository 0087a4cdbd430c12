//! Laws of resolution, as tables of cases.

use super::*;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

const SCHEMA: &str =
    "CREATE TABLE a (id BIGINT NOT NULL, x INT, name STRING, tags ARRAY<STRING>, m MAP<STRING, DOUBLE>,
     s STRUCT<f: INT, g: STRUCT<h: DATE>>, items ARRAY<STRUCT<sku: STRING, n: INT>>);
 CREATE TABLE b (id BIGINT, y DECIMAL(10,2), name STRING) PARTITIONED BY (dt STRING);
 CREATE TABLE ods.c (id BIGINT, z DATE, b_id BIGINT);
 CREATE TABLE target (id BIGINT, total DOUBLE) PARTITIONED BY (dt STRING);";

fn resolve(sql: &str) -> (Script, Scopes) {
    let schema = Schema::read(SCHEMA).expect("the schema is right");
    let script = Script::new(sql);
    assert!(script.is_valid(), "{sql}: {:?}", script.errors());
    let scopes = Scopes::resolve(&script, &schema);
    (script, scopes)
}

fn target(script: &Script, scopes: &Scopes, binding: &Binding) -> String {
    let outer = if binding.outer { "^" } else { "" };
    let target = match &binding.target {
        ColumnTarget::Column(relation, index) => {
            let relation = scopes.relation(*relation);
            format!("{}.{}", relation.name, relation.columns[*index].name)
        }
        ColumnTarget::Alias(item) => format!("alias {}", script.slice(*item)),
        ColumnTarget::Output(index) => format!("output {index}"),
        ColumnTarget::Parameter(_, index) => format!("parameter {index}"),
    };
    format!("{outer}{target}")
}

/// Every column reference as `written>meaning`, in source order.
fn bindings(script: &Script, scopes: &Scopes) -> Vec<String> {
    let tree = script.tree();
    let columns = tree.descendants(tree.root()).filter(|node| tree.kind(*node) == Kind::Column);
    let shown = |node: NodeId| {
        let meaning = scopes.binding(node).map_or("?".to_owned(), |binding| target(script, scopes, binding));
        format!("{}>{meaning}", script.slice(node))
    };
    columns.map(shown).collect()
}

fn outputs(script: &Script, scopes: &Scopes) -> Vec<String> {
    let query = *script.statements().last().expect("a statement");
    let shown = |column: &OutputColumn| {
        format!("{} {}{}", column.name, column.data_type, if column.nullable { "" } else { " NOT NULL" })
    };
    scopes.outputs(query).iter().map(shown).collect()
}

#[test]
fn names_mean_what_spark_says() {
    let cases: &[(&str, &[&str])] = &[
        ("SELECT x FROM a", &["x>a.x"]),
        ("SELECT A.X, t.x FROM a t", &["A.X>?", "t.x>t.x"]),
        ("SELECT ods.c.id, c.z FROM ods.c", &["ods.c.id>c.id", "c.z>c.z"]),
        ("SELECT id FROM c", &["id>c.id"]),
        (
            "SELECT b_id, x FROM a JOIN ods.c t ON a.id = t.b_id",
            &["b_id>t.b_id", "x>a.x", "a.id>a.id", "t.b_id>t.b_id"],
        ),
        ("WITH q AS (SELECT x AS v FROM a) SELECT v, q.v FROM q", &["x>a.x", "v>q.v", "q.v>q.v"]),
        ("SELECT v FROM (SELECT x + 1 AS v FROM a) q", &["v>q.v", "x>a.x"]),
        ("SELECT s.f, a.s.g.h, s.g FROM a", &["s.f>a.s", "a.s.g.h>a.s", "s.g>a.s"]),
        ("SELECT x + 1 AS k, k * 2 AS l FROM a", &["x>a.x", "k>alias x + 1 AS k"]),
        ("SELECT x + 1 AS x, x AS l FROM a", &["x>a.x", "x>a.x"]),
        ("SELECT -x AS x FROM a ORDER BY x, a.x", &["x>a.x", "x>alias -x AS x", "a.x>a.x"]),
        ("SELECT -x AS x FROM a GROUP BY x HAVING x > 1", &["x>a.x", "x>a.x", "x>a.x"]),
        ("SELECT -x AS k FROM a GROUP BY k HAVING k > 1", &["x>a.x", "k>alias -x AS k", "k>alias -x AS k"]),
        (
            "SELECT name, sum(x) AS x FROM a GROUP BY name HAVING x > 1",
            &["name>a.name", "x>a.x", "name>a.name", "x>alias sum(x) AS x"],
        ),
        (
            "SELECT name, sum(x) AS x FROM a GROUP BY name HAVING sum(x) > 1",
            &["name>a.name", "x>a.x", "name>a.name", "x>a.x"],
        ),
        ("SELECT x FROM a UNION ALL SELECT id FROM b ORDER BY x", &["x>a.x", "id>b.id", "x>output 0"]),
        (
            "SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.id = a.id AND y > x)",
            &["id>a.id", "b.id>b.id", "a.id>^a.id", "y>b.y", "x>^a.x"],
        ),
        (
            "SELECT id FROM a WHERE id IN (SELECT q.id FROM (SELECT id FROM b WHERE b.name = a.name) q)",
            &["id>a.id", "id>a.id", "q.id>q.id", "id>b.id", "b.name>b.name", "a.name>^a.name"],
        ),
        (
            "SELECT t.tag, pos FROM a LATERAL VIEW posexplode(tags) t AS pos, tag LATERAL VIEW explode(split(t.tag, ',')) u",
            &["t.tag>t.tag", "pos>t.pos", "tags>a.tags", "t.tag>t.tag"],
        ),
        (
            "SELECT col, key, value FROM a LATERAL VIEW explode(tags) t LATERAL VIEW explode(m) u",
            &["col>t.col", "key>u.key", "value>u.value", "tags>a.tags", "m>a.m"],
        ),
        ("SELECT sku FROM a LATERAL VIEW inline(items) t", &["sku>t.sku", "items>a.items"]),
        ("SELECT c1 FROM a LATERAL VIEW json_tuple(name, 'p', 'q') j", &["c1>j.c1", "name>a.name"]),
        ("SELECT id FROM a JOIN b USING (id) WHERE b.id > 1", &["id>a.id", "b.id>b.id"]),
        ("SELECT id FROM a RIGHT JOIN b USING (id)", &["id>b.id"]),
        (
            "SELECT x FROM a LEFT SEMI JOIN b ON a.id = b.id WHERE name = ''",
            &["x>a.x", "a.id>a.id", "b.id>b.id", "name>a.name"],
        ),
        (
            "SELECT transform(tags, (v, i) -> concat(v, i, name)) FROM a",
            &["tags>a.tags", "v>parameter 0", "i>parameter 1", "name>a.name"],
        ),
        ("SELECT filter(items, i -> i.n > x) FROM a", &["items>a.items", "i.n>parameter 0", "x>a.x"]),
        (
            "SELECT sum(x) OVER w FROM a WINDOW w AS (PARTITION BY name ORDER BY id)",
            &["x>a.x", "name>a.name", "id>a.id"],
        ),
        ("SELECT x, count(*) FROM a GROUP BY ALL", &["x>a.x", "ALL>?"]),
        ("SELECT current_date, extract(YEAR FROM z) FROM ods.c", &["current_date>?", "YEAR>?", "z>c.z"]),
        (
            "FROM a INSERT OVERWRITE TABLE target PARTITION (dt='1') SELECT id, x WHERE x > 1 INSERT INTO target PARTITION (dt='2') SELECT id, x",
            &["id>a.id", "x>a.x", "x>a.x", "id>a.id", "x>a.x"],
        ),
        (
            "WITH q AS (SELECT id, x FROM a) INSERT INTO target PARTITION (dt='1') SELECT id, x FROM q",
            &["id>a.id", "x>a.x", "id>q.id", "x>q.x"],
        ),
        ("CREATE TABLE tmp.t AS SELECT id AS k FROM a; SELECT k, t.k FROM tmp.t", &["id>a.id", "k>t.k", "t.k>t.k"]),
        ("CREATE TEMPORARY VIEW v AS SELECT id AS k FROM a; SELECT v.k FROM v", &["id>a.id", "v.k>v.k"]),
        ("USE ods; SELECT id, ods.c.z FROM c", &["id>c.id", "ods.c.z>c.z"]),
        ("WITH a AS (SELECT id AS k FROM a) SELECT k FROM a", &["id>a.id", "k>a.k"]),
        ("SELECT k FROM (SELECT id FROM a) t(k)", &["k>t.k", "id>a.id"]),
        ("SELECT v.p FROM VALUES (1, 'x') AS v(p, q)", &["v.p>v.p"]),
        ("SELECT * FROM (a JOIN b ON a.id = b.id) WHERE x > y", &["a.id>a.id", "b.id>b.id", "x>a.x", "y>b.y"]),
    ];
    for (sql, expected) in cases {
        let (script, scopes) = resolve(sql);
        assert_eq!(bindings(&script, &scopes), *expected, "{sql}\n{:?}", scopes.problems());
    }
}

#[test]
fn outputs_have_names_types_and_nullability() {
    let cases: &[(&str, &[&str])] = &[
        ("SELECT id, x, name AS n FROM a", &["id BIGINT NOT NULL", "x INT", "n STRING"]),
        ("SELECT a.id, b.y FROM b LEFT JOIN a ON a.id = b.id", &["id BIGINT", "y DECIMAL(10,2)"]),
        ("SELECT a.id FROM a FULL JOIN b ON a.id = b.id", &["id BIGINT"]),
        ("SELECT b.* FROM b", &["id BIGINT", "y DECIMAL(10,2)", "name STRING", "dt STRING"]),
        (
            "SELECT * FROM ods.c JOIN b USING (id)",
            &["id BIGINT", "z DATE", "b_id BIGINT", "y DECIMAL(10,2)", "name STRING", "dt STRING"],
        ),
        (
            "SELECT * FROM b LEFT ANTI JOIN a ON a.id = b.id",
            &["id BIGINT", "y DECIMAL(10,2)", "name STRING", "dt STRING"],
        ),
        ("SELECT coalesce(x, 0) AS v, x / 2 AS w, x DIV 2 AS d FROM a", &["v INT NOT NULL", "w DOUBLE", "d BIGINT"]),
        (
            "SELECT CASE WHEN x > 1 THEN 'p' END AS c, CASE WHEN x > 1 THEN 1 ELSE 2L END AS d FROM a",
            &["c STRING", "d BIGINT NOT NULL"],
        ),
        (
            "SELECT count(*) AS n, sum(y) AS t, max(id) AS i FROM b",
            &["n BIGINT NOT NULL", "t DECIMAL(20,2)", "i BIGINT"],
        ),
        (
            "SELECT x IS NULL AS p, x = 1 AS q, id > 1 AS r FROM a",
            &["p BOOLEAN NOT NULL", "q BOOLEAN", "r BOOLEAN NOT NULL"],
        ),
        (
            "SELECT s.g.h AS h, m['k'] AS v, items[0].sku AS sku, items.n AS ns FROM a",
            &["h DATE", "v DOUBLE", "sku STRING", "ns ARRAY<INT>"],
        ),
        ("SELECT s.* FROM a", &["f INT", "g STRUCT<h: DATE>"]),
        ("SELECT x FROM a UNION ALL SELECT y FROM b", &["x DECIMAL(12,2)"]),
        ("SELECT (SELECT max(z) FROM ods.c) AS last FROM a", &["last DATE"]),
        ("SELECT transform(items, i -> i.n + 1) AS ns FROM a", &["ns ARRAY<INT>"]),
        ("SELECT CAST(x AS STRING), (name), a.id FROM a", &["x STRING", "name STRING", "id BIGINT NOT NULL"]),
        ("SELECT explode(m) FROM a", &["key STRING NOT NULL", "value DOUBLE"]),
        ("SELECT stack(2, 1, 'p', 2, NULL) AS (n, t)", &["n INT NOT NULL", "t STRING"]),
        ("SELECT * EXCEPT (tags, m, s, items) FROM a", &["id BIGINT NOT NULL", "x INT", "name STRING"]),
        ("WITH q (k) AS (SELECT id FROM a) SELECT * FROM q", &["k BIGINT NOT NULL"]),
        (
            "SELECT id, coalesce(id, 0) AS k, count(*) AS n FROM a WHERE id > 1 GROUP BY id WITH ROLLUP",
            &["id BIGINT", "k BIGINT NOT NULL", "n BIGINT NOT NULL"],
        ),
        ("CREATE TABLE k LIKE b; SELECT * FROM k", &["id BIGINT", "y DECIMAL(10,2)", "name STRING", "dt STRING"]),
    ];
    for (sql, expected) in cases {
        let (script, scopes) = resolve(sql);
        assert_eq!(outputs(&script, &scopes), *expected, "{sql}");
        assert_eq!(scopes.problems(), [], "{sql}");
    }
}

fn said(problem: &ProblemKind) -> String {
    match problem {
        ProblemKind::UnknownColumn { name, suggestions } => {
            format!("column {name}: {}", suggestions.first().map_or("", String::as_str))
        }
        ProblemKind::AmbiguousColumn { name, candidates } => format!("ambiguous {name}: {}", candidates.join(" ")),
        ProblemKind::UnknownTable { name } => format!("table {name}"),
        ProblemKind::UnknownField { name, fields } => format!("field {name}: {}", fields.join(" ")),
        ProblemKind::DuplicateCommonTable { name } => format!("cte {name}"),
    }
}

#[test]
fn what_does_not_resolve_is_a_problem() {
    let cases: &[(&str, &[&str])] = &[
        ("SELECT nam FROM a", &["column nam: a.name"]),
        ("SELECT t.nam FROM a t JOIN b ON t.id = b.id", &["column t.nam: t.name"]),
        ("SELECT q.x FROM a", &["column q.x: a.x"]),
        ("SELECT name FROM a JOIN b ON a.id = b.id", &["ambiguous name: a.name b.name"]),
        ("SELECT 1 FROM nowhere", &["table nowhere"]),
        ("SELECT v FROM nowhere", &["table nowhere"]),
        ("SELECT a.v, x FROM nowhere, a", &["column a.v: a.x", "table nowhere"]),
        ("SELECT s.q FROM a", &["field q: f g"]),
        ("WITH q AS (SELECT 1 AS v), Q AS (SELECT 2 AS v) SELECT 1", &["cte Q"]),
        ("SELECT t.id FROM a t JOIN b t ON 1 = 1", &["ambiguous t.id: t.id t.id"]),
        ("SELECT t.x FROM a t JOIN b t ON 1 = 1", &[]),
        ("SELECT x AS k FROM a WHERE k > 1", &["column k: a.x"]),
        ("SELECT k + 1, x AS k FROM a", &["column k: a.x"]),
        ("SELECT b.y FROM a LEFT SEMI JOIN b ON a.id = b.id", &["column b.y: a.x"]),
        ("SELECT 1 FROM a JOIN b ON a.id = c.id JOIN ods.c ON c.id = a.id", &["column c.id: a.id"]),
        ("SELECT 1 FROM a, (SELECT x AS k FROM b WHERE b.id = a.id) q", &["column x: b.y", "column a.id: b.id"]),
        ("SELECT x FROM a UNION SELECT id FROM b ORDER BY id", &["column id: x"]),
        ("INSERT INTO target (id, totl) SELECT 1, 2", &["column totl: total"]),
        ("INSERT INTO target PARTITION (dd = '1') SELECT 1, 2", &["column dd: id"]),
        ("INSERT INTO nowhere SELECT 1 AS v; SELECT v FROM nowhere", &["table nowhere"]),
        ("SELECT id FROM a JOIN b USING (idd)", &["ambiguous id: a.id b.id", "column idd: a.id"]),
        ("SELECT f.k FROM (SELECT x AS k, id AS k FROM a) f", &["ambiguous f.k: f.k f.k"]),
        ("SELECT x FROM (SELECT x, x FROM a) f", &[]),
        ("SELECT name, count(*) AS n FROM a GROUP BY name HAVING x > 1", &["column x: n"]),
        ("SELECT name, count(*) AS n FROM a GROUP BY name ORDER BY x", &["column x: n"]),
        ("SELECT name, count(*) AS n FROM a GROUP BY name ORDER BY a.name, sum(x), my_function(x)", &[]),
        (
            "SELECT substr(name, 1, 2) AS k, count(*) FROM a GROUP BY k HAVING k > 'a' ORDER BY substr(a.name, 1, 2)",
            &[],
        ),
        ("SELECT name, count(*) FROM a GROUP BY 1 HAVING name > 'a'", &[]),
        ("SELECT x, count(*) FROM a GROUP BY ALL ORDER BY x", &[]),
        ("SELECT DISTINCT name FROM a ORDER BY x", &["column x: name"]),
        ("SELECT DISTINCT name AS n FROM a ORDER BY a.name", &[]),
        ("SELECT id AS k, x AS k FROM a ORDER BY k", &["column k: k"]),
        ("SELECT a.id, b.id FROM a JOIN b ON a.id = b.id ORDER BY id", &["column id: id"]),
        ("DROP TABLE IF EXISTS k; CREATE TABLE k AS SELECT 1 AS v; DROP TABLE k; SELECT v FROM k", &["table k"]),
    ];
    for (sql, expected) in cases {
        let (_, scopes) = resolve(sql);
        let found: Vec<_> = scopes.problems().iter().map(|problem| said(&problem.kind)).collect();
        assert_eq!(found, *expected, "{sql}");
    }
}

fn shown_origins(origins: &[(String, String)]) -> String {
    origins.iter().map(|(table, column)| format!("{table}.{column}")).collect::<Vec<_>>().join(" ")
}

/// The first output's expression of the last statement.
fn first_output(script: &Script) -> NodeId {
    let tree = script.tree();
    let statement = *script.statements().last().expect("a statement");
    let select = tree.descendants(statement).find(|node| {
        matches!(tree.kind(*node), Kind::Select { .. }) && tree.enclosing(*node, |kind| kind == Kind::With).is_none()
    });
    let item = tree.descendants(select.expect("a SELECT")).find(|node| tree.kind(*node) == Kind::SelectItem);
    tree.children(item.expect("an output"))[0]
}

#[test]
fn values_are_traced_to_base_tables() {
    let cases = [
        ("SELECT x + a.id FROM a", "a.x a.id"),
        ("WITH q AS (SELECT x + 1 AS v, name FROM a) SELECT v FROM q", "a.x"),
        (
            "WITH q AS (SELECT * FROM a) SELECT concat(q.name, r.name) FROM q JOIN (SELECT * FROM b) r ON 1 = 1",
            "a.name b.name",
        ),
        ("SELECT v FROM (SELECT x AS v FROM a UNION ALL SELECT y FROM b) q", "a.x b.y"),
        ("SELECT t.tag FROM a LATERAL VIEW explode(tags) t AS tag", "a.tags"),
        ("SELECT transform(items, i -> i.n) FROM a", "a.items"),
        ("SELECT x AS k, k + 1 FROM a", "a.x"),
        ("SELECT count(*) FROM a", ""),
        ("CREATE TABLE k AS SELECT x AS v FROM a; SELECT v FROM k", "a.x"),
        (
            "CREATE TABLE k (v INT); INSERT INTO k SELECT x FROM a; INSERT INTO k SELECT id FROM b; SELECT v FROM k",
            "a.x b.id",
        ),
        (
            "CREATE TABLE k (v INT); INSERT INTO k SELECT x FROM a; INSERT OVERWRITE k SELECT id FROM b; SELECT v FROM k",
            "b.id",
        ),
        (
            "INSERT OVERWRITE TABLE target PARTITION (dt) SELECT id, x, name FROM a; SELECT dt FROM target",
            "target.dt a.name",
        ),
        (
            "INSERT INTO target PARTITION (dt = '1') (total, id) SELECT x, id FROM a; SELECT total FROM target",
            "target.total a.x",
        ),
        ("SELECT k.v FROM (SELECT max(v) AS v FROM (SELECT x AS v, id FROM a) GROUP BY id) k", "a.x"),
    ];
    for (sql, expected) in cases {
        let (script, scopes) = resolve(sql);
        assert_eq!(shown_origins(&scopes.origins(&script, first_output(&script))), expected, "{sql}");
        assert_eq!(scopes.problems(), [], "{sql}");
    }
}

#[test]
fn a_column_that_passes_unchanged_has_a_base_column() {
    let cases = [
        ("SELECT x FROM a", "a.x"),
        ("WITH q AS (SELECT x AS v FROM a), r AS (SELECT (v) AS w FROM q) SELECT w FROM r", "a.x"),
        ("SELECT id FROM (SELECT * FROM ods.c) q", "ods.c.id"),
        ("CREATE TABLE k AS SELECT x AS v FROM a; SELECT v FROM k", "a.x"),
        ("CREATE TABLE k (v INT); INSERT INTO k SELECT x FROM a; SELECT v FROM k", "a.x"),
        ("SELECT v FROM (SELECT x + 1 AS v FROM a) q", ""),
        ("SELECT v FROM (SELECT s.f AS v FROM a) q", ""),
        ("SELECT v FROM (SELECT x AS v FROM a UNION ALL SELECT y FROM b) q", ""),
    ];
    for (sql, expected) in cases {
        let (script, scopes) = resolve(sql);
        let base = scopes.base_column(first_output(&script));
        assert_eq!(shown_origins(base.as_slice()), expected, "{sql}");
    }
}
