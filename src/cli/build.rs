//! `sqlfault build`.

mod models;
mod refill;

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;

use super::compose::{fits, line_range, script_range};
use super::config::Config;
use super::engine::{EngineOptions, JudgeOptions};
use super::heading::{MODELS, RUNS, WHAT};
use super::parameters::ParameterOptions;
use super::progress::TerminalProgress;
use super::verbosity::closing;
use super::{Exit, bad_input, failed, interrupt, no_engine, no_translator, unread, workers};
use crate::code::parameters::Parameters;
use crate::corpus::compose::ProfileName;
use crate::inject::Mix;
use crate::pipeline::{
    BuildError, BuildSettings, Funnel, ReferenceSource, Shard, ShardError, build, build_shard, write_plan,
};
use crate::prove::effort::Effort;
use crate::publish::complaint::Hints;
use crate::publish::difficulty::DifficultyTarget;
use crate::store::StoreError;

const EXAMPLES: &str = "\
Examples:
  sqlfault build                                     469 syntax and 516 semantic tasks in runs/<seed>, each on a
                                                     script of its own, composed for this run
  sqlfault build --seed 7 --syntax 40 --semantic 40  a small run; the same seed gives the same bytes
  sqlfault build --source my-scripts/ --out runs/own  tasks from your own scripts
  sqlfault build --seed 7 --resume                   go on where a run was cut off
  sqlfault build --refill runs/7                     new tasks for those that sift or reviewers took out";

/// Options of `build`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BuildOptions {
    /// Where the run goes [default: runs/<seed>]
    #[arg(long, help_heading = RUNS)]
    out: Option<PathBuf>,
    /// Random seed; the same seed gives the same bytes [default: drawn and printed]
    #[arg(long, help_heading = RUNS)]
    seed: Option<u64>,
    /// Syntax tasks wanted [default: 469]
    #[arg(long, help_heading = WHAT)]
    syntax: Option<usize>,
    /// Semantic tasks wanted [default: 516]
    #[arg(long, help_heading = WHAT)]
    semantic: Option<usize>,
    /// Faults in one task, as `2` or `1..3` [default: 1; one to three in syntax tasks of composed scripts, 1.5 on
    /// average]
    #[arg(long, value_name = "MIN..MAX", value_parser = range, help_heading = WHAT)]
    faults_per_task: Option<RangeInclusive<usize>>,
    /// Scripts without a fault wanted, untouched or rewritten without changing what they mean [default: 0]
    #[arg(long, help_heading = WHAT)]
    controls: Option<usize>,
    /// Workers [default: one a core]
    #[arg(long, help_heading = RUNS)]
    jobs: Option<NonZero<usize>>,
    /// The mix of faults to aim at [default: paper]
    #[arg(long, value_enum, help_heading = WHAT)]
    mix: Option<Mix>,
    /// How much complaints tell: the business rule and figures, figures only, what kind of wrong is seen, or each of
    /// these for some tasks [default: mixed]
    #[arg(long, value_enum)]
    hints: Option<Hints>,
    /// How hard tasks of composed scripts are to be: `easy`, short scripts, one place to repair, complaints that state
    /// the rule, levels 1 to 3; `hard`, 600 lines and more, several faults or places, complaints that state only the
    /// symptom, levels 4 and 5 [default: mixed]
    #[arg(long, value_enum, help_heading = WHAT)]
    difficulty: Option<DifficultyTarget>,
    /// Number of lines of a composed script [default: as --difficulty has them]
    #[arg(long, value_name = "MIN..MAX", value_parser = line_range, help_heading = WHAT)]
    lines: Option<(usize, usize)>,
    /// How many files a composed script consists of, each of which but the first reads tables that earlier ones make
    /// [default: 1]
    #[arg(long, value_name = "MIN..MAX", value_parser = script_range, help_heading = WHAT)]
    scripts: Option<(usize, usize)>,
    /// What composed scripts are to be like: `paper`, about as long and flat as in table 1 of the paper, for each track
    #[arg(long, value_enum, conflicts_with_all = ["difficulty", "lines", "scripts"], help_heading = WHAT)]
    profile: Option<ProfileName>,
    /// How long to search for a database that kills a mutant: low, normal or high [default: normal; low for composed
    /// scripts, where another one costs less than a long search]
    #[arg(long, value_name = "EFFORT", help_heading = RUNS)]
    effort: Option<Effort>,
    /// Take dropped tasks out of this run, and put new ones in their places: tasks that `sift` finds too easy, that
    /// reviewers removed, or that `prove --certify` dropped
    #[arg(long, value_name = "RUN", conflicts_with_all = [
        "out", "seed", "syntax", "semantic", "faults_per_task", "controls", "mix", "hints", "difficulty", "lines", "scripts", "profile", "effort", "resume", "config", "models",
        "policy",
    ], help_heading = RUNS)]
    refill: Option<PathBuf>,
    /// Go on with a run that was cut off; its folder is --out, or runs/<seed>
    #[arg(long, help_heading = RUNS)]
    resume: bool,
    /// Where the references come from: `composed` for this run, a fresh one for every task; `hand-written`, the
    /// scripts in the binary; or a folder of your own scripts [default: composed]
    #[arg(long, alias = "seeds", value_name = "composed|hand-written|FOLDER", help_heading = WHAT)]
    source: Option<ReferenceSource>,
    /// The dialect that the scripts of the folder are written in, such as `snowflake`: an installed sqlglot translates
    /// them and their definitions
    #[arg(long, value_name = "NAME", help_heading = WHAT)]
    dialect: Option<String>,
    /// Definitions of tables besides those in the folder of scripts, in any form that `inject --schema` takes;
    /// `spark:DATABASE` asks the catalogue of your own Spark
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = WHAT)]
    schema: Vec<PathBuf>,
    #[command(flatten)]
    parameters: ParameterOptions,
    /// A folder of your own taxonomy instead of the one carried in the binary
    #[arg(long, value_name = "DIR", help_heading = WHAT)]
    taxonomy: Option<PathBuf>,
    /// A folder of your own templates instead of those carried in the binary
    #[arg(long, value_name = "DIR", help_heading = WHAT)]
    templates: Option<PathBuf>,
    /// A YAML file of models, as for `repair`: they plant some of the faults, and every gate holds for them too
    #[arg(long, value_name = "FILE", help_heading = MODELS)]
    models: Option<PathBuf>,
    /// Share of the tasks whose faults models plant, from 0 to 1 [default: 0.25 with --models]
    #[arg(long, value_name = "SHARE", help_heading = MODELS)]
    rewrite_share: Option<f64>,
    /// Let models reword complaints
    #[arg(long, help_heading = MODELS)]
    reword: bool,
    /// Take answers of models from RUN/exchanges only
    #[arg(long, help_heading = MODELS)]
    offline: bool,
    /// Ask no model any more before this is spent, in the currency of the prices
    #[arg(long, value_name = "MONEY", help_heading = MODELS)]
    max_cost: Option<f64>,
    /// All of these settings, and complexity: {alpha, beta, tau}, as YAML; what the command line says wins
    #[arg(long, value_name = "FILE", help_heading = RUNS)]
    config: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    judges: JudgeOptions,
    /// Make part K of N of the trials only; `merge` makes the run out of all parts
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with = "plan_only", help_heading = RUNS)]
    shard: Option<Shard>,
    /// Write the work items and nothing else; `worker` does them, anywhere
    #[arg(long, help_heading = RUNS)]
    plan_only: bool,
    /// Print the funnel as JSON
    #[arg(long, help_heading = RUNS)]
    json: bool,
}

/// Runs it.
pub fn run(options: &BuildOptions) -> Exit {
    if let Some(run) = &options.refill {
        return refill::run(options, run);
    }
    let settings = match settings(options) {
        Ok(settings) => settings,
        Err(exit) => return exit,
    };
    interrupt::listen();
    if !options.json {
        println!("seed {}", settings.seed);
    }
    if options.shard.is_some() || options.plan_only {
        return part(&settings, options.shard);
    }
    let progress = TerminalProgress::new(options.json);
    let built = build(&settings, &progress);
    if built.is_ok()
        && let Err(error) = progress.times().write(&settings.out)
    {
        eprintln!("note: how long it took is not kept for `report`: {error}");
    }
    match built {
        Ok(funnel) if options.json => {
            println!("{}", serde_json::json!({ "seed": settings.seed, "out": settings.out, "funnel": funnel }));
            closing("report", settings.out.display());
            ended(&funnel)
        }
        Ok(funnel) => {
            report(&settings.out, &funnel);
            closing("report", settings.out.display());
            ended(&funnel)
        }
        Err(error) => refused(&error),
    }
}

fn refused(error: &BuildError) -> Exit {
    match error {
        BuildError::Stopped { .. } | BuildError::RefillStopped(_) => failed(error, Exit::Interrupted),
        BuildError::Store(StoreError::File { .. }) => failed(error, Exit::Output),
        BuildError::Translator(error) => no_translator(error),
        BuildError::Corpus(error) => unread(error),
        BuildError::Engine(_) | BuildError::EngineNeeded(_) => no_engine(error),
        _ => bad_input(error),
    }
}

/// Reports an error of shards and returns how it ends the program.
pub(super) fn ended_by(error: &ShardError) -> Exit {
    match error {
        ShardError::Build(error) => refused(error),
        ShardError::Store(StoreError::File { .. }) => failed(error, Exit::Output),
        _ => bad_input(error),
    }
}

/// Makes one part of a run, or if `shard` is `None` the plan of all.
fn part(settings: &BuildSettings, shard: Option<Shard>) -> Exit {
    let said = match shard {
        Some(shard) => {
            build_shard(settings, shard, &TerminalProgress::new(false)).map(|items| format!("{items} items"))
        }
        None => write_plan(settings, &TerminalProgress::new(false))
            .map(|(items, trials)| format!("{items} items with {trials} trials to make")),
    };
    match said {
        Ok(said) => {
            println!("{said} in {}", settings.out.display());
            Exit::Done
        }
        Err(error) => ended_by(&error),
    }
}

/// Puts the settings together: the command line takes precedence over the configuration file, that over the defaults.
fn settings(options: &BuildOptions) -> Result<BuildSettings, Exit> {
    let config = options.config.as_deref().map_or_else(|| Ok(Config::default()), Config::read);
    let config = config.map_err(|error| bad_input(&error))?;
    let known = options.seed.or(config.seed);
    if options.resume && known.is_none() {
        return Err(failed(&"--resume needs the --seed that the run was started with", Exit::Usage));
    }
    if config.jobs == Some(0) {
        return Err(failed(&"`jobs` in the configuration must be at least 1", Exit::BadInput));
    }
    let seed = known.unwrap_or_else(fresh_seed);
    let out = options.out.clone().or(config.out.clone());
    let out = out.unwrap_or_else(|| PathBuf::from("runs").join(seed.to_string()));
    let rewrites = models::rewrites(options, &config, &out)?;
    let parameters = values(options, &config)?;
    let mix = options.mix.or(config.mix).unwrap_or_default();
    let difficulty = options.difficulty.or(config.difficulty).unwrap_or_default();
    let usual = Sizes::of(mix, options.syntax.or(config.syntax), options.semantic.or(config.semantic));
    Ok(BuildSettings {
        out,
        seed,
        syntax: usual.syntax,
        semantic: usual.semantic,
        faults_per_task: options
            .faults_per_task
            .clone()
            .or(config.faults_per_task.map(per_task))
            .or(usual.faults_per_task),
        controls: options.controls.or(config.controls).unwrap_or(usual.controls),
        jobs: options.jobs.map(NonZero::get).or(config.jobs).unwrap_or_else(|| workers(None)),
        resume: options.resume,
        mix,
        hints: options.hints.or(config.hints).unwrap_or_else(|| difficulty.hints()),
        difficulty,
        lines: lines(options, &config)?.or(difficulty.lines()),
        scripts: scripts(options, &config, difficulty)?,
        profile: options.profile.or(config.profile),
        effort: options.effort.or(config.effort),
        source: source(options, &config, difficulty)?,
        dialect: options.dialect.clone().or(config.dialect),
        parameters,
        schema: if options.schema.is_empty() { config.schema } else { options.schema.clone() },
        taxonomy: options.taxonomy.clone().or(config.taxonomy),
        templates: options.templates.clone().or(config.templates),
        complexity: config.complexity,
        policies: options.judges.policies().unwrap_or(config.policies),
        rewrites,
        engine: options.engine.choice(config.engine, options.judges.judge)?,
    })
}

/// Returns the values of placeholders: those of the command line count before those of the configuration.
fn values(options: &BuildOptions, config: &Config) -> Result<Parameters, Exit> {
    let mut values = config.parameters.clone();
    values.add(&options.parameters.read().map_err(|error| unread(&error))?);
    Ok(values)
}

/// Where the references come from; options about composed scripts are refused with any other source.
fn source(options: &BuildOptions, config: &Config, difficulty: DifficultyTarget) -> Result<ReferenceSource, Exit> {
    let source = options.source.clone().or(config.source.clone()).unwrap_or_default();
    let asks = [
        difficulty != DifficultyTarget::Mixed,
        options.lines.is_some() || config.lines.is_some(),
        options.scripts.is_some() || config.scripts.is_some(),
        options.profile.is_some() || config.profile.is_some(),
    ];
    if asks.contains(&true) && source != ReferenceSource::Composed {
        let words =
            "--difficulty, --lines, --scripts and --profile are about composed scripts: leave them out, or --source";
        return Err(failed(&words, Exit::Usage));
    }
    let is_translated = options.dialect.is_some() || config.dialect.is_some();
    if is_translated && !matches!(source, ReferenceSource::Folder(_)) {
        return Err(failed(&"--dialect is about scripts of your own: name their folder with --source", Exit::Usage));
    }
    let is_defined = !options.schema.is_empty() || !config.schema.is_empty();
    if is_defined && !matches!(source, ReferenceSource::Folder(_)) {
        return Err(failed(&"--schema is about scripts of your own: name their folder with --source", Exit::Usage));
    }
    let is_bound = !options.parameters.is_empty() || !config.parameters.is_empty();
    if is_bound && !matches!(source, ReferenceSource::Folder(_)) {
        let words =
            "--parameter, --function and --parameters are about scripts of your own: name their folder with --source";
        return Err(failed(&words, Exit::Usage));
    }
    Ok(source)
}

/// The least and the most lines of a composed script; `None` if the user does not say.
fn lines(options: &BuildOptions, config: &Config) -> Result<Option<[usize; 2]>, Exit> {
    if let Some((least, most)) = options.lines {
        return Ok(Some([least, most]));
    }
    let Some([least, most]) = config.lines else { return Ok(None) };
    let checked = line_range(&format!("{least}..{most}"));
    checked.map(|_| Some([least, most])).map_err(|error| bad_input(&format!("`lines` in the configuration: {error}")))
}

/// The least and the most files of a composed script; `None` for one.
fn scripts(options: &BuildOptions, config: &Config, difficulty: DifficultyTarget) -> Result<Option<[usize; 2]>, Exit> {
    let wanted = match (options.scripts, config.scripts) {
        (Some((least, most)), _) => Some([least, most]),
        (None, wanted) => wanted,
    };
    let checked = wanted.map(|[least, most]| script_range(&format!("{least}..{most}"))).transpose();
    checked.map_err(|error| bad_input(&format!("`scripts` in the configuration: {error}")))?;
    let lines = lines(options, config)?.or(difficulty.lines()).map(|[least, most]| (least, most));
    fits(lines, wanted.map(|[least, most]| (least, most))).map_err(|error| failed(&error, Exit::Usage))?;
    Ok(wanted)
}

/// How many tasks, faults and controls a run has, with defaults where the user does not say.
struct Sizes {
    syntax: usize,
    semantic: usize,
    faults_per_task: Option<RangeInclusive<usize>>,
    controls: usize,
}

impl Sizes {
    /// The sizes of the paper's benchmark, or for critics those of SQLCriticBench: 3,000 scripts (SQLCritic, table 1).
    fn of(mix: Mix, syntax: Option<usize>, semantic: Option<usize>) -> Sizes {
        let (of_syntax, of_semantic) = if mix == Mix::Critic { (150, 450) } else { (469, 516) };
        let (syntax, semantic) = (syntax.unwrap_or(of_syntax), semantic.unwrap_or(of_semantic));
        let faults_per_task = mix.faults().map(per_task);
        Sizes { syntax, semantic, faults_per_task, controls: mix.controls() * (syntax + semantic) }
    }
}

/// The least and the most faults of a task from the configuration, raised to 1 and to the least.
fn per_task([least, most]: [usize; 2]) -> RangeInclusive<usize> {
    least.max(1)..=most.max(least).max(1)
}

/// Returns how a build ends: short if the run has fewer tasks than were asked for.
pub fn ended(funnel: &Funnel) -> Exit {
    if funnel.is_full() { Exit::Done } else { Exit::Short }
}

/// Prints what became of the tasks asked for.
pub fn report(out: &Path, funnel: &Funnel) {
    for (track, numbers) in &funnel.tracks {
        println!(
            "{track:?}: {} of {} tasks, distance of the mix from the wanted one {:.3}",
            numbers.published, numbers.asked, numbers.mix_distance
        );
    }
    if let Some(words) = funnel.kills.witnesses.words() {
        println!("{words}");
    }
    for (policy, numbers) in &funnel.policies {
        let name = policy.name();
        println!(
            "policy {name}: {} scripts keep it, {} break it and get none of its faults",
            numbers.kept,
            numbers.broken.len()
        );
    }
    models::report(funnel);
    for note in &funnel.notes {
        println!("note: {note}");
    }
    for (script, reason) in &funnel.refused {
        println!("refused {script}: {reason}");
    }
    println!("written to {}", out.display());
}

/// A number of 63 bits that nobody can guess, as ids and canary of a run come from it: the standard library draws its
/// hash keys from the system.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish() >> 1
}

/// Reads `2` or `1..3`; both ends are included.
pub(super) fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.trim().parse(), most.trim_start_matches('=').trim().parse()) {
        (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= 8 => Ok(least..=most),
        _ => Err("expected a number from 1 to 8, or two of them as in `1..3`".to_owned()),
    }
}

/// Reads a part and the number of parts, as `2/5`.
pub(super) fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number, of }),
        _ => Err("expected the part and the number of parts, as `2/5`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{range, shard};
    use crate::pipeline::Shard;

    #[test]
    fn shards_are_numbered_from_one() {
        assert_eq!(shard("2/5"), Ok(Shard { number: 2, of: 5 }));
        for wrong in ["0/5", "6/5", "2", "/", "a/b", "1/0", "-1/2"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }

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
