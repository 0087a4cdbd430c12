//! Two ledgers that should agree: what differs, by how much, and how often.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{Conditional, FigureType, Group, describe, figure, group, read_again, result};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::compared_sides::{Compared, compared_sides};
use crate::corpus::compose::domain::Role;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::plan::PlannedDecision;
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// Differences between two ledgers, with a class by their size.
struct LedgerDifferences {
    compared: Compared,
    /// Name of the column with the class.
    class: String,
    /// The block that holds them.
    block: usize,
}

/// Plans the list of differences, a summary of them for each subject, or both.
pub(super) fn reconciliation(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let models: Vec<_> = builder.domain.mirrors.iter().filter(|(_, model)| question.has_both_sides(model)).collect();
    let Some((name, model)) = draw.at("model").pick(&models).copied() else { return Ok(None) };
    let subject = &question.subject;
    let Some(mut compared) = compared_sides(builder, model, size.fact_size, draw.at("sides"))? else {
        return Ok(None);
    };
    let class = classes(builder, &mut compared, draw.at("classes"));
    let block = compared.relation.block;
    let names = vec!["recon_classed".to_owned(), "graded_gaps".to_owned()];
    compared.relation.close(&mut builder.plan, names, format!("differences of {} by size", model.words));
    builder.plan.blocks[block].milestone = true;
    let differences = LedgerDifferences { compared, class, block };
    let mut results = Vec::new();
    let both = draw.at("both").chance(0.5);
    if both || draw.at("list").chance(0.5) {
        results.push(list(builder, &differences, draw.at("list")));
    }
    if both || results.is_empty() {
        results.push(summary(builder, &differences, subject, draw.at("summary")));
    }
    let title = format!("reconciliation of {}", model.words);
    Ok(Some(Analysis::new(title, format!("{name}_diff"), results)))
}

/// Adds a class by the size of the difference; returns the name of the column.
fn classes(builder: &mut PlanBuilder<'_>, compared: &mut Compared, draw: Draw) -> String {
    let relation = &mut compared.relation;
    let Some(gap) = relation.column(&compared.gap).map(|column| column.text.clone()) else { return String::new() };
    let decided = PlannedDecision::new("gap_limit", "Conditional Logic")
        .says(
            "a difference exactly at a limit belongs to the class above it",
            "a difference exactly at a limit belongs to the class below it",
        )
        .shown_by("a difference exactly at a limit");
    let less = builder.plan.decide(draw.at("limit"), decided, ["<", "<="]);
    let scales: [&[(u32, &str)]; 3] = [
        &[(1, "ROUNDING"), (10, "SMALL"), (50, "MINOR"), (200, "MEDIUM"), (1000, "LARGE")],
        &[(5, "D1"), (20, "D2"), (100, "D3"), (500, "D4"), (2000, "D5"), (10000, "D6")],
        &[(2, "UNDER_2"), (10, "UNDER_10"), (100, "UNDER_100"), (1000, "UNDER_1000")],
    ];
    let scale = draw.at("ladder").pick(&scales).copied().unwrap_or_default();
    let steps: Vec<String> =
        scale.iter().map(|(limit, class)| format!("WHEN ABS({gap}) {less} {limit} THEN '{class}'")).collect();
    let text = format!("CASE WHEN {gap} = 0 THEN 'NONE' {} ELSE 'HUGE' END", steps.join(" "));
    let name = draw.at("name").one_of(["gap_class", "gap_band", "size_of_gap"]);
    let mut meaning = ColumnMeaning::plain(Role::Code, "STRING", "size class of the difference");
    let all = std::iter::once("NONE").chain(scale.iter().map(|(_, class)| *class)).chain(["HUGE"]);
    meaning.values = all.map(|class| (class.to_owned(), class.to_lowercase())).collect();
    relation.columns.push(RelationColumn { name: name.to_owned(), text, meaning });
    name.to_owned()
}

/// Plans the list of what does not agree, the greatest difference first.
fn list(builder: &mut PlanBuilder<'_>, differences: &LedgerDifferences, draw: Draw) -> OpenRelation {
    let compared = &differences.compared;
    let mut relation = read_again(builder, &compared.relation, differences.block);
    let (state, gap, key) =
        (relation.text(&compared.state), relation.text(&compared.gap), relation.text(&compared.key));
    let decided = PlannedDecision::new("one_sided", "Boolean & Logic")
        .says(
            "the list of open differences has also entries that only one of the two sources has",
            "the list of open differences has only entries that both sources have",
        )
        .shown_by("a key that only one table has");
    let forms = [format!("{state} <> 'MATCHED'"), format!("{state} = 'DIFFERENT'")];
    let filter = builder.plan.decide(draw.at("shown"), decided, forms);
    let rank = format!("ROW_NUMBER() OVER (PARTITION BY {state} ORDER BY ABS({gap}) DESC, {key})");
    let words = "rank by size among differences of the same kind";
    relation.columns.push(figure("gap_rank", rank, FigureType::NUMBER, words));
    let block = &mut builder.plan.blocks[relation.block];
    block.filters.push(filter);
    block.order = vec![format!("ABS({gap}) DESC"), key];
    if draw.at("limit").chance(0.4) {
        "500".clone_into(&mut block.limit);
    }
    relation.grain = vec![compared.key.clone()];
    result(builder, relation, "open differences")
}

/// Plans how much agrees, for each subject.
fn summary(builder: &mut PlanBuilder<'_>, differences: &LedgerDifferences, subject: &str, draw: Draw) -> OpenRelation {
    let compared = &differences.compared;
    let mut relation = read_again(builder, &compared.relation, differences.block);
    let Some(figures) = figures(&relation, differences, Conditional::draw(draw.at("conditional"))) else {
        return relation;
    };
    let keys = vec![compared.subject.clone()];
    let called = vec![format!("by_{subject}"), "summary".to_owned()];
    let purpose = "comparison of both sides in figures".to_owned();
    group(builder, &mut relation, Group { keys, figures, called, purpose }, draw.at("group"));
    describe(builder, &mut relation, subject, &compared.subject, draw.at("describe"));
    let largest = relation.column("largest_gap").map(|column| format!("{} DESC", column.text));
    let order = largest.into_iter().chain(relation.texts(&relation.grain)).collect();
    builder.plan.blocks[relation.block].order = order;
    result(builder, relation, "reconciliation summary")
}

/// Returns numbers and sums of differences by state and class.
fn figures(
    relation: &OpenRelation,
    differences: &LedgerDifferences,
    conditional: Conditional,
) -> Option<Vec<RelationColumn>> {
    let (count, amount) = (FigureType::COUNT, FigureType::AMOUNT);
    let state = relation.column(&differences.compared.state)?;
    let gap = &relation.column(&differences.compared.gap)?.text;
    let class = relation.column(&differences.class)?;
    let mut found = vec![figure("compared_cnt", "COUNT(*)", count, "number of entries compared")];
    for (value, words) in &state.meaning.values {
        let condition = format!("{} = '{value}'", state.text);
        let name = value.to_lowercase();
        let number = conditional.count(&condition);
        found.push(figure(format!("{name}_cnt"), number, count, format!("number of entries {words}")));
        if value != "MATCHED" {
            let sum = conditional.sum(&condition, gap);
            found.push(figure(format!("{name}_gap"), sum, amount, format!("total difference of entries {words}")));
        }
    }
    for (value, _) in class.meaning.values.iter().filter(|(value, _)| value != "NONE") {
        let name = format!("gap_{}_cnt", value.to_lowercase());
        let text = conditional.count(&format!("{} = '{value}'", class.text));
        found.push(figure(name, text, count, format!("number of differences of size {value}")));
    }
    found.push(figure("largest_gap", format!("MAX(ABS({gap}))"), amount, "largest difference"));
    let matched = conditional.count(&format!("{} = 'MATCHED'", state.text));
    let share = format!("ROUND({matched} / COUNT(*), 4)");
    found.push(figure("matched_share", share, FigureType::SHARE, "share of entries that agree"));
    Some(found)
}
