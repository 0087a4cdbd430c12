//! Work spread over workers, whose results do not depend on how many there are.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `work` of each item, in the order of the items, by `jobs` workers.
pub(super) fn map<'a, T: Sync, R: Send>(jobs: usize, items: &'a [T], work: impl Fn(&'a T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let result = work(item);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_come_in_the_order_of_the_items_whatever_the_workers() {
        let items: Vec<u64> = (0..100).collect();
        let wanted: Vec<u64> = items.iter().map(|item| item * item).collect();
        for jobs in [0, 1, 2, 7, 200] {
            assert_eq!(map(jobs, &items, |item| item * item), wanted, "{jobs} workers");
        }
        assert!(map(4, &[] as &[u64], |item| *item).is_empty());
    }
}
