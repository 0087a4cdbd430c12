-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: row_number, rank and dense_rank
SELECT id, row_number() OVER (PARTITION BY g ORDER BY v DESC, id) AS rn, rank() OVER (PARTITION BY g ORDER BY v DESC) AS r, dense_rank() OVER (PARTITION BY g ORDER BY v DESC) AS dr FROM VALUES (1,'a',5),(2,'a',5),(3,'a',1),(4,'b',NULL) AS t(id,g,v);
-- types: ["INT", "INT", "INT", "INT"]
-- row: [1, 1, 1, 1]
-- row: [2, 2, 1, 1]
-- row: [3, 3, 3, 2]
-- row: [4, 1, 1, 1]

-- title: null order in windows
SELECT id, row_number() OVER (ORDER BY v) AS up, row_number() OVER (ORDER BY v DESC) AS down, row_number() OVER (ORDER BY v DESC NULLS FIRST) AS df, row_number() OVER (ORDER BY v NULLS LAST) AS nl FROM VALUES (1,5),(2,NULL),(3,1) AS t(id,v);
-- types: ["INT", "INT", "INT", "INT", "INT"]
-- row: [3, 2, 2, 3, 1]
-- row: [1, 3, 1, 2, 2]
-- row: [2, 1, 3, 1, 3]

-- title: lag and lead with defaults
SELECT id, lag(v) OVER (ORDER BY id) AS p, lag(v, 2, 0) OVER (ORDER BY id) AS p2, lead(v, 1, -1) OVER (ORDER BY id) AS n FROM VALUES (1,10),(2,20),(3,30) AS t(id,v);
-- types: ["INT", "INT", "INT", "INT"]
-- row: [1, null, 0, 20]
-- row: [2, 10, 0, 30]
-- row: [3, 20, 10, -1]

-- title: running sums and frames
SELECT id, sum(v) OVER (ORDER BY id) AS run, sum(v) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS two, avg(v) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS mid, count(*) OVER () AS n FROM VALUES (1,10),(2,20),(3,30) AS t(id,v);
-- types: ["INT", "BIGINT", "BIGINT", "DOUBLE", "BIGINT"]
-- row: [1, 10, 10, 15.0, 3]
-- row: [2, 30, 30, 20.0, 3]
-- row: [3, 60, 50, 25.0, 3]

-- title: default frame has peers
SELECT id, sum(v) OVER (ORDER BY k) AS s, last_value(v) OVER (ORDER BY k) AS l, first_value(v) OVER (PARTITION BY k ORDER BY id) AS f FROM VALUES (1,1,10),(2,1,20),(3,2,30) AS t(id,k,v);
-- types: ["INT", "BIGINT", "INT", "INT"]
-- row: [1, 30, 20, 10]
-- row: [2, 30, 20, 10]
-- row: [3, 60, 30, 30]

-- title: last_value with a full frame
SELECT id, last_value(v) OVER (PARTITION BY g ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS l FROM VALUES (1,'a',10),(2,'a',20),(3,'b',30) AS t(id,g,v);
-- types: ["INT", "INT"]
-- row: [1, 20]
-- row: [2, 20]
-- row: [3, 30]

-- title: range frame over numbers
SELECT id, sum(v) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM VALUES (1,10),(2,20),(4,40) AS t(id,v);
-- types: ["INT", "BIGINT"]
-- row: [1, 10]
-- row: [2, 30]
-- row: [4, 40]

-- title: range frame over dates
SELECT d, sum(v) OVER (ORDER BY d RANGE BETWEEN INTERVAL 2 DAYS PRECEDING AND CURRENT ROW) AS s FROM VALUES (DATE '2024-03-01',1),(DATE '2024-03-02',2),(DATE '2024-03-05',4) AS t(d,v);
-- types: ["DATE", "BIGINT"]
-- row: ["2024-03-01", 1]
-- row: ["2024-03-02", 3]
-- row: ["2024-03-05", 4]

-- title: named windows
SELECT id, sum(v) OVER w AS s, row_number() OVER o AS r FROM VALUES (1,'a',10),(2,'a',20),(3,'b',30) AS t(id,g,v) WINDOW w AS (PARTITION BY g), o AS (PARTITION BY g ORDER BY v DESC);
-- types: ["INT", "BIGINT", "INT"]
-- row: [2, 30, 1]
-- row: [1, 30, 2]
-- row: [3, 30, 1]

-- title: distribute and sort in windows
SELECT id, row_number() OVER (DISTRIBUTE BY g SORT BY v DESC) AS r FROM VALUES (1,'a',10),(2,'a',20),(3,'b',30) AS t(id,g,v);
-- types: ["INT", "INT"]
-- row: [2, 1]
-- row: [1, 2]
-- row: [3, 1]

-- title: windows over aggregates
SELECT g, sum(v) AS s, rank() OVER (ORDER BY sum(v) DESC) AS r, sum(v) / sum(sum(v)) OVER () AS share, sum(sum(v)) OVER (ORDER BY g) AS cum FROM VALUES ('a',10),('a',20),('b',10) AS t(g,v) GROUP BY g;
-- types: ["STRING", "BIGINT", "INT", "DOUBLE", "BIGINT"]
-- row: ["a", 30, 1, 0.75, 30]
-- row: ["b", 10, 2, 0.25, 40]

-- title: ntile, percent_rank and cume_dist
SELECT id, ntile(2) OVER (ORDER BY id) AS t, percent_rank() OVER (ORDER BY id) AS p, cume_dist() OVER (ORDER BY id) AS c, nth_value(id, 2) OVER (ORDER BY id) AS nth FROM VALUES (1),(2),(3) AS t(id);
-- types: ["INT", "INT", "DOUBLE", "DOUBLE", "INT"]
-- row: [1, 1, 0.0, 0.3333333333333333, null]
-- row: [2, 1, 0.5, 0.6666666666666666, 2]
-- row: [3, 2, 1.0, 1.0, 2]

-- title: ignore nulls
SELECT id, last_value(v, true) OVER (ORDER BY id) AS l, first_value(v) IGNORE NULLS OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS f FROM VALUES (1,NULL),(2,20),(3,NULL) AS t(id,v);
-- types: ["INT", "INT", "INT"]
-- row: [1, null, 20]
-- row: [2, 20, 20]
-- row: [3, 20, 20]

-- title: deduplication
SELECT id, v FROM (SELECT id, v, row_number() OVER (PARTITION BY id ORDER BY ts DESC) AS rn FROM VALUES (1,'old','2024-01-01'),(1,'new','2024-01-02'),(2,'only','2024-01-01') AS t(id,v,ts)) x WHERE rn = 1;
-- types: ["INT", "STRING"]
-- row: [1, "new"]
-- row: [2, "only"]

-- title: qualify
SELECT id, v FROM VALUES (1,'old',1),(1,'new',2),(2,'only',1) AS t(id,v,ts) QUALIFY row_number() OVER (PARTITION BY id ORDER BY ts DESC) = 1;
-- types: ["INT", "STRING"]
-- row: [1, "new"]
-- row: [2, "only"]

-- title: sessions by a gap
SELECT id, sum(fresh) OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING) AS session FROM (SELECT id, ts, CASE WHEN ts - lag(ts) OVER (ORDER BY ts) > 30 OR lag(ts) OVER (ORDER BY ts) IS NULL THEN 1 ELSE 0 END AS fresh FROM VALUES (1,10),(2,20),(3,90) AS t(id,ts)) s;
-- types: ["INT", "BIGINT"]
-- row: [1, 1]
-- row: [2, 1]
-- row: [3, 2]

-- title: collected in a window
SELECT id, collect_list(v) OVER (PARTITION BY g ORDER BY id) AS l FROM VALUES (1,'a','x'),(2,'a','y'),(3,'b','z') AS t(id,g,v);
-- types: ["INT", "array<string>"]
-- row: [1, ["x"]]
-- row: [2, ["x", "y"]]
-- row: [3, ["z"]]

-- title: difference to the partition's average of decimals
SELECT id, v - avg(v) OVER (PARTITION BY g) AS d, v / sum(v) OVER (PARTITION BY g) AS share FROM VALUES (1,'a',1.10BD),(2,'a',2.25BD),(3,'b',3.00BD) AS t(id,g,v);
-- types: ["INT", "DECIMAL(8,6)", "DECIMAL(19,16)"]
-- row: [1, -0.575, 0.3283582089552239]
-- row: [2, 0.575, 0.6716417910447761]
-- row: [3, 0.0, 1.0]

-- title: a row as the key of a window's partition
SELECT id, count(*) OVER (PARTITION BY (g, h)) AS n, row_number() OVER (PARTITION BY(g, h) ORDER BY id) AS r FROM VALUES (1,'a','x'),(2,'a','x'),(3,'a',NULL),(4,'a',NULL),(5,'b','x') AS t(id,g,h);
-- types: ["INT", "BIGINT", "INT"]
-- row: [3, 2, 1]
-- row: [4, 2, 2]
-- row: [1, 2, 1]
-- row: [2, 2, 2]
-- row: [5, 1, 1]
