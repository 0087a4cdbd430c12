//! Work items on a cluster of several processes, one of which is killed or hangs.

use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::building::{SIZES, bench};
use crate::program::{Bench, assert_same_files};

/// A process as the operating system lists it.
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

/// An executor of this cluster whose worker is busy.
fn busy_executor(cluster: u32) -> Option<u32> {
    let all = processes();
    let is_executor = |process: &&Running| process.command.contains("CoarseGrainedExecutorBackend");
    let is_worker = |process: &Running| process.command.contains("sqlfault") && process.command.contains("worker");
    let executors = all.iter().filter(is_executor).filter(|process| descends(&all, process.id, cluster));
    let mut busy = executors
        .filter(|executor| all.iter().any(|process| is_worker(process) && descends(&all, process.id, executor.id)));
    busy.next().map(|executor| executor.id)
}

/// A plan of several items, the run that it plans, and the Python that runs the cluster.
struct Plan {
    bench: Bench,
    python: PathBuf,
}

impl Plan {
    /// Makes the plan; `None`, and a line that says so, if Spark is absent.
    fn new() -> Option<Plan> {
        let bench = bench()?;
        let python = sqlfault::engine::spark::find::find().unwrap().python;
        let sizes = [&SIZES[..4], &["--syntax", "24", "--semantic", "24"]].concat();
        let build = |more: &[&str]| bench.run(&[&["build"], &sizes[..], more].concat());
        build(&["--out", "whole"]);
        assert!(build(&["--out", "plan", "--plan-only"]).starts_with("exit 0\n"));
        symlink(env!("CARGO_BIN_EXE_sqlfault"), bench.path("sqlfault")).unwrap();
        Some(Plan { bench, python })
    }

    /// Starts the cluster with this program in the folder as its worker.
    fn start(&self, program: &str, more: &[&str]) -> Cluster {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/sqlfault_cluster.py");
        let mut cluster = Command::new(&self.python);
        cluster.arg(script).arg(self.bench.path("plan")).arg(self.bench.path(program)).arg("4").args(more);
        cluster.env("PYSPARK_SUBMIT_ARGS", "--master local-cluster[2,1,1024] pyspark-shell");
        cluster.env("SPARK_LOCAL_IP", "127.0.0.1").current_dir(self.bench.path("."));
        Cluster(cluster.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Makes a program of this name that does something else first with the items of these numbers, in the shell's words.
    fn wrap(&self, name: &str, items: &[(usize, &str)]) {
        let program = self.bench.path("sqlfault");
        let cases: String = items.iter().map(|(item, first)| format!("*'\"number\":{item},'*) {first};; ")).collect();
        let text = format!(
            "#!/bin/sh\nwhile read -r item; do\n\
             case $item in {cases}esac\n\
             printf '%s\\n' \"$item\"\ndone | '{}' \"$@\"\n",
            program.display()
        );
        std::fs::write(self.bench.path(name), text).unwrap();
        std::fs::set_permissions(self.bench.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Makes a pipe `hold`; returns words for the shell that wait until it is gone.
    fn hold(&self) -> String {
        let pipe = self.bench.path("hold");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let pipe = pipe.display();
        format!("[ ! -p '{pipe}' ] || read -r never <'{pipe}'")
    }

    fn let_go(&self) {
        std::fs::remove_file(self.bench.path("hold")).unwrap();
    }

    /// Number of live workers, whoever started them.
    fn workers(&self) -> usize {
        let program = self.bench.path("sqlfault").display().to_string() + " worker";
        processes().iter().filter(|process| process.command.starts_with(&program)).count()
    }

    /// The items that this start of the cluster has done, in order.
    fn recorded(&self, start: usize) -> Vec<u64> {
        let parts =
            std::fs::read_dir(self.bench.path(&format!("plan/records/{start}"))).into_iter().flatten().flatten();
        let is_part = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("part-");
        let text = parts.map(|entry| entry.path()).filter(is_part).map(|path| std::fs::read_to_string(path).unwrap());
        let number = |line: &str| serde_json::from_str::<Value>(line).unwrap()["number"].as_u64().unwrap();
        let mut numbers: Vec<u64> = text.flat_map(|text| text.lines().map(number).collect::<Vec<_>>()).collect();
        numbers.sort_unstable();
        numbers
    }

    fn assert_merges(&self) {
        let said = self.bench.run(&["merge", "plan", "--out", "merged"]);
        assert!(said.contains("4 records; "), "{said}");
        assert_same_files(&self.bench.path("whole"), &self.bench.path("merged"));
    }
}

/// A running cluster; it ends when this value is dropped.
struct Cluster(Child);

impl Cluster {
    /// Waits until `look` finds something, while the cluster runs.
    fn until<T>(&mut self, mut look: impl FnMut(u32) -> Option<T>) -> T {
        let deadline = Instant::now() + Duration::from_secs(240);
        loop {
            if let Some(found) = look(self.0.id()) {
                return found;
            }
            assert!(self.0.try_wait().unwrap().is_none(), "the cluster ended before it worked");
            assert!(Instant::now() < deadline, "no worker came to work");
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }

    /// Waits for its end; returns its exit code and its standard error.
    fn ended(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.0.wait().unwrap().code(), said)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn kill(processes: &[u32]) {
    let ids = processes.iter().map(ToString::to_string);
    assert!(Command::new("kill").arg("-KILL").args(ids).status().unwrap().success());
}

/// Attack | an executor of a cluster killed while its worker works | – | same bytes
#[test]
fn a_cluster_that_loses_an_executor_gives_the_bytes_of_a_single_process() {
    let Some(plan) = Plan::new() else { return };
    let mut cluster = plan.start("sqlfault", &[]);
    let victim = cluster.until(busy_executor);
    kill(&[victim]);
    let (code, said) = cluster.ended();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Lost executor"), "the cluster noticed nothing: {said}");
    plan.assert_merges();
}

/// Attack | the driver of a cluster, Java and Python, killed while workers work | the same command cannot start, and what was done is lost | no worker lives on; the same command does the items that are left, to the same bytes
#[test]
fn a_cluster_that_loses_its_driver_goes_on() {
    let Some(plan) = Plan::new() else { return };
    plan.wrap("held", &[(1, &plan.hold())]);
    let mut cluster = plan.start("held", &[]);
    let driver = cluster.until(|id| {
        let all = processes();
        let java = all.iter().find(|process| process.parent == id && process.command.contains("SparkSubmit"))?.id;
        let is_midway = !plan.recorded(0).is_empty() && plan.workers() > 0;
        is_midway.then_some([java, id])
    });
    kill(&driver);
    let deadline = Instant::now() + Duration::from_secs(20);
    while plan.workers() > 0 {
        assert!(Instant::now() < deadline, "workers outlive their cluster");
        std::thread::park_timeout(Duration::from_millis(5));
    }
    plan.let_go();
    let before = plan.recorded(0);
    assert!(!before.contains(&1), "{before:?}");
    let (code, said) = plan.start("held", &[]).ended();
    assert_eq!(code, Some(0), "{said}");
    let left: Vec<u64> = (0..4).filter(|number| !before.contains(number)).collect();
    assert_eq!(plan.recorded(1), left);
    plan.assert_merges();
}

/// Attack | a worker of a cluster that hangs at an item | the cluster works for ever | the item is given up at a limit of time and named, exit 1; the same command does it, to the same bytes
/// Attack | a worker of a cluster that dies at the same item whenever it is tried | each start ends there | the item is given up and named, exit 1, the others are done; the same command does it with a program that lives, to the same bytes
#[test]
fn workers_that_hang_or_always_die_cost_a_cluster_one_item_each() {
    let Some(plan) = Plan::new() else { return };
    // A worker whose input ends, ends.
    plan.wrap("broken", &[(1, "exit 9"), (2, &plan.hold())]);
    let (code, said) = plan.start("broken", &["--seconds", "5"]).ended();
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("no record of the items 1, 2: their workers took longer than 5 seconds or died twice"),
        "{said}"
    );
    assert_eq!(plan.recorded(0), [0, 3]);
    let (code, said) = plan.start("sqlfault", &[]).ended();
    assert_eq!((code, plan.recorded(1)), (Some(0), vec![1, 2]), "{said}");
    plan.assert_merges();
}
