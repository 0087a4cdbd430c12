//! The columns of a SELECT, with their names and comments.

use std::rc::Rc;

use super::flat::Flat;
use super::layout::ScriptLayout;
use super::style::{Clauses, CommaPosition};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::{Block, BlockColumn};

impl ScriptLayout<'_> {
    /// The columns that are written, one a line.
    pub(super) fn outputs(&mut self, id: usize, block: &Block, indent: &str) {
        let live = &self.live[id];
        let shown: Vec<&BlockColumn> = block.outputs.iter().filter(|output| live.contains(&output.name)).collect();
        let flats: Vec<Rc<[Flat]>> = shown.iter().map(|output| self.flats(&output.text)).collect();
        let river = self.style.clauses == Clauses::River;
        let step = if river { format!("{indent}       ") } else { format!("{indent}{}", self.step()) };
        let column = self.name_column(&flats, &step);
        if shown.is_empty() {
            self.writer.space();
            self.writer.put("1");
        }
        let mut note: Option<String> = None;
        for (number, (output, flats)) in shown.iter().zip(&flats).enumerate() {
            if river && number == 0 {
                self.writer.put("  ");
            } else if number > 0 && self.style.comma == CommaPosition::Trailing {
                self.writer.put(",");
                self.note(note.take());
                self.writer.line(&if river { format!("{step} ") } else { step.clone() });
            } else {
                self.note(note.take());
                self.separator(number, &step);
            }
            let inner = if self.style.comma == CommaPosition::Leading { format!("{step} ") } else { step.clone() };
            self.expression(flats, &inner);
            if !is_named(flats, &output.name) {
                match column {
                    Some(column) => self.writer.pad(column),
                    None => self.writer.space(),
                }
                let word = self.word("AS");
                self.writer.put(&word);
                self.writer.space();
                self.writer.put(&output.name);
            }
            let noted = |draw: Draw| draw.nth("note", id).at(&output.name).chance(self.style.column_comments);
            if !output.comment.is_empty() && self.style.column_comments > 0.0 && noted(self.draw) {
                note = Some(output.comment.clone());
            }
        }
        self.note(note);
    }

    fn note(&mut self, note: Option<String>) {
        if let Some(note) = note {
            self.writer.space();
            let text = format!("-- {note}");
            self.writer.comment(&text);
        }
    }

    /// Where the names of columns stand, if they stand in one column.
    fn name_column(&self, flats: &[Rc<[Flat]>], step: &str) -> Option<usize> {
        let widths = flats.iter().map(|flats| self.width(flats) + step.len() + 2);
        self.style.align.then(|| widths.filter(|width| *width <= 64).max().unwrap_or(0))
    }
}

/// Whether an expression is a column that has this name anyway.
fn is_named(flats: &[Flat], name: &str) -> bool {
    let mut tokens = flats.iter().filter_map(|flat| match flat {
        Flat::Token(text) => Some(text.as_str()),
        _ => None,
    });
    let first = tokens.next();
    tokens.next().is_none() && first.is_some_and(|text| text.rsplit('.').next() == Some(name))
}
