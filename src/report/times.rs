//! How long the build of a run took.
//!
//! Equal settings give equal bytes, so a run holds no times: they stand in a file beside its folder, `runs/7.times.json`
//! for `runs/7`, which `build` writes and a report shows.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::store::{LARGEST_FILE, pretty, regular_text, write_whole};

/// How long the stages of a build took, in the order in which they began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BuildTimes {
    /// The stages; one that was begun several times stands once.
    pub stages: Vec<StageTime>,
}

/// How long a stage took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageTime {
    /// Its name, as the progress display shows it.
    pub name: String,
    /// Seconds of wall time.
    pub seconds: f64,
}

impl BuildTimes {
    /// Adds the time of a stage to what it took before.
    pub fn add(&mut self, name: &str, time: Duration) {
        let seconds = time.as_secs_f64();
        match self.stages.iter_mut().find(|stage| stage.name == name) {
            Some(stage) => stage.seconds += seconds,
            None => self.stages.push(StageTime { name: name.to_owned(), seconds }),
        }
    }

    /// Returns the file that holds the times of a run.
    pub fn file(run: &Path) -> PathBuf {
        let name = run.file_name().unwrap_or_default().to_string_lossy();
        run.with_file_name(format!("{name}.times.json"))
    }

    /// Writes the times beside a run.
    pub fn write(&self, run: &Path) -> io::Result<()> {
        write_whole(&BuildTimes::file(run), pretty(self).as_bytes())
    }

    /// Reads the times of a run; `None` if it has none that can be read, as times are no part of it.
    pub fn read(run: &Path) -> Option<BuildTimes> {
        let text = regular_text(&BuildTimes::file(&run.canonicalize().ok()?), LARGEST_FILE).ok()?;
        serde_json::from_str(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_stand_beside_the_run_and_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("7");
        std::fs::create_dir(&run).unwrap();
        assert_eq!(BuildTimes::read(&run), None);
        let mut times = BuildTimes::default();
        times.add("baselines", Duration::from_millis(1500));
        times.add("trials", Duration::from_secs(2));
        times.add("baselines", Duration::from_millis(500));
        times.write(&run).unwrap();
        assert_eq!(BuildTimes::read(&run).as_ref(), Some(&times));
        assert_eq!((times.stages[0].seconds, times.stages.len()), (2.0, 2));
        assert_eq!(std::fs::read_dir(&run).unwrap().count(), 0, "the run holds no times");
    }
}
