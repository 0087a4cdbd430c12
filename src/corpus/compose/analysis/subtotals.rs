//! Figures with subtotals: GROUPING SETS, CUBE or ROLLUP over the levels of a hierarchy, with labels for totals.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::{AnalysisRequest, AnalysisSize};
use super::steps::{FigureType, Group, additive, close, coded, event_rows, figure, group, plural, row_count, sum_of};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::Role;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::FactSize;
use crate::corpus::compose::names::identifier;
use crate::corpus::compose::pattern::PatternStage;
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::{BlockColumn, PlannedDecision};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use crate::corpus::compose::stages::stage;

/// Plans the figures of an event by two or three levels.
pub(super) fn subtotals(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let fact_size = FactSize { enrich: 0, row: 0, ..size.fact_size };
    let Some((mut relation, key)) = event_rows(builder, question, fact_size, draw.at("rows"))? else {
        return Ok(None);
    };
    let mut levels = hierarchy(builder, &mut relation, draw.at("hierarchy"));
    stage(builder, &mut relation, PatternStage::Enrich, size.fact_size.enrich, draw.at("enrich"))?;
    stage(builder, &mut relation, PatternStage::Row, size.fact_size.row, draw.at("row"))?;
    add_codes(&mut relation, &mut levels, draw);
    if levels.len() < 2 || relation.multiplied {
        return Ok(None);
    }
    let purpose = format!("{} with the levels of the report", relation.many);
    close(builder, &mut relation, &["levels", "detail", "base"], purpose, draw.at("close"));
    let figures = figures(builder, &relation, &key, size, draw.at("figures"));
    let shown = labels(&relation, &levels, draw.at("labels"));
    let (grouping, has_total) = grouping(builder, &relation, &levels, draw.at("grouping"));
    let called = vec!["subtotals".to_owned(), "totals".to_owned(), "by_level".to_owned()];
    let purpose = format!("{} with subtotals", relation.many);
    let keys = levels.clone();
    let grouped = group(builder, &mut relation, Group { keys, figures, called, purpose }, draw.at("group"));
    label(builder, &mut relation, grouped, shown);
    builder.plan.blocks[grouped].grouping = grouping;
    if has_total {
        shares(&mut relation, draw.at("shares"));
    }
    builder.plan.blocks[relation.block].order = relation.texts(&levels);
    let words = level_words(&relation, &levels);
    let title = format!("{} by {} with subtotals", relation.many, words.join(" and "));
    let name = format!("{}_totals", builder.names.table(&relation.table));
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Adds codes to the levels until there are two, or three by chance.
fn add_codes(relation: &mut OpenRelation, levels: &mut Vec<String>, draw: Draw) {
    let codes = coded(relation);
    for code in draw.at("codes").shuffled(&codes) {
        if levels.len() >= 2 && (levels.len() >= 3 || !draw.at("third").chance(0.5)) {
            continue;
        }
        if let Some(column) = relation.columns.iter_mut().find(|column| column.name == code.name)
            && code.meaning.missing
        {
            column.text = format!("COALESCE({}, 'NONE')", code.text);
            column.meaning.missing = false;
        }
        if !levels.contains(&code.name) {
            levels.push(code.name.clone());
        }
    }
}

/// Returns what people call the levels.
fn level_words(relation: &OpenRelation, levels: &[String]) -> Vec<String> {
    let words = |level: &String| match relation.column(level).map(|column| column.meaning.words.as_str()) {
        Some("") | None => level.replace('_', " "),
        Some(words) => words.to_owned(),
    };
    levels.iter().map(words).collect()
}

/// Joins the levels of a dimension's hierarchy, the coarsest first; returns their names.
fn hierarchy(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, draw: Draw) -> Vec<String> {
    let references: Vec<RelationColumn> =
        relation.columns.iter().filter(|column| column.meaning.entity.is_some()).cloned().collect();
    for reference in draw.shuffled(&references) {
        let dimension = builder.domain.tables.iter().find(|(_, table)| {
            table.hierarchy.len() > 1 && table.entity == reference.meaning.entity && table.key.len() == 1
        });
        let Some((name, table)) = dimension else { continue };
        let levels: Vec<String> = table.hierarchy.iter().rev().take(draw.at("depth").between(2, 3)).cloned().collect();
        let mut wanted = levels.clone();
        wanted.push(table.key[0].clone());
        let brought = builder.add_table(relation.block, name, &wanted, draw.at("bring"));
        let decided = PlannedDecision::new("without_level", "JOIN Type Selection")
            .says(
                format!("{} without a match among the {} are kept, under UNKNOWN", relation.many, table.many),
                format!("{} without a match among the {} are left out", relation.many, table.many),
            )
            .shown_by("rows whose key is in no dimension");
        let join =
            builder.decide_once(&format!("without {}", table.many), draw.at("join"), decided, ["LEFT JOIN", "JOIN"]);
        let mut on = vec![format!("{} = {}", reference.text, brought.column(&table.key[0]))];
        on.extend(brought.conditions.clone());
        builder.plan.join_last(relation.block, join, on);
        let mut found = Vec::new();
        for level in &levels {
            let Some(column) = table.columns.get(level).filter(|column| column.kind == "STRING") else { continue };
            let mut meaning = ColumnMeaning::of(name, level, column);
            meaning.missing = false;
            meaning.entity = None;
            meaning.role = Role::Code;
            let real = relation.free_name(&builder.names.column(name, level));
            let text = format!("COALESCE({}, 'UNKNOWN')", brought.column(level));
            relation.add(&real, text, meaning);
            found.push(real);
        }
        return found;
    }
    Vec::new()
}

/// Returns counts, sums and means.
fn figures(
    builder: &PlanBuilder<'_>,
    relation: &OpenRelation,
    key: &str,
    size: AnalysisSize,
    draw: Draw,
) -> Vec<RelationColumn> {
    let table = identifier(&relation.one);
    let mut found = vec![row_count(relation, &format!("{table}_cnt"))];
    if let Some(subject) = relation.column(key).filter(|_| draw.at("subjects").chance(0.6)) {
        let entity = subject.meaning.entity.clone().unwrap_or_default();
        let text = format!("COUNT(DISTINCT {})", subject.text);
        let words = format!("number of {}", plural(builder, &entity));
        found.push(figure(format!("{entity}_cnt"), text, FigureType::COUNT, words));
    }
    for (place, column) in additive(relation).into_iter().take(2 + size.fact_size.measures / 4).enumerate() {
        let words = format!("total {}", column.meaning.words);
        found.push(sum_of(&column, column.name.clone(), words));
        if place == 0 && draw.at(&column.name).chance(0.4) {
            let text = format!("ROUND(AVG({}), 2)", column.text);
            let words = format!("mean {} of the {}", column.meaning.words, relation.many);
            found.push(figure(format!("avg_{}", column.name), text, FigureType::MEASURE, words).nullable());
        }
    }
    found
}

/// Returns the texts of the columns of levels, with a label on totals, and of the number of levels that a line adds up.
fn labels(relation: &OpenRelation, levels: &[String], draw: Draw) -> Vec<(String, String)> {
    let all = draw.at("all").one_of(["ALL", "TOTAL", "_ALL_", "合计"]);
    let way = draw.at("way").below(2);
    let texts = relation.texts(levels);
    let label = |(level, text): (&String, &String)| {
        let text = match way {
            0 => format!("IF(GROUPING({text}) = 1, '{all}', {text})"),
            _ => format!("CASE WHEN GROUPING({text}) = 1 THEN '{all}' ELSE {text} END"),
        };
        (level.clone(), text)
    };
    let mut found: Vec<(String, String)> = levels.iter().zip(&texts).map(label).collect();
    let summed: Vec<String> = texts.iter().map(|text| format!("GROUPING({text})")).collect();
    found.push(("levels_summed".to_owned(), summed.join(" + ")));
    found
}

/// Puts labels into the grouped block.
fn label(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, grouped: usize, shown: Vec<(String, String)>) {
    let slot = builder.plan.blocks[relation.block].items[0].slot;
    for (name, text) in shown {
        let outputs = &mut builder.plan.blocks[grouped].outputs;
        match outputs.iter_mut().find(|output| output.name == name) {
            Some(output) => output.text = text,
            None => {
                outputs.insert(relation.grain.len(), BlockColumn::kept(&name, text));
                let meaning = ColumnMeaning::plain(Role::Order, "INT", "number of levels added up in the line");
                let text = piece::column(slot, &name);
                relation.columns.insert(relation.grain.len(), RelationColumn { name, text, meaning });
            }
        }
    }
}

/// Returns the grouping clause, and whether it gives a grand total: ROLLUP or CUBE, or GROUPING SETS of all levels and
/// of each alone, with or without a grand total, by a decision.
fn grouping(builder: &mut PlanBuilder<'_>, relation: &OpenRelation, levels: &[String], draw: Draw) -> (String, bool) {
    let words = level_words(relation, levels);
    if draw.at("kind").chance(0.5) {
        let decided = PlannedDecision::new("which_subtotals", "Subtotals")
            .says(
                format!("subtotals go from {} down, each level within the one before", words.join(" to ")),
                format!("subtotals are given for every combination of {}", words.join(" and ")),
            )
            .shown_by("two values of the last level within one value of the first");
        return (builder.plan.decide(draw.at("which"), decided, ["WITH ROLLUP", "WITH CUBE"]), true);
    }
    let texts = relation.texts(levels);
    // Every level is added up in some line in either form, so that no label on totals is idle.
    let sets = std::iter::once(texts.join(", ")).chain(texts).map(|set| format!("({set})"));
    let sets = sets.collect::<Vec<_>>().join(", ");
    let decided = PlannedDecision::new("grand_total", "Subtotals")
        .says(
            "there is a line with the grand total",
            "there is no line with the grand total, only the groups are shown",
        )
        .shown_by("any row");
    let total = builder.plan.decide(draw.at("total"), decided, [", ()", ""]);
    let has_total = builder.plan.chosen_in(&total) == Some(0);
    (format!("GROUPING SETS ({sets} {total})"), has_total)
}

/// Adds the share of each line in the grand total.
fn shares(relation: &mut OpenRelation, draw: Draw) {
    let Some(level) = relation.column("levels_summed").map(|column| column.text.clone()) else { return };
    let all = relation.grain.len();
    let sums: Vec<RelationColumn> = additive(relation).into_iter().filter(|column| column.meaning.sum).collect();
    for column in sums.into_iter().take(draw.between(1, 2)) {
        let total = format!("MAX(CASE WHEN {level} = {all} THEN {} END) OVER ()", column.text);
        let text = format!("ROUND({} / NULLIF({total}, 0), 4)", column.text);
        let words = format!("share of total {}", column.meaning.words);
        let name = relation.free_name(&format!("{}_share", column.name));
        relation.columns.push(figure(name, text, FigureType::SHARE, words).nullable());
    }
}
