//! Where a query or an expression stands, and which names it can use there.

use super::frame::FrameId;
use crate::code::tree::NodeId;

/// What a query may see from where it stands.
#[derive(Clone, Copy, Default)]
pub(super) struct OuterFrames {
    /// The SELECT block around a sub-query in an expression.
    pub outer: Option<FrameId>,
    /// The FROM of a multi-insert, which SELECT blocks without FROM read.
    pub shared: Option<FrameId>,
}

impl OuterFrames {
    /// What a sub-query in FROM or a CTE sees.
    pub fn inside(self) -> OuterFrames {
        OuterFrames { shared: None, ..self }
    }
}

/// Which names an expression can use besides the columns of FROM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VisibleNames {
    /// WHERE, ON and arguments of generators: input columns only.
    Input,
    /// The SELECT list: input columns, then aliases to the left.
    Projection,
    /// GROUP BY: input columns, then aliases.
    Grouping,
    /// HAVING, QUALIFY and WINDOW: input columns, then aliases.
    Having,
    /// ORDER BY, SORT BY and the like: aliases, then input columns.
    Ordering,
    /// ORDER BY after a set operation, VALUES or brackets: the outputs of this body only.
    OrderingOutputs(NodeId),
}

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct ExpressionPlace {
    pub frame: Option<FrameId>,
    pub clause: VisibleNames,
}

impl ExpressionPlace {
    /// Where no column can be named, except those of an enclosing block.
    pub fn nowhere(context: OuterFrames) -> ExpressionPlace {
        ExpressionPlace { frame: context.outer, clause: VisibleNames::Input }
    }
}
