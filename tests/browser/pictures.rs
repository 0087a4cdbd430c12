//! The pictures of the documentation, made again with `UPDATE=1`.

use std::path::Path;

use serde_json::{Value, json};

use crate::driver::Driver;
use crate::fixture::{Served, run};
use crate::wait;

/// A run whose pages are shown.
const RUN: [&str; 9] = ["build", "--seed", "7", "--syntax", "4", "--semantic", "4", "--out", "run"];

#[test]
fn the_documentation_has_its_pictures() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    if std::env::var_os("UPDATE").is_some() {
        let Some(driver) = crate::browser() else { return };
        take(&driver, &docs);
    }
    for name in ["report.png", "score.png", "review.png"] {
        let picture = std::fs::read(docs.join(name)).unwrap();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() < 200_000, "{name}: {} bytes", picture.len());
    }
}

fn take(driver: &Driver, docs: &Path) {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &RUN);
    run(folder.path(), &["report", "run", "--html", "report.html"]);
    for (file, nth) in [("one.jsonl", 2), ("two.jsonl", 4)] {
        answer(folder.path(), file, nth);
    }
    run(folder.path(), &["score", "run", "one.jsonl", "--against", "two.jsonl", "--html", "score.html"]);
    driver.size(1000, 1000);
    for (page, part) in [("report", "shape"), ("score", "")] {
        driver.go(&format!("file://{}#{part}", folder.path().join(format!("{page}.html")).display()));
        keep(driver, docs, page);
    }
    let served = Served::start(&folder.path().join("run"), "ann");
    driver.size(1280, 800);
    driver.go(&served.url);
    wait(driver, "document.body.dataset.ready");
    driver.keys("1");
    wait(driver, "!current.task.is_blind");
    keep(driver, docs, "review");
}

/// Writes answers that repair all but each n-th task.
fn answer(folder: &Path, file: &str, nth: usize) {
    let lines = std::fs::read_to_string(folder.join("run/judge/gold.jsonl")).unwrap();
    let answer = |(number, line): (usize, &str)| {
        let gold: Value = serde_json::from_str(line).unwrap();
        let sql = if number % nth == 0 { "SELECT 1" } else { gold["reference_sql"].as_str().unwrap() };
        format!("{}\n", json!({ "instance_id": gold["instance_id"], "predict_sql": sql }))
    };
    std::fs::write(folder.join(file), lines.lines().enumerate().map(answer).collect::<String>()).unwrap();
}

fn keep(driver: &Driver, docs: &Path, name: &str) {
    std::fs::write(docs.join(format!("{name}.png")), driver.picture()).unwrap();
}
