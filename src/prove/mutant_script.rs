//! A changed script as a trial reads it.

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::equivalence::ScriptView;
use super::subject::Subject;
use super::verdict::{Candidate, Verdict};
use crate::code::parameters::UnboundPlaceholder;
use crate::code::scope::{ResolvedScript, Scopes};
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::{Token, TokenKind, tokenize};
use crate::engine::spark_rules::judge;
use crate::engine::sqlite::{Sqlite, Translation, Unsupported};

/// A wrong script that is near the reference.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MutantText {
    /// The whole text, placeholders included.
    pub text: String,
    /// The bytes in it that differ from the reference.
    pub changed: Span,
}

impl MutantText {
    /// Returns the script as it is tried, without anything known of where the difference shows.
    pub fn candidate(&self) -> Candidate<'_> {
        Candidate { text: &self.text, changed: self.changed, about: &[] }
    }
}

/// A mutant's translation, which every run needs, and its tree and names, which few trials ask for.
pub(super) struct MutantScript<'a> {
    subject: &'a Subject<'a>,
    text: &'a str,
    pub translation: Translation,
    whole: OnceCell<BoundScript>,
}

/// A script with its placeholders bound, and its names.
pub(super) struct BoundScript {
    pub script: Script,
    pub scopes: Scopes,
}

impl<'a> MutantScript<'a> {
    /// Reads a candidate: only the part that changed, where that is enough.
    ///
    /// # Errors
    ///
    /// If the script is refused or cannot be run; the error is its verdict.
    pub fn read(subject: &'a Subject<'a>, candidate: &Candidate<'a>) -> Result<MutantScript<'a>, Box<Verdict>> {
        let text = candidate.text;
        if let Some(translation) = subject.reread(text, candidate.changed) {
            return Ok(MutantScript { subject, text, translation, whole: OnceCell::new() });
        }
        let translation = BoundScript::read(subject, text)?.translate(subject);
        let translation =
            translation.map_err(|unsupported| Box::new(Verdict::Unsupported { reason: format!("{unsupported:?}") }))?;
        Ok(MutantScript { subject, text, translation, whole: OnceCell::new() })
    }

    /// Returns the whole script, read on the first call. It has the reference's layout wherever it has its tokens, so
    /// that a blank that keeps columns aligned is no difference.
    pub fn whole(&self) -> &BoundScript {
        self.whole.get_or_init(|| {
            let text = with_layout_of(self.subject.reference.script.text(), self.text);
            // The part that changed has been bound already, and the rest has the placeholders of the reference.
            BoundScript::bound(self.subject, &text).unwrap_or_else(|_| BoundScript::of(self.subject, text))
        })
    }
}

impl BoundScript {
    fn of(subject: &Subject<'_>, bound: String) -> BoundScript {
        let ResolvedScript { script, scopes } = ResolvedScript::new(bound, &subject.reference.schema);
        BoundScript { script, scopes }
    }

    /// Binds and resolves the script in this text, whether or not Spark would accept it.
    pub fn bound(subject: &Subject<'_>, text: &str) -> Result<BoundScript, UnboundPlaceholder> {
        Ok(BoundScript::of(subject, subject.reference.parameters.bind(text)?))
    }

    fn read(subject: &Subject<'_>, text: &str) -> Result<BoundScript, Box<Verdict>> {
        let schema = &subject.reference.schema;
        let whole = BoundScript::bound(subject, text);
        let whole = whole.map_err(|error| Box::new(Verdict::Unsupported { reason: error.to_string() }))?;
        let refused = judge(&whole.script, &whole.scopes, schema);
        match refused.or_else(|| subject.policies.judge(&whole.script, &whole.scopes, &subject.reference.parameters)) {
            Some(rejection) => Err(Box::new(Verdict::rejected(rejection))),
            None => Ok(whole),
        }
    }

    /// Returns the script with its names.
    pub fn view<'a>(&'a self, subject: &'a Subject<'_>) -> ScriptView<'a> {
        ScriptView { script: &self.script, scopes: &self.scopes, schema: &subject.reference.schema }
    }

    pub fn translate(&self, subject: &Subject<'_>) -> Result<Translation, Unsupported> {
        let reference = subject.reference;
        Sqlite::translate(&self.script, &self.scopes, &reference.schema, &reference.parameters)
    }
}

/// Returns `text` with the layout of `original` in front of the first token that differs and behind the last one.
fn with_layout_of(original: &str, text: &str) -> String {
    let tokens = |text: &str| -> Vec<Span> {
        tokenize(text).iter().filter(|token| token.kind != TokenKind::Blank).map(Token::span).collect()
    };
    let (old, new) = (tokens(original), tokens(text));
    let is_same = |(one, other): &(&Span, &Span)| one.of(original) == other.of(text);
    let before = old.iter().zip(&new).take_while(is_same).count();
    let most = old.len().min(new.len()) - before;
    let behind = old.iter().rev().zip(new.iter().rev()).take(most).take_while(is_same).count();
    let end = |spans: &[Span]| before.checked_sub(1).map_or(0, |last| spans[last].end);
    let start = |spans: &[Span], whole: usize| spans.get(spans.len() - behind).map_or(whole, |span| span.start);
    let middle = &text[end(&new)..start(&new, text.len())];
    format!("{}{middle}{}", &original[..end(&old)], &original[start(&old, original.len())..])
}

#[cfg(test)]
mod tests {
    use super::with_layout_of;

    #[test]
    fn only_the_layout_at_the_change_stays() {
        for (original, text, expected) in [
            (
                "SELECT COUNT(*)  AS n,\n  k AS key", "SELECT COUNT(k) AS n,\n  k  AS key",
                "SELECT COUNT(k)  AS n,\n  k AS key",
            ),
            ("SELECT a + b", "SELECT a b", "SELECT a b"),
            ("SELECT a+b", "SELECT  a", "SELECT a"),
            ("SELECT a", "SELECT  a , b", "SELECT a , b"),
            ("SELECT a ", "SELECT a", "SELECT a"),
            ("a", "", ""),
        ] {
            assert_eq!(with_layout_of(original, text), expected, "{text}");
        }
    }
}
