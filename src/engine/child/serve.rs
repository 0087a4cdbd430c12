//! The child's side: requests come in one per line and answers go out one per line. A panic of this program is an
//! answer, too.

use std::io::{BufRead, Write};

use serde_json::Value;

use super::answer_run::TrialRunner;
use super::confine::{limit, lines_until_parent_ends};
use super::engines::{InProcess, execute, query};
use super::request::{Allowance, BEGINS, Message, PANICKED, RunVerdict, TrialReply};
use crate::engine::sqlite::Limits;
use crate::parallel::shielded;

/// Answers requests, and exits the whole process when their pipe is closed. `delegate` does the work of modules above
/// the engine and calls its second argument when the untrusted part of the work begins.
///
/// # Errors
///
/// If an answer cannot be written.
pub fn serve(
    requests: impl BufRead + Send + 'static,
    mut answers: impl Write,
    mut delegate: impl FnMut(Value, &mut dyn FnMut()) -> Value,
) -> std::io::Result<()> {
    let mut runner = TrialRunner::new(InProcess);
    for line in lines_until_parent_ends(requests) {
        limit(&reference_allowance());
        match shielded("an answer", || answer(&line, &mut runner, &mut answers, &mut delegate)) {
            Ok(answer) => writeln!(answers, "{}", answer?)?,
            // The parent then kills this process, so nothing half-done is used again.
            Err(panic) => writeln!(answers, "{PANICKED}{}", Value::from(panic.to_string()))?,
        }
        answers.flush()?;
    }
    Ok(())
}

/// Returns the answer to a request as a line.
fn answer(
    line: &str,
    runner: &mut TrialRunner<InProcess>,
    answers: &mut impl Write,
    delegate: &mut impl FnMut(Value, &mut dyn FnMut()) -> Value,
) -> std::io::Result<String> {
    let mut begun = Ok(());
    let answer = match serde_json::from_str::<Message>(line) {
        Ok(Message::Trial(request)) => {
            let reply = runner.answer(&request, || begun = begin(answers, &request.allowance));
            serde_json::to_string(&reply)?
        }
        Ok(Message::Query(request)) => {
            begin(answers, &request.allowance)?;
            serde_json::to_string(&query(&request))?
        }
        Ok(Message::Execution(request)) => {
            begin(answers, &request.allowance)?;
            serde_json::to_string(&execute(&request))?
        }
        Ok(Message::Delegated(request)) => {
            delegate(request.work, &mut || begun = begin(answers, &request.allowance)).to_string()
        }
        Err(error) => {
            let verdict = RunVerdict::Unjudged { message: format!("no request: {error}") };
            serde_json::to_string(&TrialReply::of(verdict))?
        }
    };
    begun.map(|()| answer)
}

/// Returns what the trusted part of a request may use: it runs a reference on a few databases.
fn reference_allowance() -> Allowance {
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
