//! The review page in a real browser: Debian's Chromium, driven over the WebDriver protocol.
//!
//! Without chromedriver the test says that it did not run; with `SQLFAULT_REQUIRE_BROWSER=1` it fails instead.
#![allow(clippy::print_stdout, reason = "a run without a browser says so")]

mod driver;
mod fixture;
mod pages;
mod pictures;

use driver::Driver;
use fixture::{Served, run_of};
use serde_json::json;

/// Waits in the page until `condition` holds, for at most ten seconds.
fn wait(driver: &Driver, condition: &str) {
    let script = format!(
        "const done = arguments[arguments.length - 1]; const end = Date.now() + 10000; \
         const look = () => {{ let held = false; try {{ held = Boolean({condition}); }} catch {{}} \
         if (held || Date.now() > end) done(held); else setTimeout(look, 20); }}; look();"
    );
    let held = driver.run_later(&script);
    assert_eq!(held, true, "never so: {condition}; the page says: {}", driver.run("return document.body.innerText"));
}

/// Starts a browser; says that the test does not run if there is none.
fn browser() -> Option<Driver> {
    let driver = Driver::start();
    if driver.is_none() {
        assert!(std::env::var_os("SQLFAULT_REQUIRE_BROWSER").is_none(), "chromedriver is absent");
        println!("not run: chromedriver is absent (apt-get install chromium chromium-driver)");
    }
    driver
}

#[test]
fn people_judge_by_keys_and_a_killed_program_loses_no_click() {
    let Some(driver) = browser() else { return };
    let run = run_of(1000);
    let mut served = Served::start(run.path(), "ann");
    driver.go(&served.url);
    wait(&driver, "document.body.dataset.ready");

    // A thousand tasks, few entries, one page fetched.
    assert_eq!(driver.run("return queue.total"), 1000);
    assert!(driver.run("return document.querySelectorAll('.entry').length").as_u64().unwrap() < 60);
    assert_eq!(driver.run("return queue.asked.size"), 1);
    driver.run("byId('list').scrollTop = 700 * 48");
    wait(&driver, "document.querySelector('[data-id=task0700]') && queue.asked.size < 4");

    // Nothing of the answer is there before the verdict, also not in what the program sent; nothing of a record is read
    // as HTML.
    assert_eq!(
        driver.run("return document.querySelectorAll('#code .in, #code .out, #results, #witness, #attempts').length"),
        0
    );
    assert_eq!(driver.run("return byId('question').textContent"), "Is it solvable from this?");
    assert_eq!(driver.run("return JSON.stringify(current.task).includes('COUNT(*)') || document.body.innerText.includes('count-column')"), false);
    assert!(driver.run("return byId('context').textContent").as_str().unwrap().contains("<b>too few</b>"));
    assert_eq!(driver.run("return document.querySelectorAll('#context b').length"), 0);

    // Fair, and the answer shows; then the next; unfair with a reason; ambiguous.
    driver.keys("1");
    wait(&driver, "byId('state').textContent === 'saved' && byId('count').textContent.startsWith('1 of')");
    wait(&driver, "document.querySelectorAll('#code .in, #code .out').length === 2");
    assert_eq!(driver.run("return document.querySelectorAll('#results .changed-out').length"), 1);
    assert_eq!(driver.run("return document.querySelectorAll('#witness tbody tr').length"), 2);
    let tries = driver.run("return byId('attempts').innerText");
    assert!(tries.as_str().unwrap().contains("✓ MB") && tries.as_str().unwrap().contains("✗ accepted"), "{tries}");
    assert_eq!(
        driver.run("return [...document.querySelectorAll('#attempts .diff .in i')].map(it => it.textContent)"),
        json!(["", "1"])
    );
    driver.keys("\u{E007}");
    wait(&driver, "current.id === 'task0001'");
    driver.keys("2two tables of that name\u{E007}");
    wait(&driver, "byId('count').textContent.startsWith('2 of')");
    driver.keys("j");
    wait(&driver, "current.id === 'task0002'");
    driver.keys("3");
    wait(&driver, "byId('count').textContent.startsWith('3 of')");
    served.kill();
    let lines = served.lines();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains(r#""instance_id":"task0000","annotator":"ann","verdict":"fair""#), "{}", lines[0]);
    assert!(lines[1].contains(r#""verdict":"unfair","why":"two tables of that name""#), "{}", lines[1]);

    // A click that the dead program did not hear is sent when the page opens again.
    driver.run("document.activeElement.blur(); judge('fair')");
    wait(&driver, "byId('state').textContent.includes('nothing is lost')");
    let served = served.again();
    driver.go(&served.url);
    wait(&driver, "document.body.dataset.ready && byId('count').textContent.startsWith('3 of')");
    let lines = served.lines();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[3].contains(r#""instance_id":"task0002","annotator":"ann","verdict":"fair""#), "{}", lines[3]);
    alternative(&driver, &served);
    undo(&driver, &served);
    search(&driver);
    narrow(&driver);
}

/// A solution is run on the task's databases and kept.
fn alternative(driver: &Driver, served: &Served) {
    driver.run("return openTask('task0500')");
    wait(driver, "current.id === 'task0500'");
    driver.keys("a");
    wait(driver, "byId('dialog').open");
    driver
        .run("byId('alternative').value = 'SELECT SUM(amount) AS n FROM shop.sales'; byId('run-alternative').click()");
    wait(driver, "document.querySelector('#checked .bad')");
    driver.run("byId('alternative').value = 'SELECT COUNT(1) AS n FROM shop.sales'; byId('run-alternative').click()");
    wait(driver, "document.querySelector('#checked .good')");
    driver.run("byId('keep-alternative').click()");
    wait(driver, "current.task.mine && current.task.mine.alternative_accepted");
    let last = served.lines().pop().unwrap();
    assert!(last.contains(r#""alternative_accepted":true"#), "{last}");
}

/// The last click is taken back, and the answer is hidden again.
fn undo(driver: &Driver, served: &Served) {
    driver.run("return openTask('task0003')");
    wait(driver, "current.id === 'task0003'");
    driver.keys("1");
    wait(driver, "!current.task.is_blind");
    let count = driver.run("return byId('count').textContent");
    wait(driver, "document.querySelector('[data-id=task0003] small').textContent.includes('count-column')");
    driver.keys("u");
    wait(driver, &format!("current.task.is_blind && byId('count').textContent !== {count}"));
    let last = served.lines().pop().unwrap();
    assert!(last.contains(r#""instance_id":"task0003""#) && last.contains(r#""withdrawn":true"#), "{last}");
    // The click before it is the next to go: the solution, which stood after a verdict was given with it.
    driver.keys("u");
    wait(driver, "current.id === 'task0500' && current.task.is_blind");
}

/// Words narrow the list, and nothing of a fault is found before its verdict.
fn search(driver: &Driver) {
    driver.keys("/task0007");
    wait(driver, "queue.total === 1 && document.querySelector('[data-id=task0007]')");
    let look = |words: &str| driver.run(&format!("byId('search').value = '{words}'; return search('{words}')"));
    look("count-column");
    // Of the three tasks judged so far.
    wait(driver, "queue.total === 3");
    look("");
    wait(driver, "queue.total === 1000");
    driver.run("document.activeElement.blur()");
}

/// Everything stands below each other on a telephone, and nothing is cut off.
fn narrow(driver: &Driver) {
    driver.size(400, 800);
    driver.run("return openTask('task0000')");
    wait(driver, "current.id === 'task0000' && !current.task.is_blind");
    assert!(driver.holds());
    let tops = driver.run("return ['list', 'task', 'verdict'].map(id => byId(id).getBoundingClientRect().width > 300)");
    assert_eq!(tops, json!([true, true, true]));
}
