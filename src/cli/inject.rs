//! `sqlfault inject`.

mod options;
mod proof;
mod planting;
mod way_out;

use std::path::Path;

use planting::{FaultPlanter, Unproved};
use way_out::{refused, unread};

use super::Exit;
use super::failure::Failure;
use super::nearest_name::nearest;
use super::terminal::escaped_lines;
use super::verbosity::closing;
use crate::code::clock::CLOCK;
use crate::corpus::{CorpusError, Reference, TranslatedScript, read_script};
use crate::engine::translation::{DialectTranslator, TranslatedStatement};
use crate::fault::Fault;
use crate::inject::{ScriptContext, load_taxonomy, propose};
use crate::prove::Subject;
use crate::prove::confirmation;
use crate::prove::effort::WorkLimit;
use crate::publish::complaint::PhraseBook;

pub use options::InjectOptions;

pub fn run(options: &InjectOptions) -> Result<Exit, Failure> {
    let translator = options.dialect.as_deref().map(DialectTranslator::start).transpose();
    let mut translator = translator.map_err(Failure::no_translator)?;
    let reference = reference(options, translator.as_mut()).map_err(|error| unread(options, error))?;
    drop(translator);
    let taxonomy = load_taxonomy(options.taxonomy.as_deref())?.under(&options.judges.policies().unwrap_or_default());
    if let Some(unknown) = options.fault.iter().find(|id| taxonomy.fault(id).is_none()) {
        let near = nearest(unknown, taxonomy.faults().iter().map(|fault| fault.id.as_str()));
        return Err(Failure::from(format!("no fault is called {unknown}{near}; `sqlfault faults` lists them")));
    }
    let script = options.script.display();
    let subject = Subject::within(&reference, WorkLimit::of(options.effort));
    let subject = subject.map_err(|refusal| format!("{script}: {}", refused(options, refusal)))?;
    let mut subject = subject.under(taxonomy.policies()).with_effort(options.effort);
    subject.limits_trials = true;
    let engine = options.engine.open(options.judges.judge)?;
    confirmation::baseline(&*engine, &subject).map_err(|refusal| format!("{script}: {refusal}"))?;
    // What it took to make the databases is not taken from the faults.
    subject.work = WorkLimit::of(options.effort);
    for policy in taxonomy.policies().iter().filter(|policy| !subject.policies.has(*policy)) {
        eprintln!("the script itself breaks the policy {}: none of its faults is planted", policy.name());
    }
    let is_held = |fault: &&Fault| fault.policy().is_none_or(|policy| subject.policies.has(policy));
    let wanted = |fault: &&Fault| options.fault.is_empty() || options.fault.contains(&fault.id);
    let faults: Vec<&Fault> = taxonomy.faults().iter().filter(is_held).filter(wanted).collect();
    let book = PhraseBook::built_in()?;
    let planter = FaultPlanter { options, engine: &*engine, subject: &subject, book: &book };
    let mut unproved = Unproved::default();
    let shown = planter.all(&faults, &mut unproved);
    if shown == 0 || !options.fault.is_empty() {
        unproved.tell();
    }
    if shown == 0 {
        eprintln!("{}", nothing_proved(&subject, &faults));
        return Ok(Exit::Short);
    }
    let folder = options.script.parent().filter(|folder| !folder.as_os_str().is_empty());
    closing("build --source", folder.unwrap_or(Path::new(".")).display());
    Ok(Exit::Done)
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
    if let Some(moment) = reference.parameters.value(CLOCK) {
        eprintln!("note: the script reads the clock, which stands at {moment}; --parameter {CLOCK}='…' sets it");
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::corpus::Reference;
    use crate::engine::panicking::PanickingEngine;
    use crate::prove::effort::Effort;

    #[derive(Parser)]
    struct InjectCommand {
        #[command(flatten)]
        options: InjectOptions,
    }

    /// Attack | a bug of ours, a panic, on every mutant of a script for `inject` | the command ends with 70 | that mutant is left out, the others are tried
    #[test]
    fn a_panic_costs_one_mutant_and_not_the_command() {
        let options = InjectCommand::parse_from(["inject", "s.sql"]).options;
        let script = "SELECT a, SUM(b) AS b FROM t WHERE a > 1 AND b < 3 GROUP BY a";
        let reference = Reference::of_test(script, "CREATE TABLE t (a INT, b INT)");
        let taxonomy = load_taxonomy(None).unwrap();
        let work = WorkLimit::of(Effort::Normal);
        let subject = Subject::within(&reference, work).unwrap_or_else(|refusal| panic!("{refusal}"));
        let engine = PanickingEngine::default();
        confirmation::baseline(&engine, &subject).unwrap();
        let faults: Vec<&Fault> = taxonomy.faults().iter().collect();
        let book = PhraseBook::built_in().unwrap();
        let planter = FaultPlanter { options: &options, engine: &engine, subject: &subject, book: &book };
        assert_eq!(planter.all(&faults, &mut Unproved::default()), 0);
        let asked = engine.panics();
        assert!(asked > 10, "the engine was hardly asked: {asked} panics");

        subject.work.add_reading(usize::MAX / 1_000);
        assert_eq!((planter.all(&faults, &mut Unproved::default()), engine.panics()), (0, asked));
    }
}
