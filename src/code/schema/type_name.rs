//! Types as written: `DECIMAL(18,2)`, `ARRAY<STRUCT<a: STRING, b: INT>>`.

use crate::code::script::unquoted;
use crate::code::span::Span;
use crate::code::token::{Token, TokenKind, tokenize};
use crate::code::types::{IntervalUnits, Type};

/// How deeply `ARRAY`, `MAP` and `STRUCT` may nest.
const MAX_NESTING: usize = 50;

/// Reads a type as Hive and Spark write it.
///
/// # Errors
///
/// The bytes of the part that is no type; an empty range where the text ends too early.
pub fn read_type(text: &str) -> Result<Type, Span> {
    let tokens: Vec<Token> = tokenize(text).into_iter().filter(|token| !token.kind.is_trivia()).collect();
    let mut reader = TypeReader { text, tokens, position: 0, depth: 0 };
    let data_type = reader.data_type()?;
    if reader.position < reader.tokens.len() { Err(reader.here()) } else { Ok(data_type) }
}

struct TypeReader<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    position: usize,
    depth: usize,
}

impl TypeReader<'_> {
    fn here(&self) -> Span {
        self.tokens.get(self.position).map_or(Span::empty(self.text.len()), |token| token.span())
    }

    fn current(&self) -> &str {
        self.here().of(self.text)
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = self.current() == symbol;
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Span> {
        if self.eat(symbol) { Ok(()) } else { Err(self.here()) }
    }

    fn data_type(&mut self) -> Result<Type, Span> {
        let start = self.here();
        let name = self.current().to_ascii_uppercase();
        self.position += 1;
        let simple = match name.as_str() {
            "BOOLEAN" => Type::Boolean,
            "TINYINT" | "BYTE" | "SMALLINT" | "SHORT" | "INT" | "INTEGER" => Type::Int,
            "BIGINT" | "LONG" => Type::BigInt,
            "FLOAT" | "REAL" | "DOUBLE" => {
                self.position += usize::from(self.current().eq_ignore_ascii_case("PRECISION"));
                Type::Double
            }
            "DECIMAL" | "DEC" | "NUMERIC" => self.decimal()?,
            "STRING" | "TEXT" => Type::String,
            "VARCHAR" | "CHAR" | "CHARACTER" => self.sized_text()?,
            "BINARY" => Type::Binary,
            "DATE" => Type::Date,
            "TIMESTAMP" | "TIMESTAMP_NTZ" | "TIMESTAMP_LTZ" | "DATETIME" => Type::Timestamp,
            "INTERVAL" => self.interval(),
            "VOID" => Type::Null,
            "ARRAY" | "MAP" | "STRUCT" => return self.nested(&name),
            _ => return Err(start),
        };
        Ok(simple)
    }

    /// `INTERVAL`, or one of certain units: `INTERVAL DAY TO SECOND`.
    fn interval(&mut self) -> Type {
        let units = match self.current().to_ascii_uppercase().as_str() {
            "YEAR" | "MONTH" => IntervalUnits::Months,
            "DAY" => IntervalUnits::Days,
            "HOUR" | "MINUTE" | "SECOND" => IntervalUnits::Time,
            _ => return Type::Interval(IntervalUnits::Mixed),
        };
        self.position += 1;
        if !self.current().eq_ignore_ascii_case("TO") {
            return Type::Interval(units);
        }
        self.position += 2;
        Type::Interval(units.scaled())
    }

    fn number(&mut self) -> Result<u8, Span> {
        let number = self.current().parse().map_err(|_| self.here())?;
        self.position += 1;
        Ok(number)
    }

    /// `(precision[, scale])`; without them 10 and 0, as in Hive and Spark.
    fn decimal(&mut self) -> Result<Type, Span> {
        let start = self.here();
        if !self.eat("(") {
            return Ok(Type::Decimal(10, 0));
        }
        let precision = self.number()?;
        let scale = if self.eat(",") { self.number()? } else { 0 };
        self.expect(")")?;
        if precision > 38 || scale > precision { Err(start) } else { Ok(Type::Decimal(precision, scale)) }
    }

    fn sized_text(&mut self) -> Result<Type, Span> {
        if self.eat("(") {
            if self.tokens.get(self.position).map(|token| token.kind) != Some(TokenKind::Number) {
                return Err(self.here());
            }
            self.position += 1;
            self.expect(")")?;
        }
        Ok(Type::String)
    }

    fn nested(&mut self, name: &str) -> Result<Type, Span> {
        if self.depth >= MAX_NESTING {
            return Err(self.here());
        }
        if name == "STRUCT" && self.eat("<>") {
            return Ok(Type::Struct(Vec::new()));
        }
        self.expect("<")?;
        self.depth += 1;
        let data_type = match name {
            "ARRAY" => Type::Array(Box::new(self.data_type()?)),
            "MAP" => {
                let key = self.data_type()?;
                self.expect(",")?;
                Type::Map(Box::new(key), Box::new(self.data_type()?))
            }
            _ => Type::Struct(self.fields()?),
        };
        self.depth -= 1;
        self.expect(">")?;
        Ok(data_type)
    }

    fn fields(&mut self) -> Result<Vec<(String, Type)>, Span> {
        let mut fields = Vec::new();
        loop {
            let is_name = self.tokens.get(self.position).is_some_and(|token| token.kind != TokenKind::Symbol);
            if !is_name {
                return Err(self.here());
            }
            let name = unquoted(self.current()).to_lowercase();
            self.position += 1;
            self.eat(":");
            fields.push((name, self.data_type()?));
            self.skip_field_options();
            if !self.eat(",") {
                return Ok(fields);
            }
        }
    }

    /// `NOT NULL` and `COMMENT '…'` after a field.
    fn skip_field_options(&mut self) {
        while ["NOT", "NULL", "COMMENT"].iter().any(|word| self.current().eq_ignore_ascii_case(word))
            || self.tokens.get(self.position).is_some_and(|token| token.kind == TokenKind::Text)
        {
            self.position += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_hive_and_spark_are_read() {
        let cases = [
            ("int", "INT"),
            ("TINYINT", "INT"),
            ("double precision", "DOUBLE"),
            ("DECIMAL", "DECIMAL(10,0)"),
            ("decimal( 18 , 2 )", "DECIMAL(18,2)"),
            ("varchar(20)", "STRING"),
            ("array<string>", "ARRAY<STRING>"),
            ("map<string,array<bigint>>", "MAP<STRING, ARRAY<BIGINT>>"),
            ("STRUCT<a:STRING, `b`: INT COMMENT 'x', c DATE>", "STRUCT<a: STRING, b: INT, c: DATE>"),
            (
                "ARRAY<STRUCT<a:STRING,b:MAP<INT,ARRAY<DOUBLE>>>>",
                "ARRAY<STRUCT<a: STRING, b: MAP<INT, ARRAY<DOUBLE>>>>",
            ),
            ("timestamp_ntz", "TIMESTAMP"),
            ("interval", "INTERVAL"),
            ("array<interval day to second>", "ARRAY<INTERVAL>"),
        ];
        for (written, read) in cases {
            assert_eq!(read_type(written).map(|data_type| data_type.to_string()), Ok(read.to_owned()), "{written}");
        }
    }

    #[test]
    fn what_is_no_type_is_pointed_at() {
        let cases =
            [("strin", 0, 5), ("array<strin>", 6, 11), ("array<int", 9, 9), ("decimal(40)", 7, 8), ("int 5", 4, 5)];
        for (written, start, end) in cases {
            assert_eq!(read_type(written), Err(Span::new(start, end)), "{written}");
        }
    }

    #[test]
    fn bottomless_nesting_is_refused() {
        assert!(read_type(&"array<".repeat(10_000)).is_err());
    }
}
