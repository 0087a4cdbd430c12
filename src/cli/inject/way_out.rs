//! What is told of a script that lacks values: those that were tried lead the way out.

use super::super::failure::Failure;
use super::options::InjectOptions;
use crate::corpus::{CorpusError, read_script};
use crate::prove::ReferenceRefusal;
use crate::prove::proposal_trial::{TriedProposals, tried_proposals};

/// Returns why the script cannot be read, with values for its placeholders that were tried if one of them is to blame.
pub(super) fn unread(options: &InjectOptions, error: CorpusError) -> Failure {
    if let CorpusError::PieceOfSql { piece, .. } = &error
        && let Some(tried) = tried(options)
    {
        return format!("{piece}; {tried}").into();
    }
    Failure::unread(error)
}

/// Returns why the script cannot be a reference, with values that were tried if it lacks any.
pub(super) fn refused(options: &InjectOptions, refusal: ReferenceRefusal) -> ReferenceRefusal {
    let tried = if refusal.asks_for_values() { tried(options) } else { None };
    match tried {
        Some(tried) => refusal.with_way_out(tried.to_string()),
        None => refusal,
    }
}

/// Returns what the script lacks, with values that were tried; `None` if it lacks nothing, or is of another dialect: each
/// trial would be translated anew.
fn tried(options: &InjectOptions) -> Option<TriedProposals> {
    let given = options.parameters.read().ok().filter(|_| options.dialect.is_none())?;
    let read = |parameters| read_script(&options.script, &options.schema, parameters, None);
    tried_proposals(&given, |parameters| read(parameters).map(|(reference, _)| reference))
}
