//! The complaint of a task: words that give nothing away, come once in a run, and quote what no other repair gives.

use std::collections::BTreeSet;

use super::funnel::Determination;
use super::rewrites::ModelAuthors;
use crate::engine::table::ScriptResult;
use crate::publish::complaint::{Complaint, ComplaintInput, HintLevel, Intent, PhraseBook};
use crate::publish::difference::Facts;
use crate::publish::difference::claims::{Claims, Sides, satisfies};
use crate::publish::leak::{Secrets, leaks};

/// Wordings that are tried for one row that is quoted.
const ATTEMPTS: u32 = 60;
/// Wordings that are tried for each further row.
const FURTHER: u32 = 8;

/// What a task is worded from.
pub(super) struct ComplaintRequest<'a> {
    /// The wording, with what is known of the script's names.
    pub book: &'a PhraseBook,
    pub instance_id: &'a str,
    pub title: &'a str,
    pub intents: &'a [Intent],
    /// Whether the rule of every fault is said.
    pub rules_said: bool,
    pub secrets: &'a [Secrets<'a>],
    /// What is wanted and what is seen on the witness.
    pub sides: Sides<'a>,
    /// What other repairs of the same place give there.
    pub alternatives: &'a [ScriptResult],
}

/// Words tasks one after the other.
pub(super) struct ComplaintWriter<'a> {
    pub book: &'a PhraseBook,
    /// How much complaints tell.
    hints: HintLevel,
    /// Models that may reword complaints.
    authors: Option<&'a ModelAuthors>,
    /// Complaints given already: no two tasks of a run are told in the same words.
    pub used: BTreeSet<String>,
    /// How far they determine their references.
    pub determination: Determination,
}

impl<'a> ComplaintWriter<'a> {
    pub fn new(book: &'a PhraseBook, hints: HintLevel, authors: Option<&'a ModelAuthors>) -> ComplaintWriter<'a> {
        ComplaintWriter { book, hints, authors, used: BTreeSet::new(), determination: Determination::default() }
    }

    /// The first fair wording that rules out all other repairs by what it quotes; without one, the first fair wording.
    ///
    /// # Errors
    ///
    /// In words, why there is none.
    pub fn word(&mut self, request: &ComplaintRequest<'_>) -> Result<String, String> {
        let Sides { reference, issue } = request.sides;
        let all = Facts::each(reference, issue, request.book.vocabulary());
        if all.is_empty() {
            return Err("nothing a user could notice".to_owned());
        }
        let mut first: Option<Complaint> = None;
        let mut reason = "no wording is left".to_owned();
        for (number, facts) in all.iter().enumerate() {
            for attempt in 0..if number == 0 { ATTEMPTS } else { FURTHER } {
                match self.fair(request, facts, attempt) {
                    Ok(complaint) if self.determines(request, facts, &complaint) => {
                        let at_once = number == 0 && first.is_none();
                        return Ok(self.take(
                            request,
                            complaint,
                            if at_once { RuledOut::AtOnce } else { RuledOut::Chosen },
                        ));
                    }
                    Ok(complaint) => first = first.or(Some(complaint)),
                    Err(flaw) => reason = flaw,
                }
            }
        }
        let complaint = first.ok_or(reason)?;
        Ok(self.take(request, complaint, RuledOut::ByTheRule))
    }

    /// A wording that gives nothing away and has not been used.
    fn fair(&self, request: &ComplaintRequest<'_>, facts: &Facts, attempt: u32) -> Result<Complaint, String> {
        let ComplaintRequest { instance_id, title, intents, .. } = request;
        let composed = ComplaintInput { instance_id, title, facts, intents, hints: self.hints };
        let complaint = Complaint::compose(request.book, &composed, attempt).map_err(|error| error.to_string())?;
        let mut found = request.secrets.iter().flat_map(|secrets| leaks(&complaint.text, &complaint.quoted, secrets));
        if let Some(leak) = found.next() {
            return Err(format!("the complaint gives it away: {leak:?}").chars().take(60).collect());
        }
        if self.used.contains(&complaint.text) { Err("no wording is left".to_owned()) } else { Ok(complaint) }
    }

    /// Whether no other repair gives all that the complaint quotes.
    fn determines(&self, request: &ComplaintRequest<'_>, facts: &Facts, complaint: &Complaint) -> bool {
        let claims = Claims { facts, said: &complaint.said, vocabulary: request.book.vocabulary() };
        !request.alternatives.iter().any(|other| satisfies(other, claims, request.sides))
    }

    fn take(&mut self, request: &ComplaintRequest<'_>, complaint: Complaint, by: RuledOut) -> String {
        let known = request.alternatives.len();
        let numbers = &mut self.determination;
        numbers.tasks += 1;
        numbers.alternatives += known;
        numbers.with_alternatives += usize::from(known > 0);
        if known > 0 {
            match by {
                RuledOut::AtOnce => numbers.at_once += 1,
                RuledOut::Chosen => numbers.chosen += 1,
                RuledOut::ByTheRule if request.rules_said => numbers.by_the_rule += 1,
                RuledOut::ByTheRule => numbers.open += 1,
            }
        }
        let same = request.alternatives.iter().any(|other| is_same(other, request.sides.reference));
        numbers.same_on_witness += usize::from(same);
        self.used.insert(complaint.text.clone());
        self.reworded(complaint, request.secrets)
    }

    /// The complaint in a model's words, where models reword and the words give nothing away.
    fn reworded(&mut self, complaint: Complaint, secrets: &[Secrets<'_>]) -> String {
        let gives_away =
            |words: &str| secrets.iter().any(|secrets| !leaks(words, &complaint.quoted, secrets).is_empty());
        let is_used = |words: &str| self.used.contains(words);
        let reworded =
            self.authors.and_then(|it| it.reworded(&complaint.text, &complaint.quoted, &gives_away, &is_used));
        let Some(reworded) = reworded else { return complaint.text };
        self.used.insert(reworded.clone());
        reworded
    }
}

/// How a complaint rules out the other repairs.
enum RuledOut {
    AtOnce,
    Chosen,
    ByTheRule,
}

fn is_same(one: &ScriptResult, other: &ScriptResult) -> bool {
    crate::engine::compare::compare(one, other).is_equal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::types::Type;
    use crate::engine::table::{ResultColumn, ResultTable, Value};

    fn result(rows: &[(&str, i64)]) -> ScriptResult {
        let column = |name: &str, data_type| ResultColumn { name: name.to_owned(), data_type, unordered: false };
        let columns = vec![column("shop", Type::String), column("visits", Type::BigInt), column("calls", Type::BigInt)];
        let row = |(shop, visits): &(&str, i64)| {
            vec![Value::Text((*shop).to_owned()), Value::Integer(*visits), Value::Integer(7)]
        };
        let rows = rows.iter().map(row).collect();
        ScriptResult { tables: vec![ResultTable { target: String::new(), columns, rows, ordered: false }] }
    }

    #[test]
    fn a_row_is_quoted_that_no_other_repair_gives_where_there_is_one() {
        let (reference, issue) = (result(&[("north", 10), ("south", 20)]), result(&[("north", 11), ("south", 19)]));
        let sides = Sides { reference: &reference, issue: &issue };
        let book = PhraseBook::built_in().unwrap();
        let intents = [Intent { rule: "every visit counts once".to_owned(), quoted: Vec::new() }];
        for (others, ruled_out) in [
            (vec![], true),
            (vec![result(&[("north", 10), ("south", 22)])], true),
            (vec![result(&[("north", 10), ("south", 22)]), result(&[("north", 3), ("south", 20)])], false),
            (vec![reference.clone()], false),
        ] {
            let mut writer = ComplaintWriter::new(&book, HintLevel::Rule, None);
            for number in 0..20 {
                let instance_id = format!("task{number}");
                let (instance_id, alternatives) = (instance_id.as_str(), others.as_slice());
                let (intents, secrets, title) = (intents.as_slice(), &[][..], "Visits");
                let request = ComplaintRequest {
                    book: &book,
                    instance_id,
                    title,
                    intents,
                    rules_said: true,
                    secrets,
                    sides,
                    alternatives,
                };
                writer.word(&request).unwrap();
            }
            let numbers = writer.determination;
            assert_eq!((numbers.tasks, numbers.alternatives), (20, 20 * others.len()));
            if ruled_out {
                assert_eq!(numbers.by_the_rule, 0, "{others:?} {numbers:?}");
            }
            assert_eq!(numbers.at_once + numbers.chosen + numbers.by_the_rule, if others.is_empty() { 0 } else { 20 });
            assert_eq!(numbers.same_on_witness > 0, others.contains(&reference));
            assert!(!others.contains(&reference) || numbers.by_the_rule == 20);
        }
    }
}
