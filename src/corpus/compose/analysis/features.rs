//! A wide table of features: what each subject did in several windows of days that end at the business date.

use super::answer::{Analysis, AnalysisOutcome};
use super::request::AnalysisRequest;
use super::steps::{
    Conditional, FigureType, Group, additive, close, coded, day_text, figure, group, plural, ratios, singular,
};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{BusinessQuestion, FigureUnit, Role, TableKind};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::fact_figures::{rows, subject_column};
use crate::corpus::compose::names::as_name;
use crate::corpus::compose::piece::{self, day};
use crate::corpus::compose::plan::{BlockColumn, PlannedDecision, RowSource};
use crate::corpus::compose::relation::{ColumnMeaning, OpenRelation, RelationColumn};
use crate::corpus::compose::scan::window_of;

/// Windows of days that features may be about, the longest last.
const WINDOWS: [&[usize]; 8] =
    [&[7, 30], &[7, 30, 90], &[30, 90], &[1, 7, 30], &[3, 7, 14, 30], &[7, 14, 30, 60], &[30, 60, 90], &[7, 28]];

/// Plans the features of a subject from one to four events.
pub(super) fn features(
    builder: &mut PlanBuilder<'_>,
    AnalysisRequest { question, size, draw }: AnalysisRequest<'_>,
) -> AnalysisOutcome {
    let windows = draw.at("windows").one_of(WINDOWS);
    let longest = windows.last().copied().unwrap_or(30);
    builder.window = window_of(longest);
    let mut parts: Vec<EventFeatures> = Vec::new();
    for fact in draw.at("facts").shuffled(&question.asked_facts()) {
        let is_event = builder.domain.tables.get(fact).is_some_and(|table| table.kind == TableKind::Event);
        if !is_event || parts.len() >= size.facts.min(4) {
            continue;
        }
        let Some(relation) = rows(builder, fact, size.fact_size, draw.at(fact))? else { continue };
        if let Some(part) = part(builder, relation, windows, draw.at("part").at(fact)) {
            parts.push(part);
        }
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let mut relation = joined(builder, parts, question, draw.at("joined"));
    if draw.at("momentum").chance(0.4) {
        momentum(&mut relation, windows, draw.at("momentum"));
    }
    ratios(builder, &mut relation, draw.at("ratios"))?;
    let title = format!("{longest}-day profiles of {}", plural(builder, &question.subject));
    let name = format!("{}_features", question.subject);
    Ok(Some(Analysis::with(builder, relation, title, name)))
}

/// The features of one event, one row for each subject.
struct EventFeatures {
    relation: OpenRelation,
    /// Name of the column with the subject.
    key: String,
}

impl EventFeatures {
    /// Returns the block with the features, which the relation reads.
    fn source(&self, builder: &PlanBuilder<'_>) -> Option<usize> {
        match builder.plan.blocks[self.relation.block].items.first()?.source {
            RowSource::Block(source) => Some(source),
            RowSource::Table(_) => None,
        }
    }
}

/// Plans the features of one event, one row for each subject.
fn part(
    builder: &mut PlanBuilder<'_>,
    mut relation: OpenRelation,
    windows: &[usize],
    draw: Draw,
) -> Option<EventFeatures> {
    let key = subject_column(builder, &mut relation, draw.at("reach"))?;
    let subject = builder.subject.clone();
    let text = day_text(builder, &relation, draw.at("axis"))?;
    let name = builder.draw.at("act_day").one_of(["act_date", "stat_date", "biz_date", "event_day"]);
    let act_day = relation.free_name(name);
    let meaning = ColumnMeaning::plain(Role::Day, "STRING", format!("day of the {}", relation.one));
    relation.add(&act_day, text, meaning);
    let purpose = relation.many.clone();
    close(builder, &mut relation, &["act", "detail", "days"], purpose, draw.at("close"));
    let figures = wide(builder, &relation, &act_day, windows, draw.at("wide"));
    let called = vec![format!("{subject}_feat"), "features".to_owned(), format!("by_{subject}")];
    let purpose = format!("{} per {}", relation.many, subject.replace('_', " "));
    group(builder, &mut relation, Group { keys: vec![key.clone()], figures, called, purpose }, draw.at("group"));
    Some(EventFeatures { relation, key })
}

/// Returns counts and sums in all windows, and the days since the last row; where a window begins is one decision.
fn wide(
    builder: &mut PlanBuilder<'_>,
    relation: &OpenRelation,
    act_day: &str,
    windows: &[usize],
    draw: Draw,
) -> Vec<RelationColumn> {
    let act = relation.text(act_day);
    let table = builder.names.table(&relation.table);
    let conditional = Conditional::draw(draw.at("conditional"));
    let mut found = Vec::new();
    let codes = coded(relation);
    let code = draw.at("code").pick(&codes).filter(|_| draw.at("by_code").chance(0.7));
    // Codes have columns of their own in one window only.
    let by_code = draw.at("code_window").pick(windows);
    let (one, longest) = (draw.at("one_window").pick(windows), windows.last());
    let has_days = draw.at("has_days").chance(0.5);
    for days in windows {
        // The longest window has all rows.
        let inside = (*days < builder.window.days).then(|| begun(builder, &act, *days, draw));
        let window = FeatureWindow { days: *days, inside: inside.as_deref(), conditional };
        let words = format!("number of {} {}", relation.many, window.words());
        found.push(figure(format!("{table}_cnt_{days}d"), window.count(), FigureType::COUNT, words));
        // The second figure has one window.
        let most = 1 + usize::from(Some(days) == one);
        found.extend(additive(relation).iter().take(most).map(|column| window.sum(column)));
        if has_days && Some(days) == longest {
            let words = format!("days with {} {}", relation.many, window.words());
            found.push(figure(format!("{table}_days_{days}d"), window.distinct(&act), FigureType::COUNT, words));
        }
        if let Some(code) = code.filter(|_| Some(days) == by_code) {
            found.extend(window.by_code(relation, code));
        }
    }
    if draw.at("recency").chance(0.6) {
        let since = format!("DATEDIFF({}, MAX({act}))", day(0));
        let words = format!("days since the last of the {}", relation.many);
        found.push(figure(format!("{table}_recency"), since, FigureType::NUMBER, words).nullable());
    }
    found
}

/// A window of days, in which figures are aggregated.
struct FeatureWindow<'a> {
    days: usize,
    /// The condition that a row lies in it; `None` if all rows do.
    inside: Option<&'a str>,
    conditional: Conditional,
}

/// Returns a number of days as it stands behind "in the last".
fn days_in_words(days: usize) -> String {
    if days == 1 { "day".to_owned() } else { format!("{days} days") }
}

impl FeatureWindow<'_> {
    fn words(&self) -> String {
        format!("in the last {}", days_in_words(self.days))
    }

    fn count(&self) -> String {
        self.inside.map_or_else(|| "COUNT(*)".to_owned(), |inside| self.conditional.count(inside))
    }

    /// Returns the number of different values of an expression.
    fn distinct(&self, text: &str) -> String {
        let all = || format!("COUNT(DISTINCT {text})");
        self.inside.map_or_else(all, |inside| self.conditional.distinct(inside, text))
    }

    fn sum(&self, column: &RelationColumn) -> RelationColumn {
        let words = format!("{} over the last {}", column.meaning.words, days_in_words(self.days));
        let all = || format!("SUM({})", column.text);
        let text = self.inside.map_or_else(all, |inside| self.conditional.sum(inside, &column.text));
        let unit = FigureType::of(column, FigureUnit::Amount);
        let mut sum = figure(format!("{}_{}d", column.name, self.days), text, unit, words);
        sum.meaning.sum = true;
        sum
    }

    /// Returns the number of rows of each value of a code.
    fn by_code(&self, relation: &OpenRelation, code: &RelationColumn) -> Vec<RelationColumn> {
        let counted = |(value, meaning): &(String, String)| {
            let test = format!("{} = '{value}'", code.text);
            let test = self.inside.map_or_else(|| test.clone(), |inside| format!("{test} AND {inside}"));
            let name = format!("{}_{}_{}d", code.name, as_name(value), self.days);
            let words = format!("number of {} ({meaning}) {}", relation.many, self.words());
            figure(name, self.conditional.count(&test), FigureType::COUNT, words)
        };
        code.meaning.values.iter().take(4).map(counted).collect()
    }
}

/// Returns the condition that a day lies in a window.
fn begun(builder: &mut PlanBuilder<'_>, act: &str, days: usize, draw: Draw) -> String {
    let decided = PlannedDecision::new("feature_window", "Date/Time Logic")
        .says("the last n days include the business date", "the last n days come on top of the business date")
        .shown_by("a row on the day at the edge of a window");
    let edge = builder.decide_once("feature_window", draw.at("edge"), decided, [">", ">="]);
    format!("{act} {edge} {}", day(-(days as i64)))
}

/// Joins the features of all events, one row for each subject that has a row of any event.
fn joined(
    builder: &mut PlanBuilder<'_>,
    mut parts: Vec<EventFeatures>,
    question: &BusinessQuestion,
    draw: Draw,
) -> OpenRelation {
    if parts.len() == 1 {
        return parts.remove(0).relation;
    }
    let key = format!("{}_key", question.subject);
    let union = all_keys(builder, &parts, question, &key);
    let (block, keys) = builder.plan.block(RowSource::Block(union));
    let (one, many) = (singular(builder, &question.subject), plural(builder, &question.subject));
    let text = piece::column(keys, &key);
    let mut subject = RelationColumn { name: key.clone(), text: text.clone(), ..parts[0].relation.columns[0].clone() };
    // Each event may call it by a name of its own.
    subject.meaning.words.clone_from(&one);
    let mut relation = OpenRelation { grain: vec![key], ..OpenRelation::over(block, vec![subject], &one, &many, "") };
    for part in &parts {
        let Some(source) = part.source(builder) else { continue };
        let slot = builder.plan.item(block, RowSource::Block(source), String::new());
        let on = vec![format!("{text} = {}", piece::column(slot, &part.key))];
        builder.plan.join_last(block, "LEFT JOIN".to_owned(), on);
        for column in part.relation.columns.iter().filter(|column| column.name != part.key) {
            let plain = piece::column(slot, &column.name);
            let text = if column.meaning.missing { plain } else { filled(builder, &plain, draw) };
            relation.add(relation.free_name(&column.name), text, column.meaning.clone());
        }
    }
    relation
}

/// Plans the keys of all subjects with a row of any event; returns the number of the block.
fn all_keys(builder: &mut PlanBuilder<'_>, parts: &[EventFeatures], question: &BusinessQuestion, key: &str) -> usize {
    let mut members = Vec::new();
    for part in parts {
        let Some(source) = part.source(builder) else {
            members.push(part.relation.block);
            continue;
        };
        let (block, slot) = builder.plan.block(RowSource::Block(source));
        builder.plan.blocks[block].outputs = vec![BlockColumn::kept(key, piece::column(slot, &part.key))];
        members.push(block);
    }
    let names = vec![format!("{}_keys", question.subject), "all_keys".to_owned()];
    let purpose = format!("every one of the {} with at least one event", plural(builder, &question.subject));
    builder.plan.union(members, "UNION".to_owned(), names, purpose)
}

/// Returns the text of a figure that is zero or NULL for a subject without rows of the event, by one decision for all.
fn filled(builder: &mut PlanBuilder<'_>, plain: &str, draw: Draw) -> String {
    let decided = PlannedDecision::new("without_rows", "NULL Handling")
        .says("sums and counts that rest on no rows are zero", "sums and counts that rest on no rows stay blank")
        .shown_by("a subject with rows of one event and none of another");
    builder.decide_once("without_rows", draw.at("filled"), decided, [format!("COALESCE({plain}, 0)"), plain.to_owned()])
}

/// Adds the share of a shorter window in the sums of the longest.
fn momentum(relation: &mut OpenRelation, windows: &[usize], draw: Draw) {
    let (Some(longest), Some(shorter)) = (windows.last(), draw.at("shorter").pick(&windows[..windows.len() - 1]))
    else {
        return;
    };
    let end = format!("_{longest}d");
    let whole: Vec<RelationColumn> =
        relation.columns.iter().filter(|column| column.name.ends_with(&end) && column.meaning.sum).cloned().collect();
    for column in whole {
        let base = column.name.trim_end_matches(&end);
        let Some(part) = relation.column(&format!("{base}_{shorter}d")).cloned() else { continue };
        let text = format!("ROUND({} / NULLIF({}, 0), 4)", part.text, column.text);
        let words = format!("share of {} in the last {}", column.meaning.words, days_in_words(*shorter));
        let name = relation.free_name(&format!("{base}_{shorter}_of_{longest}"));
        relation.columns.push(figure(name, text, FigureType::SHARE, words).nullable());
    }
}
