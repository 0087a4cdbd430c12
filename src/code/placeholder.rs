//! Placeholders in a text, such as `${bizdate}` and `{{ ds }}`.

use super::span::Span;
use super::token::{LONGEST_PLACEHOLDER, Token, TokenKind, tokenize, within};

/// How placeholders begin and end.
const BRACKETS: [(&str, &str); 5] = [("${", "}"), ("{{", "}}"), ("#{", "}"), ("@@{", "}"), ("$[", "]")];

/// A placeholder and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The text between its brackets, trimmed.
    pub key: String,
    /// Its bytes, brackets included.
    pub span: Span,
    /// A script cannot run while it is unbound: it is SQL, or `${…}` or `{{ name }}` in a string. The other
    /// bracket forms may be ordinary text in a string, and comments need no values.
    pub required: bool,
    /// It stands in SQL: in no string, comment or command.
    pub in_sql: bool,
}

/// The placeholders of a script or of a piece of SQL, in text order.
pub fn placeholders(text: &str) -> Vec<Placeholder> {
    if !may_open(text) {
        return Vec::new();
    }
    let tokens = tokenize(text);
    tokens
        .iter()
        .filter(|token| may_open(token.span().of(text)))
        .flat_map(|token| placeholders_of(text, token))
        .collect()
}

/// Whether a letter, digit, `_`, `.` or back quote touches a placeholder, so that it is a part of a name.
pub(crate) fn touches_name(text: &str, span: Span) -> bool {
    let touches = |c: Option<char>| c.is_some_and(|c| matches!(c, '.' | '_' | '`') || c.is_alphanumeric());
    touches(text[..span.start].chars().next_back()) || touches(text[span.end..].chars().next())
}

/// A quick test of single bytes: whether a text may hold a placeholder, which most tokens cannot.
fn may_open(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'$' | b'{' | b'#' | b'@'))
}

fn placeholders_of(text: &str, token: &Token) -> Vec<Placeholder> {
    let mut found = Vec::new();
    let mut at = token.span().start;
    let quoted = token.kind == TokenKind::Text;
    let counts = !token.kind.is_trivia() && token.kind != TokenKind::Command;
    while let Some(Bracketed { form, span }) = next_placeholder(&text[..token.span().end], at) {
        let (open, close) = BRACKETS[form];
        let key = text[span.start + open.len()..span.end - close.len()].trim().to_owned();
        // `'{{ ds }}'` is a template's value; other brackets in a string may be text.
        let is_template = open == "{{" && key.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let required = counts && (form == 0 || !quoted || is_template);
        found.push(Placeholder { key, span, required, in_sql: counts && !quoted });
        at = span.end;
    }
    found
}

/// A placeholder in the text: which of [`BRACKETS`] it has, and its bytes.
struct Bracketed {
    form: usize,
    span: Span,
}

/// The first placeholder at or after `from`.
fn next_placeholder(text: &str, from: usize) -> Option<Bracketed> {
    let mut at = from;
    while let Some(step) = text[at..].find(['$', '{', '#', '@']) {
        at += step;
        if let Some(found) = (0..BRACKETS.len()).find_map(|form| bracketed(text, at, form)) {
            return Some(found);
        }
        at += 1;
    }
    None
}

/// The placeholder of a form that opens at `start`.
fn bracketed(text: &str, start: usize, form: usize) -> Option<Bracketed> {
    let (open, close) = BRACKETS[form];
    let inner = text[start..].strip_prefix(open)?;
    let end = within(inner, LONGEST_PLACEHOLDER).find(close)?;
    let key = &inner[..end];
    // A default may be a text, and so may an argument of a call.
    let quotes = |mark: char| key.matches(mark).count();
    let holds_texts = key.contains(":-") || key.contains('(') && key.ends_with(')');
    let are_whole = open == "${" && holds_texts && quotes('\'') % 2 == 0 && quotes('"') % 2 == 0;
    let is_plain = !key.contains('\n') && (are_whole || !key.contains(['\'', '"']));
    is_plain.then(|| Bracketed { form, span: Span::new(start, start + open.len() + end + close.len()) })
}
