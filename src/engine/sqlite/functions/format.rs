//! Numbers with separators, and Java's format strings.

use rusqlite::types::{Value, ValueRef};

use super::arguments::{Arguments, CallError, MAX_RESULT, text_of};
use super::body::{Body, text};
use super::number::round_to;

pub(super) const FUNCTIONS: &[(&str, Body)] =
    &[("h_format_number", format_number), ("h_format_string", format_string), ("h_printf", format_string)];

/// The most digits after the point that the embedded engine writes.
const MOST_PLACES: usize = 340;

/// Separates digits into groups of three.
fn grouped(digits: &str) -> String {
    let mut result = String::new();
    for (index, c) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            result.push(',');
        }
        result.push(c);
    }
    result
}

/// The second argument is a number of decimals, with halves rounded to the even digit, or a pattern such as `#,##0.00`.
fn format_number(a: &Arguments<'_>) -> Option<Value> {
    let number = a.real(0)?;
    if let ValueRef::Text(_) = a.raw(1) {
        return by_pattern(a, number, &a.text(1)?);
    }
    let places = usize::try_from(a.integer(1)?).ok()?;
    if places > MOST_PLACES {
        return a.refuse(CallError::Format);
    }
    text(shown(number, places, true))
}

fn shown(number: f64, places: usize, commas: bool) -> String {
    let digits = format!("{:.places$}", number.abs());
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let sign = if number < 0.0 { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    let whole = if commas { grouped(whole) } else { whole.to_owned() };
    format!("{sign}{whole}{point}{fraction}")
}

/// Formats by a pattern of `#`, `0`, `,` and one point; `#` after the point drops trailing zeros.
fn by_pattern(a: &Arguments<'_>, number: f64, pattern: &str) -> Option<Value> {
    if !pattern.chars().all(|c| matches!(c, '#' | '0' | ',' | '.')) {
        return None;
    }
    let (whole, fraction) = pattern.split_once('.').unwrap_or((pattern, ""));
    if fraction.len() > MOST_PLACES {
        return a.refuse(CallError::Format);
    }
    let mut result = shown(number, fraction.len(), whole.contains(','));
    let optional = fraction.chars().rev().take_while(|c| *c == '#').count();
    for _ in 0..optional {
        if !result.ends_with('0') {
            break;
        }
        result.pop();
    }
    text(result.trim_end_matches('.'))
}

/// One `%…` of a format: `%[position$][flags][width][.precision]conversion`.
struct Directive {
    position: Option<usize>,
    flags: String,
    width: usize,
    precision: Option<usize>,
    conversion: char,
}

impl Directive {
    /// Reads what follows a `%` and returns the rest of the text with it.
    fn read(text: &str) -> Option<(Self, &str)> {
        let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
        let mut rest = text;
        let mut position = None;
        let count = digits(rest);
        if count > 0 && rest[count..].starts_with('$') {
            position = rest[..count].parse().ok();
            rest = &rest[count + 1..];
        }
        let flags = rest.chars().take_while(|c| "-#+ 0,(".contains(*c)).count();
        let (flags, after) = rest.split_at(flags);
        let (width, after) = after.split_at(digits(after));
        let (precision, after) = match after.strip_prefix('.') {
            Some(after) => {
                let (precision, after) = after.split_at(digits(after));
                (Some(precision.parse().ok()?), after)
            }
            None => (None, after),
        };
        let conversion = after.chars().next()?;
        if matches!(conversion, 'f' | 'e') && precision.is_some_and(|places: usize| places > MOST_PLACES) {
            return None;
        }
        let width = if width.is_empty() { 0 } else { width.parse().ok().filter(|width| *width <= MAX_RESULT)? };
        Some((
            Self { position, flags: flags.to_owned(), width, precision, conversion },
            &after[conversion.len_utf8()..],
        ))
    }

    fn write(&self, value: ValueRef<'_>) -> Option<String> {
        let body = if value == ValueRef::Null { "null".to_owned() } else { self.body(value)? };
        let missing = self.width.saturating_sub(body.chars().count());
        let fill = |c: char| c.to_string().repeat(missing);
        let zeros = self.flags.contains('0') && matches!(self.conversion, 'd' | 'f' | 'x' | 'X' | 'o' | 'e');
        Some(if self.flags.contains('-') {
            body + &fill(' ')
        } else if zeros {
            let (sign, digits) = body.split_at(usize::from(body.starts_with(['-', '+'])));
            format!("{sign}{}{digits}", fill('0'))
        } else {
            fill(' ') + &body
        })
    }

    fn body(&self, value: ValueRef<'_>) -> Option<String> {
        let text = || text_of(value).map(|text| text.into_owned());
        let cut = |text: String| match self.precision {
            Some(most) => text.chars().take(most).collect(),
            None => text,
        };
        Some(match (self.conversion, value) {
            ('s', _) => cut(text()?),
            ('S', _) => cut(text()?.to_uppercase()),
            ('b', ValueRef::Blob(bytes)) => cut((bytes == b"true").to_string()),
            ('b', _) => cut("true".to_owned()),
            ('c', _) => text()?.chars().next()?.to_string(),
            ('d', ValueRef::Integer(number)) => self.signed(number < 0, self.digits(number.unsigned_abs().to_string())),
            ('x', ValueRef::Integer(number)) => format!("{number:x}"),
            ('X', ValueRef::Integer(number)) => format!("{number:X}"),
            ('o', ValueRef::Integer(number)) => format!("{number:o}"),
            ('f', ValueRef::Real(number)) => {
                let places = self.precision.unwrap_or(6);
                let rounded = round_to(number.abs(), places as i64, false);
                let shown = shown(rounded, places, self.flags.contains(','));
                self.signed(number < 0.0, shown)
            }
            ('e', ValueRef::Real(number)) => self.signed(number < 0.0, self.scientific(number.abs())),
            _ => return None,
        })
    }

    fn digits(&self, digits: String) -> String {
        if self.flags.contains(',') { grouped(&digits) } else { digits }
    }

    fn signed(&self, negative: bool, digits: String) -> String {
        match (negative, self.flags.contains('+'), self.flags.contains(' ')) {
            (true, ..) => format!("-{digits}"),
            (_, true, _) => format!("+{digits}"),
            (_, _, true) => format!(" {digits}"),
            _ => digits,
        }
    }

    fn scientific(&self, number: f64) -> String {
        let precision = self.precision.unwrap_or(6);
        let shown = format!("{number:.precision$e}");
        let (digits, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
        format!("{digits}e{sign}{exponent:0>2}")
    }
}

fn format_string(a: &Arguments<'_>) -> Option<Value> {
    let pattern = a.text(0)?;
    let mut result = String::new();
    let (mut rest, mut next) = (&*pattern, 0);
    while let Some(at) = rest.find('%') {
        result.push_str(&rest[..at]);
        let Some((directive, after)) = Directive::read(&rest[at + 1..]) else { return a.refuse(CallError::Format) };
        rest = after;
        match directive.conversion {
            '%' => result.push('%'),
            'n' => result.push('\n'),
            _ => {
                next += usize::from(directive.position.is_none());
                let position = directive.position.unwrap_or(next);
                let written = (1..a.len()).contains(&position).then(|| directive.write(a.raw(position))).flatten();
                let Some(written) = written else { return a.refuse(CallError::Format) };
                a.fits(result.len() + written.len())?;
                result.push_str(&written);
            }
        }
    }
    result.push_str(rest);
    text(result)
}
