//! Slips of the hand: what stands in scripts that nobody formats.

use super::layout::WrittenScript;
use crate::code::edit::{Edit, Edits};
use crate::code::span::Span;
use crate::code::token::{Token, TokenKind, tokenize};
use crate::corpus::compose::draw::Draw;

/// Share of scripts over which a formatter ran.
const FORMATTED: f64 = 0.35;
/// Share of the others in which a kind of slip occurs at all.
const OCCURS: f64 = 0.5;
/// Lines of a stretch that was written at one time.
const STRETCH: usize = 14;
/// Share of the stretches in which an author slips: what was added in a hurry.
const HURRIED: f64 = 0.35;
/// Keywords that are written in the other case now and then; none of them can be a name.
const KEYWORDS: [&str; 20] = [
    "select", "from", "where", "and", "or", "on", "in", "is", "not", "null", "as", "by", "join", "left", "case",
    "when", "then", "else", "end", "between",
];

/// How often an author slips where the work was hurried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slips {
    /// Share of lines with blanks at their end.
    line_ends: f64,
    /// Share of keywords in the other case.
    keywords: f64,
    /// Share of commas within a line without a blank behind them.
    commas: f64,
    /// Share of empty lines that come twice.
    empty_lines: f64,
    /// Whether the last line has no end.
    open_end: bool,
}

impl Slips {
    /// Draws how careful the author of a script is.
    pub fn draw(draw: Draw) -> Slips {
        let is_formatted = draw.at("formatted").chance(FORMATTED);
        let share = |label: &str, shares: [f64; 3]| {
            let occurs = !is_formatted && draw.at(label).at("occurs").chance(OCCURS);
            if occurs { draw.at(label).one_of(shares) } else { 0.0 }
        };
        Slips {
            line_ends: share("line_ends", [0.05, 0.2, 0.5]),
            keywords: share("keywords", [0.05, 0.2, 0.6]),
            commas: share("commas", [0.2, 0.5, 1.0]),
            empty_lines: share("empty_lines", [0.1, 0.3, 0.6]),
            open_end: !is_formatted && draw.at("open_end").chance(0.2),
        }
    }

    /// Returns a script with the slips; its ranges move with the text.
    pub fn in_script(&self, written: WrittenScript, draw: Draw) -> WrittenScript {
        let mut edits = self.slips(&written.text, draw);
        edits.extend(self.end(&written.text));
        let Ok(edits) = Edits::new(edits) else { return written };
        let Ok(text) = edits.apply(&written.text) else { return written };
        let moved = |span: Span| Span::new(place_after(&edits, span.start, true), place_after(&edits, span.end, false));
        let ranges = |ranges: Vec<(usize, Span)>| ranges.into_iter().map(|(id, span)| (id, moved(span))).collect();
        let mut files = written.files;
        for file in &mut files {
            (file.start, file.end) = (place_after(&edits, file.start, true), place_after(&edits, file.end, true));
        }
        WrittenScript { text, decisions: ranges(written.decisions), blocks: ranges(written.blocks), files }
    }

    /// Slips within the text, in the stretches that were written in a hurry.
    fn slips(&self, text: &str, draw: Draw) -> Vec<Edit> {
        let mut edits = Vec::new();
        if self.line_ends + self.keywords + self.commas + self.empty_lines == 0.0 {
            return edits;
        }
        let tokens = tokenize(text);
        let hurried = |stretch: usize| draw.nth("stretch", stretch).chance(HURRIED);
        let (mut line, mut stretch, mut is_hurried) = (0, 0, hurried(0));
        for (at, token) in tokens.iter().enumerate() {
            if line / STRETCH != stretch {
                stretch = line / STRETCH;
                is_hurried = hurried(stretch);
            }
            if is_hurried {
                edits.extend(self.slip(text, &tokens, at, draw));
            }
            line += token.span().of(text).matches('\n').count();
        }
        edits
    }

    fn slip(&self, text: &str, tokens: &[Token], at: usize, draw: Draw) -> Option<Edit> {
        let span = tokens[at].span();
        let words = span.of(text);
        let draw = || draw.nth("token", at);
        let follows_comma = || at.checked_sub(1).is_some_and(|before| tokens[before].span().of(text) == ",");
        match tokens[at].kind {
            TokenKind::Word => {
                let word = other_case(words)?;
                draw().chance(self.keywords).then(|| Edit::replacement(span, word))
            }
            TokenKind::Blank if words.contains('\n') && at + 1 < tokens.len() => self.blanks(words, span, draw()),
            TokenKind::Blank if words == " " && follows_comma() => {
                draw().chance(self.commas).then(|| Edit::deletion(span))
            }
            _ => None,
        }
    }

    /// Slips at the end of a line.
    fn blanks(&self, words: &str, span: Span, draw: Draw) -> Option<Edit> {
        let empty_line = words.find("\n\n").filter(|_| draw.at("empty_line").chance(self.empty_lines));
        if let Some(place) = empty_line {
            return Some(Edit::insertion(span.start + place + 1, "\n"));
        }
        let blanks = draw.at("blanks").one_of([" ", " ", "  ", "\t", "    "]);
        draw.chance(self.line_ends).then(|| Edit::insertion(span.start, blanks))
    }

    /// The line end that is missing at the end of a script.
    fn end(&self, text: &str) -> Option<Edit> {
        (self.open_end && text.ends_with('\n') && !text.ends_with("\n\n"))
            .then(|| Edit::deletion(Span::new(text.len() - 1, text.len())))
    }
}

/// A keyword in the other case; `None` for any other word.
fn other_case(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let known = KEYWORDS.contains(&lower.as_str());
    known.then(|| if word == lower { word.to_uppercase() } else { lower })
}

/// Where a place of the text lies once edits are applied. What is inserted at the place itself stands before it only if
/// it `begins` a range.
fn place_after(edits: &Edits, place: usize, begins: bool) -> usize {
    let is_before = |edit: &&Edit| edit.end < place || begins && edit.end == place;
    edits
        .as_slice()
        .iter()
        .take_while(is_before)
        .fold(place, |moved, edit| moved + edit.text.len() - (edit.end - edit.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::script_files::ScriptFile;

    const TEXT: &str = "select f(a, b) as x\n\nfrom t\nwhere a = 1\n  and b = 2;\n";

    fn written() -> WrittenScript {
        let place = |words: &str| TEXT.find(words).map(|start| Span::new(start, start + words.len())).unwrap();
        WrittenScript {
            text: TEXT.to_owned(),
            decisions: vec![(0, place("f(a, b)")), (1, place("a = 1"))],
            blocks: vec![(0, place(TEXT.trim_end().trim_end_matches(';')))],
            files: vec![ScriptFile { path: "a.sql".to_owned(), start: 0, end: TEXT.len() }],
        }
    }

    #[test]
    fn slips_change_blanks_and_case_alone_and_ranges_move_with_them() {
        let always = Slips { line_ends: 1.0, keywords: 1.0, commas: 1.0, empty_lines: 1.0, open_end: true };
        let hurried = |draw: &Draw| draw.nth("stretch", 0).chance(HURRIED);
        let draw = (0..).map(|number| Draw::new(1, number)).find(hurried).unwrap();
        let slipped = always.in_script(written(), draw);
        assert_ne!(slipped.text, TEXT);
        let bare = |text: &str| text.to_lowercase().split_whitespace().collect::<String>();
        assert_eq!(bare(&slipped.text), bare(TEXT));
        assert!(slipped.text.starts_with("SELECT f(a,b) AS x\n\n\nFROM t") && !slipped.text.ends_with('\n'));
        let ranges: Vec<&str> = slipped.decisions.iter().map(|(_, span)| span.of(&slipped.text)).collect();
        assert_eq!(ranges, ["f(a,b)", "a = 1"]);
        assert!(slipped.blocks[0].1.of(&slipped.text).ends_with("b = 2"));
        assert_eq!((slipped.files[0].start, slipped.files[0].end), (0, slipped.text.len()));
    }

    #[test]
    fn a_formatted_script_has_no_slips() {
        let none = Slips { line_ends: 0.0, keywords: 0.0, commas: 0.0, empty_lines: 0.0, open_end: false };
        assert_eq!(none.in_script(written(), Draw::new(1, 1)).text, TEXT);
        let careful = (0..400).filter(|number| {
            let slips = Slips::draw(Draw::new(7, *number));
            slips.line_ends + slips.keywords + slips.commas + slips.empty_lines == 0.0 && !slips.open_end
        });
        assert!((120..200).contains(&careful.count()));
    }
}
