//! `sqlfault compose`: new scripts behind gates, from the domain models of the program with the rules that they follow,
//! or written by models.

mod write;
mod like;

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;

use self::like::{Likeness, write_variants};
use super::Exit;
use super::failure::Failure;
use super::heading::{MODELS, OUTPUT, WHAT};
use super::progress::TerminalProgress;
use super::terminal::escaped;
use super::verbosity::closing;
use super::worker_count::workers;
use crate::author::{Author, Authored, AuthoringMode, GatedComposer, Gates, Gathered, gather};
use crate::code::profile::Complexity;
use crate::corpus::Reference;
use crate::corpus::compose::domain::read_domain;
use crate::corpus::compose::pattern::Library;
use crate::corpus::compose::writing::Styles;
use crate::corpus::compose::{Composed, Composer, ComposerOptions, ProfileName, ShapeFigures, ShapeProfile};
use crate::draft::Sources;
use crate::llm::Models;

const EXAMPLES: &str = "\
Examples:
  sqlfault compose --count 3 --out scripts          three scripts, each in a folder of its own
  sqlfault compose --domain bank --lines 300..500   longer ones of one business
  sqlfault compose --check domains                  is what is wrong with domain models named?";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ComposeOptions {
    /// How many scripts; with --like, how many variants of the folder.
    #[arg(long, default_value_t = 10)]
    count: usize,
    /// Random seed; the same seed gives the same scripts.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Only scripts of this business.
    #[arg(long)]
    domain: Option<String>,
    /// Number of lines of a script.
    #[arg(long, value_name = "MIN..MAX", value_parser = line_range)]
    lines: Option<[usize; 2]>,
    /// How many files a script consists of, each of which but the first reads tables that earlier ones make [default: 1].
    #[arg(long, value_name = "MIN..MAX", value_parser = script_range, conflicts_with = "models")]
    scripts: Option<[usize; 2]>,
    /// What scripts are to be like: `paper`, about as long and flat as in table 1 of the paper, for each track in turn.
    #[arg(long, value_enum, conflicts_with_all = ["lines", "scripts"])]
    profile: Option<ProfileName>,
    /// Models of your own instead of the built-in ones: folders with a domain.yaml, or one file.
    #[arg(long, value_name = "DIR")]
    domains: Option<PathBuf>,
    /// Templates of your own: a folder with pattern/, style/ or profile/.
    #[arg(long, value_name = "DIR")]
    templates: Option<PathBuf>,
    /// Write variants of your own scripts in this folder, which is read as `build --source` reads it. They have other
    /// names, literals and layout, so that they may be published; OUT.judge lists each original name with its new one.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["domain", "lines", "scripts", "profile", "domains", "templates", "check", "models"])]
    like: Option<PathBuf>,
    /// The dialect that the scripts of --like are written in, such as `snowflake`: an installed sqlglot translates them.
    #[arg(long, value_name = "NAME", requires = "like")]
    dialect: Option<String>,
    /// Check the domain models in this folder or file, and compose nothing.
    #[arg(long, value_name = "DIR")]
    check: Option<PathBuf>,
    /// How complex a script must be: depth + width + code lines / 10 exceeds this; 0 lets all pass [default: 32, with
    /// --profile 0]
    #[arg(long, value_name = "TAU", help_heading = WHAT)]
    tau: Option<f64>,
    /// A YAML file of models, as for `repair`: they carry scripts over to other businesses, or write composed ones anew
    #[arg(long, value_name = "FILE", help_heading = MODELS)]
    models: Option<PathBuf>,
    /// What models do [default: both in turn]
    #[arg(long, requires = "models", help_heading = MODELS)]
    way: Option<AuthoringMode>,
    /// How many answers a model may give until one passes; each time it gets the reason
    #[arg(long, value_name = "N", default_value = "2", requires = "models", help_heading = MODELS)]
    tries: NonZero<usize>,
    /// Where requests and answers of models are kept
    #[arg(long, value_name = "DIR", default_value = "exchanges", requires = "models", help_heading = MODELS)]
    cache: PathBuf,
    /// Take answers of models from the cache only
    #[arg(long, requires = "models", help_heading = MODELS)]
    offline: bool,
    /// Most money to spend, in the currency of the prices
    #[arg(long, value_name = "MONEY", requires = "models", help_heading = MODELS)]
    max_cost: Option<f64>,
    /// Scripts that are worked on at once without models; changes no byte [default: the cores of the machine]
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
    /// Where to write a folder for each script, and rejects.jsonl
    #[arg(long, default_value = "composed", help_heading = OUTPUT)]
    out: PathBuf,
}

/// Reads the two bounds of a range; an error names an example of one.
fn bounds(text: &str, parts: Option<(&str, &str)>, example: &str) -> Result<[usize; 2], String> {
    let read = |(least, most): (&str, &str)| Some([least.parse().ok()?, most.trim_start_matches('=').parse().ok()?]);
    parts.and_then(read).ok_or_else(|| format!("`{text}` is not a range such as {example}"))
}

/// Reads how many lines scripts are to have, as `MIN..MAX`.
pub(super) fn line_range(text: &str) -> Result<[usize; 2], String> {
    let [least, most] = bounds(text, text.split_once(".."), "80..300")?;
    if least < 60 || most > 5000 || least > most {
        return Err(format!("`{text}`: scripts have 60 to 5000 lines"));
    }
    if most - least < least / 10 {
        return Err(format!(
            "`{text}` is too narrow: lines are met to within a tenth, as in {least}..{}",
            least + least / 10
        ));
    }
    Ok([least, most])
}

/// Reads of how many files scripts are to consist, as `MIN..MAX` or one number.
pub(super) fn script_range(text: &str) -> Result<[usize; 2], String> {
    let [least, most] = bounds(text, Some(text.split_once("..").unwrap_or((text, text))), "5..12")?;
    if least < 2 || most > 12 || least > most {
        return Err(format!("`{text}`: a pipeline has 2 to 12 scripts"));
    }
    Ok([least, most])
}

/// Fewest lines of each of several files.
const LINES_OF_A_FILE: usize = 20;

/// Checks that so many lines can be shared out among so many files.
pub(super) fn fits(lines: Option<[usize; 2]>, scripts: Option<[usize; 2]>) -> Result<(), String> {
    let (Some([_, most]), Some([least, _])) = (lines, scripts) else { return Ok(()) };
    let needed = least * LINES_OF_A_FILE;
    if most >= needed {
        Ok(())
    } else {
        Err(format!("{least} scripts have {needed} lines or more, not {most} at most"))
    }
}

pub(super) fn run(options: &ComposeOptions) -> Result<Exit, Failure> {
    if let Some(path) = &options.check {
        return check(path);
    }
    if let Some(folder) = &options.like {
        let (count, jobs) = (options.count as u64, workers(options.jobs));
        let dialect = options.dialect.as_deref();
        return write_variants(&Likeness { folder, out: &options.out, count, seed: options.seed, dialect, jobs });
    }
    match &options.models {
        None => compose(options),
        Some(file) => author(options, file),
    }
}

/// Composes scripts without models.
fn compose(options: &ComposeOptions) -> Result<Exit, Failure> {
    let composer = gated(options)?;
    let jobs = workers(options.jobs);
    let gathered = gather(options.count, jobs, &TerminalProgress::new(true), |number, _| composer.attempt(number));
    report(options, &gathered, |composed: &Composed| {
        Ok(vec![("specification.yaml", write::yaml(&composed.specification_file())?)])
    })
    .inspect(|_| {
        let mut analyses: BTreeMap<&str, usize> = BTreeMap::new();
        let used = gathered.kept.iter().flat_map(|composed| &composed.analyses);
        used.for_each(|name| *analyses.entry(name).or_default() += 1);
        let counts: Vec<String> = analyses.iter().map(|(name, count)| format!("{name} {count}")).collect();
        println!("analyses: {}", counts.join(", "));
        if options.profile.is_some() {
            means(&gathered.kept);
        }
    })
}

/// Prints the means of the figures of a profile, for the scripts of each track.
fn means(scripts: &[Composed]) {
    for (track, kind) in [("syntax", 0), ("semantic", 1)] {
        let of_kind = scripts.iter().filter(|composed| composed.number % 2 == kind);
        let figures: Vec<ShapeFigures> = of_kind.map(|composed| ShapeFigures::of(&composed.reference.script)).collect();
        let words: Vec<String> =
            ShapeFigures::means(&figures).iter().map(|(name, mean)| format!("{name} {mean:.2}")).collect();
        println!("means of {} scripts for {track} tasks: {}", figures.len(), words.join(", "));
    }
}

/// Lets models write scripts.
fn author(options: &ComposeOptions, file: &Path) -> Result<Exit, Failure> {
    let models = Models::load(file)?.models;
    let (cache, offline, max_cost) = (options.cache.clone(), options.offline, options.max_cost);
    let sources = Sources { models, cache, offline, max_cost };
    let author = Author::new(&sources, gated(options)?, options.way, options.tries.get())?;
    let progress = TerminalProgress::new(false);
    let gathered = gather(options.count, author.workers(), &progress, |number, known| author.attempt(number, known));
    report(options, &gathered, |authored: &Authored| Ok(vec![("origin.yaml", write::yaml(&authored.origin)?)]))
}

/// Writes what was gathered and says what came of it.
fn report<T: AsRef<Reference>>(
    options: &ComposeOptions,
    gathered: &Gathered<T>,
    beside: impl Fn(&T) -> Result<Vec<(&'static str, String)>, String>,
) -> Result<Exit, Failure> {
    let Gathered { kept, refused, stopped } = gathered;
    if let Some(message) = stopped.as_ref().filter(|_| kept.is_empty()) {
        return Err(Failure::from(message));
    }
    for made in kept {
        write::reference(&options.out, made.as_ref(), &beside(made)?)?;
    }
    write::rejects(&options.out, refused)?;
    println!("{} scripts in {}", kept.len(), options.out.display());
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    refused.iter().for_each(|refused| *reasons.entry(&refused.reason).or_default() += 1);
    for (reason, count) in reasons {
        println!("{count:>6}  {reason}");
    }
    if let Some(message) = stopped {
        println!("models were not asked any further: {}", escaped(message));
    }
    closing("build --source", options.out.display());
    Ok(if kept.len() < options.count { Exit::Short } else { Exit::Done })
}

/// Returns the composer that was asked for, with its gates.
fn gated(options: &ComposeOptions) -> Result<GatedComposer, Failure> {
    fits(options.lines, options.scripts)?;
    let &ComposeOptions { lines, scripts, profile, .. } = options;
    let usual = Complexity::default();
    let tau = options.tau.unwrap_or(if profile.is_some() { 0.0 } else { usual.tau });
    let gates = Gates { complexity: Complexity { tau, ..usual } };
    let complexity = Some(gates.complexity);
    let wanted = ComposerOptions { domain: options.domain.clone(), lines, scripts, profile, kind: None, complexity };
    Ok(GatedComposer { composer: composer(options)?, options: wanted, seed: options.seed, gates })
}

fn composer(options: &ComposeOptions) -> Result<Composer, Failure> {
    let mut composer = Composer::embedded()?;
    if let Some(root) = &options.domains {
        let domains: Result<Vec<_>, _> = models(root)?.iter().map(|path| read_domain(path)).collect();
        composer = composer.with_domains(domains?);
    }
    if let Some(root) = &options.templates {
        let (patterns, styles) = (root.join("pattern"), root.join("style"));
        if patterns.is_dir() {
            composer = composer.with_patterns(Library::read_folder(&patterns)?);
        }
        if styles.is_dir() {
            composer = composer.with_styles(Styles::read_folder(&styles)?);
        }
        let paper = root.join("profile/paper.yaml");
        if paper.is_file() {
            let text = fs::read_to_string(&paper).map_err(|error| format!("{}: {error}", paper.display()))?;
            let profile = ShapeProfile::read(&paper, &text)?;
            composer = composer.with_profile(ProfileName::Paper, profile);
        }
    }
    Ok(composer)
}

/// The files of domain models: `root` itself, its `domain.yaml`, or those in its folders.
fn models(root: &Path) -> Result<Vec<PathBuf>, String> {
    if root.is_file() || root.join("domain.yaml").is_file() {
        return Ok(vec![root.to_owned()]);
    }
    let entries = fs::read_dir(root).map_err(|error| format!("{}: {error}", root.display()))?;
    let mut found: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path().join("domain.yaml")).filter(|path| path.is_file()).collect();
    found.sort();
    if found.is_empty() {
        return Err(format!("{}: no domain.yaml found in it or in its folders", root.display()));
    }
    Ok(found)
}

fn check(root: &Path) -> Result<Exit, Failure> {
    let mut wrong = Vec::new();
    for path in models(root)? {
        match read_domain(&path) {
            Ok(domain) => {
                println!("{}: {} tables, {} questions", domain.domain, domain.tables.len(), domain.questions.len())
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() { Ok(Exit::Done) } else { Err(Failure::from(wrong.join("\n"))) }
}
