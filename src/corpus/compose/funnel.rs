//! Funnels: how many of several steps in a row each entity took, and when.

use super::builder::PlanBuilder;
use super::domain::{EntityFunnel, FigureUnit, FunnelStep, Role};
use super::draw::Draw;
use super::fact_figures::{FactSize, rows};
use super::piece;
use super::plan::{BlockColumn, PlannedDecision, RowSource};
use super::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use super::similar_tables::text_of;

/// Plans one row for each entity that took the first step: whether and when it first took each further step.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn funnel(
    builder: &mut PlanBuilder<'_>,
    name: &str,
    model: &EntityFunnel,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let key = format!("{}_id", model.entity);
    let mut steps = Vec::new();
    for (number, (step_name, step)) in model.steps.iter().enumerate() {
        let few = FactSize { clean: 0, rules: fact_size.rules.min(1), ..fact_size };
        let Some(relation) = rows(builder, &step.table, few, draw.nth("step", number))? else { return Ok(None) };
        if first_times(builder, &relation, step, &key, step_name).is_none() {
            return Ok(None);
        }
        let names = [format!("{step_name}_{}", model.entity), format!("step_{step_name}")];
        builder.plan.blocks[relation.block].names = names.into();
        steps.push((relation.block, step_name, &step.words));
    }
    let (block, first) = builder.plan.block(RowSource::Block(steps[0].0));
    let meaning = builder.reference_to(&model.entity);
    let mut columns = vec![RelationColumn { name: key.clone(), text: piece::column(first, &key), meaning }];
    let mut before = piece::column(first, &format!("{}_time", steps[0].1));
    for (number, (source, step, words)) in steps.iter().enumerate().skip(1) {
        let slot = builder.plan.item(block, RowSource::Block(*source), String::new());
        let time = piece::column(slot, &format!("{step}_time"));
        let ordered = in_order(builder, words, [&time, &before], draw.nth("order", number));
        let on = vec![format!("{} = {}", piece::column(first, &key), piece::column(slot, &key)), ordered];
        builder.plan.join_last(block, "LEFT JOIN".to_owned(), on);
        columns.extend(step_columns(step, words, &time));
        before = time;
    }
    let mut relation = OpenRelation::over(block, columns, "step", &format!("steps {}", model.words), name);
    relation.grain = vec![key];
    let names = vec![format!("{name}_steps"), "funnel".to_owned()];
    relation.finish(&mut builder.plan, names, format!("steps {}", model.words));
    builder.plan.blocks[relation.block].milestone = true;
    Ok(Some(relation))
}

/// Groups the rows of a step by the entity, under `key`, with the time at which it first took the step; `None` if the
/// rows lack one of them.
fn first_times(
    builder: &mut PlanBuilder<'_>,
    relation: &OpenRelation,
    step: &FunnelStep,
    key: &str,
    name: &str,
) -> Option<()> {
    let table = builder.domain.tables.get(&step.table)?;
    let text = |column: &str| text_of(builder, relation, column);
    let (who, at) = (text(&step.entity)?, text(&step.time)?);
    let when = step.when.as_ref().map(|when| builder.names.expand(table, when, text));
    let block = &mut builder.plan.blocks[relation.block];
    block.filters.extend(when.filter(|when| !when.contains('{')));
    block.guard(format!("{who} IS NOT NULL"));
    block.groups = vec![who.clone()];
    let time = BlockColumn::kept(&format!("{name}_time"), format!("MIN({at})"));
    block.outputs = vec![BlockColumn::kept(key, who), time];
    block.purpose = format!("first time: {}", step.words);
    Some(())
}

/// Returns the condition that a step did not come before the one that it follows, or none, by a decision.
fn in_order(builder: &mut PlanBuilder<'_>, words: &str, [time, before]: [&str; 2], draw: Draw) -> String {
    let decided = PlannedDecision::new("order_of_steps", "Correctness")
        .says(
            format!("the step \"{words}\" counts only if it did not come before the step that it follows"),
            format!("the step \"{words}\" counts whenever it was taken"),
        )
        .shown_by("a step that was taken before the one that it follows");
    builder.plan.decide(draw, decided, [format!("{time} >= {before}"), String::new()])
}

/// Returns whether and when a step was first taken.
fn step_columns(step: &str, words: &str, time: &str) -> [RelationColumn; 2] {
    let mut meaning = ColumnMeaning::plain(Role::Flag, "INT", format!("whether the step was taken: {words}"));
    meaning.figure = Some(FigureUnit::Quantity);
    let text = format!("CASE WHEN {time} IS NOT NULL THEN 1 ELSE 0 END");
    let taken = RelationColumn { name: format!("is_{step}"), text, meaning };
    let meaning = ColumnMeaning::plain(Role::Time, "STRING", format!("first time: {words}"));
    let first = RelationColumn { name: format!("{step}_time"), text: time.to_owned(), meaning };
    [taken, first.nullable()]
}
