//! What a refill did.

use std::collections::BTreeMap;

use super::super::funnel::Funnel;
use crate::fault::Track;
use crate::publish::dropped::Dropped;

/// What a refill did.
#[derive(Debug)]
pub struct Refilled {
    /// Tasks that this refill took out.
    pub dropped: Vec<Dropped>,
    /// Tasks that this refill put in, by track.
    pub added: BTreeMap<Track, usize>,
    /// The numbers of the run as it is now.
    pub funnel: Funnel,
}
