//! How many requests run at once, and when the next may start.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Adaptive concurrency: halved when the server says "too many", grown by one after as many good answers as run at
/// once (additive increase, multiplicative decrease), with a pause that all workers share.
#[derive(Debug)]
pub struct ConcurrencyLimit {
    most: usize,
    state: Mutex<LimitState>,
    changed: Condvar,
}

#[derive(Debug)]
struct LimitState {
    allowed: usize,
    running: usize,
    /// Good answers since the last overload or growth.
    good: usize,
    not_before: Instant,
}

/// The right to run one request.
#[derive(Debug)]
pub struct Permit<'a>(&'a ConcurrencyLimit);

impl ConcurrencyLimit {
    /// At most `most` at once.
    pub fn new(most: usize) -> ConcurrencyLimit {
        let state = LimitState { allowed: most.max(1), running: 0, good: 0, not_before: Instant::now() };
        ConcurrencyLimit { most: most.max(1), state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits for a free place and the end of any pause.
    pub fn acquire(&self) -> Permit<'_> {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            if state.running < state.allowed && now >= state.not_before {
                state.running += 1;
                return Permit(self);
            }
            state = if now < state.not_before {
                let wait = state.not_before - now;
                self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
            } else {
                self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    /// Notes a good answer.
    pub fn succeeded(&self) {
        let mut state = self.lock();
        state.good += 1;
        if state.good >= state.allowed {
            state.good = 0;
            state.allowed = (state.allowed + 1).min(self.most);
            self.changed.notify_all();
        }
    }

    /// Notes that the server is overloaded: fewer at once, and nobody before `pause` is over.
    pub fn overloaded(&self, pause: Duration) {
        let mut state = self.lock();
        state.good = 0;
        state.allowed = (state.allowed / 2).max(1);
        state.not_before = state.not_before.max(Instant::now() + pause);
    }

    /// Waits without holding a place.
    pub fn wait(&self, pause: Duration) {
        let until = Instant::now() + pause;
        let mut state = self.lock();
        while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// How many may run at once now.
    #[cfg(test)]
    pub fn allowed(&self) -> usize {
        self.lock().allowed
    }

    fn lock(&self) -> MutexGuard<'_, LimitState> {
        // The counts are changed in single steps that cannot panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overload_halves_and_good_answers_grow_by_one() {
        let concurrency = ConcurrencyLimit::new(8);
        concurrency.overloaded(Duration::ZERO);
        assert_eq!(concurrency.allowed(), 4);
        (0..4).for_each(|_| concurrency.succeeded());
        assert_eq!(concurrency.allowed(), 5);
        (0..5).for_each(|_| concurrency.overloaded(Duration::ZERO));
        assert_eq!(concurrency.allowed(), 1);
        (0..100).for_each(|_| concurrency.succeeded());
        assert_eq!(concurrency.allowed(), 8);
    }

    #[test]
    fn no_more_run_at_once_than_allowed() {
        let concurrency = ConcurrencyLimit::new(2);
        let running = std::sync::atomic::AtomicUsize::new(0);
        let most = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let permit = concurrency.acquire();
                    let now = running.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1;
                    most.fetch_max(now, std::sync::atomic::Ordering::SeqCst);
                    concurrency.wait(Duration::from_millis(5));
                    running.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                    drop(permit);
                });
            }
        });
        assert_eq!(most.into_inner(), 2);
    }
}
