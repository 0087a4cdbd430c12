//! The whole pipeline: from references to a published run.
//!
//! Results do not depend on the number of workers: one worker tries the candidates of a fault in their planned order,
//! and the tasks that a fault leaves short are shared out again only when all faults of the round have ended.
//!
//! The files in the order in which data passes through them: settings and inputs; baselines of references; candidates,
//! quotas and queues of faults; trials, records and the search; tasks of several faults and faults that models plant;
//! databases, other repairs, controls and complaints of a task; what is published and how the run describes itself; the
//! run as a whole, in parts, and filled up again. A file uses only those before it; `tests/library/edges` holds this.

mod error;
mod settings;

mod proven;
mod funnel;
mod policies;
mod secret;

mod baseline;
mod checkpoint;
mod context;
mod inputs;
mod trial;

mod records;

mod baselines;
mod candidates;
mod quotas;

mod queues;

mod search;

mod combine;
mod model_authors;

mod databases;
mod suites;

mod counted_columns;
mod key_filter;
mod alternatives;
mod samples;
mod complaints;
mod planted;
mod gold;

mod controls;
mod defence;
mod publisher;

mod cards;
mod manifest;
mod unused_files;

mod composed;

mod run;

mod items;
mod refill;
mod shards;

pub use candidates::{CandidateDraw, candidates};
pub use composed::{ComposedItem, ComposedWorker};
pub use databases::insert_statements;
pub use error::BuildError;
pub use funnel::{FaultFunnel, Funnel, KillFunnel};
pub use funnel::{SuiteFunnel, TrackFunnel};
pub use gold::provenance;
pub use items::{WorkItem, plan, work};
pub use planted::{PlantedFaults, PlantedPart};
pub use proven::MutantVerdict;
pub use quotas::weights;
pub use records::{TOOL, WorkerRecords};
pub use refill::{Refilled, refill, settings_of};
pub use run::build;
#[cfg(test)]
pub use run::build_on;
pub use search::is_expected;
pub use settings::{BuildSettings, ModelUse, ReferenceSource};
pub use shards::{Merge, Shard, ShardError, build_shard, merge, write_plan};
pub use trial::TrialRecord;
