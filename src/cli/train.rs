//! `sqlfault train`.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::export::share;
use super::failure::Failure;
use super::heading::{RUNS, WHAT};
use super::progress::TerminalProgress;
use super::verbosity::closing;
use super::worker_count::workers;
use super::{Exit, interrupt};
use crate::export::formats::{FORMATS, format};
use crate::export::{AnswerStyle, KeptOut, RowFormat, SplitGroup};
use crate::inject::Mix;
use crate::pipeline::{Shard, TOOL};
use crate::train::join::join;
use crate::train::{PartSettings, TrainError, TrainSettings, TrainShard, TrainSummary, train};

const EXAMPLES: &str = "\
Examples:
  sqlfault train --pairs 100000 --out training/             rows in training/parts/*/train.jsonl
  sqlfault train --pairs 100000 --out training/ --resume    go on where it was cut off
  sqlfault train --pairs 50000 --shard 2/8 --seed 7 --out s2/
  sqlfault train --mix critic --out critics/                critiques, of right scripts too
  sqlfault train --join s1/ s2/ --out training/             one run of all shards, without repetitions
  sqlfault check training/                                  prove every pair again";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TrainOptions {
    /// A new or empty folder
    #[arg(long)]
    out: PathBuf,
    /// Proved pairs wanted, of this shard where there are several
    #[arg(long, default_value_t = 10_000, help_heading = WHAT)]
    pairs: usize,
    /// Random seed; the same seed gives the same bytes
    #[arg(long, default_value_t = 7, help_heading = WHAT)]
    seed: u64,
    /// Most pairs of one composed script
    #[arg(long, value_name = "N", default_value_t = 48, help_heading = WHAT)]
    pairs_per_script: usize,
    /// Share of pairs that engines refuse, from 0 to 1
    #[arg(long, default_value_t = 0.5, value_parser = share, help_heading = WHAT)]
    syntax_share: f64,
    /// The mix of faults to aim at
    #[arg(long, value_enum, default_value_t = Mix::Paper, help_heading = WHAT)]
    mix: Mix,
    /// The format of the rows: trl-dpo, trl-kto or trl-sft
    #[arg(long, default_value = "trl-sft", help_heading = WHAT)]
    format: String,
    /// What the wanted answer looks like [default: whole, critique with --mix critic]
    #[arg(long, value_enum, help_heading = WHAT)]
    answers: Option<AnswerStyle>,
    /// Faults in one pair, as `2` or `1..3` [default: 1, 5..6 with --mix critic]
    #[arg(long, value_name = "MIN..MAX", value_parser = super::build::range, help_heading = WHAT)]
    faults_per_pair: Option<RangeInclusive<usize>>,
    /// With --answers critique: right scripts for each wrong one, untouched or rewritten without changing what they
    /// mean; no complaint is shown then; every script comes with what it is for [default: 0, 4 with --mix critic]
    #[arg(long, value_name = "N", help_heading = WHAT)]
    controls: Option<usize>,
    /// Runs, such as public benchmarks, whose scripts must not come up in the pairs: a script is left out if it differs
    /// from one of theirs in names and literals only
    #[arg(long, value_name = "RUN", num_args = 1.., help_heading = WHAT)]
    without: Vec<PathBuf>,
    /// What stays on one side of the split; a composed script is its own source script
    #[arg(long, value_enum, default_value_t = SplitGroup::SourceScript, help_heading = WHAT)]
    split_by: SplitGroup,
    /// Share of the groups held out for validation
    #[arg(long, default_value_t = 0.0, value_parser = share, help_heading = WHAT)]
    validation: f64,
    /// Share of the groups held out for testing
    #[arg(long, default_value_t = 0.0, value_parser = share, help_heading = WHAT)]
    test: f64,
    /// Make shard K of N: the shards have no script in common
    #[arg(long, value_name = "K/N", value_parser = super::build::shard, help_heading = RUNS)]
    shard: Option<Shard>,
    /// Make one run of these shards instead
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["shard", "resume"], help_heading = RUNS)]
    join: Vec<PathBuf>,
    /// Go on where a run was cut off
    #[arg(long, help_heading = RUNS)]
    resume: bool,
    /// Workers [default: one a core]
    #[arg(long, help_heading = RUNS)]
    jobs: Option<NonZero<usize>>,
}

impl TrainOptions {
    fn answers(&self) -> AnswerStyle {
        let usual = if self.mix == Mix::Critic { AnswerStyle::Critique } else { AnswerStyle::Whole };
        self.answers.unwrap_or(usual)
    }
}

pub fn run(options: &TrainOptions) -> Result<Exit, Failure> {
    if !options.join.is_empty() {
        let joined = join(&options.join, &options.out).map_err(refused)?;
        println!("{} pairs in {} parts, {} scripts left out as repeated", joined.pairs, joined.parts, joined.repeated);
        println!("written to {}", options.out.display());
        return Ok(Exit::Done);
    }
    let self_contained = |name: &str| format(name).filter(|format| format.is_self_contained);
    let Some(format) = self_contained(&options.format) else {
        let names: Vec<&str> =
            FORMATS.iter().map(|format| format.name).filter(|name| self_contained(name).is_some()).collect();
        let why = format!("training pairs have no run beside them; --format is one of {}", names.join(", "));
        return Err(Failure::usage(why));
    };
    let has_controls = options.controls.unwrap_or(options.mix.controls()) > 0;
    if has_controls && !matches!(options.answers(), AnswerStyle::Critique) {
        let why = "a script without a fault has no repair; --controls and --mix critic go with --answers critique";
        return Err(Failure::usage(why));
    }
    interrupt::listen();
    let settings = settings(options, format, KeptOut::read(&options.without)?);
    let start = Instant::now();
    let summary = train(&settings, format, &TerminalProgress::new(false)).map_err(refused)?;
    report(options, &summary, start.elapsed().as_secs_f64())
}

fn settings(options: &TrainOptions, format: &RowFormat, kept_out: KeptOut) -> TrainSettings {
    let faults = options.faults_per_pair.as_ref().map(|faults| [*faults.start(), *faults.end()]);
    let recipe = PartSettings {
        tool: TOOL.to_owned(),
        seed: options.seed,
        format: format.name.to_owned(),
        answers: format!("{:?}", options.answers()).to_lowercase(),
        mix: options.mix,
        pairs_of_a_reference: options.pairs_per_script,
        syntax: options.syntax_share,
        held_out: [options.validation, options.test],
        by_domain: matches!(options.split_by, SplitGroup::Domain),
        faults: faults.or(options.mix.faults()).unwrap_or([1, 1]),
        controls: options.controls.unwrap_or(options.mix.controls()),
        kept_out: kept_out.digest(),
    };
    TrainSettings {
        out: options.out.clone(),
        resume: options.resume,
        jobs: workers(options.jobs),
        pairs: options.pairs,
        shard: TrainShard(options.shard.unwrap_or(Shard { number: 1, of: 1 })),
        split: recipe.split(),
        recipe,
        style: options.answers(),
        kept_out,
    }
}

fn refused(error: TrainError) -> Failure {
    match error {
        TrainError::Taken(_) | TrainError::File(_) => Failure::new(Exit::Output, error),
        error => error.into(),
    }
}

fn report(options: &TrainOptions, summary: &TrainSummary, seconds: f64) -> Result<Exit, Failure> {
    let TrainSummary { pairs, new_pairs, references, without_pairs, stopped } = *summary;
    println!("{pairs} pairs of {references} scripts; {without_pairs} scripts gave none");
    if new_pairs > 0 {
        println!("{new_pairs} of them made in {seconds:.1} s: {:.0} a second", new_pairs as f64 / seconds);
    }
    println!("written to {}", options.out.display());
    if stopped {
        let message = format!("stopped; go on with `--resume --out {}`", options.out.display());
        return Err(Failure::new(Exit::Interrupted, message));
    }
    closing("check --every 10", options.out.display());
    Ok(Exit::Done)
}
