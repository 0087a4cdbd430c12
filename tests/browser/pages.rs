//! The pages of `report` and `score` in a narrow window.

use serde_json::json;

use crate::driver::Driver;
use crate::fixture::{run, run_of};

/// Opens a page with all its parts unfolded.
fn open(driver: &Driver, page: &std::path::Path) {
    driver.go(&format!("file://{}", page.display()));
    driver.run("document.querySelectorAll('details').forEach(it => { it.open = true; })");
}

#[test]
fn pages_hold_at_400_pixels_and_wide_tables_scroll_by_themselves() {
    let Some(driver) = crate::browser() else { return };
    let folder = run_of(12);
    let long = "a_name_that_goes_on_and_on_".repeat(12);
    let words = |text: String| text.replace("\"shop\"", &format!("\"{long}\"")).replace("too few", &long);
    for file in ["tasks.jsonl", "gold.jsonl"] {
        let file = folder.path().join(file);
        std::fs::write(&file, words(std::fs::read_to_string(&file).unwrap())).unwrap();
    }
    let answers = ["SELECT COUNT(id) AS n, 'x' AS m FROM shop.sales", &format!("SELECT '{long}' AS n")];
    let line = |number: usize| json!({ "instance_id": format!("task{number:04}"), "predict_sql": answers[number % 2] });
    let lines: String = (0..12).map(|number| format!("{}\n", line(number))).collect();
    std::fs::write(folder.path().join("predictions.jsonl"), lines).unwrap();
    run(folder.path(), &["score", ".", "predictions.jsonl", "--html", "score.html"]);
    run(folder.path(), &["report", ".", "--html", "report.html"]);
    for page in ["score.html", "report.html"] {
        for width in [400, 1500] {
            driver.size(width, 900);
            open(&driver, &folder.path().join(page));
            assert!(driver.holds(), "{page} at {width}");
        }
        assert!(driver.run("return document.querySelectorAll('.diff .in').length").as_u64().unwrap() >= 10, "{page}");
        assert_eq!(driver.run("return document.querySelectorAll('blockquote b').length"), 0, "{page}");
    }
    driver.size(400, 900);
    open(&driver, &folder.path().join("score.html"));
    assert_eq!(driver.run("return document.querySelector('.wide').scrollWidth > 400"), true);
}
