//! Windows that Hive takes and Spark does not: frames of functions that rank rows, which change nothing if they are of the
//! whole partition, and counts of different values.

use crate::code::Words;
use crate::code::edit::{Edit, with_edits};

/// Functions that take a frame in Hive alone.
const RANKING: [&str; 8] = ["ROW_NUMBER", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST", "NTILE", "LEAD", "LAG"];

/// The words of a frame of the whole partition, behind ROWS or RANGE.
const WHOLE: &str = "BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING";

/// Returns a script in which functions that rank rows have no frame of the whole partition.
pub(super) fn without_ranking_frames(text: &str) -> String {
    if !text.to_lowercase().contains("unbounded") {
        return text.to_owned();
    }
    let words = Words::of(text);
    let edits: Vec<Edit> = (0..words.count()).filter_map(|at| frame(&words, at)).collect();
    with_edits(text, &edits)
}

/// Returns the edit that takes the frame from the call which begins here; `None` if no call of such a function does, or it has
/// another frame or none.
fn frame(words: &Words<'_>, at: usize) -> Option<Edit> {
    let ranks = RANKING.iter().any(|name| words.is(at, name)) && words.at(at + 1) == "(";
    let window = words.closing(at + 1).filter(|_| ranks)? + 1;
    if !words.is(window, "OVER") || words.at(window + 1) != "(" {
        return None;
    }
    let end = words.closing(window + 1)?;
    let first = end.checked_sub(1 + WHOLE.split(' ').count())?;
    let is_frame = (words.is(first, "ROWS") || words.is(first, "RANGE")) && words.are(first + 1, WHOLE);
    is_frame.then(|| Edit::deletion(words.cover(first..end)))
}

/// Returns a script with `size(collect_set(x) OVER (…))` for `count(DISTINCT x) OVER (…)`, which is the same.
pub(super) fn with_sizes_for_distinct_counts(text: &str) -> String {
    if !text.to_lowercase().contains("distinct") {
        return text.to_owned();
    }
    let words = Words::of(text);
    let edits: Vec<Edit> = (0..words.count()).filter_map(|at| distinct_count(&words, at)).flatten().collect();
    with_edits(text, &edits)
}

/// Returns the edits of the window count of different values that begins here; `None` if none does, or it is of several
/// columns.
fn distinct_count(words: &Words<'_>, at: usize) -> Option<[Edit; 2]> {
    if !words.is(at, "COUNT") || words.at(at + 1) != "(" || !words.is(at + 2, "DISTINCT") {
        return None;
    }
    let close = words.closing(at + 1)?;
    let is_single = words.items(at + 1)?.len() == 1;
    if !is_single || !words.is(close + 1, "OVER") || words.at(close + 2) != "(" {
        return None;
    }
    let end = words.span(words.closing(close + 2)?).end;
    let head = Edit::replacement(words.cover(at..at + 3), "size(collect_set(");
    Some([head, Edit::insertion(end, ")")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_values_of_a_window_are_counted_as_a_set() {
        for (written, read) in [
            (
                "SELECT count(distinct if(a, b, c)) over (partition by f(k)) AS n, COUNT(DISTINCT a) FROM t",
                "SELECT size(collect_set( if(a, b, c)) over (partition by f(k))) AS n, COUNT(DISTINCT a) FROM t",
            ),
            ("SELECT count(distinct a, b) over (partition by k)", "SELECT count(distinct a, b) over (partition by k)"),
            ("SELECT count(distinct a) OVER w", "SELECT count(distinct a) OVER w"),
        ] {
            assert_eq!(with_sizes_for_distinct_counts(written), read);
        }
    }

    #[test]
    fn a_frame_of_the_whole_partition_goes_from_what_ranks() {
        for (written, read) in [
            (
                "SELECT ROW_NUMBER() OVER (PARTITION BY k ORDER BY f(d)\nROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS rn",
                "SELECT ROW_NUMBER() OVER (PARTITION BY k ORDER BY f(d)\n) AS rn",
            ),
            (
                "SELECT lag(a, 1) over (order by d range between unbounded preceding and unbounded following)",
                "SELECT lag(a, 1) over (order by d )",
            ),
            (
                "SELECT sum(a) OVER (ORDER BY d ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)",
                "SELECT sum(a) OVER (ORDER BY d ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)",
            ),
            (
                "SELECT rank() OVER (ORDER BY d ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING), rank() OVER w",
                "SELECT rank() OVER (ORDER BY d ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING), rank() OVER w",
            ),
        ] {
            assert_eq!(without_ranking_frames(written), read);
        }
    }
}
