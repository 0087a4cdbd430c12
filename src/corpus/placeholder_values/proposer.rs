//! The value that is proposed first for a placeholder, by its name and its places.

use super::super::usual_placeholders::follows_word;
use super::by_name::{as_name, by_name, names_beginning};
use super::by_place::{
    as_beginning_of_day, in_format, is_condition, is_day, is_day_of_month, is_least, is_list, is_moment, is_month,
    is_number, is_part_of_name, is_share, is_table,
};
use super::day::{COMPACT_DAY, COMPACT_FIRST_DAY, COMPACT_MONTH, DAY, FIRST_DAY, MOMENT};
use crate::code::literal::quoted;
use crate::code::parameters::UnboundPlaceholder;
use crate::code::placeholder::{Placeholder, placeholders, touches_name};
use crate::code::span::Span;

/// A list behind IN.
const LIST: &str = "('x')";

/// Proposes values for the placeholders of a text.
pub(super) struct Proposer<'a> {
    text: &'a str,
    /// The placeholders outside of texts and comments.
    in_sql: Vec<Placeholder>,
    elsewhere: Vec<Placeholder>,
    /// A month without a dash goes with days without any.
    is_compact: bool,
    /// The parts of a day have placeholders of their own.
    is_in_parts: bool,
    /// Where a placeholder stands that must be a piece of SQL: neither a value nor a name can stand there.
    piece: Option<Span>,
}

impl<'a> Proposer<'a> {
    pub fn new(text: &'a str, missing: &[UnboundPlaceholder], piece: Option<Span>) -> Proposer<'a> {
        let (in_sql, elsewhere) = placeholders(text).into_iter().partition(|placeholder| placeholder.in_sql);
        Proposer {
            text,
            in_sql,
            elsewhere,
            is_compact: missing.iter().any(|missing| by_name(&missing.key) == COMPACT_MONTH),
            is_in_parts: missing.iter().any(|missing| missing.key.eq_ignore_ascii_case("year")),
            piece,
        }
    }

    /// Whether a placeholder stands for a whole value of an expression, which may bring quotes of its own.
    pub fn is_value(&self, key: &str) -> bool {
        !self.is_in_text(key) && self.is_whole_in_sql(key).all(|is_whole| is_whole)
    }

    /// Whether a placeholder stands between quotes, where it cannot bring any.
    fn is_in_text(&self, key: &str) -> bool {
        self.elsewhere.iter().any(|other| other.required && other.key == key)
    }

    /// Whether each place of a placeholder outside of texts is that of a value rather than a part of a name.
    fn is_whole_in_sql(&self, key: &str) -> impl Iterator<Item = bool> {
        let places = self.in_sql.iter().filter(move |known| known.key == key);
        places.map(|known| !is_part_of_name(self.text, known.span))
    }

    /// Returns the text that takes the place of a placeholder; a range of days begins before the day at which it ends.
    pub fn value(&self, missing: &UnboundPlaceholder) -> String {
        let of_key = self.in_sql.iter().filter(|known| known.key == missing.key);
        if let Some(piece) = of_key.map(|known| known.span).find(|span| Some(*span) == self.piece) {
            return piece_of_sql(&self.text[..piece.start], &self.text[piece.end..]).to_owned();
        }
        let value = self.value_of_one_day(missing);
        let key = &missing.key;
        let spans = self.in_sql.iter().chain(&self.elsewhere).filter(|other| other.key == *key && other.required);
        let mut spans = spans.map(|other| other.span).peekable();
        let is_compared_so = spans.peek().is_some() && spans.all(|span| is_least(self.text, span));
        match names_beginning(key) || is_compared_so {
            true => value.replace(DAY, FIRST_DAY).replace(COMPACT_DAY, COMPACT_FIRST_DAY),
            false => value,
        }
    }

    fn value_of_one_day(&self, UnboundPlaceholder { key, span }: &UnboundPlaceholder) -> String {
        if is_table(self.text, *span) {
            return as_name(key, self.text);
        }
        if self.in_sql.iter().any(|known| known.key == *key && is_list(self.text, known.span)) {
            return LIST.to_owned();
        }
        // Where no quotes stand around it, a text brings its own.
        let is_value = self.in_sql.iter().any(|known| known.span == *span) && !is_part_of_name(self.text, *span);
        if is_value && is_condition(self.text, *span) {
            return "1=1".to_owned();
        }
        if let Some(value) = self.day_by_use(key).or_else(|| self.within_names(key)) {
            return value;
        }
        let value = match key.to_lowercase().as_str() {
            "day" if self.is_in_parts => "15",
            "month" if self.is_in_parts => "03",
            _ => by_name(key),
        };
        let is_in_both = self.is_in_text(key) && self.is_whole_in_sql(key).any(|is_whole| is_whole);
        let value = match (is_in_both || self.is_compact && value.len() == 10, value) {
            (true, DAY) => COMPACT_DAY,
            (true, "x") => "7",
            (_, value) => value,
        };
        if is_value && matches!(value, "x" | "7") {
            if is_share(self.text, *span) {
                return "0.5".to_owned();
            }
            if follows_word(&self.text[..span.start], &["LIKE"]) {
                return quoted("%");
            }
            if is_number(self.text, *span) {
                return "7".to_owned();
            }
        }
        let is_number = value.chars().all(|c| c.is_ascii_digit());
        if is_value && !is_number && !is_in_both { quoted(value) } else { value.to_owned() }
    }

    /// A day, or its beginning, as the script reads or compares it in one of the places of a placeholder; `None` if none says.
    fn day_by_use(&self, key: &str) -> Option<String> {
        let spans =
            || self.in_sql.iter().chain(&self.elsewhere).filter(|other| other.key == key).map(|other| other.span);
        if let Some(beginning) = spans().find_map(|span| as_beginning_of_day(self.text, span)) {
            return Some(beginning.to_owned());
        }
        if let Some(day) = spans().find_map(|span| in_format(self.text, span)) {
            return Some(day);
        }
        let is_any = |holds: fn(&str, Span) -> bool| spans().any(|span| holds(self.text, span));
        let found = match by_name(key) {
            _ if is_any(is_month) => "2024-02",
            _ if is_any(is_day_of_month) => "15",
            _ if is_any(is_moment) => MOMENT,
            "x" | "15" | "7" if is_any(is_day) => DAY,
            _ => return None,
        };
        Some(found.to_owned())
    }

    /// A value for a placeholder that is a part of a name: of letters and digits alone, and another one for each placeholder
    /// about which nothing is known; `None` for others.
    fn within_names(&self, key: &str) -> Option<String> {
        let is_within = self.in_sql.iter().any(|other| other.key == key && touches_name(self.text, other.span));
        is_within.then(|| match by_name(key) {
            "x" | "7" => as_name(key, self.text),
            value => value.replace('-', ""),
        })
    }
}

/// Returns SQL that can stand between two texts in place of a placeholder: what has to stand there, or nothing.
fn piece_of_sql(before: &str, behind: &str) -> &'static str {
    let next = behind.split_whitespace().next().unwrap_or_default();
    if follows_word(before, &["IN"]) {
        LIST
    } else if follows_word(before, &["INSERT"]) {
        "INTO"
    } else if next.eq_ignore_ascii_case("AND") {
        "WHERE 1=1"
    } else {
        ""
    }
}
