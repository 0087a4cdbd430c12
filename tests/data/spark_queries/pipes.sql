-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: from alone
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "a", 10]
-- row: [2, "b", 20]
-- row: [1, "b", 30]
-- row: [3, null, null]
-- row: [4, "a", 5]

-- title: table alone, ordered
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) TABLE t ORDER BY x DESC LIMIT 2;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "b", 30]
-- row: [2, "b", 20]

-- title: table in a union
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) TABLE u UNION ALL TABLE u;
-- types: ["INT", "DOUBLE"]
-- row: [1, 1.5]
-- row: [1, 2.5]
-- row: [2, 3.5]
-- row: [9, null]
-- row: [1, 1.5]
-- row: [1, 2.5]
-- row: [2, 3.5]
-- row: [9, null]

-- title: where
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> WHERE x > 5;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "a", 10]
-- row: [2, "b", 20]
-- row: [1, "b", 30]

-- title: where twice
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> WHERE x > 5 |> WHERE t.k = 'b';
-- types: ["INT", "STRING", "INT"]
-- row: [2, "b", 20]
-- row: [1, "b", 30]

-- title: where and select with a qualifier
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t a |> WHERE a.x > 5 |> SELECT a.id, a.x * 2 AS twice;
-- types: ["INT", "INT"]
-- row: [1, 20]
-- row: [2, 40]
-- row: [1, 60]

-- title: select after select
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SELECT id + 1 AS n, k |> SELECT n * 2 AS m, k |> WHERE m > 4;
-- types: ["INT", "STRING"]
-- row: [6, "b"]
-- row: [8, null]
-- row: [10, "a"]

-- title: extend
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> EXTEND x + 1 AS y;
-- types: ["INT", "STRING", "INT", "INT"]
-- row: [1, "a", 10, 11]
-- row: [2, "b", 20, 21]
-- row: [1, "b", 30, 31]
-- row: [3, null, null, null]
-- row: [4, "a", 5, 6]

-- title: extend names what it extends by
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> EXTEND x + 1 AS y, y * 2 AS z |> SELECT id, z;
-- types: ["INT", "INT"]
-- row: [1, 22]
-- row: [2, 42]
-- row: [1, 62]
-- row: [3, null]
-- row: [4, 12]

-- title: extend without an alias
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> EXTEND upper(k) |> LIMIT 1;
-- types: ["INT", "STRING", "INT", "STRING"]
-- row: [1, "a", 10, "A"]

-- title: extend by a window
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> EXTEND row_number() OVER (PARTITION BY k ORDER BY x) AS n |> WHERE n = 1 |> DROP n;
-- types: ["INT", "STRING", "INT"]
-- row: [3, null, null]
-- row: [4, "a", 5]
-- row: [2, "b", 20]

-- title: extend by a named window
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> EXTEND sum(x) OVER w AS s WINDOW w AS (PARTITION BY id);
-- types: ["INT", "STRING", "INT", "BIGINT"]
-- row: [1, "a", 10, 40]
-- row: [1, "b", 30, 40]
-- row: [2, "b", 20, 20]
-- row: [3, null, null, null]
-- row: [4, "a", 5, 5]

-- title: extend by a generator
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> WHERE id < 3 |> EXTEND explode(array(1, 2)) AS e |> SELECT id, e;
-- types: ["INT", "INT"]
-- row: [1, 1]
-- row: [1, 2]
-- row: [2, 1]
-- row: [2, 2]
-- row: [1, 1]
-- row: [1, 2]

-- title: set
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SET x = coalesce(x, 0);
-- types: ["INT", "STRING", "INT"]
-- row: [1, "a", 10]
-- row: [2, "b", 20]
-- row: [1, "b", 30]
-- row: [3, null, 0]
-- row: [4, "a", 5]

-- title: set changes types
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SET k = length(k) |> WHERE k + 1 > 1;
-- types: ["INT", "INT", "INT"]
-- row: [1, 1, 10]
-- row: [2, 1, 20]
-- row: [1, 1, 30]
-- row: [4, 1, 5]

-- title: set sees what it has set
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SET x = x + 1, id = x * 2;
-- types: ["INT", "STRING", "INT"]
-- row: [22, "a", 11]
-- row: [42, "b", 21]
-- row: [62, "b", 31]
-- row: [null, null, null]
-- row: [12, "a", 6]

-- title: set the same column twice
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SET x = 1, x = x + 1 |> SELECT id, x;
-- types: ["INT", "INT"]
-- row: [1, 2]
-- row: [2, 2]
-- row: [1, 2]
-- row: [3, 2]
-- row: [4, 2]

-- title: drop
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> DROP k;
-- types: ["INT", "INT"]
-- row: [1, 10]
-- row: [2, 20]
-- row: [1, 30]
-- row: [3, null]
-- row: [4, 5]

-- title: drop with a qualifier
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> JOIN u ON t.id = u.id |> DROP u.id;
-- types: ["INT", "STRING", "INT", "DOUBLE"]
-- row: [1, "a", 10, 2.5]
-- row: [1, "a", 10, 1.5]
-- row: [2, "b", 20, 3.5]
-- row: [1, "b", 30, 2.5]
-- row: [1, "b", 30, 1.5]

-- title: as
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> WHERE id = 1 |> AS a |> JOIN u b ON a.id = b.id |> SELECT a.x, b.y;
-- types: ["INT", "DOUBLE"]
-- row: [30, 1.5]
-- row: [10, 1.5]
-- row: [30, 2.5]
-- row: [10, 2.5]

-- title: as after a join
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> JOIN u USING (id) |> AS j |> SELECT j.x, j.y;
-- types: ["INT", "DOUBLE"]
-- row: [10, 2.5]
-- row: [10, 1.5]
-- row: [20, 3.5]
-- row: [30, 2.5]
-- row: [30, 1.5]

-- title: join
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> JOIN u ON t.id = u.id |> SELECT t.id, k, y;
-- types: ["INT", "STRING", "DOUBLE"]
-- row: [1, "a", 2.5]
-- row: [1, "a", 1.5]
-- row: [2, "b", 3.5]
-- row: [1, "b", 2.5]
-- row: [1, "b", 1.5]

-- title: left join, then where
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> LEFT JOIN u ON t.id = u.id |> WHERE u.y IS NULL |> SELECT t.id, t.k;
-- types: ["INT", "STRING"]
-- row: [3, null]
-- row: [4, "a"]

-- title: where, then left join
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> WHERE x > 5 |> LEFT JOIN u ON t.id = u.id |> SELECT t.id, x, y;
-- types: ["INT", "INT", "DOUBLE"]
-- row: [1, 10, 2.5]
-- row: [1, 10, 1.5]
-- row: [2, 20, 3.5]
-- row: [1, 30, 2.5]
-- row: [1, 30, 1.5]

-- title: where, then right join
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> WHERE x > 5 |> RIGHT JOIN u ON t.id = u.id |> SELECT t.x, u.id, y;
-- types: ["INT", "INT", "DOUBLE"]
-- row: [30, 1, 1.5]
-- row: [10, 1, 1.5]
-- row: [30, 1, 2.5]
-- row: [10, 1, 2.5]
-- row: [20, 2, 3.5]
-- row: [null, 9, null]

-- title: semi and anti join
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> LEFT SEMI JOIN u ON t.id = u.id |> LEFT ANTI JOIN (SELECT 'a' AS c) z ON z.c = t.k;
-- types: ["INT", "STRING", "INT"]
-- row: [2, "b", 20]
-- row: [1, "b", 30]

-- title: full join using
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> FULL JOIN u USING (id) |> SELECT id, k, y;
-- types: ["INT", "STRING", "DOUBLE"]
-- row: [1, "a", 1.5]
-- row: [1, "a", 2.5]
-- row: [1, "b", 1.5]
-- row: [1, "b", 2.5]
-- row: [2, "b", 3.5]
-- row: [3, null, null]
-- row: [4, "a", null]
-- row: [9, null, null]

-- title: full join using, then extend
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> FULL JOIN u USING (id) |> EXTEND id + 1 AS n |> SELECT id, n;
-- types: ["INT", "INT"]
-- row: [1, 2]
-- row: [1, 2]
-- row: [1, 2]
-- row: [1, 2]
-- row: [2, 3]
-- row: [3, 4]
-- row: [4, 5]
-- row: [9, 10]

-- title: natural join
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> NATURAL JOIN u;
-- types: ["INT", "STRING", "INT", "DOUBLE"]
-- row: [1, "a", 10, 2.5]
-- row: [1, "a", 10, 1.5]
-- row: [2, "b", 20, 3.5]
-- row: [1, "b", 30, 2.5]
-- row: [1, "b", 30, 1.5]

-- title: two joins with one name
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t a |> JOIN t b ON a.id = b.id AND a.x < b.x |> SELECT a.x, b.x;
-- types: ["INT", "INT"]
-- row: [10, 30]

-- title: qualifiers stay through extend
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> JOIN u ON t.id = u.id |> EXTEND x + y AS s |> SELECT t.*, u.y, s;
-- types: ["INT", "STRING", "INT", "DOUBLE", "DOUBLE"]
-- row: [1, "a", 10, 2.5, 12.5]
-- row: [1, "a", 10, 1.5, 11.5]
-- row: [2, "b", 20, 3.5, 23.5]
-- row: [1, "b", 30, 2.5, 32.5]
-- row: [1, "b", 30, 1.5, 31.5]

-- title: qualifiers stay through select
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t a |> SELECT a.x, a.id |> WHERE a.id = 1 |> ORDER BY a.x;
-- types: ["INT", "INT"]
-- row: [10, 1]
-- row: [30, 1]

-- title: aggregate all
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE sum(x) AS s, count(*) AS n;
-- types: ["BIGINT", "BIGINT"]
-- row: [65, 5]

-- title: aggregate nothing
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> WHERE false |> AGGREGATE sum(x) AS s, count(*) AS n;
-- types: ["BIGINT", "BIGINT"]
-- row: [null, 0]

-- title: aggregate by a key
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE sum(x) AS s GROUP BY k;
-- types: ["STRING", "BIGINT"]
-- row: ["a", 15]
-- row: ["b", 50]
-- row: [null, null]

-- title: aggregate by named keys
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE sum(x) AS s GROUP BY id % 2 AS odd, upper(k) AS l |> WHERE odd = 1;
-- types: ["INT", "STRING", "BIGINT"]
-- row: [1, "A", 10]
-- row: [1, "B", 30]
-- row: [1, null, null]

-- title: aggregate by the places of columns
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE sum(x) AS s GROUP BY 2, 1;
-- types: ["STRING", "INT", "BIGINT"]
-- row: ["a", 1, 10]
-- row: ["b", 2, 20]
-- row: ["b", 1, 30]
-- row: ["a", 4, 5]
-- row: [null, 3, null]

-- title: aggregate with keys alone
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE GROUP BY k;
-- types: ["STRING"]
-- row: ["a"]
-- row: ["b"]
-- row: [null]

-- title: aggregate by a key twice
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE max(x) GROUP BY id, id;
-- types: ["INT", "INT", "INT"]
-- row: [1, 1, 30]
-- row: [2, 2, 20]
-- row: [3, 3, null]
-- row: [4, 4, 5]

-- title: aggregate of an aggregate
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE sum(x) AS s GROUP BY k |> AGGREGATE max(s) AS m, min(s) AS n;
-- types: ["BIGINT", "BIGINT"]
-- row: [50, 15]

-- title: aggregate of a key
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE id + sum(x) AS s GROUP BY id;
-- types: ["INT", "BIGINT"]
-- row: [1, 41]
-- row: [2, 22]
-- row: [3, null]
-- row: [4, 9]

-- title: aggregate distinct and filtered
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE count(DISTINCT k) AS c, sum(x) FILTER (WHERE id > 1) AS f;
-- types: ["BIGINT", "BIGINT"]
-- row: [2, 25]

-- title: join of an aggregate
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> AGGREGATE max(x) AS m GROUP BY k |> JOIN t ON t.x = m |> SELECT t.id, m;
-- types: ["INT", "INT"]
-- row: [1, 10]
-- row: [1, 30]

-- title: grouped select
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SELECT k, count(*) AS c GROUP BY k |> WHERE c > 1;
-- types: ["STRING", "BIGINT"]
-- row: ["a", 2]
-- row: ["b", 2]

-- title: distinct select
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SELECT DISTINCT k |> ORDER BY k;
-- types: ["STRING"]
-- row: [null]
-- row: ["a"]
-- row: ["b"]

-- title: union all
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SELECT id |> UNION ALL SELECT id FROM u |> AGGREGATE count(*) AS n GROUP BY id;
-- types: ["INT", "BIGINT"]
-- row: [1, 4]
-- row: [2, 2]
-- row: [3, 1]
-- row: [4, 1]
-- row: [9, 1]

-- title: union, except and intersect
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SELECT id |> UNION (SELECT id FROM u) |> EXCEPT (SELECT 3) |> INTERSECT VALUES (1), (4), (9);
-- types: ["INT"]
-- row: [1]
-- row: [4]
-- row: [9]

-- title: union, then a qualifier of its first side
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> UNION ALL TABLE t |> WHERE t.id = 2 |> SELECT t.x;
-- types: ["INT"]
-- row: [20]
-- row: [20]

-- title: a set operation before a pipe
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) SELECT id FROM t UNION ALL SELECT id FROM u |> WHERE id = 1;
-- types: ["INT"]
-- row: [1]
-- row: [1]
-- row: [1]
-- row: [1]

-- title: a set operation behind a step
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SELECT id UNION ALL SELECT id FROM u |> WHERE id > 1;
-- types: ["INT"]
-- row: [2]
-- row: [3]
-- row: [4]
-- row: [2]
-- row: [9]

-- title: order and limit
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> ORDER BY x DESC |> LIMIT 2;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "b", 30]
-- row: [2, "b", 20]

-- title: order, limit and offset
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> ORDER BY x DESC |> LIMIT 2 OFFSET 1;
-- types: ["INT", "STRING", "INT"]
-- row: [2, "b", 20]
-- row: [1, "a", 10]

-- title: limit, then offset
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> ORDER BY id, x |> LIMIT 3 |> OFFSET 1 |> SELECT id;
-- types: ["INT"]
-- row: [1]
-- row: [2]

-- title: offset, then limit
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> ORDER BY id, x |> OFFSET 1 |> LIMIT 2;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "b", 30]
-- row: [2, "b", 20]

-- title: order twice
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> ORDER BY k |> ORDER BY x DESC NULLS LAST |> SELECT x |> ORDER BY x;
-- types: ["INT"]
-- row: [null]
-- row: [5]
-- row: [10]
-- row: [20]
-- row: [30]

-- title: order by an input column that is not selected
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SELECT id ORDER BY x;
-- types: ["INT"]
-- row: [3]
-- row: [4]
-- row: [1]
-- row: [2]
-- row: [1]

-- title: order by a place
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> SELECT k, x |> ORDER BY 2 DESC, 1;
-- types: ["STRING", "INT"]
-- row: ["b", 30]
-- row: ["b", 20]
-- row: ["a", 10]
-- row: ["a", 5]
-- row: [null, null]

-- title: limit, then aggregate
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> ORDER BY x DESC |> LIMIT 3 |> AGGREGATE sum(x) AS s;
-- types: ["BIGINT"]
-- row: [60]

-- title: values with names
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) SELECT * FROM (VALUES (1, 'a'), (2, 'b') AS v(p, q) |> WHERE v.p = 2 |> SELECT v.q);
-- types: ["STRING"]
-- row: ["b"]

-- title: a plain query, then steps
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) SELECT k, sum(x) AS s FROM t GROUP BY k |> WHERE s > 15 |> ORDER BY s DESC;
-- types: ["STRING", "BIGINT"]
-- row: ["b", 50]

-- title: a query in brackets, then steps
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) (SELECT id, x FROM t ORDER BY x DESC LIMIT 3) |> WHERE id = 1;
-- types: ["INT", "INT"]
-- row: [1, 30]
-- row: [1, 10]

-- title: pipes in sub-queries
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t |> WHERE id IN (FROM u |> SELECT id) |> WHERE EXISTS (FROM u |> WHERE u.id = t.id AND u.y > 2) |> EXTEND (FROM u |> AGGREGATE max(y)) AS m;
-- types: ["INT", "STRING", "INT", "DOUBLE"]
-- row: [1, "a", 10, 3.5]
-- row: [2, "b", 20, 3.5]
-- row: [1, "b", 30, 3.5]

-- title: pipes in a cte and in from
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) SELECT z.s FROM (FROM t |> AGGREGATE sum(x) AS s GROUP BY k) z JOIN (FROM u |> WHERE y > 2) w ON z.s > w.y;
-- types: ["BIGINT"]
-- row: [15]
-- row: [15]
-- row: [50]
-- row: [50]

-- title: comma, lateral view, then steps
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t, u |> WHERE t.id = u.id |> SELECT t.id, y;
-- types: ["INT", "DOUBLE"]
-- row: [1, 1.5]
-- row: [1, 1.5]
-- row: [1, 2.5]
-- row: [1, 2.5]
-- row: [2, 3.5]

-- title: lateral view, then steps
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5)), u(id, y) AS (VALUES (1, 1.5D), (1, 2.5D), (2, 3.5D), (9, NULL)) FROM t LATERAL VIEW explode(array(7, 8)) e AS v |> WHERE e.v = 8 |> SELECT id, v;
-- types: ["INT", "INT"]
-- row: [1, 8]
-- row: [2, 8]
-- row: [1, 8]
-- row: [3, 8]
-- row: [4, 8]
