//! The lock on a run directory, which one process holds at a time.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long to wait for a lock. If a process is killed while it starts a child, the child still holds the lock until
/// it has begun to run its own program.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// Time between two attempts to lock.
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Locks the file at `path`, made if it is not there; `None` if another process holds it for all of [`LOCK_WAIT`].
pub(super) fn lock(path: &Path) -> io::Result<Option<File>> {
    let deadline = Instant::now() + LOCK_WAIT;
    loop {
        match try_lock(path) {
            Ok(Some(file)) => return Ok(Some(file)),
            Ok(None) if Instant::now() >= deadline => return Ok(None),
            Err(source) if source.kind() != io::ErrorKind::NotFound || Instant::now() >= deadline => {
                return Err(source);
            }
            // Held, or its folder was removed just now by whoever gave the lock back.
            Ok(None) | Err(_) => std::thread::sleep(LOCK_PAUSE),
        }
    }
}

/// Locks the file if nobody holds it. Opened anew each time: whoever gives the lock back removes the file, and its folder
/// if that is empty.
fn try_lock(path: &Path) -> io::Result<Option<File>> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        // A file that was removed after it was opened keeps nobody out.
        Ok(()) => Ok(is_at(&file, path).then_some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(source)) => Err(source),
    }
}

/// Whether the file that is open is the one at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |found: fs::Metadata| (found.dev(), found.ino());
    file.metadata().ok().map(number) == fs::metadata(path).ok().map(number)
}

/// Whether there is a file at `path`: other systems keep a file that is open.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
