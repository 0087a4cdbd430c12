//! Progress: a bar on a terminal, a line a stage otherwise.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};

use crate::build::Progress;

/// Shows stages as they go.
pub struct Shown {
    bar: Mutex<Option<ProgressBar>>,
    quiet: bool,
}

impl Shown {
    /// `quiet` shows nothing, for machines.
    pub fn new(quiet: bool) -> Shown {
        Shown { bar: Mutex::new(None), quiet }
    }
}

impl Progress for Shown {
    fn stage(&self, name: &str, steps: usize) {
        if self.quiet {
            return;
        }
        if !std::io::stderr().is_terminal() {
            eprintln!("{name}: {steps}");
            return;
        }
        let template = "{msg:16} {bar:40} {pos}/{len} {elapsed}";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(steps as u64).with_style(style).with_message(name.to_owned());
        let mut slot = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(old) = slot.replace(bar) {
            old.finish();
        }
    }

    fn step(&self) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.inc(1);
        }
    }

    fn is_stopped(&self) -> bool {
        super::interrupt::is_stopped()
    }
}

impl crate::repair::Progress for Shown {
    fn stage(&self, name: &str, steps: usize) {
        Progress::stage(self, name, steps);
    }

    fn step(&self) {
        Progress::step(self);
    }
}

impl crate::sift::Progress for Shown {
    fn stage(&self, name: &str, steps: usize) {
        Progress::stage(self, name, steps);
    }

    fn step(&self) {
        Progress::step(self);
    }
}
