//! Expressions: on one line if they fit, else broken at CASE, in parentheses, and before AND, OR, `+`, FROM and WHERE.

use super::flat::{Flat, is_keyword};
use super::layout::ScriptLayout;
use super::writer::RangeOwner;

/// Width of parentheses, as those of a type, that nobody breaks, whatever room is left.
const SHORT: usize = 16;

impl ScriptLayout<'_> {
    /// Writes tokens at the current place; lines after the first begin with `indent`.
    pub(super) fn expression(&mut self, flats: &[Flat], indent: &str) {
        let room = self.style.width.saturating_sub(self.writer.place());
        if self.width(flats) <= room && !wants_lines(flats) {
            self.run(flats, indent);
            return;
        }
        self.broken(flats, indent);
    }

    /// Writes tokens on one line.
    fn run(&mut self, flats: &[Flat], indent: &str) {
        let mut before: Option<String> = None;
        for (place, flat) in flats.iter().enumerate() {
            self.token(flat, &mut before, place > 0, indent);
        }
    }

    /// Writes one token, with the blank before it.
    fn token(&mut self, flat: &Flat, before: &mut Option<String>, inside: bool, indent: &str) {
        match flat {
            Flat::Begin(id) => self.writer.begin(RangeOwner::Decision(*id)),
            Flat::End(id) => self.writer.end(RangeOwner::Decision(*id)),
            Flat::Block(block) => {
                self.writer.space();
                self.inside(*block, indent);
                *before = Some(")".to_owned());
            }
            Flat::Token(text) => {
                if inside && before.as_ref().is_some_and(|before| spaced(before, text)) {
                    self.writer.space();
                }
                self.writer.put(text);
                // A minus sign at the start, or after `(`, a comma or a keyword, stands right before its number.
                let opens = |before: &str| before == "(" || before == "," || is_keyword(before);
                let sign = text == "-" && before.as_deref().is_none_or(opens);
                *before = Some(if sign { "(".to_owned() } else { text.clone() });
            }
        }
    }

    /// Returns the width of tokens on one line; blocks count nothing.
    pub(super) fn width(&self, flats: &[Flat]) -> usize {
        let mut width = 0;
        let mut before: Option<&String> = None;
        for flat in flats {
            match flat {
                Flat::Token(text) => {
                    width += text.chars().count() + usize::from(before.is_some_and(|before| spaced(before, text)));
                    before = Some(text);
                }
                Flat::Block(_) => {}
                _ => {}
            }
        }
        width
    }

    /// Writes tokens over several lines.
    fn broken(&mut self, flats: &[Flat], indent: &str) {
        let step = format!("{indent}{}", self.step());
        let mut before: Option<String> = None;
        let mut place = 0;
        while place < flats.len() {
            let flat = &flats[place];
            match flat {
                Flat::Token(text) if text.eq_ignore_ascii_case("CASE") => {
                    let end = case_end(flats, place);
                    if before.as_ref().is_some_and(|before| spaced(before, text)) {
                        self.writer.space();
                    }
                    self.case(&flats[place..=end], indent);
                    before = Some("END".to_owned());
                    place = end;
                }
                Flat::Token(text) if text == "(" => {
                    let end = closing(flats, place);
                    if before.as_ref().is_some_and(|before| spaced(before, "(")) {
                        self.writer.space();
                    }
                    self.parentheses(&flats[place..=end], indent);
                    before = Some(")".to_owned());
                    place = end;
                }
                Flat::Token(text) if breaks(text) && place > 0 => {
                    self.writer.line(&step);
                    self.writer.put(text);
                    before = Some(text.clone());
                }
                other => self.token(other, &mut before, place > 0, indent),
            }
            place += 1;
        }
    }

    /// Writes `CASE … END`, one arm a line.
    fn case(&mut self, flats: &[Flat], indent: &str) {
        let step = format!("{indent}{}", self.step());
        let mut start = 1;
        let Some(Flat::Token(word)) = flats.first() else { return };
        self.writer.put(word);
        let mut depth = 0;
        let mut first = true;
        for place in 1..flats.len() {
            let Flat::Token(text) = &flats[place] else { continue };
            let upper = text.to_ascii_uppercase();
            match upper.as_str() {
                "CASE" | "(" => depth += 1,
                ")" => depth -= 1,
                "END" if depth > 0 => depth -= 1,
                "WHEN" | "ELSE" | "END" if depth == 0 => {
                    // Edges of decisions that stand before the word belong to what follows.
                    let mut edge = place;
                    while edge > start && matches!(flats[edge - 1], Flat::Begin(_)) {
                        edge -= 1;
                    }
                    if edge > start {
                        self.part(&flats[start..edge], &step, first);
                    }
                    first = false;
                    start = edge;
                }
                _ => {}
            }
        }
        self.writer.line(indent);
        self.run(&flats[start..], indent);
    }

    /// Writes an arm of CASE, or the operand after the word.
    fn part(&mut self, flats: &[Flat], step: &str, operand: bool) {
        let is_arm = flats.iter().find_map(|flat| match flat {
            Flat::Token(text) => Some(matches!(text.to_ascii_uppercase().as_str(), "WHEN" | "ELSE")),
            _ => None,
        });
        if operand && is_arm != Some(true) {
            self.writer.space();
        } else {
            self.writer.line(step);
        }
        let deeper = format!("{step}{}", self.step());
        self.expression(flats, &deeper);
    }

    /// Writes parentheses, with their contents over several lines if they do not fit.
    fn parentheses(&mut self, flats: &[Flat], indent: &str) {
        let room = self.style.width.saturating_sub(self.writer.place());
        let inner = &flats[1..flats.len() - 1];
        if self.width(flats) <= room.max(SHORT) && !wants_lines(inner) {
            self.run(flats, indent);
            return;
        }
        let step = format!("{indent}{}", self.step());
        self.writer.put("(");
        let parts = parts(inner);
        for (number, part) in parts.iter().enumerate() {
            let (comma, body) = match part.first() {
                Some(Flat::Token(text)) if text == "," => (true, &part[1..]),
                _ => (false, &part[..]),
            };
            if comma {
                if self.style.comma == super::style::CommaPosition::Trailing {
                    self.writer.put(",");
                    self.writer.line(&step);
                } else {
                    self.writer.line(&step);
                    self.writer.put(",");
                }
            } else if number > 0 || !body.is_empty() {
                self.writer.line(&step);
            }
            self.expression(body, &step);
        }
        self.writer.line(indent);
        self.writer.put(")");
    }
}

/// Cuts the inside of parentheses before commas and clauses; a comma is the first token of its part.
fn parts(flats: &[Flat]) -> Vec<&[Flat]> {
    let mut found = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (place, flat) in flats.iter().enumerate() {
        let Flat::Token(text) = flat else { continue };
        let upper = text.to_ascii_uppercase();
        match upper.as_str() {
            "(" | "CASE" => depth += 1,
            ")" | "END" => depth -= 1,
            "," | "PARTITION" | "ORDER" | "ROWS" | "FROM" | "WHERE" | "GROUP" if depth == 0 && place > start => {
                // Lists after PARTITION BY, ORDER BY and SELECT stay on their line.
                let in_window = found_window(&flats[start..place]);
                if upper == "," && in_window {
                    continue;
                }
                found.push(&flats[start..place]);
                start = place;
            }
            _ => {}
        }
    }
    found.push(&flats[start..]);
    found
}

fn found_window(flats: &[Flat]) -> bool {
    matches!(flats.first(), Some(Flat::Token(text)) if matches!(text.to_ascii_uppercase().as_str(), "PARTITION" | "ORDER" | "SELECT"))
}

/// Whether an expression is never on one line, as one with several WHEN.
fn wants_lines(flats: &[Flat]) -> bool {
    let arms = flats.iter().filter(|flat| matches!(flat, Flat::Token(text) if text.eq_ignore_ascii_case("WHEN")));
    arms.count() > 1
}

fn breaks(text: &str) -> bool {
    matches!(text.to_ascii_uppercase().as_str(), "AND" | "OR" | "+" | "FROM" | "WHERE")
}

/// Returns the index of the parenthesis that closes the one at `open`.
fn closing(flats: &[Flat], open: usize) -> usize {
    end_of_nested(flats, open, ["(", ")"])
}

/// Returns the index of the END of the CASE at `start`.
fn case_end(flats: &[Flat], start: usize) -> usize {
    end_of_nested(flats, start, ["CASE", "END"])
}

/// Returns the index of the token that closes the one at `start`; the last index where none does.
fn end_of_nested(flats: &[Flat], start: usize, [opens, closes]: [&str; 2]) -> usize {
    let mut depth = 0;
    for (place, flat) in flats.iter().enumerate().skip(start) {
        let Flat::Token(text) = flat else { continue };
        if text.eq_ignore_ascii_case(opens) {
            depth += 1;
        } else if text.eq_ignore_ascii_case(closes) {
            depth -= 1;
            if depth == 0 {
                return place;
            }
        }
    }
    flats.len() - 1
}

/// Whether a blank stands between two tokens.
fn spaced(before: &str, after: &str) -> bool {
    match (before, after) {
        ("(" | "[" | ".", _) | (_, ")" | "]" | "," | "." | "[") => false,
        (_, "(") if before.eq_ignore_ascii_case("GROUPING") => false,
        (_, "(") => is_keyword(before) || before == "," || !before.ends_with(|c: char| c.is_alphanumeric() || c == '_'),
        _ => true,
    }
}
