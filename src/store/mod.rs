//! Service: a run directory. Files are written whole or not at all; records are lines of JSON; a crash loses nothing.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

mod digits;
mod error;
mod lock;
mod regular;
mod change;
mod layout;
mod records;
pub mod yaml;

pub use change::Change;
pub use digits::hexadecimal;
use error::file_error;
pub use error::{FileError, StoreError, remedy};
use layout::RunLayout;
pub use layout::locate;
use lock::lock;
pub use records::{LONGEST_LINE, Log, bounded_lines, read_given_records, read_records, records_in};
pub use regular::{LARGEST_FILE, beside, open_regular, regular_text, write_whole};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The settings of a finished run.
const FINISHED: &str = "run.yaml";
/// The settings of a run under way.
const STARTED: &str = "run.partial.yaml";

fn to_yaml<T: Serialize>(value: &T) -> String {
    // Settings are plain data and always have a YAML form.
    serde_saphyr::to_string(value).unwrap_or_default()
}

/// Whether a count of a record is zero, and so left out of it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
pub(crate) fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Returns a value as indented JSON with a line end, as the files of a run hold it.
pub fn pretty(value: &impl Serialize) -> String {
    // Records hold no map with keys other than text, the only thing that JSON cannot write.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// Makes a directory; one that exists must be empty.
fn create_empty(root: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(root).map_err(|source| file_error(root, source))?;
    let mut entries = fs::read_dir(root).map_err(|source| file_error(root, source))?;
    if entries.next().is_some() { Err(StoreError::Exists(root.to_owned())) } else { Ok(()) }
}

/// The first line in which two texts of settings differ, with both readings; `None` if they are the same.
fn first_difference(kept: &str, now: &str) -> Option<String> {
    let line = |text: &str, at: usize| text.lines().nth(at).unwrap_or("nothing").trim().to_owned();
    let longest = kept.lines().count().max(now.lines().count());
    let at = (0..longest).find(|at| line(kept, *at) != line(now, *at))?;
    Some(format!("then `{}`, now `{}`", line(kept, at), line(now, at)))
}

/// A directory that holds one run.
#[derive(Debug)]
pub struct RunDirectory {
    root: PathBuf,
    layout: RunLayout,
    lock: Option<File>,
}

impl RunDirectory {
    /// Makes `root` for a new run; it may exist if it is empty.
    ///
    /// # Errors
    ///
    /// When it holds anything, cannot be made, or is held by another process.
    pub fn create(root: &Path) -> Result<RunDirectory, StoreError> {
        create_empty(root)?;
        RunDirectory { root: root.to_owned(), layout: RunLayout::Split, lock: None }.locked()
    }

    /// As [`RunDirectory::create`], for a part of a run, which has no public files: everything lies at its top.
    pub fn create_part(root: &Path) -> Result<RunDirectory, StoreError> {
        create_empty(root)?;
        RunDirectory { root: root.to_owned(), layout: RunLayout::Flat, lock: None }.locked()
    }

    /// As [`RunDirectory::resume`], for a part of a run, which has no change to complete.
    pub fn resume_part(root: &Path) -> Result<RunDirectory, StoreError> {
        RunDirectory { root: root.to_owned(), layout: RunLayout::Flat, lock: None }.locked()
    }

    /// Opens `root` to go on with its run, or to start one in it.
    ///
    /// # Errors
    ///
    /// When another process holds it, or it cannot be made.
    pub fn resume(root: &Path) -> Result<RunDirectory, StoreError> {
        let directory = RunDirectory { root: root.to_owned(), layout: RunLayout::of(root), lock: None }.locked()?;
        directory.complete_change()?;
        Ok(directory)
    }

    /// Checks that a run, finished or not, was started with these settings; writes them down if it has none yet.
    ///
    /// # Errors
    ///
    /// When the kept ones differ, or these cannot be written.
    pub fn check_settings<T: Serialize>(&self, settings: &T) -> Result<(), StoreError> {
        self.check_kept(&[FINISHED, STARTED], STARTED, settings)
    }

    /// As [`RunDirectory::check_settings`], for a part of a run, which keeps its settings in the file `name`.
    pub fn check_part_settings<T: Serialize>(&self, name: &str, settings: &T) -> Result<(), StoreError> {
        self.check_kept(&[name], name, settings)
    }

    fn check_kept<T: Serialize>(&self, kept: &[&str], new: &str, settings: &T) -> Result<(), StoreError> {
        let yaml = to_yaml(settings);
        let kept = kept.iter().find_map(|name| self.text_if_any(name).transpose()).transpose()?;
        let Some(kept) = kept else { return self.write(new, yaml.as_bytes()) };
        if let Some(differs) = first_difference(&kept, &yaml) {
            return Err(StoreError::OtherSettings { path: self.root.clone(), differs });
        }
        Ok(())
    }

    /// Marks the run as finished: writes its settings as `run.yaml`, removes the files of `temporary`, which only a
    /// resumed run needs, and gives the lock back.
    ///
    /// # Errors
    ///
    /// When a file cannot be written or removed.
    pub fn finish<T: Serialize>(&mut self, settings: &T, temporary: &[&str]) -> Result<(), StoreError> {
        self.write(FINISHED, to_yaml(settings).as_bytes())?;
        for name in temporary.iter().chain(&[STARTED]) {
            self.remove(name)?;
        }
        self.unlock();
        Ok(())
    }

    /// Opens a finished run for reading.
    ///
    /// # Errors
    ///
    /// When there is no finished run in it, it holds a link, a device or a pipe, or a change of its files was cut off.
    pub fn open(root: &Path) -> Result<RunDirectory, StoreError> {
        if !locate(root, FINISHED).is_file() {
            return Err(StoreError::NoRun(root.to_owned()));
        }
        let layout = RunLayout::of(root);
        layout.check(root)?;
        if layout.path(root, change::READY).exists() {
            return Err(StoreError::Halfway(root.to_owned()));
        }
        Ok(RunDirectory { root: root.to_owned(), layout, lock: None })
    }

    /// Takes the advisory lock, which the system gives back however the process ends, and makes the folders of the run.
    fn locked(mut self) -> Result<RunDirectory, StoreError> {
        self.layout.check(&self.root)?;
        let path = self.root.join("lock");
        let lock = lock(&path).map_err(|source| file_error(&path, source))?;
        self.lock = Some(lock.ok_or_else(|| StoreError::Locked(self.root.clone()))?);
        self.layout.make(&self.root).map_err(|source| file_error(&self.root, source))?;
        Ok(self)
    }

    /// Gives the lock back and removes its file.
    pub fn unlock(&mut self) {
        if self.lock.is_some() {
            // The file goes before the lock, so that no other process locks a file that is about to go. The lock is
            // advisory: a file left behind harms nobody.
            let _ = fs::remove_file(self.root.join("lock"));
            self.lock = None;
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a file of the run lies: in its public part if solvers may see it, otherwise in the judge's.
    pub fn path(&self, name: &str) -> PathBuf {
        self.layout.path(&self.root, name)
    }

    /// The path of a file that a record of the run names; `None` if the name is empty, absolute, has parts such as `..`,
    /// or passes a folder that is a link, so that it could lead out of the run.
    pub fn inside(&self, name: &str) -> Option<PathBuf> {
        let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let path = (is_plain && !name.is_empty()).then(|| self.path(name))?;
        let mut folders = path.ancestors().skip(1).take_while(|folder| **folder != *self.root);
        (!folders.any(Path::is_symlink)).then_some(path)
    }

    /// Returns the path of a file of the run, which no link leads out of it.
    fn own(&self, name: &str) -> Result<PathBuf, StoreError> {
        self.inside(name).ok_or_else(|| StoreError::Irregular(self.path(name)))
    }

    /// Reads the text of a file: a regular one of at most 64 MiB.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is larger, or is a link, a device or a pipe.
    pub fn read_text(&self, name: &str) -> Result<String, StoreError> {
        let path = self.own(name)?;
        regular_text(&path, LARGEST_FILE).map_err(|source| file_error(&path, source))
    }

    /// As [`RunDirectory::read_text`]; `None` if the file is absent.
    pub fn text_if_any(&self, name: &str) -> Result<Option<String>, StoreError> {
        if self.path(name).symlink_metadata().is_ok() { self.read_text(name).map(Some) } else { Ok(None) }
    }

    /// Writes a file whole: beside its place first, then renamed into it.
    ///
    /// # Errors
    ///
    /// When it cannot be written (a full disk, say); the old file then stays as it was.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        let path = self.own(name)?;
        let fail = |source| file_error(&path, source);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(fail)?;
        }
        write_whole(&path, content).map_err(fail)
    }

    /// Writes records as lines of JSON, whole.
    pub fn write_records<T: Serialize>(&self, name: &str, records: &[T]) -> Result<(), StoreError> {
        let mut content = Vec::new();
        for record in records {
            serde_json::to_writer(&mut content, record)
                .map_err(|error| file_error(&self.path(name), io::Error::other(error)))?;
            content.push(b'\n');
        }
        self.write(name, &content)
    }

    /// Reads a file of records.
    ///
    /// # Errors
    ///
    /// When it cannot be read or a line is no record; the error names the line.
    pub fn read_records<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, StoreError> {
        read_records(&self.own(name)?)
    }

    /// Opens a log that survives a crash; see [`Log`].
    pub fn log(&self, name: &str) -> Result<Log, StoreError> {
        Log::open(&self.own(name)?)
    }

    /// Removes a file if it is there.
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        let path = self.path(name);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(file_error(&path, source)),
            _ => Ok(()),
        }
    }
}

impl Drop for RunDirectory {
    /// Gives the lock back; a run that wrote nothing leaves no directory behind.
    fn drop(&mut self) {
        if self.lock.is_some() {
            layout::remove_empty(&self.root);
            self.unlock();
            // Fails when there is anything in it, which then stays.
            let _ = fs::remove_dir(&self.root);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_cut_off_by_a_crash_is_dropped_and_the_log_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDirectory::create(folder.path()).unwrap();
        fs::write(run.path("log.jsonl"), "1\n2\n[3, ").unwrap();
        let log = run.log("log.jsonl").unwrap();
        log.append(&4).unwrap();
        assert_eq!(log.records::<i32>().unwrap(), [1, 2, 4]);
    }

    #[test]
    fn a_second_process_is_kept_out_and_a_used_directory_refused() {
        let folder = tempfile::tempdir().unwrap();
        let first = RunDirectory::resume(folder.path()).unwrap();
        assert!(matches!(RunDirectory::resume(folder.path()), Err(StoreError::Locked(_))));
        fs::write(first.path("tasks.jsonl"), "").unwrap();
        drop(first);
        assert!(matches!(RunDirectory::create(folder.path()), Err(StoreError::Exists(_))));
        assert!(RunDirectory::resume(folder.path()).is_ok());
    }

    /// A killed process may have left its lock to a child that has not begun yet.
    #[test]
    fn a_lock_that_is_given_back_soon_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let first = RunDirectory::resume(folder.path()).unwrap();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| RunDirectory::resume(folder.path()).map(drop));
            std::thread::park_timeout(std::time::Duration::from_millis(50));
            drop(first);
            second.join().unwrap().unwrap();
        });
    }

    /// Each removes the file, and the folder with it, while others open it.
    #[test]
    fn a_lock_that_goes_from_hand_to_hand_is_held_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("run");
        let holders = std::sync::atomic::AtomicUsize::new(0);
        let hold = || {
            for _ in 0..20 {
                // On a busy machine the others may hold it for longer than one waits.
                let held = loop {
                    match RunDirectory::resume(&root) {
                        Err(StoreError::Locked(_)) => {}
                        held => break held.unwrap(),
                    }
                };
                assert_eq!(holders.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0, "two hold it");
                holders.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                drop(held);
            }
        };
        std::thread::scope(|scope| [(); 3].map(|()| scope.spawn(hold)).map(|thread| thread.join().unwrap()));
    }

    #[test]
    fn a_run_that_wrote_nothing_leaves_no_directory() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("run");
        drop(RunDirectory::create(&root).unwrap());
        assert!(!root.exists());
    }

    #[test]
    fn a_run_goes_on_only_with_the_settings_it_was_started_with() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDirectory::resume(folder.path()).unwrap();
        let settings =
            |seed: u64| std::collections::BTreeMap::from([("mix", "paper".to_owned()), ("seed", seed.to_string())]);
        run.check_settings(&settings(7)).unwrap();
        run.check_settings(&settings(7)).unwrap();
        let error = run.check_settings(&settings(8)).unwrap_err().to_string();
        assert!(error.contains("then `seed: \"7\"`, now `seed: \"8\"`"), "{error}");
    }

    #[test]
    fn a_bad_record_is_named_by_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunDirectory::resume(folder.path()).unwrap();
        fs::write(run.path("r.jsonl"), "1\n\nx\n").unwrap();
        let error = run.read_records::<i32>("r.jsonl").unwrap_err().to_string();
        assert!(error.contains("r.jsonl:3:"), "{error}");
    }
}
