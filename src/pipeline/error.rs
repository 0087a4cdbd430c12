//! Why a run cannot be built.

use std::path::PathBuf;

use crate::corpus::CorpusError;
use crate::engine::spark::SparkError;
use crate::engine::translation::TranslatorError;
use crate::fault::TaxonomyError;
use crate::publish::complaint::PhraseError;
use crate::store::StoreError;

/// Why a run cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The references cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The taxonomy cannot be read.
    #[error(transparent)]
    Taxonomy(#[from] TaxonomyError),
    /// The run directory cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The templates of complaints cannot be read.
    #[error(transparent)]
    Phrases(#[from] PhraseError),
    /// The user asked to stop.
    #[error("stopped; what was proved is kept in {}; the same command with --seed {seed} --resume goes on", out.display())]
    Stopped {
        /// The run's directory.
        out: PathBuf,
        /// The run's random seed.
        seed: u64,
    },
    /// Scripts of another dialect cannot be translated here.
    #[error(transparent)]
    Translator(#[from] TranslatorError),
    /// The engine asked for is absent or does not start.
    #[error(transparent)]
    Engine(#[from] SparkError),
    /// The engine asked for was needed after all, and is absent or does not start.
    #[error("{0}")]
    EngineNeeded(String),
    /// The user asked to stop a refill.
    #[error("stopped; the run is as it was, what was proved is kept; `sqlfault build --refill {0}` goes on")]
    RefillStopped(PathBuf),
    /// References cannot be composed, or composed references do not suit the command.
    #[error("{0}")]
    Compose(String),
    /// A model cannot be asked.
    #[error("{0}")]
    Models(String),
    /// The settings of a run cannot be read.
    #[error("{0}")]
    Manifest(String),
    /// No script passed its baseline.
    #[error("no script passed its baseline; mend one of them:\n{0}")]
    NoScript(String),
}
