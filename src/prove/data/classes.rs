//! Values that must meet, as classes; and how high in an ordering of values each one stands.

use std::collections::{BTreeMap, BTreeSet};

use super::constraint::{Constraints, Place, Port, Wrapper};

/// Classes of ports that hold one value within a group of rows.
#[derive(Debug, Default)]
pub struct Classes {
    of: BTreeMap<Port, usize>,
    /// The ports of each class.
    pub members: Vec<Vec<Port>>,
    /// For each place, the classes of the ports inside it.
    pub at: BTreeMap<Place, Vec<(Vec<Wrapper>, usize)>>,
    /// For each port of an ordering: the number of values that must lie below it.
    pub levels: BTreeMap<Port, usize>,
    crowded: BTreeSet<Port>,
    /// Ports that take the next group's value, for they must differ from another port of their class.
    shifted: BTreeSet<Port>,
}

impl Classes {
    /// Joins the pairs that must be equal into classes.
    pub fn new(constraints: &Constraints) -> Classes {
        let mut classes = Classes { crowded: constraints.crowded.clone(), ..Classes::default() };
        for (a, b) in constraints.equal.iter().filter(|(a, b)| is_invertible(a) && is_invertible(b)) {
            classes.join(a, b);
        }
        for (port, class) in &classes.of {
            classes.at.entry(port.place).or_default().push((port.wrappers.clone(), *class));
        }
        classes.levels = levels(&constraints.ordered);
        for (a, b) in &constraints.unequal {
            if classes.of.contains_key(a) && classes.of.get(a) == classes.of.get(b) {
                classes.shifted.insert(b.clone());
            }
        }
        classes
    }

    /// The class of a whole column.
    pub fn of_column(&self, place: Place) -> Option<usize> {
        self.of.get(&Port { place, wrappers: Vec::new() }).copied()
    }

    /// Whether a column takes the next group's value of its class.
    pub fn is_shifted(&self, place: Place) -> bool {
        self.shifted.contains(&Port { place, wrappers: Vec::new() })
    }

    /// Whether rows of several groups should share this class's value.
    pub fn is_crowded(&self, class: usize) -> bool {
        self.members[class].iter().any(|port| self.crowded.contains(port))
    }

    /// Whether rows of several groups should share this column's value.
    pub fn is_crowded_column(&self, place: Place) -> bool {
        self.crowded.contains(&Port { place, wrappers: Vec::new() })
    }

    /// The level of a column, be it compared as it is or as a number or a date.
    pub fn level_of_column(&self, place: Place) -> Option<usize> {
        let plain = |port: &&Port| port.wrappers.iter().all(|it| matches!(it, Wrapper::Number | Wrapper::Date));
        let of_place = self.levels.keys().filter(|port| port.place == place).filter(plain);
        of_place.map(|port| self.levels[port]).max()
    }

    /// The level of a class or, without one, of a column.
    pub fn level(&self, ports: &[Port]) -> Option<usize> {
        ports.iter().filter_map(|port| self.levels.get(port)).max().copied()
    }

    fn join(&mut self, a: &Port, b: &Port) {
        match (self.of.get(a).copied(), self.of.get(b).copied()) {
            (Some(left), Some(right)) if left != right => {
                let moved = std::mem::take(&mut self.members[right]);
                for port in &moved {
                    self.of.insert(port.clone(), left);
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

    fn add(&mut self, class: usize, port: &Port) {
        if self.of.insert(port.clone(), class).is_none() {
            self.members[class].push(port.clone());
        }
    }
}

/// Whether a column can be made from the value that its wrappers should give.
fn is_invertible(port: &Port) -> bool {
    !port.wrappers.iter().any(|wrapper| matches!(wrapper, Wrapper::Length | Wrapper::Format(_)))
}

/// The longest chain below each port; a cycle stops at a small height.
fn levels(ordered: &[(Port, Port)]) -> BTreeMap<Port, usize> {
    const HIGHEST: usize = 4;
    let mut levels: BTreeMap<Port, usize> = BTreeMap::new();
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
