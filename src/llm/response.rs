//! What a server answers.

use std::time::Duration;

/// An answer over HTTP.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: String,
    /// How long the server wants us to wait.
    pub asked_wait: Option<Duration>,
    /// What it says about trying again.
    pub should_retry: Option<bool>,
}
