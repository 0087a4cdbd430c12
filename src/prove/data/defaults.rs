//! Default values, where nothing is asked: by type, and by what a column's name says it holds.

use super::calendar;
use super::context::ValueContext;
use crate::code::types::Type;
use crate::corpus::dictionary::TimeForm;
use crate::engine::table::Value;

/// Returns a plain value of `data_type`; `dated` says that the script reads it as a date or time.
pub fn value(data_type: &Type, dated: bool, context: &ValueContext<'_>) -> Value {
    let spread = context.group * 3 + context.row;
    match data_type {
        Type::Boolean => Value::Integer((spread % 2) as i64),
        Type::Int | Type::BigInt => Value::Integer(number(context)),
        Type::Double | Type::Decimal(..) => {
            Value::Real(data_type.at_scale(number(context) as f64 + 0.25 * (spread % 4) as f64))
        }
        Type::Date => Value::Text(day(context)),
        Type::Timestamp => Value::Text(moment(context)),
        // Texts that a script puts in order are dates, most often.
        _ if dated || names_time(context.name) || context.level.is_some() => Value::Text(dated_text(context)),
        _ => Value::Text(word(context)),
    }
}

fn dated_text(context: &ValueContext<'_>) -> String {
    if names_moment(context.name) { moment(context) } else { day(context) }
}

/// Whether a name is that of a moment rather than of a day.
pub fn names_moment(name: &str) -> bool {
    ["time", "_at", "_ts", "_tm", "moment", "timestamp"].iter().any(|part| name.contains(part))
}

/// Whether a name is that of a date or time.
pub fn names_time(name: &str) -> bool {
    let ends = ["_at", "_ts", "_tm", "_day", "_dt", "_date", "_time", "date", "time", "_month"];
    matches!(name, "dt" | "ds" | "day" | "pt" | "p_date") || ends.iter().any(|end| name.ends_with(end))
}

/// Returns the group's day, moment or month.
pub fn time(form: TimeForm, context: &ValueContext<'_>) -> String {
    match form {
        TimeForm::Day => day(context),
        TimeForm::Moment => moment(context),
        TimeForm::Month => day(context).chars().take("yyyy-MM".len()).collect(),
    }
}

/// Returns the group's day; ends of intervals lie later and starts earlier, so that the intervals contain it.
fn day(context: &ValueContext<'_>) -> String {
    let any = |parts: &[&str]| parts.iter().any(|part| context.name.contains(part));
    let days = if let Some(level) = context.level {
        2 * level as i64 - 4 - context.group as i64 % 2
    } else if any(&["end", "expir", "valid_to", "due", "until", "close", "maturity"]) {
        20
    } else if any(&["start", "begin", "valid_from", "reg", "birth", "open", "join", "hire", "effective", "first"]) {
        -20 - context.group as i64
    } else if context.distinct {
        -((context.group * 3 + context.row) as i64)
    } else {
        -((context.row % 2) as i64)
    };
    calendar::shift(context.day, days).unwrap_or_else(|| context.day.to_owned())
}

fn moment(context: &ValueContext<'_>) -> String {
    format!("{} {:02}:{:02}:00", day(context), 8 + (context.group * 2 + context.row) % 12, (context.row * 7) % 60)
}

fn number(context: &ValueContext<'_>) -> i64 {
    let spread = (context.group * 3 + context.row) as i64;
    if let Some(level) = context.level {
        return 1 + 400 * level as i64 + spread;
    }
    let any = |parts: &[&str]| parts.iter().any(|part| context.name.contains(part));
    if any(&["upper", "max_", "ceiling"]) {
        return 5000 + spread;
    }
    if any(&["lower", "min_", "floor"]) {
        return 1 + spread % 2;
    }
    if any(&["is_", "flag", "status", "type", "level", "deleted", "has_"]) {
        return spread % 3;
    }
    if any(&["amt", "amount", "price", "fee", "cost", "revenue", "income", "premium", "balance", "value"]) {
        return 100 + 37 * spread;
    }
    if any(&["_id", "id_", "no"]) {
        return 1001 + spread;
    }
    2 + spread
}

fn word(context: &ValueContext<'_>) -> String {
    let spread = context.group * 2 + context.row;
    let any = |parts: &[&str]| parts.iter().any(|part| context.name.contains(part));
    if any(&["_id", "_no", "_sn", "uuid"]) || matches!(context.name, "id" | "no") {
        return format!("{}{:03}", initial(context.name).to_uppercase(), 100 + spread);
    }
    if context.distinct {
        return format!("{}{:02}", initial(context.name), 10 + spread);
    }
    if any(&["city"]) {
        return ["Lyon", "Porto", "Graz", "Turku"][spread % 4].to_owned();
    }
    if any(&["name", "title"]) {
        return format!("{} {}", initial(context.name).to_uppercase(), ["North", "South", "East", "West"][spread % 4]);
    }
    if any(&["country", "nation"]) {
        return ["FR", "PT", "AT", "FI"][spread % 4].to_owned();
    }
    if any(&["phone", "mobile"]) {
        return format!("138001380{:02}", spread % 100);
    }
    format!("{}_{}", initial(context.name), ENDINGS[spread % ENDINGS.len()])
}

/// The endings of [plain words](plain_word_number).
const ENDINGS: [&str; 3] = ["a", "b", "c"];

/// Returns the number of a plain word: a word such as `sta_b` of `state`, which is made of the name of its column where
/// nothing else is known of it. `None` for any other text.
pub fn plain_word_number(text: &str, column: &str) -> Option<usize> {
    let end = text.strip_prefix(initial(column))?.strip_prefix('_')?;
    ENDINGS.iter().position(|ending| *ending == end)
}

/// Returns the first letters of a name.
fn initial(name: &str) -> &str {
    let end = name.char_indices().nth(3).map_or(name.len(), |(at, _)| at);
    name[..end].trim_end_matches('_')
}
