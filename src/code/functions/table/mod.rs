//! The table itself, by topic; each part is sorted by name. Numbers of arguments, what they must be and when the
//! result is NULL were asked of Spark 4.3 with ANSI mode off, function by function.

mod aggregate;
mod collection;
mod date;
mod general;
mod number;
mod semi_structured;
mod sketch;
mod text;

use super::{Argument, Embedded, Function, FunctionKind, Nulls, Returns, Special, Want, Why};

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

/// A row is written from left to right: name, arguments, result, NULLs, family, and how the embedded engine runs it.
impl Function {
    const fn new(name: &'static str, kind: FunctionKind) -> Function {
        Function {
            name,
            kind,
            minimum: 0,
            maximum: None,
            arguments: &[Argument::Any],
            returns: Returns::Special,
            nulls: Nulls::Lenient,
            family: name,
            embedded: Embedded::Unknown,
            wants: &[Want::AsIs],
        }
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

    /// NULL as soon as one argument is.
    const fn strict(self) -> Function {
        Function { nulls: Nulls::Strict, ..self }
    }

    const fn family(self, family: &'static str) -> Function {
        Function { family, ..self }
    }

    const fn by_library(self, wants: &'static [Want]) -> Function {
        Function { embedded: Embedded::Library, wants, ..self }
    }

    const fn by(self, written: &'static str, wants: &'static [Want]) -> Function {
        Function { embedded: Embedded::Named(written), wants, ..self }
    }

    const fn by_rule(self, special: Special) -> Function {
        Function { embedded: Embedded::Rule(special), ..self }
    }

    const fn by_aggregate(self, written: &'static str, wants: &'static [Want]) -> Function {
        Function { embedded: Embedded::Aggregate(written), wants, ..self }
    }

    const fn by_window(self) -> Function {
        Function { embedded: Embedded::Window, ..self }
    }

    const fn by_generator(self) -> Function {
        Function { embedded: Embedded::Generator, ..self }
    }

    const fn refused(self, why: Why) -> Function {
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

/// Names of one and the same function; the first of a group is the usual one.
#[rustfmt::skip]
pub(super) static SYNONYMS: &[&[&str]] = &[
    &["aggregate", "reduce"],
    &["avg", "mean"],
    &["bit_get", "getbit"],
    &["bool_and", "every"],
    &["bool_or", "any", "some"],
    &["ceil", "ceiling"],
    &["chr", "char"],
    &["collect_list", "array_agg"],
    &["current_database", "current_schema"],
    &["current_date", "curdate"],
    &["current_timestamp", "now"],
    &["current_user", "session_user"],
    &["date_add", "dateadd"],
    &["date_part", "datepart", "extract"],
    &["datediff", "date_diff"],
    &["dayofmonth", "day"],
    &["first", "first_value"],
    &["format_string", "printf"],
    &["last", "last_value"],
    &["length", "len", "char_length", "character_length"],
    &["listagg", "string_agg"],
    &["locate", "position"],
    &["lower", "lcase"],
    &["nvl", "ifnull"],
    &["percentile_approx", "approx_percentile"],
    &["pow", "power"],
    &["rand", "random"],
    &["rlike", "regexp", "regexp_like"],
    &["sha1", "sha"],
    &["sign", "signum"],
    &["size", "cardinality"],
    &["stddev_samp", "stddev", "std"],
    &["substr", "substring"],
    &["to_char", "to_varchar"],
    &["upper", "ucase"],
    &["var_samp", "variance"],
];
