//! Progress: a bar on a terminal, otherwise a line for each stage and for each tenth of a long one.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use super::verbosity::{elapsed, verbosity};
use crate::parallel::Progress;
use crate::report::BuildTimes;

/// Least number of steps of a stage whose tenths get a line.
const LONG: usize = 200;

/// Shows the progress of stages on standard error.
pub struct TerminalProgress {
    bar: Mutex<Option<ProgressBar>>,
    lines: Mutex<PlainProgress>,
    stages: Mutex<Vec<(String, Instant)>>,
    quiet: bool,
}

/// The stage under way if standard error is not a terminal.
#[derive(Default)]
struct PlainProgress {
    name: String,
    steps: usize,
    done: usize,
    begun: Option<Instant>,
}

impl PlainProgress {
    /// Returns the line on a stage that has ended, for those who want to know how long it took.
    fn ending(&self) -> Option<String> {
        let begun = self.begun.filter(|_| verbosity().verbose)?;
        Some(format!("{} in {}", self.name, elapsed(begun.elapsed())))
    }

    /// Counts a step; returns the line to print if it completes a tenth of a long stage.
    fn step(&mut self) -> Option<String> {
        self.done += 1;
        let tenth = |done: usize| done * 10 / self.steps.max(1);
        let is_new = self.steps >= LONG && tenth(self.done) > tenth(self.done - 1);
        is_new.then(|| format!("{}: {} of {}", self.name, self.done, self.steps))
    }
}

impl TerminalProgress {
    /// Makes a display that shows a bar on a terminal and nothing elsewhere.
    pub fn of_terminal() -> TerminalProgress {
        TerminalProgress::new(!std::io::stderr().is_terminal())
    }

    /// Makes a display without a stage; a `quiet` one shows nothing, for output that programs read.
    pub fn new(quiet: bool) -> TerminalProgress {
        let quiet = quiet || verbosity().quiet;
        TerminalProgress { bar: Mutex::new(None), lines: Mutex::default(), stages: Mutex::default(), quiet }
    }

    /// Returns how long each stage has taken so far; the last one ends now.
    pub fn times(&self) -> BuildTimes {
        let stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = stages.iter().skip(1).map(|(_, begun)| *begun).chain([Instant::now()]);
        let mut times = BuildTimes::default();
        stages.iter().zip(ends).for_each(|((name, begun), end)| times.add(name, end - *begun));
        times
    }
}

impl Drop for TerminalProgress {
    fn drop(&mut self) {
        let last = self.lines.lock().unwrap_or_else(PoisonError::into_inner).ending();
        last.into_iter().for_each(|line| eprintln!("{line}"));
    }
}

impl Progress for TerminalProgress {
    fn stage(&self, name: &str, steps: usize) {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner).push((name.to_owned(), Instant::now()));
        if self.quiet {
            return;
        }
        if !std::io::stderr().is_terminal() || verbosity().verbose {
            let begun = Some(Instant::now());
            let next = PlainProgress { name: name.to_owned(), steps, done: 0, begun };
            let before = std::mem::replace(&mut *self.lines.lock().unwrap_or_else(PoisonError::into_inner), next);
            before.ending().into_iter().chain([format!("{name}: {steps}")]).for_each(|line| eprintln!("{line}"));
            return;
        }
        let template = "{msg:16} {bar:40} {pos}/{len} {elapsed} {prefix}";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(steps as u64).with_style(style).with_message(name.to_owned());
        let mut slot = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(old) = slot.replace(bar) {
            old.finish();
        }
    }

    fn at(&self, what: &str) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.set_prefix(super::terminal::escaped(what));
        }
    }

    fn step(&self) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.inc(1);
        } else if let Some(line) = self.lines.lock().unwrap_or_else(PoisonError::into_inner).step() {
            eprintln!("{line}");
        }
    }

    fn is_stopped(&self) -> bool {
        super::interrupt::is_stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_stage_says_its_tenths_and_a_short_one_nothing() {
        let said = |steps: usize| {
            let mut lines = PlainProgress { name: "x".to_owned(), steps, ..PlainProgress::default() };
            (0..steps).filter_map(|_| lines.step()).collect::<Vec<_>>()
        };
        assert_eq!(said(199), Vec::<String>::new());
        let long = said(1005);
        assert_eq!((long.len(), long[0].as_str(), long[9].as_str()), (10, "x: 101 of 1005", "x: 1005 of 1005"));
    }
}
