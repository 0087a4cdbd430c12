//! Indicators: figures computed one by one from the same rows and stacked by UNION ALL under a code, then ranked as a
//! list or pivoted into columns.

use std::collections::HashSet;

use super::answer::{Analysis, AnalysisOutcome};
use super::request::{AnalysisRequest, AnalysisSize};
use super::steps::{
    FigureType, Group, additive, close, coded, describe, enriched_rows, figure, group, plural, read_again, result,
    singular,
};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{FigureUnit, Role};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::names::identifier;
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::{BlockColumn, PlannedDecision, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// One indicator: what is computed from which rows.
struct Indicator {
    code: String,
    words: String,
    /// The column that is added up or counted; `None` if rows are counted.
    column: Option<String>,
    /// Whether its different values are counted.
    distinct: bool,
    /// A code column with the value to which rows are limited.
    only: Option<(String, String)>,
}

impl Indicator {
    /// Returns the number of rows, or the sum of a column, of all rows.
    fn of(code: String, words: String, column: Option<String>) -> Indicator {
        Indicator { code, words, column, distinct: false, only: None }
    }

    /// Returns its value as SQL; whether each different value counts once is a decision.
    fn value(&self, builder: &mut PlanBuilder<'_>, relation: &OpenRelation, draw: Draw) -> String {
        let Some(column) = &self.column else { return "COUNT(*)".to_owned() };
        if !self.distinct {
            return format!("SUM({})", relation.text(column));
        }
        let decided = PlannedDecision::new("how_many", "Aggregate Logic")
            .says(
                format!("the {} counts each once", self.words),
                format!("the {} counts repeated ones each time", self.words),
            )
            .shown_by("two rows with the same value");
        let each = builder.plan.decide(draw.at(&self.code), decided, ["DISTINCT", ""]);
        format!("COUNT({each} {})", relation.text(column))
    }
}

/// What the columns are called that hold the code and the value of an indicator.
struct IndicatorColumns {
    code: String,
    value: String,
}

impl IndicatorColumns {
    fn draw(draw: Draw) -> IndicatorColumns {
        let code = draw.one_of(INDICATOR_CODES);
        IndicatorColumns { code: code.to_owned(), value: code.replace("_code", "_value") }
    }

    /// The name of a further column about the indicators, such as `kpi_rank`.
    fn with_end(&self, end: &str) -> String {
        self.code.replace("_code", end)
    }
}

/// Names of the column that says which indicator a row is about.
pub const INDICATOR_CODES: [&str; 4] = ["kpi_code", "metric_code", "index_code", "indicator_code"];

/// SQL type of all indicators.
const VALUE: &str = "DECIMAL(20,2)";

/// Plans indicators of each subject.
pub(super) fn indicators(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let Some((mut relation, key)) = enriched_rows(builder, question, size.fact_size, draw)? else { return Ok(None) };
    let many = relation.many.clone();
    builder.require(&mut relation, &key);
    let source = close(builder, &mut relation, &["base", "src", "valid"], many.clone(), draw.at("close"));
    builder.plan.blocks[source].milestone = true;
    let asked = asked(builder, &relation, &key, size, draw.at("asked"));
    if asked.len() < 3 {
        return Ok(None);
    }
    let called = IndicatorColumns::draw(draw.at("called"));
    let rows = KeyedBlock { block: source, key: &key, called: &called };
    let mut listed = stacked(builder, &relation, rows, &asked, draw.at("stacked"));
    if draw.at("turned").chance(0.15) {
        pivoted(builder, &mut listed, rows, &asked, draw.at("turned"));
    } else {
        ranked(builder, &mut listed, rows, draw.at("ranked"));
    }
    describe(builder, &mut listed, &question.subject, &key, draw.at("describe"));
    let order = listed.texts(&listed.grain);
    builder.plan.blocks[listed.block].order = order;
    let title = format!("indicators for {many} by {}", singular(builder, &question.subject));
    let end = draw.at("name").one_of(["kpi", "metrics", "indicators", "index"]);
    let name = format!("{}_{end}", builder.names.table(&relation.table));
    let results = vec![result(builder, listed, &title)];
    Ok(Some(Analysis::new(title, name, results)))
}

/// Returns the indicators that the rows allow, each code once.
fn asked(
    builder: &PlanBuilder<'_>,
    relation: &OpenRelation,
    key: &str,
    size: AnalysisSize,
    draw: Draw,
) -> Vec<Indicator> {
    let stem = identifier(&relation.one);
    let mut found = vec![Indicator::of(format!("{stem}_cnt"), format!("number of {}", relation.many), None)];
    let codes = coded(relation);
    if let Some(code) = draw.at("code").pick(&codes) {
        let sum = additive(relation).into_iter().next().filter(|_| draw.at("sum").chance(0.6));
        let counted = (stem.as_str(), relation.many.as_str());
        let (name, figure) = sum.as_ref().map_or(counted, |sum| (&sum.name, &sum.meaning.words));
        for (value, words) in code.meaning.values.iter().take(4) {
            let column = sum.as_ref().map(|sum| sum.name.clone());
            let of_value =
                Indicator::of(format!("{name}_{}", identifier(value)), format!("{figure} ({words})"), column);
            found.push(Indicator { only: Some((code.name.clone(), value.clone())), ..of_value });
        }
    }
    let sum = |column: RelationColumn| Indicator::of(column.name.clone(), column.meaning.words, Some(column.name));
    found.extend(additive(relation).into_iter().map(sum));
    let subject = relation.column(key).and_then(|column| column.meaning.entity.clone()).unwrap_or_default();
    let varies = |column: &&RelationColumn| !builder.is_constant(column, key, &subject);
    for column in relation.columns.iter().filter(|column| column.meaning.figure.is_none()).filter(varies) {
        if let Some(entity) = &column.meaning.entity {
            let words = format!("number of {}", plural(builder, entity));
            let counted = Indicator::of(format!("{entity}_num"), words, Some(column.name.clone()));
            found.push(Indicator { distinct: true, ..counted });
        }
    }
    let mut seen = HashSet::new();
    found.retain(|indicator| seen.insert(indicator.code.clone()));
    found.truncate((3 + size.fact_size.measures / 2).min(12));
    found
}

/// A block, its column with the subject, and what the columns of its indicators are called.
#[derive(Clone, Copy)]
struct KeyedBlock<'a> {
    block: usize,
    key: &'a str,
    called: &'a IndicatorColumns,
}

/// Plans the union of a block for each indicator, which all read `rows`.
fn stacked(
    builder: &mut PlanBuilder<'_>,
    relation: &OpenRelation,
    rows: KeyedBlock<'_>,
    asked: &[Indicator],
    draw: Draw,
) -> OpenRelation {
    let KeyedBlock { block: source, key, called } = rows;
    let mut members = Vec::new();
    for indicator in asked {
        let again = read_again(builder, relation, source);
        let value = indicator.value(builder, &again, draw);
        let group = again.text(key);
        let block = &mut builder.plan.blocks[again.block];
        block.outputs = vec![
            BlockColumn::kept(key, group.clone()),
            BlockColumn::kept(&called.code, format!("'{}'", indicator.code)),
            BlockColumn::kept(&called.value, format!("CAST({value} AS {VALUE})")),
        ];
        let only = indicator.only.iter();
        block.filters = only.map(|(code, value)| format!("{} = '{value}'", again.text(code))).collect();
        block.groups = vec![group];
        block.purpose.clone_from(&indicator.words);
        members.push(again.block);
    }
    let table = builder.names.table(&relation.table);
    let names = vec![format!("{table}_kpi"), "kpi_list".to_owned()];
    let purpose = format!("indicators from {}", relation.many);
    let union = builder.plan.union(members, "UNION ALL".to_owned(), names, purpose);
    builder.plan.blocks[union].milestone = true;
    listed(builder, relation, KeyedBlock { block: union, key, called }, asked)
}

/// Returns the list of indicators in a block: subject, code and value.
fn listed(
    builder: &mut PlanBuilder<'_>,
    relation: &OpenRelation,
    rows: KeyedBlock<'_>,
    asked: &[Indicator],
) -> OpenRelation {
    let KeyedBlock { key, called, .. } = rows;
    let (block, slot) = builder.plan.block(RowSource::Block(rows.block));
    let mut code = ColumnMeaning::plain(Role::Code, "STRING", "indicator");
    code.values = asked.iter().map(|indicator| (indicator.code.clone(), indicator.words.clone())).collect();
    let subject =
        relation.column(key).map(|column| RelationColumn { text: piece::column(slot, key), ..column.clone() });
    let value = FigureType { unit: FigureUnit::Measure, sql: VALUE };
    let own = [
        RelationColumn { name: called.code.clone(), text: piece::column(slot, &called.code), meaning: code },
        figure(called.value.clone(), piece::column(slot, &called.value), value, "value of the indicator"),
    ];
    let columns = subject.into_iter().chain(own).collect();
    let mut listed = OpenRelation::over(block, columns, "indicator", "indicators", &relation.table);
    listed.grain = vec![key.to_owned(), called.code.clone()];
    listed
}

/// Pivots the list: one column for each indicator.
fn pivoted(
    builder: &mut PlanBuilder<'_>,
    listed: &mut OpenRelation,
    KeyedBlock { key, called, .. }: KeyedBlock<'_>,
    asked: &[Indicator],
    draw: Draw,
) {
    let (code, value) = (listed.text(&called.code), listed.text(&called.value));
    let decided = PlannedDecision::new("no_indicator", "NULL Handling")
        .says("an indicator without rows is zero", "an indicator without rows stays blank")
        .shown_by("a subject without rows of an indicator");
    let rest = builder.plan.decide(draw.at("rest"), decided, ["ELSE 0", ""]);
    let figures = asked.iter().map(|indicator| {
        let text = format!("SUM(CASE WHEN {code} = '{}' THEN {value} {rest} END)", indicator.code);
        let unit = FigureType { unit: FigureUnit::Measure, sql: VALUE };
        figure(indicator.code.clone(), text, unit, indicator.words.clone()).nullable()
    });
    let figures = figures.collect();
    let called = vec!["kpi_wide".to_owned(), "wide".to_owned()];
    let purpose = "one column per indicator".to_owned();
    group(builder, listed, Group { keys: vec![key.to_owned()], figures, called, purpose }, draw.at("group"));
}

/// Adds the rank of each subject by each indicator, and the average of the indicator.
fn ranked(
    builder: &mut PlanBuilder<'_>,
    listed: &mut OpenRelation,
    KeyedBlock { key, called, .. }: KeyedBlock<'_>,
    draw: Draw,
) {
    let (who, code, value) = (listed.text(key), listed.text(&called.code), listed.text(&called.value));
    let decided = PlannedDecision::new("equal_values", "Ranking")
        .says("equal values share a rank", "no two share a rank, even with equal values")
        .shown_by("two subjects with the same value");
    let forms = [
        format!("RANK() OVER (PARTITION BY {code} ORDER BY {value} DESC)"),
        format!("ROW_NUMBER() OVER (PARTITION BY {code} ORDER BY {value} DESC, {who})"),
    ];
    let rank = builder.plan.decide(draw.at("ties"), decided, forms);
    let name = draw.at("rank").one_of(["_rank", "place", "rank_no"]);
    let name = if name == "_rank" { called.with_end(name) } else { name.to_owned() };
    listed.columns.push(figure(name, rank, FigureType::NUMBER, "rank by the indicator"));
    let mean = format!("ROUND(AVG({value}) OVER (PARTITION BY {code}), 2)");
    listed.columns.push(figure(
        called.with_end("_avg"),
        mean,
        FigureType { unit: FigureUnit::Measure, sql: "DECIMAL(20,2)" },
        "average value",
    ));
    close(builder, listed, &["kpi_ranked", "kpi_placed"], String::new(), draw.at("close"));
}
