-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: inner join with a condition on both sides
WITH a AS (SELECT * FROM VALUES (1,'x'),(2,'y'),(3,NULL) AS t(id,k)), b AS (SELECT * FROM VALUES ('x',10),('x',20),('z',30),(NULL,40) AS t(k,v)) SELECT a.id, b.v FROM a JOIN b ON a.k = b.k AND b.v > 10;
-- types: ["INT", "INT"]
-- row: [1, 20]

-- title: left join keeps rows, condition on the right side in ON
WITH a AS (SELECT * FROM VALUES (1,'x'),(2,'y'),(3,NULL) AS t(id,k)), b AS (SELECT * FROM VALUES ('x',10),('y',20) AS t(k,v)) SELECT a.id, b.v, b.k IS NULL AS gone FROM a LEFT JOIN b ON a.k = b.k AND b.v > 10;
-- types: ["INT", "INT", "BOOLEAN"]
-- row: [1, null, true]
-- row: [2, 20, false]
-- row: [3, null, true]

-- title: right join
SELECT a.id, b.id AS bid FROM VALUES (1),(2) AS a(id) RIGHT JOIN VALUES (2),(3) AS b(id) ON a.id = b.id;
-- types: ["INT", "INT"]
-- row: [2, 2]
-- row: [null, 3]

-- title: full join
SELECT a.id, b.id AS bid, coalesce(a.v, b.v) AS v FROM VALUES (1,'p'),(2,'q'),(NULL,'n') AS a(id,v) FULL OUTER JOIN VALUES (2,'r'),(3,'s'),(NULL,'m') AS b(id,v) ON a.id = b.id;
-- types: ["INT", "INT", "STRING"]
-- row: [null, null, "n"]
-- row: [null, null, "m"]
-- row: [1, null, "p"]
-- row: [2, 2, "q"]
-- row: [null, 3, "s"]

-- title: full join using merges the column
SELECT id, a.v AS av, b.v AS bv FROM VALUES (1,'p'),(2,'q') AS a(id,v) FULL JOIN VALUES (2,'r'),(3,'s') AS b(id,v) USING (id);
-- types: ["INT", "STRING", "STRING"]
-- row: [1, "p", null]
-- row: [2, "q", "r"]
-- row: [3, null, "s"]

-- title: star of a full join using
SELECT * FROM VALUES (1,'p'),(2,'q') AS a(id,v) FULL JOIN VALUES (2,'r'),(3,'s') AS b(id,w) USING (id);
-- types: ["INT", "STRING", "STRING"]
-- row: [1, "p", null]
-- row: [2, "q", "r"]
-- row: [3, null, "s"]

-- title: right join using takes the right column
SELECT id, v, w FROM VALUES (1,'p'),(2,'q') AS a(id,v) RIGHT JOIN VALUES (2,'r'),(3,'s') AS b(id,w) USING (id);
-- types: ["INT", "STRING", "STRING"]
-- row: [2, "q", "r"]
-- row: [3, null, "s"]

-- title: natural join
SELECT * FROM VALUES (1,'p'),(2,'q') AS a(id,v) NATURAL JOIN VALUES (2,'r'),(3,'s') AS b(id,w);
-- types: ["INT", "STRING", "STRING"]
-- row: [2, "q", "r"]

-- title: chain of using
SELECT id, v, w, x FROM VALUES (1,'p'),(2,'q') AS a(id,v) LEFT JOIN VALUES (2,'r') AS b(id,w) USING (id) JOIN VALUES (1,7),(2,8) AS c(id,x) USING (id);
-- types: ["INT", "STRING", "STRING", "INT"]
-- row: [1, "p", null, 7]
-- row: [2, "q", "r", 8]

-- title: left semi join
SELECT a.id, a.k FROM VALUES (1,'x'),(2,'y'),(3,NULL) AS a(id,k) LEFT SEMI JOIN VALUES ('x'),('x'),(NULL) AS b(k) ON a.k = b.k;
-- types: ["INT", "STRING"]
-- row: [1, "x"]

-- title: left anti join keeps null keys
SELECT a.id FROM VALUES (1,'x'),(2,'y'),(3,NULL) AS a(id,k) LEFT ANTI JOIN VALUES ('x'),(NULL) AS b(k) ON a.k = b.k;
-- types: ["INT"]
-- row: [2]
-- row: [3]

-- title: semi join followed by a left join
SELECT a.id, c.v FROM VALUES (1,'x'),(2,'y'),(3,'z') AS a(id,k) LEFT SEMI JOIN VALUES ('x'),('z') AS b(k) ON a.k = b.k LEFT JOIN VALUES (1,'one') AS c(id,v) ON a.id = c.id WHERE a.id < 9;
-- types: ["INT", "STRING"]
-- row: [1, "one"]
-- row: [3, null]

-- title: semi join using
SELECT * FROM VALUES (1,'x'),(2,'y') AS a(id,k) LEFT SEMI JOIN VALUES (1),(5) AS b(id) USING (id);
-- types: ["INT", "STRING"]
-- row: [1, "x"]

-- title: cross join with a one-row table
SELECT a.id, p.top FROM VALUES (1),(2),(3) AS a(id) CROSS JOIN (SELECT 2 AS top) p WHERE a.id >= p.top;
-- types: ["INT", "INT"]
-- row: [2, 2]
-- row: [3, 2]

-- title: comma join
SELECT a.id, b.v FROM VALUES (1),(2) AS a(id), VALUES (1,'x'),(2,'y') AS b(id,v) WHERE a.id = b.id;
-- types: ["INT", "STRING"]
-- row: [1, "x"]
-- row: [2, "y"]

-- title: comma before a full join binds the join tighter
SELECT a.id, b.id AS b, c.id AS c FROM VALUES (1),(2) AS a(id), VALUES (1),(3) AS b(id) FULL JOIN VALUES (3),(4) AS c(id) ON b.id = c.id;
-- types: ["INT", "INT", "INT"]
-- row: [1, 1, null]
-- row: [2, 1, null]
-- row: [1, 3, 3]
-- row: [2, 3, 3]
-- row: [null, null, 4]

-- title: self join with inequality
WITH t AS (SELECT * FROM VALUES (1,'a'),(2,'a'),(3,'b') AS t(id,g)) SELECT l.id AS x, r.id AS y FROM t l JOIN t r ON l.g = r.g AND l.id < r.id;
-- types: ["INT", "INT"]
-- row: [1, 2]

-- title: null-safe join
SELECT a.id, b.v FROM VALUES (1,'x'),(2,NULL) AS a(id,k) JOIN VALUES ('x',10),(NULL,20) AS b(k,v) ON a.k <=> b.k;
-- types: ["INT", "INT"]
-- row: [1, 10]
-- row: [2, 20]

-- title: join of a text key with a number key
SELECT a.k, b.v FROM VALUES ('1'),('02'),('x'),(NULL) AS a(k) JOIN VALUES (1,'one'),(2,'two') AS b(id,v) ON a.k = b.id;
-- types: ["STRING", "STRING"]
-- row: ["1", "one"]
-- row: ["02", "two"]

-- title: join in brackets
SELECT a.id, b.id AS b, c.id AS c FROM VALUES (1),(2) AS a(id) LEFT JOIN ((SELECT * FROM VALUES (2),(3) AS b(id)) b JOIN (SELECT * FROM VALUES (3),(2) AS c(id)) c ON b.id = c.id) ON a.id = b.id;
-- types: ["INT", "INT", "INT"]
-- row: [1, null, null]
-- row: [2, 2, 2]

-- title: left join without matches, filter on null
SELECT a.id FROM VALUES (1),(2) AS a(id) LEFT JOIN VALUES (2) AS b(id) ON a.id = b.id WHERE b.id IS NULL;
-- types: ["INT"]
-- row: [1]
