//! Spark's functions that the embedded engine refuses, each with the reason.

/// Why a function cannot be carried soundly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// It gives or takes bytes; values here are text, numbers and what is made of them.
    Bytes,
    /// It gives the bytes of a sketch, or reads them.
    Sketch,
    /// Its answer is an estimate that no document fixes.
    Estimate,
    /// It depends on chance.
    Chance,
    /// It depends on the order in which rows come.
    RowOrder,
    /// It names the present moment.
    Clock,
    /// It names the session, its user or its files.
    Session,
    /// It makes or takes a value of the type TIME, which Hive does not have.
    Time,
    /// Its value is an interval, which no column holds.
    Interval,
    /// It cuts time into windows that overlap and multiply rows.
    TimeWindow,
    /// It depends on a collation or a language.
    Language,
    /// Timestamps with nanoseconds are switched off in Spark.
    Nanoseconds,
    /// It needs the state of a counter over ordered rows, a rule newer than Hive.
    Counter,
    /// It reads a metric view.
    MetricView,
    /// It ends the run with an error, and nothing is claimed of runs that fail.
    Fails,
    /// It calls a program outside SQL.
    Program,
}

impl Why {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Why::Bytes => "gives or takes bytes, and values here are text and numbers",
            Why::Sketch => "makes or reads the bytes of a sketch",
            Why::Estimate => "gives an estimate that nothing fixes",
            Why::Chance => "depends on chance",
            Why::RowOrder => "depends on the order of rows",
            Why::Clock => "names the present moment",
            Why::Session => "names the session, its user or its files",
            Why::Time => "is about the type TIME, which Hive does not have",
            Why::Interval => "gives an interval, which no column holds",
            Why::TimeWindow => "cuts time into windows and multiplies rows",
            Why::Language => "depends on a collation or a language",
            Why::Nanoseconds => "is about nanoseconds, which are switched off in Spark",
            Why::Counter => "keeps the state of a counter, a rule newer than Hive",
            Why::MetricView => "reads a metric view",
            Why::Fails => "ends the run with an error",
            Why::Program => "calls a program outside SQL",
        }
    }
}

/// The reasons, each with its functions.
static REFUSED: &[(Why, &[&str])] = &[
    (
        Why::Bytes,
        &[
            "aes_decrypt",
            "aes_encrypt",
            "binary",
            "encode",
            "from_base32",
            "hmac",
            "to_base32",
            "to_binary",
            "try_aes_decrypt",
            "try_to_binary",
            "unbase64",
            "unhex",
        ],
    ),
    (
        Why::Sketch,
        &[
            "approx_top_k_accumulate",
            "approx_top_k_combine",
            "approx_top_k_estimate",
            "bitmap_and_agg",
            "bitmap_construct_agg",
            "bitmap_count",
            "bitmap_or_agg",
            "count_min_sketch",
            "hll_sketch_agg",
            "hll_sketch_estimate",
            "hll_union",
            "hll_union_agg",
            "kll_merge_agg_bigint",
            "kll_merge_agg_double",
            "kll_merge_agg_float",
            "kll_sketch_agg_bigint",
            "kll_sketch_agg_double",
            "kll_sketch_agg_float",
            "theta_intersection_agg",
            "theta_sketch_agg",
            "theta_union_agg",
            "tuple_intersection_agg_double",
            "tuple_intersection_agg_integer",
            "tuple_sketch_agg_double",
            "tuple_sketch_agg_integer",
            "tuple_union_agg_double",
            "tuple_union_agg_integer",
        ],
    ),
    (Why::Estimate, &["approx_top_k", "histogram_numeric"]),
    (Why::Chance, &["rand", "randn", "random", "randstr", "shuffle", "uniform", "uuid"]),
    (
        Why::RowOrder,
        &["any_value", "collect_union", "first", "last", "monotonically_increasing_id", "spark_partition_id"],
    ),
    (
        Why::Clock,
        &["curdate", "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "now"],
    ),
    (
        Why::Session,
        &[
            "current_catalog",
            "current_database",
            "current_path",
            "current_schema",
            "current_user",
            "input_file_block_length",
            "input_file_block_start",
            "input_file_name",
            "session_user",
            "user",
            "version",
        ],
    ),
    (
        Why::Time,
        &[
            "make_time",
            "time",
            "time_diff",
            "time_from_micros",
            "time_from_millis",
            "time_from_seconds",
            "time_to_micros",
            "time_to_millis",
            "time_to_seconds",
            "time_trunc",
            "to_time",
            "try_to_time",
        ],
    ),
    (Why::Interval, &["make_dt_interval", "make_interval", "make_ym_interval", "try_make_interval"]),
    (Why::TimeWindow, &["session_window", "time_bucket", "window", "window_time"]),
    (Why::Language, &["collate", "collation", "collations", "sentences", "sql_keywords"]),
    (Why::Nanoseconds, &["timestamp_nanos", "unix_nanos"]),
    (Why::Counter, &["counter_diff"]),
    (Why::MetricView, &["measure"]),
    (Why::Fails, &["assert_true", "raise_error"]),
    (Why::Program, &["java_method", "reflect", "try_reflect"]),
];

/// Why a function is refused, by its lower-case name; none when it is not, or is no function of Spark's.
pub fn refused(name: &str) -> Option<Why> {
    REFUSED.iter().find(|(_, names)| names.contains(&name)).map(|(why, _)| *why)
}

/// What the embedded engine makes of a function of Spark's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionState {
    /// It gives what Spark gives.
    Works,
    /// It is refused.
    Refused(Why),
    /// Nothing is known of it.
    Unknown,
}

/// What the embedded engine makes of a function, by its lower-case name.
pub fn function_state(name: &str) -> FunctionState {
    let generator =
        matches!(name.trim_end_matches("_outer"), "explode" | "posexplode" | "inline" | "stack" | "json_tuple");
    match refused(name) {
        Some(why) => FunctionState::Refused(why),
        None if generator || super::rules::rule(name).is_some() => FunctionState::Works,
        None => FunctionState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Form, rule};
    use super::*;

    #[test]
    fn what_is_refused_has_one_reason_and_no_rule_but_that_it_is_open() {
        let all: Vec<&str> = REFUSED.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), all.len());
        for name in all {
            assert!(rule(name).is_none_or(|rule| rule.form == Form::Chance), "{name} has a rule");
        }
    }
}
