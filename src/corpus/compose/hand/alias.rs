//! Names of relations inside a block.

use super::style::{Aliases, Style};
use crate::corpus::compose::draw::Draw;

/// Words that cannot be aliases.
const RESERVED: &[&str] = &[
    "as", "by", "in", "is", "on", "or", "if", "to", "do", "no", "at", "of", "go", "end", "all", "and", "not", "set",
    "row", "case", "cast", "cas", "when", "from", "join", "left", "full", "any", "for", "cube", "date", "day", "time",
    "user", "using", "with", "view", "into", "int", "out", "exch", "exc", "excl", "order", "group", "map", "list",
    "like", "load", "lock", "null", "only", "over", "then", "true", "union", "values", "where", "window", "some",
    "semi", "anti", "sort", "table", "minus", "desc", "asc", "else", "drop", "cross", "inner", "outer", "rows",
    "range", "limit",
];

/// An alias for a relation with this name, `number`th of its block; it differs from those in `taken`.
pub(super) fn alias(style: &Style, name: &str, number: usize, taken: &[String], draw: Draw) -> String {
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
