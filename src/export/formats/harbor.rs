//! Harbor: a folder for each task, with its own judge. verifiers, TRL and NeMo Gym run the same folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use minijinja::context;
use serde::Serialize;

use super::row::filled;
use super::row_format::{RowFormat, TaskForm};
use crate::export::{ExportError, ExportFolder, SplitSide, TrainingExample};
use crate::publish::record::{Evidence, shared_database};
use crate::score::Task;
use crate::store::{FileError, LARGEST_FILE, locate, regular_text};

/// Folders of tasks, by side of the split.
pub const HARBOR: RowFormat = RowFormat {
    name: "harbor",
    leaves_out: "the image with the program (`image/README.md` says how to build it) and everything that concerns other tasks",
    tasks: TaskForm::Files(write),
    finish,
    keeps_canary: true,
    ..RowFormat::USUAL
};

fn write(example: &TrainingExample<'_>, side: SplitSide, output: &ExportFolder) -> Result<(), ExportError> {
    let record = &example.task.record;
    let folder = Folder { path: format!("{}/{}", side.name(), record.instance_id), output };
    let sample = locate(Path::new(example.run), &format!("samples/{}.json", record.instance_id));
    let sample = sample.is_file().then_some(sample);
    folder.file("instruction.md", &instruction(example, sample.is_some())?)?;
    folder.file("task.toml", &configuration(example)?)?;
    folder.file("environment/Dockerfile", &image(sample.is_some())?)?;
    folder.file("environment/issue.sql", &record.issue_sql)?;
    folder.file("environment/schema.sql", &record.schema_ddl)?;
    if let Some(sample) = &sample {
        write_public_run(example, sample, &folder)?;
    }
    folder.file("solution/answer.sql", &example.task.gold.reference_sql)?;
    folder.file("solution/solve.sh", include_str!("../../../templates/export/harbor_solve.sh"))?;
    folder.file("tests/test.sh", include_str!("../../../templates/export/harbor_test.sh"))?;
    write_run(example, &folder)
}

fn finish(_: &BTreeMap<SplitSide, usize>, output: &ExportFolder) -> Result<(), ExportError> {
    output.file("image/Dockerfile", include_str!("../../../templates/export/harbor_image.Dockerfile"))?;
    let readme = include_str!("../../../templates/export/harbor_image.md").replace("VERSION", VERSION);
    Ok(output.file("image/README.md", &readme)?)
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder of one task.
struct Folder<'a> {
    path: String,
    output: &'a ExportFolder,
}

impl Folder<'_> {
    fn file(&self, name: &str, content: &str) -> Result<(), FileError> {
        self.output.file(&format!("{}/{name}", self.path), content)
    }

    fn copy(&self, name: &str, from: &Path) -> Result<(), FileError> {
        let content = regular_text(from, LARGEST_FILE).map_err(|source| FileError { path: from.to_owned(), source })?;
        self.file(name, &content)
    }

    fn record(&self, name: &str, record: &impl Serialize) -> Result<(), FileError> {
        let line = serde_json::to_string(record)
            .map_err(|error| FileError { path: PathBuf::from(name), source: std::io::Error::other(error) })?;
        self.file(name, &format!("{line}\n"))
    }
}

/// What a solver is told: the prompt, where the files are, and how to query the sample.
fn instruction(example: &TrainingExample<'_>, has_sample: bool) -> Result<String, ExportError> {
    let values = context! {
        system => &example.system,
        instruction => &example.instruction,
        id => &example.task.record.instance_id,
        has_sample,
    };
    filled(include_str!("../../../templates/export/harbor_instruction.md.j2"), values)
}

/// `task.toml`. Only the domain may need escapes, as the other values are our own names; JSON quotes text as TOML does.
fn configuration(example: &TrainingExample<'_>) -> Result<String, ExportError> {
    let record = &example.task.record;
    let values = context! {
        id => &record.instance_id,
        track => example.track(),
        dialect => record.dialect.title(),
        domain => serde_json::Value::from(record.domain.as_str()).to_string(),
    };
    filled(include_str!("../../../templates/export/harbor_task.toml.j2"), values)
}

/// The image of a task's environment: the program and the files that a solver may see.
fn image(has_sample: bool) -> Result<String, ExportError> {
    let values = context! { version => VERSION, has_sample };
    Ok(filled(include_str!("../../../templates/export/harbor_environment.Dockerfile.j2"), values)? + "\n")
}

/// Writes what `sqlfault query` needs of the run's public part: the task and its sample, and nothing of the judge's.
fn write_public_run(example: &TrainingExample<'_>, sample: &Path, folder: &Folder<'_>) -> Result<(), ExportError> {
    let record = &example.task.record;
    folder.file("environment/run/run.yaml", include_str!("../../../templates/export/harbor_run.yaml"))?;
    folder.record("environment/run/tasks.jsonl", record)?;
    Ok(folder.copy(&format!("environment/run/samples/{}.json", record.instance_id), sample)?)
}

/// Writes a run of this task alone, by which `tests/test.sh` judges. Witnesses of other tasks on the same script become
/// databases of the task, so that it is judged no more mildly than in its own run.
fn write_run(example: &TrainingExample<'_>, folder: &Folder<'_>) -> Result<(), ExportError> {
    let task = example.task;
    let mut gold = task.gold.clone();
    let names = database_names(task);
    for (name, path) in names.iter().zip(task.databases.iter().chain(&task.witnesses)) {
        folder.copy(&format!("tests/run/{name}"), path)?;
    }
    if let Evidence::Killed { databases, .. } = &mut gold.evidence {
        *databases = names;
    }
    folder.copy("tests/run/run.yaml", &locate(Path::new(example.run), "run.yaml"))?;
    folder.record("tests/run/tasks.jsonl", &task.record)?;
    Ok(folder.record("tests/run/gold.jsonl", &gold)?)
}

/// Names of the task's databases inside its run, the witness first, in the way in which a run names them.
fn database_names(task: &Task) -> Vec<String> {
    let count = task.databases.len() + task.witnesses.len();
    (0..count).map(|number| shared_database(task.gold.provenance.key(), number)).collect()
}
