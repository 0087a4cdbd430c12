//! The embedded engine.

mod translate;

pub use translate::{Reason, Translation, Unsupported, translate};
