//! What changed between two copies of a snapshot: new, gone, changed, the same.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{Conditional, FigureType, Group, additive, close, coded, describe, describe_all, figure, group};
use crate::corpus::compose::branch::{BranchSize, reach, rows};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{FigureUnit, Role, TableKind};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::{PlannedDecision, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// Plans the changes of each subject's snapshot rows since a copy of 1, 7 or 30 days before.
pub(super) fn changes(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let is_snapshot =
        |fact: &&String| builder.domain.tables.get(fact).is_some_and(|table| table.kind == TableKind::Snapshot);
    let Some(fact) = question.asked_facts().into_iter().find(is_snapshot).cloned() else { return Ok(None) };
    let effort = BranchSize { clean: 0, enrich: 0, row: 0, ..size.effort };
    let back = draw.at("back").one_of([1_i64, 7, 7, 30]);
    let mut copies = Vec::new();
    for (day, ends) in [(0, ["today", "now"]), (-back, ["before", "old"])] {
        builder.snapshot_day = day;
        let copy = rows(builder, &fact, effort, draw.at("rows"));
        builder.snapshot_day = 0;
        let Some(mut relation) = copy? else { return Ok(None) };
        let Some(key) = reach(builder, &mut relation, &question.subject, draw.at("reach")) else { return Ok(None) };
        let copy = if day == 0 { "of the business date" } else { "of the earlier copy" };
        let purpose = format!("{} {copy}", relation.many);
        let block = close(builder, &mut relation, &ends, purpose, draw.at("close"));
        copies.push((relation, key, block));
    }
    let (old, _, old_block) = copies.remove(1);
    let (mut relation, key, _) = copies.remove(0);
    let compared: Vec<RelationColumn> = coded(&relation).into_iter().chain(additive(&relation)).take(4).collect();
    let figures = additive(&relation);
    if compared.is_empty() || relation.texts(&relation.grain).is_empty() || old.grain != relation.grain {
        return Ok(None);
    }
    let joined = side_by_side(builder, &mut relation, old_block, &key, &compared, &figures, draw.at("sides"));
    let has_gone = builder.plan.decisions[joined].chosen == 0;
    let many = relation.many.clone();
    close(
        builder,
        &mut relation,
        &["changes", "diff", "compared"],
        format!("{many}, both copies side by side"),
        draw.at("diff"),
    );
    let since = if back == 1 { "since the day before".to_owned() } else { format!("over {back} days") };
    let title = format!("changes in {many} {since}");
    let name = format!("{}_changes", builder.names.table(&fact));
    if relation.grain == [key.clone()] {
        listed(builder, &mut relation, &figures, draw.at("having"));
        describe_all(builder, &mut relation, &question.subject, &key, draw.at("describe"));
        builder.plan.blocks[relation.block].order = relation.texts(&[key]);
        return Ok(Some(Analysis::with(builder, relation, title, name)));
    }
    let shown = shown(&relation, &figures, has_gone, draw.at("figures"));
    let called = vec!["change_sum".to_owned(), "changed".to_owned()];
    let purpose = format!("changes of {many}");
    let grouped = group(
        builder,
        &mut relation,
        Group { keys: vec![key.clone()], figures: shown, called, purpose },
        draw.at("group"),
    );
    let decided = PlannedDecision::new("unchanged", "Aggregate Logic")
        .says("subjects without any change are left out", "all subjects are shown, with or without changes")
        .shown_by("a subject without changes");
    let state = "SUM(CASE WHEN change_kind = 'SAME' THEN 0 ELSE 1 END)";
    let slot = builder.plan.blocks[grouped].items[0].slot;
    let state = state.replace("change_kind", &piece::column(slot, "change_kind"));
    let having = builder.plan.decide(draw.at("having"), decided, [format!("{state} > 0"), String::new()]);
    builder.plan.blocks[grouped].having.push(having);
    describe(builder, &mut relation, &question.subject, &key, draw.at("describe"));
    builder.plan.blocks[relation.block].order = relation.texts(&[key]);
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Lists the changes themselves, where each subject has one row: how far its figures moved, and whether rows without
/// any change are listed, by a decision.
fn listed(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, figures: &[RelationColumn], draw: Draw) {
    let decided = PlannedDecision::new("unchanged", "Aggregate Logic")
        .says("subjects without any change are left out", "all subjects are shown, with or without changes")
        .shown_by("a subject without changes");
    let changed = format!("{} <> 'SAME'", relation.text("change_kind"));
    let filter = builder.plan.decide(draw, decided, [changed, String::new()]);
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

/// Joins the copy before and says what happened to each row. Returns the number of the decision over what only the copy
/// before has: where that is not looked at, nothing else provides for it.
fn side_by_side(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    old: usize,
    key: &str,
    compared: &[RelationColumn],
    figures: &[RelationColumn],
    draw: Draw,
) -> usize {
    let here = |name: &str| relation.text(name);
    let slot = builder.plan.item(relation.block, RowSource::Block(old), String::new());
    let there = |name: &str| piece::column(slot, name);
    let decided = PlannedDecision::new("gone_rows", "JOIN Type Selection")
        .says("what only the earlier copy has is counted as gone", "what only the earlier copy has is not looked at")
        .shown_by("a key that only the earlier copy has");
    let joined = builder.plan.decisions.len();
    let join = builder.plan.decide(draw.at("join"), decided, ["FULL OUTER JOIN", "LEFT JOIN"]);
    let on = relation.grain.iter().map(|name| format!("{} = {}", here(name), there(name))).collect();
    builder.plan.join_last(relation.block, join, on);
    let first = relation.grain[0].clone();
    let differs: Vec<String> = compared
        .iter()
        .map(|column| {
            let (now, before) = (here(&column.name), there(&column.name));
            let decided = PlannedDecision::new("missing_differs", "NULL Handling")
                .says(
                    "a value that only one of the two days has is a change",
                    "a value that only one of the two days has is no change",
                )
                .shown_by("a value that only one of the copies has");
            let forms = [format!("NOT ({now} <=> {before})"), format!("{now} <> {before}")];
            builder.decide_once("missing_differs", draw.at("missing"), decided, forms)
        })
        .collect();
    let gone = piece::decision(joined, [format!("WHEN {} IS NULL THEN 'GONE'", here(&first)), String::new()]);
    let state = format!(
        "CASE WHEN {} IS NULL THEN 'NEW' {gone} WHEN {} THEN 'CHANGED' ELSE 'SAME' END",
        there(&first),
        differs.join(" OR ")
    );
    let mut meaning = ColumnMeaning::plain(Role::Code, "STRING", "kind of change");
    let has_gone = builder.plan.decisions[joined].chosen == 0;
    let states = [("NEW", "new"), ("GONE", "gone"), ("CHANGED", "changed"), ("SAME", "the same")];
    let states = states.into_iter().filter(|(state, _)| has_gone || *state != "GONE");
    meaning.values = states.map(|(value, words)| (value.to_owned(), words.to_owned())).collect();
    let mut subject = relation.column(key).cloned().into_iter().collect::<Vec<_>>();
    for column in &mut subject {
        let either = format!("COALESCE({}, {})", here(key), there(key));
        column.text = piece::decision(joined, &[either, here(key)]);
    }
    let mut columns = subject;
    columns.push(RelationColumn { name: "change_kind".to_owned(), text: state, meaning });
    for column in figures {
        let (now, before) = (here(&column.name), there(&column.name));
        let unit = FigureType::of(column, FigureUnit::Quantity);
        let words = format!("previous {}", column.meaning.words);
        columns.push(figure(format!("old_{}", column.name), format!("COALESCE({before}, 0)"), unit, words));
        let text = format!("COALESCE({now}, 0)");
        columns.push(figure(format!("new_{}", column.name), text, unit, column.meaning.words.clone()));
    }
    relation.columns = columns;
    joined
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
