//! `sqlfault compose --like`: variants of the user's own scripts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::write;
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::terminal::escaped;
use crate::corpus::{CorpusError, FolderOptions, Reference, read_folder};
use crate::engine::translation::DialectTranslator;
use crate::variant::{Correspondence, FolderVariant, Remnants, RowsProof, Variant, Variants};

/// What variants are asked for.
pub(super) struct Likeness<'a> {
    /// The user's scripts.
    pub folder: &'a Path,
    /// Where the variants go.
    pub out: &'a Path,
    /// How many variants of the folder.
    pub count: u64,
    /// Random seed.
    pub seed: u64,
    /// The dialect that the scripts are translated from.
    pub dialect: Option<&'a str>,
    /// Scripts that are worked on at once.
    pub jobs: usize,
}

/// The judge's file of one variant of a folder.
#[derive(Serialize)]
struct VariantFile<'a> {
    scripts: Vec<ScriptEntry<'a>>,
    refused: BTreeMap<&'a str, String>,
    correspondence: &'a Correspondence,
}

#[derive(Serialize)]
struct ScriptEntry<'a> {
    original: &'a str,
    variant: &'a str,
    rows: RowsProof,
    rewrites: &'a [&'static str],
    left: &'a Remnants,
}

/// What came of all variants.
#[derive(Default)]
struct Tally {
    made: usize,
    tokens: usize,
    names: usize,
    literals: usize,
    kept: usize,
    /// The longest run of tokens that an original and its variant have in common, and that run.
    longest: (usize, String),
    refused: Vec<String>,
}

/// Writes variants of a folder, and beside `out` what stands for what in them.
pub(super) fn write_variants(likeness: &Likeness<'_>) -> Result<Exit, Failure> {
    let translator = likeness.dialect.map(DialectTranslator::start).transpose();
    let mut translator = translator.map_err(Failure::no_translator)?;
    let (references, refused) = read(likeness, translator.as_mut())?;
    let variants = Variants::new(references)?;
    let judge =
        beside(likeness.out).ok_or_else(|| format!("{}: --out needs the name of a folder", likeness.out.display()))?;
    let mut tally = Tally { refused, ..Tally::default() };
    for number in 0..likeness.count {
        let Some(variant) = variants.variant(likeness.seed, number, likeness.jobs) else { continue };
        let file = judge.join(format!("variant_{:02}.yaml", number + 1));
        variant_files(likeness.out, &file, &variant)?;
        tally.add(&variant);
    }
    tally.tell(likeness.out, &judge);
    Ok(if tally.made == 0 { Exit::Short } else { Exit::Done })
}

/// Returns the judge's folder: that of variants with `.judge` behind its name, never inside it. `None` if the name is
/// `.` or `..`.
fn beside(out: &Path) -> Option<PathBuf> {
    let mut name = out.file_name()?.to_owned();
    name.push(".judge");
    Some(out.with_file_name(name))
}

/// Reads the user's scripts; those that cannot be read are told of. Variants must not land among the originals.
fn read(
    likeness: &Likeness<'_>,
    translator: Option<&mut DialectTranslator>,
) -> Result<(Vec<Reference>, Vec<String>), String> {
    let place = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    if let (Ok(folder), Ok(out)) = (place(likeness.folder), place(likeness.out))
        && out.starts_with(&folder)
    {
        let (out, folder) = (likeness.out.display(), likeness.folder.display());
        return Err(format!(
            "{out} lies in {folder}: variants must not stand among their originals; choose another --out"
        ));
    }
    let read =
        read_folder(likeness.folder, &FolderOptions::default(), translator).map_err(|error| error.to_string())?;
    read.notes.iter().for_each(|note| eprintln!("note: {}", escaped(note)));
    let (mut references, mut refused) = (Vec::new(), Vec::new());
    for reference in read.references {
        match reference {
            Ok(reference) => references.push(reference),
            Err::<_, CorpusError>(error) => refused.push(error.to_string()),
        }
    }
    match refused.first().filter(|_| references.is_empty()) {
        Some(first) => Err(first.clone()),
        None => Ok((references, refused)),
    }
}

fn variant_files(out: &Path, file: &Path, variant: &FolderVariant) -> Result<(), Failure> {
    for (_, script) in &variant.scripts {
        script.as_ref().map_or(Ok(()), |script| write::reference(out, &script.reference, &[]))?;
    }
    let refused = variant.scripts.iter().filter_map(|(id, script)| {
        let refusal = script.as_ref().err()?;
        Some((id.as_str(), refusal.to_string()))
    });
    let content = VariantFile {
        scripts: variant.scripts.iter().filter_map(|(id, script)| Some(entry(id, script.as_ref().ok()?))).collect(),
        refused: refused.collect(),
        correspondence: &variant.correspondence,
    };
    write::file(file, &write::yaml(&content)?)
}

fn entry<'a>(original: &'a str, variant: &'a Variant) -> ScriptEntry<'a> {
    let Variant { reference, rows, rewrites, left } = variant;
    ScriptEntry { original, variant: &reference.id, rows: *rows, rewrites, left }
}

impl Tally {
    fn add(&mut self, variant: &FolderVariant) {
        for (id, script) in &variant.scripts {
            match script {
                Ok(Variant { left, .. }) => {
                    self.made += 1;
                    self.tokens += left.tokens;
                    self.names += left.names.len();
                    self.literals += left.literals.len();
                    self.kept += left.kept;
                    self.longest = std::mem::take(&mut self.longest).max((left.longest_run, left.run.clone()));
                }
                Err(refusal) => self.refused.push(format!("{id}: {refusal}")),
            }
        }
    }

    fn tell(&self, out: &Path, judge: &Path) {
        println!("{} scripts in {}", self.made, out.display());
        println!("what stands for what, and what is left of each original: {}", judge.display());
        println!("left: {} names, {} literals; kept as syntax: {} literals", self.names, self.literals, self.kept);
        println!(
            "longest run of tokens as in an original: {} of {} ({})",
            self.longest.0,
            self.tokens,
            escaped(&self.longest.1)
        );
        println!("refused: {}", self.refused.len());
        self.refused.iter().for_each(|reason| println!("  {}", escaped(reason)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_judges_folder_is_never_inside_that_of_the_variants() {
        for (out, judge) in [("variants", "variants.judge"), ("a/variants/", "a/variants.judge")] {
            assert_eq!(beside(Path::new(out)), Some(PathBuf::from(judge)));
        }
        assert_eq!(beside(Path::new("..")), None);
    }
}
