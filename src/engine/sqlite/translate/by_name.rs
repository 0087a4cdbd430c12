//! Rarely called functions whose translation depends on types, names or literals.

use super::piece::SqlPiece::{Literal, Sql, Typed, Value};
use super::{Translated, Translator};
use crate::code::functions::{ArgumentForm, Function, lookup};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;

impl Translator<'_> {
    /// A function of [`Special::ByName`](crate::code::functions::Special::ByName).
    pub fn by_name(&mut self, call: NodeId, name: &str, arguments: &[NodeId]) -> Translated {
        match (name, arguments) {
            ("to_char" | "to_varchar", [value, format]) => self.written_by_format(*value, *format),
            ("to_number" | "try_to_number", [value, format]) if self.kind(*format) == Kind::Text => {
                self.wrapped(&format!("h_{name}("), &[*value, *format], &Type::String)
            }
            ("typeof", [value]) => self.type_name(call, *value),
            ("schema_of_json" | "schema_of_csv", [value]) => {
                self.wrapped(&format!("h_{name}("), &[*value], &Type::String)
            }
            ("to_csv", [value]) => self.with_type("h_to_csv(", *value, call, *value),
            ("from_csv", [value, _]) => self.with_type("h_from_csv(", *value, call, call),
            ("arrays_zip", [_, ..]) => self.zipped_arrays(call, arguments),
            ("convert_timezone", [_, zone, value] | [zone, value]) => {
                let from = (arguments.len() == 3).then(|| arguments[0]);
                self.other_zone(from, *zone, *value)
            }
            ("current_timezone", []) => {
                self.write("'UTC'");
                Ok(())
            }
            ("like" | "ilike", [_, _] | [_, _, _]) => self.wrapped(&format!("h_{name}("), arguments, &Type::String),
            ("nullifzero", [value]) => self.around("nullif(", ",0)", *value, call),
            ("zeroifnull", [value]) => self.around("coalesce(", ",0)", *value, call),
            ("shiftrightunsigned", [value, shift]) => self.unsigned_shift(*value, *shift),
            ("mode", [value, flag]) if self.kind(*flag) == Kind::Boolean(true) => {
                self.as_aggregate(call, "mode", "h_mode(", &[*value])
            }
            ("listagg" | "string_agg", [value, separator @ ..]) if separator.len() < 2 => {
                self.joined_group(call, *value, separator.first().copied())
            }
            ("percentile_cont" | "percentile_disc", [share]) => self.share_of_group(call, name, *share),
            ("mode", _) => self.nondeterministic(call, "mode"),
            ("sequence", [first, last, step @ ..]) => self.sequence(*first, *last, step.first().copied()),
            ("try_sum", [_]) => self.as_aggregate(call, "sum", "sum(", arguments),
            _ => self.refuse(call, "this call"),
        }
    }

    /// The step of a sequence of dates is an interval.
    fn sequence(&mut self, first: NodeId, last: NodeId, step: Option<NodeId>) -> Translated {
        self.write("h_sequence(");
        self.expression(first)?;
        self.write(",");
        self.expression(last)?;
        match step {
            Some(step) if self.kind(self.without_brackets(step)) == Kind::Interval => {
                self.interval_parts(self.without_brackets(step), false)?;
            }
            Some(step) => {
                self.write(",");
                self.expression(step)?;
            }
            None => {}
        }
        self.write(")");
        Ok(())
    }

    /// Dates and timestamps are formatted by a date pattern, numbers by a number format.
    fn written_by_format(&mut self, value: NodeId, format: NodeId) -> Translated {
        let known = self.type_of(value).clone();
        if known.is_temporal() {
            self.pieces(&[Sql("h_date_format("), Value(value), Sql(","), Value(format), Sql(")")])?;
            return Ok(());
        }
        if matches!(known, Type::Binary | Type::Unknown | Type::Boolean) || known.is_nested() {
            return self.refuse(value, "TO_CHAR of this value");
        }
        self.pieces(&[Sql("h_to_char("), Value(value), Sql(","), Typed(format, &Type::String)])?;
        let scale = if let Type::Decimal(_, scale) = known { i64::from(scale) } else { -1 };
        self.write(&format!(",{scale})"));
        Ok(())
    }

    /// `typeof(x)` is a constant, because types are known before anything runs. INT also stands for the smaller types,
    /// and DOUBLE for FLOAT.
    fn type_name(&mut self, call: NodeId, value: NodeId) -> Translated {
        let known = self.type_of(value).to_string();
        if ["UNKNOWN", "NULL", "INTERVAL", "VOID"].iter().any(|word| known.contains(word)) {
            return self.refuse(call, "TYPEOF of a value whose type is not known");
        }
        self.text(&known.to_lowercase().replace(", ", ",").replace(": ", ":"));
        Ok(())
    }

    /// Writes `before`, the value, the type of `typed` as text, and `)`.
    fn with_type(&mut self, before: &str, value: NodeId, call: NodeId, typed: NodeId) -> Translated {
        let known = self.type_of(typed).clone();
        if !matches!(known, Type::Struct(_)) || known.to_string().contains("UNKNOWN") {
            return self.refuse(call, "rows of a type that is not known");
        }
        self.pieces(&[Sql(before), Value(value), Sql(","), Literal(&known.to_string()), Sql(")")])
    }

    /// `arrays_zip(…)`, whose fields are named after the columns or, without one, after the position of the argument.
    fn zipped_arrays(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let names: Vec<String> = match self.type_of(call) {
            Type::Array(element) => match &**element {
                Type::Struct(fields) => fields.iter().map(|(name, _)| name.clone()).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let twice = (1..names.len()).any(|at| names[at..].contains(&names[at - 1]));
        if names.len() != arguments.len() || twice {
            return self.refuse(call, "ARRAYS_ZIP of these arrays");
        }
        self.write("h_arrays_zip_named(");
        self.separated(names.iter().zip(arguments), ",", |this, (name, argument)| {
            this.text(name);
            this.write(",");
            this.expression(*argument)
        })?;
        self.write(")");
        Ok(())
    }

    /// Conversion between time zones; without `from` the value is in the session's zone, which is UTC.
    fn other_zone(&mut self, from: Option<NodeId>, to: NodeId, value: NodeId) -> Translated {
        self.write("h_from_utc_timestamp(");
        if let Some(from) = from {
            self.pieces(&[Sql("h_to_utc_timestamp("), Value(value), Sql(","), Typed(from, &Type::String), Sql(")")])?;
        } else {
            self.expression(value)?;
        }
        self.pieces(&[Sql(","), Typed(to, &Type::String), Sql(")")])
    }

    fn around(&mut self, before: &str, after: &str, value: NodeId, call: NodeId) -> Translated {
        if !matches!(self.type_of(value), Type::Int | Type::BigInt | Type::Double) {
            return self.refuse(call, "this function of a value that is not INT, BIGINT or DOUBLE");
        }
        self.pieces(&[Sql(before), Value(value), Sql(after)])
    }

    pub fn unsigned_shift(&mut self, value: NodeId, shift: NodeId) -> Translated {
        let bits = match self.type_of(value) {
            Type::Int => 32,
            Type::BigInt => 64,
            _ => return self.refuse(value, "a shift of this value"),
        };
        self.pieces(&[Sql("h_shiftrightunsigned("), Value(value), Sql(",")])?;
        self.argument(shift, ArgumentForm::AsWhole)?;
        self.write(&format!(",{bits})"));
        Ok(())
    }

    /// Returns the ORDER BY of WITHIN GROUP, without which the order of what is joined depends on that of the rows.
    pub fn within_group(&self, call: NodeId) -> Option<NodeId> {
        let group = self.child(call, |kind| kind == Kind::WithinGroup)?;
        self.children(group).first().copied()
    }

    /// The joined text of a group in the order given by WITHIN GROUP, else in any: then it is compared as a bag.
    fn joined_group(&mut self, call: NodeId, value: NodeId, separator: Option<NodeId>) -> Translated {
        let order = self.within_group(call);
        if order.is_none() && self.unordered_collection(call).is_none() {
            return self.nondeterministic(call, "listagg");
        }
        if self.over_of(call).is_some() {
            return self.refuse(call, "WITHIN GROUP over a window");
        }
        let distinct = matches!(self.kind(call), Kind::Call { distinct: true });
        self.write(if distinct { "h_listagg_distinct(" } else { "h_listagg(" });
        self.converted(value, &Type::String)?;
        self.write(",");
        match separator {
            Some(separator) => self.converted(separator, &Type::String)?,
            None => self.write("''"),
        }
        if let Some(order) = order {
            self.write(" ORDER BY ");
            self.sort_keys(order)?;
        }
        self.write(")");
        self.tail(call)
    }

    /// A percentile of the values that WITHIN GROUP sorts.
    fn share_of_group(&mut self, call: NodeId, name: &str, share: NodeId) -> Translated {
        let order = self.within_group(call);
        let keys = order.map(|order| self.children(order).to_vec()).unwrap_or_default();
        let [key] = keys.as_slice() else { return self.refuse(call, "shares without one key in WITHIN GROUP") };
        let descending = matches!(self.kind(*key), Kind::SortItem { descending: true, .. });
        if self.over_of(call).is_some() || self.kind(share) != Kind::Number {
            return self.refuse(call, "these shares");
        }
        self.write(match (name, descending) {
            ("percentile_cont", _) => "h_percentile(",
            (_, true) => "h_percentile_disc_down(",
            _ => "h_percentile_disc(",
        });
        self.number_operand(self.only_child(*key)?)?;
        self.pieces(&[Sql(if name == "percentile_cont" && descending { ",1-" } else { "," }), Value(share), Sql(")")])?;
        self.tail(call)
    }

    /// A call that is another aggregate under a different name or with fewer arguments.
    fn as_aggregate(&mut self, call: NodeId, name: &str, written: &str, arguments: &[NodeId]) -> Translated {
        let Some(function): Option<&Function> = lookup(name) else { return self.refuse(call, "this aggregate") };
        self.aggregate(call, function, written, arguments)
    }
}
