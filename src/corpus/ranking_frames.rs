//! Frames of functions that rank rows: Hive takes one of the whole partition, which changes nothing, and Spark takes none.

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

#[cfg(test)]
mod tests {
    use super::*;

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
