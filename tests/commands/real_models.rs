//! The whole chain with real small models: two of them and two built-in solvers sift a run of 60 tasks, and tasks that
//! are too easy are replaced. If no models are served it says "not run"; CONTRIBUTING.md says how to serve some.
#![expect(clippy::print_stdout, reason = "a suite that could not run must say so, and what it saw")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Tables of all scripts.
const SCHEMA: &str = "\
CREATE TABLE orders (order_id BIGINT COMMENT 'order', customer_id BIGINT COMMENT 'customer', shop_id BIGINT COMMENT 'shop',
    status STRING COMMENT 'order status', amount DOUBLE COMMENT 'order amount', discount DOUBLE COMMENT 'discount',
    dt STRING COMMENT 'day of the order');
CREATE TABLE customers (customer_id BIGINT COMMENT 'customer', city STRING COMMENT 'home city', level INT COMMENT 'level');
CREATE TABLE shops (shop_id BIGINT COMMENT 'shop', region STRING COMMENT 'region', is_open INT COMMENT 'shop is open');
";

/// Short scripts: a small model on two cores reads and writes one in seconds.
const SCRIPTS: [(&str, &str, &str); 6] = [
    (
        "sales",
        "Paid sales by region",
        "SELECT s.region, SUM(o.amount) AS sales, COUNT(DISTINCT o.order_id) AS order_count\nFROM orders o\nJOIN shops s ON o.shop_id = s.shop_id\nWHERE o.status = 'PAID' AND o.dt >= '2024-03-01'\nGROUP BY s.region;\n",
    ),
    (
        "customers",
        "Customers and what they paid",
        "SELECT c.customer_id, c.city, COALESCE(SUM(o.amount), 0) AS paid\nFROM customers c\nLEFT JOIN orders o ON c.customer_id = o.customer_id AND o.status = 'PAID'\nWHERE c.level > 1\nGROUP BY c.customer_id, c.city;\n",
    ),
    (
        "latest",
        "Latest order of each customer",
        "SELECT customer_id, order_id, amount\nFROM (\n  SELECT customer_id, order_id, amount, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY dt DESC, order_id DESC) AS rn\n  FROM orders\n  WHERE status = 'PAID'\n) t\nWHERE rn = 1;\n",
    ),
    (
        "classes",
        "Orders by size",
        "SELECT CASE WHEN amount >= 100 THEN 'large' WHEN amount >= 20 THEN 'middle' ELSE 'small' END AS size, COUNT(*) AS order_count, AVG(discount) AS mean_discount\nFROM orders\nWHERE amount IS NOT NULL\nGROUP BY CASE WHEN amount >= 100 THEN 'large' WHEN amount >= 20 THEN 'middle' ELSE 'small' END;\n",
    ),
    (
        "open",
        "Open shops with many orders",
        "WITH busy AS (\n  SELECT shop_id, COUNT(*) AS order_count, MAX(amount) AS largest\n  FROM orders\n  WHERE dt BETWEEN '2024-03-01' AND '2024-03-31'\n  GROUP BY shop_id\n  HAVING COUNT(*) > 1\n)\nSELECT s.shop_id, s.region, b.order_count, b.largest\nFROM shops s\nLEFT JOIN busy b ON s.shop_id = b.shop_id\nWHERE s.is_open = 1;\n",
    ),
    (
        "cities",
        "Cities with and without refunds",
        "SELECT c.city, SUM(IF(o.status = 'REFUNDED', o.amount, 0)) AS refunded, SUM(o.amount - o.discount) AS net\nFROM orders o\nLEFT JOIN customers c ON o.customer_id = c.customer_id\nWHERE o.amount > 0 OR o.discount > 0\nGROUP BY c.city\nORDER BY c.city;\n",
    ),
];

fn sqlfault(folder: &Path, arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_sqlfault")).current_dir(folder).args(arguments).output().unwrap();
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1)), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn models() -> Option<PathBuf> {
    let file = std::env::var_os("SQLFAULT_REAL_MODELS").map(PathBuf::from);
    if file.is_none() {
        println!("not run: SQLFAULT_REAL_MODELS names no models file; CONTRIBUTING.md says how to serve real models");
    }
    file
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn real_models_and_built_in_solvers_sift_a_run() {
    let Some(file) = models() else { return };
    let text = std::fs::read_to_string(&file).unwrap();
    let names: Vec<&str> =
        text.split("name: ").skip(1).filter_map(|rest| rest.split([',', '\n', '}']).next()).collect();
    assert!(names.len() >= 2, "{} names fewer than two models", file.display());
    let bench = tempfile::tempdir().unwrap();
    let run = std::env::var_os("SQLFAULT_REAL_MODELS_RUN").map_or_else(|| bench.path().join("run"), PathBuf::from);
    for (name, title, script) in SCRIPTS {
        let folder = bench.path().join("scripts/shop").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let card = format!("domain: retail\ntitle: {title}\nintention: {title}.\nscenario: The desk reads it daily.\n");
        for (file, content) in [("script.sql", script), ("schema.sql", SCHEMA), ("card.yaml", card.as_str())] {
            std::fs::write(folder.join(file), content).unwrap();
        }
    }
    let (run_name, file) = (run.display().to_string(), file.display().to_string());
    let tracks = ["--syntax", "30", "--semantic", "30"];
    sqlfault(
        bench.path(),
        &[&["build", "--source", "scripts", "--seed", "11", "--out", &run_name], &tracks[..]].concat(),
    );
    assert_eq!(lines(&run.join("public/tasks.jsonl")).len(), 60);
    sifted(bench.path(), &run, &file, &names);
    // A second time nothing is asked, and every byte is the same.
    let before: Vec<Vec<u8>> = ["attempts.jsonl", "scores.jsonl", "decisions.jsonl"]
        .iter()
        .map(|name| std::fs::read(run.join(name)).unwrap())
        .collect();
    std::fs::remove_file(run.join("judge/attempts.jsonl")).unwrap();
    let repair = ["repair", &run_name, "--models", &file, "--solver", "position", "linter", "--offline"];
    sqlfault(bench.path(), &repair);
    sqlfault(bench.path(), &["sift", &run_name, "--too-easy-above", "0.5"]);
    let after: Vec<Vec<u8>> = ["attempts.jsonl", "scores.jsonl", "decisions.jsonl"]
        .iter()
        .map(|name| std::fs::read(run.join(name)).unwrap())
        .collect();
    assert!(before == after, "a replay from the exchanges differs");
}

/// Lets everybody try, votes, refills once, and shows the report.
fn sifted(folder: &Path, run: &Path, file: &str, names: &[&str]) {
    let run_name = run.display().to_string();
    let repair = ["repair", &run_name, "--models", file, "--solver", "position", "linter"];
    let said = sqlfault(folder, &repair);
    println!("{}", String::from_utf8_lossy(&said.stdout));
    let said = sqlfault(folder, &["sift", &run_name, "--too-easy-above", "0.5"]);
    println!("{}", String::from_utf8_lossy(&said.stdout));
    let attempts = lines(&run.join("judge/attempts.jsonl"));
    for solver in names.iter().chain(&["position", "linter"]) {
        let tried = attempts.iter().filter(|attempt| attempt["solver"] == *solver).count();
        assert_eq!(tried, 60, "{solver} did not try every task");
    }
    let decisions = lines(&run.join("judge/decisions.jsonl"));
    let count = |word: &str| decisions.iter().filter(|line| line["decision"] == word).count();
    assert_eq!(decisions.len(), 60);
    assert!(count("kept") > 0 && count("queued") > 0, "{} kept, {} queued", count("kept"), count("queued"));
    let solved_by_models = decisions
        .iter()
        .filter(|line| names.iter().any(|name| line["solved_by"].as_array().unwrap().contains(&Value::from(*name))));
    assert!(solved_by_models.count() > 0, "no model solved anything");
}
