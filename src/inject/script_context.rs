//! What an operator sees of a script: its tree, its resolved names and its tables.

use std::collections::{HashMap, HashSet};

use crate::code::schema::Schema;
use crate::code::scope::{RelationId, RelationSource, Scopes};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::tree::{Kind, NodeId, Tree};
use crate::corpus::Decision;
use crate::fault::NodeName;

/// A script with everything an operator may ask about it. It is built once per script and used for every fault.
pub struct ScriptContext<'a> {
    /// The script.
    pub script: &'a Script,
    /// What its names refer to.
    pub scopes: &'a Scopes,
    /// Its tables.
    pub schema: &'a Schema,
    /// The decisions that its composer recorded; empty unless [`ScriptContext::with_decisions`] was called.
    pub decisions: &'a [Decision],
    /// Nodes by name, each list in source order, so that a fault looks only at nodes that can be its site.
    by_name: HashMap<NodeName, Vec<NodeId>>,
    /// Every token in lower case, to know which names are taken.
    words: HashSet<String>,
    /// Relations by the node that brings them into a block.
    relations: HashMap<NodeId, RelationId>,
    /// Relations by the sub-query or CTE they read.
    readers: HashMap<NodeId, Vec<RelationId>>,
}

impl<'a> ScriptContext<'a> {
    /// Indexes the nodes, words and relations of a script, so that no operator has to search the whole script for each
    /// of its sites.
    pub fn new(script: &'a Script, scopes: &'a Scopes, schema: &'a Schema) -> ScriptContext<'a> {
        let tree = script.tree();
        let mut by_name: HashMap<NodeName, Vec<NodeId>> = HashMap::new();
        let mut names_of: HashMap<Kind, Vec<NodeName>> = HashMap::new();
        for node in tree.descendants(tree.root()) {
            let kind = tree.kind(node);
            // A script has many nodes of few kinds, so the names of each kind are looked up only once.
            let names = names_of.entry(kind).or_insert_with(|| names(kind));
            for name in names {
                by_name.entry(*name).or_default().push(node);
            }
        }
        let words = script.tokens().iter().map(|token| token.span().of(script.text()).to_ascii_lowercase()).collect();
        let mut relations = HashMap::new();
        let mut readers: HashMap<NodeId, Vec<RelationId>> = HashMap::new();
        for (id, relation) in scopes.relations() {
            relations.entry(relation.node).or_insert(id);
            if let RelationSource::Query(source) | RelationSource::CommonTable(source) = relation.source {
                readers.entry(source).or_default().push(id);
            }
        }
        ScriptContext { script, scopes, schema, decisions: &[], by_name, words, relations, readers }
    }

    /// Adds the decisions that the script's composer recorded.
    #[must_use]
    pub fn with_decisions(self, decisions: &'a [Decision]) -> ScriptContext<'a> {
        ScriptContext { decisions, ..self }
    }

    /// Whether some token of the script is this word, whatever its letter case.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(&word.to_ascii_lowercase())
    }

    /// Returns the relation that this node of a FROM clause brings into its block.
    pub fn relation_at(&self, node: NodeId) -> Option<RelationId> {
        self.relations.get(&node).copied()
    }

    /// Returns the relations that read the output of this query, as a sub-query or through its CTE.
    pub fn readers(&self, query: NodeId) -> Vec<RelationId> {
        let owner = self.tree().parent(query).filter(|owner| self.tree().kind(*owner) == Kind::CommonTable);
        let sources = std::iter::once(query).chain(owner);
        sources.filter_map(|source| self.readers.get(&source)).flatten().copied().collect()
    }

    /// Whether a column partitions a table of the schema.
    pub fn is_partition(&self, table: &str, column: &str) -> bool {
        let table = self.schema.table(table);
        table.is_some_and(|table| table.position(column).is_some_and(|at| table.columns[at].partition))
    }

    /// The script's tree.
    pub fn tree(&self) -> &'a Tree {
        self.script.tree()
    }

    /// The script's text.
    pub fn text(&self) -> &'a str {
        self.script.text()
    }

    /// The nodes of this name, in source order.
    pub fn named(&self, name: NodeName) -> &[NodeId] {
        self.by_name.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Returns the span of significant token `index`.
    pub fn token_span(&self, index: usize) -> Span {
        self.script.tokens()[index].span()
    }

    /// The first and last significant token of a node.
    pub fn ends(&self, node: NodeId) -> (usize, usize) {
        self.tree().tokens(node)
    }

    /// The significant tokens of a node that belong to none of its children.
    pub fn own_tokens(&self, node: NodeId) -> Vec<usize> {
        let (first, last) = self.ends(node);
        let mut own = Vec::new();
        let mut next = first;
        for child in self.tree().children(node) {
            let (child_first, child_last) = self.ends(*child);
            own.extend(next..child_first);
            next = child_last + 1;
        }
        own.extend(next..=last);
        own
    }

    /// Whether token `index` is this word or mark, whatever its letter case.
    pub fn token_is(&self, index: usize, word: &str) -> bool {
        self.script.token_text(index).eq_ignore_ascii_case(word)
    }

    /// Returns the first and last token of each place where `words` follow each other among the node's own tokens.
    pub fn find_words(&self, node: NodeId, words: &[String]) -> Vec<(usize, usize)> {
        let own = self.own_tokens(node);
        let fits = |window: &[usize]| {
            let adjacent = window.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            adjacent && window.iter().zip(words).all(|(token, word)| self.token_is(*token, word))
        };
        let places = own.windows(words.len().max(1)).filter(|window| fits(window));
        places.map(|window| (window[0], window[window.len() - 1])).collect()
    }

    /// The nearest SELECT block around a node.
    pub fn block_of(&self, node: NodeId) -> Option<NodeId> {
        self.tree().enclosing(node, |kind| matches!(kind, Kind::Select { .. }))
    }

    /// The nodes above `node`, nearest first, that belong to the same SELECT block or statement part.
    pub fn above_in_block(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let boundary = |kind| matches!(kind, Kind::Select { .. } | Kind::Query);
        self.tree().ancestors(node).take_while(move |ancestor| !boundary(self.tree().kind(*ancestor)))
    }

    /// The statement around a node.
    fn statement_of(&self, node: NodeId) -> NodeId {
        let root = self.tree().root();
        let top = std::iter::once(node).chain(self.tree().ancestors(node));
        top.take_while(|id| *id != root).last().unwrap_or(root)
    }

    /// Returns `words` in the letter case of the nearest keyword before `near`.
    pub fn keyword(&self, near: NodeId, words: &str) -> String {
        let (first, last) = self.ends(self.statement_of(near));
        let (site, _) = self.ends(near);
        let keyword = (first..=site.min(last)).rev().map(|token| self.script.token_text(token)).find(|t| is_keyword(t));
        match keyword {
            Some(text) if text.chars().all(|c| c.is_ascii_lowercase()) => words.to_lowercase(),
            _ => words.to_owned(),
        }
    }
}

fn names(kind: Kind) -> Vec<NodeName> {
    NodeName::ALL.iter().copied().filter(|name| name.fits(kind)).collect()
}

/// Whether a word is in practice always a keyword, so that it shows the author's letter case.
fn is_keyword(text: &str) -> bool {
    const WORDS: [&str; 12] =
        ["select", "from", "where", "join", "with", "insert", "group", "order", "case", "and", "on", "create"];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}
