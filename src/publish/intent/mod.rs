//! What the user wants: the business rule that the reference follows and the fault breaks, in words without SQL.

mod condition;
mod place;
mod variables;

use sha2::{Digest, Sha256};

use self::place::place_words;
use self::variables::{KnownVariables, known};
use super::complaint::{Intent, PhraseBook};
use super::leak::{Secrets, leaks};
use super::template::Template;
use super::vocabulary::{Vocabulary, filled};
use crate::code::tree::{JoinKind, Kind, NodeId, Tree};
use crate::fault::{Fault, Rule};
use crate::inject::Mutant;
use crate::prove::Subject;

/// Variables that tell a value rather than a name; they count twice when wordings are ranked.
const TELLING: [&str; 3] = ["condition", "value", "limit"];

/// Returns the rule that a mutant breaks, in that wording of the fault's rule that says most about the place and gives
/// nothing away; `None` if no wording can be used there.
pub fn intent(subject: &Subject<'_>, fault: &Fault, mutant: &Mutant, book: &PhraseBook) -> Option<Intent> {
    let known = known(subject, fault, mutant, book.vocabulary());
    let original = subject.reference.script.text();
    let issue = mutant.text(original).ok()?;
    let repair = mutant.edits.inverse(original);
    let secrets = Secrets {
        fault: &fault.id,
        operator: "",
        issue_sql: &issue,
        repair: &repair,
        cites_names: book.vocabulary().cites_names(),
    };
    let rule = book.rule(fault);
    let of_word = place_words(subject, mutant).into_iter().find_map(|words| rule.by_word.get(&words));
    let mut lists = match rule_of_place(rule, subject, mutant) {
        Some(list) => vec![list],
        None => of_word.into_iter().chain([&rule.wordings]).collect(),
    };
    let chosen = lists.drain(..).find_map(|list| choose(list, &known, &secrets, &mutant.id))?;
    // What is known of the tables says what each part is about.
    let is_of_part = book.vocabulary().cites_names() && filters_a_part(subject, mutant);
    Some(if is_of_part { of_part(chosen, book.vocabulary()) } else { chosen })
}

/// Whether a mutant changes a filter of one side of a set operation, or of a sub-query beside others: it says nothing of the
/// other rows.
fn filters_a_part(subject: &Subject<'_>, mutant: &Mutant) -> bool {
    let tree = subject.bound.tree();
    let Some(site) = subject.bound_nodes(mutant.nodes()).first().copied() else { return false };
    let mut around = tree.ancestors(site);
    around.any(|above| matches!(tree.kind(above), Kind::Where | Kind::Having))
        && around.any(|above| match tree.kind(above) {
            Kind::SetOperation { .. } | Kind::CommonTable | Kind::Join { .. } => true,
            Kind::From | Kind::Relation => tree.children(above).len() > 1,
            _ => false,
        })
}

/// A rule that holds in one part of the report.
fn of_part(intent: Intent, vocabulary: &Vocabulary) -> Intent {
    let rule = filled(&vocabulary.part, &[("rule", &intent.rule)]);
    Intent { rule, begins_with_name: false, ..intent }
}

/// Returns the wordings for sites that say what is changed, or what is left out; `None` if the site is no such place, or
/// the rule has none for it.
fn rule_of_place<'r>(rule: &'r Rule, subject: &Subject<'_>, mutant: &Mutant) -> Option<&'r Vec<String>> {
    let tree = subject.bound.tree();
    let site = *subject.bound_nodes(mutant.nodes()).first()?;
    let in_change = || {
        let around = tree.ancestors(site).take_while(|above| tree.kind(*above) != Kind::Query);
        around.into_iter().any(|above| tree.kind(above).changes_rows())
    };
    if !rule.of_change.is_empty() && in_change() {
        return Some(&rule.of_change);
    }
    if !rule.of_exclusion.is_empty() && is_in_exclusion(tree, site) {
        return Some(&rule.of_exclusion);
    }
    (!rule.of_value.is_empty() && is_in_value(tree, site)).then_some(&rule.of_value)
}

/// Whether a node stands in a value that is worked out, or in the condition of an outer join: a condition there leaves no
/// row out.
fn is_in_value(tree: &Tree, node: NodeId) -> bool {
    let around = || std::iter::once(node).chain(tree.ancestors(node));
    let clause = around().find(|above| {
        matches!(
            tree.kind(*above),
            Kind::Projection | Kind::Case { .. } | Kind::On | Kind::Where | Kind::Having | Kind::Query
        )
    });
    let is_outer = |join: JoinKind| matches!(join, JoinKind::Left | JoinKind::Right | JoinKind::Full);
    match clause.map(|clause| (clause, tree.kind(clause))) {
        Some((_, Kind::Projection | Kind::Case { .. })) => true,
        Some((on, Kind::On)) => {
            let join = tree.parent(on).map(|join| tree.kind(join));
            matches!(join, Some(Kind::Join { kind, .. }) if is_outer(kind))
        }
        _ => false,
    }
}

/// Whether a node stands in what leaves rows out: a sub-query of NOT IN or NOT EXISTS, or one behind LEFT ANTI JOIN. What
/// is left out of an exclusion stays, and what a CASE or a column of SELECT is made of leaves nothing out.
fn is_in_exclusion(tree: &Tree, node: NodeId) -> bool {
    let around = std::iter::once(node).chain(tree.ancestors(node));
    let path: Vec<NodeId> = around.filter(|above| tree.kind(*above) != Kind::Paren).collect();
    let excludes = |pair: &[NodeId]| match tree.kind(pair[1]) {
        Kind::InQuery { negated: true } => tree.kind(pair[0]) == Kind::Query,
        Kind::Not => matches!(tree.kind(pair[0]), Kind::Exists | Kind::InQuery { negated: false }),
        Kind::Join { kind: JoinKind::LeftAnti, .. } => true,
        _ => false,
    };
    let places: Vec<usize> = (1..path.len()).filter(|at| excludes(&path[at - 1..=*at])).collect();
    let Some(innermost) = places.first() else { return false };
    let block = path[*innermost..].iter().take_while(|above| !matches!(tree.kind(**above), Kind::Select { .. }));
    let computes = |above: &NodeId| matches!(tree.kind(*above), Kind::Case { .. } | Kind::Projection);
    places.len() % 2 == 1 && !block.into_iter().any(computes)
}

/// Of the wordings whose variables are known and that give nothing away, returns one of those that say most; the
/// mutant's id chooses among them.
fn choose(wordings: &[String], known: &KnownVariables, secrets: &Secrets<'_>, id: &str) -> Option<Intent> {
    let mut fair: Vec<(usize, Intent)> = Vec::new();
    for template in wordings.iter().filter_map(|wording| Template::read(wording).ok()) {
        let Ok(rule) = template.fill(&known.variables) else { continue };
        if leaks(&rule, &known.quoted, secrets).is_empty() && !says_twice(&rule) {
            let telling = template.needs().iter().filter(|need| TELLING.contains(&need.as_str())).count();
            let quoted = known.quoted.iter().filter(|data| rule.contains(data.as_str())).cloned().collect();
            let begins_with_name = match template.first_variable() {
                None | Some("decision") => false,
                Some("value") => true,
                Some(_) => secrets.cites_names,
            };
            fair.push((template.needs().len() + telling, Intent { rule, quoted, begins_with_name }));
        }
    }
    let most = fair.iter().map(|(said, _)| *said).max()?;
    fair.retain(|(said, _)| *said == most);
    let number = usize::from(Sha256::digest(id)[0]);
    Some(fair.swap_remove(number % fair.len()).1)
}

/// Whether a word stands twice in a row, as in "the amount amount counts": then the wording does not fit its values.
fn says_twice(text: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod test_places;
