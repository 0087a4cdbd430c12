//! `sqlfault worker`: work items in, records out, one line of JSON each.

use std::io::Write;

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, poll};
#[cfg(unix)]
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::Exit;
use super::failure::Failure;
use crate::engine::{Engine, EngineChoice, open};
use crate::pipeline::{BuildError, ComposedItem, ComposedWorker, WorkItem, work};
use crate::store::bounded_lines;

pub const EXAMPLES: &str = "\
Examples:
  sqlfault worker < items.jsonl > records.jsonl    of `build --plan-only`; `merge` takes the records";

/// A work item: a script with mutants to try, or a reference of a composed run.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyItem {
    Composed(Box<ComposedItem>),
    Trials(Box<WorkItem>),
}

/// What is kept from item to item, as it takes a while to open.
#[derive(Default)]
struct Workers {
    composed: ComposedWorker,
    engine: Option<(EngineChoice, Box<dyn Engine>)>,
}

impl Workers {
    /// Does an item and returns the record as a line.
    fn work(&mut self, item: AnyItem) -> Result<String, Failure> {
        match item {
            AnyItem::Composed(item) => match self.composed.work(&item) {
                Ok(record) => Ok(line(&record)),
                Err(error @ (BuildError::Engine(_) | BuildError::EngineNeeded(_))) => Err(Failure::no_engine(error)),
                Err(error) => Err(error.into()),
            },
            AnyItem::Trials(item) => {
                let engine = match self.engine.take().filter(|(choice, _)| *choice == item.engine) {
                    Some((_, engine)) => engine,
                    None => open(&item.engine).map_err(Failure::no_engine)?,
                };
                let (_, engine) = self.engine.insert((item.engine.clone(), engine));
                Ok(line(&work(&**engine, *item)?))
            }
        }
    }
}

// Writing to memory fails only for maps whose keys are not text, and records hold none.
fn line(record: &impl Serialize) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

/// Serves until standard input ends, or until a line is no work item: a cluster then tries the part again elsewhere.
pub fn run() -> Result<Exit, Failure> {
    end_with_reader();
    let mut output = std::io::stdout().lock();
    let mut workers = Workers::default();
    for line in bounded_lines(std::io::stdin().lock()) {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let item = serde_json::from_str(&line).map_err(|error| format!("this is not a work item: {error}"))?;
        let record = workers.work(item)?;
        let written = writeln!(output, "{record}").and_then(|()| output.flush());
        written.map_err(|error| Failure::new(Exit::Output, error))?;
    }
    Ok(Exit::Done)
}

/// Ends this process as soon as nobody reads its records any more, whatever it is busy with.
#[cfg(unix)]
#[expect(clippy::exit, reason = "the work on an item cannot be interrupted")]
fn end_with_reader() {
    std::thread::spawn(|| {
        let output = std::io::stdout();
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        while poll(&mut watched, None) == Err(Errno::INTR) {}
        // Only a pipe reports that its reader has gone; for a file or a terminal nothing happens here.
        if watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            std::process::exit(Exit::Output.code().into());
        }
    });
}

/// Without `poll`, writing the next record fails and ends the process.
#[cfg(not(unix))]
fn end_with_reader() {}
