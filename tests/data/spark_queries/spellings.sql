-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: shifts
SELECT n, n << 2, n >> 1, n >>> 1, 1 + n << 1, n << 1 & 6, n >> 1 > 1 FROM VALUES (1), (5), (-5), (NULL) AS t(n);
-- types: ["INT", "INT", "INT", "INT", "INT", "INT", "BOOLEAN"]
-- row: [1, 4, 0, 0, 4, 2, 0]
-- row: [5, 20, 2, 2, 12, 2, 1]
-- row: [-5, -20, -3, 2147483645, -8, 6, 0]
-- row: [null, null, null, null, null, null, null]

-- title: shifts of BIGINT
SELECT n, n << 3, n >> 2, n >>> 60 FROM VALUES (9L), (-9L), (1099511627776L) AS t(n);
-- types: ["BIGINT", "BIGINT", "BIGINT", "BIGINT"]
-- row: [9, 72, 2, 0]
-- row: [-9, -72, -3, 15]
-- row: [1099511627776, 8796093022208, 274877906944, 0]

-- title: a place in a text
SELECT s, position('b' IN s), position('b', s), position('b', s, 3), position(s IN 'abc') FROM VALUES ('abcb'), ('x'), (''), (NULL) AS t(s);
-- types: ["STRING", "INT", "INT", "INT", "INT"]
-- row: ["abcb", 2, 2, 4, 0]
-- row: ["x", 0, 0, 0, 0]
-- row: ["", 0, 0, 0, 1]
-- row: [null, null, null, null, null]

-- title: characters taken from one side
SELECT trim(LEADING FROM s), trim(TRAILING FROM s), trim(BOTH FROM s), length(trim(LEADING FROM s)) FROM VALUES ('  a '), ('b  '), (NULL) AS t(s);
-- types: ["STRING", "STRING", "STRING", "INT"]
-- row: ["a ", "  a", "a", 2]
-- row: ["b  ", "b", "b", 3]
-- row: [null, null, null, null]

-- title: named characters taken from one side
SELECT trim(LEADING 'x' FROM s), trim(TRAILING 'x' FROM s), trim(BOTH 'x' FROM s), trim('x' FROM s) FROM VALUES ('xxaxx'), ('b'), (NULL) AS t(s);
-- types: ["STRING", "STRING", "STRING", "STRING"]
-- row: ["axx", "xxa", "a", "a"]
-- row: ["b", "b", "b", "b"]
-- row: [null, null, null, null]

-- title: a text laid over another
SELECT overlay(s PLACING '__' FROM 2), overlay(s PLACING '__' FROM 2 FOR 0), overlay(s PLACING 'q' FROM 1 FOR 3) FROM VALUES ('Spark'), ('a'), (NULL) AS t(s);
-- types: ["STRING", "STRING", "STRING"]
-- row: ["S__rk", "S__park", "qrk"]
-- row: ["a__", "a__", "q"]
-- row: [null, null, null]

-- title: unknown is NULL
SELECT f, f IS UNKNOWN, f IS NOT UNKNOWN, (f AND false) IS UNKNOWN FROM VALUES (true), (false), (NULL) AS t(f);
-- types: ["BOOLEAN", "BOOLEAN", "BOOLEAN", "BOOLEAN"]
-- row: [1, 0, 1, 0]
-- row: [0, 0, 1, 0]
-- row: [null, 1, 0, 0]

-- title: strings beside each other
SELECT 'a' 'b', 'a' "b" 'c', concat('x' 'y', 'z'), length('a' 'bc') FROM VALUES (1) AS t(n);
-- types: ["STRING", "STRING", "STRING", "INT"]
-- row: ["ab", "abc", "xyz", 3]

-- title: raw strings
SELECT r'a\b', R"it's", r'\d' 'x', length(r'\n'), 'a1b' RLIKE r'\d' FROM VALUES (1) AS t(n);
-- types: ["STRING", "STRING", "STRING", "INT", "BOOLEAN"]
-- row: ["a\\b", "it's", "\\dx", 2, 1]

-- title: all rows
SELECT n FROM VALUES (2), (1), (3) AS t(n) ORDER BY n LIMIT ALL;
-- types: ["INT"]
-- row: [1]
-- row: [2]
-- row: [3]

-- title: all rows after some
SELECT n FROM VALUES (2), (1), (3) AS t(n) ORDER BY n LIMIT ALL OFFSET 1;
-- types: ["INT"]
-- row: [2]
-- row: [3]

-- title: all rows of a sub-query
SELECT sum(n) FROM (SELECT n FROM VALUES (2), (1), (3) AS t(n) LIMIT ALL) x;
-- types: ["BIGINT"]
-- row: [6]

-- title: pairs of keys and values
SELECT n, decode(n, 1, 'one', 2, 'two', 'many'), decode(n, 1, 'one'), decode(n, NULL, 'none', '2', 'text') FROM VALUES (1), (2), (3), (NULL) AS t(n);
-- types: ["INT", "STRING", "STRING", "STRING"]
-- row: [1, "one", "one", null]
-- row: [2, "two", null, "text"]
-- row: [3, "many", null, null]
-- row: [null, "many", null, "none"]

-- title: pairs of texts
SELECT s, decode(s, 'a', 1, 'b', 2.5, 0), decode(s, 'a', 1, 'b', 2) FROM VALUES ('a'), ('b'), ('c'), (NULL) AS t(s);
-- types: ["STRING", "DECIMAL(11,1)", "STRING"]
-- row: ["a", 1.0, "1"]
-- row: ["b", 2.5, "2"]
-- row: ["c", 0.0, null]
-- row: [null, 0.0, null]

-- title: replace by nothing
SELECT replace(s, 'a'), replace(s, 'a', 'b') FROM VALUES ('banana'), ('x'), (NULL) AS t(s);
-- types: ["STRING", "STRING"]
-- row: ["bnn", "bbnbnb"]
-- row: ["x", "x"]
-- row: [null, null]

-- title: clause words as aliases at the end
SELECT n FROM (SELECT 1 AS n) WHERE;
-- types: ["INT"]
-- row: [1]

-- title: structs with names without AS
SELECT struct(n AS a, n + 1 b).b FROM VALUES (1), (2) AS t(n) ORDER BY 1;
-- types: ["INT"]
-- row: [2]
-- row: [3]

-- title: words of clauses as columns
SELECT t.n, order, group, sort s, CASE WHEN cluster = 1 THEN order END AS c, max(order) OVER (PARTITION BY group ORDER BY order) AS m FROM (SELECT n, n AS order, n + 1 AS group, n AS sort, n - 1 AS cluster FROM VALUES (1), (2) AS t(n)) AS t WHERE t.order > 1 AND order IS NOT NULL AND cluster = 1 ORDER BY order;
-- types: ["INT", "INT", "INT", "INT", "INT", "INT"]
-- row: [2, 2, 3, 2, 2, 2]

-- title: words of the grammar as aliases of tables
SELECT in.k, is.v, not.v AS w FROM VALUES (1, 2), (3, 4) AS in(k, v) JOIN VALUES (1, 5), (3, 6) AS is(k, v) ON in.k = is.k JOIN VALUES (1, 7), (3, 8) AS not(k, v) ON not.k = in.k ORDER BY in.k;
-- types: ["INT", "INT", "INT"]
-- row: [1, 5, 7]
-- row: [3, 6, 8]

-- title: words of the grammar as aliases and names of columns
SELECT k FROM FROM (SELECT AS AS k, v AS as FROM VALUES (1, 2), (3, 4) AS t(as, v)) q WHERE q.as > 2;
-- types: ["INT"]
-- row: [3]
