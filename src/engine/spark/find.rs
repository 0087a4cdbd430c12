//! Finds Spark: a Python that can import pyspark, and Java.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::engine::python::{answer, candidates, environment, python_of, tried};

/// The version this program is tested with.
pub const VERSION: &str = "4.3.0";
/// A Python with pyspark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    pub python: PathBuf,
    pub version: String,
}

/// What is missing for Spark to run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SparkAbsence {
    /// No Python that can import pyspark.
    #[error("no Python with pyspark was found (tried {tried}); `sqlfault doctor --install-spark` installs it")]
    Pyspark {
        /// The Pythons tried.
        tried: String,
    },
    /// This program was built without Spark.
    #[error("this program was built without the feature `spark`")]
    LeftOut,
    #[error("no Java was found; Spark needs Java 17 or later: install it and put it on PATH or set JAVA_HOME")]
    Java,
}

/// Finds Spark.
pub fn find() -> Result<Installation, SparkAbsence> {
    if !cfg!(feature = "spark") {
        return Err(SparkAbsence::LeftOut);
    }
    let candidates = candidates();
    let installation = candidates.iter().find_map(|python| {
        let version = answer(python, &["-c", "import pyspark; print(pyspark.__version__)"])?;
        Some(Installation { python: python.clone(), version })
    });
    let installation = installation.ok_or_else(|| SparkAbsence::Pyspark { tried: tried(&candidates) })?;
    java().map(|_| installation).ok_or(SparkAbsence::Java)
}

/// Returns the line in which Java names its version; `None` if there is no Java.
pub fn java() -> Option<String> {
    let named = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin").join("java"));
    let java = named.filter(|path| path.exists()).unwrap_or_else(|| PathBuf::from("java"));
    let output =
        Command::new(java).arg("-version").stdin(Stdio::null()).output().ok().filter(|it| it.status.success())?;
    String::from_utf8_lossy(&output.stderr).lines().next().map(str::to_owned)
}

/// Why Spark could not be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// A command could not be started.
    #[error("cannot start `{command}`: {cause}")]
    Start { command: String, cause: std::io::Error },
    /// A command failed; its messages are on the terminal.
    #[error("`{0}` failed")]
    Failed(String),
}

/// Creates the virtual environment of [`environment`] and installs pyspark into it.
pub fn install() -> Result<PathBuf, InstallError> {
    let folder = environment();
    let python = python_of(&folder);
    let requirement = format!("pyspark=={VERSION}");
    let steps: [(&std::path::Path, Vec<&std::ffi::OsStr>); 2] = [
        ("python3".as_ref(), vec!["-m".as_ref(), "venv".as_ref(), folder.as_os_str()]),
        (&python, ["-m", "pip", "install", "--quiet", &requirement].map(AsRef::as_ref).to_vec()),
    ];
    for (program, arguments) in steps {
        let words: Vec<_> = std::iter::once(program.as_os_str()).chain(arguments.iter().copied()).collect();
        let command = words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        match Command::new(program).args(&arguments).status() {
            Ok(status) if status.success() => {}
            Ok(_) => return Err(InstallError::Failed(command)),
            Err(cause) => return Err(InstallError::Start { command, cause }),
        }
    }
    Ok(folder)
}
