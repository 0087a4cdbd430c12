//! Which of its names each table and column has in a script.

use super::domain::{Domain, Table};
use super::draw::Draw;

/// The names of one script.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    domain: &'a Domain,
    draw: Draw,
    others: f64,
}

impl<'a> Names<'a> {
    /// The names of a script.
    pub fn new(domain: &'a Domain, draw: Draw) -> Names<'a> {
        Names { domain, draw, others: draw.at("others").unit() * 0.7 }
    }

    /// The name of a table's column.
    pub fn column(&self, table: &str, column: &str) -> String {
        let also = self.domain.tables.get(table).and_then(|table| Some((table, &table.columns.get(column)?.also)));
        let Some((table, also)) = also else { return column.to_owned() };
        let draw = self.draw.at(column);
        let free = |name: &&String| !table.columns.has(name);
        let drawn = draw.at("which").pick(also).filter(free).filter(|_| draw.chance(self.others));
        drawn.cloned().unwrap_or_else(|| column.to_owned())
    }

    /// The name of a table, without layer and period.
    pub fn table(&self, name: &str) -> String {
        let also = self.domain.tables.get(name).map(|table| &table.also);
        let draw = self.draw.at("table").at(name);
        let drawn = also.and_then(|also| draw.at("which").pick(also)).filter(|_| draw.chance(self.others));
        drawn.cloned().unwrap_or_else(|| name.to_owned())
    }

    /// SQL of the model with `{column}` replaced by what `text` says of the column, and `{today}` by the date.
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
