-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: text compared with numbers
SELECT '1.5' = 1, '1.5' > 1, '1.5' = 1.5, '2' < 10, 'abc' = 0, '10' < 9.5D, cast('7' AS BIGINT) = '7';
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [true, false, true, true, null, false, true]

-- title: columns of text compared with numbers
SELECT s, s = 1, s > 1.5, s < 2L, s BETWEEN 1 AND 2, s IN (1, 2), s = 1.0D FROM VALUES ('1'),('01'),('1.0'),('x'),(NULL) AS t(s);
-- types: ["STRING", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: ["1", true, false, true, true, true, true]
-- row: ["01", true, false, true, true, false, true]
-- row: ["1.0", true, false, true, true, false, true]
-- row: ["x", null, null, null, null, false, null]
-- row: [null, null, null, null, null, null, null]

-- title: lists compare as text when one member is text
SELECT 1 IN ('1', '2'), 1 IN ('01'), '01' IN (1, 2), 1 IN (1, NULL), 3 IN (1, NULL), 3 NOT IN (1, NULL);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [true, false, false, true, null, null]

-- title: dates, timestamps and text
SELECT DATE '2024-01-01' = '2024-01-01', DATE '2024-01-01' < TIMESTAMP '2024-01-01 00:00:01', '2024-1-1' = DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00' = '2024-01-01', DATE '2024-01-01' = 'x';
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [true, true, true, true, null]

-- title: columns of dates and text
SELECT d, d >= date_sub('2024-03-10', 5), d BETWEEN '2024-03-01' AND '2024-03-31', ts > d, to_date(ts) = d, s = d FROM VALUES (DATE '2024-03-05', TIMESTAMP '2024-03-05 08:00:00', '2024-03-05'), (DATE '2024-04-01', TIMESTAMP '2024-03-31 23:59:59', '20240401'), (NULL, NULL, NULL) AS t(d, ts, s);
-- types: ["DATE", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: ["2024-03-05", true, true, true, true, true]
-- row: ["2024-04-01", true, false, false, false, null]
-- row: [null, null, null, null, null, null]

-- title: booleans
SELECT true = 'true', true = 1, b = 1, b = 'yes', NOT b, b AND NULL, b OR NULL, b IS TRUE, b IS NOT FALSE, b <=> NULL FROM VALUES (true),(false),(CAST(NULL AS BOOLEAN)) AS t(b);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [true, true, true, true, false, null, true, true, true, false]
-- row: [true, true, false, false, true, false, null, false, false, false]
-- row: [true, true, null, null, null, null, null, false, true, true]

-- title: null logic
SELECT NULL = 1, NULL <=> NULL, 1 <=> NULL, NULL AND false, NULL OR true, a = NULL, a <> 1, NOT (a = 1), a IS DISTINCT FROM 1, a IS NOT DISTINCT FROM NULL FROM VALUES (1),(2),(NULL) AS t(a);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [null, true, false, false, true, null, false, false, false, false]
-- row: [null, true, false, false, true, null, true, true, true, false]
-- row: [null, true, false, false, true, null, null, null, true, true]

-- title: arithmetic of whole numbers
SELECT 7 / 2, 7 DIV 2, 7 % 2, -7 / 2, -7 DIV 2, -7 % 3, pmod(-7, 3), 7 / 0, 7 DIV 0, 7 % 0, 2 + 3 * 4, (2 + 3) * 4, 5 & 3, 5 | 3, 5 ^ 3, ~5, -(-3);
-- types: ["DOUBLE", "BIGINT", "INT", "DOUBLE", "BIGINT", "INT", "INT", "DOUBLE", "BIGINT", "INT", "INT", "INT", "INT", "INT", "INT", "INT", "INT"]
-- row: [3.5, 3, 1, -3.5, -3, -1, 2, null, null, null, 14, 20, 1, 7, 6, -6, 3]

-- title: arithmetic of decimals
SELECT 1.10 + 2.25, 0.1 + 0.2 = 0.3, 1.5 * 2.25, 10.00 / 3, 7.5 % 2, 5.5 DIV 2, 1 - 0.9, 2.5 * 2, 100 * 1.1, -1.5;
-- types: ["DECIMAL(4,2)", "BOOLEAN", "DECIMAL(6,3)", "DECIMAL(8,6)", "DECIMAL(2,1)", "BIGINT", "DECIMAL(3,1)", "DECIMAL(4,1)", "DECIMAL(6,1)", "DECIMAL(2,1)"]
-- row: [3.35, true, 3.375, 3.333333, 1.5, 2, 0.1, 5.0, 110.0, -1.5]

-- title: columns of decimals
SELECT a + b, a - b, a * b, a / b, a / 3, a * 100, a + 1, a + 0.5D, sum(a) OVER (), a = 0.30 FROM VALUES (CAST(0.30 AS DECIMAL(18,2)), CAST(0.10 AS DECIMAL(18,2))), (CAST(12.34 AS DECIMAL(18,2)), CAST(5.00 AS DECIMAL(18,2))) AS t(a,b);
-- types: ["DECIMAL(19,2)", "DECIMAL(19,2)", "DECIMAL(37,4)", "DECIMAL(38,20)", "DECIMAL(22,6)", "DECIMAL(22,2)", "DECIMAL(19,2)", "DOUBLE", "DECIMAL(28,2)", "BOOLEAN"]
-- row: [0.4, 0.2, 0.03, 3.0, 0.1, 30.0, 1.3, 0.8, 12.64, true]
-- row: [17.34, 7.34, 61.7, 2.468, 4.113333, 1234.0, 13.34, 12.84, 12.64, false]

-- title: decimals cancel out exactly
SELECT sum(v) = 0, sum(v) FROM VALUES (0.10BD),(0.20BD),(-0.30BD) AS t(v);
-- types: ["BOOLEAN", "DECIMAL(12,2)"]
-- row: [true, 0.0]

-- title: arithmetic with text
SELECT '3' + 4, '3' * '4', '7' / 2, 'x' + 1, '5' - 1.5, '10' % 4;
-- types: ["DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [7.0, 12.0, 3.5, null, 3.5, 2.0]

-- title: casts to numbers
SELECT cast('12' AS INT), cast(' 12 ' AS INT), cast('12.7' AS INT), cast('x' AS INT), cast('' AS INT), cast(12.7 AS INT), cast(-12.7 AS BIGINT), cast('1e2' AS DOUBLE), cast('1.255' AS DECIMAL(10,2)), cast(true AS INT), cast(1.5D AS DECIMAL(10,0)), cast('99999999999' AS INT);
-- types: ["INT", "INT", "INT", "INT", "INT", "INT", "BIGINT", "DOUBLE", "DECIMAL(10,2)", "INT", "DECIMAL(10,0)", "INT"]
-- row: [12, 12, 12, null, null, 12, -12, 100.0, 1.26, 1, 2.0, null]

-- title: casts to text
SELECT cast(1 AS STRING), cast(1.0D AS STRING), cast(1.50 AS STRING), cast(true AS STRING), cast(DATE '2024-01-05' AS STRING), cast(TIMESTAMP '2024-01-05 10:20:30' AS STRING), cast(1e10 AS STRING), cast(0.001D AS STRING), cast(CAST(5 AS DECIMAL(10,2)) AS STRING), cast(NULL AS STRING);
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["1", "1.0", "1.50", "true", "2024-01-05", "2024-01-05 10:20:30", "1.0E10", "0.001", "5.00", null]

-- title: casts to dates and timestamps
SELECT cast('2024-01-05' AS DATE), cast('2024-1-5' AS DATE), cast('2024-01-05 10:00:00' AS DATE), cast('20240105' AS DATE), cast('x' AS DATE), cast(TIMESTAMP '2024-01-05 10:00:00' AS DATE), cast(DATE '2024-01-05' AS TIMESTAMP), cast('2024-01-05 10:20' AS TIMESTAMP);
-- types: ["DATE", "DATE", "DATE", "DATE", "DATE", "DATE", "TIMESTAMP", "TIMESTAMP"]
-- row: ["2024-01-05", "2024-01-05", "2024-01-05", null, null, "2024-01-05", "2024-01-05 00:00:00", "2024-01-05 10:20:00"]

-- title: casts to boolean
SELECT cast('true' AS BOOLEAN), cast('Y' AS BOOLEAN), cast('x' AS BOOLEAN), cast(0 AS BOOLEAN), cast(2 AS BOOLEAN), cast('1' AS BOOLEAN);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [true, true, null, false, true, true]

-- title: coalesce and its kin widen types
SELECT coalesce(1, 'a'), coalesce(NULL, 2.5, 1), nvl(CAST(NULL AS DOUBLE), 0), nvl(1.50, 2), if(true, 1, 2.5D), nullif(1, 1), nullif('1', 1), nullif(2, 1), nvl2(NULL, 1, 2), greatest(1, 2.5, NULL), least(3, 2), ifnull(NULL, 'x');
-- types: ["STRING", "DECIMAL(11,1)", "DOUBLE", "DECIMAL(12,2)", "DOUBLE", "INT", "STRING", "INT", "INT", "DECIMAL(11,1)", "INT", "STRING"]
-- row: ["1", 2.5, 0.0, 1.5, 1.0, null, null, 2, 2, 2.5, 2, "x"]

-- title: case with and without operand
SELECT CASE a WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE 'many' END, CASE WHEN a > 1 THEN a END, CASE WHEN a = 1 THEN 1 ELSE 2.5 END, CASE a WHEN '1' THEN 'text one' END FROM VALUES (1),(2),(3),(NULL) AS t(a);
-- types: ["STRING", "INT", "DECIMAL(11,1)", "STRING"]
-- row: ["one", null, 1.0, "text one"]
-- row: ["two", 2, 2.5, null]
-- row: ["many", 3, 2.5, null]
-- row: ["many", null, 2.5, null]

-- title: case of dates and text
SELECT CASE WHEN a = 1 THEN DATE '2024-01-01' ELSE '2024-02-02' END, CASE WHEN a = 1 THEN DATE '2024-01-01' ELSE TIMESTAMP '2024-02-02 10:00:00' END FROM VALUES (1),(2) AS t(a);
-- types: ["STRING", "TIMESTAMP"]
-- row: ["2024-01-01", "2024-01-01 00:00:00"]
-- row: ["2024-02-02", "2024-02-02 10:00:00"]

-- title: decode
SELECT decode(a, 1, 'one', NULL, 'none', 'other') FROM VALUES (1),(2),(NULL) AS t(a);
-- types: ["STRING"]
-- row: ["one"]
-- row: ["other"]
-- row: ["none"]

-- title: like, escapes and any
SELECT 'abc' LIKE 'a%', 'abc' LIKE 'A%', 'abc' LIKE '_b_', 'a_c' LIKE 'a\_c', 'abc' LIKE 'a\_c', '100%' LIKE '%\%', 'abc' NOT LIKE 'b%', 'abc' ILIKE 'A%', 'a%c' LIKE 'a!%c' ESCAPE '!', 'abc' LIKE ANY ('x%', 'a%'), 'abc' LIKE ALL ('a%', '%c'), NULL LIKE 'a', 'abc' NOT LIKE ALL ('x%', 'b%');
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [true, false, true, true, false, true, true, true, true, true, true, null, true]

-- title: regular expressions
SELECT 'abc123' RLIKE '[0-9]+$', 'abc' RLIKE '^b', 'a.b' REGEXP 'a\\.b', NOT 'abc' RLIKE 'b', regexp_replace('a1b22', '[0-9]+', '#'), regexp_extract('foo-42', '([a-z]+)-([0-9]+)', 2), regexp_extract('none', 'x(y)', 1), regexp_replace('a-b', '(a)-(b)', '$2-$1');
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "STRING", "STRING", "STRING", "STRING"]
-- row: [true, false, true, false, "a#b#", "42", "", "b-a"]

-- title: text functions
SELECT upper('aé'), lower('AÉ'), length('日本'), trim('  x '), ltrim('  x'), rtrim('x  '), substr('abcdef', 2, 3), substr('abcdef', -3, 2), substring('abcdef', 0, 2), substr('abcdef', 4), concat('a', 1, 2.50, true), concat('a', NULL), concat_ws('-', 'a', NULL, 'b'), concat_ws(',', array('x', 'y'), 'z'), lpad('7', 3, '0'), rpad('a', 3, 'xy'), lpad('abcd', 2, '0'), reverse('abc'), instr('banana', 'an'), locate('an', 'banana', 3), replace('aXbX', 'X', '-'), repeat('ab', 2), initcap('hello wORLD'), ascii('A'), split('a,b,,c', ','), split('a|b', '\\|')[1], translate('abc', 'ab', 'xy'), 'a' || 'b' || 1;
-- types: ["STRING", "STRING", "INT", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "INT", "INT", "STRING", "STRING", "STRING", "INT", "ARRAY<STRING>", "STRING", "STRING", "STRING"]
-- row: ["AÉ", "aé", 2, "x", "x", "x", "bcd", "de", "ab", "def", "a12.50true", null, "a-b", "x,y,z", "007", "axy", "ab", "cba", 2, 4, "a-b-", "abab", "Hello World", 65, ["a", "b", "", "c"], "b", "xyc", "ab1"]

-- title: trim with characters
SELECT trim(BOTH 'x' FROM 'xxaxx'), trim(LEADING 'x' FROM 'xxaxx'), trim(TRAILING 'x' FROM 'xxaxx'), ltrim('0', '007'), rtrim('0', '700');
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["a", "axx", "xxa", "7", "7"]

-- title: implicit text conversion of arguments
SELECT substr(20240315, 1, 6), length(12345), concat(1.0D, '|', DATE '2024-01-01'), upper(true), lpad(7, 3, 0), instr(12345, 3), replace(2024.5, '.', ',');
-- types: ["STRING", "INT", "STRING", "STRING", "STRING", "INT", "STRING"]
-- row: ["202403", 5, "1.0|2024-01-01", "TRUE", "007", 3, "2024,5"]

-- title: number functions
SELECT round(2.5), round(3.5), round(-2.5), round(2.345, 2), round(1234.5, -2), round(2.5D), floor(-1.5), ceil(1.2), floor(3), abs(-5), abs(-1.50), sqrt(16), power(2, 10), pow(2, 0.5) > 1.41, exp(0), sign(-3), mod(10, 3), pmod(-1, 5), bround(2.5), round('2.567', 1), log10(100), greatest('a', 'b'), conv('ff', 16, 10), hex(255), format_number(12345.678, 2);
-- types: ["DECIMAL(2,0)", "DECIMAL(2,0)", "DECIMAL(2,0)", "DECIMAL(4,2)", "DECIMAL(5,0)", "DOUBLE", "DECIMAL(2,0)", "DECIMAL(2,0)", "BIGINT", "INT", "DECIMAL(3,2)", "DOUBLE", "DOUBLE", "BOOLEAN", "DOUBLE", "DOUBLE", "INT", "INT", "DECIMAL(2,0)", "DOUBLE", "DOUBLE", "STRING", "STRING", "STRING", "STRING"]
-- row: [3.0, 4.0, -3.0, 2.35, 1200.0, 3.0, -2.0, 2.0, 3, 5, 1.5, 4.0, 1024.0, true, 1.0, -1.0, 1, 4, 2.0, 2.6, 2.0, "b", "255", "FF", "12,345.68"]

-- title: dates
SELECT date_add('2024-02-28', 2), date_sub('2024-03-01', 1), datediff('2024-03-01', '2024-02-01'), add_months('2024-01-31', 1), last_day('2024-02-10'), next_day('2024-03-15', 'MO'), trunc('2024-03-15', 'MM'), months_between('2024-03-31', '2024-02-29'), year('2024-03-15'), month('2024-03-15'), day('2024-03-15'), quarter('2024-03-15'), weekofyear('2024-03-15'), dayofweek('2024-03-15'), hour('2024-03-15 13:14:15'), minute('2024-03-15 13:14:15'), to_date('2024-03-15 10:00:00'), to_date('20240315', 'yyyyMMdd'), date_format('2024-03-15', 'yyyyMM'), date_format(TIMESTAMP '2024-03-15 13:00:00', 'HH:mm'), from_unixtime(0), unix_timestamp('2024-03-15 00:00:00'), unix_timestamp('20240315', 'yyyyMMdd'), from_unixtime(unix_timestamp('20240315', 'yyyyMMdd'), 'yyyy-MM-dd'), date_trunc('HOUR', TIMESTAMP '2024-03-15 13:14:15');
-- types: ["DATE", "DATE", "INT", "DATE", "DATE", "DATE", "DATE", "DOUBLE", "INT", "INT", "INT", "INT", "INT", "INT", "INT", "INT", "DATE", "DATE", "STRING", "STRING", "STRING", "BIGINT", "BIGINT", "STRING", "TIMESTAMP"]
-- row: ["2024-03-01", "2024-02-29", 29, "2024-02-29", "2024-02-29", "2024-03-18", "2024-03-01", 1.0, 2024, 3, 15, 1, 11, 6, 13, 14, "2024-03-15", "2024-03-15", "202403", "13:00", "1970-01-01 00:00:00", 1710460800, 1710460800, "2024-03-15", "2024-03-15 13:00:00"]

-- title: intervals
SELECT DATE '2024-01-31' + INTERVAL 1 MONTH, DATE '2024-01-31' - INTERVAL '2' DAY, TIMESTAMP '2024-01-31 10:00:00' + INTERVAL 90 MINUTES, TIMESTAMP '2024-01-31 10:00:00' - INTERVAL '1 day 2 hours', DATE '2024-01-31' + 1, DATE '2024-01-31' - 31, cast('2024-01-31' AS DATE) + INTERVAL 1 YEAR, d + INTERVAL 1 DAY FROM VALUES (DATE '2024-02-28') AS t(d);
-- types: ["DATE", "DATE", "TIMESTAMP", "TIMESTAMP", "DATE", "DATE", "DATE", "DATE"]
-- row: ["2024-02-29", "2024-01-29", "2024-01-31 11:30:00", "2024-01-30 08:00:00", "2024-02-01", "2023-12-31", "2025-01-31", "2024-02-29"]

-- title: parts of dates
SELECT extract(YEAR FROM DATE '2024-03-15'), extract(MONTH FROM TIMESTAMP '2024-03-15 01:02:03'), date_part('day', DATE '2024-03-15'), extract(HOUR FROM TIMESTAMP '2024-03-15 13:02:03'), extract(WEEK FROM DATE '2024-03-15'), extract(DOW FROM DATE '2024-03-17');
-- types: ["INT", "INT", "INT", "INT", "INT", "INT"]
-- row: [2024, 3, 15, 13, 11, 1]

-- title: json
SELECT get_json_object('{"a":{"b":[1,2]},"c":"x"}', '$.a.b[1]'), get_json_object('{"a":1}', '$.z'), get_json_object('{"c":"x"}', '$.c'), get_json_object('bad', '$.c'), get_json_object('{"a":[{"b":1},{"b":2}]}', '$.a[*].b'), get_json_object('{"f":1.50,"t":true}', '$.f');
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["2", null, "x", null, "[1,2]", "1.5"]

-- title: maps from text
SELECT m['utm'], m['none'], size(m), str_to_map('a=1&b=2', '&', '=')['b'] FROM (SELECT str_to_map('utm:x,ref:y') AS m) q;
-- types: ["STRING", "STRING", "INT", "STRING"]
-- row: ["x", null, 2, "2"]

-- title: nested values
SELECT array(1, 2, NULL), array('a', 'b'), array(true, false), map('a', 1, 'b', NULL), named_struct('x', 1, 'y', 'z'), struct(1, 'a'), array(named_struct('p', 1), named_struct('p', 2)), map('k', array(1, 2)), array(1, 2.5), array(DATE '2024-01-01');
-- types: ["ARRAY<INT>", "ARRAY<STRING>", "ARRAY<BOOLEAN>", "MAP<STRING,INT>", "STRUCT<x:INT,y:STRING>", "STRUCT<col1:INT,col2:STRING>", "ARRAY<STRUCT<p:INT>>", "MAP<STRING,ARRAY<INT>>", "ARRAY<DECIMAL(11,1)>", "ARRAY<DATE>"]
-- row: [[1, 2, null], ["a", "b"], [true, false], {"a": 1, "b": null}, {"x": 1, "y": "z"}, {"col1": 1, "col2": "a"}, [{"p": 1}, {"p": 2}], {"k": [1, 2]}, [1.0, 2.5], ["2024-01-01"]]

-- title: array functions
SELECT sort_array(array(3, 1, 2)), sort_array(array(3, 1, 2), false), array_distinct(array(1, 1, 2)), array_max(array(1, 5)), array_join(array('a', 'b'), '-'), concat(array(1), array(2, 3)), reverse(array(1, 2)), slice(array(1, 2, 3), 2, 2), array_union(array(1, 2), array(2, 3)), sequence(1, 3), flatten(array(array(1), array(2))), array_position(array('a', 'b'), 'b'), array_remove(array(1, 2, 1), 1), array_contains(array('a'), 'b');
-- types: ["ARRAY<INT>", "ARRAY<INT>", "ARRAY<INT>", "INT", "STRING", "ARRAY<INT>", "ARRAY<INT>", "ARRAY<INT>", "ARRAY<INT>", "ARRAY<INT>", "ARRAY<INT>", "BIGINT", "ARRAY<INT>", "BOOLEAN"]
-- row: [[1, 2, 3], [3, 2, 1], [1, 2], 5, "a-b", [1, 2, 3], [2, 1], [2, 3], [1, 2, 3], [1, 2, 3], [1, 2], 2, [2], false]

-- title: between with mixed types and not
SELECT 5 BETWEEN 1 AND 10, 5 NOT BETWEEN 1 AND 10, '5' BETWEEN 1 AND 10, DATE '2024-03-05' BETWEEN '2024-03-01' AND DATE '2024-03-10', NULL BETWEEN 1 AND 2, 5 BETWEEN NULL AND 3;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [true, false, true, true, null, false]

-- title: text with special characters
SELECT 'it''s', "double \"quoted\"", 'tab\there', 'back\\slash', 'a' 'b', '\u4e2d', 'line\nbreak', 'percent\%';
-- types: ["STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING", "STRING"]
-- row: ["it's", "double \"quoted\"", "tab\there", "back\\slash", "ab", "中", "line\nbreak", "percent\\%"]

-- title: hive flavour of null and text tests
SELECT isnull(a), isnotnull(a), nvl(a, '') <> '', a != 'x', (a <> 'x' OR a IS NULL), length(nvl(a, '')) FROM VALUES ('x'),(''),(NULL) AS t(a);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "INT"]
-- row: [false, true, true, false, false, 1]
-- row: [false, true, false, true, true, 0]
-- row: [true, false, false, null, true, 0]

-- title: hashes
SELECT md5('a'), sha2('a', 256), crc32('a');
-- types: ["STRING", "STRING", "BIGINT"]
-- row: ["0cc175b9c0f1b6a831c399e269772661", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb", 3904355907]

-- title: dates and timestamps moved by computed intervals
SELECT d + INTERVAL '1' DAY * n, d + INTERVAL '1 day' * 1.5, d + INTERVAL 1 MONTH * n, ts - INTERVAL '1' DAY / 2, ts + n * INTERVAL '1' HOUR, d - (INTERVAL '1' DAY + INTERVAL '2' DAYS), d + (-INTERVAL 1 DAY), ts + INTERVAL '1' SECOND * 3.7 FROM VALUES (DATE '2024-01-31', TIMESTAMP '2024-01-31 10:00:00', 2), (DATE '2024-03-01', TIMESTAMP '2024-03-01 00:00:00', -1), (NULL, NULL, NULL) AS t(d, ts, n);
-- types: ["TIMESTAMP", "TIMESTAMP", "DATE", "TIMESTAMP", "TIMESTAMP", "DATE", "DATE", "TIMESTAMP"]
-- row: ["2024-02-02 00:00:00", "2024-02-01 12:00:00", "2024-03-31", "2024-01-30 22:00:00", "2024-01-31 12:00:00", "2024-01-28", "2024-01-30", "2024-01-31 10:00:03.7"]
-- row: ["2024-02-29 00:00:00", "2024-03-02 12:00:00", "2024-02-01", "2024-02-29 12:00:00", "2024-02-29 23:00:00", "2024-02-27", "2024-02-29", "2024-03-01 00:00:03.7"]
-- row: [null, null, null, null, null, null, null, null]

-- title: a date moved by hours is a timestamp, text moved by an interval is text
SELECT d + INTERVAL '1' HOUR, d + INTERVAL '1 day 2 hours', d - INTERVAL 1 DAY, d + INTERVAL 1 HOUR > TIMESTAMP '2024-01-01 00:30:00', '2024-01-01' + INTERVAL 1 DAY, '2024-01-01' + INTERVAL 1 DAY = '2024-01-02', d + INTERVAL '1' HOUR = ts FROM VALUES (DATE '2024-01-01', TIMESTAMP '2024-01-01 01:00:00') AS t(d, ts);
-- types: ["TIMESTAMP", "TIMESTAMP", "DATE", "BOOLEAN", "STRING", "BOOLEAN", "BOOLEAN"]
-- row: ["2024-01-01 01:00:00", "2024-01-02 02:00:00", "2023-12-31", 1, "2024-01-02 00:00:00", 0, 1]

-- title: differences are compared with intervals
SELECT a - b > INTERVAL '30' MINUTES, a - b BETWEEN INTERVAL 1 HOUR AND INTERVAL '1' DAY, date(a) - date(b) >= INTERVAL '1' DAY, a - b = INTERVAL 36000 SECONDS, (a - b) * 2 > INTERVAL 20 HOURS, CASE WHEN a - b < INTERVAL 1 WEEK THEN 'week' ELSE 'later' END FROM VALUES (TIMESTAMP '2024-01-01 10:00:00', TIMESTAMP '2024-01-01 00:00:00'), (TIMESTAMP '2024-01-09 00:10:00', TIMESTAMP '2024-01-01 23:55:00'), (NULL, TIMESTAMP '2024-01-01 00:00:00') AS t(a, b);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN", "STRING"]
-- row: [1, 1, 0, 1, 0, "week"]
-- row: [1, 0, 1, 0, 1, "later"]
-- row: [null, null, null, null, null, "later"]

-- title: differences as numbers, texts and parts
SELECT cast(date(a) - date(b) AS INT), cast(a - b AS BIGINT), extract(DAY FROM a - b), extract(HOUR FROM a - b), date_part('minute', a - b), cast(a - b AS STRING), cast(date(a) - date(b) AS STRING), coalesce(date(a) - date(b), INTERVAL 0 DAY) > INTERVAL 1 DAY FROM VALUES (TIMESTAMP '2024-01-03 10:20:30.5', TIMESTAMP '2024-01-01 00:00:00'), (TIMESTAMP '2024-01-01 08:00:00', TIMESTAMP '2024-01-02 09:30:00'), (NULL, NULL) AS t(a, b);
-- types: ["INT", "BIGINT", "INT", "INT", "INT", "STRING", "STRING", "BOOLEAN"]
-- row: [2, 210030, 2, 10, 20, "INTERVAL '2 10:20:30.5' DAY TO SECOND", "INTERVAL '2' DAY", 1]
-- row: [-1, -91800, -1, -1, -30, "INTERVAL '-1 01:30:00' DAY TO SECOND", "INTERVAL '-1' DAY", 0]
-- row: [null, null, null, null, null, null, null, 0]

-- title: sums and averages of intervals
SELECT k, cast(sum(a - b) AS STRING), cast(avg(a - b) AS STRING), cast(max(a - b) AS BIGINT), min(a - b) > INTERVAL 1 HOUR FROM VALUES (1, TIMESTAMP '2024-01-01 10:00:00', TIMESTAMP '2024-01-01 00:00:00'), (1, TIMESTAMP '2024-01-01 00:00:01', TIMESTAMP '2024-01-01 00:00:00'), (2, TIMESTAMP '2024-01-03 00:00:00', TIMESTAMP '2024-01-01 12:00:00') AS t(k, a, b) GROUP BY k ORDER BY k;
-- types: ["INT", "STRING", "STRING", "BIGINT", "BOOLEAN"]
-- row: [1, "INTERVAL '0 10:00:01' DAY TO SECOND", "INTERVAL '0 05:00:00.5' DAY TO SECOND", 36000, 0]
-- row: [2, "INTERVAL '1 12:00:00' DAY TO SECOND", "INTERVAL '1 12:00:00' DAY TO SECOND", 129600, 1]

-- title: gaps between rows
SELECT u, ts, ts - lag(ts) OVER (PARTITION BY u ORDER BY ts) > INTERVAL 30 MINUTES AS starts, cast(gap AS BIGINT) AS seconds FROM (SELECT u, ts, ts - lag(ts) OVER (PARTITION BY u ORDER BY ts) AS gap FROM VALUES ('a', TIMESTAMP '2024-01-01 00:00:00'), ('a', TIMESTAMP '2024-01-01 00:10:00'), ('a', TIMESTAMP '2024-01-01 01:00:00'), ('b', TIMESTAMP '2024-01-01 00:00:00') AS t(u, ts)) x ORDER BY u, ts;
-- types: ["STRING", "TIMESTAMP", "BOOLEAN", "BIGINT"]
-- row: ["a", "2024-01-01 00:00:00", null, null]
-- row: ["a", "2024-01-01 00:10:00", 0, 600]
-- row: ["a", "2024-01-01 01:00:00", 1, 3000]
-- row: ["b", "2024-01-01 00:00:00", null, null]
