//! The references of a run of which none is nearly a copy of another.

use super::places::{Looked, Places};
use crate::code::script::Script;
use crate::code::shingles::Shingles;
use crate::parallel;

/// The references of a run that may have tasks: none is near to another.
#[derive(Default)]
pub(super) struct DistinctReferences(Vec<Shingles>);

impl DistinctReferences {
    /// Adds a reference that has a task already.
    pub fn keep(&mut self, script: &Script) {
        self.0.push(Shingles::of(script));
    }

    /// Adds the references that are near to none before them, and returns their places.
    pub fn add(&mut self, jobs: usize, looked: Vec<Looked>) -> Vec<Places> {
        let before = self.0.len();
        let (places, shingles): (Vec<Places>, Vec<Shingles>) =
            looked.into_iter().map(|it| (it.places, it.shingles)).unzip();
        self.0.extend(shingles);
        let known = &self.0;
        let near = parallel::map(jobs, before..known.len(), |at| -> Vec<usize> {
            (0..at).filter(|other| known[at].is_near(&known[*other])).collect()
        });
        // A reference that is left out keeps out no other.
        let mut is_kept = vec![true; known.len()];
        for (at, others) in (before..).zip(near) {
            is_kept[at] = others.into_iter().all(|other| !is_kept[other]);
        }
        let added = places.into_iter().zip(&is_kept[before..]).filter(|(_, is_kept)| **is_kept);
        let added = added.map(|(places, _)| places).collect();
        let mut is_kept = is_kept.into_iter();
        self.0.retain(|_| is_kept.next() == Some(true));
        added
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked(number: usize, text: &str) -> Looked {
        let places = Places { number, faults: Default::default() };
        Looked { places, shingles: Shingles::of(&Script::new(text)) }
    }

    fn numbers(free: &[Places]) -> Vec<usize> {
        free.iter().map(|places| places.number).collect()
    }

    #[test]
    fn of_two_references_that_are_near_the_first_is_kept_and_what_is_left_out_bars_no_other() {
        let mut distinct = DistinctReferences::default();
        distinct.keep(&Script::new("SELECT a, b, c FROM t JOIN u ON t.k = u.k WHERE x = 1"));
        let first = vec![
            looked(0, "SELECT a, b, c FROM t JOIN u ON t.k = u.k WHERE x = 2"),
            looked(1, "SELECT p FROM q GROUP BY p HAVING COUNT(r) > 1"),
            looked(2, "SELECT p FROM q GROUP BY p HAVING COUNT(r) > 2 ORDER BY k, l, m, n, o LIMIT 9"),
            // Near to the one before alone.
            looked(3, "SELECT v, w FROM y ORDER BY k, l, m, n, o LIMIT 9"),
        ];
        assert_eq!(numbers(&distinct.add(2, first)), [1, 3]);
        let second = vec![looked(4, "SELECT p FROM q GROUP BY p HAVING COUNT(r) > 3"), looked(5, "SELECT 1 AS one")];
        assert_eq!(numbers(&distinct.add(1, second)), [5]);
    }
}
