-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: NULL in acos
SELECT acos(0.5D) AS whole, acos(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [1.0471975511965979, null]

-- title: NULL in asin
SELECT asin(0.5D) AS whole, asin(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.5235987755982989, null]

-- title: NULL in atan
SELECT atan(0.5D) AS whole, atan(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.4636476090008061, null]

-- title: NULL in cbrt
SELECT cbrt(0.5D) AS whole, cbrt(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.7937005259840998, null]

-- title: NULL in cos
SELECT cos(0.5D) AS whole, cos(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.8775825618903728, null]

-- title: NULL in cosh
SELECT cosh(0.5D) AS whole, cosh(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [1.1276259652063807, null]

-- title: NULL in cot
SELECT cot(0.5D) AS whole, cot(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [1.830487721712452, null]

-- title: NULL in degrees
SELECT degrees(0.5D) AS whole, degrees(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [28.64788975654116, null]

-- title: NULL in exp
SELECT exp(0.5D) AS whole, exp(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [1.6487212707001282, null]

-- title: NULL in expm1
SELECT expm1(0.5D) AS whole, expm1(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.6487212707001282, null]

-- title: NULL in ln
SELECT ln(0.5D) AS whole, ln(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [-0.6931471805599453, null]

-- title: NULL in log10
SELECT log10(0.5D) AS whole, log10(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [-0.3010299956639812, null]

-- title: NULL in log1p
SELECT log1p(0.5D) AS whole, log1p(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.4054651081081644, null]

-- title: NULL in log2
SELECT log2(0.5D) AS whole, log2(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [-1.0, null]

-- title: NULL in radians
SELECT radians(0.5D) AS whole, radians(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.008726646259971648, null]

-- title: NULL in rint
SELECT rint(0.5D) AS whole, rint(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.0, null]

-- title: NULL in sin
SELECT sin(0.5D) AS whole, sin(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.479425538604203, null]

-- title: NULL in sinh
SELECT sinh(0.5D) AS whole, sinh(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.5210953054937474, null]

-- title: NULL in tan
SELECT tan(0.5D) AS whole, tan(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.5463024898437905, null]

-- title: NULL in tanh
SELECT tanh(0.5D) AS whole, tanh(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.46211715726000974, null]

-- title: NULL in atan2
SELECT atan2(0.5D, 0.5D) AS whole, atan2(CAST(NULL AS DOUBLE), 0.5D) AS null1, atan2(0.5D, CAST(NULL AS DOUBLE)) AS null2;
-- types: ["DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [0.7853981633974483, null, null]

-- title: NULL in pow
SELECT pow(0.5D, 0.5D) AS whole, pow(CAST(NULL AS DOUBLE), 0.5D) AS null1, pow(0.5D, CAST(NULL AS DOUBLE)) AS null2;
-- types: ["DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [0.7071067811865476, null, null]

-- title: NULL in power
SELECT power(0.5D, 0.5D) AS whole, power(CAST(NULL AS DOUBLE), 0.5D) AS null1, power(0.5D, CAST(NULL AS DOUBLE)) AS null2;
-- types: ["DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [0.7071067811865476, null, null]

-- title: NULL in nanvl
SELECT nanvl(0.5D, 0.5D) AS whole, nanvl(CAST(NULL AS DOUBLE), 0.5D) AS null1, nanvl(0.5D, CAST(NULL AS DOUBLE)) AS null2;
-- types: ["DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [0.5, null, 0.5]

-- title: NULL in negative
SELECT negative(2) AS whole, negative(CAST(NULL AS INT)) AS null1;
-- types: ["INT", "INT"]
-- row: [-2, null]

-- title: NULL in positive
SELECT positive(2) AS whole, positive(CAST(NULL AS INT)) AS null1;
-- types: ["INT", "INT"]
-- row: [2, null]

-- title: NULL in sign
SELECT sign(2) AS whole, sign(CAST(NULL AS INT)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [1.0, null]

-- title: NULL in bin
SELECT bin(2) AS whole, bin(CAST(NULL AS INT)) AS null1;
-- types: ["STRING", "STRING"]
-- row: ["10", null]

-- title: NULL in space
SELECT space(2) AS whole, space(CAST(NULL AS INT)) AS null1;
-- types: ["STRING", "STRING"]
-- row: ["  ", null]

-- title: NULL in timestamp_micros
SELECT timestamp_micros(2) AS whole, timestamp_micros(CAST(NULL AS INT)) AS null1;
-- types: ["TIMESTAMP", "TIMESTAMP"]
-- row: ["1970-01-01 00:00:00.000002", null]

-- title: NULL in timestamp_millis
SELECT timestamp_millis(2) AS whole, timestamp_millis(CAST(NULL AS INT)) AS null1;
-- types: ["TIMESTAMP", "TIMESTAMP"]
-- row: ["1970-01-01 00:00:00.002", null]

-- title: NULL in timestamp_seconds
SELECT timestamp_seconds(2) AS whole, timestamp_seconds(CAST(NULL AS INT)) AS null1;
-- types: ["TIMESTAMP", "TIMESTAMP"]
-- row: ["1970-01-01 00:00:02", null]

-- title: NULL in date_from_unix_date
SELECT date_from_unix_date(2) AS whole, date_from_unix_date(CAST(NULL AS INT)) AS null1;
-- types: ["DATE", "DATE"]
-- row: ["1970-01-03", null]

-- title: NULL in chr
SELECT chr(2) AS whole, chr(CAST(NULL AS INT)) AS null1;
-- types: ["STRING", "STRING"]
-- row: ["\u0002", null]

-- title: NULL in shiftleft
SELECT shiftleft(2, 2) AS whole, shiftleft(CAST(NULL AS INT), 2) AS null1, shiftleft(2, CAST(NULL AS INT)) AS null2;
-- types: ["INT", "INT", "INT"]
-- row: [8, null, null]

-- title: NULL in shiftright
SELECT shiftright(2, 2) AS whole, shiftright(CAST(NULL AS INT), 2) AS null1, shiftright(2, CAST(NULL AS INT)) AS null2;
-- types: ["INT", "INT", "INT"]
-- row: [0, null, null]

-- title: NULL in ceiling
SELECT ceiling(0.5D) AS whole, ceiling(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["BIGINT", "BIGINT"]
-- row: [1, null]

-- title: NULL in floor
SELECT floor(0.5D) AS whole, floor(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["BIGINT", "BIGINT"]
-- row: [0, null]

-- title: NULL in bround
SELECT bround(0.5D) AS whole, bround(CAST(NULL AS DOUBLE)) AS null1;
-- types: ["DOUBLE", "DOUBLE"]
-- row: [0.0, null]

-- title: NULL in cardinality
SELECT cardinality(array(1, 2)) AS whole, cardinality(CAST(NULL AS ARRAY<INT>)) AS null1;
-- types: ["INT", "INT"]
-- row: [2, -1]

-- title: NULL in day
SELECT day(DATE'2024-03-15') AS whole, day(CAST(NULL AS DATE)) AS null1;
-- types: ["INT", "INT"]
-- row: [15, null]

-- title: NULL in dayname
SELECT dayname(DATE'2024-03-15') AS whole, dayname(CAST(NULL AS DATE)) AS null1;
-- types: ["STRING", "STRING"]
-- row: ["Fri", null]

-- title: NULL in dayofmonth
SELECT dayofmonth(DATE'2024-03-15') AS whole, dayofmonth(CAST(NULL AS DATE)) AS null1;
-- types: ["INT", "INT"]
-- row: [15, null]

-- title: NULL in dayofweek
SELECT dayofweek(DATE'2024-03-15') AS whole, dayofweek(CAST(NULL AS DATE)) AS null1;
-- types: ["INT", "INT"]
-- row: [6, null]

-- title: NULL in monthname
SELECT monthname(DATE'2024-03-15') AS whole, monthname(CAST(NULL AS DATE)) AS null1;
-- types: ["STRING", "STRING"]
-- row: ["Mar", null]

-- title: NULL in weekday
SELECT weekday(DATE'2024-03-15') AS whole, weekday(CAST(NULL AS DATE)) AS null1;
-- types: ["INT", "INT"]
-- row: [4, null]

-- title: NULL in unix_date
SELECT unix_date(DATE'2024-03-15') AS whole, unix_date(CAST(NULL AS DATE)) AS null1;
-- types: ["INT", "INT"]
-- row: [19797, null]

-- title: NULL in hour
SELECT hour(TIMESTAMP'2024-03-15 08:09:10') AS whole, hour(CAST(NULL AS TIMESTAMP)) AS null1;
-- types: ["INT", "INT"]
-- row: [8, null]

-- title: NULL in minute
SELECT minute(TIMESTAMP'2024-03-15 08:09:10') AS whole, minute(CAST(NULL AS TIMESTAMP)) AS null1;
-- types: ["INT", "INT"]
-- row: [9, null]

-- title: NULL in second
SELECT second(TIMESTAMP'2024-03-15 08:09:10') AS whole, second(CAST(NULL AS TIMESTAMP)) AS null1;
-- types: ["INT", "INT"]
-- row: [10, null]

-- title: NULL in unix_micros
SELECT unix_micros(TIMESTAMP'2024-03-15 08:09:10') AS whole, unix_micros(CAST(NULL AS TIMESTAMP)) AS null1;
-- types: ["BIGINT", "BIGINT"]
-- row: [1710490150000000, null]

-- title: NULL in unix_millis
SELECT unix_millis(TIMESTAMP'2024-03-15 08:09:10') AS whole, unix_millis(CAST(NULL AS TIMESTAMP)) AS null1;
-- types: ["BIGINT", "BIGINT"]
-- row: [1710490150000, null]

-- title: NULL in unix_seconds
SELECT unix_seconds(TIMESTAMP'2024-03-15 08:09:10') AS whole, unix_seconds(CAST(NULL AS TIMESTAMP)) AS null1;
-- types: ["BIGINT", "BIGINT"]
-- row: [1710490150, null]

-- title: NULL in to_timestamp
SELECT to_timestamp('2024-03-15', 'yyyy-MM-dd') AS whole, to_timestamp(CAST(NULL AS STRING), 'yyyy-MM-dd') AS null1, to_timestamp('2024-03-15', CAST(NULL AS STRING)) AS null2;
-- types: ["TIMESTAMP", "TIMESTAMP", "TIMESTAMP"]
-- row: ["2024-03-15 00:00:00", null, null]

-- title: NULL in to_unix_timestamp
SELECT to_unix_timestamp('2024-03-15', 'yyyy-MM-dd') AS whole, to_unix_timestamp(CAST(NULL AS STRING), 'yyyy-MM-dd') AS null1, to_unix_timestamp('2024-03-15', CAST(NULL AS STRING)) AS null2;
-- types: ["BIGINT", "BIGINT", "BIGINT"]
-- row: [1710460800, null, null]

-- title: NULL in to_utc_timestamp
SELECT to_utc_timestamp(TIMESTAMP'2024-03-15 08:09:10', 'Asia/Shanghai') AS whole, to_utc_timestamp(CAST(NULL AS TIMESTAMP), 'Asia/Shanghai') AS null1, to_utc_timestamp(TIMESTAMP'2024-03-15 08:09:10', CAST(NULL AS STRING)) AS null2;
-- types: ["TIMESTAMP", "TIMESTAMP", "TIMESTAMP"]
-- row: ["2024-03-15 00:09:10", null, null]

-- title: NULL in make_timestamp
SELECT make_timestamp(2024, 3, 15, 8, 9, 10.5D) AS whole, make_timestamp(CAST(NULL AS INT), 3, 15, 8, 9, 10.5D) AS null1, make_timestamp(2024, CAST(NULL AS INT), 15, 8, 9, 10.5D) AS null2, make_timestamp(2024, 3, CAST(NULL AS INT), 8, 9, 10.5D) AS null3, make_timestamp(2024, 3, 15, CAST(NULL AS INT), 9, 10.5D) AS null4, make_timestamp(2024, 3, 15, 8, CAST(NULL AS INT), 10.5D) AS null5, make_timestamp(2024, 3, 15, 8, 9, CAST(NULL AS DOUBLE)) AS null6;
-- types: ["TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "TIMESTAMP"]
-- row: ["2024-03-15 08:09:10.5", null, null, null, null, null, null]

-- title: NULL in sha
SELECT sha('abc') AS whole, sha(CAST(NULL AS STRING)) AS null1;
-- types: ["STRING", "STRING"]
-- row: ["a9993e364706816aba3e25717850c26c9cd0d89d", null]

-- title: NULL in base64
SELECT base64('abc') AS whole, base64(CAST(NULL AS STRING)) AS null1;
-- types: ["STRING", "STRING"]
-- row: ["YWJj", null]

-- title: NULL in bit_length
SELECT bit_length('abc') AS whole, bit_length(CAST(NULL AS STRING)) AS null1;
-- types: ["INT", "INT"]
-- row: [24, null]

-- title: NULL in octet_length
SELECT octet_length('abc') AS whole, octet_length(CAST(NULL AS STRING)) AS null1;
-- types: ["INT", "INT"]
-- row: [3, null]

-- title: NULL in soundex
SELECT soundex('abc') AS whole, soundex(CAST(NULL AS STRING)) AS null1;
-- types: ["STRING", "STRING"]
-- row: ["A120", null]

-- title: NULL in btrim
SELECT btrim('abc') AS whole, btrim(CAST(NULL AS STRING)) AS null1;
-- types: ["STRING", "STRING"]
-- row: ["abc", null]

-- title: NULL in endswith
SELECT endswith('abc', 'c') AS whole, endswith(CAST(NULL AS STRING), 'c') AS null1, endswith('abc', CAST(NULL AS STRING)) AS null2;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, null, null]

-- title: NULL in startswith
SELECT startswith('abc', 'c') AS whole, startswith(CAST(NULL AS STRING), 'c') AS null1, startswith('abc', CAST(NULL AS STRING)) AS null2;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [0, null, null]

-- title: NULL in levenshtein
SELECT levenshtein('abc', 'c') AS whole, levenshtein(CAST(NULL AS STRING), 'c') AS null1, levenshtein('abc', CAST(NULL AS STRING)) AS null2;
-- types: ["INT", "INT", "INT"]
-- row: [2, null, null]

-- title: NULL in regexp
SELECT regexp('abc', 'c') AS whole, regexp(CAST(NULL AS STRING), 'c') AS null1, regexp('abc', CAST(NULL AS STRING)) AS null2;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, null, null]

-- title: NULL in rlike
SELECT rlike('abc', 'c') AS whole, rlike(CAST(NULL AS STRING), 'c') AS null1, rlike('abc', CAST(NULL AS STRING)) AS null2;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, null, null]

-- title: NULL in position
SELECT position('b', 'abc') AS whole, position(CAST(NULL AS STRING), 'abc') AS null1, position('b', CAST(NULL AS STRING)) AS null2;
-- types: ["INT", "INT", "INT"]
-- row: [2, null, null]

-- title: NULL in right
SELECT right('abc', 2) AS whole, right(CAST(NULL AS STRING), 2) AS null1, right('abc', CAST(NULL AS INT)) AS null2;
-- types: ["STRING", "STRING", "STRING"]
-- row: ["bc", null, null]

-- title: NULL in substring_index
SELECT substring_index('a.b.c', '.', 2) AS whole, substring_index(CAST(NULL AS STRING), '.', 2) AS null1, substring_index('a.b.c', CAST(NULL AS STRING), 2) AS null2, substring_index('a.b.c', '.', CAST(NULL AS INT)) AS null3;
-- types: ["STRING", "STRING", "STRING", "STRING"]
-- row: ["a.b", null, null, null]

-- title: NULL in width_bucket
SELECT width_bucket(5.3D, 0.2D, 10.6D, 5) AS whole, width_bucket(CAST(NULL AS DOUBLE), 0.2D, 10.6D, 5) AS null1, width_bucket(5.3D, CAST(NULL AS DOUBLE), 10.6D, 5) AS null2, width_bucket(5.3D, 0.2D, CAST(NULL AS DOUBLE), 5) AS null3, width_bucket(5.3D, 0.2D, 10.6D, CAST(NULL AS INT)) AS null4;
-- types: ["BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT"]
-- row: [3, null, null, null, null]

-- title: NULL in map_concat
SELECT map_concat(map('j', 2), map('k', 1)) AS whole, map_concat(CAST(NULL AS MAP<STRING,INT>), map('j', 2)) AS null1, map_concat(map('k', 1), CAST(NULL AS MAP<STRING,INT>)) AS null2;
-- types: ["map<string,int>", "map<string,int>", "map<string,int>"]
-- row: [{"j": 2, "k": 1}, null, null]

-- title: NULL in map_contains_key
SELECT map_contains_key(map('k', 1), 'k') AS whole, map_contains_key(CAST(NULL AS MAP<STRING,INT>), 'k') AS null1, map_contains_key(map('k', 1), CAST(NULL AS STRING)) AS null2;
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, null, null]

-- title: NULL in map_entries
SELECT map_entries(map('k', 1)) AS whole, map_entries(CAST(NULL AS MAP<STRING,INT>)) AS null1;
-- types: ["array<struct<key:string,value:int>>", "array<struct<key:string,value:int>>"]
-- row: [[{"key": "k", "value": 1}], null]

-- title: NULL in map_from_arrays
SELECT map_from_arrays(array('x', 'y'), array(1, 2)) AS whole, map_from_arrays(CAST(NULL AS ARRAY<STRING>), array(1, 2)) AS null1, map_from_arrays(array('x', 'y'), CAST(NULL AS ARRAY<INT>)) AS null2;
-- types: ["map<string,int>", "map<string,int>", "map<string,int>"]
-- row: [{"x": 1, "y": 2}, null, null]

-- title: NULL in sequence
SELECT sequence(1, 3) AS whole, sequence(CAST(NULL AS INT), 3) AS null1, sequence(1, CAST(NULL AS INT)) AS null2;
-- types: ["array<int>", "array<int>", "array<int>"]
-- row: [[1, 2, 3], null, null]

-- title: NULL in parts of dates
SELECT date_part('YEAR', CAST(NULL AS DATE)) AS a, extract(DAY FROM CAST(NULL AS DATE)) AS b, extract(DAY FROM DATE'2024-03-15') AS c;
-- types: ["INT", "INT", "INT"]
-- row: [null, null, 15]

-- title: NULL in casts by name
SELECT decimal(CAST(NULL AS STRING)) AS a, decimal('7') AS b;
-- types: ["DECIMAL(10,0)", "DECIMAL(10,0)"]
-- row: [null, 7.0]

-- title: types of CSV that is not there beside NULL
SELECT schema_of_csv('1,,x') AS a, CAST(NULL AS STRING) AS b;
-- types: ["STRING", "STRING"]
-- row: ["STRUCT<_c0: INT, _c1: STRING, _c2: STRING>", null]

-- title: types of NULL columns
SELECT typeof(x) AS a, typeof(y) AS b FROM VALUES (CAST(NULL AS INT), CAST(NULL AS STRING)) AS t(x, y);
-- types: ["STRING", "STRING"]
-- row: ["int", "string"]

-- title: NULL among the rows of a group
SELECT bool_and(p) AS a, some(p) AS b, corr(y, x) AS c, regr_avgx(y, x) AS d, regr_avgy(y, x) AS e, stddev(x) AS f, stddev_pop(x) AS g, stddev_samp(x) AS h, var_samp(x) AS i FROM VALUES (true, 1D, 2D), (CAST(NULL AS BOOLEAN), 2D, CAST(NULL AS DOUBLE)), (false, CAST(NULL AS DOUBLE), 4D), (true, 5D, 7D) AS t(p, y, x);
-- types: ["BOOLEAN", "BOOLEAN", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [0, 1, 1.0, 4.5, 3.0, 2.5166114784235836, 2.0548046676563256, 2.5166114784235836, 6.333333333333334]

-- title: a group of NULL alone
SELECT bool_and(p) AS a, some(p) AS b, corr(x, x) AS c, regr_avgx(x, x) AS d, regr_avgy(x, x) AS e, stddev(x) AS f, stddev_pop(x) AS g, stddev_samp(x) AS h, var_samp(x) AS i FROM VALUES (CAST(NULL AS BOOLEAN), CAST(NULL AS DOUBLE)) AS t(p, x);
-- types: ["BOOLEAN", "BOOLEAN", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE"]
-- row: [null, null, null, null, null, null, null, null, null]

-- title: rows of a NULL array
SELECT t.k, e.pos, e.x FROM VALUES (1, array(7, CAST(NULL AS INT))), (2, CAST(NULL AS ARRAY<INT>)) AS t(k, a) LATERAL VIEW posexplode(t.a) e AS pos, x;
-- types: ["INT", "INT", "INT"]
-- row: [1, 0, 7]
-- row: [1, 1, null]
