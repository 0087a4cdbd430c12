//! Publishes what is proved: facts, complaint, leak check, critique, place of the edit, task and gold records.

pub mod dropped;
pub mod filled_table;
pub mod leak;
pub mod locate;
pub mod questions;
pub mod template;
pub mod critique;
pub mod grain;
pub mod vocabulary;
pub mod difference;
pub mod complaint;
pub mod difficulty;
pub mod intent;
pub mod record;
pub mod control;
pub mod format;
pub mod result_pair;
