//! Names by which a taxonomy file picks nodes of the tree.

use serde::Deserialize;

use crate::code::tree::{BinaryOperator, GroupingKind, JoinKind, Kind, SetOperator};

/// A class of nodes, as `node:`, `parent:` and `within:` of a taxonomy file spell it. A node may have several names:
/// a left join is a `join` and a `left-join`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "each variant is the tree's kind of the same name, which the tree documents")]
pub enum NodeName {
    Script,
    Insert,
    InsertInto,
    InsertOverwrite,
    MultiInsert,
    InsertBranch,
    PartitionSpec,
    PartitionItem,
    ColumnList,
    CreateTable,
    CreateView,
    PartitionColumns,
    ColumnDefinition,
    TypeName,
    Query,
    With,
    CommonTable,
    Select,
    SelectDistinct,
    Projection,
    SelectItem,
    Wildcard,
    SetOperation,
    Union,
    UnionAll,
    Values,
    From,
    Relation,
    Table,
    Derived,
    Alias,
    Join,
    InnerJoin,
    LeftJoin,
    RightJoin,
    FullJoin,
    CrossJoin,
    SemiJoin,
    AntiJoin,
    On,
    Using,
    LateralView,
    Where,
    GroupBy,
    Grouping,
    Rollup,
    Cube,
    GroupingSets,
    Having,
    Qualify,
    OrderBy,
    SortBy,
    DistributeBy,
    ClusterBy,
    SortItem,
    Limit,
    Windows,
    Column,
    Identifier,
    FunctionName,
    Text,
    Number,
    Placeholder,
    Null,
    Boolean,
    Interval,
    Call,
    CallDistinct,
    Star,
    Filter,
    Over,
    WindowSpec,
    PartitionBy,
    Frame,
    FrameBound,
    Cast,
    Case,
    SimpleCase,
    SearchedCase,
    When,
    Else,
    And,
    Or,
    Not,
    Unary,
    Comparison,
    Equal,
    NotEqual,
    NullSafeEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Arithmetic,
    Plus,
    Minus,
    Multiply,
    Divide,
    IntegerDivide,
    Concat,
    IsNull,
    IsNotNull,
    IsBoolean,
    IsDistinctFrom,
    IsNotDistinctFrom,
    InList,
    NotInList,
    InQuery,
    NotInQuery,
    Between,
    Pattern,
    NotPattern,
    Exists,
    ScalarQuery,
    Paren,
    Tuple,
    Index,
    Field,
    Lambda,
    Other,
}

impl NodeName {
    /// The names of a node of this kind, the plainest first.
    pub fn of(kind: Kind) -> &'static [NodeName] {
        use NodeName::*;
        match kind {
            Kind::Insert { overwrite: true } => &[Insert, InsertOverwrite],
            Kind::Insert { overwrite: false } => &[Insert, InsertInto],
            Kind::InsertBranch { overwrite: true } => &[InsertBranch, InsertOverwrite],
            Kind::InsertBranch { overwrite: false } => &[InsertBranch, InsertInto],
            Kind::Select { distinct: true } => &[Select, SelectDistinct],
            Kind::Select { distinct: false } => &[Select],
            Kind::SetOperation { operator: SetOperator::Union, all: true } => &[SetOperation, UnionAll],
            Kind::SetOperation { operator: SetOperator::Union, all: false } => &[SetOperation, Union],
            Kind::SetOperation { .. } => &[SetOperation],
            Kind::Join { kind, .. } => of_join(kind),
            Kind::Grouping { kind } => of_grouping(kind),
            Kind::Call { distinct: true } => &[Call, CallDistinct],
            Kind::Case { operand: true } => &[Case, SimpleCase],
            Kind::Case { operand: false } => &[Case, SearchedCase],
            Kind::Binary(operator) => of_binary(operator),
            Kind::IsNull { negated: true } => &[IsNotNull],
            Kind::IsNull { negated: false } => &[IsNull],
            Kind::IsDistinct { negated: true } => &[IsNotDistinctFrom],
            Kind::IsDistinct { negated: false } => &[IsDistinctFrom],
            Kind::InList { negated: true } => &[NotInList],
            Kind::InList { negated: false } => &[InList],
            Kind::InQuery { negated: true } => &[NotInQuery],
            Kind::InQuery { negated: false } => &[InQuery],
            Kind::Pattern { negated: true, .. } => &[Pattern, NotPattern],
            Kind::Pattern { negated: false, .. } => &[Pattern],
            _ => of_plain(kind),
        }
    }
}

fn of_join(kind: JoinKind) -> &'static [NodeName] {
    use NodeName::*;
    match kind {
        JoinKind::Inner => &[Join, InnerJoin],
        JoinKind::Left => &[Join, LeftJoin],
        JoinKind::Right => &[Join, RightJoin],
        JoinKind::Full => &[Join, FullJoin],
        JoinKind::Cross => &[Join, CrossJoin],
        JoinKind::LeftSemi => &[Join, SemiJoin],
        JoinKind::LeftAnti => &[Join, AntiJoin],
    }
}

fn of_grouping(kind: GroupingKind) -> &'static [NodeName] {
    use NodeName::*;
    match kind {
        GroupingKind::Sets => &[Grouping, GroupingSets],
        GroupingKind::Rollup | GroupingKind::WithRollup => &[Grouping, Rollup],
        GroupingKind::Cube | GroupingKind::WithCube => &[Grouping, Cube],
    }
}

fn of_binary(operator: BinaryOperator) -> &'static [NodeName] {
    use NodeName::*;
    match operator {
        BinaryOperator::Equal => &[Comparison, Equal],
        BinaryOperator::NotEqual => &[Comparison, NotEqual],
        BinaryOperator::NullSafeEqual => &[Comparison, NullSafeEqual],
        BinaryOperator::Less => &[Comparison, Less],
        BinaryOperator::LessOrEqual => &[Comparison, LessOrEqual],
        BinaryOperator::Greater => &[Comparison, Greater],
        BinaryOperator::GreaterOrEqual => &[Comparison, GreaterOrEqual],
        BinaryOperator::Plus => &[Arithmetic, Plus],
        BinaryOperator::Minus => &[Arithmetic, Minus],
        BinaryOperator::Multiply => &[Arithmetic, Multiply],
        BinaryOperator::Divide => &[Arithmetic, Divide],
        BinaryOperator::IntegerDivide => &[Arithmetic, IntegerDivide],
        BinaryOperator::Modulo => &[Arithmetic],
        BinaryOperator::Concat => &[Concat],
        BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor => &[Other],
    }
}

fn of_plain(kind: Kind) -> &'static [NodeName] {
    macro_rules! same {
        ($($name:ident),* $(,)?) => {
            match kind {
                $(Kind::$name => &[NodeName::$name],)*
                Kind::LateralView { .. } => &[NodeName::LateralView],
                Kind::SortItem { .. } => &[NodeName::SortItem],
                Kind::Call { .. } => &[NodeName::Call],
                Kind::Frame { .. } => &[NodeName::Frame],
                Kind::Boolean(_) => &[NodeName::Boolean],
                Kind::IsBoolean { .. } => &[NodeName::IsBoolean],
                Kind::Between { .. } => &[NodeName::Between],
                _ => &[NodeName::Other],
            }
        };
    }
    same!(
        Script,
        MultiInsert,
        PartitionSpec,
        PartitionItem,
        ColumnList,
        CreateTable,
        CreateView,
        PartitionColumns,
        ColumnDefinition,
        TypeName,
        Query,
        With,
        CommonTable,
        Projection,
        SelectItem,
        Wildcard,
        Values,
        From,
        Relation,
        Table,
        Derived,
        Alias,
        On,
        Using,
        Where,
        GroupBy,
        Having,
        Qualify,
        OrderBy,
        SortBy,
        DistributeBy,
        ClusterBy,
        Limit,
        Windows,
        Column,
        Identifier,
        FunctionName,
        Text,
        Number,
        Placeholder,
        Null,
        Interval,
        Star,
        Filter,
        Over,
        WindowSpec,
        PartitionBy,
        FrameBound,
        Cast,
        When,
        Else,
        And,
        Or,
        Not,
        Unary,
        Exists,
        ScalarQuery,
        Paren,
        Tuple,
        Index,
        Field,
        Lambda,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_left_join_is_a_join_and_a_left_join() {
        let kind = Kind::Join { kind: JoinKind::Left, natural: false };
        assert_eq!(NodeName::of(kind), [NodeName::Join, NodeName::LeftJoin]);
    }

    #[test]
    fn plain_kinds_have_the_name_of_the_kind() {
        assert_eq!(NodeName::of(Kind::Where), [NodeName::Where]);
        assert_eq!(NodeName::of(Kind::Frame { rows: true }), [NodeName::Frame]);
        assert_eq!(NodeName::of(Kind::Sample), [NodeName::Other]);
    }
}
