//! Whole scripts through reading, resolution and profiling.

mod limits;
mod peers;
mod profiles;
mod ranges;
mod resolution;
mod sources;
mod types;
