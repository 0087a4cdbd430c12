//! The pinned clock and user: what `current_date`, `current_user` and similar functions return in a run.
//!
//! A script that reads the clock gives other rows every day. Its references to the clock are bound as its
//! placeholders are, to literals of one moment, so that every engine sees the same script. The moment is the parameter
//! [`CLOCK`], the name of whoever runs the script is [`USER`]: whoever reads a task's parameters knows them.

use chrono::{NaiveDate, NaiveDateTime};

use super::span::Span;
use super::token::TokenKind;
use super::words::Words;

/// The parameter that holds the moment, as `2024-03-15 10:30:00` or `2024-03-15`.
pub const CLOCK: &str = "current_timestamp";
/// The parameter that holds the name of the user who runs the script.
pub const USER: &str = "current_user";
/// That user, if neither the author nor the parameters say.
pub const USUAL_USER: &str = "etl";
/// The day on which a script runs if neither its author nor its other parameters say.
pub const USUAL_DAY: &str = "2024-03-15";
/// The time of that day.
pub const USUAL_TIME: &str = "10:30:00";

/// What a reference to the clock or the user stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// `current_date`, `curdate()`.
    Day,
    /// `current_timestamp`, `localtimestamp`, `now()`.
    Moment,
    /// `unix_timestamp()` without arguments.
    Seconds,
    /// `current_user`, `session_user()`.
    User,
}

impl Reading {
    /// The SQL literal that replaces the reference, if its parameter has a value; seconds are those since 1970 of the
    /// moment in UTC.
    pub(super) fn literal(self, moment: Option<NaiveDateTime>, user: Option<&str>) -> Option<String> {
        Some(match self {
            Reading::Day => format!("DATE '{}'", moment?.format("%Y-%m-%d")),
            Reading::Moment => format!("TIMESTAMP '{}'", moment?.format("%Y-%m-%d %H:%M:%S")),
            Reading::Seconds => format!("{}L", moment?.and_utc().timestamp()),
            Reading::User => format!("'{}'", user?.replace('\\', "\\\\").replace('\'', "\\'")),
        })
    }
}

/// Reads the value of [`CLOCK`], a date alone as its midnight; `None` if it is neither date nor timestamp.
pub(super) fn moment(text: &str) -> Option<NaiveDateTime> {
    let whole = NaiveDateTime::parse_from_str(text.trim(), "%Y-%m-%d %H:%M:%S").ok();
    whole.or_else(|| NaiveDate::parse_from_str(text.trim(), "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0))
}

/// The references to the clock and the user in a text, brackets included, in the order of the text.
pub(super) fn readings(text: &str) -> Vec<(Span, Reading)> {
    let words = Words::of(text);
    let mut found = Vec::new();
    for at in 0..words.count() {
        let called = words.at(at + 1) == "(";
        // A name in back quotes is a column, unless it is called.
        let may_read = match words.kind(at) {
            Some(TokenKind::Word) => true,
            Some(TokenKind::QuotedName) => called,
            _ => false,
        };
        if !may_read {
            continue;
        }
        let empty = called && words.at(at + 2) == ")";
        let is_name = words.at(at + 1) == "." || words.before(at) == "." || words.before(at).eq_ignore_ascii_case("AS");
        let reading = match (words.at(at).trim_matches('`').to_ascii_lowercase().as_str(), called) {
            ("current_date", false) => Reading::Day,
            ("current_timestamp" | "localtimestamp", false) => Reading::Moment,
            ("current_date" | "curdate", true) => Reading::Day,
            ("current_timestamp" | "localtimestamp" | "now", true) => Reading::Moment,
            ("unix_timestamp", true) => Reading::Seconds,
            ("current_user", _) | ("session_user" | "user", true) => Reading::User,
            _ => continue,
        };
        if called == empty && !is_name {
            let last = if empty { at + 2 } else { at };
            found.push((words.cover(at..last + 1), reading));
        }
    }
    found
}
