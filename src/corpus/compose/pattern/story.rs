//! Stories, as data: `templates/comment/story.yaml`. A story is a theme such as delays or quality; a script has one, so
//! that its figures belong together.

use serde::Deserialize;

use super::Pattern;
use crate::corpus::compose::draw::Draw;

/// The theme of a script, beside the question that it answers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Story {
    /// How often it is drawn in comparison with others.
    pub weight: f64,
    /// Ends of titles, one of which is drawn.
    pub words: Vec<String>,
}

/// Factor for the weight of a pattern that belongs to other stories only.
const BESIDE: f64 = 0.04;

impl Pattern {
    /// Whether the pattern helps to tell a story.
    pub fn belongs_to(&self, story: &str) -> bool {
        self.stories.is_empty() || self.stories.iter().any(|name| name == story)
    }

    /// Returns the weight of the pattern in a script that tells this story.
    pub fn weight_in(&self, story: &str) -> f64 {
        if self.belongs_to(story) { self.weight } else { self.weight * BESIDE }
    }
}

impl Story {
    /// Returns the end of a title.
    pub fn end(&self, draw: Draw) -> &str {
        draw.pick(&self.words).map_or("", String::as_str)
    }
}
