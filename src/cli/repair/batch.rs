//! Batch files of `sqlfault repair`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

use super::super::Exit;
use super::super::failure::Failure;
use super::super::terminal::escaped;
use super::assignments::{assignments, shown};
use super::options::RepairOptions;
use crate::llm::{ModelRequest, batch};
use crate::repair::{ModelSolver, Solver};
use crate::store::bounded_lines;

/// The first requests of a solver's attempts that have no answer yet.
fn open_requests(options: &RepairOptions, model: &ModelSolver) -> Result<Vec<ModelRequest>, Failure> {
    let mut requests = Vec::new();
    for assignment in assignments(&shown(options)?, model)? {
        requests.extend(model.first_request(&assignment)?);
    }
    Ok(requests)
}

/// Writes request files.
pub(super) fn write(options: &RepairOptions, models: &[ModelSolver], folder: &Path) -> Result<Exit, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for model in models {
        let requests = open_requests(options, model)?;
        let path = folder.join(format!("{}.{}", model.name(), batch::ending(model.client().model())));
        let content = batch::file(model.client().model(), &requests);
        std::fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}: {} requests in {}", model.name(), requests.len(), path.display());
    }
    println!("{NEXT}");
    Ok(Exit::Done)
}

/// Tells the user what to do with files of requests.
const NEXT: &str = "\
Next: have the providers work the files off, read their result files with --batch-in FILE …, and run the same command
with --offline to make attempts of the answers. What an agent asks later depends on the first answer: its attempts need
the model itself, so leave --offline out for them.";

/// Reads result files.
pub(super) fn read(options: &RepairOptions, models: &[ModelSolver]) -> Result<Exit, Failure> {
    let mut open: HashMap<String, (&ModelSolver, ModelRequest)> = HashMap::new();
    for model in models {
        for request in open_requests(options, model)? {
            open.insert(request.digest(), (model, request));
        }
    }
    let (mut kept, mut failed, mut foreign) = (0, 0, 0);
    for path in &options.batch_in {
        let unread = |error: std::io::Error| format!("{}: {error}", path.display());
        for (at, line) in bounded_lines(BufReader::new(File::open(path).map_err(unread)?)).enumerate() {
            let line = match line {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => line,
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    foreign += 1;
                    eprintln!("{}:{}: the line is not UTF-8", path.display(), at + 1);
                    continue;
                }
                Err(error) => return Err(Failure::from(unread(error))),
            };
            let result = batch::result(&line);
            let request = result.as_ref().and_then(|result| open.get(&result.digest));
            match (result.as_ref().map(|result| &result.body), request) {
                (Some(Ok(body)), Some((model, request))) => {
                    model.client().accept(request.clone(), body)?;
                    kept += 1;
                }
                (Some(Err(message)), Some((model, _))) => {
                    failed += 1;
                    eprintln!("{}: {}", model.name(), escaped(&model.client().without_key(message)));
                }
                _ => foreign += 1,
            }
        }
    }
    println!(
        "{kept} answers kept, {failed} requests failed, {foreign} lines are not results of an open request (unknown here, or answered before)"
    );
    Ok(if failed + foreign > 0 { Exit::Short } else { Exit::Done })
}
