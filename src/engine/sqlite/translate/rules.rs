//! How each function is written, as data. A function that is not here is not supported.

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
    Greatest,
    Grouping,
    GroupingId,
    If,
    IsNotNull,
    IsNull,
    Lambda,
    Map,
    Modulo,
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

const fn library(name: &'static str, wants: &'static [Want]) -> Rule {
    Rule { name, form: Form::Library, wants }
}

const fn named(name: &'static str, written: &'static str, wants: &'static [Want]) -> Rule {
    Rule { name, form: Form::Named(written), wants }
}

const fn special(name: &'static str, special: Special) -> Rule {
    Rule { name, form: Form::Special(special), wants: &[Any] }
}

const fn aggregate(name: &'static str, written: &'static str, wants: &'static [Want]) -> Rule {
    Rule { name, form: Form::Aggregate(written), wants }
}

const fn window(name: &'static str) -> Rule {
    Rule { name, form: Form::Window, wants: &[Any] }
}

const fn chance(name: &'static str) -> Rule {
    Rule { name, form: Form::Chance, wants: &[] }
}

use Want::{Any, Member, Number, Real, Text, Whole};

/// Sorted by name.
static RULES: &[Rule] = &[
    named("abs", "abs", &[Number]),
    library("acos", &[Real]),
    library("add_months", &[Any, Whole]),
    special("aggregate", Special::Lambda),
    special("all", Special::Lambda),
    special("any", Special::Lambda),
    chance("any_value"),
    aggregate("approx_count_distinct", "count(DISTINCT ", &[Any]),
    aggregate("approx_percentile", "h_percentile_approx(", &[Number, Any]),
    special("array", Special::Array),
    aggregate("array_agg", "h_collect_list(", &[Member]),
    library("array_contains", &[Any, Member]),
    library("array_distinct", &[Any]),
    library("array_except", &[Any]),
    library("array_intersect", &[Any]),
    library("array_join", &[Any, Text]),
    library("array_max", &[Any]),
    library("array_min", &[Any]),
    library("array_position", &[Any, Member]),
    library("array_remove", &[Any, Member]),
    library("array_repeat", &[Member, Whole]),
    named("array_size", "h_size_array", &[Any]),
    library("array_sort", &[Any]),
    library("array_union", &[Any]),
    library("arrays_overlap", &[Any]),
    library("ascii", &[Text]),
    aggregate("avg", "avg(", &[Number]),
    library("base64", &[Text]),
    special("bigint", Special::Cast),
    library("bin", &[Whole]),
    aggregate("bool_and", "min(", &[Any]),
    aggregate("bool_or", "max(", &[Any]),
    special("boolean", Special::Cast),
    library("bround", &[Number, Whole]),
    library("btrim", &[Text]),
    special("cardinality", Special::Size),
    library("cbrt", &[Real]),
    named("ceil", "h_ceil", &[Number, Whole]),
    named("ceiling", "h_ceil", &[Number, Whole]),
    named("char", "h_chr", &[Whole]),
    named("char_length", "length", &[Text]),
    named("character_length", "length", &[Text]),
    library("chr", &[Whole]),
    special("coalesce", Special::Coalesce),
    aggregate("collect_list", "h_collect_list(", &[Member]),
    aggregate("collect_set", "h_collect_set(", &[Member]),
    special("concat", Special::Concat),
    special("concat_ws", Special::ConcatWithSeparator),
    library("contains", &[Text]),
    library("conv", &[Text, Whole]),
    aggregate("corr", "h_corr(", &[Real]),
    library("cos", &[Real]),
    aggregate("count", "count(", &[Any]),
    special("count_if", Special::CountIf),
    library("crc32", &[Text]),
    window("cume_dist"),
    chance("curdate"),
    chance("current_date"),
    chance("current_timestamp"),
    special("date", Special::Cast),
    library("date_add", &[Any, Whole]),
    named("date_diff", "h_datediff", &[Any]),
    library("date_format", &[Any, Text]),
    special("date_part", Special::DatePart),
    library("date_sub", &[Any, Whole]),
    library("date_trunc", &[Text, Any]),
    named("dateadd", "h_date_add", &[Any, Whole]),
    library("datediff", &[Any]),
    special("datepart", Special::DatePart),
    named("day", "h_dayofmonth", &[Any]),
    library("dayofmonth", &[Any]),
    library("dayofweek", &[Any]),
    library("dayofyear", &[Any]),
    special("decimal", Special::Cast),
    special("decode", Special::Decode),
    library("degrees", &[Real]),
    window("dense_rank"),
    special("double", Special::Cast),
    special("element_at", Special::ElementAt),
    library("endswith", &[Text]),
    special("equal_null", Special::EqualNull),
    aggregate("every", "min(", &[Any]),
    special("exists", Special::Lambda),
    library("exp", &[Real]),
    special("extract", Special::DatePart),
    special("filter", Special::Lambda),
    library("find_in_set", &[Text]),
    chance("first"),
    window("first_value"),
    library("flatten", &[Any]),
    special("float", Special::Cast),
    named("floor", "h_floor", &[Number, Whole]),
    special("forall", Special::Lambda),
    library("format_number", &[Number, Any]),
    library("from_unixtime", &[Whole, Text]),
    library("from_utc_timestamp", &[Any, Text]),
    library("get_json_object", &[Text]),
    special("greatest", Special::Greatest),
    special("grouping", Special::Grouping),
    special("grouping_id", Special::GroupingId),
    library("hex", &[Any]),
    library("hour", &[Any]),
    special("if", Special::If),
    special("ifnull", Special::Coalesce),
    library("initcap", &[Text]),
    named("instr", "instr", &[Text]),
    special("int", Special::Cast),
    library("isnan", &[Real]),
    special("isnotnull", Special::IsNotNull),
    special("isnull", Special::IsNull),
    window("lag"),
    chance("last"),
    library("last_day", &[Any]),
    window("last_value"),
    named("lcase", "h_lower", &[Text]),
    window("lead"),
    special("least", Special::Greatest),
    library("left", &[Text, Whole]),
    named("length", "length", &[Text]),
    library("levenshtein", &[Text]),
    library("ln", &[Real]),
    chance("localtimestamp"),
    library("locate", &[Text, Text, Whole]),
    library("log", &[Real]),
    library("log10", &[Real]),
    library("log2", &[Real]),
    library("lower", &[Text]),
    library("lpad", &[Text, Whole, Text]),
    special("ltrim", Special::Trim),
    library("make_date", &[Whole]),
    special("map", Special::Map),
    library("map_concat", &[Any]),
    library("map_contains_key", &[Any, Member]),
    library("map_entries", &[Any]),
    library("map_from_arrays", &[Any]),
    library("map_keys", &[Any]),
    library("map_values", &[Any]),
    aggregate("max", "max(", &[Any]),
    aggregate("max_by", "h_max_by(", &[Member, Any]),
    library("md5", &[Text]),
    aggregate("mean", "avg(", &[Number]),
    aggregate("median", "h_median(", &[Number]),
    aggregate("min", "min(", &[Any]),
    aggregate("min_by", "h_min_by(", &[Member, Any]),
    library("minute", &[Any]),
    special("mod", Special::Modulo),
    chance("monotonically_increasing_id"),
    library("month", &[Any]),
    library("months_between", &[Any]),
    special("named_struct", Special::NamedStruct),
    library("nanvl", &[Real]),
    library("negative", &[Number]),
    library("next_day", &[Any, Text]),
    chance("now"),
    window("nth_value"),
    window("ntile"),
    special("nullif", Special::NullIf),
    special("nvl", Special::Coalesce),
    special("nvl2", Special::Nvl2),
    window("percent_rank"),
    aggregate("percentile", "h_percentile(", &[Number, Any]),
    aggregate("percentile_approx", "h_percentile_approx(", &[Number, Any]),
    library("pi", &[]),
    library("pmod", &[Number]),
    named("position", "h_locate", &[Text, Text, Whole]),
    library("positive", &[Number]),
    named("pow", "h_power", &[Real]),
    library("power", &[Real]),
    library("quarter", &[Any]),
    library("radians", &[Real]),
    chance("rand"),
    chance("randn"),
    chance("random"),
    window("rank"),
    special("reduce", Special::Lambda),
    special("regexp", Special::Pattern),
    library("regexp_extract", &[Text, Text, Whole]),
    special("regexp_like", Special::Pattern),
    library("regexp_replace", &[Text]),
    library("repeat", &[Text, Whole]),
    library("replace", &[Text]),
    special("reverse", Special::Reverse),
    library("right", &[Text, Whole]),
    special("rlike", Special::Pattern),
    library("round", &[Number, Whole]),
    window("row_number"),
    library("rpad", &[Text, Whole, Text]),
    special("rtrim", Special::Trim),
    library("second", &[Any]),
    library("sequence", &[Any]),
    library("sha2", &[Text, Whole]),
    chance("shuffle"),
    library("sign", &[Number]),
    named("signum", "h_sign", &[Number]),
    library("sin", &[Real]),
    special("size", Special::Size),
    library("slice", &[Any, Whole]),
    special("smallint", Special::Cast),
    aggregate("some", "max(", &[Any]),
    library("sort_array", &[Any]),
    library("soundex", &[Text]),
    library("space", &[Whole]),
    chance("spark_partition_id"),
    library("split", &[Text, Text, Whole]),
    library("split_part", &[Text, Text, Whole]),
    library("sqrt", &[Real]),
    library("startswith", &[Text]),
    aggregate("std", "h_stddev_samp(", &[Real]),
    aggregate("stddev", "h_stddev_samp(", &[Real]),
    aggregate("stddev_pop", "h_stddev_pop(", &[Real]),
    aggregate("stddev_samp", "h_stddev_samp(", &[Real]),
    library("str_to_map", &[Text]),
    special("string", Special::Cast),
    special("struct", Special::Struct),
    special("substr", Special::Substring),
    special("substring", Special::Substring),
    library("substring_index", &[Text, Text, Whole]),
    aggregate("sum", "sum(", &[Number]),
    library("tan", &[Real]),
    special("timestamp", Special::Cast),
    special("tinyint", Special::Cast),
    library("to_date", &[Any, Text]),
    special("to_json", Special::ToJson),
    library("to_timestamp", &[Any, Text]),
    special("to_unix_timestamp", Special::UnixTime),
    library("to_utc_timestamp", &[Any, Text]),
    special("transform", Special::Lambda),
    library("translate", &[Text]),
    special("trim", Special::Trim),
    library("trunc", &[Any, Text]),
    named("ucase", "h_upper", &[Text]),
    special("unix_timestamp", Special::UnixTime),
    library("upper", &[Text]),
    chance("uuid"),
    aggregate("var_pop", "h_var_pop(", &[Real]),
    aggregate("var_samp", "h_var_samp(", &[Real]),
    aggregate("variance", "h_var_samp(", &[Real]),
    library("weekday", &[Any]),
    library("weekofyear", &[Any]),
    library("year", &[Any]),
];

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
