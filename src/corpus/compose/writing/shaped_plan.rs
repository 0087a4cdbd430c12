//! A plan with the shape of its script drawn, to be written with any forms of its decisions, whole or in part.

use std::borrow::Cow;
use std::collections::HashSet;

use super::alias::aliases;
use super::flat::ParsedTexts;
use super::layout::{ScriptLayout, WrittenScript};
use super::parts::{FilePart, parts};
use super::shape::{BlockLayout, ReadingOrder, block_names, placements, shared_out};
use super::slips::Slips;
use super::statement::{FileFrame, StatementFrame, written};
use super::style::Style;
use super::writer::TextWriter;
use crate::code::span::{Span, line_start};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::live::{DecisionForms, Reads};
use crate::corpus::compose::plan::{Plan, RowSource};

/// A plan and all that is fixed about its text whatever forms its decisions have.
pub struct ShapedPlan<'a> {
    plan: &'a Plan,
    /// The style of each who writes files of the script; the first decides what holds for all of it.
    styles: &'a [Style],
    target: &'a StatementFrame,
    tables: &'a dyn Fn(&str) -> String,
    draw: Draw,
    shape: BlockLayout,
    reads: Reads,
    /// Columns of each block that some form of the decisions reads; `None` if only the chosen forms count.
    live: Option<Vec<HashSet<String>>>,
    /// For each decision the blocks that hold it, and whether its forms read different columns.
    places: Vec<(Vec<usize>, bool)>,
    /// The files of the script; empty if it is one.
    files: Vec<FilePart>,
}

impl<'a> ShapedPlan<'a> {
    /// Draws the shape of the script.
    pub fn new(
        plan: &'a Plan,
        styles: &'a [Style],
        target: &'a StatementFrame,
        tables: &'a dyn Fn(&str) -> String,
        draw: Draw,
    ) -> ShapedPlan<'a> {
        let (reading, style) = (ReadingOrder::of(plan), &styles[0]);
        let shared = shared_out(plan, !target.inserts.is_empty(), draw.at("shape"));
        let placements = placements(plan, style, &reading, &shared, draw.at("shape"));
        let names = block_names(plan, &reading.order, &placements, &target.scratch, draw.at("names"));
        let mut aliases = aliases(plan, style, tables, &names, &reading, &placements, draw.at("layout"));
        // The results of a multi-insert have one FROM, and so one alias.
        for results in shared.values() {
            let slot = |result: &usize| plan.blocks[*result].items[0].slot;
            let first = aliases[slot(&results[0])].clone();
            results.iter().for_each(|result| aliases[slot(result)].clone_from(&first));
        }
        // Whether columns that only another form of a decision reads are written too.
        let carries = draw.at("carries").chance(0.6);
        let reads = Reads::new(plan);
        let live = carries.then(|| reads.live(plan, DecisionForms::All));
        let places = reads.places(plan.decisions.len());
        let table = |block: usize| {
            let result = plan.results.iter().position(|result| *result == block);
            result.and_then(|result| target.tables.get(result)).unwrap_or(&names[block]).clone()
        };
        let files = parts(plan, &reading, &placements, &table, styles.len(), draw.at("files"));
        let parsed = styles.iter().map(|_| ParsedTexts::default()).collect();
        let shape = BlockLayout { reading, placements, names, aliases, shared, parsed };
        ShapedPlan { plan, styles, target, tables, draw, shape, reads, live, places, files }
    }

    /// Returns the files of the script; there are none if it is one text.
    pub fn files(&self) -> &[FilePart] {
        &self.files
    }

    /// Returns the name of a block in the script.
    pub fn name(&self, block: usize) -> &str {
        &self.shape.names[block]
    }

    /// Returns the tables that a file reads and does not make itself, those of the domain first.
    pub fn inputs(&self, part: &FilePart, tables: &dyn Fn(&str) -> String) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut blocks = part.statements.clone();
        let mut next = 0;
        while let Some(block) = blocks.get(next).copied() {
            next += 1;
            for item in &self.plan.blocks[block].items {
                if let RowSource::Table(name) = &item.source {
                    found.push(tables(name));
                }
            }
            let inner = self.shape.reading.blocks_read_by[block].iter();
            let fresh: Vec<usize> =
                inner.copied().filter(|inner| !blocks.contains(inner) && !part.reads.contains(inner)).collect();
            blocks.extend(fresh);
        }
        found.sort();
        found.dedup();
        found.extend(part.reads.iter().map(|block| self.shape.names[*block].clone()));
        found
    }

    /// Writes the plan with these forms of its decisions; `headers` are those of its files.
    pub fn write(&self, chosen: &[usize], headers: &[Vec<String>]) -> WrittenScript {
        let live = self.live(chosen);
        let written = written(self.layout(chosen, &live, 0), self.target, &self.frames(headers));
        let draw = self.draw.at("slips");
        Slips::draw(draw).in_script(written, draw)
    }

    fn frames<'f>(&'f self, headers: &'f [Vec<String>]) -> Vec<FileFrame<'f>> {
        let frame = |(part, header): (&'f FilePart, &'f Vec<String>)| FileFrame {
            path: &part.path,
            header,
            statements: &part.statements,
            style: &self.styles[part.style_number],
            parsed: &self.shape.parsed[part.style_number],
        };
        self.files.iter().zip(headers).map(frame).collect()
    }

    /// Returns who writes the part of the script in which a place lies.
    fn style_number_at(&self, written: &WrittenScript, place: usize) -> usize {
        let file = written.files.iter().rposition(|file| file.start <= place);
        file.map_or(0, |file| self.files[file].style_number)
    }

    /// Returns the columns of each block that are written with these forms.
    fn live(&self, chosen: &[usize]) -> Cow<'_, [HashSet<String>]> {
        match &self.live {
            Some(live) => Cow::Borrowed(live),
            None => Cow::Owned(self.reads.live(self.plan, DecisionForms::Chosen(chosen))),
        }
    }

    fn layout<'l>(&'l self, chosen: &'l [usize], live: &'l [HashSet<String>], style_number: usize) -> ScriptLayout<'l> {
        ScriptLayout {
            plan: self.plan,
            style: &self.styles[style_number],
            parsed: &self.shape.parsed[style_number],
            chosen,
            live,
            shape: &self.shape,
            tables: self.tables,
            draw: self.draw.at("layout"),
            fills_tables: !self.target.inserts.is_empty(),
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
            let place = BlockPlace {
                block,
                indent: indent_of(&written.text, span.start),
                style_number: self.style_number_at(written, span.start),
            };
            found.push((span, self.again(&other, &live, place)));
        }
        found
    }

    /// Returns one block as it is written with these forms.
    fn again(&self, chosen: &[usize], live: &[HashSet<String>], place: BlockPlace<'_>) -> String {
        let BlockPlace { block, indent, style_number } = place;
        let mut layout = self.layout(chosen, live, style_number);
        layout.remarks = None;
        layout.writer.comment(indent);
        layout.block(block, indent);
        let (text, _) = layout.writer.into_text();
        text[indent.len()..].to_owned()
    }
}

/// A block that is written again: where it stands in its line, and who writes it.
struct BlockPlace<'a> {
    block: usize,
    indent: &'a str,
    style_number: usize,
}

/// Returns the blanks at the start of the line in which a place lies.
fn indent_of(text: &str, place: usize) -> &str {
    let line = &text[line_start(text, place)..place];
    &line[..line.len() - line.trim_start().len()]
}
