//! A scorecard: the subjects with the figures of all facts and figures made of them.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::{AnalysisRequest, AnalysisSize};
use super::steps::{describes, ratios};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::compared_sides::compared_totals;
use crate::corpus::compose::domain::{BusinessQuestion, FigureUnit, Role, Table};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::{fact_figures, figures};
use crate::corpus::compose::funnel::funnel;
use crate::corpus::compose::names::{identifier, spoken};
use crate::corpus::compose::pattern::PatternStage;
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::{PlannedDecision, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use crate::corpus::compose::rules::{decided_rule, drawn_rules};
use crate::corpus::compose::similar_tables::united;
use crate::corpus::compose::stages::stage;

/// Plans the report that answers a question as it stands.
pub(super) fn scorecard(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let mut parts = Vec::new();
    for (number, fact) in facts(question, size, draw).into_iter().enumerate() {
        let mut fact_size = size.fact_size;
        fact_size.measures = draw.nth("measures", number).between(fact_size.measures / 2 + 1, fact_size.measures + 2);
        if let Some(found) = fact_figures(builder, fact, fact_size, draw.nth("branch", number))? {
            parts.push(found);
        }
    }
    across(builder, question, size, &mut parts, draw.at("across"))?;
    if parts.is_empty() {
        return Ok(None);
    }
    let mut relation = combine(builder, question, &parts, draw.at("combine"));
    let ends = draw.at("name").shuffled(&["base", "agg", "wide", "stat", "all", "figures"]);
    let names = ends.iter().map(|end| format!("{}_{end}", question.subject)).collect();
    let source = relation.block;
    relation.close(&mut builder.plan, names, String::new());
    builder.plan.blocks[source].milestone = true;
    let all = relation.clone();
    // In a block of their own derived figures read others by name, and need no second COALESCE around them.
    ratios(builder, &mut relation, draw.at("ratios"))?;
    let derived = draw.at("derive").between(1, 1 + size.derive / 2);
    stage(builder, &mut relation, PatternStage::Derive, derived, draw.at("derive"))?;
    stage(builder, &mut relation, PatternStage::Finish, 1, draw.at("finish"))?;
    relation.finish(&mut builder.plan, vec!["result".to_owned()], question.title.clone());
    builder.plan.results.push(relation.block);
    let mut results = vec![relation];
    if draw.at("summary").chance(0.4) {
        results.extend(summary(builder, &all, source, draw.at("summary")));
    }
    let words: Vec<&str> = question.title.split_whitespace().filter(|word| word.len() > 3).take(2).collect();
    Ok(Some(Analysis::new(titled(builder, question, draw.at("title")), words.join("_"), results)))
}

/// Returns the facts of the report: those with figures that are asked for come first; only for very many facts some
/// are read twice.
fn facts(question: &BusinessQuestion, size: AnalysisSize, draw: Draw) -> Vec<&String> {
    let mut facts: Vec<&String> = question.asked_facts();
    let others: Vec<&String> = question.facts.iter().filter(|fact| !facts.contains(fact)).collect();
    facts.extend(draw.at("others").shuffled(&others));
    if size.facts >= 2 * facts.len() && (facts.len() > 1 || size.facts > 3) {
        facts.extend(draw.at("facts").shuffled(&facts));
    }
    facts.truncate(size.facts);
    facts
}

/// Share of titles that end with the story.
const TOLD: f64 = 0.35;

/// Returns the title of the report: that of the question, by chance with what the script is after.
fn titled(builder: &PlanBuilder<'_>, question: &BusinessQuestion, draw: Draw) -> String {
    let end = builder.library.story(&builder.story).map_or("", |story| story.end(draw));
    let says_it = end.split_whitespace().any(|word| word.len() > 3 && question.title.contains(word));
    if end.is_empty() || says_it || !draw.at("told").chance(TOLD) {
        return question.title.clone();
    }
    format!("{}: {end}", question.title)
}

/// Adds figures over several tables by chance: similar tables, tables whose figures should agree and funnels that
/// reach the subject.
fn across(
    builder: &mut PlanBuilder<'_>,
    question: &BusinessQuestion,
    size: AnalysisSize,
    parts: &mut Vec<OpenRelation>,
    draw: Draw,
) -> Result<(), minijinja::Error> {
    let (domain, subject) = (builder.domain, question.subject.as_str());
    for round in 0..(size.facts / 2).max(1) {
        let draw = draw.nth("round", round);
        for (name, model) in
            domain.similar.iter().filter(|(_, model)| question.has_similar(model) && draw.at("similar").chance(0.12))
        {
            let draw = draw.at("similar").at(name);
            if let Some((relation, _)) = united(builder, name, model, size.fact_size, draw)? {
                parts.extend(figures(builder, relation, size.fact_size, draw.at("figures"))?);
            }
        }
        for (name, model) in
            domain.mirrors.iter().filter(|(_, model)| question.has_both_sides(model) && draw.at("mirror").chance(0.12))
        {
            parts.extend(compared_totals(builder, model, size.fact_size, draw.at("mirror").at(name))?);
        }
        let ways = domain.funnels.iter().filter(|(_, model)| model.entity == subject && round == 0);
        for (name, model) in ways.filter(|_| draw.at("funnel").chance(0.5)) {
            parts.extend(funnel(builder, name, model, size.fact_size, draw.at("funnel").at(name))?);
        }
    }
    Ok(())
}

/// Plans a second result: figures by an attribute of the subjects, perhaps with a total; `None` without attribute.
fn summary(builder: &mut PlanBuilder<'_>, relation: &OpenRelation, source: usize, draw: Draw) -> Option<OpenRelation> {
    let is_code = |column: &&RelationColumn| {
        let meaning = &column.meaning;
        meaning.role == Role::Code && meaning.figure.is_none() && !meaning.origin.is_empty()
    };
    let codes: Vec<&RelationColumn> = relation.columns.iter().filter(is_code).collect();
    let code = (*draw.at("code").pick(&codes)?).clone();
    let (block, slot) = builder.plan.block(RowSource::Block(source));
    let text = piece::column(slot, &code.name);
    let rollup = draw.at("rollup").chance(0.5);
    let known = format!("COALESCE({text}, 'UNKNOWN')");
    let shown = if rollup { format!("IF(GROUPING({text}) = 1, 'ALL', {text})") } else { known.clone() };
    let meaning = ColumnMeaning { kind: "STRING".to_owned(), ..code.meaning.clone() };
    let mut columns = vec![RelationColumn { name: code.name.clone(), text: shown, meaning }];
    let mut counted = ColumnMeaning::plain(Role::Measure, "BIGINT", format!("number of {}", relation.many));
    counted.figure = Some(FigureUnit::Quantity);
    let name = format!("{}_cnt", identifier(&relation.one));
    columns.push(RelationColumn { name, text: "COUNT(*)".to_owned(), meaning: counted });
    let sums: Vec<&RelationColumn> = relation.columns.iter().filter(|column| column.meaning.sum).collect();
    for column in draw.at("sums").shuffled(&sums).into_iter().take(draw.at("count").between(2, 8)) {
        let text = format!("SUM({})", piece::column(slot, &column.name));
        columns.push(RelationColumn { name: column.name.clone(), text, meaning: column.meaning.clone() });
    }
    let target = &mut builder.plan.blocks[block];
    target.groups = vec![if rollup { text } else { known }];
    target.grouping = if rollup { "WITH ROLLUP".to_owned() } else { String::new() };
    let many = format!("figures by {}", code.meaning.words);
    let relation = OpenRelation {
        block,
        columns,
        grain: vec![code.name.clone()],
        one: code.meaning.words.clone(),
        many: many.clone(),
        table: String::new(),
        ..relation.clone()
    };
    relation.finish(&mut builder.plan, vec!["summary".to_owned()], many);
    builder.plan.results.push(block);
    Some(relation)
}

/// Joins the figures of all parts to the subjects.
fn combine(
    builder: &mut PlanBuilder<'_>,
    question: &BusinessQuestion,
    parts: &[OpenRelation],
    draw: Draw,
) -> OpenRelation {
    let dimension = builder.domain.tables.iter().find(|(_, table)| describes(table, &question.subject));
    let (mut relation, rest) = match dimension {
        Some((name, table)) => (subjects(builder, name, table, draw.at("spine")), parts),
        None => (first(builder, &parts[0]), &parts[1..]),
    };
    let entity = builder.domain.entities.get(&question.subject);
    relation.one = entity.map(|entity| entity.one.clone()).unwrap_or_default();
    relation.many = entity.map(|entity| entity.many.clone()).unwrap_or_default();
    for (number, other) in rest.iter().enumerate() {
        attach(builder, &mut relation, other, draw.nth("attach", number));
    }
    relation
}

/// Plans the subjects of a dimension, under some of its rules, with some of their attributes.
fn subjects(builder: &mut PlanBuilder<'_>, name: &str, table: &Table, draw: Draw) -> OpenRelation {
    let (block, slot) = builder.plan.block(RowSource::Table(name.to_owned()));
    let mut relation = OpenRelation::over(block, Vec::new(), &table.one, &table.many, &format!("{name}_report"));
    for (column_name, column) in table.columns.iter() {
        let real = builder.names.column(name, column_name);
        if table.key.iter().any(|key| key == column_name) {
            relation.grain.push(real.clone());
        }
        let text = piece::column(slot, &real);
        relation.add(real, text, ColumnMeaning::of(name, column_name, column));
    }
    if let Some(partition) = &table.partition {
        let text = format!("{} = {}", piece::column(slot, &partition.column), piece::day(0));
        builder.plan.blocks[block].filters.push(text);
    }
    let count = draw.at("rules").below(table.rules.len() + 1);
    for (rule_name, rule) in drawn_rules(table, count, draw.at("which")) {
        let text = |column: &str| Some(piece::column(slot, &builder.names.column(name, column)));
        let whole = |sql: &str| {
            let text = builder.names.expand(table, sql, text);
            if text.contains(" OR ") { format!("({text})") } else { text }
        };
        let forms = [whole(&rule.keep), rule.otherwise.as_ref().map(|other| whole(other)).unwrap_or_default()];
        let filter = decided_rule(builder, name, (rule_name, rule), forms, draw);
        builder.plan.blocks[block].filters.push(filter);
    }
    // A report shows some of what is known of its subject.
    let share = 0.3 + draw.at("share").unit() * 0.5;
    let OpenRelation { columns, grain, .. } = &mut relation;
    columns.retain(|column| grain.contains(&column.name) || draw.at("keep").at(&column.name).chance(share));
    relation
}

/// Takes the subjects from the first part, where no dimension has them.
fn first(builder: &mut PlanBuilder<'_>, part: &OpenRelation) -> OpenRelation {
    let mut relation = part.clone();
    relation.read(&mut builder.plan, part.block);
    relation.table = format!("{}_report", part.table);
    relation
}

/// Joins the figures of a part; subjects without any stay or go by a decision.
fn attach(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, part: &OpenRelation, draw: Draw) {
    let slot = builder.plan.item(relation.block, RowSource::Block(part.block), String::new());
    let (Some(here), Some(there)) = (relation.grain.first(), part.grain.first()) else { return };
    let on = format!("{} = {}", relation.text(here), piece::column(slot, there));
    let unit = part.many.clone();
    let decided = PlannedDecision::new("without_partner", "JOIN Type Selection")
        .says(
            format!("{} without any {unit} stay in the report", relation.many),
            format!("{} without any {unit} are left out of the report", relation.many),
        )
        .shown_by(&format!("{} without {unit}", relation.many));
    let join = builder.plan.decide(draw.at("join"), decided, ["LEFT JOIN", "JOIN"]);
    let all_stay = builder.plan.decisions.last().is_some_and(|decided| decided.chosen == 0);
    builder.plan.join_last(relation.block, join, vec![on]);
    for column in part.columns.iter().filter(|column| !part.grain.contains(&column.name)) {
        let plain = piece::column(slot, &column.name);
        let mut meaning = column.meaning.clone();
        let counted = matches!(meaning.figure, Some(FigureUnit::Quantity | FigureUnit::Amount | FigureUnit::Duration));
        let text = if counted && !column.meaning.missing {
            // Behind an inner join there is nothing to fill in.
            if all_stay { format!("COALESCE({plain}, 0)") } else { plain }
        } else {
            meaning.missing = true;
            plain
        };
        let mut name = column.name.clone();
        if relation.column(&name).is_some() {
            // Two parts have a figure of the same name: the table tells them apart.
            let table = builder.names.table(&part.table);
            name = relation.free_name(&spoken(&format!("{table}_{name}")));
        }
        relation.add(name, text, meaning);
    }
}
