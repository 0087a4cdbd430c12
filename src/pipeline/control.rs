//! Tasks without a fault: untouched scripts, and rewrites proved equal on every database tried.

use std::collections::{BTreeMap, BTreeSet};

use super::hunt::Hunt;
use super::roster::Roster;
use super::suite::Suites;
use super::write::CANARY;
use super::{BuildError, Settings};
use crate::code::edit::Edits;
use crate::code::scope::Scopes;
use crate::corpus::Reference;
use crate::engine::Engine;
use crate::fault::Taxonomy;
use crate::inject::plan::order;
use crate::inject::rewrite::Rewrite;
use crate::inject::{Ground, Mutant};
use crate::prove::admission::admit;
use crate::prove::confirmation::confirms_equivalence;
use crate::prove::trial::{Candidate, try_semantic};
use crate::prove::{Subject, Verdict};
use crate::publish::control::{ControlGold, ControlRecord, ControlTrack, control_label};
use crate::publish::critique::CORRECT;
use crate::publish::record::Provenance;
use crate::store::RunDirectory;

/// A control and how it was made.
struct Control<'a, 's> {
    subject: &'a Subject<'s>,
    mutant: Mutant,
    rewrite: Option<Rewrite>,
    databases: usize,
}

/// Writes the controls that the settings ask for; half of them are untouched as long as there are scripts. Gives the
/// number of controls by kind.
pub(super) fn run(
    settings: &Settings,
    (taxonomy, suites): (&Taxonomy, &Suites),
    hunt: &Hunt<'_, '_>,
    directory: &RunDirectory,
) -> Result<BTreeMap<String, usize>, BuildError> {
    let mut counts = BTreeMap::new();
    if settings.controls == 0 {
        return Ok(counts);
    }
    let mut controls = untouched(settings, hunt.roster());
    let missing = settings.controls - controls.len();
    controls.extend(rewritten(settings, hunt, missing));
    let mut records: BTreeMap<String, (ControlRecord, ControlGold)> = BTreeMap::new();
    for control in &controls {
        let Ok(sql) = control.mutant.text(control.subject.reference.script.text()) else { continue };
        let gold = gold(settings, taxonomy, (control, suites));
        suites.write(directory, control.subject)?;
        *counts.entry(gold.labels[0].level3.clone()).or_default() += 1;
        records.insert(control.mutant.id.clone(), (record(control, sql), gold));
    }
    let (public, gold): (Vec<_>, Vec<_>) = records.into_values().unzip();
    directory.write_records("controls.jsonl", &public)?;
    directory.write_records("controls_gold.jsonl", &gold)?;
    Ok(counts)
}

/// One untouched control a script, half of what is asked for at most.
fn untouched<'a, 's>(settings: &Settings, roster: &'a Roster<'s>) -> Vec<Control<'a, 's>> {
    let mutant = |reference: &Reference| Mutant::of_edits(&reference.id, &reference.key(), "control", Edits::default());
    let chosen = order(settings.seed, roster.references().into_iter().map(mutant).collect());
    let control = |mutant: Mutant| {
        let subject = roster.subject(&mutant.script)?;
        Some(Control { subject, mutant, rewrite: None, databases: subject.baseline.len() })
    };
    chosen.into_iter().take(settings.controls.div_ceil(2)).filter_map(control).collect()
}

/// Rewrites that give the same rows on every database; the kinds of rewrites take turns.
fn rewritten<'a, 's>(settings: &Settings, hunt: &Hunt<'a, 's>, wanted: usize) -> Vec<Control<'a, 's>> {
    let references = hunt.roster().references();
    let mut queues: Vec<(Rewrite, std::vec::IntoIter<Mutant>)> = Rewrite::ALL
        .iter()
        .map(|rewrite| (*rewrite, order(settings.seed, candidates(*rewrite, &references)).into_iter()))
        .collect();
    let mut controls: Vec<Control<'a, 's>> = Vec::new();
    let mut seen = BTreeSet::new();
    while controls.len() < wanted {
        let before = controls.len();
        let mut is_empty = true;
        for (rewrite, queue) in &mut queues {
            let Some(mutant) = queue.next().filter(|_| controls.len() < wanted) else { continue };
            is_empty = false;
            let Some(subject) = hunt.roster().subject(&mutant.script) else { continue };
            if let Some(databases) = proved_equal(hunt.executor(), subject, &mutant)
                && seen.insert(mutant.id.clone())
            {
                controls.push(Control { subject, mutant, rewrite: Some(*rewrite), databases });
            }
        }
        if is_empty && controls.len() == before {
            break;
        }
    }
    controls
}

fn candidates(rewrite: Rewrite, references: &[&Reference]) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for reference in references {
        // Rewrites look at the tree only.
        let scopes = Scopes::default();
        let ground = Ground::new(&reference.script, &scopes, &reference.schema);
        let key = reference.key();
        let proposals = rewrite.propose(&ground);
        mutants.extend(proposals.iter().map(|proposal| Mutant::new(&reference.id, &key, rewrite.name(), proposal)));
    }
    mutants
}

/// On how many databases a rewrite gives the rows of the reference, in the same order; none when on one it does not.
fn proved_equal(executor: &dyn Engine, subject: &Subject<'_>, mutant: &Mutant) -> Option<usize> {
    let text = admit(&subject.reference.script, mutant).ok()?;
    let nodes: Vec<_> = mutant.nodes().into_iter().filter(|node| node.index() < subject.bound.tree().len()).collect();
    let candidate = Candidate { text: &text, changed: mutant.changed(subject.reference.script.text()), about: &nodes };
    match try_semantic(subject, &candidate) {
        Verdict::Survived { databases, .. } if databases > 0 => {
            confirms_equivalence(executor, subject, &text).then_some(databases)
        }
        _ => None,
    }
}

fn record(control: &Control<'_, '_>, sql: String) -> ControlRecord {
    let reference = control.subject.reference;
    ControlRecord {
        instance_id: control.mutant.id.clone(),
        track: ControlTrack::Control,
        dialect: "hive".to_owned(),
        domain: reference.card.domain.clone(),
        sql,
        schema_ddl: reference.schema_text.clone(),
        parameters: reference.parameters.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
        canary: CANARY.to_owned(),
    }
}

fn gold(settings: &Settings, taxonomy: &Taxonomy, (control, suites): (&Control<'_, '_>, &Suites)) -> ControlGold {
    let reference = control.subject.reference;
    let correct = reference.script.text();
    let names = suites.names(control.subject);
    ControlGold {
        instance_id: control.mutant.id.clone(),
        labels: vec![control_label(control.rewrite)],
        reference_sql: correct.to_owned(),
        edits: control.mutant.edits.inverse(correct),
        critique: CORRECT.to_owned(),
        databases: names.iter().map(|name| format!("databases/{name}.json")).collect(),
        databases_tried: control.databases,
        provenance: Provenance {
            script: reference.id.clone(),
            source: format!("reference {}", reference.key()),
            tool: concat!("sqlfault ", env!("CARGO_PKG_VERSION")).to_owned(),
            taxonomy: taxonomy.digest().to_owned(),
            seed: settings.seed,
            policies: control.subject.policies.clone(),
            proposed_by: None,
        },
    }
}
