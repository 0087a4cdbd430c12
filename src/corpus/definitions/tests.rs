use std::path::Path;

use super::*;
use crate::code::schema::MOST_COLUMNS;

fn read(file: &str, text: &str) -> Definitions {
    let mut definitions = Definitions::default();
    definitions.add(Path::new(file), text, &Parameters::default()).unwrap();
    definitions
}

fn shown(definitions: &Definitions, script: &str) -> String {
    definitions.schema_for(&Script::new(script)).ddl().replace("\n    ", " ").replace('\n', " ")
}

#[test]
fn a_script_gets_the_tables_that_it_names_under_its_own_names() {
    let ddl = "USE ods; CREATE TABLE orders (id INT); CREATE TABLE other (x INT); INSERT INTO orders SELECT 1;";
    let definitions = read("all.sql", &format!("{ddl} USE default_db; CREATE TABLE users (id BIGINT) STORED AS ORC"));
    assert_eq!(shown(&definitions, "SELECT * FROM ods.orders"), "CREATE TABLE ods.orders ( id INT ); ");
    assert_eq!(shown(&definitions, "USE ods; SELECT * FROM orders"), "CREATE TABLE ods.orders ( id INT ); ");
    assert_eq!(shown(&definitions, "INSERT INTO users SELECT 2"), "CREATE TABLE default_db.users ( id BIGINT ); ");
    let bare = read("bare.sql", "CREATE TABLE orders (id INT)");
    assert_eq!(shown(&bare, "SELECT * FROM spark_catalog.dwd.orders"), "CREATE TABLE dwd.orders ( id INT ); ");
}

/// Attack | a dump of which a table is too wide and another has its short name | the other stands in for it, silently | neither is taken for it
#[test]
fn no_table_stands_in_for_one_that_is_left_out() {
    let columns: Vec<String> = (0..=MOST_COLUMNS).map(|at| format!("c{at} INT")).collect();
    let wide = format!("USE ods; CREATE TABLE orders ({});", columns.join(", "));
    let other = "USE dwd; CREATE TABLE orders (id INT); USE ods; CREATE TABLE orders (id INT);";
    let definitions = read("all.sql", &format!("{wide}{other}"));
    for script in ["SELECT 1 FROM ods.orders", "SELECT 1 FROM orders", "USE ods; SELECT 1 FROM orders"] {
        assert_eq!(shown(&definitions, script), "", "{script}");
    }
    assert_eq!(shown(&definitions, "SELECT 1 FROM dwd.orders"), "CREATE TABLE dwd.orders ( id INT ); ");
    assert_eq!(definitions.notes()[0], format!("ods.orders has more than {MOST_COLUMNS} columns and is left out"));
    let bare = read("all.sql", &wide.replace("USE ods; ", ""));
    assert!(bare.is_empty() && shown(&bare, "SELECT 1 FROM ods.orders").is_empty());
}

#[test]
fn output_of_show_create_table_is_read() {
    let beeline = "+----------------+\n| createtab_stmt |\n+----------------+\n| CREATE TABLE `ods.orders`( |\n|   `id` bigint, |\n|   `day` string COMMENT 'x')|\n\
                   | ROW FORMAT SERDE |\n|   'org.Serde' |\n+----------------+\n";
    assert!(shown(&read("a.txt", beeline), "SELECT 1 FROM ods.orders").contains("day STRING COMMENT 'x'"));
    let spark = "CREATE TABLE spark_catalog.d.a (\n  id INT)\nUSING parquet\n\nCREATE TABLE spark_catalog.d.b (\n  id INT)\nUSING parquet\n";
    assert_eq!(read("s.sql", spark).tables.len(), 2);
}

#[test]
fn lists_of_columns_are_definitions() {
    let csv = "TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME,ORDINAL_POSITION,DATA_TYPE,IS_NULLABLE,NUMERIC_PRECISION,NUMERIC_SCALE\n\
               shop,orders,b,2,character varying(9),YES,,\nshop,orders,a,1,int8,NO,64,0\nshop,orders,c,3,mystery,YES,,\n\
               shop,orders,n,4,NUMBER,YES,38,0\n";
    let definitions = read("columns.csv", csv);
    let wanted = "CREATE TABLE shop.orders ( a BIGINT NOT NULL, b STRING, c STRING, n DECIMAL(38,0) ); ";
    assert_eq!(shown(&definitions, "SELECT a FROM shop.orders"), wanted);
    assert!(definitions.notes()[0].contains("shop.orders.c"), "{:?}", definitions.notes());
    let dbt = r#"{"nodes": {"model.x.orders": {"metadata": {"schema": "SHOP", "name": "ORDERS"},
        "columns": {"A": {"type": "NUMBER(38,0)", "index": 1, "name": "A"}, "B": {"type": "TIMESTAMP_TZ", "index": 2}}}},
        "sources": {"source.x.raw": {"schema": "raw", "name": "u", "identifier": "users", "columns": {"id": {"data_type": "INT64"}}}}}"#;
    let definitions = read("catalog.json", dbt);
    assert_eq!(
        shown(&definitions, "SELECT 1 FROM shop.orders"),
        "CREATE TABLE shop.orders ( a DECIMAL(38,0), b TIMESTAMP ); "
    );
    assert_eq!(shown(&definitions, "SELECT 1 FROM raw.users"), "CREATE TABLE raw.users ( id BIGINT ); ");
    for (file, text) in [("x.csv", "a,b\n1,2\n"), ("x.json", "[]"), ("x.sql", "CREATE TABLE t (a wibble wobble!)")] {
        assert!(Definitions::default().add(Path::new(file), text, &Parameters::default()).is_err(), "{file}");
    }
}

#[test]
fn a_table_that_is_made_like_another_has_its_columns() {
    let ddl = "SET hivevar:DB=x; CREATE TABLE `${hivevar:DB}.t0`(k STRING) PARTITIONED BY (d DATE);
        CREATE EXTERNAL TABLE IF NOT EXISTS x.t LIKE `x`.`t0` LOCATION '/t'; USE y; CREATE TABLE u LIKE x.t0;";
    let definitions = read("a.sql", ddl);
    let columns = "( k STRING ) PARTITIONED BY (d DATE); ";
    for name in ["x.t0", "x.t", "y.u"] {
        assert_eq!(shown(&definitions, &format!("SELECT k FROM {name}")), format!("CREATE TABLE {name} {columns}"));
    }
    let missing = Definitions::default().add(Path::new("a.sql"), "CREATE TABLE a LIKE b", &Parameters::default());
    assert_eq!(missing.unwrap_err().to_string(), "1:1: a is made like b, which is not defined before it");
}

#[test]
fn columns_that_alter_table_adds_belong_to_the_table() {
    let ddl = "CREATE TABLE o (id INT) PARTITIONED BY (dt STRING); ALTER TABLE o ADD COLUMNS (a INT, b STRING COMMENT 'x');
        ALTER TABLE o ADD COLUMN c INT, ADD COLUMN IF NOT EXISTS id INT; ALTER TABLE o ADD CONSTRAINT k PRIMARY KEY (id);
        ALTER TABLE o DROP COLUMN a; ALTER TABLE o OWNER TO me; ALTER TABLE nobody ADD COLUMN a INT;";
    let definitions = read("a.sql", ddl);
    let wanted = "CREATE TABLE o ( id INT, a INT, b STRING COMMENT 'x', c INT ) PARTITIONED BY (dt STRING); ";
    assert_eq!(shown(&definitions, "SELECT 1 FROM o"), wanted);
    assert_eq!(
        definitions.notes(),
        [
            "o is taken as it was first defined; not followed: ALTER TABLE o DROP COLUMN a",
            "columns are added to nobody, which no definition before them defines"
        ]
    );
}

#[test]
fn a_table_that_a_query_fills_is_no_definition_whatever_its_dialect() {
    let filled = "CREATE OR REPLACE TABLE x AS SELECT v:a::number AS y FROM t; CREATE TABLE y AS (SELECT *, a << 2 AS b FROM t); CREATE TABLE z AS WITH";
    assert!(read("a.sql", filled).is_empty());
}

#[cfg(feature = "cli")]
#[test]
fn definitions_of_other_dialects_are_mapped_and_losses_are_listed() {
    let cases = [
        (
            "CREATE TABLE public.o (id bigserial PRIMARY KEY, j jsonb, t timestamptz NOT NULL DEFAULT now(), a integer[])",
            "CREATE TABLE public.o ( id BIGINT NOT NULL, j STRING, t TIMESTAMP NOT NULL, a ARRAY<INT> ); ",
            2,
        ),
        (
            "CREATE OR REPLACE TRANSIENT TABLE public.o (id NUMBER(38,0) AUTOINCREMENT, v VARIANT, t TIMESTAMP_NTZ(9)) CLUSTER BY (id)",
            "CREATE TABLE public.o ( id DECIMAL(38,0), v STRING, t TIMESTAMP ); ",
            1,
        ),
        (
            "CREATE TABLE `proj.public.o` (id INT64 NOT NULL, f FLOAT64, a ARRAY<STRING>) PARTITION BY DATE(t) OPTIONS(description='x')",
            "CREATE TABLE public.o ( id BIGINT NOT NULL, f DOUBLE, a ARRAY<STRING> ); ",
            0,
        ),
        (
            "CREATE TABLE [public].[o] ([id] INT IDENTITY(1,1) NOT NULL, [n] NVARCHAR(MAX) NULL, [d] DATETIME2(7))",
            "CREATE TABLE public.o ( id INT NOT NULL, n STRING, d TIMESTAMP ); ",
            0,
        ),
        (
            "CREATE TABLE public.o (id INT UNSIGNED AUTO_INCREMENT, b TINYINT(1), d DATETIME, PRIMARY KEY (id)) ENGINE=InnoDB",
            "CREATE TABLE public.o ( id BIGINT, b INT, d TIMESTAMP ); ",
            0,
        ),
        (
            "CREATE TABLE public.o (id BIGINT IDENTITY(1,1) ENCODE az64, s VARCHAR(20) ENCODE zstd) DISTKEY(id) SORTKEY(s)",
            "CREATE TABLE public.o ( id BIGINT, s STRING ); ",
            0,
        ),
        (
            "CREATE TABLE public.o (id HUGEINT, n UINTEGER, s STRUCT(a INTEGER, b VARCHAR), l INTEGER[], m MAP(VARCHAR, INTEGER))",
            "CREATE TABLE public.o ( id DECIMAL(38,0), n BIGINT, s STRUCT<a: INT, b: STRING>, l ARRAY<INT>, m MAP<STRING, INT> ); ",
            1,
        ),
        (
            "CREATE TABLE hive.public.o (id bigint, r ROW(a bigint, b varchar), m map(varchar, bigint), l array(array(row(c varchar))), at timestamp(3) with time zone) WITH (format = 'ORC', partitioned_by = ARRAY['dt'])",
            "CREATE TABLE public.o ( id BIGINT, r STRUCT<a: BIGINT, b: STRING>, m MAP<STRING, BIGINT>, l ARRAY<ARRAY<STRUCT<c: STRING>>>, at TIMESTAMP ); ",
            1,
        ),
        (
            "CREATE TABLE `public`.`o` (\n  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,\n  `k` varchar(9),\n  KEY `i` (`k`)\n) ENGINE=InnoDB",
            "CREATE TABLE public.o ( id BIGINT NOT NULL, k STRING ); ",
            0,
        ),
        (
            "CREATE TABLE public.o (id UInt64, n Nullable(Int32), s LowCardinality(String), a Array(UInt8), at DateTime64(3)) ENGINE = MergeTree() ORDER BY id",
            "CREATE TABLE public.o ( id DECIMAL(20,0), n INT, s STRING, a ARRAY<INT>, at TIMESTAMP ); ",
            0,
        ),
        (
            "CREATE TABLE public.o (id NUMBER(10) NOT NULL, s VARCHAR2(20 BYTE), c CLOB, at TIMESTAMP(6)) TABLESPACE users PCTFREE 10",
            "CREATE TABLE public.o ( id DECIMAL(10,0) NOT NULL, s STRING, c STRING, at TIMESTAMP ); ",
            0,
        ),
    ];
    for (ddl, wanted, losses) in cases {
        let definitions = read("x.sql", ddl);
        assert_eq!(shown(&definitions, "SELECT 1 FROM public.o"), wanted, "{:?}", definitions.notes());
        let told = definitions.notes().iter().filter(|note| note.starts_with("public.o")).count();
        assert_eq!(told, losses, "{:?}", definitions.notes());
    }
}

#[cfg(feature = "cli")]
#[test]
fn each_platform_is_told_by_its_name() {
    for (ddl, name) in [
        ("CREATE TABLE o (id bigserial, j jsonb)", "PostgreSQL"),
        (
            "CREATE TABLE [dbo].[o] ([id] INT NOT NULL, CONSTRAINT [p] PRIMARY KEY CLUSTERED ([id] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY])",
            "T-SQL",
        ),
        ("CREATE TABLE o (id INT AUTO_INCREMENT, d DATETIME) ENGINE=Memory", "MySQL"),
        ("CREATE TABLE o (id UInt32, d DateTime) ENGINE = ReplacingMergeTree ORDER BY id", "ClickHouse"),
        ("CREATE TABLE o (id NUMBER(9), s VARCHAR2(20 CHAR)) TABLESPACE t", "Oracle"),
        ("CREATE TABLE o (s VARCHAR(20) ENCODE zstd) SORTKEY(s)", "Redshift"),
        ("CREATE TABLE o (l array(row(c varchar))) WITH (format = 'ORC')", "Trino"),
        ("CREATE TABLE o (s STRUCT(a INTEGER), n UINTEGER)", "DuckDB"),
    ] {
        let definitions = read("x.sql", ddl);
        assert!(definitions.notes().iter().any(|note| note.contains(name)), "{ddl} {:?}", definitions.notes());
    }
}
