//! Names by which a taxonomy file picks nodes of the tree.

use serde::Deserialize;

use crate::code::tree::BinaryOperator::{
    Concat, Divide, Equal, Greater, GreaterOrEqual, IntegerDivide, Less, LessOrEqual, Minus, Modulo, Multiply,
    NotEqual, NullSafeEqual, Plus,
};
use crate::code::tree::{GroupingKind, JoinKind, Kind, SetOperator};

macro_rules! node_names {
    ($($name:ident: $kinds:pat,)*) => {
        /// A class of nodes, as `node:`, `parent:` and `within:` of a taxonomy file spell it, in kebab case. A node may
        /// have several names: a left join is a `join` and a `left-join`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum NodeName {
            $(#[doc = concat!("`", stringify!($kinds), "`.")] $name,)*
        }

        impl NodeName {
            /// Every name.
            pub const ALL: &'static [NodeName] = &[$(NodeName::$name),*];

            /// Whether a node of this kind has the name.
            pub fn fits(self, kind: Kind) -> bool {
                match self {
                    $(NodeName::$name => matches!(kind, $kinds),)*
                }
            }
        }
    };
}

// One row a name: the kinds of nodes that have it.
node_names! {
    Script: Kind::Script,
    Insert: Kind::Insert { .. },
    InsertInto: Kind::Insert { overwrite: false } | Kind::InsertBranch { overwrite: false },
    InsertOverwrite: Kind::Insert { overwrite: true } | Kind::InsertBranch { overwrite: true },
    MultiInsert: Kind::MultiInsert,
    InsertBranch: Kind::InsertBranch { .. },
    Delete: Kind::Delete,
    Update: Kind::Update,
    Merge: Kind::Merge,
    MergeClause: Kind::MergeClause { .. },
    MergeCondition: Kind::MergeCondition,
    Assignment: Kind::Assignment,
    PartitionSpec: Kind::PartitionSpec,
    PartitionItem: Kind::PartitionItem,
    ColumnList: Kind::ColumnList,
    CreateTable: Kind::CreateTable,
    CreateView: Kind::CreateView,
    PartitionColumns: Kind::PartitionColumns,
    ColumnDefinition: Kind::ColumnDefinition,
    TypeName: Kind::TypeName,
    Query: Kind::Query,
    With: Kind::With,
    CommonTable: Kind::CommonTable,
    Select: Kind::Select { .. },
    SelectDistinct: Kind::Select { distinct: true },
    Projection: Kind::Projection,
    SelectItem: Kind::SelectItem,
    Wildcard: Kind::Wildcard,
    SetOperation: Kind::SetOperation { .. },
    Union: Kind::SetOperation { operator: SetOperator::Union, all: false },
    UnionAll: Kind::SetOperation { operator: SetOperator::Union, all: true },
    Values: Kind::Values,
    From: Kind::From,
    Relation: Kind::Relation,
    Table: Kind::Table,
    Derived: Kind::Derived,
    Alias: Kind::Alias,
    Join: Kind::Join { .. },
    InnerJoin: Kind::Join { kind: JoinKind::Inner, .. },
    LeftJoin: Kind::Join { kind: JoinKind::Left, .. },
    RightJoin: Kind::Join { kind: JoinKind::Right, .. },
    FullJoin: Kind::Join { kind: JoinKind::Full, .. },
    CrossJoin: Kind::Join { kind: JoinKind::Cross, .. },
    SemiJoin: Kind::Join { kind: JoinKind::LeftSemi, .. },
    AntiJoin: Kind::Join { kind: JoinKind::LeftAnti, .. },
    On: Kind::On,
    Using: Kind::Using,
    LateralView: Kind::LateralView { .. },
    Where: Kind::Where,
    GroupBy: Kind::GroupBy,
    Grouping: Kind::Grouping { .. },
    Rollup: Kind::Grouping { kind: GroupingKind::Rollup | GroupingKind::WithRollup },
    Cube: Kind::Grouping { kind: GroupingKind::Cube | GroupingKind::WithCube },
    GroupingSets: Kind::Grouping { kind: GroupingKind::Sets },
    Having: Kind::Having,
    Qualify: Kind::Qualify,
    OrderBy: Kind::OrderBy,
    SortBy: Kind::SortBy,
    DistributeBy: Kind::DistributeBy,
    ClusterBy: Kind::ClusterBy,
    SortItem: Kind::SortItem { .. },
    Limit: Kind::Limit,
    Windows: Kind::Windows,
    Column: Kind::Column,
    Identifier: Kind::Identifier,
    FunctionName: Kind::FunctionName,
    Text: Kind::Text,
    Number: Kind::Number,
    Placeholder: Kind::Placeholder,
    Null: Kind::Null,
    Boolean: Kind::Boolean(_),
    Interval: Kind::Interval,
    Call: Kind::Call { .. },
    CallDistinct: Kind::Call { distinct: true },
    Star: Kind::Star,
    Filter: Kind::Filter,
    Over: Kind::Over,
    WindowSpec: Kind::WindowSpec,
    PartitionBy: Kind::PartitionBy,
    Frame: Kind::Frame { .. },
    FrameBound: Kind::FrameBound,
    Cast: Kind::Cast,
    Case: Kind::Case { .. },
    SimpleCase: Kind::Case { operand: true },
    SearchedCase: Kind::Case { operand: false },
    When: Kind::When,
    Else: Kind::Else,
    And: Kind::And,
    Or: Kind::Or,
    Not: Kind::Not,
    Unary: Kind::Unary,
    Comparison: Kind::Binary(Equal | NotEqual | NullSafeEqual | Less | LessOrEqual | Greater | GreaterOrEqual),
    Equal: Kind::Binary(Equal),
    NotEqual: Kind::Binary(NotEqual),
    NullSafeEqual: Kind::Binary(NullSafeEqual),
    Less: Kind::Binary(Less),
    LessOrEqual: Kind::Binary(LessOrEqual),
    Greater: Kind::Binary(Greater),
    GreaterOrEqual: Kind::Binary(GreaterOrEqual),
    Arithmetic: Kind::Binary(Plus | Minus | Multiply | Divide | IntegerDivide | Modulo),
    Plus: Kind::Binary(Plus),
    Minus: Kind::Binary(Minus),
    Multiply: Kind::Binary(Multiply),
    Divide: Kind::Binary(Divide),
    IntegerDivide: Kind::Binary(IntegerDivide),
    Concat: Kind::Binary(Concat),
    IsNull: Kind::IsNull { negated: false },
    IsNotNull: Kind::IsNull { negated: true },
    IsBoolean: Kind::IsBoolean { .. },
    IsDistinctFrom: Kind::IsDistinct { negated: false },
    IsNotDistinctFrom: Kind::IsDistinct { negated: true },
    InList: Kind::InList { negated: false },
    NotInList: Kind::InList { negated: true },
    InQuery: Kind::InQuery { negated: false },
    NotInQuery: Kind::InQuery { negated: true },
    Between: Kind::Between { .. },
    Pattern: Kind::Pattern { .. },
    NotPattern: Kind::Pattern { negated: true, .. },
    Exists: Kind::Exists,
    ScalarQuery: Kind::ScalarQuery,
    Paren: Kind::Paren,
    Tuple: Kind::Tuple,
    Index: Kind::Index,
    Field: Kind::Field,
    Lambda: Kind::Lambda,
}

impl NodeName {
    /// Whether a node of this kind has one of these names.
    pub fn any_fits(names: &[NodeName], kind: Kind) -> bool {
        names.iter().any(|name| name.fits(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(kind: Kind) -> Vec<NodeName> {
        NodeName::ALL.iter().copied().filter(|name| name.fits(kind)).collect()
    }

    #[test]
    fn a_kind_has_a_plain_name_and_narrower_ones() {
        use NodeName::*;
        assert_eq!(names(Kind::Join { kind: JoinKind::Left, natural: false }), [Join, LeftJoin]);
        assert_eq!(names(Kind::Binary(crate::code::tree::BinaryOperator::Less)), [Comparison, NodeName::Less]);
        assert_eq!(names(Kind::InList { negated: false }), [InList]);
        assert_eq!(names(Kind::Where), [Where]);
        assert_eq!(names(Kind::Sample), []);
    }
}
