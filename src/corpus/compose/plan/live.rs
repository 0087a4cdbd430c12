//! Which columns of each block are read.

use std::collections::HashSet;

use super::block::{Block, RowSource};
use super::graph::Plan;
use crate::corpus::compose::piece::{Piece, pieces};

/// Which forms of decisions are looked at.
#[derive(Clone, Copy, Debug)]
pub enum DecisionForms<'a> {
    /// All.
    All,
    /// Of each decision the form at its index here.
    Chosen(&'a [usize]),
}

/// The texts of the blocks of a plan, parsed once.
#[derive(Debug)]
pub struct Reads {
    order: Vec<usize>,
    clauses: Vec<Vec<Vec<Piece>>>,
    outputs: Vec<Vec<Vec<Piece>>>,
}

impl Reads {
    /// Parses the texts of a plan.
    pub fn new(plan: &Plan) -> Reads {
        let clauses = |block: &Block| {
            block.clauses().chain(std::iter::once(&block.set_operator)).map(|text| pieces(text)).collect()
        };
        let outputs = |block: &Block| block.outputs.iter().map(|output| pieces(&output.text)).collect();
        Reads {
            order: plan.readers_last(),
            clauses: plan.blocks.iter().map(clauses).collect(),
            outputs: plan.blocks.iter().map(outputs).collect(),
        }
    }

    /// Returns for each block the names of its outputs that are read, kept or part of a result.
    pub fn live(&self, plan: &Plan, forms: DecisionForms<'_>) -> Vec<HashSet<String>> {
        let mut live: Vec<HashSet<String>> = vec![HashSet::new(); plan.blocks.len()];
        for id in self.order.iter().rev().copied() {
            let block = &plan.blocks[id];
            let all = plan.results.contains(&id) || block.distinct;
            let kept = block.outputs.iter().filter(|output| all || output.kept).map(|output| output.name.clone());
            live[id].extend(kept);
            for member in &block.members {
                let wanted = live[id].clone();
                live[*member].extend(wanted);
            }
            let mut read = Vec::new();
            self.clauses[id].iter().for_each(|parts| columns(parts, forms, &mut read));
            for (output, parts) in block.outputs.iter().zip(&self.outputs[id]) {
                if live[id].contains(&output.name) {
                    columns(parts, forms, &mut read);
                }
            }
            for (slot, name) in read {
                if let Some(RowSource::Block(source)) = plan.source(slot) {
                    live[*source].insert(name);
                }
            }
        }
        live
    }

    /// Returns for each decision the blocks that hold it and whether its forms read different columns.
    pub fn places(&self, decisions: usize) -> Vec<(Vec<usize>, bool)> {
        let mut found = vec![(Vec::new(), false); decisions];
        for id in self.order.iter().copied() {
            for parts in self.clauses[id].iter().chain(&self.outputs[id]) {
                places(parts, id, &mut found);
            }
        }
        found
    }
}

fn places(parts: &[Piece], block: usize, found: &mut [(Vec<usize>, bool)]) {
    for piece in parts {
        let Piece::Choice(id, forms) = piece else { continue };
        let read = |form: &Vec<Piece>| {
            let mut read = Vec::new();
            columns(form, DecisionForms::All, &mut read);
            read.into_iter().collect::<HashSet<_>>()
        };
        if let Some((blocks, differs)) = found.get_mut(*id) {
            if !blocks.contains(&block) {
                blocks.push(block);
            }
            *differs |= forms.windows(2).any(|pair| read(&pair[0]) != read(&pair[1]));
        }
        forms.iter().for_each(|form| places(form, block, found));
    }
}

/// Adds the columns that pieces read, as slot and name.
pub fn columns(parts: &[Piece], forms: DecisionForms<'_>, found: &mut Vec<(usize, String)>) {
    for piece in parts {
        match piece {
            Piece::Column(slot, name) => found.push((*slot, name.clone())),
            Piece::Choice(id, texts) => match forms {
                DecisionForms::All => texts.iter().for_each(|form| columns(form, forms, found)),
                DecisionForms::Chosen(chosen) => {
                    if let Some(form) = chosen.get(*id).and_then(|form| texts.get(*form)) {
                        columns(form, forms, found);
                    }
                }
            },
            _ => {}
        }
    }
}

/// Returns the table columns from which a text is computed, as `table.column`, through all blocks.
pub fn sources(plan: &Plan, text: &str, tables: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen: HashSet<(usize, String)> = HashSet::new();
    let mut open = Vec::new();
    columns(&pieces(text), DecisionForms::All, &mut open);
    while let Some((slot, name)) = open.pop() {
        match plan.source(slot) {
            Some(RowSource::Table(table)) => found.push(format!("{}.{name}", tables(table))),
            Some(RowSource::Block(block)) if seen.insert((*block, name.clone())) => {
                for inner in plan.blocks[*block].members.iter().chain(std::iter::once(block)) {
                    let output = plan.blocks[*inner].outputs.iter().find(|output| output.name == name);
                    if let Some(output) = output {
                        columns(&pieces(&output.text), DecisionForms::All, &mut open);
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
