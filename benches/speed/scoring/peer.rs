//! sqlglot's optimiser on the same scripts, in the same run, if `SQLGLOT_PYTHON` names a Python that has it.

use std::time::Duration;

use serde_json::json;

use crate::table::{row, shown};

/// Reads every script, then prints the median over nine rounds of the CPU seconds that `optimize` takes for one.
const SCRIPT: &str = r#"
import json, statistics, sys, time
import sqlglot
from sqlglot.optimizer import optimize
trees = []
for text in json.load(open(sys.argv[1])):
    try:
        trees += [t for t in sqlglot.parse(text, read="spark") if t is not None and t.find(sqlglot.exp.Query)]
    except sqlglot.errors.SqlglotError:
        pass
def once():
    done = 0.0
    for tree in trees:
        copy = tree.copy()
        start = time.process_time()
        try:
            optimize(copy, dialect="spark", validate_qualify_columns=False)
        except sqlglot.errors.SqlglotError:
            pass
        done += time.process_time() - start
    return done
once()
count = len(json.load(open(sys.argv[1])))
print(sqlglot.__version__, statistics.median(once() for _ in range(9)) / count)
"#;

/// Prints how many times as fast one of our graphs is; nothing if sqlglot is not to be run.
pub fn measure(scripts: &[String], ours: Duration) {
    let Some((version, theirs)) = crate::peer::timed("SQLGLOT_PYTHON", SCRIPT, &json!(scripts)) else { return };
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    row("GM, a script", &shown(ours), &format!("sqlglot {version} optimize {}", shown(theirs)), ratio, (40.0, true));
}
