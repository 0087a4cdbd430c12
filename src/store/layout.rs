//! Where the files of a run lie: those for solvers in `public/`, all others in `judge/`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::regular::only_regular;

/// The folder that may be given away by copying it.
const PUBLIC: &str = "public";
/// The folder of everything else.
const JUDGE: &str = "judge";
/// Files and folders of the public part.
const PUBLIC_NAMES: [&str; 5] = ["README.md", "tasks.jsonl", "controls.jsonl", "questions", "samples"];

/// How a run is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunLayout {
    /// A public and a judge's part.
    Split,
    /// Everything at the top: parts of runs, and runs of an earlier record version.
    Flat,
}

impl RunLayout {
    /// The layout of the run in `root`; a new run is split.
    pub fn of(root: &Path) -> RunLayout {
        let is_flat = ["run.yaml", "run.partial.yaml", "tasks.jsonl", "plan.yaml"];
        let is_split = [PUBLIC, JUDGE].iter().any(|folder| root.join(folder).is_dir());
        if !is_split && is_flat.iter().any(|name| root.join(name).exists()) {
            RunLayout::Flat
        } else {
            RunLayout::Split
        }
    }

    /// Where a file of the run lies.
    pub fn path(self, root: &Path, name: &str) -> PathBuf {
        let top = name.split('/').next().unwrap_or(name);
        match self {
            RunLayout::Flat => root.join(name),
            RunLayout::Split if PUBLIC_NAMES.contains(&top) => root.join(PUBLIC).join(name),
            RunLayout::Split => root.join(JUDGE).join(name),
        }
    }

    /// Checks that neither the run nor its two parts hold a link, a device or a pipe: whoever follows one leaves the run.
    pub fn check(self, root: &Path) -> Result<(), StoreError> {
        only_regular(root)?;
        if self == RunLayout::Split {
            [PUBLIC, JUDGE].iter().try_for_each(|folder| only_regular(&root.join(folder)))
        } else {
            Ok(())
        }
    }

    /// Makes the folders of the run.
    pub fn make(self, root: &Path) -> io::Result<()> {
        match self {
            RunLayout::Flat => fs::create_dir_all(root),
            RunLayout::Split => [PUBLIC, JUDGE].iter().try_for_each(|folder| fs::create_dir_all(root.join(folder))),
        }
    }
}

/// Removes the folders of a run in which nothing was written.
pub(super) fn remove_empty(root: &Path) {
    for folder in [PUBLIC, JUDGE] {
        // Fails if there is anything in it, which then stays.
        let _ = fs::remove_dir(root.join(folder));
    }
}

/// Where a file of the run in `root` lies, whether or not the run is there yet.
pub fn locate(root: &Path, name: &str) -> PathBuf {
    RunLayout::of(root).path(root, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_solvers_may_see_lies_in_the_public_part() {
        let path = |name: &str| locate(Path::new("no/such/run"), name).display().to_string();
        assert_eq!(path("tasks.jsonl"), "no/such/run/public/tasks.jsonl");
        assert_eq!(path("samples/a.json"), "no/such/run/public/samples/a.json");
        for name in ["gold.jsonl", "run.yaml", "databases/tasks.jsonl", "change.partial/tasks.jsonl"] {
            assert_eq!(path(name), format!("no/such/run/judge/{name}"));
        }
    }

    #[test]
    fn a_run_of_the_version_before_is_read_where_it_lies() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("run.yaml"), "").unwrap();
        assert_eq!(locate(folder.path(), "gold.jsonl"), folder.path().join("gold.jsonl"));
    }
}
