//! Values for the placeholders of a script, such as `${bizdate}`.
//!
//! A placeholder's key is the text between its brackets. A key that is not bound may still be derived: from the key
//! without its namespace (`hiveconf:dt` from `dt`), or from a date and an offset (`DATE-6`, `yyyymmdd + 1`,
//! `month-1M`) when the base is bound to a date. `${name:-value}` has a default. References to the
//! clock and calls of own functions are bound the same way (see `clock` and `own_function`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::clock::{CLOCK, Reading, USER, USUAL_DAY, USUAL_TIME, USUAL_USER, readings};
use super::date_text::{DateOffset, date_of};
use super::script::Script;
use super::span::Span;
use super::token::{LONGEST_PLACEHOLDER, Token, TokenKind, tokenize, within};

/// How deep values may hold placeholders.
const MOST_LEVELS: usize = 8;

const BRACKETS: [(&str, &str); 5] = [("${", "}"), ("{{", "}}"), ("#{", "}"), ("@@{", "}"), ("$[", "]")];

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

/// A placeholder and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The text between its brackets, trimmed.
    pub key: String,
    /// Its bytes, brackets included.
    pub span: Span,
    /// A script cannot run while it is unbound: it is SQL, or `${…}` or `{{ name }}` in a string. The other
    /// bracket forms may be ordinary text in a string, and comments need no values.
    pub required: bool,
    /// It stands in SQL: in no string, comment or command.
    pub in_sql: bool,
}

/// A text after binding, and the way back to the original bytes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BoundText {
    /// The bound text.
    pub text: String,
    /// For each replacement, in order: the bytes replaced in the original, and the value's bytes in the bound text.
    pub replaced: Vec<(Span, Span)>,
}

impl BoundText {
    /// The text with the spans replaced by their values. Of two spans of which one holds the other, the outer one counts.
    pub(super) fn replacing(text: &str, mut values: Vec<(Span, String)>) -> BoundText {
        values.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        let mut bound = BoundText { text: String::with_capacity(text.len() + 64), replaced: Vec::new() };
        let mut kept = 0;
        for (span, value) in values {
            if span.start < kept {
                continue;
            }
            bound.text.push_str(&text[kept..span.start]);
            let start = bound.text.len();
            bound.text.push_str(&value);
            bound.replaced.push((span, Span::new(start, bound.text.len())));
            kept = span.end;
        }
        bound.text.push_str(&text[kept..]);
        bound
    }

    /// The byte of the original text that byte `offset` of the bound text comes from; for a byte inside a value, the
    /// start of the bytes that it replaced.
    pub fn original(&self, offset: usize) -> usize {
        let after = self.replaced.partition_point(|(_, bound)| bound.start <= offset);
        match self.replaced[..after].last() {
            Some((original, bound)) if offset < bound.end => original.start,
            Some((original, bound)) => offset - bound.end + original.end,
            None => offset,
        }
    }
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

/// The placeholders of a script or of a piece of SQL, in text order.
pub fn placeholders(text: &str) -> Vec<Placeholder> {
    if !may_open(text) {
        return Vec::new();
    }
    let tokens = tokenize(text);
    tokens
        .iter()
        .filter(|token| may_open(token.span().of(text)))
        .flat_map(|token| placeholders_of(text, token))
        .collect()
}

/// Whether a letter, digit, `_`, `.` or back quote touches a placeholder, so that it is a part of a name.
pub(crate) fn touches_name(text: &str, span: Span) -> bool {
    let touches = |c: Option<char>| c.is_some_and(|c| matches!(c, '.' | '_' | '`') || c.is_alphanumeric());
    touches(text[..span.start].chars().next_back()) || touches(text[span.end..].chars().next())
}

/// A quick test of single bytes: whether a text may hold a placeholder, which most tokens cannot.
fn may_open(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'$' | b'{' | b'#' | b'@'))
}

fn placeholders_of(text: &str, token: &Token) -> Vec<Placeholder> {
    let mut found = Vec::new();
    let mut at = token.span().start;
    let quoted = token.kind == TokenKind::Text;
    let counts = !token.kind.is_trivia() && token.kind != TokenKind::Command;
    while let Some(Bracketed { form, span }) = next_placeholder(&text[..token.span().end], at) {
        let (open, close) = BRACKETS[form];
        let key = text[span.start + open.len()..span.end - close.len()].trim().to_owned();
        // `'{{ ds }}'` is a template's value; other brackets in a string may be text.
        let is_template = open == "{{" && key.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let required = counts && (form == 0 || !quoted || is_template);
        found.push(Placeholder { key, span, required, in_sql: counts && !quoted });
        at = span.end;
    }
    found
}

/// A placeholder in the text: which of [`BRACKETS`] it has, and its bytes.
struct Bracketed {
    form: usize,
    span: Span,
}

/// The first placeholder at or after `from`.
fn next_placeholder(text: &str, from: usize) -> Option<Bracketed> {
    let mut at = from;
    while let Some(step) = text[at..].find(['$', '{', '#', '@']) {
        at += step;
        if let Some(found) = (0..BRACKETS.len()).find_map(|form| bracketed(text, at, form)) {
            return Some(found);
        }
        at += 1;
    }
    None
}

/// The placeholder of a form that opens at `start`.
fn bracketed(text: &str, start: usize, form: usize) -> Option<Bracketed> {
    let (open, close) = BRACKETS[form];
    let inner = text[start..].strip_prefix(open)?;
    let end = within(inner, LONGEST_PLACEHOLDER).find(close)?;
    let key = &inner[..end];
    // A default may be a text.
    let quotes = |mark: char| key.matches(mark).count();
    let is_default = open == "${" && key.contains(":-") && quotes('\'') % 2 == 0 && quotes('"') % 2 == 0;
    let is_plain = !key.contains('\n') && (is_default || !key.contains(['\'', '"']));
    is_plain.then(|| Bracketed { form, span: Span::new(start, start + open.len() + end + close.len()) })
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parameters() -> Parameters {
        [("DATE", "2024-03-01"), ("yyyymmdd", "20240301"), ("dt", "2024-03-15"), ("top_n", "5"), ("month", "202401")]
            .into_iter()
            .collect()
    }

    #[test]
    fn placeholders_bind_in_strings_names_and_bare() {
        let cases = [
            ("dt = '${DATE}'", "dt = '2024-03-01'"),
            ("tmp_${yyyymmdd}_x", "tmp_20240301_x"),
            ("limit ${top_n}", "limit 5"),
            ("'${hiveconf:dt}' and {{ dt }}", "'2024-03-15' and 2024-03-15"),
            ("-- for ${nobody}\nselect 1", "-- for ${nobody}\nselect 1"),
            ("rlike 'a#{2}$[0-9]'", "rlike 'a#{2}$[0-9]'"),
            ("SET x=${nobody}; select '${DATE}'", "SET x=${nobody}; select '2024-03-01'"),
        ];
        for (text, expected) in cases {
            assert_eq!(parameters().bind(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_key_may_be_a_date_and_what_lies_between() {
        let cases = [
            ("DATE-1", Some("2024-02-29")),
            ("DATE + 31", Some("2024-04-01")),
            ("month-1", Some("202312")),
            ("hiveconf:dt+1", Some("2024-03-16")),
            ("top_n-1", None),
            ("nobody-1", None),
        ];
        for (key, expected) in cases {
            assert_eq!(parameters().value(key).as_deref(), expected, "{key}");
        }
    }

    #[test]
    fn a_macro_may_be_bound_with_the_quotes_of_its_arguments() {
        let bound = Parameters::from_iter([("shown('a', \"b\")", "x"), ("'d'", "y")]);
        assert_eq!(bound.value("shown(a, b)").as_deref(), Some("x"));
        assert_eq!(bound.value("d"), None);
    }

    #[test]
    fn values_that_a_script_does_not_use_are_left_out() {
        let bound = Parameters::from_iter([("ds", "2024-02-29"), ("n", "5"), ("x", "1"), ("f()", "1")]);
        let used = bound.used_by(&Script::new("SELECT '{{ next_ds }}', ${hiveconf:n}"));
        assert_eq!(used.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["ds", "f()", "n"]);
        let twice =
            Parameters::from_iter([("hiveconf:r", "5"), ("r", "5")]).used_by(&Script::new("SELECT ${hiveconf:r}"));
        assert_eq!(twice.value("hiveconf:r").as_deref(), Some("5"));
        let inside = Parameters::from_iter([("today", "'${end}'"), ("end", "2024-03-15"), ("other", "1")]);
        let used = inside.used_by(&Script::new("SELECT ${today}"));
        assert_eq!(used.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["end", "today"]);
    }

    #[test]
    fn days_follow_from_the_day_of_a_scheduled_run() {
        let parameters = Parameters::from_iter([("ds", "2024-02-29")]);
        for (key, expected) in [
            ("ds_nodash", Some("20240229")),
            ("next_ds", Some("2024-03-01")),
            ("yesterday_ds_nodash", Some("20240228")),
            ("data_interval_end | ds", Some("2024-03-01")),
            ("data_interval_start | ds_nodash", Some("20240229")),
            ("ts", None),
        ] {
            assert_eq!(parameters.value(key).as_deref(), expected, "{key}");
        }
    }

    #[test]
    fn days_outside_of_quotes_are_put_into_quotes() {
        let quoted = |sql: &str| {
            let bound = Parameters::from_iter([("d", "2024-05-01")]).with_quoted_dates(&Script::new(sql));
            bound.value("d").unwrap()
        };
        assert_eq!(quoted("SELECT a FROM t WHERE dt = ${d} AND e < dateadd(DAY, 1, ${d})"), "'2024-05-01'");
        for sql in
            ["WHERE dt = '${d}'", "WHERE dt = ${d} OR e = '${d}'", "SELECT ${d}, ${d+1}", "SELECT 1", "FROM t_${d}"]
        {
            assert_eq!(quoted(sql), "2024-05-01", "{sql}");
        }
    }

    #[test]
    fn an_exact_binding_wins_over_arithmetic() {
        let mut parameters = parameters();
        parameters.insert("DATE-1", "never");
        assert_eq!(parameters.value("DATE-1").as_deref(), Some("never"));
    }

    #[test]
    fn an_unbound_placeholder_is_named_with_its_place() {
        let error = parameters().bind("select '${nobody}'").unwrap_err();
        assert_eq!(error, UnboundPlaceholder { key: "nobody".into(), span: Span::new(8, 17) });
        assert!(parameters().bind("select $[nobody+1]").is_err());
    }

    #[test]
    fn a_script_may_set_its_own_variables() {
        let script = Script::new("set hivevar:d = 20240131;\nselect '${d}', '${hivevar:d}', '${dt}'");
        let known = parameters().with_assignments(&script);
        assert!(known.bind(script.text()).unwrap().ends_with("select '20240131', '20240131', '2024-03-15'"));
    }

    #[test]
    fn references_to_the_clock_are_bound_to_the_pinned_moment() {
        let script = Script::new(
            "SELECT current_date, `current_date`(), `now`, CURRENT_TIMESTAMP(), now( ), unix_timestamp(), t.now, unix_timestamp(d) AS current_date FROM t WHERE x = 'now()'",
        );
        let pinned = Parameters::from_iter([("dt", "20240229"), ("zone", "now")]).with_clock(&script);
        assert_eq!(pinned.value(CLOCK).as_deref(), Some("2024-02-29 10:30:00"), "the day of its other parameters");
        assert_eq!(
            pinned.bind(script.text()).unwrap(),
            "SELECT DATE '2024-02-29', DATE '2024-02-29', `now`, TIMESTAMP '2024-02-29 10:30:00', TIMESTAMP '2024-02-29 10:30:00', 1709202600L, t.now, \
             unix_timestamp(d) AS current_date FROM t WHERE x = 'now()'"
        );
        let said = Parameters::from_iter([(CLOCK, "2020-01-02")]).with_clock(&script);
        assert!(said.bind("SELECT now(), '${z:-9}'").unwrap().ends_with("TIMESTAMP '2020-01-02 00:00:00', '9'"));
        assert!(Parameters::default().with_clock(&Script::new("SELECT a")).is_empty());
    }

    #[test]
    fn references_to_the_user_are_bound_to_a_name() {
        let script = Script::new("SELECT current_user(), current_user, session_user(), user, t.current_user FROM t");
        let pinned = Parameters::default().with_clock(&script);
        assert_eq!(pinned.iter().collect::<Vec<_>>(), [(USER, USUAL_USER)]);
        let bound = pinned.bind(script.text()).unwrap();
        assert_eq!(bound, "SELECT 'etl', 'etl', 'etl', user, t.current_user FROM t");
        assert_eq!(Parameters::from_iter([(USER, "o'b")]).bind("SELECT user()").unwrap(), "SELECT 'o\\'b'");
    }

    #[test]
    fn all_that_is_not_bound_is_found() {
        let missing =
            parameters().unbound("SELECT '${nobody}', ${hour}, '${nobody}', '${dt}', '${z:-1}' -- ${comment}");
        assert_eq!(missing.iter().map(|placeholder| placeholder.key.as_str()).collect::<Vec<_>>(), ["nobody", "hour"]);
    }

    #[test]
    fn numbers_in_yaml_are_their_text() {
        let read: Parameters =
            serde_json::from_str(r#"{"n": 5, "rate": 0.5, "on": true, "dt": "2024-01-01"}"#).unwrap();
        let pairs: Vec<_> = read.iter().collect();
        assert_eq!(pairs, [("dt", "2024-01-01"), ("n", "5"), ("on", "true"), ("rate", "0.5")]);
        assert_eq!(serde_json::to_string(&read).unwrap(), r#"{"dt":"2024-01-01","n":"5","on":"true","rate":"0.5"}"#);
    }

    proptest! {
        #[test]
        fn bytes_outside_placeholders_keep_their_place(pieces in prop::collection::vec("[a-z ]{0,6}", 1..6)) {
            let text = pieces.join("${dt}");
            let bound = parameters().bind_with_positions(&text).unwrap();
            prop_assert_eq!(&bound.text, &pieces.join("2024-03-15"));
            for (offset, byte) in bound.text.bytes().enumerate() {
                let original = bound.original(offset);
                let inside = bound.replaced.iter().any(|(_, value)| value.start <= offset && offset < value.end);
                prop_assert!(inside || text.as_bytes()[original] == byte);
            }
        }
    }
}
