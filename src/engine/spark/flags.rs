//! What the embedded engine knows of a script's result and Spark's rows do not show.

use crate::engine::table::ScriptResult;

/// Spark's result with what the embedded engine knows of the same script: which tables are ordered, and which arrays
/// have no order.
pub fn flagged(mut spark: ScriptResult, embedded: &ScriptResult) -> ScriptResult {
    for (theirs, ours) in spark.tables.iter_mut().zip(&embedded.tables) {
        if theirs.target != ours.target {
            break;
        }
        theirs.ordered = ours.ordered;
        for (column, known) in theirs.columns.iter_mut().zip(&ours.columns) {
            column.unordered |= known.unordered;
        }
    }
    spark
}
