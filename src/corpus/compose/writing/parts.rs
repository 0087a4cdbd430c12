//! How the statements of a script are shared out among files that are run one after the other.

use super::shape::{BlockPlacement, ReadingOrder};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::Plan;

/// A file of a script that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// Its name.
    pub path: String,
    /// The blocks of its statements, in the order of the text.
    pub statements: Vec<usize>,
    /// Tables of earlier files that it reads, by the blocks that make them.
    pub reads: Vec<usize>,
    /// Who writes it, by number among the styles of the script.
    pub style_number: usize,
}

/// The statements of a script as its files have them, those that read no table of the script first: teams stage what they
/// read before they work on it. And what they read of each other.
struct Statements {
    /// Their blocks.
    blocks: Vec<usize>,
    /// About how many lines each takes.
    lines: Vec<f64>,
    /// For each the positions of the statements whose tables it reads.
    reads: Vec<Vec<usize>>,
}

/// The blocks of one statement, the one that gives its rows first, and those that make the tables that it reads.
struct StatementBlocks {
    own: Vec<usize>,
    reads: Vec<usize>,
}

impl StatementBlocks {
    fn of(block: usize, made: &[usize], reading: &ReadingOrder) -> StatementBlocks {
        let (mut own, mut reads) = (vec![block], Vec::new());
        let mut next = 0;
        while let Some(inner) = own.get(next).copied() {
            next += 1;
            for source in &reading.blocks_read_by[inner] {
                let found = if made.contains(source) { &mut reads } else { &mut own };
                if !found.contains(source) {
                    found.push(*source);
                }
            }
        }
        StatementBlocks { own, reads }
    }
}

impl Statements {
    fn of(plan: &Plan, reading: &ReadingOrder, placements: &[BlockPlacement]) -> Statements {
        let is_statement =
            |block: &usize| matches!(placements[*block], BlockPlacement::Stored | BlockPlacement::Result);
        let made: Vec<usize> = reading.order.iter().copied().filter(is_statement).collect();
        let statement = |block: &usize| StatementBlocks::of(*block, &made, reading);
        let (staging, others): (Vec<StatementBlocks>, Vec<StatementBlocks>) =
            made.iter().map(statement).partition(|statement| statement.reads.is_empty());
        let ordered: Vec<StatementBlocks> = staging.into_iter().chain(others).collect();
        let blocks: Vec<usize> = ordered.iter().map(|statement| statement.own[0]).collect();
        let position = |block: &usize| blocks.iter().position(|other| other == block);
        let lines = |own: &[usize]| own.iter().map(|block| plan.blocks[*block].lines()).sum::<usize>() as f64;
        Statements {
            lines: ordered.iter().map(|statement| lines(&statement.own)).collect(),
            reads: ordered.iter().map(|statement| statement.reads.iter().filter_map(position).collect()).collect(),
            blocks,
        }
    }

    /// Whether one of the statements from `start` to before `end` reads a table of an earlier one.
    fn goes_on(&self, start: usize, end: usize) -> bool {
        start == 0 || self.reads[start..end].iter().flatten().any(|read| *read < start)
    }

    /// Returns where each of `count` files begins, so that every later one reads a table of an earlier one and their
    /// lengths differ as little as can be; `None` if there is no such way.
    fn starts(&self, count: usize) -> Option<Vec<usize>> {
        let all = self.blocks.len();
        let mean = self.lines.iter().sum::<f64>() / count as f64;
        // By the number of files and of statements in them: how uneven they are, and where the last one begins.
        let mut best: Vec<Vec<Option<(f64, usize)>>> = vec![vec![None; all + 1]; count + 1];
        best[0][0] = Some((0.0, 0));
        for files in 1..=count {
            for end in files..=all {
                let ways = (files - 1..end).filter(|start| self.goes_on(*start, end)).filter_map(|start| {
                    let (uneven, _) = best[files - 1][start]?;
                    let off = self.lines[start..end].iter().sum::<f64>() - mean;
                    Some((uneven + off * off, start))
                });
                best[files][end] = ways.min_by(|one, other| one.0.total_cmp(&other.0));
            }
        }
        let mut starts = Vec::new();
        let mut end = all;
        for files in (1..=count).rev() {
            end = best[files][end]?.1;
            starts.push(end);
        }
        starts.reverse();
        Some(starts)
    }
}

/// Ways to number files: what stands around the number, how far it counts, and its digits.
const NUMBERS: [(&str, usize, usize); 5] =
    [("{}_", 1, 2), ("{}_", 1, 2), ("{}-", 1, 2), ("s{}_", 1, 2), ("{}_", 10, 3)];

/// What the first file is called if it makes several tables, none of which needs another.
const STAGING: [&str; 4] = ["stage_sources", "staging", "prepare_sources", "base_tables"];

/// Shares the statements of a plan out among as many files as it is to have, or as few less as can be; there are none if
/// the script is to be one text, or cannot be cut into enough.
pub(super) fn parts(
    plan: &Plan,
    reading: &ReadingOrder,
    placements: &[BlockPlacement],
    table: &dyn Fn(usize) -> String,
    styles: usize,
    draw: Draw,
) -> Vec<FilePart> {
    let Some((least, most)) = plan.files else { return Vec::new() };
    let statements = Statements::of(plan, reading, placements);
    let Some(starts) = (least..=most).rev().find_map(|count| statements.starts(count)) else { return Vec::new() };
    let (form, step, digits) = draw.at("number").one_of(NUMBERS);
    let staging = draw.at("staging").one_of(STAGING);
    let ends = starts.iter().skip(1).copied().chain([statements.blocks.len()]);
    let part = |(number, (start, end)): (usize, (usize, usize))| {
        let own = &statements.blocks[start..end];
        let only_stages = own.len() > 1 && statements.reads[start..end].iter().all(Vec::is_empty);
        let table = own.last().map(|block| table(*block)).unwrap_or_default();
        let name = if only_stages { staging } else { table.rsplit('.').next().unwrap_or_default() };
        let mut reads: Vec<usize> = statements.reads[start..end].iter().flatten().copied().collect();
        reads.retain(|read| *read < start);
        reads.sort_unstable();
        reads.dedup();
        FilePart {
            path: format!("{}{name}.sql", form.replace("{}", &format!("{:0digits$}", (number + 1) * step))),
            statements: own.to_vec(),
            reads: reads.into_iter().map(|read| statements.blocks[read]).collect(),
            style_number: draw.nth("hand", number).below(styles),
        }
    };
    starts.iter().copied().zip(ends).enumerate().map(part).collect()
}
