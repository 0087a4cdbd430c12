-- Answers of Apache Spark 4.3.0 with ANSI mode off. Each entry: a title, a query, its column types, its rows as JSON.

-- title: explode of split
SELECT t.id, x.tag FROM VALUES (1,'a,b'),(2,''),(3,NULL) AS t(id,tags) LATERAL VIEW explode(split(t.tags, ',')) x AS tag;
-- types: ["INT", "STRING"]
-- row: [1, "a"]
-- row: [1, "b"]
-- row: [2, ""]

-- title: outer explode keeps rows
SELECT t.id, x.tag FROM VALUES (1,'a,b'),(2,NULL) AS t(id,tags) LATERAL VIEW OUTER explode(split(t.tags, ',')) x AS tag;
-- types: ["INT", "STRING"]
-- row: [1, "a"]
-- row: [1, "b"]
-- row: [2, null]

-- title: posexplode of an array
SELECT id, pos, v FROM VALUES (1,array(5,6)),(2,array()) AS t(id,arr) LATERAL VIEW posexplode(arr) p AS pos, v;
-- types: ["INT", "INT", "INT"]
-- row: [1, 0, 5]
-- row: [1, 1, 6]

-- title: explode of a map
SELECT id, k, v FROM VALUES (1,map('a',1,'b',2)),(2,map('c',3)) AS t(id,m) LATERAL VIEW explode(m) kv AS k, v;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "a", 1]
-- row: [1, "b", 2]
-- row: [2, "c", 3]

-- title: explode of a map with number keys
SELECT id, k + 1 AS k1, v FROM VALUES (1,map(10,'x',20,'y')) AS t(id,m) LATERAL VIEW explode(m) kv AS k, v;
-- types: ["INT", "INT", "STRING"]
-- row: [1, 11, "x"]
-- row: [1, 21, "y"]

-- title: posexplode of a map
SELECT pos, k, v FROM VALUES (map('a',1,'b',2)) AS t(m) LATERAL VIEW posexplode(m) kv AS pos, k, v;
-- types: ["INT", "STRING", "INT"]
-- row: [0, "a", 1]
-- row: [1, "b", 2]

-- title: two lateral views, the second over the first
SELECT id, a, b FROM VALUES (1,'x:1|2;y:3') AS t(id,s) LATERAL VIEW explode(split(s,';')) e AS a LATERAL VIEW explode(split(split(a,':')[1],'\\|')) f AS b;
-- types: ["INT", "STRING", "STRING"]
-- row: [1, "x:1|2", "1"]
-- row: [1, "x:1|2", "2"]
-- row: [1, "y:3", "3"]

-- title: explode of an array of structs
SELECT id, e.item.name AS n, item.qty AS q FROM VALUES (1,array(named_struct('name','p','qty',2),named_struct('name','r','qty',5))) AS t(id,items) LATERAL VIEW explode(items) e AS item;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "p", 2]
-- row: [1, "r", 5]

-- title: inline
SELECT id, n, q FROM VALUES (1,array(named_struct('name','p','qty',2),named_struct('name','r','qty',NULL))) AS t(id,items) LATERAL VIEW inline(items) e AS n, q;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "p", 2]
-- row: [1, "r", null]

-- title: json_tuple
SELECT id, a, b FROM VALUES (1,'{"a":"x","b":2}'),(2,'{"a":null}'),(3,NULL) AS t(id,js) LATERAL VIEW json_tuple(js,'a','b') j AS a, b;
-- types: ["INT", "STRING", "STRING"]
-- row: [1, "x", "2"]
-- row: [2, null, null]
-- row: [3, null, null]

-- title: stack
SELECT id, k, v FROM VALUES (1,10,20),(2,30,NULL) AS t(id,x,y) LATERAL VIEW stack(2,'x',x,'y',y) s AS k, v;
-- types: ["INT", "STRING", "INT"]
-- row: [1, "x", 10]
-- row: [1, "y", 20]
-- row: [2, "x", 30]
-- row: [2, "y", null]

-- title: lateral view below a join
SELECT q.id, q.tag, d.name FROM (SELECT id, tag FROM VALUES (1,'a,b'),(2,'c') AS t(id,tags) LATERAL VIEW explode(split(tags,',')) x AS tag) q JOIN VALUES ('a','Anna'),('c','Carl') AS d(tag,name) ON q.tag = d.tag;
-- types: ["INT", "STRING", "STRING"]
-- row: [1, "a", "Anna"]
-- row: [2, "c", "Carl"]

-- title: outer lateral view after a left join
SELECT t.id, x.tag, d.name FROM VALUES (1,'a,b'),(2,NULL) AS t(id,tags) LEFT JOIN VALUES (1,'Anna') AS d(id,name) ON t.id = d.id LATERAL VIEW OUTER explode(split(tags,',')) x AS tag;
-- types: ["INT", "STRING", "STRING"]
-- row: [1, "a", "Anna"]
-- row: [1, "b", "Anna"]
-- row: [2, null, null]

-- title: explode in the select list
SELECT id, explode(array(id, id * 10)) AS v FROM VALUES (1),(2) AS t(id);
-- types: ["INT", "INT"]
-- row: [1, 1]
-- row: [1, 10]
-- row: [2, 2]
-- row: [2, 20]

-- title: posexplode in the select list
SELECT id, posexplode(array('p','q')) AS (pos, v) FROM VALUES (1) AS t(id);
-- types: ["INT", "INT", "STRING"]
-- row: [1, 0, "p"]
-- row: [1, 1, "q"]

-- title: explode_outer in the select list
SELECT id, explode_outer(arr) AS v FROM VALUES (1,array(7)),(2,NULL) AS t(id,arr);
-- types: ["INT", "INT"]
-- row: [1, 7]
-- row: [2, null]

-- title: lateral view over a derived table with a filter
SELECT q.id, e.v FROM (SELECT id, arr FROM VALUES (1,array(1,2,3)),(2,array(4)) AS t(id,arr) WHERE id = 1) q LATERAL VIEW explode(q.arr) e AS v WHERE e.v > 1;
-- types: ["INT", "INT"]
-- row: [1, 2]
-- row: [1, 3]

-- title: explode of booleans and nested arrays
SELECT b, x FROM VALUES (array(true,false),array(array(1,2),array(3))) AS t(f,n) LATERAL VIEW explode(f) e AS b LATERAL VIEW explode(n) g AS x;
-- types: ["BOOLEAN", "ARRAY<INT>"]
-- row: [true, [1, 2]]
-- row: [true, [3]]
-- row: [false, [1, 2]]
-- row: [false, [3]]

-- title: lambdas
SELECT transform(a, x -> x * 2), transform(a, (x, i) -> x + i), filter(a, x -> x > 1), exists(a, x -> x = 3), forall(a, x -> x > 0), aggregate(a, 0, (s, x) -> s + x), aggregate(a, 0, (s, x) -> s + x, s -> s * 10) FROM VALUES (array(1,2,3)),(array()),(NULL) AS t(a);
-- types: ["ARRAY<INT>", "ARRAY<INT>", "ARRAY<INT>", "BOOLEAN", "BOOLEAN", "INT", "INT"]
-- row: [[2, 4, 6], [1, 3, 5], [2, 3], true, true, 6, 60]
-- row: [[], [], [], false, true, 0, 0]
-- row: [null, null, null, null, null, null, null]

-- title: three-valued exists and forall
SELECT exists(a, x -> x > 5), forall(a, x -> x > 0), filter(a, x -> x IS NULL) FROM VALUES (array(1,NULL)),(array(7,NULL)),(array(NULL,0)) AS t(a);
-- types: ["BOOLEAN", "BOOLEAN", "ARRAY<INT>"]
-- row: [null, null, [null]]
-- row: [true, null, [null]]
-- row: [null, false, [null]]

-- title: lambda with a column from outside and nested elements
SELECT id, transform(items, i -> concat(i.n, '-', cast(id AS STRING))), filter(items, i -> i.q > id) FROM VALUES (1,array(named_struct('n','a','q',1),named_struct('n','b','q',2))) AS t(id,items);
-- types: ["INT", "ARRAY<STRING>", "ARRAY<STRUCT<n:STRING,q:INT>>"]
-- row: [1, ["a-1", "b-1"], [{"n": "b", "q": 2}]]

-- title: arrays, maps and structs
SELECT arr[0], arr[5], m['a'], m['z'], s.f, size(arr), size(m), array_contains(arr, 2), element_at(arr, -1), element_at(m, 'b'), map_keys(m), map_values(m) FROM VALUES (array(1,2), map('a',1,'b',2), named_struct('f','v')) AS t(arr,m,s);
-- types: ["INT", "INT", "INT", "INT", "STRING", "INT", "INT", "BOOLEAN", "INT", "INT", "ARRAY<STRING>", "ARRAY<INT>"]
-- row: [1, null, 1, null, "v", 2, 2, true, 2, 2, ["a", "b"], [1, 2]]

-- title: size of null
SELECT size(a), size(m) FROM VALUES (CAST(NULL AS ARRAY<INT>), CAST(NULL AS MAP<STRING,INT>)) AS t(a,m);
-- types: ["INT", "INT"]
-- row: [-1, -1]

-- title: sorted collections
SELECT g, concat_ws(',', sort_array(collect_set(v))), sort_array(collect_list(v)), size(collect_set(v)) FROM VALUES ('a','y'),('a','x'),('a','x'),('b',NULL) AS t(g,v) GROUP BY g;
-- types: ["STRING", "STRING", "ARRAY<STRING>", "INT"]
-- row: ["a", "x,y", ["x", "x", "y"], 2]
-- row: ["b", "", [], 0]

-- title: collected structs
SELECT g, sort_array(collect_list(named_struct('k',k,'v',v))) FROM VALUES ('a',2,'y'),('a',1,'x') AS t(g,k,v) GROUP BY g;
-- types: ["STRING", "ARRAY<STRUCT<k:INT,v:STRING>>"]
-- row: ["a", [{"k": 1, "v": "x"}, {"k": 2, "v": "y"}]]

-- title: fields of a struct as a star
SELECT id, s.*, x.e.*, s.* EXCEPT (g), t.s.n.* FROM VALUES (1,named_struct('f','v','g',2,'n',named_struct('m',0.5D)),array(named_struct('h',3))),(2,NULL,array(NULL)) AS t(id,s,a) LATERAL VIEW explode(a) x AS e;
-- types: ["INT", "STRING", "INT", "STRUCT<m:DOUBLE>", "INT", "STRING", "STRUCT<m:DOUBLE>", "DOUBLE"]
-- row: [1, "v", 2, {"m": 0.5}, 3, "v", {"m": 0.5}, 0.5]
-- row: [2, null, null, null, null, null, null, null]

-- title: A generator makes rows of what an aggregate gives
SELECT explode(sequence(min(a), max(a))) AS n FROM VALUES (2), (4), (3) AS t(a) ORDER BY n
-- types: ["INT"]
-- row: [2]
-- row: [3]
-- row: [4]

-- title: A generator makes rows of what each group gives, beside its other outputs
SELECT k, explode(sort_array(collect_set(a))) AS e, count(*) AS n FROM VALUES (1, 7), (1, 8), (2, 9), (1, 7) AS t(k, a) GROUP BY k ORDER BY k, e
-- types: ["INT", "INT", "BIGINT"]
-- row: [1, 7, 3]
-- row: [1, 8, 3]
-- row: [2, 9, 1]

-- title: A group without elements keeps its row where the generator is outer
SELECT k, explode_outer(collect_list(a)) AS e FROM VALUES (1, 7), (2, CAST(NULL AS INT)) AS t(k, a) GROUP BY k ORDER BY k
-- types: ["INT", "INT"]
-- row: [1, 7]
-- row: [2, null]

-- title: A generator makes rows of the elements of a group's map
SELECT k, explode(map(k, sum(a))) AS (m, s) FROM VALUES (1, 7), (2, 5), (1, 1) AS t(k, a) GROUP BY k ORDER BY k
-- types: ["INT", "INT", "BIGINT"]
-- row: [1, 1, 8]
-- row: [2, 2, 5]

-- title: A generator with positions makes rows of what an aggregate gives
SELECT posexplode(sequence(min(a), max(a))) AS (p, n) FROM VALUES (2),(4) AS t(a) ORDER BY p
-- types: ["INT", "INT"]
-- row: [0, 2]
-- row: [1, 3]
-- row: [2, 4]

-- title: DISTINCT and LIMIT see the rows that a generator makes of groups
SELECT DISTINCT explode(array(k, 9)) AS e FROM VALUES (1,2),(1,3),(2,3) AS t(k,a) GROUP BY k, a ORDER BY e LIMIT 2
-- types: ["INT"]
-- row: [1]
-- row: [2]

-- title: Rows that a generator makes of groups beside those of another query
SELECT explode(collect_set(k)) AS e FROM VALUES (1,2),(1,3) AS t(k,a) UNION ALL SELECT 7
-- types: ["INT"]
-- row: [1]
-- row: [7]

-- title: An aggregate of a sub-query beside a generator groups nothing
FROM VALUES (1,2) AS t(k,a) |> EXTEND explode(array(k,a)) AS e, (SELECT max(x) FROM VALUES (1) AS u(x)) AS m
-- types: ["INT", "INT", "INT", "INT"]
-- row: [1, 2, 1, 1]
-- row: [1, 2, 2, 1]
