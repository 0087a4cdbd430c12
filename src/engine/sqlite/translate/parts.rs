//! Translations with the places of their parts, and of parts alone.

use std::ops::Range;
use std::sync::Arc;

use super::{ScriptTable, Step, Translated, Translator};
use crate::code::tree::NodeId;
use crate::engine::table::ResultColumn;

/// Stand before the number of a marked query, behind it and behind the query. From Unicode's area for private use.
pub(super) const MARKS: [&str; 3] = ["\u{e000}", "\u{e001}", "\u{e002}"];

/// What stands around a part of a script: what it reads, and the numbers that are taken.
#[derive(Clone, Copy, Default)]
pub struct Around<'a> {
    /// The given CTEs and sub-queries.
    pub given: &'a [Given],
    /// Where the numbers of the part's own CTEs begin.
    pub numbers_from: usize,
}

/// Something that a part reads.
#[derive(Clone, Debug)]
pub struct Given {
    pub read_as: ReadAs,
    /// Its columns.
    pub columns: Arc<[ResultColumn]>,
}

/// What stands in SQL for something that a part reads.
#[derive(Clone, Debug)]
pub enum ReadAs {
    /// A CTE of this number.
    CommonTable(usize),
    /// A sub-query.
    Query(Arc<str>),
}

/// A table that a script has made: its name and columns.
#[derive(Clone, Debug)]
pub struct MadeTable {
    pub name: String,
    pub columns: Vec<ResultColumn>,
    partitions: Vec<usize>,
}

/// A statement as it is run.
pub struct Stated {
    pub statement: NodeId,
    /// The tables made before it.
    pub made: Vec<MadeTable>,
    pub steps: Vec<Step>,
    /// Queries that could be read alone: the node, the step, and the bytes of its SQL.
    pub parts: Vec<(NodeId, usize, Range<usize>)>,
}

impl Translator<'_> {
    /// Every statement with its parts; none of a script that makes views, which stand in the SQL of others.
    pub fn stated(&mut self) -> Translated<Option<Vec<Stated>>> {
        self.marks = !MARKS.iter().any(|mark| self.script.text().contains(mark));
        let (mut all, mut views) = (Vec::new(), false);
        for statement in self.script.statements().iter().copied() {
            let made = self.made_tables();
            let mut stated = Stated { statement, made, steps: Vec::new(), parts: Vec::new() };
            self.statement(statement, &mut stated.steps)?;
            stated.take_marks();
            all.push(stated);
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

    /// The steps of a part, one statement.
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

impl Stated {
    /// Takes the marks out of the SQL and notes where they stood.
    fn take_marks(&mut self) {
        for (number, step) in self.steps.iter_mut().enumerate() {
            let (sql, parts) = without_marks(&step.sql);
            step.sql = sql;
            self.parts.extend(parts.into_iter().map(|(query, bytes)| (query, number, bytes)));
        }
    }
}

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
