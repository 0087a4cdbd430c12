//! Starts a process of Python that answers line by line, talks to it and ends it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

/// A program in Python that writes a greeting, and then for each request, a line of JSON, its answer.
#[derive(Debug)]
pub struct PythonProgram {
    /// What messages call it.
    pub name: &'static str,
    pub text: &'static str,
    /// How long it may take to start.
    pub start: Duration,
    /// How long it may take to stop when it is no longer needed.
    pub farewell: Duration,
}

/// The size limit of an answer in bytes. Spark itself gives up on results of more than 64 MiB.
const LONGEST: usize = 64 << 20;
/// How many answers to other requests are skipped. A request that was given up leaves one behind.
const MOST_UNASKED: usize = 16;

/// Why the process gave no answer; each begins with the name of its program.
#[derive(Debug, thiserror::Error)]
pub enum ProcessFailure {
    /// It cannot be started.
    #[error("{0} cannot be started: {1}")]
    Start(&'static str, std::io::Error),
    /// It started, but without what it needs.
    #[error("{0} did not come up: {1}")]
    NotReady(&'static str, String),
    #[error("the {0} process ended")]
    Ended(&'static str),
    /// It gave no answer in time.
    #[error("the {0} process gave no answer in time")]
    Hung(&'static str),
    /// It wrote a line that is too long.
    #[error("the {0} process gave an answer of more than 64 MiB")]
    TooLong(&'static str),
    /// It wrote too many lines that answer no request.
    #[error("the {0} process talks on and answers nothing")]
    Unasked(&'static str),
}

impl ProcessFailure {
    /// Whether a running process was lost, so that it is worth starting another.
    pub fn is_lost(&self) -> bool {
        use ProcessFailure::{Ended, Hung, TooLong, Unasked};
        matches!(self, Ended(_) | Hung(_) | TooLong(_) | Unasked(_))
    }
}

/// A running process. It ends when this is dropped.
#[derive(Debug)]
pub struct PythonProcess {
    program: &'static PythonProgram,
    child: Child,
    /// Lines for a thread to write, so that a process that does not read blocks nobody else.
    requests: Option<Sender<String>>,
    answers: Receiver<Vec<u8>>,
    folder: PathBuf,
    next: u64,
    /// What it said when it was ready.
    pub greeting: Json,
}

static STARTED: AtomicU64 = AtomicU64::new(0);

impl PythonProcess {
    /// Starts the program and waits for its greeting; one with a `message` says what is missing.
    pub fn start(
        program: &'static PythonProgram,
        python: &Path,
        arguments: &[&str],
    ) -> Result<PythonProcess, ProcessFailure> {
        let unstarted = |error| ProcessFailure::Start(program.name, error);
        let folder = own_folder(program.name).map_err(unstarted)?;
        let file = folder.join("session.py");
        std::fs::write(&file, program.text).map_err(unstarted)?;
        let mut command = Command::new(python);
        command.arg(&file).arg(&folder).args(arguments).current_dir(&folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(unstarted)?;
        let input = child.stdin.take().ok_or(ProcessFailure::Ended(program.name))?;
        let output = child.stdout.take().ok_or(ProcessFailure::Ended(program.name))?;
        let (requests, lines) = channel();
        std::thread::spawn(move || write_requests(input, &lines));
        // At most two lines wait to be read, however many the process writes.
        let (sender, answers) = sync_channel(1);
        std::thread::spawn(move || read_answers(output, &sender));
        let requests = Some(requests);
        let mut process = PythonProcess { program, child, requests, answers, folder, next: 0, greeting: Json::Null };
        process.greeting = process.receive(Instant::now() + program.start)?;
        let Some(message) = process.greeting.get("message") else { return Ok(process) };
        Err(ProcessFailure::NotReady(program.name, message.as_str().unwrap_or("no reason given").to_owned()))
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    ///
    /// If the process has ended or gives no usable answer within `patience`.
    pub fn ask(&mut self, mut request: Json, patience: Duration) -> Result<Json, ProcessFailure> {
        let name = self.program.name;
        let deadline = Instant::now() + patience;
        self.next += 1;
        request["id"] = self.next.into();
        let requests = self.requests.as_ref().ok_or(ProcessFailure::Ended(name))?;
        requests.send(format!("{request}\n")).map_err(|_| ProcessFailure::Ended(name))?;
        for _ in 0..=MOST_UNASKED {
            let answer = self.receive(deadline)?;
            if answer["id"] == self.next {
                return Ok(answer);
            }
        }
        Err(ProcessFailure::Unasked(name))
    }

    fn receive(&self, deadline: Instant) -> Result<Json, ProcessFailure> {
        let name = self.program.name;
        match self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) if line.len() > LONGEST => Err(ProcessFailure::TooLong(name)),
            Ok(line) => serde_json::from_slice(&line).map_err(|_| ProcessFailure::Ended(name)),
            Err(RecvTimeoutError::Timeout) => Err(ProcessFailure::Hung(name)),
            Err(RecvTimeoutError::Disconnected) => Err(ProcessFailure::Ended(name)),
        }
    }

    /// Kills the process at once, as an operator or the system might.
    pub fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for PythonProcess {
    fn drop(&mut self) {
        // When its input ends, it exits. If it hangs or goes on writing, it is killed.
        self.requests = None;
        let deadline = Instant::now() + self.program.farewell;
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
fn own_folder(program: &str) -> std::io::Result<PathBuf> {
    loop {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("sqlfault-{}-{}-{number}", program.to_lowercase(), std::process::id()));
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

    static PROGRAM: PythonProgram =
        PythonProgram { name: "Spark", text: "", start: Duration::from_secs(60), farewell: Duration::from_secs(20) };

    /// Returns how a large request fails if the process starts and then runs the shell commands `then`.
    fn asked(then: &str) -> ProcessFailure {
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python");
        std::fs::write(&python, format!("#!/bin/sh\necho '{{\"spark\": \"4.3.0\"}}'\n{then}\n")).unwrap();
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut process = PythonProcess::start(&PROGRAM, &python, &[]).unwrap();
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
            assert!(matches!(failure, ProcessFailure::Hung(_)), "{then}: {failure}");
        }
    }
}
