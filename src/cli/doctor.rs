//! `sqlfault doctor`.

use clap::Args;

use super::Exit;
use super::failure::Failure;
use super::verbosity::closing;
use crate::engine::spark::{Spark, SparkSettings, find};

const EXAMPLES: &str = "\
Examples:
  sqlfault doctor
  sqlfault doctor --install-spark --start";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DoctorOptions {
    /// Install Spark: pyspark in a virtual environment of its own
    #[arg(long)]
    install_spark: bool,
    /// Start Spark once and run a query
    #[arg(long)]
    start: bool,
}

pub fn run(options: &DoctorOptions) -> Result<Exit, Failure> {
    println!("embedded engine: ready");
    if options.install_spark {
        println!("installed: pyspark {} in {}", find::VERSION, find::install()?.display());
    }
    match find::java() {
        Some(version) => println!("Java: {version}"),
        None => println!("Java: absent; Spark needs Java 17 or later on PATH or in JAVA_HOME"),
    }
    match find::find() {
        Ok(found) => {
            println!("Spark: pyspark {} of {}", found.version, found.python.display());
            closing("build", "--engine spark");
        }
        Err(absent) => {
            println!("Spark: {absent}");
            return Ok(Exit::EngineAbsent);
        }
    }
    Ok(if options.start { start() } else { Exit::Done })
}

fn start() -> Exit {
    match Spark::start(SparkSettings::default()) {
        Ok(spark) => {
            println!("started: {}", spark.name());
            Exit::Done
        }
        Err(error) => {
            println!("Spark does not start: {error}");
            Exit::EngineAbsent
        }
    }
}
