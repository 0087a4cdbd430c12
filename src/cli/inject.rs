//! `sqlfault inject`.

mod models;
mod proof;

use std::path::{Path, PathBuf};

use clap::Args;

use super::engine::{EngineOptions, JudgeOptions};
use super::heading::{MODELS, OUTPUT, WHAT};
use super::parameters::ParameterOptions;
use super::progress::TerminalProgress;
use super::terminal::escaped_lines;
use super::verbosity::closing;
use super::{Exit, bad_input, nearest, no_translator, unread};
use crate::corpus::{CorpusError, Reference, TranslatedScript, read_script};
use crate::engine::policy::Policy;
use crate::engine::spark_rules::Rejection;
use crate::engine::translation::{DialectTranslator, TranslatedStatement};
use crate::engine::{EMBEDDED, Engine, EngineVerdict};
use crate::fault::{Fault, Track};
use crate::inject::{Mutant, ScriptContext, load_taxonomy, propose};
use crate::parallel::{Progress, shielded};
use crate::pipeline::TrialRecord;
use crate::prove::confirmation::{self, results};
use crate::prove::effort::{Effort, WorkLimit};
use crate::prove::{Subject, Verdict};
use crate::publish::complaint::{Complaint, ComplaintInput, HintLevel, Intent, PhraseBook};
use crate::publish::difference::Facts;
use crate::publish::intent::intent;
use crate::publish::record::{FileText, unified};

const EXAMPLES: &str = "\
Examples:
  sqlfault inject report.sql --schema tables.sql --parameter bizdate=2024-03-15
  sqlfault inject report.sql --schema tables.sql --fault left-join-made-inner --each 5 --json";

/// Options of `inject`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InjectOptions {
    /// The script
    script: PathBuf,
    /// Definitions of its tables, or a folder of them: DDL of Hive, Spark or another platform, output of SHOW CREATE TABLE,
    /// information_schema.columns as CSV, dbt's manifest.json or catalog.json; `spark:DATABASE` asks the catalogue of your
    /// own Spark [default: the files beside the script]
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = WHAT)]
    schema: Vec<PathBuf>,
    /// The dialect that script and definitions are written in, such as `snowflake`: an installed sqlglot translates them
    #[arg(long, value_name = "NAME", help_heading = WHAT)]
    dialect: Option<String>,
    /// Only these faults
    #[arg(long, value_name = "ID", help_heading = WHAT)]
    fault: Vec<String>,
    /// A folder of your own taxonomy instead of the one carried in the binary
    #[arg(long, help_heading = WHAT)]
    taxonomy: Option<PathBuf>,
    #[command(flatten)]
    parameters: ParameterOptions,
    /// At most this many proved mutants of each fault
    #[arg(long, default_value_t = 1, help_heading = WHAT)]
    each: usize,
    /// How long to search for a database that shows a fault: low, normal or high
    #[arg(long, default_value = "normal", value_name = "EFFORT")]
    effort: Effort,
    /// A YAML file of models, as for `repair`: they plant the faults instead of the operators
    #[arg(long, value_name = "FILE", help_heading = MODELS)]
    models: Option<PathBuf>,
    /// Where requests and answers of models are kept
    #[arg(long, value_name = "DIR", default_value = "exchanges", requires = "models", help_heading = MODELS)]
    cache: PathBuf,
    /// Take answers of models from the cache only
    #[arg(long, requires = "models", help_heading = MODELS)]
    offline: bool,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    judges: JudgeOptions,
    /// Print one JSON object per mutant
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

/// Runs it.
pub fn run(options: &InjectOptions) -> Exit {
    let mut translator = match options.dialect.as_deref().map(DialectTranslator::start).transpose() {
        Ok(translator) => translator,
        Err(error) => return no_translator(&error),
    };
    let reference = match reference(options, translator.as_mut()) {
        Ok(reference) => reference,
        Err(error) => return unread(&error),
    };
    drop(translator);
    let taxonomy = match load_taxonomy(options.taxonomy.as_deref()) {
        Ok(taxonomy) => taxonomy.under(&options.judges.policies().unwrap_or_default()),
        Err(error) => return bad_input(&error),
    };
    if let Some(unknown) = options.fault.iter().find(|id| taxonomy.fault(id).is_none()) {
        let near = nearest(unknown, taxonomy.faults().iter().map(|fault| fault.id.as_str()));
        return bad_input(&format!("no fault is called {unknown}{near}; `sqlfault faults` lists them"));
    }
    let subject = match Subject::within(&reference, WorkLimit::of(options.effort)) {
        Ok(subject) => subject.under(taxonomy.policies()).with_effort(options.effort),
        Err(refusal) => return bad_input(&format!("{}: {refusal}", options.script.display())),
    };
    let engine = match options.engine.open(options.judges.judge) {
        Ok(engine) => engine,
        Err(exit) => return exit,
    };
    if let Err(refusal) = confirmation::baseline(&*engine, &subject) {
        return bad_input(&format!("{}: {refusal}", options.script.display()));
    }
    for policy in taxonomy.policies().iter().filter(|policy| !subject.policies.has(*policy)) {
        eprintln!("the script itself breaks the policy {}: none of its faults is planted", policy.name());
    }
    let is_held = |fault: &&Fault| fault.policy().is_none_or(|policy| subject.policies.has(policy));
    let wanted = |fault: &&Fault| options.fault.is_empty() || options.fault.contains(&fault.id);
    let faults: Vec<&Fault> = taxonomy.faults().iter().filter(is_held).filter(wanted).collect();
    let mut unproved = Unproved::default();
    let shown: usize = match &options.models {
        None => plant_all(options, &*engine, &subject, &faults, &mut unproved),
        Some(file) => match models::plant(options, file, &*engine, &subject, &faults) {
            Ok(shown) => shown,
            Err(message) => return bad_input(&message),
        },
    };
    if shown == 0 || !options.fault.is_empty() {
        unproved.tell();
    }
    if shown > 0 {
        let folder = options.script.parent().filter(|folder| !folder.as_os_str().is_empty());
        closing("build --source", folder.unwrap_or(Path::new(".")).display());
        return Exit::Done;
    }
    eprintln!("{}", nothing_proved(&subject, &faults));
    Exit::Short
}

/// Reads the script with its parameters and definitions, and prints what was assumed.
fn reference(options: &InjectOptions, translator: Option<&mut DialectTranslator>) -> Result<Reference, CorpusError> {
    let values = options.parameters.read()?;
    let (reference, notes) = read_script(&options.script, &options.schema, values, translator)?;
    if let Some(translation) = &reference.translation {
        tell(translation);
    }
    for note in notes {
        eprintln!("note: {note}");
    }
    for table in &reference.inferred {
        eprintln!("note: {table}");
    }
    Ok(reference)
}

/// Prints a script of another dialect, statement by statement with its translation.
fn tell(translation: &TranslatedScript) {
    let TranslatedScript { dialect, translator, statements } = translation;
    eprintln!("translated from {dialect} by {translator}:");
    for TranslatedStatement { line, original, translated, lost, .. } in statements {
        let becomes = if translated.is_empty() { "is left out" } else { "becomes" };
        eprintln!("--- line {line}\n{}\n--- {becomes}\n{}", escaped_lines(original), escaped_lines(translated));
        lost.iter().for_each(|words| eprintln!("--- {}", escaped_lines(words)));
    }
    eprintln!();
}

/// Why nothing is shown: no fault has a place in the script, or none of its mutants was proved.
fn nothing_proved(subject: &Subject<'_>, faults: &[&Fault]) -> String {
    let reference = subject.reference;
    let scopes = reference.scopes();
    let context = ScriptContext::new(&reference.script, &scopes, &reference.schema);
    let places = faults.iter().filter_map(|fault| fault.operator()).map(|operator| propose(&context, operator).len());
    match places.sum::<usize>() {
        0 => "no fault asked for has a place in this script; `sqlfault faults ID` says what each changes".to_owned(),
        places => format!(
            "no mutant was proved: of the places of these faults ({places}), none that was tried gave a bug that the engine can show"
        ),
    }
}

/// Most sites of a fault that are tried in a script.
const MOST_TRIALS: usize = 40;
/// Most nodes that the trials of a fault may read together: each trial reads the whole script, and one of ten thousand
/// conditions must not take all day.
const MOST_NODES: usize = 400_000;

/// Plants each fault until the work that the script is worth is done; returns how many mutants were shown.
fn plant_all(
    options: &InjectOptions,
    engine: &dyn Engine,
    subject: &Subject<'_>,
    faults: &[&Fault],
    unproved: &mut Unproved,
) -> usize {
    let scopes = subject.reference.scopes();
    let context = ScriptContext::new(&subject.reference.script, &scopes, &subject.reference.schema);
    let mut shown = 0;
    let progress = TerminalProgress::of_terminal();
    progress.stage("faults", faults.len());
    let mut untried: Vec<&str> = Vec::new();
    for fault in faults {
        progress.at(&fault.id);
        if is_spent(subject, fault) {
            untried.push(&fault.id);
            continue;
        }
        let mut reasons = Vec::new();
        let proved = plant(options, engine, &context, (subject, fault), &mut reasons);
        shown += proved;
        if proved == 0 || !options.fault.is_empty() {
            unproved.add(fault, reasons);
        }
        progress.step();
    }
    if let Some(first) = untried.first() {
        eprintln!(
            "given up: all work that one script is worth is done; {} of {} faults were not tried, {first} first; name \
             some with --fault, raise --effort, or split the script",
            untried.len(),
            faults.len()
        );
    }
    shown
}

/// Whether no more work is to be done on a fault: syntax faults, which come first, may take half of it.
fn is_spent(subject: &Subject<'_>, fault: &Fault) -> bool {
    subject.work.is_part_done(if fault.track == Track::Syntax { 2 } else { 1 })
}

/// Tries a fault's sites until enough mutants are proved; returns how many were, and adds why the others are not.
fn plant(
    options: &InjectOptions,
    engine: &dyn Engine,
    context: &ScriptContext<'_>,
    (subject, fault): (&Subject<'_>, &Fault),
    reasons: &mut Vec<String>,
) -> usize {
    let reference = subject.reference;
    // A panic of this program costs one fault, or one mutant of it, and is reported by the hook.
    let proposals = fault.operator().map(|operator| shielded(&fault.id, || propose(context, operator)));
    let proposals = proposals.and_then(Result::ok).unwrap_or_default();
    let key = reference.key();
    let trials = (MOST_NODES / reference.script.tree().len().max(1)).min(MOST_TRIALS);
    let mut shown = 0;
    for proposal in proposals.iter().take(trials) {
        if shown >= options.each || is_spent(subject, fault) {
            break;
        }
        subject.work.add_reading(reference.script.tree().len());
        let mutant = Mutant::new(&reference.id, &key, &fault.id, proposal);
        match tried(options, engine, subject, fault, &mutant) {
            Ok(()) => shown += 1,
            Err(reason) => {
                let place = reference.script.place(mutant.edits.span().start);
                reasons.push(format!("line {}: {reason}", place.line));
            }
        }
    }
    shown
}

/// Tries a mutant and shows it if it is proved.
///
/// # Errors
///
/// If it is not; in words.
fn tried(
    options: &InjectOptions,
    engine: &dyn Engine,
    subject: &Subject<'_>,
    fault: &Fault,
    mutant: &Mutant,
) -> Result<(), String> {
    let name = format!("{} in {}", fault.id, subject.reference.id);
    shielded(&name, || proved(options, engine, subject, fault, mutant)).unwrap_or_else(|panic| Err(panic.to_string()))
}

fn proved(
    options: &InjectOptions,
    engine: &dyn Engine,
    subject: &Subject<'_>,
    fault: &Fault,
    mutant: &Mutant,
) -> Result<(), String> {
    let text = mutant.text(subject.reference.script.text()).map_err(|error| error.to_string())?;
    let trial = TrialRecord::run(engine, subject, fault.track, mutant);
    let description = match (fault.track, &trial.verdict) {
        (Track::Syntax, Verdict::Rejected { rejection, judges }) if Policy::of(rejection) == fault.policy() => {
            Some(Description { words: words(rejection, judges), proof: String::new() })
        }
        (Track::Semantic, Verdict::Killed { .. }) => evidence(subject, fault, mutant, &text, &trial.verdict),
        _ => None,
    };
    let Some(description) = description else { return Err(why_not_shown(&trial.verdict)) };
    let proved = ShownMutant { mutant, text: &text, verdict: &trial.verdict, description: &description };
    show(options, subject, &proved);
    Ok(())
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
struct Unproved(Vec<String>);

/// Most lines that say why faults are not proved.
const MOST_REASONS: usize = 40;

impl Unproved {
    fn add(&mut self, fault: &Fault, reasons: Vec<String>) {
        self.0.extend(reasons.into_iter().map(|reason| format!("not proved: {}, {reason}", fault.id)));
    }

    fn tell(&self) {
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

/// Prints a proved mutant.
fn show(options: &InjectOptions, subject: &Subject<'_>, proved: &ShownMutant<'_>) {
    let ShownMutant { mutant, text, verdict, description } = proved;
    let script = FileText { name: "script.sql", text: subject.reference.script.text() };
    let diff = unified(script, FileText { name: "issue.sql", text });
    if options.json {
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
fn evidence(
    subject: &Subject<'_>,
    fault: &Fault,
    mutant: &Mutant,
    text: &str,
    verdict: &Verdict,
) -> Option<Description> {
    let Verdict::Killed { witness, shown, .. } = verdict else { return None };
    let (reference, issue) = results(subject, text, witness, shown.as_deref()).ok()?;
    let book = PhraseBook::built_in().ok()?;
    let facts = Facts::of(&reference, &issue, book.vocabulary())?;
    let intents: Vec<Intent> = intent(subject, fault, mutant, &book).into_iter().collect();
    let title = &subject.reference.card.title;
    let request =
        ComplaintInput { instance_id: &mutant.id, title, facts: &facts, intents: &intents, hints: HintLevel::Rule };
    let words = Complaint::compose(&book, &request, 0).ok()?.text;
    let results = proof::Results { reference: &reference, issue: &issue };
    Some(Description { words, proof: proof::proof(&subject.reference.schema, witness, &results) })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::corpus::{ReferenceCard, read_texts};
    use crate::engine::panicking::PanickingEngine;
    use crate::store::yaml::read_yaml;

    #[derive(Parser)]
    struct InjectCommand {
        #[command(flatten)]
        options: InjectOptions,
    }

    /// Attack | a bug of ours, a panic, on every mutant of a script for `inject` | the command ends with 70 | that mutant is left out, the others are tried
    #[test]
    fn a_panic_costs_one_mutant_and_not_the_command() {
        let options = InjectCommand::parse_from(["inject", "s.sql"]).options;
        let card: ReferenceCard = read_yaml("{domain: d, title: t, intention: i, scenario: s}").unwrap();
        let script = "SELECT a, SUM(b) AS b FROM t WHERE a > 1 AND b < 3 GROUP BY a".to_owned();
        let reference = read_texts("s".to_owned(), script, "CREATE TABLE t (a INT, b INT)".to_owned(), card).unwrap();
        let taxonomy = load_taxonomy(None).unwrap();
        let work = WorkLimit::of(Effort::Normal);
        let subject = Subject::within(&reference, work).unwrap_or_else(|refusal| panic!("{refusal}"));
        let engine = PanickingEngine::default();
        confirmation::baseline(&engine, &subject).unwrap();
        let faults: Vec<&Fault> = taxonomy.faults().iter().collect();
        assert_eq!(plant_all(&options, &engine, &subject, &faults, &mut Unproved::default()), 0);
        let asked = engine.panics();
        assert!(asked > 10, "the engine was hardly asked: {asked} panics");

        subject.work.add_reading(usize::MAX / 1_000);
        assert_eq!(
            (plant_all(&options, &engine, &subject, &faults, &mut Unproved::default()), engine.panics()),
            (0, asked)
        );
    }
}
