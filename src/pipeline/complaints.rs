//! The complaint of a task: it gives nothing away, is unique in its run, and quotes what no other
//! repair gives, if it can.

use std::collections::BTreeSet;

use super::funnel::Determination;
use super::model_authors::ModelAuthors;
use crate::engine::table::ScriptResult;
use crate::publish::complaint::{Complaint, ComplaintInput, HintLevel, Intent, PhraseBook};
use crate::publish::difference::Facts;
use crate::publish::difference::claims::{Claims, OtherRepair, Sides};
use crate::publish::leak::{Secrets, leaks};

/// Wordings tried for the first row that is quoted.
const ATTEMPTS: u32 = 60;
/// Wordings tried for each further row.
const FURTHER: u32 = 8;

/// What a complaint is worded from.
pub(super) struct ComplaintRequest<'a> {
    /// The phrases, with what is known of the script's names.
    pub book: &'a PhraseBook,
    pub instance_id: &'a str,
    pub title: &'a str,
    pub intents: &'a [Intent],
    /// How many faults the task has.
    pub faults: usize,
    pub secrets: &'a [Secrets<'a>],
    /// The results of both scripts on the sample, or on the witness if there is no sample.
    pub sides: Sides<'a>,
    /// The results of other repairs of the same place on that database.
    pub alternatives: &'a [ScriptResult],
    /// How much to tell. More is told where that leaves another repair open.
    pub hints: HintLevel,
    /// Whether `sides` are public results, so that every answer can be checked against them.
    pub has_sample: bool,
}

/// A complaint as it is published.
pub(super) struct Wording {
    pub text: String,
    /// How much the text tells.
    pub hints: HintLevel,
}

/// A wording that gives nothing away and has not been used.
struct FairWording {
    complaint: Complaint,
    hints: HintLevel,
    ruled_out: RuledOut,
}

/// Writes the complaints of a run, one task after the other.
pub(super) struct ComplaintWriter<'a> {
    pub book: &'a PhraseBook,
    /// Models that may reword complaints.
    authors: Option<&'a ModelAuthors>,
    /// Complaints used so far: no two tasks of a run share one.
    pub used: BTreeSet<String>,
    /// Complaints added to `used` since a caller last took this list.
    pub words: Vec<String>,
    /// How far the complaints determine their references.
    pub determination: Determination,
}

impl<'a> ComplaintWriter<'a> {
    pub fn new(book: &'a PhraseBook, authors: Option<&'a ModelAuthors>) -> ComplaintWriter<'a> {
        let (used, words, determination) = Default::default();
        ComplaintWriter { book, authors, used, words, determination }
    }

    /// Returns the first fair wording of the level asked for, or of a level that tells more if that wording and the
    /// sample leave another repair open.
    ///
    /// # Errors
    ///
    /// In words, if there is none.
    pub fn word(&mut self, request: &ComplaintRequest<'_>) -> Result<Wording, String> {
        let Sides { reference, issue } = request.sides;
        let vocabulary = request.book.vocabulary();
        let Some(seen) = request.sides.seen(vocabulary) else { return Err("nothing a user could notice".to_owned()) };
        let all = Facts::each(reference, issue, vocabulary);
        let others: Vec<OtherRepair<'_>> =
            request.alternatives.iter().map(|result| OtherRepair::new(result, &seen)).collect();
        let material = WordingMaterial { all: &all, others: &others };
        let mut found = Err("no wording is left".to_owned());
        for hints in request.hints.and_more() {
            let wording = self.wording(request, material, hints);
            if wording.is_ok() || found.is_err() {
                found = wording;
            }
            if found.as_ref().is_ok_and(|wording| wording.ruled_out != RuledOut::ByTheRule) {
                break;
            }
        }
        found.map(|wording| self.take(request, wording))
    }

    /// Returns the first fair wording of a level whose quotes rule out all other repairs; without
    /// one, the first fair wording.
    fn wording(
        &self,
        request: &ComplaintRequest<'_>,
        material: WordingMaterial<'_>,
        hints: HintLevel,
    ) -> Result<FairWording, String> {
        // A complaint of this level quotes no row, so no other row can make it rule out more.
        let rows = if hints == HintLevel::Symptom { &material.all[..1] } else { material.all };
        // Whether no other repair gives all that a complaint quotes.
        let determines = |facts: &Facts, complaint: &Complaint| {
            let claims = Claims { facts, said: &complaint.said, vocabulary: request.book.vocabulary() };
            !material.others.iter().any(|other| other.satisfies(claims))
        };
        let mut first: Option<Complaint> = None;
        let mut reason = "no wording is left".to_owned();
        for (number, facts) in rows.iter().enumerate() {
            for attempt in 0..if number == 0 { ATTEMPTS } else { FURTHER } {
                match self.fair(request, facts, WordingChoice { hints, attempt }) {
                    Ok(complaint) if determines(facts, &complaint) => {
                        let at_once = number == 0 && first.is_none();
                        let ruled_out = if at_once { RuledOut::AtOnce } else { RuledOut::Chosen };
                        return Ok(FairWording { complaint, hints, ruled_out });
                    }
                    Ok(complaint) => first = first.or(Some(complaint)),
                    Err(flaw) => reason = flaw,
                }
                if first.is_some() && hints == HintLevel::Symptom {
                    break;
                }
            }
        }
        let complaint = first.ok_or(reason)?;
        let open = request.alternatives.iter().any(|other| is_same(other, request.sides.reference));
        let by_the_sample = request.has_sample && !open;
        let ruled_out = if by_the_sample { RuledOut::ByTheSample } else { RuledOut::ByTheRule };
        Ok(FairWording { complaint, hints, ruled_out })
    }

    /// Composes a wording that gives nothing away and has not been used, or says why it cannot.
    fn fair(&self, request: &ComplaintRequest<'_>, facts: &Facts, choice: WordingChoice) -> Result<Complaint, String> {
        let ComplaintRequest { instance_id, title, intents, faults, .. } = *request;
        let composed = ComplaintInput { instance_id, title, facts, intents, faults, hints: choice.hints };
        let complaint =
            Complaint::compose(request.book, &composed, choice.attempt).map_err(|error| error.to_string())?;
        let mut found = request.secrets.iter().flat_map(|secrets| leaks(&complaint.text, &complaint.quoted, secrets));
        if let Some(leak) = found.next() {
            return Err(format!("the complaint gives it away: {leak:?}").chars().take(60).collect());
        }
        if self.used.contains(&complaint.text) { Err("no wording is left".to_owned()) } else { Ok(complaint) }
    }

    fn take(&mut self, request: &ComplaintRequest<'_>, wording: FairWording) -> Wording {
        let FairWording { complaint, hints, ruled_out } = wording;
        let known = request.alternatives.len();
        let numbers = &mut self.determination;
        numbers.tasks += 1;
        numbers.alternatives += known;
        numbers.with_alternatives += usize::from(known > 0);
        if known > 0 {
            match ruled_out {
                RuledOut::AtOnce => numbers.at_once += 1,
                RuledOut::Chosen => numbers.chosen += 1,
                RuledOut::ByTheSample => numbers.by_the_sample += 1,
                RuledOut::ByTheRule if request.intents.len() == request.faults => numbers.by_the_rule += 1,
                RuledOut::ByTheRule => numbers.open += 1,
            }
        }
        let same = request.alternatives.iter().any(|other| is_same(other, request.sides.reference));
        numbers.same_on_witness += usize::from(same);
        self.give(&complaint.text);
        Wording { text: self.reworded(complaint, request.secrets), hints }
    }

    /// Returns the complaint in a model's words if models reword and give nothing away; otherwise as it is.
    fn reworded(&mut self, complaint: Complaint, secrets: &[Secrets<'_>]) -> String {
        let gives_away =
            |words: &str| secrets.iter().any(|secrets| !leaks(words, &complaint.quoted, secrets).is_empty());
        let is_used = |words: &str| self.used.contains(words);
        let reworded =
            self.authors.and_then(|it| it.reworded(&complaint.text, &complaint.quoted, &gives_away, &is_used));
        let Some(reworded) = reworded else { return complaint.text };
        self.give(&reworded);
        reworded
    }

    fn give(&mut self, words: &str) {
        self.used.insert(words.to_owned());
        self.words.push(words.to_owned());
    }
}

/// What a complaint may tell, and what it has to rule out.
#[derive(Clone, Copy)]
struct WordingMaterial<'a> {
    /// The facts with each row that may be quoted, at least one.
    all: &'a [Facts],
    /// What the other repairs give.
    others: &'a [OtherRepair<'a>],
}

/// What decides the words, besides the task.
#[derive(Clone, Copy)]
struct WordingChoice {
    hints: HintLevel,
    /// The number of the attempt; above 0, other phrases are used.
    attempt: u32,
}

/// How a complaint rules out the other repairs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuledOut {
    /// The first wording quotes what no other repair gives.
    AtOnce,
    /// A later wording does.
    Chosen,
    /// No other repair gives all rows of the public sample.
    ByTheSample,
    /// Only the stated rule does, if one is stated.
    ByTheRule,
}

fn is_same(one: &ScriptResult, other: &ScriptResult) -> bool {
    crate::engine::compare::compare(one, other).is_equal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::types::Type;
    use crate::engine::table::{ResultColumn, ResultTable, Row, Value};

    fn result(rows: &[(&str, i64)]) -> ScriptResult {
        let columns = vec![
            ResultColumn::new("shop", Type::String),
            ResultColumn::new("visits", Type::BigInt),
            ResultColumn::new("calls", Type::BigInt),
        ];
        let row = |(shop, visits): &(&str, i64)| {
            Row::from([Value::Text((*shop).to_owned()), Value::Integer(*visits), Value::Integer(7)])
        };
        let rows = rows.iter().map(row).collect();
        ScriptResult { tables: vec![ResultTable::unordered(String::new(), columns, rows)] }
    }

    #[test]
    fn a_row_is_quoted_that_no_other_repair_gives_where_there_is_one() {
        let (reference, issue) = (result(&[("north", 10), ("south", 20)]), result(&[("north", 11), ("south", 19)]));
        let sides = Sides { reference: &reference, issue: &issue };
        let book = PhraseBook::built_in().unwrap();
        let intents =
            [Intent { rule: "every visit counts once".to_owned(), quoted: Vec::new(), begins_with_name: false }];
        for (others, ruled_out) in [
            (vec![], true),
            (vec![result(&[("north", 10), ("south", 22)])], true),
            (vec![result(&[("north", 10), ("south", 22)]), result(&[("north", 3), ("south", 20)])], false),
            (vec![reference.clone()], false),
        ] {
            let mut writer = ComplaintWriter::new(&book, None);
            for number in 0..20 {
                let instance_id = format!("task{number}");
                let (instance_id, alternatives) = (instance_id.as_str(), others.as_slice());
                let (intents, secrets, title) = (intents.as_slice(), &[][..], "Visits");
                let request = ComplaintRequest {
                    book: &book,
                    instance_id,
                    title,
                    intents,
                    faults: 1,
                    secrets,
                    sides,
                    alternatives,
                    hints: HintLevel::Rule,
                    has_sample: false,
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

    /// Returns the level of a complaint asked for at `hints`, with a public sample, where another repair gives `other`.
    fn told(hints: HintLevel, other: &ScriptResult) -> HintLevel {
        let (reference, issue) = (result(&[("north", 10), ("south", 20)]), result(&[("north", 11), ("south", 19)]));
        let book = PhraseBook::built_in().unwrap();
        let intents =
            [Intent { rule: "every visit counts once".to_owned(), quoted: Vec::new(), begins_with_name: false }];
        let request = ComplaintRequest {
            book: &book,
            instance_id: "task",
            title: "Visits",
            intents: &intents,
            faults: 1,
            secrets: &[],
            sides: Sides { reference: &reference, issue: &issue },
            alternatives: std::slice::from_ref(other),
            hints,
            has_sample: true,
        };
        ComplaintWriter::new(&book, None).word(&request).unwrap().hints
    }

    #[test]
    fn more_is_told_where_the_sample_leaves_another_repair_open() {
        let (other, same) = (result(&[("north", 10), ("south", 21)]), result(&[("north", 10), ("south", 20)]));
        for hints in [HintLevel::Symptom, HintLevel::Figures, HintLevel::Rule] {
            assert_eq!(told(hints, &other), hints);
            assert_eq!(told(hints, &same), HintLevel::Rule);
        }
    }
}
