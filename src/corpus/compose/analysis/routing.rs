//! Rows that pass or fail checks, written to several tables at once, with counts by reason.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{
    FigureType, additive, close, coded, enriched_rows, figure, partition_day, plural, read_again, result, row_count,
    sum_of,
};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::Role;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::PlannedDecision;
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// Plans a result with what passes, one with what fails, and by chance one with counts by reason.
pub(super) fn routing(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let Some((mut relation, key)) = enriched_rows(builder, question, size.fact_size, draw)? else { return Ok(None) };
    let many = relation.many.clone();
    close(builder, &mut relation, &["entered", "raw", "incoming"], many.clone(), draw.at("close"));
    if !checked(builder, &mut relation, draw.at("checked")) {
        return Ok(None);
    }
    let mut kept = worth_keeping(&relation, &key, draw.at("kept"));
    // The tables that are filled have a partition of their own.
    let partition = partition_day(builder, &relation).map(|column| column.name);
    kept.retain(|name| Some(name) != partition.as_ref());
    relation.columns.retain(|column| kept.contains(&column.name));
    let source = close(
        builder,
        &mut relation,
        &["checked", "graded", "judged"],
        format!("{many} with their first error"),
        draw.at("names"),
    );
    builder.plan.fans_out.push(source);
    builder.plan.blocks[source].milestone = true;
    let again = read_again(builder, &relation, source);
    let passed = passed(builder, again, draw.at("passed"));
    let again = read_again(builder, &relation, source);
    let mut results = vec![passed, failed(builder, again, draw.at("failed"))];
    if draw.at("counted").chance(0.7) {
        let again = read_again(builder, &relation, source);
        results.push(counted(builder, again, draw.at("counted")));
    }
    let title = format!("accepted and rejected {many}");
    let name = format!("{}_checked", builder.names.table(&relation.table));
    let parts = vec!["rejects".to_owned(), "reasons".to_owned()];
    Ok(Some(Analysis { title, name, results, parts }))
}

/// Adds the reason why a row is rejected, a CASE over checks; returns false if there are fewer than three.
fn checked(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, draw: Draw) -> bool {
    let mut checks = value_checks(relation);
    for column in additive(relation) {
        let decided = PlannedDecision::new("zero_amounts", "Conditional Logic")
            // One decision holds for all figures.
            .says("a figure of zero passes its check", "a figure of zero fails its check")
            .shown_by("a row whose figure is zero");
        let less = builder.decide_once("zero_amounts", draw.at("zero"), decided, ["<", "<="]);
        checks.push((format!("{} {less} 0", column.text), format!("BAD_{}", column.name.to_uppercase())));
    }
    for column in coded(relation) {
        let values: Vec<String> = column.meaning.values.iter().map(|(value, _)| format!("'{value}'")).collect();
        let test = format!("{} NOT IN ({})", column.text, values.join(", "));
        checks.push((test, format!("UNKNOWN_{}", column.name.to_uppercase())));
    }
    let mut checks = draw.at("arms").shuffled(&checks);
    checks.truncate(draw.at("count").between(4, 8));
    checks.extend(day_check(builder, relation, draw.at("ahead")));
    if checks.len() < 3 {
        return false;
    }
    let arms: Vec<String> = checks.iter().map(|(test, reason)| format!("WHEN {test} THEN '{reason}'")).collect();
    let text = format!("CASE {} ELSE 'OK' END", arms.join(" "));
    let mut meaning = ColumnMeaning::plain(Role::Code, "STRING", "rejection reason");
    let words = |reason: &String| reason.to_lowercase().replace('_', " ");
    meaning.values = checks.iter().map(|(_, reason)| (reason.clone(), words(reason))).collect();
    relation.add("reject_reason", text, meaning);
    true
}

/// What fails a row, as SQL, and the reason that is given.
type RowCheck = (String, String);

/// Returns checks for values that are missing or empty.
fn value_checks(relation: &OpenRelation) -> Vec<RowCheck> {
    let mut found = Vec::new();
    for column in relation.columns.iter().filter(|column| column.meaning.missing) {
        let label = column.name.to_uppercase();
        match column.meaning.role {
            Role::Reference | Role::Amount | Role::Quantity => {
                found.push((format!("{} IS NULL", column.text), format!("NO_{label}")));
            }
            Role::Code | Role::Name if column.meaning.kind == "STRING" => {
                found.push((format!("TRIM({}) = ''", column.text), format!("EMPTY_{label}")));
            }
            _ => {}
        }
    }
    found
}

/// Returns the check that a row's moment lies on the day of its partition, or, by a decision, not after it.
fn day_check(builder: &mut PlanBuilder<'_>, relation: &OpenRelation, draw: Draw) -> Option<RowCheck> {
    let moment = relation.moment()?;
    let booked = partition_day(builder, relation)?;
    let decided = PlannedDecision::new("ahead_of_time", "Date/Time Logic")
        .says(
            format!("{} dated after the {} are rejected", relation.many, booked.meaning.words),
            format!("{} dated after the {} or before it are rejected", relation.many, booked.meaning.words),
        )
        .shown_by("a row dated before the day of its partition");
    let differs = builder.plan.decide(draw, decided, [">", "<>"]);
    Some((format!("SUBSTR({}, 1, 10) {differs} {}", moment.text, booked.text), "WRONG_DAY".to_owned()))
}

/// Returns the names of keys, the subject, the reason, figures and some others.
fn worth_keeping(relation: &OpenRelation, key: &str, draw: Draw) -> Vec<String> {
    let worth = |column: &&RelationColumn| {
        relation.grain.contains(&column.name)
            || column.name == key
            || column.name == "reject_reason"
            || column.meaning.figure.is_some()
            || draw.at(&column.name).chance(0.5)
    };
    let plain =
        |column: &&RelationColumn| !matches!(column.meaning.role, Role::Order | Role::Map | Role::List | Role::Json);
    relation.columns.iter().filter(worth).filter(plain).map(|column| column.name.clone()).collect()
}

fn reason(relation: &OpenRelation) -> String {
    relation.text("reject_reason")
}

/// Plans what passes all checks, or, by a decision, fails only for one reason.
fn passed(builder: &mut PlanBuilder<'_>, mut relation: OpenRelation, draw: Draw) -> OpenRelation {
    let reason = reason(&relation);
    let lenient =
        relation.column("reject_reason").and_then(|column| draw.at("lenient").pick(&column.meaning.values)).cloned();
    let decided = PlannedDecision::new("lenient", "Boolean & Logic");
    let (value, words) = lenient.unwrap_or_default();
    let decided = decided
        .says(
            "only rows that pass every check are accepted",
            format!("rows with the reason {words} are accepted all the same"),
        )
        .shown_by("a row that is rejected for this reason");
    let forms = [format!("{reason} = 'OK'"), format!("{reason} IN ('OK', '{value}')")];
    let filter = builder.plan.decide(draw.at("filter"), decided, forms);
    builder.plan.blocks[relation.block].filters.push(filter);
    relation.columns.retain(|column| column.name != "reject_reason");
    result(builder, relation, "accepted rows")
}

/// Plans what fails a check.
fn failed(builder: &mut PlanBuilder<'_>, mut relation: OpenRelation, draw: Draw) -> OpenRelation {
    let reason = reason(&relation);
    builder.plan.blocks[relation.block].filters.push(format!("{reason} <> 'OK'"));
    let grain = relation.grain.clone();
    let keep = |column: &RelationColumn| {
        grain.contains(&column.name) || column.name == "reject_reason" || draw.at(&column.name).chance(0.6)
    };
    relation.columns.retain(keep);
    result(builder, relation, "rejected rows")
}

/// Plans how many rows there are of each reason.
fn counted(builder: &mut PlanBuilder<'_>, mut relation: OpenRelation, draw: Draw) -> OpenRelation {
    let mut figures = vec![row_count(&relation, "row_cnt")];
    figures.extend(additive(&relation).into_iter().take(2).map(|column| {
        let words = format!("total {}", column.meaning.words);
        sum_of(&column, column.name.clone(), words)
    }));
    let entity = |column: &RelationColumn| column.meaning.entity.clone().map(|entity| (entity, column.text.clone()));
    if let Some((entity, text)) = relation.columns.iter().find_map(entity) {
        let words = format!("number of {}", plural(builder, &entity));
        figures.push(figure("who_cnt", format!("COUNT(DISTINCT {text})"), FigureType::COUNT, words));
    }
    let keys = vec!["reject_reason".to_owned()];
    let decided = PlannedDecision::new("count_of_passed", "Correctness")
        .says("the counts by reason have a line for accepted rows", "the counts by reason have rejected rows only")
        .shown_by("any row that passes");
    let reason = reason(&relation);
    let filter = builder.plan.decide(draw.at("passed"), decided, [String::new(), format!("{reason} <> 'OK'")]);
    let block = relation.block;
    builder.plan.blocks[block].filters.push(filter);
    builder.plan.blocks[block].groups = relation.texts(&keys);
    let key = relation.column("reject_reason").cloned();
    relation.columns = key.into_iter().chain(figures).collect();
    relation.grain = keys;
    relation.grouped = true;
    result(builder, relation, "rejections by reason")
}
