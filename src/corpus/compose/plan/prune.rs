//! Removes joins whose columns nothing reads.

use std::collections::HashSet;

use super::block::Block;
use super::graph::Plan;
use super::live::{DecisionForms, Reads, columns};
use crate::corpus::compose::piece::pieces;

/// Removes each LEFT JOIN whose columns nothing but its own condition reads, until there is none. A decision with LEFT
/// JOIN as one form goes with it.
pub fn prune(plan: &mut Plan) {
    loop {
        let live = Reads::new(plan).live(plan, DecisionForms::All);
        let mut changed = false;
        for (id, live) in live.iter().enumerate() {
            let idle = idle_items(&plan.blocks[id], live);
            if idle.is_empty() {
                continue;
            }
            changed = true;
            let items = &mut plan.blocks[id].items;
            items.retain(|item| !idle.contains(&item.slot));
            let places: Vec<usize> = items.iter().map(|item| item.slot).collect();
            for (place, slot) in places.into_iter().enumerate() {
                plan.slots[slot] = (id, place);
            }
        }
        if !changed {
            return;
        }
    }
}

/// Returns the slots of LEFT JOINs whose columns nothing but their own conditions reads.
fn idle_items(block: &Block, live: &HashSet<String>) -> Vec<usize> {
    if block.items.len() < 2 {
        return Vec::new();
    }
    let mut read: HashSet<usize> = HashSet::new();
    let mut note = |text: &String, own: Option<usize>| {
        let mut found = Vec::new();
        columns(&pieces(text), DecisionForms::All, &mut found);
        read.extend(found.into_iter().map(|(slot, _)| slot).filter(|slot| Some(*slot) != own));
    };
    block.items.iter().for_each(|item| item.on.iter().for_each(|text| note(text, Some(item.slot))));
    let clauses = block.laterals.iter().chain(&block.filters).chain(&block.groups).chain(&block.having);
    clauses.chain(&block.order).chain(std::iter::once(&block.grouping)).for_each(|text| note(text, None));
    block.outputs.iter().filter(|output| live.contains(&output.name)).for_each(|output| note(&output.text, None));
    let outer = block.items.iter().skip(1).filter(|item| item.join.contains("LEFT JOIN"));
    outer.map(|item| item.slot).filter(|slot| !read.contains(slot)).collect()
}
