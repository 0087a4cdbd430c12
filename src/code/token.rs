//! Lossless tokens: joined, they are the file.
//!
//! Placeholders (`${date}`, `{{ ds }}`, `{% x %}`, `#{d}`, `@@{d}`, `$[d]`) are part of the word they touch, so that
//! `tmp_${d}_x` stays one name. A command line (`SET …`, `ADD JAR …`) is one token up to its semicolon, because
//! its arguments are not SQL.

use super::span::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A bare name or keyword.
    Word,
    /// A name in back quotes.
    QuotedName,
    /// A string in single or double quotes.
    Text,
    /// A number with its suffix.
    Number,
    /// A word that holds nothing but a placeholder.
    Placeholder,
    /// An operator or punctuation mark.
    Symbol,
    /// A whole command such as `SET hive.x=y`.
    Command,
    /// Blanks and line ends.
    Blank,
    /// `-- …` up to the line end.
    LineComment,
    /// `/* … */`.
    BlockComment,
    /// `/*+ … */`.
    Hint,
    /// A string, quoted name or comment that never ends.
    Unclosed,
}

impl TokenKind {
    /// Whether the grammar skips the token.
    pub fn is_trivia(self) -> bool {
        matches!(self, Self::Blank | Self::LineComment | Self::BlockComment | Self::Hint)
    }
}

/// One token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    // 32 bits: tokens are half of the memory that reading a script takes.
    start: u32,
    end: u32,
}

impl Token {
    fn new(kind: TokenKind, span: Span) -> Token {
        Token { kind, start: span.start as u32, end: span.end as u32 }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

const COMMANDS: [&str; 9] = ["SET", "ADD", "USE", "DFS", "SOURCE", "RELOAD", "LIST", "DELETE JAR", "RESET"];
const PLACEHOLDERS: [(&str, &str); 6] =
    [("${", "}"), ("$[", "]"), ("@@{", "}"), ("#{", "}"), ("{{", "}}"), ("{%", "%}")];
const SYMBOLS: [&str; 12] = ["<=>", "<>", "!=", "==", "<=", ">=", "||", "|>", "->", "=>", "::", "<<"];

/// Splits `text` into tokens that cover every byte, in order.
///
/// # Panics
///
/// When the text has 4 GiB or more; readers of files stop at [`super::script::MAX_BYTES`].
pub fn tokenize(text: &str) -> Vec<Token> {
    assert!(u32::try_from(text.len()).is_ok(), "a text of {} bytes is too long to be read", text.len());
    let mut lexer = Lexer { text, at: 0, statement_start: true };
    let mut tokens = Vec::with_capacity(text.len() / 3);
    while lexer.at < text.len() {
        let start = lexer.at;
        let kind = lexer.next_kind();
        lexer.at = lexer.at.max(start + 1).min(text.len());
        lexer.note_statement_start(kind, start);
        tokens.push(Token::new(kind, Span::new(start, lexer.at)));
    }
    tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    statement_start: bool,
}

impl Lexer<'_> {
    fn note_statement_start(&mut self, kind: TokenKind, start: usize) {
        if !kind.is_trivia() {
            self.statement_start = &self.text[start..self.at] == ";";
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next_kind(&mut self) -> TokenKind {
        if self.statement_start && self.starts_command() {
            return self.command();
        }
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return TokenKind::Blank };
        match first {
            '-' if rest.starts_with("--") => self.line_comment(),
            '/' if rest.starts_with("/*") => self.block_comment(),
            '\'' | '"' => self.quoted(first, TokenKind::Text),
            '`' => self.quoted('`', TokenKind::QuotedName),
            _ if is_blank(first) => self.blank(),
            '0'..='9' => self.number_or_word(),
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) && !self.follows_name() => self.number(),
            'r' | 'R' if matches!(rest.as_bytes().get(1), Some(b'\'' | b'"')) => self.raw_text(),
            _ if starts_word(first) || self.placeholder_length().is_some() => self.word(),
            _ => self.symbol(first),
        }
    }

    /// Whether the byte before is part of a name or closes one: then `.1` is no number.
    fn follows_name(&self) -> bool {
        self.text[..self.at].chars().next_back().is_some_and(|c| is_word_part(c) || matches!(c, '`' | ')' | ']'))
    }

    fn starts_command(&self) -> bool {
        self.starts_shell_command()
            || COMMANDS.iter().any(|command| {
                let rest = self.rest().as_bytes();
                rest.len() > command.len()
                    && rest[..command.len()].eq_ignore_ascii_case(command.as_bytes())
                    && rest[command.len()].is_ascii_whitespace()
            })
    }

    /// `!echo done;`, which Hive hands to the shell. Without a semicolon in its line it could be anything.
    fn starts_shell_command(&self) -> bool {
        self.rest().starts_with('!') && self.rest().lines().next().is_some_and(|line| line.contains(';'))
    }

    fn command(&mut self) -> TokenKind {
        let length = self.rest().find(';').unwrap_or(self.rest().len());
        let trimmed = self.rest()[..length].trim_end().len();
        self.at += trimmed;
        TokenKind::Command
    }

    fn blank(&mut self) -> TokenKind {
        self.at += self.rest().find(|c: char| !is_blank(c)).unwrap_or(self.rest().len());
        TokenKind::Blank
    }

    fn line_comment(&mut self) -> TokenKind {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        TokenKind::LineComment
    }

    fn block_comment(&mut self) -> TokenKind {
        let kind = if self.rest().starts_with("/*+") { TokenKind::Hint } else { TokenKind::BlockComment };
        let Some(length) = comment_length(self.rest()) else { return self.unclosed() };
        self.at += length;
        kind
    }

    fn unclosed(&mut self) -> TokenKind {
        self.at = self.text.len();
        TokenKind::Unclosed
    }

    fn quoted(&mut self, quote: char, kind: TokenKind) -> TokenKind {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        while at < bytes.len() {
            if bytes[at] == b'\\' && quote != '`' {
                at += 2;
            } else if bytes[at] != quote as u8 {
                at += 1;
            } else if bytes.get(at + 1) == Some(&(quote as u8)) {
                at += 2;
            } else {
                self.at = at + 1;
                return kind;
            }
        }
        self.unclosed()
    }

    /// `r'…'`, in which a backslash is a character like any other and only the next quote ends the text.
    fn raw_text(&mut self) -> TokenKind {
        let quote = char::from(self.text.as_bytes()[self.at + 1]);
        let Some(length) = self.text[self.at + 2..].find(quote) else { return self.unclosed() };
        self.at += length + 3;
        TokenKind::Text
    }

    fn number_or_word(&mut self) -> TokenKind {
        let start = self.at;
        let kind = self.number();
        let glued = self.rest().chars().next().is_some_and(is_word_part) || self.placeholder_length().is_some();
        if !glued {
            return kind;
        }
        self.at = start;
        self.word()
    }

    fn number(&mut self) -> TokenKind {
        self.digits();
        if self.rest().starts_with('.') && !self.rest()[1..].starts_with(starts_word) {
            self.at += 1;
            self.digits();
        }
        self.exponent();
        self.suffix();
        TokenKind::Number
    }

    fn digits(&mut self) {
        self.at += self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
    }

    fn exponent(&mut self) {
        let Some(tail) = self.rest().strip_prefix(['e', 'E']) else { return };
        let unsigned = tail.strip_prefix(['+', '-']).unwrap_or(tail);
        if unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            self.at += 1 + tail.len() - unsigned.len();
            self.digits();
        }
    }

    fn suffix(&mut self) {
        for suffix in ["BD", "L", "S", "Y", "D", "F"] {
            let Some(head) = self.rest().get(..suffix.len()) else { continue };
            let ends = !self.rest()[suffix.len()..].chars().next().is_some_and(is_word_part);
            if head.eq_ignore_ascii_case(suffix) && ends {
                self.at += suffix.len();
                return;
            }
        }
    }

    fn placeholder_length(&self) -> Option<usize> {
        let rest = self.rest();
        if !matches!(rest.as_bytes().first(), Some(b'$' | b'@' | b'#' | b'{')) {
            return None;
        }
        let (open, close) = PLACEHOLDERS.iter().find(|(open, _)| rest.starts_with(open))?;
        let inner = within(&rest[open.len()..], LONGEST_PLACEHOLDER);
        let end = inner.find(close)?;
        (!inner[..end].contains('\n')).then(|| open.len() + end + close.len())
    }

    fn word(&mut self) -> TokenKind {
        let start = self.at;
        let mut kind = None;
        loop {
            // Most words are of these bytes alone, none of which opens a placeholder.
            let plain = self.rest().bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            if plain > 0 {
                kind = Some(TokenKind::Word);
                self.at += plain;
            } else if let Some(length) = self.placeholder_length() {
                kind = Some(if self.at == start { TokenKind::Placeholder } else { TokenKind::Word });
                self.at += length;
            } else if let Some(part) = self.rest().chars().next().filter(|c| is_word_part(*c)) {
                kind = Some(TokenKind::Word);
                self.at += part.len_utf8();
            } else {
                return kind.unwrap_or(TokenKind::Symbol);
            }
        }
    }

    fn symbol(&mut self, first: char) -> TokenKind {
        // Most symbols are of one character, and what follows them tells.
        let may_go_on = matches!(self.rest().as_bytes().get(1), Some(b'=' | b'>' | b'<' | b'|' | b':'));
        let long = SYMBOLS.iter().filter(|_| may_go_on).find(|symbol| self.rest().starts_with(*symbol));
        self.at += long.map_or(first.len_utf8(), |symbol| symbol.len());
        TokenKind::Symbol
    }
}

/// Most bytes between a placeholder's brackets: in a text full of opening brackets, a search without a limit would be
/// quadratic.
pub(super) const LONGEST_PLACEHOLDER: usize = 500;

/// The first `bytes` bytes of a text, cut back to a character boundary.
pub(super) fn within(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// Blanks as the grammar sees them; a byte-order mark counts, so that a file may start with one.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn starts_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of the comment that a text begins with; as Spark reads it, comments nest. `None` if it has no end.
fn comment_length(text: &str) -> Option<usize> {
    let (mut at, mut depth) = (0, 0);
    while let Some(step) = text[at..].find(['/', '*']) {
        at += step;
        if text[at..].starts_with("/*") {
            (at, depth) = (at + 2, depth + 1);
        } else if text[at..].starts_with("*/") {
            (at, depth) = (at + 2, depth - 1);
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let tokens = tokenize(text);
        tokens.iter().filter(|t| t.kind != TokenKind::Blank).map(|t| (t.kind, t.span().of(text))).collect()
    }

    #[test]
    fn placeholders_stay_in_the_word_they_touch() {
        assert_eq!(kinds("tmp_${d-1}_x"), [(TokenKind::Word, "tmp_${d-1}_x")]);
        assert_eq!(kinds("${hiveconf:x}"), [(TokenKind::Placeholder, "${hiveconf:x}")]);
        assert_eq!(kinds("{{ ds }}"), [(TokenKind::Placeholder, "{{ ds }}")]);
    }

    #[test]
    fn numbers_keep_their_suffix_and_names_may_start_with_a_digit() {
        use TokenKind::*;
        assert_eq!(
            kinds("5L 0.6D 1e-3 7d_cnt a.1"),
            [
                (Number, "5L"),
                (Number, "0.6D"),
                (Number, "1e-3"),
                (Word, "7d_cnt"),
                (Word, "a"),
                (Symbol, "."),
                (Number, "1"),
            ]
        );
    }

    #[test]
    fn strings_end_at_their_own_quote_only() {
        let text = r#"'a\'b' "x;y" 'it''s' `c``d` r'\' R"a'""#;
        let found: Vec<_> = kinds(text).into_iter().map(|(_, text)| text).collect();
        assert_eq!(found, [r"'a\'b'", "\"x;y\"", "'it''s'", "`c``d`", r"r'\'", "R\"a'\""]);
    }

    #[test]
    fn a_command_runs_to_its_semicolon() {
        assert_eq!(kinds("SET a.b=root.dw-etl;\nselect 1")[0], (TokenKind::Command, "SET a.b=root.dw-etl"));
        assert_eq!(kinds("! echo it's done ;\nselect 1")[0], (TokenKind::Command, "! echo it's done"));
        assert_ne!(kinds("!echo done\nselect 1;")[0].0, TokenKind::Command);
        assert_eq!(kinds("select set from t")[1].0, TokenKind::Word);
    }

    #[test]
    fn what_never_ends_is_one_unclosed_token() {
        for text in ["'abc", "/* abc", "`abc"] {
            assert_eq!(kinds(text), [(TokenKind::Unclosed, text)]);
        }
    }

    proptest::proptest! {
        #[test]
        fn tokens_joined_are_the_text(text in ".{0,200}") {
            let joined: String = tokenize(&text).iter().map(|token| token.span().of(&text)).collect();
            proptest::prop_assert_eq!(joined, text);
        }
    }
}
