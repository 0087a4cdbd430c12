//! The words and records of a pair: complaint, evidence, critique.

use super::joined_faults::PlantedMutant;
use crate::code::edit::Edits;
use crate::inject::Mutant;
use crate::pipeline::{PlantedFaults, PlantedPart, provenance};
use crate::prove::Subject;
use crate::prove::baseline_difference::BaselineDifference;
use crate::publish::complaint::{Complaint, ComplaintInput, PhraseBook};
use crate::publish::difference::Facts;
use crate::publish::intent::intent;
use crate::publish::leak::{Secrets, leaks};
use crate::publish::record::{Evidence, GoldRecord, ResultRecord};

/// Wordings that are tried before a pair is given up.
const WORDINGS: u32 = 12;

/// A proved mutant, as its words need it.
#[derive(Clone, Copy)]
pub struct TrainingMutant<'a> {
    pub subject: &'a Subject<'a>,
    pub parts: &'a [PlantedMutant<'a>],
    pub mutant: &'a Mutant,
    /// The broken script.
    pub issue: &'a str,
    /// The edits of `issue` that give the reference.
    pub repair: &'a Edits,
}

impl TrainingMutant<'_> {
    /// Returns what a user who sees the wrong rows says; `None` if every wording gives the repair away.
    pub fn complaint(&self, book: &PhraseBook, difference: &BaselineDifference) -> Option<String> {
        let TrainingMutant { subject, parts, mutant, issue, repair } = *self;
        let expected = &subject.baseline.get(difference.database)?.result;
        let book = &book.of_script(subject);
        let facts = Facts::of(expected, &difference.issue, book.vocabulary())?;
        let intents: Vec<_> = parts.iter().filter_map(|part| intent(subject, part.fault, &part.mutant, book)).collect();
        let title = subject.reference.card.own_title();
        let request = ComplaintInput::telling_all(&mutant.id, title, &facts, &intents);
        let cites_names = book.vocabulary().cites_names();
        let secrets = Secrets { fault: &mutant.fault, operator: "", issue_sql: issue, repair, cites_names };
        let mut wordings = (0..WORDINGS).filter_map(|attempt| Complaint::compose(book, &request, attempt).ok());
        wordings.find(|words| leaks(&words.text, &words.quoted, &secrets).is_empty()).map(|words| words.text)
    }

    /// Returns the evidence that the issue gives other rows.
    pub fn killed(&self, difference: &BaselineDifference) -> Evidence {
        let expected = &self.subject.baseline[difference.database].result;
        Evidence::Killed {
            engine: "embedded".to_owned(),
            databases: Vec::new(),
            reference: expected.tables.iter().map(ResultRecord::from).collect(),
            issue: difference.issue.tables.iter().map(ResultRecord::from).collect(),
        }
    }

    /// Returns the judge's record of the pair.
    pub fn gold(&self, evidence: Evidence, seed: u64) -> GoldRecord {
        let TrainingMutant { subject, parts, mutant, issue, .. } = *self;
        let parts = parts.iter().map(|part| PlantedPart { fault: part.fault, mutant: &part.mutant }).collect();
        let planted = PlantedFaults { reference: subject.reference, mutant, parts, issue };
        planted.gold(evidence, provenance(subject.reference, seed))
    }
}
