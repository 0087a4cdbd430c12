//! Work items on a cluster of several processes, one of which is killed while it works.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::building::{SIZES, bench};
use crate::program::assert_same_files;

/// A process as the system lists it.
struct Running {
    id: u32,
    parent: u32,
    command: String,
}

fn processes() -> Vec<Running> {
    let read = |entry: std::fs::DirEntry| {
        let id: u32 = entry.file_name().to_str()?.parse().ok()?;
        let status = std::fs::read_to_string(entry.path().join("status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()?;
        let command = std::fs::read_to_string(entry.path().join("cmdline")).ok()?.replace('\0', " ");
        Some(Running { id, parent, command })
    };
    std::fs::read_dir("/proc").unwrap().flatten().filter_map(read).collect()
}

fn descends(all: &[Running], mut id: u32, from: u32) -> bool {
    while let Some(process) = all.iter().find(|process| process.id == id) {
        if process.parent == from {
            return true;
        }
        id = process.parent;
    }
    false
}

/// An engine of this cluster that has a worker at work.
fn busy_executor(cluster: u32) -> Option<u32> {
    let all = processes();
    let is_executor = |process: &&Running| process.command.contains("CoarseGrainedExecutorBackend");
    let is_worker = |process: &Running| process.command.contains("sqlfault") && process.command.contains("worker");
    let executors = all.iter().filter(is_executor).filter(|process| descends(&all, process.id, cluster));
    let mut busy = executors
        .filter(|executor| all.iter().any(|process| is_worker(process) && descends(&all, process.id, executor.id)));
    busy.next().map(|executor| executor.id)
}

/// Attack | an executor of a cluster killed while its worker works | – | same bytes
#[test]
fn a_cluster_that_loses_an_executor_gives_the_bytes_of_a_single_process() {
    let Some(bench) = bench() else { return };
    let installation = sqlfault::engine::spark::find::find().unwrap();
    let sizes = [&SIZES[..4], &["--syntax", "12", "--semantic", "12"]].concat();
    let build = |more: &[&str]| bench.run(&[&["build"], &sizes[..], more].concat());
    build(&["--out", "whole"]);
    assert!(build(&["--out", "plan", "--plan-only"]).starts_with("exit 0\n"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/sqlfault_cluster.py");
    let mut cluster = Command::new(installation.python);
    cluster.arg(script).arg(bench.path("plan")).args([env!("CARGO_BIN_EXE_sqlfault"), "2"]);
    cluster.env("PYSPARK_SUBMIT_ARGS", "--master local-cluster[2,1,1024] pyspark-shell");
    cluster
        .env("SPARK_LOCAL_IP", "127.0.0.1")
        .current_dir(bench.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut cluster = cluster.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(240);
    let victim = loop {
        if let Some(executor) = busy_executor(cluster.id()) {
            break executor;
        }
        assert!(cluster.try_wait().unwrap().is_none(), "the cluster ended before it worked");
        assert!(Instant::now() < deadline, "no executor came to work");
        std::thread::park_timeout(Duration::from_millis(5));
    };
    assert!(Command::new("kill").args(["-KILL", &victim.to_string()]).status().unwrap().success());
    let output = cluster.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("Lost executor"), "the cluster noticed nothing: {said}");
    let said = bench.run(&["merge", "plan", "--out", "merged"]);
    assert!(said.contains("records; "), "{said}");
    assert_same_files(&bench.path("whole"), &bench.path("merged"));
}
