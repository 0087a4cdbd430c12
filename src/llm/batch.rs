//! Batch files: requests written for a provider, results read back into the cache.
