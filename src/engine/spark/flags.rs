//! Adds to Spark's results what the embedded engine knows about them and Spark's rows do not show.

use crate::engine::table::ScriptResult;

/// Copies from the embedded engine's result of the same script which tables are ordered and which columns are unordered.
pub fn flagged(mut spark: ScriptResult, embedded: &ScriptResult) -> ScriptResult {
    for (theirs, ours) in spark.tables.iter_mut().zip(&embedded.tables) {
        if theirs.target != ours.target {
            break;
        }
        theirs.ordered = ours.ordered;
        theirs.sorted_by.clone_from(&ours.sorted_by);
        for (column, known) in theirs.columns.iter_mut().zip(&ours.columns) {
            column.take_order_of(known);
        }
    }
    spark
}
