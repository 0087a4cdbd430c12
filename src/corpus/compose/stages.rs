//! Applies drawn patterns of one stage.

use super::apply::apply;
use super::builder::PlanBuilder;
use super::draw::Draw;
use super::pattern::{Pattern, PatternStage};
use super::relation::OpenRelation;

/// Patterns of a stage that are applied whatever the story is, if as many are wanted.
const LEAST_OF_STAGE: usize = 2;

/// Applies up to `count` drawn patterns of a stage, fewer if the story of the script has no more; returns how many.
///
/// # Errors
///
/// If a pattern's template cannot be rendered.
pub fn stage(
    builder: &mut PlanBuilder<'_>,
    relation: &mut OpenRelation,
    stage: PatternStage,
    count: usize,
    draw: Draw,
) -> Result<usize, minijinja::Error> {
    let library = builder.library;
    let mut candidates: Vec<&Pattern> = library.stage(stage).filter(|pattern| !pattern.needs.repeats).collect();
    let mut done = 0;
    let mut round = 0;
    while done < count && !candidates.is_empty() {
        if done >= LEAST_OF_STAGE && !candidates.iter().any(|pattern| pattern.belongs_to(&builder.story)) {
            // Nothing more belongs to the story.
            break;
        }
        let weights: Vec<f64> = candidates.iter().map(|pattern| pattern.weight_in(&builder.story)).collect();
        let draw = draw.nth("round", round);
        round += 1;
        let Some(place) = draw.weighted(&weights) else { break };
        let pattern = candidates[place];
        let applied = apply(builder, relation, pattern, draw.at(&pattern.name))?;
        done += usize::from(applied);
        if !applied || !pattern.again {
            candidates.remove(place);
        }
        if applied {
            candidates.retain(|other| !pattern.excludes(other) && !other.excludes(pattern));
        }
    }
    Ok(done)
}
