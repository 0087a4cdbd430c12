//! A balance from movements: what came in and went out each day, with days without movements from the calendar.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{FigureType, additive, close, day_text, figure, singular};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{BusinessQuestion, Role, TableKind};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::{FactSize, rows, subject_column};
use crate::corpus::compose::piece::{self, day};
use crate::corpus::compose::plan::{BlockColumn, PlannedDecision, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use crate::corpus::compose::scan::window_of;

/// One of two ledgers: the figure that moves, as `table.figure`, and whether it is what goes out.
#[derive(Clone, Copy)]
struct LedgerSide<'a> {
    path: &'a str,
    goes_out: bool,
}

/// The movements of one ledger: their block, and the column with the subject.
struct Movements {
    block: usize,
    key: String,
    meaning: ColumnMeaning,
}

/// Plans the open amount between two ledgers, one row for each subject and day.
pub(super) fn balance(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    if builder.window.days < 7 {
        builder.window = window_of(14);
    }
    let models: Vec<_> = builder.domain.mirrors.iter().filter(|(_, model)| question.has_both_sides(model)).collect();
    let Some((name, model)) = draw.at("model").pick(&models).copied() else { return Ok(None) };
    let mut members = Vec::new();
    for (path, goes_out) in [(&model.left, false), (&model.right, true)] {
        let side = LedgerSide { path, goes_out };
        let Some(side) = movements(builder, side, question, size.fact_size, draw.at(path))? else { return Ok(None) };
        members.push(side);
    }
    let union = builder.plan.union(
        members.iter().map(|side| side.block).collect(),
        "UNION ALL".to_owned(),
        vec!["movements".to_owned(), "all_moves".to_owned()],
        format!("{} with their sign", model.words),
    );
    let side = &members[0];
    let daily = daily(builder, union, &side.key);
    let filled = filled(builder, daily, side, draw.at("filled"));
    let Some((mut relation, has_gaps)) = filled else { return Ok(None) };
    running(builder, &mut relation, &side.key, has_gaps, draw.at("running"));
    builder.plan.blocks[relation.block].order = relation.texts(&relation.grain);
    let title = format!("daily open balance of {} by {}", model.words, singular(builder, &question.subject));
    let name = format!("{name}_balance");
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// Plans the signed amounts of one side; `None` unless its table is an event that reaches the subject.
fn movements(
    builder: &mut PlanBuilder<'_>,
    side: LedgerSide<'_>,
    question: &BusinessQuestion,
    fact_size: FactSize,
    draw: Draw,
) -> Result<Option<Movements>, minijinja::Error> {
    let Some((table, _)) = side.path.split_once('.') else { return Ok(None) };
    if builder.domain.tables.get(table).is_none_or(|table| table.kind != TableKind::Event) {
        return Ok(None);
    }
    builder.ask_for(side.path);
    let Some(mut relation) = rows(builder, table, fact_size, draw.at("rows"))? else { return Ok(None) };
    let Some(key) = subject_column(builder, &mut relation, draw.at("reach")) else { return Ok(None) };
    let amounts = additive(&relation);
    let Some(amount) = amounts.iter().find(|column| column.meaning.origin == side.path) else { return Ok(None) };
    let Some(day) = day_text(builder, &relation, draw.at("axis")) else { return Ok(None) };
    let Some(who) = relation.column(&key).cloned() else { return Ok(None) };
    let (kind, text) = match side.goes_out {
        false => ("'IN'", amount.text.clone()),
        true => ("'OUT'", format!("-1 * {}", piece::operand(&amount.text))),
    };
    let block = &mut builder.plan.blocks[relation.block];
    if who.meaning.missing {
        block.filters.push(format!("{} IS NOT NULL", who.text));
    }
    let name = format!("{}_key", question.subject);
    block.outputs = vec![
        BlockColumn::kept(&name, who.text.clone()),
        BlockColumn::kept("move_date", day),
        BlockColumn::kept("move_kind", kind.to_owned()),
        BlockColumn::kept("move_amount", text),
    ];
    block.purpose.clone_from(&relation.many);
    let meaning = ColumnMeaning { missing: false, ..who.meaning };
    Ok(Some(Movements { block: relation.block, key: name, meaning }))
}

/// Plans what moved on each day.
fn daily(builder: &mut PlanBuilder<'_>, union: usize, key: &str) -> usize {
    let (block, slot) = builder.plan.block(RowSource::Block(union));
    let column = |name: &str| piece::column(slot, name);
    let amount = column("move_amount");
    let part =
        |kind: &str, value: &str| format!("SUM(CASE WHEN {} = '{kind}' THEN {value} ELSE 0 END)", column("move_kind"));
    let target = &mut builder.plan.blocks[block];
    target.outputs = vec![
        BlockColumn::kept(key, column(key)),
        BlockColumn::kept("move_date", column("move_date")),
        BlockColumn::kept("in_amount", part("IN", &amount)),
        BlockColumn::kept("out_amount", part("OUT", &format!("-1 * {amount}"))),
        BlockColumn::kept("net_amount", format!("SUM({amount})")),
        BlockColumn::kept("move_cnt", "COUNT(*)".to_owned()),
    ];
    target.groups = vec![column(key), column("move_date")];
    target.names = vec!["daily_moves".to_owned(), "per_day".to_owned()];
    "movements per day".clone_into(&mut target.purpose);
    target.milestone = true;
    block
}

/// Plans the list of subjects with a movement.
fn subjects(builder: &mut PlanBuilder<'_>, daily: usize, key: &str) -> usize {
    let (block, slot) = builder.plan.block(RowSource::Block(daily));
    let target = &mut builder.plan.blocks[block];
    target.distinct = true;
    target.outputs = vec![BlockColumn::kept(key, piece::column(slot, key))];
    target.names = vec!["movers".to_owned(), "subjects".to_owned()];
    block
}

/// Plans every subject on every day of the window, with what moved; days without movements stay or go by a decision.
/// Also says whether they stay.
fn filled(builder: &mut PlanBuilder<'_>, daily: usize, side: &Movements, draw: Draw) -> Option<(OpenRelation, bool)> {
    let key = &side.key;
    let subjects = subjects(builder, daily, key);
    let (calendar, table) = builder.domain.tables.iter().find(|(_, table)| table.kind == TableKind::Calendar)?;
    let column = table.calendar.as_ref()?.day.clone();
    let (block, who) = builder.plan.block(RowSource::Block(subjects));
    let days = builder.plan.item(block, RowSource::Table(calendar.to_owned()), "CROSS JOIN".to_owned());
    let date = piece::column(days, &builder.names.column(calendar, &column));
    let first = day(-(builder.window.days as i64));
    builder.plan.blocks[block].filters = vec![format!("{date} >= {first}"), format!("{date} <= {}", day(0))];
    let moves = builder.plan.item(block, RowSource::Block(daily), String::new());
    let subject = piece::column(who, key);
    let on = vec![
        format!("{subject} = {}", piece::column(moves, key)),
        format!("{date} = {}", piece::column(moves, "move_date")),
    ];
    let has_gaps = join_movements(builder, block, on, draw.at("join"));
    let meaning = ColumnMeaning::plain(Role::Day, "STRING", "day");
    let columns = vec![
        RelationColumn { name: key.clone(), text: subject, meaning: side.meaning.clone() },
        RelationColumn { name: "bal_date".to_owned(), text: date, meaning },
        moved(moves, "in_amount", "inflow"),
        moved(moves, "out_amount", "outflow"),
        moved(moves, "net_amount", "net flow"),
        moved(moves, "move_cnt", "number of movements"),
    ];
    let mut relation = OpenRelation::over(block, columns, "balance", "balances", "balance");
    relation.grain = vec![key.clone(), "bal_date".to_owned()];
    let purpose = "one row for each day of the calendar".to_owned();
    close(builder, &mut relation, &["filled", "all_days"], purpose, draw.at("close"));
    Some((relation, has_gaps))
}

/// Joins the movements to the days; returns whether days without any stay.
fn join_movements(builder: &mut PlanBuilder<'_>, block: usize, on: Vec<String>, draw: Draw) -> bool {
    let decided = PlannedDecision::new("gap_days", "JOIN Type Selection")
        .says(
            "days without movements are shown with the balance of the day before",
            "days without movements are not shown",
        )
        .shown_by("a day without movements between two with movements");
    let join = builder.plan.decide(draw, decided, ["LEFT JOIN", "JOIN"]);
    let has_gaps = builder.plan.chosen_in(&join) == Some(0);
    builder.plan.join_last(block, join, on);
    has_gaps
}

/// Returns what moved on a day, zero where nothing did.
fn moved(slot: usize, name: &str, words: &str) -> RelationColumn {
    figure(name, format!("COALESCE({}, 0)", piece::column(slot, name)), FigureType::AMOUNT, words)
}

/// Adds the balance at the end or, by a decision, the beginning of each day, and figures of single days and weeks.
fn running(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, key: &str, has_gaps: bool, draw: Draw) {
    let window = format!("PARTITION BY {} ORDER BY {}", relation.text(key), relation.text("bal_date"));
    let (net, moved) = (relation.text("net_amount"), relation.text("in_amount"));
    let decided = PlannedDecision::new("balance_moment", "Window Function Logic")
        .says("the balance of a day is that at its end", "the balance of a day is that at its beginning")
        .shown_by("a day with a movement");
    let end = builder.plan.decide(draw.at("moment"), decided, ["CURRENT ROW", "1 PRECEDING"]);
    let amount = FigureType::AMOUNT;
    let sum = format!("COALESCE(SUM({net}) OVER ({window} ROWS BETWEEN UNBOUNDED PRECEDING AND {end}), 0)");
    let mean = format!("ROUND(AVG({moved}) OVER ({window} ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), 2)");
    let before = format!("{net} - LAG({net}, 1, 0) OVER ({window})");
    let mut found = vec![
        figure("open_balance", sum, amount, "open balance"),
        figure("in_week_avg", mean, FigureType::MEASURE, "mean inflow of the last seven entries"),
        figure("net_change", before, amount, "change in net flow on the day before"),
    ];
    if has_gaps && draw.at("last").chance(0.5) {
        let last = format!(
            "MAX(CASE WHEN {} > 0 THEN {} END) OVER ({window})",
            relation.text("move_cnt"),
            relation.text("bal_date")
        );
        let meaning = ColumnMeaning::plain(Role::Day, "STRING", "day of the latest movement");
        found.push(RelationColumn { name: "last_move_date".to_owned(), text: last, meaning }.nullable());
    }
    relation.columns.extend(found);
}
