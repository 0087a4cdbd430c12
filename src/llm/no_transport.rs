//! Stands for the HTTP client in a program built without the feature `models`: answers come from the cache alone.

use super::config::Model;
use super::key::ApiKey;
use super::response::Response;

/// The way to a server, which this program does not have.
#[derive(Debug)]
pub struct Transport;

impl Transport {
    /// Nothing to prepare.
    pub fn new(_: &Model, _: &ApiKey) -> Result<Transport, String> {
        Ok(Transport)
    }

    /// Always an error that says how to get a program that asks models.
    pub fn post(&self, _: &serde_json::Value) -> Result<Response, String> {
        Err("this program was built without the feature `models`".to_owned())
    }
}
