//! Measures CPU time of this thread, in alternating rounds.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::table::each;

/// Rounds of each measurement; the median counts.
const ROUNDS: usize = 9;

fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the CPU time of one call.
pub fn time(work: &mut dyn FnMut()) -> Duration {
    let start = now();
    work();
    now() - start
}

/// Returns the median CPU times of pieces of work that run in turns, so that all meet the same conditions. A first
/// round does not count.
pub fn in_turns<const N: usize>(mut works: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for round in 0..=ROUNDS {
        for (work, times) in works.iter_mut().zip(&mut times) {
            let time = time(work);
            times.extend((round > 0).then_some(time));
        }
    }
    times.map(median)
}

/// Returns the median CPU times of one piece of work at three sizes; `repeats` says how often it is done in a round.
pub fn at_sizes(repeats: [usize; 3], work: &dyn Fn(usize)) -> [Duration; 3] {
    let repeated = |at: usize| move || (0..repeats[at]).for_each(|_| work(at));
    let times = in_turns([&mut repeated(0), &mut repeated(1), &mut repeated(2)]);
    [0, 1, 2].map(|at| each(times[at], repeats[at]))
}

/// Returns the median CPU time of one piece of work.
pub fn alone(work: &mut dyn FnMut()) -> Duration {
    let [time] = in_turns([work]);
    time
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
