-- section: group by
SELECT grp, count(*), sum(v) FROM t3 GROUP BY grp
SELECT id, grp, sum(v) FROM t3 GROUP BY grp
SELECT upper(grp), max(v) FROM t3 GROUP BY upper(grp)
SELECT upper(grp), max(v) FROM t3 GROUP BY grp
SELECT lower(upper(grp)), max(v) FROM t3 GROUP BY upper(grp)
SELECT grp AS g, min(v) FROM t3 GROUP BY g
SELECT v + 1 AS w, count(*) FROM t3 GROUP BY w
SELECT v + 1, count(*) FROM t3 GROUP BY v
SELECT v + 1, count(*) FROM t3 GROUP BY v + 2
SELECT date_format(grp, 'yyyy-MM'), count(*) FROM t3 GROUP BY DATE_FORMAT(grp, 'yyyy-MM')
SELECT date_format(grp, 'yyyy-mm'), count(*) FROM t3 GROUP BY date_format(grp, 'yyyy-MM')
SELECT concat(grp, 'x'), count(*) FROM t3 GROUP BY concat(grp, 'X')
SELECT s.a, count(*) FROM (SELECT named_struct('a', grp, 'b', v) AS s FROM t3) q GROUP BY s.A
SELECT s.a, count(*) FROM (SELECT named_struct('a', grp, 'b', v) AS s FROM t3) q GROUP BY s.b
SELECT count(*) FROM t3 GROUP BY count(*)
SELECT grp, sum(v) s FROM t3 GROUP BY 1
SELECT grp, sum(v) s FROM t3 GROUP BY 2
SELECT grp, sum(v) s FROM t3 GROUP BY 0
SELECT grp, sum(v) s FROM t3 GROUP BY 5
SELECT 1, count(*) FROM t3 GROUP BY 1
SELECT sum(sum(v)) FROM t3
SELECT sum(v), id FROM t3
SELECT count(DISTINCT grp, id) FROM t3
SELECT count() FROM t3
SELECT count(*) FILTER (WHERE v > 1) FROM t3
SELECT count(*) FILTER (WHERE sum(v) > 1) FROM t3
SELECT upper(name) FILTER (WHERE id > 1) FROM t1
SELECT grp FROM t3 WHERE count(*) > 1 GROUP BY grp
SELECT grp FROM t3 GROUP BY grp, arr
SELECT m FROM t1 GROUP BY m
SELECT arr, count(*) FROM t1 GROUP BY arr
SELECT every(flag), some(flag), bool_and(flag), bool_or(flag) FROM t1
SELECT every(id) FROM t1
SELECT bool_or(name) FROM t1
SELECT max_by(name, amt), min_by(name, amt) FROM t1
SELECT max_by(name) FROM t1
SELECT count_if(v > 2), count_if(grp = 'a') FROM t3
SELECT count_if(v) FROM t3
SELECT grp, first(v), last(v), any_value(v) FROM t3 GROUP BY grp
-- section: group by all
SELECT grp, sum(v) FROM t3 GROUP BY ALL
SELECT sum(v) FROM t3 GROUP BY ALL
SELECT grp, id, count(*) FROM t3 GROUP BY ALL ORDER BY ALL
SELECT grp, sum(v) + id FROM t3 GROUP BY ALL
SELECT * FROM t3 GROUP BY ALL
SELECT grp, sum(v) AS s FROM t3 GROUP BY ALL HAVING s > 3
-- section: grouping sets
SELECT grp, id, sum(v) FROM t3 GROUP BY GROUPING SETS ((grp, id), (grp), ())
SELECT grp, id, sum(v) FROM t3 GROUP BY grp, id GROUPING SETS ((grp), (id))
SELECT grp, id, v FROM t3 GROUP BY GROUPING SETS ((grp), (id))
SELECT grp, grouping(grp), count(*) FROM t3 GROUP BY ROLLUP (grp)
SELECT grp, grouping(id), count(*) FROM t3 GROUP BY ROLLUP (grp)
SELECT grp, grouping(grp) FROM t3 GROUP BY grp
SELECT grp, id, grouping_id(grp, id) FROM t3 GROUP BY CUBE (grp, id)
SELECT grp, id, grouping_id(id) FROM t3 GROUP BY CUBE (grp, id)
SELECT grp, grouping_id() FROM t3 GROUP BY grp
SELECT grp, id, count(*) FROM t3 GROUP BY grp, id WITH ROLLUP
SELECT grp, id, count(*) FROM t3 GROUP BY grp, id WITH CUBE
SELECT grp, id, count(*) FROM t3 GROUP BY grp, ROLLUP (id)
SELECT grp, count(*) FROM t3 GROUP BY GROUPING SETS (grp, grp)
SELECT grp FROM t3 GROUP BY CUBE ()
SELECT grouping(grp) FROM t3
SELECT grp, count(*) FROM t3 GROUP BY GROUPING SETS ((grp), (city))
-- section: having
SELECT grp, sum(v) FROM t3 GROUP BY grp HAVING sum(v) > 2
SELECT grp, sum(v) s FROM t3 GROUP BY grp HAVING s > 2
SELECT grp FROM t3 GROUP BY grp HAVING id > 1
SELECT grp FROM t3 HAVING grp = 'a'
SELECT count(*) FROM t3 HAVING count(*) > 1
SELECT grp FROM t3 GROUP BY grp HAVING max(v)
SELECT grp FROM t3 GROUP BY grp HAVING max(nothing) > 1
SELECT grp FROM t3 GROUP BY grp HAVING row_number() OVER (ORDER BY grp) = 1
-- section: order by and limit
SELECT grp FROM t3 ORDER BY v
SELECT DISTINCT grp FROM t3 ORDER BY v
SELECT DISTINCT grp FROM t3 ORDER BY grp DESC NULLS LAST
SELECT grp FROM t3 ORDER BY 1
SELECT grp FROM t3 ORDER BY 2
SELECT grp FROM t3 ORDER BY 0
SELECT grp FROM t3 ORDER BY ALL DESC
SELECT grp g FROM t3 ORDER BY g, sum(v)
SELECT grp g, sum(v) FROM t3 GROUP BY grp ORDER BY sum(v), g
SELECT grp FROM t3 GROUP BY grp ORDER BY v
SELECT m FROM t1 ORDER BY m
SELECT arr FROM t1 ORDER BY arr
SELECT id FROM t1 ORDER BY missing
SELECT id FROM t1 SORT BY id DISTRIBUTE BY name
SELECT id FROM t1 DISTRIBUTE BY name SORT BY id
SELECT id FROM t1 CLUSTER BY id
SELECT id FROM t1 ORDER BY id SORT BY id
SELECT id FROM t1 LIMIT 2
SELECT id FROM t1 LIMIT -1
SELECT id FROM t1 LIMIT 'a'
SELECT id FROM t1 LIMIT id
SELECT id FROM t1 LIMIT CAST(2 AS INT) + 1
SELECT id FROM t1 LIMIT 2 OFFSET 1
SELECT id FROM t1 OFFSET 3
SELECT id FROM t1 OFFSET -3
SELECT id FROM t1 LIMIT NULL
SELECT id FROM t1 LIMIT ALL
SELECT id FROM t1 LIMIT 1.5
SELECT id FROM t1 TABLESAMPLE (10 ROWS)
SELECT id FROM t1 TABLESAMPLE (25 PERCENT) s
SELECT id FROM t1 TABLESAMPLE (BUCKET 1 OUT OF 4)
-- section: joins
SELECT * FROM t1 JOIN t2 ON t1.id = t2.id
SELECT id FROM t1 JOIN t2 ON t1.id = t2.id
SELECT id, city FROM t1 JOIN t2 USING (id)
SELECT t1.id, t2.id, id FROM t1 FULL JOIN t2 USING (id)
SELECT id FROM t1 JOIN t2 USING (city)
SELECT id FROM t1 JOIN t2 USING (id, nothing)
SELECT id FROM t1 NATURAL JOIN t3
SELECT id FROM t1 NATURAL JOIN t2
SELECT city FROM t1 LEFT SEMI JOIN t2 ON t1.id = t2.id
SELECT name FROM t1 LEFT SEMI JOIN t2 ON t1.id = t2.id
SELECT name FROM t1 LEFT ANTI JOIN t2 ON t1.id = t2.id AND t2.amt > 1
SELECT name FROM t1 ANTI JOIN t2 USING (id)
SELECT a.id FROM t1 a CROSS JOIN t2 b
SELECT a.id FROM t1 a CROSS JOIN t2 b ON a.id = b.id
SELECT a.id FROM t1 a, t2 b WHERE a.id = b.id
SELECT a.id FROM t1 a, t2 a
SELECT a.id FROM t1 a LEFT OUTER JOIN t2 b ON a.id = b.id AND b.city IS NOT NULL
SELECT a.id FROM t1 a LEFT JOIN t2 b
SELECT a.id FROM t1 a RIGHT JOIN t2 b ON a.amt + b.amt
SELECT a.id FROM t1 a JOIN t2 b ON a.id = c.id JOIN t3 c ON b.id = c.id
SELECT a.id FROM t1 a JOIN t2 b JOIN t3 c ON a.id = b.id AND b.id = c.id
SELECT a.id FROM (t1 a JOIN t2 b ON a.id = b.id) LEFT JOIN t3 c ON c.id = b.id
SELECT x.id FROM (t1 a JOIN t2 b ON a.id = b.id) x
SELECT a.id FROM t1 a JOIN t2 b ON count(a.id) = b.id
SELECT a.id FROM t1 a OUTER JOIN t2 b ON a.id = b.id
SELECT a.id FROM t1 a INNER t2 b ON a.id = b.id
SELECT /*+ BROADCAST(b) */ a.id FROM t1 a JOIN t2 b ON a.id = b.id
SELECT a.id FROM t1 a JOIN t2 b ON a.m = b.id
SELECT a.id FROM t1 a JOIN t2 b ON a.arr = b.city
SELECT a.id FROM t1 a JOIN t2 b ON a.name = b.id
SELECT a.id FROM t1 a JOIN t1 b ON a.id <=> b.id
SELECT a.* FROM t1 a JOIN t2 b ON a.id = b.id WHERE b.name = 'x'
-- section: sub-queries
SELECT id FROM t1 WHERE id IN (SELECT id FROM t2)
SELECT id FROM t1 WHERE id IN (SELECT id, city FROM t2)
SELECT id FROM t1 WHERE (id, name) IN (SELECT id, city FROM t2)
SELECT id FROM t1 WHERE (id, name) NOT IN (SELECT id FROM t2)
SELECT id FROM t1 WHERE name IN (SELECT arr FROM t1)
SELECT id FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.id = t1.id)
SELECT id FROM t1 WHERE EXISTS (SELECT max(id) FROM t2 HAVING max(id) > t1.id)
SELECT id FROM t1 WHERE NOT EXISTS (SELECT * FROM t2 WHERE city = name)
SELECT id FROM t1 WHERE amt > (SELECT avg(amt) FROM t2)
SELECT id FROM t1 WHERE amt > (SELECT amt, id FROM t2)
SELECT id, (SELECT max(amt) FROM t2 WHERE t2.id = t1.id) FROM t1
SELECT id, (SELECT amt FROM t2 WHERE t2.id = t1.id) FROM t1
SELECT id, (SELECT amt FROM t2 WHERE t2.id = t1.id LIMIT 1) FROM t1
SELECT id, (SELECT max(amt) FROM t2 WHERE t2.id > t1.id) FROM t1
SELECT id FROM t1 WHERE (SELECT count(*) FROM t2) > 1
SELECT id FROM t1 GROUP BY (SELECT 1)
SELECT id FROM t1 ORDER BY (SELECT max(id) FROM t2)
SELECT id FROM t1 WHERE id = ANY (SELECT id FROM t2)
SELECT id FROM t1 WHERE id > ALL (SELECT id FROM t2)
SELECT sum((SELECT max(amt) FROM t2)) FROM t1
SELECT id FROM t1 WHERE id IN (SELECT id FROM t2 WHERE missing = 1)
SELECT id FROM (SELECT id, amt FROM t1) WHERE amt > 1
SELECT name FROM (SELECT id FROM t1) x
SELECT x.id FROM (SELECT id FROM t1 WHERE t2.id = 1) x JOIN t2 ON true
SELECT (SELECT 1) + (SELECT 2)
SELECT id FROM t1 WHERE id IN ()
SELECT id FROM t1 WHERE sum(id) IN (SELECT id FROM t2)
SELECT CASE WHEN id IN (SELECT id FROM t2) THEN 1 ELSE 0 END FROM t1
SELECT id IN (SELECT id FROM t2) FROM t1
SELECT count(*) FROM t1 HAVING count(*) > (SELECT max(id) FROM t2)
-- section: common table expressions
WITH a AS (SELECT id FROM t1) SELECT * FROM a
WITH a AS (SELECT id FROM t1), b AS (SELECT id FROM a) SELECT * FROM b JOIN a USING (id)
WITH b AS (SELECT id FROM a), a AS (SELECT id FROM t1) SELECT * FROM b
WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM a
WITH a(x) AS (SELECT id FROM t1) SELECT x FROM a
WITH a(x) AS (SELECT id FROM t1) SELECT id FROM a
WITH a(x, y) AS (SELECT id FROM t1) SELECT x FROM a
WITH a(x, x) AS (SELECT id, name FROM t1) SELECT 1 FROM a
WITH a AS (WITH b AS (SELECT 1 AS one) SELECT one FROM b) SELECT one FROM a
WITH a AS (WITH b AS (SELECT 1 AS one) SELECT one FROM b) SELECT one FROM b
WITH t1 AS (SELECT 5 AS five) SELECT five FROM t1
WITH t1 AS (SELECT id FROM t1) SELECT id FROM t1
WITH a AS SELECT 1 SELECT * FROM a
WITH a AS (SELECT 1)
WITH a AS (SELECT 1 AS x) SELECT (SELECT max(x) FROM a) FROM t1
SELECT * FROM (WITH a AS (SELECT 1 AS x) SELECT x FROM a) q
WITH a AS (SELECT 1 AS x) INSERT INTO fbt.nt SELECT x, 'n' FROM a
INSERT INTO fbt.nt WITH a AS (SELECT 1 AS x) SELECT x, 'n' FROM a
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT max(i) FROM n
WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n
WITH RECURSIVE n(i) AS (SELECT i + 1 FROM n) SELECT * FROM n
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT max(i) FROM n) SELECT * FROM n
WITH RECURSIVE n(i) AS (SELECT 1 INTERSECT SELECT i + 1 FROM n) SELECT * FROM n
WITH RECURSIVE n(i, j) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT t3.id FROM n RIGHT JOIN t3 ON t3.id = n.i) SELECT * FROM n
-- section: set operations
SELECT id FROM t1 UNION SELECT id FROM t2
SELECT id FROM t1 UNION ALL SELECT id, city FROM t2
SELECT id FROM t1 UNION ALL SELECT city FROM t2
SELECT arr FROM t1 UNION ALL SELECT city FROM t2
SELECT m FROM t1 UNION SELECT m FROM t1
SELECT m FROM t1 UNION ALL SELECT m FROM t1
SELECT id FROM t1 EXCEPT SELECT id FROM t2
SELECT id FROM t1 EXCEPT ALL SELECT id FROM t2
SELECT id FROM t1 MINUS SELECT id FROM t2
SELECT id FROM t1 INTERSECT SELECT id FROM t2 UNION SELECT id FROM t3
SELECT id FROM t1 INTERSECT ALL SELECT id FROM t2
SELECT m FROM t1 INTERSECT SELECT m FROM t1
SELECT id FROM t1 UNION SELECT id FROM t2 ORDER BY id
SELECT id FROM t1 UNION SELECT id FROM t2 ORDER BY city
SELECT id AS k FROM t1 UNION SELECT id FROM t2 ORDER BY k LIMIT 3
(SELECT id FROM t1 LIMIT 1) UNION ALL (SELECT id FROM t2 ORDER BY city)
SELECT id FROM t1 ORDER BY id UNION SELECT id FROM t2
SELECT id FROM t1 UNION DISTINCT SELECT NULL
SELECT d FROM t1 UNION ALL SELECT ts FROM t1
SELECT flag FROM t1 UNION ALL SELECT id FROM t1
SELECT d FROM t1 UNION ALL SELECT id FROM t1
SELECT id FROM t1 EXCEPT SELECT id, amt FROM t2
-- section: windows
SELECT row_number() OVER (PARTITION BY grp ORDER BY v) FROM t3
SELECT row_number() OVER () FROM t3
SELECT rank() OVER (PARTITION BY grp) FROM t3
SELECT sum(v) OVER (PARTITION BY grp) FROM t3
SELECT sum(v) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM t3
SELECT sum(v) OVER (ORDER BY id RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) FROM t3
SELECT sum(v) OVER (ORDER BY grp RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) FROM t3
SELECT sum(v) OVER (RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) FROM t3
SELECT sum(v) OVER (ORDER BY id, grp RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) FROM t3
SELECT sum(v) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 2 PRECEDING) FROM t3
SELECT sum(v) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED FOLLOWING AND CURRENT ROW) FROM t3
SELECT sum(amt) OVER (ORDER BY d RANGE BETWEEN INTERVAL 3 DAYS PRECEDING AND CURRENT ROW) FROM t1
SELECT lag(v, 1) OVER (PARTITION BY grp ORDER BY id) FROM t3
SELECT lag(v) FROM t3
SELECT lag(v, id) OVER (ORDER BY id) FROM t3
SELECT lead(v, 1, 0) OVER (ORDER BY id) FROM t3
SELECT lead(v) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM t3
SELECT ntile(4) OVER (ORDER BY v) FROM t3
SELECT ntile(0) OVER (ORDER BY v) FROM t3
SELECT ntile(id) OVER (ORDER BY v) FROM t3
SELECT nth_value(v, 2) OVER (ORDER BY id) FROM t3
SELECT nth_value(v, 0) OVER (ORDER BY id) FROM t3
SELECT first_value(v) IGNORE NULLS OVER (ORDER BY id) FROM t3
SELECT first_value(v, true) OVER (ORDER BY id) FROM t3
SELECT cume_dist() OVER (ORDER BY v), percent_rank() OVER (ORDER BY v) FROM t3
SELECT sum(v) OVER w FROM t3 WINDOW w AS (PARTITION BY grp)
SELECT sum(v) OVER w FROM t3
SELECT sum(v) OVER (w ORDER BY id) FROM t3 WINDOW w AS (PARTITION BY grp)
SELECT sum(v) OVER w FROM t3 WINDOW w AS (PARTITION BY grp), w AS (ORDER BY id)
SELECT id FROM t3 WHERE row_number() OVER (ORDER BY id) = 1
SELECT id FROM t3 QUALIFY row_number() OVER (PARTITION BY grp ORDER BY id) = 1
SELECT id, row_number() OVER (ORDER BY id) AS rn FROM t3 QUALIFY rn < 3
SELECT id FROM t3 QUALIFY id > 1
SELECT grp, sum(sum(v)) OVER (ORDER BY grp) FROM t3 GROUP BY grp
SELECT grp, sum(v) OVER (ORDER BY grp) FROM t3 GROUP BY grp
SELECT sum(row_number() OVER (ORDER BY id)) FROM t3
SELECT sum(row_number() OVER (ORDER BY id)) OVER () FROM t3
SELECT upper(grp) OVER (ORDER BY id) FROM t3
SELECT count(DISTINCT v) OVER (PARTITION BY grp) FROM t3
SELECT count(*) FILTER (WHERE v > 1) OVER (PARTITION BY grp) FROM t3
SELECT row_number() OVER (PARTITION BY m ORDER BY id) FROM t1
SELECT collect_list(v) OVER (PARTITION BY grp ORDER BY id) FROM t3
SELECT percentile(v, 0.5) OVER (PARTITION BY grp) FROM t3
SELECT sum(v) OVER (PARTITION BY grp ORDER BY id ROWS id PRECEDING) FROM t3
-- section: lateral views and generators
SELECT id, e FROM t1 LATERAL VIEW explode(arr) x AS e
SELECT id, k, w FROM t1 LATERAL VIEW explode(m) x AS k, w
SELECT id, k FROM t1 LATERAL VIEW explode(m) x AS k
SELECT id, e FROM t1 LATERAL VIEW OUTER posexplode(arr) x AS p, e
SELECT id, col FROM t1 LATERAL VIEW explode(arr) x
SELECT explode(arr) FROM t1
SELECT explode(arr), explode(arr) FROM t1
SELECT explode(arr) AS e, posexplode(arr) AS (p, f) FROM t1
SELECT explode(arr) + 1 FROM t1
SELECT upper(explode(arr)) FROM t1
SELECT id FROM t1 WHERE explode(arr) = 'a'
SELECT id FROM t1 ORDER BY explode(arr)
SELECT explode(id) FROM t1
SELECT explode(explode(array(arr))) FROM t1
SELECT sum(explode(arr)) FROM t1
SELECT explode(collect_list(id)) AS a, explode(collect_list(id)) AS b FROM t1
SELECT id, explode(collect_list(id)) AS a, explode(array(id)) AS b FROM t1 GROUP BY id
SELECT id, explode(collect_list(id)) AS a FROM t1 GROUP BY id
SELECT posexplode(m) AS (p, k, w) FROM t1
SELECT posexplode(m) AS (p, k) FROM t1
SELECT stack(2, 1, 'a', 2, 'b') AS (n, l)
SELECT stack(0, 1)
SELECT stack(2, 1, 'a', 'b', 2)
SELECT inline(array(struct(1, 'a'), struct(2, 'b')))
SELECT inline(arr) FROM t1
SELECT json_tuple(js, 'a', 'b') AS (a, b) FROM t1
SELECT json_tuple(js) FROM t1
SELECT a FROM t1 LATERAL VIEW json_tuple(js, 'a', 'b') j AS a, b
SELECT x.e, y.f FROM t1 LATERAL VIEW explode(arr) x AS e LATERAL VIEW explode(split(e, ',')) y AS f
SELECT y.f FROM t1 LATERAL VIEW explode(e) y AS f LATERAL VIEW explode(arr) x AS e
SELECT * FROM explode(array(1, 2))
SELECT * FROM explode(array(1, 2)) AS t(n)
SELECT * FROM explode(array(1, 2)) AS t(n, o)
SELECT * FROM range(5)
SELECT id + 1 FROM range(1, 10, 2)
SELECT * FROM range(1, 2, 3, 4, 5)
SELECT * FROM range('a')
SELECT * FROM nothing_at_all(3)
SELECT * FROM upper('a')
-- section: inline tables
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(n, l)
SELECT * FROM VALUES (1, 'a'), (2) AS t(n, l)
SELECT * FROM VALUES (1, 'a') AS t(n)
SELECT * FROM VALUES (1), ('b') AS t(n)
SELECT * FROM VALUES (1), (array(1)) AS t(n)
SELECT * FROM VALUES 1, 2, 3
SELECT col1 FROM VALUES (1, 2)
SELECT * FROM VALUES (id) AS t(n)
SELECT * FROM VALUES (current_date()), (date_add(current_date(), 1)) AS t(x)
SELECT * FROM VALUES (count(1)) AS t(n)
VALUES (1), (2)
SELECT n FROM VALUES (NULL), (1.5) AS t(n) WHERE n > 1
-- section: case and conditions
SELECT CASE WHEN id > 1 THEN 'a' ELSE 'b' END FROM t1
SELECT CASE WHEN id > 1 THEN 'a' ELSE id END FROM t1
SELECT CASE WHEN id > 1 THEN arr ELSE id END FROM t1
SELECT CASE id WHEN 1 THEN 'a' WHEN 'x' THEN 'b' END FROM t1
SELECT CASE WHEN id THEN 1 END FROM t1
SELECT CASE END FROM t1
SELECT CASE WHEN id > 1 THEN 'a' FROM t1
SELECT if(flag, 1, 'x') FROM t1
SELECT if(flag, 1) FROM t1
SELECT if(id, 1, 2) FROM t1
SELECT iff(flag, 1, 2) FROM t1
SELECT coalesce(), nvl(1)
SELECT coalesce(id, amt, name) FROM t1
SELECT coalesce(id, d) FROM t1
SELECT coalesce(id, flag) FROM t1
SELECT nvl(d, 'x'), nvl2(id, 1, 2), nullif(id, 1), ifnull(name, 'n') FROM t1
SELECT nullif(id, arr) FROM t1
SELECT greatest(id, amt), least(name, 'b') FROM t1
SELECT greatest(id) FROM t1
SELECT greatest(m, m) FROM t1
SELECT decode(id, 1, 'one', 2, 'two', 'many') FROM t1
SELECT nullifzero(id), zeroifnull(amt) FROM t1
SELECT id IS NULL, name IS NOT NULL, flag IS TRUE, flag IS NOT UNKNOWN FROM t1
SELECT id IS TRUE FROM t1
SELECT id IS DISTINCT FROM amt FROM t1
SELECT NOT id FROM t1
SELECT flag AND id FROM t1
SELECT flag AND name FROM t1
SELECT !flag OR NULL FROM t1
SELECT id BETWEEN 1 AND 2, name NOT BETWEEN 'a' AND 'b' FROM t1
SELECT id BETWEEN 'a' AND arr FROM t1
SELECT id IN (1, 'a', 2.5) FROM t1
SELECT id IN (1, arr) FROM t1
SELECT (id, name) IN ((1, 'a'), (2, 'b')) FROM t1
SELECT (id, name) IN ((1, 'a', 2)) FROM t1
SELECT id == 1, id != 2, id <> 3, id <=> NULL FROM t1
SELECT id = arr FROM t1
SELECT m = m FROM t1
SELECT arr < arr, struct(id) > struct(amt) FROM t1
SELECT d > 5 FROM t1
SELECT d > '2024-01-01', ts < d FROM t1
SELECT flag > 1 FROM t1
SELECT flag = 'true' FROM t1
-- section: patterns
SELECT name LIKE 'a%', name NOT LIKE '_b' FROM t1
SELECT name LIKE 'a/%b' ESCAPE '/' FROM t1
SELECT name LIKE 'a/%b' ESCAPE '//' FROM t1
SELECT name LIKE ANY ('a%', 'b%'), name NOT LIKE ALL ('c%', 'd%') FROM t1
SELECT name LIKE ANY () FROM t1
SELECT name ILIKE 'A%', name ILIKE ANY ('A%', 'B%') FROM t1
SELECT name RLIKE '^a.*$', name REGEXP 'b' FROM t1
SELECT id LIKE '1%' FROM t1
SELECT arr LIKE '1%' FROM t1
SELECT name LIKE id FROM t1
SELECT regexp_extract(name, '(a)(b)', 2), regexp_replace(name, 'a', 'b', 2) FROM t1
SELECT regexp_extract(name) FROM t1
SELECT regexp_extract_all(name, '(.)', 1), regexp_count(name, 'a'), regexp_substr(name, 'b'), regexp_instr(name, 'c') FROM t1
SELECT regexp_like(name, 'a'), regexp_like(arr, 'a') FROM t1
-- section: casts
SELECT CAST(name AS INT), CAST(id AS STRING), CAST(amt AS DECIMAL(10, 2)) FROM t1
SELECT CAST(arr AS INT) FROM t1
SELECT CAST(arr AS STRING) FROM t1
SELECT CAST(id AS DATE) FROM t1
SELECT CAST(d AS INT) FROM t1
SELECT CAST(ts AS BIGINT), CAST(id AS TIMESTAMP) FROM t1
SELECT CAST(flag AS INT), CAST(id AS BOOLEAN) FROM t1
SELECT CAST(d AS BOOLEAN) FROM t1
SELECT CAST(name AS ARRAY<STRING>) FROM t1
SELECT CAST(arr AS ARRAY<INT>) FROM t1
SELECT CAST(m AS MAP<STRING, INT>) FROM t1
SELECT CAST(m AS ARRAY<STRING>) FROM t1
SELECT CAST(name AS DECIMAL(40, 2)) FROM t1
SELECT CAST(name AS DECIMAL(5, 7)) FROM t1
SELECT CAST(name AS NUMBER) FROM t1
SELECT CAST(name AS VARCHAR(3)), CAST(name AS CHAR(3)) FROM t1
SELECT CAST(name AS VARCHAR) FROM t1
SELECT name :: INT, (id + 1) :: STRING FROM t1
SELECT TRY_CAST(name AS DATE) FROM t1
SELECT TRY_CAST(arr AS DATE) FROM t1
SELECT CAST('1 day' AS INTERVAL DAY), CAST(name AS INTERVAL) FROM t1
SELECT int('5'), bigint('6'), double('7'), string(8), date('2024-01-01'), boolean('true')
SELECT int('5', 6)
SELECT CAST(NULL AS STRUCT<a: INT, b: STRING>).a
SELECT CAST(named_struct('x', 1) AS STRUCT<a: STRING>)
SELECT CAST(id) FROM t1
-- section: arithmetic
SELECT id + 1, id - amt, id * 2, id / 3, id % 4, -id, +id FROM t1
SELECT id DIV 2, id MOD 2 FROM t1
SELECT name + 1, name * name FROM t1
SELECT arr + 1 FROM t1
SELECT flag + 1 FROM t1
SELECT -name, -arr FROM t1
SELECT d + 1, d - 1, d - d FROM t1
SELECT d + d FROM t1
SELECT d * 2 FROM t1
SELECT ts - ts, ts - d FROM t1
SELECT ts + 1 FROM t1
SELECT id & 1, id | 2, id ^ 3, ~id FROM t1
SELECT amt & 1 FROM t1
SELECT id << 2, id >> 1, id >>> 1 FROM t1
SELECT amt << 2 FROM t1
SELECT shiftleft(id, 2), shiftright(id, amt) FROM t1
SELECT abs(id), abs(name), sign(amt), pmod(id, 3), positive(id), negative(amt) FROM t1
SELECT abs(d) FROM t1
SELECT round(amt, 2), bround(amt), ceil(amt), floor(amt, 1), truncate(amt) FROM t1
SELECT round(amt, id) FROM t1
SELECT sqrt(name), exp(1), ln(2), log(10, 100), log2(8), pow(2, 3), cbrt(27) FROM t1
SELECT sqrt(arr) FROM t1
SELECT try_add(id, 1), try_divide(id, 0), try_subtract(d, 1), try_multiply(id, amt) FROM t1
SELECT 1.5 + 2, 1e3 * 2, 5BD, 3L, 4S, 2Y, 1.5F, 2D
SELECT 300Y
SELECT 99999999999999999999
SELECT 99999999999999999999999999999999999999999
SELECT 1 +
SELECT width_bucket(amt, 0, 10, 5), conv('ff', 16, 10), hex(id), unhex('1A'), bin(id), factorial(5) FROM t1
SELECT bit_count(id), bit_and(id), bit_or(id), bit_xor(id) FROM t1
SELECT bit_and(id), bit_or(id), bit_xor(id) FROM t1
-- section: text functions
SELECT concat(name, id, d), concat_ws('-', name, arr), name || id FROM t1
SELECT concat(arr, arr), concat(arr, name) FROM t1
SELECT concat_ws(), concat_ws(',')
SELECT substr(name, 1), substring(name, 1, 2), substring(name FROM 2), substring(name FROM 1 FOR 2) FROM t1
SELECT substr(name) FROM t1
SELECT substr(name, 'a') FROM t1
SELECT left(name, 2), right(name, 2), lpad(name, 5, '0'), rpad(name, 5) FROM t1
SELECT lpad(name) FROM t1
SELECT trim(name), ltrim(name), rtrim(name), trim(BOTH 'x' FROM name), trim(LEADING FROM name), btrim(name, 'x') FROM t1
SELECT trim('x' FROM name), trim(MIDDLE 'x' FROM name) FROM t1
SELECT split(name, ','), split_part(name, ',', 1), instr(name, 'a'), locate('a', name), position('a' IN name), position('a', name) FROM t1
SELECT split(name) FROM t1
SELECT replace(name, 'a'), translate(name, 'ab', 'xy'), overlay(name PLACING 'q' FROM 2 FOR 1), overlay(name, 'q', 2) FROM t1
SELECT replace(name) FROM t1
SELECT upper(id), lcase(name), initcap(name), reverse(name), reverse(arr), length(name), char_length(name), octet_length(name) FROM t1
SELECT length(arr) FROM t1
SELECT upper(name, 'a') FROM t1
SELECT format_string('%s-%d', name, id), printf('%s', name), format_number(amt, 2), format_number(amt, '#,##0.0') FROM t1
SELECT format_string(id, name) FROM t1
SELECT ascii(name), chr(65), repeat(name, 2), space(3), soundex(name), levenshtein(name, dt), levenshtein(name, dt, 2) FROM t1
SELECT contains(name, 'a'), startswith(name, 'a'), endswith(name, 'a'), contains(id, 1) FROM t1
SELECT md5(name), sha1(name), sha2(name, 256), crc32(name), hash(name, id), xxhash64(name) FROM t1
SELECT sha2(name) FROM t1
SELECT hash(m) FROM t1
SELECT md5(id) FROM t1
SELECT base64(name), unbase64('aa'), encode(name, 'UTF-8'), decode(encode(name, 'UTF-8'), 'UTF-8') FROM t1
SELECT parse_url(name, 'HOST'), url_encode(name), url_decode(name) FROM t1
SELECT parse_url(name) FROM t1
SELECT to_number('12', '99'), to_char(12, '999'), try_to_number('a', '99'), to_varchar(5, '9')
SELECT to_number('12')
SELECT to_number('12', name) FROM t1
SELECT str_to_map(name, ',', ':'), find_in_set('a', name), elt(1, 'a', 'b'), elt(1) FROM t1
SELECT elt(1, 'a', 'b'), sentences(name), luhn_check('1'), mask(name) FROM t1
SELECT listagg(name, ',') WITHIN GROUP (ORDER BY id), string_agg(name) FROM t1
SELECT listagg(name, id) FROM t1
SELECT listagg(DISTINCT name, ',') WITHIN GROUP (ORDER BY id) FROM t1
SELECT name COLLATE UTF8_LCASE FROM t1
SELECT uppper(name) FROM t1
SELECT 'a' 'b', "c", r'\d', 'it''s', 'x\ty'
SELECT N'a'
SELECT X'1A2B', X'1'
-- section: dates and times
SELECT date_add(d, 1), date_sub(d, 1), datediff(d, '2024-01-01'), add_months(d, 2), months_between(d, ts) FROM t1
SELECT date_add(d, 'a'), date_add(d, amt) FROM t1
SELECT date_add(d, amt) FROM t1
SELECT date_add(id, 1) FROM t1
SELECT date_add(d) FROM t1
SELECT datediff(d) FROM t1
SELECT datediff(DAY, d, ts), dateadd(MONTH, 1, d), timestampdiff(HOUR, ts, ts), timestampadd(MINUTE, 5, ts) FROM t1
SELECT datediff('DAY', d, ts) FROM t1
SELECT dateadd(FORTNIGHT, 1, d) FROM t1
SELECT year(d), quarter(d), month(d), day(d), dayofweek(d), dayofyear(d), weekofyear(d), hour(ts), minute(ts), second(ts) FROM t1
SELECT year(id) FROM t1
SELECT year(arr) FROM t1
SELECT extract(YEAR FROM d), extract(HOUR FROM ts), date_part('month', d), datepart('day', ts) FROM t1
SELECT extract(CENTURY FROM d) FROM t1
SELECT extract(HOUR FROM id) FROM t1
SELECT date_part(name, d) FROM t1
SELECT date_trunc('month', ts), trunc(d, 'year'), last_day(d), next_day(d, 'Mon') FROM t1
SELECT date_trunc(ts) FROM t1
SELECT date_format(d, 'yyyy-MM'), date_format(ts, 'HH:mm'), to_date(dt), to_date(dt, 'yyyyMMdd'), to_timestamp(dt, 'yyyy-MM-dd') FROM t1
SELECT date_format(d) FROM t1
SELECT to_date(id) FROM t1
SELECT unix_timestamp(), unix_timestamp(dt, 'yyyy-MM-dd'), from_unixtime(id), from_unixtime(id, 'yyyy'), to_unix_timestamp(dt) FROM t1
SELECT from_unixtime(d) FROM t1
SELECT make_date(2024, 1, 2), make_timestamp(2024, 1, 2, 3, 4, 5.5), make_interval(1, 2), make_dt_interval(1)
SELECT make_date(2024, 1)
SELECT current_date, current_timestamp, now(), current_date(), curdate(), localtimestamp
SELECT current_date(1)
SELECT from_utc_timestamp(ts, 'UTC'), to_utc_timestamp(ts, 'Asia/Seoul'), convert_timezone('UTC', ts) FROM t1
SELECT DATE '2024-02-30'
SELECT DATE '2024-01-31', TIMESTAMP '2024-01-31 10:00:00', DATE'2024'
SELECT TIMESTAMP 'noon'
SELECT INTERVAL 1 DAY, INTERVAL '1' MONTH, INTERVAL '1-2' YEAR TO MONTH, INTERVAL '1 2:3:4' DAY TO SECOND
SELECT INTERVAL 1 LIGHTYEAR
SELECT INTERVAL 'a' DAY
SELECT INTERVAL '1-2' DAY TO MONTH
SELECT d + INTERVAL 1 MONTH, ts - INTERVAL '2' HOUR, INTERVAL 1 DAY * 3 FROM t1
SELECT d + INTERVAL 1 MONTH + 'x' FROM t1
SELECT id + INTERVAL 1 DAY FROM t1
SELECT INTERVAL 1 DAY + INTERVAL 1 MONTH
SELECT INTERVAL 1 DAY > INTERVAL 2 HOUR
SELECT sum(INTERVAL 1 DAY), avg(INTERVAL '1' YEAR)
SELECT dayname(d), monthname(d), unix_date(d), date_from_unix_date(1), weekday(d) FROM t1
SELECT timestamp_seconds(id), timestamp_millis(id), unix_seconds(ts), unix_millis(ts) FROM t1
SELECT window(ts, '1 hour').start, count(*) FROM t1 GROUP BY window(ts, '1 hour')
SELECT sequence(d, d + INTERVAL 3 DAYS), sequence(1, 5, 2) FROM t1
SELECT sequence(1, 'a')
SELECT sequence(d, 5) FROM t1
-- section: arrays and maps
SELECT arr[0], m['a'], element_at(arr, 1), element_at(m, 'a') FROM t1
SELECT arr['a'] FROM t1
SELECT id[0] FROM t1
SELECT m[1], m[d] FROM t1
SELECT array(1, 2.5, NULL), array(), array(1, 'a'), array(1, array(2))
SELECT map('a', 1, 'b', 2), map(), map('a')
SELECT map('a', 1, 2, 'b'), map_from_arrays(array(1), array('x')), map_from_entries(array(struct(1, 'a')))
SELECT map(map('a', 1), 2)
SELECT size(arr), size(m), cardinality(arr), array_contains(arr, 'a'), array_position(arr, 'a'), array_remove(arr, 'a') FROM t1
SELECT size(name) FROM t1
SELECT array_contains(arr, 1), array_contains(arr, NULL) FROM t1
SELECT array_contains(array(1, 2), 'a')
SELECT array_contains(name, 'a') FROM t1
SELECT array_distinct(arr), array_union(arr, arr), array_intersect(arr, arr), array_except(arr, arr), arrays_overlap(arr, arr) FROM t1
SELECT array_union(arr, array(1)) FROM t1
SELECT array_join(arr, ','), array_max(arr), array_min(arr), sort_array(arr, false), array_sort(arr), shuffle(arr) FROM t1
SELECT array_join(id, ',') FROM t1
SELECT sort_array(arr, 'desc') FROM t1
SELECT sort_array(m) FROM t1
SELECT slice(arr, 1, 2), flatten(array(arr)), arrays_zip(arr, arr), array_repeat('a', 3), array_append(arr, 'x'), array_insert(arr, 1, 'y') FROM t1
SELECT flatten(arr) FROM t1
SELECT map_keys(m), map_values(m), map_entries(m), map_concat(m, m), map_contains_key(m, 'a') FROM t1
SELECT map_keys(arr) FROM t1
SELECT map_concat(m, map(1, 2)) FROM t1
SELECT transform(arr, x -> upper(x)), transform(arr, (x, i) -> concat(x, i)), filter(arr, x -> x > 'a') FROM t1
SELECT transform(arr, x -> y) FROM t1
SELECT transform(arr, (x, y, z) -> x) FROM t1
SELECT transform(name, x -> x) FROM t1
SELECT transform(arr, upper) FROM t1
SELECT filter(arr, x -> upper(x)) FROM t1
SELECT filter(arr, x -> id > 1) FROM t1
SELECT exists(arr, x -> x = 'a'), forall(arr, x -> x IS NOT NULL), aggregate(arr, 0, (s, x) -> s + length(x)) FROM t1
SELECT aggregate(arr, 0, (s, x) -> concat(s, x)) FROM t1
SELECT reduce(array(1, 2), 0, (s, x) -> s + x, s -> s * 2)
SELECT zip_with(arr, arr, (a, b) -> concat(a, b)), map_filter(m, (k, v) -> k > 'a'), transform_keys(m, (k, v) -> upper(k)), transform_values(m, (k, v) -> v) FROM t1
SELECT map_zip_with(m, m, (k, a, b) -> concat(a, b)) FROM t1
SELECT x -> x + 1
SELECT upper(x -> x) FROM t1
SELECT collect_list(name), collect_set(id), array_agg(amt) FROM t1
SELECT collect_set(m) FROM t1
SELECT get(arr, 0), try_element_at(arr, 3), array_size(arr), array_compact(arr), array_prepend(arr, 'z') FROM t1
-- section: structs
SELECT struct(id, name), named_struct('a', id, 'b', name) FROM t1
SELECT struct(id, name).id, struct(id AS x).x, named_struct('a', id).a FROM t1
SELECT struct(id).nothing FROM t1
SELECT named_struct('a', id, 'b') FROM t1
SELECT named_struct(id, 1) FROM t1
SELECT (id, name).col1, (id, name).id FROM t1
SELECT array(struct(1 AS a), struct(2 AS a)).a
SELECT id.x FROM t1
SELECT m.a, m.b FROM t1
SELECT struct(*) FROM t3
SELECT s.* FROM (SELECT struct(id, grp) AS s FROM t3)
SELECT grp.* FROM t3
-- section: json, csv, xml
SELECT get_json_object(js, '$.a'), from_json(js, 'a INT, b STRING'), to_json(struct(id, name)), schema_of_json('{"a":1}') FROM t1
SELECT get_json_object(js) FROM t1
SELECT from_json(js) FROM t1
SELECT from_json(js, 'a WRONG') FROM t1
SELECT from_json(js, name) FROM t1
SELECT from_json(js, 'a INT').a, from_json(js, 'ARRAY<INT>')[0] FROM t1
SELECT from_json(js, 'a INT').b FROM t1
SELECT from_json(id, 'a INT') FROM t1
SELECT to_json(id) FROM t1
SELECT json_array_length(js), json_object_keys(js) FROM t1
SELECT from_csv('1,a', 'n INT, l STRING'), to_csv(struct(1, 'a')), schema_of_csv('1,a')
SELECT to_csv(id) FROM t1
SELECT js:a.b FROM t1
-- section: aggregates of statistics
SELECT stddev(v), stddev_samp(v), stddev_pop(v), variance(v), var_pop(v), corr(v, id), covar_samp(v, id) FROM t3
SELECT corr(v) FROM t3
SELECT stddev(grp), avg(grp), sum(grp) FROM t3
SELECT avg(arr) FROM t1
SELECT sum(d) FROM t1
SELECT sum(flag) FROM t1
SELECT max(m) FROM t1
SELECT max(arr), min(struct(id, name)) FROM t1
SELECT percentile(v, 0.5), percentile(v, array(0.1, 0.9)), percentile_approx(v, 0.5, 100), median(v), mode(grp) FROM t3
SELECT percentile(v, 2) FROM t3
SELECT percentile(v, id) FROM t3
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v), percentile_disc(0.5) WITHIN GROUP (ORDER BY v DESC) FROM t3
SELECT percentile_cont(0.5) FROM t3
SELECT sum(v) WITHIN GROUP (ORDER BY id) FROM t3
SELECT approx_count_distinct(grp), approx_count_distinct(grp, 0.1), count_min_sketch(id, 0.5, 0.5, 1) FROM t3
SELECT kurtosis(v), skewness(v), regr_count(v, id), regr_slope(v, id), regr_r2(v, id) FROM t3
SELECT histogram_numeric(v, 5) FROM t3
SELECT try_sum(v), try_avg(v) FROM t3
SELECT sum(DISTINCT v), avg(DISTINCT v), max(DISTINCT v) FROM t3
SELECT sum(*) FROM t3
SELECT sum(v, id) FROM t3
SELECT sum() FROM t3
SELECT collect_list(DISTINCT grp) FROM t3
SELECT upper(DISTINCT grp) FROM t3
SELECT bit_and(v) FROM t3
-- section: stars and aliases
SELECT *, id FROM t3
SELECT t3.*, t2.city FROM t3 JOIN t2 USING (id)
SELECT nothing.* FROM t3
SELECT * EXCEPT (v) FROM t3
SELECT * EXCEPT (nothing) FROM t3
SELECT * EXCEPT (id, grp, v) FROM t3
SELECT *
SELECT count(*), count(t3.*) FROM t3
SELECT upper(*) FROM t3
SELECT id AS a, a + 1 AS b, b + 1 AS c FROM t3
SELECT id + 1 AS a FROM t3 WHERE a > 1
SELECT id AS a, id AS a FROM t3
SELECT a FROM (SELECT id AS a, v AS a FROM t3)
SELECT sum(v) AS s, s + 1 FROM t3
SELECT id AS `a b`, `a b` + 1 FROM t3
SELECT id a b FROM t3
SELECT id AS (a, b) FROM t3
SELECT `id`, t3.`grp`, `t3`.`v` FROM t3
SELECT `t3.id` FROM t3
SELECT ID, GRP FROM T3
SELECT t3.id FROM t3 x
SELECT x.id FROM t3 AS x (k, g, w)
SELECT x.k FROM t3 AS x (k, g, w)
SELECT x.k FROM t3 AS x (k)
SELECT id FROM nothing_here
SELECT id FROM fbt.nothing_here
SELECT nt.id, fbt.nt.name FROM fbt.nt
SELECT id FROM t3,
SELECT id, FROM t3
SELECT FROM t3
SELECT id FROM
SELECT id WHERE id = 1
SELECT id FROM t3 WHERE
SELECT id FROM t3 WHERE v
SELECT id FROM t3 WHERE grp
SELECT id FROM t3 WHERE sum(v) > 1
SELECT id FROM t3 WHERE NULL
SELECT DISTINCT ON (grp) id FROM t3
SELECT ALL id FROM t3
SELECT TOP 3 id FROM t3
SELEC id FROM t3
SELECT id FORM t3
SELECT (id FROM t3
SELECT id) FROM t3
SELECT 'a FROM t3
SELECT id FROM t3 GROUP id
SELECT id FROM t3 ORDER id
SELECT id FROM t3 t3 t3
-- section: inserts
INSERT INTO fbt.nt SELECT id, name FROM t1
INSERT INTO fbt.nt SELECT id FROM t1
INSERT INTO fbt.nt SELECT id, name, amt FROM t1
INSERT INTO fbt.nt (id, name) SELECT id, name FROM t1
INSERT INTO fbt.nt (name) SELECT name FROM t1
INSERT INTO fbt.nt (name, nothing) SELECT name, id FROM t1
INSERT INTO fbt.nt (id, id) SELECT id, id FROM t1
INSERT INTO fbt.nt VALUES (1, 'a'), (2, 'b')
INSERT INTO fbt.nt VALUES (1)
INSERT OVERWRITE TABLE fbt.nt SELECT id, name FROM t1
INSERT OVERWRITE fbt.pt PARTITION (dt = '2024-01-01') SELECT id, name FROM t1
INSERT OVERWRITE fbt.pt PARTITION (dt) SELECT id, name, dt FROM t1
INSERT INTO fbt.pt PARTITION (nothing = '1') SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = '2024-01-01') SELECT id, name, dt FROM t1
INSERT INTO fbt.nt PARTITION (id = 1) SELECT name FROM t1
INSERT INTO fbt.pt SELECT id, name, dt FROM t1
INSERT INTO fbt.pt SELECT id, name FROM t1
INSERT INTO nothing_here SELECT 1
INSERT INTO fbt.nt SELECT arr, name FROM t1
INSERT INTO fbt.nt SELECT name, id FROM t1
INSERT INTO TABLE fbt.nt SELECT id, name FROM t1 ORDER BY id LIMIT 3
INSERT fbt.nt SELECT id, name FROM t1
INSERT INTO fbt.nt
FROM t1 INSERT INTO fbt.nt SELECT id, name INSERT INTO fbt.pt PARTITION (dt = 'x') SELECT id, name WHERE id > 1
FROM t1 SELECT id, name WHERE id > 2
-- section: further windows
SELECT avg(amt) OVER (PARTITION BY name ORDER BY d, id) FROM t1
SELECT row_number() OVER (ORDER BY m) FROM t1
SELECT sum(amt) OVER (PARTITION BY arr) FROM t1
SELECT max(v) OVER (PARTITION BY m) FROM t1
SELECT dense_rank() OVER (PARTITION BY grp ORDER BY id DESC) FROM t3
SELECT dense_rank() OVER (PARTITION BY grp ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t3
SELECT row_number() OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t3
SELECT rank() OVER (ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t3
SELECT lag(grp, 2, 'none') OVER (ORDER BY id) FROM t3
SELECT lag(grp, '2') OVER (ORDER BY id) FROM t3
SELECT lag(grp, 1, 5) OVER (ORDER BY id) FROM t3
SELECT lag(v, 1, 'x') OVER (ORDER BY id) FROM t3
SELECT lead(v, v) OVER (ORDER BY id) FROM t3
SELECT lead(v, 1 + 1) OVER (ORDER BY id) FROM t3
SELECT lag(v, -1) OVER (PARTITION BY grp ORDER BY id) FROM t3
SELECT lag(v, 1) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t3
SELECT ntile(-2) OVER (ORDER BY v) FROM t3
SELECT ntile('3') OVER (ORDER BY v) FROM t3
SELECT ntile(3L) OVER (ORDER BY v) FROM t3
SELECT ntile() OVER (ORDER BY v) FROM t3
SELECT nth_value(v, id) OVER (ORDER BY id) FROM t3
SELECT nth_value(v, 'a') OVER (ORDER BY id) FROM t3
SELECT nth_value(v, -1) OVER (ORDER BY id) FROM t3
SELECT nth_value(v, 2) FROM t3
SELECT cume_dist(1) OVER (ORDER BY v) FROM t3
SELECT percent_rank() FROM t3
SELECT sum(v) OVER (ORDER BY v RANGE BETWEEN 1.5 PRECEDING AND 1.5 FOLLOWING) FROM t3
SELECT sum(amt) OVER (ORDER BY d RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY ts RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY ts RANGE BETWEEN INTERVAL 1 HOUR PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY id RANGE BETWEEN INTERVAL 1 HOUR PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY id RANGE BETWEEN 'a' PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY flag RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS BETWEEN 'a' PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS BETWEEN 1.5 PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS BETWEEN 1 + 1 PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS BETWEEN -1 PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS BETWEEN amt PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED PRECEDING) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS BETWEEN 3 FOLLOWING AND 2 FOLLOWING) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 3 PRECEDING) FROM t1
SELECT sum(amt) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND 2 PRECEDING) FROM t1
SELECT sum(amt) OVER (ORDER BY id RANGE UNBOUNDED PRECEDING) FROM t1
SELECT sum(amt) OVER (ORDER BY id ROWS UNBOUNDED FOLLOWING) FROM t1
SELECT sum(amt) OVER (ORDER BY id, d RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER (ORDER BY id, d RANGE BETWEEN CURRENT ROW AND 2 FOLLOWING) FROM t1
SELECT sum(amt) OVER (PARTITION BY name RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t1
SELECT sum(amt) OVER nowhere, max(amt) OVER nowhere FROM t1
SELECT sum(amt) OVER w1 FROM t1 WINDOW w1 AS (ORDER BY id), w2 AS (PARTITION BY name)
SELECT sum(amt) OVER (w1) FROM t1 WINDOW w1 AS (ORDER BY id)
SELECT sum(amt) OVER w2 FROM t1 WINDOW w1 AS (ORDER BY id), w2 AS w1
SELECT sum(amt) OVER W1 FROM t1 WINDOW w1 AS (ORDER BY id)
SELECT rank() OVER w1 FROM t1 WINDOW w1 AS (PARTITION BY name)
SELECT row_number() OVER (ORDER BY id) + 1 AS n FROM t1 QUALIFY n > 1
SELECT id FROM t1 QUALIFY sum(amt) OVER (PARTITION BY name) > 10
SELECT id, amt FROM t1 QUALIFY amt > 10
SELECT name, count(*) FROM t1 GROUP BY name QUALIFY rank() OVER (ORDER BY count(*)) = 1
SELECT name, count(*) AS n FROM t1 GROUP BY name QUALIFY n > 1
SELECT id FROM t1 QUALIFY row_number() OVER (ORDER BY id)
SELECT max(lag(v) OVER (ORDER BY id)) FROM t3
SELECT sum(v) + max(rank() OVER (ORDER BY id)) FROM t3
SELECT sum(lag(v) OVER (ORDER BY id)) OVER (ORDER BY id) FROM t3
SELECT avg(DISTINCT v) OVER (PARTITION BY grp ORDER BY id) FROM t3
SELECT count(DISTINCT id, grp) OVER () FROM t3
SELECT coalesce(v, 0) OVER (PARTITION BY grp) FROM t3
SELECT length(grp) OVER () FROM t3
SELECT explode(arr) OVER (ORDER BY id) FROM t1
SELECT nothing_like_it(v) OVER (ORDER BY id) FROM t3
SELECT sum(v) FILTER (WHERE id > 3) OVER (ORDER BY id) FROM t3
SELECT lag(v) FILTER (WHERE id > 3) OVER (ORDER BY id) FROM t3
SELECT first_value(v) RESPECT NULLS OVER (ORDER BY id), last_value(v) IGNORE NULLS OVER (ORDER BY id) FROM t3
SELECT sum(v) IGNORE NULLS OVER (ORDER BY id) FROM t3
SELECT lag(v) IGNORE NULLS OVER (ORDER BY id) FROM t3
SELECT row_number() IGNORE NULLS OVER (ORDER BY id) FROM t3
SELECT id FROM t3 ORDER BY row_number() OVER (ORDER BY v)
SELECT grp FROM t3 GROUP BY grp ORDER BY rank() OVER (ORDER BY sum(v))
SELECT id FROM t3 WHERE sum(v) OVER (PARTITION BY grp) > 3
SELECT sum(v) OVER (PARTITION BY sum(v)) FROM t3 GROUP BY grp
SELECT grp, rank() OVER (ORDER BY v) FROM t3 GROUP BY grp
-- section: further grouping
SELECT name, dt, sum(amt) FROM t1 GROUP BY 1, 2
SELECT sum(amt), name FROM t1 GROUP BY 1
SELECT name, max(amt) + 1 FROM t1 GROUP BY 2
SELECT name, count(*) FROM t1 GROUP BY 3
SELECT name, count(*) OVER () FROM t1 GROUP BY 2
SELECT name n, count(*) c FROM t1 GROUP BY c
SELECT count(DISTINCT) FROM t1
SELECT count(ALL name) FROM t1
SELECT max() FROM t1
SELECT min(name, dt) FROM t1
SELECT sum(amt) FILTER (WHERE name) FROM t1
SELECT sum(amt) FILTER (WHERE id) FROM t1
SELECT sum(amt) FILTER (WHERE name = 'a' AND flag) FROM t1
SELECT max(amt) FILTER (WHERE max(id) = 1) FROM t1
SELECT max(amt) FILTER (WHERE id IN (SELECT id FROM t2)) FROM t1
SELECT max(amt) FILTER (WHERE row_number() OVER (ORDER BY id) = 1) FROM t1
SELECT lower(DISTINCT name) FROM t1
SELECT coalesce(DISTINCT name, dt) FROM t1
SELECT abs(id) FILTER (WHERE id > 1) FROM t1
SELECT concat(name) WITHIN GROUP (ORDER BY id) FROM t1
SELECT count(*) WITHIN GROUP (ORDER BY id) FROM t1
SELECT max(*) FROM t1
SELECT abs(*) FROM t3
SELECT concat(*) FROM t2
SELECT coalesce(*) FROM t3
SELECT count(t2.*) FROM t2
SELECT count(*, 1) FROM t2
SELECT array(*) FROM t2
SELECT grouping(name) FROM t1 GROUP BY name
SELECT grouping(name), grouping(dt) FROM t1 GROUP BY CUBE (name, dt)
SELECT grouping(amt) FROM t1 GROUP BY CUBE (name, dt)
SELECT grouping(name, dt) FROM t1 GROUP BY CUBE (name, dt)
SELECT grouping_id() FROM t1 GROUP BY ROLLUP (name, dt)
SELECT grouping_id(dt, name) FROM t1 GROUP BY ROLLUP (name, dt)
SELECT grouping_id(name) FROM t1 GROUP BY name, dt WITH ROLLUP
SELECT grouping_id(name) FROM t1 GROUP BY name
SELECT grouping_id() FROM t1
SELECT name FROM t1 GROUP BY name HAVING grouping(name) = 1
SELECT name FROM t1 GROUP BY ROLLUP (name) HAVING grouping(name) = 1
SELECT name FROM t1 GROUP BY ROLLUP (name) ORDER BY grouping(name)
SELECT name FROM t1 WHERE grouping(name) = 0
SELECT name, sum(grouping(name)) FROM t1 GROUP BY ROLLUP (name)
SELECT upper(name), grouping(upper(name)) FROM t1 GROUP BY ROLLUP (upper(name))
SELECT name FROM t1 GROUP BY ROLLUP ()
SELECT name, dt FROM t1 GROUP BY GROUPING SETS ((name, dt), name)
SELECT name, amt FROM t1 GROUP BY GROUPING SETS ((name, dt), name)
SELECT name FROM t1 GROUP BY GROUPING SETS ()
SELECT name FROM t1 GROUP BY CUBE (1)
SELECT m FROM t1 GROUP BY CUBE (m)
SELECT count(*) FROM t1 GROUP BY m
SELECT DISTINCT m FROM t1
SELECT DISTINCT arr FROM t1
SELECT count(DISTINCT m) FROM t1
SELECT name FROM t1 GROUP BY name HAVING count(*)
SELECT name FROM t1 GROUP BY name HAVING name
SELECT name FROM t1 GROUP BY name HAVING 1
SELECT name FROM t1 GROUP BY name HAVING 'x'
SELECT name FROM t1 GROUP BY name HAVING max(d)
SELECT name FROM t1 GROUP BY name HAVING max(name)
SELECT name FROM t1 GROUP BY name HAVING NULL
SELECT name FROM t1 GROUP BY name HAVING max(flag)
SELECT name FROM t1 HAVING amt > 1
SELECT max(amt) FROM t1 HAVING name = 'a'
SELECT first(name) FROM t1 ORDER BY id
SELECT name FROM t1 ORDER BY max(amt)
SELECT name, amt FROM t1 ORDER BY name, count(*)
SELECT max(amt) FROM t1 ORDER BY max(id)
SELECT max(amt) x FROM t1 ORDER BY x
SELECT name FROM t1 GROUP BY name ORDER BY sum(amt) DESC
SELECT name FROM t1 GROUP BY name ORDER BY sum(sum(amt))
SELECT DISTINCT name FROM t1 ORDER BY upper(name)
SELECT DISTINCT name FROM t1 ORDER BY amt + 1
SELECT any_value(name, flag) FROM t1
SELECT any_value(name, true) FROM t1
SELECT first(name, 1) FROM t1
SELECT max_by(name, m) FROM t1
SELECT min_by(m, id) FROM t1
SELECT max(struct(m)) FROM t1
SELECT mode(m) FROM t1
-- section: further queries
SELECT id FROM t1 LIMIT 0
SELECT id FROM t1 LIMIT 1 + 1
SELECT id FROM t1 LIMIT 2L
SELECT id FROM t1 LIMIT '5'
SELECT id FROM t1 LIMIT 1e1
SELECT id FROM t1 LIMIT true
SELECT id FROM t1 LIMIT amt
SELECT id FROM t1 LIMIT nothing
SELECT id FROM t1 LIMIT (SELECT 3)
SELECT id FROM t1 LIMIT 1 - 5
SELECT id FROM t1 LIMIT rand()
SELECT id FROM t1 LIMIT length('abc')
SELECT id FROM t1 LIMIT CAST('3' AS INT)
SELECT id FROM t1 LIMIT CAST(NULL AS INT)
SELECT id FROM t1 LIMIT 3 OFFSET 'x'
SELECT id FROM t1 LIMIT 3 OFFSET id
SELECT id FROM t1 LIMIT 3 OFFSET -1
SELECT id FROM t1 LIMIT 3 OFFSET NULL
SELECT id FROM t1 LIMIT ALL OFFSET 2
SELECT id FROM t1 ORDER BY id LIMIT ALL
SELECT id FROM t1 WHERE id IN (SELECT id FROM t2 LIMIT ALL)
SELECT id FROM t1 OFFSET 1.5
SELECT id FROM t1 ORDER BY name CLUSTER BY id
SELECT id FROM t1 CLUSTER BY id SORT BY id
SELECT id FROM t1 DISTRIBUTE BY id CLUSTER BY id
SELECT id FROM t1 ORDER BY id DISTRIBUTE BY id
SELECT id FROM t1 SORT BY name ORDER BY id
SELECT id, m FROM t1 SORT BY m
SELECT id FROM t1 ORDER BY struct(m)
SELECT id FROM t1 ORDER BY array(m)
SELECT id FROM t1 ORDER BY m['a']
SELECT id FROM t1 CLUSTER BY m
SELECT id FROM t1 DISTRIBUTE BY m
SELECT m FROM t1 EXCEPT SELECT m FROM t1
SELECT id, m FROM t1 UNION DISTINCT SELECT id, m FROM t1
SELECT array(m) FROM t1 UNION SELECT array(m) FROM t1
SELECT struct(m) AS s FROM t1 INTERSECT ALL SELECT struct(m) FROM t1
SELECT m FROM t1 EXCEPT ALL SELECT m FROM t1
SELECT id FROM t1 UNION ALL SELECT id FROM t2 ORDER BY name
SELECT id x FROM t1 UNION ALL SELECT id FROM t2 ORDER BY id
SELECT id FROM t1 INTERSECT SELECT id FROM t2 ORDER BY t1.id
SELECT id FROM t1 UNION SELECT id FROM t2 ORDER BY 2
SELECT id FROM t1 UNION SELECT id FROM t2 LIMIT 'x'
SELECT flag FROM t1 UNION SELECT name FROM t1
SELECT d FROM t1 UNION SELECT name FROM t1
SELECT m FROM t1 UNION ALL SELECT map(1, 2) FROM t1
SELECT struct(1) UNION ALL SELECT struct('a')
SELECT struct(1) UNION ALL SELECT struct(1, 2)
SELECT arr FROM t1 UNION ALL SELECT array(1)
SELECT * FROM VALUES (1), (2, 3)
SELECT * FROM VALUES (1, 2), (3)
SELECT * FROM VALUES (1, 2) AS t(a, b, c)
SELECT * FROM VALUES (1, 2) AS t(a, b)
SELECT * FROM VALUES 1, 2 AS t(a)
SELECT * FROM VALUES (1), ('x') AS t(a)
SELECT * FROM VALUES (1), (2.5) AS t(a)
SELECT * FROM VALUES (true), (1) AS t(a)
SELECT * FROM VALUES (DATE '2024-01-01'), (1) AS t(a)
SELECT * FROM VALUES (array(1)), (array('x')) AS t(a)
SELECT * FROM VALUES (1), (NULL) AS t(a)
SELECT * FROM VALUES (map('a', 1)), (1) AS t(a)
SELECT * FROM VALUES (struct(1)), (struct(1, 2)) AS t(a)
SELECT * FROM VALUES (sum(1)) AS t(a)
SELECT * FROM VALUES (row_number() OVER (ORDER BY 1)) AS t(a)
SELECT * FROM VALUES (id) AS t(a)
SELECT * FROM VALUES (explode(array(1))) AS t(a)
SELECT * FROM VALUES (1 + 1, upper('a')) AS t(a, b)
SELECT * FROM VALUES (rand()) AS t(a)
SELECT * FROM VALUES (current_date()) AS t(a)
SELECT * FROM VALUES ((SELECT 1)) AS t(a)
VALUES (1, 'a'), (2)
VALUES (1), (array(1))
INSERT INTO fbt.nt VALUES (1, 'a'), (2)
INSERT INTO fbt.nt VALUES (1, upper('a')), (1 + 1, 'b')
SELECT t1.id FROM t1 JOIN t2 USING (amt, name)
SELECT t1.id FROM t1 JOIN t2 USING (nothing)
SELECT t1.id FROM t1 JOIN t3 USING (v)
SELECT t1.id FROM t1 JOIN t2 ON t1.id
SELECT t1.id FROM t1 JOIN t2 ON t1.name
SELECT t1.id FROM t1 LEFT JOIN t2 ON 1
SELECT t1.id FROM t1 LEFT JOIN t2 ON t1.d
SELECT t1.id FROM t1 LEFT JOIN t2 ON NULL
SELECT t1.id FROM t1 LEFT JOIN t2 ON t1.flag
SELECT t1.id FROM t1 LEFT SEMI JOIN t2 ON t1.arr
SELECT id FROM t1 WHERE amt
SELECT id FROM t1 WHERE 1
SELECT id FROM t1 WHERE d
SELECT id FROM t1 WHERE CAST(NULL AS BOOLEAN)
SELECT id FROM t1 WHERE NOT NULL
SELECT id FROM t1 WHERE NULL AND flag
SELECT id FROM t1 WHERE NULL = 1
SELECT id FROM t1 WHERE
SELECT a.id FROM t1 a JOIN t2 WHERE
SELECT id FROM t1 LIMIT
SELECT id FROM t1 GROUP BY
SELECT name FROM t1 ORDER BY
SELECT name FROM t1 GROUP BY name HAVING
SELECT name FROM
SELECT name, amt FROM
SELECT
SELECT id FROM t1 UNION
SELECT id FROM t1 WHERE id IN (SELECT m FROM t1)
SELECT id FROM t1 WHERE id IN (SELECT d FROM t1)
SELECT id FROM t1 WHERE flag IN (SELECT id FROM t1)
SELECT id FROM t1 WHERE arr IN (SELECT arr FROM t1)
SELECT id FROM t1 WHERE m IN (SELECT m FROM t1)
SELECT id FROM t1 WHERE (id, arr) IN (SELECT id, name FROM t1)
SELECT id FROM t1 WHERE id IN (SELECT name FROM t1)
SELECT id FROM t1 WHERE id = SOME (SELECT id FROM t2)
SELECT id FROM t1 WHERE id <> ALL (SELECT id FROM t2)
WITH q(a, b, c) AS (SELECT id, name FROM t1) SELECT a FROM q
WITH q(a) AS (SELECT id, name FROM t1) SELECT a FROM q
WITH q(a, b) AS (SELECT id, name FROM t1) SELECT b FROM q
SELECT s.a FROM (SELECT id, name FROM t1) s (a)
SELECT s.a FROM (SELECT id, name FROM t1) AS s (a, b, c)
SELECT s.a FROM (SELECT id, name FROM t1) AS s (a, b)
SELECT x.a FROM t2 AS x (a, b)
SELECT id AS (a) FROM t2
SELECT name AS (a, b, c) FROM t1
SELECT id, name AS (a, b) FROM t1
SELECT * EXCEPT (missing) FROM t2
SELECT * EXCEPT (id, missing) FROM t2
SELECT t2.* EXCEPT (id) FROM t2
SELECT missing.* FROM t2
SELECT city.* FROM t2
SELECT id.* FROM t1
SELECT arr.* FROM t1
SELECT m.* FROM t1
SELECT t1.name.* FROM t1
INSERT INTO fbt.nt (name, name) SELECT name, name FROM t1
INSERT INTO fbt.nt (ID, id) SELECT 1, 2
INSERT INTO fbt.pt (id, name, dt) SELECT id, name, dt FROM t1
INSERT INTO fbt.pt (id, name) SELECT id, name FROM t1
WITH RECURSIVE r(a) AS (SELECT 1 UNION ALL SELECT a, 2 FROM r) SELECT * FROM r
WITH RECURSIVE r(a, b) AS (SELECT 1, 2 UNION ALL SELECT a + 1, b FROM r WHERE a < 3) SELECT * FROM r
-- section: further literals and casts
SELECT 127Y, 32767S, 2147483648
SELECT 128Y
SELECT 40000S
SELECT 9223372036854775808L
SELECT -128Y
SELECT 1e400D
SELECT 1e40F
SELECT 12345678901234567890123456789012345678
SELECT 123456789012345678901234567890123456789
SELECT 1.23456789012345678901234567890123456789
SELECT 12345678901234567890BD
SELECT 123456789012345678901234567890123456789BD
SELECT 1e3BD
SELECT 0x1F
SELECT X'00FF', x'ab'
SELECT X'0G'
SELECT x 'ab'
SELECT 'a' 'b' 'c'
SELECT 'a' "b"
SELECT concat('a' 'b', name) FROM t1
SELECT name FROM t1 WHERE name = 'x' 'y'
SELECT r'a\b' 'c'
SELECT U&'a'
SELECT b'1'
SELECT N'abc' FROM t1
SELECT DATE '2024-13-01'
SELECT DATE '2023-02-29'
SELECT DATE ''
SELECT DATE 'today'
SELECT DATE '2024-1-5'
SELECT DATE '2024'
SELECT DATE '2024-02-29T10:00'
SELECT DATE '20240101'
SELECT TIMESTAMP '2024-01-01'
SELECT TIMESTAMP '2024-01-01 25:00:00'
SELECT TIMESTAMP '2024-01-01 10:00'
SELECT TIMESTAMP '2024-01-01T10:00:00Z'
SELECT TIMESTAMP '10:00'
SELECT TIMESTAMP 'x'
SELECT TIMESTAMP_NTZ '2024-01-01 10:00:00'
SELECT TIME '10:00:00'
SELECT INTERVAL '5' DAY
SELECT INTERVAL 'x' HOUR
SELECT INTERVAL '1.5' DAY
SELECT INTERVAL 1.5 SECONDS
SELECT INTERVAL '1-2' YEAR TO MONTH, INTERVAL '3 4' DAY TO HOUR
SELECT INTERVAL '1-13' YEAR TO MONTH
SELECT INTERVAL '1 25' DAY TO HOUR
SELECT INTERVAL '1' MONTH TO DAY
SELECT INTERVAL '1:2' HOUR TO MINUTE
SELECT INTERVAL '1-2' YEAR TO DAY
SELECT INTERVAL '2 days'
SELECT INTERVAL '2 lights'
SELECT INTERVAL 'day'
SELECT INTERVAL ''
SELECT INTERVAL 3 DAYS 2 HOURS, INTERVAL -1 DAY, INTERVAL 1 WEEK
SELECT INTERVAL 1 YEAR 2 DAYS
SELECT INTERVAL id DAY FROM t1
SELECT CAST(id AS TIMESTAMP), CAST(amt AS TIMESTAMP), CAST(flag AS TIMESTAMP) FROM t1
SELECT CAST(amt AS DATE) FROM t1
SELECT CAST(flag AS DATE) FROM t1
SELECT CAST(d AS INT) FROM t1
SELECT CAST(d AS DOUBLE) FROM t1
SELECT CAST(d AS BOOLEAN) FROM t1
SELECT CAST(ts AS BIGINT), CAST(ts AS DOUBLE), CAST(ts AS DECIMAL(20, 3)), CAST(ts AS BOOLEAN) FROM t1
SELECT CAST(flag AS INT), CAST(flag AS DECIMAL(3, 1)), CAST(id AS BOOLEAN) FROM t1
SELECT CAST(name AS BINARY), CAST(id AS BINARY) FROM t1
SELECT CAST(amt AS BINARY) FROM t1
SELECT CAST(d AS BINARY) FROM t1
SELECT CAST(CAST(name AS BINARY) AS STRING), CAST(CAST(name AS BINARY) AS INT) FROM t1
SELECT CAST(CAST(name AS BINARY) AS DATE) FROM t1
SELECT CAST(arr AS STRING), CAST(m AS STRING), CAST(struct(id) AS STRING) FROM t1
SELECT CAST(arr AS ARRAY<INT>), CAST(m AS MAP<STRING, INT>) FROM t1
SELECT CAST(array(1) AS ARRAY<DATE>)
SELECT CAST(array(array(1)) AS ARRAY<STRING>)
SELECT CAST(struct(1, 2) AS STRUCT<a: INT>)
SELECT CAST(struct(id) AS ARRAY<INT>) FROM t1
SELECT CAST(m AS STRUCT<a: STRING>) FROM t1
SELECT CAST(name AS MAP<STRING, STRING>) FROM t1
SELECT CAST(NULL AS ARRAY<INT>), CAST(NULL AS DATE)
SELECT CAST(arr AS BINARY) FROM t1
SELECT CAST(arr AS BOOLEAN) FROM t1
SELECT TRY_CAST(id AS DATE) FROM t1
SELECT TRY_CAST(name AS DATE), TRY_CAST(name AS INT) FROM t1
SELECT TRY_CAST(m AS INT) FROM t1
SELECT arr::INT FROM t1
SELECT id::STRING, name::INT FROM t1
SELECT CAST(name AS INTERVAL YEAR TO MONTH) FROM t1
SELECT CAST(id AS INTERVAL DAY) FROM t1
SELECT CAST(name AS INTERVAL DAY TO SECOND), CAST('1' AS INTERVAL HOUR) FROM t1
SELECT CAST(d AS INTERVAL DAY) FROM t1
SELECT CAST(INTERVAL '1' DAY AS STRING), CAST(INTERVAL '1' DAY AS INT)
SELECT CAST(INTERVAL '1' DAY AS DATE)
SELECT CAST(name AS DECIMAL(38, 38)), CAST(name AS DECIMAL(0, 0)), CAST(id AS DEC(5)) FROM t1
SELECT CAST(name AS DECIMAL(39)) FROM t1
SELECT CAST(name AS DECIMAL(3, 4)) FROM t1
SELECT CAST(name AS DECIMAL(5, -2)) FROM t1
SELECT CAST(name AS CHAR) FROM t1
SELECT CAST(name AS CHAR(3)), CAST(name AS VARCHAR(10)) FROM t1
SELECT CAST(name AS CHARACTER) FROM t1
SELECT CAST(name AS TEXT) FROM t1
SELECT CAST(name AS DATETIME) FROM t1
SELECT CAST(name AS INT(10)) FROM t1
SELECT CAST(name AS STRING(10)) FROM t1
SELECT CAST(name AS NVARCHAR(10)) FROM t1
SELECT CAST(name AS UNSIGNED) FROM t1
SELECT CAST(name AS VARCHAR2(10)) FROM t1
SELECT CAST(name AS FLOAT), CAST(name AS REAL), CAST(name AS LONG), CAST(name AS SHORT), CAST(name AS BYTE), CAST(name AS INTEGER) FROM t1
SELECT CAST(name AS DOUBLE PRECISION) FROM t1
SELECT CAST(name AS TIMESTAMP_NTZ), CAST(name AS TIMESTAMP_LTZ) FROM t1
SELECT CAST(name AS TIME) FROM t1
SELECT CAST(name AS ARRAY) FROM t1
SELECT CAST(name AS MAP<STRING>) FROM t1
SELECT CAST(id AS VOID) FROM t1
SELECT CAST(id) + 1 FROM t1
SELECT CAST(id, 'INT') FROM t1
SELECT CAST() FROM t1
SELECT decimal(name), binary(name), timestamp(d), float(id), smallint(id), tinyint(id) FROM t1
SELECT date(id) FROM t1
SELECT timestamp(id), boolean(id), string(arr) FROM t1
SELECT int(arr) FROM t1
SELECT int(d) FROM t1
-- section: further operators
SELECT id + flag FROM t1
SELECT id || arr FROM t1
SELECT arr || arr FROM t1
SELECT arr || array(1) FROM t1
SELECT m || m FROM t1
SELECT flag || id FROM t1
SELECT -d FROM t1
SELECT -flag FROM t1
SELECT +name FROM t1
SELECT +arr FROM t1
SELECT -m FROM t1
SELECT -INTERVAL 1 DAY
SELECT - - id FROM t1
SELECT ~name FROM t1
SELECT ~amt FROM t1
SELECT ~flag FROM t1
SELECT id & name FROM t1
SELECT id | amt FROM t1
SELECT name ^ name FROM t1
SELECT flag & flag FROM t1
SELECT amt | 1.5 FROM t1
SELECT arr & 1 FROM t1
SELECT 1 & 1.5
SELECT id << name FROM t1
SELECT name >> 2 FROM t1
SELECT d << 1 FROM t1
SELECT id >> 1 + 1 FROM t1
SELECT id << 1 > 3 FROM t1
SELECT id >>> 2 FROM t1
SELECT id FROM t1 WHERE id << 1 = 2
SELECT !id FROM t1
SELECT NOT name FROM t1
SELECT NOT d FROM t1
SELECT NOT flag, NOT NULL, !flag FROM t1
SELECT flag AND id FROM t1
SELECT flag AND 'true' FROM t1
SELECT flag OR NULL FROM t1
SELECT name OR flag FROM t1
SELECT d AND flag FROM t1
SELECT INTERVAL 1 DAY AND flag FROM t1
SELECT m < m FROM t1
SELECT m <> m FROM t1
SELECT m <=> m FROM t1
SELECT m = NULL FROM t1
SELECT arr = arr, arr <= arr FROM t1
SELECT arr = array(1) FROM t1
SELECT struct(id) = struct(id), struct(id) < struct(amt) FROM t1
SELECT struct(id) = struct(name) FROM t1
SELECT struct(id, name) = struct(id) FROM t1
SELECT struct(m) = struct(m) FROM t1
SELECT (id, amt) = (1, 2) FROM t1
SELECT (id, name) IN ((1, 'a')) FROM t1
SELECT (id, amt) IN ((1, 2), (3, 4)) FROM t1
SELECT (name, dt) IN (('a', 'b'), ('c', 'd')) FROM t1
SELECT (id, name) IN ((1, 2)) FROM t1
SELECT m IN (m) FROM t1
SELECT arr IN (arr, array('a')) FROM t1
SELECT flag IN (1, 0) FROM t1
SELECT flag IN ('a') FROM t1
SELECT d IN (1) FROM t1
SELECT d IN ('2024-01-01', ts) FROM t1
SELECT flag = 1, flag = 'true', flag <> 0 FROM t1
SELECT flag < 1 FROM t1
SELECT flag >= 0.5 FROM t1
SELECT flag < true FROM t1
SELECT flag < 'a' FROM t1
SELECT flag = amt FROM t1
SELECT flag = d FROM t1
SELECT flag <=> id FROM t1
SELECT d = id FROM t1
SELECT ts > 5 FROM t1
SELECT d > name, ts = dt FROM t1
SELECT id BETWEEN 1 AND 'x' FROM t1
SELECT arr BETWEEN arr AND arr FROM t1
SELECT m BETWEEN m AND m FROM t1
SELECT id BETWEEN d AND ts FROM t1
SELECT flag BETWEEN 0 AND 1 FROM t1
SELECT d BETWEEN '2024-01-01' AND ts FROM t1
SELECT name NOT BETWEEN arr AND 'z' FROM t1
SELECT id LIKE '1%', d LIKE '2024%' FROM t1
SELECT m LIKE 'a' FROM t1
SELECT name LIKE arr FROM t1
SELECT name RLIKE 'a', id RLIKE '1' FROM t1
SELECT arr RLIKE 'a' FROM t1
SELECT name ILIKE arr FROM t1
SELECT name LIKE NULL FROM t1
SELECT name LIKE 'a' ESCAPE 'x', name LIKE 'a' ESCAPE '/' FROM t1
SELECT name LIKE 'a' ESCAPE '' FROM t1
SELECT name LIKE 'a' ESCAPE 'ab' FROM t1
SELECT name LIKE 'a' ESCAPE 1 FROM t1
SELECT name LIKE ALL ('a', 'b'), name LIKE ANY ('a') FROM t1
SELECT name LIKE ALL () FROM t1
SELECT name NOT LIKE ANY () FROM t1
SELECT name LIKE SOME ('a', NULL) FROM t1
SELECT name IN () FROM t1
SELECT id IS UNKNOWN FROM t1
SELECT flag IS UNKNOWN, (id > 1) IS NOT UNKNOWN FROM t1
SELECT id IS TRUE FROM t1
SELECT name IS FALSE FROM t1
SELECT arr IS NOT TRUE FROM t1
SELECT flag IS NOT FALSE FROM t1
SELECT m IS NULL, arr IS NOT NULL FROM t1
SELECT id IS DISTINCT FROM name FROM t1
SELECT m IS DISTINCT FROM m FROM t1
SELECT id IS NOT DISTINCT FROM arr FROM t1
SELECT d + '1' FROM t1
SELECT d + 1.5 FROM t1
SELECT d + 1L FROM t1
SELECT d + flag FROM t1
SELECT 1 + d FROM t1
SELECT 1 - d FROM t1
SELECT ts - 1 FROM t1
SELECT ts + ts FROM t1
SELECT ts + d FROM t1
SELECT d / 2 FROM t1
SELECT d % 2 FROM t1
SELECT d - '2024-01-01', ts - '2024-01-01' FROM t1
SELECT '2024-01-01' - d FROM t1
SELECT name + INTERVAL 1 DAY FROM t1
SELECT amt - INTERVAL 1 DAY FROM t1
SELECT flag + INTERVAL 1 DAY FROM t1
SELECT arr + INTERVAL 1 DAY FROM t1
SELECT INTERVAL 1 DAY + d FROM t1
SELECT INTERVAL 1 DAY - d FROM t1
SELECT INTERVAL 1 DAY + INTERVAL 2 HOURS, INTERVAL 1 YEAR - INTERVAL 1 MONTH
SELECT INTERVAL 1 DAY - INTERVAL 1 YEAR
SELECT INTERVAL 1 DAY * 2, 3 * INTERVAL 1 MONTH, INTERVAL 1 DAY / 2
SELECT 2 / INTERVAL 1 DAY
SELECT INTERVAL 1 DAY * INTERVAL 1 DAY
SELECT INTERVAL 1 DAY * name FROM t1
SELECT INTERVAL 1 DAY % 2
SELECT INTERVAL 1 DAY > INTERVAL 1 MONTH
SELECT INTERVAL 1 DAY = '1'
SELECT INTERVAL 1 DAY = 1
SELECT d + (ts - ts) FROM t1
SELECT (d - d) + 1 FROM t1
SELECT (d - d) * 2 FROM t1
SELECT id DIV 2.5, amt DIV 2, name DIV 2 FROM t1
SELECT d DIV 2 FROM t1
SELECT arr DIV 2 FROM t1
SELECT INTERVAL 2 DAYS DIV INTERVAL 1 DAY
SELECT id % name, flag % 2 FROM t1
SELECT arr[id], arr[1.0] FROM t1
SELECT arr[name] FROM t1
SELECT arr[amt] FROM t1
SELECT arr[flag] FROM t1
SELECT arr[d] FROM t1
SELECT m[arr] FROM t1
SELECT m[m] FROM t1
SELECT m[1] FROM t1
SELECT m[flag] FROM t1
SELECT map(1, 2)['a']
SELECT map(1, 2)[1.5]
SELECT struct(id)[0] FROM t1
SELECT name[0] FROM t1
SELECT CASE name WHEN 1 THEN 'a' END FROM t1
SELECT CASE arr WHEN 1 THEN 'a' END FROM t1
SELECT CASE flag WHEN 1 THEN 'a' END FROM t1
SELECT CASE m WHEN m THEN 1 END FROM t1
SELECT CASE WHEN flag THEN arr ELSE 'x' END FROM t1
SELECT CASE WHEN flag THEN d ELSE 1 END FROM t1
SELECT CASE WHEN flag THEN 1 ELSE true END FROM t1
SELECT CASE WHEN NULL THEN 1 END
SELECT CASE END
SELECT CASE ELSE 1 END FROM t1
SELECT CASE id END FROM t1
SELECT CASE WHEN END FROM t1
-- section: further calls
SELECT round(amt, '1') FROM t1
SELECT round(amt, 1 + 1) FROM t1
SELECT round(name, 2), round(id) FROM t1
SELECT round(arr) FROM t1
SELECT round(d) FROM t1
SELECT bround(amt, id) FROM t1
SELECT ceil(amt, 1), floor(amt, -1) FROM t1
SELECT ceil(amt, id) FROM t1
SELECT floor(amt, name) FROM t1
SELECT floor(d) FROM t1
SELECT round(amt, NULL) FROM t1
SELECT pmod(name, 3), pmod(id, amt) FROM t1
SELECT pmod(arr, 3) FROM t1
SELECT abs(arr) FROM t1
SELECT abs(INTERVAL -1 DAY)
SELECT abs(flag) FROM t1
SELECT sign(name), sign(INTERVAL 1 DAY) FROM t1
SELECT sign(d) FROM t1
SELECT greatest(id, amt), least(name, dt) FROM t1
SELECT greatest(id) FROM t1
SELECT greatest(arr, arr) FROM t1
SELECT greatest(id, arr) FROM t1
SELECT least(d, id) FROM t1
SELECT least(m, m) FROM t1
SELECT greatest(flag, 1) FROM t1
SELECT least(id, name) FROM t1
SELECT nullif(m, m) FROM t1
SELECT nullif(d, id) FROM t1
SELECT nullif(flag, 1), nullif(name, 1) FROM t1
SELECT nullif(id) FROM t1
SELECT coalesce(id, arr) FROM t1
SELECT coalesce(d, id) FROM t1
SELECT coalesce(flag, id) FROM t1
SELECT coalesce(id, name, d) FROM t1
SELECT coalesce() FROM t1
SELECT nvl(m, arr) FROM t1
SELECT nvl2(id, arr, 'x') FROM t1
SELECT nvl2(id, name, amt) FROM t1
SELECT if(flag, 1, arr) FROM t1
SELECT if(id, 1, 2) FROM t1
SELECT if(flag, d, 1) FROM t1
SELECT if(flag, 1, name), if(NULL, 1, 2) FROM t1
SELECT if(flag, 1) FROM t1
SELECT decode(id, 1, 'a') FROM t1
SELECT decode(name, 'x', 1, 'y', 2, 0) FROM t1
SELECT decode(d, ts, 1, 2) FROM t1
SELECT decode(id, 1) FROM t1
SELECT decode(name, 'UTF-8') FROM t1
SELECT decode(id) FROM t1
SELECT decode(arr, 1, 2) FROM t1
SELECT decode(id, 'a', 'b', 1) FROM t1
SELECT decode(flag, true, 'yes', 'no') FROM t1
SELECT equal_null(id, arr) FROM t1
SELECT equal_null(m, m) FROM t1
SELECT equal_null(id, name) FROM t1
SELECT position('a' IN name), position('a', name), position('a', name, 2) FROM t1
SELECT position('a') FROM t1
SELECT position(name IN 'abc') + 1 FROM t1 WHERE position('b' IN name) > 0
SELECT substring(name FROM 2 FOR 3), substr(name FROM 1) FROM t1
SELECT substring(arr FROM 2) FROM t1
SELECT trim(LEADING 'a' FROM name), trim(TRAILING FROM name), trim(BOTH FROM name) FROM t1
SELECT trim(TRAILING 'b' FROM name), trim('ab' FROM name) FROM t1
SELECT trim(BOTH name) FROM t1
SELECT trim(arr) FROM t1
SELECT ltrim('x' FROM name) FROM t1
SELECT overlay(name PLACING 'zz' FROM 3) FROM t1
SELECT overlay(name PLACING 'zz' FROM 3 FOR 2), overlay(name PLACING dt FROM 1) FROM t1
SELECT overlay(name PLACING 'zz') FROM t1
SELECT overlay(name, 'zz', 3, 1) FROM t1
SELECT overlay(name, 'zz') FROM t1
SELECT replace(name, 'a'), replace(name, 'a', 'b') FROM t1
SELECT extract(YEAR FROM d), extract(week FROM d), extract(dow FROM d), extract(DAYOFWEEK_ISO FROM ts) FROM t1
SELECT extract(decade FROM d) FROM t1
SELECT extract(MILLISECOND FROM ts) FROM t1
SELECT extract(DAY FROM INTERVAL 3 DAYS)
SELECT extract(MONTH FROM INTERVAL 3 DAYS)
SELECT extract(YEAR FROM name) FROM t1
SELECT extract(YEAR FROM arr) FROM t1
SELECT extract(epoch FROM ts) FROM t1
SELECT date_part('year', d), date_part('MONTHS', ts) FROM t1
SELECT date_part('nothing', d) FROM t1
SELECT date_part(dt, ts) FROM t1
SELECT date_part(year, d) FROM t1
SELECT date_part('year', id) FROM t1
SELECT date_part(NULL, d) FROM t1
SELECT date_add(d, '5') FROM t1
SELECT date_add(d, 'x') FROM t1
SELECT date_sub(d, 1.5) FROM t1
SELECT date_sub(d, name) FROM t1
SELECT date_add(d, id) FROM t1
SELECT date_add(name, 3), date_sub(ts, 1) FROM t1
SELECT date_add(d, CAST(id AS INT)) FROM t1
SELECT dateadd(d, 2), date_diff(d, ts) FROM t1
SELECT add_months(d, 'x') FROM t1
SELECT add_months(d, id), add_months(name, 1) FROM t1
SELECT add_months(id, 1) FROM t1
SELECT months_between(d, ts, 'true') FROM t1
SELECT months_between(d, 5) FROM t1
SELECT last_day(id) FROM t1
SELECT next_day(d, 1) FROM t1
SELECT trunc(d, 5) FROM t1
SELECT date_trunc('x', d), trunc(d, 'x') FROM t1
SELECT date_trunc(1, d) FROM t1
SELECT current_date, current_timestamp FROM t1
SELECT current_user, user, localtimestamp FROM t1
SELECT localtime, current_time FROM t1
SELECT curdate FROM t1
SELECT now FROM t1
SELECT current_database FROM t1
SELECT current_catalog, current_schema FROM t1
SELECT session_user FROM t1
SELECT window(ts, '10 minutes') FROM t1
SELECT window(ts, '10 minutes', '5 minutes').end, sum(amt) FROM t1 GROUP BY window(ts, '10 minutes', '5 minutes')
SELECT window.start, count(*) FROM t1 GROUP BY window(ts, '1 day')
SELECT session_window(ts, '5 minutes').start, count(*) FROM t1 GROUP BY session_window(ts, '5 minutes')
SELECT window(ts) FROM t1
SELECT window(id, '1 hour') FROM t1
SELECT window(ts, 'x') FROM t1
SELECT percentile(v, 0.5), percentile(v, '0.5') FROM t3
SELECT percentile(v, -0.1) FROM t3
SELECT percentile(v, v) FROM t3
SELECT percentile(v, array(0.5, 1.5)) FROM t3
SELECT percentile(v, NULL) FROM t3
SELECT percentile(v, 0.5, id) FROM t3
SELECT percentile(v, 0.5, 'x') FROM t3
SELECT percentile(grp, 0.5) FROM t3
SELECT percentile_approx(v, 0.5, 0) FROM t3
SELECT percentile_approx(v, 1.1) FROM t3
SELECT percentile_approx(v, id) FROM t3
SELECT percentile_approx(v, 0.5, id) FROM t3
SELECT percentile_approx(v, 'x') FROM t3
SELECT percentile_cont(v) WITHIN GROUP (ORDER BY id) FROM t3
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id, v) FROM t3
SELECT percentile_disc(2) WITHIN GROUP (ORDER BY id) FROM t3
SELECT percentile_disc(0.5) FROM t3
SELECT percentile_cont(0.5) OVER (PARTITION BY grp) FROM t3
SELECT percentile_cont(DISTINCT 0.5) WITHIN GROUP (ORDER BY id) FROM t3
SELECT mode() WITHIN GROUP (ORDER BY grp) FROM t3
SELECT listagg(grp), listagg(grp, NULL), listagg(grp, ';') FROM t3
SELECT listagg(grp, grp) FROM t3
SELECT listagg(id, ',') FROM t3
SELECT listagg(grp, 5) FROM t3
SELECT listagg(DISTINCT grp, ',') WITHIN GROUP (ORDER BY grp) FROM t3
SELECT listagg(DISTINCT grp, ',') WITHIN GROUP (ORDER BY upper(grp)) FROM t3
SELECT string_agg(DISTINCT grp) WITHIN GROUP (ORDER BY v) FROM t3
SELECT listagg(grp, ',') WITHIN GROUP (ORDER BY v DESC, id) FROM t3
SELECT listagg(arr) FROM t1
SELECT max(v) WITHIN GROUP (ORDER BY v) FROM t3
SELECT approx_count_distinct(id, 0.05) FROM t3
SELECT approx_count_distinct(id, id) FROM t3
SELECT approx_count_distinct(id, 'x') FROM t3
SELECT approx_count_distinct(m) FROM t1
SELECT count_min_sketch(id, 0.5, 0.5, 1) FROM t3
SELECT count_min_sketch(id, 0.5D, 0.5D, 1) FROM t3
SELECT histogram_numeric(v, 'x') FROM t3
SELECT histogram_numeric(v, id) FROM t3
SELECT collect_list(m) FROM t1
SELECT collect_set(arr) FROM t1
SELECT collect_set(struct(m)) FROM t1
SELECT hash(arr), hash(struct(id)), xxhash64(d) FROM t1
SELECT xxhash64(m) FROM t1
SELECT hash(array(m)) FROM t1
SELECT hash() FROM t1
SELECT max(struct(id, name)), min(arr) FROM t1
SELECT min(m) FROM t1
SELECT to_number(name, '999'), try_to_number(name, '9') FROM t1
SELECT to_number('1', dt) FROM t1
SELECT try_to_number('1', dt) FROM t1
SELECT to_number('1', 'x') FROM t1
SELECT to_char(amt, '999'), to_char(d, 'yyyy') FROM t1
SELECT to_char(id, name) FROM t1
SELECT to_char(id, 'abc') FROM t1
SELECT to_binary(name, 'hex'), to_binary(name) FROM t1
SELECT to_binary(name, dt) FROM t1
SELECT to_binary(name, 'oops') FROM t1
SELECT to_json(struct(id)), to_json(m), to_json(arr) FROM t1
SELECT to_json(name) FROM t1
SELECT to_json(d) FROM t1
SELECT to_json(struct(id), name) FROM t1
SELECT to_csv(arr) FROM t1
SELECT to_csv(name) FROM t1
SELECT to_csv(struct(id, name)), to_csv(named_struct('a', d), map('dateFormat', 'yyyy')) FROM t1
SELECT from_csv(name, 'a INT', 5) FROM t1
SELECT from_json(js, 'INT') FROM t1
SELECT from_json(js, 'a INT', map('mode', 'PERMISSIVE')) FROM t1
SELECT schema_of_json(js) FROM t1
SELECT schema_of_csv(name) FROM t1
SELECT schema_of_json(5) FROM t1
SELECT get_json_object(js, name), get_json_object(id, '$.a') FROM t1
SELECT json_tuple(js, 5) FROM t1
SELECT json_tuple(id, 'a') FROM t1
SELECT elt(id, 'a', 'b'), elt('1', 'a') FROM t1
SELECT elt(1, arr) FROM t1
SELECT concat(m, m) FROM t1
SELECT concat(arr, array(1)) FROM t1
SELECT concat(name, arr) FROM t1
SELECT concat(), concat(id), concat(flag, d) FROM t1
SELECT concat_ws(',', arr, name), concat_ws(',', id) FROM t1
SELECT concat_ws(',', m) FROM t1
SELECT concat_ws(arr, name) FROM t1
SELECT split(arr, ',') FROM t1
SELECT lpad(name, 'x', '0') FROM t1
SELECT repeat(name, 'x') FROM t1
SELECT space(name), chr(name) FROM t1
SELECT format_number(name, 2) FROM t1
SELECT format_number(amt, 1.5) FROM t1
SELECT format_string('%s', arr) FROM t1
SELECT levenshtein(arr, name) FROM t1
SELECT translate(name, 'a') FROM t1
SELECT regexp_extract(name, 'a', 'x') FROM t1
SELECT regexp_replace(name, 'a') FROM t1
SELECT regexp_replace(name, 'a', 'b', 0) FROM t1
SELECT regexp_replace(name, 'a', 'b', id) FROM t1
SELECT sha2(name, 'x') FROM t1
SELECT unhex(arr) FROM t1
SELECT hex(arr) FROM t1
SELECT hex(flag) FROM t1
SELECT conv(id, 10, 'x') FROM t1
SELECT width_bucket(name, 0, 10, 5) FROM t1
SELECT width_bucket(amt, 0, 10, 'x') FROM t1
SELECT shiftleft(amt, 1) FROM t1
SELECT shiftleft(name, 1) FROM t1
SELECT shiftright(id, name) FROM t1
SELECT bit_count(name) FROM t1
SELECT bit_count(flag), bit_count(id) FROM t1
SELECT bit_count(amt) FROM t1
SELECT bit_get(name, 1) FROM t1
SELECT isnan(d) FROM t1
SELECT nanvl(arr, 1) FROM t1
SELECT unix_timestamp(id) FROM t1
SELECT from_unixtime(name), from_unixtime(amt) FROM t1
SELECT from_unixtime(flag) FROM t1
SELECT unix_date(name) FROM t1
SELECT unix_seconds(d) FROM t1
SELECT timestamp_seconds(name) FROM t1
SELECT timestamp_millis(amt) FROM t1
SELECT make_date('2024', 1, 2), make_date(id, 1, 1) FROM t1
SELECT make_date(d, 1, 1) FROM t1
SELECT make_interval('a')
SELECT to_timestamp(id), to_date(amt) FROM t1
SELECT to_date(arr) FROM t1
SELECT to_date(name, 5) FROM t1
SELECT to_date(flag) FROM t1
SELECT date_format(id, 'yyyy') FROM t1
SELECT date_format(d, 5), date_format(name, 'yyyy') FROM t1
SELECT convert_timezone('UTC', 'Asia/Seoul', ts), convert_timezone('UTC', id) FROM t1
SELECT from_utc_timestamp(id, 'UTC') FROM t1
SELECT assert_true(flag), assert_true(flag, 'no') FROM t1
SELECT assert_true(id) FROM t1
SELECT raise_error('a'), raise_error(5)
SELECT typeof(id, name) FROM t1
SELECT rand(id) FROM t1
SELECT rand(5), randn(), rand(NULL) FROM t1
SELECT rand('x') FROM t1
SELECT uuid(), uuid(5)
SELECT sum(INTERVAL 1 DAY), avg(INTERVAL 1 MONTH), sum(name) FROM t1
SELECT avg(d) FROM t1
SELECT sum(arr) FROM t1
SELECT stddev(d) FROM t1
SELECT corr(name, id) FROM t1
SELECT median(name), median(id) FROM t1
SELECT median(d) FROM t1
SELECT skewness(flag) FROM t1
SELECT bool_and(1) FROM t1
SELECT every('true') FROM t1
SELECT count_if(NULL), count_if(name LIKE 'a') FROM t1
SELECT bit_or(amt) FROM t1
SELECT bit_xor(name) FROM t1
SELECT regr_slope(d, id) FROM t1
-- section: further collections
SELECT sequence(1, 10), sequence(1, 10, 2), sequence(d, ts), sequence(d, d, INTERVAL 1 MONTH) FROM t1
SELECT sequence(id, amt) FROM t1
SELECT sequence(name, dt) FROM t1
SELECT sequence(d, d, 1) FROM t1
SELECT sequence(1, 5, INTERVAL 1 DAY)
SELECT sequence(1, d) FROM t1
SELECT sequence(1, 2, 'x')
SELECT sequence(1)
SELECT sequence(id, 5) FROM t1
SELECT sequence(arr, 5) FROM t1
SELECT array(1, 'a'), array(d, ts), array(NULL, 1) FROM t1
SELECT array(d, 1) FROM t1
SELECT array(true, 1)
SELECT array(arr, name) FROM t1
SELECT array(arr, array(1)) FROM t1
SELECT array(struct(1), struct(1, 2))
SELECT array(m, m), array(map('a', 1), m) FROM t1
SELECT map('a')
SELECT map('a', 1, 'b')
SELECT map('a', 1, 2, 3), map(1, 'a', 2, 5)
SELECT map('a', 1, 'b', arr) FROM t1
SELECT map(1, 'a', d, 'b') FROM t1
SELECT map(m, 1) FROM t1
SELECT map(arr, 1), map(struct(id), 1) FROM t1
SELECT map(struct(m), 1) FROM t1
SELECT map_from_arrays(arr, arr), map_from_arrays(array(1), array(2)) FROM t1
SELECT map_from_arrays(array(m), arr) FROM t1
SELECT map_from_arrays(name, arr) FROM t1
SELECT map_from_entries(array(struct(1, 2)))
SELECT map_from_entries(arr) FROM t1
SELECT map_from_entries(array(struct(1, 2, 3)))
SELECT map_from_entries(array(struct(m, 2))) FROM t1
SELECT map_concat(m, m), map_concat(), map_concat(m) FROM t1
SELECT map_concat(m, arr) FROM t1
SELECT map_concat(map('a', 1), map('b', 2.5))
SELECT map_concat(map(1, 2), map('a', 'b'))
SELECT map_contains_key(m, 1) FROM t1
SELECT map_contains_key(map(1, 2), 'a')
SELECT map_contains_key(map(1, 2), 2L)
SELECT element_at(m, 1) FROM t1
SELECT element_at(map(1, 2), 'a')
SELECT element_at(map(1, 2), 1L)
SELECT element_at(arr, 'a') FROM t1
SELECT element_at(arr, id) FROM t1
SELECT element_at(name, 1) FROM t1
SELECT try_element_at(map(1, 2), 'x')
SELECT array_union(arr, arr), array_union(array(1), array(2L)) FROM t1
SELECT array_union(array(1), array('a'))
SELECT array_union(arr, name) FROM t1
SELECT array_intersect(arr, array(1)) FROM t1
SELECT array_intersect(array(1), array(2.5))
SELECT array_except(arr, array(d)) FROM t1
SELECT array_except(array(m), array(m)) FROM t1
SELECT arrays_overlap(arr, array(1)) FROM t1
SELECT arrays_overlap(array(1), array(1L, 2L))
SELECT array_distinct(array(m)) FROM t1
SELECT array_contains(array(1), 1L), array_contains(array(1L), 1), array_contains(array(1), 1.5)
SELECT array_contains(array(m), m) FROM t1
SELECT array_position(arr, 1) FROM t1
SELECT array_remove(array(1, 2), 'a')
SELECT array_remove(array(1, 2), 1.5)
SELECT array_append(arr, 1) FROM t1
SELECT array_append(array(1), 'a')
SELECT array_append(array(1), 2L)
SELECT array_prepend(arr, 'x'), array_prepend(array(1), NULL) FROM t1
SELECT array_prepend(arr, arr) FROM t1
SELECT array_insert(arr, 1, 5) FROM t1
SELECT array_insert(arr, 'x', 'a') FROM t1
SELECT array_insert(array(1), 1L, 2)
SELECT array_repeat(name, '3') FROM t1
SELECT array_repeat(name, 'x') FROM t1
SELECT array_repeat(name, 2L) FROM t1
SELECT array_max(arr), array_min(array(arr)) FROM t1
SELECT array_max(array(m)) FROM t1
SELECT array_max(name) FROM t1
SELECT array_sort(array(m)) FROM t1
SELECT sort_array(array(m)) FROM t1
SELECT sort_array(arr, flag) FROM t1
SELECT sort_array(arr, 1) FROM t1
SELECT sort_array(arr, true), sort_array(array(3, 1)) FROM t1
SELECT array_join(array(1), ',') FROM t1
SELECT array_join(arr, 1) FROM t1
SELECT array_join(array(arr), ',') FROM t1
SELECT array_join(arr, ',', 5) FROM t1
SELECT flatten(array(arr, arr)), flatten(array(array(1))) FROM t1
SELECT flatten(array(1, 2))
SELECT flatten(m) FROM t1
SELECT slice(arr, '1', 2) FROM t1
SELECT slice(name, 1, 2) FROM t1
SELECT arrays_zip(arr, m) FROM t1
SELECT size(arr, 1) FROM t1
SELECT size(struct(id)) FROM t1
SELECT cardinality(name) FROM t1
SELECT map_keys(name), map_values(arr) FROM t1
SELECT map_entries(arr) FROM t1
SELECT transform(arr, x -> length(x)), transform(array(1), (x, i) -> x + i) FROM t1
SELECT transform(m, x -> x) FROM t1
SELECT transform(arr, () -> 1) FROM t1
SELECT transform(arr, x -> x + arr) FROM t1
SELECT transform(arr, 5) FROM t1
SELECT transform(arr, name) FROM t1
SELECT filter(arr, x -> x IS NOT NULL), filter(arr, (x, i) -> i > 1) FROM t1
SELECT filter(arr, x -> 1) FROM t1
SELECT filter(arr, x -> length(x)) FROM t1
SELECT filter(arr, (x, y, z) -> true) FROM t1
SELECT filter(m, x -> true) FROM t1
SELECT exists(arr, x -> x) FROM t1
SELECT exists(arr, (x, y) -> true) FROM t1
SELECT exists(arr, x -> NULL) FROM t1
SELECT forall(arr, x -> 5) FROM t1
SELECT forall(arr, x -> x > 'a') FROM t1
SELECT aggregate(arr, '', (s, x) -> concat(s, x)), aggregate(array(1), 0, (a, x) -> a + x, a -> a * 2) FROM t1
SELECT aggregate(array(1, 2), 0, (a, x) -> a + x + 1.5)
SELECT aggregate(array(1L, 2L), 0, (a, x) -> a + x)
SELECT aggregate(array(1L, 2L), 0L, (a, x) -> a + x)
SELECT aggregate(arr, 0, x -> x) FROM t1
SELECT aggregate(arr, 0, (a, x) -> a, (a, b) -> a) FROM t1
SELECT reduce(arr, '', (a, x) -> a || x) FROM t1
SELECT reduce(arr, 0, (a, x) -> x) FROM t1
SELECT zip_with(arr, arr, (a, b) -> a || b) FROM t1
SELECT zip_with(arr, arr, a -> a) FROM t1
SELECT zip_with(arr, name, (a, b) -> a) FROM t1
SELECT map_filter(m, (k, v) -> v IS NOT NULL) FROM t1
SELECT map_filter(m, k -> true) FROM t1
SELECT map_filter(m, (k, v) -> v) FROM t1
SELECT map_filter(arr, (k, v) -> true) FROM t1
SELECT transform_keys(m, (k, v) -> concat(k, v)) FROM t1
SELECT transform_keys(m, k -> k) FROM t1
SELECT transform_keys(m, (k, v) -> m) FROM t1
SELECT transform_values(m, (k, v) -> 1) FROM t1
SELECT transform_values(arr, (k, v) -> 1) FROM t1
SELECT map_zip_with(m, m, (k, a) -> k) FROM t1
SELECT map_zip_with(m, map(1, 2), (k, a, b) -> k) FROM t1
SELECT array_sort(arr, (a, b) -> 1), array_sort(arr, (a, b) -> CASE WHEN a < b THEN -1 ELSE 1 END) FROM t1
SELECT array_sort(arr, a -> 1) FROM t1
SELECT array_sort(arr, (a, b) -> a) FROM t1
SELECT length(x -> x) FROM t1
SELECT concat(name, x -> x) FROM t1
SELECT sum(x -> x) FROM t1
SELECT nothing_of(x -> x) FROM t1
SELECT (x -> x) FROM t1
SELECT x -> 1, id FROM t1
SELECT named_struct('a', 1, 'b'), id FROM t1
SELECT named_struct('a', 1, 'a', 2)
SELECT named_struct(name, 1) FROM t1
SELECT named_struct(1, 1)
SELECT named_struct(concat('a', 'b'), 1)
SELECT named_struct(NULL, 1)
SELECT named_struct()
SELECT struct(), struct(1 AS a, 2 b)
SELECT stack(2, 1, 2, 3)
SELECT stack(1, 'a', 5)
SELECT stack(2, 1, 'a')
SELECT stack(2, 1, 'a', 2, 'b')
SELECT stack(2, 1, d) FROM t1
SELECT stack(-1, 1)
SELECT stack(id, 1, 2) FROM t1
SELECT stack('2', 1, 2)
SELECT stack(2)
SELECT stack(2, 'a', 1, NULL, 2.5)
SELECT inline(array(1))
SELECT inline(m) FROM t1
SELECT inline(name) FROM t1
SELECT inline_outer(array(struct(1, 2)))
SELECT posexplode(name) FROM t1
SELECT explode(struct(id)) FROM t1
SELECT * FROM range(10, 20), range(3)
SELECT * FROM range()
SELECT * FROM range(id) FROM t1
SELECT * FROM range(1.5)
SELECT * FROM range('5')
SELECT * FROM range(0, 10, 0)
SELECT * FROM range(NULL)
SELECT * FROM range(1, 2, 3, 4)
SELECT * FROM explode(array(1)) AS t(a, b)
SELECT * FROM explode(map('a', 1)) AS t(a)
SELECT * FROM posexplode(array(1)) AS t(a, b)
SELECT * FROM stack(2, 1, 2) AS s(a)
SELECT * FROM lower('A')
SELECT * FROM sum(1)
SELECT * FROM count(1) AS c
SELECT * FROM no_such_thing(1, 2) t
SELECT * FROM inline(array(struct(1 AS a, 2 AS b))) WHERE a = 1
-- section: further everyday
SELECT id, CASE WHEN amt > 10 THEN 'high' WHEN amt IS NULL THEN NULL ELSE 'low' END AS band FROM t1
SELECT coalesce(name, CAST(id AS STRING), 'none'), nvl(amt, 0), ifnull(d, current_date()) FROM t1
SELECT if(amt > 1, NULL, 5), nvl2(name, amt, 0), nullif(name, ''), nullif(id, 0) FROM t1
SELECT greatest(amt, 1, 2.5), least(d, DATE '2024-01-01'), greatest(id, 1L, NULL) FROM t1
SELECT array(1, 2L, 3.5D), array('a', 1, d), array(NULL), array(array(1), array(2L)) FROM t1
SELECT map('a', 1, 'b', 2.5), map(1, 'x', 2L, NULL), map('k', array(1), 'l', array('x')) FROM t1
SELECT struct(id, name AS n, amt * 2), named_struct('a', 1, 'b', array(id)).b[0] FROM t1
SELECT arr[0], arr[id], arr[CAST(amt AS INT)], m['k'], m[name], m[id] FROM t1
SELECT id FROM t1 WHERE d BETWEEN '2024-01-01' AND DATE '2024-02-01' AND ts >= '2024-01-01 00:00:00'
SELECT id FROM t1 WHERE amt BETWEEN 1 AND id AND name NOT BETWEEN 'a' AND 5
SELECT id FROM t1 WHERE flag AND NOT flag OR flag IS NOT NULL AND name LIKE 'a%' ESCAPE '!'
SELECT id FROM t1 WHERE name IN ('a', 1, d) OR id IN (1, 2.5, '3') OR d IN ('2024-01-01', ts)
SELECT id FROM t1 WHERE (id, name) IN (SELECT id, city FROM t2) AND amt NOT IN (SELECT v FROM t3)
SELECT id FROM t1 WHERE name = 5 OR amt = '1.5' OR flag = 'true' OR flag = 1 OR d = name
SELECT name || '-' || id || '-' || amt, concat(name, 1, d, flag), concat_ws('|', arr, name, 'x') FROM t1
SELECT d + 1, d - 7, 1 + d, d + INTERVAL 1 MONTH, ts - INTERVAL '2' HOUR, d - INTERVAL 3 DAYS, ts + INTERVAL 1 DAY 2 HOURS FROM t1
SELECT d - DATE '2024-01-01', ts - d, datediff(ts, d), datediff('2024-01-05', d), months_between(ts, '2024-01-01') FROM t1
SELECT date_add(ts, 1), date_sub('2024-01-01', 2), date_add(d, -1), date_add(d, CAST('3' AS INT)), add_months(d, '2') FROM t1
SELECT date_add(d, dayofweek(d)), date_sub(d, 1 - dayofweek(d)), next_day(d, 'MO'), trunc(d, 'MM'), date_trunc('DAY', name) FROM t1
SELECT INTERVAL 1 DAY * amt, INTERVAL '1' YEAR / 2, -INTERVAL 1 DAY, INTERVAL 1 DAY + INTERVAL 30 MINUTES FROM t1
SELECT ts - ts > INTERVAL 1 DAY, (ts - ts) / 2, CAST((ts - ts) AS STRING), abs(ts - ts) FROM t1
SELECT sum(amt) OVER (PARTITION BY name ORDER BY d ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM t1
SELECT avg(amt) OVER (ORDER BY ts RANGE BETWEEN INTERVAL 7 DAYS PRECEDING AND INTERVAL 1 DAY FOLLOWING) FROM t1
SELECT sum(amt) OVER (ORDER BY d RANGE BETWEEN 7 PRECEDING AND 1 FOLLOWING), max(amt) OVER (ORDER BY amt RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM t1
SELECT count(*) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), sum(amt) OVER (ORDER BY id ROWS 3 PRECEDING) FROM t1
SELECT first_value(amt, true) OVER (PARTITION BY name ORDER BY d), last_value(amt) OVER (ORDER BY d ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM t1
SELECT lag(amt, 1, 0) OVER (ORDER BY id), lead(name, 2, 'x') OVER (ORDER BY id), lag(d) OVER (PARTITION BY name ORDER BY ts DESC) FROM t1
SELECT ntile(4) OVER (ORDER BY amt), percent_rank() OVER (ORDER BY amt), nth_value(name, 2) OVER (ORDER BY id) FROM t1
SELECT name, sum(amt), rank() OVER (ORDER BY sum(amt) DESC) AS r FROM t1 GROUP BY name ORDER BY r, sum(amt), name
SELECT name, amt / sum(amt) OVER (PARTITION BY name), collect_set(name) OVER (PARTITION BY d) FROM t1
SELECT row_number() OVER w, sum(amt) OVER w FROM t1 WINDOW w AS (PARTITION BY name ORDER BY id)
SELECT name, count(DISTINCT id), sum(DISTINCT amt), count(DISTINCT id, d), collect_set(id) FROM t1 GROUP BY name HAVING count(DISTINCT id) > 1
SELECT name, sum(amt) FILTER (WHERE flag), count(*) FILTER (WHERE d > '2024-01-01'), max(amt) FILTER (WHERE name LIKE 'a%') FROM t1 GROUP BY name
SELECT name, dt, grouping(name), grouping_id(name, dt), sum(amt) FROM t1 GROUP BY CUBE (name, dt) HAVING grouping_id(name, dt) < 3 ORDER BY grouping(name), name
SELECT name, dt, grouping__id, count(*) FROM t1 GROUP BY name, dt GROUPING SETS ((name, dt), (name), ())
SELECT if(grouping(name) = 1, 'all', name) AS n, sum(amt) FROM t1 GROUP BY ROLLUP (name) ORDER BY n
SELECT date_format(d, 'yyyy-MM') AS mon, sum(amt) FROM t1 GROUP BY date_format(d, 'yyyy-MM') ORDER BY mon LIMIT 10
SELECT substr(dt, 1, 4) y, count(*) c FROM t1 GROUP BY 1 HAVING c > 2 ORDER BY 2 DESC, y
SELECT max(struct(amt, name)).name, max_by(name, amt), min_by(name, d) FROM t1 GROUP BY dt
SELECT percentile(amt, 0.5), percentile_approx(amt, array(0.25, 0.75), 100), percentile(amt, array(0.1)), approx_percentile(d, 0.5) FROM t1
SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY amt DESC), listagg(DISTINCT name, ',') WITHIN GROUP (ORDER BY name), listagg(name, ';') FROM t1
SELECT size(split(name, ',')), split(name, ',')[0], element_at(split(name, ','), -1), array_join(array_sort(collect_list(name)), ',') FROM t1 GROUP BY name
SELECT transform(arr, x -> concat(x, '!')), filter(arr, x -> length(x) > 1), exists(arr, x -> x = 'a'), aggregate(arr, 0, (s, x) -> s + length(x), s -> s * 1.5) FROM t1
SELECT aggregate(array(1, 2, 3), CAST(0 AS BIGINT), (s, x) -> s + x), aggregate(arr, '', (s, x) -> s || x), aggregate(array(1.5D), 0D, (s, x) -> s + x) FROM t1
SELECT aggregate(array(1, 2), named_struct('n', 0, 's', 0), (a, x) -> named_struct('n', a.n + 1, 's', a.s + x), a -> a.s / a.n)
SELECT zip_with(arr, arr, (a, b) -> struct(a, b)), map_filter(m, (k, v) -> v > 'a'), transform_values(m, (k, v) -> length(v)), transform_keys(m, (k, v) -> upper(k)) FROM t1
SELECT array_sort(arr, (a, b) -> CASE WHEN a < b THEN -1 WHEN a > b THEN 1 ELSE 0 END), sort_array(arr, false), array_max(arr), array_contains(arr, name) FROM t1
SELECT arrays_zip(arr, sequence(1, size(arr))), array_repeat(id, 2), array_except(arr, array('x')), array_union(arr, array(name)), flatten(array(arr)) FROM t1
SELECT sequence(DATE '2024-01-01', d, INTERVAL 1 DAY), sequence(1, id), sequence(CAST(1 AS BIGINT), id, 2), explode(sequence(0, 5)) FROM t1
SELECT map_from_entries(arrays_zip(arr, arr)), map_concat(m, map('x', 'y')), map_keys(m), str_to_map(name), map_from_arrays(arr, arr) FROM t1
SELECT get_json_object(js, '$.a'), from_json(js, 'a INT').a, from_json(js, 'array<string>')[0], to_json(m), to_json(struct(*)), to_json(arr) FROM t1
SELECT j.a, j.b, e.x FROM t1 LATERAL VIEW json_tuple(js, 'a', 'b') j AS a, b LATERAL VIEW OUTER explode(arr) e AS x
SELECT k, v FROM t1 LATERAL VIEW explode(m) kv AS k, v LATERAL VIEW posexplode(arr) p AS i, x WHERE i > 0
SELECT stack(2, 'a', amt, 'b', amt * 2) AS (k, v) FROM t1
SELECT stack(3, 1, 'x', 2, 'y', 3, NULL) AS (n, s), id FROM t1
SELECT inline(array(struct(id, name), struct(id, name))) AS (a, b) FROM t1
SELECT CAST(name AS DECIMAL(18, 2)), CAST(amt AS BIGINT), CAST(flag AS INT), CAST(d AS TIMESTAMP), CAST(ts AS DATE), CAST(id AS TIMESTAMP), CAST(arr AS STRING) FROM t1
SELECT CAST(NULL AS INT), CAST(array() AS ARRAY<STRING>), CAST(map() AS MAP<STRING, INT>), CAST(struct(1) AS STRUCT<a: BIGINT>), name::DATE FROM t1
SELECT int(name), bigint(amt), double(flag), string(d), date(ts), timestamp(d), boolean(id), decimal(name), float(amt) FROM t1
SELECT round(amt, 2), round(-amt), bround(amt, 1), ceil(amt), floor(amt, 2), abs(-amt), sign(amt), pmod(id, 7), mod(id, 3), id % 2.5, id DIV 2 FROM t1
SELECT id & 1, id | 2, id ^ 3, ~id, id << 2, id >> 1, shiftleft(id, 1), bit_count(id), bit_count(flag) FROM t1
SELECT -name, +amt, - -1, name * 2, name / '2', '3' + 4, id + NULL, NULL + NULL FROM t1
SELECT hash(name, arr), xxhash64(id), md5(name), sha2(name, 256), crc32(name), base64(name), hex(name), conv(name, 16, 10) FROM t1
SELECT regexp_extract(name, '(a)(b)', 2), regexp_replace(name, '[0-9]+', ''), name RLIKE '^a', regexp_like(name, 'x'), regexp_extract_all(name, 'a', 0) FROM t1
SELECT unix_timestamp(ts), unix_timestamp(dt, 'yyyyMMdd'), from_unixtime(id, 'yyyy-MM-dd'), to_date(dt, 'yyyyMMdd'), to_timestamp(dt), from_unixtime('1700000000') FROM t1
SELECT extract(YEAR FROM ts), extract(DOW FROM d), extract(SECONDS FROM ts), date_part('quarter', d), extract(HOUR FROM ts - ts), weekofyear(d) FROM t1
SELECT trim(BOTH ' ' FROM name), trim(TRAILING FROM name), trim(LEADING 'x' FROM name), substring(name FROM 2 FOR 3), position('a' IN name), overlay(name PLACING 'x' FROM 1 FOR 2) FROM t1
SELECT decode(name, 'a', 1, 'b', 2), decode(id, 1, 'x', NULL, 'y', 'z'), decode(amt, 1, 'one', '2', 'two', 'other') FROM t1
SELECT DATE '2024-1-1', TIMESTAMP '2024-01-01 1:02:03.5', INTERVAL '1-2' YEAR TO MONTH, INTERVAL '3 04:05:06' DAY TO SECOND, INTERVAL '15 minutes', X'0A', r'\d+'
SELECT 5Y, 300S, 7L, 1.5BD, 1e-3, 2.5F, -128Y, -9223372036854775808L, .5, 1.
SELECT 'it''s' 'ok', "double", 'tab\t', 'a' "b", '%', '\%' FROM t1 LIMIT ALL
SELECT * FROM VALUES (1, 'a', DATE '2024-01-01'), (2, NULL, NULL), (3L, 'c', '2024-01-02') AS t(a, b, c)
SELECT * FROM VALUES (1, array('a')), (2, array()), (NULL, NULL) AS t(a, b)
SELECT a, b FROM (VALUES (1, 1.5), (2, 2)) AS t(a, b) WHERE a > 0
INSERT INTO fbt.nt VALUES (1, 'a'), (NULL, NULL), (3, concat('x', 'y'))
INSERT INTO fbt.nt (name, id) SELECT name, id FROM t1 WHERE id IN (SELECT max(id) FROM t2)
SELECT id FROM t1 UNION ALL SELECT amt FROM t2 UNION ALL SELECT v FROM t3 ORDER BY id LIMIT 5
SELECT id, name FROM t1 UNION SELECT id, NULL FROM t2 EXCEPT SELECT id, grp FROM t3
SELECT arr FROM t1 UNION SELECT array('a') UNION ALL SELECT array(1)
SELECT struct(id, name) AS s FROM t1 UNION ALL SELECT struct(id, city AS name) FROM t2
(SELECT id FROM t1 ORDER BY amt LIMIT 3) UNION ALL (SELECT id FROM t2 ORDER BY amt DESC LIMIT 3)
SELECT DISTINCT arr, struct(id, name) FROM t1 ORDER BY 1
SELECT DISTINCT name, upper(name) u FROM t1 ORDER BY upper(name), u
SELECT t1.id, t2.city, t3.v FROM t1 LEFT JOIN t2 ON t1.id = t2.id AND t2.amt > 1 LEFT JOIN t3 ON t3.id = coalesce(t2.id, t1.id)
SELECT id, city FROM t1 FULL OUTER JOIN t2 USING (id) LEFT SEMI JOIN t3 USING (id)
SELECT a.id FROM t1 a JOIN t2 b ON a.name <=> b.city AND a.d >= b.dt CROSS JOIN t3 c WHERE a.flag
SELECT a.id FROM t1 a JOIN t2 b ON true LEFT ANTI JOIN t3 c ON c.id = a.id AND c.v BETWEEN a.amt AND b.amt
SELECT (SELECT max(v) FROM t3 WHERE t3.id = t1.id) AS mx, (SELECT 1) + 1 FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.id = t1.id)
WITH a AS (SELECT id, sum(amt) s FROM t1 GROUP BY id), b(k, n) AS (SELECT id, count(*) FROM t2 GROUP BY id) SELECT a.s, b.n FROM a JOIN b ON a.id = b.k
SELECT * EXCEPT (arr, m, js), id AS key FROM t1
SELECT t1.*, t2.city, x.* FROM t1 JOIN t2 USING (id) CROSS JOIN (SELECT 1 AS one) x
SELECT s.*, s.id FROM (SELECT struct(id, name) AS s FROM t1)
SELECT count(*), count(1), count(name, d), count(DISTINCT name), count_if(flag), bool_and(flag), every(amt > 1), any(flag) FROM t1
SELECT first(name, true), last(amt, false), any_value(d), first(name) IGNORE NULLS, mode(name), median(amt), stddev(amt), corr(amt, id) FROM t1
SELECT approx_count_distinct(name), approx_count_distinct(name, 0.05), collect_list(struct(id, name)), array_agg(arr), max(arr), bit_or(id), try_sum(amt) FROM t1
SELECT sum(amt) FROM t1 HAVING sum(amt) > 0 AND count(*) > 1 ORDER BY sum(amt), max(id)
SELECT max(id) AS m, min(id) FROM t1 HAVING m > 1 ORDER BY m + 1
SELECT name FROM t1 GROUP BY name, amt + 1 ORDER BY amt + 1, max(id)
SELECT id, name FROM t1 DISTRIBUTE BY name SORT BY id DESC, name
SELECT id FROM t1 ORDER BY CASE WHEN name = 'a' THEN 0 ELSE 1 END, arr, struct(id), d DESC NULLS FIRST LIMIT 5 OFFSET 2
SELECT id FROM t1 LIMIT 2 + 3
SELECT EXISTS (SELECT 1 FROM t2), id IN (SELECT id FROM t2), NOT flag, !flag, flag IS NOT TRUE, id > 1 IS TRUE FROM t1
SELECT name LIKE ANY ('a%', 'b%'), name NOT LIKE ALL ('x', 'y'), id LIKE '1%', name ILIKE 'A%' FROM t1
SELECT typeof(id), equal_null(id, amt), isnull(name), isnotnull(arr), assert_true(id > 0), version(), uuid(), rand(), rand(7) FROM t1
SELECT window(ts, '1 hour').start AS s, count(*) FROM t1 GROUP BY window(ts, '1 hour')
SELECT make_date(2024, 1, 2), make_timestamp(2024, 1, 2, 3, 4, 5), last_day('2024-02-01'), to_char(amt, '999D99'), format_number(amt, 2) FROM t1
SELECT * FROM range(3) a JOIN range(0, 10, 2) b ON a.id = b.id
SELECT * FROM explode(array(1, 2)) AS t(x) CROSS JOIN stack(1, 'a', 'b') AS s(y, z)

-- section: pipes
FROM t2
TABLE t2
TABLE t2 LIMIT 1
FROM t2 ORDER BY amt LIMIT 1
FROM t2 WHERE id = 1
FROM t2 |> WHERE id = 1
FROM t2 |> WHERE t2.id = 1
FROM t2 |> WHERE id = 1 |> WHERE t2.amt > 1
FROM t2 x |> WHERE x.id = 1 |> SELECT x.amt
FROM t2 x |> WHERE x.id = 1 |> EXTEND x.amt + 1 AS b |> SELECT x.amt, b
FROM t2 x |> SELECT x.amt |> SELECT x.amt
FROM t2 x |> SELECT x.amt AS b |> SELECT x.b
FROM t2 x |> SELECT x.amt |> WHERE x.amt > 1
FROM t2 x |> SELECT x.amt |> ORDER BY x.amt
FROM t2 x |> SELECT x.amt |> ORDER BY id
FROM t2 x |> ORDER BY x.amt
FROM t2 x |> WHERE x.id = 1 |> ORDER BY x.amt
FROM t2 x |> LIMIT 2 |> SELECT x.amt
FROM t2 x |> WHERE id = 1 |> LIMIT 2 |> SELECT x.amt
FROM t2 |> JOIN t3 ON t2.id = t3.id |> WHERE t2.id = 1
FROM t2 |> JOIN t3 ON t2.id = t3.id |> WHERE city = 'a'
FROM t2 |> JOIN t3 ON t2.id = t3.id |> WHERE id = 1
FROM t2 |> JOIN t3 ON t2.id = t3.id |> SELECT t2.id, v
FROM t2 |> JOIN t3 ON t2.id = t3.id |> EXTEND v + amt AS s |> SELECT t2.id, t3.v, s
FROM t2 |> JOIN t3 ON t2.id = t3.id |> EXTEND v + amt AS s |> SELECT t2.*, s
FROM t2 |> JOIN t3 ON t2.id = t3.id |> AGGREGATE sum(v) AS s GROUP BY t2.id
FROM t2 |> JOIN t3 ON t2.id = t3.id |> AGGREGATE sum(v) AS s GROUP BY t2.id |> SELECT t2.id
FROM t2 |> JOIN t3 USING (id) |> AGGREGATE sum(v) AS s GROUP BY id
FROM t2 |> JOIN t3 ON t2.id = t3.id |> JOIN t1 ON t1.id = t2.id |> SELECT t1.name
FROM t2 |> WHERE id = 1 |> JOIN t3 ON t2.id = t3.id |> SELECT t2.id
FROM t2 |> SELECT id |> JOIN t3 ON t2.id = t3.id |> SELECT t2.id, v
FROM t2 |> AS a |> SELECT a.id
FROM t2 |> AS a |> SELECT t2.id
FROM t2 |> WHERE id = 1 |> AS a |> JOIN t3 b ON a.id = b.id |> SELECT a.id, b.v
FROM t2 |> EXTEND id + 1 AS a, a + 1 AS b
FROM t2 |> EXTEND id + 1
FROM t2 |> EXTEND id
FROM t2 |> EXTEND sum(id) AS s
FROM t2 |> EXTEND sum(id) OVER () AS s
FROM t2 |> EXTEND *
FROM t2 |> EXTEND explode(array(1,2)) AS e
FROM t2 |> SELECT sum(id)
FROM t2 |> SELECT sum(id) AS s GROUP BY city
FROM t2 |> SELECT id, sum(amt) OVER (PARTITION BY city) AS s
FROM t2 |> SELECT DISTINCT id
FROM t2 |> SELECT id WHERE id = 1
FROM t2 |> SELECT id FROM t2
FROM t2 |> SET amt = amt + 1
FROM t2 |> SET amt = amt + 1, id = amt * 2
FROM t2 |> SET nope = 1
FROM t2 |> SET t2.amt = 1
FROM t2 |> SET amt = 1, amt = amt + 1
FROM t2 |> SET amt = sum(amt) OVER ()
FROM t2 |> SET amt = sum(amt)
FROM t2 |> SET amt = 1 |> SELECT t2.amt
FROM t2 |> SET amt = 1 |> SELECT t2.id
FROM t2 |> DROP amt
FROM t2 |> DROP amt, city |> SELECT *
FROM t2 |> DROP nope
FROM t2 |> DROP t2.amt
FROM t2 |> DROP amt |> SELECT amt
FROM t2 |> DROP amt |> SELECT t2.id
FROM t2 |> DROP id, city, amt, dt
FROM t2 |> JOIN t3 ON t2.id = t3.id |> DROP id
FROM t2 |> JOIN t3 ON t2.id = t3.id |> SET id = 1
FROM t2 |> AGGREGATE sum(amt)
FROM t2 |> AGGREGATE sum(amt) AS s, count(*)
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY city
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY city, id + 1 AS k
FROM t2 |> AGGREGATE GROUP BY city
FROM t2 |> AGGREGATE
FROM t2 |> AGGREGATE amt GROUP BY city
FROM t2 |> AGGREGATE city GROUP BY city
FROM t2 |> AGGREGATE upper(city) GROUP BY city
FROM t2 |> AGGREGATE 1 GROUP BY city
FROM t2 |> AGGREGATE sum(amt) GROUP BY ROLLUP (city)
FROM t2 |> AGGREGATE sum(amt) GROUP BY city WITH ROLLUP
FROM t2 |> AGGREGATE sum(amt) GROUP BY ALL
FROM t2 |> AGGREGATE sum(amt) GROUP BY 1
FROM t2 |> AGGREGATE sum(amt) GROUP BY 2
FROM t2 |> AGGREGATE sum(amt) GROUP BY 2, 4
FROM t2 |> AGGREGATE sum(amt) OVER () GROUP BY id
FROM t2 |> AGGREGATE sum(amt) AS s, s + 1 AS r GROUP BY id
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY id HAVING s > 1
FROM t2 |> AGGREGATE id + sum(amt) AS s GROUP BY id
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY city AS k |> WHERE k = 'a'
FROM t2 |> WHERE sum(amt) > 1
FROM t2 |> WHERE row_number() OVER (ORDER BY id) = 1
FROM t2 |> UNION ALL TABLE t2
FROM t2 |> SELECT id |> UNION ALL SELECT id FROM t3
FROM t2 |> SELECT id |> UNION ALL SELECT id FROM t3 WHERE id = 1 |> WHERE id = 2
FROM t2 |> SELECT id |> UNION (SELECT id FROM t3 LIMIT 1)
FROM t2 |> SELECT id |> EXCEPT ALL (SELECT id FROM t3)
FROM t2 |> SELECT id |> INTERSECT SELECT id FROM t3 |> ORDER BY id
FROM t2 |> SELECT id |> MINUS SELECT id FROM t3
FROM t2 |> SELECT id, amt |> UNION ALL SELECT id FROM t3
FROM t2 |> SELECT id UNION ALL SELECT id FROM t3
SELECT id FROM t2 UNION ALL SELECT id FROM t3 |> WHERE id = 1
SELECT id FROM t2 WHERE amt > 1 |> WHERE id = 1
SELECT id FROM t2 ORDER BY id |> WHERE id = 1
SELECT id FROM t2 LIMIT 1 |> WHERE id = 1
(SELECT id FROM t2 ORDER BY id LIMIT 1) |> WHERE id = 1
VALUES (1, 'a'), (2, 'b') AS v(x, y) |> WHERE v.x = 1 |> SELECT v.y
VALUES (1, 'a'), (2, 'b') |> WHERE col1 = 1
TABLE t2 |> WHERE t2.id = 1
WITH q AS (FROM t2 |> WHERE id = 1) SELECT * FROM q
WITH q AS (SELECT 1 AS x) FROM q |> SELECT x + 1 AS y
WITH q AS (SELECT 1 AS x) FROM q
SELECT * FROM (FROM t2 |> SELECT id) z
SELECT * FROM (TABLE t3)
SELECT * FROM (FROM t2)
SELECT id FROM t2 WHERE id IN (FROM t3 |> SELECT id)
SELECT (FROM t3 |> AGGREGATE max(v)) AS m
SELECT id FROM t2 WHERE EXISTS (FROM t3 |> WHERE t3.id = t2.id)
FROM t2 |> ORDER BY amt DESC |> LIMIT 2
FROM t2 |> ORDER BY amt DESC LIMIT 2 OFFSET 1
FROM t2 |> ORDER BY amt |> ORDER BY id
FROM t2 |> LIMIT 2 OFFSET 1
FROM t2 |> OFFSET 1
FROM t2 |> ORDER BY amt |> WHERE id > 1 ORDER BY id LIMIT 1
FROM t2 |> SORT BY amt
FROM t2 |> DISTRIBUTE BY id SORT BY amt
FROM t2 |> CLUSTER BY id
FROM t2 |>
FROM t2 |> FOO
FROM t2 |> HAVING id = 1
FROM t2 |> GROUP BY id
FROM t2 |> TABLESAMPLE (50 PERCENT)
FROM t2 |> TABLESAMPLE (2 ROWS) |> SELECT id
FROM t2 |> LEFT JOIN t3 ON t2.id = t3.id
FROM t2 |> LEFT JOIN t3 USING (id) |> SELECT id, v
FROM t2 |> CROSS JOIN t3 |> SELECT city, grp
FROM t2 |> LEFT SEMI JOIN t3 ON t2.id = t3.id
FROM t2 |> NATURAL JOIN t3
FROM t2 |> JOIN LATERAL (SELECT v FROM t3 WHERE t3.id = t2.id)
FROM t2 |> JOIN (SELECT id AS k FROM t3) z ON z.k = id |> SELECT k, city
FROM t2, t3 |> WHERE t2.id = t3.id
FROM t2, t3 |> SELECT t2.id, t3.v
FROM t2 JOIN t3 ON t2.id = t3.id |> SELECT t2.id
FROM t2 JOIN t3 ON t2.id = t3.id |> WHERE t2.id = 1
FROM t2 LATERAL VIEW explode(array(1,2)) e AS x |> SELECT x, e.x AS y
FROM t2 LATERAL VIEW explode(array(1,2)) e AS x |> WHERE e.x = 1
FROM t2 |> LATERAL VIEW explode(array(1,2)) e AS x
FROM t2 |> WHERE id = 1 WINDOW w AS (ORDER BY id)
FROM t2 |> SELECT sum(amt) OVER w AS s WINDOW w AS (ORDER BY id)
FROM t2 |> EXTEND sum(amt) OVER w AS s WINDOW w AS (ORDER BY id)
FROM t2 |> SELECT *, id + 1 AS b |> SELECT b
FROM t2 |> SELECT * EXCEPT (id)
FROM t2 |> EXTEND id + 1 AS id |> SELECT id
FROM t2 |> EXTEND id + 1 AS id |> WHERE id = 1
FROM t2 |> EXTEND id + 1 AS id |> DROP id
FROM t2 |> EXTEND id + 1 AS id |> SET id = 3
FROM t2 |> EXTEND id + 1 AS id |> SELECT t2.id
FROM t2 |> UNION ALL TABLE t2 |> WHERE t2.id = 1
FROM t2 |> WHERE id = 1 ORDER BY t2.amt
FROM t2 |> SELECT id ORDER BY amt
FROM t2 |> SELECT id |> AGGREGATE count(*) AS c ORDER BY c
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY s
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY 9
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY 0
FROM t2 |> AGGREGATE sum(nope) AS s GROUP BY id
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY nope
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY sum(id)
FROM t2 |> AGGREGATE amt + sum(amt) AS s GROUP BY id
FROM t2 |> AGGREGATE amt + sum(amt) AS s
FROM t2 |> AGGREGATE city
FROM t2 |> AGGREGATE count(DISTINCT city) AS c, sum(amt) FILTER (WHERE id > 1) AS f
FROM t2 |> AGGREGATE * GROUP BY id
FROM t2 |> AGGREGATE count(*) GROUP BY *
FROM t2 |> AGGREGATE sum(amt) GROUP BY grouping(id)
FROM t2 |> AGGREGATE grouping(id) AS g GROUP BY id
FROM t2 |> AGGREGATE sum(amt) GROUP BY GROUPING SETS ((id))
FROM t2 |> AGGREGATE sum(amt) GROUP BY CUBE (id)
FROM t2 |> AGGREGATE sum(amt) GROUP BY id, id
FROM t2 |> AGGREGATE sum(amt) GROUP BY (id, city)
FROM t2 |> AGGREGATE sum(amt) + 1 GROUP BY upper(city)
INSERT INTO t3 FROM t2 |> SELECT id, city, amt
INSERT INTO t3 TABLE t3
INSERT OVERWRITE TABLE t3 FROM t2 |> SELECT id, city, amt
CREATE TABLE made AS FROM t2 |> SELECT id
CREATE TEMPORARY VIEW made2 AS FROM t2 |> SELECT id |> WHERE id = 1
CREATE TEMPORARY VIEW made3 AS TABLE t2
FROM t2 a |> JOIN t2 b ON a.id = b.id |> WHERE a.amt < b.amt |> SELECT a.id, b.amt
FROM t2 |> JOIN t2 ON true |> SELECT t2.id
FROM t2 |> AS a |> JOIN t2 AS b USING (id) |> SELECT id, a.amt, b.amt
FROM t2 |> SELECT id, amt |> AS x |> JOIN t3 ON x.id = t3.id |> SELECT x.*, v
FROM t2 |> JOIN t3 USING (id) |> SELECT *
FROM t2 |> JOIN t3 USING (id) |> SELECT t2.id, t3.id
FROM t2 |> FULL JOIN t3 USING (id) |> WHERE id IS NOT NULL |> SELECT id
FROM t2 |> FULL JOIN t3 USING (id) |> EXTEND id + 1 AS n |> SELECT id, n
FROM t2 |> JOIN t3 USING (id) |> WHERE t3.id = 1
FROM t2 |> JOIN t3 USING (id) |> EXTEND 1 AS o |> SELECT t3.id
FROM t2 |> JOIN t3 |> SELECT 1
FROM t2 |> WHERE nope = 1
FROM nope |> WHERE id = 1
FROM t2 |> WHERE id
FROM t2 |> SELECT nope
FROM t2 |> EXTEND nope AS x
FROM t2 |> SELECT id |> SELECT amt
FROM t2 |> AS
FROM t2 |> AS a b
FROM t2 |> AS a(x, y, z, w)
FROM t2 |> a
FROM t2 |> WHERE
FROM t2 |> SELECT
FROM t2 |> EXTEND
FROM t2 |> SET
FROM t2 |> SET amt
FROM t2 |> SET amt == 1
FROM t2 |> DROP
FROM t2 |> DROP id + 1
FROM t2 |> DROP (id)
FROM t2 |> DROP id, id
FROM t2 |> JOIN
FROM t2 |> UNION
FROM t2 |> UNION ALL
FROM t2 |> LIMIT
FROM t2 |> LIMIT -1
FROM t2 |> LIMIT id
FROM t2 |> LIMIT 'a'
FROM t2 |> ORDER BY nope
FROM t2 |> ORDER BY 9
FROM t2 |> ORDER BY 2
FROM t2 |> ORDER BY sum(id)
FROM t2 |> ORDER BY id |> ORDER BY amt DESC NULLS LAST
FROM t2 |> ORDER BY ALL
FROM t2 |> LIMIT 1 |> LIMIT 2
FROM t2 |> LIMIT 3 |> OFFSET 1
FROM t2 |> ORDER BY id SORT BY amt
FROM t2 |> ORDER BY id LIMIT 1 |> WHERE id = 1
FROM t2 |> LIMIT 2 |> ORDER BY id
FROM t2 |> WHERE id = 1 LIMIT 1 |> SELECT id
WHERE id = 1 |> FROM t2
SELECT 1 |> SELECT 2
SELECT 1 AS a |> EXTEND a + 1 AS b
FROM t2 | > WHERE id = 1
FROM t2 |> SELECT id, amt |> WHERE id = (FROM t3 |> AGGREGATE max(id))
FROM t2 |> WHERE EXISTS (FROM t3 |> WHERE t3.id = t2.id)
FROM t2 |> WHERE id IN (SELECT id FROM t3)
FROM t2 o |> WHERE EXISTS (SELECT 1 FROM t3 WHERE t3.id = o.id |> WHERE id = 1)
FROM t2 |> SELECT DISTINCT city |> ORDER BY city
FROM t2 |> EXTEND row_number() OVER (PARTITION BY city ORDER BY amt) AS n |> WHERE n = 1 |> DROP n
FROM t2 |> EXTEND posexplode(array(1,2)) AS (p, e)
FROM t2 |> EXTEND id + 1 b
FROM t2 |> EXTEND rank() AS r
FROM t2 |> EXTEND t2.id
FROM t2 |> EXTEND t2.*
FROM t2 |> SELECT t2.*
FROM t2 |> SET id = 'a' |> WHERE id + 1 > 1
FROM t2 |> SET id = nope
FROM t2 |> SET id = *
FROM (SELECT id FROM t2) |> WHERE id = 1
FROM (SELECT id FROM t2) z |> WHERE z.id = 1 |> SELECT z.id
FROM range(3) |> WHERE id > 1
FROM VALUES (1), (2) AS v(x) |> SELECT x * 2 AS y
SELECT id FROM t2 GROUP BY id HAVING id > 1 |> WHERE id = 2
SELECT city, sum(amt) AS s FROM t2 GROUP BY city |> WHERE s > 1 |> ORDER BY s DESC
SELECT t2.id FROM t2 |> WHERE t2.id = 1
SELECT id FROM t2 |> WHERE amt = 1
FROM t2 |> SELECT city, count(*) AS c GROUP BY city HAVING c > 1
FROM t2 |> SELECT city, count(*) AS c GROUP BY city |> WHERE c > 1
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY city |> AGGREGATE max(s)
FROM t2 |> AGGREGATE sum(amt) AS s GROUP BY city |> JOIN t2 ON t2.amt = s |> SELECT t2.id
WITH a AS (FROM t2 |> WHERE id = 1), b AS (FROM a |> AGGREGATE count(*) AS n) FROM b |> SELECT n
FROM t2 |> TABLESAMPLE (2 ROWS)
FROM t2 SELECT id |> WHERE id = 1
FROM t2 SELECT id
FROM t2 SELECT id WHERE id = 1
FROM t2, t3
FROM t2 UNION ALL FROM t2
FROM t2 UNION ALL TABLE t2
TABLE t2 UNION ALL TABLE t2
TABLE t2 ORDER BY id
TABLE t2 WHERE id = 1
TABLE t2 a
FROM t2 |> JOIN t3 ON t2.id = t3.id AND sum(v) > 1
FROM t2 |> JOIN t3 ON t2.id = nope
FROM t2 |> JOIN t3 USING (nope)
FROM t2 |> JOIN nope ON true
FROM t2 |> WHERE id = 1 |> UNION ALL (FROM t2 |> WHERE id = 2) |> AGGREGATE count(*) AS n
FROM t2 |> HAVING sum(id) > 1
FROM t2 |> QUALIFY id = 1
FROM t2 |> WHERE CASE WHEN id = 1 THEN true END
FROM t2 |> EXTEND id AS x |> EXTEND x + 1 AS x
FROM t2 |> EXTEND amt AS x |> SELECT x, amt |> SET x = x + 1 |> WHERE x > 3
FROM t2 |> DROP amt |> WHERE amt > 1
FROM t2 |> AS a |> WHERE t2.id = 1
FROM t2 |> JOIN t3 ON t2.id = t3.id |> AS j |> SELECT j.v, j.city
FROM t2 |> JOIN t3 ON t2.id = t3.id |> AS j |> SELECT j.id

-- section: pivots
SELECT * FROM t2 PIVOT (sum(amt) FOR city IN ('a', 'b'))
SELECT * FROM t2 PIVOT (sum(amt) AS s FOR city IN ('a', 'b'))
SELECT * FROM t2 PIVOT (sum(amt) AS s FOR city IN ('a' AS x, 'b' y, 'Zz'))
SELECT * FROM t2 PIVOT (sum(amt) AS s, count(*) AS n FOR city IN ('a' AS x, 'b'))
SELECT * FROM t2 PIVOT (sum(amt), count(*) FOR city IN ('a' AS x, 'b'))
SELECT * FROM (SELECT city, amt FROM t2) PIVOT (count(*) FOR city IN ('a', 'q'))
SELECT * FROM (SELECT city, amt FROM t2) PIVOT (count(*) AS c, max(city) AS m FOR city IN ('a', 'q'))
SELECT * FROM (SELECT city, amt FROM t2) PIVOT (count(amt) AS c, max(concat(city, 'x')) AS m FOR city IN ('a', 'q'))
SELECT * FROM (SELECT city, amt, dt FROM t2) PIVOT (max(dt) FOR city IN ('a', 'b'))
SELECT * FROM (SELECT city, amt, dt FROM t2) PIVOT (count(DISTINCT dt) AS d, max(dt) AS m FOR city IN ('a', 'q'))
SELECT * FROM (SELECT city, amt FROM t2 WHERE false) PIVOT (count(*) FOR city IN ('a', 'q'))
SELECT * FROM (SELECT id, city, amt FROM t2 WHERE false) PIVOT (count(*) FOR city IN ('a', 'q'))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) FOR city IN ('a', NULL))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) FOR id IN (1, 2, 3))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) FOR id IN (1 AS one, 2L, '3'))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) FOR id IN (1 + 1, -1))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) FOR (id, city) IN ((1, 'a'), (2, 'b') AS tb))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) AS s, max(amt) AS m FOR (id, city) IN ((1, 'a') AS x, (2, 'b')))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) AS s FOR (id) IN (1, 2))
SELECT * FROM t2 PIVOT (round(sum(amt), 1) AS s FOR city IN ('a', 'b'))
SELECT * FROM t2 PIVOT (sum(amt) / count(*) AS s FOR city IN ('a', 'b'))
SELECT * FROM t2 PIVOT (amt FOR city IN ('a', 'b'))
SELECT * FROM t2 PIVOT (amt + sum(amt) FOR city IN ('a', 'b'))
SELECT * FROM t2 PIVOT (sum(nope) FOR city IN ('a', 'b'))
SELECT * FROM t2 PIVOT (sum(amt) FOR nope IN ('a', 'b'))
SELECT * FROM t2 PIVOT (sum(amt) FOR upper(city) IN ('a', 'b'))
SELECT * FROM t2 PIVOT (sum(amt) FOR city IN (id))
SELECT * FROM t2 PIVOT (sum(amt) FOR city IN (1))
SELECT * FROM t2 PIVOT (sum(amt) FOR id IN ('x'))
SELECT * FROM t2 PIVOT (sum(amt) FOR id IN (DATE '2020-01-01'))
SELECT * FROM t2 PIVOT (sum(amt) FOR (id, city) IN (1, 2))
SELECT * FROM t2 PIVOT (sum(amt) FOR (id, city) IN ((1, 'a', 2)))
SELECT * FROM t2 PIVOT (sum(amt) FOR city IN ())
SELECT * FROM t2 PIVOT (sum(amt) FOR city IN ('a', 'a'))
SELECT * FROM t2 PIVOT (sum(amt) FOR city IN ('a')) AS p
SELECT p.a FROM t2 PIVOT (sum(amt) FOR city IN ('a')) p
SELECT p.q FROM t2 PIVOT (sum(amt) FOR city IN ('a')) AS p (x, y, q)
SELECT t2.id FROM t2 PIVOT (sum(amt) FOR city IN ('a'))
SELECT t2.id, a FROM t2 PIVOT (sum(amt) FOR city IN ('a')) WHERE a > 1
SELECT t2.city FROM t2 PIVOT (sum(amt) FOR city IN ('a'))
SELECT * FROM t2 JOIN t3 ON t2.id = t3.id PIVOT (sum(amt) FOR city IN ('a'))
SELECT * FROM t2 JOIN t3 USING (id) PIVOT (sum(amt) FOR city IN ('a'))
SELECT * FROM t2 PIVOT (sum(amt) FOR city IN ('a')) JOIN t3 ON t2.id = t3.id
SELECT p.a, t3.v FROM t2 PIVOT (sum(amt) FOR city IN ('a')) p JOIN t3 ON p.id = t3.id
SELECT * FROM t3 JOIN t2 PIVOT (sum(amt) FOR city IN ('a')) ON true
SELECT * FROM t2, t3 PIVOT (sum(amt) FOR city IN ('a'))
SELECT * FROM t2 PIVOT (sum(t2.amt) FOR t2.city IN ('a', 'b'))
SELECT * FROM t2 x PIVOT (sum(x.amt) FOR x.city IN ('a', 'b'))
SELECT * FROM t2 PIVOT (sum(amt) FILTER (WHERE id > 1) FOR city IN ('a', 'b'))
SELECT * FROM (SELECT id, city, dt FROM t2) PIVOT (collect_list(dt) FOR city IN ('a', 'b'))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (count(amt) AS c FOR city IN ('a', 'b')) ORDER BY id
SELECT id, coalesce(a, 0) AS a FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) FOR city IN ('a', 'b'))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) FOR city IN ('a', 'b')) PIVOT (max(a) FOR id IN (1, 2))
FROM t2 |> SELECT id, city, amt |> PIVOT (sum(amt) FOR city IN ('a', 'b')) |> WHERE a > 1
FROM t2 |> SELECT id, city, amt |> PIVOT (sum(amt) FOR city IN ('a', 'b')) AS p |> WHERE p.a > 1
FROM t2 |> SELECT id, city, amt |> PIVOT (sum(amt) FOR city IN ('a', 'b')) |> AS p |> WHERE p.a > 1
FROM t2 x |> PIVOT (sum(amt) FOR city IN ('a')) |> WHERE x.id = 1
SELECT * FROM t2 PIVOT (sum(amt) FOR city IN ('a' AS id))
SELECT * FROM t2 PIVOT (sum(amt) OVER () FOR city IN ('a'))
SELECT * FROM t2 PIVOT (sum(sum(amt)) FOR city IN ('a'))
SELECT * FROM t2 PIVOT (sum(DISTINCT amt) FOR city IN ('a'))
SELECT * FROM t2 PIVOT (first(amt) FOR city IN ('a'))
SELECT * FROM (SELECT flag, id FROM t1) PIVOT (count(*) FOR flag IN (true, false))
SELECT * FROM (SELECT d, id FROM t1) PIVOT (count(*) FOR d IN (DATE '2020-01-01' AS d1, '2020-01-02'))
SELECT * FROM (SELECT v, id FROM t3) PIVOT (count(*) FOR v IN (1.0, 2, 2.5D))
SELECT * FROM t3 UNPIVOT (x FOR y IN (v))
SELECT * FROM t3 UNPIVOT (x FOR y IN (id, v))
SELECT * FROM t3 UNPIVOT INCLUDE NULLS (x FOR y IN (id, v))
SELECT * FROM t3 UNPIVOT EXCLUDE NULLS (x FOR y IN (id AS i, v AS `w w`))
SELECT * FROM t3 UNPIVOT (x FOR y IN (id AS 'i'))
SELECT * FROM t3 UNPIVOT (x FOR y IN (id, grp))
SELECT * FROM t3 UNPIVOT ((x, z) FOR y IN ((id, v), (v, id)))
SELECT * FROM t3 UNPIVOT ((x, z) FOR y IN ((id, v) AS one, (v, id) AS two))
SELECT * FROM t3 UNPIVOT (x FOR y IN (t3.id, t3.v)) AS u
SELECT u.x, u.y FROM t3 UNPIVOT (x FOR y IN (id, v)) u WHERE u.x > 1
SELECT * FROM t3 UNPIVOT (x FOR y IN (nope))
SELECT * FROM t3 UNPIVOT (x FOR y IN (id, v)) JOIN t2 ON t2.amt = x
SELECT * FROM t3 UNPIVOT (x FOR y IN (id + 1))
SELECT * FROM t3 UNPIVOT (x FOR y IN ())
SELECT * FROM t3 UNPIVOT ((x, z) FOR y IN (id, v))
SELECT * FROM t3 UNPIVOT (x FOR y IN ((id, v)))
SELECT * FROM t3 UNPIVOT (x FOR y IN (id, id))
SELECT * FROM t3 UNPIVOT (grp FOR y IN (id, v))
SELECT grp FROM t3 UNPIVOT (x FOR y IN (id, v))
SELECT id FROM t3 UNPIVOT (x FOR y IN (id, v))
SELECT t3.grp FROM t3 UNPIVOT (x FOR y IN (id, v))
FROM t3 |> UNPIVOT (x FOR y IN (id, v)) |> WHERE x > 1
FROM t3 |> UNPIVOT (x FOR y IN (id, v)) AS u |> WHERE u.x > 1
SELECT * FROM t2 UNPIVOT (x FOR y IN (city, dt)) PIVOT (count(*) FOR y IN ('city', 'dt'))
SELECT * FROM (SELECT id, city, amt FROM t2) PIVOT (sum(amt) FOR city IN ('a', 'b')) UNPIVOT (x FOR y IN (a, b))
SELECT * FROM t3 UNPIVOT ((x, z) FOR y IN ((id, v) AS one)) WHERE z > 1
SELECT * FROM VALUES (1, NULL, NULL), (2, 3, NULL) AS v(a, b, c) UNPIVOT ((x, z) FOR y IN ((a, b), (b, c)))
SELECT * FROM VALUES (1, NULL, NULL), (2, 3, NULL) AS v(a, b, c) UNPIVOT (x FOR y IN (B, c AS cc))
FROM t2 |> PIVOT (sum(amt) FOR city IN ('a', 'b'))
FROM t2 |> PIVOT
SELECT * FROM t2 PIVOT (sum(amt) IN ('a'))
SELECT * FROM t2 PIVOT (FOR city IN ('a'))
SELECT * FROM t2 PIVOT sum(amt) FOR city IN ('a')
SELECT pivot FROM (SELECT 1 AS pivot)
SELECT unpivot.id FROM t2 unpivot
SELECT pivot.id FROM t2 AS pivot
WITH p AS (SELECT * FROM t2 PIVOT (sum(amt) FOR city IN ('a'))) SELECT id, a FROM p
INSERT INTO t3 SELECT id, dt, a FROM t2 PIVOT (sum(amt) FOR city IN ('a'))
-- section: partitions named by constants
ALTER TABLE fbt.pt DROP IF EXISTS PARTITION (dt = '2023-02-01')
ALTER TABLE fbt.pt DROP IF EXISTS PARTITION (dt = 2023-02-01)
ALTER TABLE fbt.pt DROP IF EXISTS PARTITION (dt < '2023-02-01')
ALTER TABLE fbt.pt DROP IF EXISTS PARTITION (dt = concat('a', 'b'))
ALTER TABLE fbt.pt DROP IF EXISTS PARTITION (dt = 20230201)
ALTER TABLE fbt.pt DROP IF EXISTS PARTITION (dt = -1)
ALTER TABLE fbt.pt DROP IF EXISTS PARTITION (dt = (1))
ALTER TABLE fbt.pt DROP IF EXISTS PARTITION (dt = DATE '2023-02-01')
ALTER TABLE fbt.pt DROP IF EXISTS PARTITION (dt = CAST('a' AS STRING))
TRUNCATE TABLE fbt.pt PARTITION (dt = 2023-02-01)
TRUNCATE TABLE fbt.pt PARTITION (dt = upper('a'))
INSERT INTO fbt.pt PARTITION (dt = 2023-02-01) SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = concat('a', 'b')) SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = CAST('a' AS STRING)) SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = current_date()) SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = current_date) SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = DATE '2023-02-01') SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = 20230201) SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = -1) SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = NULL) SELECT id, name FROM t1
INSERT INTO fbt.pt PARTITION (dt = id) SELECT id, name FROM t1
CREATE TABLE fbt.c1 AS SELECT id, name, id FROM t1
CREATE TABLE fbt.c2 AS SELECT id, name AS ID FROM t1
CREATE TABLE fbt.c3 USING parquet AS SELECT a.id, b.id FROM t1 a JOIN t1 b ON a.id = b.id
CREATE TABLE fbt.c4 AS SELECT * FROM t1 a JOIN t1 b ON a.id = b.id
CREATE TABLE fbt.c5 AS SELECT id, name AS other FROM t1
CREATE OR REPLACE TEMPORARY VIEW c6 AS SELECT id, id FROM t1
CREATE TEMPORARY TABLE c7 AS SELECT id, name FROM t1
-- section: aliases of the list inside windows and aggregates
SELECT name AS x, row_number() OVER (PARTITION BY x ORDER BY id) AS rn FROM t1
SELECT name AS x, row_number() OVER (ORDER BY x) AS rn FROM t1
SELECT name AS x, count(*) AS c, row_number() OVER (PARTITION BY name ORDER BY c DESC) AS rn FROM t1 GROUP BY name
SELECT amt + 1 AS x, sum(x) OVER (PARTITION BY name) AS s FROM t1
SELECT name AS x, sum(amt) OVER (PARTITION BY name ORDER BY x) AS s FROM t1
SELECT name AS x, row_number() OVER w AS rn FROM t1 WINDOW w AS (PARTITION BY x ORDER BY id)
SELECT amt + 1 AS x, x + 1 AS y, sum(amt) OVER (PARTITION BY name) AS s FROM t1
SELECT amt + 1 AS x, sum(amt) OVER (PARTITION BY name) AS s, s + x AS y FROM t1
SELECT name AS id, row_number() OVER (PARTITION BY id ORDER BY d) AS rn FROM t1
SELECT name AS x, amt FROM t1 QUALIFY row_number() OVER (PARTITION BY x ORDER BY id) = 1
SELECT amt + 1 AS x, row_number() OVER (ORDER BY x) AS rn FROM t1 QUALIFY rn = 1
SELECT amt + 1 AS x, coalesce(lag(x) OVER (ORDER BY id), 0) AS y FROM t1
SELECT name, amt + 1 AS x, sum(x) AS s FROM t1 GROUP BY name, amt
SELECT name AS x, count(x) AS c FROM t1 GROUP BY name
SELECT name AS x, count(*) AS c, c + 1 AS e FROM t1 GROUP BY name
SELECT name AS x, max(amt) AS c, count(*) FILTER (WHERE c > 1) AS e FROM t1 GROUP BY name
