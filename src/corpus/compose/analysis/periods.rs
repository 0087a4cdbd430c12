//! A period against the one before, by LAG or by a join of the figures to themselves.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{
    FigureType, Group, additive, close, day_text, describe, event_rows, figure, group, plural, row_count, sum_of,
};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{FigureUnit, Role};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::FactSize;
use crate::corpus::compose::names::identifier;
use crate::corpus::compose::pattern::PatternStage;
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::{PlannedDecision, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use crate::corpus::compose::scan::window_of;
use crate::corpus::compose::stages::stage;

/// A kind of period.
struct Period {
    /// Name of its column.
    name: &'static str,
    /// What people call it.
    words: &'static str,
    /// Days that the rows cover.
    days: usize,
    /// SQL for the period of a day, itself SQL.
    of: fn(&str) -> String,
    /// SQL for the period before a period, itself SQL.
    before: fn(&str) -> String,
}

const PERIODS: [Period; 3] = [
    Period {
        name: "stat_day",
        words: "day",
        days: 14,
        of: |day| day.to_owned(),
        before: |period| format!("DATE_FORMAT(DATE_SUB({period}, 1), 'yyyy-MM-dd')"),
    },
    Period {
        name: "week_begin",
        words: "week",
        days: 28,
        of: |day| format!("DATE_FORMAT(DATE_SUB({day}, PMOD(DATEDIFF({day}, '1900-01-01'), 7)), 'yyyy-MM-dd')"),
        before: |period| format!("DATE_FORMAT(DATE_SUB({period}, 7), 'yyyy-MM-dd')"),
    },
    Period {
        name: "stat_month",
        words: "month",
        days: 90,
        of: piece::month,
        before: |period| format!("SUBSTR(ADD_MONTHS(CONCAT({period}, '-01'), -1), 1, 7)"),
    },
];

/// Figures of each subject and period.
struct PeriodFigures {
    /// Name of the column with the subject.
    key: String,
    period: &'static Period,
    /// Names of the figures.
    names: Vec<String>,
}

/// How a period stands beside the one before.
#[derive(Clone, Copy)]
struct PeriodPair {
    /// Whether a period without rows in the one before is shown.
    has_first: bool,
    /// Whether the direction is shown.
    has_trend: bool,
}

/// Plans the figures of each subject and period beside those of the period before.
pub(super) fn periods(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let period = &PERIODS[draw.at("period").below(PERIODS.len())];
    builder.window = window_of(period.days);
    let fact_size = FactSize { enrich: size.fact_size.enrich.min(1), ..size.fact_size };
    let Some((mut relation, key)) = event_rows(builder, question, fact_size, draw.at("rows"))? else {
        return Ok(None);
    };
    stage(builder, &mut relation, PatternStage::Enrich, fact_size.enrich, draw.at("enrich"))?;
    let Some(day) = day_text(builder, &relation, draw.at("axis")) else { return Ok(None) };
    let many = relation.many.clone();
    relation.add(period.name, (period.of)(&day), ColumnMeaning::plain(Role::Day, "STRING", period.words));
    let purpose = format!("{many} with their {}", period.words);
    close(builder, &mut relation, &["detail", "dated", "base"], purpose, draw.at("close"));
    let aggregates = aggregates(&relation, period, 2 + size.fact_size.measures / 3);
    let names = aggregates.iter().map(|column| column.name.clone()).collect();
    let figures = PeriodFigures { key, period, names };
    let grouped = grouped(builder, &mut relation, &figures, aggregates, draw.at("group"));
    let mut compared = PeriodPair { has_first: true, has_trend: true };
    if draw.at("self_join").chance(0.15) {
        compared.has_trend = false;
        compared.has_first = joined(builder, &mut relation, grouped, &figures, draw.at("join"));
    } else {
        lagged(&mut relation, &figures);
    }
    close(builder, &mut relation, &["compared", "with_previous"], String::new(), draw.at("compared"));
    changes(builder, &mut relation, &figures, compared, draw.at("changes"));
    describe(builder, &mut relation, &question.subject, &figures.key, draw.at("describe"));
    builder.plan.blocks[relation.block].order = relation.texts(&relation.grain);
    let title = format!("{many} of {}, {1} over {1}", plural(builder, &question.subject), period.words);
    let name = format!("{}_by_{}", builder.names.table(&relation.table), period.words);
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Returns the number of rows and up to `most` sums, of one period.
fn aggregates(relation: &OpenRelation, period: &Period, most: usize) -> Vec<RelationColumn> {
    let mut found = vec![row_count(relation, &format!("{}_cnt", identifier(&relation.one)))];
    for column in additive(relation).into_iter().take(most) {
        let words = format!("{} of the {}", column.meaning.words, period.words);
        found.push(sum_of(&column, column.name.clone(), words));
    }
    found
}

/// Groups rows by subject and period; returns the number of the block.
fn grouped(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    PeriodFigures { key, period, .. }: &PeriodFigures,
    figures: Vec<RelationColumn>,
    draw: Draw,
) -> usize {
    let keys = vec![key.clone(), period.name.to_owned()];
    let called = vec![format!("by_{}", period.words), format!("{}_sum", period.words)];
    let purpose = format!("{} of each {}", relation.many, period.words);
    group(builder, relation, Group { keys, figures, called, purpose }, draw)
}

/// Returns the name of a figure of the period before.
fn previous(name: &str) -> String {
    format!("prev_{name}")
}

/// Joins the figures of the period before; a period without one stays or goes by a decision. Returns whether it stays.
fn joined(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    grouped: usize,
    figures: &PeriodFigures,
    draw: Draw,
) -> bool {
    let PeriodFigures { key, period, names } = figures;
    let slot = builder.plan.item(relation.block, RowSource::Block(grouped), String::new());
    let decided = PlannedDecision::new("without_previous", "JOIN Type Selection")
        .says(
            format!("a {} is shown also if there was nothing in the one before", period.words),
            format!("a {} is shown only if there was something in the one before", period.words),
        )
        .shown_by("a subject without rows in the period before");
    let join = builder.plan.decide(draw, decided, ["LEFT JOIN", "JOIN"]);
    let stays = builder.plan.chosen_in(&join) == Some(0);
    let on = vec![
        format!("{} = {}", relation.text(key), piece::column(slot, key)),
        format!("{} = {}", (period.before)(&relation.text(period.name)), piece::column(slot, period.name)),
    ];
    builder.plan.join_last(relation.block, join, on);
    for name in names {
        add_previous(relation, name, |_| piece::column(slot, name));
    }
    stays
}

/// Adds the figures of the subject's row before, by LAG.
fn lagged(relation: &mut OpenRelation, PeriodFigures { key, period, names }: &PeriodFigures) {
    let window = format!("PARTITION BY {} ORDER BY {}", relation.text(key), relation.text(period.name));
    for name in names {
        add_previous(relation, name, |text| format!("LAG({text}) OVER ({window})"));
    }
}

/// Adds a figure of the period before; `text` makes its expression of that of the figure.
fn add_previous(relation: &mut OpenRelation, name: &str, text: impl FnOnce(&str) -> String) {
    let Some(mut column) = relation.column(name).cloned() else { return };
    column.name = previous(name);
    column.text = text(&column.text);
    column.meaning.words = format!("{} before", column.meaning.words);
    column.meaning.missing = true;
    column.meaning.sum = false;
    relation.columns.push(column);
}

/// Names of directions: new, far up, up, the same, far down, down.
const TRENDS: [[&str; 6]; 6] = [
    ["NEW", "SURGE", "UP", "SAME", "SLUMP", "DOWN"],
    ["new", "strong up", "up", "flat", "strong down", "down"],
    ["N", "++", "+", "=", "--", "-"],
    ["FIRST", "HIGH_RISE", "RISE", "STABLE", "HIGH_DROP", "DROP"],
    ["no history", "well above", "above", "unchanged", "well below", "below"],
    ["INITIAL", "JUMP", "GROWING", "LEVEL", "COLLAPSE", "SHRINKING"],
];

/// How finely a direction is told.
#[derive(Clone, Copy)]
enum Directions {
    /// Any change is up or down.
    Plain,
    /// Small changes are none.
    WithBand,
    /// Large changes are told from small ones.
    WithLarge,
    /// Only large rises and falls are told from the rest.
    OnlyLarge,
}

/// Returns the direction of a figure as SQL.
fn trend(now: &str, before: &str, has_first: bool, draw: Draw) -> String {
    let [fresh, far_up, up, same, far_down, down] = draw.at("names").one_of(TRENDS);
    let limits = [("1.5", "0.5"), ("1.2", "0.8"), ("2", "0.5"), ("1.1", "0.9"), ("1.05", "0.95"), ("1.25", "0.75")];
    let (more, less) = draw.at("limits").one_of(limits);
    let arm = |condition: String, told: &str| format!("WHEN {condition} THEN '{told}'");
    let fresh = if has_first { arm(format!("{before} IS NULL"), fresh) } else { String::new() };
    let risen = |told| arm(format!("{now} > {before} * {more}"), told);
    let fallen = |told| arm(format!("{now} < {before} * {less}"), told);
    let higher = arm(format!("{now} > {before}"), up);
    let (arms, rest) = match draw.at("directions").one_of([
        Directions::Plain,
        Directions::WithBand,
        Directions::WithLarge,
        Directions::OnlyLarge,
    ]) {
        Directions::Plain => (vec![higher, arm(format!("{now} < {before}"), down)], same),
        Directions::WithBand => (vec![risen(up), fallen(down)], same),
        Directions::WithLarge => {
            (vec![risen(far_up), higher, arm(format!("{now} = {before}"), same), fallen(far_down)], down)
        }
        Directions::OnlyLarge => (vec![fallen(far_down), risen(far_up)], same),
    };
    format!("CASE {fresh} {} ELSE '{rest}' END", arms.join(" "))
}

/// Ends of the names of a difference and of a relative change.
const CHANGE_ENDS: [(&str, &str); 5] =
    [("diff", "rate"), ("diff", "change_rate"), ("delta", "rate"), ("change", "growth_rate"), ("chg", "chg_rate")];

/// Adds differences, rates and the direction.
fn changes(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    figures: &PeriodFigures,
    compared: PeriodPair,
    draw: Draw,
) {
    let (difference_end, rate_end) = draw.at("ends").one_of(CHANGE_ENDS);
    for (number, name) in figures.names.iter().enumerate() {
        let draw = draw.nth("figure", number);
        let (now, before) = (relation.text(name), relation.text(&previous(name)));
        let plain = format!("{now} - {before}");
        let Some(column) = relation.column(name).filter(|column| column.meaning.figure.is_some()).cloned() else {
            continue;
        };
        let words = &column.meaning.words;
        let unit = FigureType::of(&column, FigureUnit::Quantity);
        // Readers ask for one comparison of a figure more often than for all of them.
        if number == 0 || draw.at("difference").chance(0.6) {
            let difference = match compared.has_first {
                true => difference(builder, &now, &before, figures.period, draw.at("nothing")),
                false => plain.clone(),
            };
            let words = format!("change in {words}");
            relation.columns.push(figure(format!("{name}_{difference_end}"), difference, unit, words).nullable());
        }
        if number < 3 && draw.at("rate").chance(0.55) {
            let rate = format!("ROUND(({plain}) / NULLIF({before}, 0), 4)");
            let words = format!("relative change in {words}");
            relation.columns.push(figure(format!("{name}_{rate_end}"), rate, FigureType::SHARE, words).nullable());
        }
        if number == 1 && compared.has_trend && draw.at("has_trend").chance(0.6) {
            let text = trend(&now, &before, compared.has_first, draw.at("trend"));
            let meaning = ColumnMeaning::plain(Role::Code, "STRING", format!("trend of {words}"));
            relation.add(format!("{name}_trend"), text, meaning);
        }
    }
}

/// Returns how far a figure moved since the period before, by one decision for all where there was nothing before.
fn difference(builder: &mut PlanBuilder<'_>, now: &str, before: &str, period: &Period, draw: Draw) -> String {
    let decided = PlannedDecision::new("nothing_before", "NULL Handling")
        .says(
            format!("where there was nothing in the {} before, the change is the whole figure", period.words),
            format!("where there was nothing in the {} before, there is no change to report", period.words),
        )
        .shown_by("a subject without rows in the period before");
    let forms = [format!("{now} - COALESCE({before}, 0)"), format!("{now} - {before}")];
    builder.decide_once("nothing_before", draw, decided, forms)
}
