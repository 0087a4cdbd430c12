//! A plan with the shape of its script drawn, to be written with any forms of its decisions, whole or in part.

use std::borrow::Cow;
use std::collections::HashSet;

use super::alias::aliases;
use super::flat::ParsedTexts;
use super::layout::{ScriptLayout, WrittenScript};
use super::shape::{BlockLayout, ReadingOrder, block_names, placements, shared_out};
use super::statement::{StatementFrame, written};
use super::style::Style;
use super::writer::TextWriter;
use crate::code::span::{Span, line_start};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::Plan;
use crate::corpus::compose::plan::live::{Forms, Reads};

/// A plan and all that is fixed about its text whatever forms its decisions have.
pub struct Prepared<'a> {
    plan: &'a Plan,
    style: &'a Style,
    target: &'a StatementFrame,
    tables: &'a dyn Fn(&str) -> String,
    draw: Draw,
    shape: BlockLayout,
    reads: Reads,
    /// Columns of each block that some form of the decisions reads; `None` if only the chosen forms count.
    live: Option<Vec<HashSet<String>>>,
    /// For each decision the blocks that hold it, and whether its forms read different columns.
    places: Vec<(Vec<usize>, bool)>,
}

impl<'a> Prepared<'a> {
    /// Draws the shape of the script.
    pub fn new(
        plan: &'a Plan,
        style: &'a Style,
        target: &'a StatementFrame,
        tables: &'a dyn Fn(&str) -> String,
        draw: Draw,
    ) -> Prepared<'a> {
        let reading = ReadingOrder::of(plan);
        let shared = shared_out(plan, !target.inserts.is_empty(), draw.at("shape"));
        let placements = placements(plan, style, &reading, &shared, draw.at("shape"));
        let names = block_names(plan, &reading.order, &placements, &target.scratch, draw.at("names"));
        let mut aliases = aliases(plan, style, &names, &reading, &placements, draw.at("layout"));
        // The results of a multi-insert have one FROM, and so one alias.
        for results in shared.values() {
            let slot = |result: &usize| plan.blocks[*result].items[0].slot;
            let first = aliases[slot(&results[0])].clone();
            results.iter().for_each(|result| aliases[slot(result)].clone_from(&first));
        }
        // Whether columns that only another form of a decision reads are written too.
        let carries = draw.at("carries").chance(0.6);
        let reads = Reads::new(plan);
        let live = carries.then(|| reads.live(plan, Forms::All));
        let places = reads.places(plan.decisions.len());
        let shape = BlockLayout { reading, placements, names, aliases, shared, parsed: ParsedTexts::default() };
        Prepared { plan, style, target, tables, draw, shape, reads, live, places }
    }

    /// Writes the plan with these forms of its decisions.
    pub fn write(&self, chosen: &[usize]) -> WrittenScript {
        let live = self.live(chosen);
        written(self.layout(chosen, &live), self.target)
    }

    /// Returns the columns of each block that are written with these forms.
    fn live(&self, chosen: &[usize]) -> Cow<'_, [HashSet<String>]> {
        match &self.live {
            Some(live) => Cow::Borrowed(live),
            None => Cow::Owned(self.reads.live(self.plan, Forms::Chosen(chosen))),
        }
    }

    fn layout<'l>(&'l self, chosen: &'l [usize], live: &'l [HashSet<String>]) -> ScriptLayout<'l> {
        ScriptLayout {
            plan: self.plan,
            style: self.style,
            chosen,
            live,
            shape: &self.shape,
            tables: self.tables,
            draw: self.draw.at("layout"),
            remarks: Some(&self.target.remarks),
            said: HashSet::new(),
            writer: TextWriter::default(),
        }
    }

    /// Returns what changes if decision `id` has its other form: ranges of the script as it is `written` with the forms
    /// `chosen`, and their new text. Only the blocks that the decision touches are written again.
    pub fn other_form_edits(&self, written: &WrittenScript, chosen: &[usize], id: usize) -> Vec<(Span, String)> {
        let mut other = chosen.to_vec();
        other[id] = 1 - other[id];
        let (blocks, reads_differ) = &self.places[id];
        let mut touched: Vec<usize> = blocks.clone();
        let live = if *reads_differ { self.live(&other) } else { self.live(chosen) };
        if *reads_differ && self.live.is_none() {
            let before = self.live(chosen);
            touched.extend(self.shape.reading.order.iter().filter(|block| before[**block] != live[**block]));
        }
        let mut spans: Vec<(Span, usize)> = written
            .blocks
            .iter()
            .filter(|(block, _)| touched.contains(block))
            .map(|(block, span)| (*span, *block))
            .collect();
        spans.sort_by_key(|(span, _)| (span.start, usize::MAX - span.end));
        let mut found: Vec<(Span, String)> = Vec::new();
        for (span, block) in spans {
            if found.last().is_some_and(|(before, _)| span.start < before.end) {
                continue;
            }
            found.push((span, self.again(&other, &live, block, indent_of(&written.text, span.start))));
        }
        found
    }

    /// Returns one block as it is written with these forms.
    fn again(&self, chosen: &[usize], live: &[HashSet<String>], block: usize, indent: &str) -> String {
        let mut layout = self.layout(chosen, live);
        layout.remarks = None;
        layout.writer.comment(indent);
        layout.block(block, indent);
        let (text, _) = layout.writer.into_text();
        text[indent.len()..].to_owned()
    }
}

/// Returns the blanks at the start of the line in which a place lies.
fn indent_of(text: &str, place: usize) -> &str {
    let line = &text[line_start(text, place)..place];
    &line[..line.len() - line.trim_start().len()]
}
