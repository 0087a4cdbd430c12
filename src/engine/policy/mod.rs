//! Policies: rules of a particular platform that none of our engines enforces, such as a cluster in strict mode, an
//! older parser or a house lint.
//!
//! All are off by default. A policy is checked after an engine has accepted a script, so that what the engine refuses
//! is reported in the engine's words. Messages and places follow the platform that has the policy.

mod context;
mod finding;
mod condition;
mod lambda;
mod null_comparison;
mod partition_filter;
mod type_safety;
mod rule;
mod set;

pub use rule::Policy;
pub use set::Policies;

#[cfg(test)]
mod tests;
