//! The Python grader, tested from Python.
#![expect(clippy::print_stderr, reason = "says so when there is no Python to test with")]

use std::path::Path;
use std::process::Command;

use crate::common::{REFERENCE, TASKS, issue, write_run};

const SCRIPT: &str = r#"
import json, sys
sys.path.insert(0, sys.argv[1])
import sqlfault_grader as g
cases = json.loads(sys.argv[4])
with g.Grader(sys.argv[2], program=sys.argv[3]) as grader:
    for id, sql, accepted, mb, outcome in cases:
        s = grader.score(id, sql)
        assert (s["accepted"], s["mb"], s["outcome"]) == (accepted, mb, outcome), (id, sql, s)
    try:
        grader.score("nothing", "SELECT 1")
    except g.GraderError as error:
        assert "nothing" in str(error), error
    else:
        raise AssertionError("an unknown task has a score")
    id, right, wrong = cases[0][0], cases[0][1], cases[1][1]
    assert g.reward(grader)([right, [{"content": wrong}]], instance_id=[id, id]) == [1.0, 0.0]
    assert g.compute_score(grader)("x", right, id) == 1.0
    assert g.process_results(grader)({"instance_id": id}, [right])["gm"] == 1.0
print("all held")
"#;

#[test]
fn python_sees_the_same_scores() {
    let Ok(version) = Command::new("python3").arg("--version").output() else {
        eprintln!("not run: there is no python3");
        return;
    };
    assert!(version.status.success());
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    let id = TASKS[2].0;
    let cases = serde_json::json!([
        [id, REFERENCE, true, true, "equal"],
        [id, issue(id), false, false, "other_rows"],
        [id, format!("Sure!\n```sql\n{REFERENCE}```"), true, true, "equal"],
        [id, "", false, false, "empty"],
        [id, null, false, false, "missing"],
        [TASKS[0].0, issue(TASKS[0].0), false, false, "rejected_at_parse"],
        [id, "SELECT 'naïve ☃'", false, false, "other_columns"],
    ]);
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
    let output = Command::new("python3")
        .args(["-c", SCRIPT])
        .arg(python)
        .arg(folder.path())
        .arg(env!("CARGO_BIN_EXE_sqlfault"))
        .arg(cases.to_string())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "all held\n", "{told}");
}
