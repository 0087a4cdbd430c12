//! The table itself, by topic; each part is sorted by name. Numbers of arguments and what they must be were asked of
//! Spark 4.3 with ANSI mode off, function by function.

mod aggregate;
mod collection;
mod date;
mod general;
mod number;
mod semi_structured;
mod sketch;
mod text;

use super::{
    Argument, ArgumentForm, Embedded, Function, FunctionKind, Nulls, Returns, RowOrder, Special, UnsupportedReason,
};

const fn scalar(name: &'static str) -> Function {
    Function::new(name, FunctionKind::Scalar)
}

const fn aggregate(name: &'static str) -> Function {
    Function::new(name, FunctionKind::Aggregate)
}

const fn window(name: &'static str) -> Function {
    Function::new(name, FunctionKind::Window)
}

const fn generator(name: &'static str) -> Function {
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
        }
    }

    const fn sees_row_order(self) -> Function {
        Function { row_order: RowOrder::Seen, ..self }
    }

    const fn takes_one_row(self) -> Function {
        Function { row_order: RowOrder::TakesOne, ..self }
    }

    const fn may_ignore_nulls(self) -> Function {
        Function { may_ignore_nulls: true, ..self }
    }

    const fn of_ordered_group(self) -> Function {
        Function { of_ordered_group: true, ..self }
    }

    const fn format_at(self, position: usize) -> Function {
        Function { format: Some(position), ..self }
    }

    const fn of(self, minimum: usize, maximum: usize, arguments: &'static [Argument]) -> Function {
        Function { minimum, maximum: Some(maximum), arguments, ..self }
    }

    const fn of_at_least(self, minimum: usize, arguments: &'static [Argument]) -> Function {
        Function { minimum, maximum: None, arguments, ..self }
    }

    const fn gives(self, returns: Returns) -> Function {
        Function { returns, ..self }
    }

    const fn never_null(self) -> Function {
        Function { nulls: Nulls::Never, ..self }
    }

    const fn null_if_any_from(self, position: usize) -> Function {
        Function { nulls: Nulls::AnyFrom(position), ..self }
    }

    const fn null_if_any_or_unreadable(self) -> Function {
        Function { nulls: Nulls::AnyOrUnreadable, ..self }
    }

    const fn null_if_all(self) -> Function {
        Function { nulls: Nulls::All, ..self }
    }

    const fn null_if_first(self) -> Function {
        Function { nulls: Nulls::First, ..self }
    }

    const fn by_library(self, wants: &'static [ArgumentForm]) -> Function {
        Function { embedded: Embedded::Library, wants, ..self }
    }

    const fn by(self, written: &'static str, wants: &'static [ArgumentForm]) -> Function {
        Function { embedded: Embedded::Named(written), wants, ..self }
    }

    const fn by_rule(self, special: Special) -> Function {
        Function { embedded: Embedded::Rule(special), ..self }
    }

    const fn by_aggregate(self, written: &'static str, wants: &'static [ArgumentForm]) -> Function {
        Function { embedded: Embedded::Aggregate(written), wants, ..self }
    }

    const fn by_window(self) -> Function {
        Function { embedded: Embedded::Window, ..self }
    }

    const fn by_generator(self) -> Function {
        Function { embedded: Embedded::Generator, ..self }
    }

    const fn refused(self, why: UnsupportedReason) -> Function {
        Function { embedded: Embedded::Refused(why), ..self }
    }
}

/// The parts of the catalogue.
pub(super) static PARTS: [&[Function]; 8] = [
    text::FUNCTIONS,
    number::FUNCTIONS,
    date::FUNCTIONS,
    collection::FUNCTIONS,
    aggregate::FUNCTIONS,
    general::FUNCTIONS,
    sketch::FUNCTIONS,
    semi_structured::FUNCTIONS,
];
