//! What the user wants: the business rule that the reference follows and the fault breaks, in words without SQL.

mod condition;
mod place;
mod scope;
mod variables;

use sha2::{Digest, Sha256};

use self::place::place_words;
use self::scope::holds_everywhere;
use self::variables::{KnownVariables, find_variables};
use super::complaint::{Intent, PhraseBook};
use super::leak::{Secrets, leaks};
use super::template::Template;
use crate::code::tree::{JoinKind, Kind, NodeId, Tree};
use crate::fault::{Fault, Rule};
use crate::inject::Mutant;
use crate::prove::Subject;

/// Variables that tell a value rather than a name; they count twice when wordings are ranked.
const TELLING: [&str; 3] = ["condition", "value", "limit"];

/// Returns the rule that a mutant breaks, in that wording of the fault's rule that says most about the place and gives
/// nothing away; `None` if no wording can be used there, or if what it says would not hold for the whole report.
pub fn intent(subject: &Subject<'_>, fault: &Fault, mutant: &Mutant, book: &PhraseBook) -> Option<Intent> {
    let known = find_variables(subject, fault, mutant, book.vocabulary());
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
    // Words for the business say what each part of a script is about; names of columns alone do not.
    let is_known = || is_rule_of_exclusion(rule, subject, mutant) || holds_everywhere(subject, mutant);
    if book.vocabulary().cites_names() && !is_known() {
        return None;
    }
    let of_word = place_words(subject, mutant).into_iter().find_map(|words| rule.by_word.get(&words));
    let mut lists = match rule_of_place(rule, subject, mutant) {
        Some(list) => vec![list],
        None => of_word.into_iter().chain([&rule.wordings]).collect(),
    };
    lists.drain(..).find_map(|list| choose(list, &known, &secrets, &mutant.id))
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
    if is_rule_of_exclusion(rule, subject, mutant) {
        return Some(&rule.of_exclusion);
    }
    (!rule.of_value.is_empty() && is_in_value(tree, site)).then_some(&rule.of_value)
}

/// Whether a mutant changes what leaves rows out, and the rule has wordings for that.
fn is_rule_of_exclusion(rule: &Rule, subject: &Subject<'_>, mutant: &Mutant) -> bool {
    let site = subject.bound_nodes(mutant.nodes()).first().copied();
    !rule.of_exclusion.is_empty() && site.is_some_and(|site| is_in_exclusion(subject.bound.tree(), site))
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
