//! Runs of strangers with links, devices and pipes among their files: nothing outside is written, nothing is read or
//! waited for without end.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Bench, files};

const VERBS: [(&str, &[&str]); 4] = [
    ("audit", &["audit", "run", "--against", "scripts"]),
    ("repair", &["repair", "run", "--solver", "linter", "nothing"]),
    ("sift", &["sift", "run"]),
    ("refill", &["build", "--refill", "run", "--source", "scripts"]),
];
/// More than any of the verbs takes.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs the program with 4 GB of memory; fails if it does not end.
fn ended(bench: &Bench, arguments: &[&str]) -> String {
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_sqlfault")]).args(arguments);
    let mut child = limited.current_dir(bench.path(".")).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + LIMIT;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        std::thread::park_timeout(Duration::from_millis(5));
    }
    bench.shown(&child.wait_with_output().unwrap())
}

/// A run with attempts, scores and decisions.
fn tried() -> Bench {
    let bench = Bench::new();
    bench.shops(1);
    let fixed = ["build", "--source", "scripts", "--seed", "7", "--syntax", "2", "--semantic", "2", "--out", "run"];
    assert!(bench.run(&fixed).starts_with("exit 0\n"));
    assert!(ended(&bench, VERBS[1].1).starts_with("exit 0\n"));
    assert!(ended(&bench, VERBS[2].1).starts_with("exit 0\n"));
    bench
}

fn copied(source: &Path, target: &Path) {
    let _ = std::fs::remove_dir_all(target);
    for (name, content) in files(source) {
        std::fs::create_dir_all(target.join(&name).parent().unwrap()).unwrap();
        std::fs::write(target.join(&name), content).unwrap();
    }
}

/// Puts a link to a file without end, or a pipe that nobody writes to, in the place of a file.
fn endless(place: &Path, pipe: bool) {
    let _ = std::fs::remove_file(place);
    if pipe {
        assert!(Command::new("mkfifo").arg(place).status().unwrap().success());
    } else {
        symlink("/dev/zero", place).unwrap();
    }
}

/// Attack | any file of a run is a link to `/dev/zero` or a pipe, its lock among them, for `audit`, `repair`, `sift` and `build --refill` | read or waited for without end | refused by name
#[test]
fn no_verb_reads_a_file_without_end_or_waits_for_a_pipe() {
    let bench = tried();
    std::fs::rename(bench.path("run"), bench.path("whole")).unwrap();
    let is_deep = |name: &str| name.matches('/').count() > 1;
    let folder = |name: &str| name.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let mut names: Vec<String> =
        files(&bench.path("whole")).into_iter().map(|(name, _)| name.display().to_string()).collect();
    // One file of a folder such as `databases` stands for the others.
    names.dedup_by(|one, other| is_deep(one) && folder(one) == folder(other));
    names.extend(["lock", "judge/audit.json", "judge/dropped.jsonl", "judge/exchanges"].map(str::to_owned));
    for name in &names {
        for pipe in [false, true] {
            copied(&bench.path("whole"), &bench.path("run"));
            endless(&bench.path("run").join(name), pipe);
            for (verb, arguments) in VERBS {
                let said = ended(&bench, arguments);
                let is_refused = said.starts_with("exit 3\n")
                    && (said.contains("it is not a regular file") || said.contains("holds no run"));
                assert!(is_refused || is_deep(name) && !said.starts_with("exit killed\n"), "{verb}, {name}: {said}");
            }
        }
    }
}

/// Attack | `*.partial`, `attempts.jsonl`, `lock`, `exchanges` or the folder `judge` of a run link to the user's own files | they are overwritten or cut off | refused by name, untouched
#[test]
fn no_verb_writes_through_a_link_of_a_run() {
    let bench = tried();
    let folders = ["judge/exchanges", "judge/change.partial", "judge/change.ready", "judge/databases", "judge"];
    let links = [
        "judge/audit.json.partial", "judge/card.md.partial", "public/README.md.partial", "judge/scores.jsonl.partial",
        "judge/decisions.jsonl.partial", "judge/attempts.jsonl", "judge/run.yaml.partial", "lock",
    ];
    std::fs::rename(bench.path("run"), bench.path("whole")).unwrap();
    for name in links.iter().chain(&folders) {
        copied(&bench.path("whole"), &bench.path("run"));
        let (place, own) = (bench.path("run").join(name), bench.path("own"));
        let _ = std::fs::remove_dir_all(&own);
        bench.file("own/notes", "line\nno line end");
        if place.is_dir() {
            std::fs::remove_dir_all(&own).unwrap();
            std::fs::rename(&place, &own).unwrap();
        }
        let _ = std::fs::remove_file(&place);
        let victim = if folders.contains(name) { own.clone() } else { own.join("notes") };
        symlink(&victim, &place).unwrap();
        let before = files(&own);
        for (verb, arguments) in VERBS {
            let said = ended(&bench, arguments);
            assert!(
                said.starts_with("exit 3\n") && said.contains("it is not a regular file"),
                "{verb}, {name}: {said}"
            );
            assert!(files(&own) == before, "{verb} wrote through {name}");
        }
    }
}
