-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: hyperbolic inverses and reciprocals
SELECT acosh(x) AS a, asinh(x) AS b, atanh(x / 10) AS c, csc(x) AS d, sec(x) AS e, signum(x) AS f FROM VALUES (1.5D), (2D), (CAST(NULL AS DOUBLE)) AS t(x);
-- types: ["DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [0.9624236501192069, 1.1947632172871094, 0.1511404359364668, 1.0025113042467249, 14.136832902969903, 1.0]
-- row: [1.3169578969248166, 1.4436354751788103, 0.2027325540540822, 1.0997501702946164, -2.402997961722381, 1.0]
-- row: [null, null, null, null, null, null]

-- title: short casts by name
SELECT int('12') AS a, bigint(3.9D) AS b, double('1.5') AS c, float('2.5') AS d, string(12) AS e, boolean('true') AS f, smallint('7') AS g, tinyint('x') AS h, date('2024-03-15') AS i, timestamp('2024-03-15 08:09:10') AS j, int(NULL) AS k;
-- types: ["INT", "BIGINT", "DOUBLE", "DOUBLE", "STRING", "BOOLEAN", "INT", "INT", "DATE", "TIMESTAMP", "INT"]
-- row: [12, 3, 1.5, 2.5, "12", 1, 7, null, "2024-03-15", "2024-03-15 08:09:10", null]

-- title: character functions by other names
SELECT char(65) AS a, character_length('aé') AS b, char_length('abc') AS c, len('abcd') AS d, lcase('AbC') AS e, ucase('AbC') AS f, len(NULL) AS g, lcase(NULL) AS h;
-- types: ["STRING", "INT", "INT", "INT", "STRING", "STRING", "INT", "STRING"]
-- row: ["A", 2, 3, 4, "abc", "ABC", null, null]

-- title: bits
SELECT bit_get(11, 0) AS a, bit_get(11, 2) AS b, getbit(11, 3) AS c, bit_get(NULL, 0) AS g, bit_count(255) AS h;
-- types: ["INT", "INT", "INT", "INT", "INT"]
-- row: [1, 0, 1, null, 8]

-- title: dates by other names
SELECT date_diff(DATE'2024-03-15', DATE'2024-03-01') AS a, dateadd(DATE'2024-03-01', 5) AS b, datepart('YEAR', DATE'2024-03-15') AS c, datepart('DOW', DATE'2024-03-15') AS d, date_diff(NULL, DATE'2024-03-01') AS e;
-- types: ["INT", "DATE", "INT", "INT", "INT"]
-- row: [14, "2024-03-06", 2024, 6, null]

-- title: reduce
SELECT reduce(array(1,2,3), 0, (acc, x) -> acc + x) AS a, reduce(array(1,2,3), 0, (acc, x) -> acc + x, acc -> acc * 10) AS b, aggregate(array(1,NULL), 0, (acc, x) -> acc + x) AS c;
-- types: ["INT", "INT", "INT"]
-- row: [6, 60, null]

-- title: aggregates by other names
SELECT mean(x) AS a, std(x) AS b, sum(x) AS c, count(x) AS d FROM VALUES (1), (2), (4), (NULL) AS t(x);
-- types: ["DOUBLE", "DOUBLE", "BIGINT", "BIGINT"]
-- row: [2.3333333333333335, 1.5275252316519465, 7, 3]

-- title: array_agg
SELECT g, sort_array(array_agg(x)) AS a FROM VALUES (1, 3), (1, NULL), (1, 2), (2, NULL) AS t(g, x) GROUP BY g;
-- types: ["INT", "ARRAY<INT>"]
-- row: [1, [2, 3]]
-- row: [2, []]

-- title: regression
SELECT regr_count(y, x) AS f, regr_slope(y, x) AS g, regr_intercept(y, x) AS h, regr_r2(y, x) AS i FROM VALUES (1, 2), (2, 3), (4, 7), (NULL, 1), (3, NULL) AS t(y, x);
-- types: ["BIGINT", "DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [3, 0.5714285714285714, 0.047619047619047894, 0.9795918367346939]

-- title: approx_percentile
SELECT approx_percentile(x, 0.5) AS a, approx_percentile(x, array(0.25, 0.75)) AS b FROM VALUES (1), (2), (3), (10), (NULL) AS t(x);
-- types: ["INT", "ARRAY<INT>"]
-- row: [2, [1, 3]]

-- title: posexplode_outer
SELECT id, p, x FROM VALUES (1, array('a','b')), (2, CAST(NULL AS ARRAY<STRING>)) AS t(id, xs) LATERAL VIEW posexplode_outer(xs) e AS p, x;
-- types: ["INT", "INT", "STRING"]
-- row: [1, 0, "a"]
-- row: [1, 1, "b"]
-- row: [2, null, null]

-- title: inline_outer
SELECT id, a, b FROM VALUES (1, array(struct(1, 'x'), struct(2, 'y'))), (2, NULL) AS t(id, xs) LATERAL VIEW inline_outer(xs) e AS a, b;
-- types: ["INT", "INT", "STRING"]
-- row: [1, 1, "x"]
-- row: [1, 2, "y"]
-- row: [2, null, null]

-- title: other checks
SELECT isnan(1.5D) AS f, isnan(NULL) AS g;
-- types: ["BOOLEAN", "BOOLEAN"]
-- row: [0, 0]

-- title: if with nulls
SELECT if(NULL, 1, 2) AS a, if(1 = 1, NULL, 2) AS b, if(1 > 2, 'a', 'b') AS c, nvl(NULL, 3) AS d, ifnull(NULL, 'x') AS e, nvl2(NULL, 1, 2) AS f, nullif(1, 1) AS g, nullif(NULL, 1) AS h, coalesce(NULL, NULL) AS i;
-- types: ["INT", "INT", "STRING", "INT", "STRING", "INT", "INT", "VOID", "VOID"]
-- row: [2, null, "b", 3, "x", 2, null, null, null]

-- title: digests
SELECT md5('abc') AS a, sha1('abc') AS b, sha2('abc', 256) AS c, sha2('abc', 0) AS d, crc32('abc') AS e, md5(NULL) AS f, hash('abc') AS g, hash(1, NULL) AS h, xxhash64('abc') AS i, hash(NULL) AS j;
-- types: ["STRING", "STRING", "STRING", "STRING", "BIGINT", "STRING", "INT", "INT", "BIGINT", "INT"]
-- row: ["900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", 891568578, null, 1322437556, -559580957, 1423657621850124518, 42]

-- title: conv
SELECT conv('ff', 16, 10) AS a, conv('100', 2, 10) AS b, conv('-15', 10, 16) AS c, conv('xyz', 36, 10) AS d, conv(NULL, 10, 2) AS e, conv('9', 8, 10) AS f, conv(substr(md5('abc'), 1, 8), 16, 10) AS g;
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["255", "4", "FFFFFFFFFFFFFFF1", "44027", null, "0", "2416005272"]

-- title: window functions and nulls
SELECT id, ntile(2) OVER (ORDER BY id) AS a, percent_rank() OVER (ORDER BY v) AS b, cume_dist() OVER (ORDER BY v) AS c, first_value(v, true) OVER (ORDER BY id) AS d, last_value(v) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS e, nth_value(v, 2) OVER (ORDER BY id) AS f, lag(v, 1, -1) OVER (ORDER BY id) AS g FROM VALUES (1, NULL), (2, 5), (3, 5), (4, 9) AS t(id, v);
-- types: ["INT", "INT", "DOUBLE", "DOUBLE", "INT", "INT", "INT", "INT"]
-- row: [1, 1, 0.0, 0.25, null, 9, null, -1]
-- row: [2, 1, 0.3333333333333333, 0.75, 5, 9, 5, null]
-- row: [3, 2, 0.3333333333333333, 0.75, 5, 9, 5, 5]
-- row: [4, 2, 1.0, 1.0, 5, 9, 5, 5]

-- title: sums over frames
SELECT id, sum(v) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS a, avg(v) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS b, count(v) OVER (PARTITION BY v) AS c, max(v) OVER () AS d, collect_list(v) OVER (ORDER BY id) AS e FROM VALUES (1, NULL), (2, 5), (4, 5), (5, 9) AS t(id, v);
-- types: ["INT", "BIGINT", "DOUBLE", "BIGINT", "INT", "ARRAY<INT>"]
-- row: [1, null, 5.0, 0, 9, []]
-- row: [2, 5, 5.0, 2, 9, [5]]
-- row: [4, 10, 7.0, 2, 9, [5, 5]]
-- row: [5, 14, 7.0, 1, 9, [5, 5, 9]]

-- title: patterns as functions
SELECT regexp_like('abc', 'b') AS e, regexp_like(NULL, 'b') AS g, regexp_like('a.b', '\\\\.') AS h;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, null, 0]

-- title: null-safe equality as a function
SELECT equal_null(1, 1) AS a, equal_null(NULL, NULL) AS b, equal_null(1, NULL) AS c;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, 1, 0]

-- title: JSON into values
SELECT from_json('{"a":1,"b":"x"}', 'a INT, b STRING') AS a, from_json('[1,2]', 'array<int>') AS b, from_json('{"k":2}', 'map<string,int>') AS c, from_json('nope', 'a INT') AS d, from_json(NULL, 'a INT') AS e, json_array_length('[1,2]') AS f, json_object_keys('{"a":1}') AS g, json_array_length('x') AS h;
-- types: ["STRUCT<A:INT,B:STRING>", "ARRAY<INT>", "MAP<STRING,INT>", "STRUCT<A:INT>", "STRUCT<A:INT>", "INT", "ARRAY<STRING>", "INT"]
-- row: [{"a": 1, "b": "x"}, [1, 2], {"k": 2}, {"a": null}, null, 2, ["a"], null]

-- title: field of parsed JSON
SELECT from_json('{"a":{"b":[7,8]}}', 'a STRUCT<b: ARRAY<INT>>').a.b[1] AS x, get_json_object('{"a":{"b":[7,8]}}', '$.a.b[1]') AS y;
-- types: ["INT", "STRING"]
-- row: [8, "8"]

-- title: hashes of every type
SELECT hash(1) AS a, hash(1L) AS b, hash('a', 2) AS c, hash(1.5D) AS d, hash(true) AS e, hash(DATE'2024-03-15') AS f, xxhash64(1, 'a') AS h, hash(1.50) AS i;
-- types: ["INT", "INT", "INT", "INT", "INT", "INT", "BIGINT", "INT"]
-- row: [-559580957, -1712319331, 201997482, 1290763749, -559580957, -1154644216, 8205864924878002737, -2056712946]

-- title: urls and formats
SELECT parse_url('http://a.b/c?d=1', 'QUERY', 'd') AS a, parse_url('http://a.b/c?d=1', 'HOST') AS b, url_encode('a b') AS c, url_decode('a%20b') AS d, format_string('%05d-%s', 7, 'x') AS e, printf('%.2f', 1.5D) AS f, elt(2, 'a', 'b') AS g, overlay('abcdef', 'X', 2) AS h, parse_url(NULL, 'HOST') AS i;
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["1", "a.b", "a+b", "a b", "00007-x", "1.50", "b", "aXcdef", null]

-- title: arrays that grow
SELECT array_append(array(1), 2) AS a, array_prepend(array(1), 0) AS b, array_compact(array(1, NULL, 2)) AS c, array_insert(array(1, 2), 2, 9) AS d, array_append(CAST(NULL AS ARRAY<INT>), 1) AS e;
-- types: ["ARRAY<INT>", "ARRAY<INT>", "ARRAY<INT>", "ARRAY<INT>", "ARRAY<INT>"]
-- row: [[1, 2], [0, 1], [1, 2], [1, 9, 2], null]

-- title: patterns in text
SELECT regexp_count('abab', 'a') AS a, regexp_extract_all('1-2,3-4', '(\\\\d)-(\\\\d)', 1) AS b, regexp_instr('xxab', 'ab') AS c, regexp_substr('xxab', 'a.') AS d, regexp_count(NULL, 'a') AS e;
-- types: ["INT", "ARRAY<STRING>", "INT", "STRING", "INT"]
-- row: [2, [], 3, "ab", null]

-- title: epochs
SELECT timestamp_seconds(1710504000) AS a, timestamp_millis(1710504000123) AS b, unix_date(DATE'2024-03-15') AS c, unix_seconds(TIMESTAMP'2024-03-15 00:00:00') AS d, unix_millis(TIMESTAMP'2024-03-15 00:00:00.5') AS e, unix_micros(TIMESTAMP'2024-03-15 00:00:00') AS f, date_from_unix_date(19797) AS g, make_timestamp(2024, 3, 15, 8, 9, 10.5) AS h;
-- types: ["TIMESTAMP", "TIMESTAMP", "INT", "BIGINT", "BIGINT", "BIGINT", "DATE", "TIMESTAMP"]
-- row: ["2024-03-15 12:00:00", "2024-03-15 12:00:00.123", 19797, 1710460800, 1710460800500, 1710460800000000, "2024-03-15", "2024-03-15 08:09:10.5"]

-- title: names of days and numbers
SELECT dayname(DATE'2024-03-15') AS a, monthname(DATE'2024-03-15') AS b, factorial(5) AS c, width_bucket(5.3D, 0.2D, 10.6D, 5) AS d, hypot(3, 4) AS e, rint(2.5D) AS f, log1p(0D) AS g, atan2(1, 1) AS h, octet_length('日本') AS i, bit_length('ab') AS j, sinh(0) AS k, e() AS l;
-- types: ["STRING", "STRING", "BIGINT", "BIGINT", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "INT", "INT", "DOUBLE", "DOUBLE"]
-- row: ["Fri", "Mar", 120, 3, 5.0, 2.0, 0.0, 0.7853981633974483, 6, 16, 0.0, 2.718281828459045]

-- title: bits of groups
SELECT g, bit_and(x) AS a, bit_or(x) AS b, bit_xor(x) AS c FROM VALUES (1, 12), (1, 10), (2, NULL) AS t(g, x) GROUP BY g;
-- types: ["INT", "INT", "INT", "INT"]
-- row: [1, 8, 14, 6]
-- row: [2, null, null, null]

-- title: moments of groups
SELECT covar_pop(x, y) AS a, covar_samp(x, y) AS b, kurtosis(x) AS c, skewness(x) AS d FROM VALUES (1, 2), (2, 4), (4, 5), (NULL, 1) AS t(x, y);
-- types: ["DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [1.4444444444444446, 2.166666666666667, -1.5000000000000009, 0.3818017741606068]

-- title: clock-free dates
SELECT month(DATE'2024-03-15') AS a, month(NULL) AS b, quarter(DATE'2024-03-15') AS c, weekofyear(DATE'2024-12-30') AS d, dayofyear(DATE'2024-12-31') AS e, last_day(DATE'2024-02-01') AS f, next_day(DATE'2024-03-15', 'MO') AS g, trunc(DATE'2024-03-15', 'MM') AS h, add_months(DATE'2024-01-31', 1) AS i, months_between(DATE'2024-03-15', DATE'2024-01-31') AS j, date_trunc('WEEK', DATE'2024-03-15') AS k;
-- types: ["INT", "INT", "INT", "INT", "INT", "DATE", "DATE", "DATE", "DATE", "DOUBLE", "TIMESTAMP"]
-- row: [3, null, 1, 1, 366, "2024-02-29", "2024-03-18", "2024-03-01", "2024-02-29", 1.48387097, "2024-03-11 00:00:00"]

-- title: entries of a map that a lambda keeps
SELECT map_filter(m, (k, v) -> v > 1) AS a, map_filter(m, (k, v) -> k <> 'a') AS b, map_filter(m, (k, v) -> false) AS c FROM VALUES (map('a', 1, 'b', 2, 'c', 3)), (map('x', CAST(NULL AS INT))), (CAST(NULL AS MAP<STRING, INT>)) AS t(m);
-- types: ["MAP<STRING, INT>", "MAP<STRING, INT>", "MAP<STRING, INT>"]
-- row: [{"b": 2, "c": 3}, {"b": 2, "c": 3}, {}]
-- row: [{}, {"x": null}, {}]
-- row: [null, null, null]

-- title: keys and values of a map made anew
SELECT transform_keys(m, (k, v) -> upper(k)) AS a, transform_values(m, (k, v) -> v * 2) AS b, transform_values(m, (k, v) -> concat(k, v)) AS c FROM VALUES (map('a', 1, 'b', 2)), (map('x', CAST(NULL AS INT))), (CAST(NULL AS MAP<STRING, INT>)) AS t(m);
-- types: ["MAP<STRING, INT>", "MAP<STRING, INT>", "MAP<STRING, STRING>"]
-- row: [{"A": 1, "B": 2}, {"a": 2, "b": 4}, {"a": "a1", "b": "b2"}]
-- row: [{"X": null}, {"x": null}, {"x": null}]
-- row: [null, null, null]

-- title: keys that are numbers
SELECT transform_values(map(1, 'a', 20, 'b'), (k, v) -> k + 1) AS a, map_filter(map(1, 'a', 20, 'b'), (k, v) -> k > 9) AS b;
-- types: ["MAP<INT, INT>", "MAP<INT, STRING>"]
-- row: [{"1": 2, "20": 21}, {"20": "b"}]

-- title: two maps with the same keys
SELECT map_zip_with(a, b, (k, x, y) -> concat_ws('-', k, x, y)) AS z, map_zip_with(a, b, (k, x, y) -> x = y) AS e FROM VALUES (map('a', 'p', 'b', 'q'), map('b', 'q', 'c', 'r')), (map('a', 'p'), CAST(NULL AS MAP<STRING, STRING>)) AS t(a, b);
-- types: ["MAP<STRING, STRING>", "MAP<STRING, BOOLEAN>"]
-- row: [{"a": "a-p", "b": "b-q-q", "c": "c-r"}, {"a": null, "b": true, "c": null}]
-- row: [null, null]

-- title: two arrays side by side
SELECT zip_with(a, b, (x, y) -> x + y) AS s, zip_with(a, b, (x, y) -> coalesce(x, 0) * 10 + coalesce(y, 0)) AS c, zip_with(a, b, (x, y) -> x IS NULL) AS n FROM VALUES (array(1, 2, 3), array(10, 20)), (array(1), array(10, 20)), (array(), array(5)), (CAST(NULL AS ARRAY<INT>), array(1)) AS t(a, b);
-- types: ["ARRAY<INT>", "ARRAY<INT>", "ARRAY<BOOLEAN>"]
-- row: [[11, 22, null], [20, 40, 30], [false, false, false]]
-- row: [[11, null], [20, 20], [false, true]]
-- row: [[null], [5], [true]]
-- row: [null, null, null]

-- title: maps of arrays and arrays of maps through lambdas
SELECT map_filter(m, (k, v) -> size(v) > 1) AS a, transform_values(m, (k, v) -> v[0]) AS b, transform_values(m, (k, v) -> array(k)) AS c FROM VALUES (map('a', array('x', 'y'), 'b', array('z'))) AS t(m);
-- types: ["MAP<STRING, ARRAY<STRING>>", "MAP<STRING, STRING>", "MAP<STRING, ARRAY<STRING>>"]
-- row: [{"a": ["x", "y"]}, {"a": "x", "b": "z"}, {"a": ["a"], "b": ["b"]}]

-- title: lambdas within lambdas over maps
SELECT transform_values(m, (k, v) -> aggregate(v, 0, (s, x) -> s + x)) AS a, map_filter(m, (k, v) -> exists(v, x -> x > 2)) AS b FROM VALUES (map('a', array(1, 2), 'b', array(3))) AS t(m);
-- types: ["MAP<STRING, INT>", "MAP<STRING, ARRAY<INT>>"]
-- row: [{"a": 3, "b": 3}, {"b": [3]}]

-- title: nested values as JSON
SELECT to_json(named_struct('a', 1, 'b', CAST(NULL AS STRING), 'c', 'x"y')) AS a, to_json(map('k', 1, 'n', CAST(NULL AS INT))) AS b, to_json(array(1.5D, 2D)) AS c, to_json(array(named_struct('d', DATE'2024-03-15', 't', TIMESTAMP'2024-03-15 08:09:10.5'))) AS d, to_json(named_struct('x', 1.50, 'y', true)) AS e;
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["{\"a\":1,\"c\":\"x\\\"y\"}", "{\"k\":1,\"n\":null}", "[1.5,2.0]", "[{\"d\":\"2024-03-15\",\"t\":\"2024-03-15T08:09:10.500Z\"}]", "{\"x\":1.50,\"y\":true}"]

-- title: columns as JSON
SELECT i, to_json(named_struct('i', i, 's', s, 'l', l)) AS j, to_json(l) AS k FROM VALUES (1, 'a', array('x', NULL)), (2, NULL, CAST(NULL AS ARRAY<STRING>)), (NULL, 'é/', array()) AS t(i, s, l);
-- types: ["INT", "STRING", "STRING"]
-- row: [1, "{\"i\":1,\"s\":\"a\",\"l\":[\"x\",null]}", "[\"x\",null]"]
-- row: [2, "{\"i\":2}", null]
-- row: [null, "{\"s\":\"é/\",\"l\":[]}", "[]"]

-- title: collected rows as JSON
SELECT g, to_json(sort_array(collect_set(named_struct('k', k, 'v', v)))) AS j FROM VALUES ('a', 'x', 1.5D), ('a', 'y', 2D), ('b', 'z', CAST(NULL AS DOUBLE)) AS t(g, k, v) GROUP BY g;
-- types: ["STRING", "STRING"]
-- row: ["a", "[{\"k\":\"x\",\"v\":1.5},{\"k\":\"y\",\"v\":2.0}]"]
-- row: ["b", "[{\"k\":\"z\"}]"]

-- title: arithmetic that gives NULL beyond its type
SELECT try_add(2147483647, 1) AS a, try_add(1, 2) AS b, try_subtract(-9223372036854775807L, 5L) AS c, try_multiply(3000000000L, 4000000000L) AS d, try_divide(1, 0) AS e, try_divide(7, 2) AS f, try_add(1.5, 2) AS g, try_multiply(2D, '3') AS h, try_mod(7, 0) AS i, try_mod(7, 4) AS j, try_divide(CAST(1.00 AS DECIMAL(5,2)), CAST(3 AS DECIMAL(5,2))) AS k;
-- types: ["INT", "INT", "BIGINT", "BIGINT", "DOUBLE", "DOUBLE", "DECIMAL(3,1)", "DOUBLE", "INT", "INT", "DECIMAL(13,8)"]
-- row: [null, 3, null, null, null, 3.5, 3.5, 6.0, null, 3, 0.33333333]

-- title: what is not there is NULL
SELECT try_element_at(array(1, 2), 5) AS a, try_element_at(map('a', 1), 'b') AS b, try_to_timestamp('nonsense') AS c, try_to_timestamp('2024/03/15', 'yyyy/MM/dd') AS d, try_avg(x) AS e FROM VALUES (1), (2) AS t(x);
-- types: ["INT", "INT", "TIMESTAMP", "TIMESTAMP", "DOUBLE"]
-- row: [null, null, null, "2024-03-15 00:00:00", 1.5]

-- title: masks
SELECT mask(s) AS a, mask(s, 'U') AS b, mask(s, 'U', 'l', 'd') AS c, mask(s, 'U', 'l', 'd', '*') AS d, mask(s, NULL, 'l') AS e FROM VALUES ('AbCD123-@$#'), ('Éa٣ x'), (''), (NULL) AS t(s);
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["XxXXnnn-@$#", "UxUUnnn-@$#", "UlUUddd-@$#", "UlUUddd****", "AlCDnnn-@$#"]
-- row: ["Xxn x", "Uxn x", "Uld l", "Uld*l", "Éln l"]
-- row: ["", "", "", "", ""]
-- row: [null, null, null, null, null]

-- title: seconds of dates, moments and texts
SELECT id, unix_timestamp(DATE'2024-03-01') AS a, unix_timestamp(TIMESTAMP'2024-03-01 10:00:00.5') AS b, from_unixtime(unix_timestamp(DATE'2024-03-01'), 'yyyy-MM') AS c, unix_timestamp('2024-03-01 00:00:01') AS e, unix_timestamp(DATE'2024-03-01', 'yyyyMMdd') AS f FROM VALUES (1) AS t(id);
-- types: ["INT", "BIGINT", "BIGINT", "STRING", "BIGINT", "BIGINT"]
-- row: [1, 1709251200, 1709287200, "2024-03", 1709251201, 1709251200]

-- title: bytes of texts in UTF-8
SELECT base64(encode(s, 'UTF-8')) AS a, md5(encode(s, 'utf-8')) AS b, hex((encode(s, 'UTF-8'))) AS c, decode(encode(s, 'UTF-8'), 'utf-8') AS d, crc32(encode(s, 'UTF-8')) AS e FROM VALUES ('abc'), ('é日'), (''), (CAST(NULL AS STRING)) AS t(s)
-- types: ["STRING", "STRING", "STRING", "STRING", "BIGINT"]
-- row: ["YWJj", "900150983cd24fb0d6963f7d28e17f72", "616263", "abc", 891568578]
-- row: ["w6nml6U=", "376f9b4caf919adc5758c5ae3549a812", "C3A9E697A5", "é日", 1831326769]
-- row: ["", "d41d8cd98f00b204e9800998ecf8427e", "", "", 0]
-- row: [null, null, null, null, null]

-- title: arrays as text
SELECT CAST(array(1, NULL, -3) AS STRING) AS a, CAST(array('x', 'a, b', NULL) AS STRING) AS b, CAST(array(DATE '2024-03-01', NULL) AS STRING) AS c, CAST(transform(sequence(1, 3), x -> -x) AS STRING) AS d, CAST(CAST(array() AS ARRAY<BIGINT>) AS STRING) AS e, CAST(CAST(NULL AS ARRAY<INT>) AS STRING) AS f
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["[1, null, -3]", "[x, a, b, null]", "[2024-03-01, null]", "[-1, -2, -3]", "[]", null]
