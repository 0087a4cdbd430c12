//! Sessions: runs of events that follow each other without a long pause.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{
    Conditional, FigureType, Group, additive, close, describe, event_rows, figure, group, plural, ratios, row_count,
    sum_of,
};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::Role;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::FactSize;
use crate::corpus::compose::plan::PlannedDecision;
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// Pauses that end a run: in seconds and in words.
const PAUSES: [(u32, &str); 4] = [(1800, "half an hour"), (3600, "an hour"), (14400, "four hours"), (86400, "a day")];

/// Plans runs of events, one row for each subject or for each day on which runs began.
pub(super) fn sessions(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    if !builder.acts(&question.subject) {
        return Ok(None);
    }
    let mut streams = question.clone();
    streams.facts.retain(|fact| builder.domain.tables.get(fact).is_some_and(|table| table.stream));
    let fact_size = FactSize { enrich: size.fact_size.enrich.min(1), ..size.fact_size };
    let Some((mut relation, key)) = event_rows(builder, &streams, fact_size, draw.at("rows"))? else {
        return Ok(None);
    };
    let Some(moment) = relation.moment().map(|column| column.name.clone()) else { return Ok(None) };
    if relation.grain.is_empty() || relation.texts(&relation.grain).len() < relation.grain.len() {
        return Ok(None);
    }
    let many = relation.many.clone();
    let run = relation.free_name(draw.at("run").one_of(["session_no", "run_no", "visit_no", "burst_no"]));
    let names = RunNames { key, moment, run };
    numbered(builder, &mut relation, &names, draw.at("numbered"));
    let runs = runs(&relation, &names);
    group(builder, &mut relation, runs, draw.at("runs"));
    let key = names.key;
    let by_day = draw.at("by_day").chance(0.4);
    let axis = if by_day { day_of_run(builder, &mut relation, draw.at("day")) } else { key.clone() };
    let subjects = by_day.then(|| plural(builder, &question.subject));
    let figures = figures_of_runs(&relation, &key, subjects, draw.at("figures"));
    let called = vec!["run_figures".to_owned(), "run_sum".to_owned()];
    let purpose = format!("figures of the sessions of {many}");
    let keys = vec![axis.clone()];
    let grouped = group(builder, &mut relation, Group { keys, figures, called, purpose }, draw.at("sum"));
    if !by_day {
        let having = has_several(builder, &question.subject, draw.at("having"));
        builder.plan.blocks[grouped].having.push(having);
        describe(builder, &mut relation, &question.subject, &key, draw.at("describe"));
    }
    ratios(builder, &mut relation, draw.at("ratios"))?;
    builder.plan.blocks[relation.block].order = relation.texts(&[axis]);
    let title = format!("sessions of {many}");
    let name = format!("{}_runs", builder.names.table(&relation.table));
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Returns the condition that a subject has several sessions, or none, by a decision.
fn has_several(builder: &mut PlanBuilder<'_>, entity: &str, draw: Draw) -> String {
    let subjects = plural(builder, entity);
    let decided = PlannedDecision::new("single_runs", "Aggregate Logic")
        .says(
            format!("{subjects} with a single session are shown too"),
            format!("only {subjects} with several sessions are shown"),
        )
        .shown_by("a subject with one session");
    builder.plan.decide(draw, decided, ["", "COUNT(*) > 1"])
}

/// Names of the columns by which runs are told apart.
struct RunNames {
    /// The subject.
    key: String,
    moment: String,
    /// The number of the run.
    run: String,
}

impl RunNames {
    /// Returns the window of a subject's rows in their order.
    fn window(&self, relation: &OpenRelation) -> String {
        let mut order = vec![self.moment.clone()];
        order.extend(relation.grain.iter().filter(|name| **name != self.key).cloned());
        format!("PARTITION BY {} ORDER BY {}", relation.text(&self.key), relation.texts(&order).join(", "))
    }
}

/// Numbers the runs of each subject, in a column `run`.
fn numbered(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, names: &RunNames, draw: Draw) {
    let RunNames { key, moment, run } = names;
    let many = relation.many.clone();
    if let Some(column) = relation.columns.iter_mut().find(|column| column.name == *key && column.meaning.missing) {
        column.meaning.missing = false;
        builder.plan.blocks[relation.block].filters.push(format!("{} IS NOT NULL", column.text));
    }
    let mut before = ColumnMeaning::plain(Role::Time, "STRING", format!("time of the previous one of the {many}"));
    before.missing = true;
    let lag = format!("LAG({}) OVER ({})", relation.text(moment), names.window(relation));
    relation.add("prev_time", lag, before);
    let purpose = format!("{many} with the time of the previous one");
    close(builder, relation, &["ordered", "with_prev", "seq"], purpose, draw);
    let begins = begins(builder, relation, moment, draw);
    relation.add("is_start", begins, ColumnMeaning::plain(Role::Order, "INT", "session start flag"));
    close(builder, relation, &["starts", "marked", "flagged"], String::new(), draw);
    let number = format!(
        "SUM({}) OVER ({} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
        relation.text("is_start"),
        names.window(relation)
    );
    relation.add(run, number, ColumnMeaning::plain(Role::Key, "BIGINT", "session number"));
    close(builder, relation, &["numbered_runs", "in_runs"], format!("{many} with their session number"), draw);
}

/// Returns whether a run begins with a row, as SQL; by a decision a pause of just the limit begins one.
fn begins(builder: &mut PlanBuilder<'_>, relation: &OpenRelation, moment: &str, draw: Draw) -> String {
    let (seconds, words) = draw.at("pause").one_of(PAUSES);
    let decided = PlannedDecision::new("pause", "Conditional Logic")
        .says(
            format!("a session ends with a pause of more than {words}"),
            format!("a session ends with a pause of {words} or more"),
        )
        .shown_by("a pause of exactly the limit");
    let more = builder.plan.decide(draw.at("more"), decided, [">", ">="]);
    let (now, previous) = (relation.text(moment), relation.text("prev_time"));
    format!(
        "CASE WHEN {previous} IS NULL OR UNIX_TIMESTAMP({now}) - UNIX_TIMESTAMP({previous}) {more} {seconds} \
         THEN 1 ELSE 0 END"
    )
}

/// Returns how events are grouped by run.
fn runs(relation: &OpenRelation, names: &RunNames) -> Group {
    let called = vec!["runs".to_owned(), "sessions".to_owned(), "bursts".to_owned()];
    let purpose = format!("sessions of {}", relation.many);
    let keys = vec![names.key.clone(), names.run.clone()];
    Group { keys, figures: run_figures(relation, &names.moment), called, purpose }
}

/// Returns the figures of a run.
fn run_figures(relation: &OpenRelation, moment: &str) -> Vec<RelationColumn> {
    let Some(at) = relation.column(moment).cloned() else { return Vec::new() };
    let edge = |name: &str, function: &str| RelationColumn {
        name: name.to_owned(),
        text: format!("{function}({})", at.text),
        meaning: ColumnMeaning { words: format!("{} of the session", name.replace('_', " ")), ..at.meaning.clone() },
    };
    let mut found = vec![edge("begin_time", "MIN"), edge("end_time", "MAX"), row_count(relation, "step_cnt")];
    found.extend(additive(relation).into_iter().take(2).map(|column| {
        let words = format!("{} of the session", column.meaning.words);
        sum_of(&column, column.name.clone(), words)
    }));
    found
}

/// Adds the day of a run, that of its begin or of its end by a decision; returns the name of the column.
fn day_of_run(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, draw: Draw) -> String {
    let text =
        |name: &str| relation.column(name).map(|column| format!("SUBSTR({}, 1, 10)", column.text)).unwrap_or_default();
    let decided = PlannedDecision::new("day_of_run", "Date/Time Logic")
        .says("a session belongs to the day on which it begins", "a session belongs to the day on which it ends")
        .shown_by("a session over midnight");
    let text = builder.plan.decide(draw, decided, [text("begin_time"), text("end_time")]);
    let name = "run_date";
    let meaning = ColumnMeaning::plain(Role::Day, "STRING", "session day");
    relation.columns.push(RelationColumn { name: name.to_owned(), text, meaning });
    name.to_owned()
}

/// Returns the figures of all runs of a subject, or of a day, which also counts those called `subjects`.
fn figures_of_runs(relation: &OpenRelation, key: &str, subjects: Option<String>, draw: Draw) -> Vec<RelationColumn> {
    let (begin, end, steps) = (relation.text("begin_time"), relation.text("end_time"), relation.text("step_cnt"));
    let conditional = Conditional::draw(draw.at("conditional"));
    let (count, measure) = (FigureType::COUNT, FigureType::MEASURE);
    let length = format!("(UNIX_TIMESTAMP({end}) - UNIX_TIMESTAMP({begin})) / 60");
    let mut found = vec![figure("run_cnt", "COUNT(*)", count, "number of sessions")];
    if let Some(subjects) = subjects {
        let text = format!("COUNT(DISTINCT {})", relation.text(key));
        found.push(figure("who_cnt", text, count, format!("number of {subjects} with a session")));
    }
    found[0].meaning.sum = true;
    found.push(figure("avg_minutes", format!("ROUND(AVG({length}), 1)"), measure, "mean session length in minutes"));
    if draw.at("longest").chance(0.3) {
        found.push(figure("max_minutes", format!("ROUND(MAX({length}), 1)"), measure, "longest session in minutes"));
    }
    if draw.at("steps").chance(0.6) {
        found.push(figure("avg_steps", format!("ROUND(AVG({steps}), 2)"), measure, "mean number of steps per session"));
    }
    let single = conditional.count(&format!("{steps} = 1"));
    match draw.at("single").below(3) {
        0 => found.push(figure("single_step_cnt", single, count, "number of single-step sessions")),
        1 => {
            let share = format!("ROUND({single} / COUNT(*), 4)");
            found.push(figure("single_step_share", share, FigureType::SHARE, "share of single-step sessions"));
        }
        _ => {}
    }
    for column in additive(relation).into_iter().filter(|column| column.meaning.sum && column.name != "step_cnt") {
        let words = format!("{} over all sessions", column.meaning.words.trim_end_matches(" of the session"));
        found.push(sum_of(&column, column.name.clone(), words));
    }
    found
}
