//! Expressions that may stand for functions which Spark does not have: what others call by another name, and for a
//! function of the user's own something plain that gives what the places of its calls want.

use super::wanted_value::{WantedValue, columns_of_rows, compared_constant, constant_of_name, names_of_rows};
use crate::code::functions::{Embedded, UnsupportedReason};
use crate::code::literal::quoted;
use crate::code::script::Script;
use crate::code::tree::{Kind, NodeId};

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

/// Most columns of rows that are proposed for a function whose calls name none.
const MOST_COLUMNS_OF_ROWS: usize = 4;

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

/// Functions that hide a value in bytes: what they give is compared with what they give alone, as any text is.
const CIPHERS: [&str; 4] = ["aes_decrypt", "aes_encrypt", "hmac", "try_aes_decrypt"];

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
        && script
            .function(node)
            .is_none_or(|function| is_program(function.embedded) || CIPHERS.contains(&function.name))
}

/// Returns expressions that may stand for a function: what its calls want of it, then what else a value may be.
fn expressions_for(script: &Script, name: &str, calls: &[NodeId]) -> Vec<String> {
    let arguments = script.arguments(calls[0]);
    let is_literal = |node: &NodeId| matches!(script.tree().kind(*node), Kind::Text | Kind::Number);
    let places = arguments.iter().enumerate().filter(|(_, argument)| !is_literal(argument));
    let places: Vec<String> = places.map(|(at, _)| format!("${}", at + 1)).collect();
    let any = || if arguments.is_empty() { quoted(name) } else { "$1".to_owned() };
    let given = places.first().cloned().unwrap_or_else(any);
    if let Some(columns) = calls.iter().find_map(|call| columns_of_rows(script, *call)) {
        // Rows of one column may be of more where no call names any.
        let most = if columns == 1 { MOST_COLUMNS_OF_ROWS } else { columns };
        let rows = (columns..=most).map(|columns| rows_of(&vec![format!("cast({given} as string)"); columns]));
        return rows.chain(rows_with_constants(script, &given, calls)).collect();
    }
    let wanted = calls.iter().filter_map(|call| WantedValue::of(script, *call)).reduce(WantedValue::with);
    let wanted = wanted.unwrap_or(WantedValue::Text);
    let gathers = calls.iter().all(|call| gathers(script, *call));
    let given = if gathers { format!("max({given})") } else { given };
    let first = made_of(&given, &wanted);
    let arguments = if gathers { Vec::new() } else { arguments_as(&places, &wanted) };
    let others = [WantedValue::Text, WantedValue::Number, WantedValue::List].map(|wanted| made_of(&given, &wanted));
    let constant = calls.iter().find_map(|call| compared_constant(script, *call));
    let others: Vec<String> =
        arguments.into_iter().chain(others).chain(constant).filter(|other| *other != first).collect();
    std::iter::once(first).chain(others).collect()
}

/// The arguments that may be what is wanted: a structure is one of them, or the first of a list.
fn arguments_as(places: &[String], wanted: &WantedValue) -> Vec<String> {
    let elements = places.iter().map(|place| format!("{place}[0]"));
    match wanted {
        WantedValue::Struct(_) => elements.chain(places.iter().cloned()).collect(),
        WantedValue::List | WantedValue::Map(_) => places.to_vec(),
        _ => Vec::new(),
    }
}

/// An expression that makes rows in which each column has the constant that the script compares it with; `None` if it compares
/// none.
fn rows_with_constants(script: &Script, given: &str, calls: &[NodeId]) -> Option<String> {
    let names = calls.iter().map(|call| names_of_rows(script, *call)).find(|names| !names.is_empty())?;
    let constants: Vec<Option<String>> = names.iter().map(|name| constant_of_name(script, name)).collect();
    let is_any = constants.iter().any(Option::is_some);
    let values = constants.into_iter().map(|constant| constant.unwrap_or_else(|| format!("cast({given} as string)")));
    is_any.then(|| rows_of(&values.collect::<Vec<_>>()))
}

/// Returns an expression that makes rows of values.
fn rows_of(values: &[String]) -> String {
    match values {
        [only] => format!("explode(split({only}, ','))"),
        _ => format!("stack(1, {})", values.join(", ")),
    }
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
    fn other_expressions_are_arguments_that_fit_and_constants_that_are_compared() {
        for (sql, others) in [
            (
                "SELECT main(k, requests).hits AS h FROM t",
                "$1[0] | $2[0] | $1 | $2 | cast($1 as string) | length(cast($1 as string)) | split(cast($1 as string), ',')",
            ),
            (
                "SELECT x FROM t LATERAL VIEW explode(kept(a)) v AS x",
                "$1 | cast($1 as string) | length(cast($1 as string))",
            ),
            (
                "SELECT * FROM (SELECT mood(v) AS m FROM t) q WHERE m IN ('NEG', 'POS')",
                "length(cast($1 as string)) | split(cast($1 as string), ',') | 'NEG'",
            ),
            (
                "SELECT * FROM (SELECT moods(k, v) AS (a, mood, n) FROM t) q WHERE mood = 'NEG' AND 2 = n",
                "stack(1, cast($1 as string), 'NEG', 2)",
            ),
            ("SELECT a, b FROM t LATERAL VIEW pairs(s) v AS a, b WHERE a > 3", ""),
        ] {
            let all = function_proposals(&Script::new(sql));
            assert_eq!(all[0].expressions[1..].join(" | "), others, "{sql}");
        }
    }

    #[test]
    fn what_a_cipher_gives_is_any_text() {
        assert_eq!(proposed("SELECT base64(aes_encrypt(s, 'key')) FROM t"), "aes_encrypt=cast($1 as string)");
    }

    #[test]
    fn options_can_be_pasted_into_a_shell() {
        let all = function_proposals(&Script::new("SELECT norm(a), geo(ip)['city'] FROM t"));
        let options = r#"--function 'norm=cast($1 as string)' --function "geo=map('city', cast(\$1 as string))""#;
        assert_eq!(function_options(&all), options);
    }
}
