//! Composes one script: draws domain, questions and style, plans analyses, and has the plan written.

use super::analysis::{Analysis, AnalysisRequest, analyse};
use super::builder::PlanBuilder;
use super::composed::Composed;
use super::domain::{BusinessQuestion, Domain};
use super::draw::Draw;
use super::options::{ComposeError, ComposerOptions};
use super::pattern::Library;
use super::percent::in_percent;
use super::plan::{Plan, prune, without_needless_null_tests};
use super::planned::ScriptDraft;
use super::profile::{ProfileName, ShapeProfile};
use super::scan::window;
use super::target::ScriptTarget;
use super::writing::Styles;

/// Composes scripts from domain models, patterns and house styles.
#[derive(Debug)]
pub struct Composer {
    domains: Vec<Domain>,
    library: Library,
    styles: Styles,
    paper: ShapeProfile,
}

impl Composer {
    /// Reads the models, patterns and styles carried in the binary.
    ///
    /// # Errors
    ///
    /// If a model, pattern or style does not read.
    pub fn embedded() -> Result<Composer, ComposeError> {
        let domains = super::domain::embedded().into_iter().collect::<Result<Vec<_>, _>>()?;
        let paper = ShapeProfile::embedded(ProfileName::Paper)?;
        Ok(Composer { domains, library: Library::embedded()?, styles: Styles::embedded()?, paper })
    }

    /// Replaces the domains.
    #[must_use]
    pub fn with_domains(mut self, domains: Vec<Domain>) -> Composer {
        self.domains = domains;
        self
    }

    /// Replaces the patterns.
    #[must_use]
    pub fn with_patterns(mut self, library: Library) -> Composer {
        self.library = library;
        self
    }

    /// Replaces the styles.
    #[must_use]
    pub fn with_styles(mut self, styles: Styles) -> Composer {
        self.styles = styles;
        self
    }

    /// Replaces a profile.
    #[must_use]
    pub fn with_profile(mut self, name: ProfileName, profile: ShapeProfile) -> Composer {
        match name {
            ProfileName::Paper => self.paper = profile,
        }
        self
    }

    /// Returns the names of the domains.
    pub fn domains(&self) -> impl Iterator<Item = &str> {
        self.domains.iter().map(|domain| domain.domain.as_str())
    }

    /// Composes script `number` of a random seed; it does not depend on what else is composed.
    ///
    /// # Errors
    ///
    /// If the domain does not exist or nothing can be composed.
    pub fn compose(&self, seed: u64, number: u64, options: &ComposerOptions) -> Result<Composed, ComposeError> {
        let draw = Draw::new(seed, number);
        let domain = self.domain(options, draw.at("domain"))?;
        let company = of_company(domain, options, draw.at("company"));
        let profile = options.profile.map(|ProfileName::Paper| &self.paper);
        let order = ScriptTarget::new(options, profile, number, draw);
        let mut best: Option<(f64, Composed)> = None;
        let mut failed = None;
        let mut asked = order.lines;
        for attempt in 0..order.attempts() {
            let (plan, correction) = (attempt / order.corrections(), attempt % order.corrections());
            if correction == 0 {
                // Another plan is drawn: some plans are either too small or too large.
                asked = order.lines;
            }
            let draw = if plan == 0 { draw } else { draw.nth("again", plan) };
            let composed = match self.planned(&company, &order, asked, draw) {
                Ok(Some(composed)) => composed,
                Ok(None) => {
                    // Too few statements for its files.
                    asked *= 1.3;
                    continue;
                }
                Err(error) => {
                    failed.get_or_insert(error);
                    continue;
                }
            };
            let lines = composed.reference.script.text().lines().count() as f64;
            let off = order.off(&composed);
            best = best.filter(|(least, _)| off >= *least).or(Some((off, composed)));
            if best.as_ref().is_some_and(|(off, _)| order.is_met(*off, attempt + 1)) {
                break;
            }
            asked *= order.correction(lines);
        }
        let unmet = order.unmet(best.as_ref().map(|(off, composed)| (*off, composed)));
        match (best, unmet) {
            (Some((_, composed)), None) => Ok(composed),
            (_, unmet) => Err(failed.or(unmet).unwrap_or_else(|| ComposeError::NoAnswer(domain.domain.clone()))),
        }
    }

    /// Composes a script of about so many lines; `None` if it cannot be cut into as many files as are ordered.
    fn planned(
        &self,
        domain: &Domain,
        order: &ScriptTarget<'_>,
        lines: f64,
        draw: Draw,
    ) -> Result<Option<Composed>, ComposeError> {
        let number = order.number;
        let (mut builder, mut sections) = self.sections(domain, order, lines, draw)?;
        if let Some(Some(decimals)) = draw.at("percent").pick(&PERCENT).filter(|_| order.profile().is_none()) {
            let results = sections.iter_mut().flat_map(|(_, (_, answer))| &mut answer.results);
            results.for_each(|result| in_percent(&mut builder.plan, result, *decimals));
        }
        let styles = match order.files {
            Some(_) => self.styles.styles(draw.at("style")),
            None => self.styles.draw(draw.at("style")).map(|style| order.styled(style)).into_iter().collect(),
        };
        let Some((question, _)) = sections.first().filter(|_| !styles.is_empty()) else {
            return Err(ComposeError::NoAnswer(domain.domain.clone()));
        };
        let answers: Vec<(&'static str, Analysis)> = sections.iter().map(|(_, answer)| answer.clone()).collect();
        let (plan, names) = (&builder.plan, &builder.names);
        let history = self.styles.history();
        let remarks = self.styles.remarks();
        let planned = ScriptDraft { history, remarks, domain, plan, names, styles: &styles, sections: &answers, draw };
        planned.finish(question, number).map_err(|source| {
            let domain = domain.domain.clone();
            ComposeError::Unreadable { number, domain, source: Box::new(source) }
        })
    }

    /// Returns the domain and the first plan of script `number` of a random seed.
    #[cfg(test)]
    pub(super) fn plan(
        &self,
        seed: u64,
        number: u64,
        options: &ComposerOptions,
    ) -> Result<(&Domain, PlanBuilder<'_>), ComposeError> {
        let draw = Draw::new(seed, number);
        let domain = self.domain(options, draw.at("domain"))?;
        let order = ScriptTarget::new(options, None, number, draw);
        Ok((domain, self.sections(domain, &order, order.lines, draw)?.0))
    }

    /// Plans a script of about so many lines: the builder with the plan, and the questions with their answers.
    fn sections<'a>(
        &'a self,
        domain: &'a Domain,
        order: &ScriptTarget<'_>,
        lines: f64,
        draw: Draw,
    ) -> Result<(PlanBuilder<'a>, Vec<ReportSection<'a>>), minijinja::Error> {
        let questions: Vec<&BusinessQuestion> = domain.questions.iter().map(|(_, question)| question).collect();
        let questions = draw.at("questions").shuffled(&questions);
        let mut builder = PlanBuilder::new(domain, &self.library, draw, window(draw.at("window")));
        order.prepare(&mut builder, draw);
        let mut sections = sections(&mut builder, &questions, lines, order, draw)?;
        if order.files.is_some() {
            one_report(&mut builder.plan, &mut sections);
        }
        order.finish(&mut builder.plan, draw);
        prune(&mut builder.plan);
        without_needless_null_tests(&mut builder.plan);
        Ok((builder, sections))
    }

    fn domain(&self, options: &ComposerOptions, draw: Draw) -> Result<&Domain, ComposeError> {
        let all = || self.domains().collect::<Vec<_>>().join(", ");
        match &options.domain {
            Some(name) => {
                let found = self.domains.iter().find(|domain| domain.domain == *name);
                found.ok_or_else(|| ComposeError::NoDomain(name.clone(), all()))
            }
            None => draw.pick(&self.domains).ok_or_else(|| ComposeError::NoDomain("any".to_owned(), all())),
        }
    }
}

/// Share of the tables with repeated rows that a company has cleaned before any report reads them.
const CLEANED: f64 = 0.5;

/// Returns a domain as one company has it: some of its tables hold each row once. Several files clean their tables
/// themselves: that is what the first of them are for.
fn of_company(domain: &Domain, options: &ComposerOptions, draw: Draw) -> Domain {
    let mut own = domain.clone();
    for (name, table) in own.tables.iter_mut() {
        if options.scripts.is_none() && draw.at(name).chance(CLEANED) {
            table.repeats = None;
        }
    }
    own
}

/// Usual lines of a section, least and most.
const SECTION_LINES: (usize, usize) = (70, 260);

/// No further section is begun for less than this share of a script's lines.
const ENOUGH: f64 = 0.25;

/// Most lines of a section that takes all lines that are left.
const WHOLE_LINES: f64 = 420.0;

/// Decimals of shares written in per cent, `None` for shares written as fractions; one is drawn.
const PERCENT: [Option<usize>; 5] = [None, None, Some(1), Some(2), Some(2)];

/// A question, the name of the analysis that answers it, and the answer.
type ReportSection<'a> = (&'a BusinessQuestion, (&'static str, Analysis));

/// Plans analyses until the script has about so many lines; another question is taken only when no further analysis
/// fits the present one, so that what a script reports belongs together.
fn sections<'a>(
    builder: &mut PlanBuilder<'_>,
    questions: &[&'a BusinessQuestion],
    lines: f64,
    order: &ScriptTarget<'_>,
    draw: Draw,
) -> Result<Vec<ReportSection<'a>>, minijinja::Error> {
    let mut found: Vec<ReportSection<'a>> = Vec::new();
    let most = questions.len().max(1) * 40;
    let mut asked = 0;
    let mut done: Vec<&'static str> = Vec::new();
    for number in 0..most {
        let rest = lines - builder.plan.lines() as f64;
        if !found.is_empty() && rest < (SECTION_LINES.0 as f64 * 0.6).max(lines * ENOUGH) {
            break;
        }
        let Some(question) = questions.get(asked % questions.len().max(1)).copied() else { break };
        builder.ask(question, draw.nth("ask", asked));
        let draw = draw.nth("section", number);
        // What fills several files is one report.
        let lines = if order.files.is_some() { rest } else { section_lines(rest, draw) };
        let size = order.size(lines, draw.at("size"));
        let narrowed = if done.is_empty() { question.clone() } else { narrowed(question, builder) };
        match analyse(builder, AnalysisRequest { question: &narrowed, size, draw }, &done)? {
            Some(answer) => {
                done.push(answer.0);
                found.push((question, answer));
                if order.files.is_some() {
                    break;
                }
            }
            None => {
                asked += 1;
                done.clear();
            }
        }
    }
    Ok(found)
}

/// Draws the lines of a section from those that are left.
fn section_lines(rest: f64, draw: Draw) -> f64 {
    let usual = draw.at("lines").between(SECTION_LINES.0, SECTION_LINES.1) as f64;
    let usual = if draw.at("whole").chance(0.6) { rest.min(WHOLE_LINES) } else { usual };
    rest.min(usual.max(rest / 12.0))
}

/// Returns the question for a further report: on tables that the plan reads already, if it reads several.
fn narrowed(question: &BusinessQuestion, builder: &PlanBuilder<'_>) -> BusinessQuestion {
    let read = builder.plan.tables();
    let mut narrowed = question.clone();
    narrowed.facts.retain(|fact| read.contains(fact));
    if narrowed.facts.len() > 1 { narrowed } else { question.clone() }
}

/// Keeps of a plan what the first result of its first section needs: the last of several files has one table to fill.
fn one_report(plan: &mut Plan, sections: &mut [ReportSection<'_>]) {
    let Some((_, (_, answer))) = sections.first_mut() else { return };
    answer.results.truncate(1);
    plan.results = answer.results.iter().map(|result| result.block).collect();
    let needed = plan.readers_last();
    plan.notes.retain(|(block, _)| needed.contains(block));
}
