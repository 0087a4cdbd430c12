//! Plants faults in the user's script, and shows each mutant that is proved.

use std::collections::HashMap;

use super::super::progress::TerminalProgress;
use super::super::terminal::escaped_lines;
use super::options::InjectOptions;
use super::proof;
use crate::engine::policy::Policy;
use crate::engine::spark_rules::Rejection;
use crate::engine::{EMBEDDED, Engine, EngineVerdict};
use crate::fault::{Fault, Track};
use crate::inject::{Mutant, ScriptContext, propose};
use crate::parallel::{Progress, shielded};
use crate::pipeline::TrialRecord;
use crate::prove::confirmation::results;
use crate::prove::effort::Effort;
use crate::prove::{Subject, Verdict};
use crate::publish::complaint::{Complaint, ComplaintInput, Intent, PhraseBook};
use crate::publish::difference::Facts;
use crate::publish::intent::intent;
use crate::publish::record::{FileText, unified};

/// Most sites of a fault that are tried in a script.
const MOST_TRIALS: usize = 40;
/// Most nodes that the trials of a fault may read together: each trial reads the whole script, and one of ten thousand
/// conditions must not take all day.
const MOST_NODES: usize = 400_000;

/// Where faults are planted, and who judges them.
pub(super) struct FaultPlanter<'a> {
    pub options: &'a InjectOptions,
    pub engine: &'a dyn Engine,
    pub subject: &'a Subject<'a>,
    /// How complaints are worded.
    pub book: &'a PhraseBook,
}

impl FaultPlanter<'_> {
    /// Plants each fault until the work that the script is worth is done; returns how many mutants were shown.
    pub fn all(&self, faults: &[&Fault], unproved: &mut Unproved) -> usize {
        let reference = self.subject.reference;
        let scopes = reference.scopes();
        let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
        let mut shown = HashMap::new();
        let progress = TerminalProgress::of_terminal();
        progress.stage("faults", faults.len());
        let mut untried: Vec<&str> = Vec::new();
        for fault in faults {
            progress.at(&fault.id);
            if self.is_spent(fault) {
                untried.push(&fault.id);
                continue;
            }
            let mut reasons = Vec::new();
            let proved = self.one(&context, fault, &mut shown, &mut reasons);
            if proved == 0 || !self.options.fault.is_empty() {
                unproved.add(fault, reasons);
            }
            progress.step();
        }
        if let Some(first) = untried.first() {
            let ways = match self.subject.effort {
                Effort::High => "split the script, or name some with --fault",
                Effort::Low | Effort::Normal => "split the script, name some with --fault, or raise --effort",
            };
            eprintln!(
                "stopped: this script has taken all the work that one may take; {} of the {} faults of the taxonomy were \
                 not tried, {first} first; {ways}",
                untried.len(),
                faults.len()
            );
        }
        shown.len()
    }

    /// Whether no more work is to be done on a fault: syntax faults, which come first, may take half of it.
    fn is_spent(&self, fault: &Fault) -> bool {
        self.subject.work.is_part_done(if fault.track == Track::Syntax { 2 } else { 1 })
    }

    /// Tries a fault's sites until enough mutants are proved; returns how many were, and adds why the others are not.
    /// `shown` has the fault of each mutant shown so far, by its whole script: two faults may be one edit.
    fn one(
        &self,
        context: &ScriptContext<'_>,
        fault: &Fault,
        shown: &mut HashMap<String, String>,
        reasons: &mut Vec<String>,
    ) -> usize {
        let reference = self.subject.reference;
        // A panic of this program costs one fault, or one mutant of it, and is reported by the hook.
        let proposals = fault.operator().map(|operator| shielded(&fault.id, || propose(context, operator)));
        let proposals = proposals.and_then(Result::ok).unwrap_or_default();
        let key = reference.key();
        let nodes = reference.script.tree().len();
        let trials = (MOST_NODES / nodes.max(1)).min(MOST_TRIALS);
        let mut proved = 0;
        self.subject.work.begin_fault();
        for proposal in proposals.iter().take(trials) {
            if proved >= self.options.each || self.is_spent(fault) {
                break;
            }
            self.subject.work.add_reading(nodes);
            let mutant = Mutant::new(&reference.id, &key, &fault.id, proposal);
            let text = mutant.text(reference.script.text()).map_err(|error| error.to_string());
            let tried = text.and_then(|text| match shown.get(&text) {
                Some(other) => Err(format!("it is the same mutant as one of {other}")),
                None => self.tried(fault, &mutant, &text).map(|()| text),
            });
            match tried {
                Ok(text) => {
                    proved += 1;
                    shown.insert(text, fault.id.clone());
                }
                Err(reason) => {
                    let place = reference.script.place(mutant.edits.span().start);
                    reasons.push(format!("line {}: {reason}", place.line));
                }
            }
        }
        proved
    }

    /// Tries a mutant and shows it if it is proved.
    ///
    /// # Errors
    ///
    /// If it is not; in words.
    fn tried(&self, fault: &Fault, mutant: &Mutant, text: &str) -> Result<(), String> {
        let name = format!("{} in {}", fault.id, self.subject.reference.id);
        shielded(&name, || self.proved(fault, mutant, text)).unwrap_or_else(|panic| Err(panic.to_string()))
    }

    fn proved(&self, fault: &Fault, mutant: &Mutant, text: &str) -> Result<(), String> {
        let trial = TrialRecord::run(self.engine, self.subject, fault.track, mutant);
        match trial.verdict {
            Verdict::Killed { .. } => self.subject.work.end_trial(true),
            Verdict::Survived { .. } | Verdict::GivenUp { .. } => self.subject.work.end_trial(false),
            _ => {}
        }
        let description = match (fault.track, &trial.verdict) {
            (Track::Syntax, Verdict::Rejected { rejection, judges }) if Policy::of(rejection) == fault.policy() => {
                Some(Description { words: words(rejection, judges), proof: String::new() })
            }
            (Track::Semantic, Verdict::Killed { .. }) => self.evidence(fault, mutant, text, &trial.verdict),
            _ => None,
        };
        let Some(description) = description else { return Err(why_not_shown(&trial.verdict)) };
        self.show(&ShownMutant { mutant, text, verdict: &trial.verdict, description: &description });
        Ok(())
    }

    /// Prints a proved mutant.
    fn show(&self, proved: &ShownMutant<'_>) {
        let ShownMutant { mutant, text, verdict, description } = proved;
        let script = FileText { name: "script.sql", text: self.subject.reference.script.text() };
        let diff = unified(script, FileText { name: "issue.sql", text });
        if self.options.json {
            let record = serde_json::json!({
                "instance_id": mutant.id, "fault": mutant.fault, "edits": mutant.edits, "issue_sql": text,
                "verdict": verdict, "message": description.words,
            });
            println!("{record}");
        } else {
            println!("=== {} ({})\n{diff}\n{}\n\n{}", mutant.fault, mutant.id, description.words, description.proof);
        }
    }

    /// The complaint about a semantic mutant, and its proof.
    fn evidence(&self, fault: &Fault, mutant: &Mutant, text: &str, verdict: &Verdict) -> Option<Description> {
        let subject = self.subject;
        let Verdict::Killed { witness, shown, .. } = verdict else { return None };
        let results = results(subject, text, witness, shown.as_deref()).ok()?;
        let facts = Facts::of(&results.reference, &results.issue, self.book.vocabulary())?;
        let intents: Vec<Intent> = intent(subject, fault, mutant, self.book).into_iter().collect();
        let title = subject.reference.card.own_title();
        let request = ComplaintInput::telling_all(&mutant.id, title, &facts, &intents);
        let words = Complaint::compose(self.book, &request, 0).ok()?.text;
        Some(Description { words, proof: proof::proof(&subject.reference.schema, witness, &results) })
    }
}

/// Returns in words why a mutant is not shown; one that is killed is not because nobody would notice it.
fn why_not_shown(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Killed { .. } => "it gives other rows, but nothing that a user could notice".to_owned(),
        other => other.to_string(),
    }
}

/// Why mutants are not proved: the fault, the line and the reason of each.
#[derive(Default)]
pub(super) struct Unproved(Vec<String>);

/// Most lines that say why faults are not proved.
const MOST_REASONS: usize = 40;

impl Unproved {
    fn add(&mut self, fault: &Fault, reasons: Vec<String>) {
        self.0.extend(reasons.into_iter().map(|reason| format!("not proved: {}, {reason}", fault.id)));
    }

    pub fn tell(&self) {
        self.0.iter().take(MOST_REASONS).for_each(|line| eprintln!("{}", escaped_lines(line)));
        if self.0.len() > MOST_REASONS {
            eprintln!("not proved: {} more", self.0.len() - MOST_REASONS);
        }
    }
}

/// The message of the judge, then those of other engines that were asked and refuse too.
fn words(rejection: &Rejection, judges: &[EngineVerdict]) -> String {
    let others = judges.iter().skip(1).filter(|word| word.engine != EMBEDDED);
    let others = others.filter_map(|word| Some(format!("{}: {}", word.engine, word.rejection.as_ref()?.message)));
    std::iter::once(rejection.message.clone()).chain(others).collect::<Vec<_>>().join("\n")
}

/// How a proved mutant is described.
struct Description {
    /// The engine's message, or the user's complaint.
    words: String,
    /// The proof of a semantic mutant; empty where the message is the proof.
    proof: String,
}

/// A proved mutant with everything that is shown of it.
struct ShownMutant<'a> {
    mutant: &'a Mutant,
    /// The mutant's whole script.
    text: &'a str,
    verdict: &'a Verdict,
    description: &'a Description,
}
