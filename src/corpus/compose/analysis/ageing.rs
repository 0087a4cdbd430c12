//! Ageing: what is still open, by how long it has been.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{Conditional, FigureType, Group, additive, close, describe, figure, group, ratios};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{BusinessQuestion, DomainColumn, FigureUnit, LifecyclePhase, Role, TableKind};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::{FactSize, rows, subject_column};
use crate::corpus::compose::pattern::PatternStage;
use crate::corpus::compose::piece::day;
use crate::corpus::compose::plan::PlannedDecision;
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use crate::corpus::compose::scan::window_of;
use crate::corpus::compose::stages::stage;

/// Limits between classes of ages, in days.
const AGE_LIMITS: [&[usize]; 5] = [&[3, 7, 14], &[7, 30], &[7, 14, 30], &[5, 10, 20], &[30, 60]];

/// Plans open items of each subject by age, with a column or a row for each class.
pub(super) fn ageing(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let fact_size = FactSize { enrich: size.fact_size.enrich.min(1), ..size.fact_size };
    builder.window = window_of(90);
    let Some((mut relation, key)) = open_items(builder, question, fact_size, draw.at("items"))? else {
        return Ok(None);
    };
    if relation.is_single(&key) {
        return Ok(None);
    }
    let many = relation.many.clone();
    stage(builder, &mut relation, PatternStage::Enrich, fact_size.enrich, draw.at("enrich"))?;
    if relation.multiplied {
        return Ok(None);
    }
    let Some(age) = add_age(&mut relation) else { return Ok(None) };
    let purpose = format!("open {many} with their age");
    close(builder, &mut relation, &["open", "open_items", "pending"], purpose, draw.at("close"));
    let (bucket, classes) = classed(builder, &mut relation, &age, draw.at("classed"));
    close(builder, &mut relation, &["aged", "in_classes"], String::new(), draw.at("aged"));
    let wide = draw.at("wide").chance(0.6);
    let classes = wide.then_some((bucket.as_str(), classes.as_slice()));
    let figures = figures(&relation, &age, classes, draw.at("figures"));
    let keys = if wide { vec![key.clone()] } else { vec![key.clone(), bucket.clone()] };
    let called = vec!["ageing".to_owned(), "age_sum".to_owned()];
    let title = format!("open {many} by age");
    let purpose = title.clone();
    group(builder, &mut relation, Group { keys, figures, called, purpose }, draw.at("group"));
    describe(builder, &mut relation, &question.subject, &key, draw.at("describe"));
    ratios(builder, &mut relation, draw.at("ratios"))?;
    builder.plan.blocks[relation.block].order = relation.texts(&relation.grain);
    let name = format!("{}_ageing", builder.names.table(&relation.table));
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Adds the age of each item in days; returns the name of the column, `None` if no item has a beginning.
fn add_age(relation: &mut OpenRelation) -> Option<String> {
    let began = relation.columns.iter().find(|column| {
        matches!(column.meaning.role, Role::Time | Role::Day)
            && !column.meaning.missing
            && column.meaning.kind == "STRING"
            // The partition of a copy is the same day for all of its rows.
            && !column.meaning.origin.is_empty()
    })?;
    let words = format!("days since the {}", began.meaning.words);
    let text = format!("DATEDIFF({}, {})", day(0), began.text);
    // A table may have a column of this name itself.
    let age = relation.free_name("age_days");
    relation.columns.push(figure(age.as_str(), text, FigureType::NUMBER, words));
    Some(age)
}

/// Plans the rows of a fact whose status is still open; returns the name of the subject's column as well.
fn open_items(
    builder: &mut PlanBuilder<'_>,
    question: &BusinessQuestion,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<(OpenRelation, String)>, minijinja::Error> {
    for fact in draw.at("fact").shuffled(&question.facts) {
        let Some(table) = builder.domain.tables.get(&fact) else { continue };
        let status = table
            .columns
            .iter()
            .find(|(_, column)| column.role == Role::Status && !in_phase(column, LifecyclePhase::Open).is_empty());
        let (Some((status, column)), TableKind::Event | TableKind::Snapshot) = (status, table.kind) else { continue };
        // Rules may filter by status, and cleaning may ask for a time that only what is closed has.
        let fact_size = FactSize { rules: 0, clean: 0, ..fact_size };
        let Some(mut relation) = rows(builder, &fact, fact_size, draw.at(&fact))? else { continue };
        let origin = format!("{fact}.{status}");
        let Some(shown) = relation.columns.iter().find(|shown| shown.meaning.origin == origin) else { continue };
        let (open, done) = (in_phase(column, LifecyclePhase::Open), in_phase(column, LifecyclePhase::Done));
        if done.is_empty() {
            continue;
        }
        let list = |values: &[&str]| values.iter().map(|value| format!("'{value}'")).collect::<Vec<_>>().join(", ");
        let listed = format!("{} IN ({})", shown.text, list(&open));
        let unlisted = format!("{} NOT IN ({})", shown.text, list(&done));
        let decided = PlannedDecision::new("still_open", "Boolean & Logic")
            .says(
                format!("only {} that are {} count as open", relation.many, open.join(" or ")),
                format!("all {} count as open unless they are {}", relation.many, done.join(" or ")),
            )
            .shown_by("rows that were dropped");
        let filter = builder.plan.decide(draw.at("open"), decided, [listed, unlisted]);
        builder.plan.blocks[relation.block].filters.push(filter);
        if let Some(key) = subject_column(builder, &mut relation, draw.at("reach")) {
            return Ok(Some((relation, key)));
        }
    }
    Ok(None)
}

/// Returns the values of a status in one phase of what it describes.
fn in_phase(status: &DomainColumn, phase: LifecyclePhase) -> Vec<&str> {
    status.values.iter().filter(|(_, value)| value.phase == Some(phase)).map(|(value, _)| value).collect()
}

/// Adds the class of the age; returns the column's name and the classes. To which a limit belongs is one decision.
fn classed(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, age: &str, draw: Draw) -> (String, Vec<String>) {
    let age = relation.text(age);
    let limits = draw.at("ladder").one_of(AGE_LIMITS);
    let decided = PlannedDecision::new("age_limit", "Conditional Logic")
        .says(
            "an age exactly at a limit belongs to the younger class",
            "an age exactly at a limit belongs to the older class",
        )
        .shown_by("an age exactly at a limit");
    let less = builder.plan.decide(draw.at("limit"), decided, ["<=", "<"]);
    let class = |number: usize| limits.get(number).map_or_else(|| "OLDER".to_owned(), |limit| format!("D{limit}"));
    let arms: Vec<String> = limits
        .iter()
        .enumerate()
        .map(|(number, limit)| format!("WHEN {age} {less} {limit} THEN '{}'", class(number)))
        .collect();
    let text = format!("CASE {} ELSE '{}' END", arms.join(" "), class(limits.len()));
    let classes: Vec<String> = (0..=limits.len()).map(class).collect();
    let name = relation.free_name(draw.at("name").one_of(["age_class", "age_bucket", "age_band"]));
    let mut meaning = ColumnMeaning::plain(Role::Code, "STRING", "age class");
    meaning.values = classes.iter().map(|class| (class.clone(), format!("age class {class}"))).collect();
    relation.columns.push(RelationColumn { name: name.clone(), text, meaning });
    (name, classes)
}

/// Returns counts and sums; also those of each class, if `wide` gives its column and the classes.
fn figures(relation: &OpenRelation, age: &str, wide: Option<(&str, &[String])>, draw: Draw) -> Vec<RelationColumn> {
    let conditional = Conditional::draw(draw.at("conditional"));
    let count = FigureType::COUNT;
    let mut found = vec![figure("open_cnt", "COUNT(*)", count, format!("number of open {}", relation.many))];
    found[0].meaning.sum = true;
    let amounts: Vec<RelationColumn> = additive(relation).into_iter().take(2).collect();
    for column in &amounts {
        let words = format!("open {}", column.meaning.words);
        let mut sum = super::steps::sum_of(column, format!("open_{}", column.name), words);
        sum.meaning.origin.clear();
        found.push(sum);
    }
    for class in wide.iter().flat_map(|(_, classes)| classes.iter()) {
        let Some((bucket, _)) = wide else { continue };
        let condition = format!("{} = '{class}'", relation.text(bucket));
        let lower = class.to_lowercase();
        let number = conditional.count(&condition);
        found.push(figure(format!("{lower}_cnt"), number, count, format!("number in age class {class}")));
        if let Some(column) = amounts.first() {
            let unit = FigureType::of(column, FigureUnit::Amount);
            let sum = conditional.sum(&condition, &column.text);
            let words = format!("{} in age class {class}", column.meaning.words);
            found.push(figure(format!("{lower}_{}", column.name), sum, unit, words));
        }
    }
    let age = relation.text(age);
    let oldest = figure("oldest_days", format!("MAX({age})"), FigureType::NUMBER, "oldest age in days");
    let mean = figure("avg_age_days", format!("ROUND(AVG({age}), 1)"), FigureType::MEASURE, "mean age in days");
    found.extend([oldest, mean]);
    found
}
