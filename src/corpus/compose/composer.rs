//! One composed script: question, plan, hand, specification.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::builder::PlanBuilder;
use super::dictionary::dictionary;
use super::domain::{Domain, Table, TableKind};
use super::draw::Draw;
use super::hand::{HeaderSubject, History, Prepared, StatementFrame, Style, Styles, WrittenScript};
use super::names::ScriptNames;
use super::pattern::{Library, PatternError};
use super::plan::Plan;
use super::relation::OpenRelation;
use super::report::{Size, report};
use super::scan::window;
use super::schema::{TableText, ddl, table_name};
use super::turn::{TokenisedText, turned};
use crate::code::parameters::Parameters;
use crate::code::span::Span;
use crate::corpus::decision::Decision;
use crate::corpus::{CorpusError, Reference, ReferenceCard, read_texts};

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

/// A sentence of the specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sentence {
    /// What holds.
    pub text: String,
    /// The bytes that make it hold.
    pub ranges: Vec<Span>,
    /// The number of its decision, if it is one.
    pub decision: Option<usize>,
}

/// Where an output column comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputLineage {
    /// Its name.
    pub column: String,
    /// What people call it.
    pub words: String,
    /// `table.column` of the schema that it rests on.
    pub sources: Vec<String>,
}

/// A composed script with what its composer knows.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The script, its schema and card.
    pub reference: Reference,
    /// The rules that the script follows.
    pub specification: Vec<Sentence>,
    /// The decisions made in it.
    pub decisions: Vec<Decision>,
    /// Its output columns.
    pub lineage: Vec<OutputLineage>,
    /// Name of the house style.
    pub style: String,
}

/// What `specification.yaml` holds.
#[derive(Clone, Debug, Serialize)]
pub struct SpecificationFile<'a> {
    /// The rules that the script follows.
    pub sentences: &'a [Sentence],
    /// The decisions made in it.
    pub decisions: &'a [Decision],
    /// Its output columns.
    pub lineage: &'a [OutputLineage],
}

impl Composed {
    /// What the composer knows of the script, as it is written to a file.
    pub fn specification_file(&self) -> SpecificationFile<'_> {
        SpecificationFile { sentences: &self.specification, decisions: &self.decisions, lineage: &self.lineage }
    }
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

/// Business dates that scripts run for.
const DATES: [&str; 12] = [
    "2024-03-15",
    "2024-05-31",
    "2023-11-24",
    "2024-01-08",
    "2023-09-30",
    "2024-06-14",
    "2023-12-31",
    "2024-02-29",
    "2024-04-22",
    "2023-10-17",
    "2024-07-01",
    "2024-08-19",
];

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

    /// The patterns.
    pub fn library(&self) -> &Library {
        &self.library
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
        let questions: Vec<_> = domain.questions.iter().map(|(_, question)| question).collect();
        for (attempt, question) in draw.at("questions").shuffled(&questions).into_iter().enumerate() {
            let draw = draw.nth("attempt", attempt);
            let mut builder = PlanBuilder::new(domain, &self.library, draw, window(draw.at("window")));
            let size = size(options, draw.at("size"));
            let Some(results) = report(&mut builder, question, size, draw.at("report"))? else { continue };
            let (plan, names) = (builder.plan, builder.names);
            let Some(style) = self.styles.hand(draw.at("style")) else { continue };
            let history = self.styles.history();
            let work =
                ScriptDraft { history, domain, plan: &plan, names: &names, style: &style, results: &results, draw };
            return work.finish(question, number);
        }
        Err(ComposeError::NoAnswer(domain.domain.clone()))
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

/// How much a script does, from the lines it should have.
fn size(options: &ComposerOptions, draw: Draw) -> Size {
    let (least, most) = options.lines.unwrap_or((80, 320));
    let middle = draw.at("lines").unit().powi(2);
    let lines = least as f64 + (most.saturating_sub(least)) as f64 * middle;
    let units = (lines / 50.0).max(1.0);
    let branches = (units * 0.75).round().clamp(2.0, 40.0) as usize;
    let each = lines / branches as f64;
    Size {
        branches,
        effort: super::branch::BranchSize {
            clean: draw.at("clean").below(3),
            rules: draw.at("rules").between(1, 3),
            enrich: draw.at("enrich").below(3),
            row: draw.at("row").below(3),
            measures: ((each / 12.0).round() as usize).clamp(2, 30),
        },
        derive: draw.at("derive").between(2, 3 + units as usize),
    }
}

/// A plan on its way to a script.
struct ScriptDraft<'a> {
    history: &'a History,
    domain: &'a Domain,
    plan: &'a Plan,
    names: &'a ScriptNames<'a>,
    style: &'a Style,
    results: &'a [OpenRelation],
    draw: Draw,
}

impl ScriptDraft<'_> {
    fn finish(&self, question: &super::domain::BusinessQuestion, number: u64) -> Result<Composed, ComposeError> {
        let tables = |name: &str| table_name(self.domain, self.names, self.style, name, self.draw.at("layers"));
        let filled = self.filled(question);
        let target = self.target(question, &filled);
        let chosen = self.plan.chosen();
        let prepared = Prepared::new(self.plan, self.style, &target, &tables, self.draw.at("write"));
        let written = prepared.write(&chosen);
        let decisions = self.decisions(&prepared, &written, &chosen);
        let schema = self.schema(&tables, &filled);
        let mut parameters = Parameters::default();
        let key = self.style.parameter.trim_start_matches("${").trim_end_matches('}');
        let key = key.rsplit(':').next().unwrap_or(key);
        parameters.insert(key, self.date());
        let card = ReferenceCard {
            domain: self.domain.domain.clone(),
            title: capital(&question.title),
            intention: format!("{} for {}, to {}", question.title, question.reader, question.purpose),
            scenario: self.scenario(),
            parameters,
        };
        let id = format!("{}/composed_{number:06}", self.domain.domain);
        let mut reference = read_texts(id, written.text.clone(), schema, card).map_err(|source| {
            let domain = self.domain.domain.clone();
            ComposeError::Unreadable { number, domain, source: Box::new(source) }
        })?;
        reference.decisions.clone_from(&decisions);
        reference.dictionary =
            dictionary(self.domain, self.names, &self.read_tables(&tables), self.results, &question.title);
        Ok(Composed {
            reference,
            specification: self.specification(&written, &decisions),
            decisions,
            lineage: self.lineage(&tables),
            style: self.style.name.clone(),
        })
    }

    /// The business date.
    fn date(&self) -> &'static str {
        self.draw.at("date").pick(&DATES).copied().unwrap_or(DATES[0])
    }

    /// The tables that the script fills; none if it is a plain query.
    fn filled(&self, question: &super::domain::BusinessQuestion) -> Vec<String> {
        if self.draw.at("target").chance(0.2) && self.results.len() < 2 {
            return Vec::new();
        }
        let subject = question.subject.as_str();
        let words: Vec<&str> = question.title.split_whitespace().filter(|word| word.len() > 3).take(2).collect();
        let ascii = |text: String| text.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
        let name = ascii(words.join("_"));
        let name = if name.contains(subject) { name } else { format!("{subject}_{name}") };
        let full = |name: &str| super::schema::result_name(self.domain, self.style, name, self.draw.at("layers"));
        let part = |other: &OpenRelation| other.grain.first().cloned().unwrap_or_default();
        let others = self.results.iter().skip(1).map(|other| full(&format!("{name}_by_{}", part(other))));
        std::iter::once(full(&name)).chain(others).collect()
    }

    fn target(&self, question: &super::domain::BusinessQuestion, filled: &[String]) -> StatementFrame {
        let date = super::piece::day(0);
        let insert = |name: &String| format!("INSERT OVERWRITE TABLE {name} PARTITION (dt = {date})");
        let team = self.draw.at("team").pick(&self.domain.teams).cloned().unwrap_or_default();
        let reader = question.reader.as_str();
        let column = |column: &super::relation::RelationColumn| column.name.clone();
        let columns = self.results.iter().flat_map(|result| &result.columns).map(column).collect();
        let about =
            HeaderSubject { table: filled.first().cloned(), title: capital(&question.title), team, reader, columns };
        let header = self.history.header(&about, self.date(), self.draw.at("header"));
        let scratch = super::schema::scratch(self.domain, self.style, self.draw.at("layers"));
        StatementFrame { inserts: filled.iter().map(insert).collect(), scratch, header }
    }

    fn decisions(&self, prepared: &Prepared<'_>, written: &WrittenScript, chosen: &[usize]) -> Vec<Decision> {
        let before = TokenisedText::new(&written.text);
        let mut found = Vec::new();
        for (id, decided) in self.plan.decisions.iter().enumerate() {
            let ranges: Vec<Span> =
                written.decisions.iter().filter(|(other, _)| *other == id).map(|(_, span)| *span).collect();
            if ranges.is_empty() {
                continue;
            }
            let mut other = chosen.to_vec();
            other[id] = 1 - other[id];
            let edits = turned(&before, &prepared.write(&other).text);
            if edits.is_empty() {
                continue;
            }
            found.push(Decision {
                kind: decided.kind.clone(),
                label: decided.label.clone(),
                form: decided.chosen,
                ranges,
                turned: edits,
                sentence: capital(&decided.sentences[decided.chosen]),
                other_sentence: capital(&decided.sentences[1 - decided.chosen]),
                hint: decided.hint.clone(),
            });
        }
        found
    }

    fn specification(&self, written: &WrittenScript, decisions: &[Decision]) -> Vec<Sentence> {
        let mut sentences: Vec<Sentence> = decisions
            .iter()
            .enumerate()
            .map(|(number, decision)| Sentence {
                text: format!("{}.", decision.sentence),
                ranges: decision.ranges.clone(),
                decision: Some(number),
            })
            .collect();
        for (block, text) in &self.plan.notes {
            let ranges: Vec<Span> =
                written.blocks.iter().filter(|(other, _)| other == block).map(|(_, span)| *span).collect();
            if !ranges.is_empty() {
                sentences.push(Sentence { text: format!("{}.", capital(text)), ranges, decision: None });
            }
        }
        sentences.sort_by_key(|sentence| sentence.ranges.first().map_or(0, |span| span.start));
        sentences
    }

    fn scenario(&self) -> String {
        let facts: Vec<String> = self.plan.notes.iter().map(|(_, text)| text.clone()).take(3).collect();
        format!("The data is that of {}. {}", self.domain.title, facts.join("; "))
    }

    fn schema(&self, tables: &dyn Fn(&str) -> String, filled: &[String]) -> String {
        let read = self.read_tables(tables);
        let text = |(full, name): &(String, String)| {
            let table = self.domain.tables.get(name)?;
            Some(TableText { full: full.clone(), name: name.clone(), table })
        };
        let texts: Vec<TableText<'_>> = read.iter().filter_map(text).collect();
        ddl(&texts, self.names, filled, self.results)
    }

    /// The tables that the script reads, each as its full name and its neutral one, in the order of the latter.
    fn read_tables(&self, tables: &dyn Fn(&str) -> String) -> Vec<(String, String)> {
        let mut read: BTreeSet<String> = BTreeSet::new();
        for block in self.plan.readers_last() {
            for item in &self.plan.blocks[block].items {
                if let super::plan::RowSource::Table(name) = &item.source
                    && self.domain.tables.has(name)
                {
                    read.insert(name.clone());
                }
            }
        }
        read.into_iter().map(|name| (tables(&name), name)).collect()
    }

    fn lineage(&self, tables: &dyn Fn(&str) -> String) -> Vec<OutputLineage> {
        let column = |column: &super::relation::RelationColumn| OutputLineage {
            column: column.name.clone(),
            words: column.meaning.words.clone(),
            sources: super::plan::live::sources(self.plan, &column.text, tables),
        };
        self.results.iter().flat_map(|result| &result.columns).map(column).collect()
    }
}

/// The text with a capital at the start.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// Whether a table is small and replaced as a whole.
pub(super) fn is_reference_data(table: &Table) -> bool {
    !matches!(table.kind, TableKind::Event | TableKind::Snapshot)
}
