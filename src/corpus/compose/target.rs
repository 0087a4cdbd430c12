//! What is asked of one script, and how far a script is from it: by that the best of several plans is taken.

use super::analysis::AnalysisSize;
use super::builder::PlanBuilder;
use super::composed::Composed;
use super::draw::Draw;
use super::options::{ComposeError, ComposerOptions};
use super::plan::Plan;
use super::profile::{ShapeFigures, ShapeProfile};
use super::unused_columns::keep_unused_columns;
use super::writing::{Header, Style};
use crate::code::profile::{Complexity, Profile};
use crate::code::script::Script;

/// Least and most lines of a script unless the user says otherwise.
const USUAL_LINES: (usize, usize) = (100, 330);
/// Usual lines of each of several files, least and most.
const FILE_LINES: (usize, usize) = (45, 110);
/// Lines of each of several files below which another plan is looked for.
const LEAST_FILE_LINES: usize = 32;
/// Attempts with one plan, each asked for more or fewer lines, before another plan is drawn.
const CORRECTIONS: usize = 3;
/// Plans drawn for a script of so many lines or files, before it is given up.
const PLANS: usize = 12;
/// Plans among which one whose lines are about those that were drawn is looked for; after them any in the range will do.
const EXACT_PLANS: usize = 3;
/// How far the lines of a script may be from those that were drawn, as a share.
const NEAR: f64 = 0.08;
/// How far the figures of a script may be from a profile's for no further plan to be drawn.
const LIKE: f64 = 0.06;
/// Factor for the lines of a script that is too simple.
const LONGER: f64 = 1.4;
/// Added to how far a script is off if it does not have what was asked for.
const OUTSIDE: f64 = 1e3;

/// What is asked of one script.
#[derive(Debug)]
pub(super) struct ScriptTarget<'a> {
    /// The number of the script.
    pub number: u64,
    /// About how many lines.
    pub lines: f64,
    /// Least and most lines; `None` if any number will do.
    range: Option<[usize; 2]>,
    /// Least and wanted number of files; `None` for one text.
    pub files: Option<(usize, usize)>,
    /// How plans are drawn, and the figures that the script is to have.
    shape: Option<(&'a ShapeProfile, ShapeFigures)>,
    /// How complex the script is to be; `None` if anything else is asked of it.
    complexity: Option<Complexity>,
}

impl<'a> ScriptTarget<'a> {
    /// Draws what is asked of script `number`.
    pub fn new(
        options: &ComposerOptions,
        profile: Option<&'a ShapeProfile>,
        number: u64,
        draw: Draw,
    ) -> ScriptTarget<'a> {
        let files = options.scripts.map(|[least, most]| (least, draw.at("scripts").between(least, most)));
        let usual = match files {
            Some((_, count)) => (count * FILE_LINES.0, count * FILE_LINES.1),
            None => USUAL_LINES,
        };
        let (least, most) = options.lines.map_or(usual, |[least, most]| inner(least, most));
        // Squared: short scripts are drawn more often than long ones.
        let lines = least as f64 + most.saturating_sub(least) as f64 * draw.at("lines").unit().powi(2);
        let kind = options.kind.unwrap_or(number as usize);
        let shape = profile.map(|profile| (profile, profile.figures(kind, draw.at("shape"))));
        let lines = shape.as_ref().map_or(lines, |(_, figures)| figures.lines);
        let is_free = options.lines.is_none() && files.is_none() && shape.is_none();
        let complexity = options.complexity.filter(|_| is_free);
        ScriptTarget { number, lines, range: options.lines, files, shape, complexity }
    }

    /// Returns how many plans are drawn at most; where nothing is asked for the first will do.
    pub fn attempts(&self) -> usize {
        match (&self.shape, self.range.is_some() || self.files.is_some()) {
            (Some((profile, _)), false) => profile.plans,
            (Some((profile, _)), true) => CORRECTIONS * PLANS.max(profile.plans),
            (None, true) => CORRECTIONS * PLANS,
            (None, false) if self.complexity.is_some() => CORRECTIONS,
            (None, false) => 1,
        }
    }

    /// Returns how many attempts go to one plan, each asked for more or fewer lines.
    pub fn corrections(&self) -> usize {
        if self.shape.is_some() && self.range.is_none() { 1 } else { CORRECTIONS }
    }

    /// Returns how far a script is off, 0 if it is all that was asked for.
    pub fn off(&self, composed: &Composed) -> f64 {
        let script = &composed.reference.script;
        let lines = script.text().lines().count();
        let mut off = match (&self.shape, self.range) {
            (Some((_, wanted)), _) => ShapeFigures::of(script).off(wanted),
            (None, Some(_)) => (lines as f64 - self.lines).abs() / self.lines,
            (None, None) => self.complexity.map_or(0.0, |wanted| lacking(wanted, script)),
        };
        if let Some((_, wanted)) = self.files {
            let least = (LEAST_FILE_LINES * composed.reference.files.len()) as f64;
            off += (wanted - composed.reference.files.len()) as f64 + (1.0 - lines as f64 / least).max(0.0);
        }
        if self.range.is_some_and(|[least, most]| !(least..=most).contains(&lines)) {
            off += OUTSIDE;
        }
        off
    }

    /// Returns the factor for the lines that the next attempt is asked for, after one that gave so many.
    pub fn correction(&self, lines: f64) -> f64 {
        if self.complexity.is_some() { LONGER } else { (self.lines / lines).clamp(0.4, 2.5) }
    }

    /// Whether no further attempt is made after this many, of which the best is this far off.
    pub fn is_met(&self, off: f64, attempts: usize) -> bool {
        let near = if self.shape.is_some() { LIKE } else { NEAR };
        off < near || self.range.is_some() && off < OUTSIDE && attempts >= CORRECTIONS * EXACT_PLANS
    }

    /// Returns why the best script will not do; `None` if it will.
    pub fn unmet(&self, best: Option<(f64, &Composed)>) -> Option<ComposeError> {
        let number = self.number;
        match best {
            Some((off, _)) if off < OUTSIDE => None,
            Some((_, composed)) => {
                let [least, most] = self.range.unwrap_or_default();
                let nearest = composed.reference.script.text().lines().count();
                Some(ComposeError::Lines { number, least, most, nearest })
            }
            None => self.files.map(|(least, _)| ComposeError::Files { number, least }),
        }
    }

    /// Sets in a new plan what holds for all of it.
    pub fn prepare(&self, builder: &mut PlanBuilder<'_>, draw: Draw) {
        builder.plan.staged = draw.at("staged").chance(0.3) || self.files.is_some() || self.shape.is_some();
        builder.plan.files = self.files;
        // Statements of several files are cut at tables: more of them in some plans than houses have in one text.
        builder.plan.staging = self.files.map(|_| draw.at("staging").one_of([0.35, 0.6, 0.85]));
        if let Some((profile, _)) = &self.shape {
            builder.plan.staging = Some(profile.staging);
            builder.derived = profile.derived;
            builder.analyses.clone_from(&profile.analyses);
        }
    }

    /// Completes a plan whose sections are all there.
    pub fn finish(&self, plan: &mut Plan, draw: Draw) {
        if let Some((profile, _)) = &self.shape {
            keep_unused_columns(plan, profile.carried, draw.at("carried"));
        }
    }

    /// Returns the style in which a script of a profile is written.
    pub fn styled(&self, style: Style) -> Style {
        let Some((profile, _)) = &self.shape else { return style };
        let header = if style.header == Header::None { Header::Dashes } else { style.header };
        let width = profile.width;
        Style {
            header,
            width,
            semicolon_alone: true,
            airy: true,
            block_comments: profile.block_comments,
            column_comments: profile.column_comments,
            ..style
        }
    }

    /// Draws how much an analysis of about so many lines does.
    pub fn size(&self, lines: f64, draw: Draw) -> AnalysisSize {
        self.shape.as_ref().map_or_else(|| AnalysisSize::of(lines, draw), |(profile, _)| profile.size(draw))
    }

    /// Returns the profile that plans follow.
    pub fn profile(&self) -> Option<&ShapeProfile> {
        self.shape.as_ref().map(|(profile, _)| *profile)
    }
}

/// Returns how far a script is from being complex enough, at least so far that another attempt is made; 0 if it is.
fn lacking(wanted: Complexity, script: &Script) -> f64 {
    let profile = Profile::of(script);
    if wanted.accepts(&profile) { 0.0 } else { NEAR + 1.0 - wanted.of(&profile) / wanted.tau.max(1.0) }
}

/// Returns the range without its ends, so that a script near the drawn number of lines is still inside.
fn inner(least: usize, most: usize) -> (usize, usize) {
    let inside = ((least as f64 * (1.0 + NEAR / 2.0)) as usize, (most as f64 * (1.0 - NEAR / 2.0)) as usize);
    if inside.0 < inside.1 { inside } else { ((least + most) / 2, (least + most) / 2) }
}
