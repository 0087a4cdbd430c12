//! Leak attacks on a finished run: what can be answered without reading the SQL.
//!
//! An attack has the public part of the run and whatever is public besides: the scripts of this repository, other runs,
//! folders of scripts. Those that learn are trained on other scripts of the run, in folds, so that none has seen the
//! script that it answers. Every answer is judged like a solver's.

mod attack;
mod error;
mod features;
mod anomaly;
mod learned;
mod material;
mod nearest;
mod overlap;
mod siblings;
mod report;
mod card;

pub use anomaly::restore_layout;
pub use card::card_section;
pub use error::AuditError;
pub use report::{AUDIT, AttackScore, Audit, AuditSettings, HEADING, audit};
