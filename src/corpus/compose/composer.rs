//! Composes one script: draws domain, questions and style, plans analyses, and has the plan written.

use super::analysis::{Answer, Inquiry, Size, analyse};
use super::builder::PlanBuilder;
use super::composed::Composed;
use super::domain::{BusinessQuestion, Domain};
use super::draw::Draw;
use super::pattern::Library;
use super::percent::in_percent;
use super::plan::prune;
use super::planned::ScriptDraft;
use super::scan::window;
use super::writing::Styles;
use crate::corpus::CorpusError;
use crate::store::yaml::YamlFileError;

/// Composes scripts from domain models, patterns and house styles.
#[derive(Debug)]
pub struct Composer {
    domains: Vec<Domain>,
    library: Library,
    styles: Styles,
}

/// What the user asks of composed scripts.
#[derive(Clone, Debug, Default)]
pub struct ComposerOptions {
    /// Only this domain.
    pub domain: Option<String>,
    /// Least and most lines of a script; if `None`, between 80 and 320, and only the first attempt is made.
    pub lines: Option<(usize, usize)>,
}

/// Why no script could be composed.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// A domain model does not read.
    #[error(transparent)]
    Domain(#[from] super::domain::DomainError),
    /// A pattern or a style does not read.
    #[error(transparent)]
    Template(#[from] YamlFileError),
    /// There is no such domain: its name, and those of the domains that there are.
    #[error("there is no domain `{0}`; the domains are {1}")]
    NoDomain(String, String),
    /// A template of a pattern fails.
    #[error("a pattern's template fails: {0}")]
    Render(#[from] minijinja::Error),
    /// No question of the domain could be answered.
    #[error("no question of domain `{0}` could be answered with its tables")]
    NoAnswer(String),
    /// What was written does not parse: a bug of the composer.
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
    /// Whether other scripts may be composed all the same.
    pub fn is_of_one_script(&self) -> bool {
        matches!(self, ComposeError::NoAnswer(_) | ComposeError::Unreadable { .. })
    }
}

impl Composer {
    /// Reads the models, patterns and styles carried in the binary.
    ///
    /// # Errors
    ///
    /// If a model, pattern or style does not read.
    pub fn embedded() -> Result<Composer, ComposeError> {
        let domains = super::domain::embedded().into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Composer { domains, library: Library::embedded()?, styles: Styles::embedded()? })
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
        let (least, most) = options.lines.unwrap_or(USUAL_LINES);
        // Squared: short scripts are drawn more often than long ones.
        let wanted = least as f64 + most.saturating_sub(least) as f64 * draw.at("lines").unit().powi(2);
        let mut best: Option<(f64, Composed)> = None;
        let mut asked = wanted;
        for attempt in 0..if options.lines.is_some() { CORRECTIONS * 3 } else { 1 } {
            if attempt % CORRECTIONS == 0 {
                // Another plan is drawn: some plans are either too small or too large.
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

    /// Composes a script of about so many lines.
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
        let style = self.styles.draw(draw.at("style"));
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

/// Least and most lines of a script unless the user says otherwise.
const USUAL_LINES: (usize, usize) = (80, 320);

/// Attempts with one plan, each asked for more or fewer lines, before another plan is drawn.
const CORRECTIONS: usize = 3;

/// Usual lines of a section, least and most.
const SECTION_LINES: (usize, usize) = (70, 260);

/// No further section is begun for less than this share of a script's lines.
const ENOUGH: f64 = 0.25;

/// Most lines of a section that takes all lines that are left.
const WHOLE_LINES: f64 = 420.0;

/// Decimals of shares written in per cent, `None` for shares written as fractions; one is drawn.
const PERCENT: [Option<usize>; 5] = [None, None, Some(1), Some(2), Some(2)];

/// A question, the name of the analysis that answers it, and the answer.
type ReportSection<'a> = (&'a BusinessQuestion, (&'static str, Answer));

/// Plans analyses until the script has about so many lines; another question is taken only when no further analysis
/// fits the present one, so that what a script reports belongs together.
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
        // A further report is on tables that the plan reads already.
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
