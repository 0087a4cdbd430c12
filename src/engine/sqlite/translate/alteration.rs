//! ALTER TABLE: a new name for a table; other forms change no rows, or are refused.

use std::ops::Range;

use super::steps::{Destination, Step};
use super::{Translated, Translator};
use crate::code::dialect::Dialect;
use crate::code::tree::{Kind, NodeId};

impl Translator<'_> {
    /// An ALTER that is no `DROP PARTITION`.
    pub fn alteration(&mut self, statement: NodeId, steps: &mut Vec<Step>) -> Translated {
        let range = self.script.token_range(statement);
        let place = |word: &str| range.clone().find(|at| self.script.token_text(*at).eq_ignore_ascii_case(word));
        if place("DROP").is_some() {
            return self.refuse(statement, "ALTER TABLE … DROP");
        }
        let Some(rename) = place("RENAME") else { return Ok(()) };
        let is_whole = rename < *range.end() && self.script.token_text(rename + 1).eq_ignore_ascii_case("TO");
        if !is_whole {
            return self.refuse(statement, "ALTER TABLE … RENAME of a column or partition");
        }
        let from = self.full_name(&self.path_of_tokens(range.start() + 2..rename));
        let mut new = self.path_of_tokens(rename + 2..range.end() + 1);
        if let ([_], Some((database, _))) = (new.as_slice(), from.split_once('.')) {
            new.insert(0, database.to_owned());
        }
        let to = self.full_name(&new);
        if self.is_named_after(statement, &from)? || self.is_named_after(statement, &to)? {
            return self.refuse(statement, "ALTER TABLE … RENAME TO before a statement that names the table");
        }
        let rename = Destination::Rename { from, to };
        steps.push(Step { statement, sql: String::new(), columns: Vec::new(), destination: rename });
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

    /// Returns the path that tokens spell, in lower case.
    pub fn path_of_tokens(&self, tokens: Range<usize>) -> Vec<String> {
        let path: String = tokens.map(|at| self.script.token_text(at)).collect();
        path.split('.').map(|name| Dialect::Hive.unquoted(name).to_lowercase()).collect()
    }
}
