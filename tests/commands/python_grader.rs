//! The Python grader, tested from Python. Without python3 the test says that it did not run; with
//! `SQLFAULT_REQUIRE_PYTHON=1` it fails instead.
#![expect(clippy::print_stderr, reason = "says so when there is no Python to test with")]

use std::path::Path;
use std::process::Command;

use crate::common::{REFERENCE, TASKS, issue, write_run};

const SCRIPT: &str = r#"
import asyncio, inspect, json, os, pickle, signal, sys, threading
sys.path.insert(0, sys.argv[1])
from sqlfault import Grader, GraderError, Reward, compute_score, process_results
run, program = sys.argv[2], sys.argv[3]
os.environ["SQLFAULT_PROGRAM"] = program
cases = json.loads(sys.argv[4])

def raises(kind, part, call):
    try:
        call()
    except kind as error:
        assert part in str(error), error
    else:
        raise AssertionError(f"no {kind.__name__}")

with Grader(run, workers=2) as grader:
    for id, sql, accepted, mb, outcome in cases:
        s = grader.score(id, sql)
        assert (s["accepted"], s["mb"], s["outcome"]) == (accepted, mb, outcome), (id, sql, s)
    id, right, wrong = cases[0][0], cases[0][1], cases[1][1]
    # What is no task has no score, and ends nothing.
    assert grader.score("nothing", right) is None
    assert [s and s["accepted"] for s in grader.score_many([(id, right), ("x", right), (id, wrong)])] == [True, None, False]
    # A lone surrogate is an answer like any other.
    assert grader.score(id, "SELECT '\ud800'")["accepted"] is False
    # So is one that no line could hold.
    for character in "a\u00e9\u6f22\U0001f600\ud800":
        assert grader.score(id, character * 3_000_000)["outcome"] == "too_large"
    raises(TypeError, "list", lambda: grader.score(id, ["SELECT 1"]))
    # Asynchronous, without blocking the loop.
    async def both():
        return await grader.score_many_async([(id, right), (id, wrong)])
    assert [s["accepted"] for s in asyncio.run(both())] == [True, False]
    # A worker that is killed is replaced.
    pids = grader._own_pool().pids()
    assert 1 <= len(pids) <= 2, pids
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    assert grader.score(id, right)["accepted"] is True
    # Threads share the pool.
    found = []
    threads = [threading.Thread(target=lambda: found.append(grader.score(id, right)["accepted"])) for _ in range(6)]
    [t.start() for t in threads]; [t.join() for t in threads]
    assert found == [True] * 6
    # Another process has a pool of its own, forked or unpickled.
    child = os.fork()
    if child == 0:
        os._exit(0 if grader.score(id, right)["accepted"] else 1)
    assert os.waitpid(child, 0)[1] == 0
    with pickle.loads(pickle.dumps(grader)) as copy:
        assert copy.score(id, right)["accepted"] is True
    assert grader.query(cases[0][0], "SELECT COUNT(*) AS n FROM users") == "n\n1\n(1 row)\n"
    assert "UNRESOLVED_COLUMN" in grader.query(id, "SELECT nothing FROM users")
    raises(GraderError, "no task", lambda: grader.query("nothing", "SELECT 1"))

# What cannot work says so at once, in Python's words.
raises(FileNotFoundError, "not a run of sqlfault", lambda: Grader(run + "/databases"))
raises(FileNotFoundError, "no program", lambda: Grader(run, program="/nowhere/sqlfault"))
raises(ValueError, "workers", lambda: Grader(run, workers=0))
open(run + "/gold.jsonl", "a").write("broken")
raises(GraderError, "gold.jsonl", lambda: Grader(run, workers=1).score(id, right))
lines = open(run + "/gold.jsonl").read().removesuffix("broken")
open(run + "/gold.jsonl", "w").write(lines)

# DM-SFT: changed tokens count, tokens without characters too, of the others a share; the key chooses.
from sqlfault.masks import labels, token_mask
offsets = [(at, at + 2) for at in range(0, 2000, 2)] + [(0, 0)]
mask = token_mask(offsets, [[11, 15]], key="a")
assert mask[5:8] == [1, 1, 1] and mask[-1] == 1 and 400 < sum(mask) < 600
assert mask == token_mask(offsets, [[11, 15]], key="a") != token_mask(offsets, [[11, 15]], key="b")
assert sum(token_mask(offsets, [[11, 15]], share=1.0)) == 4 and all(token_mask(offsets, [[0, 1]], share=0.0))
assert all(token_mask(offsets, [])), "what copies nothing counts whole"
assert labels([7, 8], [(0, 1), (1, 2)], [[1, 2]], share=1.0) == [-100, 8]
raises(ValueError, "share", lambda: token_mask([], [], share=2))

# TRL: keywords, a list of rewards, a name for each reward, None for what is no task.
rewards = [Reward(run, metric, workers=1) for metric in ("accepted", "em", "gm", "mb", "ex", "shaped")]
assert len({r.__name__ for r in rewards}) == 6
call = dict(prompts=["p"] * 3, completions=[right, [{"role": "assistant", "content": wrong}], right],
            completion_ids=[[1]] * 3, instance_id=[id, id, "x"], trainer_state=None)
assert [r(**call) for r in rewards] == [[1.0, 0.0, None]] * 6
assert pickle.loads(pickle.dumps(rewards[0]))(**call) == [1.0, 0.0, None]
raises(ValueError, "not a reward", lambda: Reward(run, "speed"))
# verl: by keyword.
score = compute_score(data_source="sqlfault", solution_str=right, ground_truth=id, extra_info={"run": run})
assert score["score"] == score["gm"] == 1.0, score
raises(KeyError, "extra_info", lambda: compute_score(solution_str=right, ground_truth=id))
# lm-evaluation-harness: by place.
assert process_results({"instance_id": id, "run": run}, [right])["gm"] == 1.0
print("all held")
"#;

#[test]
fn python_sees_the_same_scores() {
    let Ok(version) = Command::new("python3").arg("--version").output() else {
        assert!(std::env::var_os("SQLFAULT_REQUIRE_PYTHON").is_none(), "python3 is absent");
        eprintln!("not run: there is no python3");
        return;
    };
    assert!(version.status.success());
    let folder = tempfile::tempdir().unwrap();
    write_run(folder.path());
    std::fs::create_dir(folder.path().join("samples")).unwrap();
    let sample = r#"{"tables":[{"table":"users","rows":[[1,"ann"]]}]}"#;
    std::fs::write(folder.path().join("samples").join(format!("{}.json", TASKS[2].0)), sample).unwrap();
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
