//! A kill, a Ctrl-C or a full disk leaves whole files, and a run that goes on to the same bytes.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};

use crate::program::{Bench, assert_same_files};

/// Moments at which a run is killed.
const KILLS: usize = 20;

fn arguments(out: &str) -> Vec<String> {
    let fixed = ["build", "--source", "scripts", "--seed", "7", "--syntax", "6", "--semantic", "6", "--out", out];
    fixed.map(str::to_owned).to_vec()
}

fn build(bench: &Bench, out: &str, resume: bool) -> Command {
    let mut arguments = arguments(out);
    arguments.extend(resume.then(|| "--resume".to_owned()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = bench.command(&arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Builds undisturbed into `whole`.
fn undisturbed() -> Bench {
    let bench = Bench::new();
    bench.shops(2);
    let status = build(&bench, "whole", false).status().unwrap();
    assert!(status.success(), "{status}");
    bench
}

/// Kills a build after this time; returns whether it was still under way.
fn killed(bench: &Bench, out: &str, moment: Duration) -> bool {
    let mut child = build(bench, out, false).spawn().unwrap();
    let deadline = Instant::now() + moment;
    while Instant::now() < deadline && child.try_wait().unwrap().is_none() {
        std::thread::park_timeout(Duration::from_millis(1));
    }
    let under_way = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    under_way
}

/// Attack | 20 kills of a build at random moments | – | same bytes
#[test]
fn a_run_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let bench = undisturbed();
    let start = Instant::now();
    assert!(build(&bench, "timed", false).status().unwrap().success());
    let mut duration = start.elapsed();
    let mut chance = rand_chacha::ChaCha8Rng::seed_from_u64(20);
    let mut kills = 0;
    for attempt in 0..4 * KILLS {
        let out = format!("killed-{attempt}");
        let moment = duration.mul_f64(chance.random_range(0.0..1.0));
        if killed(&bench, &out, moment) {
            kills += 1;
        } else {
            // It was over already: this machine has become faster since the measurement.
            duration = duration.mul_f64(0.9);
        }
        assert!(build(&bench, &out, true).status().unwrap().success(), "killed after {moment:?}");
        assert_same_files(&bench.path("whole"), &bench.path(&out));
        if kills == KILLS {
            return;
        }
    }
    panic!("only {kills} runs were still under way when they were killed");
}

/// The lines of a log of a run; none if there is no such file.
fn logged(bench: &Bench, out: &str, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(bench.path(&format!("{out}/judge/{name}"))).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Attack | a build whose every process is ended after one second of work | what is not a trial is done again each time | no step is done twice; same bytes
#[cfg(unix)]
#[test]
fn a_build_that_is_killed_again_and_again_comes_to_its_end() {
    const MOST: usize = 100;
    let bench = Bench::new();
    bench.shops(3);
    assert!(build(&bench, "whole", false).status().unwrap().success());
    for _ in 0..MOST {
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -t 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_sqlfault")]);
        limited.args(arguments("killed")).arg("--resume").current_dir(bench.path("."));
        if limited.output().unwrap().status.success() {
            assert_same_files(&bench.path("whole"), &bench.path("killed"));
            return;
        }
        let steps = logged(&bench, "killed", "steps.partial.jsonl");
        let distinct: std::collections::BTreeSet<&String> = steps.iter().collect();
        assert_eq!(distinct.len(), steps.len(), "a step was done twice");
    }
    panic!("the build does not end");
}

/// Waits until the run has proved something.
fn wait_for_a_proof(bench: &Bench, out: &str) {
    let log = bench.path(out).join("judge/proofs.partial.jsonl");
    let deadline = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(&log).map_or(0, |file| file.len()) == 0 {
        assert!(Instant::now() < deadline, "nothing was proved");
        std::thread::park_timeout(Duration::from_millis(2));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_with_one_clear_line_and_the_run_goes_on() {
    let bench = undisturbed();
    let child = build(&bench, "stopped", false).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_a_proof(&bench, "stopped");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = bench.shown(&output);
    assert!(said.starts_with("exit 130\n"), "{said}");
    let error = "error: stopped; what was proved is kept in stopped; the same command with --seed 7 --resume goes on";
    assert_eq!(said.lines().filter(|line| line.starts_with("error:")).collect::<Vec<_>>(), [error]);
    assert!(!bench.path("stopped/public/tasks.jsonl").exists());
    assert!(build(&bench, "stopped", true).status().unwrap().success());
    assert_same_files(&bench.path("whole"), &bench.path("stopped"));
}

/// A limit on the size of files stands in for a full disk: writing fails in the same way, and no rights are needed.
#[cfg(unix)]
/// Attack | a full disk under a build | – | exit 5; goes on to the same bytes
#[test]
fn a_full_disk_is_told_and_the_run_goes_on_when_there_is_room() {
    let bench = undisturbed();
    for blocks in ["0", "8", "64"] {
        let out = format!("full-{blocks}");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut limited = Command::new("sh");
        limited.args(["-c", &script, env!("CARGO_BIN_EXE_sqlfault")]).args(arguments(&out));
        let output = limited.current_dir(bench.path(".")).stdout(Stdio::null()).output().unwrap();
        let said = bench.shown(&output);
        assert!(said.starts_with("exit 5\n"), "{blocks} blocks: {said}");
        assert!(
            said.contains("; free some space, then run the command again, with --resume if it has that flag\n"),
            "{said}"
        );
        assert!(build(&bench, &out, true).status().unwrap().success());
        assert_same_files(&bench.path("whole"), &bench.path(&out));
    }
}

#[test]
fn a_run_goes_on_only_with_its_own_settings() {
    let bench = undisturbed();
    let mut other = arguments("whole");
    other.push("--resume".to_owned());
    let at = other.iter().position(|argument| argument == "7").unwrap();
    other[at] = "8".to_owned();
    let said = bench.run(&other.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(said.starts_with("exit 3\n"), "{said}");
    assert!(said.contains("whole holds a run with other settings (then `seed: 7`, now `seed: 8`)"), "{said}");
}
