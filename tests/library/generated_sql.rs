//! Generates texts that no author would write: correct queries with odd layout, and queries cut short.

use proptest::prelude::*;

/// Names that need care: multibyte, quoted, touched by placeholders, spelt like keywords.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-d]{1,3}",
        1 => Just("`odd name`".to_owned()),
        1 => Just("größe".to_owned()),
        1 => Just("tmp_${DATE+2}_x".to_owned()),
        1 => Just("7d_cnt".to_owned()),
    ]
}

fn literal() -> impl Strategy<Value = String> {
    prop_oneof![
        (0u32..100).prop_map(|number| number.to_string()),
        Just("1.5e-3".to_owned()),
        Just("'it''s'".to_owned()),
        Just(r"'a\'b;--'".to_owned()),
        Just("'${bizdate}'".to_owned()),
        Just("\"中文 /* no comment */\"".to_owned()),
        Just("NULL".to_owned()),
    ]
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![name(), literal()];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (inner.clone(), prop::sample::select(vec!["+", "-", "*", "=", "<>", "AND", "OR", "||"]), inner.clone())
                .prop_map(|(left, operator, right)| format!("( {left} {operator} {right} )")),
            pair.clone().prop_map(|(one, other)| format!("coalesce ( {one} , {other} )")),
            pair.clone().prop_map(|(when, then)| format!("CASE WHEN {when} IS NULL THEN {then} END")),
            inner.clone().prop_map(|value| format!("CAST ( {value} AS STRING )")),
            inner.clone().prop_map(|value| format!("sum ( {value} ) OVER ( PARTITION BY a ORDER BY b DESC )")),
            inner.clone().prop_map(|value| format!("( NOT ( {value} ) )")),
            pair.prop_map(|(value, list)| format!("( {value} IN ( {list} , 1 ) )")),
        ]
    })
}

fn select() -> impl Strategy<Value = String> {
    let joins = prop::collection::vec((name(), expression()), 0..3);
    let outputs = prop::collection::vec(expression(), 1..4);
    (outputs, name(), joins, prop::option::of(expression()), prop::option::of(name())).prop_map(
        |(outputs, table, joins, filter, group)| {
            let joins: String = joins.iter().map(|(table, on)| format!(" LEFT JOIN {table} ON {on}")).collect();
            let filter = filter.map_or_else(String::new, |filter| format!(" WHERE {filter}"));
            let group = group.map_or_else(String::new, |group| format!(" GROUP BY {group}"));
            format!("SELECT {} FROM {table}{joins}{filter}{group}", outputs.join(" , "))
        },
    )
}

/// Blanks, line ends and comments as they may stand between any two tokens.
fn gap() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        6 => Just(" "),
        2 => Just("\n    "),
        1 => Just("\r\n\t"),
        1 => Just(" /* größe; ' */ "),
        1 => Just(" -- it's 中 \n"),
    ]
}

/// A correct script of one to three statements, laid out at random.
pub fn script() -> impl Strategy<Value = String> {
    let statement = (prop::collection::vec((name(), select()), 0..3), select()).prop_map(|(tables, body)| {
        let tables: Vec<String> = tables.iter().map(|(name, query)| format!("{name} AS ( {query} )")).collect();
        let with = if tables.is_empty() { String::new() } else { format!("WITH {} ", tables.join(" , ")) };
        format!("{with}{body}")
    });
    let statements = prop::collection::vec(statement, 1..4);
    (statements, prop::collection::vec(gap(), 1..40)).prop_map(|(statements, gaps)| {
        let text = statements.join(" ; ");
        laid_out(&text, &gaps)
    })
}

/// The blanks of `text` outside quotes, each replaced by the next of `gaps`.
fn laid_out(text: &str, gaps: &[&str]) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut escaped = false;
    let mut used = 0;
    for c in text.chars() {
        match quote {
            None if c == ' ' => {
                out.push_str(gaps[used % gaps.len()]);
                used += 1;
                continue;
            }
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            Some(open) if c == open && !escaped => quote = None,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}

/// A script cut at some character, or any text at all.
pub fn broken() -> impl Strategy<Value = String> {
    let cut = (script(), any::<prop::sample::Index>()).prop_map(|(text, at)| {
        let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        text[..bounds[at.index(bounds.len())]].to_owned()
    });
    prop_oneof![cut, "\\PC{0,120}", "[-a-z(),.'`; =<>*\\[\\]{}$0-9\"/\\\\\r\n]{0,120}"]
}
