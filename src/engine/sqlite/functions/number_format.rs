//! `to_char` and `to_number`: write and read numbers by a format such as `$9,999.00S`.

use rusqlite::types::{Value, ValueRef};

use super::arguments::{Arguments, CallError};
use super::body::{Body, real, text};

pub(super) const FUNCTIONS: &[(&str, Body)] =
    &[("h_to_char", to_char), ("h_to_number", |a| to_number(a, true)), ("h_try_to_number", |a| to_number(a, false))];

/// Where a format puts the sign.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    None,
    /// `S`: minus or plus.
    Both(SignSide),
    /// `MI`: minus or a blank.
    Minus(SignSide),
    /// `PR`: angle brackets.
    Brackets,
}

#[derive(Clone, Copy, PartialEq)]
enum SignSide {
    Before,
    After,
}

/// A parsed format.
struct NumberFormat {
    sign: Sign,
    currency: bool,
    /// `0`, `9` and `,` before the point.
    whole: Vec<char>,
    point: bool,
    /// Digits after the point.
    fraction: usize,
}

impl NumberFormat {
    fn read(format: &str) -> Option<NumberFormat> {
        let mut rest = format.trim().to_ascii_uppercase().replace('D', ".").replace('G', ",");
        let mut sign = Sign::None;
        for (word, before, after) in [
            ("MI", Sign::Minus(SignSide::Before), Sign::Minus(SignSide::After)),
            ("S", Sign::Both(SignSide::Before), Sign::Both(SignSide::After)),
        ] {
            if let Some(cut) = rest.strip_prefix(word) {
                (rest, sign) = (cut.to_owned(), before);
            } else if let Some(cut) = rest.strip_suffix(word) {
                (rest, sign) = (cut.to_owned(), after);
            }
        }
        if let Some(cut) = rest.strip_suffix("PR") {
            (rest, sign) = (cut.to_owned(), Sign::Brackets);
        }
        let currency = rest.starts_with('$');
        let rest = rest.trim_start_matches('$');
        let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(whole, fraction)| (whole, Some(fraction)));
        let digits = |part: &str| part.chars().all(|c| matches!(c, '0' | '9'));
        let known =
            whole.split(',').all(digits) && fraction.is_none_or(digits) && !(whole.is_empty() && fraction.is_none());
        known.then(|| NumberFormat {
            sign,
            currency,
            whole: whole.chars().collect(),
            point: fraction.is_some(),
            fraction: fraction.map_or(0, str::len),
        })
    }

    fn digits_before(&self) -> usize {
        self.whole.iter().filter(|c| **c != ',').count()
    }
}

/// The digits of a number before and after its point.
struct Digits {
    whole: String,
    fraction: String,
    negative: bool,
}

/// Returns the digits of the first argument. The third argument is the scale of a decimal, or -1.
fn digits_of(a: &Arguments<'_>) -> Option<Digits> {
    let plain = match (a.raw(0), usize::try_from(a.integer(2)?)) {
        (ValueRef::Integer(number), _) => number.to_string(),
        (_, Ok(scale)) => format!("{:.scale$}", a.real(0)?),
        (ValueRef::Real(number), Err(_)) => format!("{number}"),
        _ => {
            let text = a.text(0)?.trim().to_owned();
            let known = text.parse::<f64>().is_ok() && !text.contains(['e', 'E', 'n', 'i', 'N', 'I']);
            if known { text } else { return None }
        }
    };
    let negative = plain.starts_with('-');
    let plain = plain.trim_start_matches(['-', '+']);
    let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    Some(Digits { whole: whole.trim_start_matches('0').to_owned(), fraction: fraction.to_owned(), negative })
}

fn to_char(a: &Arguments<'_>) -> Option<Value> {
    let (Some(format), false) = (NumberFormat::read(&a.text(1)?), a.is_null(0)) else {
        return if a.is_null(0) { None } else { a.refuse(CallError::Format) };
    };
    let Digits { whole, mut fraction, negative } = digits_of(a)?;
    if whole.len() > format.digits_before() || fraction.len() > format.fraction {
        return too_wide(a, &format);
    }
    while fraction.len() < format.fraction {
        fraction.push('0');
    }
    let mut said = before_point(&format, &whole);
    if format.point {
        said.push('.');
        said.push_str(&fraction);
    }
    text(signed(&format, said, negative))
}

/// Writes a number that does not fit as `#`. For formats with a sign or currency the call is refused, because the
/// embedded engine does not know how Spark writes it.
fn too_wide(a: &Arguments<'_>, format: &NumberFormat) -> Option<Value> {
    if format.sign != Sign::None || format.currency {
        return a.refuse(CallError::Format);
    }
    let mut said: String = format.whole.iter().map(|c| if *c == ',' { ',' } else { '#' }).collect();
    if format.point {
        said.push('.');
        said.push_str(&"#".repeat(format.fraction));
    }
    text(said)
}

/// Writes the part before the point, with blanks for missing digits, or zeros if the format begins with 0.
fn before_point(format: &NumberFormat, whole: &str) -> String {
    let places = format.digits_before();
    let zeros = format.whole.first() == Some(&'0');
    let shown = if whole.is_empty() && format.point && places > 0 { "0" } else { whole };
    let missing = places - shown.len();
    // Digits are one byte each.
    let digits = shown.as_bytes();
    let (mut said, mut at) = (String::new(), 0);
    for c in &format.whole {
        if *c == ',' {
            said.push(if at > missing || zeros { ',' } else { ' ' });
            continue;
        }
        let digit = at.checked_sub(missing).and_then(|at| digits.get(at));
        said.push(digit.map_or(if zeros { '0' } else { ' ' }, |digit| char::from(*digit)));
        at += 1;
    }
    said
}

/// Adds sign and currency. A leading sign stands before the first digit, the currency before all blanks.
fn signed(format: &NumberFormat, mut said: String, negative: bool) -> String {
    let sign = match format.sign {
        Sign::Both(_) => Some(if negative { '-' } else { '+' }),
        Sign::Minus(_) => Some(if negative { '-' } else { ' ' }),
        _ => None,
    };
    let start = said.len() - said.trim_start().len();
    match (format.sign, sign) {
        (Sign::Both(SignSide::Before) | Sign::Minus(SignSide::Before), Some(sign)) => said.insert(start, sign),
        (_, Some(sign)) => said.push(sign),
        (Sign::Brackets, _) if negative => {
            said.insert(start, '<');
            said.push('>');
        }
        (Sign::Brackets, _) => said.push_str("  "),
        _ => {}
    }
    if format.currency {
        said.insert(0, '$');
    }
    said
}

fn to_number(a: &Arguments<'_>, strict: bool) -> Option<Value> {
    let Some(format) = NumberFormat::read(&a.text(1)?) else { return a.refuse(CallError::Format) };
    let given = a.text(0)?;
    match matched(&format, given.trim()) {
        Some(number) => real(number),
        None if strict => a.refuse(CallError::Format),
        None => None,
    }
}

fn matched(format: &NumberFormat, given: &str) -> Option<f64> {
    let (mut rest, mut negative) = (given, false);
    let cut = |text: &'static str, rest: &mut &str, side: SignSide| {
        let cut = if side == SignSide::Before { rest.strip_prefix(text) } else { rest.strip_suffix(text) };
        cut.map(|cut| *rest = cut).is_some()
    };
    match format.sign {
        Sign::Both(side) => {
            negative = cut("-", &mut rest, side);
            let _ = negative || cut("+", &mut rest, side);
        }
        Sign::Minus(side) => negative = cut("-", &mut rest, side),
        Sign::Brackets => {
            negative = rest.starts_with('<') && rest.ends_with('>') && rest.len() > 1;
            rest = if negative { &rest[1..rest.len() - 1] } else { rest };
        }
        Sign::None => {}
    }
    rest = if format.currency { rest.strip_prefix('$')? } else { rest };
    let (whole, fraction) = match rest.split_once('.') {
        Some((whole, fraction)) if format.point => (whole, fraction),
        Some(_) => return None,
        None => (rest, ""),
    };
    let is_digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    if !fits(format, whole) || !is_digits(fraction) || fraction.len() > format.fraction {
        return None;
    }
    let plain = format!("{}.{fraction}0", whole.replace(',', ""));
    let number: f64 = if whole.is_empty() { format!("0{plain}") } else { plain }.parse().ok()?;
    Some(if negative { -number } else { number })
}

/// Whether digits fit a format: groups match from the right, and a format that begins with 0 needs all its digits.
fn fits(format: &NumberFormat, whole: &str) -> bool {
    let pattern: String = format.whole.iter().collect();
    let (mut wanted, mut given): (Vec<&str>, Vec<&str>) = (pattern.rsplit(',').collect(), whole.rsplit(',').collect());
    if given == [""] {
        return !pattern.starts_with('0');
    }
    let digits = given.iter().all(|group| !group.is_empty() && group.chars().all(|c| c.is_ascii_digit()));
    if pattern.starts_with('0') {
        return digits && wanted.iter().map(|it| it.len()).eq(given.iter().map(|it| it.len()));
    }
    let count = given.len();
    wanted.truncate(count);
    given.truncate(wanted.len());
    digits && count == wanted.len() && given.iter().zip(&wanted).all(|(given, wanted)| given.len() <= wanted.len())
}
