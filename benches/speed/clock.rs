//! CPU time of this thread, taken in alternating rounds.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Rounds of each measurement; the median counts.
const ROUNDS: usize = 9;

fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// CPU time of one call.
pub fn time(work: &mut dyn FnMut()) -> Duration {
    let start = now();
    work();
    now() - start
}

/// Median CPU time of A and of B, run in turns after one round that does not count, so that both meet the same machine.
pub fn alternating(a: &mut dyn FnMut(), b: &mut dyn FnMut()) -> (Duration, Duration) {
    a();
    b();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        first.push(time(a));
        second.push(time(b));
    }
    (median(first), median(second))
}

/// Median CPU time.
pub fn alone(work: &mut dyn FnMut()) -> Duration {
    work();
    median((0..ROUNDS).map(|_| time(work)).collect())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
