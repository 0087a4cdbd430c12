//! Literals.

use super::{Reason, Translated, Translator};
use crate::code::literal::text_value;
use crate::code::tree::NodeId;
use crate::code::types::Type;

impl Translator<'_> {
    /// Writes a string as a literal of SQLite.
    pub fn text(&mut self, value: &str) {
        for (index, part) in value.split('\0').enumerate() {
            self.write(if index > 0 { "||char(0)||'" } else { "'" });
            for (index, piece) in part.split('\'').enumerate() {
                self.write(if index > 0 { "''" } else { "" });
                self.write(piece);
            }
            self.write("'");
        }
    }

    /// Returns the value of a string literal with its placeholders bound.
    pub fn text_of(&self, node: NodeId) -> Translated<String> {
        let literal = self.script.slice(node);
        if literal.contains("${") && !self.parameters.is_empty() {
            return match self.parameters.bind(literal) {
                Ok(bound) => Ok(text_value(&bound)),
                Err(unbound) => Err(self.unsupported(node, Reason::UnboundPlaceholder(unbound.key))),
            };
        }
        if literal.contains("${") {
            return Err(self.unsupported(node, Reason::UnboundPlaceholder(literal.to_owned())));
        }
        Ok(text_value(literal))
    }

    pub fn text_literal(&mut self, node: NodeId) -> Translated {
        let literal = self.script.slice(node);
        if literal.starts_with('\'') && !literal[1..literal.len() - 1].contains(['\'', '\\', '$', '\0']) {
            self.write(literal);
            return Ok(());
        }
        let value = self.text_of(node)?;
        self.text(&value);
        Ok(())
    }

    /// A number; decimals and doubles are REAL.
    pub fn number(&mut self, node: NodeId) -> Translated {
        let literal = self.script.slice(node);
        let real = matches!(self.type_of(node), Type::Decimal(..) | Type::Double);
        self.number_text(literal, real);
        Ok(())
    }

    /// A number literal without its suffix, as INTEGER or as REAL.
    pub fn number_text(&mut self, literal: &str, real: bool) {
        let digits = number_digits(literal);
        self.write(digits);
        if real && !digits.contains(['.', 'e', 'E']) {
            self.write(".0");
        } else if digits.ends_with('.') {
            self.write("0");
        }
    }

    /// A placeholder outside quotes. Its value must be a number, or a word that stands for one.
    pub fn placeholder(&mut self, node: NodeId) -> Translated {
        let unbound =
            |this: &Self| this.unsupported(node, Reason::UnboundPlaceholder(this.script.slice(node).to_owned()));
        let bound = self.parameters.bind(self.script.slice(node)).map_err(|_| unbound(self))?;
        match bound.trim() {
            number if number.parse::<f64>().is_ok_and(f64::is_finite) => self.write(number),
            "true" | "TRUE" => self.write("1"),
            "false" | "FALSE" => self.write("0"),
            _ => return Err(unbound(self)),
        }
        Ok(())
    }

    /// `DATE '…'` and `TIMESTAMP '…'`.
    pub fn typed_text(&mut self, node: NodeId) -> Translated {
        let value = self.text_of(self.only_child(node)?)?;
        let target = self.type_of(node);
        if !target.is_temporal() {
            return self.refuse(node, "a literal of this type");
        }
        let text = temporal_text(&value, target);
        let conversion = if text.is_some() { None } else { self.conversion(&Type::String, target) };
        self.with_conversion(conversion, |this| {
            this.text(&text.unwrap_or(value));
            Ok(())
        })
    }
}

/// Returns a number literal without its suffix: `5L` is `5`, `2.5BD` is `2.5`.
pub(super) fn number_digits(literal: &str) -> &str {
    let suffix = |c: char| matches!(c, 'L' | 'l' | 'S' | 's' | 'Y' | 'y' | 'D' | 'd' | 'F' | 'f' | 'B' | 'b');
    literal.trim_end_matches(suffix)
}

/// Returns a text that is canonical for a date or timestamp in the form in which it is stored; `None` if it is not
/// canonical and has to be converted at run time.
pub(super) fn temporal_text(text: &str, target: &Type) -> Option<String> {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    let valid = || chrono::NaiveDate::parse_from_str(text.get(..10)?, "%Y-%m-%d").ok();
    let valid_time = || chrono::NaiveTime::parse_from_str(text.get(11..)?, "%H:%M:%S").ok();
    match (target, shape.as_str()) {
        (Type::Date, "9999-99-99") => valid().map(|_| text.to_owned()),
        (Type::Timestamp, "9999-99-99") => valid().map(|_| format!("{text} 00:00:00")),
        (Type::Timestamp, "9999-99-99 99:99:99") => valid().and(valid_time().map(|_| text.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_canonical_dates_are_taken_as_they_are() {
        let cases = [
            ("2024-01-31", Type::Date, Some("2024-01-31")),
            ("2024-1-31", Type::Date, None),
            ("2024-02-31", Type::Date, None),
            ("2024-01-31", Type::Timestamp, Some("2024-01-31 00:00:00")),
            ("2024-01-31 10:00:00", Type::Timestamp, Some("2024-01-31 10:00:00")),
            ("2024-01-31 25:00:00", Type::Timestamp, None),
            ("2024-01-31 10:00:00", Type::Date, None),
        ];
        for (text, target, expected) in cases {
            assert_eq!(temporal_text(text, &target).as_deref(), expected, "{text} as {target}");
        }
    }
}
