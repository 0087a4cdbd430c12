//! Draws which of its names each table and column has in a script.

use std::cell::RefCell;
use std::collections::HashMap;

use super::domain::{Domain, Role, Table};
use super::draw::Draw;

/// The names of one script.
#[derive(Clone, Debug)]
pub struct ScriptNames<'a> {
    domain: &'a Domain,
    draw: Draw,
    /// Probability that a table or column has one of its other names.
    others: f64,
    /// Names of columns that have been drawn.
    columns: RefCell<HashMap<String, String>>,
}

impl<'a> ScriptNames<'a> {
    /// Returns the names of a script.
    pub fn new(domain: &'a Domain, draw: Draw) -> ScriptNames<'a> {
        ScriptNames { domain, draw, others: draw.at("others").unit() * 0.7, columns: RefCell::default() }
    }

    /// Returns the name of a table's column, the same in all tables that have the column; other names stay as they are.
    pub fn column(&self, table: &str, column: &str) -> String {
        if !self.domain.tables.get(table).is_some_and(|table| table.columns.has(column)) {
            return column.to_owned();
        }
        if let Some(known) = self.columns.borrow().get(column) {
            return known.clone();
        }
        let drawn = self.spelled(table, column, self.drawn(column));
        self.columns.borrow_mut().insert(column.to_owned(), drawn.clone());
        drawn
    }

    fn drawn(&self, column: &str) -> String {
        let tables = || self.domain.tables.iter().filter(|(_, other)| other.columns.has(column));
        let draw = self.draw.at(column);
        if !draw.chance(self.others) {
            return column.to_owned();
        }
        let also: Vec<&String> =
            tables().filter_map(|(_, other)| other.columns.get(column)).flat_map(|column| &column.also).collect();
        let free = |name: &&&String| {
            let clashes = |other: &Table| {
                other
                    .columns
                    .iter()
                    .any(|(known, meaning)| known == name.as_str() || (known != column && meaning.also.contains(name)))
            };
            !tables().any(|(_, other)| clashes(other))
        };
        draw.at("which").pick(&also).filter(free).map_or_else(|| column.to_owned(), |name| (*name).clone())
    }

    /// Returns a name with the last word that the script's company uses for its role, unless another column has it.
    fn spelled(&self, table: &str, column: &str, name: String) -> String {
        let role = self.domain.tables.get(table).and_then(|table| table.columns.get(column)).map(|column| column.role);
        let Some((stem, last)) = name.rsplit_once('_') else { return name };
        let Some(words) = role.and_then(spellings).filter(|words| words.contains(&last)) else { return name };
        let word = self.draw.at("spelling").at(words[0]).one_of(words);
        let spelled = format!("{stem}_{word}");
        let has = |other: &Table| {
            other
                .columns
                .iter()
                .any(|(known, meaning)| known != column && (*known == spelled || meaning.also.contains(&spelled)))
        };
        if self.domain.tables.iter().any(|(_, other)| has(other)) { name } else { spelled }
    }

    /// Returns the name of a table, without layer and suffix.
    pub fn table(&self, name: &str) -> String {
        let also = self.domain.tables.get(name).map(|table| &table.also);
        let draw = self.draw.at("table").at(name);
        let drawn = also.and_then(|also| draw.at("which").pick(also)).filter(|_| draw.chance(self.others));
        drawn.cloned().unwrap_or_else(|| name.to_owned())
    }

    /// Returns SQL of the model with `{column}` replaced by `text` of the column, and `'{today}'` by the business date.
    pub fn expand(&self, table: &Table, sql: &str, text: impl Fn(&str) -> Option<String>) -> String {
        let mut result = sql.replace("'{today}'", &super::piece::day(0));
        for name in table.columns.names() {
            let mark = format!("{{{name}}}");
            if result.contains(&mark)
                && let Some(text) = text(name)
            {
                result = result.replace(&mark, &super::piece::operand(&text));
            }
        }
        result
    }
}

/// Returns the last words that names of columns with this role have in one company or another: each keeps to one. The
/// usual ones stand twice. No key ends in `num`, as counts do.
fn spellings(role: Role) -> Option<[&'static str; 5]> {
    match role {
        Role::Key | Role::Reference | Role::Order => Some(["no", "no", "nbr", "nbr", "number"]),
        Role::Code | Role::Currency => Some(["code", "code", "cd", "cd", "cde"]),
        Role::Status => Some(["status", "status", "state", "sts", "stat"]),
        Role::Time => Some(["time", "time", "ts", "tm", "at"]),
        Role::Amount => Some(["amount", "amount", "amt", "amt", "sum"]),
        Role::Quantity => Some(["qty", "qty", "cnt", "num", "quantity"]),
        _ => None,
    }
}

/// Returns a text as part of a name: lower case, `_` in place of what names cannot hold.
pub(super) fn as_name(text: &str) -> String {
    text.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

/// Prepositions: people leave them out of a name, with what follows.
const LEADS_ON: [&str; 9] = ["of", "in", "for", "at", "on", "with", "from", "to", "by"];

/// Returns words as a name: lower case, digits and underscores, up to the first preposition.
pub(super) fn identifier(words: &str) -> String {
    let said: Vec<&str> = words.split_whitespace().take_while(|word| !LEADS_ON.contains(word)).collect();
    let said = if said.is_empty() { words.to_owned() } else { said.join(" ") };
    as_name(&said)
}

/// Words in names for how much there is of something.
const AMOUNTS: [&str; 6] = ["cnt", "num", "count", "sum", "total", "amt"];

/// Words in names for how a figure compares with others.
const COMPARED: [&str; 13] =
    ["rank", "rk", "share", "ratio", "gap", "diff", "tile", "grade", "running", "cum", "behind", "high", "strong"];

/// Returns a name as people shorten it: no word twice in a row, one word for how much, none beside a comparison.
pub(super) fn spoken(name: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in name.split('_') {
        let both_amounts = words.len() > 1 && AMOUNTS.contains(&word) && AMOUNTS.contains(&words[words.len() - 1]);
        if words.last() != Some(&word) && !both_amounts {
            words.push(word);
        }
    }
    let asks = matches!(words.first(), Some(&("has" | "any" | "is" | "avg" | "mean" | "max" | "top")));
    let compares = words.iter().any(|word| COMPARED.contains(word));
    if asks || compares {
        let rest: Vec<&str> = words.iter().copied().filter(|word| !AMOUNTS[..5].contains(word)).collect();
        if rest.len() > 1 {
            words = rest;
        }
    }
    if words.len() > 2 && matches!(words[0], "has" | "any") && matches!(words[1], "is" | "has") {
        words.remove(1);
    }
    words.join("_")
}

#[cfg(test)]
mod tests {
    use super::{identifier, spoken};

    #[test]
    fn words_with_hyphens_are_names_too() {
        assert_eq!(identifier("Check-in desk"), "check_in_desk");
        assert_eq!(identifier("stay in the app"), "stay");
    }

    #[test]
    fn names_lose_what_people_do_not_write() {
        assert_eq!(spoken("last_last_open_time"), "last_open_time");
        assert_eq!(spoken("work_num_num"), "work_num");
        assert_eq!(spoken("rents_sum_rank"), "rents_rank");
        assert_eq!(spoken("has_offers_cnt"), "has_offers");
        assert_eq!(spoken("net_sales"), "net_sales");
        assert_eq!(spoken("total_cnt"), "total_cnt");
    }
}
