//! Exact tree edit distance up to a bound.
//!
//! K. Zhang and D. Shasha, "Simple fast algorithms for the editing distance between trees and related problems", SIAM
//! Journal on Computing 18 (1989), restricted to a strip as H. Touzet does in "Comparing similar ordered trees in
//! linear-time", Journal of Discrete Algorithms 5 (2007): a mapping of cost at most `k` leaves at most `k` nodes
//! unmapped on either side, so
//!
//! - mapped nodes stand at most `k` places apart in postorder, and so do their leftmost leaves;
//! - in a pair of subtrees whose leftmost leaves stand `g` places apart, `g` nodes before them are unmapped already: what
//!   is left of the bound is `k − g`, and prefixes of the two subtrees differ in length by at most that.
//!
//! Pairs outside the strip are never part of a solution within the bound, so leaving them out cannot make a distance
//! within the bound larger; nothing is ever made smaller.

use std::collections::HashMap;
use std::ops::Range;

use super::cut::cut;
use super::forest::Forest;

/// Returns the distance; `None` if it is larger than `bound`.
pub(super) fn distance_within(left: &Forest, right: &Forest, bound: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > bound || lower_bound(left, right) > bound {
        return None;
    }
    let (left, right) = cut(left, right);
    // The virtual roots are equal, so they add nothing.
    let distance = DistanceBand::new(&left, &right, bound).distance();
    (distance <= bound).then_some(distance)
}

/// Returns a lower bound of the distance: at best, every label that both sides have is mapped onto itself.
fn lower_bound(left: &Forest, right: &Forest) -> usize {
    let mut counts: HashMap<u32, usize> = HashMap::with_capacity(left.len());
    left.labels.iter().for_each(|label| *counts.entry(*label).or_default() += 1);
    let mut common = 0;
    for label in &right.labels {
        if let Some(count) = counts.get_mut(label).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    left.len().max(right.len()) - common
}

struct DistanceBand<'a> {
    left: &'a Forest,
    right: &'a Forest,
    bound: usize,
    /// Distances of subtrees whose roots stand at most `bound` places apart; `bound + 1` stands for any larger
    /// distance.
    trees: Vec<u32>,
    /// Distances of forests of the current pair of subtrees.
    forests: Vec<u32>,
}

impl<'a> DistanceBand<'a> {
    fn new(left: &'a Forest, right: &'a Forest, bound: usize) -> DistanceBand<'a> {
        // No distance exceeds the cost of deleting one tree and inserting the other.
        let bound = bound.min(left.len() + right.len());
        let trees = vec![bound as u32 + 1; left.len() * (2 * bound + 1)];
        DistanceBand { left, right, bound, trees, forests: Vec::new() }
    }

    fn distance(mut self) -> usize {
        let right_roots = key_roots(self.right);
        let left_roots = key_roots(self.left);
        for subtree in subtrees(&left_roots, 0..left_roots.len()) {
            let near = subtree.leaf.saturating_sub(self.bound)..(subtree.leaf + self.bound + 1).min(right_roots.len());
            for partner in subtrees(&right_roots, near) {
                self.compare(subtree, partner);
            }
        }
        self.tree(self.left.len() - 1, self.right.len() - 1) as usize
    }

    fn over(&self) -> u32 {
        self.bound as u32 + 1
    }

    fn tree(&self, left: usize, right: usize) -> u32 {
        if left.abs_diff(right) > self.bound {
            return self.over();
        }
        self.trees[left * (2 * self.bound + 1) + right + self.bound - left]
    }

    /// Computes the distances of all pairs of subtrees on the leftmost paths of two subtrees.
    fn compare(&mut self, left: Subtree, right: Subtree) {
        let slack = self.bound - left.leaf.abs_diff(right.leaf);
        let (rows, columns) = (left.len(), right.len());
        let width = 2 * slack + 1;
        let over = self.over();
        let rows = rows.min(columns + slack);
        self.forests.clear();
        self.forests.resize((rows + 1) * width, over);
        for column in 0..=columns.min(slack) {
            self.forests[column + slack] = column as u32;
        }
        for row in 1..=rows {
            let node = left.leaf + row - 1;
            let node_leaf = self.left.leftmost(node);
            for column in row.saturating_sub(slack)..=(row + slack).min(columns) {
                let cost = if column == 0 {
                    row as u32
                } else {
                    let other = right.leaf + column - 1;
                    let [row_before, column_before] = [node_leaf - left.leaf, self.right.leftmost(other) - right.leaf];
                    self.cell(ForestPair { row, column, node, other, row_before, column_before }, slack)
                };
                self.forests[row * width + column + slack - row] = cost.min(over);
            }
        }
    }

    /// Returns the distance of two forests.
    fn cell(&mut self, pair: ForestPair, slack: usize) -> u32 {
        let ForestPair { row, column, .. } = pair;
        let (over, width) = (self.over(), 2 * slack + 1);
        let forest = |row: usize, column: usize| {
            if row.abs_diff(column) > slack { over } else { self.forests[row * width + column + slack - row] }
        };
        let gap = forest(row - 1, column).min(forest(row, column - 1)) + 1;
        if !pair.are_trees() {
            return gap.min(forest(pair.row_before, pair.column_before) + self.tree(pair.node, pair.other));
        }
        let change = u32::from(self.left.labels[pair.node] != self.right.labels[pair.other]);
        let cost = gap.min(forest(row - 1, column - 1) + change).min(over);
        if pair.node.abs_diff(pair.other) <= self.bound {
            let place = pair.node * (2 * self.bound + 1) + pair.other + self.bound - pair.node;
            self.trees[place] = cost;
        }
        cost
    }
}

/// A subtree by its root and its leftmost leaf.
#[derive(Clone, Copy)]
struct Subtree {
    root: usize,
    leaf: usize,
}

impl Subtree {
    fn len(self) -> usize {
        self.root + 1 - self.leaf
    }
}

/// Two forests: prefixes, in postorder, of two subtrees.
#[derive(Clone, Copy)]
struct ForestPair {
    /// The length of the left forest.
    row: usize,
    /// The length of the right forest.
    column: usize,
    /// The last node on the left.
    node: usize,
    /// The last node on the right.
    other: usize,
    /// The length of the left forest before the subtree of its last node.
    row_before: usize,
    /// The length of the right forest before the subtree of its last node.
    column_before: usize,
}

impl ForestPair {
    /// Whether both forests are single trees.
    fn are_trees(self) -> bool {
        self.row_before == 0 && self.column_before == 0
    }
}

/// Returns, for each leaf in a range, the largest subtree with this leftmost leaf, sorted by root.
fn subtrees(roots: &[usize], leaves: Range<usize>) -> Vec<Subtree> {
    let of_leaf = leaves.map(|leaf| Subtree { root: roots[leaf], leaf });
    let mut subtrees: Vec<Subtree> = of_leaf.filter(|subtree| subtree.root != usize::MAX).collect();
    subtrees.sort_unstable_by_key(|subtree| subtree.root);
    subtrees
}

/// Returns for each leaf the highest node whose leftmost leaf it is, and `usize::MAX` for inner nodes.
fn key_roots(forest: &Forest) -> Vec<usize> {
    let mut roots = vec![usize::MAX; forest.len()];
    // In postorder ancestors come later, so the highest node is written last.
    (0..forest.len()).for_each(|node| roots[forest.leftmost(node)] = node);
    roots
}
