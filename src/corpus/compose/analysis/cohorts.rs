//! Cohorts: those who began at the same time, and how many of them came back.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{Conditional, FigureType, Group, additive, close, day_text, event_rows, figure, group, plural};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{FigureUnit, Role};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::FactSize;
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::{BlockColumn, PlannedDecision, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn, copy_block, renumber};
use crate::corpus::compose::scan::window_of;

/// Numbers of days after which a cohort is looked at.
const AFTER: [&[usize]; 4] = [&[3, 7], &[7, 14], &[2, 7, 14], &[7, 14, 28]];

/// Plans the retention of cohorts, one row for each.
pub(super) fn cohorts(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    if !builder.acts(&question.subject) {
        return Ok(None);
    }
    builder.window = window_of(*draw.at("window").pick(&[30, 60, 90]).unwrap_or(&60));
    let fact_size = FactSize { enrich: 0, row: 0, ..size.fact_size };
    let Some((mut relation, key)) = event_rows(builder, question, fact_size, draw.at("rows"))? else {
        return Ok(None);
    };
    let Some(text) = day_text(builder, &relation, draw.at("axis")) else { return Ok(None) };
    let many = relation.many.clone();
    let meaning = ColumnMeaning::plain(Role::Day, "STRING", "activity day");
    relation.add("act_day", text, meaning);
    builder.require(&mut relation, &key);
    close(builder, &mut relation, &["days", "activity", "acts"], format!("{many} with their day"), draw.at("close"));
    begun(builder, &mut relation, &key, draw.at("begun"));
    let period = cohort(&mut relation, draw.at("cohort"));
    let since = format!("DATEDIFF({}, {})", relation.text("act_day"), relation.text("first_day"));
    let meaning = ColumnMeaning::plain(Role::Measure, "INT", "days since the first day");
    relation.add("day_no", since, meaning);
    close(builder, &mut relation, &["since_first", "aged", "cohort_days"], String::new(), draw.at("aged"));
    let after = draw.at("after").one_of(AFTER);
    let figures = retained(builder, &relation, &key, after, draw.at("retained"));
    let called = vec!["cohort_sum".to_owned(), "cohorts".to_owned()];
    let purpose = format!("{} by start and how many came back", plural(builder, &question.subject));
    group(builder, &mut relation, Group { keys: vec![period.clone()], figures, called, purpose }, draw.at("group"));
    rates(&mut relation, after, &period, draw.at("rates"));
    builder.plan.blocks[relation.block].order = relation.texts(&[period]);
    let title = format!("retention of {} by first {}", plural(builder, &question.subject), relation.one);
    let name = format!("{}_cohorts", question.subject);
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Adds the first day of each subject, by a window function or by a grouped copy that is joined.
fn begun(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, key: &str, draw: Draw) {
    let meaning = ColumnMeaning::plain(Role::Day, "STRING", "first day");
    let (who, act) = (relation.text(key), relation.text("act_day"));
    if draw.at("window").chance(0.5) {
        let text = format!("MIN({act}) OVER (PARTITION BY {who})");
        relation.add("first_day", text, meaning);
        close(builder, relation, &["with_first", "begun"], String::new(), draw.at("close"));
        return;
    }
    let (copy, pairs) = copy_block(&mut builder.plan, relation.block);
    let here = renumber(&who, &pairs);
    let target = &mut builder.plan.blocks[copy];
    target.outputs = vec![
        BlockColumn::kept(key, here.clone()),
        BlockColumn::kept("first_day", format!("MIN({})", renumber(&act, &pairs))),
    ];
    target.groups = vec![here];
    target.names = vec!["first_days".to_owned(), "begun".to_owned()];
    "the first day of each".clone_into(&mut target.purpose);
    let slot = builder.plan.item(relation.block, RowSource::Block(copy), "JOIN".to_owned());
    if let Some(item) = builder.plan.blocks[relation.block].items.last_mut() {
        item.on = vec![format!("{who} = {}", piece::column(slot, key))];
    }
    relation.columns.push(RelationColumn {
        name: "first_day".to_owned(),
        text: piece::column(slot, "first_day"),
        meaning,
    });
}

/// Adds the cohort of a row: the day, month or week of the first day; returns the name of the column.
fn cohort(relation: &mut OpenRelation, draw: Draw) -> String {
    let first = relation.text("first_day");
    let kinds = [
        ("cohort_day", first.clone(), "first day"),
        ("cohort_month", piece::month(&first), "starting month"),
        (
            "cohort_week",
            format!("DATE_FORMAT(DATE_SUB({first}, PMOD(DATEDIFF({first}, '1900-01-01'), 7)), 'yyyy-MM-dd')"),
            "week starting",
        ),
    ];
    let (name, text, words) = kinds[draw.below(kinds.len())].clone();
    let meaning = ColumnMeaning::plain(Role::Day, "STRING", words);
    relation.columns.push(RelationColumn { name: name.to_owned(), text, meaning });
    name.to_owned()
}

/// Returns the size of a cohort, and how many were active later; what later means is one decision for all columns.
fn retained(
    builder: &mut PlanBuilder<'_>,
    relation: &OpenRelation,
    key: &str,
    after: &[usize],
    draw: Draw,
) -> Vec<RelationColumn> {
    let (who, number) = (relation.text(key), relation.text("day_no"));
    let count = FigureType::COUNT;
    let conditional = Conditional::draw(draw.at("conditional"));
    let all = format!("COUNT(DISTINCT {who})");
    let mut found = vec![figure("cohort_size", all, count, "cohort size")];
    found[0].meaning.sum = true;
    for days in after {
        let decided = PlannedDecision::new("came_back", "Date/Time Logic")
            .says(
                "a figure after n days counts those active on exactly that day",
                "a figure after n days counts those active on any of these days",
            )
            .shown_by("somebody who was active before the n-th day and not on it");
        let forms = [format!("{number} = {days}"), format!("{number} BETWEEN 1 AND {days}")];
        let condition = builder.decide_once("came_back", draw.at("came_back"), decided, forms);
        let text = conditional.distinct(&condition, &who);
        found.push(figure(format!("d{days}_cnt"), text, count, format!("number returning after {days} days")));
    }
    for column in additive(relation).into_iter().take(usize::from(draw.at("worth").chance(0.6))) {
        let first = conditional.sum(&format!("{number} = 0"), &column.text);
        let later = conditional.sum(&format!("{number} > 0"), &column.text);
        let unit = FigureType::of(&column, FigureUnit::Amount);
        let words = format!("{} on the first day", column.meaning.words);
        found.push(figure(format!("first_{}", column.name), first, unit, words));
        let words = format!("{} after the first day", column.meaning.words);
        found.push(figure(format!("later_{}", column.name), later, unit, words));
    }
    found
}

/// Adds shares of those who came back, and a running total of the cohorts.
fn rates(relation: &mut OpenRelation, after: &[usize], period: &str, draw: Draw) {
    let size = relation.text("cohort_size");
    for days in after {
        let text = format!("ROUND({} / {size}, 4)", relation.text(&format!("d{days}_cnt")));
        let words = format!("share returning after {days} days");
        relation.columns.push(figure(format!("d{days}_rate"), text, FigureType::SHARE, words));
    }
    if draw.at("running").chance(0.5) {
        let order = relation.text(period);
        let text = format!("SUM({size}) OVER (ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)");
        let words = "cumulative cohort size";
        relation.columns.push(figure("begun_so_far", text, FigureType::COUNT, words));
    }
}
