//! Applying a pattern to a relation.

use std::collections::BTreeMap;

use minijinja::Value;

use super::context::TemplateValues;
use super::slots::{SlotColumns, fill, fits};
use super::{Fork, FormPair, Op, Other, Pattern};
use crate::corpus::compose::builder::PlanBuilder;
use crate::corpus::compose::domain::{FigureUnit, Table, TableKind, Use};
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::names::spoken;
use crate::corpus::compose::piece;
use crate::corpus::compose::plan::Decided;
use crate::corpus::compose::relation::{Classes, ColumnMeaning, OpenRelation, RelationColumn, copy_block, renumber};

/// Applies a pattern; false (and nothing changed) if it does not fit.
///
/// # Errors
///
/// When a template of the pattern cannot be rendered.
pub fn apply(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    pattern: &Pattern,
    draw: Draw,
) -> Result<bool, minijinja::Error> {
    let needs = &pattern.needs;
    let kind = builder.domain.tables.get(&relation.table).map(|table| table.kind);
    if !needs.kind.is_empty() && !kind.is_some_and(|kind| needs.kind.contains(&kind)) {
        return Ok(false);
    }
    if (needs.fanned != relation.fanned && pattern.stage == super::PatternStage::Measure)
        || (needs.repeats && relation.repeats.is_empty())
        || (needs.days && builder.window.days < 2)
    {
        return Ok(false);
    }
    let used = builder.used(pattern, relation);
    let columns = relation.columns.clone();
    let (filled, ratio) = if needs.ratio {
        let Some((words, filled)) = ratio(builder, &columns, &used, draw.at("ratio")) else { return Ok(false) };
        (filled, words)
    } else {
        let rows = SlotColumns { columns: &columns, used: &used, grain: &relation.grain };
        let Some(filled) = fill(pattern.slots.iter(), &rows, draw.at("slots")) else { return Ok(false) };
        (filled, (String::new(), String::new()))
    };
    let other = match &pattern.other {
        Some(other) => match partner(builder, relation, other, pattern, draw.at("other")) {
            Some(partner) => Some(partner),
            None => return Ok(false),
        },
        None => None,
    };
    for (_, column) in &filled {
        builder.use_up(pattern, relation, &column.name);
    }
    if let Some(other) = &other {
        builder.use_up(pattern, relation, &other.table);
    }
    for (_, column) in &filled {
        if let Some(column) = relation.columns.iter_mut().find(|other| other.name == column.name) {
            column.meaning.fresh = false;
        }
    }
    let mut context = TemplateValues::default();
    context.set("ratio_name", ratio.0);
    context.set("ratio_words", ratio.1);
    let mut work = PatternApplication {
        builder,
        relation,
        pattern,
        draw,
        context,
        names: BTreeMap::new(),
        other,
        filled_figure: None,
        subquery: None,
        valued: Vec::new(),
    };
    work.prepare(&filled);
    work.write()?;
    Ok(true)
}

/// Name and words of a ratio.
type RatioWords = (String, String);

/// A ratio of the domain whose figures are there: its name and words, and the columns.
fn ratio<'a, 'c>(
    builder: &PlanBuilder<'_>,
    columns: &'c [RelationColumn],
    used: &[String],
    draw: Draw,
) -> Option<(RatioWords, Vec<(&'a str, &'c RelationColumn)>)> {
    let find = |path: &str| {
        columns.iter().find(|column| {
            let count = path.strip_suffix(".count").is_some_and(|table| column.meaning.origin == format!("{table}.*"));
            column.meaning.sum && (column.meaning.origin == path || count)
        })
    };
    let known = |(name, ratio): (&str, &crate::corpus::compose::domain::Ratio)| {
        let (top, bottom) = (find(&ratio.top)?, find(&ratio.bottom)?);
        let free = !used.contains(&top.name) || !used.contains(&bottom.name);
        free.then(|| ((name.to_owned(), ratio.words.clone()), vec![("top", top), ("bottom", bottom)]))
    };
    let mut found: Vec<_> = builder.domain.ratios.iter().filter_map(known).collect();
    let place = draw.below(found.len());
    (place < found.len()).then(|| found.swap_remove(place))
}

/// Another table that a pattern joins.
struct Partner {
    /// Its neutral name.
    table: String,
    /// Columns of the relation and columns of the table that must agree.
    matches: Vec<(String, String)>,
    /// Its columns in slots.
    slots: Vec<(String, String)>,
}

/// A table that fits and is not used up.
fn partner(
    builder: &PlanBuilder<'_>,
    relation: &OpenRelation,
    other: &Other,
    pattern: &Pattern,
    draw: Draw,
) -> Option<Partner> {
    let used = builder.used(pattern, relation);
    let tables = builder.domain.tables.iter().filter(|(name, table)| {
        table.kind == other.kind
            && relation.table.strip_suffix("_report").unwrap_or(&relation.table) != *name
            && !used.contains(&(*name).to_owned())
            && (table.kind != TableKind::Exclusion || builder.may_exclude(name, relation))
    });
    let mut found: Vec<Partner> = Vec::new();
    for (name, table) in tables {
        if let Some(matches) = matching(builder, relation, table, name, other)
            && let Some(slots) = other_slots(builder, name, table, other, draw.at(name))
        {
            found.push(Partner { table: name.to_owned(), matches, slots });
        }
    }
    let place = draw.below(found.len());
    (place < found.len()).then(|| found.swap_remove(place))
}

/// The columns by which a table belongs to the relation.
fn matching(
    builder: &PlanBuilder<'_>,
    relation: &OpenRelation,
    table: &Table,
    name: &str,
    other: &Other,
) -> Option<Vec<(String, String)>> {
    if let Some(wanted) = &other.r#use {
        return rate_matching(relation, table, wanted);
    }
    if let Some(plans) = &table.plans
        && !relation.columns.iter().any(|column| column.meaning.sum && column.meaning.origin == *plans)
    {
        return None;
    }
    let entity = table.entity.clone().or_else(|| {
        let first = table.columns.iter().find(|(_, column)| column.entity.is_some());
        first.and_then(|(_, column)| column.entity.clone())
    })?;
    let here = relation.columns.iter().find(|column| {
        let listed = table.lists.contains(&column.meaning.origin);
        column.meaning.entity.as_ref() == Some(&entity) || listed
    })?;
    let there = table.columns.iter().find(|(_, column)| column.entity.as_ref() == Some(&entity))?;
    let _ = (builder, name);
    Some(vec![(here.name.clone(), there.0.to_owned())])
}

fn rate_matching(relation: &OpenRelation, table: &Table, wanted: &str) -> Option<Vec<(String, String)>> {
    match table.r#use.as_ref()? {
        Use::Exchange { .. } => (wanted == "exchange").then(Vec::new),
        Use::Share { of, r#match, .. } if wanted == "share" => matched(relation, of, r#match.iter()),
        Use::Price { of, r#match, .. } if wanted == "price" => matched(relation, of, r#match.iter()),
        _ => None,
    }
}

fn matched<'a>(
    relation: &OpenRelation,
    of: &str,
    pairs: impl Iterator<Item = (&'a str, &'a String)>,
) -> Option<Vec<(String, String)>> {
    relation.columns.iter().find(|column| column.meaning.origin == of)?;
    let table = of.split('.').next()?;
    let pair = |(there, here): (&str, &String)| {
        let origin = format!("{table}.{here}");
        let column = relation.columns.iter().find(|column| column.meaning.origin == origin)?;
        Some((column.name.clone(), there.to_owned()))
    };
    pairs.map(pair).collect()
}

fn other_slots(
    builder: &PlanBuilder<'_>,
    name: &str,
    table: &Table,
    other: &Other,
    draw: Draw,
) -> Option<Vec<(String, String)>> {
    let _ = builder;
    let mut filled: Vec<(String, String)> = Vec::new();
    for (slot_name, slot) in other.slots.iter() {
        let candidates: Vec<&str> = table
            .columns
            .iter()
            .filter(|(column_name, column)| {
                fits(slot, &ColumnMeaning::of(name, column_name, column))
                    && (slot.role == [crate::corpus::compose::domain::Role::Month]
                        || !table.key.iter().any(|key| key == column_name))
                    && !filled.iter().any(|(_, used)| used == column_name)
            })
            .map(|(column_name, _)| column_name)
            .collect();
        filled.push((slot_name.to_owned(), (*draw.at(slot_name).pick(&candidates)?).to_owned()));
    }
    Some(filled)
}

/// A pattern being written.
struct PatternApplication<'w, 'b, 'p> {
    builder: &'w mut PlanBuilder<'b>,
    relation: &'w mut OpenRelation,
    pattern: &'p Pattern,
    draw: Draw,
    context: TemplateValues,
    names: BTreeMap<String, String>,
    other: Option<Partner>,
    /// The unit of the figure in a slot.
    filled_figure: Option<FigureUnit>,
    /// The block of the sub-query.
    subquery: Option<usize>,
    /// For each slot its values.
    valued: Vec<(String, Vec<KnownValue>)>,
}

impl PatternApplication<'_, '_, '_> {
    fn prepare(&mut self, filled: &[(&str, &RelationColumn)]) {
        let columns = filled.to_vec();
        self.context.days();
        self.filled_figure = columns.iter().find_map(|(_, column)| column.meaning.figure);
        self.valued = columns.iter().map(|(slot, column)| ((*slot).to_owned(), values(&column.meaning))).collect();
        let table = self.builder.domain.tables.get(&self.relation.table);
        let partition = table
            .and_then(|table| table.partition.as_ref())
            .and_then(|partition| self.relation.column(&partition.column));
        self.context.set("partition", partition.map(|column| column.text.clone()).unwrap_or_default());
        self.more_context(filled);
        let currency = filled.iter().find_map(|(_, column)| column.meaning.currency.clone());
        let currency = currency.and_then(|name| self.relation.column(&name)).map(|column| column.text.clone());
        self.context.set("currency", currency.unwrap_or_default());
        let of_days = table.is_none_or(|table| table.kind == TableKind::Event);
        let days_name = if of_days { format!("{}d", self.builder.window.days) } else { "now".to_owned() };
        self.context.set("days_name", days_name);
        self.context.set("table_name", self.builder.names.table(&self.relation.table));
        let order: Vec<String> = self
            .relation
            .repeats
            .iter()
            .filter_map(|name| Some(self.relation.column(name)?.meaning.words.clone()))
            .collect();
        self.context.set("order_words", order.first().cloned().unwrap_or_default());
        if let Some(base) = self.base() {
            self.context.set("base", piece::operand(&base));
        }
        self.context.columns("c", &columns);
        let words = BTreeMap::from([
            ("one".to_owned(), self.relation.one.clone()),
            ("many".to_owned(), self.relation.many.clone()),
        ]);
        self.context.map("rows", words);
        self.context.set("key", self.relation.texts(&self.relation.grain.clone()));
        self.context.set("order", self.relation.texts(&self.relation.repeats.clone()));
        let at_day = "at the end of the business date".to_owned();
        self.context.set("window", if of_days { self.builder.window.words.clone() } else { at_day });
        let because = self.builder.domain.tables.get(&self.relation.table).and_then(|table| table.repeats.as_ref());
        self.context.set("because", because.map(|repeats| repeats.because.clone()).unwrap_or_default());
        let draws = self.pattern.draws.iter();
        let drawn = draws.map(|(name, values)| {
            (name.to_owned(), self.draw.at("draws").at(name).pick(values).cloned().unwrap_or_default())
        });
        self.context.map("v", drawn.collect());
        if let Some((_, column)) = filled.iter().find(|(_, column)| column.meaning.bands.is_some())
            && let Some(Classes { words, steps, rest }) = &column.meaning.bands
        {
            let steps: Vec<BTreeMap<&str, String>> = steps
                .iter()
                .map(|(below, class)| BTreeMap::from([("below", below.to_string()), ("class", class.clone())]))
                .collect();
            self.context.set("bands", Value::from(steps));
            self.context.set("band_words", words.clone());
            self.context.set("band_rest", rest.clone());
        }
        self.other_words();
    }

    /// The figure that a rate applies to.
    fn base(&self) -> Option<String> {
        let other = self.other.as_ref()?;
        let table = self.builder.domain.tables.get(&other.table)?;
        let (Use::Share { of, .. } | Use::Price { of, .. }) = table.r#use.as_ref()? else { return None };
        let column = self.relation.columns.iter().find(|column| column.meaning.origin == *of)?;
        Some(column.text.clone())
    }

    /// Fields, separators, planned figures.
    fn more_context(&mut self, filled: &[(&str, &RelationColumn)]) {
        let fields = filled.iter().find_map(|(_, column)| self.draw.at("field").pick(&column.meaning.fields));
        if let Some((field, words)) = fields {
            self.context.set("field", field.clone());
            self.context.set("field_words", words.clone());
        }
        let separator = filled.iter().find_map(|(_, column)| column.meaning.separator.clone());
        self.context.set("separator", separator.unwrap_or_default());
        let days = self.builder.window.days;
        self.context.set("half", (days / 2).max(1) as i64);
        self.context.set("all_days", days as i64);
        let planned = self.other.as_ref().and_then(|other| self.builder.domain.tables.get(&other.table)?.plans.clone());
        let planned = planned.and_then(|plans| {
            self.relation.columns.iter().find(|column| column.meaning.sum && column.meaning.origin == plans)
        });
        if let Some(planned) = planned {
            self.context.set("planned", piece::operand(&planned.text));
            self.context.set("planned_name", planned.name.clone());
            self.context.set("planned_words", planned.meaning.words.clone());
        }
    }

    /// What sentences may say of the other table.
    fn other_words(&mut self) {
        let Some(other) = &self.other else { return };
        let Some(table) = self.builder.domain.tables.get(&other.table) else { return };
        let mut words =
            BTreeMap::from([("one".to_owned(), table.one.clone()), ("many".to_owned(), table.many.clone())]);
        if let Some(Use::Share { gives, words: told, .. } | Use::Price { gives, words: told, .. }) = &table.r#use {
            words.insert("gives".to_owned(), gives.clone());
            words.insert("gives_words".to_owned(), told.clone());
        }
        let slot_words =
            other.slots.iter().filter_map(|(slot, name)| Some((slot.clone(), table.columns.get(name)?.words.clone())));
        let slot_names =
            other.slots.iter().map(|(slot, name)| (slot.clone(), self.builder.names.column(&other.table, name)));
        let (slot_words, slot_names) = (slot_words.collect(), slot_names.collect());
        self.context.map("other", words);
        self.context.map("o_words", slot_words);
        self.context.map("o_name", slot_names);
    }

    fn render(&self, template: &str) -> Result<String, minijinja::Error> {
        if !template.contains('{') {
            return Ok(template.to_owned());
        }
        self.builder.library.render(template, &self.context.value())
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
        let ops = &self.pattern.ways[way];
        if ops.iter().any(|op| op.join.is_some()) {
            self.bring(self.relation.block);
        } else if ops.iter().any(|op| op.subquery.is_some()) {
            let inside = crate::corpus::compose::plan::Block { inside: true, ..Default::default() };
            self.builder.plan.blocks.push(inside);
            let block = self.builder.plan.blocks.len() - 1;
            self.bring(block);
            self.subquery = Some(block);
        }
        self.decide()?;
        if let Some(says) = &self.pattern.says {
            let sentence = self.render(says)?;
            self.builder.says(self.relation.block, sentence);
        }
        for op in ops {
            self.op(op)?;
        }
        Ok(())
    }

    /// The decisions, each text of forms under one number.
    fn decide(&mut self) -> Result<(), minijinja::Error> {
        let mut drawn = BTreeMap::new();
        for (name, choice) in self.pattern.decisions.iter() {
            let render = |text: &String| self.render(text);
            let forms = [render(&choice.forms[0])?, render(&choice.forms[1])?];
            let sentences = [render(&choice.says[0])?, render(&choice.says[1])?];
            let [one, other] = sentences;
            let decided = Decided::new(format!("{}.{name}", self.pattern.name), &choice.label)
                .says(one, other)
                .shown_by(&choice.hint);
            let draw = self.draw.at("decide").at(name);
            let text = match self.shared(choice)? {
                Some(about) => self.builder.decide_once(&about, draw, decided, &forms),
                None => self.builder.plan.decide(draw, decided, &forms),
            };
            drawn.insert(name.to_owned(), text);
            self.context.map("d", drawn.clone());
        }
        self.context.map("d", drawn);
        Ok(())
    }

    /// What a decision is about that holds for the whole script.
    fn shared(&self, choice: &FormPair) -> Result<Option<String>, minijinja::Error> {
        choice.shared.as_ref().map(|about| self.render(about)).transpose()
    }

    /// Joins the other table and makes its columns known.
    fn bring(&mut self, block: usize) {
        let Some(other) = &self.other else { return };
        let mut wanted: Vec<String> = other.matches.iter().map(|(_, there)| there.clone()).collect();
        wanted.extend(other.slots.iter().map(|(_, name)| name.clone()));
        let table_name = other.table.clone();
        let Some(table) = self.builder.domain.tables.get(&table_name) else { return };
        let valid = table.valid.clone();
        wanted.extend(valid.iter().flat_map(|valid| [valid.from.clone(), valid.to.clone()]));
        let (currency, value) = rate_columns(table);
        wanted.extend(currency.iter().chain(&value).cloned());
        wanted
            .extend(table.calendar.iter().flat_map(|days| [days.day.clone(), days.workday.clone(), days.week.clone()]));
        let matches = other.matches.clone();
        let slots = other.slots.clone();
        let brought = self.builder.bring(block, &table_name, &wanted, self.draw.at("bring"));
        let text = |name: &str| brought.column(name);
        let mut columns: BTreeMap<String, String> =
            slots.iter().map(|(slot, name)| (slot.clone(), text(name))).collect();
        if let Some(valid) = &valid {
            columns.insert("from".to_owned(), text(&valid.from));
            columns.insert("to".to_owned(), text(&valid.to));
            let end = match (valid.end, &valid.open) {
                (crate::corpus::compose::domain::ValidityEnd::Inclusive, _) => ">=",
                (crate::corpus::compose::domain::ValidityEnd::Exclusive, _) => ">",
            };
            let (from, to, open) = (text(&valid.from), text(&valid.to), valid.open.is_none());
            let holds = move |moment: String| {
                let until = if open {
                    format!("({to} IS NULL OR {to} {end} {moment})")
                } else {
                    format!("{to} {end} {moment}")
                };
                format!("{from} <= {moment} AND {until}")
            };
            self.context.set("holds", Value::from_function(holds));
        }
        if let Some(currency) = &currency {
            columns.insert("currency".to_owned(), text(currency));
        }
        if let Some(value) = &value {
            columns.insert("value".to_owned(), text(value));
        }
        if let Some(days) = self.builder.domain.tables.get(&table_name).and_then(|table| table.calendar.clone()) {
            columns.insert("day".to_owned(), text(&days.day));
            columns.insert("workday".to_owned(), text(&days.workday));
            self.context.set("yes", yes(self.builder.domain, &table_name, &days.workday));
            columns.insert("week".to_owned(), text(&days.week));
        }
        let mut on = Vec::new();
        for (here, there) in &matches {
            if let Some(column) = self.relation.column(here) {
                on.push(format!("{} = {}", column.text, text(there)));
            }
            columns.insert("key".to_owned(), text(there));
        }
        self.context.map("o", columns);
        let target = &mut self.builder.plan.blocks[block];
        if target.inside {
            target.filters.extend(brought.conditions);
            self.context.set("belongs", on.join(" AND "));
        } else if let Some(item) = target.items.last_mut() {
            item.on = on;
            item.on.extend(brought.conditions);
        }
    }

    fn op(&mut self, op: &Op) -> Result<(), minijinja::Error> {
        if let Some(join) = &op.join {
            let join = self.render(join)?;
            let on = op.on.iter().map(|text| self.render(text)).collect::<Result<Vec<_>, _>>()?;
            if let Some(item) = self.builder.plan.blocks[self.relation.block].items.last_mut() {
                item.join = join;
                item.on.extend(on);
            }
        }
        if let (Some(subquery), Some(block)) = (&op.subquery, self.subquery) {
            let text = self.render(&subquery.select)?;
            let filters = subquery.filter.iter().map(|text| self.render(text)).collect::<Result<Vec<_>, _>>()?;
            let target = &mut self.builder.plan.blocks[block];
            let name = piece::column_name(&text).unwrap_or_else(|| "found".to_owned());
            let output = crate::corpus::compose::plan::BlockColumn { name, text, kept: true, comment: String::new() };
            target.outputs.push(output);
            target.filters.extend(filters);
            self.context.set("sub", piece::block(block));
        }
        if op.fan {
            self.relation.fanned = true;
            self.relation.columns.retain(|column| column.meaning.figure.is_none());
        }
        if let Some(fork) = &op.fork {
            self.fork(fork)?;
        }
        if let Some(lateral) = &op.lateral {
            let text = self.render(lateral)?;
            self.builder.plan.blocks[self.relation.block].laterals.push(text);
        }
        match &op.each {
            Some(slot) => self.each(op, slot)?,
            None => {
                for (name, template) in op.set.iter() {
                    let text = self.render(template)?;
                    self.set(name, text)?;
                }
            }
        }
        if let Some(filter) = &op.filter {
            let text = self.render(filter)?;
            self.builder.plan.blocks[self.relation.block].filters.push(text);
        }
        for slot in &op.present {
            let name = self.render(&format!("{{{{ c_name.{slot} }}}}"))?;
            if let Some(column) = self.relation.columns.iter_mut().find(|column| column.name == name) {
                column.meaning.missing = false;
            }
        }
        if let Some(having) = &op.having {
            let text = self.render(having)?;
            self.builder.plan.blocks[self.relation.block].having.push(text);
        }
        if let Some(purpose) = &op.close {
            let purpose = self.render(purpose)?;
            let names = self.builder.block_names(self.relation, &self.pattern.called, self.draw.at("close"));
            self.builder.plan.blocks[self.relation.block].reason = true;
            self.relation.close(&mut self.builder.plan, names, purpose);
            let renamed: BTreeMap<String, String> = self
                .names
                .iter()
                .filter_map(|(name, real)| Some((name.clone(), self.relation.column(real)?.text.clone())))
                .collect();
            self.context.map("s", renamed);
        }
        for name in &op.drop {
            let real = self.names.get(name).cloned().unwrap_or_else(|| name.clone());
            self.relation.columns.retain(|column| column.name != real);
        }
        let order = op.order.iter().map(|text| self.render(text)).collect::<Result<Vec<_>, _>>()?;
        let limit = op.limit.as_ref().map(|text| self.render(text)).transpose()?;
        let block = &mut self.builder.plan.blocks[self.relation.block];
        block.order.extend(order);
        if let Some(limit) = limit {
            block.limit = limit;
        }
        Ok(())
    }

    /// Columns for each value of the column in a slot.
    fn each(&mut self, op: &Op, slot: &str) -> Result<(), minijinja::Error> {
        let Some((_, values)) = self.valued.iter().find(|(name, _)| name == slot).cloned() else { return Ok(()) };
        for value in values {
            let words = value.words.clone();
            let item = [("sql", value.sql), ("name", value.name), ("words", value.words)];
            self.context.map("item", item.into_iter().map(|(key, text)| (key.to_owned(), text)).collect());
            for (key, template) in op.set.iter() {
                let text = self.render(template)?;
                let templates = self.pattern.names.get(key).cloned().unwrap_or_default();
                let drawn = self.draw.at("names").at(key).pick(&templates).cloned().unwrap_or_default();
                let free = self.relation.free_name(&spoken(&self.render(&drawn)?));
                let mut meaning =
                    ColumnMeaning::plain(crate::corpus::compose::domain::Role::Measure, "BIGINT", words.clone());
                if let Some((_, give)) = self.pattern.gives.iter().find(|(given, _)| *given == key) {
                    meaning = ColumnMeaning::plain(give.role, &self.render(&give.kind)?, self.render(&give.words)?);
                    meaning.figure = give.figure;
                }
                if meaning.figure.is_none() {
                    meaning.figure = self.filled_figure;
                }
                meaning.grouped = self.pattern.stage == super::PatternStage::Measure;
                meaning.branch.clone_from(&self.relation.table);
                self.relation.set(RelationColumn { name: free, text, meaning });
            }
        }
        Ok(())
    }

    fn set(&mut self, name: &str, text: String) -> Result<(), minijinja::Error> {
        let real = self.names.get(name).cloned().unwrap_or_else(|| name.to_owned());
        let meaning = match self.pattern.gives.iter().find(|(given, _)| *given == name) {
            Some((_, give)) => {
                let words = self.render(&give.words)?;
                let mut meaning = ColumnMeaning::plain(give.role, &self.render(&give.kind)?, words);
                meaning.figure = give.figure;
                meaning.missing = give.missing;
                meaning.grouped = self.pattern.stage == super::PatternStage::Measure;
                meaning.fresh = matches!(self.pattern.stage, super::PatternStage::Enrich | super::PatternStage::Row);
                meaning.branch.clone_from(&self.relation.table);
                if let Some(slot) = &give.sum_of {
                    meaning.sum = true;
                    meaning.origin = if slot == "*" {
                        format!("{}.*", self.relation.table)
                    } else {
                        let name = self.render(&format!("{{{{ c_name.{slot} }}}}"))?;
                        let column = self.relation.column(&name).map(|column| column.meaning.clone());
                        meaning.figure = column.as_ref().and_then(|meaning| meaning.figure);
                        column.map(|meaning| meaning.origin).unwrap_or_default()
                    };
                }
                if let Some(slot) = &give.instead {
                    let old = self.render(&format!("{{{{ c_name.{slot} }}}}"))?;
                    if let Some(column) = self.relation.columns.iter_mut().find(|column| column.name == old) {
                        let kept = column.meaning.clone();
                        column.text = text;
                        column.meaning = ColumnMeaning { currency: None, missing: give.missing, ..kept };
                    }
                    return Ok(());
                }
                meaning
            }
            None => ColumnMeaning::plain(crate::corpus::compose::domain::Role::Order, "INT", name),
        };
        self.relation.set(RelationColumn { name: real, text, meaning });
        Ok(())
    }

    /// Groups a copy of the open block and joins it.
    fn fork(&mut self, fork: &Fork) -> Result<(), minijinja::Error> {
        let (copy, pairs) = copy_block(&mut self.builder.plan, self.relation.block);
        let mut outputs = Vec::new();
        let mut groups = Vec::new();
        for (place, template) in fork.group.iter().enumerate() {
            let rendered = self.render(template)?;
            for text in rendered.split('\u{1}').filter(|text| !text.is_empty()) {
                let name = self.relation.columns.iter().find(|column| column.text == text);
                let name = name.map_or_else(|| format!("k{place}"), |column| column.name.clone());
                let text = renumber(text, &pairs);
                groups.push(text.clone());
                outputs.push(crate::corpus::compose::plan::BlockColumn {
                    name,
                    text,
                    kept: true,
                    comment: String::new(),
                });
            }
        }
        for (name, template) in fork.set.iter() {
            let text = renumber(&self.render(template)?, &pairs);
            let name = self.names.get(name).cloned().unwrap_or_else(|| name.to_owned());
            outputs.push(crate::corpus::compose::plan::BlockColumn { name, text, kept: true, comment: String::new() });
        }
        let purpose = self.render(&fork.purpose)?;
        let names = self.builder.block_names(self.relation, &fork.called, self.draw.at("fork"));
        let open = self.relation.block;
        {
            let block = &mut self.builder.plan.blocks[copy];
            block.outputs = outputs.clone();
            block.groups = groups;
            block.purpose = purpose;
            block.reason = true;
            block.names = names;
        }
        let join = self.render(&fork.join)?;
        let item = self.builder.plan.item(open, crate::corpus::compose::plan::RowSource::Block(copy), join);
        let columns: BTreeMap<String, String> =
            outputs.iter().map(|output| (output.name.clone(), piece::column(item, &output.name))).collect();
        let mut known = columns.clone();
        for (name, real) in &self.names {
            if let Some(text) = columns.get(real) {
                known.insert(name.clone(), text.clone());
            }
        }
        let keys: Vec<String> = self
            .relation
            .grain
            .iter()
            .filter_map(|name| Some(format!("{} = {}", self.relation.column(name)?.text, columns.get(name)?)))
            .collect();
        self.context.map("f", known);
        let mut on = keys;
        for text in &fork.on {
            on.push(self.render(text)?);
        }
        if let Some(item) = self.builder.plan.blocks[open].items.last_mut() {
            item.on = on;
        }
        Ok(())
    }
}

fn rate_columns(table: &Table) -> (Option<String>, Option<String>) {
    match &table.r#use {
        Some(Use::Exchange { currency, value }) => (Some(currency.clone()), Some(value.clone())),
        Some(Use::Share { value, .. } | Use::Price { value, .. }) => (None, Some(value.clone())),
        None => (None, None),
    }
}

/// A value of a column as patterns with `each` take it.
#[derive(Clone, Debug)]
struct KnownValue {
    sql: String,
    name: String,
    words: String,
}

/// The known values of a column.
fn values(meaning: &ColumnMeaning) -> Vec<KnownValue> {
    let quoted = |value: &str| if meaning.kind == "STRING" { format!("'{value}'") } else { value.to_owned() };
    let name = |value: &str| value.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let known =
        |(value, words): &(String, String)| KnownValue { sql: quoted(value), name: name(value), words: words.clone() };
    meaning.values.iter().map(known).collect()
}

/// The value of a flag that means yes, as SQL.
fn yes(domain: &crate::corpus::compose::domain::Domain, table: &str, column: &str) -> String {
    let column = domain.tables.get(table).and_then(|table| table.columns.get(column));
    match column {
        Some(column) if column.kind == "BOOLEAN" => "TRUE".to_owned(),
        Some(column) => {
            let value = column.values.names().next().unwrap_or("1");
            if column.kind == "STRING" { format!("'{value}'") } else { value.to_owned() }
        }
        None => "1".to_owned(),
    }
}
