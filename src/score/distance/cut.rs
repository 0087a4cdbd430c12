//! Cutting off what two forests share.
//!
//! With unit costs the distance stays the same when
//!
//! - the first trees of both forests are equal and both are removed (or both last trees): should a best mapping send
//!   nodes of the first left tree `m` times into the rest of the right forest and `a` times into the right tree's copy,
//!   then no other left node maps into that copy, so its `n − a` other nodes are inserted and `n − a − m` nodes of the
//!   left tree are deleted; mapping the trees onto each other saves these and costs at most `m` insertions;
//! - both forests are single trees whose roots have one label, and the roots are removed: should a best mapping send one
//!   root elsewhere, the other root is inserted, so mapping root to root costs no more.
//!
//! The second rule read backwards lets both results have a root in common again.

use super::forest::Forest;

/// The label of the added common root; labels are numbered from 0 and never get this far.
const ROOT: u32 = u32::MAX;

/// Returns two trees with the same distance as `left` and `right`, without the parts that both share at their roots,
/// fronts and ends.
pub(super) fn cut(left: &Forest, right: &Forest) -> (Forest, Forest) {
    let (mut a, mut b) = (0..left.len(), 0..right.len());
    loop {
        let (mut first, mut second) = (roots(left, a.start, a.end), roots(right, b.start, b.end));
        let same = |x: &usize, y: &usize| left.subtrees[*x] == right.subtrees[*y];
        let front = first.iter().zip(&second).take_while(|(x, y)| same(x, y)).count();
        if front > 0 {
            (a.start, b.start) = (first[front - 1] + 1, second[front - 1] + 1);
            first.drain(..front);
            second.drain(..front);
        }
        let back = first.iter().rev().zip(second.iter().rev()).take_while(|(x, y)| same(x, y)).count();
        first.truncate(first.len() - back);
        second.truncate(second.len() - back);
        a.end = first.last().map_or(a.start, |root| root + 1);
        b.end = second.last().map_or(b.start, |root| root + 1);
        match (&first[..], &second[..]) {
            ([x], [y]) if left.labels[*x] == right.labels[*y] => {
                a.end -= 1;
                b.end -= 1;
            }
            _ => return (rooted(left, a), rooted(right, b)),
        }
    }
}

/// Returns the roots of the forest that a range of nodes forms, in order.
fn roots(forest: &Forest, start: usize, mut end: usize) -> Vec<usize> {
    let mut found = Vec::new();
    while end > start {
        found.push(end - 1);
        end = forest.leftmost(end - 1);
    }
    found.reverse();
    found
}

fn rooted(forest: &Forest, range: std::ops::Range<usize>) -> Forest {
    let size = range.len() as u32 + 1;
    let copy = |list: &[u32], root: u32| [&list[range.clone()], &[root]].concat();
    Forest {
        labels: copy(&forest.labels, ROOT),
        sizes: copy(&forest.sizes, size),
        subtrees: copy(&forest.subtrees, ROOT),
    }
}
