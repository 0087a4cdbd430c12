//! CREATE TABLE, CREATE VIEW and types.

use super::{ParseResult, Parser};
use crate::code::token::TokenKind;
use crate::code::tree::{Kind, NodeId};

impl Parser<'_> {
    pub(super) fn create(&mut self) -> ParseResult {
        let first = self.position;
        self.expect_word("CREATE")?;
        self.eat_words(&["OR", "REPLACE"]);
        for word in ["GLOBAL", "TEMPORARY", "TEMP", "EXTERNAL"] {
            self.eat_word(word);
        }
        if self.eat_word("TABLE") {
            return self.create_table(first);
        }
        if self.eat_word("VIEW") {
            return self.create_view(first);
        }
        if ["FUNCTION", "DATABASE", "SCHEMA", "NAMESPACE", "INDEX", "MACRO"].iter().any(|word| self.at_word(word)) {
            self.position = first;
            return self.keep_as_text();
        }
        if self.at_words(&["MATERIALIZED", "VIEW"]) {
            return Err(self.unsupported("CREATE MATERIALIZED VIEW is not read; write CREATE VIEW"));
        }
        if self.at_words(&["STREAMING", "TABLE"]) {
            return Err(self.unsupported("CREATE STREAMING TABLE is not read; write CREATE TABLE"));
        }
        if self.at_word("LIVE") || self.at_words(&["OR", "REFRESH", "LIVE"]) || self.at_words(&["STREAMING", "LIVE"]) {
            return Err(
                self.unsupported("CREATE LIVE TABLE is not read; write CREATE VIEW, and the name alone for LIVE.name")
            );
        }
        Err(self.unexpected("TABLE or VIEW"))
    }

    fn created_name(&mut self) -> ParseResult {
        self.eat_words(&["IF", "NOT", "EXISTS"]);
        let first = self.position;
        let path = self.path()?;
        Ok(self.node(Kind::Table, first, path))
    }

    fn create_table(&mut self, first: usize) -> ParseResult {
        let mut children = vec![self.created_name()?];
        if self.eat_word("LIKE") {
            let at = self.position;
            let path = self.path()?;
            children.push(self.node(Kind::Table, at, path));
            self.table_options(&mut children)?;
            return Ok(self.node(Kind::CreateTable, first, children));
        }
        if self.at_symbol("(") && !self.opens_query(self.position) {
            self.position += 1;
            self.column_definitions(&mut children)?;
            self.expect_symbol(")")?;
        }
        self.table_options(&mut children)?;
        let begins_query = self.at_word("SELECT") || self.at_word("WITH") || self.opens_query(self.position);
        if self.eat_word("AS") || begins_query {
            children.push(self.query()?);
        }
        Ok(self.node(Kind::CreateTable, first, children))
    }

    /// Columns and table constraints such as `PRIMARY KEY (id)`, which leave no node.
    fn column_definitions(&mut self, children: &mut Vec<NodeId>) -> ParseResult<()> {
        loop {
            if self.at_constraint() {
                while self.position < self.end && !self.at_symbol(",") && !self.at_symbol(")") {
                    if self.at_symbol("(") { self.skip_brackets()? } else { self.position += 1 }
                }
            } else {
                children.push(self.column_definition()?);
            }
            if !self.eat_symbol(",") {
                return Ok(());
            }
        }
    }

    fn at_constraint(&self) -> bool {
        let bracketed = |offset: usize| self.symbol_at(self.position + offset) == "(";
        self.at_word("CONSTRAINT")
            || (self.at_words(&["PRIMARY", "KEY"]) || self.at_words(&["FOREIGN", "KEY"])) && bracketed(2)
            || (self.at_word("UNIQUE") || self.at_word("CHECK")) && bracketed(1)
    }

    /// `name[:] TYPE [NOT NULL] [DEFAULT …] [GENERATED …] [COMMENT '…']` and other options.
    fn column_definition(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = vec![self.member()?];
        self.eat_symbol(":");
        children.push(self.type_name()?);
        while let Some(comment) = self.column_option()? {
            children.extend(comment);
        }
        Ok(self.node(Kind::ColumnDefinition, first, children))
    }

    /// Reads one option of a column: `Some(Some(text))` for a comment, `Some(None)` for any other option, `None` if no
    /// option follows.
    fn column_option(&mut self) -> ParseResult<Option<Option<NodeId>>> {
        const OPTIONS: [&[&str]; 12] = [
            &["NOT", "NULL"],
            &["ENFORCED"],
            &["NOT", "ENFORCED"],
            &["NULL"],
            &["PRIMARY", "KEY"],
            &["UNIQUE"],
            &["DISABLE"],
            &["ENABLE"],
            &["NOVALIDATE"],
            &["VALIDATE"],
            &["RELY"],
            &["NORELY"],
        ];
        if self.eat_word("COMMENT") {
            return self.text_literal().map(|comment| Some(Some(comment)));
        }
        if self.eat_word("CONSTRAINT") {
            self.without_node(Parser::member)?;
        }
        if self.eat_word("REFERENCES") {
            self.without_node(Parser::path)?;
            return if self.at_symbol("(") { self.skip_brackets().map(|()| Some(None)) } else { Ok(Some(None)) };
        }
        if self.eat_word("DEFAULT") {
            return self.without_node(Parser::expression).map(|()| Some(None));
        }
        if self.eat_word("CHECK") || self.eat_words(&["GENERATED", "ALWAYS", "AS"]) && self.at_symbol("(") {
            return self.skip_brackets().map(|()| Some(None));
        }
        if self.eat_word("IDENTITY") || self.eat_words(&["GENERATED", "BY", "DEFAULT", "AS", "IDENTITY"]) {
            return if self.at_symbol("(") { self.skip_brackets().map(|()| Some(None)) } else { Ok(Some(None)) };
        }
        Ok(OPTIONS.iter().any(|words| self.eat_words(words)).then_some(None))
    }

    fn text_literal(&mut self) -> ParseResult {
        match self.kind_at(self.position) {
            Some(TokenKind::Text) => Ok(self.leaf(Kind::Text)),
            // Its value may be a string with its quotes.
            Some(TokenKind::Placeholder) => Ok(self.leaf(Kind::Placeholder)),
            _ => Err(self.unexpected("a string")),
        }
    }

    fn table_options(&mut self, children: &mut Vec<NodeId>) -> ParseResult<()> {
        loop {
            if self.at_words(&["PARTITIONED", "BY"]) {
                children.push(self.partition_columns()?);
            } else if !self.table_option()? {
                return Ok(());
            }
        }
    }

    /// `PARTITIONED BY (a INT, …)`, or `PARTITIONED BY (a, …)` with names of columns that are defined before. A
    /// transform of a column, as in `PARTITIONED BY (days(ts), a)`, makes no column and leaves no node.
    fn partition_columns(&mut self) -> ParseResult {
        let first = self.position;
        self.position += 2;
        self.expect_symbol("(")?;
        let named_only = matches!(self.symbol_at(self.position + 1), "," | ")" | "(");
        let mut columns = Vec::new();
        loop {
            if self.symbol_at(self.position + 1) == "(" {
                self.position += 1;
                self.skip_brackets()?;
            } else {
                columns.push(if named_only { self.member()? } else { self.column_definition()? });
            }
            if !self.eat_symbol(",") {
                break;
            }
        }
        self.expect_symbol(")")?;
        Ok(self.node(Kind::PartitionColumns, first, columns))
    }

    /// Skips one table option, which leaves no node; returns whether there was one.
    fn table_option(&mut self) -> ParseResult<bool> {
        let start = self.position;
        if self.eat_word("COMMENT") || self.eat_word("LOCATION") {
            self.eat_symbol("=");
            self.without_node(Parser::text_literal)?;
        } else if self.eat_words(&["STORED", "AS", "INPUTFORMAT"]) {
            self.without_node(Parser::text_literal)?;
            self.expect_word("OUTPUTFORMAT")?;
            self.without_node(Parser::text_literal)?;
        } else if self.eat_words(&["STORED", "BY"]) {
            self.without_node(Parser::text_literal)?;
            if self.eat_words(&["WITH", "SERDEPROPERTIES"]) {
                self.skip_brackets()?;
            }
        } else if self.eat_words(&["STORED", "AS"]) || self.eat_word("USING") {
            self.without_node(Parser::member)?;
        } else if self.eat_word("LIFECYCLE") {
            self.position += 1;
        } else if self.eat_word("TBLPROPERTIES") || self.eat_word("OPTIONS") || self.eat_words(&["CLUSTERED", "BY"]) {
            self.skip_brackets()?;
            self.bucket_tail()?;
        } else if self.at_words(&["CLUSTER", "BY"]) {
            self.position += 2;
            if self.at_symbol("(") { self.skip_brackets()? } else { self.position += 1 }
        } else if self.eat_words(&["ROW", "FORMAT"]) {
            self.row_format();
        } else if self.eat_words(&["SKEWED", "BY"]) {
            self.skip_brackets()?;
            self.expect_word("ON")?;
            self.skip_brackets()?;
            self.eat_words(&["STORED", "AS", "DIRECTORIES"]);
        }
        Ok(self.position > start)
    }

    /// Reads something that leaves no node.
    fn without_node<T>(&mut self, read: fn(&mut Self) -> ParseResult<T>) -> ParseResult<()> {
        let nodes_before = self.tree.len();
        read(self)?;
        self.tree.truncate(nodes_before);
        Ok(())
    }

    fn bucket_tail(&mut self) -> ParseResult<()> {
        if self.eat_words(&["SORTED", "BY"]) {
            self.skip_brackets()?;
        }
        if self.eat_word("INTO") {
            self.position += 1;
            self.expect_word("BUCKETS")?;
        }
        Ok(())
    }

    fn row_format(&mut self) {
        while self.position < self.end
            && !["STORED", "LOCATION", "TBLPROPERTIES", "AS", "PARTITIONED", "COMMENT"].iter().any(|w| self.at_word(w))
        {
            // `NULL DEFINED AS ''` has an AS that begins no query.
            self.position += if self.at_words(&["DEFINED", "AS"]) { 2 } else { 1 };
        }
    }

    pub(super) fn skip_brackets(&mut self) -> ParseResult<()> {
        match self.partner(self.position) {
            Some(close) if self.at_symbol("(") && close < self.end => {
                self.position = close + 1;
                Ok(())
            }
            _ => Err(self.unexpected("'('")),
        }
    }

    fn create_view(&mut self, first: usize) -> ParseResult {
        let start = self.position;
        let mut children = vec![self.created_name()?];
        let close = if self.at_symbol("(") { self.partner(self.position) } else { None };
        if close.map_or(self.at_word("USING"), |close| self.word_is(close + 1, "USING")) {
            return self.create_view_of_files(first, start, close.is_some());
        }
        if self.at_symbol("(") {
            children.push(self.view_columns()?);
        }
        while self.table_option()? {}
        self.expect_word("AS")?;
        children.push(self.query()?);
        Ok(self.node(Kind::CreateView, first, children))
    }

    /// `CREATE TEMPORARY VIEW name [(a INT, …)] USING csv OPTIONS (…)` reads files: with columns it defines a table,
    /// without them the files alone tell what they hold.
    fn create_view_of_files(&mut self, first: usize, name: usize, has_columns: bool) -> ParseResult {
        if has_columns {
            self.position = name;
            return self.create_table(first);
        }
        self.position = first;
        self.keep_as_text()
    }

    /// `(name [COMMENT 'text'], …)`; comments leave no node.
    fn view_columns(&mut self) -> ParseResult {
        let first = self.position;
        let names = self.bracketed_list(|parser| {
            if parser.at_word("CONSTRAINT") && parser.word_is(parser.position + 2, "EXPECT") {
                return Err(parser.unsupported(
                    "CONSTRAINT … EXPECT is not read; take it out, and let WHERE say which rows are dropped",
                ));
            }
            let name = parser.member()?;
            if parser.eat_word("COMMENT") {
                parser.without_node(Parser::text_literal)?;
            }
            Ok(name)
        })?;
        Ok(self.node(Kind::ColumnList, first, names))
    }

    /// `CACHE [LAZY] TABLE name [OPTIONS (…)] [AS] query` makes a view; without a query it is kept as text.
    pub(super) fn cache(&mut self) -> ParseResult {
        let first = self.position;
        self.expect_word("CACHE")?;
        self.eat_word("LAZY");
        self.expect_word("TABLE")?;
        let name = self.created_name()?;
        while self.table_option()? {}
        if self.eat_word("AS") || self.position < self.end {
            let query = self.query()?;
            return Ok(self.node(Kind::CreateView, first, vec![name, query]));
        }
        self.position = first;
        self.tree.truncate(name.index());
        self.keep_as_text()
    }

    /// A type as written; its inner structure is read by [`crate::code::schema`].
    pub(super) fn type_name(&mut self) -> ParseResult {
        let first = self.position;
        if self.kind_at(first) != Some(TokenKind::Word) {
            return Err(self.unexpected("a type"));
        }
        self.position += 1;
        if self.word_is(first, "DOUBLE") {
            self.eat_word("PRECISION");
        }
        if self.word_is(first, "INTERVAL") && super::call::is_time_unit(self.text_at(self.position)) {
            self.position += 1;
            if self.at_word("TO") && super::call::is_time_unit(self.text_at(self.position + 1)) {
                self.position += 2;
            }
        }
        if self.at_symbol("(") {
            self.skip_brackets()?;
        } else if self.at_symbol("<") {
            self.skip_type_arguments()?;
        }
        Ok(self.node(Kind::TypeName, first, Vec::new()))
    }

    fn skip_type_arguments(&mut self) -> ParseResult<()> {
        let mut depth = 0usize;
        loop {
            match self.symbol_at(self.position) {
                _ if self.position >= self.end => return Err(self.unexpected("'>'")),
                "<" => depth += 1,
                ">" => depth -= 1,
                "<>" => {}
                "" | "," | ":" | "(" | ")" => {}
                _ => return Err(self.unexpected("'>'")),
            }
            self.position += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }
}
