//! Names of relations inside a block.

use super::style::{Aliases, Style};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::{Plan, RowSource};

/// Words that cannot be aliases.
const RESERVED: &[&str] = &[
    "as", "by", "in", "is", "on", "or", "if", "to", "do", "no", "at", "of", "go", "end", "all", "and", "not", "set",
    "row", "case", "cast", "cas", "when", "from", "join", "left", "full", "any", "for", "cube", "date", "day", "time",
    "user", "using", "with", "view", "into", "int", "out", "exch", "exc", "excl", "order", "group", "map", "list",
    "like", "load", "lock", "null", "only", "over", "then", "true", "union", "values", "where", "window", "some",
    "semi", "anti", "sort", "table", "minus", "desc", "asc", "else", "drop", "cross", "inner", "outer", "rows",
    "range", "limit",
];

/// The aliases of all slots of a plan.
pub(super) fn aliases(plan: &Plan, style: &Style, names: &[String], draw: Draw) -> Vec<String> {
    let mut found = vec![String::new(); plan.slots.len()];
    for (id, block) in plan.blocks.iter().enumerate() {
        // A sub-query inside an expression must not hide the relations around it.
        let mut taken: Vec<String> = if block.inside { around(plan, id, &found) } else { Vec::new() };
        let outer = taken.len();
        for (number, item) in block.items.iter().enumerate() {
            let number = outer + number;
            let name = match &item.source {
                RowSource::Table(table) => table.as_str(),
                RowSource::Block(source) => names[*source].rsplit('.').next().unwrap_or_default(),
            };
            let drawn = alias(style, name, number, &taken, draw.nth("alias", item.slot));
            taken.push(drawn.clone());
            found[item.slot] = drawn;
        }
    }
    found
}

/// The aliases in the blocks whose expressions hold a block; they stand before it in the plan.
fn around(plan: &Plan, inside: usize, found: &[String]) -> Vec<String> {
    let readers = (0..inside).filter(|block| plan.read_by(*block).contains(&inside));
    readers.flat_map(|block| &plan.blocks[block].items).map(|item| found[item.slot].clone()).collect()
}

/// An alias for a relation with this name, `number`th of its block; it differs from those in `taken`.
fn alias(style: &Style, name: &str, number: usize, taken: &[String], draw: Draw) -> String {
    let words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
    let first = match style.aliases {
        Aliases::Letters => ((b'a' + (number % 26) as u8) as char).to_string(),
        Aliases::Numbered => format!("t{}", number + 1),
        Aliases::Initials => words.iter().filter_map(|word| word.chars().next()).take(3).collect(),
        Aliases::Words => {
            let word = words.iter().max_by_key(|word| word.len()).copied().unwrap_or("t");
            word.chars().take(if draw.chance(0.5) { 3 } else { 4 }).collect()
        }
    };
    let usable = |name: &str| !taken.iter().any(|other| other == name) && !RESERVED.contains(&name);
    if usable(&first) {
        return first;
    }
    (2..).map(|number| format!("{first}{number}")).find(|name| usable(name)).unwrap_or(first)
}
