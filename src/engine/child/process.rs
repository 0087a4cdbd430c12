//! The parent's side: a child is started when it is needed, and ended when it exceeds a limit.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::request::{
    Allowance, BEGINS, Delegated, Exceeded, Execution, Message, Query, QueryReply, RunVerdict, TrialReply, TrialRequest,
};
use crate::engine::table::Database;
use crate::engine::{ContextRef, RunOutcome};

/// The verb that makes this program a child. It is no part of the command line's interface.
pub const VERB: &str = "__child";

/// Time between two looks at a child's memory.
const LOOK: Duration = Duration::from_millis(5);

/// Longest time for what a request needs before the script in question begins: schema, reference, databases.
pub(super) const TRUSTED: Duration = Duration::from_secs(60);

/// A process that runs untrusted scripts one after another.
#[derive(Debug)]
pub struct Worker {
    program: PathBuf,
    running: Option<Running>,
    lived: Option<Duration>,
}

/// A live child; it ends with this value.
#[derive(Debug)]
struct Running {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; either way it is reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Worker {
    /// A worker that runs `program`, which is this program itself.
    pub fn new(program: &Path) -> Worker {
        Worker { program: program.to_owned(), running: None, lived: None }
    }

    /// The path of this program; `None` in test and benchmark harnesses, which are other programs.
    pub fn program() -> Option<PathBuf> {
        let program = std::env::current_exe().ok()?;
        let harness = program.parent().and_then(Path::file_name).is_some_and(|folder| folder == "deps");
        (!harness).then_some(program)
    }

    /// Runs one request. A child that crashes or exceeds a limit is gone afterwards; the next request gets a new one.
    pub fn answer(&mut self, request: &TrialRequest) -> TrialReply {
        self.ask(&Message::Trial(request.clone()), &request.allowance).unwrap_or_else(TrialReply::of)
    }

    /// Runs one query on a SQLite file, under the same guard.
    pub fn query(&mut self, query: &Query) -> QueryReply {
        self.ask(&Message::Query(query.clone()), &query.allowance).unwrap_or_else(QueryReply::Ended)
    }

    /// Has work on untrusted text done by what the child was served with, see [`super::serve`].
    ///
    /// # Errors
    ///
    /// How the child ended without an answer.
    pub fn delegate<T: DeserializeOwned>(
        &mut self,
        work: &impl Serialize,
        allowance: Allowance,
    ) -> Result<T, RunVerdict> {
        let work = serde_json::to_value(work).map_err(|error| RunVerdict::Unjudged { message: error.to_string() })?;
        self.ask(&Message::Delegated(Delegated { work, allowance }), &allowance)
    }

    /// Checks a script, or runs it on a database.
    pub fn execute(
        &mut self,
        text: &str,
        context: ContextRef<'_>,
        database: Option<&Database>,
        allowance: Allowance,
    ) -> RunOutcome {
        let execution = Execution {
            schema: context.schema.clone(),
            parameters: context.parameters.clone(),
            text: text.to_owned(),
            database: database.cloned(),
            allowance,
        };
        self.ask(&Message::Execution(execution), &allowance).unwrap_or_else(|verdict| match verdict {
            RunVerdict::Exceeded { limit: Exceeded::Time } => RunOutcome::TimedOut,
            RunVerdict::Exceeded { .. } => RunOutcome::Failed("the script needs too much memory".to_owned()),
            RunVerdict::Crashed { message } | RunVerdict::Unjudged { message } => RunOutcome::Failed(message),
            other => RunOutcome::Failed(format!("{other:?}")),
        })
    }

    /// How long the last script ran by a monotonic clock of this process: from the moment it began until its answer
    /// was here, or its process was ended and gone. `None` if it never began.
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
        // A child that is not fit for more is ended and waited for in there.
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
        // The thread ends with the pipe, and the pipe with the child.
        thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Ok(Running { child, requests, answers })
    }

    /// Sends a request and waits for its answer; `self` comes back when the child is fit for another.
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
            // The child watches its own clock; this one is for what cannot be interrupted from inside. What is left of
            // the tenth by which a script may outlive its limit is for ending the process and its memory.
            let patience = allowance.time().mul_f64(1.02);
            self.line(patience, allowance.bytes)?
        } else {
            first
        };
        match serde_json::from_str(&answer) {
            Ok(reply) => Ok((self, reply)),
            Err(error) => Err(RunVerdict::Crashed { message: format!("no answer: {error}") }),
        }
    }

    /// The next line, unless the child exceeds time or memory before it comes.
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

    /// Memory that the child holds; 0 if the system does not report it.
    fn resident_bytes(&self) -> u64 {
        const PAGE: u64 = 4096;
        let statistics = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap_or_default();
        let pages = statistics.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
        pages.unwrap_or(0) * PAGE
    }
}
