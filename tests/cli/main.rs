//! The program as a user meets it: whole commands on folders of their own.

mod bad_input;
#[path = "../support/chat.rs"]
mod chat;
mod crash;
mod policies;
mod program;
mod refill;
mod rewrites;
mod same_bytes;
mod settings;
mod shards;
