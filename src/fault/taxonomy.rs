//! The taxonomy: every fault, from the files in the binary or from a folder.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use serde_saphyr::Spanned;
use sha2::{Digest, Sha256};

use super::entry::Entry;
use super::leaf::{LEAVES, Leaf, Leaves};
use super::model::{EntryOrigin, Fault, Planting};
use super::track::Track;
use crate::engine::policy::Policies;
use crate::store::hexadecimal;
use crate::store::yaml::{YamlError, read_yaml, text_of};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/taxonomy");

/// All faults, checked.
///
/// ```
/// use sqlfault::Taxonomy;
/// use sqlfault::Track;
///
/// let taxonomy = Taxonomy::embedded()?;
/// let fault = taxonomy.fault("union-all-made-union").expect("the fault is in the taxonomy");
/// assert_eq!(fault.track, Track::Semantic);
/// assert!(fault.is_declarative());
/// # Ok::<(), sqlfault::TaxonomyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Taxonomy {
    faults: Vec<Fault>,
    by_id: BTreeMap<String, usize>,
    digest: String,
    policies: Policies,
}

/// Why a taxonomy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TaxonomyError {
    /// A file or folder cannot be read.
    #[error("{}: {source}; {}", path.display(), crate::store::remedy(.source))]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// An entry is wrong.
    #[error("{file}:{line}:{column}: {message}")]
    Invalid {
        /// File, relative to the taxonomy's folder.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong and what was expected.
        message: String,
    },
    /// Two entries have one id.
    #[error("{file}:{line}: fault `{id}` is already in {other}")]
    Twice {
        /// The id.
        id: String,
        /// File of the second.
        file: String,
        /// Line of the second.
        line: usize,
        /// File and line of the first.
        other: String,
    },
    /// There is no fault in it.
    #[error("{}: no faults found; expected files <level-1>/<level-2>.yaml", .0.display())]
    Empty(PathBuf),
}

impl Taxonomy {
    /// The taxonomy inside the binary.
    pub fn embedded() -> Result<Taxonomy, TaxonomyError> {
        let mut files = BTreeMap::new();
        collect_embedded(&EMBEDDED, &mut files);
        Taxonomy::of_files(&files)
    }

    /// The taxonomy in a folder of the user's: its `*.yaml`, `*.yml` and `leaves.tsv` files, however deep.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, an entry or a leaf is wrong, or there is no fault.
    pub fn load(directory: &Path) -> Result<Taxonomy, TaxonomyError> {
        let mut files = BTreeMap::new();
        collect_folder(directory, directory, &mut files)?;
        let taxonomy = Taxonomy::of_files(&files)?;
        if taxonomy.faults.is_empty() {
            return Err(TaxonomyError::Empty(directory.to_owned()));
        }
        Ok(taxonomy)
    }

    /// Reads files by name and content. Leaves of the embedded `leaves.tsv` are known; a file of that name adds leaves
    /// or replaces some.
    ///
    /// # Errors
    ///
    /// When an entry or a leaf is wrong, with the place.
    pub fn of_files(files: &BTreeMap<String, String>) -> Result<Taxonomy, TaxonomyError> {
        let leaves = read_leaves(files)?;
        let mut taxonomy = Taxonomy {
            faults: Vec::new(),
            by_id: BTreeMap::new(),
            digest: digest(files),
            policies: Policies::default(),
        };
        for (file, content) in files.iter().filter(|(file, _)| *file != LEAVES) {
            for fault in read_file(file, content, &leaves)? {
                taxonomy.add(fault)?;
            }
        }
        Ok(taxonomy)
    }

    /// The taxonomy on a platform with these policies: faults that they refuse can be planted, others stay as they are.
    #[must_use]
    pub fn under(mut self, policies: &Policies) -> Taxonomy {
        for fault in &mut self.faults {
            if let Planting::PolicyFault(policed) = &mut fault.planting {
                policed.on = policies.has(policed.policy);
            }
        }
        self.policies = policies.clone();
        self
    }

    /// The policies that are switched on.
    pub fn policies(&self) -> &Policies {
        &self.policies
    }

    fn add(&mut self, fault: Fault) -> Result<(), TaxonomyError> {
        if let Some(other) = self.fault(&fault.id) {
            return Err(TaxonomyError::Twice {
                other: format!("{}:{}", other.origin.file, other.origin.line),
                id: fault.id,
                file: fault.origin.file,
                line: fault.origin.line,
            });
        }
        self.by_id.insert(fault.id.clone(), self.faults.len());
        self.faults.push(fault);
        Ok(())
    }

    /// Every fault, in order of files and entries.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Every fault with its position in [`Taxonomy::faults`], sorted by id, which no layout of files changes.
    pub fn by_id(&self) -> impl Iterator<Item = (usize, &Fault)> {
        self.by_id.values().map(|position| (*position, &self.faults[*position]))
    }

    /// The fault with this id.
    pub fn fault(&self, id: &str) -> Option<&Fault> {
        self.by_id.get(id).map(|index| &self.faults[*index])
    }

    /// SHA-256 of all files, in hexadecimal; it tells which taxonomy a run used.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// How many tasks of the paper's benchmark each fault stands for: the counts of the leaves that it counts for, split by
    /// weight among the faults of the track that share a leaf and can be planted; 0 for a fault that cannot. Same order as
    /// [`Taxonomy::faults`].
    pub fn prevalence(&self) -> Vec<f64> {
        let mut weights: HashMap<(Track, &Leaf), f64> = HashMap::new();
        let plantable = || self.faults.iter().filter(|fault| fault.operator().is_some());
        for fault in plantable() {
            for leaf in fault.counted_leaves() {
                *weights.entry((fault.track, leaf)).or_default() += fault.weight;
            }
        }
        let share = |fault: &Fault| -> f64 {
            let part = |leaf: &Leaf| f64::from(leaf.count) * fault.weight / weights[&(fault.track, leaf)];
            fault.operator().map_or(0.0, |_| fault.counted_leaves().iter().map(part).sum())
        };
        self.faults.iter().map(share).collect()
    }
}

fn collect_embedded(directory: &Dir<'_>, files: &mut BTreeMap<String, String>) {
    for file in directory.files().filter(|file| is_read(file.path())) {
        let name = slashed(file.path());
        files.insert(name, String::from_utf8_lossy(file.contents()).into_owned());
    }
    for inner in directory.dirs() {
        collect_embedded(inner, files);
    }
}

fn collect_folder(root: &Path, directory: &Path, files: &mut BTreeMap<String, String>) -> Result<(), TaxonomyError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| TaxonomyError::Unreadable { path, source }
    };
    for entry in std::fs::read_dir(directory).map_err(unreadable(directory))? {
        let path = entry.map_err(unreadable(directory))?.path();
        if path.is_dir() {
            collect_folder(root, &path, files)?;
        } else if is_read(&path) {
            let content = text_of(&path).map_err(unreadable(&path))?;
            files.insert(slashed(path.strip_prefix(root).unwrap_or(&path)), content);
        }
    }
    Ok(())
}

fn is_read(path: &Path) -> bool {
    path.ends_with(LEAVES) || path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

fn slashed(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn digest(files: &BTreeMap<String, String>) -> String {
    let mut hash = Sha256::new();
    for (name, content) in files {
        for part in [name, content] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
    }
    hexadecimal(&hash.finalize())
}

fn read_leaves(files: &BTreeMap<String, String>) -> Result<Leaves, TaxonomyError> {
    let mut leaves = Leaves::default();
    for table in EMBEDDED
        .get_file(LEAVES)
        .and_then(|file| file.contents_utf8())
        .into_iter()
        .chain(files.get(LEAVES).map(String::as_str))
    {
        leaves.read(table).map_err(|(line, message)| TaxonomyError::Invalid {
            file: LEAVES.to_owned(),
            line,
            column: 1,
            message,
        })?;
    }
    Ok(leaves)
}

fn read_file(file: &str, content: &str, leaves: &Leaves) -> Result<Vec<Fault>, TaxonomyError> {
    let entries: Vec<Spanned<Entry>> = read_yaml(content).map_err(|YamlError { line, column, message }| {
        TaxonomyError::Invalid { file: file.to_owned(), line, column, message }
    })?;
    entries.into_iter().map(|entry| checked(file, entry, leaves)).collect()
}

fn checked(file: &str, entry: Spanned<Entry>, leaves: &Leaves) -> Result<Fault, TaxonomyError> {
    let line = entry.defined.line() as usize;
    let column = entry.defined.column() as usize;
    let origin = EntryOrigin { file: file.to_owned(), line };
    entry.value.check(origin, leaves).map_err(|message| TaxonomyError::Invalid {
        file: file.to_owned(),
        line,
        column,
        message,
    })
}
