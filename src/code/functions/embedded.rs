//! How the embedded engine runs a function, as data for the translation to SQLite.

/// What the implementation wants of an argument; other types are converted as Spark does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::enum_variant_names, reason = "the tables of functions import these beside types of the same names")]
pub enum ArgumentForm {
    /// The argument as it is.
    AsIs,
    /// Text.
    AsText,
    /// A number; text counts as a double.
    AsNumber,
    /// A double.
    AsDouble,
    /// A whole number.
    AsWhole,
    /// A member of an array, map or struct: booleans and nested values are marked as such.
    AsMember,
}

/// How a call is written for SQLite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Embedded {
    /// `h_<name>(…)` of our library (`engine::sqlite::functions`).
    Library,
    /// Another function of the library or of SQLite.
    Named(&'static str),
    /// By a rule of its own (`engine::sqlite::translate`).
    Rule(Special),
    /// An aggregate, also over windows; the SQL text up to its first argument.
    Aggregate(&'static str),
    /// A function of windows only.
    Window,
    /// A generator: its rows are joined to those of the relation before.
    Generator(RowGenerator),
    /// Refused: the engine cannot run it soundly.
    Refused(UnsupportedReason),
    /// Nothing is known of it: refused as well.
    Unknown,
}

/// Which rows a generator gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowGenerator {
    /// The elements of an array, or the entries of a map.
    Explode,
    /// The same with their positions.
    PositionExplode,
    /// The structs of an array, a column for each field.
    Inline,
    /// Its arguments in several rows.
    Stack,
    /// The fields of JSON text: one row with a column for each.
    JsonTuple,
}

/// Functions with rules of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant is named after its function or family")]
pub enum Special {
    Array,
    Cast,
    Coalesce,
    Concat,
    ConcatWithSeparator,
    CountIf,
    DatePart,
    Decode,
    ElementAt,
    Encode,
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
    /// One of the functions that `translate/by_name.rs` tells apart by their names.
    ByName,
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

/// Why the embedded engine cannot run a function soundly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnsupportedReason {
    /// It gives or takes bytes; values here are text, numbers and what is made of them.
    Bytes,
    /// It gives the bytes of a sketch, or reads them.
    Sketch,
    /// Its result is an estimate that no document specifies.
    Estimate,
    /// It depends on chance.
    Chance,
    /// It depends on the order in which rows come.
    RowOrder,
    /// It reads the clock.
    Clock,
    /// It reads the session, its user or its files.
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

impl UnsupportedReason {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            UnsupportedReason::Bytes => "gives or takes bytes, and values here are text and numbers",
            UnsupportedReason::Sketch => "makes or reads the bytes of a sketch",
            UnsupportedReason::Estimate => "gives an estimate that nothing fixes",
            UnsupportedReason::Chance => "depends on chance",
            UnsupportedReason::RowOrder => "depends on the order of rows",
            UnsupportedReason::Clock => "names the present moment",
            UnsupportedReason::Session => "names the session, its user or its files",
            UnsupportedReason::Time => "is about the type TIME, which Hive does not have",
            UnsupportedReason::Interval => "gives an interval, which no column holds",
            UnsupportedReason::TimeWindow => "cuts time into windows and multiplies rows",
            UnsupportedReason::Language => "depends on a collation or a language",
            UnsupportedReason::Nanoseconds => "is about nanoseconds, which are switched off in Spark",
            UnsupportedReason::Counter => "keeps the state of a counter, a rule newer than Hive",
            UnsupportedReason::MetricView => "reads a metric view",
            UnsupportedReason::Fails => "ends the run with an error",
            UnsupportedReason::Program => "calls a program outside SQL",
        }
    }
}
