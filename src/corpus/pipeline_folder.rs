//! Reads a folder with several files that its card names as one script.

use std::path::{Component, Path, PathBuf};

use super::bound_values::BoundValues;
use super::definitions::Definitions;
use super::error::CorpusError;
use super::files::{is_named, read};
use super::read::{assemble, card_of, id_of, schema_of};
use super::reference::{Reference, ReferenceCard};
use super::script_files::joined;
use super::translation::SourceTexts;
use super::written_schema::WrittenSchema;
use crate::code::script::Script;
use crate::code::span::LineColumn;

/// A folder whose card names the files of a script.
pub(super) struct PipelineFolder {
    pub folder: PathBuf,
    pub card: ReferenceCard,
}

/// Returns the folders among `files` whose cards name files; a `card.yaml` that names none may be anybody's.
///
/// # Errors
///
/// If a card names files and does not read, or a name is more than that of a file beside it.
pub(super) fn pipelines(files: &[PathBuf]) -> Result<Vec<PipelineFolder>, CorpusError> {
    let mut found = Vec::new();
    for path in files.iter().filter(|path| is_named(path, "card.yaml")) {
        let text = read(path)?;
        if !text.lines().any(|line| line.starts_with("files:")) {
            continue;
        }
        let card = card_of(path, &text)?;
        let is_beside = |name: &String| {
            matches!(Path::new(name).components().collect::<Vec<_>>().as_slice(), [Component::Normal(_)])
        };
        if let Some(name) = card.files.iter().find(|name| !is_beside(name)) {
            return Err(CorpusError::FileName { path: path.clone(), name: name.clone() });
        }
        if let Some(folder) = path.parent().filter(|_| !card.files.is_empty()) {
            found.push(PipelineFolder { folder: folder.to_owned(), card });
        }
    }
    Ok(found)
}

impl PipelineFolder {
    /// Whether a file is one of the script's.
    pub fn has(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder) && self.card.files.iter().any(|name| is_named(path, name))
    }

    /// Reads the files one after the other as one script. Without a `schema.sql` beside them, `definitions` define its
    /// tables.
    ///
    /// # Errors
    ///
    /// If a file is missing, or a script or a definition does not parse.
    pub fn read(
        &self,
        root: &Path,
        texts: &SourceTexts,
        definitions: &Definitions,
        bound: &BoundValues,
    ) -> Result<Reference, CorpusError> {
        let part = |name: &String| Ok((name.clone(), texts.script(&self.folder.join(name))?));
        let (text, files) = joined(self.card.files.iter().map(part).collect::<Result<Vec<_>, CorpusError>>()?);
        let card = ReferenceCard { parameters: bound.around(&self.card.parameters), ..self.card.clone() };
        let ddl = self.folder.join("schema.sql");
        let definitions = if ddl.exists() && !texts.are_translated() {
            let text = read(&ddl)?;
            WrittenSchema { schema: schema_of(&ddl, &text)?, text }
        } else {
            let script = Script::new(card.parameters.bind(&text).unwrap_or_else(|_| text.clone()));
            WrittenSchema::of(definitions.schema_for(&script))
        };
        let lines: Vec<(PathBuf, usize)> =
            files.iter().map(|file| (self.folder.join(&file.path), file.text(&text).lines().count())).collect();
        let reference = assemble(&self.folder, id_of(root, &self.folder), text, definitions, card);
        reference.map(|reference| Reference { files, ..reference }).map_err(|error| in_its_file(error, &lines))
    }
}

/// Returns an error of the whole script with the file in which it lies; `lines` are those of each file.
fn in_its_file(error: CorpusError, lines: &[(PathBuf, usize)]) -> CorpusError {
    let placed = |place: LineColumn| {
        let mut line = place.line;
        for (path, count) in lines {
            if line <= *count {
                return Some((path.clone(), LineColumn { line, ..place }));
            }
            line -= count;
        }
        None
    };
    match error {
        CorpusError::Script { path, place, message } => {
            let (path, place) = placed(place).unwrap_or((path, place));
            CorpusError::Script { path, place, message }
        }
        CorpusError::TooMany { path, place, what } => {
            let (path, place) = placed(place).unwrap_or((path, place));
            CorpusError::TooMany { path, place, what }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::folder::{FolderOptions, read_folder};

    const CARD: &str = "domain: shop\ntitle: Sales\nintention: ''\nscenario: ''\nfiles: [1_a.sql, 2_b.sql]\n";

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("sales")).unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join("sales").join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn files_that_a_card_names_are_one_script_and_its_errors_name_the_file() {
        let [first, second, schema] =
            ["CREATE TABLE s AS\nSELECT a FROM t;", "SELECT a\nFROM s;\n", "CREATE TABLE t (a INT);"];
        let whole = [("card.yaml", CARD), ("1_a.sql", first), ("2_b.sql", second), ("schema.sql", schema)];
        let read = |files: &[(&str, &str)]| {
            read_folder(folder(files).path(), &FolderOptions::default(), None).map(|read| read.references)
        };
        let reference = read(&whole).unwrap().remove(0).unwrap();
        assert_eq!((reference.id.as_str(), reference.script.text()), ("sales", &*format!("{first}\n{second}")));
        let texts: Vec<&str> = reference.files.iter().map(|file| file.text(reference.script.text())).collect();
        assert_eq!(texts, [&*format!("{first}\n"), second]);
        let broken = [whole[0], whole[1], ("2_b.sql", "SELECT a\nFROM WHERE s;\n"), whole[3]];
        let error = read(&broken).unwrap().remove(0).unwrap_err().to_string();
        assert!(error.contains("2_b.sql:2:"), "{error}");
        let error = read(&[whole[0], whole[1], whole[3]]).unwrap().remove(0).unwrap_err().to_string();
        assert!(error.contains("2_b.sql"), "{error}");
        let card = CARD.replace("1_a.sql", "../1_a.sql");
        let error = read(&[("card.yaml", &card), whole[1], whole[2], whole[3]]).unwrap_err().to_string();
        assert!(error.contains("`../1_a.sql` is not a file beside"), "{error}");
    }
}
