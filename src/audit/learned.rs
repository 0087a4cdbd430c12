//! Attacks that learn: an n-gram likelihood and a classifier *broken or reference?*.
//!
//! The likelihood is trained on references, the classifier on pairs of a broken script and its reference, both in folds
//! by reference: what answers a task has seen other scripts of the run, but never the task's own.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::xxh64;

use super::attack::{AttackAnswers, changed};
use super::features::{Features, classes, difference, features};
use crate::code::edit::Edits;
use crate::code::schema::Schema;
use crate::code::scope::ResolvedScript;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::fault::{Taxonomy, Track};
use crate::inject::{ScriptContext, propose};
use crate::parallel::{self, shielded};
use crate::score::Task;

/// Number of folds into which the references are dealt.
const FOLDS: u64 = 5;
/// Passes over the pairs in training.
const PASSES: usize = 8;
/// Tokens on each side of an edit that are looked at.
const NEIGHBOURS: usize = 4;
/// Most repairs that are weighed for a task.
const MOST_REPAIRS: usize = 400;

/// How well the classifier tells broken scripts from references that it has not seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Separability {
    /// Pairs that were judged.
    pub pairs: usize,
    /// Area under the ROC curve over all broken scripts and references: 0.5 is chance, 1 is always right.
    pub area: f64,
    /// Share of the pairs in which the broken one is recognised by somebody who has both.
    pub paired: f64,
}

/// Answers and figures of the attacks that learn.
pub(super) struct Learned {
    pub likelihood: AttackAnswers,
    pub classifier: AttackAnswers,
    pub syntax: Separability,
    pub semantic: Separability,
}

/// One fold's learners.
struct Learners {
    /// Weights of the features, under which greater sums mean broken.
    weights: Vec<f64>,
    likelihood: TokenTrigrams,
}

/// Runs both attacks on all tasks of a run.
pub(super) fn learned(tasks: &[Task], jobs: usize) -> Learned {
    let both =
        parallel::map(jobs, tasks, |task| (features(&task.record.issue_sql), features(&task.gold.reference_sql)));
    // By reference: all tasks of one reference are in the same fold.
    let fold = |task: &Task| xxh64(task.gold.reference_sql.as_bytes(), 0) % FOLDS;
    let learners = parallel::map(jobs, 0..FOLDS, |number| {
        let others: Vec<usize> = (0..tasks.len()).filter(|at| fold(&tasks[*at]) != number).collect();
        let pairs: Vec<Features> = others.iter().map(|at| difference(&both[*at].0, &both[*at].1)).collect();
        let references = others.iter().map(|at| tasks[*at].gold.reference_sql.as_str());
        Learners { weights: train(&pairs), likelihood: TokenTrigrams::of(references) }
    });
    let answers = parallel::map(jobs, tasks, |task| {
        let learners = &learners[fold(task) as usize];
        shielded(&task.record.instance_id, || learners.answers(task)).unwrap_or_default()
    });
    let sums: Vec<(f64, f64)> = tasks
        .iter()
        .zip(&both)
        .map(|(task, (issue, reference))| {
            let weights = &learners[fold(task) as usize].weights;
            (mean(weights, issue), mean(weights, reference))
        })
        .collect();
    let of = |track| {
        let own = tasks.iter().zip(&sums).filter(|(task, _)| task.record.track() == track);
        Separability::of(&own.map(|(_, sums)| *sums).collect::<Vec<_>>())
    };
    let (likelihood, classifier) = answers.into_iter().unzip();
    let (syntax, semantic) = (of(Track::Syntax), of(Track::Semantic));
    Learned { likelihood, classifier, syntax, semantic }
}

impl Learners {
    /// Returns the best single repair by the likelihood, and that by the classifier.
    fn answers(&self, task: &Task) -> (Option<String>, Option<String>) {
        let issue = &task.record.issue_sql;
        let mut best = [(0.0, None), (0.0, None)];
        for repair in repairs(&task.record.schema_ddl, issue, task.record.track()) {
            let Some(change) = EditNeighbourhood::of(issue, &repair) else { continue };
            let gains = [self.likelihood.gain(&change), self.classifier_gain(&change)];
            for (best, gain) in best.iter_mut().zip(gains) {
                if gain > best.0 {
                    *best = (gain, Some(repair.clone()));
                }
            }
        }
        let [likelihood, classifier] = best.map(|(_, repair)| changed(&task.record, repair?.apply(issue).ok()?));
        (likelihood, classifier)
    }

    fn classifier_gain(&self, change: &EditNeighbourhood) -> f64 {
        let less_broken = difference(&features(&change.before), &features(&change.after));
        sum(&self.weights, &less_broken)
    }
}

/// Returns the single changes that operators can make to a text, at most [`MOST_REPAIRS`]. A repair is among them
/// wherever the inverse of a fault is a fault.
fn repairs(schema_ddl: &str, issue: &str, track: Track) -> Vec<Edits> {
    let (Ok(taxonomy), Ok(schema)) = (Taxonomy::embedded(), Schema::read(schema_ddl)) else { return Vec::new() };
    let ResolvedScript { script, scopes } = ResolvedScript::new(issue, &schema);
    let context = ScriptContext::new(&script, &scopes, &schema);

    let mut repairs: Vec<Edits> = Vec::new();
    for operator in taxonomy.faults().iter().filter(|fault| fault.track == track).filter_map(|fault| fault.operator()) {
        repairs.extend(propose(&context, operator).into_iter().map(|proposal| proposal.edits));
    }
    repairs.sort_by_cached_key(|edits| format!("{edits:?}"));
    repairs.dedup();
    // Every so many, so that those that are left come from all over the list.
    let step = repairs.len().div_ceil(MOST_REPAIRS).max(1);
    repairs.into_iter().step_by(step).collect()
}

/// The text around an edit, before and after it.
struct EditNeighbourhood {
    before: String,
    after: String,
}

impl EditNeighbourhood {
    fn of(text: &str, edits: &Edits) -> Option<EditNeighbourhood> {
        let script = Script::new(text);
        let span = edits.span();
        let tokens = script.tokens();
        let first = tokens.partition_point(|token| token.span().end < span.start).saturating_sub(NEIGHBOURS);
        let last = (tokens.partition_point(|token| token.span().start <= span.end) + NEIGHBOURS).min(tokens.len());
        let place =
            Span::new(tokens.get(first)?.span().start.min(span.start), tokens[last - 1].span().end.max(span.end));
        let changed = edits.apply(text).ok()?;
        let end = changed.len() - (text.len() - place.end);
        Some(EditNeighbourhood { before: place.of(text).to_owned(), after: changed.get(place.start..end)?.to_owned() })
    }
}

/// Returns weights under which broken scripts have greater sums than their references: logistic loss on the differences
/// of pairs, with plain gradient steps in the order of the pairs and a decay of the weights.
fn train(pairs: &[Features]) -> Vec<f64> {
    const RATE: f64 = 0.2;
    const DECAY: f64 = 1e-4;
    let size = 1 + pairs.iter().flat_map(|pair| pair.keys()).max().map_or(0, |feature| *feature as usize);
    let mut weights = vec![0.0; size];
    for _ in 0..PASSES {
        for pair in pairs {
            let slope = 1.0 / (1.0 + sum(&weights, pair).exp());
            // Divided by the length of the difference: a change of many tokens is one change.
            let step = RATE * slope / (pair.len().max(1) as f64).sqrt();
            for (feature, count) in pair {
                let weight = &mut weights[*feature as usize];
                *weight += step * count - DECAY * *weight;
            }
        }
    }
    weights
}

fn sum(weights: &[f64], features: &Features) -> f64 {
    // Sorted, so that the sum does not depend on the order of a map.
    let mut terms: Vec<f64> =
        features.iter().filter_map(|(feature, count)| Some(weights.get(*feature as usize)? * count)).collect();
    terms.sort_by(f64::total_cmp);
    terms.into_iter().sum()
}

fn mean(weights: &[f64], features: &Features) -> f64 {
    sum(weights, features) / features.values().sum::<f64>().max(1.0)
}

impl Separability {
    /// Computes it from the sums of each pair, broken script first.
    fn of(sums: &[(f64, f64)]) -> Separability {
        let mut wins = 0.0;
        for (broken, _) in sums {
            for (_, reference) in sums {
                wins += if broken > reference { 1.0 } else { f64::from(u8::from(broken == reference)) / 2.0 };
            }
        }
        let paired = sums.iter().filter(|(broken, reference)| broken > reference).count();
        let all = sums.len().max(1) as f64;
        let area = if sums.is_empty() { 0.5 } else { wins / (all * all) };
        Separability { pairs: sums.len(), area, paired: paired as f64 / all }
    }
}

/// Counts of runs of up to three token classes.
#[derive(Default)]
struct TokenTrigrams {
    counts: std::collections::HashMap<u64, f64>,
    total: f64,
}

impl TokenTrigrams {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> TokenTrigrams {
        let mut likelihood = TokenTrigrams::default();
        let mut seen = std::collections::HashSet::new();
        for text in texts.filter(|text| seen.insert(*text)) {
            let classes = classes(text);
            likelihood.total += classes.len() as f64;
            for length in 1..=3 {
                for run in classes.windows(length) {
                    *likelihood.counts.entry(key(run)).or_default() += 1.0;
                }
            }
        }
        likelihood
    }

    /// Returns by how much a change makes its neighbourhood likelier, in nats for each token.
    fn gain(&self, change: &EditNeighbourhood) -> f64 {
        self.mean(&classes(&change.after)) - self.mean(&classes(&change.before))
    }

    fn mean(&self, classes: &[String]) -> f64 {
        let count = |run: &[String]| self.counts.get(&key(run)).copied().unwrap_or(0.0);
        let logarithm = |at: usize| {
            let single = (count(&classes[at..=at]) + 0.5) / (self.total + 50.0);
            let pair = count(&classes[at - 1..=at]) / (count(&classes[at - 1..at]) + 1.0);
            let triple = count(&classes[at - 2..=at]) / (count(&classes[at - 2..at]) + 1.0);
            // Interpolated with fixed weights (Jelinek–Mercer).
            (0.5 * triple + 0.35 * pair + 0.15 * single).ln()
        };
        (2..classes.len()).map(logarithm).sum::<f64>() / classes.len().saturating_sub(2).max(1) as f64
    }
}

fn key(run: &[String]) -> u64 {
    xxh64(run.join("\u{1}").as_bytes(), run.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_broken_scripts_share_is_learned_and_recognised_in_unseen_ones() {
        let pair = |column: usize| {
            let reference = format!("SELECT c{column} FROM t WHERE a = {column} AND b IS NULL");
            (features(&reference.replace("IS NULL", "= NULL")), features(&reference))
        };
        let pairs: Vec<(Features, Features)> = (0..20).map(pair).collect();
        let weights = train(&pairs[..15].iter().map(|(broken, whole)| difference(broken, whole)).collect::<Vec<_>>());
        let sums: Vec<(f64, f64)> =
            pairs[15..].iter().map(|(broken, whole)| (mean(&weights, broken), mean(&weights, whole))).collect();
        let told = Separability::of(&sums);
        assert_eq!((told.pairs, told.area, told.paired), (5, 1.0, 1.0));
        assert_eq!(Separability::of(&[]).area, 0.5);
    }

    #[test]
    fn the_likelier_of_two_texts_is_the_one_like_the_others() {
        let texts: Vec<String> = (0..9).map(|n| format!("SELECT a{n}, COUNT(*) FROM t GROUP BY a{n}")).collect();
        let likelihood = TokenTrigrams::of(texts.iter().map(String::as_str));
        let (before, after) = ("FROM t GROUP a".to_owned(), "FROM t GROUP BY a".to_owned());
        assert!(likelihood.gain(&EditNeighbourhood { before, after }) > 0.0);
    }
}
