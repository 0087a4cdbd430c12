//! For tests: an engine with a bug of ours, on which every text but the first panics.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::context::ContextRef;
use super::outcome::{EngineVerdict, RunOutcome};
use super::table::Database;
use super::{EMBEDDED, EmbeddedEngine, Engine};

/// The embedded engine for the first text that it is asked about, which is the reference; a panic for every other.
#[derive(Debug, Default)]
pub struct PanickingEngine {
    first: OnceLock<String>,
    panics: AtomicUsize,
}

impl PanickingEngine {
    /// How often it has panicked.
    pub fn panics(&self) -> usize {
        self.panics.load(Ordering::Relaxed)
    }

    fn hold(&self, text: &str) {
        if self.first.get_or_init(|| text.to_owned()) != text {
            self.panics.fetch_add(1, Ordering::Relaxed);
            panic!("the engine has a bug");
        }
    }
}

impl Engine for PanickingEngine {
    fn name(&self) -> &str {
        EMBEDDED
    }

    // Only what is not the embedded engine is asked to confirm each mutant.
    fn is_embedded(&self) -> bool {
        false
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
