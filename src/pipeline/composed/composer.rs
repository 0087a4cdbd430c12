//! The composer of a run.

use super::super::error::BuildError;
use crate::corpus::compose::Composer;

/// Returns the composer of references.
pub(super) fn composer() -> Result<Composer, BuildError> {
    Composer::embedded().map_err(|error| BuildError::Compose(error.to_string()))
}
