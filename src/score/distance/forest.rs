//! Ordered labelled trees in postorder, the form that edit distances work on.

use std::collections::HashMap;

use crate::code::script::{Script, unquoted};
use crate::code::tree::{Kind, NodeId};

/// Numbers labels and whole subtrees. All trees that are compared share one numbering, so equal numbers mean equality.
#[derive(Debug, Default)]
pub(crate) struct LabelNumbers {
    texts: HashMap<String, u32>,
    subtrees: HashMap<(u32, Vec<u32>), u32>,
}

impl LabelNumbers {
    /// Returns the number of a label, assigning one if it is new.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.texts.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.insert(text.to_owned(), number);
        number
    }

    fn subtree(&mut self, label: u32, children: Vec<u32>) -> u32 {
        let next = self.subtrees.len() as u32;
        *self.subtrees.entry((label, children)).or_insert(next)
    }
}

/// A sequence of trees with their nodes in postorder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Forest {
    /// Label of each node.
    pub labels: Vec<u32>,
    /// Number of nodes below and at each node.
    pub sizes: Vec<u32>,
    /// The number of the subtree at each node; subtrees with equal numbers are equal.
    pub subtrees: Vec<u32>,
}

impl Forest {
    /// Builds the forest of a script, which is its syntax tree.
    pub fn of(script: &Script, labels: &mut LabelNumbers) -> Forest {
        let tree = script.tree();
        let mut forest = Forest::default();
        // The arena is not in postorder, so the walk keeps its own stack to visit children before parents.
        let mut stack = vec![(tree.root(), false)];
        let mut roots: Vec<usize> = Vec::new();
        while let Some((id, done)) = stack.pop() {
            let children = tree.children(id);
            if done {
                let label = labels.number(&label(script, id));
                forest.close(label, children.len(), &mut roots, labels);
                continue;
            }
            stack.push((id, true));
            stack.extend(children.iter().rev().map(|child| (*child, false)));
        }
        forest
    }

    /// Adds a node whose children are the last `children` open roots.
    pub fn close(&mut self, label: u32, children: usize, roots: &mut Vec<usize>, labels: &mut LabelNumbers) {
        let below = roots.split_off(roots.len() - children);
        let size = 1 + below.iter().map(|root| self.sizes[*root]).sum::<u32>();
        let subtree = labels.subtree(label, below.iter().map(|root| self.subtrees[*root]).collect());
        roots.push(self.labels.len());
        self.labels.push(label);
        self.sizes.push(size);
        self.subtrees.push(subtree);
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Returns the leftmost leaf of the subtree at `node`, which is its first node in postorder.
    pub fn leftmost(&self, node: usize) -> usize {
        node + 1 - self.sizes[node] as usize
    }
}

/// Returns the label of a node: its kind and its own words.
fn label(script: &Script, id: NodeId) -> String {
    let kind = script.tree().kind(id);
    if matches!(kind, Kind::Identifier | Kind::FunctionName) {
        return format!("{kind:?} {}", unquoted(script.slice(id)).to_lowercase());
    }
    let mut label = format!("{kind:?}");
    let literal = matches!(kind, Kind::Text | Kind::Command);
    for word in own_words(script, id) {
        label.push(' ');
        if literal || word.starts_with(['\'', '"']) {
            label.push_str(word);
        } else {
            label.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
    label
}

/// Returns the tokens of a node that belong to none of its children.
fn own_words(script: &Script, id: NodeId) -> impl Iterator<Item = &str> {
    let tree = script.tree();
    let mut children = tree.children(id).iter().map(|child| script.token_range(*child)).peekable();
    let all = if tree.len() == 1 || script.tokens().is_empty() { 0..=0 } else { script.token_range(id) };
    let own = all.filter(move |index| {
        while children.next_if(|range| range.end() < index).is_some() {}
        !children.peek().is_some_and(|range| range.contains(index))
    });
    own.map(|index| script.token_text(index))
}
