//! FROM: relations joined by inner joins form one set, and outer joins get one direction.

use super::GraphBuilder;
use super::terms::Term;
use crate::code::tree::{JoinKind, Kind, NodeId};

/// The relations joined by inner joins so far, and the conditions on them.
#[derive(Default)]
pub(super) struct Joined {
    pub leaves: Vec<Term>,
    pub conditions: Vec<Term>,
}

impl GraphBuilder<'_> {
    /// The items of a FROM clause.
    pub(super) fn from(&mut self, id: NodeId) -> Joined {
        let mut all = Joined::default();
        for item in self.tree.children(id).to_vec() {
            let joined = self.item(item);
            all.leaves.extend(joined.leaves);
            all.conditions.extend(joined.conditions);
        }
        all
    }

    /// A `Relation`: a primary, then joins and lateral views.
    fn item(&mut self, id: NodeId) -> Joined {
        if self.tree.kind(id) != Kind::Relation {
            return self.primary(id);
        }
        let mut joined = Joined::default();
        for part in self.tree.children(id).to_vec() {
            match self.tree.kind(part) {
                Kind::Join { kind, natural } => joined = self.join(joined, part, kind, natural),
                _ => {
                    let next = self.primary(part);
                    joined.leaves.extend(next.leaves);
                    joined.conditions.extend(next.conditions);
                }
            }
        }
        joined
    }

    pub(super) fn primary(&mut self, id: NodeId) -> Joined {
        let nested = self.tree.kind(id) == Kind::NestedRelation;
        let inner = self.tree.child(id, |kind| kind == Kind::Relation);
        match (self.relations.get(&id).copied(), inner) {
            (Some(relation), _) => Joined { leaves: vec![self.relation(relation)], conditions: Vec::new() },
            (None, Some(inner)) if nested => self.item(inner),
            _ => Joined { leaves: vec![self.generic(id)], conditions: Vec::new() },
        }
    }

    fn join(&mut self, mut left: Joined, id: NodeId, kind: JoinKind, natural: bool) -> Joined {
        let children = self.tree.children(id).to_vec();
        let right = match children.first() {
            Some(primary) => self.primary(*primary),
            None => Joined::default(),
        };
        let on = self.tree.child(id, |kind| kind == Kind::On);
        let condition = match on.and_then(|on| self.tree.children(on).first().copied()) {
            Some(condition) => vec![self.condition(condition, false)],
            None => Vec::new(),
        };
        let using = self.tree.child(id, |kind| kind == Kind::Using);
        if natural || using.is_some() {
            let names = match using {
                Some(using) => self.path(using),
                None => "natural".to_owned(),
            };
            let parts = [self.joined_term(left), self.joined_term(right), self.column_names(id)];
            let term = self.terms.node(&format!("join {kind:?} {names}"), &parts);
            return Joined { leaves: vec![term], conditions: Vec::new() };
        }
        if matches!(kind, JoinKind::Inner | JoinKind::Cross) {
            left.leaves.extend(right.leaves);
            left.conditions.extend(right.conditions);
            left.conditions.extend(condition);
            return left;
        }
        let (left, right, condition) = (self.joined_term(left), self.joined_term(right), self.all_of(condition));
        let term = match kind {
            JoinKind::Right => self.terms.node("join Left", &[right, left, condition]),
            JoinKind::Full => {
                let (first, second) = (left.min(right), left.max(right));
                self.terms.node("join Full", &[first, second, condition])
            }
            other => self.terms.node(&format!("join {other:?}"), &[left, right, condition]),
        };
        Joined { leaves: vec![term], conditions: Vec::new() }
    }

    /// Returns a single graph for everything joined so far.
    fn joined_term(&mut self, joined: Joined) -> Term {
        let Joined { mut leaves, conditions } = joined;
        if let ([only], []) = (&leaves[..], &conditions[..]) {
            return *only;
        }
        leaves.sort_unstable();
        leaves.push(self.all_of(conditions));
        self.terms.node("inner", &leaves)
    }
}
