-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: grouping sets in Hive's form
SELECT a, b, grouping__id, sum(v) FROM VALUES ('x','p',1),('x','q',2),('y','p',3) AS t(a,b,v) GROUP BY a, b GROUPING SETS ((a,b),(a),());
-- types: ["STRING", "STRING", "BIGINT", "BIGINT"]
-- row: ["x", "p", 0, 1]
-- row: ["x", "q", 0, 2]
-- row: ["y", "p", 0, 3]
-- row: ["x", null, 1, 3]
-- row: [null, null, 3, 6]
-- row: ["y", null, 1, 3]

-- title: grouping sets in Spark's form
SELECT a, b, grouping(a) AS ga, grouping(b) AS gb, grouping_id(a,b) AS gid, count(*) FROM VALUES ('x','p'),('x','q'),(NULL,'p') AS t(a,b) GROUP BY GROUPING SETS ((a,b),a,());
-- types: ["STRING", "STRING", "INT", "INT", "BIGINT", "BIGINT"]
-- row: ["x", "p", 0, 0, 0, 1]
-- row: ["x", "q", 0, 0, 0, 1]
-- row: ["x", null, 0, 1, 1, 2]
-- row: [null, null, 1, 1, 3, 3]
-- row: [null, "p", 0, 0, 0, 1]
-- row: [null, null, 0, 1, 1, 1]

-- title: with rollup
SELECT a, b, sum(v), grouping__id FROM VALUES ('x','p',1),('x','q',2),('y','p',3) AS t(a,b,v) GROUP BY a, b WITH ROLLUP;
-- types: ["STRING", "STRING", "BIGINT", "BIGINT"]
-- row: ["x", "p", 1, 0]
-- row: ["x", "q", 2, 0]
-- row: ["y", "p", 3, 0]
-- row: ["x", null, 3, 1]
-- row: [null, null, 6, 3]
-- row: ["y", null, 3, 1]

-- title: rollup function
SELECT coalesce(a,'ALL') AS a, coalesce(b,'ALL') AS b, sum(v) FROM VALUES ('x','p',1),('x','q',2),('y','p',3) AS t(a,b,v) GROUP BY rollup(a, b);
-- types: ["STRING", "STRING", "BIGINT"]
-- row: ["x", "p", 1]
-- row: ["x", "q", 2]
-- row: ["y", "p", 3]
-- row: ["x", "ALL", 3]
-- row: ["ALL", "ALL", 6]
-- row: ["y", "ALL", 3]

-- title: with cube
SELECT a, b, count(*), grouping_id() FROM VALUES ('x','p'),('x','q'),('y','p') AS t(a,b) GROUP BY a, b WITH CUBE;
-- types: ["STRING", "STRING", "BIGINT", "BIGINT"]
-- row: ["x", "p", 1, 0]
-- row: ["x", "q", 1, 0]
-- row: ["y", "p", 1, 0]
-- row: ["x", null, 2, 1]
-- row: [null, "p", 2, 2]
-- row: [null, null, 3, 3]
-- row: [null, "q", 1, 2]
-- row: ["y", null, 1, 1]

-- title: partial rollup
SELECT a, b, sum(v) FROM VALUES ('x','p',1),('y','q',2) AS t(a,b,v) GROUP BY a, ROLLUP(b);
-- types: ["STRING", "STRING", "BIGINT"]
-- row: ["x", "p", 1]
-- row: ["y", "q", 2]
-- row: ["x", null, 1]
-- row: ["y", null, 2]

-- title: rollup of an expression with having and order
SELECT substr(d,1,7) AS m, g, sum(v) AS s FROM VALUES ('2024-01-01','a',1),('2024-01-02','b',2),('2024-02-01','a',3) AS t(d,g,v) GROUP BY substr(d,1,7), g WITH ROLLUP HAVING sum(v) > 1 ORDER BY s DESC, m, g;
-- types: ["STRING", "STRING", "BIGINT"]
-- row: [null, null, 6]
-- row: ["2024-01", null, 3]
-- row: ["2024-02", null, 3]
-- row: ["2024-02", "a", 3]
-- row: ["2024-01", "b", 2]

-- title: aggregates of a grouping column see its values
SELECT a, count(a), max(a) FROM VALUES ('x'),('y'),(NULL) AS t(a) GROUP BY a WITH ROLLUP;
-- types: ["STRING", "BIGINT", "STRING"]
-- row: [null, 0, null]
-- row: [null, 2, "y"]
-- row: ["x", 1, "x"]
-- row: ["y", 1, "y"]

-- title: window over grouping sets
SELECT a, b, sum(v) AS s, rank() OVER (PARTITION BY grouping__id ORDER BY sum(v) DESC, a) AS r FROM VALUES ('x','p',1),('x','q',2),('y','p',3) AS t(a,b,v) GROUP BY a, b GROUPING SETS ((a),(b));
-- types: ["STRING", "STRING", "BIGINT", "INT"]
-- row: ["x", null, 3, 1]
-- row: ["y", null, 3, 2]
-- row: [null, "p", 4, 1]
-- row: [null, "q", 2, 2]

-- title: rollup over a join with case on grouping
SELECT CASE WHEN grouping(t.a) = 1 THEN 'TOTAL' ELSE t.a END AS label, sum(t.v * u.f) AS s, count(DISTINCT u.k) AS c FROM VALUES ('x',1),('y',2) AS t(a,v) JOIN VALUES ('x',10,'k1'),('y',20,'k1') AS u(a,f,k) ON t.a = u.a GROUP BY t.a WITH ROLLUP;
-- types: ["STRING", "BIGINT", "BIGINT"]
-- row: ["x", 10, 1]
-- row: ["y", 40, 1]
-- row: ["TOTAL", 50, 1]

-- title: rollup of an empty input
SELECT a, count(*) FROM VALUES ('x') AS t(a) WHERE a = 'nope' GROUP BY a WITH ROLLUP;
-- types: ["STRING", "BIGINT"]

-- title: distinct over a cube
SELECT DISTINCT a, count(*) > 0 AS c FROM VALUES ('x','p'),('x','q') AS t(a,b) GROUP BY a, b WITH CUBE;
-- types: ["STRING", "BOOLEAN"]
-- row: ["x", 1]
-- row: [null, 1]

-- title: group by ordinal and alias
SELECT upper(a) AS u, length(a) AS l, count(*) FROM VALUES ('x'),('X'),('yy') AS t(a) GROUP BY 1, l;
-- types: ["STRING", "INT", "BIGINT"]
-- row: ["X", 1, 2]
-- row: ["YY", 2, 1]

-- title: group by with a constant
SELECT 'DETAIL' AS kind, a, count(1) FROM VALUES ('x'),('x') AS t(a) GROUP BY 'DETAIL', a;
-- types: ["STRING", "STRING", "BIGINT"]
-- row: ["DETAIL", "x", 2]

-- title: having with an alias
SELECT a, sum(v) AS s FROM VALUES ('x',1),('x',2),('y',1) AS t(a,v) GROUP BY a HAVING s > 1;
-- types: ["STRING", "BIGINT"]
-- row: ["x", 3]

-- title: having without group by
SELECT sum(v) AS s FROM VALUES (1),(2) AS t(v) HAVING count(*) > 5;
-- types: ["BIGINT"]

-- title: aggregate without rows
SELECT count(*), count(v), sum(v), max(v), avg(v) FROM VALUES (1) AS t(v) WHERE v > 9;
-- types: ["BIGINT", "BIGINT", "BIGINT", "INT", "DOUBLE"]
-- row: [0, 0, null, null, null]

-- title: count distinct of several columns
SELECT count(DISTINCT a, b), count(DISTINCT a), count(a, b) FROM VALUES (1,'x'),(1,'x'),(1,NULL),(2,'x') AS t(a,b);
-- types: ["BIGINT", "BIGINT", "BIGINT"]
-- row: [2, 2, 3]

-- title: filter clause
SELECT g, count(*) FILTER (WHERE v > 1) AS c, sum(v) FILTER (WHERE v < 3) AS s FROM VALUES ('a',1),('a',2),('b',3) AS t(g,v) GROUP BY g;
-- types: ["STRING", "BIGINT", "BIGINT"]
-- row: ["a", 1, 3]
-- row: ["b", 1, null]

-- title: conditional sums
SELECT sum(CASE WHEN v > 1 THEN 1 ELSE 0 END), sum(if(v = 1, v, 0)), count(CASE WHEN v > 1 THEN 1 END), count_if(v > 1), avg(coalesce(v, 0)), sum(DISTINCT v) FROM VALUES (1),(2),(2),(NULL) AS t(v);
-- types: ["BIGINT", "BIGINT", "BIGINT", "BIGINT", "DOUBLE", "BIGINT"]
-- row: [2, 1, 2, 2, 1.25, 3]

-- title: sums and averages by type
SELECT sum(i), avg(i), sum(d), avg(d), sum(c), avg(c), sum(s), avg(s) FROM VALUES (1, 0.1D, 0.10BD, '1.5'), (2, 0.2D, 0.20BD, 'x'), (4, 0.3D, 0.35BD, '2') AS t(i,d,c,s);
-- types: ["BIGINT", "DOUBLE", "DOUBLE", "DOUBLE", "DECIMAL(12,2)", "DECIMAL(6,6)", "DOUBLE", "DOUBLE"]
-- row: [7, 2.3333333333333335, 0.6000000000000001, 0.20000000000000004, 0.65, 0.216667, 3.5, 1.75]

-- title: statistics
SELECT round(stddev_pop(v),6), round(stddev(v),6), round(variance(v),6), percentile_approx(v, 0.5), max_by(k, v), min_by(k, v) FROM VALUES ('a',1),('b',2),('c',4) AS t(k,v);
-- types: ["DOUBLE", "DOUBLE", "DOUBLE", "INT", "STRING", "STRING"]
-- row: [1.247219, 1.527525, 2.333333, 2, "c", "a"]

-- title: boolean aggregates
SELECT bool_and(v > 0), bool_or(v > 2), max(v > 2), min(v > 0) FROM VALUES (1),(3) AS t(v);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, 1, 1, 1]

-- title: distinct rows with nulls
SELECT DISTINCT a, b FROM VALUES (1,NULL),(1,NULL),(NULL,NULL),(2,'x') AS t(a,b);
-- types: ["INT", "STRING"]
-- row: [2, "x"]
-- row: [1, null]
-- row: [null, null]

-- title: the first value of a key where the set groups by it
SELECT coalesce(k, 'all') AS k, if(grouping(k) = 1 OR first(k) IN ('v', 'a'), sum(n), NULL) AS s, count(*) AS c FROM VALUES ('v', 1), ('v', 2), ('a', 3), ('x', 4), (NULL, 5) AS t(k, n) GROUP BY k GROUPING SETS ((k), ()) ORDER BY k, c;
-- types: ["STRING", "BIGINT", "BIGINT"]
-- row: ["a", 3, 1]
-- row: ["all", null, 1]
-- row: ["all", 15, 5]
-- row: ["v", 3, 2]
-- row: ["x", null, 1]

-- title: columns that are called as operators
SELECT id, like, sum(v) AS s FROM VALUES (1, 1, 2), (1, 1, 3), (2, 0, 4) AS t(id, like, v) WHERE like = 1 OR (like < 1 AND v > 3) GROUP BY id, like ORDER BY like;
-- types: ["INT", "INT", "BIGINT"]
-- row: [2, 0, 4]
-- row: [1, 1, 5]

-- title: a column called default
SELECT k, sum(default) AS s, max(Default) AS m FROM VALUES ('a', 1), ('a', 2), ('b', 3) AS t(k, default) WHERE default > 0 GROUP BY k ORDER BY k;
-- types: ["STRING", "BIGINT", "INT"]
-- row: ["a", 3, 2]
-- row: ["b", 3, 3]

-- title: a star of one joined table beside GROUP BY of its columns
SELECT h.*, count(*) AS c FROM VALUES ('a', 'x'), ('b', 'y') AS h(id, site) JOIN VALUES ('a'), ('a') AS m(k) ON h.id = m.k GROUP BY h.id, h.site ORDER BY h.id;
-- types: ["STRING", "STRING", "BIGINT"]
-- row: ["a", "x", 2]

-- title: a star without what is not grouped
SELECT * EXCEPT (v), sum(v) AS s FROM VALUES ('a', 1), ('a', 2) AS t(k, v) GROUP BY k ORDER BY k;
-- types: ["STRING", "BIGINT"]
-- row: ["a", 3]

-- title: a star over USING beside GROUP BY of its key
SELECT *, count(*) AS c FROM VALUES ('a'), ('b') AS t(k) JOIN VALUES ('a'), ('a') AS u(k) USING (k) GROUP BY k ORDER BY k;
-- types: ["STRING", "BIGINT"]
-- row: ["a", 2]

-- title: the greatest of structures goes by their fields in turn, and NULL is less than anything
SELECT k, max(named_struct('n', n, 'v', v)) AS greatest, min(struct(n, v)).v AS least, max(array(n, v)) AS list FROM VALUES ('a',2,10),('a',10,3),('a',10,NULL),('b',NULL,1),('b',NULL,2) AS t(k,n,v) GROUP BY k;
-- types: ["STRING", "struct<n:int,v:int>", "INT", "array<int>"]
-- row: ["a", {"n": 10, "v": 3}, 10, [10, 3]]
-- row: ["b", {"n": null, "v": 2}, 1, [null, 2]]

-- title: the greatest structure of a window
SELECT k, n, max(struct(n, v)) OVER (PARTITION BY k ORDER BY n).v AS latest FROM VALUES ('a',2,10),('a',10,3),('b',1,7) AS t(k,n,v);
-- types: ["STRING", "INT", "INT"]
-- row: ["a", 2, 10]
-- row: ["a", 10, 3]
-- row: ["b", 1, 7]
