//! Aliases of relations.

use super::shape::{BlockPlacement, ReadingOrder};
use super::style::{Aliases, Style};
use crate::code::grammar::ends_an_expression;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::{Plan, RowSource};

/// Words that the grammar would take for an alias, but a reader for a keyword, a type or a function.
const CONFUSING: &[&str] = &[
    "by", "in", "is", "if", "to", "do", "no", "at", "of", "go", "all", "not", "row", "case", "cast", "cas", "any",
    "for", "cube", "date", "day", "time", "user", "view", "into", "int", "out", "exch", "exc", "excl", "map", "list",
    "like", "load", "lock", "null", "only", "over", "true", "values", "some", "table", "desc", "asc", "drop", "outer",
    "rows", "range", "sum", "min", "max", "avg", "count", "rank", "line", "sin", "cos", "tan", "log", "mod", "abs",
    "exp", "pi", "ass", "new", "end", "set", "use", "key",
];

fn is_reserved(word: &str) -> bool {
    ends_an_expression(word) || CONFUSING.contains(&word)
}

/// Letters of an alias that is a word.
const LONGEST_WORD: usize = 10;

/// Returns the alias of each slot of a plan.
pub(super) fn aliases(
    plan: &Plan,
    style: &Style,
    tables: &dyn Fn(&str) -> String,
    names: &[String],
    reading: &ReadingOrder,
    placements: &[BlockPlacement],
    draw: Draw,
) -> Vec<String> {
    let mut found = vec![String::new(); plan.slots.len()];
    // Most people begin again inside derived tables, some go on: with letters and numbers fewer than with names.
    let counts = matches!(style.aliases, Aliases::Letters | Aliases::Numbered);
    let goes_on = draw.at("goes_on").chance(if counts { 0.2 } else { 0.4 });
    let mut around: Vec<Vec<String>> = vec![Vec::new(); plan.blocks.len()];
    for id in reading.order.iter().rev().copied() {
        let mut taken = around[id].clone();
        for item in &plan.blocks[id].items {
            let name = match &item.source {
                RowSource::Table(table) => tables(table),
                RowSource::Block(source) => names[*source].clone(),
            };
            let drawn = alias(style, said(&name), taken.len(), &taken);
            taken.push(drawn.clone());
            found[item.slot] = drawn;
        }
        for source in reading.blocks_read_by[id].iter().copied() {
            // A sub-query inside an expression must not hide the relations around it.
            let derived = goes_on && placements[source] == BlockPlacement::Derived;
            if plan.blocks[source].inside || derived {
                around[source].clone_from(&taken);
            }
        }
    }
    found
}

/// Words in names of tables that say where they stand or how often they are filled, not what is in them.
const FRAME: [&str; 17] = [
    "ods", "dwd", "dws", "dim", "ads", "stg", "fct", "mart", "tmp", "mid", "wrk", "stage", "t", "di", "df", "1d", "dw",
];

/// Returns what a name says of the rows, without database, layer and suffix.
fn said(name: &str) -> &str {
    let mut name = name.rsplit('.').next().unwrap_or_default();
    while let Some((_, rest)) = name.split_once('_').filter(|(first, _)| FRAME.contains(first)) {
        name = rest;
    }
    while let Some((rest, _)) = name.rsplit_once('_').filter(|(_, last)| FRAME.contains(last)) {
        name = rest;
    }
    name
}

/// Returns an alias that is not in `taken` for a relation with this name; letters and numbers count from `number`.
fn alias(style: &Style, name: &str, number: usize, taken: &[String]) -> String {
    let words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
    let first = match style.aliases {
        Aliases::Letters => ((b'a' + (number % 26) as u8) as char).to_string(),
        Aliases::Numbered => format!("t{}", number + 1),
        Aliases::Initials => words.iter().filter_map(|word| word.chars().next()).take(3).collect(),
        Aliases::Abbreviated => abbreviated(&words),
        Aliases::Words => {
            let plain = |word: &&str| word.starts_with(char::is_alphabetic) && !is_reserved(word);
            let mut plain = words.iter().rev().copied().filter(plain);
            let long = plain.clone().find(|word| (4..=LONGEST_WORD).contains(&word.len()));
            let word = long.or(plain.next()).unwrap_or("t");
            word.chars().take(LONGEST_WORD).collect()
        }
    };
    let usable = |name: &str| !taken.iter().any(|other| other == name) && !is_reserved(name);
    if usable(&first) {
        return first;
    }
    (2..).map(|number| format!("{first}{number}")).find(|name| usable(name)).unwrap_or(first)
}

/// Returns the first letters of the longest word; a word that would be something else is cut elsewhere.
fn abbreviated(words: &[&str]) -> String {
    let letters = |word: &&str| word.len() > 2 && word.chars().all(|letter| letter.is_ascii_lowercase());
    let word = words.iter().copied().filter(letters).max_by_key(|word| word.len()).unwrap_or("tab");
    let usual = if word.len() < 5 { 2 } else { 3 };
    let cut = |length: usize| word.chars().take(length).collect::<String>();
    [usual, 4, 2].map(cut).into_iter().find(|name| !is_reserved(name)).unwrap_or_else(|| cut(usual))
}

#[cfg(test)]
mod tests {
    use super::{abbreviated, said};

    #[test]
    fn an_alias_comes_from_what_a_table_holds() {
        assert_eq!(said("rtl_dwd.dwd_receipt_line_di"), "receipt_line");
        assert_eq!(said("tmp_orders_by_store"), "orders_by_store");
        assert_eq!(said("ods"), "ods");
    }

    #[test]
    fn an_alias_that_would_be_a_function_is_cut_elsewhere() {
        for (word, expected) in [("single", "sing"), ("assets", "asse"), ("orders", "ord"), ("newest", "newe")] {
            assert_eq!(abbreviated(&["of", word]), expected, "{word}");
        }
    }
}
