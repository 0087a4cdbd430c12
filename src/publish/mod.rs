//! Stage 6: say it fairly. Facts, complaint, leak check, critique, place of the edit, task and gold records.

pub mod complaint;
pub mod difference;
pub mod words;
