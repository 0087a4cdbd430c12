//! One composed script: question, plan, hand, specification.

use super::analysis::{Answer, Inquiry, Size, analyse};
use super::builder::PlanBuilder;
use super::composed::Composed;
use super::domain::{BusinessQuestion, Domain};
use super::draw::Draw;
use super::hand::Styles;
use super::pattern::{Library, PatternError};
use super::percent::in_percent;
use super::plan::prune;
use super::planned::ScriptDraft;
use super::scan::window;
use crate::corpus::CorpusError;

/// What a script is composed from.
#[derive(Debug)]
pub struct Composer {
    domains: Vec<Domain>,
    library: Library,
    styles: Styles,
}

/// What the user wants of composed scripts.
#[derive(Clone, Debug, Default)]
pub struct ComposerOptions {
    /// Only this domain.
    pub domain: Option<String>,
    /// Lines of a script, least and most.
    pub lines: Option<(usize, usize)>,
}

/// Why no script could be composed.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// A domain model of ours does not read.
    #[error(transparent)]
    Domain(#[from] super::domain::DomainError),
    /// A pattern does not read.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A style does not read.
    #[error(transparent)]
    Style(#[from] super::hand::StyleError),
    /// There is no such domain.
    #[error("there is no domain `{0}`; the domains are {1}")]
    NoDomain(String, String),
    /// A template of a pattern fails.
    #[error("a pattern's template fails: {0}")]
    Template(#[from] minijinja::Error),
    /// No question of the domain could be answered.
    #[error("no question of domain `{0}` could be answered with its tables")]
    NoAnswer(String),
    /// What was written is no script: a bug of ours.
    #[error("script {number} of domain {domain} does not read: {source}")]
    Unreadable {
        /// Its number.
        number: u64,
        /// Its domain.
        domain: String,
        /// Why.
        source: Box<CorpusError>,
    },
}

impl ComposeError {
    /// Whether other scripts can be composed all the same.
    pub fn is_of_one_script(&self) -> bool {
        matches!(self, ComposeError::NoAnswer(_) | ComposeError::Unreadable { .. })
    }
}

impl Composer {
    /// What the binary carries.
    ///
    /// # Errors
    ///
    /// When a model, pattern or style does not read.
    pub fn embedded() -> Result<Composer, ComposeError> {
        let domains = super::domain::embedded().into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Composer { domains, library: Library::embedded()?, styles: Styles::embedded()? })
    }

    /// The same with other domains.
    #[must_use]
    pub fn with_domains(mut self, domains: Vec<Domain>) -> Composer {
        self.domains = domains;
        self
    }

    /// The same with other patterns.
    #[must_use]
    pub fn with_patterns(mut self, library: Library) -> Composer {
        self.library = library;
        self
    }

    /// The same with other styles.
    #[must_use]
    pub fn with_styles(mut self, styles: Styles) -> Composer {
        self.styles = styles;
        self
    }

    /// Names of the domains.
    pub fn domains(&self) -> impl Iterator<Item = &str> {
        self.domains.iter().map(|domain| domain.domain.as_str())
    }

    /// Composes script `number` of a random seed: the same whatever else is composed.
    ///
    /// # Errors
    ///
    /// When the domain does not exist or nothing can be composed.
    pub fn compose(&self, seed: u64, number: u64, options: &ComposerOptions) -> Result<Composed, ComposeError> {
        let draw = Draw::new(seed, number);
        let domain = self.domain(options, draw.at("domain"))?;
        let (least, most) = options.lines.unwrap_or(USUAL_LINES);
        let wanted = least as f64 + most.saturating_sub(least) as f64 * draw.at("lines").unit().powi(2);
        let mut best: Option<(f64, Composed)> = None;
        let mut asked = wanted;
        for attempt in 0..if options.lines.is_some() { CORRECTIONS * 3 } else { 1 } {
            if attempt % CORRECTIONS == 0 {
                // Some plans have no size between small and large.
                asked = wanted;
            }
            let draw = if attempt < CORRECTIONS { draw } else { draw.nth("again", attempt / CORRECTIONS) };
            let composed = match self.of_length(domain, asked, draw, number) {
                Err(_) if best.is_some() => continue,
                composed => composed?,
            };
            let lines = composed.reference.script.text().lines().count() as f64;
            let off = (lines - wanted).abs() / wanted;
            if best.as_ref().is_none_or(|(least, _)| off < *least) {
                best = Some((off, composed));
            }
            if off < 0.08 {
                break;
            }
            asked *= (wanted / lines).clamp(0.4, 2.5);
        }
        best.map(|(_, composed)| composed).ok_or_else(|| ComposeError::NoAnswer(domain.domain.clone()))
    }

    /// A script of about so many lines.
    fn of_length(&self, domain: &Domain, lines: f64, draw: Draw, number: u64) -> Result<Composed, ComposeError> {
        let questions: Vec<&BusinessQuestion> = domain.questions.iter().map(|(_, question)| question).collect();
        let questions = draw.at("questions").shuffled(&questions);
        let mut builder = PlanBuilder::new(domain, &self.library, draw, window(draw.at("window")));
        builder.plan.staged = draw.at("staged").chance(0.3);
        let mut sections = sections(&mut builder, &questions, lines, draw)?;
        prune(&mut builder.plan);
        if let Some(Some(decimals)) = draw.at("percent").pick(&PERCENT) {
            let results = sections.iter_mut().flat_map(|(_, (_, answer))| &mut answer.results);
            results.for_each(|result| in_percent(&mut builder.plan, result, *decimals));
        }
        let style = self.styles.hand(draw.at("style"));
        let (Some(style), Some((question, _))) = (style, sections.first()) else {
            return Err(ComposeError::NoAnswer(domain.domain.clone()));
        };
        let answers: Vec<(&'static str, Answer)> = sections.iter().map(|(_, answer)| answer.clone()).collect();
        let (plan, names) = (&builder.plan, &builder.names);
        let history = self.styles.history();
        let remarks = self.styles.remarks();
        let planned = ScriptDraft { history, remarks, domain, plan, names, style: &style, sections: &answers, draw };
        planned.finish(question, number).map_err(|source| {
            let domain = domain.domain.clone();
            ComposeError::Unreadable { number, domain, source: Box::new(source) }
        })
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

/// Lines of a script unless the user says otherwise.
const USUAL_LINES: (usize, usize) = (80, 320);

/// How often one plan is made larger or smaller at most, until it has the lines that the user wants.
const CORRECTIONS: usize = 3;

/// Lines of a section that make sense, least and most.
const SECTION_LINES: (usize, usize) = (70, 260);

/// The share of a script's lines that is worth no further section.
const ENOUGH: f64 = 0.25;

/// Lines of a section that is all that a script has.
const WHOLE_LINES: f64 = 420.0;

/// Decimals of shares that are written in per cent; `None`: as fractions.
const PERCENT: [Option<usize>; 5] = [None, None, Some(1), Some(2), Some(2)];

/// A question with the analysis that answers it.
type ReportSection<'a> = (&'a BusinessQuestion, (&'static str, Answer));

/// Plans analyses until the script has about the lines that are wanted: all of one question while there are some, so that
/// what a script reports belongs together.
fn sections<'a>(
    builder: &mut PlanBuilder<'_>,
    questions: &[&'a BusinessQuestion],
    lines: f64,
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
        builder.subject.clone_from(&question.subject);
        // A further report is about the rows that the first one is about.
        let read = builder.plan.tables();
        let mut narrow = question.clone();
        narrow.facts.retain(|fact| done.is_empty() || read.contains(fact));
        let draw = draw.nth("section", number);
        let usual = draw.at("lines").between(SECTION_LINES.0, SECTION_LINES.1) as f64;
        let usual = if draw.at("whole").chance(0.6) { rest.min(WHOLE_LINES) } else { usual };
        let size = Size::of(rest.min(usual.max(rest / 12.0)), draw.at("size"));
        match analyse(builder, Inquiry { question: &narrow, size, draw }, &done)? {
            Some(answer) => {
                done.push(answer.0);
                found.push((question, answer));
            }
            None => {
                asked += 1;
                done.clear();
            }
        }
    }
    Ok(found)
}
