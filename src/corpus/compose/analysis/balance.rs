//! A balance from movements: what came in and went out each day, days without movements filled from the calendar.

use super::steps::{additive, close, day_text, figure, output, plural, result};
use super::{Answer, Size};
use crate::corpus::compose::branch::{reach, rows};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{BusinessQuestion, FigureUnit, Role, TableKind};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::piece::{self, day};
use crate::corpus::compose::plan::{Block, Decided, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};

/// One movement of the union: the column with the subject, and the block.
struct Movements {
    block: usize,
    key: String,
    meaning: ColumnMeaning,
}

/// Plans the open amount between two ledgers for each subject and day.
pub(super) fn balance(
    builder: &mut PlanBuilder<'_>,
    question: &BusinessQuestion,
    size: Size,
    draw: Draw,
) -> Result<Option<Answer>, minijinja::Error> {
    if builder.window.days < 7 {
        builder.window = crate::corpus::compose::scan::window_of(14);
    }
    let models: Vec<_> = builder.domain.mirrors.iter().collect();
    let Some((name, model)) = draw.at("model").pick(&models).copied() else { return Ok(None) };
    let mut members = Vec::new();
    for (path, sign) in [(&model.left, ""), (&model.right, "-")] {
        let Some(side) = movements(builder, (path, sign), question, size, draw.at(path))? else { return Ok(None) };
        members.push(side);
    }
    let outputs = builder.plan.blocks[members[0].block].outputs.clone();
    let union = Block {
        members: members.iter().map(|side| side.block).collect(),
        set_operator: "UNION ALL".to_owned(),
        outputs,
        names: vec!["movements".to_owned(), "all_moves".to_owned()],
        purpose: format!("{} with their sign", model.words),
        ..Block::default()
    };
    builder.plan.blocks.push(union);
    let union = builder.plan.blocks.len() - 1;
    let key = members[0].key.clone();
    let daily = daily(builder, union, &key);
    let subjects = subjects(builder, daily, &key);
    let Some(mut relation) = filled(builder, subjects, daily, (&key, members[0].meaning.clone()), draw.at("filled"))
    else {
        return Ok(None);
    };
    running(builder, &mut relation, &key, draw.at("running"));
    let mut order = relation.texts(std::slice::from_ref(&key));
    order.extend(relation.texts(&["bal_date".to_owned()]));
    builder.plan.blocks[relation.block].order = order;
    let title = format!("open balance of {} by {} and day", model.words, plural(builder, &question.subject));
    let name = format!("{name}_balance");
    let results = vec![result(builder, relation, &title)];
    Ok(Some(Answer::new(title, name, results)))
}

/// The signed amounts of one table.
fn movements(
    builder: &mut PlanBuilder<'_>,
    (path, sign): (&str, &str),
    question: &BusinessQuestion,
    size: Size,
    draw: Draw,
) -> Result<Option<Movements>, minijinja::Error> {
    let Some((table, _)) = path.split_once('.') else { return Ok(None) };
    if builder.domain.tables.get(table).is_none_or(|table| table.kind != TableKind::Event) {
        return Ok(None);
    }
    let Some(mut relation) = rows(builder, table, size.effort, draw.at("rows"))? else { return Ok(None) };
    let Some(key) = reach(builder, &mut relation, &question.subject, draw.at("reach")) else { return Ok(None) };
    let amounts = additive(&relation);
    let Some(amount) = amounts.iter().find(|column| column.meaning.origin == path) else { return Ok(None) };
    let Some(day) = day_text(builder, &relation, draw.at("axis")) else { return Ok(None) };
    let Some(who) = relation.column(&key).cloned() else { return Ok(None) };
    let text = if sign.is_empty() { amount.text.clone() } else { format!("-1 * {}", piece::operand(&amount.text)) };
    let block = &mut builder.plan.blocks[relation.block];
    if who.meaning.missing {
        block.filters.push(format!("{} IS NOT NULL", who.text));
    }
    let name = format!("{}_key", question.subject);
    let kind = if sign.is_empty() { "'IN'" } else { "'OUT'" };
    block.outputs = vec![
        output(&name, who.text.clone()),
        output("move_date", day),
        output("move_kind", kind.to_owned()),
        output("move_amount", text),
    ];
    block.purpose.clone_from(&relation.many);
    let meaning = ColumnMeaning { missing: false, ..who.meaning };
    Ok(Some(Movements { block: relation.block, key: name, meaning }))
}

/// What moved on each day.
fn daily(builder: &mut PlanBuilder<'_>, union: usize, key: &str) -> usize {
    let (block, slot) = builder.plan.block(RowSource::Block(union));
    let column = |name: &str| piece::column(slot, name);
    let amount = column("move_amount");
    let part =
        |kind: &str, value: &str| format!("SUM(CASE WHEN {} = '{kind}' THEN {value} ELSE 0 END)", column("move_kind"));
    let target = &mut builder.plan.blocks[block];
    target.outputs = vec![
        output(key, column(key)),
        output("move_date", column("move_date")),
        output("in_amount", part("IN", &amount)),
        output("out_amount", part("OUT", &format!("-1 * {amount}"))),
        output("net_amount", format!("SUM({amount})")),
        output("move_cnt", "COUNT(*)".to_owned()),
    ];
    target.groups = vec![column(key), column("move_date")];
    target.names = vec!["daily_moves".to_owned(), "per_day".to_owned()];
    "what moved on each day".clone_into(&mut target.purpose);
    target.milestone = true;
    block
}

/// Everybody with a movement.
fn subjects(builder: &mut PlanBuilder<'_>, daily: usize, key: &str) -> usize {
    let (block, slot) = builder.plan.block(RowSource::Block(daily));
    let target = &mut builder.plan.blocks[block];
    target.distinct = true;
    target.outputs = vec![output(key, piece::column(slot, key))];
    target.names = vec!["movers".to_owned(), "subjects".to_owned()];
    block
}

/// Every subject on every day of the calendar, with what moved; days without movements stay or go by a decision.
fn filled(
    builder: &mut PlanBuilder<'_>,
    subjects: usize,
    daily: usize,
    (key, meaning): (&str, ColumnMeaning),
    draw: Draw,
) -> Option<OpenRelation> {
    let (calendar, table) = builder.domain.tables.iter().find(|(_, table)| table.kind == TableKind::Calendar)?;
    let column = table.calendar.as_ref()?.day.clone();
    let (block, who) = builder.plan.block(RowSource::Block(subjects));
    let days = builder.plan.item(block, RowSource::Table(calendar.to_owned()), "CROSS JOIN".to_owned());
    let date = piece::column(days, &builder.names.column(calendar, &column));
    let first = day(-(builder.window.days as i64));
    builder.plan.blocks[block].filters = vec![format!("{date} >= {first}"), format!("{date} <= {}", day(0))];
    let moves = builder.plan.item(block, RowSource::Block(daily), String::new());
    let decided = Decided::new("gap_days", "JOIN Type Selection")
        .says(
            "days without movements are shown with the balance of the day before",
            "days without movements are not shown",
        )
        .shown_by("a day without movements between two with movements");
    let forms = ["LEFT JOIN".to_owned(), "JOIN".to_owned()];
    let join = builder.plan.decide(draw.at("join"), decided, &forms);
    let subject = piece::column(who, key);
    if let Some(item) = builder.plan.blocks[block].items.last_mut() {
        item.join = join;
        item.on = vec![
            format!("{subject} = {}", piece::column(moves, key)),
            format!("{date} = {}", piece::column(moves, "move_date")),
        ];
    }
    let amount = |name: &str, words: &str| {
        let text = format!("COALESCE({}, 0)", piece::column(moves, name));
        figure(name.to_owned(), text, (FigureUnit::Amount, "DECIMAL(18,2)"), words)
    };
    let columns = vec![
        RelationColumn { name: key.to_owned(), text: subject, meaning },
        RelationColumn {
            name: "bal_date".to_owned(),
            text: date,
            meaning: ColumnMeaning::plain(Role::Day, "STRING", "day"),
        },
        amount("in_amount", "what came in"),
        amount("out_amount", "what went out"),
        amount("net_amount", "what came in less what went out"),
        amount("move_cnt", "number of movements"),
    ];
    let grain = vec![key.to_owned(), "bal_date".to_owned()];
    let many = "balances".to_owned();
    let mut relation = OpenRelation {
        block,
        columns,
        grain,
        repeats: Vec::new(),
        one: "balance".to_owned(),
        many,
        table: "balance".to_owned(),
        grouped: false,
        fanned: false,
    };
    let purpose = "one row for each day of the calendar".to_owned();
    close(builder, &mut relation, &["filled", "all_days"], purpose, draw.at("close"));
    Some(relation)
}

/// The balance after, or before, each day; means over a week.
fn running(builder: &mut PlanBuilder<'_>, relation: &mut OpenRelation, key: &str, draw: Draw) {
    let text = |name: &str| relation.column(name).map(|column| column.text.clone()).unwrap_or_default();
    let window = format!("PARTITION BY {} ORDER BY {}", text(key), text("bal_date"));
    let (net, moved) = (text("net_amount"), text("in_amount"));
    let decided = Decided::new("balance_moment", "Window Function Logic")
        .says("the balance of a day is that at its end", "the balance of a day is that at its beginning")
        .shown_by("a day with a movement");
    let forms = ["CURRENT ROW".to_owned(), "1 PRECEDING".to_owned()];
    let end = builder.plan.decide(draw.at("moment"), decided, &forms);
    let amount = (FigureUnit::Amount, "DECIMAL(18,2)");
    let sum = format!("COALESCE(SUM({net}) OVER ({window} ROWS BETWEEN UNBOUNDED PRECEDING AND {end}), 0)");
    let mean = format!("ROUND(AVG({moved}) OVER ({window} ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), 2)");
    let before = format!("{net} - LAG({net}, 1, 0) OVER ({window})");
    let mut found = vec![
        figure("open_balance".to_owned(), sum, amount, "balance of the movements so far"),
        figure(
            "in_week_avg".to_owned(),
            mean,
            (FigureUnit::Measure, "DOUBLE"),
            "mean of what came in on the last seven lines",
        ),
        figure("net_change".to_owned(), before, amount, "change against the day before"),
    ];
    if draw.at("last").chance(0.5) {
        let last = format!("MAX(CASE WHEN {} > 0 THEN {} END) OVER ({window})", text("move_cnt"), text("bal_date"));
        let mut meaning = ColumnMeaning::plain(Role::Day, "STRING", "last day with a movement up to then");
        meaning.missing = true;
        found.push(RelationColumn { name: "last_move_date".to_owned(), text: last, meaning });
    }
    relation.columns.extend(found);
}
