//! Restoring the layout: what an edit leaves behind may show what it removed.

use std::collections::HashMap;

use super::features::class;
use crate::code::edit::{Edit, Edits};
use crate::code::script::Script;

/// Returns the text with what its layout shows to be missing; `None` if the layout shows nothing.
///
/// Two signs are read: a line of a list that alone lacks the separator of its neighbours, and a gap inside a line that
/// is wider than all others.
pub fn restore_layout(text: &str) -> Option<String> {
    separator(text).or_else(|| gap(text))
}

/// Returns the text with the comma that one line lacks among neighbours of the same indentation that all have one.
fn separator(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut start = 0;
    while start < lines.len() {
        let same = |line: &&&str| !line.trim().is_empty() && indentation(line) == indentation(lines[start]);
        let end = start + lines[start..].iter().take_while(same).count().max(1);
        // With commas at the ends the last line has none, with commas in front the first.
        if end - start >= 4 {
            let inner = &lines[start..end - 1];
            let lacking: Vec<usize> = (0..inner.len()).filter(|at| !inner[*at].trim_end().ends_with(',')).collect();
            if let [at] = lacking[..] {
                return Some(with_line(&lines, start + at, format!("{},", lines[start + at].trim_end())));
            }
            let inner = &lines[start + 1..end];
            let lacking: Vec<usize> = (0..inner.len()).filter(|at| !inner[*at].trim_start().starts_with(',')).collect();
            if let [at] = lacking[..] {
                let line = lines[start + 1 + at];
                let (blank, rest) = line.split_at(indentation(line));
                return Some(with_line(&lines, start + 1 + at, format!("{blank}, {rest}")));
            }
        }
        start = end;
    }
    None
}

fn with_line(lines: &[&str], at: usize, line: String) -> String {
    let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    lines[at] = line;
    lines.join("\n")
}

/// Returns the text with its only gap of several blanks inside a line filled: with the token that stands most often
/// between neighbours of the same classes.
fn gap(text: &str) -> Option<String> {
    let script = Script::new(text);
    let count = script.tokens().len();
    let blank = |at: usize| script.gap_after(at).of(text);
    let is_wide = |at: &usize| blank(*at).len() > 1 && blank(*at).bytes().all(|byte| byte == b' ');
    let wide: Vec<usize> = (0..count.saturating_sub(1)).filter(is_wide).collect();
    let [at] = wide[..] else { return None };
    // All numbers are alike here, though learners tell 0 and 1 from the others.
    let kind = |at: usize| match class(&script, at) {
        class if matches!(class.as_str(), "0" | "1") => "number".to_owned(),
        class => class,
    };
    let mut between: HashMap<&str, usize> = HashMap::new();
    for middle in 1..count - 1 {
        if kind(middle - 1) == kind(at) && kind(middle + 1) == kind(at + 1) {
            *between.entry(script.token_text(middle)).or_default() += 1;
        }
    }
    let (word, _) = between.into_iter().max_by_key(|(word, count)| (*count, std::cmp::Reverse(*word)))?;
    let place = script.gap_after(at).start + 1;
    Edits::new(vec![Edit::insertion(place, word)]).ok()?.apply(text).ok()
}

#[cfg(test)]
mod tests {
    use super::restore_layout;

    #[test]
    fn a_missing_separator_and_a_wide_gap_are_filled_and_a_whole_script_is_left_alone() {
        let whole = "SELECT\n    a,\n    b,\n    c,\n    d\nFROM t\nWHERE x = 1 AND y = 2 AND z = 3\n";
        assert_eq!(restore_layout(whole), None);
        assert_eq!(restore_layout(&whole.replace("b,", "b")).as_deref(), Some(whole));
        assert_eq!(restore_layout(&whole.replace("1 AND y", "1  y")).as_deref(), Some(whole));
    }
}
