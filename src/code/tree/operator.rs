//! Kinds of joins, set operations and operators.

/// How rows of the two sides of a join meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinKind {
    /// `[INNER] JOIN`.
    Inner,
    /// `LEFT [OUTER] JOIN`.
    Left,
    /// `RIGHT [OUTER] JOIN`.
    Right,
    /// `FULL [OUTER] JOIN`.
    Full,
    /// `CROSS JOIN`.
    Cross,
    /// `[LEFT] SEMI JOIN`.
    LeftSemi,
    /// `[LEFT] ANTI JOIN`.
    LeftAnti,
}

/// A set operation; `all` of [`super::Kind::SetOperation`] says whether it keeps duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetOperator {
    /// `UNION`.
    Union,
    /// `INTERSECT`.
    Intersect,
    /// `EXCEPT` and `MINUS`.
    Except,
}

/// A binary operator other than `AND` and `OR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `=` and `==`.
    Equal,
    /// `<>` and `!=`.
    NotEqual,
    /// `<=>`.
    NullSafeEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Modulo,
    /// `DIV`.
    IntegerDivide,
    /// `||`.
    Concat,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `>>>`.
    ShiftRightUnsigned,
    /// `&`.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
}

impl BinaryOperator {
    /// Whether the operator compares and gives a boolean.
    pub fn is_comparison(self) -> bool {
        use BinaryOperator::*;
        matches!(self, Equal | NotEqual | NullSafeEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
    }

    /// Whether the operator asks which of two values is greater.
    pub fn is_by_size(self) -> bool {
        use BinaryOperator::*;
        matches!(self, Less | LessOrEqual | Greater | GreaterOrEqual)
    }
}

/// A pattern match operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatternOperator {
    /// `LIKE`.
    Like,
    /// `ILIKE`.
    InsensitiveLike,
    /// `RLIKE` and `REGEXP`.
    Regexp,
}
