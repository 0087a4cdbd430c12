//! Aggregates and window functions.

use super::piece::SqlPiece::{Sql, Value};
use super::{Translated, Translator};
use crate::code::functions::{ArgumentForm, Embedded, Function, Special};
use crate::code::tree::{Kind, NodeId};
use crate::code::types::Type;
use crate::engine::table::UnorderedValues;

impl Translator<'_> {
    /// Whether a call aggregates the rows of a group (not the rows of a window). Which keys a row is a subtotal of is
    /// told by the group itself.
    pub fn is_aggregate(&self, call: NodeId) -> bool {
        let tells_keys =
            |function: &Function| matches!(function.embedded, Embedded::Rule(Special::Grouping | Special::GroupingId));
        self.script.aggregates_rows(call) && !self.script.function(call).is_some_and(tells_keys)
    }

    /// Returns what a call of a collector leaves unordered, or a call that joins its array, also behind a default or as
    /// the value of a sub-query; `None` for other expressions.
    pub fn unordered_collection(&self, expression: NodeId) -> Option<UnorderedValues> {
        if self.kind(expression) == Kind::ScalarQuery {
            return self.unordered(self.scopes.outputs(self.children(expression)[0]).first()?, 0);
        }
        if !matches!(self.kind(expression), Kind::Call { .. }) || self.over_of(expression).is_some() {
            return None;
        }
        let arguments = self.script.arguments(expression);
        let joined = |array: NodeId, separator: NodeId| {
            let is_array = self.unordered_collection(array) == Some(UnorderedValues::Arrays);
            let separator = Some(separator).filter(|node| is_array && self.kind(*node) == Kind::Text)?;
            Some(UnorderedValues::Texts(self.text_of(separator).ok()?))
        };
        match (self.script.canonical_function_name(expression).as_str(), arguments.as_slice()) {
            ("collect_list" | "collect_set", _) => Some(UnorderedValues::Arrays),
            ("coalesce", [value, ..]) => self.unordered_collection(*value),
            ("listagg" | "string_agg", [_, separator])
                if self.within_group(expression).is_none() && self.kind(*separator) == Kind::Text =>
            {
                let separator = self.text_of(*separator).ok().filter(|separator| !separator.is_empty());
                separator.map(UnorderedValues::Texts)
            }
            ("concat_ws", [separator, array]) | ("array_join", [array, separator]) => joined(*array, *separator),
            _ => None,
        }
    }

    pub fn aggregate(&mut self, call: NodeId, function: &Function, written: &str, arguments: &[NodeId]) -> Translated {
        let rounded = matches!(function.canonical_name(), "sum" | "try_sum" | "avg");
        let scale = if rounded { self.open_rounding(self.type_of(call)) } else { None };
        let whole = function.canonical_name() == "avg" && self.type_of(call).is_interval();
        self.write(if whole { "CAST(round(" } else { "" });
        self.write(match (function.canonical_name(), self.compares_nested(arguments)) {
            ("max", true) => "h_max_by(",
            ("min", true) => "h_min_by(",
            _ => written,
        });
        if matches!(self.kind(call), Kind::Call { distinct: true }) {
            self.write("DISTINCT ");
        }
        self.aggregated(call, function, arguments)?;
        self.write(")");
        self.tail(call)?;
        self.write(if whole { ") AS INTEGER)" } else { "" });
        self.close_rounding(scale);
        Ok(())
    }

    fn compares_nested(&self, arguments: &[NodeId]) -> bool {
        matches!(arguments, [argument] if self.type_of(*argument).is_nested())
    }

    fn aggregated(&mut self, call: NodeId, function: &Function, arguments: &[NodeId]) -> Translated {
        match (function.canonical_name(), arguments) {
            ("count", [star]) if self.kind(*star) == Kind::Star => self.write("*"),
            ("count", [_, _, ..]) => {
                self.write("h_tuple(");
                self.separated(arguments, ",", |this, argument| this.expression(*argument))?;
                self.write(")");
            }
            ("sum" | "try_sum" | "avg", [argument]) => self.unrounded(*argument)?,
            ("approx_count_distinct", [argument, ..]) => self.expression(*argument)?,
            // A nested value is its own key, field by field: SQLite would compare its text.
            ("min" | "max", [argument]) if self.compares_nested(arguments) => {
                self.pieces(&[Value(*argument), Sql(",h_nested("), Value(*argument), Sql(")")])?;
            }
            (_, []) => return self.refuse(call, "an aggregate without arguments"),
            _ => {
                self.separated(arguments.iter().enumerate(), ",", |this, (index, argument)| {
                    this.argument(*argument, function.want(index))
                })?;
            }
        }
        Ok(())
    }

    /// FILTER and OVER.
    pub fn tail(&mut self, call: NodeId) -> Translated {
        let (filter, cell) = (self.filter_of(call), self.cell.clone());
        if filter.is_some() || cell.is_some() {
            self.write(" FILTER (WHERE ");
            self.write(cell.as_deref().unwrap_or_default());
            self.write(if filter.is_some() && cell.is_some() { " AND " } else { "" });
            filter.map(|filter| self.expression(self.only_child(filter)?)).transpose()?;
            self.write(")");
        }
        if let Some(over) = self.over_of(call) {
            self.over(over)?;
        }
        Ok(())
    }

    /// `count_if(condition)`.
    pub fn count_if(&mut self, call: NodeId, arguments: &[NodeId]) -> Translated {
        let [condition] = arguments else { return self.refuse(call, "COUNT_IF with this many arguments") };
        self.pieces(&[Sql("count(CASE WHEN "), Value(*condition), Sql(" THEN 1 END)")])?;
        self.tail(call)
    }

    /// `any(x)`, `some(x)`, `every(x)`, `all(x)` as aggregates.
    pub fn quantified(&mut self, call: NodeId, name: &str, argument: NodeId) -> Translated {
        self.pieces(&[Sql(if matches!(name, "every" | "all") { "min(" } else { "max(" }), Value(argument), Sql(")")])?;
        self.tail(call)
    }

    /// `row_number`, `lag`, `first_value` and the other window functions.
    pub fn window_function(&mut self, call: NodeId, name: &str, arguments: &[NodeId]) -> Translated {
        let name = written_window(name);
        let (skips, arguments) = self.null_treatment(call, name, arguments);
        if self.over_of(call).is_none() {
            return match name {
                "first_value" | "last_value" => self.sole_value(call, skips, arguments),
                _ => self.nondeterministic(call, name),
            };
        }
        match (skips, name) {
            (false, _) => {
                self.write(name);
                self.write("(");
            }
            (true, "first_value" | "last_value") => {
                self.write("h_");
                self.write(name);
                self.write("_ignore_nulls(");
            }
            (true, _) => return self.refuse(call, "IGNORE NULLS here"),
        }
        self.separated(arguments.iter().enumerate(), ",", |this, (index, argument)| match (name, index) {
            ("lag" | "lead", 2) => this.converted(*argument, this.type_of(arguments[0])),
            ("ntile", _) | ("lag" | "lead" | "nth_value", 1) => this.argument(*argument, ArgumentForm::AsWhole),
            _ => this.expression(*argument),
        })?;
        self.write(")");
        self.tail(call)
    }

    /// `first`, `last` and `any_value` of a group. The result depends on which row comes first unless all rows agree;
    /// if they do not, the run fails, so that nothing is claimed about such data.
    fn sole_value(&mut self, call: NodeId, skips: bool, arguments: &[NodeId]) -> Translated {
        self.write(if skips { "h_sole_ignore_nulls(" } else { "h_sole(" });
        self.separated(arguments, ",", |this, argument| this.expression(*argument))?;
        self.write(")");
        self.tail(call)
    }

    /// Returns whether NULLs are skipped (`IGNORE NULLS`, or TRUE as second argument), and the arguments without that
    /// flag.
    fn null_treatment<'b>(&self, call: NodeId, name: &str, arguments: &'b [NodeId]) -> (bool, &'b [NodeId]) {
        let mut words = self.script.token_range(call).map(|at| self.script.token_text(at));
        let written = words.any(|word| word.eq_ignore_ascii_case("IGNORE"));
        match (name, arguments) {
            ("first_value" | "last_value", [_, flag]) => {
                (written || self.kind(*flag) == Kind::Boolean(true), &arguments[..1])
            }
            _ => (written, arguments),
        }
    }

    /// Returns the type of a call's first argument.
    pub fn first_type(&self, arguments: &[NodeId]) -> Type {
        arguments.first().map(|argument| self.type_of(*argument).clone()).unwrap_or_default()
    }
}

/// Returns SQLite's name for a window function.
pub(super) fn written_window(name: &str) -> &str {
    match name {
        "first" | "any_value" => "first_value",
        "last" => "last_value",
        name => name,
    }
}
