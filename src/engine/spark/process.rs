//! The Spark process: started, asked, ended.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::Value as Json;

use super::find::Installation;

const PROGRAM: &str = include_str!("sidecar.py");
/// A cold start on a busy machine takes half of this.
const START: Duration = Duration::from_secs(180);

/// Why the process gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProcessFailure {
    /// It cannot be started.
    #[error("Spark cannot be started: {0}")]
    Start(std::io::Error),
    /// It came up without Spark.
    #[error("Spark did not come up: {0}")]
    NotReady(String),
    /// It ended.
    #[error("the Spark process ended")]
    Ended,
    /// It gave no answer in time.
    #[error("the Spark process gave no answer in time")]
    Hung,
}

/// A running Spark process. It ends when this is dropped.
#[derive(Debug)]
pub struct SparkProcess {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    folder: PathBuf,
    next: u64,
    /// The version Spark reports.
    pub version: String,
}

static STARTED: AtomicU64 = AtomicU64::new(0);

impl SparkProcess {
    /// Starts Spark and waits until it is ready.
    ///
    /// # Errors
    ///
    /// When the program cannot be started or does not come up.
    pub fn start(installation: &Installation, memory: &str, master: &str) -> Result<SparkProcess, ProcessFailure> {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("sqlfault-spark-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(ProcessFailure::Start)?;
        let program = folder.join("sidecar.py");
        std::fs::write(&program, PROGRAM).map_err(ProcessFailure::Start)?;
        let mut command = Command::new(&installation.python);
        command.arg(&program).arg(&folder).arg(memory).arg(master).current_dir(&folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(ProcessFailure::Start)?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or(ProcessFailure::Ended)?;
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut process = SparkProcess { child, input, answers, folder, next: 0, version: String::new() };
        let greeting = process.receive(START)?;
        match greeting["spark"].as_str() {
            Some(version) => version.clone_into(&mut process.version),
            None => {
                return Err(ProcessFailure::NotReady(
                    greeting["message"].as_str().unwrap_or("no reason given").to_owned(),
                ));
            }
        }
        Ok(process)
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    ///
    /// When the process ended or is silent for longer than `patience`.
    pub fn ask(&mut self, mut request: Json, patience: Duration) -> Result<Json, ProcessFailure> {
        self.next += 1;
        request["id"] = self.next.into();
        let input = self.input.as_mut().ok_or(ProcessFailure::Ended)?;
        // Whole lines: the pipe has no buffer, and a value writes itself token by token.
        let line = format!("{request}\n");
        input.write_all(line.as_bytes()).and_then(|()| input.flush()).map_err(|_| ProcessFailure::Ended)?;
        loop {
            let answer = self.receive(patience)?;
            // An answer to an earlier request that had been given up.
            if answer["id"] == self.next {
                return Ok(answer);
            }
        }
    }

    fn receive(&self, patience: Duration) -> Result<Json, ProcessFailure> {
        match self.answers.recv_timeout(patience) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| ProcessFailure::Ended),
            Err(RecvTimeoutError::Timeout) => Err(ProcessFailure::Hung),
            Err(RecvTimeoutError::Disconnected) => Err(ProcessFailure::Ended),
        }
    }

    /// Ends the process at once, as an operator or the system might.
    pub fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for SparkProcess {
    fn drop(&mut self) {
        // Its input ends, so it stops Spark and ends; one that hangs is killed.
        self.input = None;
        while self.answers.recv_timeout(Duration::from_secs(20)).is_ok() {}
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
