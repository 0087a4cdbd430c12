//! Starts the Spark process, talks to it and ends it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::find::Installation;

const PROGRAM: &str = include_str!("sidecar.py");
/// How long Spark may take to start: twice as long as a cold start on a busy machine.
const START: Duration = Duration::from_secs(180);
/// How long Spark may take to stop when it is no longer needed.
const FAREWELL: Duration = Duration::from_secs(20);
/// The size limit of an answer in bytes. Spark itself gives up on results of more than 64 MiB.
const LONGEST: usize = 64 << 20;
/// How many answers to other requests are skipped. A request that was given up leaves one behind.
const MOST_UNASKED: usize = 16;

/// Why the process gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProcessFailure {
    /// It cannot be started.
    #[error("Spark cannot be started: {0}")]
    Start(std::io::Error),
    /// It started, but without Spark.
    #[error("Spark did not come up: {0}")]
    NotReady(String),
    /// It ended.
    #[error("the Spark process ended")]
    Ended,
    /// It gave no answer in time.
    #[error("the Spark process gave no answer in time")]
    Hung,
    /// It wrote a line that is too long.
    #[error("the Spark process gave an answer of more than 64 MiB")]
    TooLong,
    /// It wrote too many lines that answer no request.
    #[error("the Spark process talks on and answers nothing")]
    Unasked,
}

impl ProcessFailure {
    /// Whether a running process was lost, so that it is worth starting another.
    pub(super) fn is_lost(&self) -> bool {
        use ProcessFailure::{Ended, Hung, TooLong, Unasked};
        matches!(self, Ended | Hung | TooLong | Unasked)
    }
}

/// A running Spark process. It ends when this is dropped.
#[derive(Debug)]
pub struct SparkProcess {
    child: Child,
    /// Lines for a thread to write, so that a process that does not read blocks nobody else.
    requests: Option<Sender<String>>,
    answers: Receiver<Vec<u8>>,
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
    /// If the program cannot be started or Spark does not get ready.
    pub fn start(installation: &Installation, memory: &str, master: &str) -> Result<SparkProcess, ProcessFailure> {
        let folder = own_folder().map_err(ProcessFailure::Start)?;
        let program = folder.join("sidecar.py");
        std::fs::write(&program, PROGRAM).map_err(ProcessFailure::Start)?;
        let mut command = Command::new(&installation.python);
        command.arg(&program).arg(&folder).arg(memory).arg(master).current_dir(&folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(ProcessFailure::Start)?;
        let input = child.stdin.take().ok_or(ProcessFailure::Ended)?;
        let output = child.stdout.take().ok_or(ProcessFailure::Ended)?;
        let (requests, lines) = channel();
        std::thread::spawn(move || write_requests(input, &lines));
        // At most two lines wait to be read, however many the process writes.
        let (sender, answers) = sync_channel(1);
        std::thread::spawn(move || read_answers(output, &sender));
        let requests = Some(requests);
        let mut process = SparkProcess { child, requests, answers, folder, next: 0, version: String::new() };
        let greeting = process.receive(Instant::now() + START)?;
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
    /// If the process has ended or gives no usable answer within `patience`.
    pub fn ask(&mut self, mut request: Json, patience: Duration) -> Result<Json, ProcessFailure> {
        let deadline = Instant::now() + patience;
        self.next += 1;
        request["id"] = self.next.into();
        let requests = self.requests.as_ref().ok_or(ProcessFailure::Ended)?;
        requests.send(format!("{request}\n")).map_err(|_| ProcessFailure::Ended)?;
        for _ in 0..=MOST_UNASKED {
            let answer = self.receive(deadline)?;
            if answer["id"] == self.next {
                return Ok(answer);
            }
        }
        Err(ProcessFailure::Unasked)
    }

    fn receive(&self, deadline: Instant) -> Result<Json, ProcessFailure> {
        match self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) if line.len() > LONGEST => Err(ProcessFailure::TooLong),
            Ok(line) => serde_json::from_slice(&line).map_err(|_| ProcessFailure::Ended),
            Err(RecvTimeoutError::Timeout) => Err(ProcessFailure::Hung),
            Err(RecvTimeoutError::Disconnected) => Err(ProcessFailure::Ended),
        }
    }

    /// Kills the process at once, as an operator or the system might.
    pub fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for SparkProcess {
    fn drop(&mut self) {
        // When its input ends, it stops Spark and exits. If it hangs or goes on writing, it is killed.
        self.requests = None;
        let deadline = Instant::now() + FAREWELL;
        while matches!(self.child.try_wait(), Ok(None)) {
            match self.receive(deadline) {
                Ok(_) if Instant::now() < deadline => {}
                _ => break,
            }
        }
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Makes a folder that nobody else has: its program is run. One that is there already is somebody else's, or was left by
/// a process that was killed.
fn own_folder() -> std::io::Result<PathBuf> {
    loop {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("sqlfault-spark-{}-{number}", std::process::id()));
        match std::fs::create_dir(&folder) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| folder),
        }
    }
}

/// Writes requests as whole lines until there are no more or the process accepts no more.
fn write_requests(mut input: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the process ends, nobody wants more or a line is too long, which is passed on as far as it was
/// read.
fn read_answers(output: impl Read, answers: &SyncSender<Vec<u8>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line);
        let is_last = line.len() > LONGEST;
        if !read.is_ok_and(|bytes| bytes > 0) || answers.send(line).is_err() || is_last {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use serde_json::json;

    use super::*;

    /// Returns how a large request fails if the process starts and then runs the shell commands `then`.
    fn asked(then: &str) -> ProcessFailure {
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python");
        std::fs::write(&python, format!("#!/bin/sh\necho '{{\"spark\": \"4.3.0\"}}'\n{then}\n")).unwrap();
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        let installation = Installation { python, version: String::new() };
        let mut process = SparkProcess::start(&installation, "1g", "local[1]").unwrap();
        let request = json!({ "op": "run", "statements": ["x".repeat(1 << 20)] });
        let failure = process.ask(request, Duration::from_millis(500)).unwrap_err();
        process.kill();
        failure
    }

    /// Attack | a Spark process that stops and reads nothing, or reads all and never answers | one that reads nothing is waited for without end | given up at the time limit
    #[test]
    fn a_process_that_never_answers_is_given_up() {
        for then in ["kill -STOP $$", "while read -r request; do :; done"] {
            let failure = asked(then);
            assert!(matches!(failure, ProcessFailure::Hung), "{then}: {failure}");
        }
    }
}
