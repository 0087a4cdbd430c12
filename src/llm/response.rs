//! What a server answers.

use std::time::Duration;

/// An answer over HTTP.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    pub body: String,
    /// How long the server asks us to wait before the next attempt.
    pub asked_wait: Option<Duration>,
    /// Its header `x-should-retry`.
    pub should_retry: Option<bool>,
}
