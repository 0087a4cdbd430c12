//! A whole script: header, statements, common table expressions.

use std::borrow::Cow;
use std::collections::HashSet;

use super::alias::{Arrangement, aliases};
use super::layout::{ParsedTexts, ScriptLayout, WrittenScript};
use super::remark::ScriptRemarks;
use super::shape::{BlockPlacement, SharedOut, placements, shared_out};
use super::style::{Header, Style};
use super::writer::{RangeOwner, TextWriter};
use crate::code::span::{Span, line_start};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::Plan;
use crate::corpus::compose::plan::live::{Forms, Reads};

/// What stands around the blocks.
#[derive(Clone, Debug)]
pub struct StatementFrame {
    /// Before each result's SELECT: `INSERT OVERWRITE TABLE x PARTITION (…)`; empty for a plain query.
    pub inserts: Vec<String>,
    /// Database of tables that the script makes for itself, with its dot.
    pub scratch: String,
    /// Title, owner and history, for the header.
    pub header: Vec<String>,
    /// What people remark between the lines.
    pub remarks: ScriptRemarks,
}

/// A plan and all about its writing that does not depend on the forms of its decisions.
pub struct Prepared<'a> {
    plan: &'a Plan,
    style: &'a Style,
    target: &'a StatementFrame,
    tables: &'a dyn Fn(&str) -> String,
    draw: Draw,
    shape: BlockLayout,
    reads: Reads,
    /// Columns that are read in some form of the decisions; `None` if only those of the forms at hand are written.
    live: Option<Vec<HashSet<String>>>,
    /// For each decision the blocks that hold it, and whether its forms read different columns.
    places: Vec<(Vec<usize>, bool)>,
}

/// Which blocks read which, where they stand, and what they are called.
pub(super) struct BlockLayout {
    pub order: Vec<usize>,
    pub read_by: Vec<Vec<usize>>,
    pub placements: Vec<BlockPlacement>,
    pub names: Vec<String>,
    pub aliases: Vec<String>,
    pub shared: SharedOut,
    pub parsed: ParsedTexts,
}

impl BlockLayout {
    /// The results of the statement that shares out rows to this one.
    pub(super) fn sharing(&self, result: usize) -> Option<&[usize]> {
        self.shared.values().find(|results| results.contains(&result)).map(Vec::as_slice)
    }
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
        let order = plan.readers_last();
        let read_by: Vec<Vec<usize>> = (0..plan.blocks.len()).map(|block| plan.read_by(block)).collect();
        let shared = shared_out(plan, !target.inserts.is_empty(), draw.at("shape"));
        let placements = placements(plan, style, (&order, &read_by), &shared, draw.at("shape"));
        let names = block_names(plan, &order, &placements, &target.scratch, draw.at("names"));
        let arrangement = Arrangement { order: &order, read_by: &read_by, placements: &placements };
        let mut aliases = aliases(plan, style, &names, &arrangement, draw.at("layout"));
        for results in shared.values() {
            let slot = |result: &usize| plan.blocks[*result].items[0].slot;
            let first = aliases[slot(&results[0])].clone();
            results.iter().for_each(|result| aliases[slot(result)].clone_from(&first));
        }
        let carries = draw.at("carries").chance(0.6);
        let reads = Reads::new(plan);
        let live = carries.then(|| reads.live(plan, Forms::All));
        let places = reads.places(plan.decisions.len());
        let shape = BlockLayout { order, read_by, placements, names, aliases, shared, parsed: ParsedTexts::default() };
        Prepared { plan, style, target, tables, draw, shape, reads, live, places }
    }

    /// Writes the plan with these forms of its decisions.
    pub fn write(&self, chosen: &[usize]) -> WrittenScript {
        let live = self.live(chosen);
        written(self.layout(chosen, &live), self.target)
    }

    /// The columns that are written with these forms.
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

    /// What changes if one decision has its other form: ranges of the script as it is `written` with the forms `chosen`,
    /// and their new text. Only the blocks that the decision touches are written again.
    pub fn turned(&self, written: &WrittenScript, chosen: &[usize], id: usize) -> Vec<(Span, String)> {
        let mut other = chosen.to_vec();
        other[id] = 1 - other[id];
        let (blocks, reads_differ) = &self.places[id];
        let mut touched: Vec<usize> = blocks.clone();
        let live = if *reads_differ { self.live(&other) } else { self.live(chosen) };
        if *reads_differ && self.live.is_none() {
            let before = self.live(chosen);
            touched.extend(self.shape.order.iter().filter(|block| before[**block] != live[**block]));
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

    /// One block as it is written with these forms.
    fn again(&self, chosen: &[usize], live: &[HashSet<String>], block: usize, indent: &str) -> String {
        let mut layout = self.layout(chosen, live);
        layout.remarks = None;
        layout.writer.comment(indent);
        layout.block(block, indent);
        let (text, _) = layout.writer.into_text();
        text[indent.len()..].to_owned()
    }
}

/// The blanks at the start of the line in which a place lies.
fn indent_of(text: &str, place: usize) -> &str {
    let line = &text[line_start(text, place)..place];
    &line[..line.len() - line.trim_start().len()]
}

fn written(mut layout: ScriptLayout<'_>, target: &StatementFrame) -> WrittenScript {
    header(&mut layout, target);
    let shape = layout.shape;
    let (plan, draw) = (layout.plan, layout.draw);
    for block in shape.order.iter().copied() {
        match shape.placements[block] {
            BlockPlacement::Stored => stored(&mut layout, block, draw.nth("stored", block)),
            BlockPlacement::Result if shape.sharing(block).is_some() => {
                let results = shape.sharing(block).unwrap_or_default();
                if results[0] == block {
                    multi_insert(&mut layout, results, target);
                }
            }
            BlockPlacement::Result => {
                let number = plan.results.iter().position(|result| *result == block).unwrap_or(0);
                result(&mut layout, block, target.inserts.get(number).map_or("", String::as_str));
            }
            BlockPlacement::Derived | BlockPlacement::Common => {}
        }
    }
    let (mut text, ranges) = layout.writer.into_text();
    text.push('\n');
    let mut decisions = Vec::new();
    let mut blocks = Vec::new();
    for (mark, span) in ranges {
        match mark {
            RangeOwner::Decision(id) => decisions.push((id, span)),
            RangeOwner::Block(id) => blocks.push((id, span)),
        }
    }
    decisions.sort_by_key(|(id, span)| (*id, span.start));
    WrittenScript { text, decisions, blocks }
}

/// How tables that a script makes for itself are called.
const STAGE_NAMES: [&str; 9] =
    ["tmp_{}", "tmp_{}", "tmp_{}", "{}_tmp", "mid_{}", "t_{}", "stg_{}", "wrk_{}", "{}_stage"];

/// What steps are called that have only a number.
const STEP_NAMES: [&str; 5] = ["step", "q", "s", "tmp", "cte_"];

/// A name for each block that needs one; no two are the same.
fn block_names(plan: &Plan, order: &[usize], placements: &[BlockPlacement], scratch: &str, draw: Draw) -> Vec<String> {
    let short = draw.at("short").chance(0.4);
    let stage = draw.at("stage").pick(&STAGE_NAMES).copied().unwrap_or(STAGE_NAMES[0]);
    let numbered =
        draw.at("numbered").chance(0.12).then(|| draw.at("step").pick(&STEP_NAMES).copied().unwrap_or("step"));
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

fn header(layout: &mut ScriptLayout<'_>, target: &StatementFrame) {
    let rule = match layout.style.header {
        Header::None => return settings(layout),
        Header::Ruled => Some(format!("-- {}", "=".repeat(66))),
        Header::Dashes | Header::Block => None,
    };
    if layout.style.header == Header::Block {
        layout.writer.comment("/*");
    }
    if let Some(rule) = &rule {
        layout.writer.comment(rule);
    }
    for (number, text) in target.header.iter().enumerate() {
        let lead = match layout.style.header {
            Header::Block => " * ",
            _ => "-- ",
        };
        let first = number == 0 && rule.is_none() && layout.style.header != Header::Block;
        if !first {
            layout.writer.line("");
        }
        layout.writer.comment(&format!("{lead}{text}"));
    }
    if layout.style.header == Header::Block {
        layout.writer.line("");
        layout.writer.comment(" */");
    }
    if let Some(rule) = &rule {
        layout.writer.line("");
        layout.writer.comment(rule);
    }
    settings(layout);
}

fn settings(layout: &mut ScriptLayout<'_>) {
    for setting in layout.style.settings.clone() {
        layout.writer.line("");
        layout.writer.comment(&format!("{setting};"));
    }
}

/// A statement that fills a table of the script's own.
fn stored(layout: &mut ScriptLayout<'_>, block: usize, draw: Draw) {
    let name = layout.shape.names[block].clone();
    layout.writer.line("");
    layout.writer.line("");
    layout.block_comment(block, "");
    // Spark knows no temporary views inside a database.
    let is_view = !name.contains('.') && draw.chance(0.4);
    if !is_view {
        // A table that an earlier run left behind would be read again.
        layout.writer.line("");
        let drop = layout.word("DROP TABLE IF EXISTS");
        layout.writer.put(&format!("{drop} {name};"));
    }
    layout.writer.line("");
    let words = layout.word(if is_view { "CREATE TEMPORARY VIEW" } else { "CREATE TABLE" });
    let end = layout.word("AS");
    layout.writer.put(&format!("{words} {name} {end}"));
    layout.writer.line("");
    common(layout, block);
    layout.block(block, "");
    semicolon(layout);
}

/// A statement that gives a result.
fn result(layout: &mut ScriptLayout<'_>, block: usize, insert: &str) {
    layout.writer.line("");
    if !layout.writer.text().is_empty() {
        layout.writer.line("");
    }
    common(layout, block);
    if !insert.is_empty() {
        let flats = layout.flats(insert);
        layout.expression(&flats, "");
        layout.writer.line("");
    }
    layout.block(block, "");
    semicolon(layout);
}

/// A statement that reads rows once and writes them to several tables.
fn multi_insert(layout: &mut ScriptLayout<'_>, results: &[usize], target: &StatementFrame) {
    layout.writer.line("");
    if !layout.writer.text().is_empty() {
        layout.writer.line("");
    }
    common(layout, results[0]);
    let slot = layout.plan.blocks[results[0]].items[0].slot;
    layout.from(slot, "");
    for result in results {
        layout.writer.line("");
        let number = layout.plan.results.iter().position(|other| other == result).unwrap_or(0);
        let flats = layout.flats(target.inserts.get(number).map_or("", String::as_str));
        layout.expression(&flats, "");
        layout.writer.line("");
        layout.block(*result, "");
    }
    semicolon(layout);
}

/// How many statements end with a remark where every step has a comment.
const LAST_REMARKS: f64 = 0.1;

fn semicolon(layout: &mut ScriptLayout<'_>) {
    let draw = layout.draw.nth("last", layout.writer.text().len());
    let remark = layout.remarked(draw, LAST_REMARKS, ScriptRemarks::last);
    if let Some(remark) = &remark {
        layout.remark(remark, "");
    }
    if layout.style.semicolon_alone || remark.is_some() {
        layout.writer.line("");
    }
    layout.writer.put(";");
}

/// `WITH …` before a statement.
fn common(layout: &mut ScriptLayout<'_>, block: usize) {
    let mut needed = Vec::new();
    collect(layout, block, &mut needed);
    if needed.is_empty() {
        return;
    }
    let with = layout.word("WITH");
    let word = layout.word("AS");
    layout.writer.put(&with);
    for (number, inner) in needed.iter().enumerate() {
        if number == 0 {
            layout.writer.space();
        } else {
            layout.writer.put(",");
            if layout.style.airy {
                layout.writer.line("");
            }
            layout.block_comment(*inner, "");
            layout.writer.line("");
        }
        let name = layout.shape.names[*inner].clone();
        layout.writer.put(&format!("{name} {word} ("));
        let step = layout.step();
        layout.writer.line(&step);
        layout.block(*inner, &step);
        layout.writer.line("");
        layout.writer.put(")");
    }
    if layout.style.airy {
        layout.writer.line("");
    }
    layout.writer.line("");
}

/// The common table expressions that a block needs in its statement, each after those that it reads.
fn collect(layout: &ScriptLayout<'_>, block: usize, found: &mut Vec<usize>) {
    for source in layout.shape.read_by[block].iter().copied() {
        match layout.shape.placements[source] {
            BlockPlacement::Derived => collect(layout, source, found),
            BlockPlacement::Common if !found.contains(&source) => {
                collect(layout, source, found);
                if !found.contains(&source) {
                    found.push(source);
                }
            }
            _ => {}
        }
    }
}
