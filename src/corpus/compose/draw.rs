//! Random draws keyed by what they are for: the same seed and label give the same draw, whatever was drawn before.

use sha2::{Digest, Sha256};

/// A place in the tree of labels below a random seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    key: u64,
}

impl Draw {
    /// Returns the root of script `number` of a random seed.
    pub fn new(seed: u64, number: u64) -> Draw {
        Draw { key: seed }.at("compose").nth("script", number as usize)
    }

    /// Returns the place below this one with a label.
    #[must_use]
    pub fn at(self, label: &str) -> Draw {
        let mut hash = Sha256::new();
        hash.update(self.key.to_le_bytes());
        hash.update(label.as_bytes());
        let digest = hash.finalize();
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&digest[..8]);
        Draw { key: u64::from_le_bytes(bytes) }
    }

    /// Returns the place below this one with a label and a number.
    #[must_use]
    pub fn nth(self, label: &str, number: usize) -> Draw {
        self.at(&format!("{label}#{number}"))
    }

    /// Returns a number from 0 to `count - 1`; 0 if `count` is 0.
    pub fn below(self, count: usize) -> usize {
        ((u128::from(self.key) * count as u128) >> 64) as usize
    }

    /// Returns a number from `least` to `most`, both included.
    pub fn between(self, least: usize, most: usize) -> usize {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// Returns a number from 0 to 1.
    pub fn unit(self) -> f64 {
        self.key as f64 / u64::MAX as f64
    }

    /// Returns true with this probability.
    pub fn chance(self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Returns one of the items; `None` if there are none.
    pub fn pick<T>(self, items: &[T]) -> Option<&T> {
        items.get(self.below(items.len()))
    }

    /// Returns one of the items, of which there is at least one.
    pub fn one_of<T: Copy, const N: usize>(self, items: [T; N]) -> T {
        items[self.below(N)]
    }

    /// Returns the position of a weight, with its share of all as probability; `None` if none is positive.
    pub fn weighted(self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        let mut rest = self.unit() * total;
        let last = weights.iter().rposition(|weight| *weight > 0.0)?;
        for (position, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return Some(position);
            }
            rest -= weight;
        }
        Some(last)
    }

    /// Returns the items in a random order.
    pub fn shuffled<T: Clone>(self, items: &[T]) -> Vec<T> {
        let mut keyed: Vec<(u64, usize)> =
            (0..items.len()).map(|place| (self.nth("place", place).key, place)).collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, place)| items[place].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Draw;

    #[test]
    fn draws_depend_on_seed_number_and_label_alone() {
        let root = Draw::new(1, 2);
        assert_eq!(root.at("a"), Draw::new(1, 2).at("a"));
        assert_ne!(root.at("a"), root.at("b"));
        assert_ne!(root.at("a"), Draw::new(1, 3).at("a"));
        let heads = (0..1000).filter(|number| root.nth("coin", *number).chance(0.5)).count();
        assert!((430..570).contains(&heads), "{heads}");
        assert_eq!(root.weighted(&[0.0, 1.0, 0.0]), Some(1));
        let mut mixed = root.shuffled(&[1, 2, 3, 4]);
        mixed.sort_unstable();
        assert_eq!(mixed, [1, 2, 3, 4]);
    }
}
