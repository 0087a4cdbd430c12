//! The columns of a SELECT, with their names and comments.

use std::rc::Rc;

use super::flat::Flat;
use super::layout::ScriptLayout;
use super::style::{Clauses, CommaPosition};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::piece::{self, Piece, pieces};
use crate::corpus::compose::plan::{Block, BlockColumn, RowSource};

/// Share of lists of columns with one that is commented out, as `ScriptLayout::remarked` takes it.
const TAKEN_OUT: f64 = 0.12;

/// Share of the lists of columns that could use a star and do, in houses that know stars.
const STARS: f64 = 0.6;

/// Least columns of a list for which a star may stand.
const LEAST_OF_STAR: usize = 4;

impl ScriptLayout<'_> {
    /// Writes the columns that are read, one a line.
    pub(super) fn outputs(&mut self, id: usize, block: &Block, indent: &str) {
        let live = &self.live[id];
        let mut shown: Vec<&BlockColumn> = block.outputs.iter().filter(|output| live.contains(&output.name)).collect();
        let all = self.all_of(id, block);
        if let Some((slot, all)) = &all {
            shown.retain(|output| output.text != piece::column(*slot, &output.name));
            shown.insert(0, all);
        }
        let taken_out = self.taken_out(id, block, shown.len());
        let flats: Vec<Rc<[Flat]>> = shown.iter().map(|output| self.column_flats(output, all.as_ref())).collect();
        let river = self.style.clauses == Clauses::River;
        let step = if river { format!("{indent}       ") } else { format!("{indent}{}", self.step()) };
        let column = self.name_column(id, &flats, &step);
        if shown.is_empty() {
            self.writer.space();
            self.writer.put("1");
        }
        let mut note: Option<String> = None;
        for (number, (output, flats)) in shown.iter().zip(&flats).enumerate() {
            if river && number == 0 {
                self.writer.put("  ");
            } else if block.inside && shown.len() == 1 {
                // The only column of a sub-query in a condition stands behind SELECT.
                self.writer.space();
            } else {
                let before = taken_out.as_ref().filter(|(place, _)| *place == number && !river);
                self.between_columns(number, note.take(), before.map(|(_, name)| name.as_str()), &step);
            }
            let inner = if self.style.comma == CommaPosition::Leading { format!("{step} ") } else { step.clone() };
            self.expression(flats, &inner);
            if !is_named(flats, &output.name) {
                self.output_name(&output.name, column);
            }
            let noted = |draw: Draw| draw.nth("note", id).at(&output.name).chance(self.style.column_comments);
            if !output.comment.is_empty() && self.style.column_comments > 0.0 && noted(self.draw) {
                note = Some(output.comment.clone());
            }
        }
        self.note(note);
    }

    /// Writes what stands before a column: the comma, the note on the column before, and a column that is commented out.
    fn between_columns(&mut self, number: usize, note: Option<String>, commented_out: Option<&str>, step: &str) {
        let trails = number > 0 && self.style.comma == CommaPosition::Trailing;
        if trails {
            self.writer.put(",");
        }
        self.note(note);
        if let Some(name) = commented_out {
            self.remark(&if trails { format!("{name},") } else { format!(",{name}") }, step);
        }
        match trails {
            true if self.style.clauses == Clauses::River => self.writer.line(&format!("{step} ")),
            true => self.writer.line(step),
            false => self.separator(number, step),
        }
    }

    /// Writes AS and a name, at a position in the line if one is given.
    fn output_name(&mut self, name: &str, position: Option<usize>) {
        match position {
            Some(position) => self.writer.pad(position),
            None => self.writer.space(),
        }
        let word = self.word("AS");
        self.writer.put(&word);
        self.writer.space();
        self.writer.put(name);
    }

    /// Returns the slot of which a star takes all columns, and the star as a column; `None` if the block has no star.
    fn all_of(&self, id: usize, block: &Block) -> Option<(usize, BlockColumn)> {
        let first = block.items.first()?;
        let RowSource::Block(source) = first.source else { return None };
        let stays = self.plan.results.contains(&id) || block.distinct || block.inside || !block.groups.is_empty();
        let member = self.plan.blocks.iter().any(|other| other.members.contains(&id));
        let drawn = self.style.stars && self.draw.nth("star", id).chance(STARS);
        if !drawn || stays || member || !block.laterals.is_empty() {
            return None;
        }
        let (passed, made): (Vec<&BlockColumn>, Vec<&BlockColumn>) =
            block.outputs.iter().partition(|output| output.text == piece::column(first.slot, &output.name));
        let given = &self.plan.blocks[source].outputs;
        let clashes = made.iter().any(|output| given.iter().any(|other| other.name == output.name));
        let star = BlockColumn::kept("*", String::new());
        (passed.len() >= LEAST_OF_STAR && !clashes).then_some((first.slot, star))
    }

    fn column_flats(&self, output: &BlockColumn, all: Option<&(usize, BlockColumn)>) -> Rc<[Flat]> {
        match all {
            Some((slot, star)) if output.name == star.name => Rc::from([Flat::Token(self.column(*slot, "*"))]),
            _ => self.flats(&output.text),
        }
    }

    /// Returns a column that nothing reads, to be commented out, with the number of the column before which it stands.
    fn taken_out(&self, id: usize, block: &Block, shown: usize) -> Option<(usize, String)> {
        let draw = self.draw.nth("taken_out", id);
        let is_dead = |output: &&BlockColumn| !self.live[id].contains(&output.name) && self.is_at_hand(output);
        let dead: Vec<&BlockColumn> = block.outputs.iter().filter(is_dead).collect();
        self.remarked(draw, TAKEN_OUT, |_, _| String::new()).filter(|_| shown > 3)?;
        let flats = self.flats(&draw.at("which").pick(&dead)?.text);
        let [Flat::Token(name)] = flats.as_ref() else { return None };
        Some((draw.at("place").between(1, shown - 1), name.clone()))
    }

    /// Whether a column is as it comes from a relation that gives it.
    fn is_at_hand(&self, output: &BlockColumn) -> bool {
        let [Piece::Column(slot, name)] = &pieces(&output.text)[..] else { return false };
        let (block, place) = self.plan.slots[*slot];
        match self.plan.blocks[block].items.get(place).map(|item| &item.source) {
            Some(RowSource::Block(source)) => self.live[*source].contains(name),
            Some(RowSource::Table(_)) => true,
            None => false,
        }
    }

    fn note(&mut self, note: Option<String>) {
        if let Some(note) = note {
            self.writer.space();
            let text = format!("-- {note}");
            self.writer.comment(&text);
        }
    }

    /// Returns the position in the line at which AS is aligned; `None` if the style does not align it. Some blocks leave
    /// no blank too many, others go to the next tab stop: a gap behind the longest expression says nothing.
    fn name_column(&self, id: usize, flats: &[Rc<[Flat]>], step: &str) -> Option<usize> {
        if !self.style.align {
            return None;
        }
        let widths = flats.iter().map(|flats| self.width(flats) + step.len() + 2);
        let longest = widths.filter(|width| *width <= 64).max().unwrap_or(0);
        Some(longest.next_multiple_of(self.draw.nth("tab_stop", id).one_of([1, 4, 8, 8])))
    }
}

/// Whether an expression is a column of this name, which needs no AS.
fn is_named(flats: &[Flat], name: &str) -> bool {
    let mut tokens = flats.iter().filter_map(|flat| match flat {
        Flat::Token(text) => Some(text.as_str()),
        _ => None,
    });
    let first = tokens.next();
    tokens.next().is_none() && first.is_some_and(|text| text.rsplit('.').next() == Some(name))
}
