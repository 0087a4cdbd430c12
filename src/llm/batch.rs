//! Batch files: requests written for a provider's batch service, results read back into the cache.
