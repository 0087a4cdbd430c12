//! `GROUPING` of several columns, as Hive takes it: Spark has that of one column.

use std::ops::Range;

use crate::code::Words;

/// Returns a script with `GROUPING(a, b)`, one bit for each column and that of the last the lowest, as
/// `(GROUPING(a) * 2 + GROUPING(b))`.
pub(super) fn with_single_groupings(text: &str) -> String {
    if !text.to_lowercase().contains("grouping") {
        return text.to_owned();
    }
    let words = Words::of(text);
    let mut single = String::with_capacity(text.len());
    let mut end = 0;
    for at in 0..words.count() {
        let Some(columns) = columns_of(&words, at).filter(|columns| columns.len() > 1) else { continue };
        let call = words.cover(at..columns[columns.len() - 1].end + 1);
        let bit = |(place, column): (usize, &Range<usize>)| {
            let one = format!("{}({})", words.at(at), words.cover(column.clone()).of(text));
            let weight = 1_u64 << (columns.len() - 1 - place);
            if weight == 1 { one } else { format!("{one} * {weight}") }
        };
        let bits: Vec<String> = columns.iter().enumerate().map(bit).collect();
        single.push_str(&text[end..call.start]);
        single.push_str(&format!("({})", bits.join(" + ")));
        end = call.end;
    }
    single + &text[end..]
}

/// Returns the words of each column of a call of GROUPING that begins here.
fn columns_of(words: &Words<'_>, at: usize) -> Option<Vec<Range<usize>>> {
    if !words.is(at, "GROUPING") || words.at(at + 1) != "(" {
        return None;
    }
    let mut columns = Vec::new();
    let (mut depth, mut first) = (0_usize, at + 2);
    for next in at + 2..words.count() {
        match words.at(next) {
            "(" => depth += 1,
            ")" if depth == 0 => {
                columns.push(first..next);
                return columns.iter().all(|column| !column.is_empty()).then_some(columns);
            }
            ")" => depth -= 1,
            "," if depth == 0 => {
                columns.push(first..next);
                first = next + 1;
            }
            _ => {}
        }
    }
    None
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
    }
}
