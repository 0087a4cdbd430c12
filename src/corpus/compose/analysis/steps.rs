//! Steps that analyses share: rows of an event, groups, sums under a condition, results.

use crate::corpus::compose::apply::apply;
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{BusinessQuestion, FigureUnit, Role, Table, TableKind};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::{FactSize, rows, subject_column};
use crate::corpus::compose::pattern::PatternStage;
use crate::corpus::compose::plan::PlannedDecision;
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use crate::corpus::compose::stages::stage;

/// Plans the rows of an event of the question that reaches the subject, whose column is named in the result.
pub(super) fn event_rows(
    builder: &mut PlanBuilder<'_>,
    question: &BusinessQuestion,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<(OpenRelation, String)>, minijinja::Error> {
    let is_event = |fact: &&String| builder.domain.tables.get(fact).is_some_and(|table| table.kind == TableKind::Event);
    let facts: Vec<&String> = question.asked_facts().into_iter().filter(is_event).collect();
    for fact in draw.at("fact").shuffled(&facts) {
        let Some(mut relation) = rows(builder, fact, fact_size, draw.at(fact))? else { continue };
        if let Some(key) = subject_column(builder, &mut relation, draw.at("reach")) {
            return Ok(Some((relation, key)));
        }
    }
    Ok(None)
}

/// Plans rows as [`event_rows`] does and enriches them with other tables; `None` also if that multiplies rows.
pub(super) fn enriched_rows(
    builder: &mut PlanBuilder<'_>,
    question: &BusinessQuestion,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<(OpenRelation, String)>, minijinja::Error> {
    let Some((mut relation, key)) = event_rows(builder, question, fact_size, draw.at("rows"))? else {
        return Ok(None);
    };
    stage(builder, &mut relation, PatternStage::Enrich, fact_size.enrich, draw.at("enrich"))?;
    Ok((!relation.multiplied).then_some((relation, key)))
}

/// Returns the figures of rows that may be added up, in the currency of the domain.
pub(super) fn additive(relation: &OpenRelation) -> Vec<RelationColumn> {
    let adds = |column: &&RelationColumn| {
        let unit = column.meaning.figure;
        matches!(unit, Some(FigureUnit::Amount | FigureUnit::Quantity | FigureUnit::Duration))
            && !column.meaning.is_foreign()
            && !column.meaning.grouped
    };
    relation.columns.iter().filter(adds).cloned().collect()
}

/// Returns the codes and statuses of type STRING with two to eight known values.
pub(super) fn coded(relation: &OpenRelation) -> Vec<RelationColumn> {
    let known = |column: &&RelationColumn| {
        let meaning = &column.meaning;
        matches!(meaning.role, Role::Code | Role::Status)
            && meaning.figure.is_none()
            && (2..=8).contains(&meaning.values.len())
            && meaning.kind == "STRING"
    };
    relation.columns.iter().filter(known).cloned().collect()
}

/// Returns the column with the day to which a row belongs by its partition.
pub(super) fn partition_day(builder: &PlanBuilder<'_>, relation: &OpenRelation) -> Option<RelationColumn> {
    let partition = builder.domain.tables.get(&relation.table)?.partition.as_ref()?;
    relation.column(&partition.column).cloned()
}

/// Returns the text of a row's day, by its partition or its moment; one decision for each table.
pub(super) fn day_text(builder: &mut PlanBuilder<'_>, relation: &OpenRelation, draw: Draw) -> Option<String> {
    let partition = partition_day(builder, relation)?;
    let Some(moment) = relation.moment() else { return Some(partition.text) };
    let decided = PlannedDecision::new("time_axis", "Date/Time Logic")
        .says(
            format!("{} count on the {}", relation.many, partition.meaning.words),
            format!("{} count on the day of the {}", relation.many, moment.meaning.words),
        )
        .shown_by("rows whose moment lies on another day than their partition");
    let forms = [partition.text.clone(), format!("SUBSTR({}, 1, 10)", moment.text)];
    Some(builder.decide_once(&format!("axis.{}", relation.table), draw, decided, forms))
}

/// How the open block is grouped.
pub(super) struct Group {
    /// Columns by which rows are grouped.
    pub keys: Vec<String>,
    /// Aggregates, as columns.
    pub figures: Vec<RelationColumn>,
    /// Ends of names for the block.
    pub called: Vec<String>,
    /// What the block holds.
    pub purpose: String,
}

/// Groups the open block and opens one that reads it; returns the number of the grouped one.
pub(super) fn group(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, group: Group, draw: Draw) -> usize {
    let names = builder.block_names(relation, &group.called, draw);
    let block = relation.block;
    for key in &group.keys {
        builder.require(relation, key);
    }
    builder.plan.blocks[block].groups = relation.texts(&group.keys);
    let keys = group.keys.iter().filter_map(|key| relation.column(key).cloned());
    relation.columns = keys.chain(group.figures).collect();
    for column in &mut relation.columns {
        column.meaning.missing &= !group.keys.contains(&column.name);
        column.meaning.grouped = false;
    }
    relation.grain = group.keys;
    relation.grouped = true;
    relation.multiplied = false;
    builder.note_figures(relation);
    relation.close(&mut builder.plan, names, group.purpose);
    builder.plan.blocks[block].milestone = true;
    block
}

/// Ends the open block and opens one that reads it; returns the number of the former. `ends` describe what was done.
pub(super) fn close(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    ends: &[&str],
    purpose: String,
    draw: Draw,
) -> usize {
    let ends: Vec<String> = ends.iter().map(|end| (*end).to_owned()).collect();
    let names = builder.block_names(relation, &ends, draw);
    let block = relation.block;
    relation.close(&mut builder.plan, names, purpose);
    block
}

/// Share of results that are sorted without need.
const SORTED: f64 = 0.2;

/// Ends the open block as a result.
pub(super) fn result(builder: &mut PlanBuilder<'_>, relation: OpenRelation, purpose: &str) -> OpenRelation {
    relation.finish(&mut builder.plan, vec!["result".to_owned()], purpose.to_owned());
    builder.plan.results.push(relation.block);
    let is_sorted = builder.draw.nth("sorted", relation.block).chance(SORTED);
    let block = &mut builder.plan.blocks[relation.block];
    if block.limit.is_empty() && !is_sorted {
        // The order of rows that fill a table has no effect.
        block.order.clear();
    }
    relation
}

/// The unit and the SQL type of a figure.
#[derive(Clone, Copy)]
pub(super) struct FigureType<'a> {
    pub unit: FigureUnit,
    pub sql: &'a str,
}

impl<'a> FigureType<'a> {
    pub(super) const COUNT: FigureType<'static> = FigureType { unit: FigureUnit::Quantity, sql: "BIGINT" };
    pub(super) const AMOUNT: FigureType<'static> = FigureType { unit: FigureUnit::Amount, sql: "DECIMAL(18,2)" };
    pub(super) const MEASURE: FigureType<'static> = FigureType { unit: FigureUnit::Measure, sql: "DOUBLE" };
    pub(super) const SHARE: FigureType<'static> = FigureType { unit: FigureUnit::Measure, sql: "DECIMAL(18,4)" };
    /// A place in an order, or a number of days.
    pub(super) const NUMBER: FigureType<'static> = FigureType { unit: FigureUnit::Measure, sql: "INT" };

    /// Returns those of a column, with `unit` if it is no figure.
    pub(super) fn of(column: &'a RelationColumn, unit: FigureUnit) -> FigureType<'a> {
        FigureType { unit: column.meaning.figure.unwrap_or(unit), sql: &column.meaning.kind }
    }
}

/// Returns a new figure.
pub(super) fn figure(
    name: impl Into<String>,
    text: impl Into<String>,
    kind: FigureType<'_>,
    words: impl Into<String>,
) -> RelationColumn {
    let mut meaning = ColumnMeaning::plain(Role::Measure, kind.sql, words);
    meaning.figure = Some(kind.unit);
    RelationColumn { name: name.into(), text: text.into(), meaning }
}

/// Returns the number of rows, as a figure.
pub(super) fn row_count(relation: &OpenRelation, name: &str) -> RelationColumn {
    let words = format!("number of {}", relation.many);
    let mut counted = figure(name, "COUNT(*)", FigureType::COUNT, words);
    counted.meaning.sum = true;
    counted.meaning.origin = format!("{}.*", relation.table);
    counted
}

/// Returns the sum of a figure.
pub(super) fn sum_of(column: &RelationColumn, name: String, words: impl Into<String>) -> RelationColumn {
    let mut meaning = ColumnMeaning::plain(Role::Measure, &column.meaning.kind, words);
    meaning.figure = column.meaning.figure;
    meaning.origin.clone_from(&column.meaning.origin);
    meaning.sum = true;
    RelationColumn { name, text: format!("SUM({})", column.text), meaning }
}

/// Which of four ways to write aggregates under a condition an analysis uses.
#[derive(Clone, Copy)]
pub(super) struct Conditional(usize);

impl Conditional {
    /// Draws a way.
    pub(super) fn draw(draw: Draw) -> Conditional {
        Conditional(draw.below(4))
    }

    /// Returns the sum of `value` over rows for which `condition` holds; 0 if there are none among the rows.
    pub(super) fn sum(self, condition: &str, value: &str) -> String {
        match self.0 {
            0 => format!("SUM(IF({condition}, {value}, 0))"),
            3 => format!("COALESCE(SUM(CASE WHEN {condition} THEN {value} END), 0)"),
            _ => format!("SUM(CASE WHEN {condition} THEN {value} ELSE 0 END)"),
        }
    }

    /// Returns the number of rows for which `condition` holds.
    pub(super) fn count(self, condition: &str) -> String {
        match self.0 {
            0 => format!("SUM(IF({condition}, 1, 0))"),
            1 => format!("COUNT(CASE WHEN {condition} THEN 1 END)"),
            _ => format!("SUM(CASE WHEN {condition} THEN 1 ELSE 0 END)"),
        }
    }

    /// Returns the number of different values of `value` among rows for which `condition` holds.
    pub(super) fn distinct(self, condition: &str, value: &str) -> String {
        match self.0 {
            0 => format!("COUNT(DISTINCT IF({condition}, {value}, NULL))"),
            _ => format!("COUNT(DISTINCT CASE WHEN {condition} THEN {value} END)"),
        }
    }
}

/// Joins a dimension for some names and codes of an entity, whose key is in the column `key`. Rows without a partner
/// there stay or go by a decision, unless an earlier step has left none.
pub(super) fn describe(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    entity: &str,
    key: &str,
    draw: Draw,
) {
    let is_matched = relation.column(key).is_some_and(|column| column.meaning.is_matched);
    let Some(dimension) = described(builder, relation, entity, key, draw) else { return };
    let many = &dimension.many;
    let decided = PlannedDecision::new("without_partner", "JOIN Type Selection")
        .says(
            format!("rows that match none of the {many} are shown too"),
            format!("rows that match none of the {many} are left out"),
        )
        .shown_by("keys that are in no dimension");
    let join = match is_matched {
        true => "JOIN".to_owned(),
        false => builder.decide_once(&format!("described.{many}"), draw.at("join"), decided, ["LEFT JOIN", "JOIN"]),
    };
    builder.plan.set_join(relation.block, join);
}

/// Joins a dimension as [`describe`] does; all rows stay.
pub(super) fn describe_all(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    entity: &str,
    key: &str,
    draw: Draw,
) {
    if described(builder, relation, entity, key, draw).is_some() {
        builder.plan.set_join(relation.block, "LEFT JOIN".to_owned());
    }
}

/// Whether a table has a row for each `entity`, with what it is called.
pub(super) fn describes(table: &Table, entity: &str) -> bool {
    matches!(table.kind, TableKind::Dimension | TableKind::CodeList) && table.entity.as_deref() == Some(entity)
}

/// Adds an entity's dimension to the FROM of the open block, for some names and codes; the caller says how it is joined.
fn described<'a>(
    builder: &mut PlanBuilder<'a>,
    relation: &mut OpenRelation,
    entity: &str,
    key: &str,
    draw: Draw,
) -> Option<&'a Table> {
    let domain = builder.domain;
    let (name, table) = domain.tables.iter().find(|(_, table)| describes(table, entity))?;
    let (there, _) = table.columns.iter().find(|(_, column)| column.entity.as_deref() == Some(entity))?;
    let describing: Vec<&str> = table
        .columns
        .iter()
        .filter(|(_, column)| matches!(column.role, Role::Name | Role::Code) && column.kind == "STRING")
        .map(|(name, _)| name)
        .collect();
    let shown: Vec<&str> =
        draw.at("told").shuffled(&describing).into_iter().take(draw.at("count").between(1, 3)).collect();
    let column = relation.column(key).cloned()?;
    if shown.is_empty() {
        return None;
    }
    let wanted: Vec<String> = std::iter::once(there).chain(shown.iter().copied()).map(str::to_owned).collect();
    let brought = builder.add_table(relation.block, name, &wanted, draw.at("bring"));
    let mut on = vec![key_condition(&column, &brought.column(there), draw.at("key"))];
    on.extend(brought.conditions.clone());
    builder.plan.join_last(relation.block, String::new(), on);
    for column_name in shown {
        let Some(column) = table.columns.get(column_name) else { continue };
        let real = relation.free_name(&builder.names.column(name, column_name));
        let meaning = ColumnMeaning::of(name, column_name, column);
        let column = RelationColumn { name: real, text: brought.column(column_name), meaning };
        relation.columns.push(column.nullable());
    }
    Some(table)
}

/// Returns the condition that joins a key to its dimension. For a key that may be NULL, some scripts match the member
/// '-1', or NULL itself by `<=>`.
fn key_condition(key: &RelationColumn, there: &str, draw: Draw) -> String {
    let here = &key.text;
    match draw.below(4) {
        0 if key.meaning.missing && key.meaning.kind == "STRING" => format!("COALESCE({here}, '-1') = {there}"),
        1 if key.meaning.missing => format!("{here} <=> {there}"),
        _ => format!("{here} = {there}"),
    }
}

/// Returns the relation with a new open block that reads `block`, which has the same columns.
pub(super) fn read_again(builder: &mut PlanBuilder<'_>, relation: &OpenRelation, block: usize) -> OpenRelation {
    let mut again = relation.clone();
    again.read(&mut builder.plan, block);
    again
}

/// Returns the plural of the entity with this name.
pub(super) fn plural(builder: &PlanBuilder<'_>, entity: &str) -> String {
    builder.domain.entities.get(entity).map_or_else(|| entity.to_owned(), |entity| entity.many.clone())
}

/// Returns the singular of the entity with this name.
pub(super) fn singular(builder: &PlanBuilder<'_>, entity: &str) -> String {
    builder.domain.entities.get(entity).map_or_else(|| entity.to_owned(), |entity| entity.one.clone())
}

/// Adds ratios of the domain whose figures the relation has.
pub(super) fn ratios(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    draw: Draw,
) -> Result<(), minijinja::Error> {
    let library = builder.library;
    for pattern in library.stage(PatternStage::Derive).filter(|pattern| pattern.needs.ratio) {
        for round in 0..3 {
            apply(builder, relation, pattern, draw.at(&pattern.name).nth("round", round))?;
        }
    }
    Ok(())
}
