//! Publishes what is proved: facts, complaint, leak check, critique, place of the edit, task and gold records.

pub mod complaint;
pub mod control;
pub mod critique;
pub mod difference;
pub mod difficulty;
pub mod dropped;
pub mod filled_table;
pub mod format;
pub mod intent;
pub mod leak;
pub mod locate;
pub mod questions;
pub mod record;
pub mod result_pair;
pub mod template;
pub mod vocabulary;
