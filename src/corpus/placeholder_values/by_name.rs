//! What the name of a placeholder tells of its value.

use super::day::{COMPACT_DAY, COMPACT_MONTH, DAY};

/// Returns a plausible value for a placeholder, by its name.
pub(super) fn by_name(key: &str) -> &'static str {
    let key = key.rsplit([':', '.']).next().unwrap_or(key).to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| key.contains(word));
    let last = key.rsplit('_').next().unwrap_or_default();
    match key.as_str() {
        _ if has(&["nodash", "yyyymmdd", "ymd"]) => COMPACT_DAY,
        _ if has(&["yyyymm", "year_month"]) || last == "ym" => COMPACT_MONTH,
        _ if has(&["yyyy-mm-dd"]) => DAY,
        _ if has(&["hour"]) || key == "hr" || key == "hh" => "10",
        _ if has(&["yesterday", "last_day", "prev"]) => "2024-03-14",
        _ if has(&["date", "time", "bizd", "today"]) || matches!(last, "dt" | "ds") => DAY,
        "day" | "d" | "start" | "end" => DAY,
        _ if has(&["month", "mon"]) => "3",
        _ if has(&["year"]) => "2024",
        _ if has(&["day"]) => "15",
        _ if has(&["env", "stage"]) => "prod",
        _ if has(&["db", "schema", "database"]) => "default",
        _ if has(&[
            "num", "cnt", "count", "limit", "top", "id", "size", "days", "least", "most", "min_", "max_", "threshold",
        ]) || key == "n" =>
        {
            "7"
        }
        _ => "x",
    }
}

/// A name made of a placeholder's key, so that different tables are called differently.
pub(super) fn as_name(key: &str, text: &str) -> String {
    let key = key.rsplit([':', '.']).next().unwrap_or(key).to_lowercase();
    let name: String = key.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let is_common_table = text.to_lowercase().contains(&format!("{name} as ("));
    match name.starts_with(|c: char| c.is_alphabetic()) {
        true if is_common_table => format!("{name}_source"),
        true => name,
        false => format!("t_{name}"),
    }
}

/// Whether a name is that of the first day of a range.
pub(super) fn names_beginning(key: &str) -> bool {
    let key = key.to_lowercase();
    let is_word = |word: &str| matches!(word, "from" | "since" | "first" | "lower");
    key.contains("start") || key.contains("begin") || key.split(|c: char| !c.is_alphanumeric()).any(is_word)
}
