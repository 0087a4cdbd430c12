//! Which blocks are common table expressions, derived tables or tables.

use std::collections::BTreeMap;

use super::style::{BlockNesting, Style};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::{Plan, RowSource};

/// How a block stands in the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockPlacement {
    /// It is a statement of its own that gives a result.
    Result,
    /// A derived table where it is read.
    Derived,
    /// A common table expression.
    Common,
    /// A table that a statement of its own fills.
    Stored,
}

/// Blocks whose rows one statement shares out to several tables, with the results that take them.
pub(super) type SharedOut = BTreeMap<usize, Vec<usize>>;

/// Which blocks are shared out by one statement: those that the plan says, if the hand knows multi-insert.
pub(super) fn shared_out(plan: &Plan, has_tables: bool, draw: Draw) -> SharedOut {
    let takes = |result: &usize, source: usize| {
        let block = &plan.blocks[*result];
        block.items.len() == 1
            && block.items[0].source == RowSource::Block(source)
            && block.order.is_empty()
            && block.limit.is_empty()
    };
    let known = plan.fans_out.iter().filter(|source| has_tables && draw.nth("multi", **source).chance(0.8));
    let found = known.map(|source| {
        let results = plan.results.iter().copied().filter(|result| takes(result, *source)).collect::<Vec<_>>();
        (*source, results)
    });
    found.filter(|(_, results)| results.len() > 1).collect()
}

/// The placement of each block.
pub(super) fn placements(
    plan: &Plan,
    style: &Style,
    (order, read_by): (&[usize], &[Vec<usize>]),
    shared: &SharedOut,
    draw: Draw,
) -> Vec<BlockPlacement> {
    let mut readers = vec![0; plan.blocks.len()];
    for block in order {
        for source in &read_by[*block] {
            readers[*source] += 1;
        }
    }
    let statements = results_over(plan, (order, read_by));
    let mut depth = vec![0; plan.blocks.len()];
    let mut placements = vec![BlockPlacement::Common; plan.blocks.len()];
    for block in order.iter().copied() {
        let inner = read_by[block].iter().filter(|source| placements[**source] == BlockPlacement::Derived);
        depth[block] = 1 + inner.map(|source| depth[*source]).max().unwrap_or(0);
        let draw = draw.nth("block", block);
        placements[block] = if plan.results.contains(&block) {
            BlockPlacement::Result
        } else if plan.blocks[block].inside || is_member(plan, block) {
            BlockPlacement::Derived
        } else if plan.blocks[block].milestone && !shared.contains_key(&block) && statements[block] > 1 {
            // Several statements read it: nobody writes it twice.
            BlockPlacement::Stored
        } else if shared.contains_key(&block) && draw.at("inline").chance(0.6) {
            // It stands in the FROM of the statement that shares out its rows.
            BlockPlacement::Derived
        } else {
            placement(plan, style.shape, block, (readers[block], depth[block]), draw)
        };
    }
    placements
}

/// On how many results, or statements that share out rows, each block has an influence.
fn results_over(plan: &Plan, (order, read_by): (&[usize], &[Vec<usize>])) -> Vec<usize> {
    let mut over: Vec<Vec<usize>> = vec![Vec::new(); plan.blocks.len()];
    for block in order.iter().rev().copied() {
        if plan.results.contains(&block) {
            over[block].push(block);
        }
        let mine = over[block].clone();
        for source in &read_by[block] {
            let fresh: Vec<usize> = mine.iter().filter(|result| !over[*source].contains(result)).copied().collect();
            over[*source].extend(fresh);
        }
    }
    over.iter().map(Vec::len).collect()
}

/// Whether a block is part of a union.
fn is_member(plan: &Plan, block: usize) -> bool {
    plan.blocks.iter().any(|other| other.members.contains(&block))
}

fn placement(
    plan: &Plan,
    shape: BlockNesting,
    block: usize,
    (readers, depth): (usize, usize),
    draw: Draw,
) -> BlockPlacement {
    let staged = plan.staged || matches!(shape, BlockNesting::StagedChain | BlockNesting::StagedNested);
    let stored = plan.blocks[block].milestone && draw.at("stored").chance(0.75);
    let (derived, deepest) = match shape {
        BlockNesting::Chain | BlockNesting::StagedChain => (0.3, 2),
        BlockNesting::Nested | BlockNesting::StagedNested => (1.0, 4),
        BlockNesting::Mixed => (0.6, 3),
    };
    let small =
        plan.blocks[block].outputs.len() <= 3 && matches!(shape, BlockNesting::Chain | BlockNesting::StagedChain);
    if stored && staged {
        BlockPlacement::Stored
    } else if readers == 1 && depth <= deepest && draw.at("derived").chance(if small { 0.5 } else { derived }) {
        BlockPlacement::Derived
    } else {
        BlockPlacement::Common
    }
}
