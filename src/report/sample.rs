//! The public sample of a task: rows that a solver may see, and what the scripts give on them.

use serde::{Deserialize, Serialize};

use super::files::{RunFileError, RunFiles};
use crate::engine::table::Database;
use crate::publish::filled_table::{FilledTable, filled};
use crate::publish::record::{ResultRecord, TaskRecord};
use crate::store::RunDirectory;

/// The public sample of a task; empty if it has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PublicSample {
    pub tables: Vec<FilledTable>,
    /// What the scripts give on it.
    pub results: Vec<ShownResults>,
}

/// What a script gives on a sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownResults {
    /// Whether the table is what the broken script gives, rather than what is wanted.
    pub is_issue: bool,
    /// The table, cut.
    pub table: ResultRecord,
    /// How many rows it has.
    pub total: usize,
}

#[derive(Deserialize)]
struct SampleFile {
    #[serde(default)]
    gives: Vec<ResultRecord>,
    #[serde(default)]
    should_give: Vec<ResultRecord>,
}

impl PublicSample {
    /// Reads the sample of a task, with `most` rows of a table at most.
    pub fn of(run: &RunDirectory, task: &TaskRecord, most: usize) -> Result<PublicSample, RunFileError> {
        PublicSample::read(RunFiles::new(run), task, most)
    }

    pub(super) fn read(files: RunFiles<'_>, task: &TaskRecord, most: usize) -> Result<PublicSample, RunFileError> {
        let id = &task.instance_id;
        let database: Option<Database> = files.json(&format!("samples/{id}.json"))?;
        let results: Option<SampleFile> = files.json(&format!("samples/{id}.results.json"))?;
        Ok(PublicSample {
            tables: database.map(|database| filled(database, &task.schema_ddl, most)).unwrap_or_default(),
            results: results.map(|results| shown(results, most)).unwrap_or_default(),
        })
    }
}

fn shown(results: SampleFile, most: usize) -> Vec<ShownResults> {
    let cut = |is_issue: bool, mut table: ResultRecord| {
        let total = table.rows.len();
        table.rows.truncate(most);
        ShownResults { is_issue, table, total }
    };
    let issue = results.gives.into_iter().map(|table| cut(true, table));
    issue.chain(results.should_give.into_iter().map(|table| cut(false, table))).collect()
}
