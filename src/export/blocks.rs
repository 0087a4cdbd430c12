//! Writes a repair as search-and-replace blocks: what the paper's diff-SFT teaches (appendix C.3.1).
//!
//! Every block's search text occurs exactly once in the script, so blocks apply in any order.

use std::ops::Range;

use similar::{DiffOp, TextDiff};

use crate::reply::Replacement;

/// How much of the script a block quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockStyle {
    /// Whole lines, as many as make the search text unique.
    Lines,
    /// The shortest unique text around the change, cut at the ends of words.
    Minimal,
}

/// A range of bytes of the script and the range of the repaired text that comes in its place.
#[derive(Clone, Debug)]
struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
}

/// Returns the blocks that turn `script` into `repaired`; none if the texts are equal.
pub fn blocks(script: &str, repaired: &str, style: BlockStyle) -> Vec<Replacement> {
    let texts = Texts { script, repaired, style };
    let mut hunks = changed_lines(script, repaired);
    if style == BlockStyle::Minimal {
        hunks.iter_mut().for_each(|hunk| texts.trim(hunk));
    }
    let mut at = 0;
    while at < hunks.len() {
        if texts.is_unique(&hunks[at]) && texts.is_read_exactly(&hunks[at]) {
            at += 1;
        } else if !texts.widen(&mut hunks, at) {
            if hunks.len() == 1 {
                break;
            }
            // No room left between the neighbours: merge it with one, and look at the merged hunk again.
            at = at.saturating_sub(1);
            let next = hunks.remove(at + 1);
            hunks[at].old.end = next.old.end;
            hunks[at].new.end = next.new.end;
        }
    }
    let block =
        |hunk: Hunk| Replacement { search: script[hunk.old].to_owned(), replace: repaired[hunk.new].to_owned() };
    hunks.into_iter().map(block).collect()
}

/// Runs of changed lines, as byte ranges of both texts.
fn changed_lines(script: &str, repaired: &str) -> Vec<Hunk> {
    let difference = TextDiff::from_lines(script, repaired);
    let (old, new) = (line_starts(script), line_starts(repaired));
    let hunk = |op: &DiffOp| Hunk {
        old: old[op.old_range().start]..old[op.old_range().end],
        new: new[op.new_range().start]..new[op.new_range().end],
    };
    difference.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).map(hunk).collect()
}

/// The byte at which each line begins, then the length of the text.
fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    }));
    starts
}

/// The two texts, and the style, which says how far a hunk grows at a time.
struct Texts<'a> {
    script: &'a str,
    repaired: &'a str,
    style: BlockStyle,
}

impl Texts<'_> {
    fn is_unique(&self, hunk: &Hunk) -> bool {
        let search = &self.script[hunk.old.clone()];
        // The last occurrence may overlap the first one.
        !search.trim().is_empty() && self.script.find(search) == self.script.rfind(search)
    }

    /// Whether a reader that counts the last line break of a text to its block finds the same change. A minimal text
    /// that would end in the line break, or be empty, where the other does not takes in what follows. At the end of the script
    /// nothing follows: there a last line break that comes or goes is not read back.
    fn is_read_exactly(&self, hunk: &Hunk) -> bool {
        let (search, replace) = (&self.script[hunk.old.clone()], &self.repaired[hunk.new.clone()]);
        let at_end = hunk.old.end == self.script.len();
        let alike = at_end || search.ends_with('\n') == replace.ends_with('\n');
        self.style == BlockStyle::Lines || alike && !replace.trim().is_empty()
    }

    /// Takes one more line or word on each side, as far as the neighbours leave room; returns `false` if there is none.
    fn widen(&self, hunks: &mut [Hunk], at: usize) -> bool {
        let floor = at.checked_sub(1).map_or(0, |before| hunks[before].old.end);
        let ceiling = hunks.get(at + 1).map_or(self.script.len(), |after| after.old.start);
        let hunk = &mut hunks[at];
        let before = &self.script[floor..hunk.old.start];
        let after = &self.script[hunk.old.end..ceiling];
        let (left, right) = match self.style {
            BlockStyle::Lines => (last_line(before), after.find('\n').map_or(after.len(), |end| end + 1)),
            BlockStyle::Minimal => (last_word(before), first_word(after)),
        };
        hunk.old = hunk.old.start - left..hunk.old.end + right;
        hunk.new = hunk.new.start - left..hunk.new.end + right;
        left + right > 0
    }

    /// Leaves out what both texts of the hunk begin and end with, cut at the ends of words.
    fn trim(&self, hunk: &mut Hunk) {
        let (old, new) = (&self.script[hunk.old.clone()], &self.repaired[hunk.new.clone()]);
        let pairs = old.chars().zip(new.chars());
        let prefix: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let pairs = old[prefix..].chars().rev().zip(new[prefix..].chars().rev());
        let suffix: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let left = word_part(&old[..prefix], true);
        let right = word_part(&old[old.len() - suffix..], false);
        hunk.old = hunk.old.start + prefix - left..hunk.old.end - suffix + right;
        hunk.new = hunk.new.start + prefix - left..hunk.new.end - suffix + right;
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Number of bytes at the end (or beginning) of `text` that belong to a word.
fn word_part(text: &str, at_end: bool) -> usize {
    let length = |c: char| c.len_utf8();
    match at_end {
        true => text.chars().rev().take_while(|c| is_word(*c)).map(length).sum(),
        false => text.chars().take_while(|c| is_word(*c)).map(length).sum(),
    }
}

/// Number of bytes of the last line of `text`, with its line break if it has one.
fn last_line(text: &str) -> usize {
    let inner = text.strip_suffix('\n').unwrap_or(text);
    text.len() - inner.rfind('\n').map_or(0, |end| end + 1)
}

/// Number of bytes of the last word of `text` and all that follows it.
fn last_word(text: &str) -> usize {
    let trimmed = text.trim_end_matches(|c| !is_word(c));
    text.len() - trimmed.len() + word_part(trimmed, true)
}

/// Number of bytes of the first word of `text` and all before it.
fn first_word(text: &str) -> usize {
    let trimmed = text.trim_start_matches(|c| !is_word(c));
    text.len() - trimmed.len() + word_part(trimmed, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::example::blocks_text;
    use crate::reply::{apply, replacements};
    use proptest::prelude::*;

    fn block(search: &str, replace: &str) -> Replacement {
        Replacement { search: search.to_owned(), replace: replace.to_owned() }
    }

    #[test]
    fn a_minimal_block_is_cut_at_words_and_grows_until_it_is_unique() {
        let script = "SELECT a\nFROM t\nJOIN u ON a = b\nJOIN v ON a = c\n";
        let repaired = "SELECT a\nFROM t\nJOIN u ON a = b\nLEFT JOIN v ON a = c\n";
        assert_eq!(blocks(script, repaired, BlockStyle::Minimal), [block("b\nJOIN v", "b\nLEFT JOIN v")]);
    }

    #[test]
    fn minimal_blocks_are_read_as_they_were_meant_where_a_text_would_be_empty_or_end_with_its_line() {
        let cases = [
            ("select f( )\nfrom t\n", "select f(\nfrom t\n"),
            ("select a\n  , b\nfrom t\n", "select a\nfrom t\n"),
            ("select a in\n(1)\nfrom t\n", "select a in (1)\nfrom t\n"),
            ("select a ;\n-- b\n", "select a\n-- b\n"),
            ("select a\nfrom t\nlimit 3\n", "select a\nfrom t\n"),
            ("select a\nfrom t\n", "select a\nfrom t\nlimit 3\n"),
            ("select (\n(a))\n", "select ((a))\n"),
        ];
        for (script, repaired) in cases {
            let written = blocks_text(&blocks(script, repaired, BlockStyle::Minimal));
            assert_eq!(apply(script, &replacements(&written)).as_deref(), Ok(repaired), "{written}");
        }
    }

    #[test]
    fn a_line_block_repeats_the_neighbours_of_a_line_that_occurs_twice() {
        assert_eq!(blocks("a\nx\nb\nx\n", "a\nx\nb\ny\n", BlockStyle::Lines), [block("b\nx\n", "b\ny\n")]);
    }

    proptest! {
        #[test]
        fn blocks_apply_and_give_the_repaired_text(
            words in prop::collection::vec(prop::collection::vec("[a-cé]{1,2}", 1..4), 2..9),
            changed in prop::collection::vec(any::<bool>(), 9),
            minimal in any::<bool>(),
        ) {
            let line = |words: &Vec<String>| format!("{}\n", words.join(" "));
            let script: String = words.iter().map(line).collect();
            let new = |(words, change): (&Vec<String>, &bool)| if *change { "d d\n".to_owned() } else { line(words) };
            let repaired: String = words.iter().zip(&changed).map(new).collect();
            let style = if minimal { BlockStyle::Minimal } else { BlockStyle::Lines };
            let found = blocks(&script, &repaired, style);
            prop_assert_eq!(found.is_empty(), script == repaired);
            for block in &found {
                prop_assert_eq!(script.matches(block.search.as_str()).count(), 1);
            }
            if let [only] = found.as_slice() {
                prop_assert_eq!(&apply(&script, std::slice::from_ref(only)).unwrap(), &repaired);
                prop_assert_eq!(apply(&script, &replacements(&blocks_text(&found))).unwrap(), repaired);
            }
        }
    }
}
