//! A wide table of features: what each subject did in several windows of days that end at the business date.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{
    Conditional, FigureType, Group, additive, close, coded, day_text, figure, group, output, plural, ratios,
};
use crate::corpus::compose::branch::{reach, rows};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{BusinessQuestion, FigureUnit, Role, TableKind};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::names::as_name;
use crate::corpus::compose::piece::{self, day};
use crate::corpus::compose::plan::{PlannedDecision, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use crate::corpus::compose::scan::window_of;

/// Windows of days that features may be about, the longest last.
const WINDOWS: [&[usize]; 8] =
    [&[7, 30], &[7, 30, 90], &[30, 90], &[1, 7, 30], &[3, 7, 14, 30], &[7, 14, 30, 60], &[30, 60, 90], &[7, 28]];

/// Plans the features of a subject from one to four events.
pub(super) fn features(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let windows = draw.at("windows").one_of(WINDOWS);
    let longest = windows.last().copied().unwrap_or(30);
    builder.window = window_of(longest);
    let mut parts: Vec<(OpenRelation, String)> = Vec::new();
    for fact in draw.at("facts").shuffled(&question.asked_facts()) {
        let is_event = builder.domain.tables.get(fact).is_some_and(|table| table.kind == TableKind::Event);
        if !is_event || parts.len() >= size.branches.min(4) {
            continue;
        }
        let Some(relation) = rows(builder, fact, size.effort, draw.at(fact))? else { continue };
        if let Some(part) = part(builder, relation, &question.subject, windows, draw.at("part").at(fact)) {
            parts.push(part);
        }
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let mut relation = joined(builder, parts, question, draw.at("joined"));
    if draw.at("momentum").chance(0.4) {
        momentum(&mut relation, windows, draw.at("momentum"));
    }
    ratios(builder, &mut relation, draw.at("ratios"))?;
    let title = format!("{longest}-day profiles of {}", plural(builder, &question.subject));
    let name = format!("{}_features", question.subject);
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Plans the features of one event, one row for each subject; returns the name of the subject's column as well.
fn part(
    builder: &mut PlanBuilder<'_>,
    mut relation: OpenRelation,
    subject: &str,
    windows: &[usize],
    draw: Draw,
) -> Option<(OpenRelation, String)> {
    let key = reach(builder, &mut relation, subject, draw.at("reach"))?;
    let text = day_text(builder, &relation, draw.at("axis"))?;
    let name = builder.draw.at("act_day").one_of(["act_date", "stat_date", "biz_date", "event_day"]);
    let act_day = relation.free_name(name);
    let meaning = ColumnMeaning::plain(Role::Day, "STRING", format!("day of the {}", relation.one));
    relation.add(&act_day, text, meaning);
    let purpose = relation.many.clone();
    close(builder, &mut relation, &["act", "detail", "days"], purpose, draw.at("close"));
    let figures = wide(builder, &relation, &act_day, windows, draw.at("wide"));
    let called = vec![format!("{subject}_feat"), "features".to_owned(), format!("by_{subject}")];
    let purpose = format!("{} per {}", relation.many, subject.replace('_', " "));
    group(builder, &mut relation, Group { keys: vec![key.clone()], figures, called, purpose }, draw.at("group"));
    Some((relation, key))
}

/// Returns counts and sums in all windows, and the days since the last row; where a window begins is one decision.
fn wide(
    builder: &mut PlanBuilder<'_>,
    relation: &OpenRelation,
    act_day: &str,
    windows: &[usize],
    draw: Draw,
) -> Vec<RelationColumn> {
    let Some(act) = relation.column(act_day).map(|column| column.text.clone()) else { return Vec::new() };
    let table = builder.names.table(&relation.table);
    let conditional = Conditional::draw(draw.at("conditional"));
    let count = FigureType::COUNT;
    let mut found = Vec::new();
    let codes = coded(relation);
    let code = draw.at("code").pick(&codes).filter(|_| draw.at("by_code").chance(0.7));
    // Codes have columns of their own in one window only.
    let by_code = draw.at("code_window").pick(windows);
    let (one, longest) = (draw.at("one_window").pick(windows), windows.last().copied().unwrap_or_default());
    let has_days = draw.at("has_days").chance(0.5);
    for days in windows {
        // The longest window has all rows.
        let inside = (*days < builder.window.days).then(|| begun(builder, &act, *days, draw));
        let inside = inside.as_deref();
        let words = format!("number of {} in the last {days} days", relation.many);
        let name = format!("{table}_cnt_{days}d");
        let text = inside.map_or_else(|| "COUNT(*)".to_owned(), |inside| conditional.count(inside));
        found.push(figure(name, text, count, words));
        for (place, column) in additive(relation).into_iter().take(2).enumerate() {
            // The second figure has one window.
            if place > 0 && Some(days) != one {
                continue;
            }
            let unit = column.meaning.figure.unwrap_or(FigureUnit::Amount);
            let words = format!("{} over the last {days} days", column.meaning.words);
            let all = || format!("SUM({})", column.text);
            let text = inside.map_or_else(all, |inside| conditional.sum(inside, &column.text));
            let mut sum =
                figure(format!("{}_{days}d", column.name), text, FigureType { unit, sql: &column.meaning.kind }, words);
            sum.meaning.sum = true;
            found.push(sum);
        }
        if has_days && *days == longest {
            let words = format!("days with {} in the last {days} days", relation.many);
            let all = || format!("COUNT(DISTINCT {act})");
            let text = inside.map_or_else(all, |inside| conditional.distinct(inside, &act));
            found.push(figure(format!("{table}_days_{days}d"), text, count, words));
        }
        if let Some(code) = code.filter(|_| Some(days) == by_code) {
            codes_of(&mut found, relation, code, inside, *days, conditional);
        }
    }
    if !draw.at("recency").chance(0.6) {
        return found;
    }
    let since = format!("DATEDIFF({}, MAX({act}))", day(0));
    let words = format!("days since the last of the {}", relation.many);
    let mut recency = figure(format!("{table}_recency"), since, FigureType::NUMBER, words);
    recency.meaning.missing = true;
    found.push(recency);
    found
}

/// Adds the number of rows of each value of a code in a window of days.
fn codes_of(
    found: &mut Vec<RelationColumn>,
    relation: &OpenRelation,
    code: &RelationColumn,
    inside: Option<&str>,
    days: usize,
    conditional: Conditional,
) {
    for (value, told) in code.meaning.values.iter().take(4) {
        let test = format!("{} = '{value}'", code.text);
        let test = inside.map_or_else(|| test.clone(), |inside| format!("{test} AND {inside}"));
        let name = format!("{}_{}_{days}d", code.name, as_name(value));
        let words = format!("number of {} ({told}) in the last {days} days", relation.many);
        found.push(figure(name, conditional.count(&test), FigureType::COUNT, words));
    }
}

/// Returns the condition that a day lies in a window.
fn begun(builder: &mut PlanBuilder<'_>, act: &str, days: usize, draw: Draw) -> String {
    let decided = PlannedDecision::new("feature_window", "Date/Time Logic")
        .says(
            "a window of n days has the business date and the n - 1 days before it",
            "a window of n days has the business date and the n days before it",
        )
        .shown_by("a row on the day at the edge of a window");
    let edge = builder.decide_once("feature_window", draw.at("edge"), decided, [">", ">="]);
    format!("{act} {edge} {}", day(-(days as i64)))
}

/// Joins the features of all events, one row for each subject that has a row of any event.
fn joined(
    builder: &mut PlanBuilder<'_>,
    mut parts: Vec<(OpenRelation, String)>,
    question: &BusinessQuestion,
    draw: Draw,
) -> OpenRelation {
    if parts.len() == 1 {
        return parts.remove(0).0;
    }
    let key = format!("{}_key", question.subject);
    let members: Vec<usize> = parts
        .iter()
        .map(|(part, name)| {
            let Some(RowSource::Block(source)) = builder.plan.blocks[part.block].items.first().map(|item| &item.source)
            else {
                return part.block;
            };
            let source = *source;
            let (block, slot) = builder.plan.block(RowSource::Block(source));
            builder.plan.blocks[block].outputs = vec![output(&key, piece::column(slot, name))];
            block
        })
        .collect();
    let names = vec![format!("{}_keys", question.subject), "all_keys".to_owned()];
    let purpose = format!("every one of the {} with at least one event", plural(builder, &question.subject));
    let union = builder.plan.union(members, "UNION".to_owned(), names, purpose);
    let (block, keys) = builder.plan.block(RowSource::Block(union));
    let mut relation = parts[0].0.clone();
    relation.block = block;
    relation.grain = vec![key.clone()];
    relation.table = String::new();
    relation.one = super::steps::singular(builder, &question.subject);
    relation.many = plural(builder, &question.subject);
    let mut subject = parts[0].0.columns[0].clone();
    subject.name.clone_from(&key);
    subject.text = piece::column(keys, &key);
    relation.columns = vec![subject];
    for (part, name) in &parts {
        let Some(RowSource::Block(source)) =
            builder.plan.blocks[part.block].items.first().map(|item| item.source.clone())
        else {
            continue;
        };
        let slot = builder.plan.item(block, RowSource::Block(source), "LEFT JOIN".to_owned());
        if let Some(item) = builder.plan.blocks[block].items.last_mut() {
            item.on = vec![format!("{} = {}", piece::column(keys, &key), piece::column(slot, name))];
        }
        for column in part.columns.iter().filter(|column| column.name != *name) {
            let mut column = column.clone();
            let plain = piece::column(slot, &column.name);
            column.text = if column.meaning.missing { plain } else { filled(builder, &plain, draw) };
            column.name = relation.free_name(&column.name);
            relation.columns.push(column);
        }
    }
    relation
}

/// Returns the text of a figure that is zero or NULL for a subject without rows of the event, by one decision for all.
fn filled(builder: &mut PlanBuilder<'_>, plain: &str, draw: Draw) -> String {
    let decided = PlannedDecision::new("without_rows", "NULL Handling")
        .says(
            "a subject without rows of one kind has zeros there",
            "a subject without rows of one kind has no values there",
        )
        .shown_by("a subject with rows of one event and none of another");
    builder.decide_once("without_rows", draw.at("filled"), decided, [format!("COALESCE({plain}, 0)"), plain.to_owned()])
}

/// Adds the share of a shorter window in the sums of the longest.
fn momentum(relation: &mut OpenRelation, windows: &[usize], draw: Draw) {
    let (Some(longest), Some(shorter)) = (windows.last(), draw.at("shorter").pick(&windows[..windows.len() - 1]))
    else {
        return;
    };
    let end = format!("_{longest}d");
    let whole: Vec<RelationColumn> =
        relation.columns.iter().filter(|column| column.name.ends_with(&end) && column.meaning.sum).cloned().collect();
    for column in whole {
        let base = column.name.trim_end_matches(&end);
        let Some(part) = relation.column(&format!("{base}_{shorter}d")).cloned() else { continue };
        let text = format!("ROUND({} / NULLIF({}, 0), 4)", part.text, column.text);
        let words = format!("share of {} in the last {shorter} days", column.meaning.words);
        let name = relation.free_name(&format!("{base}_{shorter}_of_{longest}"));
        let mut share = figure(name, text, FigureType::SHARE, words);
        share.meaning.missing = true;
        relation.columns.push(share);
    }
}
