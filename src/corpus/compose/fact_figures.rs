//! From the rows of one table to figures of the subject; cleaned, enriched, grouped.

use super::apply::apply;
use super::builder::PlanBuilder;
use super::domain::TableKind;
use super::draw::Draw;
use super::pattern::{Pattern, PatternStage};
use super::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use super::rules::rules;
use super::scan::scan;
use super::stages::stage;
use super::subject_figures::{as_they_are, ends, group};

/// How many steps of each kind lead from rows to figures at most.
#[derive(Clone, Copy, Debug)]
pub struct FactSize {
    /// Patterns that clean, beside the choice of one version of each row.
    pub clean: usize,
    /// Rules of the business over which rows count.
    pub rules: usize,
    /// Patterns that read other tables.
    pub enrich: usize,
    /// Patterns that add columns.
    pub row: usize,
    /// Patterns that aggregate.
    pub measures: usize,
}

/// Plans the figures of a fact, one row for each subject; `None` if the fact does not reach the subject.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn fact_figures(
    builder: &mut PlanBuilder<'_>,
    fact: &str,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let Some(relation) = rows(builder, fact, fact_size, draw)? else { return Ok(None) };
    figures(builder, relation, fact_size, draw)
}

/// Plans the rows of a fact, cleaned and under the rules of the business.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn rows(
    builder: &mut PlanBuilder<'_>,
    fact: &str,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let Some(mut relation) = scan(builder, fact, draw.at("scan")) else { return Ok(None) };
    let Some(table) = builder.domain.tables.get(fact) else { return Ok(None) };
    one_version(builder, &mut relation, draw.at("clean"))?;
    // Rules come before values are tidied: nobody filters by the text of a long expression.
    rules(builder, &mut relation, table, fact_size.rules, draw.at("rules"));
    stage(builder, &mut relation, PatternStage::Clean, fact_size.clean, draw.at("clean"))?;
    Ok(Some(relation))
}

/// Plans the figures of rows, one row for each subject; `None` if the rows do not reach the subject.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn figures(
    builder: &mut PlanBuilder<'_>,
    mut relation: OpenRelation,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let Some(key) = subject_column(builder, &mut relation, draw.at("reach")) else { return Ok(None) };
    if relation.is_single(&key) {
        return Ok(as_they_are(builder, relation, &key, draw.at("group")));
    }
    stage(builder, &mut relation, PatternStage::Enrich, fact_size.enrich, draw.at("enrich"))?;
    stage(builder, &mut relation, PatternStage::Row, fact_size.row, draw.at("row"))?;
    let purpose = relation.many.clone();
    if builder.plan.blocks[relation.block].items.len() > 1 && draw.at("close").chance(0.85) {
        let names = builder.block_names(&relation, &ends(&["detail", "base", "enriched", "wide"]), draw.at("close"));
        relation.close(&mut builder.plan, names, purpose);
    }
    group(builder, &mut relation, &key, fact_size.measures, draw.at("group"))?;
    Ok(Some(relation))
}

/// Chooses one version of each row.
fn one_version(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, draw: Draw) -> Result<(), minijinja::Error> {
    if !relation.repeats.is_empty() {
        let versions: Vec<&Pattern> =
            builder.library.stage(PatternStage::Clean).filter(|pattern| pattern.needs.repeats).collect();
        let weights: Vec<f64> = versions.iter().map(|pattern| pattern.weight).collect();
        // Most relations of a script choose versions in the same way.
        let way = if draw.at("own_way").chance(0.1) { draw.at("way") } else { builder.draw.at("version") };
        if let Some(place) = way.weighted(&weights) {
            apply(builder, relation, versions[place], draw.at("version"))?;
            relation.repeats.clear();
        }
    }
    Ok(())
}

/// Returns the name of the column with the subject; if the relation has none, a dimension is joined that has one. `None` if
/// there is no such dimension.
pub fn subject_column(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, draw: Draw) -> Option<String> {
    let subject = builder.subject.clone();
    let is_subject = |entity: &Option<String>| entity.as_ref() == Some(&subject);
    if let Some(column) = relation.columns.iter().find(|column| is_subject(&column.meaning.entity)) {
        return Some(column.name.clone());
    }
    let references: Vec<RelationColumn> =
        relation.columns.iter().filter(|column| column.meaning.entity.is_some()).cloned().collect();
    for reference in references {
        let dimension = builder.domain.tables.iter().find(|(_, table)| {
            table.kind == TableKind::Dimension
                && table.entity == reference.meaning.entity
                && table.columns.iter().any(|(_, column)| is_subject(&column.entity))
        });
        let Some((name, table)) = dimension else { continue };
        let key = table.columns.iter().find(|(_, column)| column.entity == table.entity)?;
        let (column_name, column) = table.columns.iter().find(|(_, column)| is_subject(&column.entity))?;
        let wanted = [key.0.to_owned(), column_name.to_owned()];
        let brought = builder.add_table(relation.block, name, &wanted, draw.at(name));
        let mut on = vec![format!("{} = {}", reference.text, brought.column(key.0))];
        on.extend(brought.conditions.clone());
        builder.plan.join_last(relation.block, "JOIN".to_owned(), on);
        let real = relation.free_name(&builder.names.column(name, column_name));
        let meaning = ColumnMeaning::of(name, column_name, column);
        relation.columns.push(RelationColumn { name: real.clone(), text: brought.column(column_name), meaning });
        return Some(real);
    }
    None
}
