-- One statement a line. None may run: each reads or writes outside the case, runs a program, or unlocks the next.
SELECT * FROM text.`/etc/passwd`
SELECT * FROM csv.`/etc/passwd`
SELECT * FROM json.`/etc/passwd`
SELECT * FROM binaryFile.`/etc/passwd`
SELECT id FROM d.t WHERE name IN (SELECT value FROM text.`/etc/passwd`)
SET spark.sql.runSQLOnFiles=true
RESET
CREATE TABLE d.x (a STRING) USING text LOCATION '/etc'
CREATE TABLE d.x (a STRING) LOCATION '/etc'
CREATE TABLE d.x (a STRING) USING csv
CREATE TABLE d.x (a STRING) USING parquet OPTIONS (path '/etc')
CREATE TABLE d.x USING parquet OPTIONS ('path'='/tmp/sqlfault_attack') AS SELECT 1 a
CREATE TABLE d.x LOCATION '/tmp/sqlfault_attack' AS SELECT 1 a
CREATE EXTERNAL TABLE d.x (a STRING) LOCATION '/etc'
CREATE TABLE d.x LIKE d.t LOCATION '/tmp/sqlfault_attack'
CREATE TEMPORARY VIEW v USING text OPTIONS (path '/etc/passwd')
CREATE TEMPORARY VIEW v USING org.apache.spark.sql.jdbc OPTIONS (url 'jdbc:derby:;databaseName=/tmp/sqlfault_attack;create=true', dbtable 't')
CREATE VIEW d.v AS SELECT * FROM parquet.`/tmp`
CREATE DATABASE q LOCATION '/tmp/sqlfault_attack'
DROP DATABASE d CASCADE
INSERT OVERWRITE DIRECTORY '/tmp/sqlfault_attack' SELECT 1
INSERT OVERWRITE LOCAL DIRECTORY '/tmp/sqlfault_attack' USING csv SELECT 1
INSERT OVERWRITE LOCAL DIRECTORY '/tmp/sqlfault_attack' ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' SELECT 1
WITH a AS (SELECT 1) INSERT OVERWRITE DIRECTORY '/tmp/sqlfault_attack' SELECT * FROM a
FROM d.t INSERT INTO TABLE d.u PARTITION (dt='1') SELECT id, name INSERT OVERWRITE DIRECTORY '/tmp/sqlfault_attack' SELECT id
SELECT TRANSFORM(id) USING 'sh -c "touch /tmp/sqlfault_attack"' FROM d.t
SELECT /* a /* b */ */ TRANSFORM(id) USING "touch /tmp/sqlfault_attack" AS (y) FROM d.t
FROM d.t MAP id USING 'touch /tmp/sqlfault_attack' AS y
FROM d.t REDUCE id USING 'touch /tmp/sqlfault_attack' AS y
SELECT * FROM (SELECT TRANSFORM(id) USING 'cat' AS y FROM d.t) q
SELECT * FROM d.t WHERE id = (SELECT max(y) FROM (SELECT TRANSFORM(id) USING 'cat' AS y FROM d.t))
WITH a AS (SELECT TRANSFORM(id) USING 'cat' AS y FROM d.t) SELECT * FROM a
SELECT reflect('java.lang.System', 'getenv')
SELECT java_method('java.lang.System', 'getenv')
SELECT try_reflect('java.lang.System', 'getenv')
SELECT system.builtin.reflect('java.lang.System', 'getenv')
SELECT `reflect`('java.lang.System', 'getenv')
SELECT 1 WHERE EXISTS (SELECT reflect('java.lang.System', 'getenv'))
ADD JAR '/tmp/x.jar'
ADD FILE '/tmp/x'
ADD ARCHIVE '/tmp/x.zip'
LIST FILES
LOAD DATA INPATH '/tmp/x' INTO TABLE d.t
LOAD DATA LOCAL INPATH '/etc/passwd' OVERWRITE INTO TABLE d.t
CREATE FUNCTION f AS 'x.Y'
CREATE TEMPORARY FUNCTION f AS 'x.Y' USING JAR '/tmp/x.jar'
EXECUTE IMMEDIATE 'SELECT 1'
EXECUTE IMMEDIATE 'SET spark.sql.runSQLOnFiles=true'
BEGIN SELECT 1; END
EXPLAIN SELECT 1
CACHE TABLE d.t
UNCACHE TABLE d.t
DECLARE VARIABLE x INT
SHOW TABLES
DESCRIBE d.t
REFRESH '/tmp'
REFRESH TABLE d.t
ALTER TABLE d.u SET LOCATION '/tmp/sqlfault_attack'
ALTER TABLE d.u ADD PARTITION (dt='1') LOCATION '/etc'
ALTER TABLE d.u SET TBLPROPERTIES ('path'='/etc')
ALTER TABLE d.u SET SERDEPROPERTIES ('path'='/etc')
ALTER DATABASE d SET LOCATION '/tmp/sqlfault_attack'
MSCK REPAIR TABLE d.u
ANALYZE TABLE d.t COMPUTE STATISTICS
MERGE INTO d.u USING d.t ON u.id = t.id WHEN MATCHED THEN DELETE
DELETE FROM d.u
UPDATE d.u SET name = 'x'
CALL x()
COPY INTO d.t FROM '/etc'
SELECT * FROM read_files('/etc')
DFS -ls /
!ls
