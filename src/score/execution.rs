//! EX on one database: does an answer give the rows of the correct script?

use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::engine::table::Database;
use crate::engine::{ContextRef, EmbeddedEngine, Engine};

/// Whether both scripts run on a database and give the same rows, in any order. The embedded engine runs them in this
/// process, within its limits of time and memory.
pub fn execution_match(prediction: &Script, reference: &Script, schema: &Schema, database: &Database) -> bool {
    let parameters = Parameters::default().with_assignments(reference);
    let context = ContextRef { schema, parameters: &parameters, policies: &Default::default() };
    EmbeddedEngine.differ(reference.text(), prediction.text(), context, database) == Ok(false)
}
