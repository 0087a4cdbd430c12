//! Tests of the library: reading of scripts, references, faults, engines, comparison, and the invariants that hold.

mod attacks;
mod changed_rows;
mod code;
#[path = "../support/common.rs"]
mod common;
mod commands_page;
mod comparators;
mod composed;
mod composed_shape;
mod corpus;
mod coverage;
mod documents;
mod edges;
mod fault_snapshots;
mod function_sizes;
mod generated_sql;
mod mutants;
#[cfg(unix)]
mod panics;
mod pipes;
mod properties;
mod public_api;
mod readers;
mod rewrites;
mod sections;
mod soundness;
mod spark_functions;
mod spark_rules;
mod spark_signatures;
mod spark_reference;
mod spark_statements;
mod sqlite_references;
mod sqlite_semantics;
mod sqlite_writes;
mod taxonomy_guide;
mod untrusted_sql;
mod variants;
