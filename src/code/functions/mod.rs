//! The catalogue of Hive and Spark functions: what they are called, what they take, what they give.
//!
//! Static knowledge only; engines implement, scopes and analysis read. Source: the built-in functions of Spark 4.3.

mod table;

use super::types::Type;

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// One value from one row.
    Scalar,
    /// One value from many rows; also over a window.
    Aggregate,
    /// Only over a window.
    Window,
    /// Several rows from one.
    Generator,
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// Anything.
    Any,
    /// Anything that is not nested: text, number, date, boolean are cast to each other.
    Plain,
    /// An array.
    Array,
    /// A map.
    Map,
    /// An array or a map.
    ArrayOrMap,
    /// Text or an array (concat_ws).
    TextOrArray,
    /// A lambda.
    Lambda,
}

/// How the result's type follows from the arguments'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Returns {
    /// Always text.
    Text,
    /// Always INT.
    Int,
    /// Always BIGINT.
    BigInt,
    /// Always DOUBLE.
    Double,
    /// Always BOOLEAN.
    Boolean,
    /// Always DATE.
    Date,
    /// Always TIMESTAMP.
    Timestamp,
    /// The type of argument `.0`.
    Same(usize),
    /// The common type of all arguments from `.0` on.
    Common(usize),
    /// An array of argument `.0`'s type.
    ArrayOf(usize),
    /// The element type of array argument `.0`, or the value type of a map.
    ElementOf(usize),
    /// An array of text.
    TextArray,
    /// A map from text to text.
    TextMap,
    /// Sum of argument 0: BIGINT of whole numbers, else a wider number.
    Sum,
    /// By the function's own rule, or unknown.
    Special,
}

/// One function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Lower-case name.
    pub name: &'static str,
    /// How it is called.
    pub kind: FunctionKind,
    /// Fewest arguments.
    pub minimum: usize,
    /// Most arguments; none when any number goes.
    pub maximum: Option<usize>,
    /// What each argument must be; the last one stands for all that follow.
    pub arguments: &'static [Argument],
    /// The result's type.
    pub returns: Returns,
    /// Names of functions that people confuse with each other share a family.
    pub family: &'static str,
}

impl Function {
    /// What argument `position` must be.
    pub fn argument(&self, position: usize) -> Argument {
        self.arguments.get(position).or(self.arguments.last()).copied().unwrap_or(Argument::Any)
    }

    /// The type of a call with arguments of these types.
    pub fn return_type(&self, arguments: &[Type]) -> Type {
        let argument = |at: usize| arguments.get(at).cloned().unwrap_or_default();
        match self.returns {
            Returns::Text => Type::String,
            Returns::Int => Type::Int,
            Returns::BigInt => Type::BigInt,
            Returns::Double => Type::Double,
            Returns::Boolean => Type::Boolean,
            Returns::Date => Type::Date,
            Returns::Timestamp => Type::Timestamp,
            Returns::Same(at) => argument(at),
            Returns::Common(from) => arguments
                .get(from..)
                .unwrap_or_default()
                .iter()
                .find(|t| **t != Type::Null)
                .cloned()
                .unwrap_or_default(),
            Returns::ArrayOf(at) => Type::Array(Box::new(argument(at))),
            Returns::ElementOf(at) => match argument(at) {
                Type::Array(element) | Type::Map(_, element) => *element,
                _ => Type::Unknown,
            },
            Returns::TextArray => Type::Array(Box::new(Type::String)),
            Returns::TextMap => Type::Map(Box::new(Type::String), Box::new(Type::String)),
            Returns::Sum => match argument(0) {
                Type::Int | Type::BigInt => Type::BigInt,
                Type::Decimal(precision, scale) => Type::Decimal((precision + 10).min(38), scale),
                _ => Type::Double,
            },
            Returns::Special => Type::Unknown,
        }
    }
}

/// The function of this name in any letter case.
pub fn lookup(name: &str) -> Option<&'static Function> {
    let lower = name.to_ascii_lowercase();
    table::FUNCTIONS.binary_search_by(|function| function.name.cmp(lower.as_str())).ok().map(|at| &table::FUNCTIONS[at])
}

/// All functions, by name.
pub fn all() -> impl Iterator<Item = &'static Function> {
    table::FUNCTIONS.iter()
}

/// The function whose name comes nearest to a misspelt one, within two typing errors.
pub fn nearest(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let distance = |function: &&Function| strsim::osa_distance(function.name, &lower);
    all().min_by_key(distance).filter(|function| distance(function) <= 2).map(|function| function.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_name_twice() {
        for pair in table::FUNCTIONS.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} {}", pair[0].name, pair[1].name);
        }
    }

    #[test]
    fn arities_make_sense() {
        assert!(all().all(|function| function.maximum.is_none_or(|maximum| maximum >= function.minimum)));
    }

    #[test]
    fn a_misspelt_name_finds_its_function() {
        assert_eq!(nearest("data_add"), Some("date_add"));
        assert_eq!(nearest("concat_w"), Some("concat_ws"));
        assert_eq!(nearest("my_company_udf"), None);
    }

    #[test]
    fn types_follow_the_arguments() {
        let typed = |name: &str, arguments: &[Type]| lookup(name).unwrap().return_type(arguments);
        assert_eq!(typed("SUM", &[Type::Int]), Type::BigInt);
        assert_eq!(typed("coalesce", &[Type::Null, Type::Date]), Type::Date);
        assert_eq!(typed("collect_set", &[Type::String]), Type::Array(Box::new(Type::String)));
    }
}
