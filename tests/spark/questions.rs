//! SQL-Eval's question files on Spark, in Spark's own dialect, about the tables of a SQLite file.

use crate::building::bench;

const QUESTIONS: &str = "question,query,db_name,query_category,generated_query\n\
    total by city,\"SELECT city, SUM(amount) AS total FROM orders GROUP BY city\",shop,group_by,\"SELECT city, sum(amount) FROM orders GROUP BY 1\"\n\
    days,\"SELECT date_format(day, 'yyyyMM') AS month FROM orders\",shop,date,\"SELECT substr(replace(day, '-', ''), 1, 6) AS month FROM orders\"\n\
    cities,SELECT collect_set(city) FROM orders,shop,select,SELECT nothing FROM orders\n\
    cities,SELECT DISTINCT city FROM orders,shop,select,DROP TABLE orders\n";

#[test]
fn a_question_file_is_scored_on_spark() {
    let Some(bench) = bench() else { return };
    let connection = rusqlite::Connection::open(bench.path("shop.sqlite")).unwrap();
    let tables = "CREATE TABLE orders (id INT, city TEXT, amount REAL, day DATE);
        INSERT INTO orders VALUES (1,'Oslo',10.5,'2024-01-31'), (2,'Oslo',3,'2024-02-01'), (3,NULL,7,NULL);";
    connection.execute_batch(tables).unwrap();
    bench.file("questions.csv", QUESTIONS);
    let arguments = ["score", "--gold", "questions.csv", "--database", "shop.sqlite", "--engine", "spark", "--json"];
    let said = bench.run(&arguments);
    let (exit, told) = said.split_once('\n').unwrap();
    assert_eq!(exit, "exit 0", "{said}");
    let told: serde_json::Value = serde_json::from_str(told).unwrap();
    let rows = told["rows"].as_array().unwrap();
    let outcomes: Vec<&str> = rows.iter().map(|row| row["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes[..3], ["equal", "equal", "rejected_at_analysis"], "{told:#}");
    assert!(rows[3]["correct"] == false && rows[3]["outcome"] != "equal", "{told:#}");
    assert!(rows[2]["detail"].as_str().unwrap().contains("UNRESOLVED_COLUMN"), "{told:#}");
}
