//! `sqlfault merge`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::progress::TerminalProgress;
use super::verbosity::closing;
use super::worker_count::workers;
use super::{Exit, build, interrupt};
use crate::pipeline::{Merge, merge};

const EXAMPLES: &str = "\
Examples:
  sqlfault merge parts/1 parts/2 --out runs/7   of `build --shard 1/2` and `build --shard 2/2`";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MergeOptions {
    /// Folders of `build --shard`, or one of `build --plan-only` with the cluster's records
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Where the run goes
    #[arg(long)]
    out: PathBuf,
    /// Workers for what no record holds [default: one a core]
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
    /// Go on with a merge that was cut off
    #[arg(long)]
    resume: bool,
}

pub fn run(options: &MergeOptions) -> Result<Exit, Failure> {
    interrupt::listen();
    let jobs = workers(options.jobs);
    let request = Merge { folders: &options.folders, out: &options.out, jobs, resume: options.resume };
    let merged = merge(request, &TerminalProgress::new(false)).map_err(build::ended_by)?;
    println!("seed {}", merged.seed);
    println!("{} records; {} mutants tried here, which no record held", merged.records, merged.tried_here);
    build::report(&options.out, &merged.funnel);
    closing("report", options.out.display());
    Ok(build::ended(&merged.funnel))
}
