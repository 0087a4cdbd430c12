//! Rewrites that keep the meaning of a script but that a hasty reviewer may take for a bug.

use serde::{Deserialize, Serialize};

use super::mutant::Mutant;
use super::proposal::{Proposal, Proposals};
use super::script_context::ScriptContext;
use crate::code::edit::Edit;
use crate::code::scope::Scopes;
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};
use crate::corpus::Reference;
use crate::fault::NodeName;

/// A kind of rewrite that keeps the meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rewrite {
    /// `a < b` becomes `b > a`.
    ComparisonTurned,
    /// `a AND b` becomes `b AND a`.
    ConditionsExchanged,
    /// `x BETWEEN a AND b` becomes two comparisons.
    BetweenSpelledOut,
    /// `IN (a, b)` becomes `IN (b, a)`.
    InListReordered,
    /// `COUNT(*)` becomes `COUNT(1)`.
    CountOfOne,
    /// `NVL` becomes `COALESCE`, and the other way round.
    CoalesceRenamed,
    /// `IF(c, a, b)` becomes `CASE WHEN c THEN a ELSE b END`.
    IfAsCase,
    /// `JOIN` becomes `INNER JOIN`, `LEFT JOIN` becomes `LEFT OUTER JOIN`.
    JoinSpelledOut,
}

/// Returns the edits that rewrite one node; `None` if it cannot be rewritten.
type Rewriter = fn(&ScriptContext<'_>, NodeId) -> Option<Vec<Edit>>;

impl Rewrite {
    /// Every rewrite.
    pub const ALL: [Rewrite; 8] = [
        Rewrite::ComparisonTurned,
        Rewrite::ConditionsExchanged,
        Rewrite::BetweenSpelledOut,
        Rewrite::InListReordered,
        Rewrite::CountOfOne,
        Rewrite::CoalesceRenamed,
        Rewrite::IfAsCase,
        Rewrite::JoinSpelledOut,
    ];

    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Rewrite::ComparisonTurned => "comparison-turned",
            Rewrite::ConditionsExchanged => "conditions-exchanged",
            Rewrite::BetweenSpelledOut => "between-spelled-out",
            Rewrite::InListReordered => "in-list-reordered",
            Rewrite::CountOfOne => "count-of-one",
            Rewrite::CoalesceRenamed => "coalesce-renamed",
            Rewrite::IfAsCase => "if-as-case",
            Rewrite::JoinSpelledOut => "join-spelled-out",
        }
    }

    /// Returns every place where a script can be rewritten in this way.
    pub fn propose(self, context: &ScriptContext<'_>) -> Vec<Proposal> {
        let (name, edits): (NodeName, Rewriter) = match self {
            Rewrite::ComparisonTurned => (NodeName::Comparison, sides_exchanged),
            Rewrite::ConditionsExchanged => (NodeName::And, exchanged),
            Rewrite::BetweenSpelledOut => (NodeName::Between, spelled_out),
            Rewrite::InListReordered => (NodeName::InList, reordered),
            Rewrite::CountOfOne => (NodeName::Call, count_of_one),
            Rewrite::CoalesceRenamed => (NodeName::Call, renamed),
            Rewrite::IfAsCase => (NodeName::Call, as_case),
            Rewrite::JoinSpelledOut => (NodeName::Join, join_spelled_out),
        };
        let mut proposals = Proposals::default();
        for node in context.named(name).iter().copied() {
            // A comment inside would end up beside other code.
            let slice = context.script.slice(node);
            let has_comment = self != Rewrite::JoinSpelledOut && (slice.contains("--") || slice.contains("/*"));
            if let Some(edits) = edits(context, node).filter(|_| !has_comment) {
                proposals.push(context.text(), node, edits);
            }
        }
        proposals.into_vec()
    }

    /// Returns every script that this rewrite makes of a reference; `key` goes into their ids.
    pub(crate) fn mutants(self, reference: &Reference, key: &str) -> Vec<Mutant> {
        // Rewrites look at the tree only.
        let scopes = Scopes::default();
        let script = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        let mutant = |proposal: &Proposal| Mutant::new(&reference.id, key, self.name(), proposal);
        self.propose(&script).iter().map(mutant).collect()
    }
}

fn exchange(context: &ScriptContext<'_>, left: NodeId, right: NodeId) -> Vec<Edit> {
    let replace = |old: NodeId, new: NodeId| Edit::replacement(context.tree().span(old), context.script.slice(new));
    vec![replace(left, right), replace(right, left)]
}

fn sides_exchanged(context: &ScriptContext<'_>, node: NodeId) -> Option<Vec<Edit>> {
    let Kind::Binary(operator) = context.tree().kind(node) else { return None };
    let [left, right] = context.tree().children(node) else { return None };
    // `a = b = c` is read from the left, so an operand that is a comparison must not change sides.
    let compares = |id: NodeId| matches!(context.tree().kind(id), Kind::Binary(inner) if inner.is_comparison());
    if compares(*left) || compares(*right) {
        return None;
    }
    let sign = match operator {
        BinaryOperator::Equal => "=",
        BinaryOperator::NotEqual => "<>",
        BinaryOperator::Less => ">",
        BinaryOperator::LessOrEqual => ">=",
        BinaryOperator::Greater => "<",
        BinaryOperator::GreaterOrEqual => "<=",
        _ => return None,
    };
    let [token] = context.own_tokens(node)[..] else { return None };
    let mut edits = exchange(context, *left, *right);
    if !matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual) {
        edits.push(Edit::replacement(context.token_span(token), sign));
    }
    Some(edits)
}

fn exchanged(context: &ScriptContext<'_>, node: NodeId) -> Option<Vec<Edit>> {
    let [.., left, right] = context.tree().children(node) else { return None };
    Some(exchange(context, *left, *right))
}

fn spelled_out(context: &ScriptContext<'_>, node: NodeId) -> Option<Vec<Edit>> {
    let [value, low, high] = context.tree().children(node) else { return None };
    let negated = context.tree().kind(node) == Kind::Between { negated: true };
    if negated || context.tree().kind(*value) != Kind::Column {
        return None;
    }
    let [value, low, high] = [value, low, high].map(|id| context.script.slice(*id));
    let and = context.keyword(node, "AND");
    let text = format!("({value} >= {low} {and} {value} <= {high})");
    Some(vec![Edit::replacement(context.tree().span(node), text)])
}

fn reordered(context: &ScriptContext<'_>, node: NodeId) -> Option<Vec<Edit>> {
    let [_, first, second, ..] = context.tree().children(node) else { return None };
    Some(exchange(context, *first, *second))
}

fn count_of_one(context: &ScriptContext<'_>, node: NodeId) -> Option<Vec<Edit>> {
    let star = context.tree().child(node, |kind| kind == Kind::Star)?;
    (context.script.function_name(node) == "count").then(|| vec![Edit::replacement(context.tree().span(star), "1")])
}

fn renamed(context: &ScriptContext<'_>, node: NodeId) -> Option<Vec<Edit>> {
    let name = context.tree().child(node, |kind| kind == Kind::FunctionName)?;
    let new = match (context.script.function_name(node).as_str(), context.script.arguments(node).len()) {
        ("nvl", 2) => "COALESCE",
        ("coalesce", 2) => "NVL",
        _ => return None,
    };
    let lower = context.script.slice(name).chars().all(|c| c.is_ascii_lowercase());
    let new = if lower { new.to_lowercase() } else { new.to_owned() };
    Some(vec![Edit::replacement(context.tree().span(name), new)])
}

fn as_case(context: &ScriptContext<'_>, node: NodeId) -> Option<Vec<Edit>> {
    let arguments = context.script.arguments(node);
    let [condition, yes, no] = arguments[..] else { return None };
    if context.script.function_name(node) != "if" {
        return None;
    }
    let [condition, yes, no] = [condition, yes, no].map(|id| context.script.slice(id));
    let [case_when, then, otherwise, end] =
        ["CASE WHEN", "THEN", "ELSE", "END"].map(|word| context.keyword(node, word));
    let text = format!("{case_when} {condition} {then} {yes} {otherwise} {no} {end}");
    Some(vec![Edit::replacement(context.tree().span(node), text)])
}

fn join_spelled_out(context: &ScriptContext<'_>, node: NodeId) -> Option<Vec<Edit>> {
    let Kind::Join { kind, .. } = context.tree().kind(node) else { return None };
    let own = context.own_tokens(node);
    let join = own.iter().copied().find(|token| context.token_is(*token, "JOIN"))?;
    let has = |word: &str| own.iter().any(|token| context.token_is(*token, word));
    let word = match kind {
        JoinKind::Inner if !has("INNER") => "INNER ",
        JoinKind::Left if !has("OUTER") => "OUTER ",
        _ => return None,
    };
    Some(vec![Edit::insertion(context.token_span(join).start, context.keyword(node, word))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::schema::Schema;
    use crate::code::scope::Scopes;
    use crate::code::script::Script;

    fn rewritten(rewrite: Rewrite, sql: &str) -> Vec<String> {
        let script = Script::new(sql);
        let (scopes, schema) = (Scopes::default(), Schema::default());
        let context = ScriptContext::new(&script, &scopes, &schema);
        rewrite.propose(&context).iter().map(|proposal| proposal.edits.apply(sql).unwrap()).collect()
    }

    #[test]
    fn each_rewrite_says_the_same_in_other_words() {
        for (rewrite, sql, wanted) in [
            (Rewrite::ComparisonTurned, "SELECT 1 FROM t WHERE a.x <= 3", "SELECT 1 FROM t WHERE 3 >= a.x"),
            (Rewrite::ComparisonTurned, "SELECT 1 FROM t WHERE a = b", "SELECT 1 FROM t WHERE b = a"),
            (Rewrite::ConditionsExchanged, "SELECT 1 FROM t WHERE a AND b", "SELECT 1 FROM t WHERE b AND a"),
            (
                Rewrite::BetweenSpelledOut,
                "select 1 from t where a between 1 and 2 and b",
                "select 1 from t where (a >= 1 and a <= 2) and b",
            ),
            (Rewrite::InListReordered, "SELECT 1 FROM t WHERE a IN (1, 2, 3)", "SELECT 1 FROM t WHERE a IN (2, 1, 3)"),
            (Rewrite::CountOfOne, "SELECT COUNT(*) FROM t", "SELECT COUNT(1) FROM t"),
            (Rewrite::CoalesceRenamed, "SELECT nvl(a, 0) FROM t", "SELECT coalesce(a, 0) FROM t"),
            (Rewrite::IfAsCase, "SELECT IF(a, 1, 2) FROM t", "SELECT CASE WHEN a THEN 1 ELSE 2 END FROM t"),
            (
                Rewrite::JoinSpelledOut,
                "SELECT 1 FROM t LEFT JOIN u ON a = b",
                "SELECT 1 FROM t LEFT OUTER JOIN u ON a = b",
            ),
        ] {
            assert_eq!(rewritten(rewrite, sql), [wanted], "{rewrite:?}");
        }
    }

    #[test]
    fn what_a_rewrite_could_change_is_left_alone() {
        for (rewrite, sql) in [
            (Rewrite::ComparisonTurned, "SELECT 1 FROM t WHERE a <=> b"),
            (Rewrite::BetweenSpelledOut, "SELECT 1 FROM t WHERE a NOT BETWEEN 1 AND 2"),
            (Rewrite::BetweenSpelledOut, "SELECT 1 FROM t WHERE rand() BETWEEN 1 AND 2"),
            (Rewrite::CoalesceRenamed, "SELECT coalesce(a, b, 0) FROM t"),
            (Rewrite::ConditionsExchanged, "SELECT 1 FROM t WHERE a -- first\n AND b"),
        ] {
            assert_eq!(rewritten(rewrite, sql), [""; 0], "{sql}");
        }
    }
}
