//! `CREATE TABLE … LIKE …`: a table with the columns of another one.

use std::sync::LazyLock;

use regex::Regex;

use super::defined_tables::{Definitions, full_name, last_two};
use crate::code::constant_pattern;
use crate::code::schema::TableDefinition;

/// A table that is made like another one.
pub(super) struct CopiedTable {
    /// Its name, in lower case.
    name: String,
    /// The name of the other one, in lower case.
    source: String,
}

static LIKE: LazyLock<Regex> = LazyLock::new(|| {
    let words = r"(?is)^create\s+(?:(?:external|temporary|temp)\s+)?table\s+(?:if\s+not\s+exists\s+)?([^\s(]+)\s+like\s+([^\s(;]+)";
    constant_pattern(words)
});

impl CopiedTable {
    /// Returns what a statement copies; `None` if it copies no table.
    pub fn of(statement: &str) -> Option<CopiedTable> {
        let found = LIKE.captures(statement.trim_start())?;
        let plain = |name: &str| last_two(&name.replace(['"', '`', '[', ']'], "").to_lowercase());
        Some(CopiedTable { name: plain(&found[1]), source: plain(&found[2]) })
    }
}

impl Definitions {
    /// Adds a table like another one, which has to be defined before; `database` is the one that is used.
    pub(super) fn copy(&mut self, copied: CopiedTable, database: &str) -> Result<(), String> {
        let CopiedTable { name, source } = copied;
        let Some(defined) = self.table(&source, database) else {
            return Err(format!("{name} is made like {source}, which is not defined before it"));
        };
        self.add_table(TableDefinition { name: full_name(name, database), ..defined });
        Ok(())
    }
}
