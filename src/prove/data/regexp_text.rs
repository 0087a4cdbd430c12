//! Texts that a regular expression matches, made from its structure.

use regex::Regex;
use regex_syntax::Parser;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Returns a text that `pattern` matches, with `part` where the capturing group of its number stands; `None` if the
/// pattern cannot be read or wants more than its structure shows, as `\b` does.
pub fn matching(pattern: &str, part: Option<(u32, &str)>) -> Option<String> {
    let mut text = String::new();
    add(&Parser::new().parse(pattern).ok()?, part, &mut text);
    Regex::new(pattern).is_ok_and(|expression| expression.is_match(&text)).then_some(text)
}

/// The longest text made: patterns may repeat what is repeated.
const LONGEST: usize = 200;

fn add(pattern: &Hir, part: Option<(u32, &str)>, text: &mut String) {
    if text.len() > LONGEST {
        return;
    }
    match pattern.kind() {
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.extend(member(class)),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX);
            (0..repetition.min.max(1).min(most)).for_each(|_| add(&repetition.sub, part, text));
        }
        HirKind::Capture(capture) => match part.filter(|(number, _)| *number == capture.index) {
            Some((_, part)) => text.push_str(part),
            None => add(&capture.sub, part, text),
        },
        HirKind::Concat(parts) => parts.iter().for_each(|piece| add(piece, part, text)),
        HirKind::Alternation(sides) => sides.iter().take(1).for_each(|side| add(side, part, text)),
        HirKind::Empty | HirKind::Look(_) => {}
    }
}

/// A character of a class: a usual one if it has any.
fn member(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.ranges().iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => {
            class.ranges().iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect()
        }
    };
    let usual = ['a', '1', 'A', '-', '_', '.']
        .into_iter()
        .find(|usual| ranges.iter().any(|(from, to)| (from..=to).contains(&usual)));
    usual.or(ranges.first().map(|(first, _)| *first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_made_of_the_structure_with_the_text_asked_for_in_a_group() {
        for (pattern, part, text) in [
            ("^[A-Z]{2}[0-9]{4}$", None, Some("AA1111")),
            ("([a-z]+)-([0-9]+)", Some((2, "42")), Some("a-42")),
            ("^user_(\\d{3})_x$", Some((1, "123")), Some("user_123_x")),
            ("^user_(\\d{3})_x$", Some((1, "12")), None),
            ("(promo|ad)[/?].*id=(\\w+)", Some((2, "q7")), Some("promo/aid=q7")),
            ("(a", None, None),
        ] {
            assert_eq!(matching(pattern, part).as_deref(), text, "{pattern}");
        }
    }
}
