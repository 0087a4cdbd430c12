//! Untrusted scripts: run beside a reference under limits, in a process that can be ended.

mod request;
mod trial;

pub use request::{Allowance, Exceeded, Reply, Request, Verdict};
pub use trial::Bench;
