//! `sqlfault review`.

use std::path::PathBuf;

use clap::Args;

use super::Exit;
use super::failure::Failure;
use super::verbosity::closing;
use crate::review::ReviewError;
use crate::review::agreement::PanelAgreement;
use crate::review::apply::apply;
use crate::review::server::ReviewServer;
use crate::review::session::ReviewSession;
use crate::review::sheets::{export, import};

const EXAMPLES: &str = "\
Examples:
  sqlfault review runs/7 --annotator ann --annotator bob --annotator eve
  sqlfault review runs/7 --agreement
  sqlfault review runs/7 --apply";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReviewOptions {
    /// The run's directory
    run: PathBuf,
    /// Who judges; give it up to three times for a page each [default: your login name]
    #[arg(long, value_name = "NAME")]
    annotator: Vec<String>,
    /// Port of 127.0.0.1; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Write judgements to a file instead of serving: of --annotator a sheet with every task, otherwise everyone's
    #[arg(long, value_name = "FILE", conflicts_with_all = ["import", "apply"])]
    export: Option<PathBuf>,
    /// Take the judgements of a file instead of serving
    #[arg(long, value_name = "FILE", conflicts_with = "apply")]
    import: Option<PathBuf>,
    /// Put what the panel decided into the run instead of serving: alternatives into gold.jsonl, decisions into
    /// decisions.jsonl
    #[arg(long)]
    apply: bool,
    /// Print the panel's agreement instead of serving
    #[arg(long, conflicts_with_all = ["export", "import", "apply"])]
    agreement: bool,
}

pub fn run(options: &ReviewOptions) -> Result<Exit, Failure> {
    let session = ReviewSession::open(&options.run)?;
    if let Some(file) = &options.export {
        println!("{} lines written to {}", export(&session, &options.annotator, file)?, file.display());
    } else if let Some(file) = &options.import {
        let imported = import(&session, file)?;
        println!("{} judgements taken, {} lines passed over", imported.taken, imported.passed_over);
    } else if options.apply {
        entered(&session)?;
    } else if options.agreement {
        agreement(&session.agreement());
    } else {
        serve(session, options)?;
    }
    closing("export", options.run.display());
    Ok(Exit::Done)
}

fn serve(session: ReviewSession, options: &ReviewOptions) -> Result<(), ReviewError> {
    let login = || ["USER", "LOGNAME", "USERNAME"].iter().find_map(|key| std::env::var(key).ok());
    let annotators = match options.annotator.as_slice() {
        [] => vec![login().unwrap_or_else(|| "annotator".to_owned())],
        names => names.to_vec(),
    };
    let tasks = session.queue().len();
    let server = ReviewServer::bind(session, &annotators, options.port)?;
    println!("{tasks} tasks to judge; Ctrl-C ends the page, every click is kept");
    for address in server.addresses() {
        println!("{}: {}", address.annotator, address.url);
    }
    server.run()
}

fn entered(session: &ReviewSession) -> Result<(), ReviewError> {
    let applied = apply(session)?;
    println!("{} alternatives entered gold.jsonl", applied.alternatives);
    for (task, annotator) in &applied.refused {
        println!("{task}: the alternative of {annotator} does not give the reference's results");
    }
    println!("{} tasks kept, {} removed, {} without a majority", applied.kept, applied.removed, applied.waiting);
    Ok(())
}

fn agreement(agreement: &PanelAgreement) {
    let kappa = &agreement.kappa;
    println!("{} tasks judged by all {} annotators", kappa.tasks, agreement.panel);
    let shown = kappa.kappa.map_or_else(|| "not defined".to_owned(), |kappa| format!("{kappa:.3}"));
    println!("Fleiss' kappa {shown} (observed {:.3}, by chance {:.3})", kappa.observed, kappa.expected);
    for disagreement in &agreement.disagreements {
        let said = disagreement.blind.iter().map(|judgement| {
            let why = if judgement.why.is_empty() { String::new() } else { format!(" ({})", judgement.why) };
            format!("{} {:?}{why}", judgement.annotator, judgement.verdict)
        });
        println!("{}: {}", disagreement.instance_id, said.collect::<Vec<_>>().join(", "));
    }
}
