//! Reference and issue on a database, from their texts alone.

use std::collections::BTreeMap;

use crate::code::parameters::Parameters;
use crate::code::schema::{Schema, SchemaError};
use crate::code::scope::{ResolvedScript, Scopes};
use crate::code::script::Script;
use crate::engine::compare::{Comparison, compare};
use crate::engine::policy::Policies;
use crate::engine::spark_rules::{Rejection, judge};
use crate::engine::sqlite::{Limits, LoadedDatabase, RunError, Sqlite, Translation, Unsupported};
use crate::engine::table::{Database, ScriptResult};

/// The schema, the parameters and the platform's policies under which scripts of a task run.
#[derive(Default)]
pub struct Case {
    /// Table definitions.
    pub schema: Schema,
    /// Values of placeholders.
    pub parameters: Parameters,
    /// What the platform forbids beyond the engine.
    pub policies: Policies,
}

/// How a script is translated.
type Translate = fn(&Script, &Scopes, &Schema, &Parameters) -> Result<Translation, Unsupported>;
/// How its translation is run.
type Run = fn(&LoadedDatabase, &Translation, &Limits) -> Result<ScriptResult, RunError>;

impl Case {
    /// The case of a task, from what its record holds.
    ///
    /// # Errors
    ///
    /// When the table definitions do not read.
    pub fn read(ddl: &str, parameters: &BTreeMap<String, String>, policies: Policies) -> Result<Case, SchemaError> {
        Ok(Case { schema: Schema::read(ddl)?, parameters: parameters.iter().collect(), policies })
    }

    /// Why Spark's rules, or else a policy, refuse a script; none when they do not.
    pub fn rejection(&self, text: &str) -> Option<Rejection> {
        let ResolvedScript { script, scopes } = ResolvedScript::new(text, &self.schema);
        judge(&script, &scopes, &self.schema).or_else(|| self.policies.judge(&script, &scopes, self.into()))
    }

    /// What a script gives on a database.
    ///
    /// # Errors
    ///
    /// In words: an unbound placeholder, a construct that is not supported, or a failure of the run.
    pub fn run(&self, text: &str, database: &Database) -> Result<ScriptResult, String> {
        self.run_by(text, database, (Sqlite::translate, LoadedDatabase::run))
    }

    /// As [`Case::run`], with every table read from end to end: what the order of rows can change, it changes.
    ///
    /// # Errors
    ///
    /// As [`Case::run`]; limits are used up sooner.
    pub fn run_scanning(&self, text: &str, database: &Database) -> Result<ScriptResult, String> {
        self.run_by(text, database, (Sqlite::translate_both_ways, LoadedDatabase::run_scanning))
    }

    fn run_by(
        &self,
        text: &str,
        database: &Database,
        (translate, run): (Translate, Run),
    ) -> Result<ScriptResult, String> {
        let bound = self.parameters.bind(text).map_err(|error| error.to_string())?;
        let ResolvedScript { script, scopes } = ResolvedScript::new(bound, &self.schema);
        let translation = translate(&script, &scopes, &self.schema, &self.parameters)
            .map_err(|unsupported| format!("{unsupported:?}"))?;
        let loaded = Sqlite::open(&self.schema, database).map_err(|error| error.to_string())?;
        run(&loaded, &translation, &Limits::default()).map_err(|error| error.to_string())
    }

    /// Whether two scripts both run on a database and give different rows.
    ///
    /// # Errors
    ///
    /// When one of them does not run.
    pub fn differ(&self, reference: &str, issue: &str, database: &Database) -> Result<bool, String> {
        let expected = self.run(reference, database)?;
        let found = self.run(issue, database)?;
        Ok(matches!(compare(&expected, &found), Comparison::Different(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::{TableRows, Value};

    /// Whether the rows of a query change when it is read in another order, by scans alone.
    fn hangs_on_order(query: &str) -> bool {
        let case = Case::read("CREATE TABLE t (a INT, b INT);", &BTreeMap::new(), Policies::default()).unwrap();
        let row = |a: i64, b: i64| vec![Value::Integer(a), Value::Integer(b)];
        let rows = vec![row(1, 1), row(1, 2), row(1, 3), row(2, 4)];
        let database = Database { tables: vec![TableRows { table: "t".to_owned(), rows }] };
        let first = case.run(query, &database).unwrap();
        matches!(compare(&first, &case.run_scanning(query, &database).unwrap()), Comparison::Different(_))
    }

    #[test]
    fn rows_of_one_rank_are_turned_where_a_window_counts_rows() {
        // Groups come sorted by their keys, so that no order of the table shows what the window leaves open.
        let groups = "FROM (SELECT a, b, sum(b) AS s FROM t GROUP BY a, b) g";
        for (window, open) in [
            ("row_number() OVER (PARTITION BY a ORDER BY a)", true),
            ("row_number() OVER (PARTITION BY a ORDER BY b)", false),
            ("lag(s) OVER (ORDER BY a)", true),
            ("lag(s) OVER (ORDER BY a, b)", false),
            ("sum(s) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)", true),
            ("sum(s) OVER (ORDER BY a)", false),
            ("rank() OVER (ORDER BY a)", false),
            ("dense_rank() OVER (ORDER BY a)", false),
            ("sum(s) OVER (PARTITION BY a)", false),
        ] {
            assert_eq!(hangs_on_order(&format!("SELECT b, {window} AS w {groups}")), open, "{window}");
        }
    }
}
