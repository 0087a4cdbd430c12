//! Branches: from the rows of one table to figures of the subject; cleaned, enriched, grouped.

use super::apply::apply;
use super::builder::PlanBuilder;
use super::domain::{Role, Table, TableKind};
use super::draw::Draw;
use super::pattern::{Pattern, PatternStage};
use super::plan::PlannedDecision;
use super::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use super::scan::scan;

/// How many of each kind of step a branch takes at most.
#[derive(Clone, Copy, Debug)]
pub struct BranchSize {
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
pub fn branch(
    builder: &mut PlanBuilder<'_>,
    fact: &str,
    subject: &str,
    effort: BranchSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let Some(relation) = rows(builder, fact, effort, draw)? else { return Ok(None) };
    figures(builder, relation, subject, effort, draw)
}

/// Plans the rows of a fact, cleaned and under the rules of the business.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn rows(
    builder: &mut PlanBuilder<'_>,
    fact: &str,
    effort: BranchSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let Some(mut relation) = scan(builder, fact, draw.at("scan")) else { return Ok(None) };
    let Some(table) = builder.domain.tables.get(fact) else { return Ok(None) };
    clean(builder, &mut relation, effort, draw.at("clean"))?;
    rules(builder, &mut relation, table, effort.rules, draw.at("rules"));
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
    subject: &str,
    effort: BranchSize,
    draw: Draw,
) -> Result<Option<OpenRelation>, minijinja::Error> {
    let Some(key) = reach(builder, &mut relation, subject, draw.at("reach")) else { return Ok(None) };
    stage(builder, &mut relation, PatternStage::Enrich, effort.enrich, draw.at("enrich"))?;
    stage(builder, &mut relation, PatternStage::Row, effort.row, draw.at("row"))?;
    let purpose = relation.many.clone();
    if builder.plan.blocks[relation.block].items.len() > 1 && draw.at("close").chance(0.85) {
        let names = builder.block_names(&relation, &ends(&["detail", "base", "enriched", "wide"]), draw.at("close"));
        relation.close(&mut builder.plan, names, purpose);
    }
    group(builder, &mut relation, &key, subject, effort, draw.at("group"))?;
    Ok(Some(relation))
}

/// Returns ends of names as `PlanBuilder::block_names` takes them.
pub fn ends(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Patterns of a stage that are applied whatever the story is, if as many are wanted.
const LEAST_OF_STAGE: usize = 2;

/// Applies up to `count` drawn patterns of a stage, fewer if the story of the script has no more; returns how many.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn stage(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    stage: PatternStage,
    count: usize,
    draw: Draw,
) -> Result<usize, minijinja::Error> {
    let library = builder.library;
    let mut candidates: Vec<&Pattern> = library.stage(stage).filter(|pattern| !pattern.needs.repeats).collect();
    let mut done = 0;
    let mut round = 0;
    while done < count && !candidates.is_empty() {
        if done >= LEAST_OF_STAGE && !candidates.iter().any(|pattern| pattern.belongs_to(&builder.story)) {
            // Nothing more belongs to the story.
            break;
        }
        let weights: Vec<f64> = candidates.iter().map(|pattern| pattern.weight_in(&builder.story)).collect();
        let draw = draw.nth("round", round);
        round += 1;
        let Some(place) = draw.weighted(&weights) else { break };
        let pattern = candidates[place];
        let applied = apply(builder, relation, pattern, draw.at(&pattern.name))?;
        done += usize::from(applied);
        if !applied || !pattern.again {
            candidates.remove(place);
        }
    }
    Ok(done)
}

/// Chooses one version of each row, and applies patterns that clean.
fn clean(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    effort: BranchSize,
    draw: Draw,
) -> Result<(), minijinja::Error> {
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
    stage(builder, relation, PatternStage::Clean, effort.clean, draw)?;
    Ok(())
}

/// Adds rules of the business over which rows count.
fn rules(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, table: &Table, count: usize, draw: Draw) {
    let names: Vec<&str> = table.rules.names().collect();
    let table_name = relation.table.clone();
    for name in draw.shuffled(&names).into_iter().take(count) {
        let Some(rule) = table.rules.get(name) else { continue };
        let text = |column: &str| {
            let real = builder.names.column(&table_name, column);
            relation.column(&real).map(|column| column.text.clone())
        };
        let keep = builder.names.expand(table, &rule.keep, text);
        let other = rule.otherwise.as_ref().map(|other| builder.names.expand(table, other, text));
        let both = format!("{keep}{}", other.as_deref().unwrap_or_default());
        if both.contains('{') {
            // A column of the rule is not there any more.
            continue;
        }
        let is_read = |column: &&str| both_sql(rule).contains(&format!("{{{column}}}"));
        let named: Vec<String> =
            table.columns.names().filter(is_read).map(|column| builder.names.column(&table_name, column)).collect();
        if rule.keep.ends_with("IS NOT NULL")
            && !relation.columns.iter().any(|column| named.contains(&column.name) && column.meaning.missing)
        {
            continue;
        }
        let texts = relation.texts(&named);
        // A figure with CASE or IF over the column would deal with values that the rule has left out.
        relation.columns.retain(|column| {
            let cases = column.text.contains("CASE ") || column.text.contains("IF(");
            column.meaning.figure.is_none() || !cases || !texts.iter().any(|text| column.text.contains(text))
        });
        for column in relation.columns.iter_mut().filter(|column| named.contains(&column.name)) {
            // The rule may leave out some of the values.
            column.meaning.values.clear();
            column.meaning.missing &= !rule.keep.ends_with("IS NOT NULL");
        }
        let decided = PlannedDecision::new(format!("rule.{name}"), "Correctness")
            .says(rule.words.clone(), rule.otherwise_words.clone())
            .shown_by("rows that one form keeps and the other does not");
        let forms = [conjunct(&keep), other.map(|other| conjunct(&other)).unwrap_or_default()];
        let filter = builder.decide_once(&format!("rule.{table_name}.{name}"), draw.at(name), decided, forms);
        builder.plan.blocks[relation.block].filters.push(filter);
    }
}

/// Returns the SQL of both forms.
fn both_sql(rule: &super::domain::PopulationRule) -> String {
    format!("{} {}", rule.keep, rule.otherwise.as_deref().unwrap_or_default())
}

/// Returns a condition, in parentheses if it has an OR.
fn conjunct(text: &str) -> String {
    if text.contains(" OR ") && !text.starts_with('(') { format!("({text})") } else { text.to_owned() }
}

/// Returns the name of the column with the subject, for which a dimension is joined if the relation has none.
pub fn reach(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, subject: &str, draw: Draw) -> Option<String> {
    let own = |relation: &OpenRelation| {
        let column = relation.columns.iter().find(|column| column.meaning.entity.as_deref() == Some(subject));
        column.map(|column| column.name.clone())
    };
    if let Some(name) = own(relation) {
        return Some(name);
    }
    let references: Vec<RelationColumn> =
        relation.columns.iter().filter(|column| column.meaning.entity.is_some()).cloned().collect();
    for reference in references {
        let dimension = builder.domain.tables.iter().find(|(_, table)| {
            table.kind == TableKind::Dimension
                && table.entity == reference.meaning.entity
                && table.columns.iter().any(|(_, column)| column.entity.as_deref() == Some(subject))
        });
        let Some((name, table)) = dimension else { continue };
        let key = table.columns.iter().find(|(_, column)| column.entity == table.entity)?;
        let (column_name, column) =
            table.columns.iter().find(|(_, column)| column.entity.as_deref() == Some(subject))?;
        let wanted = [key.0.to_owned(), column_name.to_owned()];
        let brought = builder.add_table(relation.block, name, &wanted, draw.at(name));
        let item = builder.plan.blocks[relation.block].items.last_mut()?;
        item.join = "JOIN".to_owned();
        item.on = vec![format!("{} = {}", reference.text, brought.column(key.0))];
        item.on.extend(brought.conditions.clone());
        let real = relation.free_name(&builder.names.column(name, column_name));
        let meaning = ColumnMeaning::of(name, column_name, column);
        relation.columns.push(RelationColumn { name: real.clone(), text: brought.column(column_name), meaning });
        return Some(real);
    }
    None
}

/// Aggregates the rows by the subject; only the key and the new figures stay.
fn group(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    key: &str,
    subject: &str,
    effort: BranchSize,
    draw: Draw,
) -> Result<(), minijinja::Error> {
    let Some(key_column) = relation.column(key).cloned() else { return Ok(()) };
    let before: Vec<String> = relation.columns.iter().map(|column| column.name.clone()).collect();
    if let Some(column) = relation.columns.iter_mut().find(|column| column.name == key) {
        column.meaning.grouped = true;
    }
    stage(builder, relation, PatternStage::Measure, effort.measures, draw.at("measures"))?;
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
    let many = builder.domain.entities.get(subject).map_or(subject, |entity| entity.one.as_str());
    let purpose = format!("{} per {many}", relation.many);
    let end = format!("by_{subject}");
    let names =
        builder.block_names(relation, &[end, format!("{subject}_agg"), format!("{subject}_sum")], draw.at("name"));
    relation.finish(&mut builder.plan, names, purpose);
    builder.plan.blocks[relation.block].milestone = true;
    if let Some(column) = relation.columns.iter_mut().find(|column| column.name == key) {
        column.meaning.role = Role::Reference;
    }
    let block = relation.block;
    for column in &relation.columns {
        if column.meaning.figure.is_some() {
            builder.plan.notes.push((block, format!("`{}`: {}", column.name, column.meaning.words)));
        }
    }
    Ok(())
}
