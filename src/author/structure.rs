//! What a script that was carried over to another business must keep of its source, and what it must not.

use std::collections::BTreeSet;

use super::refusal::{FailedGate, GateFailure};
use crate::code::profile::Profile;
use crate::code::schema::Schema;
use crate::code::script::Script;

/// Largest share of the source's parts by which a script may differ from it.
const MOST_OTHER_PARTS: f64 = 0.2;
/// Largest share of the source's column names that the tables may keep: any business has `id` and `status`.
const MOST_KEPT_COLUMNS: f64 = 0.5;

/// Checks that a script consists of about as many parts of each kind as its source.
///
/// # Errors
///
/// Lists the kinds of which there are more or fewer if they are too many.
pub(super) fn same_structure(script: &Script, source: &Script) -> Result<(), GateFailure> {
    let (own, wanted) = (parts(script), parts(source));
    let pairs = || own.iter().zip(&wanted).filter(|(own, wanted)| own.1 != wanted.1);
    let other: usize = pairs().map(|(own, wanted)| own.1.abs_diff(wanted.1)).sum();
    let all: usize = wanted.iter().map(|(_, count)| count).sum();
    if other as f64 <= MOST_OTHER_PARTS * all as f64 {
        return Ok(());
    }
    let differences: Vec<String> =
        pairs().map(|((kind, own), (_, wanted))| format!("{own} {kind} and not {wanted}")).collect();
    Err(FailedGate::OtherStructure.with(format!("the script has {}", differences.join(", "))))
}

/// How many parts of each kind a script has.
fn parts(script: &Script) -> [(&'static str, usize); 10] {
    let profile = Profile::of(script);
    [
        ("statements", profile.statements),
        ("common tables", profile.common_tables),
        ("SELECT blocks", profile.selects),
        ("joins", profile.joins),
        ("set operations", profile.set_operations),
        ("WHEN branches", profile.whens),
        ("window functions", profile.windows),
        ("lateral views", profile.lateral_views),
        ("GROUP BY clauses", profile.group_bys),
        ("WHERE clauses", profile.wheres),
    ]
}

/// Checks that tables are not called as those of the source are, and most columns neither.
///
/// # Errors
///
/// Names what is left.
pub(super) fn no_remnants(schema: &Schema, source: &Schema) -> Result<(), GateFailure> {
    let left = |names: fn(&Schema) -> BTreeSet<String>| -> (Vec<String>, usize) {
        let (own, old) = (names(schema), names(source));
        (own.intersection(&old).cloned().collect(), old.len())
    };
    let (tables, _) = left(tables);
    if !tables.is_empty() {
        return Err(FailedGate::Remnants.with(format!("tables are called as in the source: {}", tables.join(", "))));
    }
    let (columns, all) = left(columns);
    if columns.len() as f64 > MOST_KEPT_COLUMNS * all as f64 {
        let message = format!("most columns are called as in the source: {}", columns.join(", "));
        return Err(FailedGate::Remnants.with(message));
    }
    Ok(())
}

/// The names of tables without their databases.
fn tables(schema: &Schema) -> BTreeSet<String> {
    let name = |name: &str| name.rsplit('.').next().unwrap_or(name).to_lowercase();
    schema.tables.iter().map(|table| name(&table.name)).collect()
}

fn columns(schema: &Schema) -> BTreeSet<String> {
    schema.tables.iter().flat_map(|table| &table.columns).map(|column| column.name.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_and_names_are_not() {
        let source =
            "WITH c AS (SELECT a FROM t JOIN u ON t.a = u.a WHERE a > 1) SELECT a, COUNT(*) AS n FROM c GROUP BY a";
        let judged = |text: &str| same_structure(&Script::new(text), &Script::new(source));
        assert_eq!(judged(&source.replace('a', "z").replace("AS n", "AS many")), Ok(()));
        let failure = judged("SELECT a, COUNT(*) AS n FROM t GROUP BY a").unwrap_err();
        let wanted = "the script has 0 common tables and not 1, 1 SELECT blocks and not 2, 0 joins and not 1, 0 WHERE clauses and not 1";
        assert_eq!((failure.gate, failure.message.as_str()), (FailedGate::OtherStructure, wanted));
    }

    #[test]
    fn tables_may_share_few_columns_with_the_source_and_no_name() {
        let judged = |ddl: &str| {
            let source = "CREATE TABLE dwd.rides (id BIGINT, fare DOUBLE, rider STRING, dt STRING)";
            no_remnants(&Schema::read(ddl).unwrap(), &Schema::read(source).unwrap()).map_err(|failure| failure.message)
        };
        assert_eq!(judged("CREATE TABLE zoo.feeds (id BIGINT, weight DOUBLE, keeper STRING, dt STRING)"), Ok(()));
        let left = judged("CREATE TABLE zoo.RIDES (keeper STRING)").unwrap_err();
        assert_eq!(left, "tables are called as in the source: rides");
        let left = judged("CREATE TABLE zoo.feeds (id BIGINT, fare DOUBLE, dt STRING)").unwrap_err();
        assert_eq!(left, "most columns are called as in the source: dt, fare, id");
    }
}
