//! Service: ask a model over HTTP. The only code that opens outgoing sockets.
//!
//! No sampling parameter and no length limit is sent that the models file does not name; only the version header that
//! one protocol demands and `store: false` of another are added. Keys come from the environment and are taken out of
//! every text that leaves this module.

mod body;
mod budget;
mod cache;
mod concurrency;
mod config;
mod api;
pub mod batch;
mod key;
mod response;
mod retry;
mod templates;
#[cfg(feature = "models")]
mod transport;
#[cfg(not(feature = "models"))]
#[path = "no_transport.rs"]
mod transport;
mod client;

#[cfg(test)]
pub(crate) mod test_server;

pub use api::{Prompt, StopReason};
pub use budget::Budget;
pub use cache::{Cache, ModelRequest};
pub use client::{AskError, Client, ModelAnswer};
pub use config::{Model, Models, Price};
pub use templates::PromptTemplates;
