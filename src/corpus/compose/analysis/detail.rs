//! Detail: cleaned rows with columns of their dimensions and codes in words, one row each, nothing added up.

use std::collections::HashSet;

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{close, coded, day_text, describe, enriched_rows, partition_day};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{FigureUnit, Role};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::piece::month;
use crate::corpus::compose::plan::PlannedDecision;
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// Plans the rows of an event with all that reports want to know of them.
pub(super) fn detail(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let Some((mut relation, key)) = enriched_rows(builder, question, size.fact_size, draw)? else { return Ok(None) };
    let many = relation.many.clone();
    if draw.at("apart").chance(0.6) {
        close(builder, &mut relation, &["base", "clean", "src", "valid"], many.clone(), draw.at("base"));
    }
    look_up(builder, &mut relation, 2 + size.facts / 2, draw.at("look_up"));
    if draw.at("then").chance(0.4) {
        close(builder, &mut relation, &["joined", "looked_up", "wide"], String::new(), draw.at("joined"));
    }
    dated(builder, &mut relation, draw.at("dated"));
    once(&mut relation);
    in_words(builder, &mut relation, draw.at("in_words"));
    measured(&mut relation, draw.at("measured"));
    arrange(builder, &mut relation, &key, draw.at("arrange"));
    if relation.columns.len() < 8 {
        return Ok(None);
    }
    let title = format!("{many} in detail");
    let end = draw.at("name").one_of(["detail", "wide", "all", "fact"]);
    let name = format!("{}_{end}", builder.names.table(&relation.table));
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Joins the dimensions of some of the entities that rows refer to, none that the plan has read.
fn look_up(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, count: usize, draw: Draw) {
    let mut known: HashSet<String> = HashSet::new();
    let references: Vec<RelationColumn> =
        relation.columns.iter().filter(|column| column.meaning.entity.is_some()).cloned().collect();
    for reference in draw.at("references").shuffled(&references) {
        let entity = reference.meaning.entity.clone().unwrap_or_default();
        let dimension = builder.domain.tables.iter().find(|(_, table)| table.entity.as_ref() == Some(&entity));
        let is_read = dimension.is_some_and(|(name, _)| builder.plan.tables().contains(name));
        if known.len() < count && !is_read && known.insert(entity.clone()) {
            describe(builder, relation, &entity, &reference.name, draw.at(&entity));
        }
    }
}

/// Adds the day of a row and parts of its moment.
fn dated(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, draw: Draw) {
    let day = day_text(builder, relation, draw.at("day"));
    let moment =
        relation.columns.iter().find(|column| column.meaning.role == Role::Time && column.meaning.kind == "STRING");
    let Some((day, moment)) = day.zip(moment.cloned()) else { return };
    let parts = [
        ("biz_day", day.clone(), "STRING", "business day"),
        ("biz_month", month(&day), "STRING", "month"),
        ("month_code", month_code(&day), "STRING", "month as six digits"),
        ("hour_no", format!("HOUR({})", moment.text), "INT", "hour of the day"),
        ("day_code", format!("CAST(DATE_FORMAT({day}, 'yyyyMMdd') AS INT)"), "INT", "day"),
        ("weekday_no", format!("PMOD(DATEDIFF({day}, '1900-01-01'), 7) + 1"), "INT", "day of the week, Monday is 1"),
    ];
    for (name, text, kind, words) in parts {
        if draw.at(name).chance(0.5) {
            let meaning = ColumnMeaning::plain(Role::Day, kind, words);
            relation.columns.push(RelationColumn { name: relation.free_name(name), text, meaning });
        }
    }
}

/// Returns the six digits of year and month of a day, as SQL.
fn month_code(day: &str) -> String {
    format!("CONCAT(CAST(YEAR({day}) AS STRING), LPAD(CAST(MONTH({day}) AS STRING), 2, '0'))")
}

/// Leaves out columns that a figure repeats: the figure is the same number under the name that reports use.
fn once(relation: &mut OpenRelation) {
    let figures: Vec<String> = relation
        .columns
        .iter()
        .filter(|column| column.meaning.figure.is_some())
        .map(|column| column.text.clone())
        .collect();
    let grain = relation.grain.clone();
    relation.columns.retain(|column| {
        let number = matches!(column.meaning.role, Role::Amount | Role::Quantity | Role::Duration);
        column.meaning.figure.is_some()
            || grain.contains(&column.name)
            || !number
            || !figures.iter().any(|figure| figure.contains(&column.text))
    });
}

/// Adds what codes mean, in words; whether NULL has a word of its own is a decision.
fn in_words(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, draw: Draw) {
    let end = draw.at("end").one_of(["name", "desc", "label", "txt"]);
    let simple = draw.at("simple").chance(0.5);
    for code in coded(relation) {
        let values: Vec<&(String, String)> =
            code.meaning.values.iter().filter(|(_, words)| !words.contains('\'')).collect();
        if values.len() < 2 || !draw.at(&code.name).chance(0.7) {
            continue;
        }
        let arm = |(value, words): &&(String, String)| {
            if simple {
                format!("WHEN '{value}' THEN '{words}'")
            } else {
                format!("WHEN {} = '{value}' THEN '{words}'", code.text)
            }
        };
        let (last, others) =
            if code.meaning.missing { (None, &values[..]) } else { (values.last(), &values[..values.len() - 1]) };
        let rest = match last {
            Some((_, words)) => format!("ELSE '{words}'"),
            None => {
                let decided = PlannedDecision::new("code_without_words", "NULL Handling")
                    .says("a missing code is described as unknown", "a missing code has no description")
                    .shown_by("a row whose code is missing");
                let forms = ["ELSE 'unknown'".to_owned(), String::new()];
                builder.decide_once("code_without_words", draw.at("rest"), decided, forms)
            }
        };
        let arms: Vec<String> = others.iter().map(arm).collect();
        let subject = if simple { format!("{} ", code.text) } else { String::new() };
        let mut meaning = ColumnMeaning::plain(Role::Name, "STRING", format!("{} description", code.meaning.words));
        meaning.missing = code.meaning.missing;
        let stem = code.name.trim_end_matches("_code").trim_end_matches("_cd");
        let name = relation.free_name(&format!("{stem}_{end}"));
        let text = format!("CASE {subject}{} {rest} END", arms.join(" "));
        relation.add(name, text, meaning);
    }
}

/// Casts figures, and whole-number keys, to the types of the table that is filled, by chance.
fn measured(relation: &mut OpenRelation, draw: Draw) {
    let cast = draw.at("cast").chance(0.5);
    for column in &mut relation.columns {
        match column.meaning.figure {
            Some(FigureUnit::Amount) if cast => column.text = format!("CAST({} AS DECIMAL(18,2))", column.text),
            None if cast && column.meaning.role == Role::Key && column.meaning.kind == "BIGINT" => {
                column.text = format!("CAST({} AS STRING)", column.text);
                "STRING".clone_into(&mut column.meaning.kind);
            }
            Some(FigureUnit::Measure) if cast => column.text = format!("CAST({} AS DOUBLE)", column.text),
            _ => {}
        }
    }
}

/// Leaves out what reports do not show and, by chance, some of the rest; puts keys first and figures last.
fn arrange(builder: &PlanBuilder<'_>, relation: &mut OpenRelation, key: &str, draw: Draw) {
    // The table that is filled has a partition of its own.
    let partition = partition_day(builder, relation).map(|column| column.name);
    let grain = relation.grain.clone();
    let served = |column: &RelationColumn| {
        let meaning = &column.meaning;
        let plain = matches!(meaning.role, Role::List | Role::Map | Role::Json | Role::Order | Role::Currency);
        Some(&column.name) == partition.as_ref() || (plain && !grain.contains(&column.name))
    };
    relation.columns.retain(|column| !served(column));
    let share = 0.6 + draw.at("share").unit() * 0.4;
    let needed = |column: &RelationColumn| {
        column.name == key
            || grain.contains(&column.name)
            || column.meaning.figure.is_some()
            || column.meaning.origin.is_empty()
    };
    relation.columns.retain(|column| needed(column) || draw.at(&column.name).chance(share));
    let place = |column: &RelationColumn| match column.meaning.role {
        _ if grain.contains(&column.name) => 0,
        _ if column.meaning.figure.is_some() => 4,
        Role::Reference | Role::Key => 1,
        Role::Time | Role::Day | Role::Month => 3,
        _ => 2,
    };
    relation.columns.sort_by_key(place);
}
