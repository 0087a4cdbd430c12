//! Answers on disk, by the digest of their requests: a request answered once is never paid for again.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::store::{LARGEST_FILE, hexadecimal, regular_text, write_whole};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// One request and its answer, as the file holds them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// What was asked.
    pub request: ModelRequest,
    /// What came back.
    pub answer: RecordedReply,
}

/// A request without its key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelRequest {
    pub url: String,
    pub body: Value,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedReply {
    pub body: Value,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// Failed attempts before it.
    pub retries: u32,
}

impl ModelRequest {
    /// Digest of address and body: the name of the exchange.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.url.as_bytes());
        hash.update([0]);
        hash.update(self.body.to_string().as_bytes());
        hexadecimal(&hash.finalize())
    }
}

/// The folder of exchanges.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    asking: Mutex<HashSet<String>>,
    answered: Condvar,
}

/// Why an exchange cannot be kept or read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {message}")]
pub struct CacheError {
    path: PathBuf,
    message: String,
}

/// The right to ask one request; others with the same request wait until it is dropped.
#[derive(Debug)]
pub struct RequestLock<'a> {
    cache: &'a Cache,
    digest: String,
}

impl Cache {
    /// The exchanges of `folder`, which need not exist yet.
    pub fn new(folder: &Path) -> Cache {
        Cache { folder: folder.to_owned(), asking: Mutex::default(), answered: Condvar::new() }
    }

    fn path(&self, digest: &str) -> PathBuf {
        self.folder.join(&digest[..2]).join(format!("{digest}.json"))
    }

    /// The exchange of this digest, if it was ever answered.
    ///
    /// # Errors
    ///
    /// When its file is there and cannot be read, or is a link, a device or a pipe.
    pub fn find(&self, digest: &str) -> Result<Option<Exchange>, CacheError> {
        let path = self.path(digest);
        let text = match regular_text(&path, LARGEST_FILE) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CacheError { path, message: error.to_string() }),
        };
        serde_json::from_str(&text).map(Some).map_err(|error| CacheError { path, message: error.to_string() })
    }

    /// Keeps an exchange: written beside its place, forced to disk, then renamed.
    ///
    /// # Errors
    ///
    /// When the disk does not take it, or its folder is a link.
    pub fn keep(&self, exchange: &Exchange) -> Result<(), CacheError> {
        let digest = exchange.request.digest();
        let path = self.path(&digest);
        let fail = |error: std::io::Error| CacheError { path: path.clone(), message: error.to_string() };
        let folder = path.parent().unwrap_or(&self.folder);
        if folder.is_symlink() {
            return Err(fail(std::io::Error::other("its folder is a link and may lead anywhere")));
        }
        fs::create_dir_all(folder).map_err(fail)?;
        let text = serde_json::to_vec_pretty(exchange).map_err(|error| fail(std::io::Error::other(error)))?;
        write_whole(&path, &text).map_err(fail)
    }

    /// Waits until nobody else asks the same request.
    pub fn lock(&self, digest: &str) -> RequestLock<'_> {
        // The set is changed in single steps that cannot panic.
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        while !asking.insert(digest.to_owned()) {
            asking = self.answered.wait(asking).unwrap_or_else(PoisonError::into_inner);
        }
        RequestLock { cache: self, digest: digest.to_owned() }
    }
}

impl Drop for RequestLock<'_> {
    fn drop(&mut self) {
        self.cache.asking.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.digest);
        self.cache.answered.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(question: &str) -> Exchange {
        Exchange {
            request: ModelRequest { url: "http://x".to_owned(), body: serde_json::json!({ "q": question }) },
            answer: RecordedReply { body: serde_json::json!({ "a": 1 }), latency_ms: 5, retries: 0 },
        }
    }

    #[test]
    fn an_exchange_is_found_again_by_its_request_only() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        let kept = exchange("a");
        cache.keep(&kept).unwrap();
        assert_eq!(cache.find(&kept.request.digest()).unwrap(), Some(kept));
        assert_eq!(cache.find(&exchange("b").request.digest()).unwrap(), None);
    }

    #[test]
    fn two_workers_never_ask_one_request_at_the_same_time() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        let asking = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let lock = cache.lock("ab");
                    assert_eq!(asking.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                    asking.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                    drop(lock);
                });
            }
        });
    }
}
