//! Joins shards to one run: of several references with the same skeleton, the one with the smallest number stays.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::error::TrainError;
use super::pair::WrittenReference;
use super::parts::{Parts, REFERENCES};
use super::settings::SettingsFile;

/// What came of a join.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JoinedParts {
    /// Parts of all shards.
    pub parts: usize,
    /// Pairs that stay.
    pub pairs: usize,
    /// References whose pairs were dropped, as a reference with a smaller number has the same skeleton.
    pub repeated: usize,
}

/// Joins shards. Memory holds one skeleton for each reference, and the proofs of one part at a time.
///
/// # Errors
///
/// If a shard cannot be read, belongs to another run, or a file cannot be written.
pub fn join(shards: &[PathBuf], out: &Path) -> Result<JoinedParts, TrainError> {
    let mut parts: BTreeMap<u64, Parts> = BTreeMap::new();
    let mut recipe: Option<SettingsFile> = None;
    let mut pairs = 0;
    for shard in shards {
        let (_, kept) = Parts::read(shard)?;
        let first = recipe.get_or_insert_with(|| kept.clone());
        if first.recipe != kept.recipe {
            let differs = format!("{} and {}", json!(first.recipe), json!(kept.recipe));
            return Err(TrainError::OtherSettings { path: shard.clone(), differs });
        }
        pairs += kept.pairs;
        for number in Parts::read(shard)?.0.numbers()? {
            parts.insert(number, Parts::read(shard)?.0);
        }
    }
    let Some(first) = recipe else { return Ok(JoinedParts::default()) };
    let target = Parts::create(out, &SettingsFile { shard: [1, 1], pairs, ..first })?;
    let mut joined = JoinedParts::default();
    let mut seen: HashSet<String> = HashSet::new();
    // Parts are in the order of their references, so the smallest number comes first.
    for (number, source) in &parts {
        let lines = source.written(*number)?.unwrap_or_default();
        let fresh = |line: WrittenReference| match line.skeleton.is_empty() || seen.insert(line.skeleton.clone()) {
            true => line,
            false => {
                let refused = Some("an earlier reference has the same skeleton".to_owned());
                joined.repeated += usize::from(line.pairs > 0);
                WrittenReference { pairs: 0, refused, ..line }
            }
        };
        let lines: Vec<WrittenReference> = lines.into_iter().map(fresh).collect();
        joined.parts += 1;
        joined.pairs += lines.iter().map(|line| line.pairs).sum::<usize>();
        copy(source, &target, *number, &lines)?;
    }
    Ok(joined)
}

/// Copies a part without the rows of references that have no pair any more.
fn copy(source: &Parts, target: &Parts, part: u64, lines: &[WrittenReference]) -> Result<(), TrainError> {
    let kept: HashSet<u64> = lines.iter().filter(|line| line.pairs > 0).map(|line| line.number).collect();
    let owner: HashMap<String, u64> =
        source.proofs(part)?.into_iter().map(|proof| (proof.instance_id, proof.reference)).collect();
    let folder = source.folder(part);
    let fail = |source| TrainError::File { path: folder.clone(), source };
    let mut names: Vec<PathBuf> = fs::read_dir(&folder).map_err(fail)?.flatten().map(|entry| entry.path()).collect();
    names.sort();
    target.whole(part, |output| {
        for line in lines {
            output.row(REFERENCES, &json!(line))?;
        }
        for path in names {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if name == REFERENCES {
                continue;
            }
            for line in BufReader::new(File::open(&path).map_err(fail)?).lines() {
                let line = line.map_err(fail)?;
                let row: Value = serde_json::from_str(&line).unwrap_or_default();
                let id = row["instance_id"].as_str().unwrap_or_default();
                if owner.get(id).is_some_and(|reference| kept.contains(reference)) {
                    output.row(&name, &row)?;
                }
            }
        }
        Ok(())
    })
}
