//! sqlfault plants one realistic bug in long, correct SQL, proves it by execution and publishes debugging tasks.

pub mod build;
pub mod check;
pub mod cli;
pub mod code;
pub mod corpus;
pub mod engine;
pub mod fault;
pub mod inject;
pub mod prove;
pub mod publish;
pub mod store;
