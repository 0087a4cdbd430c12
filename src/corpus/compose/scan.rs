//! Plans the reading of a table: which days, and its columns and figures with their meanings.

use super::builder::{PlanBuilder, ReportPeriod};
use super::confused_columns::ConfusedColumns;
use super::domain::{Figure, FigureUnit, Role, Table, TableKind};
use super::draw::Draw;
use super::piece::{self, day};
use super::plan::{PlannedDecision, RowSource};
use super::relation::{Classes, ColumnMeaning, OpenRelation, RelationColumn};

/// How many days questions are about, with weights.
const DAYS: [(usize, f64); 6] = [(1, 3.0), (7, 4.0), (14, 1.0), (28, 1.0), (30, 2.0), (90, 0.6)];

/// Draws the days of a question.
pub fn window(draw: Draw) -> ReportPeriod {
    let weights: Vec<f64> = DAYS.iter().map(|(_, weight)| *weight).collect();
    window_of(draw.weighted(&weights).map_or(7, |place| DAYS[place].0))
}

/// Returns a window of some days. A decision says whether it ends with the business date or the day before.
pub fn window_of(days: usize) -> ReportPeriod {
    let words = match days {
        1 => "on the business date".to_owned(),
        7 => "in the last seven days".to_owned(),
        _ => format!("in the last {days} days"),
    };
    ReportPeriod { days, words }
}

/// Plans a block that reads a table on the days in question, with columns and figures; `None` without such a table.
pub fn scan(builder: &mut PlanBuilder<'_>, name: &str, draw: Draw) -> Option<OpenRelation> {
    let table = builder.domain.tables.get(name)?;
    let (block, slot) = builder.plan.block(RowSource::Table(name.to_owned()));
    let mut relation = OpenRelation::over(block, Vec::new(), &table.one, &table.many, name);
    relation.grain = table.key.iter().map(|key| builder.names.column(name, key)).collect();
    if let Some(repeats) = &table.repeats {
        relation.repeats = repeats.order.iter().map(|column| builder.names.column(name, column)).collect();
    }
    columns(builder, &mut relation, table, builder.draw.at("columns").at(name));
    figures(builder, &mut relation, table, draw.at("figures"));
    if let Some(partition) = &table.partition {
        let text = piece::column(slot, &partition.column);
        let filter = if table.kind == TableKind::Event {
            days(builder, &text, draw)
        } else {
            format!("{text} = {}", day(builder.snapshot_day))
        };
        builder.plan.blocks[block].filters.push(filter);
        let meaning = ColumnMeaning::plain(Role::Day, "STRING", partition.means.clone());
        relation.columns.push(RelationColumn { name: partition.column.clone(), text, meaning });
    }
    Some(relation)
}

/// Returns the condition that a partition is one of the days in question.
fn days(builder: &mut PlanBuilder<'_>, text: &str, draw: Draw) -> String {
    let count = builder.window.days as i64;
    if count < 2 {
        return format!("{text} = {}", day(0));
    }
    let between = |from: i64, to: i64| {
        if draw.at("between").chance(0.6) {
            format!("{text} BETWEEN {} AND {}", day(-from), day(-to))
        } else {
            format!("{text} >= {} AND {text} <= {}", day(-from), day(-to))
        }
    };
    let forms = [between(count - 1, 0), between(count, 1)];
    let decided = PlannedDecision::new("window_end", "Date/Time Logic")
        .says(
            "the period of the report includes the business date itself",
            "the period of the report ends with the day before the business date",
        )
        .shown_by("rows on the business date and on the day before the window");
    builder.decide_once("window", draw.at("window"), decided, forms)
}

/// Adds the columns; of two that may be confused one may stand for both, by a decision.
fn columns(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, table: &Table, draw: Draw) {
    let slot = builder.plan.blocks[relation.block].items[0].slot;
    let mut decided: Vec<&str> = Vec::new();
    let mut hidden: Vec<String> = Vec::new();
    for (name, column) in table.columns.iter() {
        // The draw is that of the script, so that the choice is the same wherever the table is read.
        let draw = draw.at(name);
        let real = builder.names.column(&relation.table, name);
        let text = piece::column(slot, &real);
        let meaning = ColumnMeaning::of(&relation.table, name, column);
        match ConfusedColumns::of(table, name, &decided, draw) {
            Some(pair) => {
                decided.extend([name, pair.other_name]);
                let other = builder.names.column(&relation.table, pair.other_name);
                let forms = [text, piece::column(slot, &other)];
                hidden.push(other);
                let text = pair.decide(builder, relation, forms, draw.at("which"));
                let real = pair.free_name(relation, table);
                relation.add(real, text, pair.meaning(builder, relation, meaning));
            }
            None => relation.add(real, text, meaning),
        }
    }
    // The other column of a pair would give the decision away or contradict it.
    relation.columns.retain(|column| !hidden.contains(&column.name) || piece::decision_in(&column.text).is_some());
}

fn figures(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, table: &Table, draw: Draw) {
    let name = relation.table.clone();
    let name = name.as_str();
    for (figure_name, figure) in table.figures.iter() {
        if !builder.wants(name, figure_name, draw.at("beside")) {
            continue;
        }
        let stored = |relation: &OpenRelation, column: &str| {
            let real = builder.names.column(name, column);
            relation.column(&real).map(|column| column.text.clone())
        };
        let slot = builder.plan.blocks[relation.block].items[0].slot;
        let text = |column: &str| {
            stored(relation, column).or_else(|| Some(piece::column(slot, &builder.names.column(name, column))))
        };
        let sql = builder.names.expand(table, &figure.sql, text);
        let other = figure.otherwise.as_ref().map(|other| builder.names.expand(table, other, text));
        let text = match (other, &figure.rule, &figure.otherwise_rule) {
            (Some(other), Some(rule), Some(otherwise)) => {
                let decided = PlannedDecision::new(format!("figure.{figure_name}"), "Aggregate Logic")
                    .says(rule.clone(), otherwise.clone())
                    .shown_by("rows where the parts of the figure are neither zero nor missing");
                let about = format!("figure.{name}.{figure_name}");
                let forms = with_one_default([sql, other]);
                let text = builder.decide_once(&about, draw.at(figure_name), decided, forms.each_ref());
                if builder.plan.chosen_in(&text).is_some_and(|chosen| forms[chosen].parse::<f64>().is_ok()) {
                    // A constant: its sum says no more than the number of rows.
                    continue;
                }
                text
            }
            _ => sql,
        };
        let meaning = figure_meaning(builder, name, table, figure_name, figure);
        let free = relation.free_name(figure_name);
        relation.add(free, text, meaning);
    }
}

/// Returns both forms of a figure with `COALESCE(…, 0)` if one has it and the other is a plain column: which column is
/// read is one decision, what stands in for a missing value another.
fn with_one_default(forms: [String; 2]) -> [String; 2] {
    let has_default = |form: &String| form.starts_with("COALESCE(") && form.ends_with(", 0)");
    if !forms.iter().any(has_default) {
        return forms;
    }
    forms.map(|form| if piece::column_name(&form).is_some() { format!("COALESCE({form}, 0)") } else { form })
}

fn figure_meaning(
    builder: &PlanBuilder<'_>,
    name: &str,
    table: &Table,
    figure_name: &str,
    figure: &Figure,
) -> ColumnMeaning {
    let kind = match figure.unit {
        FigureUnit::Amount => "DECIMAL(18,2)",
        FigureUnit::Quantity | FigureUnit::Duration => "BIGINT",
        FigureUnit::Measure => "DOUBLE",
    };
    let mut meaning = ColumnMeaning::plain(Role::Measure, kind, figure.words.clone());
    meaning.figure = Some(figure.unit);
    meaning.origin = format!("{name}.{figure_name}");
    meaning.currency = figure.currency.as_ref().map(|currency| builder.names.column(name, currency));
    let bands = table.bands.iter().find(|(_, bands)| bands.of == figure_name);
    meaning.bands = bands.map(|(_, bands)| {
        let steps = bands.steps.iter().map(|step| (step.below, step.class.clone())).collect();
        Classes { words: bands.words.clone(), steps, rest: bands.rest.clone() }
    });
    meaning
}
