//! The program as a user meets it: whole commands on folders of their own.

mod bad_input;
mod crash;
mod program;
mod refill;
mod same_bytes;
mod settings;
mod shards;
