//! What is known about the place of a fault, in business words.

use std::collections::BTreeMap;

use crate::code::scope::{RelationSource, ResolvedScript, Target};
use crate::code::script::{Script, unquoted};
use crate::code::tree::{BinaryOperator, Kind, NodeId};
use crate::code::types::Type;
use crate::inject::Mutant;
use crate::prove::Subject;
use crate::prove::data::constraint::ValuePath;
use crate::prove::data::lineage::Lineage;
use crate::publish::words::{business_words, plain_name, table_words};

/// Aliases that name nothing a user knows.
const NO_FIGURE: [&str; 10] = ["rn", "rk", "rnk", "cnt", "val", "seq", "row num", "rank no", "flag", "src"];

/// The slots that rules may use and that are known for a mutant; `templates/complaint/rules.yaml` says what they are.
pub(super) fn slots(subject: &Subject<'_>, mutant: &Mutant) -> BTreeMap<String, String> {
    let tree = subject.bound.tree();
    let mut slots = Slots { subject, found: BTreeMap::new() };
    let bound = Lineage::new(&subject.bound, &subject.scopes);
    let nodes: Vec<NodeId> = mutant.nodes().into_iter().filter(|node| node.index() < tree.len()).collect();
    let Some(site) = nodes.first().copied() else { return slots.found };
    slots.boundary(&bound, site);
    for node in removed(subject, mutant) {
        slots.take(&bound, node);
    }
    for node in nodes.iter().flat_map(|node| tree.descendants(*node)) {
        slots.take(&bound, node);
    }
    slots.edited(mutant);
    for around in nodes.iter().flat_map(|node| around(&subject.bound, *node)) {
        for node in tree.descendants(around) {
            slots.take(&bound, node);
        }
    }
    slots.separator(subject, mutant);
    slots.direction(site);
    slots.keys(&bound, site);
    slots.figure(site);
    slots.default(site);
    slots.found
}

/// The first word of the text that the first edit replaces, in lower case.
pub(super) fn replaced_word(subject: &Subject<'_>, mutant: &Mutant) -> String {
    let text = replaced(subject, mutant).trim_start();
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>().to_lowercase()
}

fn replaced<'a>(subject: &'a Subject<'_>, mutant: &Mutant) -> &'a str {
    mutant.edits.as_slice().first().map_or("", |edit| edit.span().of(subject.reference.script.text()))
}

/// The nodes that lie within the replaced text. The bound script has the tree of the script with placeholders.
fn removed(subject: &Subject<'_>, mutant: &Mutant) -> Vec<NodeId> {
    let tree = subject.reference.script.tree();
    let same_tree = tree.len() == subject.bound.tree().len();
    let within = |node: &NodeId| {
        let span = tree.span(*node);
        mutant.edits.as_slice().iter().any(|edit| edit.start <= span.start && span.end <= edit.end)
    };
    tree.ids().filter(|node| same_tree && within(node)).collect()
}

/// The conditions and calls that a node stands in, innermost first.
fn around(script: &Script, node: NodeId) -> Vec<NodeId> {
    let tree = script.tree();
    let ends = |kind| matches!(kind, Kind::Select { .. } | Kind::Query | Kind::And | Kind::Or | Kind::SelectItem);
    tree.ancestors(node).take_while(|ancestor| !ends(tree.kind(*ancestor))).collect()
}

/// Words found so far.
struct Slots<'a> {
    subject: &'a Subject<'a>,
    found: BTreeMap<String, String>,
}

impl Slots<'_> {
    fn set(&mut self, slot: &str, words: String) {
        self.found.entry(slot.to_owned()).or_insert(words);
    }

    /// Business words of a column and of the table it comes from; none where it comes from several columns that go by
    /// different names, such as the branches of a UNION.
    fn words(&self, lineage: &Lineage<'_>, node: NodeId) -> Option<(String, String)> {
        let schema = &self.subject.reference.schema;
        let words = |path: &ValuePath| {
            let table = schema.table(&lineage.scans[path.source.scan].table)?;
            let column = table.columns.get(path.source.column)?;
            Some((business_words(schema, &table.name, &column.name), table_words(schema, &table.name)))
        };
        let paths = lineage.trace(node);
        let first = words(paths.first()?)?;
        let alike = paths.iter().filter_map(words).all(|(column, _)| column == first.0);
        alike.then_some(first)
    }

    /// Takes the words of a column, unless others were found before. A column that is computed goes by its own name.
    fn take(&mut self, lineage: &Lineage<'_>, node: NodeId) {
        if lineage.script.tree().kind(node) == Kind::Column {
            match self.words(lineage, node) {
                Some((column, relation)) => {
                    self.set("column", column);
                    self.set("relation", relation);
                }
                None => self.take_name(lineage.script, node),
            }
        }
        if let Some(binding) = lineage.scopes.binding(node)
            && let Target::Column(relation, _) = &binding.target
            && let RelationSource::Table(name) = &lineage.scopes.relation(*relation).source
        {
            self.set("relation", table_words(&self.subject.reference.schema, name));
        }
    }

    fn take_name(&mut self, script: &Script, column: NodeId) {
        if let Some(words) = self.own_words(script, column) {
            self.set("column", words);
        }
    }

    /// Words for a column by its own name, wherever it comes from.
    fn own_words(&self, script: &Script, column: NodeId) -> Option<String> {
        let name = script.tree().children(column).last().map(|part| script.name(*part))?;
        self.output_words(&name)
    }

    /// Takes the words of columns that stand in the changed text; where another column stood there, they are `other`.
    fn edited(&mut self, mutant: &Mutant) {
        let original = self.subject.reference.script.text();
        let Ok(text) = mutant.text(original) else { return };
        let changed = mutant.changed(original);
        let ResolvedScript { script, scopes } = ResolvedScript::new(text, &self.subject.reference.schema);
        let lineage = Lineage::new(&script, &scopes);
        let tree = script.tree();
        let touched = |node: &NodeId| tree.span(*node).start < changed.end && changed.start < tree.span(*node).end;
        let columns: Vec<NodeId> =
            tree.ids().filter(|node| tree.kind(*node) == Kind::Column && touched(node)).collect();
        if let Some((other, _)) = columns.first().and_then(|column| self.words(&lineage, *column))
            && self.found.get("column").is_some_and(|column| *column != other)
        {
            self.set("other", other);
        }
        for column in columns {
            self.take(&lineage, column);
        }
    }

    /// The limit of a comparison, and whether it belongs to what is meant.
    fn boundary(&mut self, lineage: &Lineage<'_>, site: NodeId) {
        use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
        let script = lineage.script;
        let tree = script.tree();
        let Kind::Binary(operator @ (Less | LessOrEqual | Greater | GreaterOrEqual)) = tree.kind(site) else { return };
        let meets = matches!(operator, LessOrEqual | GreaterOrEqual);
        let counts = if meets { "still meets the condition" } else { "does not meet the condition" };
        self.set("counts", counts.to_owned());
        let is_limit = |node: &&NodeId| matches!(tree.kind(**node), Kind::Number | Kind::Text);
        let limit = tree.children(site).iter().find(is_limit).copied();
        if let Some(limit) = limit {
            self.set("limit", unquoted(script.slice(limit)).to_owned());
        }
        let sides = tree.children(site).iter().filter(|side| Some(**side) != limit);
        for node in sides.flat_map(|side| tree.descendants(*side)) {
            self.take(lineage, node);
        }
    }

    fn separator(&mut self, subject: &Subject<'_>, mutant: &Mutant) {
        let text = unquoted(replaced(subject, mutant).trim());
        let words = match text.trim_start_matches('\\').trim() {
            "," => "commas",
            "|" | "[|]" => "vertical bars",
            ":" => "colons",
            "#" => "hash signs",
            "&" => "ampersands",
            "/" => "slashes",
            "-" | "->" => "hyphens",
            "+" => "plus signs",
            "_" => "low lines",
            "" if !text.is_empty() => "blanks",
            _ => return,
        };
        self.set("separator", words.to_owned());
    }

    /// Which way an ordering goes.
    fn direction(&mut self, site: NodeId) {
        let tree = self.subject.bound.tree();
        let item = tree.descendants(site).chain(tree.ancestors(site)).find_map(|node| match tree.kind(node) {
            Kind::SortItem { descending, .. } => Some((node, descending)),
            _ => None,
        });
        let Some((item, descending)) = item else { return };
        let Some(key) = tree.children(item).first() else { return };
        let data_type = self.subject.scopes.type_of(*key);
        let name = self.subject.bound.slice(*key).to_lowercase();
        let dated = ["date", "time", "day", "month", "_at", "dt"].iter().any(|part| name.ends_with(part));
        let words = match (data_type.is_temporal() || dated, *data_type == Type::String, descending) {
            (true, _, true) => "from the latest to the earliest",
            (true, _, false) => "from the earliest to the latest",
            (_, true, true) => "in reverse alphabetical order",
            (_, true, false) => "in alphabetical order",
            (_, _, true) => "from the highest to the lowest",
            (_, _, false) => "from the lowest to the highest",
        };
        self.set("direction", words.to_owned());
    }

    /// What a block is grouped by, or a window partitioned by.
    fn keys(&mut self, lineage: &Lineage<'_>, site: NodeId) {
        let tree = lineage.script.tree();
        let is_group = |kind| matches!(kind, Kind::GroupBy | Kind::PartitionBy);
        let window = tree.descendants(site).find(|node| tree.kind(*node) == Kind::PartitionBy);
        let own = std::iter::once(site).chain(tree.ancestors(site)).find_map(|node| match tree.kind(node) {
            kind if is_group(kind) => Some(node),
            Kind::Call { .. } => tree.descendants(node).find(|node| tree.kind(*node) == Kind::PartitionBy),
            Kind::Select { .. } => tree.child(node, |kind| kind == Kind::GroupBy),
            _ => None,
        });
        let Some(group) = window.or(own) else { return };
        let keys: Vec<NodeId> = tree.children(group).to_vec();
        let is_column = |key: &NodeId| tree.kind(*key) == Kind::Column;
        let words = |key: &NodeId| match self.words(lineage, *key) {
            Some((column, _)) => Some(column),
            None => self.own_words(lineage.script, *key).filter(|_| is_column(key)),
        };
        let words: Vec<String> = keys.iter().filter_map(words).collect();
        if words.len() == keys.len() && (1..=3).contains(&words.len()) {
            self.set("keys", words.join(" and "));
        }
    }

    /// The output that a place belongs to.
    fn figure(&mut self, site: NodeId) {
        let tree = self.subject.bound.tree();
        let inside = |kind| matches!(kind, Kind::SelectItem | Kind::Select { .. });
        let item = std::iter::once(site).chain(tree.ancestors(site)).find(|node| inside(tree.kind(*node)));
        let Some(item) = item.filter(|item| tree.kind(*item) == Kind::SelectItem) else { return };
        let Some(alias) = tree.child(item, |kind| kind == Kind::Alias) else { return };
        let Some(name) = tree.children(alias).first().map(|name| self.subject.bound.name(*name)) else { return };
        if let Some(words) = self.output_words(&name) {
            self.set("figure", words);
        }
    }

    /// Words for a computed column: those of the table column of that name, else the name itself.
    fn output_words(&self, name: &str) -> Option<String> {
        let schema = &self.subject.reference.schema;
        let table = schema.tables.iter().find(|table| table.columns.iter().any(|column| column.name == name));
        let words = table.map_or_else(|| plain_name(name), |table| business_words(schema, &table.name, name));
        (words.len() > 2 && !NO_FIGURE.contains(&words.as_str())).then_some(words)
    }

    /// What stands in for a missing value.
    fn default(&mut self, site: NodeId) {
        let script = &self.subject.bound;
        let tree = script.tree();
        let near = tree.descendants(site).chain(tree.ancestors(site).take(2));
        let guard = near
            .filter(|node| matches!(tree.kind(*node), Kind::Call { .. }))
            .find(|node| matches!(script.function_name(*node).as_str(), "coalesce" | "nvl" | "ifnull"));
        let Some(default) = guard.and_then(|guard| script.arguments(guard).last().copied()) else { return };
        let text = unquoted(script.slice(default)).to_owned();
        let words = match tree.kind(default) {
            Kind::Number if text.parse::<f64>() == Ok(0.0) => "zero".to_owned(),
            Kind::Number => text,
            Kind::Boolean(value) => if value { "yes" } else { "no" }.to_owned(),
            Kind::Text if text.trim().is_empty() => "an empty text".to_owned(),
            Kind::Text => text,
            _ => return,
        };
        self.set("default", words);
    }
}
