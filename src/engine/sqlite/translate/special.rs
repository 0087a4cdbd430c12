//! Functions with rules of their own.

use super::piece::SqlPiece::{Literal, Number, Sql, Typed, Value};
use super::{Translated, Translator};
use crate::code::functions::{Argument, ArgumentForm, Special, element_of, entry_of};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::code::widest;

impl Translator<'_> {
    pub fn special(&mut self, call: NodeId, special: Special, name: &str, arguments: &[NodeId]) -> Translated {
        match special {
            Special::Array => self.array(call, arguments),
            Special::Cast => self.cast_call(call, arguments),
            Special::Coalesce => self.coalesce(call, arguments),
            Special::Concat => self.concatenation(arguments),
            Special::ConcatWithSeparator => self.concatenation_with_separator(arguments),
            Special::CountIf => self.count_if(call, arguments),
            Special::DatePart => self.date_part(call, arguments),
            Special::Decode => self.decode(call, arguments),
            Special::ElementAt => self.element_at(call, arguments),
            Special::Encode => self.encoded(call, arguments),
            Special::EqualNull => match arguments {
                [left, right] => self.compared(*left, " IS ", *right),
                _ => self.refuse(call, "this call"),
            },
            Special::FromJson => self.parsed_json(call, arguments),
            Special::Greatest => self.greatest(call, name, arguments),
            Special::Grouping | Special::GroupingId => self.grouping_call(call, arguments),
            Special::Hash => self.hash(name, arguments),
            Special::If => self.choice(call, arguments),
            Special::IsNull => self.presence(call, arguments, " IS NULL)"),
            Special::IsNotNull => self.presence(call, arguments, " IS NOT NULL)"),
            Special::Lambda => match arguments {
                [only] => self.quantified(call, name, *only),
                _ => self.lambda_call(call, name, arguments),
            },
            Special::Map => self.map(call, arguments),
            Special::Modulo => self.modulo(call, arguments),
            Special::ByName => self.by_name(call, name, arguments),
            Special::NamedStruct => self.structure(call, arguments.iter().skip(1).step_by(2)),
            Special::NullIf => self.null_if(call, arguments),
            Special::Nvl2 => self.by_presence(call, arguments),
            Special::Pattern => self.wrapped("h_rlike(", arguments, &Type::String),
            Special::Reverse => self.reverse(arguments),
            Special::Size => self.size(call, arguments),
            Special::Struct => self.structure(call, arguments.iter()),
            Special::Substring => self.substring(call, arguments),
            Special::ToJson => self.json_text(call, arguments),
            Special::Trim => self.trim(name, arguments),
            Special::Try => self.attempt(call, name, arguments),
            Special::UnixTime => self.unix_time(call, name, arguments),
        }
    }

    /// `encode(x, 'UTF-8')` inside of a call that reads a text as its bytes. Others, such as `length`, count bytes there.
    fn encoded(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let tree = self.script.tree();
        let outside = tree.ancestors(call).find(|above| tree.kind(*above) != Kind::Paren);
        let function = outside.and_then(|outside| self.script.function(outside));
        let reads_bytes = function.is_some_and(|function| {
            matches!(function.argument(0), Argument::TextOrBinary) || function.canonical_name() == "hex"
        });
        match arguments {
            [value, charset] if reads_bytes => self.in_utf8(call, *value, *charset),
            _ => self.refuse(call, "a value of bytes that no function turns into text"),
        }
    }

    /// Writes a text in place of its bytes, or of bytes the text that they are.
    pub fn in_utf8(&mut self, call: NodeId, value: NodeId, charset: NodeId) -> Translated {
        let charset = self.text_of(charset)?.to_lowercase();
        if matches!(charset.as_str(), "utf-8" | "utf8") {
            self.converted(value, &Type::String)
        } else {
            self.refuse(call, "bytes in another encoding than UTF-8")
        }
    }

    /// Writes `before`, the arguments converted to one type, and `)`.
    pub fn wrapped(&mut self, before: &str, arguments: &[NodeId], wanted: &Type) -> Translated {
        self.write(before);
        self.separated(arguments, ",", |this, argument| this.converted(*argument, wanted))?;
        self.write(")");
        Ok(())
    }

    /// `from_json(…)`: the library reads JSON by the type that the schema describes.
    fn parsed_json(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let target = self.type_of(call).clone();
        let (true, [text, _]) = (target.is_nested(), arguments) else { return self.refuse(call, "this schema") };
        self.pieces(&[Sql("h_from_json("), Typed(*text, &Type::String), Sql(&format!(",'{target}')"))])
    }

    /// `to_json(…)`: the library writes JSON by the type of the value.
    fn json_text(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [value] = arguments else { return self.refuse(call, "TO_JSON with options") };
        let known = self.type_of(*value).clone();
        if !known.is_nested() || known.to_string().contains("UNKNOWN") {
            return self.refuse(call, "TO_JSON of a value whose type is not known");
        }
        self.pieces(&[Sql("h_to_json("), Value(*value), Sql(","), Literal(&known.to_string()), Sql(")")])
    }

    /// `try_add` and the like, which give NULL instead of a number too large for its type.
    fn attempt(&mut self, call: NodeId, name: &str, arguments: &[NodeId]) -> Translated {
        let [left, right] = arguments else { return self.refuse(call, "this call") };
        let result = self.type_of(call).clone();
        let whole = match result {
            Type::Int => i64::from(i32::MAX),
            Type::BigInt => i64::MAX,
            Type::Double | Type::Decimal(..) => 0,
            _ => return self.refuse(call, "this arithmetic"),
        };
        let scale = self.open_rounding(&result);
        self.pieces(&[
            Sql(&format!("h_{name}(")),
            Number(*left),
            Sql(","),
            Number(*right),
            Sql(&format!(",{whole})")),
        ])?;
        self.close_rounding(scale);
        Ok(())
    }

    /// `hash(…)` and `xxhash64(…)`, which depend on the types of their arguments.
    fn hash(&mut self, name: &str, arguments: &[NodeId]) -> Translated {
        let types: Vec<String> = arguments.iter().map(|argument| self.type_of(*argument).to_string()).collect();
        self.write(&format!("h_{name}('{}'", types.join(";")));
        for argument in arguments {
            self.write(",");
            self.expression(*argument)?;
        }
        self.write(")");
        Ok(())
    }

    fn presence(&mut self, call: NodeId, arguments: &[NodeId], test: &str) -> Translated {
        let [argument] = arguments else { return self.refuse(call, "this call") };
        self.pieces(&[Sql("("), Value(*argument), Sql(test)])
    }

    fn coalesce(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let target = self.type_of(call);
        match arguments {
            [] => self.refuse(call, "COALESCE without arguments"),
            [only] => self.converted(*only, target),
            _ => self.wrapped("coalesce(", arguments, target),
        }
    }

    fn greatest(&mut self, call: NodeId, name: &str, arguments: &[NodeId]) -> Translated {
        let common = widest(arguments.iter().map(|argument| self.type_of(*argument)));
        if common.is_nested() {
            return self.refuse(call, "the least or greatest of nested values");
        }
        self.wrapped(if name == "least" { "h_least(" } else { "h_greatest(" }, arguments, &common)
    }

    /// `int(x)`, `string(x)`, `date(x)` …
    fn cast_call(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [argument] = arguments else { return self.refuse(call, "this call") };
        let target = match self.type_of(call) {
            Type::Unknown => crate::code::schema::read_type(&self.script.function_name(call)).unwrap_or_default(),
            known => known.clone(),
        };
        if target == Type::Unknown {
            return self.refuse(call, "a cast to this type");
        }
        self.cast_to(*argument, &target)
    }

    /// `concat_ws(…)`: arrays among the values contribute their members.
    fn concatenation_with_separator(&mut self, arguments: &[NodeId]) -> Translated {
        self.write("h_concat_ws(");
        self.separated(arguments, ",", |this, argument| {
            if matches!(this.type_of(*argument), Type::Array(_)) {
                this.pieces(&[Sql("h_as_array("), Value(*argument), Sql(")")])?;
                return Ok(());
            }
            this.converted(*argument, &Type::String)
        })?;
        self.write(")");
        Ok(())
    }

    fn array(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let element = element_of(self.type_of(call));
        self.write("h_array(");
        self.separated(arguments, ",", |this, argument| this.element(*argument, &element))?;
        self.write(")");
        Ok(())
    }

    fn map(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let (key, value) = entry_of(self.type_of(call));
        self.write("h_map(");
        self.separated(arguments.iter().enumerate(), ",", |this, (index, argument)| {
            if index % 2 == 0 { this.converted(*argument, &key) } else { this.element(*argument, &value) }
        })?;
        self.write(")");
        Ok(())
    }

    /// `struct(a, b)`, whose fields are named after the columns, or `named_struct('x', a, 'y', b)`.
    fn structure<'n>(&mut self, call: NodeId, values: impl Iterator<Item = &'n NodeId>) -> Translated {
        let Type::Struct(fields) = self.type_of(call) else { return self.refuse(call, "this struct") };
        self.write("h_named_struct(");
        self.separated(values.zip(fields), ",", |this, (value, (name, _))| {
            this.text(name);
            this.write(",");
            this.element(*value, &Type::Unknown)
        })?;
        self.write(")");
        Ok(())
    }

    fn size(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [argument] = arguments else { return self.refuse(call, "SIZE with this many arguments") };
        let map = matches!(self.type_of(*argument), Type::Map(..));
        self.pieces(&[Sql(if map { "h_size_map(" } else { "h_size_array(" }), Value(*argument), Sql(")")])
    }

    fn element_at(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [value, key] = arguments else { return self.refuse(call, "ELEMENT_AT with this many arguments") };
        let (function, wanted) = match self.type_of(*value) {
            Type::Map(key, _) => ("h_element_at_map(", (**key).clone()),
            _ => ("h_element_at_array(", Type::BigInt),
        };
        self.pieces(&[Sql(function), Value(*value), Sql(","), Typed(*key, &wanted), Sql(")")])
    }

    fn reverse(&mut self, arguments: &[NodeId]) -> Translated {
        if matches!(self.first_type(arguments), Type::Array(_)) {
            return self.wrapped("h_reverse_array(", arguments, &Type::Unknown);
        }
        self.wrapped("h_reverse(", arguments, &Type::String)
    }

    fn modulo(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [left, right] = arguments else { return self.refuse(call, "MOD with this many arguments") };
        self.pieces(&[Sql("h_modulo("), Number(*left), Sql(","), Number(*right), Sql(")")])
    }

    /// `substring(…)`. SQLite's own `substr` is used if position and length are positive constants, as it then does the
    /// same.
    fn substring(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [text, position, length @ ..] = arguments else { return self.refuse(call, "this SUBSTRING") };
        let constant = |node: &NodeId| {
            let positive = self.script.slice(*node).parse::<u32>().is_ok_and(|number| number > 0);
            self.kind(*node) == Kind::Number && positive
        };
        let plain = constant(position) && length.iter().all(constant);
        self.write(if plain { "substr(" } else { "h_substring(" });
        self.converted(*text, &Type::String)?;
        for argument in std::iter::once(position).chain(length) {
            self.write(",");
            self.converted(*argument, &Type::BigInt)?;
        }
        self.write(")");
        Ok(())
    }

    /// `trim(x)`, `trim(BOTH 'x' FROM y)`, and Spark's two-argument forms, in which the characters to trim come first.
    /// SQLite's own functions trim blanks; for other characters they take the time of both texts multiplied, unlimited.
    fn trim(&mut self, name: &str, arguments: &[NodeId]) -> Translated {
        match arguments {
            [one] => {
                let before = self.script.token_range(*one).start().saturating_sub(1);
                let side =
                    if self.script.token_text(before).eq_ignore_ascii_case("FROM") { before - 1 } else { before };
                self.write(match self.script.token_text(side).to_ascii_uppercase().as_str() {
                    "LEADING" => "ltrim",
                    "TRAILING" => "rtrim",
                    _ => name,
                });
                self.wrapped("(", arguments, &Type::String)
            }
            [first, second] => {
                let sides = ["LEADING", "TRAILING"].map(|word| self.starts_with_word(*first, word));
                let open = match (name, sides) {
                    (_, [true, _]) | ("ltrim", _) => "h_ltrim(",
                    (_, [_, true]) | ("rtrim", _) => "h_rtrim(",
                    _ => "h_trim(",
                };
                self.wrapped(open, &[*second, *first], &Type::String)
            }
            _ => self.wrapped("trim(", arguments, &Type::String),
        }
    }

    fn starts_with_word(&self, argument: NodeId, word: &str) -> bool {
        let before = self.script.token_range(argument).start().checked_sub(1);
        before.is_some_and(|before| self.script.token_text(before).eq_ignore_ascii_case(word))
    }

    /// `unix_timestamp(…)`, which reads the clock if it has no arguments.
    fn unix_time(&mut self, call: NodeId, name: &str, arguments: &[NodeId]) -> Translated {
        match arguments {
            [] => self.nondeterministic(call, name),
            // A date or a moment is read as it is, whatever the format.
            [value, ..] if *self.type_of(*value) == Type::Date => {
                self.pieces(&[Sql("h_unix_timestamp("), Value(*value), Sql(" || ' 00:00:00')")])
            }
            [value, ..] if *self.type_of(*value) == Type::Timestamp => {
                self.pieces(&[Sql("h_unix_timestamp(substr("), Value(*value), Sql(", 1, 19))")])
            }
            [value] => self.pieces(&[Sql("h_unix_timestamp("), Value(*value), Sql(")")]),
            [value, format, ..] => {
                self.write("h_unix_timestamp(");
                self.pieces(&[Value(*value), Sql(","), Typed(*format, &Type::String), Sql(")")])
            }
        }
    }

    /// `extract(DAY FROM d)`, `date_part('day', d)`.
    fn date_part(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [unit, value] = arguments else { return self.refuse(call, "this part of a date") };
        let unit = match self.kind(*unit) {
            Kind::Text => self.text_of(*unit)?.to_lowercase(),
            _ => self.script.slice(*unit).to_lowercase(),
        };
        if self.type_of(*value).is_interval() {
            return self.part_of_interval(call, unit.trim_end_matches('s'), *value);
        }
        let function = match unit.trim_end_matches('s') {
            "year" => "h_year(",
            "quarter" => "h_quarter(",
            "month" => "h_month(",
            "week" => "h_weekofyear(",
            "day" => "h_dayofmonth(",
            "doy" => "h_dayofyear(",
            "dow" | "dayofweek" => "h_dayofweek(",
            "hour" => "h_hour(",
            "minute" => "h_minute(",
            _ => return self.refuse(call, "this part of a date"),
        };
        self.pieces(&[Sql(function), Value(*value), Sql(")")])
    }

    /// `dateadd(MONTH, 1, d)` and `datediff(DAY, a, b)`.
    pub fn date_by_unit(&mut self, name: &str, unit: NodeId, first: NodeId, second: NodeId) -> Translated {
        let unit = self.script.slice(unit).to_lowercase();
        let adds = matches!(name, "date_add" | "timestampadd");
        self.pieces(&[Sql(if adds { "h_timestampadd(" } else { "h_timestampdiff(" }), Literal(&unit), Sql(",")])?;
        self.argument(first, if adds { ArgumentForm::AsWhole } else { ArgumentForm::AsIs })?;
        self.pieces(&[Sql(","), Value(second), Sql(")")])
    }

    fn grouping_call(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        if self.grouping_id(arguments)? { Ok(()) } else { self.refuse(call, "grouping() without grouping sets") }
    }
}
