//! Training pairs made by a cluster of two processes.

use std::path::Path;
use std::process::Command;

use crate::building::bench;
use crate::program::{Bench, assert_same_files};

/// What every shard is told.
const PAIRS: [&str; 6] = ["--seed", "11", "--pairs", "6", "--pairs-per-script", "3"];

fn cluster(bench: &Bench, more: &[&str]) -> (bool, String) {
    let python = sqlfault::engine::spark::find::find().unwrap().python;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/sqlfault_train_cluster.py");
    let mut cluster = Command::new(python);
    cluster.arg(script).arg(bench.path("shards")).args(["2", "--program", env!("CARGO_BIN_EXE_sqlfault")]).args(more);
    cluster.env("PYSPARK_SUBMIT_ARGS", "--master local-cluster[2,1,1024] pyspark-shell");
    let done = cluster.env("SPARK_LOCAL_IP", "127.0.0.1").output().unwrap();
    (done.status.success(), String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned())
}

#[test]
fn a_clusters_shards_are_those_of_one_machine_and_go_on_where_they_were_cut_off() {
    let Some(bench) = bench() else { return };
    for number in ["1", "2"] {
        let shard = format!("{number}/2");
        let said =
            bench.run(&[&["train", "--shard", &shard, "--out", &format!("plain/{number}")], &PAIRS[..]].concat());
        assert!(said.starts_with("exit 0\n"), "{said}");
    }
    let (done, said) = cluster(&bench, &PAIRS);
    assert!(done && said.contains("6 pairs of"), "{said}");
    assert_same_files(&bench.path("plain"), &bench.path("shards"));
    // As a lost executor leaves it: a part that was not finished.
    std::fs::rename(bench.path("shards/2/parts/000001"), bench.path("shards/2/parts/000001.partial")).unwrap();
    let (done, said) = cluster(&bench, &PAIRS);
    assert!(done, "{said}");
    assert_same_files(&bench.path("plain"), &bench.path("shards"));
    let joined = bench.run(&["train", "--join", "shards/1", "shards/2", "--out", "all"]);
    assert!(joined.starts_with("exit 0\n12 pairs"), "{joined}");
    let (done, said) = cluster(&bench, &["--pairs", "7"]);
    assert!(!done && said.contains("other settings"), "{said}");
}
