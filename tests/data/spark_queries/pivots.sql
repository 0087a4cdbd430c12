-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: one aggregate
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t PIVOT (sum(x) FOR k IN ('a', 'b'));
-- types: ["INT", "BIGINT", "BIGINT"]
-- row: [1, 17, 30]
-- row: [2, null, 20]
-- row: [4, 5, null]
-- row: [3, null, null]

-- title: values with names
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t PIVOT (sum(x) AS s FOR k IN ('a' AS p, 'b' q, 'none'));
-- types: ["INT", "BIGINT", "BIGINT", "BIGINT"]
-- row: [1, 17, 30, null]
-- row: [2, null, 20, null]
-- row: [4, 5, null, null]
-- row: [3, null, null, null]

-- title: several aggregates
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t PIVOT (sum(x) AS s, max(x) AS m FOR k IN ('a', 'b' AS b));
-- types: ["INT", "BIGINT", "INT", "BIGINT", "INT"]
-- row: [1, 17, 10, 30, 30]
-- row: [2, null, null, 20, 20]
-- row: [4, 5, 5, null, null]
-- row: [3, null, null, null, null]

-- title: no row for a cell
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM (SELECT k, x FROM t) PIVOT (count(*) FOR k IN ('a', 'none'));
-- types: ["INT", "BIGINT", "BIGINT"]
-- row: [10, 1, null]
-- row: [20, null, null]
-- row: [30, null, null]
-- row: [5, 1, null]
-- row: [7, 1, null]
-- row: [null, null, null]

-- title: no row for a cell beside text
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM (SELECT id, k, x FROM t) PIVOT (count(x) AS c, max(k) AS m FOR k IN ('a', 'none'));
-- types: ["INT", "BIGINT", "STRING", "BIGINT", "STRING"]
-- row: [1, 2, "a", 0, null]
-- row: [2, 0, null, 0, null]
-- row: [3, 0, null, 0, null]
-- row: [4, 1, "a", 0, null]

-- title: no row for a cell of text
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM (SELECT id, k, cast(x AS STRING) AS x FROM t) PIVOT (max(x) FOR k IN ('a', 'b'));
-- types: ["INT", "STRING", "STRING"]
-- row: [1, "7", "30"]
-- row: [2, null, "20"]
-- row: [3, null, null]
-- row: [4, "5", null]

-- title: no groups
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM (SELECT k, x FROM t) PIVOT (sum(x) FOR k IN ('a', 'b'));
-- types: ["BIGINT", "BIGINT"]
-- row: [22, 50]

-- title: no groups and no rows
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM (SELECT k, x FROM t WHERE false) PIVOT (count(*) FOR k IN ('a', 'b'));
-- types: ["INT", "BIGINT", "BIGINT"]

-- title: no rows
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM (SELECT id, k, x FROM t WHERE false) PIVOT (count(*) FOR k IN ('a', 'b'));
-- types: ["INT", "INT", "BIGINT", "BIGINT"]

-- title: numbers as values
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t PIVOT (sum(x) FOR id IN (1, 2 AS two, '4'));
-- types: ["STRING", "BIGINT", "BIGINT", "BIGINT"]
-- row: ["a", 17, null, 5]
-- row: ["b", 30, 20, null]
-- row: [null, null, null, null]

-- title: two columns
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t PIVOT (sum(x) FOR (id, k) IN ((1, 'a') AS one, (2, 'b')));
-- types: ["BIGINT", "BIGINT"]
-- row: [17, 20]

-- title: a null among the values
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM u PIVOT (count(*) FOR id IN (1, NULL));
-- types: ["DOUBLE", "BIGINT", "BIGINT"]
-- row: [1.5, 1, null]
-- row: [3.5, null, null]
-- row: [9.0, null, 1]

-- title: a text that is no number
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM u PIVOT (max(y) FOR id IN (1, 'x'));
-- types: ["DOUBLE", "DOUBLE"]
-- row: [1.5, 9.0]

-- title: an expression of aggregates
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t PIVOT (round(sum(x) / count(*), 2) AS r FOR k IN ('a', 'b'));
-- types: ["INT", "DOUBLE", "DOUBLE"]
-- row: [1, 8.5, 30.0]
-- row: [2, null, 20.0]
-- row: [4, 5.0, null]
-- row: [3, null, null]

-- title: a default in a cell
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t PIVOT (coalesce(sum(x), 0) FOR k IN ('a', 'b'));
-- types: ["INT", "BIGINT", "BIGINT"]
-- row: [1, 17, 30]
-- row: [2, null, 20]
-- row: [4, 5, null]
-- row: [3, null, null]

-- title: a filter
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM (SELECT k, x FROM t) PIVOT (sum(x) FILTER (WHERE x > 8) FOR k IN ('a', 'b'));
-- types: ["BIGINT", "BIGINT"]
-- row: [10, 50]

-- title: distinct
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM (SELECT id % 2 AS odd, k, x FROM t) PIVOT (count(DISTINCT x) FOR k IN ('a', 'b'));
-- types: ["INT", "BIGINT", "BIGINT"]
-- row: [1, 2, 1]
-- row: [0, 1, 1]

-- title: lists
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT odd, sort_array(a) AS a, size(b) AS b FROM (SELECT id % 2 AS odd, k, x FROM t) PIVOT (collect_list(x) FOR k IN ('a', 'b'));
-- types: ["INT", "array<int>", "INT"]
-- row: [1, [7, 10], 1]
-- row: [0, [5], 1]

-- title: an alias and a join
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT p.id, p.a, y FROM t PIVOT (sum(x) FOR k IN ('a', 'b')) p LEFT JOIN u ON u.id = p.id;
-- types: ["INT", "BIGINT", "DOUBLE"]
-- row: [1, 17, 1.5]
-- row: [2, null, 3.5]
-- row: [4, 5, null]
-- row: [3, null, null]

-- title: qualifiers of the groups
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT t.id, b FROM t PIVOT (sum(x) FOR k IN ('a', 'b')) WHERE t.id < 3;
-- types: ["INT", "BIGINT"]
-- row: [1, 30]
-- row: [2, 20]

-- title: a join before
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t JOIN u ON t.id = u.id PIVOT (sum(x) FOR k IN ('a', 'b'));
-- types: ["INT", "INT", "DOUBLE", "BIGINT", "BIGINT"]
-- row: [1, 1, 1.5, 17, 30]
-- row: [2, 2, 3.5, null, 20]

-- title: a join with USING before
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t FULL JOIN u USING (id) PIVOT (sum(x) FOR k IN ('a', 'b'));
-- types: ["INT", "DOUBLE", "BIGINT", "BIGINT"]
-- row: [1, 1.5, 17, 30]
-- row: [2, 3.5, null, 20]
-- row: [null, 9.0, null, null]
-- row: [3, null, null, null]
-- row: [4, null, 5, null]

-- title: a semi join before
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t LEFT SEMI JOIN u ON t.id = u.id PIVOT (sum(x) FOR k IN ('a', 'b'));
-- types: ["INT", "BIGINT", "BIGINT"]
-- row: [1, 17, 30]
-- row: [2, null, 20]

-- title: a pivot of a pivot
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t PIVOT (sum(x) FOR k IN ('a', 'b')) PIVOT (max(a) AS m FOR id IN (1, 4));
-- types: ["BIGINT", "BIGINT", "BIGINT"]
-- row: [30, 17, null]
-- row: [20, null, null]
-- row: [null, null, 5]

-- title: grouped again
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT count(*) AS n, sum(a) AS a FROM t PIVOT (sum(x) FOR k IN ('a', 'b'));
-- types: ["BIGINT", "BIGINT"]
-- row: [4, 22]

-- title: in a pipe
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) FROM t |> WHERE x > 5 |> PIVOT (sum(x) FOR k IN ('a', 'b')) |> WHERE t.id = 1 |> SELECT b;
-- types: ["BIGINT"]
-- row: [30]

-- title: in a pipe with a name
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) FROM t |> PIVOT (sum(x) FOR k IN ('a', 'b')) AS p |> JOIN u ON u.id = p.id |> SELECT p.a, y;
-- types: ["BIGINT", "DOUBLE"]
-- row: [17, 1.5]
-- row: [null, 3.5]

-- title: unpivot
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM u UNPIVOT (v FOR n IN (id, y));
-- types: ["STRING", "DOUBLE"]
-- row: ["id", 1.0]
-- row: ["y", 1.5]
-- row: ["id", 2.0]
-- row: ["y", 3.5]
-- row: ["y", 9.0]

-- title: unpivot with nulls
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t UNPIVOT INCLUDE NULLS (v FOR n IN (id, x));
-- types: ["STRING", "STRING", "INT"]
-- row: ["a", "id", 1]
-- row: ["a", "x", 10]
-- row: ["b", "id", 2]
-- row: ["b", "x", 20]
-- row: ["b", "id", 1]
-- row: ["b", "x", 30]
-- row: [null, "id", 3]
-- row: [null, "x", null]
-- row: ["a", "id", 4]
-- row: ["a", "x", 5]
-- row: ["a", "id", 1]
-- row: ["a", "x", 7]

-- title: unpivot with names
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t UNPIVOT EXCLUDE NULLS (v FOR n IN (id AS i, x AS `the x`)) AS w WHERE w.v > 2;
-- types: ["STRING", "STRING", "INT"]
-- row: ["a", "the x", 10]
-- row: ["b", "the x", 20]
-- row: ["b", "the x", 30]
-- row: [null, "i", 3]
-- row: ["a", "i", 4]
-- row: ["a", "the x", 5]
-- row: ["a", "the x", 7]

-- title: unpivot of several columns
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t UNPIVOT ((v, w) FOR n IN ((id, x), (x, id) AS turned));
-- types: ["STRING", "STRING", "INT", "INT"]
-- row: ["a", "id_x", 1, 10]
-- row: ["a", "turned", 10, 1]
-- row: ["b", "id_x", 2, 20]
-- row: ["b", "turned", 20, 2]
-- row: ["b", "id_x", 1, 30]
-- row: ["b", "turned", 30, 1]
-- row: [null, "id_x", 3, null]
-- row: [null, "turned", null, 3]
-- row: ["a", "id_x", 4, 5]
-- row: ["a", "turned", 5, 4]
-- row: ["a", "id_x", 1, 7]
-- row: ["a", "turned", 7, 1]

-- title: unpivot of a semi join
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t LEFT SEMI JOIN u ON t.id = u.id UNPIVOT (v FOR n IN (x));
-- types: ["INT", "STRING", "STRING", "INT"]
-- row: [1, "a", "x", 10]
-- row: [2, "b", "x", 20]
-- row: [1, "b", "x", 30]
-- row: [1, "a", "x", 7]

-- title: unpivot of a pivot
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM t PIVOT (sum(x) FOR k IN ('a', 'b')) UNPIVOT (v FOR n IN (a, b));
-- types: ["INT", "STRING", "BIGINT"]
-- row: [1, "a", 17]
-- row: [1, "b", 30]
-- row: [2, "b", 20]
-- row: [4, "a", 5]

-- title: pivot of an unpivot
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) SELECT * FROM u UNPIVOT (v FOR n IN (id, y)) PIVOT (sum(v) FOR n IN ('id', 'y'));
-- types: ["DOUBLE", "DOUBLE"]
-- row: [3.0, 14.0]

-- title: unpivot in a pipe
WITH t(id, k, x) AS (VALUES (1, 'a', 10), (2, 'b', 20), (1, 'b', 30), (3, NULL, NULL), (4, 'a', 5), (1, 'a', 7)), u(id, y) AS (VALUES (1, 1.5D), (2, 3.5D), (NULL, 9D)) FROM u |> UNPIVOT (v FOR n IN (id, y)) |> AGGREGATE sum(v) AS s GROUP BY n;
-- types: ["STRING", "DOUBLE"]
-- row: ["id", 3.0]
-- row: ["y", 14.0]
