//! Tasks without a fault: untouched scripts, and rewrites that give the rows of their reference on every database.

use std::collections::{BTreeMap, BTreeSet};

use super::baselines::Baselines;
use super::checkpoint::Phase;
use super::context::Context;
use super::error::BuildError;
use super::gold::task_provenance;
use super::suites::Suites;
use crate::code::edit::Edits;
use crate::corpus::{Reference, after};
use crate::inject::Mutant;
use crate::inject::plan::order;
use crate::inject::rewrite::Rewrite;
use crate::parallel::shielded;
use crate::prove::admission::admit;
use crate::prove::baseline_difference::agrees_with_baseline;
use crate::prove::confirmation::confirms_equivalence;
use crate::prove::trial::{Candidate, try_semantic};
use crate::prove::{Subject, Verdict};
use crate::publish::control::{ControlGold, ControlRecord, control_label};
use crate::publish::critique::CORRECT;
use crate::publish::questions;
use crate::store::RunDirectory;

/// A control and how it was made.
struct Control<'a, 's> {
    subject: &'a Subject<'s>,
    mutant: Mutant,
    rewrite: Option<Rewrite>,
    databases: usize,
}

/// Writes the controls that the settings ask for: half of them untouched scripts, as long as there are any, the rest
/// rewrites. Returns the number of controls by kind.
pub(super) fn run(
    context: Context<'_>,
    baselines: &Baselines<'_>,
    suites: &Suites,
    directory: &RunDirectory,
) -> Result<BTreeMap<String, usize>, BuildError> {
    let mut counts = BTreeMap::new();
    let wanted = context.settings.controls;
    if wanted == 0 {
        return Ok(counts);
    }
    let mut controls = untouched(context, baselines);
    let missing = wanted - controls.len();
    controls.extend(rewritten(context, baselines, missing));
    let mut records: BTreeMap<String, (ControlRecord, ControlGold)> = BTreeMap::new();
    for control in &controls {
        let Ok(sql) = control.mutant.text(control.subject.reference.script.text()) else { continue };
        let gold = gold(context, control, suites);
        let (reference, id) = (control.subject.reference, control.mutant.id.clone());
        let files = after(&reference.files, &control.mutant.edits);
        let record = ControlRecord { files, ..ControlRecord::of(reference, id, sql, context.secret.canary()) };
        suites.write(directory, control.subject)?;
        *counts.entry(gold.labels[0].level3.clone()).or_default() += 1;
        let question = questions::question(control.subject.reference);
        directory.write(&questions::file(&control.mutant.id), question.as_bytes())?;
        records.insert(control.mutant.id.clone(), (record, gold));
    }
    let (public, gold): (Vec<_>, Vec<_>) = records.into_values().unzip();
    directory.write_records("controls.jsonl", &public)?;
    directory.write_records("controls_gold.jsonl", &gold)?;
    Ok(counts)
}

/// Returns untouched scripts as controls: one per script, at most half of what is asked for.
fn untouched<'a, 's>(context: Context<'_>, baselines: &'a Baselines<'s>) -> Vec<Control<'a, 's>> {
    let mutant = |reference: &Reference| {
        Mutant::of_edits(&reference.id, &context.secret.script_key(reference), "control", Edits::default())
    };
    let chosen = order(context.settings.seed, baselines.references().into_iter().map(mutant).collect());
    let control = |mutant: Mutant| {
        let subject = baselines.subject(&mutant.script)?;
        Some(Control { subject, mutant, rewrite: None, databases: subject.baseline.len() })
    };
    chosen.into_iter().take(context.settings.controls.div_ceil(2)).filter_map(control).collect()
}

/// Rewrites that give the same rows on every database; the kinds of rewrites take turns.
fn rewritten<'a, 's>(context: Context<'_>, baselines: &'a Baselines<'s>, wanted: usize) -> Vec<Control<'a, 's>> {
    let references = baselines.references();
    let candidates = |rewrite: Rewrite| {
        let made = |reference: &&Reference| rewrite.mutants(reference, &context.secret.script_key(reference));
        references.iter().flat_map(made).collect()
    };
    let ordered = |rewrite: &Rewrite| order(context.settings.seed, candidates(*rewrite)).into_iter();
    let mut queues: Vec<(Rewrite, std::vec::IntoIter<Mutant>)> =
        Rewrite::ALL.iter().map(|rewrite| (*rewrite, ordered(rewrite))).collect();
    let mut controls: Vec<Control<'a, 's>> = Vec::new();
    let mut seen = BTreeSet::new();
    while controls.len() < wanted {
        let before = controls.len();
        let mut is_empty = true;
        for (rewrite, queue) in &mut queues {
            let Some(mutant) = queue.next().filter(|_| controls.len() < wanted) else { continue };
            is_empty = false;
            let same = context.step(Phase::Control, &mutant.id, || {
                let subject = baselines.subject(&mutant.script)?;
                shielded(&mutant.script, || same_everywhere(context, subject, &mutant)).unwrap_or(None)
            });
            if let Some(databases) = same
                && let Some(subject) = baselines.subject(&mutant.script)
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

/// Returns the number of databases on which a rewrite gives the rows of the reference in the same order; `None` if it
/// differs on one, or if there is no database to compare on.
fn same_everywhere(context: Context<'_>, subject: &Subject<'_>, mutant: &Mutant) -> Option<usize> {
    let text = admit(&subject.reference.script, mutant).ok()?;
    let nodes = subject.bound_nodes(mutant.nodes());
    let changed = mutant.changed(subject.reference.script.text());
    let candidate = Candidate { text: &text, changed, about: &nodes };
    let databases = match try_semantic(subject, &candidate) {
        Verdict::Survived { databases, .. } => databases,
        // An equivalence proof needs no databases, but the record says on how many the two agree all the same.
        Verdict::Equivalent { .. } if agrees_with_baseline(subject, &text) => subject.baseline.len(),
        _ => return None,
    };
    (databases > 0 && confirms_equivalence(context.engine, subject, &text)).then_some(databases)
}

fn gold(context: Context<'_>, control: &Control<'_, '_>, suites: &Suites) -> ControlGold {
    let reference = control.subject.reference.script.text();
    let names = suites.names(control.subject);
    ControlGold {
        instance_id: control.mutant.id.clone(),
        labels: vec![control_label(control.rewrite)],
        reference_sql: reference.to_owned(),
        edits: control.mutant.edits.inverse(reference),
        critique: CORRECT.to_owned(),
        databases: names.iter().map(|name| format!("databases/{name}.json")).collect(),
        databases_tried: control.databases,
        provenance: task_provenance(context, control.subject, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edit;
    use crate::code::span::Span;
    use crate::corpus::Reference;
    use crate::engine::{EngineChoice, open};
    use crate::fault::Taxonomy;
    use crate::parallel::Unwatched;
    use crate::pipeline::BuildSettings;

    #[test]
    fn a_rewrite_that_is_proved_equivalent_is_a_control() {
        let sql = "WITH c AS (SELECT id, v, v + 1 AS w FROM t) SELECT id, v FROM c";
        let reference = Reference::of_test(sql, "CREATE TABLE t (id BIGINT, v INT);");
        let subject = Subject::new(&reference).unwrap();
        let at = sql.find("v + 1").unwrap();
        let edit = Edit::replacement(Span::new(at + 4, at + 5), "2");
        let mutant = Mutant::of_edits("s", "k", "f", crate::code::edit::Edits::new(vec![edit]).unwrap());
        let (settings, taxonomy) = (BuildSettings::new("run".into(), 7), Taxonomy::embedded().unwrap());
        let engine = open(&EngineChoice::default()).unwrap();
        let context = Context::new(&settings, &taxonomy, &*engine, &Unwatched);
        let text = mutant.text(sql).unwrap();
        let candidate = Candidate { text: &text, changed: mutant.changed(sql), about: &[] };
        assert!(matches!(try_semantic(&subject, &candidate), Verdict::Equivalent { .. }));
        assert_eq!(same_everywhere(context, &subject, &mutant), Some(subject.baseline.len()));
    }
}
