//! Sources that name things differently, brought under common names, then added up with a label of the source.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{
    Conditional, FigureType, Group, additive, describe, figure, group, plural, ratios, row_count, sum_of,
};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::FigureUnit;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::FactSize;
use crate::corpus::compose::names::{as_name, identifier};
use crate::corpus::compose::plan::PlannedDecision;
use crate::corpus::compose::relation::{OpenRelation, RelationColumn};
use crate::corpus::compose::similar_tables::united;

/// Plans the figures of all sources, one row for each subject and source or one column for each source.
pub(super) fn sources(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let models: Vec<_> = builder.domain.similar.iter().filter(|(_, model)| question.has_similar(model)).collect();
    let Some((name, model)) = draw.at("model").pick(&models).copied() else { return Ok(None) };
    let fact_size = FactSize { rules: size.fact_size.rules.max(1), ..size.fact_size };
    let Some((mut relation, mark)) = united(builder, name, model, fact_size, draw.at("union"))? else {
        return Ok(None);
    };
    let references: Vec<(String, String)> = relation
        .columns
        .iter()
        .filter_map(|column| Some((column.name.clone(), column.meaning.entity.clone()?)))
        .collect();
    let asked = references.iter().find(|(_, entity)| *entity == question.subject);
    let Some((key, entity)) = asked.cloned() else { return Ok(None) };
    let long = draw.at("long").chance(0.6);
    let keys = if long { vec![key.clone(), mark.clone()] } else { vec![key.clone()] };
    let mut figures = figures(&relation, &mark, long, draw.at("figures"));
    figures.extend(counted(builder, &relation, &key).into_iter().take(draw.at("counted").below(3)));
    let called = vec![format!("by_{entity}"), format!("{entity}_sum")];
    let purpose = format!("{} of all sources", model.many);
    let grouped = group(builder, &mut relation, Group { keys, figures, called, purpose }, draw.at("group"));
    if draw.at("few").at("asked").chance(0.3) {
        few(builder, grouped, &model.many, draw.at("few"));
    }
    if long {
        shares(&mut relation, &key, draw.at("shares"));
    }
    describe(builder, &mut relation, &entity, &key, draw.at("describe"));
    ratios(builder, &mut relation, draw.at("ratios"))?;
    let title = format!("{} by {} across all sources", model.many, entity.replace('_', " "));
    builder.says(grouped, format!("{} come from {} tables", model.many, model.tables.len()));
    builder.plan.blocks[relation.block].order = relation.texts(&relation.grain);
    let name = format!("{}_sources", identifier(&plural(builder, name)));
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Returns counts and sums; also the sums of each source, unless each has a row of its own (`long`).
fn figures(relation: &OpenRelation, mark: &str, long: bool, draw: Draw) -> Vec<RelationColumn> {
    let mut found = vec![row_count(relation, &format!("{}_cnt", identifier(&relation.one)))];
    let conditional = Conditional::draw(draw.at("conditional"));
    let marks = relation.column(mark).cloned();
    for column in additive(relation) {
        let words = format!("total {}", column.meaning.words);
        found.push(sum_of(&column, format!("total_{}", column.name), words));
        for (value, words) in marks.iter().filter(|_| !long).flat_map(|marks| &marks.meaning.values) {
            let Some(marks) = &marks else { continue };
            let text = conditional.sum(&format!("{} = '{value}'", marks.text), &column.text);
            let unit = column.meaning.figure.unwrap_or(FigureUnit::Quantity);
            let name = format!("{}_{}", as_name(value), column.name);
            let words = format!("{} {words}", column.meaning.words);
            found.push(figure(name, text, FigureType { unit, sql: &column.meaning.kind }, words));
        }
    }
    let moment =
        relation.columns.iter().find(|column| column.meaning.role == crate::corpus::compose::domain::Role::Time);
    if let Some(moment) = moment.filter(|_| draw.at("last").chance(0.4)) {
        let mut last = moment.clone();
        last.name = format!("last_{}", moment.name);
        last.text = format!("MAX({})", moment.text);
        found.push(last);
    }
    found
}

/// Returns for each entity but that of the key how many of it there are.
fn counted(builder: &PlanBuilder<'_>, relation: &OpenRelation, key: &str) -> Vec<RelationColumn> {
    let subject = relation.column(key).and_then(|column| column.meaning.entity.clone()).unwrap_or_default();
    let others = relation.columns.iter().filter(|column| !builder.is_constant(column, key, &subject));
    let count = |column: &RelationColumn| {
        let entity = column.meaning.entity.as_deref()?;
        let words = format!("number of {}", plural(builder, entity));
        let text = format!("COUNT(DISTINCT {})", column.text);
        Some(figure(format!("{entity}_cnt"), text, FigureType::COUNT, words))
    };
    others.filter_map(count).collect()
}

/// Leaves out groups of a single row, by a decision.
fn few(builder: &mut PlanBuilder<'_>, block: usize, many: &str, draw: Draw) {
    let decided = PlannedDecision::new("few_rows", "Aggregate Logic")
        .says(format!("a line needs more than one of the {many}"), "every line is shown, however few it rests on")
        .shown_by("a group of one row");
    let least = builder.plan.decide(draw, decided, ["COUNT(*) > 1", ""]);
    builder.plan.blocks[block].having.push(least);
}

/// Adds the share of each source in the sums of the subject.
fn shares(relation: &mut OpenRelation, key: &str, draw: Draw) {
    let Some(whole) = relation.column(key).map(|column| column.text.clone()) else { return };
    for column in additive(relation).into_iter().filter(|column| column.meaning.sum).take(draw.between(1, 2)) {
        let all = format!("SUM({}) OVER (PARTITION BY {whole})", column.text);
        let text = format!("ROUND({} / NULLIF({all}, 0), 4)", column.text);
        relation.columns.push(
            figure(
                format!("{}_share", column.name.trim_start_matches("total_")),
                text,
                FigureType::SHARE,
                format!("source share of {}", column.meaning.words),
            )
            .nullable(),
        );
    }
}
