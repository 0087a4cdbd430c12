//! What the question at hand asks for, and what is therefore worth computing.

use super::PlanBuilder;
use crate::corpus::compose::domain::BusinessQuestion;
use crate::corpus::compose::draw::Draw;
use crate::corpus::compose::relation::RelationColumn;

/// Share of the figures that nobody asked for and that rows have all the same.
const BESIDE: f64 = 0.12;

impl PlanBuilder<'_> {
    /// Begins to answer a question: notes its subject and figures, and draws one of its stories.
    pub fn ask(&mut self, question: &BusinessQuestion, draw: Draw) {
        self.subject.clone_from(&question.subject);
        self.asked.clone_from(&question.figures);
        for (_, ratio) in self.domain.ratios.iter().filter(|(_, ratio)| question.figures.contains(&ratio.top)) {
            // What the rate of a figure is taken from is asked for with it.
            self.ask_for(&ratio.bottom);
        }
        if let Some(story) = draw.at("story").pick(&question.stories) {
            self.story.clone_from(story);
        }
    }

    /// Adds a figure (`table.figure`) to those that are asked for, if the question has any.
    pub fn ask_for(&mut self, figure: &str) {
        if !self.asked.is_empty() && !self.asked.iter().any(|asked| asked == figure) {
            self.asked.push(figure.to_owned());
        }
    }

    /// Whether the rows of a table are to have a figure: one that is asked for, of a table without such one that the
    /// script prefers, and now and then another.
    pub fn wants(&self, table: &str, figure: &str, draw: Draw) -> bool {
        let path = format!("{table}.{figure}");
        let of_table = |asked: &String| asked.split('.').next() == Some(table);
        self.asked.is_empty()
            || self.asked.contains(&path)
            || (!self.asked.iter().any(of_table) && self.focus.contains(&path))
            || draw.at(figure).chance(BESIDE)
    }

    /// Whether the question asks for the figure of this origin.
    pub fn is_asked(&self, origin: &str) -> bool {
        self.asked.iter().any(|asked| asked == origin)
    }

    /// Whether an entity does one thing after another.
    pub fn acts(&self, entity: &str) -> bool {
        self.domain.entities.get(entity).is_some_and(|entity| entity.acts)
    }

    /// Whether the column or figure of this origin is one that is asked for or that the script prefers. Of a table with
    /// figures that are asked for no other figure is preferred.
    pub fn is_focus(&self, origin: &str) -> bool {
        let table = origin.split('.').next().unwrap_or_default();
        let is_figure = self
            .domain
            .tables
            .get(table)
            .is_some_and(|table| origin.split_once('.').is_some_and(|(_, name)| table.figures.has(name)));
        let others = is_figure && self.asked.iter().any(|asked| asked.split('.').next() == Some(table));
        self.is_asked(origin) || (!others && self.focus.contains(origin))
    }

    /// Whether a column is the same in all rows of one `subject`, beside the column `key` that refers to it.
    pub fn is_constant(&self, column: &RelationColumn, key: &str, subject: &str) -> bool {
        let meaning = &column.meaning;
        let other = meaning.entity.as_deref().filter(|entity| *entity != subject);
        column.name == key
            || other.is_some_and(|entity| self.domain.determines(subject, entity))
            || meaning.belongs_to.as_deref().is_some_and(|entity| self.domain.determines(subject, entity))
    }
}
