//! Statements about one table that are kept as text: DROP, ALTER, TRUNCATE and LOAD DATA.

use std::ops::RangeInclusive;

use super::script::{Script, unquoted};
use super::span::Span;
use super::token::TokenKind;
use super::tree::{Kind, NodeId};

/// What a statement does to its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableAction {
    /// `DROP TABLE` or `DROP VIEW`.
    Drop,
    /// `ALTER TABLE … RENAME TO`, with the path of the new name; without a database it stays in the table's.
    Rename(Vec<String>),
    /// `ALTER TABLE … RENAME` of a column or a partition.
    RenamePart,
    /// `ALTER TABLE … DROP` of columns or constraints.
    DropPart,
    /// `ALTER TABLE … ADD PARTITION … LOCATION`: the partition's files are there already.
    AddFiles,
    /// Any other `ALTER TABLE`.
    Alter,
    /// `TRUNCATE TABLE`.
    Truncate,
    /// `LOAD DATA … INTO TABLE`.
    Load,
}

/// A statement about one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableStatement {
    /// What it does.
    pub action: TableAction,
    /// Whether it says VIEW.
    pub of_view: bool,
    /// The names of the table's path, in lower case and without quotes.
    pub path: Vec<String>,
    /// Where the path stands.
    pub span: Span,
    /// The token behind the path.
    pub next: usize,
}

impl TableStatement {
    /// The path with dots between its names.
    pub fn table(&self) -> String {
        self.path.join(".")
    }
}

impl Script {
    /// Whether `CREATE TABLE IF NOT EXISTS` finds a table that is there before the script: one that no earlier statement
    /// dropped.
    pub(crate) fn keeps_existing(&self, create: NodeId) -> bool {
        if !self.says_if_not_exists(create) {
            return false;
        }
        let tree = self.tree();
        let path =
            |statement: NodeId| tree.child(statement, |kind| kind == Kind::Table).map(|table| self.path_name(table));
        let name = path(create);
        let before = self.statements().iter().copied().take_while(|statement| *statement != create);
        let is_made = |statement: NodeId| tree.kind(statement) == Kind::CreateTable && path(statement) == name;
        let last = before.filter_map(|statement| match self.table_statement(statement) {
            Some(TableStatement { action: TableAction::Drop, path, .. }) => {
                (Some(path.join(".")) == name).then_some(false)
            }
            _ => is_made(statement).then_some(true),
        });
        last.last().unwrap_or(true)
    }

    /// Reads a statement that is kept as text; `None` if it is about no table.
    pub(crate) fn table_statement(&self, statement: NodeId) -> Option<TableStatement> {
        if self.tree().kind(statement) != Kind::Opaque {
            return None;
        }
        let range = self.token_range(statement);
        let is = |at: usize, word: &str| range.contains(&at) && self.token_text(at).eq_ignore_ascii_case(word);
        let first = *range.start();
        let named_at = if is(first, "LOAD") {
            range.clone().find(|at| is(*at, "INTO") && is(at + 1, "TABLE"))? + 1
        } else {
            first + 1
        };
        let of_view = is(named_at, "VIEW");
        if !of_view && !is(named_at, "TABLE") {
            return None;
        }
        let guarded = is(named_at + 1, "IF") && is(named_at + 2, "EXISTS");
        let start = named_at + if guarded { 3 } else { 1 };
        let (path, next) = self.path_at(start, &range)?;
        let action = match self.token_text(first).to_ascii_uppercase().as_str() {
            "DROP" => TableAction::Drop,
            "TRUNCATE" => TableAction::Truncate,
            "LOAD" => TableAction::Load,
            "ALTER" => {
                let has = |word: &str| (next..=*range.end()).any(|at| is(at, word));
                let new = is(next, "RENAME") && is(next + 1, "TO");
                let is_text = |at: usize| range.contains(&at) && self.tokens()[at].kind == TokenKind::Text;
                let has_path = (next..=*range.end()).any(|at| is(at, "LOCATION") && is_text(at + 1));
                match self.path_at(next + 2, &range).filter(|_| new) {
                    Some((new, _)) => TableAction::Rename(in_database_of(&path, new)),
                    None if has("DROP") => TableAction::DropPart,
                    None if has("RENAME") => TableAction::RenamePart,
                    None if is(next, "ADD") && has("PARTITION") && has_path => TableAction::AddFiles,
                    None => TableAction::Alter,
                }
            }
            _ => return None,
        };
        let span = self.tokens()[start].span().cover(self.tokens()[next - 1].span());
        Some(TableStatement { action, of_view, path, span, next })
    }

    /// Reads the names with dots between them that begin at a token; `None` if none does. The number is that of the
    /// token behind them.
    fn path_at(&self, start: usize, range: &RangeInclusive<usize>) -> Option<(Vec<String>, usize)> {
        let name = |at: usize| unquoted(self.token_text(at)).to_lowercase();
        let mut names = vec![name(start)];
        let mut next = start + 1;
        while next < *range.end() && self.token_text(next) == "." {
            names.push(name(next + 1));
            next += 2;
        }
        range.contains(&start).then_some((names, next))
    }
}

fn in_database_of(table: &[String], new: Vec<String>) -> Vec<String> {
    match (table, new.as_slice()) {
        ([database, _], [name]) => vec![database.clone(), name.clone()],
        _ => new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_about_a_table_name_it() {
        for (sql, expected) in [
            ("DROP TABLE IF EXISTS `Db`.t PURGE", Some((TableAction::Drop, "db.t", "`Db`.t"))),
            ("drop view v", Some((TableAction::Drop, "v", "v"))),
            (
                "ALTER TABLE a.b RENAME TO `c`",
                Some((TableAction::Rename(vec!["a".to_owned(), "c".to_owned()]), "a.b", "a.b")),
            ),
            ("ALTER TABLE t RENAME COLUMN a TO b", Some((TableAction::RenamePart, "t", "t"))),
            ("ALTER TABLE t DROP COLUMN a", Some((TableAction::DropPart, "t", "t"))),
            ("ALTER TABLE t ADD IF NOT EXISTS PARTITION (d = '1')", Some((TableAction::Alter, "t", "t"))),
            ("ALTER TABLE t ADD COLUMNS (location STRING)", Some((TableAction::Alter, "t", "t"))),
            ("ALTER TABLE t ADD PARTITION (d = '1') LOCATION '/t/1'", Some((TableAction::AddFiles, "t", "t"))),
            (
                "LOAD DATA INPATH '/x' OVERWRITE INTO TABLE a.t PARTITION (d = 1)",
                Some((TableAction::Load, "a.t", "a.t")),
            ),
            ("DROP DATABASE d", None),
            ("DROP TABLE", None),
            ("ANALYZE TABLE t COMPUTE STATISTICS", None),
            ("SELECT 1", None),
        ] {
            let script = Script::new(sql);
            let read = script.table_statement(script.statements()[0]);
            let read = read.as_ref().map(|it| (it.action.clone(), it.table(), it.span.of(sql)));
            let expected = expected.map(|(action, table, written)| (action, table.to_owned(), written));
            assert_eq!(read, expected, "{sql}");
        }
    }
}
