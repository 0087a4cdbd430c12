//! What the user wants: the business rule that the reference follows and the fault breaks, in words without SQL.

mod condition;
mod variables;

use sha2::{Digest, Sha256};

use self::variables::{KnownVariables, known, replaced_word};
use super::complaint::{Intent, PhraseBook};
use super::leak::{Secrets, leaks};
use super::template::Template;
use crate::code::tree::Kind;
use crate::fault::Fault;
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
    let of_change = Some(&rule.of_change).filter(|list| !list.is_empty() && is_in_change(subject, mutant));
    let of_word = rule.by_word.get(&replaced_word(subject, mutant));
    let mut lists = match of_change {
        Some(list) => vec![list],
        None => of_word.into_iter().chain([&rule.wordings]).collect(),
    };
    lists.drain(..).find_map(|list| choose(list, &known, &secrets, &mutant.id))
}

/// Whether a mutant's site stands in a DELETE, UPDATE or MERGE, outside its sub-queries.
fn is_in_change(subject: &Subject<'_>, mutant: &Mutant) -> bool {
    let tree = subject.bound.tree();
    let site = subject.bound_nodes(mutant.nodes()).first().copied();
    let around = site.into_iter().flat_map(|site| tree.ancestors(site));
    around.take_while(|above| tree.kind(*above) != Kind::Query).any(|above| tree.kind(above).changes_rows())
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
