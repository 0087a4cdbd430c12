//! Values for the placeholders of a script, such as `${bizdate}`.
//!
//! A placeholder's key is the text between its brackets. A key that is not bound may still be derived: from the key
//! without its namespace (`hiveconf:dt` from `dt`), or from a date and an offset (`DATE-6`, `yyyymmdd + 1`,
//! `month-1M`) when the base is bound to a date. `${name:-value}` has a default. References to the
//! clock and calls of own functions are bound the same way (see `clock` and `own_function`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bound_text::BoundText;
use super::clock::{CLOCK, Reading, USER, USUAL_DAY, USUAL_TIME, USUAL_USER, readings};
use super::date_text::{DateOffset, date_of};
use super::placeholder::{Placeholder, placeholders, touches_name};
use super::script::Script;
use super::span::Span;
use super::token::{Token, TokenKind};

/// How deep values may hold placeholders.
const MOST_LEVELS: usize = 8;

/// Placeholder keys and their values.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, Scalar>")]
pub struct Parameters {
    #[serde(flatten)]
    values: BTreeMap<String, String>,
}

/// A value as YAML or JSON writes it: `top_n: 5` means the text `5`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(String),
}

impl From<BTreeMap<String, Scalar>> for Parameters {
    fn from(scalars: BTreeMap<String, Scalar>) -> Parameters {
        let text = |scalar| match scalar {
            Scalar::Boolean(value) => value.to_string(),
            Scalar::Integer(value) => value.to_string(),
            Scalar::Real(value) => value.to_string(),
            Scalar::Text(value) => value,
        };
        Parameters { values: scalars.into_iter().map(|(key, value)| (key, text(value))).collect() }
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Parameters {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Parameters {
        Parameters { values: pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect() }
    }
}

/// A placeholder that has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("placeholder '{key}' has no value")]
pub struct UnboundPlaceholder {
    /// The text between its brackets.
    pub key: String,
    /// Its bytes, brackets included.
    pub span: Span,
}

impl Parameters {
    /// Whether nothing is bound.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The bound keys and their values, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Returns the bound keys with their values, as records have them.
    pub(crate) fn to_map(&self) -> BTreeMap<String, String> {
        self.values.clone()
    }

    /// Binds `key` to `value`.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.values.insert(key.into(), value.into());
    }

    /// Adds bound keys with their values, which count before those that are there.
    pub(crate) fn add(&mut self, other: &Parameters) {
        self.values.extend(other.values.clone());
    }

    /// Leaves out the values that a script does not use; those of own functions, the clock and the user stay.
    #[must_use]
    pub fn used_by(mut self, script: &Script) -> Parameters {
        let placeholders = placeholders(script.text());
        let values = |parameters: &Parameters| -> Vec<Result<String, String>> {
            placeholders.iter().map(|placeholder| parameters.whole_value(&placeholder.key)).collect()
        };
        let needed = values(&self);
        // One after the other: of two keys that give the same value one stays.
        for key in self.values.keys().cloned().collect::<Vec<_>>() {
            if key.ends_with("()") || matches!(key.as_str(), CLOCK | USER) {
                continue;
            }
            let mut without = self.clone();
            without.values.remove(&key);
            if values(&without) == needed {
                self = without;
            }
        }
        self
    }

    /// Puts a day or moment that a script uses outside of quotes only into quotes: `2024-05-01` would be arithmetic. A
    /// day from which others are derived stays as it is.
    #[must_use]
    pub fn with_quoted_dates(mut self, script: &Script) -> Parameters {
        let used = placeholders(script.text());
        for (key, value) in &mut self.values {
            let is_date =
                value.contains('-') && date_of(value).is_some() && value.starts_with(|c: char| c.is_ascii_digit());
            let is_key = |placeholder: &&Placeholder| {
                placeholder.key == *key || placeholder.key.rsplit(':').next() == Some(key.as_str())
            };
            let mut uses = used.iter().filter(is_key).peekable();
            let is_derived = used.iter().any(|other| other.key.starts_with(key.as_str()) && other.key != *key);
            let stands_alone =
                |placeholder: &Placeholder| placeholder.in_sql && !touches_name(script.text(), placeholder.span);
            if is_date && !is_derived && uses.peek().is_some() && uses.all(stands_alone) {
                *value = format!("'{value}'");
            }
        }
        self
    }

    /// The value of a key: bound as it is, bound without its namespace, derived by date arithmetic, or its default.
    pub fn value(&self, key: &str) -> Option<String> {
        let (key, default) = match key.split_once(":-") {
            Some((key, default)) => (key.trim(), Some(default.to_owned())),
            None => (key.trim(), None),
        };
        self.plain(key).map(str::to_owned).or_else(|| self.shifted(key)).or_else(|| self.of_schedule(key)).or(default)
    }

    /// The value of a placeholder, with those of the placeholders in it: `SET today='${bizdate}'` gives one.
    ///
    /// # Errors
    ///
    /// The key that has no value, or whose value holds itself.
    pub(super) fn whole_value(&self, key: &str) -> Result<String, String> {
        let mut value = self.value(key).ok_or_else(|| key.to_owned())?;
        for _ in 0..MOST_LEVELS {
            let inner = placeholders(&value);
            if !inner.iter().any(|placeholder| placeholder.required) {
                return Ok(value);
            }
            let mut values = Vec::new();
            for placeholder in inner {
                match self.value(&placeholder.key) {
                    Some(inside) => values.push((placeholder.span, inside)),
                    None if placeholder.required => return Err(placeholder.key),
                    None => {}
                }
            }
            value = BoundText::replacing(&value, values).text;
        }
        Err(key.to_owned())
    }

    /// What Airflow derives from the day of a run, `ds`: `ds_nodash`, `next_ds`, `data_interval_end | ds` and the like.
    fn of_schedule(&self, key: &str) -> Option<String> {
        let (key, filter) = key.split_once('|').map_or((key, "ds"), |(key, filter)| (key.trim(), filter.trim()));
        let (name, filter) = key.strip_suffix("_nodash").map_or((key, filter), |name| (name, "ds_nodash"));
        let days = match name {
            "ds" | "data_interval_start" | "execution_date" | "logical_date" => 0,
            "next_ds" | "tomorrow_ds" | "data_interval_end" | "next_execution_date" => 1,
            "prev_ds" | "yesterday_ds" | "prev_execution_date" => -1,
            _ => return None,
        };
        let day = DateOffset::read(&format!("{days:+}"))?.from(self.plain("ds")?)?;
        match filter {
            "ds" => Some(day),
            "ds_nodash" => Some(day.replace('-', "")),
            _ => None,
        }
    }

    fn plain(&self, key: &str) -> Option<&str> {
        let bare = key.rsplit(':').next().unwrap_or(key);
        // The call of a template's macro, as `{{ format('a') }}`, is known without its quotes and may be bound with them.
        let is_call = |given: &str| key.contains('(') && given.replace(['\'', '"'], "") == key;
        let called = || self.values.iter().find(|(given, _)| is_call(given)).map(|(_, value)| value);
        self.values.get(key).or_else(|| self.values.get(bare)).or_else(called).map(String::as_str)
    }

    /// `base ± number [unit]` where the base is bound to a date.
    fn shifted(&self, key: &str) -> Option<String> {
        let (base, offset) = key.split_at(key.rfind(['+', '-'])?);
        DateOffset::read(offset)?.from(self.plain(base.trim())?)
    }

    /// Adds a moment for the clock if the script reads it and none is bound: the latest day among the values, or else
    /// [`USUAL_DAY`], at [`USUAL_TIME`]. In the same way a script that asks for its user gets [`USUAL_USER`].
    #[must_use]
    pub fn with_clock(mut self, script: &Script) -> Parameters {
        let of_values = self.values.values().flat_map(|value| readings(value));
        let readings: Vec<(Span, Reading)> = readings(script.text()).into_iter().chain(of_values).collect();
        let asks_user = |(_, reading): &(Span, Reading)| *reading == Reading::User;
        if !self.values.contains_key(USER) && readings.iter().any(asks_user) {
            self.insert(USER, USUAL_USER);
        }
        if !self.values.contains_key(CLOCK) && !readings.iter().all(asks_user) {
            let latest = self.values.values().filter_map(|value| date_of(value)).max();
            let day = latest.map(|day| day.format("%Y-%m-%d").to_string());
            self.insert(CLOCK, format!("{} {USUAL_TIME}", day.as_deref().unwrap_or(USUAL_DAY)));
        }
        self
    }

    /// Adds the values that the script sets itself (`SET hivevar:d=…`) and uses; a key that is bound keeps its value.
    #[must_use]
    pub fn with_assignments(&self, script: &Script) -> Parameters {
        let used = placeholders(script.text());
        let is_used = |name: &str| used.iter().any(|placeholder| placeholder.key.contains(name));
        let assigned = assignments(script).into_iter().filter(|(name, _)| is_used(name));
        Parameters { values: assigned.chain(self.values.clone()).collect() }
    }
}

/// The `SET name=value` commands of a script; `hivevar:` and `hiveconf:` are taken off the names.
fn assignments(script: &Script) -> BTreeMap<String, String> {
    let commands = script.tokens().iter().filter(|token| token.kind == TokenKind::Command);
    let assignment = |token: &Token| {
        let command = token.span().of(script.text());
        let rest =
            command.get(..4).filter(|head| head.trim_end().eq_ignore_ascii_case("set")).map(|_| &command[4..])?;
        let (name, value) = rest.split_once('=')?;
        let name = name.trim();
        let name = name.strip_prefix("hivevar:").or_else(|| name.strip_prefix("hiveconf:")).unwrap_or(name);
        Some((name.to_owned(), value.trim().to_owned()))
    };
    commands.filter_map(assignment).collect()
}

#[cfg(test)]
mod tests;
