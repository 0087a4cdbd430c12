//! What a run is made of, as read: faults, templates and references.

use super::error::BuildError;
use super::funnel::Funnel;
use super::settings::{BuildSettings, ReferenceSource};
use crate::corpus::{self, FolderOptions, Reference};
use crate::engine::translation::DialectTranslator;
use crate::fault::Taxonomy;
use crate::inject::load_taxonomy;
use crate::publish::complaint::PhraseBook;

/// What a run is made of, as read.
pub(super) struct Inputs {
    pub taxonomy: Taxonomy,
    pub book: PhraseBook,
    pub references: Vec<Reference>,
    /// Names the scripts that cannot be read; otherwise still empty.
    pub funnel: Funnel,
}

impl Inputs {
    /// Reads everything that the settings name.
    ///
    /// # Errors
    ///
    /// If a folder cannot be used. A script that does not read is named in the funnel and left out.
    pub fn read(settings: &BuildSettings) -> Result<Inputs, BuildError> {
        let taxonomy = taxonomy(settings)?;
        let book = match &settings.templates {
            Some(folder) => PhraseBook::load(folder, &taxonomy)?,
            None => PhraseBook::built_in()?,
        };
        let mut notes = Vec::new();
        let read = match &settings.source {
            // These references are composed while the run is made.
            ReferenceSource::Composed => Vec::new(),
            ReferenceSource::HandWritten => corpus::embedded(),
            ReferenceSource::Folder(folder) => {
                let mut translator = settings.dialect.as_deref().map(DialectTranslator::start).transpose()?;
                let options =
                    FolderOptions { schema: settings.schema.clone(), parameters: settings.parameters.clone() };
                let folder = corpus::read_folder(folder, &options, translator.as_mut())?;
                notes = folder.notes;
                folder.references
            }
        };
        let mut funnel = Funnel { notes, ..Funnel::new(&taxonomy) };
        let mut references = Vec::new();
        for reference in read {
            match reference {
                Ok(reference) => references.push(reference),
                Err(error) => funnel.refuse("unreadable", error.to_string()),
            }
        }
        Ok(Inputs { taxonomy, book, references, funnel })
    }
}

/// Returns the faults of a run, including those of its policies.
///
/// # Errors
///
/// If the user's own taxonomy cannot be read.
pub(super) fn taxonomy(settings: &BuildSettings) -> Result<Taxonomy, BuildError> {
    Ok(load_taxonomy(settings.taxonomy.as_deref())?.under(&settings.policies))
}
