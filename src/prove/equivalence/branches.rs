//! Branches of a CASE between which a changed condition decides otherwise.

use super::flow::{self, Judge, Step};
use super::nullness::Nullness;
use super::{EquivalenceReason, Pair, aggregates, numbers_compared, squeezed};
use crate::code::script::{Script, unquoted};
use crate::code::tree::{BinaryOperator, JoinKind, Kind, NodeId};

impl Pair<'_> {
    /// A CASE of which one condition is another.
    pub(super) fn redirected(&self, case: NodeId) -> Option<EquivalenceReason> {
        let other = self.counterpart(case)?;
        let (tree, mutant) = (self.script.tree(), self.mutant.tree());
        let (ours, theirs) = (tree.children(case), mutant.children(other));
        if tree.kind(case) != (Kind::Case { operand: false }) || ours.len() != theirs.len() {
            return None;
        }
        let differs = |at: &usize| self.script.slice(ours[*at]) != self.mutant.slice(theirs[*at]);
        let changed: Vec<usize> = (0..ours.len()).filter(differs).collect();
        let [at] = changed[..] else { return None };
        let (when, instead) = (ours[at], theirs[at]);
        if tree.kind(when) != Kind::When || mutant.kind(instead) != Kind::When {
            return None;
        }
        let ([condition, result], [replaced, kept]) = (tree.children(when), mutant.children(instead)) else {
            return None;
        };
        let same_result = self.script.slice(*result) == self.mutant.slice(*kept);
        let same_rows = aggregates(self.script, case) == aggregates(self.mutant, other);
        if !same_result || !same_rows {
            return None;
        }
        let taken_over = || self.next_takes_over((*condition, *replaced), &ours[at..]);
        taken_over().filter(|_| self.is_selected(case)).or_else(|| self.read_alike(case, &ours[at..]))
    }

    /// Whether an expression stands in a SELECT list, where all joins of the block are made.
    fn is_selected(&self, node: NodeId) -> bool {
        let tree = self.script.tree();
        let ends = |kind| matches!(kind, Kind::SelectItem | Kind::On | Kind::Select { .. } | Kind::Query);
        tree.enclosing(node, ends).is_some_and(|end| tree.kind(end) == Kind::SelectItem)
    }

    /// What the CASE gives instead is taken alike by everything that reads it.
    fn read_alike(&self, case: NodeId, branches: &[NodeId]) -> Option<EquivalenceReason> {
        let tree = self.script.tree();
        let result = |branch: &NodeId| match tree.kind(*branch) {
            Kind::When => tree.children(*branch).get(1).copied(),
            Kind::Else => tree.children(*branch).first().copied(),
            _ => None,
        };
        if tree.kind(*branches.last()?) != Kind::Else {
            return None;
        }
        let values: Option<Vec<Literal>> =
            branches.iter().map(|branch| Literal::of(self.script, result(branch)?)).collect();
        let judge = Alike { names: &self.names, values: values? };
        flow::is_lost(self.names, case, &judge).then(|| EquivalenceReason::ReadAlike { values: judge.words() })
    }

    /// `WHEN x.a IS NULL THEN v WHEN x.b IS NULL THEN v` without its first branch: a row of x that was joined has an a.
    fn next_takes_over(
        &self,
        (condition, replaced): (NodeId, NodeId),
        branches: &[NodeId],
    ) -> Option<EquivalenceReason> {
        let (tree, mutant) = (self.script.tree(), self.mutant.tree());
        let [first, second, ..] = branches else { return None };
        let never = mutant.kind(replaced) == Kind::Binary(BinaryOperator::Equal)
            && mutant.children(replaced).iter().any(|side| mutant.kind(*side) == Kind::Null);
        let tested = |condition: NodeId| {
            let absent = tree.kind(condition) == (Kind::IsNull { negated: false });
            self.names.place(*tree.children(condition).first()?).filter(|_| absent)
        };
        let [_, result] = tree.children(*first)[..] else { return None };
        let [next, same] = tree.children(*second)[..] else { return None };
        let (place, behind) = (tested(condition)?, tested(next)?);
        let block = tree.enclosing(condition, |kind| matches!(kind, Kind::Select { .. }));
        let alike = squeezed(self.script.slice(result)) == squeezed(self.script.slice(same));
        let relation = self.names.scopes.relation(place.0);
        let join = tree.parent(relation.node)?;
        let left = matches!(tree.kind(join), Kind::Join { kind: JoinKind::Left, .. });
        let matched = self.names.condition_of(join).is_some_and(|on| self.names.rejects_null(on, place));
        let others = self.names.joins(relation.block);
        let sided =
            |join: &NodeId| matches!(tree.kind(*join), Kind::Join { kind: JoinKind::Right | JoinKind::Full, .. });
        let here = block == Some(relation.block) && behind.0 == place.0;
        let holds = never && alike && left && matched && here && !others.iter().any(sided);
        holds.then(|| EquivalenceReason::NextBranch { what: squeezed(self.script.slice(next)) })
    }
}

/// A text or a number as it is written.
#[derive(Clone, Debug, PartialEq)]
enum Literal {
    Text(String),
    Number(f64),
}

impl Literal {
    fn of(script: &Script, node: NodeId) -> Option<Literal> {
        let text = script.slice(node);
        match script.tree().kind(node) {
            Kind::Paren => Literal::of(script, *script.tree().children(node).first()?),
            // An escape may stand for another letter.
            Kind::Text if !text.contains('\\') => Some(Literal::Text(unquoted(text).to_owned())),
            Kind::Number => text.parse().ok().map(Literal::Number),
            _ => None,
        }
    }
}

/// Several values that may stand for each other: gone where a comparison with constants gives the same for all.
struct Alike<'a> {
    names: &'a Nullness<'a>,
    values: Vec<Literal>,
}

impl Alike<'_> {
    fn words(&self) -> String {
        let word = |value: &Literal| match value {
            Literal::Text(text) => format!("'{text}'"),
            Literal::Number(number) => number.to_string(),
        };
        self.values.iter().map(word).collect::<Vec<_>>().join(", ")
    }

    /// Whether all values give one answer.
    fn agree(&self, answer: impl Fn(&Literal) -> Option<bool>) -> bool {
        let mut answers = self.values.iter().map(answer);
        let first = answers.next().flatten();
        first.is_some() && answers.all(|answer| answer == first)
    }
}

impl Judge for Alike<'_> {
    fn step(&self, above: NodeId, value: NodeId) -> Step {
        let script = self.names.script;
        let tree = script.tree();
        let children = tree.children(above);
        let gone = match tree.kind(above) {
            Kind::Binary(operator) if operator.is_comparison() => {
                let [left, right] = children[..] else { return Step::Observation };
                let swapped = right == value;
                let Some(constant) = Literal::of(script, if swapped { left } else { right }) else {
                    return Step::Observation;
                };
                self.agree(|value| compared(operator, value, &constant, swapped))
            }
            Kind::InList { .. } if children.first() == Some(&value) => {
                let items: Option<Vec<Literal>> = children[1..].iter().map(|item| Literal::of(script, *item)).collect();
                let Some(items) = items else { return Step::Observation };
                self.agree(|value| Some(items.contains(value)))
            }
            Kind::IsNull { .. } => true,
            _ => false,
        };
        if gone { Step::Gone } else { Step::Observation }
    }
}

/// The answer of a comparison; none where a text meets a number, or their order would have to be told.
fn compared(operator: BinaryOperator, value: &Literal, constant: &Literal, swapped: bool) -> Option<bool> {
    use BinaryOperator::{Equal, NotEqual, NullSafeEqual};
    match (value, constant) {
        (Literal::Text(value), Literal::Text(constant)) => match operator {
            Equal | NullSafeEqual => Some(value == constant),
            NotEqual => Some(value != constant),
            _ => None,
        },
        (Literal::Number(value), Literal::Number(constant)) => {
            let (left, right) = if swapped { (constant, value) } else { (value, constant) };
            numbers_compared(if operator == NullSafeEqual { Equal } else { operator }, *left, *right)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::prove::equivalence::tests::argued;

    #[test]
    fn values_are_alike_to_readers_that_ask_for_neither() {
        for (reads, holds) in [
            ("COUNT(IF(t.c = 'top', 1, NULL))", true),
            ("SUM(CASE WHEN t.c IN ('top', 'x') THEN 1 ELSE 0 END)", true),
            ("SUM(CASE WHEN t.c IN ('top', 'mid') THEN 1 ELSE 0 END)", false),
            ("SUM(CASE WHEN t.c <> 'low' THEN 1 ELSE 0 END)", false),
            ("SUM(CASE WHEN t.c > 'a' THEN 1 ELSE 0 END)", false),
            ("MAX(t.c)", false),
        ] {
            let script = |condition: &str| {
                format!(
                    "SELECT {reads} FROM (SELECT CASE WHEN n > 9 THEN 'top' WHEN {condition} THEN 'mid' ELSE 'low' END \
                     AS c FROM a) t"
                )
            };
            let found = argued(&script("n > 5"), &script("n >= 5"));
            assert_eq!(found.is_some(), holds, "{reads}: {found:?}");
        }
        // Without ELSE the value may be NULL; a changed first branch reaches 'top'.
        for (reference, mutant) in [
            (
                "SELECT SUM(IF(t.c = 'top', 1, 0)) FROM (SELECT CASE WHEN n > 5 THEN 'mid' END AS c FROM a) t",
                "SELECT SUM(IF(t.c = 'top', 1, 0)) FROM (SELECT CASE WHEN n > 6 THEN 'mid' END AS c FROM a) t",
            ),
            (
                "SELECT SUM(IF(t.c = 'top', 1, 0)) FROM (SELECT CASE WHEN n > 5 THEN 'top' ELSE 'low' END AS c FROM a) t",
                "SELECT SUM(IF(t.c = 'top', 1, 0)) FROM (SELECT CASE WHEN n > 6 THEN 'top' ELSE 'low' END AS c FROM a) t",
            ),
            (
                "SELECT SUM(IF(t.c = 9, 1, 0)) FROM (SELECT CASE WHEN COUNT(*) > 5 THEN 1 ELSE 2 END AS c FROM a) t",
                "SELECT SUM(IF(t.c = 9, 1, 0)) FROM (SELECT CASE WHEN n > 5 THEN 1 ELSE 2 END AS c FROM a) t",
            ),
        ] {
            assert_eq!(argued(reference, mutant), None, "{mutant}");
        }
    }

    #[test]
    fn the_next_branch_takes_over_what_has_no_partner_only_when_it_gives_the_same() {
        let script = |on: &str, null: &str, next: &str| {
            format!("SELECT CASE WHEN b.k {null} THEN 'no' WHEN {next} ELSE 'yes' END FROM a LEFT JOIN b ON {on}")
        };
        for (on, next, holds) in [
            ("a.k = b.k", "b.w IS NULL THEN 'no'", true),
            ("a.k = b.k", "b.w IS NULL THEN 'other'", false),
            ("a.k = b.k", "a.v IS NULL THEN 'no'", false),
            ("a.k <=> b.k", "b.w IS NULL THEN 'no'", false),
        ] {
            let found = argued(&script(on, "IS NULL", next), &script(on, "= NULL", next));
            assert_eq!(found.is_some(), holds, "{on}, {next}: {found:?}");
        }
    }
}
