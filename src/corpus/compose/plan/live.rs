//! Which columns of each block are read by somebody.

use std::collections::HashSet;

use super::{Plan, RowSource};
use crate::corpus::compose::piece::{Piece, pieces};

/// Which forms of a choice are looked at.
#[derive(Clone, Copy, Debug)]
pub enum Forms<'a> {
    /// All.
    All,
    /// Those that were drawn, by decision.
    Chosen(&'a [usize]),
}

/// For each block the names of its outputs that are read, or that stand in the result.
pub fn live_outputs(plan: &Plan, forms: Forms<'_>) -> Vec<HashSet<String>> {
    let mut live: Vec<HashSet<String>> = vec![HashSet::new(); plan.blocks.len()];
    for id in plan.readers_last().into_iter().rev() {
        let block = &plan.blocks[id];
        let all = plan.results.contains(&id) || block.distinct;
        let kept = block.outputs.iter().filter(|output| all || output.kept).map(|output| output.name.clone());
        live[id].extend(kept);
        for member in &block.members {
            let wanted = live[id].clone();
            live[*member].extend(wanted);
        }
        let mut read = Vec::new();
        for text in block.clauses() {
            columns(&pieces(text), forms, &mut read);
        }
        for output in block.outputs.iter().filter(|output| live[id].contains(&output.name)) {
            columns(&pieces(&output.text), forms, &mut read);
        }
        for (slot, name) in read {
            if let Some(RowSource::Block(source)) = plan.source(slot) {
                live[*source].insert(name);
            }
        }
    }
    live
}

/// Adds the columns that pieces read.
pub fn columns(parts: &[Piece], forms: Forms<'_>, found: &mut Vec<(usize, String)>) {
    for piece in parts {
        match piece {
            Piece::Column(slot, name) => found.push((*slot, name.clone())),
            Piece::Choice(id, texts) => match forms {
                Forms::All => texts.iter().for_each(|form| columns(form, forms, found)),
                Forms::Chosen(chosen) => {
                    if let Some(form) = chosen.get(*id).and_then(|form| texts.get(*form)) {
                        columns(form, forms, found);
                    }
                }
            },
            _ => {}
        }
    }
}

/// The columns of tables on which a text rests, as `table.column`, through all blocks.
pub fn sources(plan: &Plan, text: &str, tables: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen: HashSet<(usize, String)> = HashSet::new();
    let mut open = Vec::new();
    columns(&pieces(text), Forms::All, &mut open);
    while let Some((slot, name)) = open.pop() {
        match plan.source(slot) {
            Some(RowSource::Table(table)) => found.push(format!("{}.{name}", tables(table))),
            Some(RowSource::Block(block)) if seen.insert((*block, name.clone())) => {
                for inner in plan.blocks[*block].members.iter().chain(std::iter::once(block)) {
                    let output = plan.blocks[*inner].outputs.iter().find(|output| output.name == name);
                    if let Some(output) = output {
                        columns(&pieces(&output.text), Forms::All, &mut open);
                    }
                }
            }
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}
