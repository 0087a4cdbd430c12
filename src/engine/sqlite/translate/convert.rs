//! Conversions between types, as Spark inserts them and as CAST asks for them.

use std::borrow::Cow;

use super::literal::{number_digits, temporal_text};
use super::{Translated, Translator};
use crate::code::scope::OutputColumn;
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

/// The SQL before and after a value that converts it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Conversion {
    before: &'static str,
    after: Cow<'static, str>,
}

fn around(before: &'static str, after: impl Into<Cow<'static, str>>) -> Option<Conversion> {
    Some(Conversion { before, after: after.into() })
}

/// The types to which the outputs of a query are converted, one for each; without any, all stay as they are.
#[derive(Clone, Copy)]
pub(super) struct WantedTypes<'t>(pub &'t [Type]);

impl<'t> WantedTypes<'t> {
    pub const NONE: WantedTypes<'static> = WantedTypes(&[]);

    pub fn of(self, output: usize) -> Option<&'t Type> {
        self.0.get(output)
    }

    /// The types of these outputs as they come out.
    pub fn or_own(self, outputs: &'t [OutputColumn]) -> Vec<&'t Type> {
        match self.0 {
            [] => outputs.iter().map(|output| &output.data_type).collect(),
            types => types.iter().collect(),
        }
    }
}

impl Translator<'_> {
    /// Returns the conversion from one type to another; `None` if values are stored alike or a type is not known.
    pub fn conversion(&self, from: &Type, to: &Type) -> Option<Conversion> {
        use Type::*;
        match (from, to) {
            (from, to) if from == to => None,
            (Unknown | Null, _) | (_, Unknown | Null) => None,
            (Int | BigInt | Boolean, Int | BigInt) => None,
            (Int | BigInt | Boolean, Double | Decimal(..)) => around("(", "+0.0)"),
            (Decimal(..), Double) => None,
            (Decimal(from, scale), Decimal(to, target))
                if target >= scale && to - target >= from.saturating_sub(*scale) =>
            {
                None
            }
            (Double | Decimal(..) | String, Decimal(precision, scale)) => {
                around("h_cast_decimal(", format!(",{precision},{scale})"))
            }
            (Double | Decimal(..) | String, Int) => around("h_cast_int(", ")"),
            (Double | Decimal(..) | String, BigInt) => around("h_cast_bigint(", ")"),
            (String, Double) => around("h_cast_double(", ")"),
            (String, Boolean) => around("h_cast_boolean(", ")"),
            (Int | BigInt | Double | Decimal(..), Boolean) => around("(", "<>0)"),
            (Interval(units), String) => around("h_text_of_interval(", format!(",'{units:?}')")),
            (_, String) => text_conversion(from),
            (String, Date) => around("h_cast_date(", ")"),
            (String, Timestamp) => around("h_cast_timestamp(", ")"),
            (Timestamp, Date) => around("substr(", ",1,10)"),
            (Date, Timestamp) => around("(", "||' 00:00:00')"),
            (Timestamp, Int | BigInt) => around("h_unix_timestamp(", ")"),
            (Int | BigInt | Double | Decimal(..), Timestamp) => around("h_timestamp_seconds(", ")"),
            _ => None,
        }
    }

    /// Writes a value with its conversion around it.
    pub fn with_conversion(
        &mut self,
        conversion: Option<Conversion>,
        value: impl FnOnce(&mut Self) -> Translated,
    ) -> Translated {
        let Some(Conversion { before, after }) = conversion else { return value(self) };
        self.write(before);
        value(self)?;
        self.write(&after);
        Ok(())
    }

    /// An expression converted to type `to`; literals are converted at translation time.
    pub fn converted(&mut self, expression: NodeId, to: &Type) -> Translated {
        let conversion = self.conversion(self.type_of(expression), to);
        if conversion.is_some() && self.folded(expression, to)? {
            return Ok(());
        }
        self.with_conversion(conversion, |this| this.expression(expression))
    }

    /// Writes a literal as a value of another type; returns whether that was possible.
    fn folded(&mut self, expression: NodeId, to: &Type) -> Translated<bool> {
        let literal = match self.kind(expression) {
            Kind::Paren => return self.folded(self.only_child(expression)?, to),
            Kind::Number => number_digits(self.script.slice(expression)),
            Kind::Text if to.is_temporal() => {
                let text = temporal_text(&self.text_of(expression)?, to);
                if let Some(text) = &text {
                    self.text(text);
                }
                return Ok(text.is_some());
            }
            Kind::Text if to.is_integer() || *to == Type::Double => {
                let text = self.text_of(expression)?;
                let plain = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
                if plain {
                    self.number_text(&text, *to == Type::Double);
                }
                return Ok(plain);
            }
            _ => return Ok(false),
        };
        match (self.type_of(expression), to) {
            (Type::Int | Type::BigInt, Type::Double | Type::Decimal(..)) => self.number_text(literal, true),
            (Type::Int | Type::BigInt, Type::String) => self.text(literal),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Returns the conversion of a value to text.
fn text_conversion(from: &Type) -> Option<Conversion> {
    match from {
        Type::Int | Type::BigInt => around("(", "||'')"),
        Type::Double => around("h_cast_string_from_double(", ")"),
        Type::Decimal(_, scale) => around("h_cast_string_from_decimal(", format!(",{scale})")),
        Type::Boolean => around("h_cast_string_from_boolean(", ")"),
        _ => None,
    }
}
