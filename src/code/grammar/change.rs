//! DELETE, UPDATE and MERGE.

use super::{ParseResult, Parser};
use crate::code::tree::{Kind, MergeAction, MergeRows, NodeId};

/// How Hive compares the columns of the partitions that it drops.
const PARTITION_COMPARISONS: [&str; 7] = ["=", "<=", ">=", "<", ">", "<>", "!="];

impl Parser<'_> {
    pub(super) fn at_change(&self) -> bool {
        ["DELETE", "UPDATE", "MERGE"].iter().any(|word| self.at_word(word))
    }

    /// DELETE, UPDATE or MERGE whose WITH has been read.
    pub(super) fn change(&mut self, first: usize, with: Option<NodeId>) -> ParseResult {
        let mut children: Vec<NodeId> = with.into_iter().collect();
        let kind = if self.eat_word("DELETE") {
            self.expect_word("FROM")?;
            children.push(self.changed_table()?);
            Kind::Delete
        } else if self.eat_word("UPDATE") {
            children.push(self.changed_table()?);
            self.expect_word("SET")?;
            children.extend(self.list(Self::assignment)?);
            Kind::Update
        } else {
            self.merge(&mut children)?;
            Kind::Merge
        };
        if kind != Kind::Merge && self.at_word("WHERE") {
            children.push(self.condition(Kind::Where)?);
        }
        Ok(self.node(kind, first, children))
    }

    /// `TRUNCATE TABLE t [PARTITION (…)]` and `ALTER TABLE t DROP [IF EXISTS] PARTITION (…), … [PURGE]`, which delete all
    /// rows, or those of partitions; `None` if something else stands here.
    pub(super) fn emptying(&mut self) -> Option<NodeId> {
        let (first, nodes_before) = (self.position, self.tree.len());
        let emptied = self.emptied_table().ok().filter(|_| self.position >= self.end);
        if let Some(children) = emptied {
            return Some(self.node(Kind::Delete, first, children));
        }
        self.position = first;
        self.tree.truncate(nodes_before);
        None
    }

    fn emptied_table(&mut self) -> ParseResult<Vec<NodeId>> {
        let truncates = self.eat_word("TRUNCATE");
        if !truncates {
            self.expect_word("ALTER")?;
        }
        self.expect_word("TABLE")?;
        let first = self.position;
        let path = self.path()?;
        let mut children = vec![self.node(Kind::Table, first, path)];
        if !truncates {
            self.expect_word("DROP")?;
            self.eat_words(&["IF", "EXISTS"]);
            children.extend(self.list(|parser| parser.partition_of(Self::dropped_partition))?);
            self.eat_word("PURGE");
        } else if self.at_word("PARTITION") {
            children.push(self.partition_spec()?);
        }
        Ok(children)
    }

    /// `a <= 'x'` of the partitions to drop: Hive drops all that meet the comparisons, Spark takes only `=`.
    fn dropped_partition(&mut self) -> ParseResult {
        let first = self.position;
        let name = self.identifier()?;
        if !PARTITION_COMPARISONS.iter().any(|symbol| self.eat_symbol(symbol)) {
            return Err(self.unexpected("a comparison"));
        }
        let value = self.expression()?;
        Ok(self.node(Kind::PartitionItem, first, vec![name, value]))
    }

    fn changed_table(&mut self) -> ParseResult {
        let first = self.position;
        let mut children = self.path()?;
        children.extend(self.table_alias()?);
        Ok(self.node(Kind::Table, first, children))
    }

    fn assignment(&mut self) -> ParseResult {
        let first = self.position;
        let path = self.path()?;
        let column = self.node(Kind::Column, first, path);
        if !self.eat_symbol("==") {
            self.expect_symbol("=")?;
        }
        let value = self.expression()?;
        Ok(self.node(Kind::Assignment, first, vec![column, value]))
    }

    fn merge(&mut self, children: &mut Vec<NodeId>) -> ParseResult<()> {
        self.expect_word("MERGE")?;
        self.eat_words(&["WITH", "SCHEMA", "EVOLUTION"]);
        self.expect_word("INTO")?;
        children.push(self.changed_table()?);
        self.expect_word("USING")?;
        let query = self.at_symbol("(");
        children.push(if query { self.relation_primary()? } else { self.changed_table()? });
        if !self.at_word("ON") {
            return Err(self.unexpected("ON"));
        }
        children.push(self.condition(Kind::On)?);
        let mut last = MergeRows::Matched;
        while self.at_word("WHEN") {
            children.push(self.merge_clause(&mut last)?);
        }
        Ok(())
    }

    /// Clauses for matched rows come first, those for rows not matched by the source last.
    fn merge_clause(&mut self, last: &mut MergeRows) -> ParseResult {
        let first = self.position;
        self.expect_word("WHEN")?;
        let rows = self.merge_rows(*last)?;
        *last = rows;
        let mut children = Vec::new();
        if self.at_word("AND") {
            children.push(self.condition(Kind::MergeCondition)?);
        }
        self.expect_word("THEN")?;
        let action = if rows == MergeRows::NotMatched {
            self.merge_insert(&mut children)?;
            MergeAction::Insert
        } else if self.eat_word("DELETE") {
            MergeAction::Delete
        } else if self.eat_word("UPDATE") {
            self.expect_word("SET")?;
            if self.at_symbol("*") {
                children.push(self.leaf(Kind::Star));
            } else {
                children.extend(self.list(Self::assignment)?);
            }
            MergeAction::Update
        } else {
            return Err(self.unexpected("UPDATE or DELETE"));
        };
        Ok(self.node(Kind::MergeClause { rows, action }, first, children))
    }

    fn merge_rows(&mut self, last: MergeRows) -> ParseResult<MergeRows> {
        if last == MergeRows::Matched && self.eat_word("MATCHED") {
            return Ok(MergeRows::Matched);
        }
        if !self.eat_words(&["NOT", "MATCHED"]) {
            return Err(self.unexpected("MATCHED or NOT MATCHED"));
        }
        if last == MergeRows::NotMatchedBySource || self.at_words(&["BY", "SOURCE"]) {
            self.expect_word("BY")?;
            self.expect_word("SOURCE")?;
            return Ok(MergeRows::NotMatchedBySource);
        }
        self.eat_words(&["BY", "TARGET"]);
        Ok(MergeRows::NotMatched)
    }

    /// The columns that a MERGE fills; the target's name may stand before each.
    fn merge_columns(&mut self) -> ParseResult {
        let first = self.position;
        let names = self.bracketed_list(|parser| {
            while parser.symbol_at(parser.position + 1) == "." {
                parser.position += 2;
            }
            parser.member()
        })?;
        Ok(self.node(Kind::ColumnList, first, names))
    }

    /// `INSERT *` or `INSERT [(columns)] VALUES (…)`, the list optional as in Hive.
    fn merge_insert(&mut self, children: &mut Vec<NodeId>) -> ParseResult<()> {
        self.expect_word("INSERT")?;
        if self.at_symbol("*") {
            children.push(self.leaf(Kind::Star));
            return Ok(());
        }
        if self.at_symbol("(") {
            children.push(self.merge_columns()?);
        }
        self.expect_word("VALUES")?;
        if !self.at_symbol("(") {
            return Err(self.unexpected("'('"));
        }
        children.push(self.expression()?);
        Ok(())
    }
}
