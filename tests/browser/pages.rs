//! The pages of `report` and `score` in a narrow window.

use serde_json::json;

use crate::driver::Driver;
use crate::fixture::{Served, run, run_of};

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

/// Attack | scripts, images and ends of styles in every text of a run, in a real browser, on the pages of `report`, `score` and `review` | – | text; nothing of it runs
#[test]
fn nothing_that_a_run_says_runs_in_a_browser() {
    const HOSTILE: &str = "\"></style></pre></script><script>window.ran=1</script><img src=x onerror='window.ran=1'>";
    let Some(driver) = crate::browser() else { return };
    let folder = run_of(3);
    let quoted = json!(HOSTILE).to_string();
    let unquoted = &quoted[1..quoted.len() - 1];
    for (file, texts) in [("tasks.jsonl", ["\"shop\"", "too few"]), ("gold.jsonl", ["\"shop/sales\"", "count-column"])]
    {
        let path = folder.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.replace(texts[0], &quoted).replace(texts[1], unquoted);
        std::fs::write(&path, text).unwrap();
    }
    let answer = json!({ "instance_id": "task0001", "predict_sql": format!("SELECT '{HOSTILE}' AS n") });
    std::fs::write(folder.path().join("predictions.jsonl"), format!("{answer}\n")).unwrap();
    run(folder.path(), &["score", ".", "predictions.jsonl", "--html", "score.html"]);
    run(folder.path(), &["report", ".", "--html", "report.html"]);
    let shows_text = |page: &str| {
        assert_eq!(driver.run("return window.ran === undefined"), true, "{page}");
        assert_eq!(driver.run("return document.images.length"), 0, "{page}");
        let shown = driver.run("return document.body.textContent.includes('<script>window.ran=1')");
        assert_eq!(shown, true, "{page} does not show the text");
    };
    for page in ["score.html", "report.html"] {
        open(&driver, &folder.path().join(page));
        shows_text(page);
    }
    let served = Served::start(folder.path(), "ann");
    driver.go(&served.url);
    crate::wait(&driver, "document.body.textContent.includes('window.ran=1')");
    shows_text("review");
}
