//! From rows to figures of the subject, one row for each.

use super::apply::apply;
use super::builder::PlanBuilder;
use super::domain::{FigureUnit, Role};
use super::draw::Draw;
use super::pattern::PatternStage;
use super::relation::{OpenRelation, RelationColumn};
use super::stages::stage;

/// Returns ends of names for a block with one row for each subject: what there is of it, or what is
/// added up of it first.
fn by_subject(relation: &OpenRelation, subject: &str) -> Vec<String> {
    let mut found = ends(&[&format!("{subject}_{{}}"), &format!("{{}}_by_{subject}"), &format!("{{}}_per_{subject}")]);
    let sums = relation.columns.iter().filter(|column| column.meaning.sum);
    let figure = sums.filter_map(|column| column.meaning.origin.split_once('.')).map(|(_, figure)| figure).next();
    if let Some(figure) = figure.filter(|figure| *figure != "*" && figure.len() <= LONGEST_FIGURE) {
        found.extend([
            format!("{subject}_{figure}"),
            format!("{figure}_by_{subject}"),
            format!("{figure}_per_{subject}"),
        ]);
    }
    found
}

/// Letters of a figure, beyond which no block is named after it.
const LONGEST_FIGURE: usize = 16;

/// Returns ends of names as `PlanBuilder::block_names` takes them.
pub fn ends(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Keeps the figures of rows of which each subject has one; `None` without figures.
pub fn as_they_are(
    builder: &mut PlanBuilder<'_>,
    mut relation: OpenRelation,
    key: &str,
    draw: Draw,
) -> Option<OpenRelation> {
    let is_shown = |column: &RelationColumn| column.meaning.figure.is_some() && !column.meaning.is_foreign();
    relation.columns.retain(|column| column.name == key || is_shown(column));
    if relation.columns.len() < 2 {
        return None;
    }
    for column in relation.columns.iter_mut().filter(|column| column.name != key) {
        column.meaning.sum = column.meaning.figure != Some(FigureUnit::Measure);
    }
    let names = builder.block_names(&relation, &ends(&["now", "state", "current", "of_day", "today"]), draw);
    let purpose = relation.many.clone();
    relation.finish(&mut builder.plan, names, purpose);
    Some(relation)
}

/// Most figures of a fact that are added up because the question asks for them.
const MOST_ASKED: usize = 3;

/// Adds up the figures that the question asks for, `most` of them; returns how many.
fn asked_sums(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    most: usize,
    draw: Draw,
) -> Result<usize, minijinja::Error> {
    let library = builder.library;
    let Some(pattern) = library.stage(PatternStage::Measure).find(|pattern| pattern.name == "figure_sum") else {
        return Ok(0);
    };
    let asked = relation.columns.iter().filter(|column| builder.is_asked(&column.meaning.origin)).count();
    let mut done = 0;
    for number in 0..asked.min(most) {
        done += usize::from(apply(builder, relation, pattern, draw.nth("sum", number))?);
    }
    Ok(done)
}

/// Aggregates the rows by the subject with up to `measures` patterns; only the key and the new figures stay.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn group(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    key: &str,
    measures: usize,
    draw: Draw,
) -> Result<(), minijinja::Error> {
    let Some(key_column) = relation.column(key).cloned() else { return Ok(()) };
    let subject = builder.subject.clone();
    let before: Vec<String> = relation.columns.iter().map(|column| column.name.clone()).collect();
    for column in &mut relation.columns {
        column.meaning.grouped = builder.is_constant(column, key, &subject);
    }
    let asked = asked_sums(builder, relation, measures.min(MOST_ASKED), draw.at("asked"))?;
    stage(builder, relation, PatternStage::Measure, measures - asked, draw.at("measures"))?;
    for column in &mut relation.columns {
        column.meaning.grouped = false;
    }
    relation.columns.retain(|column| column.name == key || !before.contains(&column.name));
    if key_column.meaning.missing {
        builder.plan.blocks[relation.block].guard(format!("{} IS NOT NULL", key_column.text));
    }
    builder.plan.blocks[relation.block].groups = vec![key_column.text.clone()];
    relation.grouped = true;
    relation.grain = vec![key.to_owned()];
    let one = builder.domain.entities.get(&subject).map_or(&subject, |entity| &entity.one);
    let purpose = format!("{} per {one}", relation.many);
    let names = builder.block_names(relation, &by_subject(relation, &subject), draw.at("name"));
    relation.finish(&mut builder.plan, names, purpose);
    builder.plan.blocks[relation.block].milestone = true;
    if let Some(column) = relation.columns.iter_mut().find(|column| column.name == key) {
        column.meaning.role = Role::Reference;
    }
    builder.note_figures(relation);
    Ok(())
}
