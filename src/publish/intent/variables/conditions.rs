//! Names conditions and the literals in them.

use std::collections::BTreeSet;

use super::VariableSearch;
use super::boundary::meets_at_limit;
use crate::code::script::unquoted;
use crate::code::tree::{Kind, NodeId};
use crate::publish::intent::condition::{ConditionInWords, in_words, literal};

impl VariableSearch<'_> {
    /// Sets `value` to the literal that is gone, `condition` to the condition, and `limit` to the number in it.
    pub(super) fn values(&mut self, removed: &[NodeId], site: NodeId) {
        let tree = self.script.tree();
        let literal = |node: &NodeId| matches!(tree.kind(*node), Kind::Text | Kind::Number);
        if let [only] = removed.iter().copied().filter(literal).collect::<Vec<_>>()[..] {
            let value = unquoted(self.script.slice(only)).to_owned();
            if !value.trim().is_empty() {
                self.known.quoted.push(value.clone());
                self.set("value", value);
            }
        }
        if let Some(ConditionInWords { words, quoted }) = in_words(&self.names, site) {
            self.known.quoted.extend(quoted);
            self.set("condition", words);
        }
        let numbers: Vec<NodeId> =
            tree.children(site).iter().copied().filter(|node| tree.kind(*node) == Kind::Number).collect();
        if let [number] = numbers[..]
            && meets_at_limit(tree.kind(site)).is_none()
        {
            let limit = self.script.slice(number).to_owned();
            self.known.quoted.push(limit.clone());
            self.set("limit", limit);
        }
    }

    /// Sets `conditions`: those that an AND or OR joins, if each can be worded.
    pub(super) fn joined_conditions(&mut self, site: NodeId) {
        let tree = self.script.tree();
        let last = match tree.kind(site) {
            Kind::And => &self.vocabulary.list.last,
            Kind::Or => &self.vocabulary.list.alternative,
            _ => return,
        };
        let worded: Option<Vec<ConditionInWords>> =
            tree.children(site).iter().map(|condition| in_words(&self.names, *condition)).collect();
        let Some(worded) = worded else { return };
        let words: Vec<String> = worded.iter().map(|condition| condition.words.clone()).collect();
        // Those of several tables may read alike.
        if words.iter().collect::<BTreeSet<_>>().len() < words.len() {
            return;
        }
        let all = self.vocabulary.listed(&words, last);
        self.known.quoted.extend(worded.into_iter().flat_map(|condition| condition.quoted));
        self.set("conditions", all);
    }

    /// Sets `value` to the literal of an ELSE; what ELSE works out is called neither by a column nor by a literal in it.
    pub(super) fn other_cases(&mut self, site: NodeId) {
        let tree = self.script.tree();
        let (Kind::Else, [value]) = (tree.kind(site), tree.children(site)) else { return };
        if tree.kind(*value) != Kind::Column {
            self.withhold(&["column"]);
        }
        self.withhold(&["value"]);
        // What a sum or a maximum of the cases comes to is another matter.
        let is_aggregated = tree.ancestors(site).any(|above| self.script.is_aggregate(above));
        if is_aggregated {
            self.withhold(&["figure", "column"]);
            return;
        }
        if let Some(literal) = literal(self.script, *value) {
            self.known.quoted.push(literal.clone());
            self.set("value", literal);
        }
    }
}
