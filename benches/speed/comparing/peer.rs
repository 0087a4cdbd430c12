//! pandas on the same tables, in the same run, if `PANDAS_PYTHON` names a Python that has it.

use std::time::Duration;

use serde_json::json;
use sqlfault::engine::table::ScriptResult;

/// Compares as SQL-Eval's `compare_df` does: without repeated rows, columns in the order of their names, rows in the
/// order of all columns. Prints the median CPU seconds of nine rounds.
const SCRIPT: &str = r#"
import json, statistics, sys, time
import pandas
def normal(frame):
    frame = frame.drop_duplicates()
    frame = frame.reindex(sorted(frame.columns), axis=1)
    return frame.sort_values(by=list(frame.columns)).reset_index(drop=True)
def equal(left, right):
    left, right = normal(left), normal(right)
    return left.shape == right.shape and left.fillna(-99999).equals(right.fillna(-99999))
tables = json.load(open(sys.argv[1]))
left, right = [pandas.DataFrame(rows, columns=[f"c{at}" for at in range(len(rows[0]))]) for rows in tables]
def once():
    start = time.process_time()
    assert equal(left, right)
    return time.process_time() - start
once()
print(pandas.__version__, statistics.median(once() for _ in range(9)))
"#;

/// Returns the version of pandas and the CPU time of one comparison; `None` if it is not to be run.
pub fn timed(left: &ScriptResult, right: &ScriptResult) -> Option<(String, Duration)> {
    crate::peer::timed("PANDAS_PYTHON", SCRIPT, &json!([left.tables[0].rows, right.tables[0].rows]))
}
