//! Runs the program and shows what it said.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder with the program beside it.
pub struct Bench {
    path: PathBuf,
    /// Removes the folder when the test ends; `None` if several tests share it.
    _folder: Option<TempDir>,
}

impl Bench {
    /// An empty folder.
    pub fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        Bench { path: folder.path().to_owned(), _folder: Some(folder) }
    }

    /// An empty folder of this name that several tests share; it stays until it is created again.
    #[allow(dead_code, reason = "not every test program has such tests")]
    pub fn shared(name: &str) -> Bench {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if path.exists() {
            std::fs::remove_dir_all(&path).unwrap();
        }
        std::fs::create_dir_all(&path).unwrap();
        Bench { path, _folder: None }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// A small reference script in `scripts/<name>`, with some of its files changed.
    pub fn reference_script(&self, name: &str, changed: &[(&str, &str)]) {
        for (file, content) in [("script.sql", SCRIPT), ("schema.sql", SCHEMA), ("card.yaml", CARD)] {
            let changed = changed.iter().find(|(changed, _)| *changed == file);
            self.file(&format!("scripts/{name}/{file}"), changed.map_or(content, |(_, content)| content));
        }
    }

    /// The first so many of three small references in `scripts/shop`.
    pub fn shops(&self, count: usize) {
        for (name, old, new) in SHOPS.into_iter().take(count) {
            self.reference_script(name, &[("script.sql", &SCRIPT.replace(old, new))]);
        }
    }

    /// The program with these arguments, started in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sqlfault"));
        command.current_dir(&self.path).args(arguments).env_remove("RUST_BACKTRACE");
        command
    }

    /// Runs the program: exit code, then both outputs, with the folder's own path left out.
    pub fn run(&self, arguments: &[&str]) -> String {
        self.shown(&self.command(arguments).output().unwrap())
    }

    /// What a run said.
    pub fn shown(&self, output: &Output) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&self.path.display().to_string(), "");
        let code = output.status.code().map_or_else(|| "killed".to_owned(), |code| code.to_string());
        format!("exit {code}\n{}{}", text(&output.stdout), text(&output.stderr))
    }
}

/// Every file below a folder with its bytes.
pub fn files(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((path.strip_prefix(root).unwrap().to_owned(), std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Fails with the names of the files that differ.
pub fn assert_same_files(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    let names = |list: &[(PathBuf, Vec<u8>)]| list.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    let differ: Vec<&PathBuf> =
        one.iter().zip(&other).filter(|(one, other)| one.1 != other.1).map(|(one, _)| &one.0).collect();
    assert!(differ.is_empty(), "these files differ: {differ:?}");
}

/// Scripts that differ in one condition: name, what is replaced in the script, and by what.
const SHOPS: [(&str, &str, &str); 3] = [
    ("shop/paid", "", ""),
    ("shop/nested", "o.amount > 10", "o.amount > 10 AND o.order_id IS NOT NULL"),
    ("shop/cities", "c.is_test = 0", "c.is_test = 0 AND c.city IN ('Oslo', 'Bergen')"),
];
/// A script of a few lines that has places for faults of both tracks.
pub const SCRIPT: &str = "\
-- paid amount of each customer
WITH paid AS (
    SELECT o.customer_id, o.amount, o.order_id
    FROM dwd_orders o
    WHERE o.dt = '${bizdate}'
      AND o.status = 'PAID'
      AND o.amount > 10
)
SELECT c.customer_id,
    c.city,
    COUNT(DISTINCT p.order_id) AS orders,
    COALESCE(SUM(p.amount), 0) AS amount
FROM dim_customer c
LEFT JOIN paid p ON c.customer_id = p.customer_id
WHERE c.is_test = 0
GROUP BY c.customer_id, c.city;
";
/// Its tables.
pub const SCHEMA: &str = "\
CREATE TABLE dwd_orders (
    order_id BIGINT COMMENT 'order number',
    customer_id BIGINT COMMENT 'customer',
    status STRING COMMENT 'order status',
    amount DECIMAL(18, 2) COMMENT 'order amount'
) PARTITIONED BY (dt STRING COMMENT 'day');
CREATE TABLE dim_customer (
    customer_id BIGINT COMMENT 'customer',
    city STRING COMMENT 'home city',
    is_test INT COMMENT 'test account'
);
";
const CARD: &str = "\
domain: retail
title: Paid orders by customer
intention: Paid orders and amounts of every customer.
scenario: The desk calls customers by what they paid.
parameters:
  bizdate: '2024-03-15'
";
