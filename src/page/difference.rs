//! A unified diff as a page shows it: lines with their numbers on both sides.

use serde::Serialize;

/// Most lines of a difference that are shown.
const MOST_LINES: usize = 120;
/// Most characters of a line that are shown.
const LONGEST: usize = 400;

/// A difference between two texts, cut if it is long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TextDifference {
    /// The lines shown.
    pub lines: Vec<DifferenceLine>,
    /// How many more there are.
    pub hidden: usize,
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferenceLine {
    /// `in`, `out`, `place`, or empty for a line of both texts.
    pub kind: &'static str,
    /// Its number in the text before, from 1.
    pub before: Option<usize>,
    /// Its number in the text after, from 1.
    pub after: Option<usize>,
    /// The line, without the sign.
    pub text: String,
}

impl TextDifference {
    /// Reads a unified diff; its file names are left out.
    pub fn read(unified: &str) -> TextDifference {
        let mut numbers = [1, 1];
        let named = |line: &&str| line.starts_with("--- ") || line.starts_with("+++ ");
        let mut lines: Vec<DifferenceLine> =
            unified.lines().skip_while(named).map(|line| read_line(line, &mut numbers)).collect();
        let hidden = lines.len().saturating_sub(MOST_LINES);
        lines.truncate(MOST_LINES);
        TextDifference { lines, hidden }
    }
}

fn read_line(line: &str, numbers: &mut [usize; 2]) -> DifferenceLine {
    if let Some(starts) = line.strip_prefix("@@ ").and_then(starts) {
        *numbers = starts;
        return DifferenceLine { kind: "place", before: None, after: None, text: shortened(line) };
    }
    let mut next = |side: usize| {
        numbers[side] += 1;
        Some(numbers[side] - 1)
    };
    let (kind, before, after) = match line.chars().next() {
        Some('-') => ("out", next(0), None),
        Some('+') => ("in", None, next(1)),
        Some('\\') => ("place", None, None),
        _ => ("", next(0), next(1)),
    };
    let text = shortened(line.get(1..).unwrap_or_default());
    DifferenceLine { kind, before, after, text }
}

/// The first lines of both sides in `-3,7 +3,8 @@`.
fn starts(place: &str) -> Option<[usize; 2]> {
    let mut sides = place.split(' ').map(|side| side.get(1..)?.split(',').next()?.parse().ok());
    Some([sides.next()??, sides.next()??])
}

fn shortened(line: &str) -> String {
    let mut text: String = line.chars().take(LONGEST).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_numbers_of_their_sides_and_long_differences_are_cut() {
        let unified = "--- a\n+++ b\n@@ -3,3 +3,4 @@\n x\n-- old\n+new\n+newer\n z\n";
        let shown: Vec<_> = TextDifference::read(unified)
            .lines
            .into_iter()
            .map(|line| (line.kind, line.before, line.after, line.text))
            .collect();
        let line = |kind, before, after, text: &str| (kind, before, after, text.to_owned());
        assert_eq!(
            shown,
            [
                line("place", None, None, "@@ -3,3 +3,4 @@"),
                line("", Some(3), Some(3), "x"),
                line("out", Some(4), None, "- old"),
                line("in", None, Some(4), "new"),
                line("in", None, Some(5), "newer"),
                line("", Some(5), Some(6), "z"),
            ]
        );
        let long = TextDifference::read(&format!("@@ -1 +1 @@\n{}", format!("+{}\n", "é".repeat(500)).repeat(200)));
        assert_eq!((long.lines.len(), long.hidden), (120, 81));
        assert_eq!(long.lines[1].text.chars().count(), 401);
        assert!(TextDifference::read("@@ nonsense").lines[0].text.contains("nonsense"));
    }
}
