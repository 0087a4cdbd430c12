//! Tables that record the same kind of thing under different names, put together.

use super::builder::PlanBuilder;
use super::domain::{FigureUnit, Listed, Role, Similar, Table};
use super::draw::Draw;
use super::fact_figures::{FactSize, rows};
use super::piece;
use super::plan::{BlockColumn, PlannedDecision, RowSource};
use super::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// Returns the text of a table's column in a relation of its rows. If a decision between two columns has replaced it,
/// that is the text of a column with the same role and entity.
pub(super) fn text_of(builder: &PlanBuilder<'_>, relation: &OpenRelation, column: &str) -> Option<String> {
    if let Some(found) = relation.column(&builder.names.column(&relation.table, column)) {
        return Some(found.text.clone());
    }
    let known = builder.domain.tables.get(&relation.table)?.columns.get(column)?;
    let same = |other: &&RelationColumn| {
        other.meaning.role == known.role && other.meaning.entity == known.entity && other.meaning.figure.is_none()
    };
    relation.columns.iter().find(same).map(|column| column.text.clone())
}

/// Plans the rows of tables that record the same kind of thing, under common names. Returns the name of the column with
/// the source table's mark as well.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn united(
    builder: &mut PlanBuilder<'_>,
    name: &str,
    model: &Similar,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<(OpenRelation, String)>, minijinja::Error> {
    let mark = draw.at("mark").one_of(["source", "src", "source_type", "origin_system"]);
    let mut members = Vec::new();
    let mut meanings: Vec<(&str, ColumnMeaning)> = Vec::new();
    for (number, (table_name, columns)) in model.tables.iter().enumerate() {
        let Some(relation) = rows(builder, table_name, fact_size, draw.nth("member", number))? else {
            return Ok(None);
        };
        let Some(table) = builder.domain.tables.get(table_name) else { return Ok(None) };
        let Some(mut outputs) = common_outputs(builder, &relation, columns) else { return Ok(None) };
        if number == 0 {
            let columns = columns.iter();
            let meaning = columns.map(|(common, sql)| Some((common, common_meaning(model, table_name, table, sql)?)));
            let Some(found) = meaning.collect() else { return Ok(None) };
            meanings = found;
        }
        let value = model.marks.get(table_name).cloned().unwrap_or_default();
        outputs.push(BlockColumn::kept(mark, format!("'{value}'")));
        let block = &mut builder.plan.blocks[relation.block];
        block.outputs = outputs;
        block.purpose.clone_from(&table.many);
        members.push(relation.block);
    }
    let set_operator = set_operator(builder, model, draw.at("equal"));
    let names = vec![format!("{name}_all"), format!("all_{name}")];
    let union = builder.plan.union(members, set_operator, names, format!("{} of all sources", model.many));
    let (block, slot) = builder.plan.block(RowSource::Block(union));
    meanings.push((mark, source_meaning(builder, model)));
    let column = |(name, meaning): (&str, ColumnMeaning)| RelationColumn {
        name: name.to_owned(),
        text: piece::column(slot, name),
        meaning,
    };
    let columns = meanings.into_iter().map(column).collect();
    Ok(Some((OpenRelation::over(block, columns, &model.one, &model.many, name), mark.to_owned())))
}

/// Returns what the column with the source table's mark means.
fn source_meaning(builder: &PlanBuilder<'_>, model: &Similar) -> ColumnMeaning {
    let many = |table: &str| builder.domain.tables.get(table).map_or_else(String::new, |table| table.many.clone());
    let words = |(table, mark): (&str, &String)| (mark.clone(), format!("from {}", many(table)));
    let values = model.marks.iter().map(words).collect();
    ColumnMeaning { values, fresh: true, ..ColumnMeaning::plain(Role::Code, "STRING", "source") }
}

/// Returns UNION ALL or UNION, by a decision.
fn set_operator(builder: &mut PlanBuilder<'_>, model: &Similar, draw: Draw) -> String {
    let decided = PlannedDecision::new("equal_rows", "Set Operations")
        .says(
            format!("{} that look the same all count", model.many),
            format!("{} that look the same count once", model.many),
        )
        .shown_by("two rows that are equal in all columns taken over");
    builder.plan.decide(draw, decided, ["UNION ALL", "UNION"])
}

/// Returns the common columns, of names and SQL, that the rows of a table give; `None` if they lack one.
fn common_outputs(
    builder: &PlanBuilder<'_>,
    relation: &OpenRelation,
    columns: &Listed<String>,
) -> Option<Vec<BlockColumn>> {
    let table = builder.domain.tables.get(&relation.table)?;
    let output = |(common, sql): (&str, &String)| {
        let text = |column: &str| text_of(builder, relation, column);
        let text = if table.columns.has(sql) { text(sql)? } else { builder.names.expand(table, sql, text) };
        (!text.contains('{')).then(|| BlockColumn::kept(common, text))
    };
    columns.iter().map(output).collect()
}

/// Returns what a common column of similar tables means, from what it means in the first; `None` if its SQL reads none.
fn common_meaning(model: &Similar, table_name: &str, table: &Table, sql: &str) -> Option<ColumnMeaning> {
    let is_read = |name: &str| name == sql || sql.contains(&format!("{{{name}}}"));
    let (name, column) = table.columns.iter().find(|(name, _)| is_read(name))?;
    let mut meaning = ColumnMeaning::of(table_name, name, column);
    meaning.origin.clear();
    meaning.values.clear();
    let figure = match meaning.role {
        Role::Amount => Some((FigureUnit::Amount, "DECIMAL(18,2)", "amount")),
        Role::Quantity => Some((FigureUnit::Quantity, "BIGINT", "quantity")),
        Role::Duration => Some((FigureUnit::Duration, "BIGINT", "time")),
        _ => None,
    };
    if let Some((unit, kind, words)) = figure {
        meaning.figure = Some(unit);
        meaning.kind = kind.to_owned();
        meaning.words = format!("{words} of {}", model.many);
        meaning.missing = false;
    } else if !table.columns.has(sql) {
        meaning.missing = true;
    }
    Some(meaning)
}
