//! Finds what is known about the place of a fault, in business words.

mod boundary;
mod conditions;
mod relation;
mod withheld;

use std::collections::{BTreeMap, BTreeSet};

use withheld::{asks_for_a_match, is_part_of_alternative, pairs_rows};

use super::condition::{ColumnNames, is_telling};
use super::place::{removed, replaced};
use crate::code::scope::{ResolvedScript, Scopes};
use crate::code::script::{Script, unquoted};
use crate::code::tree::{Kind, NodeId, Tree};
use crate::code::types::Type;
use crate::fault::Fault;
use crate::inject::Mutant;
use crate::prove::Subject;
use crate::prove::data::lineage::Lineage;
use crate::publish::vocabulary::Vocabulary;

/// The known variables for the rule of a mutant; [`crate::fault::RULE_VARIABLES`] says what each is.
#[derive(Default)]
pub(super) struct KnownVariables {
    pub variables: BTreeMap<String, String>,
    /// Data that the variables cite.
    pub quoted: Vec<String>,
}

/// Finds the variables that are known for a mutant. The first finder that sets a variable wins.
pub(super) fn find_variables(
    subject: &Subject<'_>,
    fault: &Fault,
    mutant: &Mutant,
    vocabulary: &Vocabulary,
) -> KnownVariables {
    let (script, scopes) = (&subject.bound, &subject.scopes);
    let names = ColumnNames { lineage: Lineage::new(script, scopes), schema: &subject.reference.schema, vocabulary };
    let mut search = VariableSearch { script, scopes, vocabulary, names, known: KnownVariables::default() };
    search.decision(subject, mutant);
    let nodes = subject.bound_nodes(mutant.nodes());
    let Some(site) = nodes.first().copied() else { return search.known };
    search.boundary(site);
    let removed = removed(subject, mutant);
    let kept = removed.iter().copied().filter(|node| !is_default(script, *node));
    let places = nodes.iter().map(|node| without_default(script, *node, &removed));
    let concerned: Vec<NodeId> = kept.chain(places).collect();
    for node in &concerned {
        search.columns(*node);
    }
    search.joined_relation(site, fault.clause);
    // What is written instead, or stands around a place, is about another column if the place has one of its own, even
    // one without words.
    let has_column = concerned.iter().any(|node| !value_columns(script, *node).is_empty());
    search.written_instead(subject, mutant, has_column);
    if !has_column {
        nodes.iter().filter_map(|node| enclosing(script, *node)).for_each(|around| search.columns(around));
    }
    let replaced = replaced(subject, mutant).trim();
    search.separator(replaced);
    search.values(&removed, site);
    search.joined_conditions(site);
    search.direction(site);
    search.keys(site);
    search.figure(site);
    search.default(site, &removed);
    // A condition that is part of one alternative does not hold for rows that meet another.
    let is_of_alternative = removed.contains(&site) && is_part_of_alternative(script, site);
    // A column of an optional partner is also NULL where there is no partner, and a condition that pairs rows does not say
    // which rows count: neither is the rule.
    let is_withheld = |node: &NodeId| asks_for_a_match(script, scopes, *node) || pairs_rows(script, scopes, *node);
    if is_of_alternative || concerned.iter().any(is_withheld) {
        search.withhold(&["condition", "column", "relation"]);
    }
    if search.compares_calculation(site) {
        search.withhold(&["column"]);
    }
    search.other_cases(site);
    // A figure with the name of the column from which it is computed tells nothing.
    if search.known.variables.get("figure") == search.known.variables.get("column") {
        search.withhold(&["figure"]);
    }
    search.known
}

/// Whether a node stands in for a missing value: an argument of COALESCE besides the first.
fn is_default(script: &Script, node: NodeId) -> bool {
    let stands_in = |call: &NodeId| script.arguments(*call).iter().skip(1).any(|argument| *argument == node);
    script.tree().parent(node).is_some_and(|call| script.is_coalesce(call) && stands_in(&call))
}

/// Returns the value that a COALESCE guards if its one default is removed, and any other node as it is.
fn without_default(script: &Script, node: NodeId, removed: &[NodeId]) -> NodeId {
    match script.arguments(node)[..] {
        [value, default] if script.is_coalesce(node) && removed.contains(&default) => value,
        _ => node,
    }
}

/// The nearest condition or call around a node, inside its select item or condition.
fn enclosing(script: &Script, node: NodeId) -> Option<NodeId> {
    let tree = script.tree();
    let ends = |kind| matches!(kind, Kind::Select { .. } | Kind::Query | Kind::And | Kind::Or | Kind::SelectItem);
    let around = tree.ancestors(node).take_while(|ancestor| !ends(tree.kind(*ancestor)));
    around.into_iter().find(|ancestor| {
        matches!(
            tree.kind(*ancestor),
            Kind::Call { .. } | Kind::Binary(_) | Kind::Between { .. } | Kind::InList { .. } | Kind::Pattern { .. }
        )
    })
}

/// A search for variables in a script, and what it has found so far.
struct VariableSearch<'a> {
    script: &'a Script,
    scopes: &'a Scopes,
    vocabulary: &'a Vocabulary,
    names: ColumnNames<'a>,
    known: KnownVariables,
}

impl VariableSearch<'_> {
    fn set(&mut self, variable: &str, words: String) {
        self.known.variables.entry(variable.to_owned()).or_insert(words);
    }

    fn withhold(&mut self, variables: &[&str]) {
        self.known.variables.retain(|name, _| !variables.contains(&name.as_str()));
    }

    /// Sets `decision`: the specification's sentence about the decision that a mutant turns.
    fn decision(&mut self, subject: &Subject<'_>, mutant: &Mutant) {
        let original = subject.reference.script.text();
        let Ok(issue) = mutant.text(original) else { return };
        if let Some(decision) = subject.reference.turned_decision(&issue) {
            let sentence = self.vocabulary.in_words(decision.sentence.trim_end_matches('.'));
            self.set("decision", clause(&sentence));
        }
    }

    fn is_known(&self, variable: &str) -> bool {
        self.known.variables.contains_key(variable)
    }

    /// Sets `column` to the column that a node is about, and `relation` to its relation, unless an arm of CASE only tests
    /// it. A calculation with values of several columns
    /// is about none of them, nor are several conditions together.
    fn columns(&mut self, node: NodeId) {
        let columns = value_columns(self.script, node);
        let is_tested = is_tested(self.script.tree(), node);
        if let Some(relation) = columns.iter().find_map(|column| self.relation_of(*column)).filter(|_| !is_tested) {
            self.set("relation", relation);
        }
        let compares = match self.script.tree().kind(node) {
            Kind::Binary(operator) => operator.is_comparison(),
            Kind::Between { .. } | Kind::InList { .. } | Kind::Pattern { .. } | Kind::IsNull { .. } => true,
            _ => false,
        };
        let named: BTreeSet<String> = columns.iter().filter_map(|column| self.names.words(*column)).collect();
        let first = columns.iter().find_map(|column| self.names.words(*column));
        if let Some(first) = first.filter(|_| compares || named.len() == 1) {
            self.set("column", first);
        }
    }

    /// Takes the column in the changed text: as `other` if another `column` is known, as `column` if none is and the place
    /// has none.
    fn written_instead(&mut self, subject: &Subject<'_>, mutant: &Mutant, has_column: bool) {
        let original = subject.reference.script.text();
        let Ok(text) = mutant.text(original) else { return };
        let changed = mutant.changed(original);
        let ResolvedScript { script, scopes } = ResolvedScript::new(text, &subject.reference.schema);
        let names = ColumnNames { lineage: Lineage::new(&script, &scopes), ..self.names };
        let tree = script.tree();
        let touched = |node: &NodeId| tree.span(*node).start < changed.end && changed.start < tree.span(*node).end;
        let mut columns = tree.ids().filter(|node| tree.kind(*node) == Kind::Column && touched(node));
        let Some(other) = columns.find_map(|column| names.words(column)) else { return };
        match self.known.variables.get("column") {
            Some(column) if *column != other => self.set("other", other),
            None if !has_column => self.set("column", other),
            _ => {}
        }
    }

    fn separator(&mut self, replaced: &str) {
        let text = unquoted(replaced).trim_start_matches('\\');
        let mark = if text.trim().is_empty() && !text.is_empty() { " " } else { text.trim() };
        if let Some(words) = self.vocabulary.separators.get(mark) {
            self.set("separator", words.clone());
        }
    }

    /// Sets `direction`: which way an ordering goes.
    fn direction(&mut self, site: NodeId) {
        let tree = self.script.tree();
        let item = tree.descendants(site).chain(tree.ancestors(site)).find_map(|node| match tree.kind(node) {
            Kind::SortItem { descending, .. } => Some((node, descending)),
            _ => None,
        });
        let Some((item, descending)) = item else { return };
        let Some(key) = tree.children(item).first() else { return };
        let data_type = self.scopes.type_of(*key);
        let name = self.script.slice(*key).to_lowercase();
        let dated =
            ["date", "time", "timestamp", "day", "month", "_at", "_ts", "dt"].iter().any(|part| name.ends_with(part));
        let words = &self.vocabulary.direction;
        let words = match (data_type.is_temporal() || dated, *data_type == Type::String, descending) {
            (true, _, true) => &words.latest_first,
            (true, _, false) => &words.earliest_first,
            (_, true, true) => &words.reverse_alphabetical,
            (_, true, false) => &words.alphabetical,
            (_, _, true) => &words.highest_first,
            (_, _, false) => &words.lowest_first,
        };
        self.set("direction", words.clone());
    }

    /// Sets `keys`: what a block is grouped by, or a window partitioned by, if these are three columns at most.
    fn keys(&mut self, site: NodeId) {
        let tree = self.script.tree();
        let is_group = |kind| matches!(kind, Kind::GroupBy | Kind::PartitionBy);
        let window = tree.descendants(site).find(|node| tree.kind(*node) == Kind::PartitionBy);
        let own = std::iter::once(site).chain(tree.ancestors(site)).find_map(|node| match tree.kind(node) {
            kind if is_group(kind) => Some(node),
            Kind::Call { .. } => tree.descendants(node).find(|node| tree.kind(*node) == Kind::PartitionBy),
            Kind::Select { .. } => tree.child(node, |kind| kind == Kind::GroupBy),
            _ => None,
        });
        let Some(group) = window.or(own) else { return };
        // What names the rows of a sub-query need not name those of the report.
        let is_inside = |kind| matches!(kind, Kind::Select { .. } | Kind::CommonTable);
        let block = tree.enclosing(group, |kind| matches!(kind, Kind::Select { .. }));
        let is_nested = block.is_some_and(|block| tree.ancestors(block).any(|above| is_inside(tree.kind(above))));
        if self.vocabulary.cites_names() && tree.kind(group) == Kind::GroupBy && is_nested {
            return;
        }
        // GROUP BY ALL names no column.
        let keys = tree.children(group);
        if keys.iter().any(|key| self.scopes.is_keyword_all(self.script, *key)) {
            return;
        }
        let words = keys.iter().map(|key| self.names.words(*key)).collect::<Option<Vec<_>>>();
        // Columns of one name, as those of a table joined with itself, are not told apart by it.
        let is_clear = |words: &Vec<String>| {
            (1..=3).contains(&words.len()) && words.iter().collect::<BTreeSet<_>>().len() == words.len()
        };
        if let Some(words) = words.filter(is_clear) {
            self.set("keys", self.vocabulary.listed(&words, &self.vocabulary.list.last));
        }
    }

    /// Sets `figure`: the output column that a place belongs to.
    fn figure(&mut self, site: NodeId) {
        let tree = self.script.tree();
        let inside = |kind| matches!(kind, Kind::SelectItem | Kind::Select { .. });
        let item = std::iter::once(site).chain(tree.ancestors(site)).find(|node| inside(tree.kind(*node)));
        let Some(item) = item.filter(|item| tree.kind(*item) == Kind::SelectItem) else { return };
        let name = self.script.alias(item).filter(|name| is_telling(name));
        if let Some(words) = name.and_then(|name| self.vocabulary.computed_column(&name)) {
            self.set("figure", words);
        }
    }

    /// Sets `default`, the value that stands in for a missing one, or `substitute`, the column that does. What stands in
    /// for a value that stands in itself is not said.
    fn default(&mut self, site: NodeId, removed: &[NodeId]) {
        let (script, tree) = (self.script, self.script.tree());
        if script.is_coalesce(site) && is_default(script, site) {
            return;
        }
        let near = tree.descendants(site).chain(tree.ancestors(site).take(2));
        let guard = near.into_iter().find(|node| script.is_coalesce(*node));
        let first_default = |guard| script.arguments(guard).get(1).copied();
        let changed = removed.iter().copied().find(|node| is_default(script, *node));
        let Some(mut default) = changed.or_else(|| guard.and_then(first_default)) else { return };
        // Of COALESCE(bill, COALESCE(quote, 0)) the quote comes first.
        while script.is_coalesce(default) {
            let Some(value) = script.arguments(default).first().copied() else { return };
            default = value;
        }
        if tree.kind(default) == Kind::Column {
            // Two columns of one name, as of the sides of a join, are not told apart by it.
            let words = self.names.words(default).filter(|words| self.known.variables.get("column") != Some(words));
            if let Some(words) = words {
                self.set("substitute", words);
            }
        }
        let text = unquoted(script.slice(default)).to_owned();
        let words = self.vocabulary;
        let words = match tree.kind(default) {
            Kind::Number if text.parse::<f64>() == Ok(0.0) => words.default.zero.clone(),
            Kind::Boolean(value) => if value { &words.value.when_true } else { &words.value.when_false }.clone(),
            Kind::Text if text.trim().is_empty() => words.default.empty_text.clone(),
            Kind::Number | Kind::Text => text,
            _ => return,
        };
        if !self.is_known("default") {
            self.known.quoted.push(words.clone());
        }
        self.set("default", words);
    }
}

/// A sentence as a clause inside another one: its first letter in lower case, unless the second is a capital.
fn clause(sentence: &str) -> String {
    let mut letters = sentence.chars();
    match (letters.next(), letters.as_str()) {
        (Some(first), rest) if !rest.starts_with(char::is_uppercase) => {
            first.to_lowercase().chain(rest.chars()).collect()
        }
        _ => sentence.to_owned(),
    }
}

/// Whether the name of a CTE or sub-query may stand for what it holds: neither an abbreviation nor a single participle
/// such as `bucketed`.
fn is_noun(name: &str) -> bool {
    is_telling(name) && name.len() > 4 && (!name.ends_with("ed") || name.contains('_'))
}

/// The columns whose values an expression takes: not those that only decide which value it takes, as in the conditions
/// of CASE, and not those of sub-queries and windows.
fn value_columns(script: &Script, node: NodeId) -> Vec<NodeId> {
    let tree = script.tree();
    let of_all = |values: &[NodeId]| values.iter().flat_map(|value| value_columns(script, *value)).collect();
    match (tree.kind(node), script.choices(node)) {
        (Kind::Column, _) => vec![node],
        (Kind::Query | Kind::Over | Kind::Filter, _) => Vec::new(),
        (_, Some(values)) => of_all(&values),
        (_, None) => of_all(tree.children(node)),
    }
}

/// Whether a node stands in the condition of an arm of CASE.
fn is_tested(tree: &Tree, node: NodeId) -> bool {
    let mut below = node;
    for ancestor in tree.ancestors(node) {
        match tree.kind(ancestor) {
            Kind::When => return tree.children(ancestor).last() != Some(&below),
            Kind::Query => return false,
            _ => below = ancestor,
        }
    }
    false
}
