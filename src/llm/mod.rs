//! Service: ask a model over HTTP. The only code that opens outgoing sockets.
//!
//! Nothing is sent that the models file does not name: no sampling parameter, no length limit, no default. Keys come
//! from the environment and are taken out of every text that leaves this module.

pub mod batch;
mod cache;
mod client;
mod config;
mod key;
mod pace;
mod purse;
mod retry;
#[cfg(test)]
pub(crate) mod server;
mod transport;
mod wire;

pub use cache::{Cache, CacheError, Request};
pub use client::{Answer, AskError, Client};
pub use config::{ConfigError, Model, Models, Price, Shape};
pub use purse::{Purse, Spent};
pub use wire::{Prompt, Reply, Stop, Tokens};
