//! The catalogue of the user's own Spark as definitions of tables: a warehouse with a metastore that Spark has made.

use std::path::Path;
use std::process::Command;

use sqlfault::engine::spark::find;

use crate::building::bench;

/// Makes the tables as a user of Spark does; the argument is the folder of the settings.
const MAKE: &str = r#"
import sys
from pyspark.sql import SparkSession
session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").enableHiveSupport().getOrCreate()
session.sql("CREATE DATABASE shop")
session.sql("CREATE TABLE shop.orders (order_id BIGINT COMMENT 'the key', city STRING, amount DECIMAL(10,2), dt STRING) USING parquet PARTITIONED BY (dt)")
session.sql("CREATE TABLE shop.cities (city STRING, tags ARRAY<STRING>) STORED AS ORC")
session.stop()
"#;

const SCRIPT: &str = "SELECT o.city, count(DISTINCT o.order_id) AS orders, sum(o.amount) AS amount\n\
    FROM shop.orders o LEFT JOIN shop.cities c ON o.city = c.city\n\
    WHERE o.dt >= '2024-01-01' AND o.amount > 5\nGROUP BY o.city\n";

/// Settings under which warehouse and metastore lie in `folder`.
fn settings(folder: &Path) -> String {
    let at = |name: &str| folder.join(name).display().to_string();
    format!(
        "spark.sql.warehouse.dir {}\nspark.sql.catalogImplementation hive\n\
         spark.hadoop.javax.jdo.option.ConnectionURL jdbc:derby:;databaseName={};create=true\n",
        at("warehouse"),
        at("metastore")
    )
}

#[test]
fn tables_are_defined_by_the_catalogue_of_the_users_spark() {
    let Some(bench) = bench() else { return };
    let folder = bench.path("");
    bench.file("conf/spark-defaults.conf", settings(&folder));
    bench.file("make.py", MAKE);
    let python = find::find().unwrap().python;
    let made = Command::new(python)
        .arg(bench.path("make.py"))
        .env("SPARK_CONF_DIR", bench.path("conf"))
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));

    bench.file("report.sql", SCRIPT);
    let run = |arguments: &[&str]| {
        bench.shown(&bench.command(arguments).env("SPARK_CONF_DIR", bench.path("conf")).output().unwrap())
    };
    let said = run(&[
        "inject", "report.sql", "--schema", "spark:shop", "--fault", "count-distinct-made-count", "--effort", "low",
    ]);
    assert!(said.starts_with("exit 0\n") && said.contains("+++ issue.sql"), "{said}");
    assert!(!said.contains("no definition"), "nothing is left to be inferred: {said}");

    bench.file("own/report.sql", SCRIPT);
    let arguments = [
        "build", "--seed", "3", "--source", "own", "--schema", "spark:shop", "--syntax", "1", "--semantic", "1",
        "--out", "run",
    ];
    let said = run(&arguments);
    assert!(said.starts_with("exit 0\n"), "{said}");
    let tasks = std::fs::read_to_string(bench.path("run/public/tasks.jsonl")).unwrap();
    assert!(
        tasks.contains("order_id BIGINT COMMENT 'the key'") && tasks.contains("PARTITIONED BY (dt STRING)"),
        "{tasks}"
    );

    let said = run(&["inject", "report.sql", "--schema", "spark:nowhere"]);
    assert!(said.starts_with("exit 3\n") && said.contains("does not list the tables of `nowhere`"), "{said}");
}
