//! SQL under construction: text in which columns, blocks, days and choices are still open.
//!
//! Patterns render to strings. What is only settled when the script is written stands in them between characters of
//! Unicode's private use area, so that strings can be put together freely; [`pieces`] parses them.

const COLUMN: char = '\u{E000}';
const RELATION: char = '\u{E001}';
const DAY: char = '\u{E002}';
const CHOICE: char = '\u{E003}';
const BAR: char = '\u{E004}';
const END: char = '\u{E005}';

/// Returns the text of a column of the relation in a slot of a FROM clause.
pub fn column(slot: usize, name: &str) -> String {
    format!("{COLUMN}{slot}.{name}{END}")
}

/// Returns how the text of every column of a slot begins.
pub fn column_start(slot: usize) -> String {
    format!("{COLUMN}{slot}.")
}

/// Returns the name of the column that a text is; `None` if it is not just one column.
pub fn column_name(text: &str) -> Option<String> {
    match pieces(text).as_slice() {
        [Piece::Column(_, name)] => Some(name.clone()),
        _ => None,
    }
}

/// Returns the text of a block in parentheses: `IN (SELECT …)`.
pub fn block(block: usize) -> String {
    format!("{RELATION}{block}{END}")
}

/// Whether a block stands in a text.
pub fn has_block(text: &str) -> bool {
    text.contains(RELATION)
}

/// Returns the text of the business date moved by `offset` days.
pub fn day(offset: i64) -> String {
    format!("{DAY}{offset}{END}")
}

/// Returns the text of decision `id` with all its forms, of which one is written.
pub fn decision<F: AsRef<str>>(id: usize, forms: impl IntoIterator<Item = F>) -> String {
    let mut text = format!("{CHOICE}{id}");
    for form in forms {
        text.push(BAR);
        text.push_str(form.as_ref());
    }
    text.push(END);
    text
}

/// A part of SQL text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A keyword, function, type or plain name.
    Word(String),
    /// A string literal, quotes included; a placeholder may stand in it.
    Text(String),
    /// A number.
    Number(String),
    /// An operator or punctuation mark.
    Symbol(String),
    /// A column, by slot and name.
    Column(usize, String),
    /// A block in parentheses, by number.
    Block(usize),
    /// The business date moved by some days.
    Day(i64),
    /// A decision, by number, and its forms.
    Choice(usize, Vec<Vec<Piece>>),
}

/// Parses text under construction.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut reader = Reader { rest: text };
    reader.sequence()
}

/// Whether a column, block, day or decision stands in a string literal, where nothing can be filled in.
pub fn is_open_in_literal(text: &str) -> bool {
    text.contains('\'') && is_any_open(&pieces(text))
}

fn is_any_open(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Text(literal) => literal.contains([COLUMN, RELATION, DAY, CHOICE]),
        Piece::Choice(_, forms) => forms.iter().any(|form| is_any_open(form)),
        _ => false,
    })
}

struct Reader<'a> {
    rest: &'a str,
}

const SYMBOLS: [&str; 8] = ["<=>", "<>", "!=", "<=", ">=", "||", "->", "=>"];

impl<'a> Reader<'a> {
    fn sequence(&mut self) -> Vec<Piece> {
        let mut found = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\n', '\t']);
            let Some(first) = self.rest.chars().next() else { break };
            match first {
                BAR | END => break,
                COLUMN | RELATION | DAY | CHOICE => {
                    self.skip(first);
                    found.push(self.open(first));
                }
                '\'' => found.push(self.text()),
                '0'..='9' => found.push(Piece::Number(self.take(|c| c.is_ascii_digit() || c == '.'))),
                '$' => found.push(self.placeholder()),
                _ if first.is_alphanumeric() || first == '_' || first == '`' => {
                    let word = self.take(|c| c.is_alphanumeric() || matches!(c, '_' | '`' | '.'));
                    found.push(Piece::Word(word));
                }
                _ => found.push(self.symbol(first)),
            }
        }
        found
    }

    fn skip(&mut self, character: char) {
        self.rest = &self.rest[character.len_utf8()..];
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken.to_owned()
    }

    fn open(&mut self, marker: char) -> Piece {
        let label = self.take(|c| !matches!(c, END | BAR));
        if marker == CHOICE {
            let mut forms = Vec::new();
            while self.rest.starts_with(BAR) {
                self.skip(BAR);
                forms.push(self.sequence());
            }
            self.rest = self.rest.strip_prefix(END).unwrap_or(self.rest);
            return Piece::Choice(label.parse().unwrap_or_default(), forms);
        }
        self.rest = self.rest.strip_prefix(END).unwrap_or(self.rest);
        match marker {
            RELATION => Piece::Block(label.parse().unwrap_or_default()),
            DAY => Piece::Day(label.parse().unwrap_or_default()),
            _ => {
                let (slot, name) = label.split_once('.').unwrap_or(("0", &label));
                Piece::Column(slot.parse().unwrap_or_default(), name.to_owned())
            }
        }
    }

    fn text(&mut self) -> Piece {
        let inner = &self.rest[1..];
        let mut end = inner.find('\'').map_or(self.rest.len(), |at| at + 2);
        while self.rest[end..].starts_with('\'') {
            end += self.rest[end + 1..].find('\'').map_or(self.rest.len() - end, |at| at + 2);
        }
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        Piece::Text(text.to_owned())
    }

    fn placeholder(&mut self) -> Piece {
        let end = self.rest.find('}').map_or(self.rest.len(), |at| at + 1);
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        Piece::Word(text.to_owned())
    }

    fn symbol(&mut self, first: char) -> Piece {
        let long = SYMBOLS.iter().find(|symbol| self.rest.starts_with(**symbol));
        let symbol = long.map_or_else(|| first.to_string(), |symbol| (*symbol).to_owned());
        self.rest = &self.rest[symbol.len()..];
        Piece::Symbol(symbol)
    }
}

/// Returns the text, in parentheses if an operator beside it could bind to a part of it.
pub fn operand(text: &str) -> String {
    let parts = pieces(text);
    if let [Piece::Choice(id, _)] = parts.as_slice() {
        return decision(*id, forms_of(text).iter().map(|form| operand(form)));
    }
    if is_compound(&parts) { format!("({text})") } else { text.to_owned() }
}

/// Returns the text of the month of a day; of a day that is cut out of a moment, that of the moment.
pub fn month(day: &str) -> String {
    if let [Piece::Choice(id, _)] = pieces(day).as_slice() {
        return decision(*id, forms_of(day).iter().map(|form| month(form)));
    }
    let moment = day.strip_prefix("SUBSTR(").and_then(|rest| rest.strip_suffix(", 1, 10)"));
    format!("SUBSTR({}, 1, 7)", moment.unwrap_or(day))
}

/// Returns the number of the first decision in a text, not counting those inside other parts.
pub fn decision_in(text: &str) -> Option<usize> {
    pieces(text).into_iter().find_map(|piece| match piece {
        Piece::Choice(id, _) => Some(id),
        _ => None,
    })
}

/// Whether a text is one decision of which `form` is a form.
pub fn has_form(text: &str, form: &str) -> bool {
    text.starts_with(CHOICE)
        && matches!(pieces(text).as_slice(), [Piece::Choice(..)])
        && forms_of(text).iter().any(|other| other == form)
}

/// Returns the texts of the forms of a text that is one decision.
fn forms_of(text: &str) -> Vec<String> {
    let mut forms = Vec::new();
    let mut depth = 0;
    let mut start = None;
    for (at, character) in text.char_indices() {
        let separates = depth == 1;
        match character {
            CHOICE | COLUMN | RELATION | DAY => depth += 1,
            BAR | END if separates => {
                if let Some(start) = start {
                    forms.push(text[start..at].to_owned());
                }
                start = Some(at + character.len_utf8());
                depth -= i32::from(character == END);
            }
            END => depth -= 1,
            _ => {}
        }
    }
    forms
}

/// Whether an operator, or a decision whose form has one or is empty, stands outside of parentheses and CASE.
fn is_compound(parts: &[Piece]) -> bool {
    let mut depth = 0;
    parts.iter().any(|piece| match piece {
        Piece::Symbol(symbol) => match symbol.as_str() {
            "(" | "[" => {
                depth += 1;
                false
            }
            ")" | "]" => {
                depth -= 1;
                false
            }
            "," | "." => false,
            _ => depth == 0,
        },
        Piece::Word(word) => {
            let word = word.to_ascii_uppercase();
            depth += i32::from(word == "CASE") - i32::from(word == "END");
            depth == 0 && matches!(word.as_str(), "AND" | "OR" | "NOT" | "IS" | "IN" | "BETWEEN" | "LIKE" | "RLIKE")
        }
        Piece::Choice(_, forms) => depth == 0 && forms.iter().any(|form| form.is_empty() || is_compound(form)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_reads_back_into_pieces() {
        let text = format!("SUM({}) >= '{}' AND x", column(3, "amt"), "it''s");
        let parts = pieces(&text);
        assert_eq!(parts[2], Piece::Column(3, "amt".to_owned()));
        assert_eq!(parts[5], Piece::Text("'it''s'".to_owned()));
        let nested = decision(1, [format!("a {}", decision(2, ["b", ""])), day(-6)]);
        let Piece::Choice(1, forms) = &pieces(&nested)[0] else { panic!("{nested}") };
        assert_eq!(forms[1], [Piece::Day(-6)]);
        assert!(matches!(&forms[0][1], Piece::Choice(2, inner) if inner[1].is_empty()));
    }

    #[test]
    fn what_is_open_must_not_stand_in_a_literal() {
        let separator = decision(1, [",", ";"]);
        assert!(is_open_in_literal(&format!("CONCAT_WS('{separator}', x)")));
        assert!(is_open_in_literal(&decision(2, [format!("'{}'", column(0, "a")), String::new()])));
        assert!(!is_open_in_literal(&format!("CONCAT_WS({}, {})", decision(1, ["','", "';'"]), column(0, "it"))));
    }

    #[test]
    fn operands_keep_their_precedence() {
        assert_eq!(operand("a"), "a");
        assert_eq!(operand("a - b"), "(a - b)");
        assert_eq!(operand("COALESCE(a - b, 0)"), "COALESCE(a - b, 0)");
        assert_eq!(operand("CASE WHEN a > 1 THEN 2 END"), "CASE WHEN a > 1 THEN 2 END");
        assert!(has_form(&decision(3, ["a", ""]), "a") && !has_form("a", "a"));
        let both = decision(4, ["a - b", "a"]);
        assert_eq!(operand(&both), decision(4, ["(a - b)", "a"]));
    }
}
