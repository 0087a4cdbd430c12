//! `ALTER TABLE` among definitions: columns that it adds belong to the table.

use std::sync::LazyLock;

use regex::Regex;

use super::defined_tables::{Definitions, last_two};
use crate::code::constant_pattern;
use crate::code::schema::TableColumn;

/// A statement that changes which columns a table has.
pub(super) enum Alteration {
    /// It adds columns.
    Added {
        /// The table, in lower case.
        table: String,
        /// The definitions of the columns, as `CREATE TABLE` has them.
        columns: String,
    },
    /// It changes or removes columns, which is not followed.
    Other {
        /// The table, in lower case.
        table: String,
        /// The statement, on one line.
        statement: String,
    },
}

static ALTER: LazyLock<Regex> = LazyLock::new(|| {
    constant_pattern(r"(?is)^alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?([^\s(]+)\s+(?:with\s+nocheck\s+)?(.+)$")
});
static ADD: LazyLock<Regex> =
    LazyLock::new(|| constant_pattern(r"(?is)^add\s+(columns?\b\s*)?(?:if\s+not\s+exists\s+)?(.+)$"));
static NEXT: LazyLock<Regex> =
    LazyLock::new(|| constant_pattern(r"(?is),\s*add\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?"));
static PLACE: LazyLock<Regex> = LazyLock::new(|| constant_pattern(r"(?is)\s+(?:after\s+[^\s,()]+|first)\s*$"));
static OTHER: LazyLock<Regex> = LazyLock::new(|| {
    let words = r"(?is)^(?:drop\s+columns?|rename\s+column|change|modify|replace\s+columns|alter\s+(?:column\s+)?\S+\s+(?:set\s+data\s+)?type)\b";
    constant_pattern(words)
});

/// What `ADD` adds besides columns.
const NO_COLUMNS: [&str; 11] =
    ["constraint", "primary", "foreign", "unique", "check", "index", "key", "partition", "if", "fulltext", "default"];

impl Alteration {
    /// Returns what a statement changes; `None` if it changes no columns.
    pub fn of(statement: &str) -> Option<Alteration> {
        let found = ALTER.captures(statement)?;
        let table = last_two(&found[1].replace(['"', '`', '[', ']'], "").to_lowercase());
        let change = found[2].trim();
        if let Some(added) = ADD.captures(change) {
            let first = added[2].split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
            if added.get(1).is_none() && NO_COLUMNS.contains(&first.to_lowercase().as_str()) {
                return None;
            }
            let listed = without_reach(added[2].trim()).strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
            let columns = NEXT.replace_all(listed.unwrap_or(&added[2]), ", ");
            let columns = PLACE.replace(&columns, "").into_owned();
            return Some(Alteration::Added { table, columns });
        }
        let statement = || statement.split_whitespace().collect::<Vec<_>>().join(" ");
        OTHER.is_match(change).then(|| Alteration::Other { table, statement: statement() })
    }
}

/// Returns added columns without the word that says whether partitions get them as well.
fn without_reach(columns: &str) -> &str {
    let (list, last) = columns.rsplit_once(char::is_whitespace).unwrap_or((columns, ""));
    let is_reach = ["CASCADE", "RESTRICT"].iter().any(|word| last.eq_ignore_ascii_case(word));
    if is_reach { list.trim_end() } else { columns }
}

impl Definitions {
    fn place_of(&self, table: &str, database: &str) -> Option<usize> {
        let named = [format!("{database}.{table}"), table.to_owned()];
        self.tables.iter().position(|known| named.contains(&known.name))
    }

    /// Adds the columns that an alteration adds to its table, or a note on what is not followed.
    ///
    /// # Errors
    ///
    /// If no reader accepts the definitions of the columns.
    pub(super) fn alter(&mut self, alteration: Alteration, database: &str) -> Result<(), String> {
        let (table, columns) = match alteration {
            Alteration::Added { table, columns } => (table, columns),
            Alteration::Other { table, statement } => {
                if self.place_of(&table, database).is_some() {
                    self.note(format!("{table} is taken as it was first defined; not followed: {statement}"));
                }
                return Ok(());
            }
        };
        let Some(place) = self.place_of(&table, database) else {
            self.note(format!("columns are added to {table}, which no definition before them defines"));
            return Ok(());
        };
        let mut added = Definitions::default();
        added.add_definition(&format!("CREATE TABLE {table} ({columns})"), "")?;
        added.notes().iter().cloned().for_each(|note| self.note(note));
        let known = &mut self.tables[place].columns;
        let new = added.tables.into_iter().flat_map(|table| table.columns);
        let new: Vec<TableColumn> = new.filter(|column| known.iter().all(|it| it.name != column.name)).collect();
        // Partition columns stay last.
        let end = known.iter().position(|column| column.partition).unwrap_or(known.len());
        known.splice(end..end, new);
        Ok(())
    }
}
