//! Frames: what one SELECT block sees.

use std::collections::{HashMap, HashSet};

use super::model::{ColumnPosition, RelationId};
use crate::code::tree::NodeId;

/// Index of a [`Frame`] in the resolver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameId(pub usize);

/// What one SELECT block sees.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The frame around it, for correlated sub-queries.
    pub parent: Option<FrameId>,
    /// Its `Select` or `MultiInsert` node.
    pub block: NodeId,
    /// Every relation of its FROM, in order.
    pub relations: Vec<RelationId>,
    /// The relations whose columns can be named.
    pub visible: Vec<RelationId>,
    /// Columns that USING or NATURAL merged away: only a qualified name reaches them.
    pub merged_away: Vec<ColumnPosition>,
    /// What `*` means, once USING or NATURAL has changed the order.
    pub star: Option<Vec<ColumnPosition>>,
    /// ROLLUP, CUBE or GROUPING SETS put NULL into grouping columns.
    pub subtotals: bool,
    /// What GROUP BY keeps, once it is resolved.
    pub grouping: Option<Grouping>,
    /// Names of the outputs seen so far that have an alias or are no plain column, with their `SelectItem`s.
    pub aliases: HashMap<String, NodeId>,
}

impl Frame {
    /// A block that sees nothing yet.
    pub fn new(block: NodeId, parent: Option<FrameId>) -> Frame {
        Frame {
            parent,
            block,
            relations: Vec::new(),
            visible: Vec::new(),
            merged_away: Vec::new(),
            star: None,
            subtotals: false,
            grouping: None,
            aliases: HashMap::new(),
        }
    }
}

/// The columns that GROUP BY keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Grouping {
    pub columns: HashSet<ColumnPosition>,
    /// `GROUP BY ALL`, or a key that cannot be followed.
    pub everything: bool,
}

/// What a search for a name in a frame found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ColumnMatch {
    /// One column; `.1` identifiers of the path name it.
    Column(ColumnPosition, usize),
    /// Several columns.
    Ambiguous(Vec<ColumnPosition>),
    /// Nothing, and nothing can be hidden.
    Nothing,
    /// Nothing, but a relation with unknown columns may have it.
    Open,
}
