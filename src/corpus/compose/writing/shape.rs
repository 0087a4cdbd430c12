//! Which blocks become common table expressions, derived tables or tables, and their names.

use std::collections::{BTreeMap, HashSet};

use super::flat::ParsedTexts;
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
    /// A table or temporary view that a statement of its own makes.
    Stored,
}

/// Blocks in the order of the text, each after those that it reads.
pub(super) struct ReadingOrder {
    /// The blocks.
    pub order: Vec<usize>,
    /// For each block the blocks that it reads.
    pub blocks_read_by: Vec<Vec<usize>>,
}

impl ReadingOrder {
    /// Returns the order of a plan's blocks.
    pub(super) fn of(plan: &Plan) -> ReadingOrder {
        let blocks_read_by = (0..plan.blocks.len()).map(|block| plan.blocks_read_by(block)).collect();
        ReadingOrder { order: plan.readers_last(), blocks_read_by }
    }
}

/// Which blocks read which, how they stand in the script, and what they are called.
pub(super) struct BlockLayout {
    pub reading: ReadingOrder,
    pub placements: Vec<BlockPlacement>,
    pub names: Vec<String>,
    pub aliases: Vec<String>,
    pub shared: SharedOut,
    /// The texts of the plan in the spelling of each author.
    pub parsed: Vec<ParsedTexts>,
}

impl BlockLayout {
    /// Returns the results of the multi-insert that writes this one; `None` if it has a statement of its own.
    pub(super) fn sharing(&self, result: usize) -> Option<&[usize]> {
        self.shared.values().find(|results| results.contains(&result)).map(Vec::as_slice)
    }
}

/// Blocks whose rows one multi-insert writes to several tables, with the results that take them.
pub(super) type SharedOut = BTreeMap<usize, Vec<usize>>;

/// Draws which of the blocks in `fans_out` are read by a multi-insert.
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

/// Draws the placement of each block.
pub(super) fn placements(
    plan: &Plan,
    style: &Style,
    reading: &ReadingOrder,
    shared: &SharedOut,
    draw: Draw,
) -> Vec<BlockPlacement> {
    let ReadingOrder { order, blocks_read_by } = reading;
    let mut readers = vec![0; plan.blocks.len()];
    for block in order {
        for source in &blocks_read_by[*block] {
            readers[*source] += 1;
        }
    }
    let statements = results_over(plan, reading);
    let mut depth = vec![0; plan.blocks.len()];
    let mut placements = vec![BlockPlacement::Common; plan.blocks.len()];
    for block in order.iter().copied() {
        let inner = blocks_read_by[block].iter().filter(|source| placements[**source] == BlockPlacement::Derived);
        depth[block] = 1 + inner.map(|source| depth[*source]).max().unwrap_or(0);
        let draw = draw.nth("block", block);
        placements[block] = if plan.results.contains(&block) {
            BlockPlacement::Result
        } else if plan.blocks[block].inside || is_member(plan, block) {
            BlockPlacement::Derived
        } else if plan.blocks[block].milestone && !shared.contains_key(&block) && statements[block] > 1 {
            // Several results need it, and nobody writes it twice.
            BlockPlacement::Stored
        } else if shared.contains_key(&block) && draw.at("inline").chance(0.6) {
            // It stands in the FROM of the multi-insert.
            BlockPlacement::Derived
        } else {
            let nests = Nesting { readers: readers[block], depth: depth[block] };
            placement(plan, style.shape, block, nests, draw)
        };
    }
    placements
}

/// Returns for each block how many results depend on it.
fn results_over(plan: &Plan, reading: &ReadingOrder) -> Vec<usize> {
    let mut over: Vec<Vec<usize>> = vec![Vec::new(); plan.blocks.len()];
    for block in reading.order.iter().rev().copied() {
        if plan.results.contains(&block) {
            over[block].push(block);
        }
        let mine = over[block].clone();
        for source in &reading.blocks_read_by[block] {
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

/// How many blocks read a block, and how many derived tables would be nested with it.
struct Nesting {
    readers: usize,
    depth: usize,
}

fn placement(plan: &Plan, shape: BlockNesting, block: usize, nests: Nesting, draw: Draw) -> BlockPlacement {
    let staged = plan.staged || matches!(shape, BlockNesting::StagedChain | BlockNesting::StagedNested);
    let share = plan.staging.unwrap_or(if plan.blocks[block].milestone { 0.75 } else { 0.0 });
    let stored = draw.at("stored").chance(share);
    let (derived, deepest) = match shape {
        BlockNesting::Chain | BlockNesting::StagedChain => (0.3, 2),
        BlockNesting::Nested | BlockNesting::StagedNested => (1.0, 4),
        BlockNesting::Mixed => (0.6, 3),
    };
    let small =
        plan.blocks[block].outputs.len() <= 3 && matches!(shape, BlockNesting::Chain | BlockNesting::StagedChain);
    // A common table expression is gone in the next file, and nobody writes it twice.
    let is_shared = plan.files.is_some() && nests.readers > 1;
    if stored && staged || is_shared {
        BlockPlacement::Stored
    } else if nests.readers == 1
        && nests.depth <= deepest
        && draw.at("derived").chance(if small { 0.5 } else { derived })
    {
        BlockPlacement::Derived
    } else {
        BlockPlacement::Common
    }
}

/// Names of tables that a script makes for itself; `{}` is the name of the block.
const STAGE_NAMES: [&str; 9] =
    ["tmp_{}", "tmp_{}", "tmp_{}", "{}_tmp", "mid_{}", "t_{}", "stg_{}", "wrk_{}", "{}_stage"];

/// What stands before the number of a step that has no other name.
const STEP_NAMES: [&str; 5] = ["step", "q", "s", "tmp", "cte_"];

/// Returns a name for each block that results need; no two are the same.
pub(super) fn block_names(
    plan: &Plan,
    order: &[usize],
    placements: &[BlockPlacement],
    scratch: &str,
    draw: Draw,
) -> Vec<String> {
    let short = draw.at("short").chance(0.4);
    let stage = draw.at("stage").one_of(STAGE_NAMES);
    let numbered = draw.at("numbered").chance(0.12).then(|| draw.at("step").one_of(STEP_NAMES));
    let mut steps = 0;
    let mut taken: HashSet<String> = HashSet::new();
    let mut names = vec![String::new(); plan.blocks.len()];
    for block in order.iter().copied() {
        let known = &plan.blocks[block].names;
        let name = if short { known.get(1).or(known.first()) } else { known.first() };
        let name = name.cloned().unwrap_or_else(|| "base".to_owned());
        let stored = placements[block] == BlockPlacement::Stored;
        let mut name = if stored { stage.replace("{}", known.first().unwrap_or(&name)) } else { name };
        if let (Some(step), BlockPlacement::Common) = (numbered, placements[block]) {
            steps += 1;
            name = format!("{step}{steps}");
        }
        let name = if stored { format!("{scratch}{name}") } else { name };
        let ends = ["ref", "lkp", "src", "sel"].iter().map(|end| format!("{name}_{end}"));
        let others = if stored || numbered.is_some() { [].iter() } else { known.iter() }.cloned();
        let free = std::iter::once(name.clone()).chain(others).chain(ends);
        let free = free.chain((2..).map(|number| format!("{name}_{number}")));
        let free = free.into_iter().find(|name| !taken.contains(name)).unwrap_or(name);
        taken.insert(free.clone());
        names[block] = free;
    }
    names
}
