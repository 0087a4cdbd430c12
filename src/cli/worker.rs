//! `sqlfault worker`: work items in, records out, one line of JSON each.

use std::io::{BufRead, Write};

use super::{Exit, bad_input, failed, no_engine};
use crate::engine::{Engine, EngineChoice, open};
use crate::pipeline::{WorkItem, work};

/// Serves until standard input ends. Anything that is no item ends it: a cluster then tries the part again elsewhere.
pub fn run() -> Exit {
    let mut output = std::io::stdout().lock();
    let mut known: Option<(EngineChoice, Box<dyn Engine>)> = None;
    for line in std::io::stdin().lock().lines() {
        let line = match line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => line,
            Err(error) => return bad_input(&error),
        };
        let item: WorkItem = match serde_json::from_str(&line) {
            Ok(item) => item,
            Err(error) => return bad_input(&format!("this is no work item: {error}")),
        };
        if known.as_ref().is_none_or(|(choice, _)| *choice != item.engine) {
            match open(&item.engine) {
                Ok(executor) => known = Some((item.engine.clone(), executor)),
                Err(error) => return no_engine(&error),
            }
        }
        let Some((_, executor)) = &known else { continue };
        let record = match work(&**executor, item) {
            Ok(record) => record,
            Err(error) => return bad_input(&error),
        };
        // Records hold no map with keys other than text, the only thing that JSON cannot write.
        let text = serde_json::to_string(&record).unwrap_or_default();
        if let Err(error) = writeln!(output, "{text}").and_then(|()| output.flush()) {
            return failed(&error, Exit::Output);
        }
    }
    Exit::Done
}
