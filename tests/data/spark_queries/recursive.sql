-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: a hierarchy with its levels
WITH RECURSIVE e AS (SELECT * FROM VALUES (1, CAST(NULL AS INT), 'ann'), (2, 1, 'bob'), (3, 1, 'cy'), (4, 2, 'dee'), (5, 4, 'eve'), (6, 7, 'odd') AS t(id, mgr, name)), h AS (SELECT id, mgr, 1 AS lvl FROM e WHERE mgr IS NULL UNION ALL SELECT e.id, e.mgr, h.lvl + 1 FROM e JOIN h ON e.mgr = h.id) SELECT * FROM h;
-- types: ["INT", "INT", "INT"]
-- row: [1, null, 1]
-- row: [2, 1, 2]
-- row: [3, 1, 2]
-- row: [4, 2, 3]
-- row: [5, 4, 4]

-- title: paths, with a column list
WITH RECURSIVE h(a, b) AS (SELECT id, name FROM VALUES (1, 'ann') AS t(id, name) UNION ALL SELECT e.id, concat(h.b, '/', e.name) FROM VALUES (2, 1, 'bob'), (3, 1, 'cy'), (4, 2, 'dee') AS e(id, mgr, name) JOIN h ON e.mgr = h.a) SELECT * FROM h;
-- types: ["INT", "STRING"]
-- row: [1, "ann"]
-- row: [2, "ann/bob"]
-- row: [3, "ann/cy"]
-- row: [4, "ann/bob/dee"]

-- title: a series of numbers and a chosen limit
WITH RECURSIVE n(x) MAX RECURSION LEVEL 150 AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 120) SELECT max(x), count(*), sum(x) FROM n;
-- types: ["INT", "BIGINT", "BIGINT"]
-- row: [120, 120, 7260]

-- title: the most levels without a limit
WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 100) SELECT max(x), count(*) FROM n;
-- types: ["INT", "BIGINT"]
-- row: [100, 100]

-- title: a series of days joined with values
WITH RECURSIVE d AS (SELECT DATE '2024-02-27' AS d UNION ALL SELECT date_add(d, 1) FROM d WHERE d < DATE '2024-03-02') SELECT d.d, t.v FROM d LEFT JOIN VALUES (DATE '2024-02-29', 7) AS t(k, v) ON d.d = t.k;
-- types: ["DATE", "INT"]
-- row: ["2024-02-27", null]
-- row: ["2024-02-28", null]
-- row: ["2024-02-29", 7]
-- row: ["2024-03-01", null]
-- row: ["2024-03-02", null]

-- title: the second side takes the types of the first
WITH RECURSIVE h(a, b, c) AS (SELECT 1, CAST(1 AS BIGINT), CAST(1 AS DECIMAL(20,2)) UNION ALL SELECT a + 1, a, CAST(c * 2 AS DECIMAL(10,2)) FROM h WHERE a < 4) SELECT * FROM h;
-- types: ["INT", "BIGINT", "DECIMAL(20,2)"]
-- row: [1, 1, 1.0]
-- row: [2, 1, 2.0]
-- row: [3, 2, 4.0]
-- row: [4, 3, 8.0]

-- title: both sides of the first side, and a left join to the rows before
WITH RECURSIVE h AS (SELECT 1 AS id UNION ALL SELECT 3 UNION ALL SELECT e.id FROM h LEFT JOIN VALUES (2, 1), (3, 1), (4, 2), (5, 4) AS e(id, mgr) ON e.mgr = h.id WHERE e.id IS NOT NULL) SELECT id, count(*) FROM h GROUP BY id;
-- types: ["INT", "BIGINT"]
-- row: [1, 1]
-- row: [3, 2]
-- row: [2, 1]
-- row: [4, 1]
-- row: [5, 1]

-- title: a recursive table read twice and below another
WITH RECURSIVE h AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM h WHERE id < 5), k AS (SELECT max(id) AS m FROM h) SELECT a.id, b.id, k.m FROM h a JOIN h b ON a.id = b.id + 1 CROSS JOIN k;
-- types: ["INT", "INT", "INT"]
-- row: [2, 1, 5]
-- row: [3, 2, 5]
-- row: [4, 3, 5]
-- row: [5, 4, 5]

-- title: with a lateral view and a cross join
WITH RECURSIVE h AS (SELECT 1 AS id UNION ALL SELECT h.id * 10 + z FROM h LATERAL VIEW explode(array(1, 2)) t AS z WHERE h.id < 100) SELECT id FROM h;
-- types: ["INT"]
-- row: [1]
-- row: [11]
-- row: [12]
-- row: [111]
-- row: [112]
-- row: [121]
-- row: [122]

-- title: inside a sub-query
SELECT q.x + 1 FROM (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3) SELECT * FROM n) q;
-- types: ["INT"]
-- row: [2]
-- row: [3]
-- row: [4]

-- title: recursion in a sub-query of FROM
SELECT x.id, x.lvl FROM (WITH RECURSIVE e AS (SELECT * FROM VALUES (1, CAST(NULL AS INT), 'ann'), (2, 1, 'bob'), (3, 1, 'cy'), (4, 2, 'dee') AS t(id, mgr, name)), h AS (SELECT id, mgr, 1 AS lvl FROM e WHERE mgr IS NULL UNION ALL SELECT e.id, e.mgr, h.lvl + 1 FROM e JOIN h ON e.mgr = h.id) SELECT id, lvl FROM h WHERE lvl > 1) x;
-- types: ["INT", "INT"]
-- row: [2, 2]
-- row: [3, 2]
-- row: [4, 3]

-- title: recursion under IN
SELECT a FROM VALUES (1), (4), (9) AS t(a) WHERE a IN (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT x FROM n);
-- types: ["INT"]
-- row: [1]
-- row: [4]

-- title: recursion under EXISTS, correlated behind it
SELECT a FROM VALUES (1), (4), (9) AS t(a) WHERE EXISTS (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT 1 FROM n WHERE n.x = t.a + 1);
-- types: ["INT"]
-- row: [1]
-- row: [4]

-- title: recursion in a scalar sub-query
SELECT a, (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x * 2 FROM n WHERE x < 50) SELECT max(x) FROM n) AS m FROM VALUES (1), (2) AS t(a);
-- types: ["INT", "INT"]
-- row: [1, 64]
-- row: [2, 64]

-- title: recursion in a CTE of another WITH
WITH b AS (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 4) SELECT x, x * x AS y FROM n) SELECT max(x), sum(y) FROM b;
-- types: ["INT", "BIGINT"]
-- row: [4, 30]

-- title: WITH inside a recursive CTE
WITH RECURSIVE h AS (WITH e AS (SELECT * FROM VALUES (1, CAST(NULL AS INT), 'ann'), (2, 1, 'bob'), (3, 1, 'cy'), (4, 2, 'dee') AS t(id, mgr, name)) SELECT id, name, 1 AS lvl FROM e WHERE mgr IS NULL UNION ALL SELECT e.id, concat(h.name, '/', e.name), h.lvl + 1 FROM e JOIN h ON e.mgr = h.id) SELECT * FROM h;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "ann", 1]
-- row: [2, "ann/bob", 2]
-- row: [3, "ann/cy", 2]
-- row: [4, "ann/bob/dee", 3]
