//! Keeps columns that the author lined up: when an edit makes a line longer or shorter, the blanks behind it are
//! adjusted as a person would adjust them. A line that is out of its column would show where the fault is.

use crate::code::edit::Edit;
use crate::code::span::{Span, line_end, line_start};

/// Returns `edits`, which must be sorted and disjoint, together with edits of the blanks behind them that keep lined-up
/// columns in place.
pub(super) fn keep_columns(text: &str, edits: &[Edit]) -> Vec<Edit> {
    let mut all = Vec::with_capacity(edits.len());
    let mut grown = 0;
    for (at, edit) in edits.iter().enumerate() {
        let end = near_line_end(text, edit.end);
        let next = edits.get(at + 1).filter(|next| is_before_line_end(text, edit.end, next.start));
        grown = match growth(text, edit) {
            Some(by) => {
                let behind = Span::new(edit.end, next.map_or(end, |next| next.start));
                let (blanks, left) = repadded(text, behind, grown + by);
                all.extend(blanks);
                left
            }
            None => 0,
        };
        if next.is_none() {
            grown = 0;
        }
    }
    all.extend_from_slice(edits);
    all.sort_by_key(|edit| (edit.start, edit.end));
    all
}

/// Returns where the line that `at` lies in ends, or a place too far away for the line to be searched for columns. A script
/// in one line has as many edits as words: none of them may read all of it.
fn near_line_end(text: &str, at: usize) -> usize {
    let far = at + LONGEST_LINE + 1;
    let near = &text.as_bytes()[at..far.min(text.len())];
    near.iter().position(|byte| *byte == b'\n').map_or(far.min(text.len()), |length| at + length)
}

/// Whether `later` lies before the end of the line that `at` lies in.
fn is_before_line_end(text: &str, at: usize, later: usize) -> bool {
    text.as_bytes().get(at..=later).is_some_and(|between| !between.contains(&b'\n'))
}

/// Returns by how many characters an edit makes its line longer; `None` if it adds or removes a line break.
fn growth(text: &str, edit: &Edit) -> Option<isize> {
    let old = edit.span().of(text);
    let width = |text: &str| text.chars().count() as isize;
    (!old.contains('\n') && !edit.text.contains('\n')).then(|| width(&edit.text) - width(old))
}

/// Returns edits of the blanks in `behind` that make up for `grown` characters of growth before it, and the growth that
/// is left over.
fn repadded(text: &str, behind: Span, mut grown: isize) -> (Vec<Edit>, isize) {
    let mut edits = Vec::new();
    for run in blanks(text, behind) {
        if grown == 0 {
            break;
        }
        if !is_lined_up(text, run) {
            continue;
        }
        let length = (run.len() as isize - grown).max(1);
        grown -= run.len() as isize - length;
        if length != run.len() as isize {
            // The first blank stays, so that the edit never begins where an insertion does.
            let padding = Span::new(run.start + 1, run.end);
            edits.push(Edit::replacement(padding, " ".repeat(length as usize - 1)));
        }
    }
    (edits, grown)
}

/// The longest line, in bytes, that is searched for columns: nobody lines up anything in longer ones.
const LONGEST_LINE: usize = 400;

/// Returns the runs of blanks between code in a part of a line, leaving out those inside quotes and comments.
fn blanks(text: &str, part: Span) -> Vec<Span> {
    let farthest = part.end.saturating_sub(LONGEST_LINE);
    let before = text.as_bytes().get(farthest.saturating_sub(1)..part.start).unwrap_or_default();
    let line = match before.iter().rposition(|byte| *byte == b'\n') {
        Some(newline) => farthest.saturating_sub(1) + newline + 1,
        None if farthest == 0 => 0,
        None => return Vec::new(),
    };
    let is_code = |at: usize| {
        let before = &text[line..at];
        !before.contains("--") && ['\'', '"', '`'].iter().all(|quote| before.matches(*quote).count() % 2 == 0)
    };
    let mut runs = Vec::new();
    let mut at = part.start;
    while let Some(offset) = text[at..part.end].find(' ') {
        let start = at + offset;
        let end = text[start..part.end].find(|c| c != ' ').map_or(part.end, |length| start + length);
        if end < part.end && is_code(start) {
            runs.push(Span::new(start, end));
        }
        at = end;
    }
    runs
}

/// How many lines above and below are compared, up to the first blank line.
const NEAR_LINES: usize = 20;

/// Whether the run of blanks pads a column: some line near by also has code that starts in the column where the run
/// ends.
///
/// In an adjacent line it is enough that both are padded, or that one is and the code begins with the same character.
/// In lines further away both must hold.
fn is_lined_up(text: &str, run: Span) -> bool {
    let start = line_start(text, run.end);
    let end = line_end(text, run.end);
    let column = text[start..run.end].chars().count();
    let own_first = text[run.end..].chars().next();
    let fits = |(distance, line): (usize, &str)| {
        let before: Vec<char> = line.chars().take(column).collect();
        let padding = before.iter().rev().take_while(|c| **c == ' ').count();
        let Some(first) = line.chars().nth(column).filter(|c| *c != ' ') else { return false };
        let is_code = padding > 0 && padding < before.len();
        let begins_alike = Some(first) == own_first;
        let is_filled = padding.min(run.len()) > 1;
        match distance {
            0 => is_code && (is_filled || (padding.max(run.len()) > 1 && begins_alike)),
            _ => is_code && is_filled && begins_alike,
        }
    };
    let above = text[..start].strip_suffix('\n').unwrap_or_default().rsplit('\n');
    let below = text.get(end + 1..).unwrap_or_default().split('\n');
    let is_written = |line: &&str| !line.trim().is_empty();
    // A single blank pads nothing that a line further away could show.
    let near = if run.len() > 1 { NEAR_LINES } else { 1 };
    above.take(near).take_while(is_written).enumerate().any(fits)
        || below.take(near).take_while(is_written).enumerate().any(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::edit::Edits;

    fn edited(text: &str, changes: &[(&str, &str)]) -> String {
        let edit = |(old, new): &(&str, &str)| {
            let start = text.find(old).unwrap();
            Edit::replacement(Span::new(start, start + old.len()), *new)
        };
        let mut edits: Vec<Edit> = changes.iter().map(edit).collect();
        edits.sort_by_key(|edit| edit.start);
        Edits::new(keep_columns(text, &edits)).unwrap().apply(text).unwrap()
    }

    #[test]
    fn a_column_of_aliases_stays_in_line() {
        let text = "select\n  sum(a)        as x,\n  count(b)      as y\nfrom t";
        assert_eq!(
            edited(text, &[("count(b)", "count(distinct b)")]),
            "select\n  sum(a)        as x,\n  count(distinct b) as y\nfrom t",
            "a line that is too long keeps one blank"
        );
        assert_eq!(
            edited(text, &[("sum(a)", "sum(a + 1)")]),
            "select\n  sum(a + 1)    as x,\n  count(b)      as y\nfrom t"
        );
        assert_eq!(
            edited(text, &[("count(", ""), ("b)", "b")]),
            "select\n  sum(a)        as x,\n  b             as y\nfrom t"
        );
    }

    #[test]
    fn the_longest_line_gets_blanks_when_it_shrinks() {
        let text = "  count(distinct b) as y,\n  sum(a)            as x";
        assert_eq!(edited(text, &[("distinct ", "")]), "  count(b)          as y,\n  sum(a)            as x");
    }

    #[test]
    fn lines_that_do_not_reach_the_column_stand_between() {
        let text = "  coalesce(a.x, b.x)  as x,\n  case\n    when a.y is null then 0\n  end                 as y";
        assert_eq!(
            edited(text, &[("coalesce(", ""), (", b.x)", "")]),
            "  a.x                 as x,\n  case\n    when a.y is null then 0\n  end                 as y"
        );
    }

    #[test]
    fn what_is_not_lined_up_stays() {
        for text in [
            "  count(b)  as y,\n  s(a) as x",
            "  count(b) as y\nfrom t",
            "  f('a  b', count(b)) as y,\n  g('a  c') as x",
        ] {
            assert_eq!(edited(text, &[("count", "sum")]), text.replace("count", "sum"), "{text}");
        }
        let broken = "  a,       -- one\n  bb,      -- two";
        assert_eq!(edited(broken, &[("bb", "bb\n  + 1")]), "  a,       -- one\n  bb\n  + 1,      -- two");
    }

    #[test]
    fn a_comment_behind_the_code_stays_in_its_column() {
        let long = format!("select{}  as x,\n  b  as y", " + 1".repeat(200));
        assert_eq!(edited(&long, &[("select +", "select 0 +")]), long.replacen("select +", "select 0 +", 1));
        let text = "  and a = 1   -- one\n  and bb = 2  -- two  ways";
        assert_eq!(edited(text, &[("bb = 2", "bb >= 2")]), "  and a = 1   -- one\n  and bb >= 2 -- two  ways");
    }
}
