//! `sqlfault build`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;

use super::progress::Shown;
use super::{Exit, bad_input};
use crate::build::{Funnel, Settings, build};
use crate::inject::Mix;

/// Options of `build`.
#[derive(Debug, Args)]
pub struct Options {
    /// Where the run goes [default: runs/<seed>]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Seed of all chance; the same seed gives the same bytes [default: drawn and printed]
    #[arg(long)]
    seed: Option<u64>,
    /// Syntax tasks wanted
    #[arg(long, default_value_t = 469)]
    syntax: usize,
    /// Semantic tasks wanted
    #[arg(long, default_value_t = 516)]
    semantic: usize,
    /// Faults in one task, as `2` or `1..3`
    #[arg(long, value_name = "MIN..MAX", default_value = "1", value_parser = range)]
    faults_per_task: RangeInclusive<usize>,
    /// Scripts without a fault wanted: untouched, or rewritten without changing what they mean
    #[arg(long, default_value_t = 0)]
    controls: usize,
    /// Workers [default: one a core]
    #[arg(long)]
    jobs: Option<usize>,
    /// What the shares of faults follow
    #[arg(long, value_enum, default_value_t)]
    mix: Mix,
    /// Go on with a run that was cut off
    #[arg(long)]
    resume: bool,
    /// A folder of your own seeds instead of those carried in the binary
    #[arg(long)]
    seeds: Option<PathBuf>,
    /// A folder of your own taxonomy instead of the one carried in the binary
    #[arg(long)]
    taxonomy: Option<PathBuf>,
    /// Print the funnel as JSON
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(options: &Options) -> Exit {
    let seed = options.seed.unwrap_or_else(fresh_seed);
    let out = options.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(seed.to_string()));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let settings = Settings {
        out,
        seed,
        syntax: options.syntax,
        semantic: options.semantic,
        faults_per_task: options.faults_per_task.clone(),
        controls: options.controls,
        jobs: options.jobs.unwrap_or(cores),
        resume: options.resume,
        mix: options.mix,
        seeds: options.seeds.clone(),
        taxonomy: options.taxonomy.clone(),
    };
    if !options.json {
        println!("seed {seed}");
    }
    match build(&settings, &Shown::new(options.json)) {
        Ok(funnel) if options.json => {
            println!("{}", serde_json::json!({ "seed": seed, "out": settings.out, "funnel": funnel }));
            ended(&funnel)
        }
        Ok(funnel) => {
            report(&settings, &funnel);
            ended(&funnel)
        }
        Err(error) => bad_input(&error),
    }
}

fn ended(funnel: &Funnel) -> Exit {
    if funnel.is_full() { Exit::Done } else { Exit::Short }
}

fn report(settings: &Settings, funnel: &Funnel) {
    for (track, numbers) in &funnel.tracks {
        println!(
            "{track:?}: {} of {} tasks, distance of the mix from the wanted one {:.3}",
            numbers.published, numbers.asked, numbers.mix_distance
        );
    }
    for (script, reason) in &funnel.refused {
        println!("refused {script}: {reason}");
    }
    println!("written to {}", settings.out.display());
}

/// A number that differs from run to run; the standard library draws its hash keys from the system.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish() >> 32
}

/// Reads `2` or `1..3`; both ends are included.
fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.trim().parse(), most.trim_start_matches('=').trim().parse()) {
        (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= 8 => Ok(least..=most),
        _ => Err("expected a number from 1 to 8, or two of them as in `1..3`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn ranges_include_both_ends_and_never_reach_zero() {
        assert_eq!(range("2"), Ok(2..=2));
        assert_eq!(range("1..3"), Ok(1..=3));
        assert_eq!(range("1..=3"), Ok(1..=3));
        for wrong in ["0", "0..2", "3..1", "1..", "x", "1..99", ""] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
