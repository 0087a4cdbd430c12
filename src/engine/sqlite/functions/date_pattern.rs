//! Java's date patterns (`yyyy-MM-dd HH:mm:ss`), as Spark reads and writes them.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

enum DatePatternPiece<'a> {
    /// A letter and how often it is repeated.
    Field(char, usize),
    /// Literal text.
    Literal(&'a str),
}

fn pieces(pattern: &str) -> Vec<DatePatternPiece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        if first == '\'' {
            let inner = &rest[1..];
            let end = inner.find('\'').unwrap_or(inner.len());
            pieces.push(DatePatternPiece::Literal(if end == 0 { "'" } else { &inner[..end] }));
            rest = inner.get(end + 1..).unwrap_or_default();
        } else if matches!(first, '[' | ']') {
            pieces.push(DatePatternPiece::Field(first, 1));
            rest = &rest[1..];
        } else if first.is_ascii_alphabetic() {
            let count = rest.chars().take_while(|c| *c == first).count();
            pieces.push(DatePatternPiece::Field(first, count));
            rest = &rest[count..];
        } else {
            let end =
                rest.find(|c: char| matches!(c, '\'' | '[' | ']') || c.is_ascii_alphabetic()).unwrap_or(rest.len());
            pieces.push(DatePatternPiece::Literal(&rest[..end]));
            rest = &rest[end..];
        }
    }
    pieces
}

/// Formats `moment` by `pattern`; `None` if Spark refuses a letter of the pattern.
pub fn format(moment: &NaiveDateTime, pattern: &str) -> Option<String> {
    let mut shown = String::new();
    for piece in pieces(pattern) {
        match piece {
            DatePatternPiece::Literal(text) => shown.push_str(text),
            DatePatternPiece::Field(letter, count) => shown.push_str(&field(moment, letter, count)?),
        }
    }
    Some(shown)
}

/// The most letters of a field; Java refuses more.
const MOST_LETTERS: usize = 19;

/// The most optional sections: each doubles the number of patterns that a text is matched against.
const MOST_SECTIONS: usize = 6;

fn field(moment: &NaiveDateTime, letter: char, count: usize) -> Option<String> {
    if count > MOST_LETTERS {
        return None;
    }
    let padded = |number: u32| format!("{number:0count$}");
    Some(match letter {
        'y' if count == 2 => format!("{:02}", moment.year().rem_euclid(100)),
        'y' => format!("{:0count$}", moment.year()),
        'M' | 'L' if count == 3 => moment.format("%b").to_string(),
        'M' | 'L' if count == 4 => moment.format("%B").to_string(),
        'M' | 'L' => padded(moment.month()),
        'd' => padded(moment.day()),
        'D' => padded(moment.ordinal()),
        'H' => padded(moment.hour()),
        'k' => padded(if moment.hour() == 0 { 24 } else { moment.hour() }),
        'K' => padded(moment.hour() % 12),
        'h' => padded(if moment.hour().is_multiple_of(12) { 12 } else { moment.hour() % 12 }),
        'm' => padded(moment.minute()),
        's' => padded(moment.second()),
        'S' => format!("{:09}", moment.nanosecond() % 1_000_000_000).chars().take(count).collect(),
        'a' => if moment.hour() < 12 { "AM" } else { "PM" }.to_owned(),
        // Hive's number of the day, from Monday on; Spark refuses the letter.
        'u' if count == 1 => moment.weekday().number_from_monday().to_string(),
        'E' if count >= 4 => moment.format("%A").to_string(),
        'E' => moment.format("%a").to_string(),
        'Q' | 'q' if count == 3 => format!("Q{}", moment.month0() / 3 + 1),
        'Q' | 'q' if count == 4 => {
            ["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"][moment.month0() as usize / 3].to_owned()
        }
        'Q' | 'q' if count < 3 => padded(moment.month0() / 3 + 1),
        'G' if count <= 3 => if moment.year() > 0 { "AD" } else { "BC" }.to_owned(),
        'F' => padded((moment.day() - 1) % 7 + 1),
        'z' if count <= 3 => "UTC".to_owned(),
        'V' if count == 2 => "UTC".to_owned(),
        'Z' if count <= 3 => "+0000".to_owned(),
        'X' => "Z".to_owned(),
        'x' => ["+00", "+0000", "+00:00"][count.min(3) - 1].to_owned(),
        '[' | ']' => String::new(),
        _ => return None,
    })
}

/// Whether a pattern is supported for reading: all its letters are known and it has few optional sections.
pub fn is_readable(pattern: &str) -> bool {
    let known = |piece: &DatePatternPiece<'_>| match piece {
        DatePatternPiece::Literal(_) => true,
        DatePatternPiece::Field(letter, count) => *count <= MOST_LETTERS && "yMLdDHkKhmsSazVZXx[]".contains(*letter),
    };
    pattern.matches('[').count() <= MOST_SECTIONS && pieces(pattern).iter().all(known)
}

/// Reads `text` by `pattern`, in which `[…]` is optional. Missing fields get the first value of their kind (January,
/// day 1, midnight); a missing year is 1970.
pub fn parse(text: &str, pattern: &str) -> Option<NaiveDateTime> {
    if let (Some(open), Some(close)) = (pattern.find('['), pattern.find(']')) {
        let with = [&pattern[..open], pattern.get(open + 1..close)?, &pattern[close + 1..]].concat();
        return parse(text, &with).or_else(|| parse(text, &[&pattern[..open], &pattern[close + 1..]].concat()));
    }
    let mut reading = DateFields {
        year: 1970,
        month: 1,
        day: 1,
        hour: 0,
        minute: 0,
        second: 0,
        nanos: 0,
        noon: None,
        day_of_year: None,
        zone: None,
    };
    let mut rest = text;
    let pieces = pieces(pattern);
    for (index, piece) in pieces.iter().enumerate() {
        let adjacent = matches!(pieces.get(index + 1), Some(DatePatternPiece::Field(..)));
        rest = match piece {
            DatePatternPiece::Literal(literal) => rest.strip_prefix(literal)?,
            DatePatternPiece::Field(letter, count) => reading.take(rest, *letter, *count, adjacent)?,
        };
    }
    if rest.is_empty() { reading.moment() } else { None }
}

struct DateFields {
    year: i32,
    month: u32,
    day: u32,
    hour: u32,
    minute: u32,
    second: u32,
    nanos: u32,
    noon: Option<bool>,
    day_of_year: Option<u32>,
    zone: Option<super::zone::Zone>,
}

impl DateFields {
    /// Reads one field from the front of `text` and returns the rest.
    fn take<'a>(&mut self, text: &'a str, letter: char, count: usize, adjacent: bool) -> Option<&'a str> {
        if letter == 'a' {
            let head = text.get(..2)?;
            self.noon = Some(head.eq_ignore_ascii_case("PM"));
            return Some(&text[2..]);
        }
        if matches!(letter, 'z' | 'V' | 'Z' | 'X' | 'x') {
            let end = text.find([' ', ',']).unwrap_or(text.len());
            self.zone = Some(super::zone::Zone::read(&with_colon(&text[..end]))?);
            return Some(&text[end..]);
        }
        if matches!(letter, 'M' | 'L') && count >= 3 {
            return self.take_month_name(text);
        }
        let digits = text.chars().take_while(char::is_ascii_digit).count();
        let most = if adjacent { count } else { usize::max(count, if count == 1 { 2 } else { count }) };
        let length = digits.min(most);
        if length < count.min(if count == 1 { 1 } else { count }) {
            return None;
        }
        let number: u32 = text[..length].parse().ok()?;
        match letter {
            'y' if count == 2 => self.year = 2000 + number as i32,
            'y' => self.year = number as i32,
            'M' | 'L' => self.month = number,
            'd' => self.day = number,
            'D' => self.day_of_year = Some(number),
            'H' if number < 24 => self.hour = number,
            'K' if number < 12 => self.hour = number,
            'k' if (1..=24).contains(&number) => self.hour = number % 24,
            'h' if (1..=12).contains(&number) => self.hour = number,
            'm' => self.minute = number,
            's' => self.second = number,
            'S' => self.nanos = number * 10u32.pow(9u32.saturating_sub(length as u32)),
            _ => return None,
        }
        Some(&text[length..])
    }

    fn take_month_name<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        const NAMES: [&str; 12] = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ];
        for (index, name) in NAMES.iter().enumerate() {
            for form in [*name, &name[..3]] {
                if let Some(rest) = text.strip_prefix(form) {
                    self.month = index as u32 + 1;
                    return Some(rest);
                }
            }
        }
        None
    }

    fn moment(&self) -> Option<NaiveDateTime> {
        let hour = match self.noon {
            Some(true) => self.hour % 12 + 12,
            Some(false) => self.hour % 12,
            None => self.hour,
        };
        let date = match self.day_of_year {
            Some(day) => NaiveDate::from_yo_opt(self.year, day)?,
            None => NaiveDate::from_ymd_opt(self.year, self.month, self.day)?,
        };
        let time = NaiveTime::from_hms_nano_opt(hour, self.minute, self.second, self.nanos)?;
        let moment = date.and_time(time);
        self.zone.map_or(Some(moment), |zone| zone.to_utc(moment))
    }
}

/// Turns `+0800` into `+08:00`.
fn with_colon(offset: &str) -> String {
    match offset.strip_prefix(['+', '-']) {
        Some(digits) if digits.len() == 4 && digits.is_ascii() => format!("{}:{}", &offset[..3], &offset[3..]),
        _ => offset.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_write_and_read() {
        let moment = parse("2024-03-05 14:07:09", "yyyy-MM-dd HH:mm:ss").unwrap();
        for (pattern, shown) in [
            ("yyyyMMdd", "20240305"),
            ("yyyy-MM", "2024-03"),
            ("HH", "14"),
            ("hh:mm a", "02:07 PM"),
            ("mm", "07"),
            ("E", "Tue"),
            ("u", "2"),
            ("D", "65"),
            ("yyyy'W'", "2024W"),
            ("d/M/yy", "5/3/24"),
        ] {
            assert_eq!(format(&moment, pattern).as_deref(), Some(shown), "{pattern}");
        }
        assert_eq!(parse("20240305", "yyyyMMdd").map(|m| m.to_string()).as_deref(), Some("2024-03-05 00:00:00"));
        assert_eq!(parse("2024-3-5", "yyyy-MM-dd"), None);
        assert_eq!(parse("2024-03-05x", "yyyy-MM-dd"), None);
    }
}
