//! The parts of a literal: which of its letters and digits say something, and which are syntax.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::code::constant_pattern;

/// A part of a script that says something of its author's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptPart<'a> {
    /// A name, as written without quotes.
    Name(&'a str),
    /// A text, or a run of it, that may be a name: only then it is replaced as a whole.
    Named(&'a str),
    /// A run of letters in a text.
    Word(&'a str),
    /// A number, without suffix, or a run of digits in a text.
    Number(&'a str),
    /// A date, month or year in a text: it begins with the year.
    Date(&'a str),
    /// The name in a placeholder.
    Parameter(&'a str),
    /// A literal that is syntax: a format, a unit, a position.
    Kept(&'a str),
}

/// Gives the replacement of a part; `None` if it stays.
pub(super) type Replace<'a> = dyn FnMut(ScriptPart<'_>) -> Option<String> + 'a;

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextUse {
    /// As a value.
    Plain,
    /// As a regular expression or a path into JSON.
    Pattern,
    /// As a pattern of `format_string`.
    Printf,
    /// As a name, or names with their types.
    Names,
    /// As a format, a field of a date or a unit.
    Format,
}

/// Words that the language itself reads or writes in texts: of casts, weekdays and months.
const LANGUAGE: [&str; 43] = [
    "true", "false", "null", "nan", "infinity", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug",
    "sep", "oct", "nov", "dec", "january", "february", "march", "april", "june", "july", "august", "september",
    "october", "november", "december", "utc",
];

const PLACEHOLDER: &str = r"(?P<placeholder>[$#]\{[^}']*\}|@@\{[^}']*\}|\{\{[^}']*\}\}|\$\[[^\]']*\])";
const PIECES: &str = r"(?P<kept>\\u[0-9A-Fa-f]{4}|\\.|\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)|(?:(?P<date>(?:19[5-9]\d|20[0-7]\d)(?:[-/](?:0[1-9]|1[0-2])(?:[-/](?:0[1-9]|[12]\d|3[01]))?|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?)?)\b)|(?P<word>[\p{L}_][\p{L}\p{M}\p{N}_]*)|(?P<number>\d+(?:\.\d+)?)";
const PATTERN: &str = r"(?P<syntax>\[\^?\]?[^\]']*\]|\(\?(?:[:=!]|<[=!]?|[imsx-]{1,4}[:)])?|\{\d+,?\d*\}|\\\\[A-Za-z])";
const CONVERSION: &str = r"(?P<syntax>%\d*\$?[-+0#, ]*\d*(?:\.\d+)?[a-zA-Z%])";

fn pieces(first: &str) -> Regex {
    constant_pattern(&format!("{first}{PLACEHOLDER}|{PIECES}"))
}

/// Returns a text, without its quotes, with its parts replaced.
pub(super) fn replaced(text: &str, read_as: TextUse, replace: &mut Replace<'_>) -> String {
    static PLAIN: LazyLock<Regex> = LazyLock::new(|| pieces(""));
    static PATTERNS: LazyLock<Regex> = LazyLock::new(|| pieces(&format!("{PATTERN}|")));
    static PRINTF: LazyLock<Regex> = LazyLock::new(|| pieces(&format!("{CONVERSION}|")));
    let regex = match read_as {
        TextUse::Format => return kept(text, replace),
        // `concat(month, '-01')` ends a date.
        TextUse::Plain if is_end_of_date(text) => return kept(text, replace),
        TextUse::Plain | TextUse::Names => &PLAIN,
        TextUse::Pattern => &PATTERNS,
        TextUse::Printf => &PRINTF,
    };
    regex.replace_all(text, |found: &Captures<'_>| piece(found, read_as, replace)).into_owned()
}

fn kept(text: &str, replace: &mut Replace<'_>) -> String {
    replace(ScriptPart::Kept(text));
    text.to_owned()
}

fn is_end_of_date(text: &str) -> bool {
    let mut parts = text.strip_prefix('-').unwrap_or("x").split(['-', ' ', ':']);
    parts.all(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn piece(found: &Captures<'_>, read_as: TextUse, replace: &mut Replace<'_>) -> String {
    let text = &found[0];
    let has = |group: &str| found.name(group).is_some();
    let new = match () {
        () if has("placeholder") => return placeholder(text, replace),
        () if has("word") => return word(text, read_as, replace),
        () if has("date") => replace(ScriptPart::Date(text)),
        () if has("number") => number(text, read_as, replace),
        () => replace(ScriptPart::Kept(text)),
    };
    new.unwrap_or_else(|| text.to_owned())
}

/// A run of letters, digits and `_`: a name, or words and numbers.
fn word(run: &str, read_as: TextUse, replace: &mut Replace<'_>) -> String {
    static RUNS: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"[\p{L}\p{M}]+|\d+"));
    let whole = match read_as {
        TextUse::Names => replace(ScriptPart::Name(run)),
        // Aliases of a letter or two are also codes and flags.
        _ if run.chars().count() > 2 => replace(ScriptPart::Named(run)),
        _ => None,
    };
    if let Some(name) = whole {
        return name;
    }
    if read_as == TextUse::Names {
        return run.to_owned();
    }
    let new = |found: &Captures<'_>| {
        let text = &found[0];
        let is_number = text.starts_with(|c: char| c.is_ascii_digit());
        let stays = LANGUAGE.contains(&text.to_lowercase().as_str())
            || read_as != TextUse::Plain && text.chars().nth(1).is_none();
        let new = match (is_number, stays) {
            (true, _) => number(text, read_as, replace),
            (false, true) => replace(ScriptPart::Kept(text)),
            (false, false) => replace(ScriptPart::Word(text)),
        };
        new.unwrap_or_else(|| text.to_owned())
    };
    RUNS.replace_all(run, new).into_owned()
}

fn number(text: &str, read_as: TextUse, replace: &mut Replace<'_>) -> Option<String> {
    // In a pattern, one or two digits count or are those of a group.
    let syntax = read_as != TextUse::Plain && text.len() < 3;
    if syntax || is_neutral(text) { replace(ScriptPart::Kept(text)) } else { replace(ScriptPart::Number(text)) }
}

/// Whether a number is 0 or 1, which say nothing.
pub(super) fn is_neutral(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|value| value == 0.0 || value == 1.0)
}

/// Returns a placeholder, or the key of a parameter, with its name replaced: what stands before a colon and date
/// arithmetic stay, a default is a text.
pub(super) fn placeholder(text: &str, replace: &mut Replace<'_>) -> String {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        constant_pattern(r"^(?P<head>\W*(?:(?:hiveconf|hivevar|system|env):)?)(?P<name>\w+)(?P<tail>(?s).*)$")
    });
    let Some(found) = NAME.captures(text) else { return text.to_owned() };
    let name = replace(ScriptPart::Parameter(&found["name"])).unwrap_or_else(|| found["name"].to_owned());
    let tail = match found["tail"].split_once(":-") {
        Some((before, default)) => {
            format!("{}:-{}", after_name(before, replace), replaced(default, TextUse::Plain, replace))
        }
        None => after_name(&found["tail"], replace),
    };
    format!("{}{name}{tail}", &found["head"])
}

/// Returns what follows the first name of a placeholder: date arithmetic stays, further names are replaced.
fn after_name(tail: &str, replace: &mut Replace<'_>) -> String {
    static ARITHMETIC: LazyLock<Regex> =
        LazyLock::new(|| constant_pattern(r"^\s*(?:[+-]\s*\d+\s*[A-Za-z]?)?\s*[}\])]*$"));
    static NAMES: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"[\p{L}_]\w*"));
    if ARITHMETIC.is_match(tail) {
        return tail.to_owned();
    }
    let new = |found: &Captures<'_>| replace(ScriptPart::Parameter(&found[0])).unwrap_or_else(|| found[0].to_owned());
    NAMES.replace_all(tail, new).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, read_as: TextUse) -> String {
        let mark = |part: ScriptPart<'_>| match part {
            ScriptPart::Word(text) => Some(format!("<{text}>")),
            ScriptPart::Number(text) => Some(format!("#{text}")),
            ScriptPart::Date(text) => Some(format!("@{text}")),
            ScriptPart::Parameter(text) => Some(format!("?{text}")),
            ScriptPart::Name("city") | ScriptPart::Named("city") => Some("NAME".to_owned()),
            _ => None,
        };
        let mut mark = mark;
        replaced(text, read_as, &mut mark)
    }

    #[test]
    fn a_text_is_read_as_its_place_says() {
        let cases = [
            ("PAID_OUT", TextUse::Plain, "<PAID>_<OUT>"),
            ("2024-03-15 08:30:00", TextUse::Plain, "@2024-03-15 08:30:00"),
            ("-01", TextUse::Plain, "-01"),
            ("0-30 d", TextUse::Plain, "0-#30 <d>"),
            ("${hiveconf:dt-1}", TextUse::Plain, "${hiveconf:?dt-1}"),
            ("${acme.run-date}", TextUse::Plain, "${?acme.?run-?date}"),
            ("$['acme']", TextUse::Pattern, "$['<acme>']"),
            ("(?:acme|(?i)b", TextUse::Pattern, "(?:<acme>|(?i)b"),
            ("it\\'s city", TextUse::Plain, "<it>\\'<s> NAME"),
            ("^[A-Z]{2}\\\\d+acme", TextUse::Pattern, "^[A-Z]{2}\\\\d+<acme>"),
            ("$.city[0].acme", TextUse::Pattern, "$.NAME[0].<acme>"),
            ("%s of %05d", TextUse::Printf, "%s <of> %05d"),
            ("yyyy-MM", TextUse::Format, "yyyy-MM"),
            ("city INT", TextUse::Names, "NAME INT"),
            ("true", TextUse::Plain, "true"),
        ];
        for (text, read_as, wanted) in cases {
            assert_eq!(shown(text, read_as), wanted, "{text}");
        }
    }
}
