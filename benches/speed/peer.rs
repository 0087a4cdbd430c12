//! Runs peers in Python, in the same run as ours, if an environment variable names a Python that has them.

use std::process::Command;
use std::time::Duration;

use serde_json::Value as Json;

/// Returns the peer's version and CPU time, which `script` prints when it is called with the name of a JSON file that
/// holds `input`; `None` if the variable is not set.
pub fn timed(variable: &str, script: &str, input: &Json) -> Option<(String, Duration)> {
    let python = std::env::var_os(variable)?;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("input.json");
    std::fs::write(&file, input.to_string()).expect("the folder takes a file");
    let output = Command::new(python).args(["-c", script]).arg(file).output().expect("the Python can be started");
    assert!(output.status.success(), "{variable}: {}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let (version, seconds) = told.trim().split_once(' ').expect("a version and a time");
    Some((version.to_owned(), Duration::from_secs_f64(seconds.parse().expect("seconds"))))
}
