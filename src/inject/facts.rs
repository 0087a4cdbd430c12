//! What is known about a planted fault, for whoever makes data and words.

use serde::{Deserialize, Serialize};

use crate::code::edit::{Edit, Edits};
use crate::code::scope::Target;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId};
use crate::fault::Clause;

use super::ground::Ground;
use super::names::join_key;
use super::proposal::Proposal;

/// What is known about a planted fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The clause it stands in.
    pub clause: Clause,
    /// The view or written table whose definition it stands in, as written; empty for a plain query.
    pub place: String,
    /// The correct text, on one line.
    pub reference: String,
    /// What stands there instead; empty when text was only taken away.
    pub broken: String,
    /// The columns involved.
    pub columns: Vec<ColumnFact>,
    /// Pairs of columns that the joins around it compare.
    pub keys: Vec<(ColumnFact, ColumnFact)>,
}

/// A column that a fault involves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnFact {
    /// The alias or name of its relation; empty when it has none.
    pub relation: String,
    /// Its name there.
    pub name: String,
    /// The base table and column it comes from unchanged.
    pub base: Option<(String, String)>,
    /// What it serves for.
    pub role: Role,
    /// Its type as SQL writes it.
    pub data_type: String,
    /// It can be NULL as far as the schema and the query tell.
    pub nullable: bool,
}

/// What a column serves for at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It is a key of a join.
    JoinKey,
    /// A window is partitioned by it.
    PartitionKey,
    /// Rows are sorted by it.
    SortKey,
    /// Rows are grouped by it.
    GroupKey,
    /// A filter tests it.
    Filtered,
    /// Its values are read.
    Read,
}

/// The longest piece of the script that counts as one place, in bytes.
const LONGEST_QUOTE: usize = 160;

impl Facts {
    /// Gathers what is known about a proposal.
    pub fn gather(ground: &Ground<'_>, proposal: &Proposal) -> Facts {
        let (reference, broken) = texts(ground, proposal);
        let around = place_node(ground, proposal);
        let mut nodes: Vec<NodeId> = ground.tree().descendants(around).collect();
        nodes.extend(proposal.about.iter().copied());
        let columns = nodes.iter().filter(|id| ground.tree().kind(**id) == Kind::Column);
        let mut facts: Vec<ColumnFact> = Vec::new();
        for fact in columns.filter_map(|column| column_fact(ground, *column)) {
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        Facts {
            clause: clause(ground, proposal.site),
            place: place(ground, proposal.site),
            reference,
            broken,
            columns: facts,
            keys: keys(ground, proposal.site),
        }
    }
}

/// The smallest node that holds the site and every edit, when it is small enough to be quoted; otherwise the site.
fn place_node(ground: &Ground<'_>, proposal: &Proposal) -> NodeId {
    let whole = proposal.edits.span();
    let mut nodes = std::iter::once(proposal.site).chain(ground.tree().ancestors(proposal.site));
    let holds = |id: &NodeId| ground.tree().span(*id).contains(whole);
    let found = nodes.find(holds).filter(|id| ground.tree().span(*id).len() <= LONGEST_QUOTE);
    found.unwrap_or(proposal.site)
}

/// The text of the place before and after, on one line and without the comma or connective at its ends.
fn texts(ground: &Ground<'_>, proposal: &Proposal) -> (String, String) {
    let site = ground.tree().span(proposal.site);
    let changed = proposal.edits.span();
    let both = site.cover(changed);
    let window = if both.len() <= LONGEST_QUOTE && !proposal.indivisible { both } else { quoted(ground, changed) };
    let text = window.of(ground.text());
    let inside = |edit: &Edit| Edit { start: edit.start - window.start, end: edit.end - window.start, ..edit.clone() };
    let moved = Edits::new(proposal.edits.as_slice().iter().map(inside).collect());
    let after = moved.ok().and_then(|edits| edits.apply(text).ok()).unwrap_or_default();
    (one_line(text), one_line(&after))
}

/// The changed bytes widened to whole words.
fn quoted(ground: &Ground<'_>, span: Span) -> Span {
    let tokens = ground.script.tokens();
    let touching = tokens.iter().filter(|token| token.span.start <= span.end && span.start <= token.span.end);
    touching.fold(span, |whole, token| whole.cover(token.span))
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let trimmed = line.trim_matches([',', ' ']);
    let lower = trimmed.to_lowercase();
    let start = ["and ", "or "].iter().find(|word| lower.starts_with(**word)).map_or(0, |word| word.len());
    let end = [" and", " or"].iter().find(|word| lower.ends_with(**word)).map_or(0, |word| word.len());
    trimmed.get(start..trimmed.len() - end).unwrap_or(trimmed).trim_matches([',', ' ']).to_owned()
}

fn column_fact(ground: &Ground<'_>, column: NodeId) -> Option<ColumnFact> {
    let binding = ground.scopes.binding(column)?;
    let Target::Column(id, index) = binding.target else { return None };
    let relation = ground.scopes.relation(id);
    let found = relation.columns.get(index)?;
    Some(ColumnFact {
        relation: relation.name.clone(),
        name: found.name.clone(),
        base: ground.scopes.base_column(column),
        role: role(ground, column),
        data_type: found.data_type.to_string(),
        nullable: found.nullable || relation.optional,
    })
}

fn role(ground: &Ground<'_>, column: NodeId) -> Role {
    for above in ground.above_in_block(column) {
        match ground.tree().kind(above) {
            Kind::On => return Role::JoinKey,
            Kind::PartitionBy => return Role::PartitionKey,
            Kind::SortItem { .. } => return Role::SortKey,
            Kind::GroupBy => return Role::GroupKey,
            Kind::Where | Kind::Having | Kind::When => return Role::Filtered,
            _ => {}
        }
    }
    Role::Read
}

/// The keys of the join at the site, or of all joins of its block.
fn keys(ground: &Ground<'_>, site: NodeId) -> Vec<(ColumnFact, ColumnFact)> {
    let tree = ground.tree();
    let join =
        std::iter::once(site).chain(ground.above_in_block(site)).find(|id| matches!(tree.kind(*id), Kind::Join { .. }));
    let block = || ground.block_of(site).and_then(|block| tree.child(block, |kind| kind == Kind::From));
    let Some(around) = join.or_else(block) else { return Vec::new() };
    let mut pairs = Vec::new();
    let mut stack = vec![around];
    while let Some(id) = stack.pop() {
        if let Some((left, right)) = join_key(ground, id) {
            pairs.extend(column_fact(ground, left).zip(column_fact(ground, right)));
        } else if tree.kind(id) != Kind::Query {
            stack.extend(tree.children(id).iter().rev());
        }
    }
    pairs
}

/// The view or target that holds a node.
fn place(ground: &Ground<'_>, node: NodeId) -> String {
    let tree = ground.tree();
    let named = std::iter::once(node).chain(tree.ancestors(node)).find_map(|id| match tree.kind(id) {
        Kind::CommonTable => tree.children(id).first().copied(),
        Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::CreateTable | Kind::CreateView => {
            tree.child(id, |kind| kind == Kind::Table)
        }
        _ => None,
    });
    named.map(|name| ground.script.slice(name).to_owned()).unwrap_or_default()
}

/// The clause that holds a node.
fn clause(ground: &Ground<'_>, node: NodeId) -> Clause {
    let tree = ground.tree();
    let found = std::iter::once(node).chain(tree.ancestors(node)).find_map(|id| clause_of(tree.kind(id)));
    found.unwrap_or(Clause::Statement)
}

fn clause_of(kind: Kind) -> Option<Clause> {
    Some(match kind {
        Kind::With | Kind::CommonTable => Clause::With,
        Kind::Projection => Clause::Select,
        Kind::From | Kind::Relation => Clause::From,
        Kind::Join { .. } => Clause::Join,
        Kind::On | Kind::Using => Clause::On,
        Kind::LateralView { .. } => Clause::LateralView,
        Kind::Where => Clause::Where,
        Kind::GroupBy => Clause::GroupBy,
        Kind::Having => Clause::Having,
        Kind::Over | Kind::WindowSpec => Clause::Window,
        Kind::OrderBy | Kind::SortBy => Clause::OrderBy,
        Kind::Limit => Clause::Limit,
        Kind::SetOperation { .. } => Clause::SetOperation,
        Kind::Insert { .. } | Kind::InsertBranch { .. } | Kind::PartitionSpec => Clause::Insert,
        Kind::CreateTable | Kind::CreateView => Clause::Create,
        _ => return None,
    })
}
