-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: octal and other escapes
SELECT split('a\001b\001c', '\001')[1], length('\001'), '\101', '\18', '\a\Z';
-- types: ["STRING", "INT", "STRING", "STRING", "STRING"]
-- row: ["b", 1, "A", "18", "a\u001a"]

-- title: concatenation of columns of every type
SELECT concat(i, '|', l, '|', d, '|', c, '|', b, '|', dt, '|', ts), i || '' FROM VALUES (1, 5L, 2.0D, 1.50BD, true, DATE '2024-01-05', TIMESTAMP '2024-01-05 10:00:00') AS t(i, l, d, c, b, dt, ts);
-- types: ["STRING", "STRING"]
-- row: ["1|5|2.0|1.50|true|2024-01-05|2024-01-05 10:00:00", "1"]

-- title: concat_ws of numbers and arrays
SELECT concat_ws('-', 1, 2.5D, 1.50BD, true), concat_ws(',', collect_list(k)), concat_ws('|', sort_array(collect_set(CAST(v AS STRING)))) FROM VALUES ('a', 1), ('b', 2) AS t(k, v);
-- types: ["STRING", "STRING", "STRING"]
-- row: ["1-2.5-1.50-true", "a,b", "1|2"]

-- title: minima and maxima by type
SELECT max(s), min(s), max(d), min(ts), max(c), max(b) FROM VALUES ('9', DATE '2024-01-05', TIMESTAMP '2024-01-05 10:00:00', 1.50BD, false), ('10', DATE '2024-02-05', TIMESTAMP '2024-01-04 10:00:00', 0.75BD, true) AS t(s, d, ts, c, b);
-- types: ["STRING", "STRING", "DATE", "TIMESTAMP", "DECIMAL(3,2)", "BOOLEAN"]
-- row: ["9", "10", "2024-02-05", "2024-01-04 10:00:00", 1.5, true]

-- title: text of numbers in order and in groups
SELECT s, count(*) FROM VALUES ('10'), ('9'), ('9'), ('010') AS t(s) GROUP BY s ORDER BY s;
-- types: ["STRING", "BIGINT"]
-- row: ["010", 1]
-- row: ["10", 1]
-- row: ["9", 2]

-- title: group by an expression, select it again
SELECT substr(d, 1, 7) AS m, sum(v) FROM VALUES ('2024-01-05', 1), ('2024-01-06', 2), ('2024-02-01', 4) AS t(d, v) GROUP BY substr(d, 1, 7) HAVING max(v) > 1;
-- types: ["STRING", "BIGINT"]
-- row: ["2024-01", 3]
-- row: ["2024-02", 4]

-- title: distinct aggregates beside others
SELECT g, count(DISTINCT v), sum(DISTINCT v), sum(v), avg(DISTINCT v), count(DISTINCT CASE WHEN v > 1 THEN v END) FROM VALUES ('a', 1), ('a', 1), ('a', 2), ('b', NULL) AS t(g, v) GROUP BY g;
-- types: ["STRING", "BIGINT", "BIGINT", "BIGINT", "DOUBLE", "BIGINT"]
-- row: ["a", 2, 3, 4, 1.5, 1]
-- row: ["b", 0, null, null, null, 0]

-- title: sums of nulls and of empty groups
SELECT g, sum(v), sum(coalesce(v, 0)), count(v), avg(v), max(v) FROM VALUES ('a', CAST(NULL AS INT)), ('a', NULL), ('b', 1) AS t(g, v) GROUP BY g;
-- types: ["STRING", "BIGINT", "BIGINT", "BIGINT", "DOUBLE", "INT"]
-- row: ["a", null, 0, 0, null, null]
-- row: ["b", 1, 1, 1, 1.0, 1]

-- title: division and rounding of sums
SELECT round(sum(a) / sum(b), 4), round(sum(a) / nullif(sum(c), 0), 2), sum(a) * 100 / count(*), round(avg(d), 2) FROM VALUES (1, 3, 0, 1.005BD), (2, 4, 0, 2.675BD) AS t(a, b, c, d);
-- types: ["DOUBLE", "DOUBLE", "DOUBLE", "DECIMAL(4,2)"]
-- row: [0.4286, null, 150.0, 1.84]

-- title: rounding halves of decimals and doubles
SELECT round(v, 2), round(CAST(v AS DOUBLE), 2), round(v * 100) / 100, CAST(v AS DECIMAL(10, 2)), CAST(CAST(v AS DOUBLE) AS DECIMAL(10, 2)) FROM VALUES (1.005BD), (2.675BD), (-1.005BD), (0.125BD), (1234567.895BD) AS t(v);
-- types: ["DECIMAL(10,2)", "DOUBLE", "DECIMAL(18,6)", "DECIMAL(10,2)", "DECIMAL(10,2)"]
-- row: [1.01, 1.01, 1.01, 1.01, 1.01]
-- row: [2.68, 2.68, 2.68, 2.68, 2.68]
-- row: [-1.01, -1.01, -1.01, -1.01, -1.01]
-- row: [0.13, 0.13, 0.13, 0.13, 0.13]
-- row: [1234567.9, 1234567.9, 1234567.9, 1234567.9, 1234567.9]

-- title: decimals in conditions
SELECT v, v = 0.3, v > 0.29, v IN (0.3, 0.4), v BETWEEN 0.25 AND 0.3, v * 3 = 0.9, v = '0.30', v + 0.1 = 0.4 FROM VALUES (CAST(0.3 AS DECIMAL(18,2))), (CAST(0.1 AS DECIMAL(18,2))) AS t(v);
-- types: ["DECIMAL(18,2)", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [0.3, true, true, true, true, true, true, true]
-- row: [0.1, false, false, false, false, false, false, false]

-- title: decimals of different scales meet in a union
SELECT v, cast(v AS STRING) FROM (SELECT 1.5 AS v UNION ALL SELECT 2.25 UNION ALL SELECT 3) t;
-- types: ["DECIMAL(12,2)", "STRING"]
-- row: [1.5, "1.50"]
-- row: [2.25, "2.25"]
-- row: [3.0, "3.00"]

-- title: case mixes numbers and text
SELECT CASE WHEN a = 1 THEN 'one' WHEN a = 2 THEN a ELSE 2.50 END FROM VALUES (1), (2), (3) AS t(a);
-- types: ["STRING"]
-- row: ["one"]
-- row: ["2"]
-- row: ["2.50"]

-- title: coalesce of text and numbers of columns
SELECT coalesce(s, n), coalesce(n, s), nvl(n, 'none'), if(n > 1, n, s), greatest(n, d), least(d, n) FROM VALUES ('x', 1, 2.5D), (NULL, 2, 0.5D), ('y', NULL, NULL) AS t(s, n, d);
-- types: ["STRING", "STRING", "STRING", "STRING", "DOUBLE", "DOUBLE"]
-- row: ["x", "1", "1", "x", 2.5, 1.0]
-- row: ["2", "2", "2", "2", 2.0, 0.5]
-- row: ["y", "y", "none", "y", null, null]

-- title: comparisons of nested booleans
SELECT a, (a > 1) = (b > 1), (a > 1) <=> (b > 1), NOT (a > 1 AND b > 1), (a > 1) OR b IS NULL FROM VALUES (1, 1), (2, NULL), (3, 3) AS t(a, b);
-- types: ["INT", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, true, true, true, false]
-- row: [2, null, false, null, true]
-- row: [3, true, true, false, true]

-- title: conditions on text with numbers inside IN and CASE
SELECT s FROM VALUES ('1'), ('2'), ('02'), ('x') AS t(s) WHERE s IN ('1', '02') OR CASE s WHEN 2 THEN true ELSE false END;
-- types: ["STRING"]
-- row: ["1"]
-- row: ["2"]
-- row: ["02"]

-- title: dates against text in joins and filters
SELECT a.d, b.s FROM VALUES (DATE '2024-01-05'), (DATE '2024-01-06') AS a(d) JOIN VALUES ('2024-01-05'), ('2024-1-6'), ('20240106') AS b(s) ON a.d = b.s;
-- types: ["DATE", "STRING"]
-- row: ["2024-01-05", "2024-01-05"]
-- row: ["2024-01-06", "2024-1-6"]

-- title: text dates with date arithmetic
SELECT s, date_add(s, 1) = '2024-01-06', s >= date_sub('2024-01-10', 5), datediff('2024-01-10', s), s BETWEEN date_sub('2024-01-10', 7) AND '2024-01-10', to_date(s), last_day(s) FROM VALUES ('2024-01-05'), ('2024-01-05 10:00:00'), ('20240105'), ('bad'), (NULL) AS t(s);
-- types: ["STRING", "BOOLEAN", "BOOLEAN", "INT", "BOOLEAN", "DATE", "DATE"]
-- row: ["2024-01-05", true, true, 5, true, "2024-01-05", "2024-01-31"]
-- row: ["2024-01-05 10:00:00", true, true, 5, true, "2024-01-05", "2024-01-31"]
-- row: ["20240105", null, null, null, false, null, null]
-- row: ["bad", null, null, null, false, null, null]
-- row: [null, null, null, null, null, null, null]

-- title: timestamps and their parts
SELECT ts, to_date(ts), date_format(ts, 'yyyy-MM-dd HH:mm'), hour(ts), unix_timestamp(ts), cast(ts AS BIGINT), cast(ts AS STRING), ts + INTERVAL 1 HOUR, datediff(ts, '2024-01-01'), ts >= '2024-01-05', ts < DATE '2024-01-06' FROM VALUES (TIMESTAMP '2024-01-05 23:59:59'), (TIMESTAMP '2024-01-06 00:00:00') AS t(ts);
-- types: ["TIMESTAMP", "DATE", "STRING", "INT", "BIGINT", "BIGINT", "STRING", "TIMESTAMP", "INT", "BOOLEAN", "BOOLEAN"]
-- row: ["2024-01-05 23:59:59", "2024-01-05", "2024-01-05 23:59", 23, 1704499199, 1704499199, "2024-01-05 23:59:59", "2024-01-06 00:59:59", 4, true, true]
-- row: ["2024-01-06 00:00:00", "2024-01-06", "2024-01-06 00:00", 0, 1704499200, 1704499200, "2024-01-06 00:00:00", "2024-01-06 01:00:00", 5, true, false]

-- title: differences of unix times
SELECT (unix_timestamp(b) - unix_timestamp(a)) / 3600, round((unix_timestamp(b) - unix_timestamp(a)) / 60, 1), floor((unix_timestamp(b) - unix_timestamp(a)) / 86400) FROM VALUES ('2024-01-05 10:00:00', '2024-01-06 11:30:00') AS t(a, b);
-- types: ["DOUBLE", "DOUBLE", "BIGINT"]
-- row: [25.5, 1530.0, 1]

-- title: bad values become null
SELECT cast(s AS INT), cast(s AS DOUBLE), cast(s AS DATE), to_date(s, 'yyyyMMdd'), unix_timestamp(s), date_format(s, 'yyyy'), s + 1, s * 1.5, cast(s AS DECIMAL(5,2)) FROM VALUES ('12'), ('x'), (''), ('1234567.891'), ('2024-02-30') AS t(s);
-- types: ["INT", "DOUBLE", "DATE", "DATE", "BIGINT", "STRING", "DOUBLE", "DOUBLE", "DECIMAL(5,2)"]
-- row: [12, 12.0, null, null, null, null, 13.0, 18.0, 12.0]
-- row: [null, null, null, null, null, null, null, null, null]
-- row: [null, null, null, null, null, null, null, null, null]
-- row: [1234567, 1234567.891, null, null, null, null, 1234568.891, 1851851.8365000002, null]
-- row: [null, null, null, null, null, null, null, null, null]

-- title: windows beside a group by and an order
SELECT g, sum(v) AS s, sum(sum(v)) OVER () AS total, round(sum(v) * 100 / sum(sum(v)) OVER (), 1) AS pct, row_number() OVER (ORDER BY sum(v) DESC, g) AS rn FROM VALUES ('a', 1), ('b', 5), ('a', 2) AS t(g, v) GROUP BY g ORDER BY rn;
-- types: ["STRING", "BIGINT", "BIGINT", "DOUBLE", "INT"]
-- row: ["b", 5, 8, 62.5, 1]
-- row: ["a", 3, 8, 37.5, 2]

-- title: running distinct through dense_rank
SELECT g, max(r) FROM (SELECT g, dense_rank() OVER (PARTITION BY g ORDER BY v) AS r FROM VALUES ('a', 1), ('a', 1), ('a', 3) AS t(g, v)) q GROUP BY g;
-- types: ["STRING", "INT"]
-- row: ["a", 2]

-- title: lag over partitions with a gap test
SELECT id, v, v - lag(v, 1, v) OVER (PARTITION BY g ORDER BY id) AS d, CASE WHEN lag(v) OVER (PARTITION BY g ORDER BY id) IS NULL THEN 'first' ELSE 'next' END AS k FROM VALUES (1, 'a', 5), (2, 'a', 8), (3, 'b', 1) AS t(id, g, v);
-- types: ["INT", "INT", "INT", "STRING"]
-- row: [1, 5, 0, "first"]
-- row: [2, 8, 3, "next"]
-- row: [3, 1, 0, "first"]

-- title: correlated sub-query over a derived table
SELECT o.id FROM VALUES (1, 10), (2, 30) AS o(id, v) WHERE o.v > (SELECT avg(i.v) FROM (SELECT * FROM VALUES (1, 5), (1, 20), (2, 10) AS x(id, v)) i WHERE i.id = o.id);
-- types: ["INT"]
-- row: [2]

-- title: exists inside case and in a list of columns
SELECT a, CASE WHEN a IN (SELECT b FROM VALUES (1), (3) AS u(b)) THEN 'in' ELSE 'out' END AS k FROM VALUES (1), (2) AS t(a);
-- types: ["INT", "STRING"]
-- row: [1, "in"]
-- row: [2, "out"]

-- title: in with text and numbers in a sub-query
SELECT a FROM VALUES (1), (2), (10) AS t(a) WHERE a IN (SELECT s FROM VALUES ('1'), ('02'), ('10') AS u(s));
-- types: ["INT"]
-- row: [1]
-- row: [10]

-- title: anti join through not exists with nulls
SELECT a FROM VALUES (1), (NULL), (3) AS t(a) WHERE NOT EXISTS (SELECT 1 FROM VALUES (1), (NULL) AS u(b) WHERE u.b = t.a);
-- types: ["INT"]
-- row: [null]
-- row: [3]

-- title: union removes duplicates of nulls
SELECT a, b FROM VALUES (1, NULL) AS t(a, b) UNION SELECT a, b FROM VALUES (1, NULL), (NULL, 'x') AS t(a, b);
-- types: ["INT", "STRING"]
-- row: [1, null]
-- row: [null, "x"]

-- title: distinct with order and limit
SELECT DISTINCT g FROM VALUES ('b'), ('a'), ('b'), ('c') AS t(g) ORDER BY g DESC LIMIT 2;
-- types: ["STRING"]
-- row: ["c"]
-- row: ["b"]

-- title: limit in a cte that is used twice
WITH top AS (SELECT id, v FROM VALUES (1, 9), (2, 7), (3, 8) AS t(id, v) ORDER BY v DESC LIMIT 2) SELECT a.id, b.id AS other FROM top a JOIN top b ON a.id <> b.id;
-- types: ["INT", "INT"]
-- row: [1, 3]
-- row: [3, 1]

-- title: maps and structs read and compared
SELECT m['a'] = '1', m['a'] = 1, m['b'] IS NULL, coalesce(m['b'], 'none'), s.n + 1, s.t = 'x', size(map_keys(m)) FROM VALUES (map('a', '1', 'c', '2'), named_struct('n', 5, 't', 'x')) AS t(m, s);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "STRING", "INT", "BOOLEAN", "INT"]
-- row: [true, true, true, "none", 6, true, 2]

-- title: arrays of structs filtered and counted
SELECT size(filter(a, x -> x.ok)), size(filter(a, x -> x.v > 1)), exists(a, x -> x.k = 'b'), transform(a, x -> x.k), aggregate(a, 0, (s, x) -> s + x.v) FROM VALUES (array(named_struct('k', 'a', 'v', 1, 'ok', true), named_struct('k', 'b', 'v', 2, 'ok', false))) AS t(a);
-- types: ["INT", "INT", "BOOLEAN", "ARRAY<STRING>", "INT"]
-- row: [1, 1, true, ["a", "b"], 3]

-- title: split, size and index
SELECT size(split(s, ',')), split(s, ',')[0], split(s, ',')[1], reverse(split(s, ','))[0], array_contains(split(s, ','), 'b') FROM VALUES ('a,b,c'), ('a'), (''), (NULL) AS t(s);
-- types: ["INT", "STRING", "STRING", "STRING", "BOOLEAN"]
-- row: [3, "a", "b", "c", true]
-- row: [1, "a", null, "a", false]
-- row: [1, "", null, "", false]
-- row: [-1, null, null, null, null]

-- title: json values as numbers and text
SELECT cast(get_json_object(j, '$.n') AS INT) + 1, get_json_object(j, '$.n') > 9, get_json_object(j, '$.s'), get_json_object(j, '$.o'), get_json_object(j, '$.b'), get_json_object(j, '$.l[0]') FROM VALUES ('{"n": 10, "s": "x y", "o": {"k": [1, 2]}, "b": true, "l": ["p"]}'), ('{"n": "7"}'), (NULL) AS t(j);
-- types: ["INT", "BOOLEAN", "STRING", "STRING", "STRING", "STRING"]
-- row: [11, true, "x y", "{\"k\":[1,2]}", "true", "p"]
-- row: [8, false, null, null, null, null]
-- row: [null, null, null, null, null, null]

-- title: like on numbers and with escapes from columns
SELECT n LIKE '1%', s LIKE '%\_x', s NOT LIKE 'a%', s RLIKE '^[a-z]+_', lower(s) LIKE 'a%' FROM VALUES (12, 'ab_x'), (21, 'Abx'), (NULL, NULL) AS t(n, s);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [true, true, false, true, true]
-- row: [false, false, true, false, true]
-- row: [null, null, null, null, null]

-- title: null-safe and inequality with nulls
SELECT a, b, a <=> b, NOT (a <=> b), a <> b, nvl(a, '') <> nvl(b, ''), (a <> b OR b IS NULL) FROM VALUES ('x', 'x'), ('x', NULL), (NULL, NULL), ('x', 'y') AS t(a, b);
-- types: ["STRING", "STRING", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: ["x", "x", true, false, false, false, false]
-- row: ["x", null, false, true, null, true, true]
-- row: [null, null, true, false, null, false, true]
-- row: ["x", "y", false, true, true, true, true]

-- title: months and quarters
SELECT add_months(d, -1), trunc(d, 'MM'), trunc(d, 'YEAR'), date_format(d, 'yyyyMM'), quarter(d), months_between(d, '2024-01-15'), date_trunc('MONTH', d), weekofyear(d), dayofweek(d), date_format(d, 'EEEE'), next_day(d, 'Mon') FROM VALUES (DATE '2024-03-31'), (DATE '2024-02-29') AS t(d);
-- types: ["DATE", "DATE", "DATE", "STRING", "INT", "DOUBLE", "TIMESTAMP", "INT", "INT", "STRING", "DATE"]
-- row: ["2024-02-29", "2024-03-01", "2024-01-01", "202403", 1, 2.51612903, "2024-03-01 00:00:00", 13, 1, "Sunday", "2024-04-01"]
-- row: ["2024-01-29", "2024-02-01", "2024-01-01", "202402", 1, 1.4516129, "2024-02-01 00:00:00", 9, 5, "Thursday", "2024-03-04"]

-- title: percentages, floors and modulos of negative numbers
SELECT floor(v / 7), ceil(v / 7), v % 7, pmod(v, 7), abs(v), sign(v), v DIV 7, round(v / 7, 2), cast(v / 7 AS INT) FROM VALUES (-10), (10), (0) AS t(v);
-- types: ["BIGINT", "BIGINT", "INT", "INT", "INT", "DOUBLE", "BIGINT", "DOUBLE", "INT"]
-- row: [-2, -1, -3, 4, 10, -1.0, -1, -1.43, -1]
-- row: [1, 2, 3, 3, 10, 1.0, 1, 1.43, 1]
-- row: [0, 0, 0, 0, 0, 0.0, 0, 0.0, 0]

-- title: whole numbers beyond 32 bits
SELECT v + 1, v * 2, v / 2, v % 1000, cast(v AS STRING), cast(v AS DOUBLE), cast('3000000000' AS BIGINT) + 1 FROM VALUES (3000000000L) AS t(v);
-- types: ["BIGINT", "BIGINT", "DOUBLE", "BIGINT", "STRING", "DOUBLE", "BIGINT"]
-- row: [3000000001, 6000000000, 1500000000.0, 0, "3000000000", 3000000000.0, 3000000001]

-- title: last and first day through windows over dates
SELECT d, lead(d) OVER (ORDER BY d) AS n, datediff(lead(d) OVER (ORDER BY d), d) AS gap, d = max(d) OVER () AS latest FROM VALUES (DATE '2024-01-01'), (DATE '2024-01-05') AS t(d);
-- types: ["DATE", "DATE", "INT", "BOOLEAN"]
-- row: ["2024-01-01", "2024-01-05", 4, false]
-- row: ["2024-01-05", null, null, true]

-- title: boolean columns in every place
SELECT sum(CASE WHEN b THEN 1 ELSE 0 END), count(CASE WHEN NOT b THEN 1 END), sum(if(b, 1, 0)), max(cast(b AS INT)), min(b), count(b) FROM VALUES (true), (false), (NULL), (true) AS t(b);
-- types: ["BIGINT", "BIGINT", "BIGINT", "INT", "BOOLEAN", "BIGINT"]
-- row: [2, 1, 2, 1, false, 3]

-- title: empty text is not null
SELECT s, length(s), s = '', nvl(s, 'n'), nullif(s, ''), coalesce(nullif(trim(s), ''), 'blank'), concat(s, 'x'), s IS NULL FROM VALUES (''), (' '), (NULL) AS t(s);
-- types: ["STRING", "INT", "BOOLEAN", "STRING", "STRING", "STRING", "STRING", "BOOLEAN"]
-- row: ["", 0, true, "", null, "blank", "x", false]
-- row: [" ", 1, false, " ", " ", "blank", " x", false]
-- row: [null, null, null, "n", null, "blank", null, true]
