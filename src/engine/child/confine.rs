//! Limits on a child that the system itself enforces, in addition to what the child and its parent watch.

use std::io::BufRead;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::request::Allowance;

/// Returns the lines of the pipe from the parent. The process exits when the pipe is closed, whatever it is busy with:
/// a parent that is gone, however it ended, has closed it.
///
/// On Linux a signal could do the same (`PR_SET_PDEATHSIG`), but it is sent when the *thread* that started the child
/// ends, and workers are handed from thread to thread.
#[expect(clippy::exit, reason = "a script that cannot be interrupted holds the main thread")]
pub(super) fn lines_until_parent_ends(requests: impl BufRead + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in requests.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    lines
}

/// Limits the processor time and the address space of this process for the next request. The limits are generous,
/// because the child reports what it measures itself with better messages. Systems without such limits ignore them.
#[cfg(all(unix, feature = "cli"))]
pub(super) fn limit(allowance: &Allowance) {
    use rustix::process::{Resource, getrlimit, setrlimit};

    const SPARE_SECONDS: u64 = 2;
    const SPARE_BYTES: u64 = 256 << 20;
    let set = |resource: Resource, most: u64| {
        let mut limit = getrlimit(resource);
        limit.current = Some(limit.maximum.map_or(most, |maximum| most.min(maximum)));
        // If the system refuses, the old limit stays and the parent still watches.
        let _ = setrlimit(resource, limit);
    };
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(used.tv_sec).unwrap_or(0).saturating_add(allowance.milliseconds.div_ceil(1000));
    set(Resource::Cpu, seconds.saturating_add(SPARE_SECONDS));
    if let Some(held) = address_space() {
        set(Resource::As, held.saturating_add(allowance.bytes).saturating_add(SPARE_BYTES));
    }
}

/// Does nothing: on Windows only the parent watches the time and nothing limits memory, and without the feature `cli`
/// there are no children.
#[cfg(not(all(unix, feature = "cli")))]
pub(super) fn limit(_: &Allowance) {}

/// Returns the size of this process's address space in bytes; `None` if the system does not report it.
#[cfg(all(unix, feature = "cli"))]
fn address_space() -> Option<u64> {
    let statistics = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statistics.split_whitespace().next()?.parse().ok()?;
    pages.checked_mul(rustix::param::page_size() as u64)
}
