//! Expressions that may stand for functions which Spark does not have: what others call by another name, and for a
//! function of the user's own something plain that gives what the places of its calls want.

use crate::code::functions::{Argument, Embedded, UnsupportedReason};
use crate::code::literal::{quoted, text_value};
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId, Tree};

/// A function that calls want and the engines do not have, with an expression for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProposedFunction {
    /// Its name, in lower case.
    pub name: String,
    /// Expressions with `$1`, `$2`, … for its arguments: the likeliest first, and never none.
    pub expressions: Vec<String>,
}

/// What functions of other platforms are in Spark.
const ELSEWHERE: [(&str, &str); 5] = [
    ("charindex", "locate($1, $2)"),
    ("getdate", "current_timestamp()"),
    ("sysdate", "current_timestamp()"),
    ("string_split", "split($1, $2)"),
    ("to_varchar", "cast($1 as string)"),
];

/// How often a name is followed to where it is read.
const MOST_STEPS: usize = 6;

/// Most columns of rows that are proposed for a function whose calls name none.
const MOST_COLUMNS_OF_ROWS: usize = 4;

/// What the place of a call wants.
#[derive(Clone, Debug, PartialEq, Eq)]
enum WantedValue {
    Text,
    Number,
    Truth,
    List,
    /// A map with these keys, or with any.
    Map(Vec<String>),
    /// A struct with these fields, and what is wanted of each.
    Struct(Vec<(String, WantedValue)>),
    /// A list of structs with so many fields.
    Rows(usize),
}

impl WantedValue {
    /// What two calls of one function want: the keys or fields of both, else what the first wants.
    fn with(self, other: WantedValue) -> WantedValue {
        match (self, other) {
            (WantedValue::Map(mut keys), WantedValue::Map(others)) => {
                let new: Vec<String> = others.into_iter().filter(|key| !keys.contains(key)).collect();
                keys.extend(new);
                WantedValue::Map(keys)
            }
            (WantedValue::Struct(mut fields), WantedValue::Struct(others)) => {
                for (name, value) in others {
                    match fields.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, known)) if *known == WantedValue::Text => *known = value,
                        Some(_) => {}
                        None => fields.push((name, value)),
                    }
                }
                WantedValue::Struct(fields)
            }
            (first, _) => first,
        }
    }
}

/// Returns the functions that a script calls and no engine has, each once, in the order of their first calls.
pub(crate) fn function_proposals(script: &Script) -> Vec<ProposedFunction> {
    let tree = script.tree();
    let mut calls: Vec<(String, Vec<NodeId>)> = Vec::new();
    for call in tree.ids().filter(|node| is_missing(script, *node)) {
        let name = script.function_name(call);
        match calls.iter_mut().find(|(known, _)| *known == name) {
            Some((_, calls)) => calls.push(call),
            None if name.is_empty() => {}
            None => calls.push((name, vec![call])),
        }
    }
    let proposed = calls.into_iter().map(|(name, calls)| {
        let known = ELSEWHERE.iter().find(|(known, _)| *known == name);
        let expressions =
            known.map_or_else(|| expressions_for(script, &name, &calls), |(_, known)| vec![(*known).to_owned()]);
        ProposedFunction { name, expressions }
    });
    proposed.collect()
}

/// Returns the options that give the first expression of each to these functions.
pub(crate) fn function_options(proposed: &[ProposedFunction]) -> String {
    let option = |it: &ProposedFunction| {
        let given = format!("{}={}", it.name, it.expressions[0]);
        // `$1` between double quotes means something to a shell.
        let is_quoted = given.contains('\'');
        if is_quoted {
            format!("--function \"{}\"", given.replace('$', "\\$"))
        } else {
            format!("--function '{given}'")
        }
    };
    proposed.iter().map(option).collect::<Vec<_>>().join(" ")
}

/// Whether a node calls a function that no engine has.
fn is_missing(script: &Script, node: NodeId) -> bool {
    let tree = script.tree();
    if !matches!(tree.kind(node), Kind::Call { .. }) {
        return false;
    }
    let is_relation = |parent: NodeId| tree.kind(parent) == Kind::TableFunction;
    let is_part_of_language = matches!(script.function_name(node).as_str(), "cast" | "try_cast");
    let is_program = |embedded: Embedded| embedded == Embedded::Refused(UnsupportedReason::Program);
    !is_part_of_language
        && !tree.parent(node).is_some_and(is_relation)
        && script.function(node).is_none_or(|function| is_program(function.embedded))
}

/// Returns expressions that may stand for a function: what its calls want of it, then what else a value may be.
fn expressions_for(script: &Script, name: &str, calls: &[NodeId]) -> Vec<String> {
    let arguments = script.arguments(calls[0]);
    let is_literal = |node: &NodeId| matches!(script.tree().kind(*node), Kind::Text | Kind::Number);
    let place = arguments.iter().position(|argument| !is_literal(argument)).map(|at| format!("${}", at + 1));
    let given = place.or_else(|| (!arguments.is_empty()).then(|| "$1".to_owned())).unwrap_or_else(|| quoted(name));
    if let Some(columns) = calls.iter().find_map(|call| columns_of_rows(script, *call)) {
        // Rows of one column may be of more where no call names any.
        let most = if columns == 1 { MOST_COLUMNS_OF_ROWS } else { columns };
        return (columns..=most).map(|columns| rows_of(&given, columns)).collect();
    }
    let wanted = calls.iter().filter_map(|call| wanted(script, *call, MOST_STEPS)).reduce(WantedValue::with);
    let given = if calls.iter().all(|call| gathers(script, *call)) { format!("max({given})") } else { given };
    let first = made_of(&given, &wanted.unwrap_or(WantedValue::Text));
    let others = [WantedValue::Text, WantedValue::Number, WantedValue::List].map(|wanted| made_of(&given, &wanted));
    let others: Vec<String> = others.into_iter().filter(|other| *other != first).collect();
    std::iter::once(first).chain(others).collect()
}

/// Returns how many columns the rows have that a call makes in LATERAL VIEW, or under several names in a SELECT list; `None`
/// for other calls.
fn columns_of_rows(script: &Script, call: NodeId) -> Option<usize> {
    let tree = script.tree();
    let around = tree.parent(call)?;
    let names = tree.child(around, |kind| kind == Kind::ColumnList).map(|names| tree.children(names).len());
    match tree.kind(around) {
        Kind::LateralView { .. } => Some(names.unwrap_or(1)),
        Kind::SelectItem => names,
        _ => None,
    }
}

/// Returns an expression that makes rows of a value.
fn rows_of(given: &str, columns: usize) -> String {
    if columns == 1 {
        return format!("explode(split(cast({given} as string), ','))");
    }
    let values = vec![format!("cast({given} as string)"); columns];
    format!("stack(1, {})", values.join(", "))
}

/// An expression that makes what is wanted of another.
fn made_of(given: &str, wanted: &WantedValue) -> String {
    let text = format!("cast({given} as string)");
    match wanted {
        WantedValue::Text => text,
        WantedValue::Number => format!("length({text})"),
        WantedValue::Truth => format!("{given} is not null"),
        WantedValue::List => format!("split({text}, ',')"),
        WantedValue::Map(keys) if keys.is_empty() => format!("map({text}, {text})"),
        WantedValue::Map(keys) => {
            let entries = keys.iter().map(|key| format!("{}, {text}", quoted(key)));
            format!("map({})", entries.collect::<Vec<_>>().join(", "))
        }
        WantedValue::Struct(fields) => {
            let fields = fields.iter().map(|(name, wanted)| format!("{}, {}", quoted(name), made_of(given, wanted)));
            format!("named_struct({})", fields.collect::<Vec<_>>().join(", "))
        }
        WantedValue::Rows(columns) => format!("array(struct({}))", vec![text; *columns].join(", ")),
    }
}

/// Whether a call gives one value for a group: it reads columns that the block around it does not group by.
fn gathers(script: &Script, call: NodeId) -> bool {
    let tree = script.tree();
    let Some(block) = tree.enclosing(call, |kind| matches!(kind, Kind::Select { .. })) else { return false };
    let Some(keys) = tree.child(block, |kind| kind == Kind::GroupBy) else { return false };
    let is_below_aggregate = tree.ancestors(call).any(|above| script.aggregates_rows(above));
    let is_over_aggregate = tree.descendants(call).skip(1).any(|below| script.aggregates_rows(below));
    let comes_first = |kind: Kind| matches!(kind, Kind::Where | Kind::On | Kind::GroupBy | Kind::LateralView { .. });
    let is_before_grouping = tree.ancestors(call).any(|above| comes_first(tree.kind(above)));
    let is_key = tree.enclosing(call, |kind| kind == Kind::SelectItem).is_some_and(|item| is_key(script, item, keys));
    let keys = script.slice(keys).to_lowercase();
    let mut columns = tree.descendants(call).filter(|node| tree.kind(*node) == Kind::Column);
    let reads_others = columns.any(|column| !keys.contains(&script.last_name(column)));
    reads_others && !is_below_aggregate && !is_over_aggregate && !is_before_grouping && !is_key
}

/// Whether GROUP BY names an item of the SELECT list, by its place or its alias.
fn is_key(script: &Script, item: NodeId, keys: NodeId) -> bool {
    let tree = script.tree();
    let place = (tree.position(item) + 1).to_string();
    let alias = tree.child(item, |kind| kind == Kind::Alias);
    let alias = alias.and_then(|alias| tree.children(alias).first()).map(|name| script.name(*name));
    tree.children(keys).iter().any(|key| match tree.kind(*key) {
        Kind::Number => script.slice(*key) == place,
        Kind::Column => Some(script.path_name(*key)) == alias,
        _ => false,
    })
}

/// What the place of an expression wants of it; `None` if anything will do.
fn wanted(script: &Script, node: NodeId, steps: usize) -> Option<WantedValue> {
    let tree = script.tree();
    let parent = tree.parent(node)?;
    let others = || tree.children(parent).iter().copied().filter(|other| *other != node);
    let is_first = tree.children(parent).first() == Some(&node);
    match tree.kind(parent) {
        Kind::Paren | Kind::Else | Kind::Case { .. } => wanted(script, parent, steps),
        Kind::When if !is_first => wanted(script, parent, steps),
        Kind::When => Some(WantedValue::Truth),
        kind if kind.holds_condition() => Some(WantedValue::Truth),
        Kind::Binary(operator) if operator.is_comparison() => others().find_map(|other| told_beside(tree, other)),
        Kind::InList { .. } | Kind::Between { .. } => others().find_map(|other| told_beside(tree, other)),
        Kind::Pattern { .. } => Some(WantedValue::Text),
        Kind::Binary(_) | Kind::Unary => Some(WantedValue::Number),
        Kind::Index if is_first => {
            let keys: Vec<String> = indexes(script, node);
            Some(if keys.is_empty() { WantedValue::List } else { WantedValue::Map(keys) })
        }
        Kind::Field if is_first => {
            let value = wanted(script, parent, steps).unwrap_or(WantedValue::Text);
            others().next().map(|field| WantedValue::Struct(vec![(script.name(field), value)]))
        }
        Kind::Call { .. } => of_argument(script, parent, node, steps),
        Kind::SelectItem if steps > 0 => {
            let alias = tree.child(parent, |kind| kind == Kind::Alias)?;
            let name = script.name(*tree.children(alias).first()?);
            of_readers(script, &name, steps - 1)
        }
        _ => None,
    }
}

/// What a value beside an expression says of it.
fn told_beside(tree: &Tree, other: NodeId) -> Option<WantedValue> {
    match tree.kind(other) {
        Kind::Number => Some(WantedValue::Number),
        Kind::Text => Some(WantedValue::Text),
        Kind::Boolean(_) => Some(WantedValue::Truth),
        _ => None,
    }
}

/// The texts by which a value, or the name that it has, is indexed.
fn indexes(script: &Script, node: NodeId) -> Vec<String> {
    let tree = script.tree();
    let base = script.slice(node);
    let mut keys: Vec<String> = Vec::new();
    for index in tree.ids().filter(|id| tree.kind(*id) == Kind::Index) {
        let [of, key] = *tree.children(index) else { continue };
        let is_same = script.slice(of).eq_ignore_ascii_case(base);
        if is_same && tree.kind(key) == Kind::Text {
            let key = text_value(script.slice(key));
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    keys
}

fn of_argument(script: &Script, call: NodeId, argument: NodeId, steps: usize) -> Option<WantedValue> {
    let function = script.function(call)?;
    let at = script.arguments(call).iter().position(|other| *other == argument)?;
    match function.canonical_name() {
        "coalesce" | "max" | "min" | "first" | "nullif" | "greatest" | "least" | "first_value" | "last_value" => {
            wanted(script, call, steps)
        }
        "if" if at > 0 => wanted(script, call, steps),
        "if" => Some(WantedValue::Truth),
        "explode" if columns_of_rows(script, call) == Some(2) => Some(WantedValue::Map(Vec::new())),
        "inline" | "inline_outer" => Some(WantedValue::Rows(columns_of_rows(script, call).unwrap_or(1))),
        "explode" | "posexplode" | "size" => Some(WantedValue::List),
        _ => match function.argument(at) {
            Argument::Number | Argument::Count | Argument::Numeric | Argument::Whole | Argument::Int => {
                Some(WantedValue::Number)
            }
            Argument::Summable | Argument::Measure | Argument::Double => Some(WantedValue::Number),
            Argument::Boolean => Some(WantedValue::Truth),
            Argument::Array | Argument::OrderableArray | Argument::ArrayOfText => Some(WantedValue::List),
            Argument::Text | Argument::TextOrBinary => Some(WantedValue::Text),
            _ => None,
        },
    }
}

/// What is wanted where the script reads a name that the SELECT list gives to an expression.
fn of_readers(script: &Script, name: &str, steps: usize) -> Option<WantedValue> {
    let tree = script.tree();
    let columns: Vec<NodeId> = tree.ids().filter(|node| tree.kind(*node) == Kind::Column).collect();
    let field_read = |column: &NodeId| {
        let path = script.path_name(*column);
        let field = path.split('.').skip_while(|part| *part != name).nth(1)?.to_owned();
        let value = wanted(script, *column, steps).unwrap_or(WantedValue::Text);
        Some(WantedValue::Struct(vec![(field, value)]))
    };
    let structure = columns.iter().filter_map(field_read).reduce(WantedValue::with);
    let is_relation = |name: &str| {
        let mut aliases = tree.ids().filter(|node| tree.kind(*node) == Kind::Alias);
        aliases.any(|alias| {
            let of_table = tree.parent(alias).is_some_and(|parent| tree.kind(parent) != Kind::SelectItem);
            of_table && tree.children(alias).first().is_some_and(|first| script.name(*first) == name)
        })
    };
    if structure.is_some() && !is_relation(name) {
        return structure;
    }
    columns.iter().filter(|column| script.last_name(**column) == name).find_map(|column| wanted(script, *column, steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposed(sql: &str) -> String {
        let all = function_proposals(&Script::new(sql));
        all.iter().map(|it| format!("{}={}", it.name, it.expressions[0])).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_expression_gives_what_the_places_of_the_calls_want() {
        for (sql, wanted) in [
            ("SELECT norm(city) AS c FROM t", "norm=cast($1 as string)"),
            ("SELECT k FROM t WHERE jaro(a, b) > 0.8", "jaro=length(cast($1 as string))"),
            ("SELECT k FROM t WHERE is_view(u) AND v > 1", "is_view=$1 is not null"),
            (
                "SELECT geo(ip)['city'], geo(ip)['land'] FROM t",
                "geo=map('city', cast($1 as string), 'land', cast($1 as string))",
            ),
            ("SELECT k, x FROM t LATERAL VIEW explode(words('en', s)) v AS x", "words=split(cast($2 as string), ',')"),
            ("SELECT i.h FROM (SELECT parse(u) AS i FROM t) s", "parse=named_struct('h', cast($1 as string))"),
            (
                "SELECT parse(u).host, size(parse(u).path) FROM t WHERE parse(u).path IS NOT NULL",
                "parse=named_struct('host', cast($1 as string), 'path', split(cast($1 as string), ','))",
            ),
            ("SELECT k, entropy(v) AS e FROM t GROUP BY k", "entropy=cast(max($1) as string)"),
            ("SELECT entropy(v) AS e, k, count(*) FROM t GROUP BY 2, e", "entropy=cast($1 as string)"),
            (
                "SELECT k, count(*) FROM t LATERAL VIEW explode(words(s)) v AS w GROUP BY k",
                "words=split(cast($1 as string), ',')",
            ),
            (
                "SELECT a, b FROM t LATERAL VIEW pairs(s) v AS a, b LATERAL VIEW one(s) w",
                "pairs=stack(1, cast($1 as string), cast($1 as string)) one=explode(split(cast($1 as string), ','))",
            ),
            (
                "SELECT inline(r) AS (x, y) FROM (SELECT f(s, k) AS r FROM t GROUP BY k) q",
                "f=array(struct(cast(max($1) as string), cast(max($1) as string)))",
            ),
            ("SELECT f(a, b) AS (x, y) FROM t", "f=stack(1, cast($1 as string), cast($1 as string))"),
            (
                "SELECT w, n FROM (SELECT k, tf(w) AS m FROM t GROUP BY k) q LATERAL VIEW explode(m) v AS w, n",
                "tf=map(cast(max($1) as string), cast(max($1) as string))",
            ),
            ("SELECT k, norm(v), count(*) FROM t GROUP BY 1, 2", "norm=cast($1 as string)"),
            ("SELECT k, sum(rate(v)) FROM t GROUP BY k", "rate=length(cast($1 as string))"),
            ("SELECT k, squashed(sum(v) * 2) FROM t GROUP BY k", "squashed=cast($1 as string)"),
            ("SELECT reflect('java.net.URLDecoder', 'decode', u) FROM t", "reflect=cast($3 as string)"),
            ("SELECT CHARINDEX('a', s) FROM t", "charindex=locate($1, $2)"),
            ("SELECT run_id(), upper(s) FROM t", "run_id=cast('run_id' as string)"),
        ] {
            assert_eq!(proposed(sql), wanted, "{sql}");
        }
    }

    #[test]
    fn options_can_be_pasted_into_a_shell() {
        let all = function_proposals(&Script::new("SELECT norm(a), geo(ip)['city'] FROM t"));
        let options = r#"--function 'norm=cast($1 as string)' --function "geo=map('city', cast(\$1 as string))""#;
        assert_eq!(function_options(&all), options);
    }
}
