-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: numbers written by a format
SELECT to_char(454, '999') AS a, to_char(454.00, '000D00') AS b, to_char(12454, '99G999') AS c, to_char(78.12, '$99.99') AS d, to_char(-12454.8, '99G999D9S') AS e, to_char(CAST(NULL AS INT), '999') AS f, to_varchar(4, '0000') AS g;
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["454", "454.00", "12,454", "$78.12", "12,454.8-", null, "0004"]

-- title: numbers written by a format: signs and blanks
SELECT to_char(-4, 'S9999') AS a, to_char(-4, 'MI9999') AS b, to_char(-4, '9999MI') AS c, to_char(-4, '9999PR') AS d, to_char(4, '9999PR') AS e, to_char(4, 'S9999') AS f, to_char(4, 'MI999') AS g, to_char(0.5, '99.9') AS h, to_char(0.5, '00.9') AS i, to_char(4, '$9,999.00') AS j, to_char(1234567, '9,999,999') AS k;
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["   -4", "   -4", "   4-", "   <4>", "   4  ", "   +4", "   4", " 0.5", "00.5", "$    4.00", "1,234,567"]

-- title: numbers that do not fit their format
SELECT to_char(12454, '999') AS a, to_char(4.567, '9.9') AS b, to_char(454.7, '999') AS c, to_char(4.5D, '9.9') AS d, to_char('454', '999') AS e, to_char(7, '999.99') AS f, to_char(0, '999') AS g, to_char(0, '000') AS h;
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["###", "#.#", "###", "4.5", "454", "  7.00", "   ", "000"]

-- title: dates written by a format
SELECT to_char(DATE'2024-03-15', 'yyyy/MM') AS a, to_varchar(TIMESTAMP'2024-03-15 08:09:10', 'HH:mm') AS b, to_char(CAST(NULL AS DATE), 'yyyy') AS c;
-- types: ["STRING", "STRING", "STRING"]
-- row: ["2024/03", "08:09", null]

-- title: numbers read by a format
SELECT to_number('454', '999') AS a, to_number('454.00', '000.00') AS b, to_number('12,454', '99,999') AS c, to_number('$78.12', '$99.99') AS d, to_number('12,454.8-', '99,999.9S') AS e, to_number(CAST(NULL AS STRING), '999') AS f;
-- types: ["DECIMAL(3,0)", "DECIMAL(5,2)", "DECIMAL(5,0)", "DECIMAL(4,2)", "DECIMAL(6,1)", "DECIMAL(3,0)"]
-- row: [454.0, 454.0, 12454.0, 78.12, -12454.8, null]

-- title: numbers read by a format, or NULL
SELECT try_to_number('abc', '999') AS a, try_to_number('12', '999') AS b, try_to_number('1234', '999') AS c, try_to_number('<5>', '9PR') AS d, try_to_number('-5', 'S9') AS e, try_to_number('5-', '9MI') AS f, try_to_number('05', '99') AS g, try_to_number('5', '00') AS h, try_to_number('1.5', '9D99') AS i, try_to_number('1.234', '9D99') AS j, try_to_number('.5', '9.9') AS k, try_to_number('5.', '9.9') AS l, try_to_number('+5', 'S9') AS m, try_to_number('5', '$9') AS n;
-- types: ["DECIMAL(3,0)", "DECIMAL(3,0)", "DECIMAL(3,0)", "DECIMAL(1,0)", "DECIMAL(1,0)", "DECIMAL(1,0)", "DECIMAL(2,0)", "DECIMAL(2,0)", "DECIMAL(3,2)", "DECIMAL(3,2)", "DECIMAL(2,1)", "DECIMAL(2,1)", "DECIMAL(1,0)", "DECIMAL(1,0)"]
-- row: [null, 12.0, null, -5.0, -5.0, -5.0, 5.0, null, 1.5, null, 0.5, 5.0, 5.0, null]

-- title: names of types
SELECT typeof(1) AS a, typeof(1L) AS b, typeof(1.5D) AS c, typeof('a') AS d, typeof(array(1)) AS e, typeof(map('a', 1)) AS f, typeof(DATE'2024-01-01') AS g, typeof(TIMESTAMP'2024-01-01 00:00:00') AS h, typeof(true) AS i, typeof(named_struct('a', 1, 'b', 'x')) AS j, typeof(CAST(1 AS DECIMAL(10,2))) AS k;
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["int", "bigint", "double", "string", "array<int>", "map<string,int>", "date", "timestamp", "boolean", "struct<a:int,b:string>", "decimal(10,2)"]

-- title: types of JSON
SELECT schema_of_json('{"a":1,"b":"x","c":[1,2],"d":{"e":1.5},"f":null,"g":true}') AS a, schema_of_json('[{"a":1},{"b":2}]') AS b, schema_of_json('[]') AS c, schema_of_json('[1,2.5]') AS d, schema_of_json('[1,"a"]') AS e, schema_of_json('{"b":1,"a":99999999999}') AS f, schema_of_json('"x"') AS g, schema_of_json('[{"a":1},{"a":"x"}]') AS h, schema_of_json('{"A b":1}') AS i, schema_of_json('1') AS j, schema_of_json('[null]') AS k;
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["STRUCT<a: BIGINT, b: STRING, c: ARRAY<BIGINT>, d: STRUCT<e: DOUBLE>, f: STRING, g: BOOLEAN>", "ARRAY<STRUCT<a: BIGINT, b: BIGINT>>", "ARRAY<STRING>", "ARRAY<DOUBLE>", "ARRAY<STRING>", "STRUCT<a: BIGINT, b: BIGINT>", "STRING", "ARRAY<STRUCT<a: STRING>>", "STRUCT<`A b`: BIGINT>", "BIGINT", "ARRAY<STRING>"]

-- title: types of CSV
SELECT schema_of_csv('1,abc,2.5,true,2024-01-01,,99999999999,2024-01-01 10:00:00') AS a, schema_of_csv('x') AS b;
-- types: ["STRING", "STRING"]
-- row: ["STRUCT<_c0: INT, _c1: STRING, _c2: DOUBLE, _c3: BOOLEAN, _c4: DATE, _c5: STRING, _c6: BIGINT, _c7: TIMESTAMP>", "STRUCT<_c0: STRING>"]

-- title: structs as CSV
SELECT to_csv(named_struct('a', 1, 'b', 'x', 'c', 1.5D, 'd', true, 'e', DATE'2024-03-15', 'g', CAST(NULL AS INT), 'h', 'a,b', 'i', 'q"r', 'j', '')) AS a, to_csv(CAST(NULL AS STRUCT<a:INT>)) AS b, to_csv(named_struct('a', CAST(1.50 AS DECIMAL(10,2)), 'b', ' x ', 'c', 'k')) AS c;
-- types: ["STRING", "STRING", "STRING"]
-- row: ["1,x,1.5,true,2024-03-15,,\"a,b\",\"q\\\"r\",\"\"", null, "1.50,x,k"]

-- title: CSV as structs
SELECT from_csv('1,0.8,x', 'a INT, b DOUBLE, c STRING') AS a, from_csv('1', 'a INT, b INT') AS b, from_csv('x,2', 'a INT, b INT') AS c, from_csv(CAST(NULL AS STRING), 'a INT') AS d, from_csv('1,2,3', 'a INT') AS e, from_csv('"a,b",2', 'a STRING, b INT') AS f, from_csv(' x ,2', 'a STRING, b INT') AS g, from_csv(',2', 'a STRING, b INT') AS h, from_csv('2024-03-15,true', 'a DATE, b BOOLEAN') AS i, from_csv('1.5', 'a INT') AS j;
-- types: ["struct<a:int,b:double,c:string>", "struct<a:int,b:int>", "struct<a:int,b:int>", "struct<a:int>", "struct<a:int>", "struct<a:string,b:int>", "struct<a:string,b:int>", "struct<a:string,b:int>", "struct<a:date,b:boolean>", "struct<a:int>"]
-- row: [{"a": 1, "b": 0.8, "c": "x"}, {"a": 1, "b": null}, {"a": null, "b": 2}, null, {"a": 1}, {"a": "a,b", "b": 2}, {"a": " x ", "b": 2}, {"a": null, "b": 2}, {"a": "2024-03-15", "b": true}, {"a": null}]

-- title: arrays put side by side
SELECT arrays_zip(x, y) AS a, arrays_zip(x) AS b, arrays_zip(x, array('a')) AS c, arrays_zip(x, z) AS d FROM VALUES (array(1, 2), array(3, 4, 5), CAST(NULL AS ARRAY<INT>)) AS t(x, y, z);
-- types: ["array<struct<x:int,y:int>>", "array<struct<x:int>>", "array<struct<x:int,1:string>>", "array<struct<x:int,z:int>>"]
-- row: [[{"x": 1, "y": 3}, {"x": 2, "y": 4}, {"x": null, "y": 5}], [{"x": 1}, {"x": 2}], [{"x": 1, "1": "a"}, {"x": 2, "1": null}], null]

-- title: members by position from 0
SELECT get(x, 0) AS a, get(x, 3) AS b, get(x, -1) AS c, get(z, 0) AS d, get(x, CAST(NULL AS INT)) AS e FROM VALUES (array(1, 2, 3), CAST(NULL AS ARRAY<INT>)) AS t(x, z);
-- types: ["INT", "INT", "INT", "INT", "INT"]
-- row: [1, null, null, null, null]

-- title: maps from entries
SELECT map_from_entries(array(struct('a', 1), struct('b', 2))) AS a, map_from_entries(CAST(NULL AS ARRAY<STRUCT<k:STRING,v:INT>>)) AS b, map_from_entries(array(struct('a', CAST(NULL AS INT)))) AS c, map_from_entries(array(struct('a', 1), NULL)) AS d;
-- types: ["map<string,int>", "map<string,int>", "map<string,int>", "map<string,int>"]
-- row: [{"a": 1, "b": 2}, null, {"a": null}, null]

-- title: time zones changed
SELECT convert_timezone('Europe/Brussels', 'America/Los_Angeles', TIMESTAMP'2021-12-06 00:00:00') AS a, convert_timezone('Europe/Brussels', TIMESTAMP'2021-12-05 15:00:00') AS b, convert_timezone(CAST(NULL AS STRING), 'UTC', TIMESTAMP'2021-12-06 00:00:00') AS c, convert_timezone('UTC', 'Asia/Shanghai', CAST(NULL AS TIMESTAMP)) AS d, current_timezone() AS e;
-- types: ["TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "STRING"]
-- row: ["2021-12-05 15:00:00", "2021-12-05 16:00:00", null, null, "UTC"]

-- title: dates and timestamps, or NULL
SELECT to_timestamp_ntz('2016-12-31 00:12:00') AS a, to_timestamp_ltz('2016-12-31', 'yyyy-MM-dd') AS b, to_timestamp_ntz('x') AS c, to_timestamp_ltz(CAST(NULL AS STRING)) AS d, try_to_date('2016-12-31') AS e, try_to_date('x') AS f, try_to_date('31/12/2016', 'dd/MM/yyyy') AS g, try_to_date(CAST(NULL AS STRING)) AS h;
-- types: ["TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "DATE", "DATE", "DATE", "DATE"]
-- row: ["2016-12-31 00:12:00", "2016-12-31 00:00:00", null, null, "2016-12-31", null, "2016-12-31", null]

-- title: timestamps made of parts
SELECT try_make_timestamp(2024, 13, 1, 0, 0, 0) AS a, make_timestamp_ltz(2014, 12, 28, 6, 30, 45.887) AS b, make_timestamp_ntz(2014, 12, 28, 6, 30, 45.887) AS c, try_make_timestamp_ntz(2014, 2, 30, 6, 30, 45.887) AS d, make_timestamp_ntz(CAST(NULL AS INT), 12, 28, 6, 30, 45.887) AS e, try_make_timestamp_ltz(2014, 12, 28, 6, 30, 60) AS f;
-- types: ["TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP"]
-- row: [null, "2014-12-28 06:30:45.887", "2014-12-28 06:30:45.887", null, null, "2014-12-28 06:31:00"]

-- title: likeness of texts
SELECT jaro_winkler_similarity('Spark', 'Park') AS a, jaro_winkler_similarity('', '') AS b, jaro_winkler_similarity('a', '') AS c, jaro_winkler_similarity('MARTHA', 'MARHTA') AS d, jaro_winkler_similarity(CAST(NULL AS STRING), 'a') AS e, jaro_winkler_similarity('DIXON', 'DICKSONX') AS f, jaro_winkler_similarity('abc', 'abc') AS g, jaro_winkler_similarity('DWAYNE', 'DUANE') AS h, jaro_winkler_similarity('abcdefgh', 'hgfedcba') AS i, jaro_winkler_similarity('kitten', 'sitting') AS j;
-- types: ["DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [0.7833333333333333, 1.0, 0.0, 0.9611111111111111, null, 0.8133333333333332, 1.0, 0.8400000000000001, 0.5, 0.746031746031746]

-- title: check digits
SELECT luhn_check('8112189876') AS a, luhn_check('79927398714') AS b, luhn_check('') AS c, luhn_check(CAST(NULL AS STRING)) AS d, luhn_check('a1') AS e, luhn_check('0') AS f;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, 0, 0, null, 0, 1]

-- title: quotes and encodings
SELECT quote('Don\'t') AS a, quote(CAST(NULL AS STRING)) AS b, quote('') AS c, is_valid_utf8('abc') AS d, is_valid_utf8(CAST(NULL AS STRING)) AS e, make_valid_utf8('é') AS f, validate_utf8('x') AS g, try_validate_utf8(CAST(NULL AS STRING)) AS h;
-- types: ["STRING", "STRING", "STRING", "BOOLEAN", "BOOLEAN", "STRING", "STRING", "STRING"]
-- row: ["'Don\\'t'", null, "''", 1, null, "é", "x", null]

-- title: zero and NULL
SELECT nullifzero(0) AS a, nullifzero(3) AS b, nullifzero(CAST(NULL AS INT)) AS c, zeroifnull(CAST(NULL AS INT)) AS d, zeroifnull(3) AS e, nullifzero(0.5D) AS f, zeroifnull(CAST(NULL AS DOUBLE)) AS g;
-- types: ["INT", "INT", "INT", "INT", "INT", "DOUBLE", "DOUBLE"]
-- row: [null, 3, null, 0, 3, 0.5, 0.0]

-- title: patterns called as functions
SELECT like('abc', 'a%') AS a, ilike('ABC', 'a_c') AS b, like(CAST(NULL AS STRING), 'a') AS c, ilike('a', CAST(NULL AS STRING)) AS d, like('a_b', 'a/_b', '/') AS e, ilike('A_B', 'a/_b', '/') AS f;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, 1, null, null, 1, 1]

-- title: addresses, or NULL
SELECT try_url_decode('a%20b') AS a, try_url_decode(CAST(NULL AS STRING)) AS b, try_parse_url('http://a.b/c?d=e', 'HOST') AS c, try_parse_url(CAST(NULL AS STRING), 'HOST') AS d, try_parse_url('http://a.b/c?d=e', 'QUERY', 'd') AS e;
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["a b", null, "a.b", null, "e"]

-- title: places in bitmaps
SELECT bitmap_bit_position(1) AS a, bitmap_bit_position(123) AS b, bitmap_bucket_number(123) AS c, bitmap_bucket_number(32769) AS d, bitmap_bit_position(0) AS e, bitmap_bit_position(-5) AS f, bitmap_bucket_number(-5) AS g, bitmap_bit_position(CAST(NULL AS BIGINT)) AS h, bitmap_bucket_number(-32769) AS i;
-- types: ["BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT"]
-- row: [0, 122, 1, 2, 0, 5, 0, null, -1]

-- title: shifts without a sign
SELECT shiftrightunsigned(-8, 1) AS a, shiftrightunsigned(-8L, 1) AS b, shiftrightunsigned(8, CAST(NULL AS INT)) AS c, shiftrightunsigned(-1, 33) AS d;
-- types: ["INT", "BIGINT", "INT", "INT"]
-- row: [2147483644, 9223372036854775804, null, 2147483647]

-- title: sums of squares of a regression
SELECT regr_sxx(y, x) AS a, regr_sxy(y, x) AS b, regr_syy(y, x) AS c FROM VALUES (1D, 2D), (2D, 3D), (4D, 7D), (CAST(NULL AS DOUBLE), 1D), (3D, CAST(NULL AS DOUBLE)) AS t(y, x);
-- types: ["DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [14.0, 8.0, 4.666666666666666]

-- title: sums of squares of a regression without rows
SELECT regr_sxx(y, x) AS a, regr_sxy(y, x) AS b, regr_syy(y, x) AS c FROM VALUES (CAST(NULL AS DOUBLE), 1D) AS t(y, x);
-- types: ["DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [null, null, null]

-- title: sums that give NULL instead of an error
SELECT try_sum(x) AS a, try_sum(y) AS b, try_sum(z) AS c FROM VALUES (1, 1.5D, 2), (2, CAST(NULL AS DOUBLE), CAST(NULL AS INT)) AS t(x, y, z);
-- types: ["BIGINT", "DOUBLE", "BIGINT"]
-- row: [3, 1.5, 2]

-- title: the most frequent value, the least of several
SELECT mode(x, true) AS a, mode(y, true) AS b FROM VALUES (1, 'p'), (2, 'q'), (2, 'p'), (1, 'q'), (CAST(NULL AS INT), CAST(NULL AS STRING)) AS t(x, y);
-- types: ["INT", "STRING"]
-- row: [1, "p"]

-- title: structs whose fields are named inside
SELECT struct(x AS a, y AS b) AS s, struct(x, y AS b, 1) AS u, to_json(struct(x AS a, y AS b)) AS v FROM VALUES (1, 'p'), (CAST(NULL AS INT), CAST(NULL AS STRING)) AS t(x, y);
-- types: ["struct<a:int,b:string>", "struct<x:int,b:string,col3:int>", "STRING"]
-- row: [{"a": 1, "b": "p"}, {"x": 1, "b": "p", "col3": 1}, "{\"a\":1,\"b\":\"p\"}"]
-- row: [{"a": null, "b": null}, {"x": null, "b": null, "col3": 1}, "{}"]

-- title: shares of a sorted group
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) AS a, percentile_disc(0.5) WITHIN GROUP (ORDER BY x) AS b, percentile_cont(0.25) WITHIN GROUP (ORDER BY x DESC) AS c, percentile_disc(0.25) WITHIN GROUP (ORDER BY x DESC) AS d FROM VALUES (1), (2), (4), (8), (CAST(NULL AS INT)) AS t(x);
-- types: ["DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [3.0, 2.0, 5.0, 8.0]

-- title: text of a sorted group
SELECT listagg(x, ',') WITHIN GROUP (ORDER BY x) AS a, string_agg(x, '-') WITHIN GROUP (ORDER BY y DESC) AS b, listagg(DISTINCT z, ',') WITHIN GROUP (ORDER BY z) AS c FROM VALUES ('b', 1, 'u'), ('a', 2, 'u'), (CAST(NULL AS STRING), 3, CAST(NULL AS STRING)) AS t(x, y, z);
-- types: ["STRING", "STRING", "STRING"]
-- row: ["a,b", "a-b", "u"]

-- title: days, months and hours at equal steps
SELECT sequence(d, date_add(d, 3), INTERVAL 1 DAY), sequence(d, e, INTERVAL '1' MONTH), sequence(ts, ts + INTERVAL 5 HOURS, (INTERVAL 2 HOURS)), sequence(date_sub(d, 1), d) FROM VALUES (DATE '2024-02-28', DATE '2024-05-01', TIMESTAMP '2024-02-28 22:00:00') AS t(d, e, ts);
-- types: ["array<date>", "array<date>", "array<timestamp>", "array<date>"]
-- row: [["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"], ["2024-02-28", "2024-03-28", "2024-04-28"], ["2024-02-28 22:00:00", "2024-02-29 00:00:00", "2024-02-29 02:00:00"], ["2024-02-27", "2024-02-28"]]

-- title: one row for each day between two columns
SELECT k, day FROM (SELECT k, explode(sequence(from_day, to_day, INTERVAL 1 DAY)) AS day FROM VALUES (1, DATE '2024-02-28', DATE '2024-03-01'), (2, DATE '2024-12-31', DATE '2024-12-31') AS t(k, from_day, to_day)) x ORDER BY k, day;
-- types: ["INT", "DATE"]
-- row: [1, "2024-02-28"]
-- row: [1, "2024-02-29"]
-- row: [1, "2024-03-01"]
-- row: [2, "2024-12-31"]
