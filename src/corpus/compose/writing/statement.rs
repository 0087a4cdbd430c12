//! Writes a whole script: header, statements, common table expressions.

use super::flat::ParsedTexts;
use super::layout::{ScriptLayout, WrittenScript};
use super::remark::ScriptRemarks;
use super::shape::BlockPlacement;
use super::style::{Header, LetterCase, Style};
use super::writer::RangeOwner;
use crate::corpus::compose::draw::Draw;
use crate::corpus::script_files::ScriptFile;

/// What stands around the blocks of a script.
#[derive(Clone, Debug)]
pub struct StatementFrame {
    /// Before each result's SELECT: `INSERT OVERWRITE TABLE x PARTITION (…)`; empty for a plain query.
    pub inserts: Vec<String>,
    /// The tables that the results fill; empty for a plain query.
    pub tables: Vec<String>,
    /// Database of tables that the script makes for itself, with its dot; empty for the current one.
    pub scratch: String,
    /// Title, owner and history, for the header.
    pub header: Vec<String>,
    /// What people remark between the lines.
    pub remarks: ScriptRemarks,
}

/// One file of a script: its name, its header, the blocks of its statements, and the author whose style it has.
pub(super) struct FileFrame<'a> {
    pub path: &'a str,
    pub header: &'a [String],
    pub statements: &'a [usize],
    pub style: &'a Style,
    pub parsed: &'a ParsedTexts,
}

/// Writes a whole script, in `files` if there are any.
pub(super) fn written<'a>(
    mut layout: ScriptLayout<'a>,
    target: &StatementFrame,
    files: &[FileFrame<'a>],
) -> WrittenScript {
    if files.is_empty() {
        header(&mut layout, &target.header);
        let order = &layout.shape.reading.order;
        statements(&mut layout, order, target);
    }
    let mut starts = Vec::new();
    for file in files {
        starts.push(layout.writer.next_file());
        (layout.style, layout.parsed) = (file.style, file.parsed);
        header(&mut layout, file.header);
        statements(&mut layout, file.statements, target);
    }
    let (mut text, ranges) = layout.writer.into_text();
    text.push('\n');
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let file = |((file, start), end): ((&FileFrame<'_>, &usize), usize)| ScriptFile {
        path: file.path.to_owned(),
        start: *start,
        end,
    };
    let files = files.iter().zip(&starts).zip(ends).map(file).collect();
    let mut decisions = Vec::new();
    let mut blocks = Vec::new();
    for (mark, span) in ranges {
        match mark {
            RangeOwner::Decision(id) => decisions.push((id, span)),
            RangeOwner::Block(id) => blocks.push((id, span)),
        }
    }
    decisions.sort_by_key(|(id, span)| (*id, span.start));
    WrittenScript { text, decisions, blocks, files }
}

/// Writes the statements of some blocks.
fn statements(layout: &mut ScriptLayout<'_>, blocks: &[usize], target: &StatementFrame) {
    let (shape, plan, draw) = (layout.shape, layout.plan, layout.draw);
    for block in blocks.iter().copied() {
        match shape.placements[block] {
            BlockPlacement::Stored => stored(layout, block, draw.nth("stored", block)),
            BlockPlacement::Result if shape.sharing(block).is_some() => {
                let results = shape.sharing(block).unwrap_or_default();
                if results[0] == block {
                    multi_insert(layout, results, target);
                }
            }
            BlockPlacement::Result => {
                let number = plan.results.iter().position(|result| *result == block).unwrap_or(0);
                result(layout, block, target.inserts.get(number).map_or("", String::as_str));
            }
            BlockPlacement::Derived | BlockPlacement::Common => {}
        }
    }
}

fn header(layout: &mut ScriptLayout<'_>, lines: &[String]) {
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
    for (number, text) in lines.iter().enumerate() {
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

/// Writes the statement that makes a table or temporary view of the script's own.
fn stored(layout: &mut ScriptLayout<'_>, block: usize, draw: Draw) {
    let name = layout.shape.names[block].clone();
    layout.writer.line("");
    layout.writer.line("");
    layout.block_comment(block, "");
    // Spark knows no temporary views inside a database, and those of one file are gone in the next.
    let is_view = !name.contains('.') && layout.plan.files.is_none() && draw.chance(0.4);
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

/// Writes a statement that gives a result.
fn result(layout: &mut ScriptLayout<'_>, block: usize, insert: &str) {
    layout.writer.line("");
    if !layout.writer.at_start() {
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

/// Writes a multi-insert: a statement that reads rows once and writes them to several tables.
fn multi_insert(layout: &mut ScriptLayout<'_>, results: &[usize], target: &StatementFrame) {
    layout.writer.line("");
    if !layout.writer.at_start() {
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

/// Share of statements that end with a remark, as `ScriptLayout::remarked` takes it.
const LAST_REMARKS: f64 = 0.05;

/// First words of remarks that are SQL commented out.
const TRIED: [&str; 3] = ["SELECT ", "LIMIT ", "ORDER BY "];

fn semicolon(layout: &mut ScriptLayout<'_>) {
    let draw = layout.draw.nth("last", layout.writer.text().len());
    let remark = layout.remarked(draw, LAST_REMARKS, ScriptRemarks::last);
    if let Some(remark) = &remark {
        // A query that was tried is written as the others are.
        let is_lower = layout.style.keywords == LetterCase::Lower && TRIED.iter().any(|word| remark.starts_with(word));
        layout.remark(&if is_lower { remark.to_lowercase() } else { remark.clone() }, "");
    }
    if layout.style.semicolon_alone || remark.is_some() {
        layout.writer.line("");
    }
    layout.writer.put(";");
}

/// Writes `WITH …` before a statement, if its block needs it.
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

/// Adds the common table expressions that a block needs in its statement, each after those that it reads.
fn collect(layout: &ScriptLayout<'_>, block: usize, found: &mut Vec<usize>) {
    for source in layout.shape.reading.blocks_read_by[block].iter().copied() {
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
