//! The body of an answer, read under a limit of time and of size.

use std::io::Read;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Instant;

/// Longest body that is read, in bytes. Nothing is ever decompressed: a server is not told that it may compress, and
/// what it compresses anyway is no JSON.
pub const LONGEST: usize = 64 << 20;
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// Reads a body to its end. A server that sends a byte now and then keeps every single read short, so the whole has a
/// deadline of its own; the thread that reads ends with the next byte that arrives after it, or with the connection.
///
/// # Errors
///
/// In words, when the connection breaks, the deadline passes, or the body is longer than [`LONGEST`].
pub fn read(mut body: impl Read + Send + 'static, deadline: Instant) -> Result<String, String> {
    let (sender, chunks) = sync_channel::<std::io::Result<Vec<u8>>>(1);
    thread::spawn(move || {
        let mut buffer = vec![0; CHUNK];
        loop {
            let read = body.read(&mut buffer).map(|length| buffer[..length].to_vec());
            let is_last = read.as_ref().map_or(true, Vec::is_empty);
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    });
    let mut bytes = Vec::new();
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match chunks.recv_timeout(left) {
            Ok(Ok(chunk)) if chunk.is_empty() => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Ok(Ok(chunk)) => bytes.extend(chunk),
            Ok(Err(error)) => return Err(format!("the answer broke off: {error}")),
            Err(RecvTimeoutError::Timeout) => return Err("the answer takes longer than the time limit".to_owned()),
            Err(RecvTimeoutError::Disconnected) => return Err("the answer broke off".to_owned()),
        }
        if bytes.len() > LONGEST {
            return Err(format!("the answer is longer than {} MiB", LONGEST >> 20));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Attack | a model server sends a body without end | – | error at 64 MiB
    #[test]
    fn a_body_without_end_is_an_error_at_the_limit() {
        let outcome = read(std::io::repeat(b'a'), Instant::now() + Duration::from_secs(60));
        assert_eq!(outcome.unwrap_err(), "the answer is longer than 64 MiB");
    }
}
