//! Finds results that depend on the order in which tables are read: if nothing else differs, neither engine is wrong.

use super::material::AgreementScript;
use crate::engine::Engine;
use crate::engine::compare::{Comparison, DifferenceKind, compare};
use crate::engine::table::{Database, ResultTable, ScriptResult};

/// Number of other row orders in which the embedded engine runs a script again.
const ORDERS: usize = 24;

/// A script, and the embedded engine that runs it.
pub struct OrderedScript<'a> {
    pub engine: &'a dyn Engine,
    pub source: &'a AgreementScript,
    pub text: &'a str,
}

/// What the embedded engine gives when the tables are read in other orders.
pub struct RowOrders {
    given: Vec<ScriptResult>,
    /// Whether one of them differs from the others.
    pub vary: bool,
}

impl RowOrders {
    /// Runs a script in other orders, each with and without rows of equal rank reversed; `first` is of the given order.
    pub fn of(script: OrderedScript<'_>, database: &Database, first: &ScriptResult) -> RowOrders {
        let OrderedScript { engine, source, text } = script;
        let context = source.context.by_ref();
        let both = |other: Database| {
            let scanned = engine.run_scanning(text, context, &other).into_result();
            [scanned, engine.result(text, context, &other)].map(|result| result.ok().map(ScriptResult::writable))
        };
        let others = database.orders().take(ORDERS).flat_map(both).flatten();
        let given: Vec<ScriptResult> = std::iter::once(first.clone()).chain(others).collect();
        let vary = given.iter().any(|other| differ(first, other));
        RowOrders { given, vary }
    }

    /// Whether the embedded engine gives every row of `spark` in some order, and as many rows in each table.
    pub fn explain(&self, spark: &ScriptResult) -> bool {
        self.vary && spark.tables.iter().enumerate().all(|(at, table)| self.explains(at, table))
    }

    fn explains(&self, at: usize, table: &ResultTable) -> bool {
        let given: Vec<&ResultTable> = self.given.iter().filter_map(|result| result.tables.get(at)).collect();
        let Some(first) = given.first().filter(|first| first.target == table.target) else { return false };
        let mut all = ResultTable { ordered: false, ..(*first).clone() };
        all.rows = given.iter().flat_map(|table| table.rows.iter().cloned()).collect();
        let table = ResultTable { ordered: false, ..table.clone() };
        let counts = given.iter().any(|known| known.rows.len() == table.rows.len());
        let whole = |table: ResultTable| ScriptResult { tables: vec![table] };
        counts
            && match compare(&whole(all), &whole(table)) {
                Comparison::Different(difference) => match difference.kind {
                    DifferenceKind::Rows(rows) => rows.only_in_other_count == 0,
                    _ => false,
                },
                _ => true,
            }
    }
}

/// Whether two results have different rows.
pub fn differ(left: &ScriptResult, right: &ScriptResult) -> bool {
    matches!(compare(left, right), Comparison::Different(_))
}
