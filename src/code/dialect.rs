//! The dialect of a script, and what follows from it.

use serde::{Deserialize, Serialize};

/// A dialect that this program reads and judges. Both share one grammar, one catalogue of functions and the engine's
/// rules (Spark with ANSI mode off); they differ in name only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// HiveQL, as Spark runs it with ANSI mode off.
    #[default]
    Hive,
    /// Spark SQL.
    Spark,
}

/// The quote around names.
const QUOTE: char = '`';

impl Dialect {
    /// The dialect's name in prose and prompts.
    pub fn title(self) -> &'static str {
        match self {
            Dialect::Hive => "Hive",
            Dialect::Spark => "Spark",
        }
    }

    /// Whether a fenced block with this lower-case tag holds SQL of a dialect that is read here.
    pub fn has_tag(tag: &str) -> bool {
        matches!(tag, "sql" | "hive" | "hiveql" | "hql" | "spark" | "sparksql" | "spark-sql" | "spark_sql")
    }

    /// A name in back quotes; back quotes inside it are doubled.
    pub fn quoted(self, name: &str) -> String {
        format!("{QUOTE}{}{QUOTE}", name.replace(QUOTE, "``"))
    }

    /// A written name, possibly of several parts, without its quotes.
    pub fn unquoted(self, written: &str) -> String {
        written.replace(QUOTE, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_prompts_call_a_dialect_by_its_name() {
        assert_eq!(serde_json::to_string(&Dialect::Hive).unwrap(), "\"hive\"");
        assert_eq!(serde_json::from_str::<Dialect>("\"spark\"").unwrap().title(), "Spark");
        assert!(serde_json::from_str::<Dialect>("\"snowflake\"").is_err());
        assert!(Dialect::has_tag("hql") && !Dialect::has_tag("python"));
    }

    #[test]
    fn names_are_quoted_as_written_names_are_read() {
        assert_eq!(Dialect::Hive.quoted("a`b"), "`a``b`");
        assert_eq!(Dialect::Hive.unquoted("`db`.`t`"), "db.t");
    }
}
