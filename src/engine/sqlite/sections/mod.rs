//! Translates a changed script by translating only the part that changed.
//!
//! A fault changes a few bytes of a CTE, a sub-query in FROM or a statement. That part is parsed and translated alone;
//! the CTEs and tables before it and the sub-queries within it are given by their columns. If it still has output
//! columns with the same names and types, the translation of the rest stays valid, and the part's new SQL replaces its
//! old SQL in it. In every other case, including errors, the whole script is translated again.

mod place;
mod section;
mod cut;

pub use section::ReadingContext;

use super::translate::{Destination, Step, Translation, Write};
use crate::code::edit::{Edit, with_edits};
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::span::Span;
use place::TextChange;
use section::{ReadSection, Section};

/// The parts of a script that can be translated alone, smaller ones before larger ones.
#[derive(Debug, Default)]
pub struct Sections {
    /// The length of the script in bytes.
    length: usize,
    sections: Vec<Section>,
    translation: Translation,
}

impl Sections {
    /// Cuts a script into sections. `bound` is the script with its placeholders bound; it is correct.
    pub fn new(script: &Script, bound: &Script, scopes: &Scopes, setting: ReadingContext<'_>) -> Sections {
        let Some((sections, translation)) = cut::cut(script, bound, scopes, setting) else {
            return Sections::default();
        };
        Sections { length: script.text().len(), sections, translation }
    }

    /// Returns the translation of `text`, the script changed at `changed`; `None` if the whole script has to be
    /// translated.
    pub fn reread(&self, text: &str, changed: Span, setting: ReadingContext<'_>) -> Option<Translation> {
        let change = TextChange::new(changed, text.len() as isize - self.length as isize)?;
        for section in self.sections.iter().filter(|section| section.place.holds(change)) {
            let part = section.around.read(&section.place.text(text, change)?, setting)?;
            if section.stands(&part) {
                return self.with(section, part);
            }
        }
        None
    }

    /// Returns the translation with `part` in the place of a section.
    fn with(&self, section: &Section, part: ReadSection) -> Option<Translation> {
        let mut parts = part.steps.into_iter();
        let query = if section.place.is_query { parts.next() } else { None };
        let mut places = section.sql.iter().peekable();
        let mut steps = Vec::with_capacity(self.translation.steps.len());
        for (number, old) in self.translation.steps.iter().enumerate() {
            let Step { statement, columns, destination, .. } = old;
            let (mut edits, mut new) = (Vec::new(), None);
            while let Some((_, bytes)) = places.next_if(|(step, _)| *step == number) {
                let sql = match &query {
                    Some(query) => &query.sql,
                    None => &new.insert(parts.next()?).sql,
                };
                edits.push(Edit::replacement(Span::new(bytes.start, bytes.end), sql));
            }
            let sql = with_edits(&old.sql, &edits);
            let (columns, destination) = match new {
                Some(new) => (new.columns, rerouted(destination, new.destination)?),
                None => (columns.clone(), destination.clone()),
            };
            steps.push(Step { statement: *statement, sql, columns, destination });
        }
        Some(Translation { steps, scratch: self.translation.scratch.clone(), turned: Vec::new() })
    }
}

/// Keeps the destination of a changed statement's rows, because only the whole script says whether they are read later.
/// `None` if it is another table or kind of destination.
fn rerouted(before: &Destination, now: Destination) -> Option<Destination> {
    match (before, now) {
        (Destination::Table(before), Destination::Table(now)) if before.table == now.table => {
            Some(Destination::Table(Write { kept_as: before.kept_as.clone(), ..now }))
        }
        (Destination::Result { .. }, now @ Destination::Result { .. }) => Some(now),
        _ => None,
    }
}
