use crate::corpus::Reference;
use crate::engine::table::Value;
use crate::prove::{ReferenceRefusal, Subject};

const DDL: &str = "CREATE TABLE t (id BIGINT, v INT, d DATE, name STRING); \
                   CREATE TABLE pv (page_id BIGINT, c BIGINT, year INT, month INT, day INT); \
                   CREATE TABLE o (concept_cd STRING, mapped STRING, n INT); \
                   CREATE TABLE xw (src_code_type STRING, src_code STRING, target BIGINT); \
                   CREATE TABLE a (city STRING, n INT); CREATE TABLE b (dt DATE, m INT); \
                   CREATE TABLE w (order_id BIGINT NOT NULL, customer_id BIGINT, status STRING, amount DECIMAL(18,2), \
                   profit DECIMAL(18,2), created_at TIMESTAMP, tags STRING, note STRING, dt STRING); \
                   CREATE TABLE e (tags STRING, header STRUCT<at: BIGINT, id: STRING>); \
                   CREATE TABLE s (id STRING, begun TIMESTAMP, ended TIMESTAMP); \
                   CREATE TABLE r (id INT, share DECIMAL(10,10), part DECIMAL(10,10), day DATE, paid DATE);";

/// The refusal of a script, in words; `None` if its baseline gives rows.
fn refusal(script: &str) -> Option<String> {
    Subject::new(&Reference::of_test(script, DDL)).err().map(|refusal: ReferenceRefusal| refusal.to_string())
}

#[test]
fn conditions_and_joins_over_functions_find_rows() {
    for script in [
        "SELECT page_id, c FROM pv WHERE make_date(year, month, day) >= date'2025-10-25'",
        "SELECT page_id, c FROM pv WHERE concat_ws('-', year, month, day) = '2025-10-25'",
        "SELECT page_id, c FROM pv WHERE concat(lpad(year, 4, '0'), lpad(month, 2, '0'), lpad(day, 2, '0')) = '20251025'",
        "SELECT o.n FROM o JOIN xw ON concat(xw.src_code_type, ':', xw.src_code) = o.concept_cd",
        "SELECT o.n FROM o JOIN xw ON xw.src_code = substr(o.concept_cd, instr(o.concept_cd, ':') + 1)",
        "SELECT o.n FROM o JOIN xw ON concat(xw.src_code_type, ':', xw.src_code) = COALESCE(o.mapped, o.concept_cd)",
        "SELECT o.n FROM o JOIN xw ON md5(xw.src_code) = o.concept_cd",
        "SELECT o.n FROM o JOIN xw ON o.concept_cd LIKE concat('%', xw.src_code, '-%')",
        "SELECT o.n FROM o JOIN xw ON o.concept_cd LIKE concat(xw.src_code, '%')",
        "SELECT o.n FROM o JOIN xw ON o.concept_cd ILIKE '%' || xw.src_code || '%'",
        "SELECT o.n FROM o JOIN xw ON instr(o.concept_cd, xw.src_code) > 0",
        "SELECT o.n FROM o JOIN xw ON contains(lower(o.concept_cd), lower(xw.src_code))",
        "WITH x AS (SELECT md5(concat(src_code_type, '|', src_code)) AS k, target FROM xw) \
         SELECT o.n, x.target FROM o JOIN x ON o.concept_cd = x.k",
        "SELECT o.n FROM o JOIN xw ON upper(md5(xw.src_code)) = upper(md5(o.concept_cd))",
        "SELECT o.n FROM o JOIN xw ON substring_index(o.concept_cd, '/', 1) = xw.src_code WHERE o.n > 3",
        "SELECT n FROM o WHERE rpad(substr(concept_cd, 1, 5), 10, '0') IN (SELECT src_code FROM xw WHERE target > 3)",
        "SELECT c FROM pv WHERE concat(year, lpad(month, 2, '0')) <= '202407' AND concat(year, '-', lpad(day, 2, '0')) > '2'",
        "SELECT n FROM o WHERE parse_url(mapped, 'HOST') = 'a.org' AND parse_url(mapped, 'PATH') LIKE '/w/%' \
         AND parse_url(mapped, 'QUERY', 'lang') IN ('de', 'en')",
        "SELECT n FROM (SELECT n, concat('http://a.org/b/', mapped) AS u FROM o) x WHERE parse_url(u, 'QUERY', 'debug') = 'no' \
         AND parse_url(u, 'QUERY', 'kind') = 'x'",
        "SELECT n FROM o WHERE parse_url(mapped, 'QUERY', 'rate') IS NOT NULL AND parse_url(mapped, 'QUERY', 'v') NOT IN ('a') \
         AND cast(parse_url(mapped, 'QUERY', 'rate') AS float) != 'Infinity'",
        "SELECT n FROM o WHERE unix_timestamp(mapped, 'dd-MMM-yyyy') IS NOT NULL AND to_date(concept_cd, 'yy/MM/dd') IS NOT NULL",
        "SELECT n FROM o WHERE to_date(mapped, 'dd-MM-yy') BETWEEN '2024-01-01' AND '2024-02-02'",
        "SELECT o.n FROM o JOIN b ON to_date(o.mapped, 'dd-MMM-yyyy') = b.dt WHERE b.m > 3",
        "WITH x AS (SELECT n, to_date(mapped, 'ddMMMyyyy') AS d FROM o), y AS (SELECT * FROM x UNION ALL SELECT * FROM x) \
         SELECT n FROM y WHERE d IS NOT NULL AND cast(d AS DATE) <= '2024-04-04'",
        "SELECT n FROM o WHERE to_timestamp(mapped, 'MM/dd/yyyy HH:mm') < '2024-01-01' AND concept_cd > 'x'",
        "SELECT n, max(to_date(mapped, 'dd-MMM-yyyy')) AS d FROM o GROUP BY n HAVING max(to_date(mapped, 'dd-MMM-yyyy')) > '2024-01-01'",
        "SELECT target FROM (SELECT target, min(CASE src_code_type WHEN 'a' THEN src_code END) AS a, \
         min(CASE src_code_type WHEN 'b' THEN src_code END) AS b FROM xw GROUP BY target) q WHERE a IS NOT NULL AND b IS NOT NULL",
        "SELECT n FROM o WHERE unix_timestamp(mapped, 'dd-MMM-yyyy') < 1527465600",
        "SELECT w.status, count(*) AS c FROM w LEFT ANTI JOIN xw ON xw.src_code = w.status AND xw.target > 3 GROUP BY w.status \
         HAVING count(*) >= 3",
        "SELECT id FROM s WHERE ended - begun > INTERVAL 2 HOURS",
        "SELECT id FROM s WHERE ended - begun BETWEEN INTERVAL 3 HOURS AND INTERVAL 1 DAY AND begun > TIMESTAMP '2024-01-05 00:00:00'",
        "SELECT id FROM s WHERE cast(date(ended) - date(begun) AS INT) = 5",
        "SELECT id FROM (SELECT id, begun - lag(begun) OVER (PARTITION BY id ORDER BY begun) AS gap FROM s) x \
         WHERE gap > INTERVAL 30 MINUTES",
        "SELECT id FROM t WHERE year(d) = 2021 AND month(d) = 2",
        "SELECT customer_id, count(*) AS c FROM w GROUP BY 1 HAVING count(*) > 1",
        "SELECT customer_id, count(*) AS c FROM w GROUP BY ALL HAVING count(*) > 1",
        "SELECT customer_id, k FROM (SELECT customer_id, row_number() OVER (PARTITION BY customer_id ORDER BY created_at, \
         order_id) AS k FROM w) x WHERE k = 2",
        "SELECT k FROM (SELECT order_id, count(*) OVER (PARTITION BY customer_id) AS k FROM w) x WHERE k >= 3",
        "SELECT order_id FROM w QUALIFY count(*) OVER (PARTITION BY customer_id) > 1",
        "SELECT p FROM (SELECT amount, lag(amount) OVER (PARTITION BY customer_id ORDER BY order_id) AS p FROM w) x \
         WHERE p < amount",
        "SELECT order_id FROM w WHERE status LIKE ANY ('ab%', 'c%') AND created_at >= dateadd(DAY, -7, DATE'2031-03-15')",
        "SELECT customer_id FROM (SELECT customer_id FROM w GROUP BY customer_id HAVING sum(amount) >= 10000 AND \
         sum(profit) / abs(sum(amount)) > 0.03) x",
        "SELECT order_id FROM w WHERE lower(status) LIKE '%paid%' AND status LIKE '%-%' AND instr(note, ':') > 0 AND note LIKE 'a%'",
        "SELECT order_id FROM w WHERE status LIKE '%paid%' AND size(split(status, '-')) <> 1 AND size(split(note, ',')) = 3",
        "SELECT row_number() OVER (ORDER BY dt) AS k, dt, note FROM w",
        "SELECT status, row_number() OVER (ORDER BY sum(amount) DESC) AS k FROM w GROUP BY status HAVING sum(amount) >= 1000",
        "CREATE TABLE x AS SELECT row_number() OVER (ORDER BY status) AS k, status, note FROM w; SELECT k FROM x",
        "SELECT status FROM (SELECT status, amount FROM w WHERE profit / amount > 0.5 AND amount > 1) x WHERE amount > 9000",
        "SELECT id FROM t WHERE v * 2 + 1 > 901 AND 100 - v < -400",
        "SELECT name, COUNT(*) AS n FROM t GROUP BY name HAVING COUNT(*) >= 5",
        "SELECT id FROM t WHERE from_unixtime(unix_timestamp(d), 'yyyy-MM') = '2024-03'",
        "SELECT v FROM t WHERE from_unixtime(id, 'yyyy-MM-dd') = '2018-08-02'",
        "SELECT id FROM t WHERE from_unixtime(v, 'yyyy-MM-dd') != '1970-01-01'",
        "SELECT split(name, '_')[0] AS k FROM t WHERE name LIKE '1034%' OR name LIKE '2358773%'",
        "SELECT split(name, '_')[0] AS k FROM t WHERE name IN ('a', 'b')",
        "SELECT v FROM t WHERE to_date(from_unixtime(id / 1000)) BETWEEN '2024-05-01' AND '2024-05-31' AND v % 7 = 3",
        "SELECT v FROM t WHERE cast(id AS TIMESTAMP) >= '2024-03-10' AND from_unixtime(cast(name AS BIGINT), 'yyyyMM') = '202406'",
        "SELECT x.v FROM t x JOIN pv ON x.v BETWEEN pv.year AND pv.month AND pv.page_id = x.id WHERE x.v >= 20240101",
        "SELECT x.v FROM t x JOIN pv ON pv.year < x.v AND x.v < pv.month WHERE pv.month <= 300 AND pv.year > 250",
        "SELECT r.id FROM r WHERE r.share IS NOT NULL AND r.share <> r.part AND r.day <> r.paid",
        "SELECT id FROM t WHERE from_unixtime(unix_timestamp(name, 'yyyyMMdd'), 'yyyy-MM-dd') >= '2024-03-05'",
        "SELECT id FROM t WHERE regexp_extract(name, '([a-z]+)-([0-9]+)', 2) = '42'",
        "SELECT id FROM t WHERE name RLIKE '^[A-Z]{2}[0-9]{4}$'",
        "SELECT id FROM t WHERE substr(name, 1, 3) = 'abc' AND length(name) > 5",
        "SELECT id FROM t WHERE name LIKE 'ab%c' AND length(name) = 8",
        "SELECT id FROM t WHERE cast(substr(name, 6, 2) AS INT) = 3",
        "SELECT id FROM t WHERE reverse(name) = 'abc' AND v > 3",
        "SELECT id FROM t WHERE instr(name, '@') > 3",
        "SELECT id FROM s WHERE unix_timestamp(ended) - unix_timestamp(begun) > 3600",
        "SELECT id FROM s WHERE (unix_timestamp(ended) - unix_timestamp(begun)) / 60 BETWEEN 5 AND 30",
        "SELECT a.n FROM a JOIN o ON a.city = o.concept_cd WHERE unix_timestamp(o.mapped) - unix_timestamp(a.city) > 60",
        "SELECT x.id FROM s x JOIN t ON t.id <= unix_timestamp(x.begun) AND unix_timestamp(x.begun) <= t.v",
        "SELECT t.id FROM t JOIN b ON b.m = t.v WHERE floor(months_between(b.dt, t.d) / 12) >= 18",
        "SELECT k, c FROM (SELECT name AS k, COUNT(DISTINCT v) AS c FROM t GROUP BY name) q WHERE c >= 3",
        "SELECT id FROM s WHERE datediff(MINUTE, begun, ended) BETWEEN 1 AND 240 AND begun >= '2024-03-01'",
        "USE shop; CREATE TEMPORARY VIEW x AS SELECT id, v FROM t WHERE id > 3; SELECT id FROM x WHERE v IN (905, 906)",
        "CREATE TEMPORARY VIEW x AS SELECT id, datediff(MINUTE, begun, ended) AS m FROM s; \
         SELECT id FROM x WHERE m BETWEEN 1 AND 240",
        "WITH x AS (SELECT name, COUNT(*) AS n FROM t GROUP BY name) SELECT name FROM x WHERE n >= 3",
        "SELECT v, COUNT(DISTINCT name) AS n FROM t GROUP BY v HAVING n > 10",
        "CREATE TEMPORARY TABLE x AS SELECT name, collect_set(v) AS vs FROM t GROUP BY name; \
         SELECT name FROM x WHERE size(vs) = 3",
        "SELECT w, g, f, COUNT(DISTINCT id) AS n FROM (SELECT id, lower(trim(t.name)) AS w, \
         CASE WHEN city = 'male' THEN 1 WHEN city = 'female' THEN 2 ELSE 0 END AS g, \
         CASE WHEN concept_cd IN ('x', 'y') THEN 1 ELSE 0 END AS f FROM t LEFT JOIN a ON a.n = t.v \
         LEFT JOIN o ON o.n = t.v) q WHERE w != '' GROUP BY w, g, f HAVING n > 10",
        "SELECT d, w, COUNT(*) AS n FROM (SELECT d, lower(trim(name)) AS w FROM t) q WHERE w != '' GROUP BY d, w HAVING n > 12",
        "SELECT q.mapped, q.n FROM (SELECT mapped, COUNT(DISTINCT concept_cd) AS n FROM o GROUP BY mapped) q \
         JOIN xw ON xw.src_code = q.mapped WHERE q.n > 20 AND q.mapped != '' AND length(q.mapped) <= 128",
        "SELECT id FROM t WHERE weekofyear(d) = 10 AND v > 3",
        "SELECT n, COUNT(*) FROM t LATERAL VIEW explode(array(7, 30)) x AS n \
         WHERE d BETWEEN date_add('2031-10-10', -n + 1) AND '2031-10-10' GROUP BY n",
        "SELECT id FROM s WHERE hour(begun) BETWEEN 8 AND 17 AND dayofweek(begun) IN (2, 3)",
        "WITH x AS (SELECT id, datediff(ended, begun) AS days FROM s) SELECT id FROM x WHERE days > 12",
        "SELECT t.id FROM t JOIN s ON s.id = t.name WHERE datediff(t.d, s.begun) >= 90",
        "SELECT pv.c FROM pv JOIN t ON make_date(pv.year, pv.month, pv.day) = t.d",
        "INSERT INTO o SELECT p.concept_cd, 'x', q.n FROM o p JOIN o q ON p.mapped = q.mapped \
         WHERE p.concept_cd = 'a1' AND q.concept_cd = 'b1'",
        "INSERT OVERWRITE TABLE t SELECT id, v, d, name FROM t WHERE v > 3 UNION SELECT id, c, d, 'new' FROM t JOIN pv ON page_id = id",
        "INSERT INTO o SELECT city, 'x', n FROM a; SELECT concept_cd FROM o WHERE n > 30 AND mapped = 'x'",
        "SELECT n FROM o WHERE substr(concat_ws('@', mapped, concept_cd), 4, 2) = 'xy'",
        "SELECT id FROM s WHERE substr(concat(ended, id), 20, 3) = 'new' AND ended > begun",
        "SELECT name FROM (SELECT name, v, LEAD(name) OVER (PARTITION BY d ORDER BY id) AS next FROM t) q \
         WHERE name = 'in' AND next = 'out'",
        "SELECT e.tags FROM e JOIN xw ON xw.src_code_type = e.header.id WHERE array_contains(split(e.tags, ','), xw.src_code)",
        "SELECT tags FROM e WHERE substr(from_unixtime(cast(header.at / 1000 AS BIGINT), 'yyyy-MM-dd HH:mm:ss'), 12, 2) >= 18 \
         AND substr(from_unixtime(cast(header.at / 1000 AS BIGINT), 'yyyy-MM-dd HH:mm:ss'), 12, 2) <= 23",
        "SELECT o.n FROM o JOIN (SELECT target, max(if(src_code_type = 'kind', src_code, NULL)) AS kind, \
         max(CASE WHEN src_code_type = 'code' THEN src_code END) AS code FROM xw GROUP BY target) c ON o.concept_cd = c.code \
         WHERE c.kind IN ('A1', 'B2')",
        "SELECT target FROM xw GROUP BY target HAVING SUM(CASE WHEN src_code_type = 'gone' THEN 1 ELSE 0 END) = 0",
        "SELECT e.tags FROM e JOIN xw ON xw.src_code_type = e.header.id WHERE NOT array_contains(split(e.tags, ','), xw.src_code)",
        "SELECT tags FROM e WHERE to_date(from_unixtime(header.at)) = '2024-03-15' AND hour(from_unixtime(header.at)) >= 18",
        "SELECT v FROM t WHERE id = (SELECT page_id FROM pv WHERE year = 2024 AND month = 3 AND day = 15)",
        "SELECT o.n FROM o WHERE o.concept_cd = (SELECT src_code FROM xw WHERE target = 7) AND o.n > 3",
        "SELECT name FROM (SELECT name, LEAD(name) OVER (PARTITION BY v ORDER BY d) AS next FROM t) q \
         WHERE name = 'in' AND next = 'out'",
        "SELECT city FROM (SELECT city, LAG(city) OVER (PARTITION BY concept_cd ORDER BY mapped) AS last FROM a \
         JOIN o ON a.n = o.n) q WHERE city = 'in' AND last = 'out'",
        "SELECT s FROM (SELECT s, LEAD(s, 1) OVER (PARTITION BY n ORDER BY concept_cd) AS next FROM \
         (SELECT n, concept_cd, concat_ws('@', concept_cd, mapped) AS s FROM o) x) y \
         WHERE substr(s, 12, 2) = 'in' AND substr(next, 12, 3) = 'out'",
    ] {
        assert_eq!(refusal(script), None, "{script}");
    }
}

#[test]
fn conditions_that_nothing_inverts_are_met_by_search() {
    for script in [
        "SELECT c FROM pv WHERE year * 10000 + month * 100 + day BETWEEN 20240301 AND 20240315",
        "SELECT v FROM t WHERE date_format(d, 'yyyyMM') = '202403' AND dayofweek(d) = 6 AND d > '2024-03-09'",
        "SELECT v FROM t WHERE last_day(d) = '2024-03-31' AND quarter(d) = 1",
        "SELECT v FROM t WHERE id % 10 = 3 AND id / 1000 > 5",
        "SELECT v FROM t WHERE substring(name, -4) = '0001' AND left(name, 2) IN ('AB', 'CD')",
        "SELECT v FROM t WHERE regexp_extract(name, '/p/([^/]+)/', 1) <> '' AND name RLIKE '^https?://shop'",
        "SELECT c FROM pv WHERE concat(year, lpad(month, 2, '0')) = date_format(date_add(make_date(year, month, 1), day), 'yyyyMM')",
        "SELECT n FROM o WHERE get_json_object(mapped, '$.price') * get_json_object(mapped, '$.a.qty') >= 100",
        "SELECT o.n FROM o JOIN xw ON o.n = xw.target WHERE o.mapped || xw.src_code IN ('aDE', 'bFR')",
        "WITH p AS (SELECT r.pos, r.part FROM e LATERAL VIEW posexplode(split(e.tags, ',')) r AS pos, part) \
         SELECT p.part FROM p JOIN o ON p.pos = o.n WHERE o.mapped LIKE 'a%'",
        "SELECT v FROM t WHERE decode(name, 'a', 1, 'b', 2, 0) = 2",
        "SELECT n FROM o WHERE unix_timestamp(mapped, 'yyyy-MM-dd') < unix_timestamp(concept_cd, 'dd-MMM-yyyy') + 691200",
        "SELECT x.v FROM t x JOIN t y ON x.name = y.name AND y.d BETWEEN date_add(x.d, 1) AND date_add(x.d, 30)",
        "SELECT o.n FROM o JOIN xw ON o.mapped = xw.src_code AND o.concept_cd = substr(xw.src_code_type, 1, 7)",
        "SELECT n FROM (SELECT n, concat(mapped, '-', concept_cd) AS k, n * 7 AS p FROM o) x WHERE k RLIKE '^a.-b' AND p % 10 = 4",
        "SELECT o.n FROM o JOIN xw ON get_json_object(o.mapped, '$.k') = xw.src_code \
         WHERE get_json_object(o.mapped, '$.k') = 'a' OR get_json_object(o.mapped, '$.k') = 'b'",
        "SELECT v FROM t WHERE EXISTS (SELECT 1 FROM r WHERE r.id = t.v AND r.day < date_sub(t.d, 6570))",
        "SELECT v FROM t WHERE element_at(split(name, '-'), -1) = '9' AND size(split(name, '-')) = 3",
        "SELECT v FROM t WHERE str_to_map(name, '&', '=')['k'] = 'v' AND str_to_map(name, '&', '=')['n'] > 3",
        "SELECT v FROM t WHERE from_json(name, 'a STRING, n INT').a = 'x' AND from_json(name, 'a STRING, n INT').n > 3",
    ] {
        assert_eq!(refusal(script), None, "{script}");
    }
    // What doubles with each of many queries is left alone.
    let doubled: String = (1..14).map(|n| format!(", q{n} AS (SELECT v + v AS v FROM q{})", n - 1)).collect();
    assert!(refusal(&format!("WITH q0 AS (SELECT v FROM t){doubled} SELECT v FROM q13 WHERE v % 2 = 1")).is_some());
    // What no value meets is told as before.
    let refusal = refusal("SELECT v FROM t WHERE id * 2 + id = 7 AND v > 3").unwrap();
    assert!(refusal.contains("no row meets `id * 2 + id = 7` in line 1"), "{refusal}");
}

#[test]
fn a_group_has_one_thing_and_lacks_another() {
    for script in [
        "SELECT id FROM t GROUP BY id HAVING sum(if(name = 'a', 1, 0)) > 0 AND sum(if(name = 'b', 1, 0)) = 0",
        "SELECT id FROM t GROUP BY id HAVING datediff(max(d), min(d)) > 30",
        "SELECT id FROM (SELECT id, max(v) AS most, min(v) AS least FROM t GROUP BY id) x WHERE most - least >= 50",
        "SELECT * FROM (SELECT name, sum(v) / sum(id) AS p FROM t GROUP BY name) x WHERE p BETWEEN 0.1 AND 0.9",
        "SELECT name, count(*) AS c FROM t GROUP BY name HAVING sum(v) - 2 * sum(id) = 7",
        "SELECT p FROM (SELECT d, sum(if(name = 'a', v, 0)) * 100 / sum(v) AS p FROM t GROUP BY d) x WHERE round(p, 1) > 50",
    ] {
        assert_eq!(refusal(script), None, "{script}");
    }
}

#[test]
fn two_reads_of_a_with_table_may_exclude_each_other() {
    for script in [
        "WITH p AS (SELECT id, name FROM t WHERE v > 3) SELECT x.id FROM p x JOIN p y ON y.id = x.id \
         WHERE x.name LIKE 'E01%' AND y.name LIKE 'E02%'",
        "WITH p AS (SELECT id, name, d FROM t) SELECT x.id FROM (SELECT id, explode(split(name, ',')) AS part FROM p) x \
         JOIN p y ON x.part = y.name WHERE y.d = '2024-03-15'",
    ] {
        assert_eq!(refusal(script), None, "{script}");
    }
}

#[test]
fn what_is_made_of_one_scan_finds_rows_when_joined_with_itself() {
    for script in [
        "WITH e AS (SELECT id, name FROM t) SELECT n.id FROM e n JOIN e y ON n.id = y.id WHERE n.name = 'A' AND y.name = 'B'",
        "WITH m AS (SELECT page_id, month, SUM(c) AS s FROM pv GROUP BY page_id, month) \
         SELECT c.page_id, c.s - p.s AS change FROM m c JOIN m p ON c.page_id = p.page_id AND p.month = c.month - 1",
        "WITH m AS (SELECT id, d, v FROM t WHERE v > 0) \
         SELECT c.id, c.v - p.v AS change FROM m c JOIN m p ON c.id = p.id AND p.d = date_sub(c.d, 1)",
        "WITH e AS (SELECT id, d IS NOT NULL AS known FROM t), n AS (SELECT id FROM e WHERE NOT known), \
         y AS (SELECT id FROM e WHERE known) SELECT n.id FROM n JOIN y ON n.id = y.id",
        "WITH e AS (SELECT id, name FROM t) SELECT id FROM e WHERE name = 'A' AND id IN (SELECT id FROM e WHERE name = 'B')",
        "WITH e AS (SELECT id, name FROM t) SELECT id FROM e n WHERE name = 'A' \
         AND EXISTS (SELECT 1 FROM e y WHERE y.id = n.id AND y.name = 'B')",
        "CREATE TEMP VIEW e AS SELECT id, name FROM t; \
         SELECT id, n.name FROM e n JOIN e y USING (id) WHERE n.name = 'A' AND y.name = 'B'",
        "WITH m AS (SELECT id, v, ROW_NUMBER() OVER (PARTITION BY id ORDER BY v, d) AS place FROM t) \
         SELECT c.id, c.v - p.v AS change FROM m c JOIN m p ON c.id = p.id AND p.place = c.place - 1",
        "SELECT id FROM t GROUP BY id HAVING COUNT(*) > 300",
        "WITH m AS (SELECT customer_id, substr(dt, 1, 7) AS month, SUM(amount) AS s FROM w \
         WHERE dt BETWEEN date_sub('2031-03-15', 90) AND '2031-03-15' GROUP BY customer_id, substr(dt, 1, 7)) \
         SELECT c.customer_id, c.s - p.s AS change FROM m c JOIN m p ON c.customer_id = p.customer_id \
         AND substr(add_months(concat(c.month, '-01'), -1), 1, 7) = p.month",
        "CREATE TABLE weeks AS SELECT customer_id, week, COUNT(*) AS n FROM (SELECT customer_id, \
         date_format(date_sub(substr(created_at, 1, 10), pmod(datediff(substr(created_at, 1, 10), '1900-01-01'), 7)), \
         'yyyy-MM-dd') AS week FROM w WHERE dt >= '2031-03-01') x GROUP BY customer_id, week; \
         SELECT c.customer_id, c.n - p.n AS change FROM weeks c JOIN weeks p ON c.customer_id = p.customer_id \
         AND date_format(date_sub(c.week, 7), 'yyyy-MM-dd') = p.week",
        "WITH y AS (SELECT name, year(d) AS year, SUM(v) AS s FROM t GROUP BY name, year(d)) \
         SELECT c.name, c.s / p.s AS growth FROM y c JOIN y p ON c.name = p.name AND c.year - 1 = p.year",
        "WITH q AS (SELECT name, trunc(d, 'MM') AS month, SUM(v) AS s FROM t GROUP BY name, trunc(d, 'MM')) \
         SELECT c.name, c.s FROM q c JOIN q p ON c.name = p.name AND add_months(p.month, 12) = c.month",
    ] {
        assert_eq!(refusal(script), None, "{script}");
    }
}

#[test]
fn a_length_that_is_asked_of_a_day_as_text_leaves_it_a_day() {
    let script = "SELECT id FROM (SELECT id, cast(d AS CHAR(10)) AS day FROM t) q WHERE length(day) = 10";
    let reference = Reference::of_test(script, DDL);
    let subject = Subject::new(&reference).unwrap();
    let rows = subject.baseline.iter().flat_map(|baseline| &baseline.database.tables).flat_map(|table| &table.rows);
    let days: Vec<&Value> = rows.map(|row| &row[2]).filter(|day| **day != Value::Null).collect();
    assert!(!days.is_empty());
    assert!(days.iter().all(|day| matches!(day, Value::Text(text) if text.len() == 10)), "{days:?}");
}

#[test]
fn a_text_joined_with_a_date_is_cut_at_no_byte() {
    let script = "SELECT a.n, b.m FROM a LEFT JOIN b ON a.city = b.dt WHERE a.city = '上海市浦东新区'";
    assert_eq!(refusal(script), None);
}

#[test]
fn a_script_without_rows_says_which_condition_nobody_meets() {
    for (script, condition) in [
        ("SELECT id FROM t WHERE v > 3 AND md5(name) = 'abc'", "no row meets `md5(name) = 'abc'` in line 1"),
        (
            "WITH x AS (SELECT id FROM t\nWHERE id > 4 AND id < 4) SELECT id FROM x WHERE id > 1",
            "no row meets `id < 4` in line 2 together with the conditions before it",
        ),
        (
            "SELECT v, COUNT(*) AS n FROM t\nGROUP BY 1\nHAVING MAX(id) < MIN(id)",
            "no row meets `MAX(id) < MIN(id)` in line 3",
        ),
        ("SELECT t.id FROM t\nJOIN xw ON sqrt(t.id) = -1", "no row meets `sqrt(t.id) = -1` in line 2"),
    ] {
        let refusal = refusal(script);
        assert!(refusal.as_ref().is_some_and(|words| words.ends_with(condition)), "{script}: {refusal:?}");
    }
}
