//! The parent's side: starts a child when it is needed and kills it when it exceeds a limit.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::request::{
    Allowance, BEGINS, Delegated, Exceeded, Execution, Message, PANICKED, Query, QueryReply, RunVerdict, TrialReply,
    TrialRequest,
};
use crate::engine::RunOutcome;

/// The hidden verb that makes this program a child. It is not part of the public command line.
pub const VERB: &str = "__child";

/// The interval at which a child's memory is checked.
const LOOK: Duration = Duration::from_millis(5);

/// How long the trusted part of a request may take (schema, reference, databases) before the script under test begins.
pub(super) const TRUSTED: Duration = Duration::from_secs(60);

/// A process that runs untrusted scripts one after another.
#[derive(Debug)]
pub struct Worker {
    program: PathBuf,
    running: Option<Running>,
    lived: Option<Duration>,
}

/// A live child. It is killed when this value is dropped.
#[derive(Debug)]
struct Running {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have exited by itself; either way it must be reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Worker {
    /// Returns a worker that runs `program`, which must be this program.
    pub fn new(program: &Path) -> Worker {
        Worker { program: program.to_owned(), running: None, lived: None }
    }

    /// Returns the path of this program; `None` in test and benchmark harnesses, which are other programs.
    pub fn program() -> Option<PathBuf> {
        let program = std::env::current_exe().ok()?;
        let harness = program.parent().and_then(Path::file_name).is_some_and(|folder| folder == "deps");
        (!harness).then_some(program)
    }

    /// Runs one request. After a crash or an exceeded limit the next request gets a new child.
    pub fn answer(&mut self, request: &TrialRequest) -> TrialReply {
        self.ask(&Message::Trial(request.clone()), &request.allowance).unwrap_or_else(TrialReply::of)
    }

    /// Runs one query on a SQLite file under the same guards.
    pub fn query(&mut self, query: &Query) -> QueryReply {
        self.ask(&Message::Query(query.clone()), &query.allowance).unwrap_or_else(QueryReply::Ended)
    }

    /// Passes work on untrusted text to the `delegate` of [`super::serve`] in the child.
    ///
    /// # Errors
    ///
    /// If the child gives no answer; the error is the verdict.
    pub fn delegate<T: DeserializeOwned>(
        &mut self,
        work: &impl Serialize,
        allowance: Allowance,
    ) -> Result<T, RunVerdict> {
        let work = serde_json::to_value(work).map_err(|error| RunVerdict::Unjudged { message: error.to_string() })?;
        self.ask(&Message::Delegated(Delegated { work, allowance }), &allowance)
    }

    /// Checks a script, or runs it on a database.
    pub fn execute(&mut self, execution: Execution) -> RunOutcome {
        let allowance = execution.allowance;
        self.ask(&Message::Execution(execution), &allowance).unwrap_or_else(|verdict| match verdict {
            RunVerdict::Exceeded { limit: Exceeded::Time } => RunOutcome::TimedOut,
            RunVerdict::Exceeded { .. } => RunOutcome::Failed("the script needs too much memory".to_owned()),
            RunVerdict::Crashed { message } | RunVerdict::Unjudged { message } => RunOutcome::Failed(message),
            other => RunOutcome::Failed(format!("{other:?}")),
        })
    }

    /// Returns how long the last script ran by a monotonic clock of this process: from the moment it began until its
    /// answer arrived or its process was killed and reaped. `None` if it never began.
    pub fn lived(&self) -> Option<Duration> {
        self.lived
    }

    fn ask<T: DeserializeOwned>(&mut self, message: &Message, allowance: &Allowance) -> Result<T, RunVerdict> {
        self.lived = None;
        let running = match self.running.take().map_or_else(|| Running::start(&self.program), Ok) {
            Ok(running) => running,
            Err(error) => {
                let message = format!("{}: {error}", self.program.display());
                return Err(RunVerdict::Unjudged { message });
            }
        };
        let mut began = None;
        // If the child cannot take another request, it is killed and reaped in there.
        let outcome = running.ask(message, allowance, &mut began);
        self.lived = began.map(|began: Instant| began.elapsed());
        let (running, reply) = outcome?;
        self.running = Some(running);
        Ok(reply)
    }
}

impl Running {
    fn start(program: &Path) -> std::io::Result<Running> {
        let mut command = Command::new(program);
        command.arg(VERB).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let gone = || std::io::Error::other("the child has no pipes");
        let requests = child.stdin.take().ok_or_else(gone)?;
        let output = child.stdout.take().ok_or_else(gone)?;
        let (sender, answers) = channel();
        // The thread ends when the pipe is closed, which happens when the child exits.
        thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Ok(Running { child, requests, answers })
    }

    /// Sends a request and waits for its answer. Returns `self` only if the child can take another request.
    fn ask<T: DeserializeOwned>(
        mut self,
        message: &Message,
        allowance: &Allowance,
        began: &mut Option<Instant>,
    ) -> Result<(Running, T), RunVerdict> {
        let mut line =
            serde_json::to_vec(message).map_err(|error| RunVerdict::Unjudged { message: error.to_string() })?;
        line.push(b'\n');
        if self.requests.write_all(&line).and_then(|()| self.requests.flush()).is_err() {
            return Err(self.crashed());
        }
        let first = self.line(TRUSTED, u64::MAX).map_err(|verdict| match verdict {
            RunVerdict::Exceeded { .. } => RunVerdict::Unjudged { message: "the reference takes too long".to_owned() },
            other => other,
        })?;
        let answer = if first == BEGINS {
            *began = Some(Instant::now());
            // The child watches its own time; this limit is for what cannot be interrupted from inside. A script may
            // exceed its limit by a tenth in all, and what is left of that is for killing the process and freeing its
            // memory.
            let patience = allowance.time().mul_f64(1.02);
            self.line(patience, allowance.bytes)?
        } else {
            first
        };
        if let Some(words) = answer.strip_prefix(PANICKED) {
            return Err(RunVerdict::Crashed { message: serde_json::from_str(words).unwrap_or_default() });
        }
        match serde_json::from_str(&answer) {
            Ok(reply) => Ok((self, reply)),
            Err(error) => Err(RunVerdict::Crashed { message: format!("no answer: {error}") }),
        }
    }

    /// Waits for the next line.
    ///
    /// # Errors
    ///
    /// If the child exceeds its time or memory before that, or exits.
    fn line(&mut self, patience: Duration, bytes: u64) -> Result<String, RunVerdict> {
        let deadline = Instant::now() + patience;
        let before = self.resident_bytes();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(LOOK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.crashed()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(RunVerdict::Exceeded { limit: Exceeded::Time });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let grown = self.resident_bytes().saturating_sub(before);
            if grown > bytes {
                return Err(RunVerdict::Exceeded { limit: Exceeded::Memory });
            }
        }
    }

    fn crashed(&mut self) -> RunVerdict {
        let message = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        RunVerdict::Crashed { message }
    }

    /// Returns the resident memory of the child in bytes; 0 if the system does not report it.
    fn resident_bytes(&self) -> u64 {
        const PAGE: u64 = 4096;
        let statistics = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap_or_default();
        let pages = statistics.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
        pages.unwrap_or(0) * PAGE
    }
}
