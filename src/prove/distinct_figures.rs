//! Sets the figures of different columns apart, for scripts that put figures of several columns into one order.

use crate::code::types::Type;
use crate::corpus::Reference;
use crate::engine::table::{Database, Value};

/// Adds to each figure with decimal places as many hundredths as its column has columns before it: figures of two columns
/// that are made equal are level no more, and none changes its sign.
pub(super) fn with_distinct_figures(reference: &Reference, mut database: Database) -> Database {
    for table in &mut database.tables {
        let Some(definition) = reference.schema.table(&table.table) else { continue };
        let figures: Vec<usize> = (0..definition.columns.len())
            .filter(|column| matches!(definition.columns[*column].data_type, Type::Double | Type::Decimal(_, 2..)))
            .collect();
        for row in &mut table.rows {
            for column in &figures {
                if let Value::Real(figure) = row[*column]
                    && figure >= 0.0
                {
                    row.set(*column, Value::Real(figure + *column as f64 / 100.0));
                }
            }
        }
    }
    database
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Reference;

    #[test]
    fn figures_of_two_columns_are_not_level() {
        let schema = "CREATE TABLE t (k STRING, a DOUBLE, b DECIMAL(10, 2), n INT, c DECIMAL(10, 0))";
        let reference = Reference::of_test("SELECT k FROM t", schema);
        let database = |rows: &str| -> Database {
            serde_json::from_str(&format!(r#"{{"tables": [{{"table": "t", "rows": {rows}}}]}}"#)).unwrap()
        };
        let made = database(r#"[["x", 1.5, 1.5, 3, 1.0], ["y", null, -2.5, 3, 1.0]]"#);
        let apart = database(r#"[["x", 1.51, 1.52, 3, 1.0], ["y", null, -2.5, 3, 1.0]]"#);
        assert_eq!(with_distinct_figures(&reference, made), apart);
    }
}
