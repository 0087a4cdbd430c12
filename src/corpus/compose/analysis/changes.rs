//! What changed between two copies of a snapshot: new, gone, changed, the same.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{
    Conditional, FigureType, Group, additive, close, coded, describe, describe_all, figure, group, plural,
};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{FigureUnit, Role, TableKind};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::{FactSize, rows, subject_column};
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::{PlannedDecision, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// The rows of a snapshot on one day.
struct SnapshotCopy {
    relation: OpenRelation,
    /// Name of the column with the subject.
    key: String,
    /// The block with the rows, which the relation reads.
    block: usize,
}

/// What tells rows of two copies apart.
struct ComparedColumns {
    /// Name of the column with the subject.
    key: String,
    /// Columns in which a changed row differs.
    compared: Vec<RelationColumn>,
    /// Figures whose change is shown.
    figures: Vec<RelationColumn>,
}

/// Plans the changes of each subject's snapshot rows since a copy of 1, 7 or 30 days before.
pub(super) fn changes(builder: &mut PlanBuilder<'_>, request: AnalysisRequest<'_>) -> AnalysisOutcome {
    let AnalysisRequest { question, draw, .. } = request;
    let is_snapshot =
        |fact: &&String| builder.domain.tables.get(fact).is_some_and(|table| table.kind == TableKind::Snapshot);
    let Some(fact) = question.asked_facts().into_iter().find(is_snapshot).cloned() else { return Ok(None) };
    let back = draw.at("back").one_of([1_i64, 7, 7, 30]);
    let Some(new) = copied(builder, &fact, 0, request)? else { return Ok(None) };
    let Some(old) = copied(builder, &fact, -back, request)? else { return Ok(None) };
    let SnapshotCopy { mut relation, key, .. } = new;
    let compared = ComparedColumns {
        compared: coded(&relation).into_iter().chain(additive(&relation)).take(4).collect(),
        figures: additive(&relation),
        key,
    };
    if compared.compared.is_empty()
        || relation.texts(&relation.grain).is_empty()
        || old.relation.grain != relation.grain
    {
        return Ok(None);
    }
    let has_gone = side_by_side(builder, &mut relation, old.block, &compared, draw.at("sides"));
    let purpose = format!("{}, both copies side by side", relation.many);
    close(builder, &mut relation, &["changes", "diff", "compared"], purpose, draw.at("diff"));
    let since = if back == 1 { "since the day before".to_owned() } else { format!("over {back} days") };
    let title = format!("changes in {} {since}", relation.many);
    let name = format!("{}_changes", builder.names.table(&fact));
    let key = compared.key;
    let subjects = &plural(builder, &question.subject);
    if relation.grain == [key.clone()] {
        listed(builder, &mut relation, subjects, &compared.figures, draw.at("having"));
        describe_all(builder, &mut relation, &question.subject, &key, draw.at("describe"));
    } else {
        let called = vec!["change_sum".to_owned(), "changed".to_owned()];
        let purpose = format!("changes of {}", relation.many);
        let keys = vec![key.clone()];
        let figures = shown(&relation, &compared.figures, has_gone, draw.at("figures"));
        added_up(builder, &mut relation, subjects, Group { keys, figures, called, purpose }, draw);
        describe(builder, &mut relation, &question.subject, &key, draw.at("describe"));
    }
    builder.plan.blocks[relation.block].order = relation.texts(&[key]);
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Plans the copy of a snapshot on one day, before or on the business date; `None` if it does not reach the subject.
fn copied(
    builder: &mut PlanBuilder<'_>,
    fact: &str,
    day: i64,
    AnalysisRequest { size, draw, .. }: AnalysisRequest<'_>,
) -> Result<Option<SnapshotCopy>, minijinja::Error> {
    let fact_size = FactSize { clean: 0, enrich: 0, row: 0, ..size.fact_size };
    builder.snapshot_day = day;
    let copy = rows(builder, fact, fact_size, draw.at("rows"));
    builder.snapshot_day = 0;
    let Some(mut relation) = copy? else { return Ok(None) };
    let Some(key) = subject_column(builder, &mut relation, draw.at("reach")) else { return Ok(None) };
    let (ends, which) = match day {
        0 => (["today", "now"], "of the business date"),
        _ => (["before", "old"], "of the earlier copy"),
    };
    let purpose = format!("{} {which}", relation.many);
    let block = close(builder, &mut relation, &ends, purpose, draw.at("close"));
    Ok(Some(SnapshotCopy { relation, key, block }))
}

/// Returns the decision whether what has not changed is left out.
fn unchanged(subjects: &str) -> PlannedDecision {
    PlannedDecision::new("unchanged", "Boolean & Logic")
        .says(
            format!("{subjects} without any change are left out"),
            format!("all {subjects} are shown, with or without changes"),
        )
        .shown_by("a subject without changes")
}

/// Adds up the changes of each subject; subjects without any stay or go by a decision.
fn added_up(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, subjects: &str, sums: Group, draw: Draw) {
    let grouped = group(builder, relation, sums, draw.at("group"));
    let state = piece::column(builder.plan.blocks[grouped].items[0].slot, "change_kind");
    let changed = format!("SUM(CASE WHEN {state} = 'SAME' THEN 0 ELSE 1 END) > 0");
    let having = builder.plan.decide(draw.at("having"), unchanged(subjects), [changed, String::new()]);
    builder.plan.blocks[grouped].having.push(having);
}

/// Lists the changes themselves, where each subject has one row: how far its figures moved, and whether rows without
/// any change are listed, by a decision.
fn listed(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    subjects: &str,
    figures: &[RelationColumn],
    draw: Draw,
) {
    let changed = format!("{} <> 'SAME'", relation.text("change_kind"));
    let filter = builder.plan.decide(draw, unchanged(subjects), [changed, String::new()]);
    builder.plan.blocks[relation.block].filters.push(filter);
    for column in figures {
        let unit = FigureType::of(column, FigureUnit::Quantity);
        let (new, old) =
            (relation.text(&format!("new_{}", column.name)), relation.text(&format!("old_{}", column.name)));
        let words = format!("change in {}", column.meaning.words);
        let name = relation.free_name(&format!("{}_change", column.name));
        relation.columns.push(figure(name, format!("{new} - {old}"), unit, words));
    }
}

/// Joins the copy before and says what happened to each row. Returns whether what only that copy has is counted as gone,
/// by a decision: where it is not looked at, nothing else provides for it.
fn side_by_side(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    old: usize,
    columns: &ComparedColumns,
    draw: Draw,
) -> bool {
    let here = |name: &str| relation.text(name);
    let slot = builder.plan.item(relation.block, RowSource::Block(old), String::new());
    let there = |name: &str| piece::column(slot, name);
    let decided = PlannedDecision::new("gone_rows", "JOIN Type Selection")
        .says(
            format!("{} that are only in the earlier copy count as gone", relation.many),
            format!("{} that are only in the earlier copy are ignored", relation.many),
        )
        .shown_by("a key that only the earlier copy has");
    let joined = builder.plan.decisions.len();
    let join = builder.plan.decide(draw.at("join"), decided, ["FULL OUTER JOIN", "LEFT JOIN"]);
    let has_gone = builder.plan.decisions[joined].chosen == 0;
    let on = relation.grain.iter().map(|name| format!("{} = {}", here(name), there(name))).collect();
    builder.plan.join_last(relation.block, join, on);
    let first = &relation.grain[0];
    let differs: Vec<String> = columns
        .compared
        .iter()
        .map(|column| differs(builder, &here(&column.name), &there(&column.name), draw.at("missing")))
        .collect();
    let gone = piece::decision(joined, [format!("WHEN {} IS NULL THEN 'GONE'", here(first)), String::new()]);
    let state = format!(
        "CASE WHEN {} IS NULL THEN 'NEW' {gone} WHEN {} THEN 'CHANGED' ELSE 'SAME' END",
        there(first),
        differs.join(" OR ")
    );
    let key = &columns.key;
    let either = format!("COALESCE({}, {})", here(key), there(key));
    let text = piece::decision(joined, &[either, here(key)]);
    let mut found: Vec<RelationColumn> =
        relation.column(key).map(|column| RelationColumn { text, ..column.clone() }).into_iter().collect();
    found.push(RelationColumn { name: "change_kind".to_owned(), text: state, meaning: kinds_of_change(has_gone) });
    found.extend(columns.figures.iter().flat_map(|column| old_and_new(column, &here(&column.name), slot)));
    relation.columns = found;
    has_gone
}

/// Returns the condition that a value has changed; one decision for all columns whether NULL differs from a value.
fn differs(builder: &mut PlanBuilder<'_>, now: &str, before: &str, draw: Draw) -> String {
    let decided = PlannedDecision::new("missing_differs", "NULL Handling")
        .says(
            "a field that is empty on just one of the two days counts as a change",
            "a field that is empty on just one of the two days does not count as a change",
        )
        .shown_by("a value that only one of the copies has");
    let forms = [format!("NOT ({now} <=> {before})"), format!("{now} <> {before}")];
    builder.decide_once("missing_differs", draw, decided, forms)
}

fn kinds_of_change(has_gone: bool) -> ColumnMeaning {
    let mut meaning = ColumnMeaning::plain(Role::Code, "STRING", "kind of change");
    let kinds = [("NEW", "new"), ("GONE", "gone"), ("CHANGED", "changed"), ("SAME", "the same")];
    let kinds = kinds.into_iter().filter(|(kind, _)| has_gone || *kind != "GONE");
    meaning.values = kinds.map(|(kind, words)| (kind.to_owned(), words.to_owned())).collect();
    meaning
}

/// Returns a figure of the copy before, which is read in `slot`, and of the copy of the business date.
fn old_and_new(column: &RelationColumn, now: &str, slot: usize) -> [RelationColumn; 2] {
    let name = &column.name;
    let unit = FigureType::of(column, FigureUnit::Quantity);
    let words = format!("previous {}", column.meaning.words);
    let old = figure(format!("old_{name}"), format!("COALESCE({}, 0)", piece::column(slot, name)), unit, words);
    let new = format!("COALESCE({now}, 0)");
    [old, figure(format!("new_{name}"), new, unit, column.meaning.words.clone())]
}

/// Returns how many rows are new, gone, changed or the same, and how far figures moved.
fn shown(relation: &OpenRelation, figures: &[RelationColumn], has_gone: bool, draw: Draw) -> Vec<RelationColumn> {
    let conditional = Conditional::draw(draw.at("conditional"));
    let count = FigureType::COUNT;
    let state = relation.text("change_kind");
    let mut found = Vec::new();
    let kinds = [("NEW", "new"), ("GONE", "removed"), ("CHANGED", "changed"), ("SAME", "unchanged")];
    for (value, told) in kinds.into_iter().filter(|(value, _)| has_gone || *value != "GONE") {
        let name = format!("{}_cnt", value.to_lowercase());
        let words = format!("number of {told} {}", relation.many);
        found.push(figure(name, conditional.count(&format!("{state} = '{value}'")), count, words));
    }
    for column in figures {
        let unit = FigureType::of(column, FigureUnit::Quantity);
        let (new, old) =
            (relation.text(&format!("new_{}", column.name)), relation.text(&format!("old_{}", column.name)));
        found.push(figure(format!("{}_now", column.name), format!("SUM({new})"), unit, column.meaning.words.clone()));
        let words = format!("change in {}", column.meaning.words);
        found.push(figure(format!("{}_change", column.name), format!("SUM({new} - {old})"), unit, words));
        if !has_gone || figures.first().is_none_or(|first| first.name != column.name) {
            continue;
        }
        let lost = conditional.sum(&format!("{state} = 'GONE'"), &old);
        let words = format!("{} of removed rows", column.meaning.words);
        found.push(figure(format!("{}_gone", column.name), lost, unit, words));
    }
    found
}
