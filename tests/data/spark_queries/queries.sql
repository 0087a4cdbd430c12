-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: nested ctes and shadowing
WITH a AS (SELECT 1 AS x), b AS (WITH a AS (SELECT 2 AS x) SELECT x FROM a) SELECT a.x AS ax, b.x AS bx FROM a CROSS JOIN b;
-- types: ["INT", "INT"]
-- row: [1, 2]

-- title: cte with column names, used twice
WITH t(a, b) AS (SELECT * FROM VALUES (1,'x'),(2,'y') AS v(p,q)) SELECT l.a, r.b FROM t l JOIN t r ON l.a = r.a + 1;
-- types: ["INT", "STRING"]
-- row: [2, "x"]

-- title: union all and union
SELECT a FROM VALUES (1),(1),(2) AS t(a) UNION ALL SELECT a FROM VALUES (2),(3) AS t(a) UNION SELECT a FROM VALUES (3) AS t(a);
-- types: ["INT"]
-- row: [1]
-- row: [2]
-- row: [3]

-- title: intersect binds tighter than union
SELECT a FROM VALUES (1),(2) AS t(a) UNION SELECT a FROM VALUES (3),(4) AS t(a) INTERSECT SELECT a FROM VALUES (4),(5) AS t(a);
-- types: ["INT"]
-- row: [1]
-- row: [2]
-- row: [4]

-- title: except and minus
SELECT a FROM VALUES (1),(2),(2),(NULL) AS t(a) EXCEPT SELECT a FROM VALUES (2) AS t(a) MINUS SELECT a FROM VALUES (9) AS t(a);
-- types: ["INT"]
-- row: [1]
-- row: [null]

-- title: union widens types
SELECT 1 AS a, 'x' AS b, 1.5BD AS c, CAST(1 AS INT) AS d UNION ALL SELECT 'two', 'y', 2, 2.5D;
-- types: ["STRING", "STRING", "DECIMAL(11,1)", "DOUBLE"]
-- row: ["1", "x", 1.5, 1.0]
-- row: ["two", "y", 2.0, 2.5]

-- title: bracketed operands with order and limit
(SELECT a FROM VALUES (3),(1),(2) AS t(a) ORDER BY a LIMIT 1) UNION ALL (SELECT a FROM VALUES (8),(9) AS t(a) ORDER BY a DESC LIMIT 1);
-- types: ["INT"]
-- row: [1]
-- row: [9]

-- title: order of a union by name
SELECT a, b FROM VALUES (2,'x'),(1,'y') AS t(a,b) UNION ALL SELECT 3, 'w' ORDER BY b DESC;
-- types: ["INT", "STRING"]
-- row: [1, "y"]
-- row: [2, "x"]
-- row: [3, "w"]

-- title: order of a union by expression
SELECT a FROM VALUES (2),(-3) AS t(a) UNION ALL SELECT 1 ORDER BY abs(a) DESC;
-- types: ["INT"]
-- row: [-3]
-- row: [2]
-- row: [1]

-- title: order by with nulls and position
SELECT a, b FROM VALUES (2,'x'),(NULL,'y'),(1,NULL) AS t(a,b) ORDER BY 1 DESC, b;
-- types: ["INT", "STRING"]
-- row: [2, "x"]
-- row: [1, null]
-- row: [null, "y"]

-- title: order by what is not selected
SELECT b FROM VALUES (2,'x'),(3,'y'),(1,'z') AS t(a,b) ORDER BY a DESC;
-- types: ["STRING"]
-- row: ["y"]
-- row: ["x"]
-- row: ["z"]

-- title: order by alias inside an expression
SELECT a, b AS n FROM VALUES (2,1),(3,9),(1,5) AS t(a,b) ORDER BY n + a DESC LIMIT 2;
-- types: ["INT", "INT"]
-- row: [3, 9]
-- row: [1, 5]

-- title: top n inside a sub-query
SELECT sum(v) FROM (SELECT v FROM VALUES (5),(3),(9) AS t(v) ORDER BY v DESC LIMIT 2) q;
-- types: ["BIGINT"]
-- row: [14]

-- title: limit with offset
SELECT v FROM VALUES (5),(3),(9) AS t(v) ORDER BY v LIMIT 1 OFFSET 1;
-- types: ["INT"]
-- row: [5]

-- title: distribute and sort by leave the rows
SELECT a FROM VALUES (2),(1) AS t(a) DISTRIBUTE BY a SORT BY a;
-- types: ["INT"]
-- row: [1]
-- row: [2]

-- title: in a sub-query
SELECT a FROM VALUES (1),(2),(NULL) AS t(a) WHERE a IN (SELECT b FROM VALUES (1),(3) AS u(b));
-- types: ["INT"]
-- row: [1]

-- title: not in a sub-query with null
SELECT a FROM VALUES (1),(2),(NULL) AS t(a) WHERE a NOT IN (SELECT b FROM VALUES (1),(NULL) AS u(b));
-- types: ["INT"]

-- title: not in a sub-query
SELECT a FROM VALUES (1),(2),(NULL) AS t(a) WHERE a NOT IN (SELECT b FROM VALUES (1) AS u(b));
-- types: ["INT"]
-- row: [2]

-- title: tuples in a sub-query and in a list
SELECT a, b FROM VALUES (1,'x'),(2,'y') AS t(a,b) WHERE (a, b) IN (SELECT c, d FROM VALUES (1,'x'),(2,'z') AS u(c,d)) OR (a, b) IN ((2,'y'),(3,'q'));
-- types: ["INT", "STRING"]
-- row: [1, "x"]
-- row: [2, "y"]

-- title: exists and not exists, correlated
SELECT a FROM VALUES (1),(2),(3) AS t(a) WHERE EXISTS (SELECT 1 FROM VALUES (1),(2) AS u(b) WHERE u.b = t.a) AND NOT EXISTS (SELECT 1 FROM VALUES (2) AS w(c) WHERE w.c = t.a);
-- types: ["INT"]
-- row: [1]

-- title: correlated scalar sub-query
SELECT a, (SELECT max(v) FROM VALUES (1,10),(1,20),(2,5) AS u(k,v) WHERE u.k = t.a) AS m FROM VALUES (1),(2),(3) AS t(a);
-- types: ["INT", "INT"]
-- row: [1, 20]
-- row: [2, 5]
-- row: [3, null]

-- title: scalar sub-query in a condition
SELECT v FROM VALUES (1),(5),(9) AS t(v) WHERE v > (SELECT avg(v) FROM VALUES (1),(5),(9) AS u(v));
-- types: ["INT"]
-- row: [9]

-- title: sub-query in FROM three deep
SELECT x.c FROM (SELECT y.a + y.b AS c FROM (SELECT a, b FROM (SELECT 1 AS a, 2 AS b) z) y) x;
-- types: ["INT"]
-- row: [3]

-- title: duplicated output names below a star
SELECT q.* FROM (SELECT a.id, b.v FROM VALUES (1,'p') AS a(id,v) JOIN VALUES (1,'q') AS b(id,v) ON a.id = b.id) q;
-- types: ["INT", "STRING"]
-- row: [1, "q"]

-- title: star with other items
SELECT t.*, a + 1 AS n, 'k' AS k FROM VALUES (1,'x') AS t(a,b);
-- types: ["INT", "STRING", "INT", "STRING"]
-- row: [1, "x", 2, "k"]

-- title: lateral column alias
SELECT a + 1 AS b, b * 2 AS c, c + b AS d FROM VALUES (1),(2) AS t(a);
-- types: ["INT", "INT", "INT"]
-- row: [2, 4, 6]
-- row: [3, 6, 9]

-- title: an input column hides an alias
SELECT a AS b, b AS c FROM VALUES (1,2) AS t(a,b);
-- types: ["INT", "INT"]
-- row: [1, 2]

-- title: inline values with mixed types
SELECT * FROM VALUES (1, 'a', NULL), (2.5, 'b', true) AS t(x, y, z);
-- types: ["DECIMAL(11,1)", "STRING", "BOOLEAN"]
-- row: [1.0, "a", null]
-- row: [2.5, "b", true]

-- title: values as a query
VALUES (1, 'a'), (2, 'b');
-- types: ["INT", "STRING"]
-- row: [1, "a"]
-- row: [2, "b"]

-- title: select without from
SELECT 1 AS a, 'x' AS b, NULL AS c, true AS d, DATE '2024-02-29' AS e, TIMESTAMP '2024-02-29 10:00:00' AS f;
-- types: ["INT", "STRING", "VOID", "BOOLEAN", "DATE", "TIMESTAMP"]
-- row: [1, "x", null, true, "2024-02-29", "2024-02-29 10:00:00"]

-- title: from first
FROM VALUES (1),(2) AS t(a) SELECT a WHERE a > 1;
-- types: ["INT"]
-- row: [2]

-- title: names in back quotes and other letter case
SELECT T.`Select` AS `group`, t.ID FROM VALUES (1, 2) AS t(`select`, id);
-- types: ["INT", "INT"]
-- row: [1, 2]

-- title: struct column passed on and read
SELECT q.s.a.b AS v FROM (SELECT named_struct('a', named_struct('b', 5)) AS s) q;
-- types: ["INT"]
-- row: [5]
