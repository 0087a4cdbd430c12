//! How each function is written, as data. A function that is not here is not supported.

use super::rule_table::RULES;

/// What a function wants of an argument; other types are converted as Spark does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// Anything, as it is.
    Any,
    /// Text.
    Text,
    /// A number; text counts as a double.
    Number,
    /// A double.
    Real,
    /// A whole number.
    Whole,
    /// A member of an array, map or struct.
    Member,
}

/// How a call is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `h_<name>(…)`.
    Library,
    /// Another function of the library or of SQLite.
    Named(&'static str),
    /// A rule of its own.
    Special(Special),
    /// An aggregate, also over windows.
    Aggregate(&'static str),
    /// A function of windows only.
    Window,
    /// Refused: it depends on chance, the clock or the order of rows.
    Chance,
}

/// Functions with rules of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    Array,
    Cast,
    Coalesce,
    Concat,
    ConcatWithSeparator,
    CountIf,
    DatePart,
    Decode,
    ElementAt,
    EqualNull,
    FromJson,
    Greatest,
    Grouping,
    GroupingId,
    Hash,
    If,
    IsNotNull,
    IsNull,
    Lambda,
    Map,
    Modulo,
    More,
    NamedStruct,
    NullIf,
    Nvl2,
    Pattern,
    Reverse,
    Size,
    Struct,
    Substring,
    ToJson,
    Trim,
    Try,
    UnixTime,
}

/// One function: its name, its form, what it wants; the last want holds for all further arguments.
pub(super) struct Rule {
    pub name: &'static str,
    pub form: Form,
    pub wants: &'static [Want],
}

/// The rule of a function, by its lower-case name.
pub(super) fn rule(name: &str) -> Option<&'static Rule> {
    RULES.binary_search_by(|rule| rule.name.cmp(name)).ok().map(|at| &RULES[at])
}

pub(super) const fn library(name: &'static str, wants: &'static [Want]) -> Rule {
    Rule { name, form: Form::Library, wants }
}

pub(super) const fn named(name: &'static str, written: &'static str, wants: &'static [Want]) -> Rule {
    Rule { name, form: Form::Named(written), wants }
}

pub(super) const fn special(name: &'static str, special: Special) -> Rule {
    Rule { name, form: Form::Special(special), wants: &[Want::Any] }
}

pub(super) const fn aggregate(name: &'static str, written: &'static str, wants: &'static [Want]) -> Rule {
    Rule { name, form: Form::Aggregate(written), wants }
}

pub(super) const fn window(name: &'static str) -> Rule {
    Rule { name, form: Form::Window, wants: &[Want::Any] }
}

pub(super) const fn chance(name: &'static str) -> Rule {
    Rule { name, form: Form::Chance, wants: &[] }
}

impl Rule {
    /// What the argument at `index` must be.
    pub fn want(&self, index: usize) -> Want {
        self.wants.get(index).or(self.wants.last()).copied().unwrap_or(Want::Any)
    }
}

/// The names in SQLite of all functions that rules write.
#[cfg(test)]
pub(in crate::engine::sqlite) fn written_functions() -> Vec<String> {
    let written = |rule: &Rule| match rule.form {
        Form::Library => Some(format!("h_{}", rule.name)),
        Form::Named(written) | Form::Aggregate(written) => written.split('(').next().map(str::to_owned),
        Form::Window => Some(rule.name.to_owned()),
        Form::Special(_) | Form::Chance => None,
    };
    RULES.iter().filter_map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_sorted_and_unique() {
        let unsorted: Vec<_> =
            RULES.windows(2).filter(|pair| pair[0].name >= pair[1].name).map(|p| p[1].name).collect();
        assert!(unsorted.is_empty(), "{unsorted:?}");
        assert_eq!(rule("sum").map(|rule| rule.form), Some(Form::Aggregate("sum(")));
        assert!(rule("wm_concat").is_none());
    }
}
