//! Classes of values that joins make equal, and levels of values that comparisons order.

use std::collections::{BTreeMap, BTreeSet};

use super::constraint::{Constraints, PathStep, ScanColumn, ValuePath};

/// Classes of paths that hold the same value within a group of rows.
#[derive(Debug, Default)]
pub struct JoinClasses {
    class_by_path: BTreeMap<ValuePath, usize>,
    /// The paths of each class.
    pub members: Vec<Vec<ValuePath>>,
    /// For each column, the paths of classes that begin there: the steps of each, and its class.
    pub paths_by_column: BTreeMap<ScanColumn, Vec<(Vec<PathStep>, usize)>>,
    /// For each path of an ordering, the length of the longest chain of values that must lie below it.
    pub levels: BTreeMap<ValuePath, usize>,
    /// Paths of which several groups should have one value.
    shared: BTreeSet<ValuePath>,
    /// Paths that take another group's value because they must differ from another path.
    shifted: BTreeSet<ValuePath>,
}

impl JoinClasses {
    /// Joins the pairs that must be equal into classes.
    pub fn new(constraints: &Constraints) -> JoinClasses {
        let mut classes = JoinClasses { shared: constraints.shared.clone(), ..JoinClasses::default() };
        for (a, b) in constraints.equal.iter().filter(|(a, b)| is_invertible(a) && is_invertible(b)) {
            classes.join(a, b);
        }
        for (path, class) in &classes.class_by_path {
            classes.paths_by_column.entry(path.source).or_default().push((path.steps.clone(), *class));
        }
        classes.levels = levels(&constraints.ordered);
        for (a, b) in &constraints.unequal {
            if classes.class_by_path.get(a) == classes.class_by_path.get(b)
                && classes.shifted.contains(a) == classes.shifted.contains(b)
            {
                classes.shifted.insert(b.clone());
            }
        }
        classes
    }

    /// Returns the class of a whole column.
    pub fn of_column(&self, source: ScanColumn) -> Option<usize> {
        self.class_by_path.get(&ValuePath { source, steps: Vec::new() }).copied()
    }

    /// Whether a column takes its value from another group, so that it differs from a column that has the value of its own.
    pub fn is_shifted(&self, source: ScanColumn) -> bool {
        self.shifted.contains(&ValuePath { source, steps: Vec::new() })
    }

    /// Whether rows of several groups should share this class's value.
    pub fn is_shared(&self, class: usize) -> bool {
        self.members[class].iter().any(|path| self.shared.contains(path))
    }

    /// Whether rows of several groups should share this column's value.
    pub fn is_shared_column(&self, source: ScanColumn) -> bool {
        self.shared.contains(&ValuePath { source, steps: Vec::new() })
    }

    /// Returns the level of a column, whether it is compared as it is, as a number or as a date.
    pub fn level_of_column(&self, source: ScanColumn) -> Option<usize> {
        let plain = |path: &&ValuePath| {
            path.steps.iter().all(|it| matches!(it, PathStep::Number | PathStep::Date | PathStep::Parsed(_)))
        };
        let first = ValuePath { source, steps: Vec::new() };
        let of_column = self.levels.range(first..).take_while(|(path, _)| path.source == source);
        of_column.filter(|(path, _)| plain(path)).map(|(_, level)| *level).max()
    }

    /// Returns the highest level of these paths; `None` if none has one.
    pub fn level(&self, paths: &[ValuePath]) -> Option<usize> {
        paths.iter().filter_map(|path| self.levels.get(path)).max().copied()
    }

    fn join(&mut self, a: &ValuePath, b: &ValuePath) {
        match (self.class_by_path.get(a).copied(), self.class_by_path.get(b).copied()) {
            (Some(left), Some(right)) if left != right => {
                let moved = std::mem::take(&mut self.members[right]);
                for path in &moved {
                    self.class_by_path.insert(path.clone(), left);
                }
                self.members[left].extend(moved);
            }
            (Some(class), None) => self.add(class, b),
            (None, Some(class)) => self.add(class, a),
            (None, None) => {
                self.members.push(Vec::new());
                let class = self.members.len() - 1;
                self.add(class, a);
                self.add(class, b);
            }
            _ => {}
        }
    }

    fn add(&mut self, class: usize, path: &ValuePath) {
        if self.class_by_path.insert(path.clone(), class).is_none() {
            self.members[class].push(path.clone());
        }
    }
}

/// Whether a column's value can be made from the value that its steps should give.
fn is_invertible(path: &ValuePath) -> bool {
    !path.steps.iter().any(|step| matches!(step, PathStep::Length | PathStep::Format(_)))
}

/// Returns the length of the longest chain below each path, capped so that a cycle ends.
fn levels(ordered: &[(ValuePath, ValuePath)]) -> BTreeMap<ValuePath, usize> {
    const HIGHEST: usize = 4;
    let mut levels: BTreeMap<ValuePath, usize> = BTreeMap::new();
    for (low, high) in ordered {
        levels.insert(low.clone(), 0);
        levels.insert(high.clone(), 0);
    }
    for _ in 0..HIGHEST {
        for (low, high) in ordered {
            let above = (levels[low] + 1).min(HIGHEST);
            if levels[high] < above {
                levels.insert(high.clone(), above);
            }
        }
    }
    levels
}
