//! Models write references: a script carried over to another business, or a composed one rewritten in another style.

use serde::Serialize;

use super::businesses::{businesses, domain};
use super::composing::{GatedComposer, of_one_script};
use super::dialogue::Dialogue;
use super::gather::{AuthorAttempt, RefusedScript};
use super::novelty::Novelty;
use super::prompts::{AuthorPrompts, template};
use super::refusal::{FailedGate, GateFailure};
use super::same_script::same_script;
use super::scenario::Scenario;
use super::structure::{no_remnants, same_structure};
use crate::corpus::compose::Draw;
use crate::corpus::{Reference, ReferenceCard, embedded, read_texts};
use crate::draft::{ModelClients, Reject, Sources};
use crate::prove::Subject;
use crate::reply::script;

/// Sources that are drawn for one script until one passes the gates itself.
const MOST_SOURCES: usize = 12;
/// Likely length of title, intention and scenario, in bytes.
const SCENARIO_BYTES: usize = 800;

/// What a model does with a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum AuthoringMode {
    /// Carry a hand-written or composed script over to another business.
    Transfer,
    /// Write a composed script anew: names, comments, layout.
    Reauthor,
}

impl AuthoringMode {
    fn name(self) -> &'static str {
        match self {
            AuthoringMode::Transfer => "transfer",
            AuthoringMode::Reauthor => "reauthor",
        }
    }
}

/// A reference that a model wrote.
#[derive(Clone, Debug)]
pub struct Authored {
    pub reference: Reference,
    pub origin: ScriptOrigin,
}

/// How a reference came about, as `origin.yaml` has it.
#[derive(Clone, Debug, Serialize)]
pub struct ScriptOrigin {
    /// What the model did.
    pub way: AuthoringMode,
    /// Id of the script that it was given.
    pub source: String,
    pub model: String,
}

impl AsRef<Reference> for Authored {
    fn as_ref(&self) -> &Reference {
        &self.reference
    }
}

/// Models that write references.
#[derive(Debug)]
pub struct Author {
    clients: ModelClients,
    prompts: AuthorPrompts,
    businesses: Vec<String>,
    hand_written: Vec<Reference>,
    composer: GatedComposer,
    way: Option<AuthoringMode>,
    tries: usize,
}

/// One script on its way.
struct AuthorTask<'a> {
    number: u64,
    way: AuthoringMode,
    source: &'a Subject<'a>,
    known: &'a Novelty,
}

impl Author {
    /// Prepares the models. The composer gives sources, its gates are those of what models write; `way` is `None` for
    /// both in turn. Each answer may be given `tries` times.
    pub fn new(
        sources: &Sources,
        composer: GatedComposer,
        way: Option<AuthoringMode>,
        tries: usize,
    ) -> Result<Author, String> {
        let is_wanted =
            |it: &Reference| composer.options.domain.as_ref().is_none_or(|domain| *domain == it.card.domain);
        Ok(Author {
            clients: ModelClients::new(sources)?,
            prompts: AuthorPrompts::built_in().map_err(template)?,
            businesses: businesses().map_err(|error| error.message)?,
            hand_written: embedded().into_iter().flatten().filter(is_wanted).collect(),
            composer,
            way,
            tries,
        })
    }

    /// Requests that may be under way at once.
    pub fn workers(&self) -> usize {
        self.clients.workers()
    }

    /// Draws a source that passes the gates itself, and lets the model whose turn it is write script `number`.
    ///
    /// # Errors
    ///
    /// If no model can be asked any further.
    pub fn attempt(&self, number: u64, known: &Novelty) -> Result<AuthorAttempt<Authored>, String> {
        let way = self.way.unwrap_or(if number.is_multiple_of(2) {
            AuthoringMode::Transfer
        } else {
            AuthoringMode::Reauthor
        });
        let mut refused = Vec::new();
        for turn in 0..MOST_SOURCES {
            let source = match self.source(way, number, turn)? {
                Ok(source) => source,
                Err(failure) => {
                    refused = vec![RefusedScript::new(number, "", None, failure)];
                    continue;
                }
            };
            match self.composer.gates.pass(&source) {
                Ok(subject) => return self.write(AuthorTask { number, way, source: &subject, known }),
                Err(failure) => refused = vec![RefusedScript::new(number, &source.id, None, failure)],
            }
        }
        Ok(AuthorAttempt { model: None, made: None, refused })
    }

    /// Returns a source for script `number`; each `turn` draws another.
    fn source(&self, way: AuthoringMode, number: u64, turn: usize) -> Result<Result<Reference, GateFailure>, String> {
        let draw = Draw::new(self.composer.seed, number).nth("source", turn);
        if way == AuthoringMode::Transfer
            && draw.at("hand-written").chance(0.5)
            && let Some(reference) = draw.at("reference").pick(&self.hand_written)
        {
            return Ok(Ok(reference.clone()));
        }
        // A seed of its own: what `build` and `compose` make of the user's is not written anew.
        let seed = draw.at("seed").below(usize::MAX) as u64;
        match self.composer.composer.compose(seed, number, &self.composer.options) {
            Ok(composed) => Ok(Ok(composed.reference)),
            Err(error) => of_one_script(&error).map(Err),
        }
    }

    fn write(&self, task: AuthorTask<'_>) -> Result<AuthorAttempt<Authored>, String> {
        let AuthorTask { number, way, source, .. } = task;
        let Author { clients, prompts, tries, .. } = self;
        let turn = number as usize;
        let mut dialogue = Dialogue { clients, prompts, turn, tries: *tries, refused: Vec::new() };
        let made = match way {
            AuthoringMode::Transfer => self.transferred(&task, &mut dialogue)?,
            AuthoringMode::Reauthor => self.reauthored(&task, &mut dialogue)?,
        };
        let (source, model) = (source.reference.id.clone(), clients.name(turn).to_owned());
        let record = |failure| RefusedScript::new(number, &source, Some(model.clone()), failure);
        let refused = dialogue.refused.into_iter().map(record).collect();
        let origin = ScriptOrigin { way, source: source.clone(), model: model.clone() };
        Ok(AuthorAttempt { model: Some(model), made: made.map(|reference| Authored { reference, origin }), refused })
    }

    /// A scenario with its tables, then the script on them.
    fn transferred(&self, task: &AuthorTask<'_>, dialogue: &mut Dialogue<'_>) -> Result<Option<Reference>, String> {
        let source = task.source.reference;
        let Some((business, domain)) = self.business(task) else { return Ok(None) };
        let prompt = self.prompts.scenario(source, business).map_err(template)?;
        let scenario = dialogue.ask(prompt, source.schema_text.len() + SCENARIO_BYTES, |said| {
            let scenario = Scenario::read(said)?;
            no_remnants(&scenario.schema, &source.schema).map(|()| scenario)
        })?;
        let Some(scenario) = scenario else { return Ok(None) };
        let prompt = self.prompts.script(source, &scenario).map_err(template)?;
        dialogue.ask(prompt, source.script.text().len(), |said| {
            let parameters = source.card.parameters.clone();
            let source_script = Some(source.source_key());
            let card = ReferenceCard { domain: domain.clone(), parameters, source_script, ..scenario.card.clone() };
            let reference = reference(said, task.id(&domain), &scenario.ddl, card)?;
            self.composer.gates.pass(&reference)?;
            same_structure(&reference.script, &source.script)?;
            Novelty::of(source).check(&reference.script)?;
            task.known.check(&reference.script).map(|()| reference)
        })
    }

    /// The business to which a source is carried over, with its domain.
    fn business(&self, task: &AuthorTask<'_>) -> Option<(&str, String)> {
        let draw = Draw::new(self.composer.seed, task.number).at("business");
        let business = draw.pick(&self.businesses)?;
        Some((business, domain(business)))
    }

    /// The source rewritten in another style.
    fn reauthored(&self, task: &AuthorTask<'_>, dialogue: &mut Dialogue<'_>) -> Result<Option<Reference>, String> {
        let source = task.source.reference;
        let prompt = self.prompts.reauthor(source).map_err(template)?;
        dialogue.ask(prompt, source.script.text().len(), |said| {
            let id = task.id(&source.card.domain);
            let card = ReferenceCard { source_script: Some(source.source_key()), ..source.card.clone() };
            let reference = reference(said, id, &source.schema_text, card)?;
            self.composer.gates.pass_uncovered(&reference)?;
            same_script(task.source, &reference)?;
            task.known.check(&reference.script).map(|()| reference)
        })
    }
}

impl AuthorTask<'_> {
    fn id(&self, domain: &str) -> String {
        format!("{domain}/{}_{:06}", self.way.name(), self.number)
    }
}

/// Reads the script in a reply as a reference.
fn reference(said: &str, id: String, ddl: &str, card: ReferenceCard) -> Result<Reference, GateFailure> {
    let text = script(said, None).ok_or(Reject::Unreadable)?;
    let text = format!("{}\n", text.trim());
    let ddl = format!("{}\n", ddl.trim());
    read_texts(id, text, ddl, card).map_err(|error| FailedGate::Unreadable.with(error.to_string()))
}
