//! How many workers a command has.

use std::num::NonZero;

/// Returns the workers that a user asks for; by default one a core.
pub(super) fn workers(wanted: Option<NonZero<usize>>) -> usize {
    wanted.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get)
}
