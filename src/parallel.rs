//! Service: work spread over threads, the progress that it reports, and panics that cost one item and not the rest.
//!
//! The one pool of the crate. What comes back is in the order of the items, so no result depends on how many workers
//! there are or on which of them was faster.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

/// Receives what happens, so that a terminal can show it, and says whether to go on.
pub trait Progress: Sync {
    /// A stage begins with this many steps.
    fn stage(&self, name: &str, steps: usize);
    /// What is worked on now, such as a script or a fault in one.
    fn at(&self, _what: &str) {}
    /// One step is done.
    fn step(&self);
    /// Whether the user asked to stop; looked at between steps.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Progress that nobody watches.
pub struct Unwatched;

impl Progress for Unwatched {
    fn stage(&self, _name: &str, _steps: usize) {}
    fn step(&self) {}
}

/// Applies `work` to each item with `jobs` workers (at least one); the results are in the order of the items.
///
/// # Panics
///
/// If `work` panics, after the other workers have ended; see [`shielded`] for work that may.
pub fn map<T: Send, R: Send>(
    jobs: usize,
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    map_with(vec![(); jobs.max(1)], items, |(), item| work(item))
}

/// Like [`map`], with one worker for each of `workers`, which `work` may use and change: a session, a process.
pub fn map_with<S: Send, T: Send, R: Send>(
    workers: impl IntoIterator<Item = S>,
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(&mut S, T) -> R + Sync,
) -> Vec<R> {
    let items = Mutex::new(items.into_iter().enumerate());
    let done: Mutex<Vec<(usize, R)>> = Mutex::default();
    // A poisoned lock means that an iterator panicked between two items; the scope then panics as well.
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (next, done_ref, work) = (&next, &done, &work);
    std::thread::scope(|scope| {
        for mut worker in workers {
            scope.spawn(move || {
                while let Some((at, item)) = next() {
                    let result = work(&mut worker, item);
                    done_ref.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

thread_local! {
    /// What the thread is working on, for the message of a panic.
    static SUBJECT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A bug of this program that ended the work on one item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bug of ours: {message}")]
pub struct Panicked {
    /// The words of the panic.
    pub message: String,
}

/// Runs `work` on the script, task or item called `subject`; a panic becomes an error, so that the other items go on.
///
/// # Errors
///
/// If `work` panicked. The hook that the program sets has then reported it with the name of the subject.
///
/// # Panics
///
/// If `work` could not print: that is no bug, and ends the program as it does elsewhere.
pub fn shielded<R>(subject: &str, work: impl FnOnce() -> R) -> Result<R, Panicked> {
    let outer = SUBJECT.replace(Some(subject.to_owned()));
    // The work on an item is given up as a whole: nothing that a panic left half-done is read again.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    SUBJECT.set(outer);
    result.map_err(|payload| {
        let message = message(&*payload);
        if could_not_print(&message) {
            panic::resume_unwind(payload);
        }
        Panicked { message }
    })
}

/// What this thread works on under [`shielded`]; `None` outside it.
pub fn subject() -> Option<String> {
    SUBJECT.with_borrow(Clone::clone)
}

/// Whether the words of a panic are those of `println!` on a full disk or a closed pipe.
pub fn could_not_print(message: &str) -> bool {
    message.starts_with("failed printing to std")
}

/// The words of a panic.
pub fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no words").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items_whatever_the_workers() {
        let wanted: Vec<u64> = (0..100).map(|item| item * item).collect();
        for jobs in [0, 1, 2, 7, 200] {
            assert_eq!(map(jobs, 0..100, |item: u64| item * item), wanted, "{jobs} workers");
        }
        assert!(map(4, [] as [u64; 0], |item| item).is_empty());
    }

    #[test]
    fn each_worker_keeps_its_own_state_and_items_may_be_changed_in_place() {
        let mut counts = [0, 0, 0];
        let mut items = [1, 2, 3, 4];
        map_with(counts.iter_mut(), items.iter_mut(), |count, item| {
            **count += 1;
            *item *= 10;
        });
        assert_eq!((counts.iter().sum::<i32>(), items), (4, [10, 20, 30, 40]));
    }

    #[test]
    fn a_panic_costs_its_own_item_only_and_is_reported_with_its_subject() {
        let work = |item: &str| {
            assert_eq!(subject().as_deref(), Some(item));
            assert_ne!(item, "b", "broken");
            item.len()
        };
        let results = map(2, ["a", "b", "c"], |item| shielded(item, || work(item)));
        assert_eq!((&results[0], &results[2]), (&Ok(1), &Ok(1)));
        assert!(results[1].as_ref().unwrap_err().to_string().starts_with("a bug of ours: assertion"), "{results:?}");
        assert_eq!(subject(), None);
    }
}
