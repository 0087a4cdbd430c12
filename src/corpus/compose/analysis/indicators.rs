//! Indicators: figures computed one by one from the same rows and stacked by UNION ALL under a code, then ranked as a
//! list or pivoted into columns.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::{AnalysisRequest, AnalysisSize};
use super::steps::{
    FigureType, Group, additive, close, coded, describe, enriched_rows, figure, group, output, plural, read_again,
    result, singular,
};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::comparable_tables::over;
use crate::corpus::compose::domain::{FigureUnit, Role};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::names::identifier;
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::{PlannedDecision, RowSource};
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

/// SQL type of all indicators.
const VALUE: &str = "DECIMAL(20,2)";

/// Plans indicators of each subject.
pub(super) fn indicators(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let Some((mut relation, key)) = enriched_rows(builder, question, size.effort, draw)? else { return Ok(None) };
    let many = relation.many.clone();
    builder.require(&mut relation, &key);
    let source = close(builder, &mut relation, &["base", "src", "valid"], many.clone(), draw.at("close"));
    builder.plan.blocks[source].milestone = true;
    let asked = asked(builder, &relation, &key, size, draw.at("asked"));
    if asked.len() < 3 {
        return Ok(None);
    }
    let mut listed = stacked(builder, &relation, source, &key, &asked, draw.at("stacked"));
    if draw.at("turned").chance(0.45) {
        pivoted(builder, &mut listed, &key, &asked, draw.at("turned"));
    } else {
        ranked(builder, &mut listed, &key, draw.at("ranked"));
    }
    describe(builder, &mut listed, &question.subject, &key, draw.at("describe"));
    let order = listed.texts(&listed.grain.clone());
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
    let plain = |code: String, words: String, column: Option<String>| Indicator {
        code,
        words,
        column,
        distinct: false,
        only: None,
    };
    let mut found = vec![plain(format!("{stem}_cnt"), format!("number of {}", relation.many), None)];
    let sums: Vec<Indicator> = additive(relation)
        .into_iter()
        .map(|column| plain(column.name.clone(), column.meaning.words.clone(), Some(column.name)))
        .collect();
    let codes = coded(relation);
    if let Some(code) = draw.at("code").pick(&codes) {
        let sum = additive(relation).into_iter().next().filter(|_| draw.at("sum").chance(0.6));
        for (value, words) in code.meaning.values.iter().take(4) {
            found.push(Indicator {
                code: format!("{}_{}", sum.as_ref().map_or(stem.as_str(), |sum| sum.name.as_str()), identifier(value)),
                words: format!(
                    "{words} ({})",
                    sum.as_ref().map_or(relation.many.as_str(), |sum| sum.meaning.words.as_str())
                ),
                column: sum.as_ref().map(|sum| sum.name.clone()),
                distinct: false,
                only: Some((code.name.clone(), value.clone())),
            });
        }
    }
    found.extend(sums);
    let subject = relation.column(key).and_then(|column| column.meaning.entity.clone()).unwrap_or_default();
    let varies = |column: &&RelationColumn| !builder.is_constant(column, key, &subject);
    for column in relation.columns.iter().filter(|column| column.meaning.figure.is_none()).filter(varies) {
        if let Some(entity) = &column.meaning.entity {
            let words = format!("number of distinct {}", plural(builder, entity));
            let column = Some(column.name.clone());
            found.push(Indicator { code: format!("{entity}_num"), words, column, distinct: true, only: None });
        }
    }
    let mut seen: Vec<String> = Vec::new();
    found.retain(|indicator| {
        !seen.contains(&indicator.code) && {
            seen.push(indicator.code.clone());
            true
        }
    });
    found.truncate((3 + size.effort.measures / 2).min(12));
    found
}

/// Plans a block for each indicator and their union.
fn stacked(
    builder: &mut PlanBuilder<'_>,
    relation: &OpenRelation,
    source: usize,
    key: &str,
    asked: &[Indicator],
    draw: Draw,
) -> OpenRelation {
    let mut members = Vec::new();
    for indicator in asked {
        let again = read_again(builder, relation, source);
        let value = match &indicator.column {
            None => "COUNT(*)".to_owned(),
            Some(column) if indicator.distinct => {
                let decided = PlannedDecision::new("how_many", "Aggregate Logic")
                    .says(
                        format!("the {} counts each once", indicator.words),
                        format!("the {} counts them as often as they come", indicator.words),
                    )
                    .shown_by("two rows with the same value");
                let each = builder.plan.decide(draw.at(&indicator.code), decided, ["DISTINCT", ""]);
                format!("COUNT({each} {})", again.text(column))
            }
            Some(column) => format!("SUM({})", again.text(column)),
        };
        let group = again.text(key);
        let filters = indicator.only.iter().map(|(code, value)| format!("{} = '{value}'", again.text(code))).collect();
        let block = &mut builder.plan.blocks[again.block];
        block.outputs = vec![
            output(key, group.clone()),
            output("kpi_code", format!("'{}'", indicator.code)),
            output("kpi_value", format!("CAST({value} AS {VALUE})")),
        ];
        block.filters = filters;
        block.groups = vec![group];
        block.purpose.clone_from(&indicator.words);
        members.push(again.block);
    }
    let table = builder.names.table(&relation.table);
    let names = vec![format!("{table}_kpi"), "kpi_list".to_owned()];
    let purpose = format!("indicators from {}", relation.many);
    let union = builder.plan.union(members, "UNION ALL".to_owned(), names, purpose);
    builder.plan.blocks[union].milestone = true;
    let (block, slot) = builder.plan.block(RowSource::Block(union));
    let mut code = ColumnMeaning::plain(Role::Code, "STRING", "indicator");
    code.values = asked.iter().map(|indicator| (indicator.code.clone(), indicator.words.clone())).collect();
    let subject = relation
        .column(key)
        .cloned()
        .into_iter()
        .map(|column| RelationColumn { text: piece::column(slot, key), ..column });
    let mut columns: Vec<RelationColumn> = subject.collect();
    columns.push(RelationColumn { name: "kpi_code".to_owned(), text: piece::column(slot, "kpi_code"), meaning: code });
    let value = FigureType { unit: FigureUnit::Measure, sql: VALUE };
    columns.push(figure("kpi_value", piece::column(slot, "kpi_value"), value, "value of the indicator"));
    let mut listed = over(block, columns, "indicator", "indicators".to_owned(), &relation.table);
    listed.grain = vec![key.to_owned(), "kpi_code".to_owned()];
    listed
}

/// Pivots the list: one column for each indicator.
fn pivoted(builder: &mut PlanBuilder<'_>, listed: &mut OpenRelation, key: &str, asked: &[Indicator], draw: Draw) {
    let (code, value) = (listed.text("kpi_code"), listed.text("kpi_value"));
    let decided = PlannedDecision::new("no_indicator", "NULL Handling")
        .says("an indicator without rows is zero", "an indicator without rows is unknown")
        .shown_by("a subject without rows of an indicator");
    let rest = builder.plan.decide(draw.at("rest"), decided, ["ELSE 0", ""]);
    let figures = asked.iter().map(|indicator| {
        let text = format!("SUM(CASE WHEN {code} = '{}' THEN {value} {rest} END)", indicator.code);
        let unit = FigureType { unit: FigureUnit::Measure, sql: VALUE };
        let mut turned = figure(indicator.code.clone(), text, unit, indicator.words.clone());
        turned.meaning.missing = true;
        turned
    });
    let figures = figures.collect();
    let called = vec!["kpi_wide".to_owned(), "wide".to_owned()];
    let purpose = "one column per indicator".to_owned();
    group(builder, listed, Group { keys: vec![key.to_owned()], figures, called, purpose }, draw.at("group"));
}

/// Adds the rank of each subject by each indicator, and the mean of the indicator.
fn ranked(builder: &mut PlanBuilder<'_>, listed: &mut OpenRelation, key: &str, draw: Draw) {
    let (who, code, value) = (listed.text(key), listed.text("kpi_code"), listed.text("kpi_value"));
    let decided = PlannedDecision::new("equal_values", "Window Function Logic")
        .says("equal values have the same place", "equal values have places of their own")
        .shown_by("two subjects with the same value");
    let forms = [
        format!("RANK() OVER (PARTITION BY {code} ORDER BY {value} DESC)"),
        format!("ROW_NUMBER() OVER (PARTITION BY {code} ORDER BY {value} DESC, {who})"),
    ];
    let rank = builder.plan.decide(draw.at("ties"), decided, forms);
    let name = draw.at("rank").one_of(["kpi_rank", "place", "rank_no"]);
    listed.columns.push(figure(name, rank, FigureType::NUMBER, "rank by the indicator"));
    let mean = format!("ROUND(AVG({value}) OVER (PARTITION BY {code}), 2)");
    listed.columns.push(figure(
        "kpi_avg",
        mean,
        FigureType { unit: FigureUnit::Measure, sql: "DECIMAL(20,2)" },
        "mean of the indicator",
    ));
    close(builder, listed, &["kpi_ranked", "kpi_placed"], String::new(), draw.at("close"));
}
