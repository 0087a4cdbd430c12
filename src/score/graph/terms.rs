//! Labelled graphs with shared nodes: equal sub-graphs are one node.

use std::collections::HashMap;

/// A node of [`Terms`]. Two graphs in the same `Terms` are isomorphic exactly when their roots are the same node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term(u32);

/// Nodes by label and children (hash-consing, after A. P. Ershov, 1958). The table compares the labels and children
/// themselves, so a hash collision never merges two nodes.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    labels: HashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
    known: HashMap<(u32, Box<[Term]>), Term>,
    nodes: Vec<(u32, Box<[Term]>)>,
}

impl Terms {
    /// The node with this label and these children.
    pub fn node(&mut self, label: &str, children: &[Term]) -> Term {
        let label = self.label(label);
        let key = (label, Box::from(children));
        if let Some(term) = self.known.get(&key) {
            return *term;
        }
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(key.clone());
        self.known.insert(key, term);
        term
    }

    /// A node without children.
    pub fn leaf(&mut self, label: &str) -> Term {
        self.node(label, &[])
    }

    /// The node with this label and these children, whose order does not matter.
    pub fn bag(&mut self, label: &str, mut children: Vec<Term>) -> Term {
        children.sort_unstable();
        self.node(label, &children)
    }

    /// The node that stands for an absent optional part.
    pub fn none(&mut self) -> Term {
        self.leaf("")
    }

    pub fn label_of(&self, term: Term) -> &str {
        &self.names[self.nodes[term.0 as usize].0 as usize]
    }

    pub fn children_of(&self, term: Term) -> &[Term] {
        &self.nodes[term.0 as usize].1
    }

    fn label(&mut self, label: &str) -> u32 {
        if let Some(number) = self.labels.get(label) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(label.into());
        self.labels.insert(label.into(), number);
        number
    }
}
