//! Stops a refill when the user asks for it.

use super::super::context::Context;
use super::super::error::BuildError;

/// Checks that the refill may go on; the error of a stop names the command that resumes a refill.
pub(super) fn go_on(context: Context<'_>) -> Result<(), BuildError> {
    context.go_on().map_err(|error| match error {
        BuildError::Stopped { out, .. } => BuildError::RefillStopped(out),
        other => other,
    })
}
