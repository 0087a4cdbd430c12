//! Translates scripts with the places of their parts, and parts alone.

use std::ops::Range;
use std::sync::Arc;

use super::steps::Step;
use super::{ScriptTable, Translated, Translator};
use crate::code::tree::NodeId;
use crate::engine::table::ResultColumn;

/// Marks before the number of a marked query, behind the number, and behind the query, from Unicode's private use area.
pub(super) const MARKS: [&str; 3] = ["\u{e000}", "\u{e001}", "\u{e002}"];

/// The surroundings of a part of a script: what it reads, and which numbers are taken.
#[derive(Clone, Copy, Default)]
pub struct PartContext<'a> {
    /// The CTEs and sub-queries that are given.
    pub given: &'a [GivenRelation],
    /// Where the numbers of the part's own CTEs begin.
    pub numbers_from: usize,
}

/// A CTE or sub-query that a part reads.
#[derive(Clone, Debug)]
pub struct GivenRelation {
    pub read_as: ReadAs,
    pub columns: Arc<[ResultColumn]>,
}

/// The SQL that stands for a CTE or sub-query that a part reads.
#[derive(Clone, Debug)]
pub enum ReadAs {
    /// The CTE with this number.
    CommonTable(usize),
    /// A sub-query.
    Query(Arc<str>),
}

/// A table that a script has created: its name and columns.
#[derive(Clone, Debug)]
pub struct MadeTable {
    pub name: String,
    pub columns: Vec<ResultColumn>,
    partitions: Vec<usize>,
}

/// A translated statement.
pub struct StatementInParts {
    pub statement: NodeId,
    /// The tables created before it.
    pub made: Vec<MadeTable>,
    pub steps: Vec<Step>,
    /// Queries that could be translated alone.
    pub parts: Vec<TranslatedQuery>,
}

/// Where the SQL of a query stands in that of its statement.
pub struct TranslatedQuery {
    pub query: NodeId,
    /// The number of the step, from 0.
    pub step: usize,
    /// The bytes in the SQL of that step.
    pub bytes: Range<usize>,
}

impl Translator<'_> {
    /// Translates every statement with its parts; `None` if the script creates views, whose SQL is part of other
    /// statements.
    pub fn statements_in_parts(&mut self) -> Translated<Option<Vec<StatementInParts>>> {
        self.marks = !MARKS.iter().any(|mark| self.script.text().contains(mark));
        let (mut all, mut views) = (Vec::new(), false);
        for statement in self.script.statements().iter().copied() {
            let made = self.made_tables();
            let mut in_parts = StatementInParts { statement, made, steps: Vec::new(), parts: Vec::new() };
            self.statement(statement, &mut in_parts.steps)?;
            in_parts.take_marks();
            all.push(in_parts);
            views |= self.made.values().any(|made| made.view.is_some());
        }
        Ok((self.marks && !views).then_some(all))
    }

    fn made_tables(&self) -> Vec<MadeTable> {
        let table = |(name, made): (&String, &ScriptTable)| MadeTable {
            name: name.clone(),
            columns: made.columns.clone(),
            partitions: made.partitions.clone(),
        };
        self.made.iter().map(table).collect()
    }

    /// Translates a part, which is one statement.
    pub fn part_alone(&mut self, made: &[MadeTable]) -> Translated<Vec<Step>> {
        for MadeTable { name, columns, partitions } in made {
            let made = ScriptTable { columns: columns.clone(), partitions: partitions.clone(), view: None };
            self.made.insert(name.clone(), made);
        }
        let mut steps = Vec::new();
        for statement in self.script.statements().iter().copied() {
            self.statement(statement, &mut steps)?;
        }
        Ok(steps)
    }
}

impl StatementInParts {
    /// Removes the marks from the SQL and records where they stood.
    fn take_marks(&mut self) {
        for (number, step) in self.steps.iter_mut().enumerate() {
            let (sql, parts) = without_marks(&step.sql);
            step.sql = sql;
            self.parts.extend(parts.into_iter().map(|(query, bytes)| TranslatedQuery { query, step: number, bytes }));
        }
    }
}

/// Returns SQL without its marks, and the bytes of each query that was marked.
fn without_marks(marked: &str) -> (String, Vec<(NodeId, Range<usize>)>) {
    let mut sql = String::with_capacity(marked.len());
    let (mut open, mut parts) = (Vec::new(), Vec::new());
    let mut rest = marked;
    while let Some(at) = rest.find(MARKS.map(|mark| mark.chars().next().unwrap_or_default())) {
        sql.push_str(&rest[..at]);
        let behind = &rest[at + MARKS[0].len()..];
        let numbered = rest[at..].starts_with(MARKS[0]).then(|| behind.split_once(MARKS[1])).flatten();
        rest = match numbered {
            Some((number, behind)) => {
                open.push((NodeId(number.parse().unwrap_or_default()), sql.len()));
                behind
            }
            None => {
                parts.extend(open.pop().map(|(query, start)| (query, start..sql.len())));
                behind
            }
        };
    }
    sql.push_str(rest);
    (sql, parts)
}
