//! Joins shards to one run: of several references with the same skeleton, the one with the smallest number stays.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::error::TrainError;
use super::folder::{REFERENCES, TrainFolder};
use super::pair::{SAME_SKELETON, WrittenReference};
use super::settings::SettingsFile;
use crate::store::{FileError, bounded_lines, open_regular};

/// Most missing shards that an error names.
const MOST_NAMED: usize = 20;

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

/// Joins shards; a join that was cut off goes on. Memory holds one skeleton for each reference, and the proofs of one part
/// at a time.
///
/// # Errors
///
/// If a shard cannot be read, belongs to another run, is missing or given twice, or a file cannot be written.
pub fn join(shards: &[PathBuf], out: &Path) -> Result<JoinedParts, TrainError> {
    let read =
        |path: &PathBuf| TrainFolder::read(path).map(|(folder, kept)| OpenShard { path: path.clone(), folder, kept });
    let shards = shards.iter().map(read).collect::<Result<Vec<OpenShard>, TrainError>>()?;
    let Some(first) = shards.first() else { return Ok(JoinedParts::default()) };
    check_one_run(first, &shards)?;
    let mut parts: BTreeMap<u64, &TrainFolder> = BTreeMap::new();
    for shard in &shards {
        shard.check_finished()?;
        parts.extend(shard.folder.numbers()?.into_iter().map(|number| (number, &shard.folder)));
    }
    let pairs = shards.iter().map(|shard| shard.kept.pairs).sum();
    let kept = SettingsFile { shard: [1, 1], pairs, ..first.kept.clone() };
    let target = TrainFolder::going_on(out, &kept)?;
    let mut joined = JoinedParts::default();
    let mut seen: HashSet<String> = HashSet::new();
    // Parts are in the order of their references, so the smallest number comes first.
    for (number, source) in &parts {
        let mut lines = source.written(*number)?.unwrap_or_default();
        for line in &mut lines {
            if !line.skeleton.is_empty() && !seen.insert(line.skeleton.clone()) {
                joined.repeated += usize::from(line.pairs > 0);
                line.pairs = 0;
                line.refused = Some(SAME_SKELETON.to_owned());
            }
        }
        joined.parts += 1;
        joined.pairs += lines.iter().map(|line| line.pairs).sum::<usize>();
        if !target.folder(*number).is_dir() {
            copy(source, &target, *number, &lines)?;
        }
    }
    // Only now are fewer pairs declared: a join that is cut off before counts as unfinished.
    target.keep(&SettingsFile { pairs: pairs.min(joined.pairs), ..kept })?;
    Ok(joined)
}

/// A shard's folder with its settings.
struct OpenShard {
    path: PathBuf,
    folder: TrainFolder,
    kept: SettingsFile,
}

impl OpenShard {
    /// Checks that the shard was not cut off before it had all its pairs.
    fn check_finished(&self) -> Result<(), TrainError> {
        let mut pairs = 0;
        for number in self.folder.numbers()? {
            pairs += self.folder.written(number)?.iter().flatten().map(|line| line.pairs).sum::<usize>();
        }
        let wanted = self.kept.pairs;
        if pairs < wanted {
            return Err(TrainError::ShardUnfinished { path: self.path.clone(), pairs, wanted });
        }
        Ok(())
    }
}

/// Checks that the shards are all of one run, each once.
fn check_one_run(first: &OpenShard, shards: &[OpenShard]) -> Result<(), TrainError> {
    let of = first.kept.shard[1];
    let mut given: BTreeMap<usize, &Path> = BTreeMap::new();
    for OpenShard { path, kept, .. } in shards {
        if first.kept.recipe != kept.recipe {
            let differs = format!("{} and {}", json!(first.kept.recipe), json!(kept.recipe));
            return Err(TrainError::OtherSettings { path: path.clone(), differs });
        }
        let number = kept.shard[0];
        if kept.shard[1] != of {
            let differs = format!("one of {of} shards and one of {}", kept.shard[1]);
            return Err(TrainError::OtherSettings { path: path.clone(), differs });
        }
        if let Some(before) = given.insert(number, path) {
            return Err(TrainError::ShardTwice { number, of, paths: [before.to_owned(), path.clone()] });
        }
    }
    let missing = (1..=of).filter(|number| !given.contains_key(number)).take(MOST_NAMED);
    let missing: Vec<String> = missing.map(|number| format!("{number}/{of}")).collect();
    if missing.is_empty() { Ok(()) } else { Err(TrainError::ShardsMissing(missing.join(", "))) }
}

/// Copies a part without the rows of references that have no pair any more.
fn copy(source: &TrainFolder, target: &TrainFolder, part: u64, lines: &[WrittenReference]) -> Result<(), TrainError> {
    let kept: HashSet<u64> = lines.iter().filter(|line| line.pairs > 0).map(|line| line.number).collect();
    let owner: HashMap<String, u64> =
        source.proofs(part)?.into_iter().map(|proof| (proof.instance_id, proof.reference)).collect();
    let folder = source.folder(part);
    let fail = |source| TrainError::File(FileError { path: folder.clone(), source });
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
            for line in bounded_lines(BufReader::new(open_regular(&path).map_err(fail)?)) {
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
