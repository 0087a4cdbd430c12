//! What the user asks of composed scripts, and why it cannot be had.

use super::domain::DomainError;
use super::profile::ProfileName;
use crate::code::profile::Complexity;
use crate::corpus::CorpusError;
use crate::store::yaml::YamlFileError;

/// What the user asks of composed scripts.
#[derive(Clone, Debug, Default)]
pub struct ComposerOptions {
    /// Only this domain.
    pub domain: Option<String>,
    /// Least and most lines of a script; if `None`, between 80 and 320, and only the first plan is drawn.
    pub lines: Option<[usize; 2]>,
    /// Least and most files of which a script is to consist; if `None`, it is one text.
    pub scripts: Option<[usize; 2]>,
    /// What scripts are to be like on average.
    pub profile: Option<ProfileName>,
    /// For which kind of task a script of a profile is: 0 syntax, 1 semantic; if `None`, they take turns.
    pub kind: Option<usize>,
    /// How complex a script is to be. Only those of which nothing else is asked are made longer until they are.
    pub complexity: Option<Complexity>,
}

/// Why no script could be composed.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// A domain model does not read.
    #[error(transparent)]
    Domain(#[from] DomainError),
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
    /// No plan of a script has lines in the range.
    #[error("no plan of script {number} has {least} to {most} lines, the nearest has {nearest}; take a wider range")]
    Lines {
        /// Its number.
        number: u64,
        /// Least lines wanted.
        least: usize,
        /// Most lines wanted.
        most: usize,
        /// Lines of the nearest plan.
        nearest: usize,
    },
    /// No plan of a script can be cut into so many files.
    #[error("no plan of script {number} has enough steps for {least} scripts that read each other; take fewer")]
    Files {
        /// Its number.
        number: u64,
        /// Least files wanted.
        least: usize,
    },
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
        !matches!(
            self,
            ComposeError::Domain(_) | ComposeError::Template(_) | ComposeError::NoDomain(..) | ComposeError::Render(_)
        )
    }
}
