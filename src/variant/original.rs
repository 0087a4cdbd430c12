//! A script of the user as variants begin with it: without comments, hints and settings.

use super::literal::{Replace, TextUse, placeholder, replaced};
use super::names::{Names, of_schema, of_script};
use super::rename::renamed;
use crate::code::edit::{Edit, Edits};
use crate::code::scope::Scopes;
use crate::code::script::Script;
use crate::code::span::Span;
use crate::code::token::{Token, TokenKind};
use crate::corpus::Reference;

/// A script of the user.
pub(super) struct Original {
    pub reference: Reference,
    /// The script as variants begin with it.
    pub script: Script,
    /// The names that it and its schema define.
    pub names: Names,
}

impl Original {
    pub fn new(reference: Reference) -> Original {
        let bound = reference.parameters.bind_name_placeholders(reference.script.text());
        let bare = Script::new(without_remarks(&bound));
        let mut names = Names::new();
        of_schema(&reference.schema, &mut names);
        of_script(&bare, &Scopes::resolve(&bare, &reference.schema), &mut names);
        Original { reference, script: bare, names }
    }

    /// Shows every part of the script and of the values of its parameters.
    pub fn visit(&self, note: &mut Replace<'_>) {
        // Only the parts are wanted: what they would be replaced by does not matter.
        _ = renamed(&self.script, note);
        for (key, value) in self.reference.parameters.iter() {
            placeholder(key, note);
            replaced(value, TextUse::Plain, note);
        }
    }
}

/// Returns a script without comments, hints and commands other than `USE`.
fn without_remarks(text: &str) -> String {
    let script = Script::new(text);
    let remark = |token: &&Token| token.kind.is_trivia() && token.kind != TokenKind::Blank;
    let mut edits: Vec<Edit> =
        script.all_tokens().iter().filter(remark).map(|token| Edit::replacement(token.span(), " ")).collect();
    for (place, token) in script.tokens().iter().enumerate() {
        let uses = script.token_text(place).get(..3).is_some_and(|head| head.eq_ignore_ascii_case("use"));
        if token.kind == TokenKind::Command && !uses {
            edits.push(Edit::deletion(token.span()));
            let end = script.tokens().get(place + 1).filter(|_| script.token_text(place + 1) == ";");
            edits.extend(end.map(|end: &Token| Edit::deletion(Span::new(end.span().start, end.span().end))));
        }
    }
    Edits::new(edits).and_then(|edits| edits.apply(text)).unwrap_or_else(|_| text.to_owned())
}
