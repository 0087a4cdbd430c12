//! How a row of the table is written.

use super::super::super::tree::BinaryOperator;
use super::super::function::{Function, FunctionKind, Nulls, RowOffset, RowOrder};
use super::super::{Argument, ArgumentForm, Embedded, Returns, RowGenerator, Special, UnsupportedReason};

pub(super) const fn scalar(name: &'static str) -> Function {
    Function::new(name, FunctionKind::Scalar)
}

pub(super) const fn aggregate(name: &'static str) -> Function {
    Function::new(name, FunctionKind::Aggregate)
}

pub(super) const fn window(name: &'static str) -> Function {
    Function::new(name, FunctionKind::Window)
}

pub(super) const fn generator(name: &'static str) -> Function {
    Function::new(name, FunctionKind::Generator)
}

/// A row is written from left to right: name, arguments, result, NULLs, and how the embedded engine runs it.
impl Function {
    const fn new(name: &'static str, kind: FunctionKind) -> Function {
        Function {
            name,
            kind,
            minimum: 0,
            maximum: None,
            arguments: &[Argument::Any],
            returns: Returns::Special,
            nulls: Nulls::Always,
            embedded: Embedded::Unknown,
            wants: &[ArgumentForm::AsIs],
            format: None,
            row_order: RowOrder::Ignored,
            may_ignore_nulls: false,
            of_ordered_group: false,
            same_as: None,
            without_brackets: false,
            reads_day: false,
            takes_unit: false,
            operator: None,
            row_offset: None,
        }
    }

    pub(super) const fn same_as(self, name: &'static str) -> Function {
        Function { same_as: Some(name), ..self }
    }

    pub(super) const fn without_brackets(self) -> Function {
        Function { without_brackets: true, ..self }
    }

    pub(super) const fn reads_day(self) -> Function {
        Function { reads_day: true, ..self }
    }

    pub(super) const fn takes_unit(self) -> Function {
        Function { takes_unit: true, ..self }
    }

    pub(super) const fn at_offset(self, row: RowOffset) -> Function {
        Function { row_offset: Some(row), ..self }
    }

    pub(super) const fn for_operator(self, operator: BinaryOperator) -> Function {
        Function { operator: Some(operator), ..self }
    }

    pub(super) const fn sees_row_order(self) -> Function {
        Function { row_order: RowOrder::Seen, ..self }
    }

    pub(super) const fn takes_one_row(self) -> Function {
        Function { row_order: RowOrder::TakesOne, ..self }
    }

    pub(super) const fn may_ignore_nulls(self) -> Function {
        Function { may_ignore_nulls: true, ..self }
    }

    pub(super) const fn of_ordered_group(self) -> Function {
        Function { of_ordered_group: true, ..self }
    }

    pub(super) const fn format_at(self, position: usize) -> Function {
        Function { format: Some(position), ..self }
    }

    pub(super) const fn of(self, minimum: usize, maximum: usize, arguments: &'static [Argument]) -> Function {
        Function { minimum, maximum: Some(maximum), arguments, ..self }
    }

    pub(super) const fn of_at_least(self, minimum: usize, arguments: &'static [Argument]) -> Function {
        Function { minimum, maximum: None, arguments, ..self }
    }

    pub(super) const fn gives(self, returns: Returns) -> Function {
        Function { returns, ..self }
    }

    pub(super) const fn never_null(self) -> Function {
        Function { nulls: Nulls::Never, ..self }
    }

    pub(super) const fn null_if_any_from(self, position: usize) -> Function {
        Function { nulls: Nulls::AnyFrom(position), ..self }
    }

    pub(super) const fn null_if_any_or_unreadable(self) -> Function {
        Function { nulls: Nulls::AnyOrUnreadable, ..self }
    }

    pub(super) const fn null_if_all(self) -> Function {
        Function { nulls: Nulls::All, ..self }
    }

    pub(super) const fn null_if_first(self) -> Function {
        Function { nulls: Nulls::First, ..self }
    }

    pub(super) const fn by_library(self, wants: &'static [ArgumentForm]) -> Function {
        Function { embedded: Embedded::Library, wants, ..self }
    }

    pub(super) const fn by(self, written: &'static str, wants: &'static [ArgumentForm]) -> Function {
        Function { embedded: Embedded::Named(written), wants, ..self }
    }

    pub(super) const fn by_rule(self, special: Special) -> Function {
        Function { embedded: Embedded::Rule(special), ..self }
    }

    pub(super) const fn by_aggregate(self, written: &'static str, wants: &'static [ArgumentForm]) -> Function {
        Function { embedded: Embedded::Aggregate(written), wants, ..self }
    }

    pub(super) const fn by_window(self) -> Function {
        Function { embedded: Embedded::Window, ..self }
    }

    pub(super) const fn by_generator(self, rows: RowGenerator) -> Function {
        Function { embedded: Embedded::Generator(rows), ..self }
    }

    pub(super) const fn refused(self, why: UnsupportedReason) -> Function {
        Function { embedded: Embedded::Refused(why), ..self }
    }
}
