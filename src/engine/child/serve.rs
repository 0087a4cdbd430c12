//! The child's side: requests come in one a line, answers go out one a line.

use std::io::{BufRead, Write};

use serde_json::Value;

use super::confine::{limit, lines_until_parent_ends};
use super::engines::{InProcess, execute, query};
use super::request::{Allowance, BEGINS, Message, RunVerdict, TrialReply};
use super::trial::TrialRunner;
use crate::engine::sqlite::Limits;

/// Answers requests until there are no more. Ends the whole process when the requests' pipe is closed. `delegate` does
/// the work of modules above the engine, and calls what it is given when the untrusted part of it begins.
///
/// # Errors
///
/// When the other side takes no answers.
pub fn serve(
    requests: impl BufRead + Send + 'static,
    mut answers: impl Write,
    mut delegate: impl FnMut(Value, &mut dyn FnMut()) -> Value,
) -> std::io::Result<()> {
    let mut runner = TrialRunner::new(InProcess);
    for line in lines_until_parent_ends(requests) {
        limit(&trusted());
        let answer = match serde_json::from_str::<Message>(&line) {
            Ok(Message::Trial(request)) => {
                let mut failed = None;
                let begins = || failed = begin(&mut answers, &request.allowance).err();
                let reply = runner.answer(&request, begins);
                if let Some(error) = failed {
                    return Err(error);
                }
                serde_json::to_string(&reply)?
            }
            Ok(Message::Query(request)) => {
                begin(&mut answers, &request.allowance)?;
                serde_json::to_string(&query(&request))?
            }
            Ok(Message::Execution(request)) => {
                begin(&mut answers, &request.allowance)?;
                serde_json::to_string(&execute(&request))?
            }
            Ok(Message::Delegated(request)) => {
                let mut failed = None;
                let reply = delegate(request.work, &mut || failed = begin(&mut answers, &request.allowance).err());
                if let Some(error) = failed {
                    return Err(error);
                }
                reply.to_string()
            }
            Err(error) => {
                let verdict = RunVerdict::Unjudged { message: format!("no request: {error}") };
                serde_json::to_string(&TrialReply::of(verdict))?
            }
        };
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}

/// What the trusted part of a request may use: a few references on a few databases.
fn trusted() -> Allowance {
    let limits = Limits::default();
    Allowance {
        milliseconds: super::process::TRUSTED.as_millis() as u64,
        bytes: 4 * limits.memory as u64,
        rows: limits.rows as u64,
    }
}

fn begin(answers: &mut impl Write, allowance: &Allowance) -> std::io::Result<()> {
    limit(allowance);
    writeln!(answers, "{BEGINS}")?;
    answers.flush()
}
