//! What a script is after, as data: `templates/comment/story.yaml`. A script tells one story, so that its figures belong
//! together.

use serde::Deserialize;

use super::Pattern;
use crate::corpus::compose::draw::Draw;

/// What a script is after, beside the question that it answers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Story {
    /// How often it is told.
    pub weight: f64,
    /// Ends of titles.
    pub words: Vec<String>,
}

/// How much less often a pattern is taken that belongs to other stories.
const BESIDE: f64 = 0.04;

impl Pattern {
    /// Whether the pattern helps to tell a story.
    pub fn belongs_to(&self, story: &str) -> bool {
        self.stories.is_empty() || self.stories.iter().any(|name| name == story)
    }

    /// How often the pattern is taken in a script that tells this story.
    pub fn weight_in(&self, story: &str) -> f64 {
        if self.belongs_to(story) { self.weight } else { self.weight * BESIDE }
    }
}

impl Story {
    /// The end of a title.
    pub fn end(&self, draw: Draw) -> &str {
        draw.pick(&self.words).map_or("", String::as_str)
    }
}
