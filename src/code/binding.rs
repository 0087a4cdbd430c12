//! Binding: values replace the placeholders of a script, its references to the clock and the user, and its calls
//! of own functions.

use std::collections::HashSet;

use super::bound_text::BoundText;
use super::clock::{self, CLOCK, USER};
use super::own_function::{self, OwnFunction};
use super::parameters::{Parameters, UnboundPlaceholder};
use super::placeholder::{Placeholder, placeholders};
use super::script::Script;
use super::span::Span;
use super::tree::Kind;

impl Parameters {
    /// Returns `text` with its placeholders (in strings as well), references to the clock and calls of own functions
    /// replaced.
    ///
    /// # Errors
    ///
    /// The first placeholder that the script needs and that has no value.
    pub fn bind(&self, text: &str) -> Result<String, UnboundPlaceholder> {
        self.bind_with_positions(text).map(|bound| bound.text)
    }

    /// As [`Parameters::bind`], with a map from positions in the result to positions in `text`.
    pub fn bind_with_positions(&self, text: &str) -> Result<BoundText, UnboundPlaceholder> {
        self.values_in(text).map(|values| BoundText::replacing(text, values))
    }

    /// Adds the functions that the script defines by expressions; a function that is bound keeps its expression.
    #[must_use]
    pub fn with_functions(mut self, script: &Script) -> Parameters {
        for (key, expression) in own_function::defined_by_expressions(script.text()) {
            if self.value(&key).is_none() {
                self.insert(key, expression);
            }
        }
        self
    }

    /// Replaces only what changes the names in the text: placeholders inside names, and calls of own functions. Other
    /// placeholders stay as they are written, so that messages quote them.
    pub fn bind_names(&self, text: &str) -> BoundText {
        let mut values = self.names_in(text);
        // If a placeholder in an argument has no value, all calls stay as they are written.
        values.extend(self.call_replacements(text).unwrap_or_default());
        BoundText::replacing(text, values)
    }

    /// Replaces only the placeholders inside names and those that are names, as in `FROM ${table}`: on them it depends
    /// which tables a script reads.
    pub fn bind_name_placeholders(&self, text: &str) -> String {
        let text = BoundText::replacing(text, self.names_in(text)).text;
        let left = placeholders(&text);
        if left.is_empty() {
            return text;
        }
        let script = Script::new(text);
        let tree = script.tree();
        let names = tree.ids().filter(|node| tree.kind(*node) == Kind::Identifier).map(|node| tree.span(node));
        let names: HashSet<usize> = names.map(|span| span.start).collect();
        let is_name = |placeholder: &Placeholder| placeholder.in_sql && names.contains(&placeholder.span.start);
        let named = left.into_iter().filter(is_name);
        let values = named.filter_map(|placeholder| Some((placeholder.span, self.name(&placeholder.key)?))).collect();
        BoundText::replacing(script.text(), values).text
    }

    /// Replaces the placeholders on which it depends how a script reads: those of names, as
    /// [`Parameters::bind_name_placeholders`] does, and those of whole clauses. Values that the script sets itself count
    /// as well.
    pub fn bind_names_and_clauses(&self, text: &str) -> String {
        if placeholders(text).is_empty() {
            return text.to_owned();
        }
        let values = self.with_assignments(&Script::new(text));
        values.bind_clauses(&values.bind_name_placeholders(text))
    }

    /// Replaces the placeholders of statements that cannot be read with them but can with their values: a whole clause,
    /// such as `${partition_clause}`, may stand in one.
    fn bind_clauses(&self, text: &str) -> String {
        if placeholders(text).is_empty() {
            return text.to_owned();
        }
        let script = Script::new(text);
        let bound = script.errors().iter().filter_map(|(statement, _)| {
            let span = script.tree().span(*statement);
            let written = span.of(text);
            let values = placeholders(written).into_iter();
            let values = values.map(|found| Some((found.span, self.whole_value(&found.key).ok()?)));
            let bound = BoundText::replacing(written, values.collect::<Option<Vec<_>>>()?).text;
            Script::new(&*bound).is_valid().then_some((span, bound))
        });
        BoundText::replacing(text, bound.collect()).text
    }

    /// The placeholders that are a part of a name, with their values: a letter, digit, `_` or `.` touches them, or
    /// another placeholder that is.
    fn names_in(&self, text: &str) -> Vec<(Span, String)> {
        let beside = |c: Option<char>| c.is_some_and(|c| c == '.' || c == '_' || c.is_alphanumeric());
        let touched =
            |start: usize, end: usize| beside(text[..start].chars().next_back()) || beside(text[end..].chars().next());
        let in_sql: Vec<Placeholder> =
            placeholders(text).into_iter().filter(|placeholder| placeholder.in_sql).collect();
        // `${db}.${prefix}${table}` is one name.
        let names = in_sql.chunk_by(|one, next| one.span.end == next.span.start).filter(|chunk| {
            chunk.first().zip(chunk.last()).is_some_and(|(first, last)| touched(first.span.start, last.span.end))
        });
        names.flatten().filter_map(|placeholder| Some((placeholder.span, self.name(&placeholder.key)?))).collect()
    }

    /// The value of a placeholder that is a name or a part of one: what is a text elsewhere has no quotes there.
    fn name(&self, key: &str) -> Option<String> {
        let value = self.value(key)?;
        let bare = value.strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
        let is_name = |text: &&str| text.chars().all(|c| c == '_' || c == '.' || c.is_alphanumeric());
        Some(bare.filter(is_name).map(str::to_owned).unwrap_or(value))
    }

    /// The replacement of each call of an own function; its CREATE FUNCTION statement is replaced by nothing.
    fn call_replacements(&self, text: &str) -> Result<Vec<(Span, String)>, UnboundPlaceholder> {
        let own: Vec<OwnFunction<'_>> = self.iter().filter_map(|(key, value)| OwnFunction::new(key, value)).collect();
        let mut pieces = Vec::new();
        for call in own_function::calls(text, &own) {
            let bound = call.arguments.iter().map(|argument| self.bind(argument.of(text)));
            let bound: Vec<String> = bound.collect::<Result<_, _>>()?;
            let expression = own[call.function].in_place_of(&call, &bound);
            pieces.push((call.span, self.with_pinned_clock(expression)));
        }
        pieces.extend(own_function::definitions(text, &own).into_iter().map(|span| (span, String::new())));
        Ok(pieces)
    }

    /// The replacement of each placeholder of `text`, each reference to the clock and each call of an own function.
    fn values_in(&self, text: &str) -> Result<Vec<(Span, String)>, UnboundPlaceholder> {
        let mut values = Vec::new();
        for placeholder in placeholders(text) {
            match self.whole_value(&placeholder.key) {
                Ok(value) => values.push((placeholder.span, self.with_pinned_clock(value))),
                Err(key) if is_needed(&placeholder, text) => {
                    return Err(UnboundPlaceholder { key, span: placeholder.span });
                }
                Err(_) => {}
            }
        }
        values.extend(self.clock_readings(text));
        values.extend(self.call_replacements(text)?);
        Ok(values)
    }

    /// The literal of each reference to the clock and the user.
    fn clock_readings(&self, text: &str) -> Vec<(Span, String)> {
        let moment = self.value(CLOCK).and_then(|value| clock::moment(&value));
        let user = self.value(USER);
        if moment.is_none() && user.is_none() {
            return Vec::new();
        }
        let literal = |(span, reading): (Span, clock::Reading)| Some((span, reading.literal(moment, user.as_deref())?));
        clock::readings(text).into_iter().filter_map(literal).collect()
    }

    /// A value that is an expression, as `SET` gives it, may read the clock itself.
    fn with_pinned_clock(&self, value: String) -> String {
        let readings = self.clock_readings(&value);
        if readings.is_empty() { value } else { BoundText::replacing(&value, readings).text }
    }

    /// The placeholders of `text` that must have a value and have none: each key once, at its first place.
    pub fn unbound(&self, text: &str) -> Vec<UnboundPlaceholder> {
        let mut missing: Vec<UnboundPlaceholder> = Vec::new();
        for placeholder in placeholders(text) {
            let Err(key) = self.whole_value(&placeholder.key) else { continue };
            if !missing.iter().any(|known| known.key == key) && is_needed(&placeholder, text) {
                missing.push(UnboundPlaceholder { key, span: placeholder.span });
            }
        }
        missing
    }
}

/// Whether a text cannot run without the value of a placeholder: nothing runs of a statement that makes a function of a
/// program.
fn is_needed(placeholder: &Placeholder, text: &str) -> bool {
    placeholder.required && !own_function::programs(text).iter().any(|program| program.contains(placeholder.span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_functions_stand_for_their_expressions() {
        let own = Parameters::from_iter([("geo()", "upper(coalesce($1, $2))"), ("one()", "1"), ("d", "x")]);
        let text = "CREATE TEMPORARY FUNCTION geo AS 'org.Geo'; SELECT Geo(name, concat('${d}', ',')), ONE( ) + 1, t.geo, 'geo(1)' FROM t";
        assert_eq!(
            own.bind(text).unwrap(),
            "; SELECT (upper(coalesce(name, concat('x', ',')))), (1) + 1, t.geo, 'geo(1)' FROM t"
        );
        assert_eq!(
            own.bind("SELECT geo(b, c) AS (x, y), geo(b, c) AS z FROM t").unwrap(),
            "SELECT upper(coalesce(b, c)) AS (x, y), (upper(coalesce(b, c))) AS z FROM t"
        );
        assert_eq!(
            own.bind("SELECT a FROM t LATERAL VIEW OUTER geo(b, c) v AS x").unwrap(),
            "SELECT a FROM t LATERAL VIEW OUTER upper(coalesce(b, c)) v AS x"
        );
        assert_eq!(
            own.bind("SELECT geo(geo(a, b), c)").unwrap(),
            "SELECT (upper(coalesce((upper(coalesce(a, b))), c)))"
        );
        assert_eq!(own.bind("SELECT geo(a").unwrap(), "SELECT geo(a", "a call that never ends is left to the grammar");
    }

    #[test]
    fn values_hold_placeholders_themselves() {
        let script = Script::new(
            "SET today='${end}'; SET before=date_sub(${hiveconf:today}, 1); SET x=${x}; SELECT ${hiveconf:before}, '${x}'",
        );
        let own = Parameters::default().with_assignments(&script);
        assert_eq!(own.unbound(script.text()).iter().map(|missing| &*missing.key).collect::<Vec<_>>(), ["end", "x"]);
        let all = Parameters::from_iter([("end", "2024-03-15"), ("x", "1")]).with_assignments(&script);
        assert!(all.bind(script.text()).unwrap().ends_with("SELECT date_sub('2024-03-15', 1), '1'"));
    }

    #[test]
    fn what_stands_in_a_program_needs_no_value() {
        let text = "create temporary function geo as 'org.Geo' using jar '${home}/geo.jar'; SELECT '${d}'";
        let missing = Parameters::default().unbound(text);
        assert_eq!(missing.iter().map(|missing| &*missing.key).collect::<Vec<_>>(), ["d"]);
        assert!(Parameters::from_iter([("d", "x")]).bind(text).is_ok());
    }

    #[test]
    fn functions_that_a_script_defines_by_expressions_stand_for_them() {
        let script = Script::new(
            "CREATE TEMPORARY FUNCTION twice(x INT, y STRING) RETURNS INT RETURN x * 2 + length(y); SELECT twice(a + b, c) FROM t",
        );
        let own = Parameters::default().with_functions(&script);
        assert_eq!(own.bind(script.text()).unwrap(), "; SELECT ((a + b) * 2 + length((c))) FROM t");
        for other in
            ["CREATE FUNCTION f(x INT) RETURNS INT RETURN (SELECT max(a) FROM t)", "CREATE FUNCTION g AS 'org.G'"]
        {
            assert!(Parameters::default().with_functions(&Script::new(other)).is_empty(), "{other}");
        }
    }

    #[test]
    fn a_clause_is_bound_where_its_statement_cannot_be_read_without() {
        let values = Parameters::from_iter([("clause", "PARTITION (d = '1')"), ("d", "'1'"), ("odd", ")")]);
        let text = "SELECT ${d} FROM t; INSERT INTO t ${clause} SELECT ${d} FROM s; SELECT a ${odd}; SELECT a ${none}";
        let bound = values.bind_clauses(text);
        assert_eq!(bound, text.replace("${clause} SELECT ${d}", "PARTITION (d = '1') SELECT '1'"));
    }

    #[test]
    fn a_name_that_the_script_sets_is_bound() {
        let text = "SET hivevar:target=ads.sums; SET d=7; INSERT INTO ${hivevar:target} SELECT a FROM t WHERE a = ${d}";
        let bound = Parameters::default().bind_names_and_clauses(text);
        assert_eq!(bound, text.replace("${hivevar:target}", "ads.sums"));
    }

    #[test]
    fn names_are_bound_where_values_stay() {
        let bound = Parameters::from_iter([("db", "ods"), ("d", "x")])
            .bind_names("SELECT '${d}', ${d} FROM ${db}.t_${d} -- ${db}.x");
        assert_eq!(bound.text, "SELECT '${d}', ${d} FROM ods.t_x -- ${db}.x");
        assert_eq!(bound.original(bound.text.find(".t_").unwrap()), "SELECT '${d}', ${d} FROM ${db}".len());
        let values =
            Parameters::from_iter([("db", "ods"), ("prefix", ""), ("t", "orders"), ("out", "ads.sums"), ("d", "7")]);
        let text = "INSERT OVERWRITE TABLE ${out} SELECT ${d}, a FROM ${db}.${prefix}${t} x JOIN ${t} ON x.a = ${d}";
        assert_eq!(
            values.bind_name_placeholders(text),
            "INSERT OVERWRITE TABLE ads.sums SELECT ${d}, a FROM ods.orders x JOIN orders ON x.a = ${d}"
        );
    }
}
