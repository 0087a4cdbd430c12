//! Checks of the SQL in a model: it parses, and every name in it is a column of its table.

use super::checker::ModelChecker;
use crate::code::schema::Schema;
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::corpus::compose::domain::model::Table;

impl ModelChecker<'_> {
    /// Checks SQL over `{column}` of a table.
    pub(super) fn sql(&mut self, at: &str, table: &Table, sql: &str) {
        let mut text = sql.replace("{today}", "2024-03-15");
        for column in table.columns.names() {
            text = text.replace(&format!("{{{column}}}"), column);
        }
        if text.contains('{') {
            self.wrong(at, format!("`{sql}` names a column in braces that the table does not have"));
            return;
        }
        let columns: Vec<String> =
            table.columns.iter().map(|(name, column)| format!("{name} {}", column.kind)).collect();
        let ddl = format!("CREATE TABLE t ({})", columns.join(", "));
        let schema = match Schema::read(&ddl) {
            Ok(schema) => schema,
            // The check of the columns reports the type that does not parse.
            Err(_) => return,
        };
        let script = Script::new(format!("SELECT {text} AS v FROM t"));
        if let Some((_, error)) = script.errors().first() {
            self.wrong(at, format!("`{sql}` does not read: {error}"));
            return;
        }
        if !Scopes::resolve(&script, &schema).problems().is_empty() {
            self.wrong(at, format!("`{sql}` does not resolve: write columns of the table as `{{column}}`"));
        }
        for word in sql.split('\'').skip(1).step_by(2).filter(|word| is_code(word)) {
            let known = table
                .columns
                .iter()
                .any(|(_, column)| column.values.has(word) || column.examples.iter().any(|example| example == word));
            self.expect(known, at, || format!("'{word}' is not a value of any column of the table"));
        }
    }
}

/// Whether a quoted text looks like a code: capitals and underscores only.
fn is_code(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}
