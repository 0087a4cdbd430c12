//! `sqlfault compose`: new scripts from the domain models of the program, with the rules that they follow.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::like::{Likeness, write_variants};
use super::reference_files::{write_file, write_reference};
use super::{Exit, bad_input, failed};
use crate::corpus::compose::domain::read_domain;
use crate::corpus::compose::hand::Styles;
use crate::corpus::compose::pattern::Library;
use crate::corpus::compose::{Composed, Composer, ComposerOptions};

/// Flags of `compose`.
#[derive(Debug, Args)]
pub(super) struct ComposeOptions {
    /// How many scripts; with --like, how many variants of the folder.
    #[arg(long, default_value_t = 10)]
    count: u64,
    /// Random seed; the same seed gives the same scripts.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Only scripts of this business.
    #[arg(long)]
    domain: Option<String>,
    /// Lines that a script has, about.
    #[arg(long, value_name = "MIN..MAX", value_parser = line_range)]
    lines: Option<(usize, usize)>,
    /// Models of your own instead of the built-in ones: folders with a domain.yaml, or one file.
    #[arg(long, value_name = "DIR")]
    domains: Option<PathBuf>,
    /// Templates of your own: a folder with pattern/ or style/ or both.
    #[arg(long, value_name = "DIR")]
    templates: Option<PathBuf>,
    /// Variants of your own scripts in this folder, read as `build --source` reads it: with other names, literals and
    /// layout, so that they may be published; what stands for what goes to OUT.judge.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["domain", "lines", "domains", "templates", "check"])]
    like: Option<PathBuf>,
    /// Check the domain models in this folder or file, and compose nothing.
    #[arg(long, value_name = "DIR")]
    check: Option<PathBuf>,
    /// Where to write a folder for each script.
    #[arg(long, default_value = "composed")]
    out: PathBuf,
}

/// Reads how many lines scripts are to have, as `MIN..MAX`.
pub(super) fn line_range(text: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("`{text}` is no range such as 80..300");
    let (least, most) = text.split_once("..").ok_or_else(wrong)?;
    let least: usize = least.parse().map_err(|_| wrong())?;
    let most: usize = most.trim_start_matches('=').parse().map_err(|_| wrong())?;
    if least < 60 || most > 5000 || least > most {
        return Err(format!("`{text}`: scripts have 60 to 5000 lines"));
    }
    Ok((least, most))
}

pub(super) fn run(options: &ComposeOptions) -> Exit {
    if let Some(path) = &options.check {
        return check(path);
    }
    if let Some(folder) = &options.like {
        return write_variants(&Likeness { folder, out: &options.out, count: options.count, seed: options.seed });
    }
    let composer = match composer(options) {
        Ok(composer) => composer,
        Err(message) => return bad_input(&message),
    };
    let wanted = ComposerOptions { domain: options.domain.clone(), lines: options.lines };
    let mut analyses: BTreeMap<&str, usize> = BTreeMap::new();
    let mut passed_over: Vec<String> = Vec::new();
    for number in 0..options.count {
        let composed = match composer.compose(options.seed, number, &wanted) {
            Ok(composed) => composed,
            Err(error) if error.is_of_one_script() => {
                passed_over.push(error.to_string());
                continue;
            }
            Err(error) => return bad_input(&error),
        };
        if let Err(message) = write(&options.out, &composed) {
            return failed(&message, Exit::Output);
        }
        composed.analyses.iter().for_each(|name| *analyses.entry(name).or_default() += 1);
    }
    let made = options.count - passed_over.len() as u64;
    if let Some(first) = passed_over.first().filter(|_| made == 0) {
        return bad_input(first);
    }
    println!("{made} scripts in {}", options.out.display());
    for reason in &passed_over {
        println!("passed over: {reason}");
    }
    let told: Vec<String> = analyses.iter().map(|(name, count)| format!("{name} {count}")).collect();
    println!("analyses: {}", told.join(", "));
    Exit::Done
}

fn composer(options: &ComposeOptions) -> Result<Composer, String> {
    let mut composer = Composer::embedded().map_err(|error| error.to_string())?;
    if let Some(root) = &options.domains {
        let mut domains = Vec::new();
        for path in models(root)? {
            domains.push(read_domain(&path).map_err(|error| error.to_string())?);
        }
        composer = composer.with_domains(domains);
    }
    if let Some(root) = &options.templates {
        let (patterns, styles) = (root.join("pattern"), root.join("style"));
        if patterns.is_dir() {
            composer = composer.with_patterns(Library::read_folder(&patterns).map_err(|error| error.to_string())?);
        }
        if styles.is_dir() {
            composer = composer.with_styles(Styles::read_folder(&styles).map_err(|error| error.to_string())?);
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

fn check(root: &Path) -> Exit {
    let paths = match models(root) {
        Ok(paths) => paths,
        Err(message) => return bad_input(&message),
    };
    let mut wrong = Vec::new();
    for path in paths {
        match read_domain(&path) {
            Ok(domain) => {
                println!("{}: {} tables, {} questions", domain.domain, domain.tables.len(), domain.questions.len())
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() { Exit::Done } else { bad_input(&wrong.join("\n")) }
}

/// Writes a script with its schema, card and specification.
fn write(out: &Path, composed: &Composed) -> Result<(), String> {
    let specification = serde_saphyr::to_string(&composed.specification_file()).map_err(|error| error.to_string())?;
    write_reference(out, &composed.reference)?;
    write_file(&out.join(&composed.reference.id).join("specification.yaml"), &specification)
}
