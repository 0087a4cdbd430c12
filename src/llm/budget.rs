//! Money: what was spent, and a limit that is crossed only as far as replies under way are longer than was guessed.

use std::sync::{Mutex, PoisonError};

/// Money paid and money set aside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BudgetState {
    pub paid: f64,
    /// Money set aside for requests under way.
    pub reserved: f64,
}

/// Money shared by all models of a run.
#[derive(Debug)]
pub struct Budget {
    limit: Option<f64>,
    spent: Mutex<BudgetState>,
}

impl Budget {
    /// A budget from which at most `limit` is taken; without a limit it never empties.
    pub fn new(limit: Option<f64>) -> Budget {
        Budget { limit, spent: Mutex::new(BudgetState::default()) }
    }

    /// Sets money aside for a request; false when that would cross the limit.
    pub fn reserve(&self, amount: f64) -> bool {
        let mut spent = self.lock();
        if self.limit.is_some_and(|limit| spent.paid + spent.reserved + amount > limit) {
            return false;
        }
        spent.reserved += amount;
        true
    }

    /// Gives back what was set aside and pays what it came to.
    pub fn settle(&self, reserved: f64, paid: f64) {
        let mut spent = self.lock();
        spent.reserved = (spent.reserved - reserved).max(0.0);
        spent.paid += paid;
    }

    pub fn spent(&self) -> BudgetState {
        *self.lock()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BudgetState> {
        // Nothing can panic between the two sums.
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_under_way_counts_against_the_limit() {
        let budget = Budget::new(Some(1.0));
        assert!(budget.reserve(0.6));
        assert!(!budget.reserve(0.6));
        budget.settle(0.6, 0.2);
        assert!(budget.reserve(0.6));
        assert_eq!(budget.spent(), BudgetState { paid: 0.2, reserved: 0.6 });
        assert!(Budget::new(None).reserve(f64::MAX));
    }
}
