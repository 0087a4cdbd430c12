//! A changed script as a trial reads it.

use std::cell::OnceCell;

use super::subject::Subject;
use super::trial::{Suspect, Verdict};
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::engine::spark_rules::judge;
use crate::engine::sqlite::{Sqlite, Translation};

/// Its translation, which every run needs, and its tree and names, which few trials ask for.
pub(super) struct Changed<'a> {
    subject: &'a Subject<'a>,
    text: &'a str,
    pub translation: Translation,
    whole: OnceCell<Whole>,
}

/// A script with its placeholders bound, and its names.
pub(super) struct Whole {
    pub script: Script,
    pub scopes: Scopes,
}

impl<'a> Changed<'a> {
    /// Reads a suspect, where that is enough only the part that changed.
    ///
    /// # Errors
    ///
    /// The verdict on a script that is refused or cannot be run.
    pub fn read(subject: &'a Subject<'a>, suspect: &Suspect<'a>) -> Result<Changed<'a>, Box<Verdict>> {
        let text = suspect.text;
        if let Some(translation) = subject.reread(text, suspect.changed) {
            return Ok(Changed { subject, text, translation, whole: OnceCell::new() });
        }
        let whole = Whole::read(subject, text)?;
        let translation = whole.translate(subject)?;
        Ok(Changed { subject, text, translation, whole: OnceCell::from(whole) })
    }

    /// All of it.
    pub fn whole(&self) -> &Whole {
        self.whole.get_or_init(|| {
            let bound = self.subject.seed.parameters.bind(self.text);
            Whole::of(self.subject, bound.unwrap_or_else(|_| self.text.to_owned()))
        })
    }
}

impl Whole {
    fn of(subject: &Subject<'_>, bound: String) -> Whole {
        let script = Script::new(bound);
        let scopes = Scopes::resolve(&script, &subject.seed.schema);
        Whole { script, scopes }
    }

    fn read(subject: &Subject<'_>, text: &str) -> Result<Whole, Box<Verdict>> {
        let schema = &subject.seed.schema;
        let bound = subject.seed.parameters.bind(text);
        let bound = bound.map_err(|error| Box::new(Verdict::Unsupported { reason: error.to_string() }))?;
        let whole = Whole::of(subject, bound);
        let refused = judge(&whole.script, &whole.scopes, schema);
        match refused.or_else(|| subject.policies.judge(&whole.script, &whole.scopes, subject.ground())) {
            Some(rejection) => Err(Box::new(Verdict::rejected(rejection))),
            None => Ok(whole),
        }
    }

    fn translate(&self, subject: &Subject<'_>) -> Result<Translation, Box<Verdict>> {
        let seed = subject.seed;
        let translation = Sqlite::translate(&self.script, &self.scopes, &seed.schema, &seed.parameters);
        translation.map_err(|unsupported| Box::new(Verdict::Unsupported { reason: format!("{unsupported:?}") }))
    }
}
