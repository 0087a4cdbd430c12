//! Times near each other: some seconds, minutes, hours or days apart.

use chrono::{Duration, NaiveDateTime, NaiveTime};
use serde_json::Value as Json;

use crate::prove::data::calendar;

/// Seconds by which one of two times lies beside the other.
pub const STEPS: [i64; 14] =
    [-3 * 86_400, -86_400, -3_599, -150, -37, -1, 1, 19, 37, 90, 150, 3_599, 86_400, 3 * 86_400];

/// What time to set.
#[derive(Clone, Copy, Debug)]
pub struct TimeSetting<'a> {
    /// The day, `yyyy-MM-dd`; `None` keeps the day of each value.
    pub day: Option<&'a str>,
    /// Seconds after noon, or before it if negative.
    pub step: i64,
}

/// The first date that is written in a text, be it a list or JSON.
pub fn first_day(text: &str) -> Option<String> {
    match serde_json::from_str::<Json>(text) {
        Ok(json) if json.is_array() || json.is_object() => leaves(&json).into_iter().find_map(|leaf| day_of(&leaf)),
        _ => day_of(text),
    }
}

fn day_of(text: &str) -> Option<String> {
    if text.contains('-') { calendar::shift(text, 0) } else { None }
}

fn leaves(json: &Json) -> Vec<String> {
    match json {
        Json::Array(items) => items.iter().flat_map(leaves).collect(),
        Json::Object(fields) => fields.values().flat_map(leaves).collect(),
        Json::String(text) => vec![text.clone()],
        _ => Vec::new(),
    }
}

/// Returns a text with its times set, or `None` if it has none. If it is `bare`, a day stays a day without a time.
pub fn set(text: &str, setting: TimeSetting<'_>, bare: bool) -> Option<String> {
    match serde_json::from_str::<Json>(text) {
        Ok(mut json) if json.is_array() || json.is_object() => {
            set_inside(&mut json, setting, 0).then(|| json.to_string())
        }
        _ => moment(text, setting, bare),
    }
}

fn moment(text: &str, TimeSetting { day, step }: TimeSetting<'_>, bare: bool) -> Option<String> {
    let own = day_of(text)?;
    let date = calendar::date(day.unwrap_or(&own))?;
    let noon = NaiveDateTime::new(date, NaiveTime::from_hms_opt(12, 0, 0)?);
    let time = noon.checked_add_signed(Duration::seconds(step))?;
    Some(time.format(if bare { "%Y-%m-%d" } else { "%Y-%m-%d %H:%M:%S" }).to_string())
}

/// Sets the times in a list or JSON: a field that is a time in one element of a list becomes one in all, and each lies
/// a step behind the one before.
fn set_inside(json: &mut Json, setting: TimeSetting<'_>, number: i64) -> bool {
    let at = TimeSetting { step: setting.step * (number + 1), ..setting };
    match json {
        Json::Array(items) => {
            let fields = items.iter().filter_map(Json::as_object).flatten();
            let dated = fields.filter(|(_, value)| value.as_str().is_some_and(|text| day_of(text).is_some()));
            let pairs: Vec<(String, Json)> = dated.map(|(name, value)| (name.clone(), value.clone())).collect();
            let mut changed = false;
            for (at, item) in items.iter_mut().enumerate() {
                for (name, value) in &pairs {
                    if let Some(field) = item.get_mut(name) {
                        *field = value.clone();
                    }
                }
                changed |= set_inside(item, setting, at as i64);
            }
            changed
        }
        Json::Object(fields) => {
            let mut changed = false;
            for value in fields.values_mut() {
                changed |= set_inside(value, setting, number);
            }
            changed
        }
        Json::String(text) => match moment(text, at, false) {
            Some(set) => {
                *text = set;
                true
            }
            None => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_set_wherever_they_stand() {
        let setting = |day, step| TimeSetting { day, step };
        for (text, setting, bare, expected) in [
            ("2024-03-15", setting(None, 37), false, Some("2024-03-15 12:00:37")),
            ("2024-03-15", setting(Some("2024-03-01"), -86_400), true, Some("2024-02-29")),
            ("abc", setting(None, 1), false, None),
            ("20240315", setting(None, 1), false, None),
            (
                r#"[{"t":"2024-03-15","n":1},{"t":"t_b","n":2}]"#,
                setting(None, 60),
                false,
                Some(r#"[{"t":"2024-03-15 12:01:00","n":1},{"t":"2024-03-15 12:02:00","n":2}]"#),
            ),
            ("[1,2]", setting(None, 1), false, None),
        ] {
            assert_eq!(set(text, setting, bare).as_deref(), expected, "{text}");
        }
        assert_eq!(first_day(r#"{"a":{"b":"2024-03-15 10:00:00"}}"#).as_deref(), Some("2024-03-15"));
    }
}
