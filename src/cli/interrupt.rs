//! Handles Ctrl-C and panics: one clear line, a documented exit code, nothing half-written.

use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};

use super::Exit;
use super::failure::Failure;
use crate::parallel;

static STOPPED: AtomicBool = AtomicBool::new(false);
static PIPE_CLOSED: AtomicBool = AtomicBool::new(false);
static OUTPUT_FAILED: AtomicBool = AtomicBool::new(false);

/// Returns whether the user asked to stop. Long work checks this between steps.
pub fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// From this call on, Ctrl-C asks the work to stop at its next step; a second one ends the program at once.
pub fn listen() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    // Without a runtime Ctrl-C ends the program at once, as it does by default; only the message is lost.
    let Ok(runtime) = runtime else { return };
    std::thread::spawn(move || {
        runtime.block_on(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                STOPPED.store(true, Ordering::Relaxed);
                eprintln!("stopping after the step at hand; press Ctrl-C again to end at once");
            }
            if tokio::signal::ctrl_c().await.is_ok() {
                end_at_once();
            }
        });
    });
}

#[expect(clippy::exit, reason = "the user asked twice; files are whole at every moment")]
fn end_at_once() {
    std::process::exit(130);
}

/// Runs a command. A panic is reported in one line as a bug of ours; a reader that went away (`| head`) is no error.
pub fn guarded(command: impl FnOnce() -> Result<Exit, Failure>) -> Exit {
    panic::set_hook(Box::new(|panic| {
        let words = parallel::message(panic.payload());
        if parallel::could_not_print(&words) {
            let closed = words.contains("Broken pipe") || words.contains("pipe is being closed");
            let flag = if closed { &PIPE_CLOSED } else { &OUTPUT_FAILED };
            flag.store(true, Ordering::Relaxed);
            if !closed {
                // Standard error may be the stream that fails; then nobody can be told.
                let _ = writeln!(std::io::stderr(), "error: {words}");
            }
        } else if words != "a scoped thread panicked" {
            let place = panic.location().map_or_else(String::new, |place| format!(" at {place}"));
            match parallel::subject() {
                Some(subject) => eprintln!(
                    "error: a bug of ours in the work on {subject}{place}: {words}; the others go on; please report it with \
                     the command and its input"
                ),
                None => {
                    eprintln!("error: a bug of ours{place}: {words}; please report it with the command and its input")
                }
            }
        }
    }));
    match panic::catch_unwind(AssertUnwindSafe(|| command().unwrap_or_else(|failure| failure.report()))) {
        Ok(exit) => exit,
        Err(_) if PIPE_CLOSED.load(Ordering::Relaxed) => Exit::Done,
        Err(_) if OUTPUT_FAILED.load(Ordering::Relaxed) => Exit::Output,
        Err(_) => Exit::Bug,
    }
}
