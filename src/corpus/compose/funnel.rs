//! Funnels: how many of several steps in a row each entity took, and when.

use super::branch::{BranchSize, rows};
use super::builder::PlanBuilder;
use super::comparable_tables::{output, over, text_of};
use super::domain::{EntityFunnel, FigureUnit, Role};
use super::draw::Draw;
use super::piece;
use super::plan::{PlannedDecision, RowSource};
use super::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// Plans one row for each entity that took the first step: whether and when it first took each further step.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn funnel(
    builder: &mut PlanBuilder<'_>,
    name: &str,
    model: &EntityFunnel,
    effort: BranchSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let key = format!("{}_id", model.entity);
    let mut steps = Vec::new();
    for (number, (step_name, step)) in model.steps.iter().enumerate() {
        let few = BranchSize { clean: 0, rules: effort.rules.min(1), ..effort };
        let Some(relation) = rows(builder, &step.table, few, draw.nth("step", number))? else { return Ok(None) };
        let Some(table) = builder.domain.tables.get(&step.table) else { return Ok(None) };
        let text = |column: &str| text_of(builder, &relation, table, &step.table, column);
        let (Some(who), Some(at)) = (text(&step.entity), text(&step.time)) else { return Ok(None) };
        let when = step.when.as_ref().map(|when| builder.names.expand(table, when, text));
        let block = &mut builder.plan.blocks[relation.block];
        block.filters.extend(when.filter(|when| !when.contains('{')));
        block.guard(format!("{who} IS NOT NULL"));
        block.groups = vec![who.clone()];
        block.outputs = vec![output(&key, who), output(&format!("{step_name}_time"), format!("MIN({at})"))];
        block.names = vec![format!("{step_name}_{}", model.entity), format!("step_{step_name}")];
        block.purpose = format!("first time: {}", step.words);
        steps.push((relation.block, step_name.to_owned(), step.words.clone()));
    }
    let (block, first) = builder.plan.block(RowSource::Block(steps[0].0));
    let kind = builder.domain.entities.get(&model.entity).map(|entity| entity.kind.clone()).unwrap_or_default();
    let mut meaning = ColumnMeaning::plain(Role::Reference, &kind, model.entity.clone());
    meaning.entity = Some(model.entity.clone());
    let mut columns = vec![RelationColumn { name: key.clone(), text: piece::column(first, &key), meaning }];
    let mut before = piece::column(first, &format!("{}_time", steps[0].1));
    for (number, (source, step, words)) in steps.iter().enumerate().skip(1) {
        let slot = builder.plan.item(block, RowSource::Block(*source), "LEFT JOIN".to_owned());
        let time = piece::column(slot, &format!("{step}_time"));
        let decided = PlannedDecision::new("order_of_steps", "Correctness")
            .says(
                format!("the step \"{words}\" counts only if it did not come before the step that it follows"),
                format!("the step \"{words}\" counts whenever it was taken"),
            )
            .shown_by("a step that was taken before the one that it follows");
        let forms = [format!("{time} >= {before}"), String::new()];
        let ordered = builder.plan.decide(draw.nth("order", number), decided, forms);
        if let Some(item) = builder.plan.blocks[block].items.last_mut() {
            item.on = vec![format!("{} = {}", piece::column(first, &key), piece::column(slot, &key)), ordered];
        }
        let mut meaning = ColumnMeaning::plain(Role::Flag, "INT", format!("whether the step was taken: {words}"));
        meaning.figure = Some(FigureUnit::Quantity);
        let text = format!("CASE WHEN {time} IS NOT NULL THEN 1 ELSE 0 END");
        columns.push(RelationColumn { name: format!("is_{step}"), text, meaning });
        let mut meaning = ColumnMeaning::plain(Role::Time, "STRING", format!("first time: {words}"));
        meaning.missing = true;
        columns.push(RelationColumn { name: format!("{step}_time"), text: time.clone(), meaning });
        before = time;
    }
    let mut relation = over(block, columns, "step", format!("steps {}", model.words), name);
    relation.grain = vec![key];
    let names = vec![format!("{name}_steps"), "funnel".to_owned()];
    relation.finish(&mut builder.plan, names, format!("steps {}", model.words));
    builder.plan.blocks[relation.block].milestone = true;
    Ok(Some(relation))
}
