//! Columns that are taken along though nothing reads them, as people leave them in long scripts.

use super::draw::Draw;
use super::piece::column_name;
use super::plan::live::{DecisionForms, Reads};
use super::plan::{Block, Plan};

/// Keeps in the blocks of a plan some of the plain columns that nothing reads. Blocks that group, compare whole rows or
/// give results stay as they are.
pub(super) fn keep_unused_columns(plan: &mut Plan, [least, most]: [usize; 2], draw: Draw) {
    let live = Reads::new(plan).live(plan, DecisionForms::All);
    for block in plan.readers_last() {
        if !may_carry(plan, block) {
            continue;
        }
        let draw = draw.nth("block", block);
        let outputs = &plan.blocks[block].outputs;
        let is_idle = |place: &usize| {
            !live[block].contains(&outputs[*place].name) && column_name(&outputs[*place].text).is_some()
        };
        let idle: Vec<usize> = (0..outputs.len()).filter(is_idle).collect();
        let kept = draw.at("which").shuffled(&idle).into_iter().take(draw.at("many").between(least, most));
        kept.for_each(|place| plan.blocks[block].outputs[place].kept = true);
    }
}

/// Whether further columns of a block change no row of what reads it.
fn may_carry(plan: &Plan, block: usize) -> bool {
    let is_member = plan.blocks.iter().any(|other| other.members.contains(&block));
    let Block { members, distinct, inside, groups, grouping, outputs, .. } = &plan.blocks[block];
    let aggregates = ["SUM(", "COUNT(", "MAX(", "MIN(", "AVG(", "COLLECT_"];
    members.is_empty()
        && !is_member
        && !distinct
        && !inside
        && groups.is_empty()
        && grouping.is_empty()
        && !plan.results.contains(&block)
        && !outputs.iter().any(|output| aggregates.iter().any(|call| output.text.to_uppercase().contains(call)))
}
