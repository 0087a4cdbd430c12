//! Show that it went wrong: fake databases aimed at the fault, baseline, verdict, witness and its reduction.

pub mod data;
pub mod reduce;
