//! Applies a pattern to a relation.

mod context;
mod slots;
mod partner;
mod joined_table;
mod steps;
mod template_values;

use std::collections::BTreeMap;

use context::{KnownValue, TemplateValues};
use partner::{Partner, RatioWords, partner, ratio};
use slots::{FilledSlots, SlotColumns, fill};

use super::builder::PlanBuilder;
use super::domain::{FigureUnit, Role};
use super::draw::Draw;
use super::names::spoken;
use super::pattern::{Pattern, PatternDecision, PatternStage};
use super::piece;
use super::plan::{Block, PlannedDecision};
use super::relation::{OpenRelation, RelationColumn};

/// Applies a pattern; returns false, with nothing changed, if it does not fit.
///
/// # Errors
///
/// If a template of the pattern cannot be rendered.
pub fn apply(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    pattern: &Pattern,
    draw: Draw,
) -> Result<bool, minijinja::Error> {
    if !suits(builder, relation, pattern) {
        return Ok(false);
    }
    let columns = relation.columns.clone();
    let Some((filled, ratio)) = fill_slots(builder, relation, &columns, pattern, draw) else { return Ok(false) };
    let other = pattern.other.as_ref().map(|other| partner(builder, relation, other, pattern, draw.at("other")));
    if matches!(other, Some(None)) {
        return Ok(false);
    }
    let other = other.flatten();
    if let Some(other) = &other {
        builder.use_up(pattern, relation, &other.table);
    }
    for (_, column) in &filled {
        builder.use_up(pattern, relation, &column.name);
        relation.columns.iter_mut().filter(|other| other.name == column.name).for_each(|it| it.meaning.fresh = false);
    }
    let mut work = PatternApplication {
        builder,
        relation,
        pattern,
        draw,
        context: TemplateValues::default(),
        names: BTreeMap::new(),
        other,
        filled_figure: None,
        subquery: None,
        valued: Vec::new(),
        takes_first: false,
    };
    work.context.set("ratio_name", ratio.name);
    work.context.set("ratio_words", ratio.words);
    work.prepare(&filled);
    work.write()?;
    Ok(true)
}

/// Whether the rows of a relation are of the kind that a pattern is made for.
fn suits(builder: &PlanBuilder<'_>, relation: &OpenRelation, pattern: &Pattern) -> bool {
    let needs = &pattern.needs;
    let table = builder.domain.tables.get(&relation.table);
    let is_brief = builder.domain.entities.get(&builder.subject).is_some_and(|subject| subject.brief);
    (!needs.stream || table.is_some_and(|table| table.stream))
        && (!needs.lasting || !is_brief)
        && (needs.kind.is_empty() || table.is_some_and(|table| needs.kind.contains(&table.kind)))
        && (needs.multiplied == relation.multiplied || pattern.stage != PatternStage::Measure)
        && (!needs.repeats || !relation.repeats.is_empty())
        && (!needs.days || builder.window.days >= 2)
}

/// Draws columns for the slots of a pattern, of the domain's ratio if it is about one; `None` if a slot has no candidate.
fn fill_slots<'p, 'c>(
    builder: &PlanBuilder<'_>,
    relation: &OpenRelation,
    columns: &'c [RelationColumn],
    pattern: &'p Pattern,
    draw: Draw,
) -> Option<(FilledSlots<'p, 'c>, RatioWords)> {
    let mut used = builder.used(pattern, relation);
    if pattern.stage == PatternStage::Measure {
        used.extend(spent_codes(builder, relation));
    }
    if pattern.needs.ratio {
        return ratio(builder, columns, &used, draw.at("ratio"));
    }
    let rows = SlotColumns {
        columns,
        used: &used,
        grain: &relation.grain,
        subject: &builder.subject,
        is_focus: &|origin| builder.is_focus(origin),
        acts: &|entity| builder.acts(entity),
    };
    Some((fill(pattern.slots.iter(), &rows, draw.at("slots"))?, RatioWords::default()))
}

/// Returns the codes and statuses of which a measure has been made: a report shows each in one way.
fn spent_codes(builder: &PlanBuilder<'_>, relation: &OpenRelation) -> Vec<String> {
    let spent = builder.spent(PatternStage::Measure, relation);
    let is_code = |column: &&RelationColumn| {
        column.meaning.figure.is_none() && matches!(column.meaning.role, Role::Code | Role::Status)
    };
    let codes = relation.columns.iter().filter(is_code).filter(|column| spent.contains(&column.name));
    codes.map(|column| column.name.clone()).collect()
}

/// A pattern that is being applied to a relation.
struct PatternApplication<'w, 'b, 'p> {
    builder: &'w mut PlanBuilder<'b>,
    relation: &'w mut OpenRelation,
    pattern: &'p Pattern,
    draw: Draw,
    context: TemplateValues,
    names: BTreeMap<String, String>,
    other: Option<Partner>,
    /// The unit of the first figure in a slot.
    filled_figure: Option<FigureUnit>,
    /// The block of the sub-query, if the way has one.
    subquery: Option<usize>,
    /// Known values of the column in each slot.
    valued: Vec<(String, Vec<KnownValue>)>,
    /// Whether of repeated rows the first version is taken: then the reason why rows are repeated explains no block.
    takes_first: bool,
}

impl PatternApplication<'_, '_, '_> {
    fn render(&self, template: &str) -> Result<String, minijinja::Error> {
        if !template.contains('{') {
            return Ok(template.to_owned());
        }
        let text = self.builder.library.render(template, &self.context.value())?;
        if piece::is_open_in_literal(&text) {
            let message = format!("`{template}`: a decision, column or day cannot stand inside a string literal");
            return Err(minijinja::Error::new(minijinja::ErrorKind::InvalidOperation, message));
        }
        Ok(text)
    }

    fn render_all(&self, templates: &[String]) -> Result<Vec<String>, minijinja::Error> {
        templates.iter().map(|template| self.render(template)).collect()
    }

    fn write(&mut self) -> Result<(), minijinja::Error> {
        let named =
            self.pattern.names.iter().filter(|(_, templates)| !templates.iter().any(|text| text.contains("item.")));
        for (name, templates) in named {
            let mut free = String::new();
            for template in self.draw.at("names").at(name).shuffled(templates) {
                let drawn = spoken(&self.render(&template)?);
                let taken = self.relation.column(&drawn).is_some() || self.names.values().any(|name| *name == drawn);
                free = self.relation.free_name(&drawn);
                if !taken {
                    break;
                }
            }
            self.names.insert(name.to_owned(), free);
        }
        self.context.map("n", self.names.clone());
        let way = self.draw.at("way").below(self.pattern.ways.len());
        let steps = &self.pattern.ways[way];
        if steps.iter().any(|step| step.join.is_some()) {
            self.add_table(self.relation.block);
        } else if steps.iter().any(|step| step.subquery.is_some()) {
            let inside = Block { inside: true, ..Default::default() };
            self.builder.plan.blocks.push(inside);
            let block = self.builder.plan.blocks.len() - 1;
            self.add_table(block);
            self.subquery = Some(block);
        }
        self.decide()?;
        if let Some(says) = &self.pattern.says {
            let sentence = self.render(says)?;
            if !sentence.is_empty() {
                self.builder.says(self.relation.block, sentence);
            }
        }
        for step in steps {
            self.apply_step(step)?;
        }
        Ok(())
    }

    /// Adds the decisions to the plan, and to the context as `d.<name>`.
    fn decide(&mut self) -> Result<(), minijinja::Error> {
        let mut drawn = BTreeMap::new();
        for (name, choice) in self.pattern.decisions.iter() {
            let render = |text: &String| self.render(text);
            let forms = [render(&choice.forms[0])?, render(&choice.forms[1])?];
            let sentences = [render(&choice.says[0])?, render(&choice.says[1])?];
            let [one, other] = sentences;
            let decided = PlannedDecision::new(format!("{}.{name}", self.pattern.name), &choice.label)
                .says(one, other)
                .shown_by(&choice.hint);
            let draw = self.draw.at("decide").at(name);
            if let Some(given) = &choice.given
                && render(given)?.is_empty()
            {
                let [only, _] = forms;
                drawn.insert(name.to_owned(), only);
                self.context.map("d", drawn.clone());
                continue;
            }
            let text = match self.shared(choice)? {
                Some(about) => self.builder.decide_once(&about, draw, decided, forms),
                None => self.builder.plan.decide(draw, decided, forms),
            };
            self.takes_first |= self.pattern.needs.repeats && self.builder.plan.chosen_in(&text) == Some(1);
            drawn.insert(name.to_owned(), text);
            self.context.map("d", drawn.clone());
        }
        self.context.map("d", drawn);
        Ok(())
    }

    /// Returns what a decision is about if it holds for the whole script.
    fn shared(&self, choice: &PatternDecision) -> Result<Option<String>, minijinja::Error> {
        choice.shared.as_ref().map(|about| self.render(about)).transpose()
    }
}
