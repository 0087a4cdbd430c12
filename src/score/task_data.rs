//! The databases that an answer has to meet beyond the suite of its task, and what they are made from.

use super::benchmark::Task;
use super::held_out::{DatabaseSource, draw};
use crate::code::parameters::Parameters;
use crate::code::schema::Schema;
use crate::code::script::Script;
use crate::corpus::Reference;
use crate::engine::table::Database;
use crate::prove::Subject;
use crate::prove::targeted::targeted_databases;

/// What all answers to a task have in common.
#[derive(Debug)]
pub(super) struct TaskData {
    /// Witnesses of other tasks on the script, and databases drawn for the task.
    pub held_out: Vec<Database>,
    suite: Vec<Database>,
    /// `None` where the task's schema or script does not read: no answer is judged by its rows then.
    reference: Option<Reference>,
}

impl TaskData {
    /// Reads and draws the databases of a task.
    pub fn of(task: &Task) -> TaskData {
        let parameters: Parameters = task.record.parameters.iter().collect();
        // A schema that does not read, or a script with an unbound placeholder, does not run either: any text is as good.
        let schema = &Schema::read(&task.record.schema_ddl).unwrap_or_default();
        let bound = [&task.gold.reference_sql, &task.record.issue_sql]
            .map(|text| Script::new(parameters.bind(text).unwrap_or_else(|_| text.clone())));
        // A database that cannot be read has been reported when the answer ran on it.
        let read = |path| Database::read(path).ok();
        let mut suite: Vec<Database> = task.databases.iter().filter_map(|path| read(path)).collect();
        let source =
            DatabaseSource { key: &task.record.instance_id, schema, scripts: [&bound[0], &bound[1]], suite: &suite };
        let held_out = task.witnesses.iter().filter_map(|path| read(path)).chain(draw(&source)).collect();
        // The witness comes first and is as small as can be: there is little in it to vary, unless it is all there is.
        if suite.len() > 1 {
            suite.remove(0);
        }
        TaskData { held_out, suite, reference: task.reference().ok() }
    }

    /// Databases that show the difference between the reference and an answer, if there is one near what it changes.
    pub fn targeted(&self, answer: &str) -> Vec<Database> {
        let Some(subject) = self.reference.as_ref().and_then(|read| Subject::without_databases(read).ok()) else {
            return Vec::new();
        };
        targeted_databases(&subject, &Script::new(answer), &self.suite)
    }
}
