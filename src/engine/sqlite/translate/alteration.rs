//! Statements about one table that are kept as text: `DROP`, and a new name for a table; other forms change no rows, or
//! are refused.

use super::steps::{Destination, Step};
use super::{Translated, Translator};
use crate::code::tree::{Kind, NodeId};
use crate::code::{TableAction, TableStatement};

/// Administrative statements that change no rows.
const HARMLESS: [&str; 16] = [
    "ANALYZE", "MSCK", "REFRESH", "CACHE", "UNCACHE", "EXPLAIN", "DESCRIBE", "DESC", "SHOW", "CLEAR", "CREATE",
    "COMMENT", "OPTIMIZE", "VACUUM", "GRANT", "REVOKE",
];

impl Translator<'_> {
    /// A statement that is kept as text.
    pub fn administration(&mut self, statement: NodeId, steps: &mut Vec<Step>) -> Translated {
        let first = self.script.token_text(*self.script.token_range(statement).start()).to_ascii_uppercase();
        if HARMLESS.contains(&first.as_str()) {
            return Ok(());
        }
        let Some(TableStatement { action, path, .. }) = self.script.table_statement(statement) else {
            return if matches!(first.as_str(), "DROP" | "ALTER") {
                Ok(())
            } else {
                self.refuse(statement, "this statement")
            };
        };
        let table = self.full_name(&path);
        let destination = match action {
            TableAction::Alter | TableAction::AddFiles => return Ok(()),
            TableAction::Load => {
                return self.refuse(statement, "LOAD DATA (define the rows' table in the DDL instead)");
            }
            TableAction::Truncate => return self.refuse(statement, "this form of TRUNCATE"),
            TableAction::DropPart => {
                return self.refuse(statement, "ALTER TABLE … DROP but for PARTITION (…)");
            }
            TableAction::RenamePart => return self.refuse(statement, "ALTER TABLE … RENAME of a column or partition"),
            TableAction::Drop => {
                self.made.remove(&table);
                self.temporary.remove(&table);
                self.forget_view(&table);
                Destination::Drop(table)
            }
            TableAction::Rename(new) => {
                let to = self.full_name(&new);
                if self.is_named_after(statement, &table)? || self.is_named_after(statement, &to)? {
                    return self.refuse(statement, "ALTER TABLE … RENAME TO before a statement that names the table");
                }
                if self.temporary.remove(&table) {
                    self.temporary.insert(to.clone());
                }
                Destination::Rename { from: table, to }
            }
        };
        steps.push(Step { statement, sql: String::new(), columns: Vec::new(), destination });
        Ok(())
    }

    /// Whether a later statement names a table.
    fn is_named_after(&self, statement: NodeId, table: &str) -> Translated<bool> {
        let end = self.tree.span(statement).end;
        let tables = self.tree.descendants(self.tree.root()).filter(|node| self.kind(*node) == Kind::Table);
        for node in tables.filter(|node| self.tree.span(*node).start >= end) {
            if self.table_name(node)? == table {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
