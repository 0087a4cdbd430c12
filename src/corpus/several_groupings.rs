//! `GROUPING` of several columns, as Hive takes it: Spark has that of one column.

use std::ops::Range;

use crate::code::Words;
use crate::code::edit::{Edit, with_edits};

/// How many columns a call may have: each is one bit of a BIGINT.
const COUNTS: Range<usize> = 2..64;

/// Returns a script with `GROUPING(a, b)`, one bit for each column and that of the last the lowest, as
/// `(GROUPING(a) * 2 + GROUPING(b))`.
pub(super) fn with_single_groupings(text: &str) -> String {
    if !text.to_lowercase().contains("grouping") {
        return text.to_owned();
    }
    let words = Words::of(text);
    let mut edits = Vec::new();
    for at in 0..words.count() {
        let Some(columns) = columns_of(&words, at).filter(|columns| COUNTS.contains(&columns.len())) else { continue };
        let call = words.cover(at..columns[columns.len() - 1].end + 1);
        let bit = |(place, column): (usize, &Range<usize>)| {
            let one = format!("{}({})", words.at(at), words.cover(column.clone()).of(text));
            let weight = 1_u64 << (columns.len() - 1 - place);
            if weight == 1 { one } else { format!("{one} * {weight}") }
        };
        let bits: Vec<String> = columns.iter().enumerate().map(bit).collect();
        edits.push(Edit::replacement(call, format!("({})", bits.join(" + "))));
    }
    with_edits(text, &edits)
}

/// Returns the words of each column of a call of GROUPING that begins here.
fn columns_of(words: &Words<'_>, at: usize) -> Option<Vec<Range<usize>>> {
    if !words.is(at, "GROUPING") || words.at(at + 1) != "(" {
        return None;
    }
    let columns = words.items(at + 1)?;
    columns.iter().all(|column| !column.is_empty()).then_some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_is_a_bit() {
        for (written, read) in [
            ("SELECT grouping(a, t.b ,c) = 3", "SELECT (grouping(a) * 4 + grouping(t.b) * 2 + grouping(c)) = 3"),
            ("CASE WHEN GROUPING(f(a, b), c) > 0", "CASE WHEN (GROUPING(f(a, b)) * 2 + GROUPING(c)) > 0"),
            (
                "SELECT GROUPING(a), GROUPING_ID(a, b), 'grouping(a, b)'",
                "SELECT GROUPING(a), GROUPING_ID(a, b), 'grouping(a, b)'",
            ),
            ("GROUP BY a GROUPING SETS (a, b)", "GROUP BY a GROUPING SETS (a, b)"),
            ("SELECT grouping(a, )", "SELECT grouping(a, )"),
        ] {
            assert_eq!(with_single_groupings(written), read);
        }
        let more_than_bits = format!("SELECT grouping({})", vec!["a"; 64].join(", "));
        assert_eq!(with_single_groupings(&more_than_bits), more_than_bits);
    }
}
