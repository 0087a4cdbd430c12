//! For tests: an engine with a bug that panics on every text but the first, on texts with a word, or at one particular
//! call.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::choice::SyntaxJudge;
use super::context::ContextRef;
use super::embedded::EmbeddedEngine;
use super::interface::{EMBEDDED, Engine, ExternalEngine};
use super::outcome::{EngineVerdict, RunOutcome};
use super::spark::Times;
use super::spark_rules::Rejection;
use super::table::Database;

/// The embedded engine, which panics when it is asked what [`PanicTrigger`] says.
#[derive(Debug, Default)]
pub struct PanickingEngine {
    trigger: PanicTrigger,
    first: OnceLock<String>,
    asked: AtomicUsize,
    panics: AtomicUsize,
}

/// What the engine panics at.
#[derive(Clone, Copy, Debug, Default)]
enum PanicTrigger {
    /// Every text but the first that it is asked about, which is the reference.
    #[default]
    OtherText,
    /// Every text with this word.
    Word(&'static str),
    /// One call, counted from 0.
    Call(usize),
}

impl PanickingEngine {
    /// Returns the embedded engine, except that one call panics, counted from 0.
    pub fn at(question: usize) -> PanickingEngine {
        PanickingEngine { trigger: PanicTrigger::Call(question), ..PanickingEngine::default() }
    }

    /// Returns the embedded engine, except that it panics for every text with this word.
    pub fn at_word(word: &'static str) -> PanickingEngine {
        PanickingEngine { trigger: PanicTrigger::Word(word), ..PanickingEngine::default() }
    }

    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    pub fn panics(&self) -> usize {
        self.panics.load(Ordering::Relaxed)
    }

    fn hold(&self, text: &str) {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        let is_first = self.first.get_or_init(|| text.to_owned()) == text;
        let panics = match self.trigger {
            PanicTrigger::OtherText => !is_first,
            PanicTrigger::Word(word) => text.contains(word),
            PanicTrigger::Call(question) => question == asked,
        };
        if panics {
            self.panics.fetch_add(1, Ordering::Relaxed);
            panic!("the engine has a bug");
        }
    }
}

impl Engine for PanickingEngine {
    fn name(&self) -> &str {
        EMBEDDED
    }

    // Only an external engine is asked to confirm each mutant.
    fn external(&self) -> Option<&dyn ExternalEngine> {
        Some(self)
    }

    fn check(&self, text: &str, context: ContextRef<'_>) -> RunOutcome {
        self.hold(text);
        EmbeddedEngine.check(text, context)
    }

    fn run(&self, text: &str, context: ContextRef<'_>, database: &Database) -> RunOutcome {
        self.hold(text);
        EmbeddedEngine.run(text, context, database)
    }

    fn verdicts(&self, text: &str, context: ContextRef<'_>) -> Result<Vec<EngineVerdict>, String> {
        self.hold(text);
        EmbeddedEngine.verdicts(text, context)
    }
}

impl ExternalEngine for PanickingEngine {
    fn judge(&self) -> SyntaxJudge {
        SyntaxJudge::Spark
    }

    fn hive(&self, _: &str, _: ContextRef<'_>) -> Result<Option<Rejection>, String> {
        Err("there is no Hive parser".to_owned())
    }

    fn limit(&self, _: u64) {}

    fn absence(&self) -> Option<String> {
        None
    }

    fn times(&self) -> Option<Times> {
        None
    }
}
