//! The databases that an answer has to pass beyond the suite of its task.

use super::benchmark::Task;
use super::held_out::{DatabaseSource, draw};
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::engine::table::Database;

/// The data that all answers to a task share.
#[derive(Debug)]
pub(super) struct TaskData {
    /// The witnesses of other tasks on the script, and the databases drawn for this task.
    pub held_out: Vec<Database>,
    /// The databases from which targeted ones are made.
    pub suite: Vec<Database>,
}

impl TaskData {
    /// Reads and draws the databases of a task.
    pub fn of(task: &Task) -> TaskData {
        let parameters: Parameters = task.record.parameters.iter().collect();
        // With an unreadable schema or an unbound placeholder the script does not run anyway, so any fallback will do.
        let schema = &Schema::read(&task.record.schema_ddl).unwrap_or_default();
        let bound = [&task.gold.reference_sql, &task.record.issue_sql]
            .map(|text| Script::new(parameters.bind(text).unwrap_or_else(|_| text.clone())));
        // A database that cannot be read was reported when the answer ran on it.
        let read = |path| Database::read(path).ok();
        let mut suite: Vec<Database> = task.databases.iter().filter_map(|path| read(path)).collect();
        let source =
            DatabaseSource { key: &task.record.instance_id, schema, scripts: [&bound[0], &bound[1]], suite: &suite };
        let held_out = task.witnesses.iter().filter_map(|path| read(path)).chain(draw(&source)).collect();
        // The witness comes first. It is minimised and leaves little to vary, so it is used only if there is nothing
        // else.
        if suite.len() > 1 {
            suite.remove(0);
        }
        TaskData { held_out, suite }
    }
}
