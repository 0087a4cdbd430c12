//! Reads a folder of scripts: references in folders of their own, and free `.sql` files beside any table definitions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::bare_script::{BareScript, asks, id_of_script};
use super::bound_values::BoundValues;
use super::definitions::Definitions;
use super::error::CorpusError;
use super::files::{FoundFiles, PARAMETERS, SCRIPTS, has_ending, is_named, of_dbt_project, parameters, read};
use super::pipeline_folder::{PipelineFolder, pipelines};
use super::read::{read_reference, with_translation};
use super::reference::Reference;
use super::translation::SourceTexts;
use crate::code::parameters::Parameters;
use crate::engine::translation::DialectTranslator;

/// What is told of the scripts of a folder besides what lies there.
#[derive(Clone, Debug, Default)]
pub struct FolderOptions {
    /// Definitions of tables from elsewhere, which count before those in the folder.
    pub schema: Vec<PathBuf>,
    /// Values of placeholders, which count before those that files in the folder give.
    pub parameters: Parameters,
}

/// The scripts of a folder.
#[derive(Debug, Default)]
pub struct ScriptFolder {
    /// The references; each that cannot be used is an error of its own.
    pub references: Vec<Result<Reference, CorpusError>>,
    /// What was passed over, and what was assumed and lost in reading definitions of tables.
    pub notes: Vec<String>,
}

/// Reads the references below `root`, at any depth.
///
/// A folder with `script.sql` is one reference, with a `card.yaml` if its author wrote one; without `schema.sql`, the
/// other files there and the free files define its tables. A folder whose card names `files` is one reference too, of
/// these files one after the other. In all other folders files are free: each `.sql`, `.hql` or
/// `.q` file with a query or a change of a table is a reference, whose tables any free file may define (DDL,
/// `information_schema.columns` as CSV, dbt's JSON files). A `parameters.yaml` binds the placeholders of the scripts
/// beside and below it.
///
/// With a translator, all SQL is read in translation.
///
/// # Errors
///
/// If the folder or a file that `options` name cannot be read, or there is no script at all.
pub fn read_folder(
    root: &Path,
    options: &FolderOptions,
    translator: Option<&mut DialectTranslator>,
) -> Result<ScriptFolder, CorpusError> {
    let mut elsewhere = FoundFiles::below(options.schema.iter().map(PathBuf::as_path))?;
    elsewhere.in_folders.extend(of_dbt_project(root));
    let files = FoundFiles::below([root])?;
    let paths: Vec<PathBuf> = files.all().cloned().collect();
    let notes = elsewhere.notes.iter().chain(&files.notes).cloned().collect();
    let texts = SourceTexts::of(&paths, translator)?;
    let mut reader =
        FolderReader { root, options, elsewhere, texts, folder: ScriptFolder { notes, ..Default::default() } };
    reader.read(&paths)?;
    let ScriptFolder { references, mut notes } = reader.folder;
    if references.is_empty() {
        return Err(CorpusError::Empty(root.to_owned()));
    }
    notes.extend(reader.texts.losses());
    let mut told = std::collections::BTreeSet::new();
    notes.retain(|note| told.insert(note.clone()));
    Ok(ScriptFolder { references, notes })
}

/// A folder that is being read.
struct FolderReader<'a> {
    root: &'a Path,
    options: &'a FolderOptions,
    /// Definitions from elsewhere.
    elsewhere: FoundFiles,
    texts: SourceTexts,
    /// What has been read so far.
    folder: ScriptFolder,
}

impl FolderReader<'_> {
    fn read(&mut self, paths: &[PathBuf]) -> Result<(), CorpusError> {
        let whole: Vec<&Path> =
            paths.iter().filter(|path| is_named(path, "script.sql")).filter_map(|path| path.parent()).collect();
        let mut pipelines = pipelines(paths)?;
        pipelines.retain(|pipeline| !whole.contains(&pipeline.folder.as_path()));
        let (free, parts): (Vec<PathBuf>, Vec<PathBuf>) = paths.iter().cloned().partition(|path| {
            let of_pipeline = |parent: &Path| pipelines.iter().any(|pipeline| pipeline.folder == parent);
            let apart = path.parent().is_none_or(|parent| !whole.contains(&parent) && !of_pipeline(parent));
            apart && !is_named(path, PARAMETERS)
        });
        // What may define the tables of a script with a folder of its own.
        let defining = |folder: &Path| -> Vec<PathBuf> {
            let beside = parts.iter().filter(|path| path.parent() == Some(folder));
            beside.chain(&free).cloned().collect()
        };
        for folder in whole {
            let read = self.own_folder(folder, &defining(folder));
            self.folder.references.push(read);
        }
        for pipeline in &pipelines {
            let read = self.pipeline(pipeline, defining(&pipeline.folder));
            self.folder.references.push(read);
        }
        self.free_scripts(&free)
    }

    /// Reads the reference that has a folder of its own.
    fn own_folder(&mut self, folder: &Path, defining: &[PathBuf]) -> Result<Reference, CorpusError> {
        let script = folder.join("script.sql");
        let bound = self.parameters_at(folder)?;
        if folder.join("schema.sql").is_file() && !self.texts.are_translated() {
            return read_reference(self.root, folder, &bound);
        }
        let definitions = self.definitions(defining, &bound.all())?;
        let bare = BareScript { path: &script, id: id_of_script(self.root, &script) };
        let read = bare.read(&self.texts, &definitions, &bound);
        with_translation(&self.texts, &script, read)
    }

    fn pipeline(&mut self, pipeline: &PipelineFolder, defining: Vec<PathBuf>) -> Result<Reference, CorpusError> {
        let bound = self.parameters_at(&pipeline.folder)?;
        let others: Vec<PathBuf> = defining.into_iter().filter(|path| !pipeline.has(path)).collect();
        let definitions = self.definitions(&others, &bound.all())?;
        pipeline.read(self.root, &self.texts, &definitions, &bound)
    }

    /// Reads the scripts among the files that belong to no folder with `script.sql`; tables are defined there or
    /// elsewhere.
    fn free_scripts(&mut self, files: &[PathBuf]) -> Result<(), CorpusError> {
        let mut scripts = Vec::new();
        for path in files.iter().filter(|path| SCRIPTS.iter().any(|ending| has_ending(path, ending))) {
            let text = match self.texts.script(path) {
                Err(CorpusError::Untranslated { .. }) => read(path),
                text => text,
            };
            match text {
                Ok(text) if asks(&text) => scripts.push(path),
                Ok(_) => {}
                Err(error) => self.folder.references.push(Err(error)),
            }
        }
        if scripts.is_empty() {
            return Ok(());
        }
        let bound = self.parameters_at(self.root)?;
        let definitions = self.definitions(files, &bound.all())?;
        let ids = self.distinct_ids(&scripts);
        for path in scripts {
            let bare = BareScript { path, id: ids.get(path).cloned().unwrap_or_default() };
            let parameters = self.parameters_at(path.parent().unwrap_or(self.root));
            let read = parameters.and_then(|bound| bare.read(&self.texts, &definitions, &bound));
            self.folder.references.push(with_translation(&self.texts, path, read));
        }
        Ok(())
    }

    /// Returns an id for each script: its path below the root, with the file's ending where several would have one id.
    fn distinct_ids<'p>(&self, scripts: &[&'p PathBuf]) -> BTreeMap<&'p PathBuf, String> {
        let known = self.folder.references.iter().filter_map(|read| Some(read.as_ref().ok()?.id.clone()));
        let short = scripts.iter().map(|path| id_of_script(self.root, path));
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        known.chain(short).for_each(|id| *uses.entry(id).or_default() += 1);
        let id = |path: &&'p PathBuf| {
            let short = id_of_script(self.root, path);
            let ending = path.extension().filter(|_| uses.get(&short).is_some_and(|uses| *uses > 1));
            (*path, ending.map_or(short.clone(), |ending| format!("{short}.{}", ending.to_string_lossy())))
        };
        scripts.iter().map(id).collect()
    }

    /// Returns the definitions of tables from elsewhere and in files of the folder.
    fn definitions(&mut self, files: &[PathBuf], parameters: &Parameters) -> Result<Definitions, CorpusError> {
        let mut whole = self.elsewhere.clone();
        whole.in_folders.extend(files.iter().cloned());
        let definitions = self.texts.all_definitions(&whole, parameters)?;
        self.folder.notes.extend(definitions.notes().iter().cloned());
        Ok(definitions)
    }

    /// Returns the values of placeholders for the scripts of a folder: those nearest to it count.
    fn parameters_at(&self, folder: &Path) -> Result<BoundValues, CorpusError> {
        let mut by_files = Parameters::default();
        let within = |folder: &&Path| folder.starts_with(self.root);
        let mut folders: Vec<&Path> = folder.ancestors().take_while(within).collect();
        folders.reverse();
        for folder in folders {
            by_files.add(&parameters(&folder.join(PARAMETERS))?);
        }
        Ok(BoundValues { by_files, by_user: self.options.parameters.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn bare_scripts_find_their_tables_title_and_parameters() {
        let folder = folder(&[
            ("ddl/ods.sql", "USE ods; CREATE TABLE orders (id INT, d STRING); CREATE TABLE unused (x INT);"),
            (
                "ddl/hr.sql",
                "CREATE TABLE [hr].[staff] ([id] INT IDENTITY(1,1));\nGO\nCREATE TABLE [hr].[desks] ([id] INT);\n",
            ),
            ("columns.csv", "table_schema,table_name,column_name,data_type\ndim,users,id,int8\n"),
            ("parameters.yaml", "day: 2024-02-01\n"),
            (
                "jobs/daily.sql",
                "-- ------\n-- Author: somebody\n-- Orders of a day\nSELECT o.id FROM ods.orders o JOIN dim.users u ON u.id = o.id WHERE d = '$day'",
            ),
            ("jobs/no_title.hql", "SELECT id FROM orders"),
        ]);
        let read = read_folder(folder.path(), &FolderOptions::default(), None).unwrap();
        let references: Vec<Reference> = read.references.into_iter().map(Result::unwrap).collect();
        let [daily, other] = references.as_slice() else { panic!("{references:?}") };
        assert_eq!(
            (daily.id.as_str(), daily.card.title.as_str(), daily.card.domain.as_str()),
            ("jobs/daily", "Orders of a day", "jobs")
        );
        assert_eq!(
            daily.schema.tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>(),
            ["ods.orders", "dim.users"]
        );
        assert!(daily.parameters.bind(daily.script.text()).unwrap().ends_with("d = '2024-02-01'"));
        assert_eq!((other.card.title.as_str(), other.schema.tables.len()), ("no_title", 1));
    }

    #[test]
    fn a_folder_without_scripts_says_so() {
        let folder = folder(&[("ddl.sql", "CREATE TABLE t (a INT)")]);
        assert!(matches!(read_folder(folder.path(), &FolderOptions::default(), None), Err(CorpusError::Empty(_))));
    }

    #[test]
    fn a_reference_needs_no_card() {
        let folder = folder(&[
            ("shop/daily/script.sql", "SELECT a FROM t"),
            ("shop/daily/schema.sql", "CREATE TABLE t (a INT);"),
        ]);
        let reference =
            read_folder(folder.path(), &FolderOptions::default(), None).unwrap().references.remove(0).unwrap();
        assert_eq!(
            (reference.id.as_str(), reference.card.domain.as_str(), reference.card.title.as_str()),
            ("shop/daily", "shop", "daily")
        );
    }
}
