//! The child's side: requests come in one a line, answers go out one a line.

use std::io::{BufRead, Write};

use super::engines::{InProcess, query};
use super::request::{Message, Reply, Verdict};
use super::trial::Bench;

/// What the child says when the trusted part of a request is done and the script in question begins.
pub(super) const BEGINS: &str = "begins";

/// Answers requests until there are no more.
///
/// # Errors
///
/// When the other side is gone.
pub fn serve(requests: impl BufRead, mut answers: impl Write) -> std::io::Result<()> {
    let mut bench = Bench::new(InProcess);
    for line in requests.lines() {
        match serde_json::from_str::<Message>(&line?) {
            Ok(Message::Trial(request)) => {
                let mut failed = None;
                let begins = || failed = writeln!(answers, "{BEGINS}").and_then(|()| answers.flush()).err();
                let reply = bench.answer(&request, begins);
                if let Some(error) = failed {
                    return Err(error);
                }
                serde_json::to_writer(&mut answers, &reply)?;
            }
            Ok(Message::Query(request)) => {
                writeln!(answers, "{BEGINS}")?;
                answers.flush()?;
                serde_json::to_writer(&mut answers, &query(&request))?;
            }
            Err(error) => {
                let verdict = Verdict::Unjudged { message: format!("no request: {error}") };
                serde_json::to_writer(&mut answers, &Reply::of(verdict))?;
            }
        }
        answers.write_all(b"\n")?;
        answers.flush()?;
    }
    Ok(())
}
