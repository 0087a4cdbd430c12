//! Statements: which one it is, INSERT in its forms, and what is kept as text.

use super::pipe_input::PipeInput;
use super::unread::RUNS_A_PROGRAM;
use super::{ParseResult, Parser};
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};

/// Statements that are legal in Spark or Hive and that this crate does not read, with what to write instead.
const UNREAD_STATEMENTS: [(&[&str], &str); 10] = [
    (
        &["DECLARE"],
        "a variable is read if no column has its name and its value stays the same; write the value itself, or ${name}",
    ),
    (&["BEGIN"], "BEGIN … END is not read; write its statements alone, with values in place of variables"),
    (&["EXECUTE"], "EXECUTE IMMEDIATE is not read; write the statement itself"),
    (&["CALL"], "CALL is not read; write what the procedure does as statements"),
    (&["COPY"], "COPY is not read; define the rows' table among the definitions instead"),
    (&["EXPORT"], "EXPORT TABLE is not read; leave it out"),
    (&["IMPORT"], "IMPORT TABLE is not read; define the rows' table among the definitions instead"),
    (&["MAP"], RUNS_A_PROGRAM),
    (&["REDUCE"], RUNS_A_PROGRAM),
    (&["REPLACE", "TABLE"], "REPLACE TABLE is not read; write CREATE OR REPLACE TABLE"),
];

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> ParseResult {
        if self.kind_at(self.position) == Some(TokenKind::Command) {
            return Ok(self.leaf(Kind::Command));
        }
        if self.starts_query() {
            return self.query_or_insert();
        }
        if self.at_word("INSERT") {
            return self.insert(self.position, None);
        }
        if self.at_change() {
            return self.change(self.position, None);
        }
        if self.at_word("CREATE") {
            return self.create();
        }
        if self.at_word("CACHE") {
            return self.cache();
        }
        if let Some(emptied) = self.emptying() {
            return Ok(emptied);
        }
        self.opaque()
    }

    fn starts_query(&self) -> bool {
        ["SELECT", "WITH", "FROM", "VALUES", "TABLE"].iter().any(|word| self.at_word(word))
            || self.opens_query(self.position)
    }

    fn query_or_insert(&mut self) -> ParseResult {
        let first = self.position;
        if self.at_word("WITH") {
            let with = self.with()?;
            if self.at_word("INSERT") {
                return self.insert(first, Some(with));
            }
            if self.at_change() {
                return self.change(first, Some(with));
            }
            if self.at_word("FROM") {
                return self.statement_from(first, Some(with));
            }
            return self.query_after(first, Some(with));
        }
        if self.at_word("FROM") {
            return self.statement_from(first, None);
        }
        self.query()
    }

    fn insert(&mut self, first: usize, with: Option<NodeId>) -> ParseResult {
        let mut children: Vec<NodeId> = with.into_iter().collect();
        let overwrite = self.insert_head(&mut children)?;
        children.push(self.query()?);
        Ok(self.node(Kind::Insert { overwrite }, first, children))
    }

    /// `INSERT {INTO | OVERWRITE} [TABLE] t [PARTITION (…)] [(columns)]`; returns whether it overwrites.
    fn insert_head(&mut self, children: &mut Vec<NodeId>) -> ParseResult<bool> {
        self.expect_word("INSERT")?;
        let overwrite = self.eat_word("OVERWRITE");
        if !overwrite {
            self.expect_word("INTO")?;
        }
        if overwrite && (self.at_word("DIRECTORY") || self.at_words(&["LOCAL", "DIRECTORY"])) {
            children.push(self.directory()?);
            return Ok(true);
        }
        self.eat_word("TABLE");
        let first = self.position;
        let path = self.path()?;
        children.push(self.node(Kind::Table, first, path));
        if self.at_word("PARTITION") {
            children.push(self.partition_spec()?);
            self.eat_words(&["IF", "NOT", "EXISTS"]);
        }
        if self.at_words(&["BY", "NAME"]) {
            return Err(
                self.unsupported("BY NAME is not read; write the columns of the query in the order of the table")
            );
        }
        if self.at_words(&["REPLACE", "WHERE"]) || self.at_words(&["REPLACE", "USING"]) {
            let words = "INSERT … REPLACE is not read; write DELETE FROM … WHERE … and an INSERT INTO after it";
            return Err(self.unsupported(words));
        }
        if self.at_symbol("(") && !self.opens_query(self.position) {
            children.push(self.column_list()?);
        }
        Ok(overwrite)
    }

    /// `[LOCAL] DIRECTORY 'path' [ROW FORMAT …] [STORED AS …] [USING … OPTIONS (…)]`.
    fn directory(&mut self) -> ParseResult {
        let first = self.position;
        self.eat_word("LOCAL");
        self.expect_word("DIRECTORY")?;
        let mut children = Vec::new();
        if self.kind_at(self.position) == Some(TokenKind::Text) {
            children.push(self.leaf(Kind::Text));
        }
        while self.position < self.end && !self.starts_query() {
            if self.at_symbol("(") {
                self.skip_brackets()?;
            } else {
                self.position += 1;
            }
        }
        Ok(self.node(Kind::Directory, first, children))
    }

    pub(super) fn partition_spec(&mut self) -> ParseResult {
        self.partition_of(Self::partition_item)
    }

    /// `PARTITION (…)` with these items.
    pub(super) fn partition_of(&mut self, item: impl Fn(&mut Self) -> ParseResult) -> ParseResult {
        let first = self.position;
        self.expect_word("PARTITION")?;
        let items = self.bracketed_list(item)?;
        Ok(self.node(Kind::PartitionSpec, first, items))
    }

    fn partition_item(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = vec![self.identifier()?];
        if self.eat_symbol("=") {
            children.push(self.expression()?);
        }
        Ok(self.node(Kind::PartitionItem, first, children))
    }

    /// A statement that begins with FROM: Hive's `FROM x INSERT …`, or a query.
    fn statement_from(&mut self, first: usize, with: Option<NodeId>) -> ParseResult {
        let start = self.position;
        self.deepest = self.depth;
        let from = match self.leading_from()? {
            PipeInput::Block(from) if self.at_word("INSERT") => from,
            other => {
                let source = self.select_behind(start, other)?;
                return self.query_of(first, with, start, source);
            }
        };
        let mut children: Vec<NodeId> = with.into_iter().chain(from).collect();
        while self.at_word("INSERT") {
            children.push(self.insert_branch()?);
        }
        Ok(self.node(Kind::MultiInsert, first, children))
    }

    fn insert_branch(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = Vec::new();
        let overwrite = self.insert_head(&mut children)?;
        children.push(self.query()?);
        Ok(self.node(Kind::InsertBranch { overwrite }, first, children))
    }

    /// Keeps an administrative statement as text; its brackets must match.
    fn opaque(&mut self) -> ParseResult {
        const KNOWN: [&str; 20] = [
            "DROP", "ALTER", "ANALYZE", "MSCK", "REPAIR", "REFRESH", "TRUNCATE", "UNCACHE", "EXPLAIN", "DESCRIBE",
            "DESC", "SHOW", "LOAD", "CLEAR", "RESET", "COMMENT", "OPTIMIZE", "VACUUM", "GRANT", "REVOKE",
        ];
        if let Some((_, message)) = UNREAD_STATEMENTS.iter().find(|(words, _)| self.at_words(words)) {
            return Err(self.unsupported(message));
        }
        // SET alone lists the settings.
        let lists_settings = self.at_word("SET") && self.position + 1 >= self.end;
        if !lists_settings && !KNOWN.iter().any(|word| self.at_word(word)) {
            return Err(self.unexpected("a statement such as SELECT, INSERT, WITH or CREATE"));
        }
        self.keep_as_text()
    }

    pub(super) fn keep_as_text(&mut self) -> ParseResult {
        let first = self.position;
        while self.position < self.end {
            let bracket = matches!(self.symbol_at(self.position), "(" | ")" | "[" | "]");
            if self.kind_at(self.position) == Some(TokenKind::Unclosed)
                || bracket && self.partner(self.position).is_none()
            {
                return Err(self.unexpected("a matching bracket"));
            }
            self.position += 1;
        }
        Ok(self.node(Kind::Opaque, first, Vec::new()))
    }
}
