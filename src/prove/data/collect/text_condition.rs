//! Conditions on the parts of texts: patterns, and parts that a text holds.

use super::super::constraint::Predicate;
use super::super::satisfies::satisfies;
use super::{ConditionRole, ConstraintCollector};
use crate::code::script::unquoted;
use crate::code::tree::{BinaryOperator, Kind, NodeId, PatternOperator};
use crate::engine::table::Value;

impl ConstraintCollector<'_, '_> {
    /// A text holds a part wherever it may stand.
    pub(super) fn holds_part(&mut self, text: NodeId, part: NodeId, role: ConditionRole) {
        let Some(Value::Text(part)) = self.value(part) else {
            // A text holds the part that it equals.
            return self.compare(BinaryOperator::Equal, text, part, role);
        };
        let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        self.constrain(text, Predicate::Like(format!("%{escaped}%")), role);
    }

    /// Returns the text in which a call looks for a part, and the part, if the predicate asks for a place where it is:
    /// `instr(x, '-') > 0`.
    pub(super) fn part_looked_for(&self, call: NodeId, predicate: &Predicate) -> Option<(NodeId, NodeId)> {
        let script = self.lineage.script;
        let is_found = satisfies(predicate, &Value::Integer(2)) && !satisfies(predicate, &Value::Integer(0));
        if !is_found || !matches!(script.tree().kind(call), Kind::Call { .. }) {
            return None;
        }
        match (&*script.canonical_function_name(call), script.arguments(call).as_slice()) {
            ("instr", [text, part]) | ("locate" | "position", [part, text]) => Some((*text, *part)),
            _ => None,
        }
    }

    /// The word before the list of a pattern: ANY, SOME or ALL.
    fn quantifier_before(&self, list: NodeId) -> &str {
        let script = self.lineage.script;
        let first = *script.token_range(list).start();
        first.checked_sub(1).map_or("", |before| script.token_text(before))
    }

    pub(super) fn pattern(&mut self, operator: PatternOperator, children: &[NodeId], role: ConditionRole) {
        // Of `LIKE ANY ('a%', 'b%')` the first will do; with ALL each is asked for.
        if self.lineage.script.tree().kind(children[1]) == Kind::Tuple {
            let patterns = self.children(children[1]).to_vec();
            let is_all = self.quantifier_before(children[1]).eq_ignore_ascii_case("ALL");
            for pattern in &patterns[..if is_all { patterns.len() } else { patterns.len().min(1) }] {
                self.pattern(operator, &[children[0], *pattern], role);
            }
            return;
        }
        let predicate = match (self.value(children[1]), operator) {
            (Some(Value::Text(pattern)), PatternOperator::Regexp) => Predicate::Matches(pattern),
            (Some(Value::Text(pattern)), _) => Predicate::Like(pattern),
            (None, PatternOperator::Like | PatternOperator::InsensitiveLike) => {
                // A text is like the pattern that it equals.
                let wanted = self.without_wildcards(children[1]);
                return self.compare(BinaryOperator::Equal, children[0], wanted, role);
            }
            _ => return,
        };
        self.constrain(children[0], predicate, role);
    }

    /// Returns what a pattern looks for at any place: `x` of `concat('%', x, '%')`; the pattern itself if it is another.
    fn without_wildcards(&self, pattern: NodeId) -> NodeId {
        let is_wildcard = |piece: &NodeId| unquoted(self.lineage.script.slice(*piece)) == "%";
        match self.pieces(pattern).into_iter().filter(|piece| !is_wildcard(piece)).collect::<Vec<_>>()[..] {
            [only] => only,
            _ => pattern,
        }
    }

    /// The texts that an expression puts together, itself if it puts none together.
    fn pieces(&self, text: NodeId) -> Vec<NodeId> {
        let script = self.lineage.script;
        match script.tree().kind(text) {
            Kind::Call { .. } if script.canonical_function_name(text) == "concat" => script.arguments(text),
            Kind::Binary(BinaryOperator::Concat) => {
                script.tree().children(text).iter().flat_map(|piece| self.pieces(*piece)).collect()
            }
            _ => vec![text],
        }
    }
}
