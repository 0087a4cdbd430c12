//! The CTEs in scope.

use std::collections::HashMap;
use std::rc::Rc;

use crate::code::tree::NodeId;

/// The CTEs that can be named now. Scopes nest, so this is a stack: a query forgets its own CTEs when it ends.
#[derive(Default)]
pub(super) struct CommonTables {
    stack: Vec<CommonTable>,
    /// Place in the stack of the innermost CTE of a name.
    innermost: HashMap<Rc<str>, usize>,
}

struct CommonTable {
    name: Rc<str>,
    node: NodeId,
    /// Place in the stack of the CTE of the same name that it hides.
    hides: Option<usize>,
}

impl CommonTables {
    /// How many CTEs are in scope, to come back to with [`CommonTables::forget_after`].
    pub fn mark(&self) -> usize {
        self.stack.len()
    }

    /// Adds a `CommonTable` node; returns whether one of this name had been added since `mark`.
    pub fn add(&mut self, name: &str, node: NodeId, mark: usize) -> bool {
        let name: Rc<str> = Rc::from(name);
        let hides = self.innermost.insert(Rc::clone(&name), self.stack.len());
        self.stack.push(CommonTable { name, node, hides });
        hides.is_some_and(|hidden| hidden >= mark)
    }

    /// The innermost CTE of this name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.innermost.get(name).map(|place| self.stack[*place].node)
    }

    /// Forgets the CTEs added since `mark`.
    pub fn forget_after(&mut self, mark: usize) {
        for CommonTable { name, hides, .. } in self.stack.drain(mark..).rev() {
            match hides {
                Some(place) => self.innermost.insert(name, place),
                None => self.innermost.remove(&name),
            };
        }
    }
}
