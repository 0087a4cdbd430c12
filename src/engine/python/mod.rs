//! Python on this machine: finds one that has a package, and runs a program of ours in it as a supervised process.

mod process;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use process::{ProcessFailure, PythonProcess, PythonProgram};

/// The environment variable that names the Python to use.
pub const VARIABLE: &str = "SQLFAULT_PYTHON";

/// Returns the folder of the virtual environment that `doctor --install-spark` creates: in the user's cache, or else in
/// the current folder.
pub fn environment() -> PathBuf {
    match std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| home().map(|home| home.join(".cache"))) {
        Some(cache) => cache.join("sqlfault").join("spark"),
        None => PathBuf::from(".sqlfault").join("spark"),
    }
}

fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from)
}

/// Returns the Pythons that may have a package, in the order in which they are tried. If the user names one, no other is
/// tried.
pub fn candidates() -> Vec<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        return vec![PathBuf::from(named)];
    }
    let mut folders = vec![PathBuf::from(".sqlfault").join("spark"), environment()];
    folders.extend(home().map(|home| home.join(".sqlfault").join("spark")));
    let mut found: Vec<PathBuf> = folders.iter().map(|folder| python_of(folder)).filter(|path| path.exists()).collect();
    found.push(PathBuf::from("python3"));
    found
}

/// Returns the Python of a virtual environment.
pub fn python_of(environment: &Path) -> PathBuf {
    if cfg!(windows) { environment.join("Scripts").join("python.exe") } else { environment.join("bin").join("python") }
}

/// Returns what a program prints; `None` if it fails.
pub fn answer(program: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    // Python must not import a file that happens to lie in the user's current folder.
    command.args(arguments).env("PYTHONSAFEPATH", "1");
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns the Pythons that were tried, in words.
pub fn tried(candidates: &[PathBuf]) -> String {
    candidates.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
