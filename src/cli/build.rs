//! `sqlfault build`.

mod fault_range;
mod shard_number;
mod given;
mod options;
mod models;
mod ending;
mod refill;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use ending::refused;
use given::GivenSettings;

use super::compose::{fits, line_range, script_range};
use super::failure::Failure;
use super::progress::TerminalProgress;
use super::verbosity::closing;
use super::worker_count::workers;
use super::{Exit, interrupt};
use crate::inject::Mix;
use crate::pipeline::{BuildSettings, ReferenceSource, Shard, build, build_shard, write_plan};
use crate::publish::difficulty::DifficultyTarget;

pub(super) use ending::ended_by;
pub use ending::{ended, report};
pub(super) use fault_range::range;
pub use options::BuildOptions;
pub(super) use shard_number::shard;

pub fn run(options: &BuildOptions) -> Result<Exit, Failure> {
    if let Some(run) = &options.refill {
        return refill::run(options, run);
    }
    let settings = settings(options)?;
    interrupt::listen();
    if !options.json {
        println!("seed {}", settings.seed);
    }
    if options.shard.is_some() || options.plan_only {
        return part(&settings, options.shard);
    }
    let progress = TerminalProgress::new(options.json);
    let funnel = build(&settings, &progress).map_err(refused)?;
    if let Err(error) = progress.times().write(&settings.out) {
        eprintln!("note: how long it took is not kept for `report`: {error}");
    }
    if options.json {
        println!("{}", serde_json::json!({ "seed": settings.seed, "out": settings.out, "funnel": funnel }));
    } else {
        report(&settings.out, &funnel);
    }
    closing("report", settings.out.display());
    Ok(ended(&funnel))
}

/// Makes one part of a run, or if `shard` is `None` the plan of all.
fn part(settings: &BuildSettings, shard: Option<Shard>) -> Result<Exit, Failure> {
    let progress = TerminalProgress::new(false);
    let made = match shard {
        Some(shard) => {
            let items = build_shard(settings, shard, &progress).map_err(ended_by)?;
            format!("{items} items")
        }
        None => {
            let (items, trials) = write_plan(settings, &progress).map_err(ended_by)?;
            format!("{items} items with {trials} trials to make")
        }
    };
    println!("{made} in {}", settings.out.display());
    Ok(Exit::Done)
}

/// Puts the settings together: the command line takes precedence over the configuration file, that over the defaults.
fn settings(options: &BuildOptions) -> Result<BuildSettings, Failure> {
    let file = options.config.as_deref().map_or_else(|| Ok(GivenSettings::default()), GivenSettings::read);
    let mut given = options.given.clone().or(file?);
    if options.resume && given.seed.is_none() {
        return Err(Failure::usage("--resume needs the --seed that the run was started with"));
    }
    given.parameters.add(&options.parameters.read().map_err(Failure::unread)?);
    refuse_misplaced(&given)?;
    let seed = given.seed.unwrap_or_else(fresh_seed);
    let out = given.out.clone().unwrap_or_else(|| PathBuf::from("runs").join(seed.to_string()));
    let models = models::used(options, &given, &out)?;
    let mix = given.mix.unwrap_or_default();
    let difficulty = given.difficulty.unwrap_or_default();
    let usual = Sizes::of(mix, given.syntax, given.semantic);
    let lines = checked("lines", given.lines, line_range)?.or(difficulty.lines());
    let scripts = checked("scripts", given.scripts, script_range)?;
    fits(lines, scripts).map_err(Failure::usage)?;
    Ok(BuildSettings {
        out,
        seed,
        syntax: usual.syntax,
        semantic: usual.semantic,
        faults_per_task: given.faults_per_task.map(per_task).or(usual.faults_per_task),
        controls: given.controls.unwrap_or(usual.controls),
        jobs: workers(given.jobs),
        resume: options.resume,
        mix,
        hints: given.hints.unwrap_or_else(|| difficulty.hints()),
        difficulty,
        lines,
        scripts,
        profile: given.profile,
        effort: given.effort,
        source: given.source.unwrap_or_default(),
        dialect: given.dialect,
        parameters: given.parameters,
        schema: given.schema,
        taxonomy: given.taxonomy,
        templates: given.templates,
        complexity: given.complexity,
        policies: options.judges.policies().unwrap_or(given.policies),
        models,
        engine: options.engine.choice(given.engine, options.judges.judge)?,
    })
}

/// Refuses settings that are about composed scripts for others, and those about scripts of one's own for composed ones.
fn refuse_misplaced(given: &GivenSettings) -> Result<(), Failure> {
    let source = given.source.clone().unwrap_or_default();
    let is_hard_or_easy = given.difficulty.unwrap_or_default() != DifficultyTarget::Mixed;
    let shapes = is_hard_or_easy || given.lines.is_some() || given.scripts.is_some() || given.profile.is_some();
    if shapes && source != ReferenceSource::Composed {
        let words =
            "--difficulty, --lines, --scripts and --profile are about composed scripts: leave them out, or --source";
        return Err(Failure::usage(words));
    }
    let own = [
        ("--dialect is", given.dialect.is_some()),
        ("--schema is", !given.schema.is_empty()),
        ("--parameter, --function and --parameters are", !given.parameters.is_empty()),
    ];
    match own.into_iter().find(|(_, is_given)| *is_given && !matches!(source, ReferenceSource::Folder(_))) {
        Some((words, _)) => {
            Err(Failure::usage(format!("{words} about scripts of your own: name their folder with --source")))
        }
        None => Ok(()),
    }
}

/// Checks a range of the configuration as that of the command line has been.
fn checked(
    name: &str,
    range: Option<[usize; 2]>,
    read: impl Fn(&str) -> Result<[usize; 2], String>,
) -> Result<Option<[usize; 2]>, String> {
    let checked = range.map(|[least, most]| read(&format!("{least}..{most}"))).transpose();
    checked.map_err(|error| format!("`{name}` in the configuration: {error}"))
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

/// A number of 63 bits that nobody can guess, as ids and canary of a run come from it: the standard library draws its
/// hash keys from the system.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish() >> 1
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::*;
    use crate::engine::panicking::PanickingEngine;
    use crate::parallel::Unwatched;
    use crate::pipeline::build_on;

    /// The name of the test.
    const NAME: &str = "a_panic_in_the_work_on_one_script_is_reported_with_its_name_and_the_other_has_its_tasks";
    /// The folder of the scripts, for the process that builds.
    const FOLDER: &str = "SQLFAULT_TEST_FOLDER";
    const SCRIPT: &str = "\
SELECT c.city, SUM(o.amount) AS amount
FROM orders o
JOIN customers c ON o.customer_id = c.id
WHERE o.amount > 10 AND c.city <> 'Bonn'
GROUP BY c.city";
    const SCHEMA: &str = "\
CREATE TABLE orders (id BIGINT, customer_id BIGINT, amount DOUBLE);
CREATE TABLE customers (id BIGINT, city STRING);";
    const CARD: &str = "domain: shop\ntitle: Sales by city\nintention: Sales of each city.\nscenario: Read daily.\n";

    /// Two scripts, of which the second is about Oslo.
    fn write_scripts(folder: &Path) {
        for (name, city) in [("bonn", "Bonn"), ("oslo", "Oslo")] {
            let folder = folder.join("scripts/shop").join(name);
            std::fs::create_dir_all(&folder).unwrap();
            let script = SCRIPT.replace("Bonn", city);
            for (file, text) in [("script.sql", script.as_str()), ("schema.sql", SCHEMA), ("card.yaml", CARD)] {
                std::fs::write(folder.join(file), text).unwrap();
            }
        }
    }

    /// Builds as the command does, with an engine that has a bug, and ends the process.
    #[expect(clippy::exit, reason = "the exit code is what is tested")]
    fn build_and_exit(folder: &Path) {
        let settings = BuildSettings {
            source: ReferenceSource::Folder(folder.join("scripts")),
            syntax: 1,
            semantic: 1,
            ..BuildSettings::new(folder.join("run"), 7)
        };
        let exit = interrupt::guarded(|| {
            let funnel = build_on(&PanickingEngine::at_word("Oslo"), &settings, &Unwatched).map_err(refused)?;
            report(&settings.out, &funnel);
            Ok(ended(&funnel))
        });
        std::process::exit(exit.code().into());
    }

    #[test]
    fn a_panic_in_the_work_on_one_script_is_reported_with_its_name_and_the_other_has_its_tasks() {
        if let Some(folder) = std::env::var_os(FOLDER) {
            return build_and_exit(Path::new(&folder));
        }
        let folder = tempfile::tempdir().unwrap();
        write_scripts(folder.path());
        // As the test harness names it: its path within the crate.
        let name = format!("{}::{NAME}", module_path!().split_once("::").unwrap().1);
        // A process of its own: the hook that reports a panic holds for all tests of a process.
        let built = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &name, "--nocapture"])
            .env(FOLDER, folder.path())
            .output()
            .unwrap();
        let [said, complained] = [&built.stdout, &built.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        assert_eq!(built.status.code(), Some(0), "{said}{complained}");
        assert!(complained.contains("error: a bug of ours in the work on shop/oslo"), "{complained}");
        assert!(said.contains("refused shop/oslo: a bug of ours: the engine has a bug"), "{said}");
        let tasks = std::fs::read_to_string(folder.path().join("run/public/tasks.jsonl")).unwrap();
        assert!(tasks.lines().count() == 2 && !tasks.contains("Oslo"), "{tasks}");
    }
}
